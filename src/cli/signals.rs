//! Signals that ask for the end.

use std::io;
use std::process;
use std::thread;

use crossbeam_channel::{Receiver, bounded};
use rustix::process::Signal;
use signal_hook::iterator::{Handle, Signals as Source};

use crate::oracle;
use crate::tui;

/// Signals that end the run, heard until this is dropped.
pub(super) struct Signals {
    /// The first arrives here; who asks a second time wants no politeness, and the process ends at once.
    pub heard: Receiver<i32>,
    handle: Handle,
}

impl Signals {
    /// Starts listening. What is ignored stays ignored: `nohup`, and shells that start a command in the background, mean it.
    pub fn listen() -> io::Result<Signals> {
        let (send, heard) = bounded(1);
        let mut source = Source::new(tui::endings())?;
        source.add_signal(Signal::TSTP.as_raw())?;
        let handle = source.handle();
        thread::Builder::new()
            .name("signals".into())
            .spawn(move || {
                let mut endings = 0;
                for signal in source.forever() {
                    if signal == Signal::TSTP.as_raw() {
                        stop();
                        continue;
                    }
                    endings += 1;
                    if endings > 1 {
                        process::exit(128 + signal);
                    }
                    // The channel has room for the first.
                    let _ = send.send(signal);
                }
            })?;
        Ok(Signals { heard, handle })
    }
}

/// Ctrl-Z: the tests stop first, and go on last.
fn stop() {
    oracle::freeze();
    let _ = signal_hook::low_level::emulate_default_handler(Signal::TSTP.as_raw());
    oracle::thaw();
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.handle.close();
    }
}
