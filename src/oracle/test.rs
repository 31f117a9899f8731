//! An interestingness test: one command after the other in the same directory, and what their ends say together.

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

/// What is run, and what its end means. Plain data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestStage {
    /// What its end means.
    pub role: StageRole,
    /// What is run.
    pub line: StageCommand,
}

/// What the end of a stage means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageRole {
    /// Its exit status is the verdict: 0, 125, or another.
    Says,
    /// A candidate on which it fails says nothing.
    Check,
    /// It does what it should: its stdout and its end are what others are compared with.
    Reference,
    /// The property is about its end and what it prints.
    Subject,
    /// The property is about its end and its stdout, beside the reference.
    Differs,
    /// A candidate on which it does not do what the reference does says nothing.
    Agrees,
}

/// A command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageCommand {
    /// A file of the user's, which gets the candidate's absolute path.
    Script(TestExecutable),
    /// A program, looked for in `PATH`, and its arguments; `{}` is the candidate's name.
    Words(Vec<String>),
    /// A line for `sh -c`; `{}` is the candidate's name.
    Shell(String),
}

impl TestStage {
    /// Whether it is a file of the user's.
    pub fn is_script(&self) -> bool {
        matches!(self.line, StageCommand::Script(_))
    }
}

impl StageRole {
    /// Whether its stdout is compared with another's, so that stderr is kept apart.
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

/// As it would be typed, the candidate as `{}`.
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
    /// A file that says with its exit status whether a candidate is interesting.
    ///
    /// # Errors
    /// When the file cannot be a test.
    pub fn from_path(path: &Path) -> Result<InterestingnessTest, TestError> {
        InterestingnessTest::with_checks(Vec::new(), path)
    }

    /// The same after these checks.
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

    /// Commands of which nobody has yet said what they do when a candidate is interesting: good for a [`super::TrialRun`].
    pub fn without_property(stages: Vec<TestStage>) -> InterestingnessTest {
        InterestingnessTest {
            stages: stages.into(),
            matcher: None,
        }
    }

    /// Commands, of which one is the subject, and what they do together when a candidate is interesting.
    ///
    /// # Errors
    /// When the property cannot be looked for.
    pub fn from_stages(
        stages: Vec<TestStage>,
        property: FailureProperty,
    ) -> Result<InterestingnessTest, PropertyError> {
        Ok(InterestingnessTest {
            stages: stages.into(),
            matcher: Some(Arc::new(PropertyMatcher::new(property)?)),
        })
    }

    /// What runs, in this order; never empty.
    pub fn stages(&self) -> &[TestStage] {
        &self.stages
    }

    /// What is looked for; none if the test itself says what is interesting.
    pub fn property(&self) -> Option<&FailureProperty> {
        self.matcher.as_deref().map(PropertyMatcher::property)
    }

    pub(super) fn property_matcher(&self) -> Option<&PropertyMatcher> {
        self.matcher.as_deref()
    }

    /// The same test that looks for something else.
    ///
    /// # Errors
    /// When the property cannot be looked for, or the test looks for none.
    pub fn with_property(
        &self,
        property: FailureProperty,
    ) -> Result<InterestingnessTest, PropertyError> {
        match self.script() {
            None => InterestingnessTest::from_stages(self.stages.to_vec(), property),
            Some(_) => Err(PropertyError::Script),
        }
    }

    /// The file that says what is interesting, if it is one.
    pub fn script(&self) -> Option<&TestExecutable> {
        self.stages.iter().find_map(|stage| match &stage.line {
            StageCommand::Script(script) => Some(script),
            StageCommand::Words(_) | StageCommand::Shell(_) => None,
        })
    }
}

/// A file that says with its exit status whether a candidate is interesting.
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

/// As it would be typed: the file, or the command, or the two that differ.
impl std::fmt::Display for InterestingnessTest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let essential =
            |stage: &&TestStage| !matches!(stage.role, StageRole::Check | StageRole::Agrees);
        let lines = self.stages.iter().filter(essential);
        let lines: Vec<String> = lines.map(|stage| stage.line.to_string()).collect();
        f.write_str(&lines.join("  against  "))
    }
}
