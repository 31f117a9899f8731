//! One look at what a test does, stage by stage, before anything is known of it.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, bounded};

use super::local::helpers;
use super::process;
use super::watch::Bell;
use super::{Care, Files, Limits, Outcome, Scratch, StageRun, Test};

/// What the stages did that ran, and what it means.
#[derive(Debug)]
pub struct Seen {
    /// Each stage that ran, in order; none if there is no verdict.
    pub runs: Vec<StageRun>,
    /// What it means. For commands without a property, interesting: nothing is against it.
    pub outcome: Outcome,
}

/// A look under way. When it is dropped, the test is killed, and its directory removed before the drop returns.
#[derive(Debug)]
pub struct Look {
    seen: Receiver<Seen>,
    bell: Arc<Bell>,
    thread: Option<JoinHandle<()>>,
}

impl Look {
    /// Begins to run a test once; `care` as for [`super::LocalRunner::new`].
    ///
    /// # Errors
    /// When the system gives no thread, no descriptors, or not the sandbox that is wanted.
    pub fn start(
        test: Test,
        scratch: Scratch,
        files: Files,
        limits: Limits,
        care: impl Into<Care>,
    ) -> io::Result<Look> {
        let bell = Arc::new(Bell::new()?);
        let care = care.into();
        let (_, helpers, _) = helpers(&care, &test, &scratch, 1)?;
        let mut helper = helpers.into_iter().next();
        let (send, seen) = bounded(1);
        let hear = Arc::clone(&bell);
        let thread = thread::Builder::new().name("look".into()).spawn(move || {
            let seen = process::look(
                &test,
                &scratch,
                &files,
                limits,
                &care,
                helper.as_mut(),
                Some(&hear),
            );
            // Nobody looks any more: so be it.
            let _ = send.send(seen);
        })?;
        Ok(Look {
            seen,
            bell,
            thread: Some(thread),
        })
    }

    /// Where the answer arrives; closed without one only if the thread has died.
    pub fn seen(&self) -> &Receiver<Seen> {
        &self.seen
    }
}

impl Drop for Look {
    fn drop(&mut self) {
        self.bell.ring();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
