//! The test that the user gave: a script, or commands in its place.

use std::path::{Path, PathBuf};

use super::failure::{Failure, OrFail, USAGE};
use super::sought::Sought;
use crate::oracle::{Line, Stage, Test, Wanted};
use crate::session::Input;
use crate::session::journal::HeaderRun;

/// See the module's text.
#[derive(Clone, Debug)]
pub(super) enum Given {
    /// An executable, after these checks.
    Script(PathBuf, Vec<Stage>),
    /// Commands, and what the user says of the failure.
    Commands(Vec<Stage>, Wanted),
}

impl Given {
    /// A script without checks.
    pub fn script(path: &Path) -> Given {
        Given::Script(path.to_path_buf(), Vec::new())
    }

    /// What the command line says for this input; and what is to be said about it. None if it names no test.
    pub fn of(
        sought: &Sought,
        test: Option<&Path>,
        input: &Input,
    ) -> Result<Option<(Given, Vec<String>)>, Failure> {
        if sought.is_given() {
            let (stages, notes) = sought.stages(input)?;
            return Ok(Some((Given::Commands(stages, sought.wanted()), notes)));
        }
        let Some(test) = test else {
            return Ok(None);
        };
        if let Some(useless) = sought.of_commands() {
            return Err(Failure::new(USAGE, useless));
        }
        let checks = sought.checks(&input.name().to_string_lossy())?;
        Ok(Some((
            Given::Script(test.to_path_buf(), checks),
            Vec::new(),
        )))
    }

    /// The one that a session ran with.
    pub fn again(run: &HeaderRun) -> Given {
        let is_script = |stage: &Stage| matches!(stage.line, Line::Script(_));
        match &run.property {
            Some(_) => Given::Commands(run.stages.clone(), Wanted::default()),
            None => {
                let checks = run.stages.iter().filter(|stage| !is_script(stage));
                Given::Script(run.test.clone(), checks.cloned().collect())
            }
        }
    }

    /// The test. Commands have no property yet.
    pub fn find(&self) -> Result<Test, Failure> {
        match self {
            Given::Script(path, checks) => Test::checked(checks.clone(), path).or_fail(USAGE),
            Given::Commands(stages, _) => Ok(Test::unjudged(stages.clone())),
        }
    }

    /// Whether a session ran with the same.
    pub fn is_of(&self, run: &HeaderRun) -> bool {
        match self {
            Given::Script(path, checks) => {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                let stages = run.stages.iter();
                let before = stages.filter(|stage| !matches!(stage.line, Line::Script(_)));
                run.property.is_none() && run.test == path && before.eq(checks)
            }
            Given::Commands(stages, _) => run.property.is_some() && run.stages == *stages,
        }
    }
}
