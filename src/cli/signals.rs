//! Signals that ask for the end.

use std::io;
use std::process;
use std::thread;

use crossbeam_channel::{Receiver, bounded};
use signal_hook::iterator::{Handle, Signals as Source};

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
        let handle = source.handle();
        thread::Builder::new()
            .name("signals".into())
            .spawn(move || {
                for (number, signal) in source.forever().enumerate() {
                    if number > 0 {
                        process::exit(128 + signal);
                    }
                    // The channel has room for the first.
                    let _ = send.send(signal);
                }
            })?;
        Ok(Signals { heard, handle })
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.handle.close();
    }
}
