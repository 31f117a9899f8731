//! Has the command of a test end at the first error, where the original stays interesting so.

use super::super::prepared_run::PreparedRun;
use super::preflight::PreflightError;
use crate::cli::failure::{CommandFailure, OrFail, USAGE};
use crate::oracle::{
    FATAL_ERRORS, InterestingnessTest, StageCommand, StageRole, TestRun, TestStage, TimeLimits,
    Verdict, find_unlimited_compiler, has_error_line,
};

impl PreparedRun {
    /// Puts [`FATAL_ERRORS`] into the command of the test if that is a compiler which may bring any number of errors, a run of it on the original
    /// had none, and the original is interesting with it as well. Whether it is there now.
    ///
    /// # Errors
    /// When the test cannot be run.
    pub fn limit_errors(
        &mut self,
        run: &TestRun,
        limits: TimeLimits,
    ) -> Result<bool, CommandFailure> {
        let Some(property) = self.test.property().cloned() else {
            return Ok(false);
        };
        if run.output.omitted_bytes() > 0 || has_error_line(&run.output.to_text()) {
            return Ok(false);
        }
        let stages = self.test.stages().iter();
        let stages: Vec<TestStage> = stages.cloned().map(limit_errors_of_stage).collect();
        if stages == self.test.stages() {
            return Ok(false);
        }
        let test = InterestingnessTest::from_stages(stages, property).or_fail(USAGE)?;
        let before = std::mem::replace(&mut self.test, test);
        let seen = self.preflight_tester().observe_original(limits);
        let stays = match seen {
            Ok(seen) => seen.outcome.verdict() == Some(Verdict::Interesting),
            Err(PreflightError::LimitExceeded(_)) => false,
            Err(PreflightError::Failure(failure)) => return Err(failure),
        };
        if !stays {
            self.test = before;
        }
        Ok(stays)
    }
}

/// The stage with the option behind the compiler's name, if the property is about it and it starts a compiler that may bring any number of errors.
fn limit_errors_of_stage(mut stage: TestStage) -> TestStage {
    if stage.role == StageRole::Subject
        && let StageCommand::Words(words) = &mut stage.line
        && let Some(at) = find_unlimited_compiler(words.iter().map(String::as_str))
    {
        words.insert(at + 1, FATAL_ERRORS.to_owned());
    }
    stage
}
