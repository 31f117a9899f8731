//! The end of a run, in numbers and in words.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::format::{format_bytes, format_duration, format_percent, format_tokens};
use super::{RunHeader, quote_path_for_display};
use crate::display::{EscapeHidden, format_count, format_number};
use crate::oracle::FarmStatus;
use crate::program::Objective;
use crate::program::pair::PairSizes;
use crate::reduce::{
    FinishReason, MinimalityClaim, OtherFailure, Quorum, RunCounts, RunSnapshot, RunState, RunTally,
};

/// How many other failures are listed.
const OTHERS_SHOWN: usize = 3;

/// The end of a run.
#[derive(Clone, Debug)]
pub struct RunSummary {
    /// Why it ended.
    pub finish: FinishReason,
    /// The proven minimality of the result; none if the engine died.
    pub claim: Option<MinimalityClaim>,
    /// The signal that stopped it, if one did.
    pub signal: Option<i32>,
    /// Why the result's file could not be written, if it could not.
    pub output_error: Option<String>,
    /// Where the result is.
    pub output: PathBuf,
    /// Where the program is that a generator makes of the result; none if the result is the program.
    pub program: Option<PathBuf>,
    /// Where verdicts of other runs are.
    pub cache: Option<PathBuf>,
    /// Tokens before and after; of a pair, those of both programs together.
    pub tokens: (u32, u32),
    /// Bytes before and after.
    pub bytes: (u32, u32),
    /// Files before and after; none for one program or a pair.
    pub files: Option<[u32; 2]>,
    /// The sizes of a pair before and after; none for one program.
    pub pair: Option<[PairSizes; 2]>,
    /// What the run makes smaller, and how much of it there was and is; none where tokens and bytes say it.
    pub objective: Option<(&'static str, [u32; 2])>,
    /// The time of the run, without the test of the original.
    pub time: Duration,
    /// The part of that time in which the run was paused, as far as it is known.
    pub paused_time: Duration,
    /// The counters of the run.
    pub counts: RunCounts,
    /// The quorum at the end of the run.
    pub quorum: Quorum,
    /// The verdicts of all runs of the test on the result.
    pub result_tally: RunTally,
    /// Candidates that show another failure.
    pub other_failures: Arc<[OtherFailure]>,
    /// The farm that ran tests too; none without one.
    pub farm: Option<FarmStatus>,
    /// Processor time of lop itself, without tests.
    pub own_cpu: Duration,
}

impl RunSummary {
    /// The totals of a run whose last snapshot this is.
    pub fn new(
        last: &RunSnapshot,
        about: &RunHeader,
        signal: Option<i32>,
        lost: Option<String>,
    ) -> RunSummary {
        let finish = match &last.state {
            RunState::Finished(finish) => finish.clone(),
            RunState::Running | RunState::Paused(_) | RunState::Stalled(_) => {
                FinishReason::Failed("lop's engine died, which is a fault of lop".into())
            }
        };
        RunSummary {
            // A signal after the end has not stopped the run.
            signal: signal.filter(|_| finish == FinishReason::Stopped),
            finish,
            claim: last.claim.clone(),
            output_error: lost,
            output: about.output.clone(),
            program: about
                .generator
                .as_ref()
                .map(|generator| generator.program.clone()),
            cache: about.cache.clone(),
            tokens: (last.original.0, last.kept_version().1.token_count()),
            bytes: (last.original.1, last.kept_version().1.byte_count()),
            files: about
                .files
                .map(|files| [files, last.kept_version().1.file_count()]),
            pair: about
                .pair
                .as_ref()
                .and_then(|pair| Some([pair.sizes, PairSizes::of_version(last.kept_version().1)?])),
            objective: measure_objective(last),
            time: last.now.saturating_duration_since(last.started),
            paused_time: Duration::ZERO,
            counts: last.counts,
            quorum: last.quorum,
            result_tally: last.version_tally,
            other_failures: last.other_failures.clone(),
            farm: last.farm,
            own_cpu: own_cpu_time(),
        }
    }

    /// The exit status of this end.
    pub fn exit_status(&self) -> u8 {
        match (&self.output_error, &self.finish, self.signal) {
            (Some(_), ..) | (None, FinishReason::Failed(_), _) => 3,
            (None, FinishReason::Stopped, Some(signal)) => {
                128u8.saturating_add(signal.try_into().unwrap_or(0))
            }
            // `q` on the screen ends like Ctrl-C.
            (None, FinishReason::Stopped, None) => 130,
            (None, FinishReason::Complete, _) => 0,
        }
    }

    /// Where the result is, and what it makes.
    fn describe_result(&self) -> String {
        let output = self.output.escape_hidden();
        match &self.program {
            None => format!("the result is in {output}"),
            Some(program) => format!(
                "the result is in {output}, and the program that it makes in {}",
                program.escape_hidden()
            ),
        }
    }

    /// The number of tests whose verdicts were recalled.
    fn describe_recalled(&self) -> String {
        let known = match &self.cache {
            Some(directory) => format!("recalled from {}", quote_path_for_display(directory)),
            None => "recalled from before".into(),
        };
        match self.counts.from_store {
            0 => String::new(),
            all => format!(", {} of them {known}", format_number(all)),
        }
    }

    /// The time of pauses.
    fn describe_pauses(&self) -> String {
        match self.paused_time.is_zero() {
            true => String::new(),
            false => format!(" and {} of pauses", format_duration(self.paused_time)),
        }
    }

    /// The lines with which a run ends.
    pub fn format_lines(&self) -> Vec<String> {
        let RunSummary {
            tokens: (before, after),
            bytes: (bytes_before, bytes_after),
            counts,
            ..
        } = self;
        let why = match (&self.finish, self.signal) {
            (FinishReason::Complete, _) if counts.accepted == 0 => {
                "complete: nothing could go, and nothing is left to try for these passes".to_owned()
            }
            (FinishReason::Complete, _) => {
                "complete: nothing is left to try for these passes".to_owned()
            }
            (FinishReason::Stopped, Some(signal)) => format!(
                "stopped by {}; the best version is kept",
                signal_name(signal)
            ),
            (FinishReason::Stopped, None) => "stopped; the best version is kept".to_owned(),
            (FinishReason::Failed(reason), _) => {
                format!("failed: {reason}\nThe best version so far is kept.")
            }
        };
        let result = match &self.output_error {
            None => self.describe_result(),
            Some(lost) => lost.clone(),
        };
        let files = self.files.map(|[before, after]| {
            let (before, after) = (before.into(), after.into());
            format!(
                "from {} to {}, ",
                format_count(before, "file"),
                format_number(after)
            )
        });
        let files = files.unwrap_or_default();
        let mut parts = vec![
            format!("{} interesting", counts.interesting),
            format!("{} uninteresting", counts.uninteresting),
        ];
        parts.push(format!("{} invalid", counts.invalid));
        parts.push(format!("{} timed out", counts.timed_out));
        let claim = self
            .claim
            .iter()
            .map(|claim| format!("the result is {claim}"));
        let mut lines = vec![why];
        lines.extend(claim);
        lines.extend(self.describe_other_failures());
        lines.extend([
            result,
            match self.pair {
                None => {
                    let sizes =
                        describe_reduction([*before, *after], [*bytes_before, *bytes_after]);
                    let sizes = files + &sizes;
                    match self.objective {
                        // A choice is a token, and a byte.
                        Some((units, counts)) if self.program.is_some() => {
                            describe_objective(units, counts)
                        }
                        Some((units, counts)) => {
                            format!("{}; {sizes}", describe_objective(units, counts))
                        }
                        None => sizes,
                    }
                }
                Some(pair) => describe_pair_reduction(pair),
            },
            format!(
                "{} in {}{}{}: {}",
                format_count(counts.tests, "test"),
                format_duration(self.time.saturating_sub(self.paused_time)),
                self.describe_pauses(),
                self.describe_recalled(),
                parts.join(", "),
            ),
            format!(
                "{} more known from this run ({} of them except for white space); {} started speculatively and not needed",
                format_count(counts.cached, "verdict"),
                counts.respaced,
                format_count(counts.unused_tests(), "test"),
            ),
            ]);
        lines.extend(self.describe_document_tests());
        lines.extend(self.describe_repeats());
        lines.extend(self.farm.as_ref().map(describe_farm));
        lines.extend([format!(
            "lop itself used {:.2} s of processor time",
            self.own_cpu.as_secs_f64()
        )]);
        lines
    }

    /// How often the test of each document of a pair ran; none if the test sees the whole program.
    fn describe_document_tests(&self) -> Option<String> {
        let [seed, variant] = self.counts.tests_by_document;
        (seed + variant > 0).then(|| {
            format!(
                "{} of the seed and {} of the variant ran",
                format_count(seed, "test"),
                format_number(variant)
            )
        })
    }

    /// The repeated runs on the same bytes; none if only the last check was repeated and agreed.
    fn describe_repeats(&self) -> Option<String> {
        let counts = &self.counts;
        let silent = counts.changed == 0 && self.quorum == Quorum::ONCE;
        (!silent).then(|| {
            format!(
                "{} repeated, {} changed; the result holds in {}, and {} were required",
                format_count(counts.repeated, "verdict"),
                counts.changed,
                self.result_tally,
                self.quorum
            )
        })
    }

    /// Where the first other failures are and how to reduce them, and how many more there are.
    fn describe_other_failures(&self) -> Vec<String> {
        let others = self.other_failures.iter().take(OTHERS_SHOWN).map(|other| {
            let advice = match self.pair {
                None => format!(
                    "lop {} and a test for it",
                    quote_path_for_display(&other.path)
                ),
                Some(_) => "lop pair with its two programs and tests for them".into(),
            };
            format!(
                "another failure, in {} ({}): reduce it by {advice}",
                other.path.escape_hidden(),
                format_bytes(other.bytes.try_into().unwrap_or(u32::MAX)),
            )
        });
        let mut lines: Vec<String> = others.collect();
        let more = self.other_failures.get(OTHERS_SHOWN..).unwrap_or_default();
        if let Some(directory) = more.first().and_then(|other| other.path.parent()) {
            lines.push(format!(
                "{} in {}",
                format_count(more.len() as u64, "more failure"),
                directory.escape_hidden()
            ));
        }
        lines
    }
}

/// How much of its objective a run had and has; none for tokens and bytes, and for a pair, which has sizes of its own.
fn measure_objective(last: &RunSnapshot) -> Option<(&'static str, [u32; 2])> {
    let objective = last.version.objective();
    let is_told = matches!(
        objective,
        Objective::Tokens | Objective::Bytes | Objective::Pair
    );
    let original = last.curve.front().map(|point| point.size)?;
    let sizes = [original, last.kept_version().1.size()];
    (!is_told).then(|| (objective.units(), sizes.map(|size| size.primary())))
}

/// "lines from 40 to 3 (7.5 %)".
fn describe_objective(units: &str, [before, after]: [u32; 2]) -> String {
    let [old, new] = [before, after].map(|count| format_number(count.into()));
    match before {
        0 => format!("{units} from {old} to {new}"),
        _ => format!(
            "{units} from {old} to {new} ({})",
            format_percent(after, before)
        ),
    }
}

/// The size before and after; in bytes if no token was removed.
fn describe_reduction([before, after]: [u32; 2], [bytes_before, bytes_after]: [u32; 2]) -> String {
    let in_bytes = format!(
        "from {} to {}",
        format_bytes(bytes_before),
        format_bytes(bytes_after)
    );
    match before == after && bytes_before != bytes_after {
        true => format!(
            "{in_bytes} ({}); the {} stayed",
            format_percent(bytes_after, bytes_before),
            format_tokens(after)
        ),
        false => format!(
            "from {} to {} ({}), {in_bytes}",
            format_tokens(before),
            format_tokens(after),
            format_percent(after, before)
        ),
    }
}

/// The sizes of a pair before and after.
fn describe_pair_reduction(pair: [PairSizes; 2]) -> String {
    let change = |size: fn(&PairSizes) -> u32| {
        let [before, after] = pair.each_ref().map(size);
        let sizes = format!(
            "from {} to {}",
            format_tokens(before),
            format_number(after.into())
        );
        // Nothing is no part of a seed that was empty.
        match before {
            0 => sizes,
            _ => format!("{sizes} ({})", format_percent(after, before)),
        }
    };
    format!(
        "the difference {}, the variant {}, the seed {}",
        change(|sizes| sizes.difference),
        change(|sizes| sizes.variant),
        change(|sizes| sizes.seed)
    )
}

/// What the process had used before lop began: a program that becomes another one, as `cargo run` does, leaves it its processor time.
static CPU_BEFORE: OnceLock<Duration> = OnceLock::new();

/// Says that lop begins: processor time counts from here.
pub fn start_cpu_clock() {
    CPU_BEFORE.get_or_init(process_cpu_time);
}

/// Processor time of all threads of this process since lop began, and of the helpers around its tests.
fn own_cpu_time() -> Duration {
    let before = CPU_BEFORE.get().copied().unwrap_or_default();
    process_cpu_time().saturating_sub(before) + crate::oracle::helpers_cpu()
}

fn process_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(
        time.tv_sec.try_into().unwrap_or(0),
        time.tv_nsec.try_into().unwrap_or(0),
    )
}

/// What the farm did, and what it cost.
fn describe_farm(farm: &FarmStatus) -> String {
    let mut text = format!(
        "the farm gave {}, {} of them from its cache, for {}; {} ran on this machine",
        format_count(farm.verdicts, "verdict"),
        format_number(farm.cached),
        farm.describe_cost(),
        format_count(farm.local_tests, "test"),
    );
    if farm.failures > 0 {
        text.push_str(&format!(
            "; {} of the farm were no verdict",
            format_count(farm.failures, "answer")
        ));
    }
    if farm.disputes > 0 {
        text.push_str(&format!(
            "; {} of the farm did not hold on this machine",
            format_count(farm.disputes, "answer")
        ));
    }
    text
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

    fn totals(finish: FinishReason, signal: Option<i32>, lost: Option<&str>) -> RunSummary {
        RunSummary {
            claim: (finish == FinishReason::Complete).then(|| MinimalityClaim {
                minimal: true,
                ..MinimalityClaim::default()
            }),
            finish,
            signal,
            output_error: lost.map(str::to_owned),
            output: "bug.lop.c".into(),
            program: None,
            cache: None,
            tokens: (6291, 163),
            bytes: (28014, 702),
            files: None,
            pair: None,
            objective: None,
            time: Duration::from_millis(12_340),
            paused_time: Duration::ZERO,
            counts: RunCounts {
                decisions: 13,
                tests: 10,
                interesting: 4,
                uninteresting: 5,
                invalid: 1,
                started: 12,
                cached: 3,
                respaced: 1,
                accepted: 4,
                ..RunCounts::default()
            },
            quorum: Quorum::ONCE,
            result_tally: RunTally::default(),
            other_failures: Arc::default(),
            farm: None,
            own_cpu: Duration::from_millis(120),
        }
    }

    #[test]
    fn another_objective_than_tokens_and_bytes_is_told_first() {
        let totals = RunSummary {
            objective: Some(("lines", [1200, 3])),
            ..totals(FinishReason::Complete, None, None)
        };
        let line = &totals.format_lines()[3];
        let said = "lines from 1,200 to 3 (0.2 %); from 6,291 tokens to 163";
        assert!(line.starts_with(said), "{line}");
    }

    #[test]
    fn the_exit_status_tells_the_end() {
        assert_eq!(totals(FinishReason::Complete, None, None).exit_status(), 0);
        assert_eq!(
            totals(FinishReason::Stopped, Some(2), None).exit_status(),
            130
        );
        assert_eq!(
            totals(FinishReason::Stopped, Some(15), None).exit_status(),
            143
        );
        assert_eq!(
            totals(FinishReason::Stopped, Some(1), None).exit_status(),
            129
        );
        assert_eq!(totals(FinishReason::Stopped, None, None).exit_status(), 130);
        assert_eq!(
            totals(FinishReason::Failed("no".into()), None, None).exit_status(),
            3
        );
        assert_eq!(
            totals(FinishReason::Complete, None, Some("the disk is full")).exit_status(),
            3
        );
    }

    #[test]
    fn the_last_lines_tell_where_how_small_how_long() {
        assert_eq!(
            totals(FinishReason::Complete, None, None)
                .format_lines()
                .join("\n"),
            "complete: nothing is left to try for these passes\n\
             the result is 1-tree-minimal for these passes (no single part of its tree can go)\n\
             the result is in bug.lop.c\n\
             from 6,291 tokens to 163 tokens (2.6 %), from 28,014 bytes to 702 bytes\n\
             10 tests in 12.3 s: 4 interesting, 5 uninteresting, 1 invalid, 0 timed out\n\
             3 verdicts more known from this run (1 of them except for white space); 2 tests started speculatively and not needed\n\
             lop itself used 0.12 s of processor time"
        );
    }

    #[test]
    fn a_night_that_a_run_was_paused_is_told_apart() {
        let mut totals = totals(FinishReason::Complete, None, None);
        let night = Duration::from_secs(9 * 3600);
        (totals.time, totals.paused_time) = (totals.time + night, night);
        let line = &totals.format_lines()[4];
        assert!(
            line.starts_with("10 tests in 12.3 s and 9 h 00 min of pauses: 4"),
            "{line}"
        );
    }

    #[test]
    fn what_a_cache_was_good_for_is_told() {
        let mut totals = totals(FinishReason::Complete, None, None);
        (totals.counts.from_store, totals.cache) = (7, Some("known".into()));
        let lines = totals.format_lines();
        assert!(
            lines[4].starts_with("10 tests in 12.3 s, 7 of them recalled from known: 4"),
            "{lines:?}"
        );
    }

    #[test]
    fn of_a_pair_the_tests_of_each_document_are_told() {
        let mut totals = totals(FinishReason::Complete, None, None);
        totals.counts.tests_by_document = [4, 1009];
        let lines = totals.format_lines();
        assert_eq!(lines[6], "4 tests of the seed and 1,009 of the variant ran");
    }

    #[test]
    fn of_a_pair_the_difference_comes_first() {
        let mut totals = totals(FinishReason::Complete, None, None);
        let sizes = |[difference, variant, seed]: [u32; 3]| PairSizes {
            difference,
            variant,
            seed,
        };
        totals.pair = Some([sizes([465, 47_810, 48_079]), sizes([4, 26, 24])]);
        assert_eq!(
            totals.format_lines()[3],
            "the difference from 465 tokens to 4 (0.9 %), the variant from 47,810 tokens to 26 (0.1 %), the seed from 48,079 tokens to 24 (0.0 %)"
        );
        totals.pair = Some([sizes([51, 51, 0]), sizes([1, 26, 25])]);
        assert_eq!(
            totals.format_lines()[3],
            "the difference from 51 tokens to 1 (2.0 %), the variant from 51 tokens to 26 (51.0 %), the seed from 0 tokens to 25"
        );
    }

    #[test]
    fn of_many_other_failures_a_few_are_told_before_the_result() {
        let mut totals = totals(FinishReason::Complete, None, None);
        let other = |number| OtherFailure {
            name: format!("exit-1-{number}"),
            path: format!("bug.lop.also/exit-1-{number}.c").into(),
            bytes: 7,
            seen: 1,
        };
        totals.other_failures = (0..28).map(other).collect();
        let lines = totals.format_lines();
        assert_eq!(
            lines[4],
            "another failure, in bug.lop.also/exit-1-2.c (7 bytes): reduce it by lop bug.lop.also/exit-1-2.c and a test for it"
        );
        assert_eq!(lines[5], "25 more failures in bug.lop.also");
        assert_eq!(lines[6], "the result is in bug.lop.c");
    }

    #[test]
    fn where_only_comments_went_bytes_are_told() {
        let mut totals = totals(FinishReason::Complete, None, None);
        totals.tokens = (3801, 3801);
        assert_eq!(
            totals.format_lines()[3],
            "from 28,014 bytes to 702 bytes (2.5 %); the 3,801 tokens stayed"
        );
    }
}
