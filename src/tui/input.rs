//! Keys, clicks and sizes, read on a thread of their own; signals on another.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

use crossbeam_channel::{Receiver, bounded};
use crossterm::event::{self, Event};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

/// How long it may take until the reader notices that nobody listens.
const PATIENCE: Duration = Duration::from_millis(100);

/// What the user does, until dropped.
pub struct Input {
    /// The events in order. Bounded: who types faster than we draw waits, as with any program.
    pub events: Receiver<io::Result<Event>>,
    done: Arc<AtomicBool>,
    /// Somebody else reads the keys.
    lent: Arc<AtomicBool>,
    /// Held while we read.
    reading: Arc<Mutex<()>>,
    thread: Thread,
}

impl Input {
    /// Starts reading.
    ///
    /// # Errors
    /// When no thread can be had.
    pub fn open() -> io::Result<Input> {
        let (sender, events) = bounded(1024);
        let done = Arc::new(AtomicBool::new(false));
        let stop = done.clone();
        let lent = Arc::new(AtomicBool::new(false));
        let away = lent.clone();
        let reading = Arc::new(Mutex::new(()));
        let turn = reading.clone();
        let read = move || {
            while !stop.load(Ordering::Relaxed) {
                if away.load(Ordering::SeqCst) {
                    thread::park();
                    continue;
                }
                let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
                let event = match event::poll(PATIENCE) {
                    Ok(false) => continue,
                    Ok(true) => event::read(),
                    Err(error) => Err(error),
                };
                // A terminal that cannot be read will not get better.
                let last = event.is_err();
                if sender.send(event).is_err() || last {
                    break;
                }
            }
        };
        let thread = thread::Builder::new().name("input".into()).spawn(read)?;
        Ok(Input {
            events,
            done,
            lent,
            reading,
            thread: thread.thread().clone(),
        })
    }

    /// Lets somebody else read the keys, until that is over. What was typed before is forgotten.
    pub fn lend<T>(&self, other: impl FnOnce() -> T) -> T {
        self.lent.store(true, Ordering::SeqCst);
        let turn = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        while self.events.try_recv().is_ok() {}
        let done = other();
        drop(turn);
        self.lent.store(false, Ordering::SeqCst);
        self.thread.unpark();
        done
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        self.thread.unpark();
    }
}

/// The signals that ask for the end. What is ignored stays ignored: `nohup`, and shells that start a command in the background,
/// mean it.
pub fn endings() -> impl Iterator<Item = i32> {
    let ignored = ignored();
    [SIGINT, SIGTERM, SIGHUP]
        .into_iter()
        .filter(move |signal| ignored & (1 << (signal - 1)) == 0)
}

/// The signals that this process was told to ignore when it started, one bit each, where the system tells it.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

/// Signals that end the run, until dropped.
pub struct Ends {
    /// The signals.
    pub signals: Receiver<i32>,
    handle: Handle,
}

impl Ends {
    /// Starts listening.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn open() -> io::Result<Ends> {
        let mut source = Signals::new(endings())?;
        let handle = source.handle();
        let (sender, signals) = bounded(4);
        thread::Builder::new()
            .name("signals".into())
            .spawn(move || {
                for signal in source.forever() {
                    // When several are waiting already, one more says nothing new.
                    let _ = sender.try_send(signal);
                }
            })?;
        Ok(Ends { signals, handle })
    }
}

impl Drop for Ends {
    fn drop(&mut self) {
        self.handle.close();
    }
}
