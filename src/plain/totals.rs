//! How a run ended, in numbers and in words.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::words::{bytes, count, grouped, percent, seconds, tokens};
use super::{About, quoted};
use crate::display::Shown;
use crate::reduce::{Claim, Counts, Finish, Other, Quorum, Snapshot, State, Tally};

/// How many other failures are told one by one.
const OTHERS_SHOWN: usize = 3;

/// The end of a run.
#[derive(Clone, Debug)]
pub struct Totals {
    /// Why it ended.
    pub finish: Finish,
    /// What that proves of the result; none if the engine died.
    pub claim: Option<Claim>,
    /// The signal that stopped it, if one did.
    pub signal: Option<i32>,
    /// What went wrong with the result's file, if anything did: it could not be written.
    pub lost: Option<String>,
    /// Where the result is.
    pub output: PathBuf,
    /// Where verdicts of other runs are.
    pub cache: Option<PathBuf>,
    /// Tokens before and after.
    pub tokens: (u32, u32),
    /// Bytes before and after.
    pub bytes: (u32, u32),
    /// From the start of the run to its end; the test of the original is not in it.
    pub time: Duration,
    /// How much of that the run stood still, as far as it is known.
    pub rested: Duration,
    /// What was counted.
    pub counts: Counts,
    /// How many runs of the test had to say yes at the end.
    pub quorum: Quorum,
    /// What the test has said of the result, in all its runs.
    pub holds: Tally,
    /// Candidates that show another failure.
    pub others: Arc<[Other]>,
    /// Processor time of lop itself, tests not counted.
    pub own_cpu: Duration,
}

impl Totals {
    /// The totals of a run whose last snapshot this is.
    pub fn new(
        last: &Snapshot,
        about: &About,
        signal: Option<i32>,
        lost: Option<String>,
    ) -> Totals {
        let finish = match &last.state {
            State::Finished(finish) => finish.clone(),
            State::Running | State::Paused(_) | State::Stuck(_) => {
                Finish::Failed("lop's engine died, which is a fault of lop".into())
            }
        };
        Totals {
            // A signal that came when all was done has stopped nothing.
            signal: signal.filter(|_| finish == Finish::Stopped),
            finish,
            claim: last.claim.clone(),
            lost,
            output: about.output.clone(),
            cache: about.cache.clone(),
            tokens: (last.original.0, last.kept().1.tokens()),
            bytes: (last.original.1, last.kept().1.bytes()),
            time: last.now.saturating_duration_since(last.started),
            rested: Duration::ZERO,
            counts: last.counts,
            quorum: last.quorum,
            holds: last.holds,
            others: last.others.clone(),
            own_cpu: own_cpu(),
        }
    }

    /// The exit status that tells this end.
    pub fn status(&self) -> u8 {
        match (&self.lost, &self.finish, self.signal) {
            (Some(_), ..) | (None, Finish::Failed(_), _) => 3,
            (None, Finish::Stopped, Some(signal)) => {
                128u8.saturating_add(signal.try_into().unwrap_or(0))
            }
            // `q` on the screen is Ctrl-C by another name.
            (None, Finish::Stopped, None) => 130,
            (None, Finish::Complete, _) => 0,
        }
    }

    /// How many of the tests were none, since it was known what they say.
    fn recalled(&self) -> String {
        let known = match &self.cache {
            Some(directory) => format!("recalled from {}", quoted(directory)),
            None => "recalled from before".into(),
        };
        match self.counts.recalled {
            0 => String::new(),
            all => format!(", {} of them {known}", grouped(all)),
        }
    }

    /// What is no time of tests, but went by.
    fn pauses(&self) -> String {
        match self.rested.is_zero() {
            true => String::new(),
            false => format!(" and {} of pauses", seconds(self.rested)),
        }
    }

    /// The lines with which a run ends.
    pub fn lines(&self) -> Vec<String> {
        let Totals {
            tokens: (before, after),
            bytes: (bytes_before, bytes_after),
            counts,
            ..
        } = self;
        let why = match (&self.finish, self.signal) {
            (Finish::Complete, _) if counts.taken == 0 => {
                "complete: nothing could go, and nothing is left to try for these passes".to_owned()
            }
            (Finish::Complete, _) => "complete: nothing is left to try for these passes".to_owned(),
            (Finish::Stopped, Some(signal)) => format!(
                "stopped by {}; the best version is kept",
                signal_name(signal)
            ),
            (Finish::Stopped, None) => "stopped; the best version is kept".to_owned(),
            (Finish::Failed(reason), _) => {
                format!("failed: {reason}\nThe best version until then is kept.")
            }
        };
        let result = match &self.lost {
            None => format!("the result is in {}", self.output.shown()),
            Some(lost) => lost.clone(),
        };
        let mut parts = vec![
            format!("{} interesting", counts.interesting),
            format!("{} boring", counts.boring),
        ];
        parts.push(format!("{} invalid", counts.invalid));
        parts.push(format!("{} timed out", counts.timed_out));
        let claim = self
            .claim
            .iter()
            .map(|claim| format!("the result is {claim}"));
        let mut lines = vec![why];
        lines.extend(claim);
        lines.extend(self.kept_others());
        lines.extend([
            result,
            smaller([*before, *after], [*bytes_before, *bytes_after]),
            format!(
                "{} in {}{}{}: {}",
                count(counts.tests, "test"),
                seconds(self.time.saturating_sub(self.rested)),
                self.pauses(),
                self.recalled(),
                parts.join(", "),
            ),
            format!(
                "{} more known from this run itself ({} of them but for white space); {} started ahead, but not needed",
                count(counts.cached, "answer"),
                counts.respaced,
                count(counts.unused(), "test"),
            ),
            ]);
        lines.extend(self.repeated());
        lines.extend([format!(
            "lop itself used {:.2} s of processor time",
            self.own_cpu.as_secs_f64()
        )]);
        lines
    }

    /// What there is to say of runs on the same bytes; nothing of the one at the end, if it said what was said before.
    fn repeated(&self) -> Option<String> {
        let counts = &self.counts;
        let silent = counts.changed == 0 && self.quorum == Quorum::ONCE;
        (!silent).then(|| {
            format!(
                "{} repeated, {} changed; the result holds in {}, and {} were wanted",
                count(counts.repeated, "verdict"),
                counts.changed,
                self.holds,
                self.quorum
            )
        })
    }

    /// Where other failures are, and how to go on with them: a few, and how many more.
    fn kept_others(&self) -> Vec<String> {
        let others = self.others.iter().take(OTHERS_SHOWN).map(|other| {
            format!(
                "another failure, in {} ({}): lop {} with a test for it reduces that",
                other.path.shown(),
                bytes(other.bytes.try_into().unwrap_or(u32::MAX)),
                quoted(&other.path)
            )
        });
        let mut lines: Vec<String> = others.collect();
        let more = self.others.get(OTHERS_SHOWN..).unwrap_or_default();
        if let Some(directory) = more.first().and_then(|other| other.path.parent()) {
            lines.push(format!(
                "{} in {}",
                count(more.len() as u64, "more failure"),
                directory.shown()
            ));
        }
        lines
    }
}

/// What went: where that is no token, in bytes.
fn smaller([before, after]: [u32; 2], [bytes_before, bytes_after]: [u32; 2]) -> String {
    let in_bytes = format!("from {} to {}", bytes(bytes_before), bytes(bytes_after));
    match before == after && bytes_before != bytes_after {
        true => format!(
            "{in_bytes} ({}); the {} stayed",
            percent(bytes_after, bytes_before),
            tokens(after)
        ),
        false => format!(
            "from {} to {} ({}), {in_bytes}",
            tokens(before),
            tokens(after),
            percent(after, before)
        ),
    }
}

/// Processor time of all threads of this process since its start, and of the helpers around its tests.
fn own_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let ours = Duration::new(
        time.tv_sec.try_into().unwrap_or(0),
        time.tv_nsec.try_into().unwrap_or(0),
    );
    ours + crate::oracle::helpers_cpu()
}

/// The name of a signal that ends a run.
fn signal_name(signal: i32) -> String {
    match signal {
        1 => "SIGHUP (the terminal has gone)".into(),
        2 => "Ctrl-C (SIGINT)".into(),
        15 => "SIGTERM".into(),
        other => format!("signal {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(finish: Finish, signal: Option<i32>, lost: Option<&str>) -> Totals {
        Totals {
            claim: (finish == Finish::Complete).then(|| Claim {
                minimal: true,
                left_out: Vec::new(),
            }),
            finish,
            signal,
            lost: lost.map(str::to_owned),
            output: "bug.lop.c".into(),
            cache: None,
            tokens: (6291, 163),
            bytes: (28014, 702),
            time: Duration::from_millis(12_340),
            rested: Duration::ZERO,
            counts: Counts {
                decisions: 13,
                tests: 10,
                interesting: 4,
                boring: 5,
                invalid: 1,
                started: 12,
                cached: 3,
                respaced: 1,
                taken: 4,
                ..Counts::default()
            },
            quorum: Quorum::ONCE,
            holds: Tally::default(),
            others: Arc::default(),
            own_cpu: Duration::from_millis(120),
        }
    }

    #[test]
    fn the_exit_status_tells_the_end() {
        assert_eq!(totals(Finish::Complete, None, None).status(), 0);
        assert_eq!(totals(Finish::Stopped, Some(2), None).status(), 130);
        assert_eq!(totals(Finish::Stopped, Some(15), None).status(), 143);
        assert_eq!(totals(Finish::Stopped, Some(1), None).status(), 129);
        assert_eq!(totals(Finish::Stopped, None, None).status(), 130);
        assert_eq!(totals(Finish::Failed("no".into()), None, None).status(), 3);
        assert_eq!(
            totals(Finish::Complete, None, Some("the disk is full")).status(),
            3
        );
    }

    #[test]
    fn the_last_lines_tell_where_how_small_how_long() {
        assert_eq!(
            totals(Finish::Complete, None, None).lines().join("\n"),
            "complete: nothing is left to try for these passes\n\
             the result is 1-tree-minimal for these passes (no single part of its tree can go)\n\
             the result is in bug.lop.c\n\
             from 6,291 tokens to 163 tokens (2.6 %), from 28,014 bytes to 702 bytes\n\
             10 tests in 12.3 s: 4 interesting, 5 boring, 1 invalid, 0 timed out\n\
             3 answers more known from this run itself (1 of them but for white space); 2 tests started ahead, but not needed\n\
             lop itself used 0.12 s of processor time"
        );
    }

    #[test]
    fn a_night_that_a_run_was_paused_is_told_apart() {
        let mut totals = totals(Finish::Complete, None, None);
        let night = Duration::from_secs(9 * 3600);
        (totals.time, totals.rested) = (totals.time + night, night);
        let line = &totals.lines()[4];
        assert!(
            line.starts_with("10 tests in 12.3 s and 9 h 00 min of pauses: 4"),
            "{line}"
        );
    }

    #[test]
    fn what_a_cache_was_good_for_is_told() {
        let mut totals = totals(Finish::Complete, None, None);
        (totals.counts.recalled, totals.cache) = (7, Some("known".into()));
        let lines = totals.lines();
        assert!(
            lines[4].starts_with("10 tests in 12.3 s, 7 of them recalled from known: 4"),
            "{lines:?}"
        );
    }

    #[test]
    fn of_many_other_failures_a_few_are_told_before_the_result() {
        let mut totals = totals(Finish::Complete, None, None);
        let other = |number| Other {
            name: format!("exit-1-{number}"),
            path: format!("bug.lop.also/exit-1-{number}.c").into(),
            bytes: 7,
            seen: 1,
        };
        totals.others = (0..28).map(other).collect();
        let lines = totals.lines();
        assert_eq!(
            lines[4],
            "another failure, in bug.lop.also/exit-1-2.c (7 bytes): lop bug.lop.also/exit-1-2.c with a test for it reduces that"
        );
        assert_eq!(lines[5], "25 more failures in bug.lop.also");
        assert_eq!(lines[6], "the result is in bug.lop.c");
    }

    #[test]
    fn where_only_comments_went_bytes_are_told() {
        let mut totals = totals(Finish::Complete, None, None);
        totals.tokens = (3801, 3801);
        assert_eq!(
            totals.lines()[3],
            "from 28,014 bytes to 702 bytes (2.5 %); the 3,801 tokens stayed"
        );
    }
}
