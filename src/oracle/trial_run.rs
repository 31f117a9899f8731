//! One run of a test outside of a reduction: all at once, or as a look at what it does, stage by stage.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, bounded};

use super::local::prepare_helpers;
use super::process::DetailedOutcome;
use super::setting::TestSetting;
use super::test_parts::PartedTest;
use super::wait::CancelSignal;
use super::{InterestingnessTest, ScratchSpace, TestFiles, TestIsolation, TestOutcome, TimeLimits};

/// Runs the test on the files and waits for its end, without a helper. The first file is the test's argument.
pub fn run_once(
    test: &InterestingnessTest,
    scratch: &ScratchSpace,
    files: &TestFiles,
    limits: TimeLimits,
) -> TestOutcome {
    let mut setting = TestSetting {
        scratch,
        isolation: &TestIsolation::default(),
        helper: None,
        cancel_signal: None,
        server: None,
        notice: None,
        is_unconfirmed: false,
    };
    let test = PartedTest::new(test.clone());
    test.run(&mut setting, files, limits, true).outcome
}

/// A look under way. When it is dropped, the test is killed, and its directory removed before the drop returns.
#[derive(Debug)]
pub struct TrialRun {
    outcome: Receiver<DetailedOutcome>,
    cancel_signal: Arc<CancelSignal>,
    thread: Option<JoinHandle<()>>,
}

impl TrialRun {
    /// Starts one run of a test; `isolation` as for [`super::LocalRunner::new`].
    ///
    /// # Errors
    /// When the system gives no thread, no descriptors, or not the sandbox that is wanted.
    pub fn start(
        test: InterestingnessTest,
        scratch: ScratchSpace,
        files: TestFiles,
        limits: TimeLimits,
        isolation: impl Into<TestIsolation>,
    ) -> io::Result<TrialRun> {
        let cancel_signal = Arc::new(CancelSignal::new()?);
        let isolation = isolation.into();
        let (_, helpers, _) = prepare_helpers(&isolation, &test, &scratch, 1)?;
        let mut helper = helpers.into_iter().next();
        let (send, seen) = bounded(1);
        let hear = Arc::clone(&cancel_signal);
        let thread = thread::Builder::new().name("look".into()).spawn(move || {
            let mut setting = TestSetting {
                scratch: &scratch,
                isolation: &isolation,
                helper: helper.as_mut(),
                cancel_signal: Some(&hear),
                server: None,
                notice: None,
                is_unconfirmed: false,
            };
            let seen = PartedTest::new(test).run(&mut setting, &files, limits, true);
            if let Some(helper) = helper {
                isolation.spare.leave_helper(helper);
            }
            // Nobody looks any more: so be it.
            let _ = send.send(seen);
        })?;
        Ok(TrialRun {
            outcome: seen,
            cancel_signal,
            thread: Some(thread),
        })
    }

    /// Where the answer arrives; closed without one only if the thread has died.
    pub fn outcome_receiver(&self) -> &Receiver<DetailedOutcome> {
        &self.outcome
    }
}

impl Drop for TrialRun {
    fn drop(&mut self) {
        self.cancel_signal.send_cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
