//! An interestingness test: one command after the other in the same directory, and what their ends say together.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::dir::TestDir;
use super::executable::{Executable, TestError};
use super::property::{Judge, Property, PropertyError};
use super::shell::{filled, name_in, no_option, path_word, word};

/// In a command line, where the candidate's name goes.
pub const CANDIDATE: &str = "{}";

/// What is run, and what its end means. Plain data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// What its end means.
    pub role: Role,
    /// What is run.
    pub line: Line,
}

/// What the end of a stage means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
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
pub enum Line {
    /// A file of the user's, which gets the candidate's absolute path.
    Script(Executable),
    /// A program, looked for in `PATH`, and its arguments; `{}` is the candidate's name.
    Words(Vec<String>),
    /// A line for `sh -c`; `{}` is the candidate's name.
    Shell(String),
}

impl Stage {
    /// Whether it is a file of the user's.
    pub fn is_script(&self) -> bool {
        matches!(self.line, Line::Script(_))
    }
}

impl Role {
    /// Whether its stdout is compared with another's, so that stderr is kept apart.
    pub fn is_compared(self) -> bool {
        matches!(self, Role::Reference | Role::Differs | Role::Agrees)
    }
}

impl Line {
    /// The program and its arguments, never empty.
    pub(super) fn words(&self, dir: &TestDir) -> Vec<OsString> {
        let name = dir.candidate_here().unwrap_or(Path::new(""));
        match self {
            Line::Script(script) => {
                let mut words = script.words();
                words.extend(dir.candidate().map(|path| path.as_os_str().to_owned()));
                words
            }
            Line::Words(words) => {
                let name = no_option(&name.to_string_lossy());
                let words = words.iter().map(|word| word.replace(CANDIDATE, &name));
                words.map(OsString::from).collect()
            }
            Line::Shell(line) => vec![
                "/bin/sh".into(),
                "-c".into(),
                filled(line, |quotes| name_in(&name.to_string_lossy(), quotes)).into(),
            ],
        }
    }
}

/// As it would be typed, the candidate as `{}`.
impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Line::Script(script) => f.write_str(&path_word(script.path())),
            Line::Words(words) => {
                let words = words.iter().map(|text| match text.contains(CANDIDATE) {
                    true => text.clone(),
                    false => word(text),
                });
                f.write_str(&words.collect::<Vec<_>>().join(" "))
            }
            Line::Shell(line) => f.write_str(line),
        }
    }
}

/// An interestingness test that can be run from any directory.
#[derive(Clone, Debug)]
pub struct Test {
    stages: Arc<[Stage]>,
    judge: Option<Arc<Judge>>,
}

impl Test {
    /// A file that says with its exit status whether a candidate is interesting.
    ///
    /// # Errors
    /// When the file cannot be a test.
    pub fn find(path: &Path) -> Result<Test, TestError> {
        Test::checked(Vec::new(), path)
    }

    /// The same after these checks.
    ///
    /// # Errors
    /// When the file cannot be a test.
    pub fn checked(checks: Vec<Stage>, path: &Path) -> Result<Test, TestError> {
        let says = Stage {
            role: Role::Says,
            line: Line::Script(Executable::find(path)?),
        };
        Ok(Test {
            stages: checks.into_iter().chain([says]).collect(),
            judge: None,
        })
    }

    /// Commands of which nobody has yet said what they do when a candidate is interesting: good for a [`super::Look`].
    pub fn unjudged(stages: Vec<Stage>) -> Test {
        Test {
            stages: stages.into(),
            judge: None,
        }
    }

    /// Commands, of which one is the subject, and what they do together when a candidate is interesting.
    ///
    /// # Errors
    /// When the property cannot be looked for.
    pub fn of(stages: Vec<Stage>, property: Property) -> Result<Test, PropertyError> {
        Ok(Test {
            stages: stages.into(),
            judge: Some(Arc::new(Judge::new(property)?)),
        })
    }

    /// What runs, in this order; never empty.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// What is looked for; none if the test itself says what is interesting.
    pub fn property(&self) -> Option<&Property> {
        self.judge.as_deref().map(Judge::property)
    }

    pub(super) fn judge(&self) -> Option<&Judge> {
        self.judge.as_deref()
    }

    /// The same test that looks for something else.
    ///
    /// # Errors
    /// When the property cannot be looked for, or the test looks for none.
    pub fn looking_for(&self, property: Property) -> Result<Test, PropertyError> {
        match self.script() {
            None => Test::of(self.stages.to_vec(), property),
            Some(_) => Err(PropertyError::Script),
        }
    }

    /// The file that says what is interesting, if it is one.
    pub fn script(&self) -> Option<&Executable> {
        self.stages.iter().find_map(|stage| match &stage.line {
            Line::Script(script) => Some(script),
            Line::Words(_) | Line::Shell(_) => None,
        })
    }
}

/// A file that says with its exit status whether a candidate is interesting.
impl From<Executable> for Test {
    fn from(script: Executable) -> Test {
        let says = Stage {
            role: Role::Says,
            line: Line::Script(script),
        };
        Test {
            stages: Arc::new([says]),
            judge: None,
        }
    }
}

/// As it would be typed: the file, or the command, or the two that differ.
impl std::fmt::Display for Test {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let essential = |stage: &&Stage| !matches!(stage.role, Role::Check | Role::Agrees);
        let lines = self.stages.iter().filter(essential);
        let lines: Vec<String> = lines.map(|stage| stage.line.to_string()).collect();
        f.write_str(&lines.join("  against  "))
    }
}
