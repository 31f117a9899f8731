//! The decisions, accepted versions and commands that the lines of a journal record.

use std::time::Duration;

use rustc_hash::FxHashMap;

use super::journal::{JournalHeader, JournalLine, RecordedOrigin, RunFingerprint};
use crate::display::UnixTime;
use crate::oracle::{
    FailureProperty, LimitPolicy, TestOutcome, TestOutput, TestRun, TimeLimits, Verdict,
};
use crate::program::ContentHash;
use crate::reduce::{CommandPosition, EngineCommand, RecordedEvent, ResultOrigin, TestResult};

/// What a test looks for, as a journal's commands set it: the failure property and the time limit. An adaptive limit is that of
/// the start.
#[derive(Clone, Debug)]
pub struct RecordedProperty {
    /// The failure property; none if the test is a script.
    pub property: Option<FailureProperty>,
    /// The limit, unless it has followed the tests.
    pub limit: LimitPolicy,
    /// How often it changed, so that earlier verdicts did not count any more.
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

    /// Applies what a line records. The run refused what is not possible as well.
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
            Ok(EngineCommand::NewTest(true)) => self.changes += 1,
            _ => {}
        }
    }
}

/// Whether a line records another property or another test, of which earlier results are not.
pub(super) fn makes_results_old(line: &JournalLine) -> bool {
    let JournalLine::Command { command, .. } = line else {
        return false;
    };
    matches!(
        EngineCommand::parse_recorded(command),
        Ok(EngineCommand::Property(_, true) | EngineCommand::NewTest(true))
    )
}

pub(super) type ResultsByCandidate<'a> = FxHashMap<&'a str, Vec<RecordedResult<'a>>>;

/// A verdict, and the test that found it.
#[derive(Clone, Copy)]
pub(super) struct RecordedResult<'a> {
    pub result: TestResult,
    /// The test; none if it is not known.
    pub basis: Option<&'a RunFingerprint>,
    /// See [`RecordedProperty`].
    pub changes: usize,
}

impl<'a> RecordedResult<'a> {
    /// The verdict that a line records, and its candidate. A version that was only rechecked is not one.
    pub fn from_line<'l>(
        line: &'l JournalLine,
        basis: Option<&'a RunFingerprint>,
        changes: usize,
    ) -> Option<(&'l str, RecordedResult<'a>)> {
        let (candidate, result) = line.to_result()?;
        let recorded = RecordedResult {
            result,
            basis,
            changes,
        };
        Some((candidate, recorded))
    }

    /// Whether it was this test.
    pub fn is_from_test(&self, test: &RunFingerprint) -> bool {
        self.basis.is_some_and(|basis| basis.has_same_test(test))
    }

    /// The same as a test result.
    pub fn to_outcome(self) -> TestOutcome {
        let TestResult {
            verdict,
            exit,
            time,
            cpu,
            ..
        } = self.result;
        let run = TestRun {
            exit: exit.unwrap_or_else(|| verdict.implied_exit()),
            time,
            cpu,
            output: TestOutput::default(),
        };
        TestOutcome::Verdict(verdict, run)
    }
}

/// What answered a decision: the result that the journal has of the candidate, preferably under the limit in force, or an earlier decision.
fn decision_result(
    results: &[RecordedResult],
    verdict: Verdict,
    by: Option<RecordedOrigin>,
    wall: Option<Duration>,
) -> TestResult {
    let mut same = results
        .iter()
        .map(|recorded| recorded.result)
        .filter(|result| result.verdict == verdict);
    let recorded = same
        .clone()
        .find(|result| result.limits.wall == wall)
        .or_else(|| same.next());
    let unknown = || {
        let limits = TimeLimits { wall, cpu: None };
        let times = (Duration::ZERO, None);
        TestResult::from_record(ResultOrigin::Journal, verdict, None, times, limits)
    };
    TestResult {
        origin: by.map_or(ResultOrigin::Journal, RecordedOrigin::to_result_origin),
        ..recorded.unwrap_or_else(unknown)
    }
}

/// The time of day of a journal's lines, which tell how long the run had lasted, without the time between a stop and a resumption.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordedClock {
    /// When the run would have begun without such a break; none if that is not known.
    began: Option<UnixTime>,
    /// How long the run had lasted by the last line.
    elapsed: Duration,
}

impl RecordedClock {
    /// As a run begins.
    pub fn new(header: &JournalHeader) -> RecordedClock {
        let began = header.run.as_ref();
        RecordedClock {
            began: began.map(|run| UnixTime::from_seconds(run.began)),
            elapsed: Duration::ZERO,
        }
    }

    /// Applies what a line records.
    pub fn apply_line(&mut self, line: &JournalLine) {
        if let JournalLine::Resumed { began, .. } = line {
            let began = began.map(UnixTime::from_seconds);
            self.began = began.and_then(|began| began.checked_sub(self.elapsed));
        }
        let elapsed = line.elapsed_ms().map(Duration::from_millis);
        self.elapsed = elapsed.unwrap_or(self.elapsed);
    }

    /// The time so many milliseconds after the run began.
    fn time_of(&self, ms: u64) -> Option<UnixTime> {
        self.began?.checked_add(Duration::from_millis(ms))
    }
}

/// What a line records, in the order of the dialogue.
pub(super) fn decode_event(
    line: &JournalLine,
    results: &ResultsByCandidate,
    clock: &RecordedClock,
) -> Option<RecordedEvent> {
    match line {
        JournalLine::Decision {
            hash,
            verdict,
            origin,
            rejected,
            limit_ns,
            ms,
            ..
        } => {
            let results = results.get(&hash[..]).map_or(&[][..], Vec::as_slice);
            let wall = limit_ns.map(Duration::from_nanos);
            Some(RecordedEvent::Decided {
                hash: ContentHash::parse_hex(hash)?,
                rejected: *rejected,
                result: decision_result(results, *verdict, *origin, wall),
                at: Duration::from_millis(*ms),
                time: clock.time_of(*ms),
            })
        }
        JournalLine::Accept {
            accept,
            version,
            parent,
            hash,
            why,
            detour,
            ..
        } => Some(RecordedEvent::Accepted {
            decision: *accept,
            version: *version,
            parent: *parent,
            hash: ContentHash::parse_hex(hash)?,
            sentence: why.as_str().into(),
            in_detour: *detour,
        }),
        JournalLine::Moved { current, kept, .. } => Some(RecordedEvent::VersionSwitched {
            current: *current,
            kept: *kept,
        }),
        JournalLine::Command {
            command,
            before,
            rejected,
            work_steps,
            ..
        } => {
            // All other lines record nothing that is replayed.
            let command = EngineCommand::parse_recorded(command)
                .ok()
                .filter(EngineCommand::persists_on_resume)?;
            let place = CommandPosition {
                before: *before,
                rejected: *rejected,
                work_steps: *work_steps,
            };
            Some(RecordedEvent::Command { place, command })
        }
        JournalLine::Result { .. }
        | JournalLine::Pass { .. }
        | JournalLine::Resumed { .. }
        | JournalLine::Finished { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times of the decisions in these lines, in milliseconds since 1970. The run began at second 1,000.
    fn decided(lines: &[&str]) -> Vec<Option<u128>> {
        let header = r#"{"lop":"0.1.0","format":3,"files":[],"strategy":"lop","minimizer":"galloping","limit":{"fixed":0},"run":{"input":"a.c","mode":420,"test":"t.sh","test_hash":"","output":"b.c","environment":[],"began":1000}}"#;
        let header: JournalHeader = serde_json::from_str(header).expect("a header");
        let mut clock = RecordedClock::new(&header);
        let mut times = Vec::new();
        for line in lines {
            let line: JournalLine = serde_json::from_str(line).expect("a line");
            clock.apply_line(&line);
            if let Some(RecordedEvent::Decided { time, .. }) =
                decode_event(&line, &ResultsByCandidate::default(), &clock)
            {
                times.push(time.map(|time| time.since_1970().as_millis()));
            }
        }
        times
    }

    const FIRST: &str = r#"{"decision":1,"hash":"000000000000000000000000000000ff","verdict":"uninteresting","limit_ns":null,"ms":2500}"#;
    const SECOND: &str = r#"{"decision":2,"hash":"000000000000000000000000000000fe","verdict":"uninteresting","limit_ns":null,"ms":3000}"#;

    #[test]
    fn a_break_of_the_run_does_not_put_its_clock_back() {
        assert_eq!(
            decided(&[FIRST, SECOND]),
            [Some(1_002_500), Some(1_003_000)]
        );
        let resumed = r#"{"resumed":"0.1.0","exactly":true,"began":90000}"#;
        assert_eq!(
            decided(&[FIRST, resumed, SECOND]),
            [Some(1_002_500), Some(90_000_500)]
        );
    }

    #[test]
    fn a_resumption_that_does_not_say_when_leaves_the_time_unknown() {
        let resumed = r#"{"resumed":"0.1.0","exactly":true}"#;
        assert_eq!(decided(&[FIRST, resumed, SECOND]), [Some(1_002_500), None]);
    }
}
