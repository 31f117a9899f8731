//! What a reduction needs, and what it may be told.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::candidate_test::{CandidateTest, GivenTest};
use super::{Observer, PlannedRun, Reduction, ReductionError, ReductionEvent};
use crate::language::{self, Language};
use crate::oracle::{InterestingnessTest, LimitPolicy, StageCommand, StageRole, TestStage};
use crate::pass::{self, PassOptions};
use crate::program;
use crate::reduce;

/// The name of a program that has none.
const UNNAMED: &str = "program";

/// Describes a [`Reduction`]. It needs a program ([`text`](ReductionBuilder::text) or [`file`](ReductionBuilder::file)) and a test
/// ([`test`](ReductionBuilder::test), [`test_script`](ReductionBuilder::test_script) or [`test_command`](ReductionBuilder::test_command)). Each is checked by
/// [`build`](ReductionBuilder::build); of two, the later one counts.
#[derive(Default)]
#[must_use = "a builder does nothing until it builds"]
pub struct ReductionBuilder {
    program: Option<GivenProgram>,
    language: Option<String>,
    test: Option<RequestedTest>,
    strategy: Option<String>,
    effort: Option<String>,
    jobs: usize,
    timeout: Option<Duration>,
    commands: Vec<String>,
    observer: Option<Observer>,
}

enum GivenProgram {
    Text(PathBuf, Arc<[u8]>),
    File(PathBuf),
}

enum RequestedTest {
    Function(GivenTest),
    Script(PathBuf),
    Command(String),
}

impl ReductionBuilder {
    /// The program. Its name, such as `bug.c`, says its language, and a command sees it under this name.
    pub fn text(mut self, name: impl AsRef<Path>, text: impl Into<Vec<u8>>) -> ReductionBuilder {
        let text: Vec<u8> = text.into();
        self.program = Some(GivenProgram::Text(name.as_ref().into(), text.into()));
        self
    }

    /// A file with the program. It is read, and never written.
    pub fn file(mut self, path: impl AsRef<Path>) -> ReductionBuilder {
        self.program = Some(GivenProgram::File(path.as_ref().into()));
        self
    }

    /// The language, by the name that `lop languages` lists; `text` for lines and tokens. By default the extension of the file's name says it; an unknown one
    /// means lines and tokens.
    pub fn language(mut self, name: impl Into<String>) -> ReductionBuilder {
        self.language = Some(name.into());
        self
    }

    /// A test in Rust, such as a closure over the bytes of a candidate.
    pub fn test(mut self, test: impl CandidateTest + 'static) -> ReductionBuilder {
        let test = GivenTest::from_candidate_test(test);
        self.test = Some(RequestedTest::Function(test));
        self
    }

    /// A test that is an executable: status 0 for a candidate that is interesting, 125 for one that is invalid. It runs in an empty directory with a copy of the
    /// candidate, whose path is its argument.
    pub fn test_script(mut self, path: impl AsRef<Path>) -> ReductionBuilder {
        self.test = Some(RequestedTest::Script(path.as_ref().into()));
        self
    }

    /// A test that is a line for `sh -c`, with the same meaning of its status; `{}` is the file of the candidate.
    pub fn test_command(mut self, line: impl Into<String>) -> ReductionBuilder {
        self.test = Some(RequestedTest::Command(line.into()));
        self
    }

    /// Which passes run, by a name such as `perses` or `hdd+ddmin`, as `--strategy` has it.
    pub fn strategy(mut self, name: impl Into<String>) -> ReductionBuilder {
        self.strategy = Some(name.into());
        self
    }

    /// How much is asked: `quick`, `normal` (by default) or `hard`.
    pub fn effort(mut self, name: impl Into<String>) -> ReductionBuilder {
        self.effort = Some(name.into());
        self
    }

    /// How many tests run at a time; 1 by default. The result does not depend on it.
    pub fn jobs(mut self, jobs: usize) -> ReductionBuilder {
        self.jobs = jobs;
        self
    }

    /// The limit of a script or a command; zero for none. By default it follows the time of the original. A test in Rust has none.
    pub fn timeout(mut self, limit: Duration) -> ReductionBuilder {
        self.timeout = Some(limit);
        self
    }

    /// A command that steers the run, as a line of `--commands` says it: `pin main`, `disable gc`, `at size 50: stop`. A command that pauses the run ends
    /// it.
    pub fn command(mut self, line: impl Into<String>) -> ReductionBuilder {
        self.commands.push(line.into());
        self
    }

    /// Calls this with all that happens, on the thread of [`Reduction::run`]. [`ControlFlow::Break`] stops the run; the best program so far is the result.
    pub fn observer(
        mut self,
        observer: impl FnMut(&ReductionEvent) -> ControlFlow<()> + Send + 'static,
    ) -> ReductionBuilder {
        self.observer = Some(Box::new(observer));
        self
    }

    /// Reads and checks all of it. Runs no test.
    ///
    /// # Errors
    /// All that are not about a run: what is missing, unreadable or unknown.
    pub fn build(self) -> Result<Reduction, ReductionError> {
        let (path, text) = self.program.ok_or(ReductionError::NoProgram)?.read()?;
        let language = choose_language(self.language.as_deref(), &path)?;
        let test = self.test.ok_or(ReductionError::NoTest)?.resolve()?;
        let mut options = match &self.strategy {
            Some(name) => pass::parse_strategy(name).map_err(bad_option)?.options,
            None => PassOptions::default(),
        };
        if let Some(name) = &self.effort {
            options.effort = pass::find_effort(name).ok_or_else(|| {
                bad_option(format!(
                    "{name} is not an effort; there are quick, normal and hard"
                ))
            })?;
        }
        let script = reduce::parse_script(&self.commands.join("\n"));
        let script = script.map_err(|error| bad_option(error.to_string()))?;
        let name: Arc<Path> = path.file_name().map_or(UNNAMED.as_ref(), Path::new).into();
        let source = (language, name.clone(), text.clone());
        let limit = self.timeout.map(LimitPolicy::fixed);
        let ignores = || -> Observer { Box::new(|_| ControlFlow::Continue(())) };
        let run = PlannedRun {
            version: program::read_documents(vec![source])?,
            path: name,
            text,
            options,
            jobs: self.jobs.max(1),
            limit: limit.unwrap_or_else(LimitPolicy::adaptive),
            script,
            observer: self.observer.unwrap_or_else(ignores),
        };
        Ok(Reduction { test, run })
    }
}

impl GivenProgram {
    fn read(self) -> Result<(PathBuf, Arc<[u8]>), ReductionError> {
        match self {
            GivenProgram::Text(name, text) => Ok((name, text)),
            GivenProgram::File(path) => match fs::read(&path) {
                Ok(text) => Ok((path, text.into())),
                Err(error) => Err(bad_file(path, &error)),
            },
        }
    }
}

impl RequestedTest {
    fn resolve(self) -> Result<GivenTest, ReductionError> {
        match self {
            RequestedTest::Function(test) => Ok(test),
            RequestedTest::Script(path) => match InterestingnessTest::from_path(&path) {
                Ok(test) => Ok(GivenTest::Command(test)),
                Err(error) => Err(bad_file(path, &error)),
            },
            RequestedTest::Command(line) => {
                let stage = TestStage::new(StageRole::Says, StageCommand::Shell(line));
                let test = InterestingnessTest::without_property(vec![stage]);
                Ok(GivenTest::Command(test))
            }
        }
    }
}

/// None for lines and tokens.
fn choose_language(
    name: Option<&str>,
    path: &Path,
) -> Result<Option<&'static Language>, ReductionError> {
    match name {
        None => Ok(language::by_path(path)),
        Some("text") => Ok(None),
        Some(name) => language::by_name(name).map(Some).ok_or_else(|| {
            let all = language::all_languages().iter();
            let all: Vec<&str> = all.map(|language| language.name).collect();
            bad_option(format!(
                "there is no language {name}; there are {} and text",
                all.join(", ")
            ))
        }),
    }
}

fn bad_option(reason: String) -> ReductionError {
    ReductionError::BadOption { reason }
}

fn bad_file(path: PathBuf, error: &dyn std::error::Error) -> ReductionError {
    let reason = error.to_string();
    ReductionError::BadFile { path, reason }
}
