//! Keys, clicks and resizes are read on one thread, signals on another. The first also hears how fast the terminal answers.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded, unbounded};
use crossterm::cursor;
use crossterm::event::{self, Event};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

use super::terminal_port::TerminalReply;

/// The greatest time until the reader notices that it was paused or dropped.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// The greatest time that is waited for it: it may wait two seconds for an answer of the terminal, and for ever for one that is gone.
const PATIENCE: Duration = Duration::from_millis(2_500);

/// Reads terminal events until it is dropped.
pub struct InputReader {
    /// The events in order. The channel is bounded, so the terminal buffers the keys of a fast typist.
    pub events: Receiver<io::Result<Event>>,
    /// The answers to questions ([`Self::ask_terminal`]).
    pub replies: Receiver<TerminalReply>,
    /// Whether the terminal is to be asked.
    asked: Arc<AtomicBool>,
    done: Arc<AtomicBool>,
    /// Whether another program reads the keys.
    paused: Arc<AtomicBool>,
    /// Hears that it was paused. Its sender goes with the reader.
    stops: Receiver<()>,
    thread: Thread,
}

impl InputReader {
    /// Starts reading.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn start_reading() -> io::Result<InputReader> {
        let (sender, events) = bounded(1024);
        let (answered, replies) = unbounded();
        let asked = Arc::new(AtomicBool::new(false));
        let is_asked = asked.clone();
        let done = Arc::new(AtomicBool::new(false));
        let stop = done.clone();
        let paused = Arc::new(AtomicBool::new(false));
        let is_paused = paused.clone();
        let (stopped, stops) = bounded(1);
        let read = move || {
            let mut owed_answers = 0;
            while !stop.load(Ordering::Relaxed) {
                if is_paused.load(Ordering::SeqCst) {
                    // One message is enough.
                    let _ = stopped.try_send(());
                    thread::park();
                    continue;
                }
                if is_asked.swap(false, Ordering::SeqCst) {
                    // Nobody may be left to hear it.
                    let round_trip = measure_round_trip(&mut owed_answers);
                    let _ = answered.send(TerminalReply::Answered(round_trip));
                }
                let event = match event::poll(POLL_INTERVAL) {
                    Ok(false) => continue,
                    Ok(true) => event::read(),
                    Err(error) => Err(error),
                };
                // An unreadable terminal stays unreadable.
                let last = event.is_err();
                if sender.send(event).is_err() || last {
                    break;
                }
            }
        };
        let thread = thread::Builder::new().name("input".into()).spawn(read)?;
        Ok(InputReader {
            events,
            replies,
            asked,
            done,
            paused,
            stops,
            thread: thread.thread().clone(),
        })
    }

    /// Asks the terminal where its cursor is, soon. It answers when it has shown all that was written before.
    pub fn ask_terminal(&self) {
        self.asked.store(true, Ordering::SeqCst);
    }

    /// Waits for an answer that the terminal owes, at most two seconds: a shell would take it for keys.
    pub fn await_answer(&self) {
        self.asked.store(false, Ordering::SeqCst);
        self.stop_reading_while(|| ());
    }

    /// Stops reading, and waits until no key can be taken any more: what is typed next is for others.
    pub fn finish(&self) {
        self.forget_stop();
        self.done.store(true, Ordering::SeqCst);
        self.thread.unpark();
        self.await_stop();
    }

    /// Drops the message of an earlier pause.
    fn forget_stop(&self) {
        let _ = self.stops.try_recv();
    }

    /// Waits until the reader has stopped. One that a terminal which is gone does not let go is not waited for longer.
    fn await_stop(&self) {
        let _ = self.stops.recv_timeout(PATIENCE);
    }

    /// Reads no keys while `other` runs. Keys that were typed before are dropped.
    pub fn pause_while<T>(&self, other: impl FnOnce() -> T) -> T {
        self.stop_reading_while(|| {
            while self.events.try_recv().is_ok() {}
            other()
        })
    }

    /// Runs `other` when nothing is being read any more, and nothing is before it has ended.
    fn stop_reading_while<T>(&self, other: impl FnOnce() -> T) -> T {
        self.forget_stop();
        self.paused.store(true, Ordering::SeqCst);
        self.await_stop();
        let done = other();
        self.paused.store(false, Ordering::SeqCst);
        self.thread.unpark();
        done
    }
}

/// After this time no further answer is asked for at once: the line is slow, and keys wait meanwhile.
const LONG_ROUND: Duration = Duration::from_secs(1);

/// How long the terminal takes to say where its cursor is; none if it says nothing in two seconds. `owed_answers` counts the earlier questions
/// whose answers were not waited for: these come before its own. If only they come, the time until then is what is known: it is at least that slow.
fn measure_round_trip(owed_answers: &mut usize) -> Option<Duration> {
    let start = Instant::now();
    let mut is_heard = false;
    for _ in 0..=*owed_answers {
        if start.elapsed() >= LONG_ROUND {
            break;
        }
        if cursor::position().is_err() {
            *owed_answers += 1;
            return is_heard.then(|| start.elapsed());
        }
        is_heard = true;
    }
    Some(start.elapsed())
}

impl Drop for InputReader {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        self.thread.unpark();
    }
}

/// The signals that end the run. A signal that was ignored at the start stays ignored, as `nohup` and background jobs of shells
/// require.
pub fn termination_signals() -> impl Iterator<Item = i32> {
    let ignored = ignored_signals();
    [SIGINT, SIGTERM, SIGHUP]
        .into_iter()
        .filter(move |signal| ignored & (1 << (signal - 1)) == 0)
}

/// The signals that this process ignores since its start, one bit each; 0 on a system without `/proc`.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

/// Receives the signals that end the run, until it is dropped.
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
                    // A full channel has signals enough.
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
