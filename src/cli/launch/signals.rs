//! Signals that ask for the end.

use std::io;
use std::process;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};
use rustix::process::Signal;
use signal_hook::iterator::{Handle, Signals as Source};

use crate::oracle;
use crate::tui;

/// A signal so soon after the first is the first once more: `timeout` sends it to the process and to its group.
const ECHO: Duration = Duration::from_millis(200);

/// Signals that end the run, heard until this is dropped.
pub struct TerminationSignals {
    /// The first arrives here; who asks a second time wants no politeness, and the process ends at once.
    pub received: Receiver<i32>,
    handle: Handle,
}

impl TerminationSignals {
    /// Starts listening. What is ignored stays ignored: `nohup`, and shells that start a command in the background, mean it.
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
            handle,
        })
    }
}

/// Ctrl-Z: the tests stop first, and go on last.
fn suspend_process() {
    oracle::suspend_tests();
    let _ = signal_hook::low_level::emulate_default_handler(Signal::TSTP.as_raw());
    oracle::resume_tests();
}

impl Drop for TerminationSignals {
    fn drop(&mut self) {
        self.handle.close();
    }
}
