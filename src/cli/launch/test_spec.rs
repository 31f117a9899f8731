//! The test that the user gave: a script, or commands in its place.

use std::path::{Path, PathBuf};

use crate::cli::args::PropertyArgs;
use crate::cli::failure::{CommandFailure, OrFail, USAGE};
use crate::oracle::{InterestingnessTest, RequestedCriteria, StageCommand, TestStage};
use crate::session::InputFile;
use crate::session::journal::HeaderInvocation;

/// See the module's text.
#[derive(Clone, Debug)]
pub enum TestSpec {
    /// An executable, after these checks.
    Script(PathBuf, Vec<TestStage>),
    /// Commands, and what the user says of the failure.
    Commands(Vec<TestStage>, RequestedCriteria),
}

impl TestSpec {
    /// A script without checks.
    pub fn from_script(path: &Path) -> TestSpec {
        TestSpec::Script(path.to_path_buf(), Vec::new())
    }

    /// What the command line says for this input; and what is to be said about it. None if it names no test.
    pub fn from_args(
        sought: &PropertyArgs,
        test: Option<&Path>,
        input: &InputFile,
    ) -> Result<Option<(TestSpec, Vec<String>)>, CommandFailure> {
        if sought.has_commands() {
            let (stages, notes) = sought.test_stages(input)?;
            return Ok(Some((
                TestSpec::Commands(stages, sought.wanted_property()),
                notes,
            )));
        }
        let Some(test) = test else {
            return Ok(None);
        };
        if let Some(useless) = sought.unusable_option() {
            return Err(CommandFailure::new(USAGE, useless));
        }
        let checks = sought.check_stages(&input.file_name().to_string_lossy())?;
        Ok(Some((
            TestSpec::Script(test.to_path_buf(), checks),
            Vec::new(),
        )))
    }

    /// The one that a session ran with.
    pub fn from_recorded(run: &HeaderInvocation) -> TestSpec {
        let is_script = |stage: &TestStage| matches!(stage.line, StageCommand::Script(_));
        match &run.property {
            Some(_) => TestSpec::Commands(run.stages.clone(), RequestedCriteria::default()),
            None => {
                let checks = run.stages.iter().filter(|stage| !is_script(stage));
                TestSpec::Script(run.test.clone(), checks.cloned().collect())
            }
        }
    }

    /// The test. Commands have no property yet.
    pub fn resolve_test(&self) -> Result<InterestingnessTest, CommandFailure> {
        match self {
            TestSpec::Script(path, checks) => {
                InterestingnessTest::with_checks(checks.clone(), path).or_fail(USAGE)
            }
            TestSpec::Commands(stages, _) => {
                Ok(InterestingnessTest::without_property(stages.clone()))
            }
        }
    }

    /// Whether a session ran with the same.
    pub fn matches_run(&self, run: &HeaderInvocation) -> bool {
        match self {
            TestSpec::Script(path, checks) => {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                let stages = run.stages.iter();
                let before = stages.filter(|stage| !matches!(stage.line, StageCommand::Script(_)));
                run.property.is_none() && run.test == path && before.eq(checks)
            }
            TestSpec::Commands(stages, _) => run.property.is_some() && run.stages == *stages,
        }
    }
}
