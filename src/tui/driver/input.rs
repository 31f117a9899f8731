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
pub struct InputReader {
    /// The events in order. Bounded: who types faster than we draw waits, as with any program.
    pub events: Receiver<io::Result<Event>>,
    done: Arc<AtomicBool>,
    /// Somebody else reads the keys.
    paused: Arc<AtomicBool>,
    /// Held while we read.
    reading: Arc<Mutex<()>>,
    thread: Thread,
}

impl InputReader {
    /// Starts reading.
    ///
    /// # Errors
    /// When no thread can be had.
    pub fn start_reading() -> io::Result<InputReader> {
        let (sender, events) = bounded(1024);
        let done = Arc::new(AtomicBool::new(false));
        let stop = done.clone();
        let paused = Arc::new(AtomicBool::new(false));
        let is_paused = paused.clone();
        let reading = Arc::new(Mutex::new(()));
        let lock = reading.clone();
        let read = move || {
            while !stop.load(Ordering::Relaxed) {
                if is_paused.load(Ordering::SeqCst) {
                    thread::park();
                    continue;
                }
                let _lock = lock.lock().unwrap_or_else(PoisonError::into_inner);
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
        Ok(InputReader {
            events,
            done,
            paused,
            reading,
            thread: thread.thread().clone(),
        })
    }

    /// Lets somebody else read the keys, until that is over. What was typed before is forgotten.
    pub fn pause_while<T>(&self, other: impl FnOnce() -> T) -> T {
        self.paused.store(true, Ordering::SeqCst);
        let lock = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        while self.events.try_recv().is_ok() {}
        let done = other();
        drop(lock);
        self.paused.store(false, Ordering::SeqCst);
        self.thread.unpark();
        done
    }
}

impl Drop for InputReader {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        self.thread.unpark();
    }
}

/// The signals that ask for the end. What is ignored stays ignored: `nohup`, and shells that start a command in the background,
/// mean it.
pub fn termination_signals() -> impl Iterator<Item = i32> {
    let ignored = ignored_signals();
    [SIGINT, SIGTERM, SIGHUP]
        .into_iter()
        .filter(move |signal| ignored & (1 << (signal - 1)) == 0)
}

/// The signals that this process was told to ignore when it started, one bit each, where the system tells it.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

/// Signals that end the run, until dropped.
pub struct SignalListener {
    /// The signals.
    pub signals: Receiver<i32>,
    handle: Handle,
}

impl SignalListener {
    /// Starts listening.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn start_listening() -> io::Result<SignalListener> {
        let mut source = Signals::new(termination_signals())?;
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
        Ok(SignalListener { signals, handle })
    }
}

impl Drop for SignalListener {
    fn drop(&mut self) {
        self.handle.close();
    }
}
