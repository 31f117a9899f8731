//! The facts that are known before a run begins.

use std::path::PathBuf;
use std::time::Duration;

use super::format::{format_bytes, format_duration, format_tokens};
use crate::display::{EscapeHidden, format_count, format_number, sanitize_line};
use crate::oracle::InterestingnessTest;
use crate::program::Objective;
use crate::program::pair::PairSizes;

/// The file, the test, and the places of all output.
#[derive(Clone, Debug)]
pub struct RunHeader {
    /// The input, as the user named it; of a pair, the variant.
    pub file: PathBuf,
    /// The rest of a pair; none for one program.
    pub pair: Option<PairHeader>,
    /// The name of its language; none for text of lines and tokens.
    pub language: Option<String>,
    /// The number of files; none for one program or a pair.
    pub files: Option<u32>,
    /// Tokens of the original.
    pub tokens: u32,
    /// Bytes of the original.
    pub bytes: u32,
    /// What the run makes smaller.
    pub objective: Objective,
    /// Places of the original that do not parse.
    pub faults: u32,
    /// The test.
    pub test: InterestingnessTest,
    /// How long the test took on the original.
    pub first: Duration,
    /// How long a test may take at first.
    pub limit: Option<Duration>,
    /// The limit of processor time, if the test looks for a hang.
    pub hang_limit: Option<Duration>,
    /// The generator, if the input is a sequence of choices.
    pub generator: Option<GeneratorHeader>,
    /// Where the result goes.
    pub output: PathBuf,
    /// The directory of the tests' scratch directories.
    pub scratch: PathBuf,
    /// Why that one.
    pub scratch_why: String,
    /// How the processes of a test are contained, as a sentence.
    pub containment: String,
    /// Whether a server, if the test is one, answers for many candidates; else each has a process of its own.
    pub server_stays: bool,
    /// Whether no test runs.
    pub offline: bool,
    /// Where verdicts of other runs are.
    pub cache: Option<PathBuf>,
    /// Notes to report before the run.
    pub notes: Vec<String>,
}

/// What a pair has besides its variant.
#[derive(Clone, Debug)]
pub struct PairHeader {
    /// The seed, as the user named it.
    pub seed: PathBuf,
    /// The sizes of the original.
    pub sizes: PairSizes,
}

/// What makes the programs of sequences of choices.
#[derive(Clone, Debug)]
pub struct GeneratorHeader {
    /// Its command line.
    pub line: String,
    /// The name under which the test sees a program.
    pub name: PathBuf,
    /// Where the program of the result goes.
    pub program: PathBuf,
}

impl RunHeader {
    /// The lines with which a run begins, on the screen and off it.
    pub fn format_lines(&self) -> Vec<String> {
        let language = match (&self.language, &self.generator) {
            (_, Some(GeneratorHeader { line, name, .. })) => format!(
                "of which {} makes {}",
                sanitize_line(line),
                name.escape_hidden()
            ),
            (Some(name), None) => format!("as {name}"),
            (None, None) => "as lines and tokens, without a grammar".into(),
        };
        let limit = match (self.limit, self.hang_limit) {
            (Some(limit), None) => format!("a test may take {}", format_duration(limit)),
            (Some(limit), Some(hang)) => format!(
                "a test may take {} of processor time, or {}",
                format_duration(hang),
                format_duration(limit)
            ),
            (None, _) => "a test has no time limit".into(),
        };
        let faults = match self.faults {
            0 => String::new(),
            1 => "; 1 place that does not parse and is reduced as a list".into(),
            more => format!(
                "; {} places that do not parse and are reduced as lists",
                format_number(u64::from(more))
            ),
        };
        let mut lines = vec![format!("{}, {language}{faults}", self.describe_input())];
        match self.offline {
            true => lines.push("no test runs: all verdicts are those that are known".into()),
            false => lines.extend([
                self.describe_first_test(&limit),
                format!(
                    "tests run in {} ({})",
                    self.scratch.escape_hidden(),
                    self.scratch_why
                ),
                self.containment.clone(),
            ]),
        }
        if !self.objective.is_default() {
            lines.push(format!(
                "a candidate must have fewer {}: --objective {}",
                self.objective.units(),
                sanitize_line(&self.objective.to_string())
            ));
        }
        lines.extend(self.notes.iter().cloned());
        let program = self.generator.as_ref().map(|generator| {
            let program = generator.program.escape_hidden();
            format!(", and the program that it makes in {program}")
        });
        lines.push(format!(
            "the best version is always in {}{}",
            self.output.escape_hidden(),
            program.unwrap_or_default()
        ));
        lines
    }

    /// The input and its sizes.
    fn describe_input(&self) -> String {
        let file = self.file.escape_hidden();
        let bytes = format_bytes(self.bytes);
        match &self.pair {
            None if self.generator.is_some() => {
                format!("{file}: {}", format_count(self.tokens.into(), "choice"))
            }
            None => {
                let files = self
                    .files
                    .map(|files| format_count(files.into(), "file") + ", ");
                let (files, tokens) = (files.unwrap_or_default(), format_tokens(self.tokens));
                format!("{file}: {files}{tokens}, {bytes}")
            }
            Some(PairHeader { seed, sizes }) => format!(
                "the difference has {}, the variant {file} {}, the seed {} {}; {bytes} together",
                format_tokens(sizes.difference),
                format_number(sizes.variant.into()),
                seed.escape_hidden(),
                format_number(sizes.seed.into())
            ),
        }
    }

    /// The result of the test on the original.
    fn describe_first_test(&self, limit: &str) -> String {
        let first = format_duration(self.first);
        match self.test.property() {
            None => {
                let (tests, find) = match self.test.scripts().nth(1) {
                    None if self.test.is_served() => ("the server", "finds"),
                    None => ("the test", "finds"),
                    Some(_) => ("the tests", "find"),
                };
                let limit = match (self.test.is_served(), self.server_stays) {
                    (true, true) => format!(
                        "{limit}; it stays alive, and a fresh process confirms what it finds interesting"
                    ),
                    (true, false) => format!("{limit}; it is started for each candidate"),
                    (false, _) => limit.to_owned(),
                };
                format!(
                    "{tests} {} {find} it interesting, in {first}; {limit}",
                    sanitize_line(&self.test.to_string())
                )
            }
            Some(property) => format!(
                "{}: in {first} it shows the property: {}; {limit}",
                sanitize_line(&self.test.to_string()),
                sanitize_line(&property.to_string())
            ),
        }
    }
}
