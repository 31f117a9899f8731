//! Signals that stop the run.

use std::io;
use std::process;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};
use rustix::process::Signal;
use signal_hook::iterator::{Handle, Signals as Source};

use crate::oracle;
use crate::tui;

/// A signal this soon after the first is an echo: `timeout` sends it to the process and to its group.
const ECHO: Duration = Duration::from_millis(200);

/// A listener for signals that end the run. It stops when dropped.
pub struct TerminationSignals {
    /// Receives the first signal. A second one ends the process at once.
    pub received: Receiver<i32>,
    handle: Option<Handle>,
}

impl TerminationSignals {
    /// Starts to listen. Ignored signals stay ignored, for `nohup` and for shells that start a command in the background.
    pub fn listen() -> io::Result<TerminationSignals> {
        let (send, heard) = bounded(1);
        let mut source = Source::new(tui::termination_signals())?;
        source.add_signal(Signal::TSTP.as_raw())?;
        let handle = source.handle();
        thread::Builder::new()
            .name("signals".into())
            .spawn(move || {
                let mut first: Option<Instant> = None;
                for signal in source.forever() {
                    if signal == Signal::TSTP.as_raw() {
                        suspend_process();
                        continue;
                    }
                    if let Some(first) = first {
                        if first.elapsed() > ECHO {
                            process::exit(128 + signal);
                        }
                        continue;
                    }
                    first = Some(Instant::now());
                    // The channel has room for the first.
                    let _ = send.send(signal);
                }
            })?;
        Ok(TerminationSignals {
            received: heard,
            handle: Some(handle),
        })
    }

    /// Hears no signal: the loss of the sender of this ends what waits for one.
    pub fn from_lifeline(received: Receiver<i32>) -> TerminationSignals {
        TerminationSignals {
            received,
            handle: None,
        }
    }
}

/// Ctrl-Z: the tests stop first and continue last.
fn suspend_process() {
    oracle::suspend_tests();
    let _ = signal_hook::low_level::emulate_default_handler(Signal::TSTP.as_raw());
    oracle::resume_tests();
}

impl Drop for TerminationSignals {
    fn drop(&mut self) {
        if let Some(handle) = &self.handle {
            handle.close();
        }
    }
}
