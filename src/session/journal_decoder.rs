//! What the lines of a journal say was decided, taken and done.

use std::time::Duration;

use rustc_hash::FxHashMap;

use super::journal::{JournalHeader, JournalLine, RecordedOrigin, RunFingerprint};
use crate::oracle::{
    FailureProperty, LimitKind, LimitPolicy, PropertyChange, TestOutcome, TestOutput, TestRun,
    Verdict,
};
use crate::program::ContentHash;
use crate::reduce::{CommandPosition, EngineCommand, Quorum, RecordedEvent, RunTally};

/// What a test is asked, as far as a journal's commands tell it: what is looked for, within which limit. An adaptive limit is that of
/// the start.
#[derive(Clone, Debug)]
pub struct RecordedProperty {
    /// What is looked for; none if the test is a script.
    pub property: Option<FailureProperty>,
    /// The limit, unless it has followed the tests.
    pub limit: LimitPolicy,
    /// How often it became something else, so that what tests had said did not count any more.
    pub(super) changes: usize,
}

impl RecordedProperty {
    /// As a run begins.
    pub(super) fn new(header: &JournalHeader) -> RecordedProperty {
        RecordedProperty {
            property: header.run.as_ref().and_then(|run| run.property.clone()),
            limit: header.limit.initial_limit(),
            changes: 0,
        }
    }

    /// What a line says of it. What cannot be was refused by the run as well.
    pub(super) fn apply_line(&mut self, line: &JournalLine) {
        let JournalLine::Command { command, .. } = line else {
            return;
        };
        match EngineCommand::parse_recorded(command) {
            Ok(EngineCommand::Property(change, true)) => {
                let now = self.property.as_ref();
                if let Some(Ok(new)) = now.map(|now| now.with_change(&change)) {
                    self.property = Some(new);
                }
                self.changes += 1;
            }
            Ok(EngineCommand::Timeout(limit)) => {
                let limit = LimitPolicy::fixed(limit.unwrap_or_default());
                let hangs = self
                    .property
                    .as_ref()
                    .is_some_and(FailureProperty::expects_hang);
                match hangs {
                    // Without a limit nothing would ever hang: that is refused.
                    true if limit.current_limits().wall.is_none() => return,
                    true => self.limit = limit.for_hang(),
                    false => self.limit = limit,
                }
                self.changes += usize::from(hangs);
            }
            _ => {}
        }
    }
}

/// What a line says of what is looked for from there on.
pub(super) fn property_change(line: &JournalLine) -> Option<PropertyChange> {
    let JournalLine::Command { command, .. } = line else {
        return None;
    };
    match EngineCommand::parse_recorded(command) {
        Ok(EngineCommand::Property(change, true)) => Some(change),
        _ => None,
    }
}

pub(super) type ResultsByCandidate<'a> = FxHashMap<&'a str, Vec<RecordedResult<'a>>>;

/// What a test said.
#[derive(Clone, Copy)]
pub(super) struct RecordedResult<'a> {
    pub ending: Verdict,
    pub time_ns: u64,
    pub cpu_ns: Option<u64>,
    pub limit_ns: Option<u64>,
    /// The test; none if it is not known.
    pub basis: Option<&'a RunFingerprint>,
    /// See [`RecordedProperty`].
    pub changes: usize,
    pub bound: Option<LimitKind>,
    /// Whether other tests ran at the same time.
    pub concurrent: bool,
    /// How many runs said interesting, and of how many, if there was more than one.
    pub runs: Option<(u32, u32)>,
    /// How many had to.
    pub quorum: Quorum,
}

impl<'a> RecordedResult<'a> {
    /// What a line says that a test said, and of which candidate. A version that was only looked at once more is none.
    pub fn from_line<'l>(
        line: &'l JournalLine,
        basis: Option<&'a RunFingerprint>,
        changes: usize,
    ) -> Option<(&'l str, RecordedResult<'a>)> {
        let JournalLine::Fact {
            fact,
            ending,
            time_ns,
            cpu_ns,
            limit_ns,
            bound,
            crowded,
            runs,
            confirm,
            check: false,
            ..
        } = line
        else {
            return None;
        };
        let quorum = confirm.as_ref().and_then(|quorum| quorum.parse().ok());
        let said = RecordedResult {
            ending: *ending,
            time_ns: *time_ns,
            cpu_ns: *cpu_ns,
            limit_ns: *limit_ns,
            basis,
            changes,
            bound: bound.as_deref().and_then(LimitKind::from_name),
            concurrent: *crowded,
            runs: *runs,
            quorum: quorum.unwrap_or_default(),
        };
        Some((fact, said))
    }

    /// The limit that the test had.
    pub fn wall_limit(&self) -> Option<Duration> {
        self.limit_ns.map(Duration::from_nanos)
    }

    pub fn run_tally(self) -> RunTally {
        let tally = self.runs.map(|(yes, runs)| RunTally { yes, runs });
        tally.unwrap_or_else(|| RunTally::from_verdict(self.ending))
    }

    /// Whether it was this test.
    pub fn is_from_test(&self, test: &RunFingerprint) -> bool {
        self.basis.is_some_and(|basis| basis.has_same_test(test))
    }

    /// The same as an answer of the test.
    pub fn to_outcome(self) -> TestOutcome {
        TestOutcome::Verdict(self.ending, self.to_run())
    }

    pub fn to_run(self) -> TestRun {
        TestRun {
            exit: self.ending.implied_exit(self.bound),
            time: Duration::from_nanos(self.time_ns),
            cpu: self.cpu_ns.map(Duration::from_nanos),
            output: TestOutput::default(),
        }
    }
}

/// What a line says was done, in the order of the dialogue.
pub(super) fn decode_event(
    line: &JournalLine,
    facts: &ResultsByCandidate,
) -> Option<RecordedEvent> {
    match line {
        JournalLine::Decision {
            hash,
            ending,
            by,
            refused,
            limit_ns,
            ms,
            ..
        } => {
            let all = facts.get(&hash[..]).map_or(&[][..], Vec::as_slice);
            let mut same = all.iter().filter(|fact| fact.ending == *ending);
            let under = same.clone().find(|fact| fact.limit_ns == *limit_ns);
            let fact = under
                .or_else(|| same.next())
                .copied()
                .unwrap_or(RecordedResult {
                    ending: *ending,
                    time_ns: 0,
                    cpu_ns: None,
                    limit_ns: *limit_ns,
                    basis: None,
                    changes: 0,
                    bound: None,
                    concurrent: false,
                    runs: None,
                    quorum: Quorum::default(),
                });
            Some(RecordedEvent::Decided {
                hash: ContentHash::parse_hex(hash)?,
                rejected: *refused,
                ending: (*ending),
                origin: RecordedOrigin::decode_origin(*by),
                run: fact.to_run(),
                tally: fact.run_tally(),
                at: Duration::from_millis(*ms),
            })
        }
        JournalLine::Accept {
            take,
            version,
            parent,
            hash,
            why,
            ..
        } => Some(RecordedEvent::Accepted {
            decision: *take,
            version: *version,
            parent: *parent,
            hash: ContentHash::parse_hex(hash)?,
            sentence: why.as_str().into(),
        }),
        JournalLine::Moved { stands, .. } => Some(RecordedEvent::VersionSwitched(*stands)),
        JournalLine::Command {
            command,
            before,
            refused,
            works,
            ..
        } => {
            // The rest is over.
            let command = EngineCommand::parse_recorded(command)
                .ok()
                .filter(EngineCommand::persists_on_resume)?;
            let place = CommandPosition {
                before: *before,
                rejected: *refused,
                work_steps: *works,
            };
            Some(RecordedEvent::Command { place, command })
        }
        JournalLine::Fact { .. }
        | JournalLine::Pass { .. }
        | JournalLine::Resumed { .. }
        | JournalLine::Finished { .. } => None,
    }
}
