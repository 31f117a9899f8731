//! An interestingness test: stages that run one after the other in the same directory, and together decide the verdict.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::executable::{TestError, TestExecutable};
use super::property::{FailureProperty, PropertyError, PropertyMatcher};
use super::shell::{
    CANDIDATE, escape_leading_dash, fill_placeholders, quote_name_in, quote_path, quote_word,
};
use super::test_dir::TestDir;

/// A stage of a test: a command and its role. Plain data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestStage {
    /// What its exit means for the verdict.
    pub role: StageRole,
    /// The command that runs.
    pub line: StageCommand,
}

/// What the exit of a stage means for the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageRole {
    /// Its exit status is the verdict: 0, 125, or another.
    Says,
    /// A candidate on which it fails is invalid.
    Check,
    /// The reference: the stdout and the exit of other stages are compared with its own.
    Reference,
    /// The property is about its exit and its output.
    Subject,
    /// The property is about its exit and its stdout, compared with the reference.
    Differs,
    /// A candidate on which its result differs from the reference's is invalid.
    Agrees,
}

/// A command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageCommand {
    /// A file of the user's. Its argument is the candidate's absolute path.
    Script(TestExecutable),
    /// A program, searched in `PATH`, and its arguments; `{}` is the candidate's name.
    Words(Vec<String>),
    /// A line for `sh -c`; `{}` is the candidate's name.
    Shell(String),
}

impl TestStage {
    /// Whether it runs a file of the user's.
    pub fn is_script(&self) -> bool {
        matches!(self.line, StageCommand::Script(_))
    }
}

impl StageRole {
    /// Whether its stdout is compared with another's. Then stderr is captured separately.
    pub fn compares_output(self) -> bool {
        matches!(
            self,
            StageRole::Reference | StageRole::Differs | StageRole::Agrees
        )
    }
}

impl StageCommand {
    /// The program and its arguments, never empty.
    pub(super) fn to_argv(&self, dir: &TestDir) -> Vec<OsString> {
        let name = dir.relative_candidate().unwrap_or(Path::new(""));
        match self {
            StageCommand::Script(script) => {
                let mut words = script.command_words();
                words.extend(dir.candidate_path().map(|path| path.as_os_str().to_owned()));
                words
            }
            StageCommand::Words(words) => {
                let name = escape_leading_dash(&name.to_string_lossy());
                let words = words.iter().map(|word| word.replace(CANDIDATE, &name));
                words.map(OsString::from).collect()
            }
            StageCommand::Shell(line) => vec![
                "/bin/sh".into(),
                "-c".into(),
                fill_placeholders(line, |quotes| {
                    quote_name_in(&name.to_string_lossy(), quotes)
                })
                .into(),
            ],
        }
    }
}

/// The command as it would be typed, with `{}` for the candidate.
impl std::fmt::Display for StageCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StageCommand::Script(script) => f.write_str(&quote_path(script.path())),
            StageCommand::Words(words) => {
                let words = words.iter().map(|text| match text.contains(CANDIDATE) {
                    true => text.clone(),
                    false => quote_word(text),
                });
                f.write_str(&words.collect::<Vec<_>>().join(" "))
            }
            StageCommand::Shell(line) => f.write_str(line),
        }
    }
}

/// An interestingness test that can be run from any directory.
#[derive(Clone, Debug)]
pub struct InterestingnessTest {
    stages: Arc<[TestStage]>,
    matcher: Option<Arc<PropertyMatcher>>,
}

impl InterestingnessTest {
    /// A test that is a file: its exit status is the verdict.
    ///
    /// # Errors
    /// When the file cannot be a test.
    pub fn from_path(path: &Path) -> Result<InterestingnessTest, TestError> {
        InterestingnessTest::with_checks(Vec::new(), path)
    }

    /// A test that is a file, which runs after these checks.
    ///
    /// # Errors
    /// When the file cannot be a test.
    pub fn with_checks(
        checks: Vec<TestStage>,
        path: &Path,
    ) -> Result<InterestingnessTest, TestError> {
        let says = TestStage {
            role: StageRole::Says,
            line: StageCommand::Script(TestExecutable::from_path(path)?),
        };
        Ok(InterestingnessTest {
            stages: checks.into_iter().chain([says]).collect(),
            matcher: None,
        })
    }

    /// Commands without a property yet, for a [`super::TrialRun`].
    pub fn without_property(stages: Vec<TestStage>) -> InterestingnessTest {
        InterestingnessTest {
            stages: stages.into(),
            matcher: None,
        }
    }

    /// Commands, one of which is the subject, and the property that makes a candidate interesting.
    ///
    /// # Errors
    /// When the property is invalid.
    pub fn from_stages(
        stages: Vec<TestStage>,
        property: FailureProperty,
    ) -> Result<InterestingnessTest, PropertyError> {
        Ok(InterestingnessTest {
            stages: stages.into(),
            matcher: Some(Arc::new(PropertyMatcher::new(property)?)),
        })
    }

    /// The stages in their order; never empty.
    pub fn stages(&self) -> &[TestStage] {
        &self.stages
    }

    /// The failure property; `None` if the exit status of a file is the verdict.
    pub fn property(&self) -> Option<&FailureProperty> {
        self.matcher.as_deref().map(PropertyMatcher::property)
    }

    pub(super) fn property_matcher(&self) -> Option<&PropertyMatcher> {
        self.matcher.as_deref()
    }

    /// The same test with another property.
    ///
    /// # Errors
    /// When the property is invalid, or the test has none.
    pub fn with_property(
        &self,
        property: FailureProperty,
    ) -> Result<InterestingnessTest, PropertyError> {
        match self.script() {
            None => InterestingnessTest::from_stages(self.stages.to_vec(), property),
            Some(_) => Err(PropertyError::Script),
        }
    }

    /// The file whose exit status is the verdict, if there is one.
    pub fn script(&self) -> Option<&TestExecutable> {
        self.stages.iter().find_map(|stage| match &stage.line {
            StageCommand::Script(script) => Some(script),
            StageCommand::Words(_) | StageCommand::Shell(_) => None,
        })
    }
}

/// A test that is a file: its exit status is the verdict.
impl From<TestExecutable> for InterestingnessTest {
    fn from(script: TestExecutable) -> InterestingnessTest {
        let says = TestStage {
            role: StageRole::Says,
            line: StageCommand::Script(script),
        };
        InterestingnessTest {
            stages: Arc::new([says]),
            matcher: None,
        }
    }
}

/// The test as it would be typed: the file, the command, or the two commands that differ.
impl std::fmt::Display for InterestingnessTest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let essential =
            |stage: &&TestStage| !matches!(stage.role, StageRole::Check | StageRole::Agrees);
        let lines = self.stages.iter().filter(essential);
        let lines: Vec<String> = lines.map(|stage| stage.line.to_string()).collect();
        f.write_str(&lines.join("  against  "))
    }
}
