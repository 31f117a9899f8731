//! The journal as a file: one JSON object a line, in the order in which things happened. `docs/JOURNAL.md` tells what each holds; a
//! change here is a change there.
//!
//! ```text
//! {"lop":"0.1.0","format":3,"files":[{"path":"bug.c","text":"int …"}],"strategy":"lop","minimizer":"galloping","limit":{…},"sum":"…"}
//! {"result":"HASH","verdict":"uninteresting","time_ns":41000000,"limit_ns":2000000000,"sum":"…"}
//! {"decision":1,"hash":"HASH","verdict":"uninteresting","limit_ns":2000000000,"ms":61,"sum":"…"}
//! {"accept":1,"version":1,"parent":0,"hash":"HASH","tokens":90,"bytes":412,"text":[{"cuts":[[10,20,""]]}],"sum":"…"}
//! {"command":"pin main","before":7,"rejected":0,"ms":90,"sum":"…"}
//! {"finished":"complete","counts":{"decisions":95,"tests":90,"started":102,"unused":12,"cached":5,"respaced":1},"sum":"…"}
//! ```
//!
//! A version is stored as cuts of the one before, and whole every 32 versions and at each halving. It is believed only if its hash is that of its
//! line.

pub(super) mod checksum;
pub mod delta;
mod error;
mod header_file;
mod limits;
mod read;
mod stored_text;
mod write;

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::oracle::{
    FailureProperty, InterestingnessTest, LimitKind, StageCommand, TestExit, TestFiles, TestStage,
    TimeLimits, Verdict,
};
use crate::program::{
    ByteText, CHOICES_OBJECTIVE, ContentHash, DocumentFreedom, FileText, PAIR_OBJECTIVE,
};
use crate::reduce::EngineCommand;
use crate::reduce::{
    Decision, JournalDecision, JournalResult, Quorum, ResultOrigin, RunCounts, RunTally, TestResult,
};

pub use error::JournalError;
pub use header_file::{HeaderFile, HeaderRepository};
pub use limits::{HeaderIsolation, HeaderLimit};
pub(super) use read::parse_journal;
pub use read::{JournalContents, has_line, is_complete, read_header, read_journal};
pub use stored_text::{StoredDocument, TextCut};
pub use write::{JournalFile, JournalSet, JournalSyncHandle, TestHasher};

/// The format that this version writes.
pub const FORMAT: u32 = 3;

/// The oldest format that this version reads. It has other names for some fields, which serde knows as aliases.
pub const OLDEST_FORMAT: u32 = 2;

/// What a run started from: enough to run its dialogue again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalHeader {
    /// The version of lop that wrote it.
    pub lop: String,
    /// The format of the lines.
    pub format: u32,
    /// The original.
    pub files: Vec<HeaderFile>,
    /// How many tokens it has.
    #[serde(default)]
    pub tokens: Option<u32>,
    /// How many tokens the difference of a pair has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<u32>,
    /// The name of the strategy.
    pub strategy: String,
    /// The name of the list minimiser.
    pub minimizer: String,
    /// The schedule, if it is not the strategy's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<String>,
    /// How much it asks, if its strategy has strata; quick in journals of earlier lops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<String>,
    /// Whether names, literals and white space stay as they are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_text: bool,
    /// The parts of the strategy that it does without.
    #[serde(default)]
    pub without: Vec<String>,
    /// Its optional passes that run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<String>,
    /// Of a pair: whether hunks of the difference are undone in the seed too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mirror: bool,
    /// What it makes smaller, if not tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objective: Option<String>,
    /// Whether all versions are in canonical form; the files are those that it began with.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub canonical: bool,
    /// The limit at the start.
    pub limit: HeaderLimit,
    /// Commands that were given from the start, with their moments, as a script has them.
    #[serde(default)]
    pub script: Vec<String>,
    /// Where and with what it ran.
    #[serde(default)]
    pub run: Option<HeaderInvocation>,
}

/// Where and with what a run ran: what is needed to resume it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeaderInvocation {
    /// The input, as an absolute path; of a pair the variant, of a project its directory or its first file.
    pub input: PathBuf,
    /// Its permission bits.
    pub mode: u32,
    /// The seed of a pair; none for one program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<HeaderSeed>,
    /// What a project is besides its files; none for one program or a pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<HeaderProject>,
    /// The test, as an absolute path; empty if it is commands. Of a pair with two tests, that of the seed.
    pub test: PathBuf,
    /// The hash of the test's bytes and its checks, or of its commands.
    pub test_hash: String,
    /// The test's bytes, unless it is a large program.
    #[serde(default)]
    pub test_bytes: Option<ByteText>,
    /// The bytes of the variant's test, where a pair has two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant_test_bytes: Option<ByteText>,
    /// The commands of the test, unless it is one script alone. That stands among them where it has its turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<TestStage>,
    /// The failure property at the start; none if the test is a script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<FailureProperty>,
    /// What a test might take besides time, and touch. Journals of before do not say.
    #[serde(alias = "care", default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<HeaderIsolation>,
    /// The file that holds the best version, as an absolute path.
    pub output: PathBuf,
    /// Where that leads, if it is a link: also an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_link: Option<PathBuf>,
    /// Whether that is the input itself.
    #[serde(default)]
    pub in_place: bool,
    /// The test's exit status for another failure, of which candidates are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also: Option<i32>,
    /// The recorded verdicts that it uses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdicts: Option<HeaderVerdicts>,
    /// The directory of its candidates, as an absolute path, if they are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidates: Option<PathBuf>,
    /// Whether it starts no test.
    #[serde(default, skip_serializing_if = "is_false")]
    pub offline: bool,
    /// How many tests were to run at a time; none for as many as there are processors. Journals of before do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<u16>,
    /// The names of all variables of the environment, with the values of those that tell a compiler what to do.
    pub environment: Vec<(String, Option<String>)>,
    /// When it began, in seconds since 1970.
    pub began: u64,
}

/// A project, besides the paths and texts of its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeaderProject {
    /// Whether the input is a directory; else it is the first of several files.
    #[serde(rename = "directory")]
    pub is_directory: bool,
    /// What edits may do to each file.
    #[serde(rename = "freedom")]
    pub files: Vec<DocumentFreedom>,
    /// The permission bits of each file.
    pub modes: Vec<u32>,
}

impl HeaderInvocation {
    /// The test in words: its path, or the commands; of a pair, those of both programs.
    pub fn describe_test(&self) -> String {
        let is_shown = |stage: &TestStage| {
            stage.sees.document().is_some() || matches!(stage.line, StageCommand::Serve(_))
        };
        match self.property.is_some() || self.stages.iter().any(is_shown) {
            true => InterestingnessTest::without_property(self.stages.clone()).to_string(),
            false => self.test.to_string_lossy().into_owned(),
        }
    }
}

/// Programs that were tested before, and how their logs are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeaderVerdicts {
    /// The directory, as an absolute path.
    pub directory: PathBuf,
    /// Each of these expressions matches a line in the log of an interesting program. Without any, the last line of a log is its verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grep: Vec<String>,
    /// None of these does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_grep: Vec<String>,
}

/// The seed of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeaderSeed {
    /// Its file, as an absolute path.
    pub path: PathBuf,
    /// Its permission bits.
    pub mode: u32,
}

/// A line after the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum JournalLine {
    /// A verdict.
    Result {
        /// The candidate.
        #[serde(alias = "fact")]
        result: String,
        /// What the test said.
        #[serde(alias = "ending")]
        verdict: Verdict,
        /// How long it took.
        time_ns: u64,
        /// The processor time of all its processes, where it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cpu_ns: Option<u64>,
        /// Under which limit.
        limit_ns: Option<u64>,
        /// The limit that the test went beyond, by its name: see [`crate::oracle::LimitKind::name`].
        #[serde(alias = "bound", default, skip_serializing_if = "Option::is_none")]
        exceeded: Option<String>,
        /// The status with which it ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit: Option<i32>,
        /// The signal that ended it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signal: Option<i32>,
        /// Whether it was too slow beside other tests, so that it does not count.
        #[serde(alias = "crowded", default, skip_serializing_if = "is_false")]
        concurrent: bool,
        /// Whether a cache knew it, and no test ran.
        #[serde(default, skip_serializing_if = "is_false")]
        recalled: bool,
        /// How many runs said interesting, of how many, if there was more than one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        runs: Option<(u32, u32)>,
        /// How many runs had to say interesting, if that was more than one, or one of several.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confirm: Option<String>,
        /// Whether it is about a version that had been found interesting, and no decision uses it.
        #[serde(alias = "check", default, skip_serializing_if = "is_false")]
        recheck: bool,
    },
    /// A decision.
    Decision {
        /// Its number.
        decision: Decision,
        /// The candidate.
        hash: String,
        /// The answer.
        #[serde(alias = "ending")]
        verdict: Verdict,
        /// The origin of the verdict, if it was not the test.
        #[serde(alias = "by", default, skip_serializing_if = "Option::is_none")]
        origin: Option<RecordedOrigin>,
        /// The number of rejections since the decision before.
        #[serde(alias = "refused", default, skip_serializing_if = "is_zero")]
        rejected: u64,
        /// The limit in force.
        limit_ns: Option<u64>,
        /// When.
        ms: u64,
    },
    /// A new version.
    Accept {
        /// The decision that found it.
        #[serde(alias = "take")]
        accept: Decision,
        /// Its number.
        version: u64,
        /// The version that it was made of.
        parent: u64,
        /// The pass that proposed it.
        pass: String,
        /// What was done.
        why: String,
        /// Whether it is inside a detour.
        #[serde(alias = "away", default, skip_serializing_if = "is_false")]
        detour: bool,
        /// Its bytes.
        hash: String,
        /// Its tokens.
        tokens: u32,
        /// Tokens of the difference of a pair.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        difference: Option<u32>,
        /// How many bytes.
        bytes: u32,
        /// Its documents.
        text: Vec<StoredDocument>,
        /// When.
        ms: u64,
    },
    /// Another version is current, without an accepted edit.
    Moved {
        /// Its number.
        #[serde(alias = "stands")]
        current: u64,
        /// The version that belongs on the disk.
        kept: u64,
        /// When.
        ms: u64,
    },
    /// A command.
    Command {
        /// Which.
        command: String,
        /// Before which decision it holds.
        before: Decision,
        /// The number of rejections since the decision before that.
        #[serde(alias = "refused")]
        rejected: u64,
        /// The number of pieces of work since then, while the next candidate was being planned.
        #[serde(alias = "works", default, skip_serializing_if = "Option::is_none")]
        work_steps: Option<u64>,
        /// The hash of the test from here on, if it is another one: see [`HeaderInvocation::test_hash`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        test_hash: Option<String>,
        /// When.
        ms: u64,
    },
    /// A pass has ended, or a round of it: all that it did until then.
    Pass {
        /// Its name.
        pass: String,
        /// Decisions about its candidates.
        tried: u64,
        /// Its accepted edits.
        #[serde(alias = "taken")]
        accepted: u64,
        /// Tokens that those removed.
        tokens: u64,
        /// Time its tests took.
        time_ns: u64,
    },
    /// The run was resumed here, after an end or a kill.
    Resumed {
        /// The version of lop that resumed it.
        resumed: String,
        /// Whether it is as if the run had not been interrupted.
        exactly: bool,
        /// When, in seconds since 1970; journals of earlier versions do not say so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        began: Option<u64>,
        /// If not: how many things were done again before versions came back by their texts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        held: Option<usize>,
        /// If not: what it was resumed with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        basis: Option<RunFingerprint>,
    },
    /// The end, or a stop.
    Finished {
        /// Why.
        finished: String,
        /// What was counted until then.
        counts: JournalCounts,
        /// What is proven of the result.
        certificate: String,
        /// When.
        ms: u64,
    },
}

/// What the verdicts and candidates of a run depend on, besides the program and the options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFingerprint {
    /// See [`HeaderInvocation::test_hash`].
    pub test_hash: String,
    /// See [`HeaderInvocation::isolation`].
    #[serde(alias = "care", default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<HeaderIsolation>,
    /// The hashes of what lop knows of the files' languages.
    pub grammars: Vec<Option<String>>,
}

impl RunFingerprint {
    /// Whether the test of the other one is the same, with the same resources, as far as both are known.
    pub fn has_same_test(&self, other: &RunFingerprint) -> bool {
        let known = self.isolation.zip(other.isolation);
        self.test_hash == other.test_hash && known.is_none_or(|(one, other)| one == other)
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

/// What a run counted. How many tests were started, and how many of them decided nothing, hangs on the number of workers and their
/// timing; the rest does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalCounts {
    /// See [`RunCounts::decisions`].
    pub decisions: u64,
    /// See [`RunCounts::tests`].
    pub tests: u64,
    /// See [`RunCounts::started`].
    pub started: u64,
    /// See [`RunCounts::unused_tests`].
    pub unused: u64,
    /// See [`RunCounts::cached`].
    pub cached: u64,
    /// See [`RunCounts::respaced`].
    pub respaced: u64,
}

impl From<&RunCounts> for JournalCounts {
    fn from(counts: &RunCounts) -> JournalCounts {
        JournalCounts {
            decisions: counts.decisions,
            tests: counts.tests,
            started: counts.started,
            unused: counts.unused_tests(),
            cached: counts.cached,
            respaced: counts.respaced,
        }
    }
}

/// What answered a decision in place of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordedOrigin {
    /// See [`ResultOrigin::Cache`].
    Cache,
    /// See [`ResultOrigin::Respaced`].
    Respaced,
}

impl RecordedOrigin {
    /// Its name in the journal; none if it was the test.
    pub fn from_result_origin(origin: ResultOrigin) -> Option<RecordedOrigin> {
        match origin {
            ResultOrigin::Ran | ResultOrigin::Store | ResultOrigin::Journal => None,
            ResultOrigin::Cache => Some(RecordedOrigin::Cache),
            ResultOrigin::Respaced => Some(RecordedOrigin::Respaced),
        }
    }

    /// Its name in the engine.
    pub fn to_result_origin(self) -> ResultOrigin {
        match self {
            RecordedOrigin::Cache => ResultOrigin::Cache,
            RecordedOrigin::Respaced => ResultOrigin::Respaced,
        }
    }
}

fn to_nanoseconds(time: Duration) -> u64 {
    time.as_nanos() as u64
}

impl JournalHeader {
    /// The header of a run that starts now.
    pub fn new(
        files: Vec<HeaderFile>,
        strategy: &str,
        minimizer: &str,
        limit: HeaderLimit,
    ) -> JournalHeader {
        let (strategy, minimizer) = (strategy.to_owned(), minimizer.to_owned());
        JournalHeader {
            lop: env!("CARGO_PKG_VERSION").to_owned(),
            format: FORMAT,
            files,
            tokens: None,
            difference: None,
            strategy,
            minimizer,
            schedule: None,
            effort: None,
            keeps_text: false,
            without: Vec::new(),
            with: Vec::new(),
            mirror: false,
            objective: None,
            canonical: false,
            limit,
            script: Vec::new(),
            run: None,
        }
    }

    /// What its verdicts and candidates depend on.
    pub fn run_fingerprint(&self) -> RunFingerprint {
        let run = self.run.as_ref();
        RunFingerprint {
            test_hash: run.map_or_else(String::new, |run| run.test_hash.clone()),
            isolation: run.and_then(|run| run.isolation),
            grammars: self.files.iter().map(|file| file.grammar.clone()).collect(),
        }
    }

    /// Whether the files are a seed and its variant, which are reduced together.
    pub fn is_pair(&self) -> bool {
        self.objective.as_deref() == Some(PAIR_OBJECTIVE)
    }

    /// Whether the program is a sequence of choices: its text is their listing.
    pub fn is_choices(&self) -> bool {
        self.objective.as_deref() == Some(CHOICES_OBJECTIVE)
    }

    /// The same, of a strategy that does without these parts.
    pub fn without_parts(mut self, parts: impl Iterator<Item = &'static str>) -> JournalHeader {
        self.without.extend(parts.map(str::to_owned));
        self
    }

    /// The same, of a strategy with these optional passes.
    pub fn with_passes(mut self, passes: impl Iterator<Item = &'static str>) -> JournalHeader {
        self.with.extend(passes.map(str::to_owned));
        self
    }
}

impl JournalLine {
    /// When it was written, in milliseconds since the run began, if it says so.
    pub fn elapsed_ms(&self) -> Option<u64> {
        match self {
            JournalLine::Decision { ms, .. }
            | JournalLine::Accept { ms, .. }
            | JournalLine::Moved { ms, .. }
            | JournalLine::Command { ms, .. }
            | JournalLine::Finished { ms, .. } => Some(*ms),
            JournalLine::Result { .. } | JournalLine::Pass { .. } | JournalLine::Resumed { .. } => {
                None
            }
        }
    }

    /// The command that it is about, if it is one that can be read.
    pub(super) fn command(&self) -> Option<EngineCommand> {
        match self {
            JournalLine::Command { command, .. } => EngineCommand::parse_recorded(command).ok(),
            _ => None,
        }
    }

    /// The result of a test.
    pub fn from_result(
        JournalResult {
            hash,
            result,
            is_recheck,
        }: &JournalResult,
    ) -> JournalLine {
        let TestResult { tally, quorum, .. } = *result;
        JournalLine::Result {
            result: hash.to_string(),
            verdict: result.verdict,
            time_ns: to_nanoseconds(result.time),
            cpu_ns: result.cpu.map(to_nanoseconds),
            limit_ns: result.limits.wall.map(to_nanoseconds),
            exceeded: result.exceeded_limit().map(|limit| limit.name().to_owned()),
            exit: match result.exit {
                Some(TestExit::Code(status)) => Some(status),
                _ => None,
            },
            signal: match result.exit {
                Some(TestExit::Signal(signal)) => Some(signal),
                _ => None,
            },
            concurrent: result.concurrent,
            recalled: result.origin == ResultOrigin::Store,
            runs: (tally.runs > 1).then_some((tally.yes, tally.runs)),
            confirm: (quorum != Quorum::ONCE).then(|| quorum.to_string()),
            recheck: *is_recheck,
        }
    }

    /// The result of a test, and its candidate, if the line is one. A version that was only rechecked is not one.
    pub fn to_result(&self) -> Option<(&str, TestResult)> {
        let JournalLine::Result {
            result: candidate,
            verdict,
            time_ns,
            cpu_ns,
            limit_ns,
            exceeded,
            exit,
            signal,
            concurrent,
            runs,
            confirm,
            recheck: false,
            ..
        } = self
        else {
            return None;
        };
        let exceeded = exceeded.as_deref().and_then(LimitKind::from_name);
        let exit = exceeded
            .map(TestExit::Killed)
            .or(exit.map(TestExit::Code))
            .or(signal.map(TestExit::Signal));
        let times = (
            Duration::from_nanos(*time_ns),
            cpu_ns.map(Duration::from_nanos),
        );
        let limits = TimeLimits {
            wall: limit_ns.map(Duration::from_nanos),
            cpu: None,
        };
        let once = TestResult::from_record(ResultOrigin::Journal, *verdict, exit, times, limits);
        let quorum = confirm.as_ref().and_then(|quorum| quorum.parse().ok());
        let result = TestResult {
            concurrent: *concurrent,
            tally: runs.map_or(once.tally, |(yes, runs)| RunTally { yes, runs }),
            quorum: quorum.unwrap_or_default(),
            ..once
        };
        Some((candidate, result))
    }

    /// A decision, at a moment of the run.
    pub fn from_decision(decided: &JournalDecision, ms: u64) -> JournalLine {
        JournalLine::Decision {
            decision: decided.number,
            hash: decided.hash.to_string(),
            verdict: decided.verdict,
            origin: RecordedOrigin::from_result_origin(decided.origin),
            rejected: decided.rejected,
            limit_ns: decided.limit.map(to_nanoseconds),
            ms,
        }
    }
}

/// The hash of what a test sees, as facts name it.
pub fn hash_files<'a>(files: impl Iterator<Item = &'a [u8]>) -> ContentHash {
    ContentHash::from_documents(files.map(Some))
}

/// The same for the files that a test sees, where these are the paths of all documents: the files of the others are gone.
pub fn hash_tested(paths: &[PathBuf], files: &TestFiles) -> ContentHash {
    if files.len() >= paths.len() {
        return hash_files(files.iter().map(|(_, bytes)| &**bytes));
    }
    let mut left = files.iter().peekable();
    ContentHash::from_documents(paths.iter().map(|path| {
        let file = left.next_if(|(name, _)| name == path);
        file.map(|(_, bytes)| &**bytes)
    }))
}

/// The same where the files of some documents may be gone.
pub fn hash_texts(texts: &[FileText]) -> ContentHash {
    ContentHash::from_documents(texts.iter().map(Option::as_deref))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_a_test_ended_is_read_back_and_where_it_is_missing_nothing_is_said() {
        let read = |line: &str| {
            let line: JournalLine = serde_json::from_str(line).expect("a line");
            line.to_result().map(|(_, result)| result)
        };
        let hash = ContentHash::from_bytes(b"x");
        let times = (Duration::from_millis(7), None);
        for exit in [TestExit::Code(7), TestExit::Signal(11)] {
            let (origin, limits) = (ResultOrigin::Journal, TimeLimits::default());
            let verdict = Verdict::Uninteresting;
            let result = TestResult::from_record(origin, verdict, Some(exit), times, limits);
            let line = JournalLine::from_result(&JournalResult {
                hash,
                result,
                is_recheck: false,
            });
            let line = serde_json::to_string(&line).expect("a line");
            assert_eq!(read(&line), Some(result), "{line}");
        }
        let before = r#"{"result":"00","verdict":"uninteresting","time_ns":1,"limit_ns":null}"#;
        assert_eq!(read(before).and_then(|result| result.exit), None);
        let slow = r#"{"result":"00","verdict":"timed_out","time_ns":1,"limit_ns":null}"#;
        let killed = Some(TestExit::Killed(LimitKind::Wall));
        assert_eq!(read(slow).and_then(|result| result.exit), killed);
    }
}
