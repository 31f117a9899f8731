//! Work that is abandoned: a command changed what it rests on, or the run has ended.
//!
//! The passes and the parser run on threads that the engine does not wait for. A long loop in them calls [`check_abandoned`] now and then.
//! Where the work is no longer wanted, that call unwinds the stack up to [`unless_abandoned`], and what was half done is dropped. It
//! is no panic: no hook reports it. What is abandoned has had no effect outside yet, so no decision depends on the moment.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Says to those who work whether their work is still wanted. Clones say the same.
#[derive(Clone, Debug, Default)]
pub struct AbandonFlag(Arc<AtomicBool>);

impl AbandonFlag {
    /// The work is not wanted any more.
    pub fn abandon(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_abandoned(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What the stack is unwound with.
struct AbandonPayload;

thread_local! {
    /// The flag of the work that this thread does.
    static FLAG: RefCell<Option<AbandonFlag>> = const { RefCell::new(None) };
    /// The rounds of all its long loops, by 256.
    static ROUNDS: Cell<u8> = const { Cell::new(0) };
}

/// Does this work; none if it was abandoned before its end. A panic goes on to the caller.
pub fn unless_abandoned<T>(flag: &AbandonFlag, work: impl FnOnce() -> T) -> Option<T> {
    let outer = FLAG.replace(Some(flag.clone()));
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    FLAG.set(outer);
    match done {
        Ok(done) => Some(done),
        Err(payload) if is_abandonment(&*payload) => None,
        Err(payload) => panic::resume_unwind(payload),
    }
}

fn is_abandonment(payload: &(dyn Any + Send)) -> bool {
    payload.is::<AbandonPayload>()
}

/// Whether the work of this thread is no longer wanted. For code that cannot be unwound, such as a callback of the parser.
pub fn is_abandoned() -> bool {
    FLAG.with_borrow(|flag| flag.as_ref().is_some_and(AbandonFlag::is_abandoned))
}

/// Leaves the work of this thread if it is no longer wanted.
pub fn check_abandoned() {
    if is_abandoned() {
        panic::resume_unwind(Box::new(AbandonPayload));
    }
}

/// One more round of a long loop: every 256th of a thread [`check_abandoned`]s.
#[inline]
pub fn count_round() {
    let rounds = ROUNDS.get().wrapping_add(1);
    ROUNDS.set(rounds);
    if rounds == 0 {
        check_abandoned();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts to `end`, a round each; at `stop` somebody says that it is not wanted any more.
    fn count(flag: &AbandonFlag, end: u32, stop: u32) -> Option<u32> {
        unless_abandoned(flag, || {
            for round in 0..end {
                if round == stop {
                    flag.abandon();
                }
                count_round();
            }
            end
        })
    }

    #[test]
    fn work_that_is_abandoned_ends_soon_and_other_work_does_not() {
        let flag = AbandonFlag::default();
        assert_eq!(count(&flag, 10_000, 10_000), Some(10_000));
        assert_eq!(count(&flag, u32::MAX, 300), None);
        assert!(!is_abandoned(), "outside of the work there is no flag");
        check_abandoned();
        assert_eq!(count(&AbandonFlag::default(), 10_000, 10_000), Some(10_000));
    }

    #[test]
    fn a_panic_is_a_panic() {
        let flag = AbandonFlag::default();
        let panicked = panic::catch_unwind(AssertUnwindSafe(|| {
            unless_abandoned(&flag, || panic::resume_unwind(Box::new("a fault")))
        }));
        let payload: Box<dyn Any + Send> =
            panicked.map(|_: Option<()>| ()).expect_err("it panicked");
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"a fault"));
    }
}
