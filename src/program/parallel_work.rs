//! Work on several things, on all processors.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::thread;

/// What `work` makes of each of the items, in their order.
pub fn map_in_parallel<T: Send, U: Send>(items: Vec<T>, work: impl Fn(T) -> U + Sync) -> Vec<U> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let threads = processors.min(items.len());
    let results: Mutex<Vec<Option<U>>> = Mutex::new(items.iter().map(|_| None).collect());
    let queue = Mutex::new(items.into_iter().enumerate());
    let work_on = || {
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((at, item)) = next else { return };
            let done = Some(work(item));
            results.lock().unwrap_or_else(PoisonError::into_inner)[at] = done;
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // If the system has no thread left, there are fewer.
            let _ = thread::Builder::new().spawn_scoped(scope, work_on);
        }
        work_on();
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().flatten().collect()
}
