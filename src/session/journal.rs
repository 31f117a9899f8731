//! The journal as a file: one JSON object a line, in the order in which things happened. `docs/JOURNAL.md` tells what each holds; a
//! change here is a change there.
//!
//! ```text
//! {"lop":"0.1.0","format":1,"files":[{"path":"bug.c","hex":"696e74…"}],"strategy":"perses","minimizer":"complements","limit":{…}}
//! {"fact":"HASH","ending":"boring","time_ns":41000000,"limit_ns":2000000000}
//! {"decision":1,"hash":"HASH","yes":false,"limit_ns":2000000000}
//! {"take":1,"version":1,"hash":"HASH","tokens":90,"bytes":412}
//! {"command":"pin main","before":7,"refused":0}
//! {"finished":"complete","counts":{"decisions":95,"tests":90,"started":102,"unused":12,"cached":5,"respaced":1}}
//! ```

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::program::Hash;
use crate::reduce::{
    Command, Counts, Decision, Ending, Fact, Finish, Journal, JournalDecided, Taken,
};

/// The format that this version writes and reads.
const FORMAT: u32 = 1;

/// What a run started from: enough to run its dialogue again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of lop that wrote it.
    pub lop: String,
    /// The format of the lines.
    pub format: u32,
    /// The original.
    pub files: Vec<HeaderFile>,
    /// The name of the strategy.
    pub strategy: String,
    /// The name of the list minimiser.
    pub minimizer: String,
    /// The parts of the strategy that it does without.
    #[serde(default)]
    pub without: Vec<String>,
    /// The limit at the start.
    pub limit: HeaderLimit,
}

/// A document of the original.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeaderFile {
    /// Its path.
    pub path: PathBuf,
    /// The name of its language; none for lines and tokens.
    pub language: Option<String>,
    /// Its bytes, two digits each.
    pub hex: String,
}

/// What the limit of a test followed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeaderLimit {
    /// The user's: nanoseconds, 0 for none.
    Fixed(u64),
    /// What the test took on the original, and the processor time it used, if that is known; in nanoseconds.
    Original {
        /// From start to end.
        time_ns: u64,
        /// Of all its processes.
        cpu_ns: Option<u64>,
    },
}

/// A line after the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Line {
    /// A verdict.
    Fact {
        /// The candidate.
        fact: String,
        /// What the test said.
        ending: Word,
        /// How long it took.
        time_ns: u64,
        /// The processor time of all its processes, where it is known.
        cpu_ns: Option<u64>,
        /// Under which limit.
        limit_ns: Option<u64>,
    },
    /// A question and its answer.
    Decision {
        /// Its number.
        decision: Decision,
        /// The candidate.
        hash: String,
        /// The answer.
        yes: bool,
        /// The limit in force.
        limit_ns: Option<u64>,
    },
    /// A new version.
    Take {
        /// The decision that found it.
        take: Decision,
        /// Its number.
        version: u64,
        /// Its bytes.
        hash: String,
        /// Its tokens.
        tokens: u32,
        /// How many bytes.
        bytes: u32,
    },
    /// A command.
    Command {
        /// Which.
        command: String,
        /// Before which decision it holds.
        before: Decision,
        /// After how many refusals since the decision before that.
        #[serde(default)]
        refused: u64,
    },
    /// The end.
    Finished {
        /// Why.
        finished: String,
        /// What was counted until then.
        #[serde(default)]
        counts: Option<Totals>,
    },
}

/// What a run counted. How many tests were started, and how many of them decided nothing, hangs on the number of workers and their
/// timing; the rest does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// See [`Counts::decisions`].
    pub decisions: u64,
    /// See [`Counts::tests`].
    pub tests: u64,
    /// See [`Counts::started`].
    pub started: u64,
    /// See [`Counts::unused`].
    pub unused: u64,
    /// See [`Counts::cached`].
    pub cached: u64,
    /// See [`Counts::respaced`].
    pub respaced: u64,
}

impl From<&Counts> for Totals {
    fn from(counts: &Counts) -> Totals {
        Totals {
            decisions: counts.decisions,
            tests: counts.tests,
            started: counts.started,
            unused: counts.unused(),
            cached: counts.cached,
            respaced: counts.respaced,
        }
    }
}

/// A verdict's name in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// See [`Ending::Interesting`].
    Interesting,
    /// See [`Ending::Boring`].
    Boring,
    /// See [`Ending::Invalid`].
    Invalid,
    /// See [`Ending::TimedOut`].
    TimedOut,
}

impl From<Ending> for Word {
    fn from(ending: Ending) -> Word {
        match ending {
            Ending::Interesting => Word::Interesting,
            Ending::Boring => Word::Boring,
            Ending::Invalid => Word::Invalid,
            Ending::TimedOut => Word::TimedOut,
        }
    }
}

/// Why a journal cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened, written or read.
    #[error("the journal {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's word.
        source: std::io::Error,
    },
    /// It would overwrite something else.
    #[error("the journal {path} would overwrite a file that is no journal; name another place")]
    Taken {
        /// The file.
        path: PathBuf,
    },
    /// A line is not what it should be.
    #[error("the journal {path}, line {line}: {problem}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

fn nanoseconds(time: Duration) -> u64 {
    time.as_nanos() as u64
}

impl Header {
    /// The header of a run that starts now.
    pub fn new(
        files: Vec<HeaderFile>,
        strategy: &str,
        minimizer: &str,
        limit: HeaderLimit,
    ) -> Header {
        let (strategy, minimizer) = (strategy.to_owned(), minimizer.to_owned());
        Header {
            lop: env!("CARGO_PKG_VERSION").to_owned(),
            format: FORMAT,
            files,
            strategy,
            minimizer,
            without: Vec::new(),
            limit,
        }
    }

    /// The same, of a strategy that does without these parts.
    pub fn without(mut self, parts: impl Iterator<Item = &'static str>) -> Header {
        self.without.extend(parts.map(str::to_owned));
        self
    }
}

impl HeaderFile {
    /// A document as the header holds it.
    pub fn new(path: &Path, language: Option<&str>, bytes: &[u8]) -> HeaderFile {
        let hex = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        HeaderFile {
            path: path.to_path_buf(),
            language: language.map(str::to_owned),
            hex,
        }
    }

    /// Its bytes; none if they are not two digits each.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let digits = self.hex.as_bytes();
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let pairs = digits
            .chunks(2)
            .map(|pair| Some((digit(pair[0])? * 16 + digit(*pair.get(1)?)?) as u8));
        pairs.collect()
    }
}

/// Writes a journal. A line is in the file before the engine goes on.
pub struct JournalFile {
    file: BufWriter<File>,
    failed: Option<std::io::Error>,
}

impl JournalFile {
    /// Begins a journal in a new file, or over an old one.
    ///
    /// # Errors
    /// When the file cannot be made, or holds something else than a journal.
    pub fn create(path: &Path, header: &Header) -> Result<JournalFile, JournalError> {
        let failed = |source| JournalError::Io {
            path: path.to_path_buf(),
            source,
        };
        if is_something_else(path) {
            let path = path.to_path_buf();
            return Err(JournalError::Taken { path });
        }
        let file = BufWriter::new(File::create(path).map_err(failed)?);
        let mut journal = JournalFile { file, failed: None };
        journal.line(header);
        match journal.failed.take() {
            Some(source) => Err(failed(source)),
            None => Ok(journal),
        }
    }

    fn line(&mut self, line: &impl Serialize) {
        let written = serde_json::to_vec(line)
            .map_err(std::io::Error::from)
            .and_then(|mut bytes| {
                bytes.push(b'\n');
                self.file.write_all(&bytes)?;
                self.file.flush()
            });
        // A journal that cannot be written does not end a run of ten hours; the first failure is what is told.
        if let Err(error) = written {
            self.failed.get_or_insert(error);
        }
    }
}

/// Whether a file is there, is not empty, and does not begin as a journal does. What cannot be read will not be written either.
fn is_something_else(path: &Path) -> bool {
    const BEGINS: &[u8] = b"{\"lop\":";
    let is_file = path.metadata().is_ok_and(|about| about.is_file());
    let mut start = Vec::new();
    let mut read = || {
        File::open(path)?
            .take(BEGINS.len() as u64)
            .read_to_end(&mut start)
    };
    is_file && read().is_ok() && !start.is_empty() && start != BEGINS
}

impl Drop for JournalFile {
    fn drop(&mut self) {
        if let Some(error) = &self.failed {
            eprintln!("lop: the journal is incomplete: {error}");
        }
    }
}

impl Journal for JournalFile {
    fn fact(&mut self, fact: &Fact) {
        self.line(&Line::Fact {
            fact: fact.hash.to_string(),
            ending: fact.ending.into(),
            time_ns: nanoseconds(fact.time),
            cpu_ns: fact.cpu.map(nanoseconds),
            limit_ns: fact.limit.map(nanoseconds),
        });
    }

    fn decided(&mut self, decided: &JournalDecided) {
        self.line(&Line::from(decided));
    }

    fn taken(&mut self, taken: &Taken) {
        self.line(&Line::from(taken));
    }

    fn command(&mut self, before: Decision, refused: u64, command: &Command) {
        let command = command.to_string();
        self.line(&Line::Command {
            command,
            before,
            refused,
        });
    }

    fn finished(&mut self, finish: &Finish, counts: &Counts) {
        let finished = match finish {
            Finish::Complete => "complete".to_owned(),
            Finish::Stopped => "stopped".to_owned(),
            Finish::Failed(reason) => format!("failed: {reason}"),
        };
        self.line(&Line::Finished {
            finished,
            counts: Some(counts.into()),
        });
    }
}

impl From<&JournalDecided> for Line {
    fn from(decided: &JournalDecided) -> Line {
        Line::Decision {
            decision: decided.number,
            hash: decided.hash.to_string(),
            yes: decided.yes,
            limit_ns: decided.limit.map(nanoseconds),
        }
    }
}

impl From<&Taken> for Line {
    fn from(taken: &Taken) -> Line {
        let Taken {
            decision,
            version,
            hash,
            tokens,
            bytes,
        } = *taken;
        Line::Take {
            take: decision,
            version,
            hash: hash.to_string(),
            tokens,
            bytes,
        }
    }
}

/// Reads a journal: its header and all lines after it. A torn last line is left out.
///
/// # Errors
/// When the file cannot be read, or a line is not one of a journal.
pub fn read(path: &Path) -> Result<(Header, Vec<Line>), JournalError> {
    let failed = |source| JournalError::Io {
        path: path.to_path_buf(),
        source,
    };
    let wrong = |line: usize, problem: String| JournalError::Line {
        path: path.to_path_buf(),
        line,
        problem,
    };
    let mut lines = BufReader::new(File::open(path).map_err(failed)?)
        .split(b'\n')
        .collect::<Result<Vec<_>, _>>()
        .map_err(failed)?;
    let torn = lines
        .last()
        .is_some_and(|last| serde_json::from_slice::<serde_json::Value>(last).is_err());
    if torn && lines.len() > 1 {
        lines.pop();
    }
    let Some(first) = lines.first() else {
        return Err(wrong(1, "the file is empty".into()));
    };
    let header: Header = serde_json::from_slice(first)
        .map_err(|error| wrong(1, format!("no header of a journal: {error}")))?;
    if header.format != FORMAT {
        let problem = format!(
            "lop {} wrote format {}; this lop reads format {FORMAT}",
            header.lop, header.format
        );
        return Err(wrong(1, problem));
    }
    let rest = lines[1..].iter().enumerate();
    let rest = rest.map(|(at, line)| {
        serde_json::from_slice(line).map_err(|error| wrong(at + 2, error.to_string()))
    });
    Ok((header, rest.collect::<Result<_, _>>()?))
}

/// The hash of what a test sees, as facts name it.
pub fn hash_of<'a>(files: impl Iterator<Item = &'a [u8]>) -> Hash {
    files.fold(Hash::default(), |hash, bytes| {
        let length = bytes.len() as u32;
        hash.then(Hash::of(bytes), u64::from(length))
            .then(Hash::of(&length.to_le_bytes()), 4)
    })
}
