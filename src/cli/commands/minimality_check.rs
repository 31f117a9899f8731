//! What `lop verify` and `lop verify pair` share: reading a file, testing candidates one at a time, and sentences.

use std::path::Path;
use std::sync::Arc;

use crossbeam_channel::select;

use crate::cli::args::TestRunArgs;
use crate::cli::failure::{CommandFailure, FAILED, OrFail};
use crate::cli::launch::language_choice;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::display::format_count;
use crate::oracle::{
    JobId, LimitPolicy, LocalRunner, Runner, TestJob, TestOutcome, TimeLimits, Verdict,
};
use crate::session::InputFile;
use crate::verify::{CandidateCounts, CheckedFile};

/// How many steps are shown.
const SHOWN: usize = 20;

/// The note on an interesting candidate without one token that no edit of the tree makes.
pub const NO_EDIT: &str = " (also interesting, though no edit of the tree)";

/// A file with its tree, as the test sees it.
pub fn read_checked_file(
    file: &InputFile,
    place: &TestRunArgs,
) -> Result<CheckedFile, CommandFailure> {
    let path = Path::new(file.file_name());
    let language = language_choice::choose_language(path, None, place.grammar.as_deref())?;
    language_choice::check_syntax(language, path, &file.bytes)?;
    CheckedFile::with_language(language, path, file.bytes.clone()).or_fail(FAILED)
}

/// Has candidates tested, one at a time.
pub struct CandidateTester<'a> {
    runner: LocalRunner,
    prepared: &'a PreparedRun,
    limits: TimeLimits,
    asked: u64,
}

impl CandidateTester<'_> {
    /// Starts a runner.
    pub fn start(
        prepared: &PreparedRun,
        limit: LimitPolicy,
    ) -> Result<CandidateTester<'_>, CommandFailure> {
        Ok(CandidateTester {
            runner: prepared.start_runner(1).or_fail(FAILED)?,
            prepared,
            limits: limit.current_limits(),
            asked: 0,
        })
    }

    /// Whether these texts, one for each file, are interesting. A program of a pair that is as it was is not tested again.
    pub fn test_candidate(&mut self, texts: &[Arc<[u8]>]) -> Result<bool, CommandFailure> {
        self.asked += 1;
        self.runner.submit(TestJob {
            id: JobId(self.asked),
            files: self
                .prepared
                .input
                .files_with_texts(texts.iter().cloned().map(Some)),
            limits: self.limits,
            alone: false,
            fresh: false,
        });
        select! {
            recv(self.runner.result_receiver()) -> answer => match answer.map(|answer| answer.outcome) {
                Ok(TestOutcome::Verdict(verdict, _)) => Ok(verdict == Verdict::Interesting),
                Ok(TestOutcome::NoVerdict(trouble)) => Err(CommandFailure::new(FAILED, trouble)),
                Ok(TestOutcome::Cancelled) | Err(_) => Err(CommandFailure::new(FAILED, "the thread that runs the test has died")),
            },
            // The runner kills the test when it is dropped.
            recv(self.prepared.signals.received) -> signal => Err(CommandFailure::check_interrupted(signal.unwrap_or_default())),
        }
    }
}

/// "3 of 10 candidates are interesting".
pub fn describe_candidates(counts: CandidateCounts) -> String {
    let verb = if counts.tried == 1 { "is" } else { "are" };
    format!(
        "{} of {} {verb} interesting",
        counts.interesting,
        format_count(counts.tried, "candidate")
    )
}

/// One line for each of the first steps, and how many more there are.
pub fn list_steps<T>(all: &[T], note: &str, line: impl Fn(&T) -> String) -> Vec<String> {
    let mut lines: Vec<String> = all.iter().take(SHOWN).map(line).collect();
    let more = all.len().saturating_sub(SHOWN);
    if more > 0 {
        lines.push(format!(
            "and {} more{note}",
            format_count(more as u64, "step")
        ));
    }
    lines
}
