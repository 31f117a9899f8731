//! What is known before a run begins.

use std::path::PathBuf;
use std::time::Duration;

use super::words::{bytes, quoted, seconds, tokens};

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
    /// The test, as an absolute path.
    pub test: PathBuf,
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
        let mut lines = vec![
            format!(
                "{}: {}, {}, {language}",
                self.file.display(),
                tokens(self.tokens),
                bytes(self.bytes)
            ),
            format!(
                "the test {} finds it interesting, in {}; {limit}",
                quoted(&self.test),
                seconds(self.first)
            ),
            format!(
                "tests run in {} ({})",
                self.scratch.display(),
                self.scratch_why
            ),
            self.containment.clone(),
        ];
        lines.extend(self.notes.iter().cloned());
        lines.push(format!(
            "the best version is always in {}",
            self.output.display()
        ));
        lines
    }
}
