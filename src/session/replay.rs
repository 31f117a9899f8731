//! A replay of the dialogue with recorded results in place of tests.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use rustc_hash::FxHashMap;

use super::journal::{self, JournalContents, JournalError, JournalHeader, JournalLine};
use super::journal_decoder;
use crate::oracle::{
    FailureProperty, JobId, JobResult, NoVerdict, PropertyError, Runner, TestJob, TestOutcome,
    Verdict,
};
use crate::reduce::{
    AcceptedVersion, CommandPosition, Decision, EngineCommand, FinishReason, Journal,
    JournalDecision, JournalResult, MinimalityClaim, PassLine, Quorum, RunCounts, ScriptTrigger,
    UndoMode, VersionRecord,
};

/// A journal that was read.
pub struct JournalRecording {
    /// What the run started from.
    pub header: JournalHeader,
    /// Its decisions and accepted versions, in order.
    expected: Vec<ReplayExpectation>,
    results: FxHashMap<String, Vec<journal_decoder::RecordedResult<'static>>>,
    /// Its commands that changed what was proposed, and where they held.
    pub commands: Vec<(ScriptTrigger, EngineCommand)>,
    /// Whether it came to its end by itself.
    pub complete: bool,
    /// The damage, as a sentence, if it is more than an unfinished last line.
    pub damage: Option<String>,
    /// Whether one dialogue made all its decisions.
    pub exactly: bool,
}

impl JournalRecording {
    /// Reads a journal.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read_from(path: &Path) -> Result<JournalRecording, JournalError> {
        journal::read_journal(path).map(JournalRecording::from_journal)
    }

    /// The same of a journal that was read.
    pub(super) fn from_journal(read: JournalContents) -> JournalRecording {
        let damage = read.damage_note().filter(|_| read.is_damaged());
        let JournalContents { header, lines, .. } = read;
        let mut recording = JournalRecording {
            header,
            expected: Vec::new(),
            results: FxHashMap::default(),
            commands: Vec::new(),
            complete: false,
            damage,
            exactly: true,
        };
        let mut changes = 0;
        for line in lines {
            changes += usize::from(journal_decoder::makes_results_old(&line));
            if let Some((candidate, said)) =
                journal_decoder::RecordedResult::from_line(&line, None, changes)
            {
                let all = recording.results.entry(candidate.to_owned());
                all.or_default().push(said);
            }
            // A command after the end goes on from it.
            recording.complete &= !matches!(line, JournalLine::Command { .. });
            match line {
                JournalLine::Decision { .. } | JournalLine::Accept { .. } => recording
                    .expected
                    .extend(ReplayExpectation::from_line(&line)),
                JournalLine::Finished { finished, .. } => {
                    recording.complete = finished == "complete"
                }
                JournalLine::Command {
                    command,
                    before,
                    rejected,
                    work_steps,
                    ..
                } => match EngineCommand::parse_recorded(&command) {
                    // Pauses do not change what was proposed.
                    Ok(command) if command.changes_proposals() => {
                        let stops = matches!(command, EngineCommand::Undo(UndoMode::Stop, _));
                        let when = ScriptTrigger::Exactly(CommandPosition {
                            before,
                            rejected,
                            work_steps,
                        });
                        recording.commands.push((when, command));
                        if stops {
                            recording.commands.push((when, EngineCommand::Resume));
                        }
                    }
                    _ => {}
                },
                JournalLine::Resumed { exactly, .. } => {
                    recording.complete = false;
                    recording.exactly &= exactly;
                }
                JournalLine::Result { .. }
                | JournalLine::Moved { .. }
                | JournalLine::Pass { .. } => {}
            }
        }
        recording
    }

    /// How many decisions it has.
    pub fn decision_count(&self) -> usize {
        self.expected
            .iter()
            .filter(|said| matches!(said, ReplayExpectation::Decided(..)))
            .count()
    }

    /// A runner that has the recorded verdicts and no others, and a journal that compares. The [`ReplayComparison`] has the outcome.
    pub fn into_replay(self) -> (RecordedRunner, CheckingJournal, ReplayComparison) {
        let (send, answers) = unbounded();
        let comparison = ReplayComparison::default();
        let quorum: Arc<Mutex<Quorum>> = Arc::default();
        let changes: Arc<AtomicUsize> = Arc::default();
        let journal = CheckingJournal {
            expected: self.expected.into(),
            complete: self.complete,
            comparison: comparison.clone(),
            quorum: quorum.clone(),
            changes: changes.clone(),
        };
        (
            RecordedRunner {
                paths: self
                    .header
                    .files
                    .into_iter()
                    .map(|file| file.path)
                    .collect(),
                results: self.results,
                changes,
                quorum,
                send,
                answers,
            },
            journal,
            comparison,
        )
    }
}

/// What must be the same.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ReplayExpectation {
    /// A decision of this number, about these bytes, and whether it was interesting.
    Decided(Decision, String, bool),
    /// The version of this number has these bytes.
    Accepted(u64, String),
}

impl ReplayExpectation {
    fn from_line(line: &JournalLine) -> Option<ReplayExpectation> {
        match line {
            JournalLine::Decision {
                decision,
                hash,
                verdict,
                ..
            } => Some(ReplayExpectation::Decided(
                *decision,
                hash.clone(),
                *verdict == Verdict::Interesting,
            )),
            JournalLine::Accept { version, hash, .. } => {
                Some(ReplayExpectation::Accepted(*version, hash.clone()))
            }
            _ => None,
        }
    }
}

/// Answers from recorded results.
pub struct RecordedRunner {
    /// The paths of all documents.
    paths: Vec<PathBuf>,
    results: FxHashMap<String, Vec<journal_decoder::RecordedResult<'static>>>,
    /// How often the property or the test has changed.
    changes: Arc<AtomicUsize>,
    /// How many runs must say interesting, as the commands set it.
    quorum: Arc<Mutex<Quorum>>,
    send: Sender<JobResult>,
    answers: Receiver<JobResult>,
}

impl RecordedRunner {
    /// The verdict on these bytes under this limit, in as many runs as the quorum needs, or else the last one.
    fn find_result(
        &self,
        hash: &str,
        limit: Option<Duration>,
    ) -> Option<journal_decoder::RecordedResult<'static>> {
        let changes = self.changes.load(Ordering::Relaxed);
        let now: Vec<&journal_decoder::RecordedResult> = self
            .results
            .get(hash)?
            .iter()
            .filter(|fact| fact.changes == changes)
            .collect();
        let quorum = *self.quorum.lock().unwrap_or_else(PoisonError::into_inner);
        let mut same = now.iter().filter(|fact| fact.result.quorum == quorum);
        let under = same.clone().rfind(|fact| fact.result.limits.wall == limit);
        under
            .or(same.next_back())
            .or_else(|| now.iter().rfind(|fact| fact.result.limits.wall == limit))
            .or(now.last())
            .map(|fact| **fact)
    }
}

impl Runner for RecordedRunner {
    fn submit(&mut self, job: TestJob) {
        let hash = journal::hash_tested(&self.paths, &job.files).to_string();
        let outcome = match self.find_result(&hash, job.limits.wall) {
            Some(fact) => fact.to_outcome(),
            None => TestOutcome::NoVerdict(NoVerdict::CannotStart {
                reason: format!("the journal has no verdict for {hash}"),
            }),
        };
        // The engine may have ended.
        let _ = self.send.send(JobResult::new(job.id, outcome));
    }

    fn cancel(&mut self, _: JobId) {}

    fn set_property(&mut self, _: &FailureProperty) -> Result<(), PropertyError> {
        self.changes.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn result_receiver(&self) -> &Receiver<JobResult> {
        &self.answers
    }
}

/// The outcome of a comparison: the first difference, if there is one.
#[derive(Clone, Debug, Default)]
pub struct ReplayComparison(Arc<Mutex<Option<String>>>);

impl ReplayComparison {
    fn record_difference(&self, sentence: String) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(sentence);
    }

    /// The first difference, as a sentence.
    pub fn first_difference(&self) -> Option<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// Compares a run's decisions and accepted versions with recorded ones.
pub struct CheckingJournal {
    expected: VecDeque<ReplayExpectation>,
    complete: bool,
    comparison: ReplayComparison,
    /// See [`RecordedRunner`], which reads it.
    quorum: Arc<Mutex<Quorum>>,
    /// See [`RecordedRunner`].
    changes: Arc<AtomicUsize>,
}

impl CheckingJournal {
    fn compare_line(&mut self, line: ReplayExpectation) {
        match self.expected.pop_front() {
            Some(recorded) if recorded == line => {}
            Some(recorded) => self
                .comparison
                .record_difference(format!("recorded {recorded:?}, now {line:?}")),
            None if self.complete => self
                .comparison
                .record_difference(format!("the journal has ended, but now {line:?}")),
            // A run that was stopped continues here.
            None => {}
        }
    }
}

impl Journal for CheckingJournal {
    fn record_result(&mut self, _: &JournalResult) {}

    fn record_decision(&mut self, decided: &JournalDecision) {
        let yes = decided.verdict == Verdict::Interesting;
        let hash = decided.hash.to_string();
        self.compare_line(ReplayExpectation::Decided(decided.number, hash, yes));
    }

    fn record_accept(&mut self, taken: &AcceptedVersion, _: &VersionRecord) {
        self.compare_line(ReplayExpectation::Accepted(
            taken.version,
            taken.hash.to_string(),
        ));
    }

    fn record_switch(&mut self, _: u64, _: u64) {}

    fn record_pass(&mut self, _: &PassLine) {}

    fn record_resume(&mut self, _: bool) {}

    fn record_command(&mut self, _: CommandPosition, command: &EngineCommand) {
        match command {
            EngineCommand::Confirm(quorum) => {
                *self.quorum.lock().unwrap_or_else(PoisonError::into_inner) = *quorum;
            }
            // The runner does not hear of it: its answers from here on are those of the other test.
            EngineCommand::NewTest(true) => {
                self.changes.fetch_add(1, Ordering::Relaxed);
            }
            _ => {}
        }
    }

    fn record_finish(&mut self, _: &FinishReason, _: &RunCounts, _: &MinimalityClaim) {
        if let Some(line) = self.expected.pop_front() {
            self.comparison
                .record_difference(format!("recorded {line:?}, but now the run has ended"));
        }
    }
}
