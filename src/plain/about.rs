//! What is known before a run begins.

use std::path::PathBuf;
use std::time::Duration;

use super::words::{bytes, grouped, seconds, tokens};
use crate::display::{Shown, tamed};
use crate::oracle::Test;

/// What is reduced, with what, and where everything goes.
#[derive(Clone, Debug)]
pub struct About {
    /// The input, as the user named it.
    pub file: PathBuf,
    /// The name of its language; none for text of lines and tokens.
    pub language: Option<String>,
    /// Tokens of the original.
    pub tokens: u32,
    /// Bytes of the original.
    pub bytes: u32,
    /// Places of the original that its language's parser does not understand.
    pub faults: u32,
    /// The test.
    pub test: Test,
    /// How long the test took on the original.
    pub first: Duration,
    /// How long a test may take at first.
    pub limit: Option<Duration>,
    /// Where the result goes.
    pub output: PathBuf,
    /// The directory of the tests' scratch directories.
    pub scratch: PathBuf,
    /// Why that one.
    pub scratch_why: String,
    /// What holds the processes of a test together, as a sentence.
    pub containment: String,
    /// Where verdicts of other runs are.
    pub cache: Option<PathBuf>,
    /// What was kept, and what else is to be said before the run.
    pub notes: Vec<String>,
}

impl About {
    /// The lines with which a run begins, on the screen and off it.
    pub fn lines(&self) -> Vec<String> {
        let language = match &self.language {
            Some(name) => format!("as {name}"),
            None => "as lines and tokens, without a grammar".into(),
        };
        let limit = match self.limit {
            Some(limit) => format!("a test may take {}", seconds(limit)),
            None => "a test may take as long as it likes".into(),
        };
        let faults = match self.faults {
            0 => String::new(),
            1 => "; 1 place that does not parse and is reduced as a list".into(),
            more => format!(
                "; {} places that do not parse and are reduced as lists",
                grouped(u64::from(more))
            ),
        };
        let mut lines = vec![
            format!(
                "{}: {}, {}, {language}{faults}",
                self.file.shown(),
                tokens(self.tokens),
                bytes(self.bytes)
            ),
            self.interesting(&limit),
            format!(
                "tests run in {} ({})",
                self.scratch.shown(),
                self.scratch_why
            ),
            self.containment.clone(),
        ];
        lines.extend(self.notes.iter().cloned());
        lines.push(format!(
            "the best version is always in {}",
            self.output.shown()
        ));
        lines
    }

    /// What the test says of the original.
    fn interesting(&self, limit: &str) -> String {
        let first = seconds(self.first);
        match self.test.property() {
            None => format!(
                "the test {} finds it interesting, in {first}; {limit}",
                tamed(&self.test.to_string())
            ),
            Some(property) => format!(
                "{}: in {first} it does what is looked for: {}; {limit}",
                tamed(&self.test.to_string()),
                tamed(&property.to_string())
            ),
        }
    }
}
