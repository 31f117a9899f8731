//! JSON lines, for programs. `docs/JSON.md` describes each; a change here needs a change there.

use std::time::Duration;

use serde::Serialize;

use super::{ConsoleWriter, RunHeader, RunReporter, RunSummary};
use crate::oracle::{FarmState, FarmStatus, Verdict};
use crate::program::ObjectiveSize;
use crate::program::pair::PairSizes;
use crate::reduce::{FinishReason, OtherFailure, RunEvent};

/// The version of the lines. Fields and kinds of lines are added within one; what a field means, or that it is there, changes with a new one only. `tests/command_line/cli/json_lines.rs` has all fields.
const FORMAT: u32 = 1;

/// Reports a run in JSON, one object a line.
pub struct JsonReporter {
    out: ConsoleWriter,
    /// Whether the run reduces a pair.
    is_pair: bool,
}

impl JsonReporter {
    /// A reporter that writes here.
    pub fn new(out: ConsoleWriter) -> JsonReporter {
        JsonReporter {
            out,
            is_pair: false,
        }
    }

    /// Reports why there is no run, with the exit status.
    pub fn report_error(&mut self, message: &str, status: u8) {
        self.write_line(&JsonEvent::Error {
            format: FORMAT,
            message,
            status,
        });
    }

    /// The tokens of the three parts of a pair; none for one program.
    fn pair_tokens(&self, size: &ObjectiveSize) -> Option<JsonPairTokens> {
        let [difference, variant, seed, ..] = size.0;
        self.is_pair.then_some(JsonPairTokens {
            difference,
            variant,
            seed,
        })
    }

    fn write_line(&mut self, line: &JsonEvent<'_>) {
        // Our own types, without maps or foreign keys, always serialise.
        if let Ok(text) = serde_json::to_string(line) {
            self.out.write_json(&text);
        }
    }
}

impl RunReporter for JsonReporter {
    fn report_start(&mut self, about: &RunHeader) {
        self.is_pair = about.pair.is_some();
        self.write_line(&JsonEvent::Begin {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION"),
            file: about.file.to_string_lossy().into_owned(),
            seed: about
                .pair
                .as_ref()
                .map(|pair| pair.seed.to_string_lossy().into_owned()),
            pair: about
                .pair
                .as_ref()
                .map(|pair| JsonPairTokens::from(pair.sizes)),
            language: about.language.as_deref(),
            tokens: about.tokens,
            bytes: about.bytes,
            faults: about.faults,
            test: about.test.to_string(),
            server: about.test.is_served(),
            property: about.test.property().map(ToString::to_string),
            first_test_s: seconds_f64(about.first),
            limit_s: about.limit.map(seconds_f64),
            output: about.output.to_string_lossy().into_owned(),
            generator: about
                .generator
                .as_ref()
                .map(|generator| generator.line.as_str()),
            program: about
                .generator
                .as_ref()
                .map(|generator| generator.program.to_string_lossy().into_owned()),
            scratch: about.scratch.to_string_lossy().into_owned(),
            scratch_why: &about.scratch_why,
            containment: &about.containment,
            notes: &about.notes,
        });
    }

    fn report_event(&mut self, event: &RunEvent, time: Duration) {
        let t = seconds_f64(time);
        let line = match event {
            RunEvent::Started {
                tokens,
                bytes,
                size,
            } => JsonEvent::Started {
                t,
                tokens: *tokens,
                bytes: *bytes,
                size: size.primary(),
                pair: self.pair_tokens(size),
            },
            RunEvent::PassStarted { pass, round, scope } => JsonEvent::Pass {
                t,
                pass,
                round: *round,
                scope: scope.as_deref(),
            },
            RunEvent::Decided(decided) => JsonEvent::Decided {
                t,
                decision: decided.decision,
                ending: verdict_name(decided.verdict),
                pass: decided.why.pass,
                why: decided.sentence.to_string(),
                question: &decided.sentence.question,
                detail: &decided.sentence.detail,
                short: &decided.sentence.short,
                saved: -decided.change.0,
                cached: decided.time.is_none(),
                test_s: decided.time.map(seconds_f64),
                exit: Some(decided.exit.as_str()).filter(|exit| !exit.is_empty()),
            },
            RunEvent::Accepted {
                decision,
                version,
                tokens,
                bytes,
                size,
            } => JsonEvent::Taken {
                t,
                decision: *decision,
                version: *version,
                tokens: *tokens,
                bytes: *bytes,
                size: size.primary(),
                pair: self.pair_tokens(size),
            },
            RunEvent::Paused { before, reason, .. } => JsonEvent::Paused {
                t,
                before: *before,
                reason: reason.as_deref(),
            },
            RunEvent::Resumed { before } => JsonEvent::Resumed { t, before: *before },
            RunEvent::CommandApplied {
                before,
                command,
                outcome,
            } => JsonEvent::Command {
                t,
                before: *before,
                command,
                says: outcome.as_ref().ok().and_then(Option::as_deref),
                problem: outcome.as_ref().err().map(String::as_str),
            },
            RunEvent::Proposed { before, command } => JsonEvent::Command {
                t,
                before: *before,
                command,
                says: None,
                problem: None,
            },
            RunEvent::VersionSwitched {
                version,
                tokens,
                bytes,
                size,
            } => JsonEvent::Moved {
                t,
                version: *version,
                tokens: *tokens,
                bytes: *bytes,
                size: size.primary(),
                pair: self.pair_tokens(size),
            },
            RunEvent::Note(text) => JsonEvent::Note { t, text },
            // The totals report both.
            RunEvent::Finished(_) | RunEvent::Replayed { .. } => return,
        };
        self.write_line(&line);
    }

    fn report_note(&mut self, text: &str, time: Duration) {
        self.write_line(&JsonEvent::Note {
            t: seconds_f64(time),
            text,
        });
    }

    fn report_idle(&mut self, _: Duration) {}

    fn report_end(&mut self, totals: &RunSummary) {
        let (finish, message) = match (&totals.finish, &totals.output_error) {
            (_, Some(lost)) => ("failed", Some(lost.as_str())),
            (FinishReason::Failed(reason), None) => ("failed", Some(reason.as_str())),
            (FinishReason::Stopped, None) => ("stopped", None),
            (FinishReason::Complete, None) => ("complete", None),
        };
        let counts = &totals.counts;
        self.write_line(&JsonEvent::Totals {
            finish,
            message,
            status: totals.exit_status(),
            minimal: totals.claim.as_ref().is_some_and(|claim| claim.minimal),
            left_out: totals
                .claim
                .iter()
                .flat_map(|claim| &claim.left_out)
                .map(ToString::to_string)
                .collect(),
            output: totals.output.to_string_lossy().into_owned(),
            program: totals
                .program
                .as_ref()
                .map(|program| program.to_string_lossy().into_owned()),
            files_before: totals.files.map(|files| files[0]),
            files_after: totals.files.map(|files| files[1]),
            tokens_before: totals.tokens.0,
            tokens_after: totals.tokens.1,
            bytes_before: totals.bytes.0,
            bytes_after: totals.bytes.1,
            pair: totals.pair.map(JsonPairReduction::from),
            time_s: seconds_f64(totals.time),
            decisions: counts.decisions,
            tests: counts.tests,
            interesting: counts.interesting,
            boring: counts.uninteresting,
            invalid: counts.invalid,
            timed_out: counts.timed_out,
            cached: counts.cached,
            respaced: counts.respaced,
            started: counts.started,
            unused: counts.unused_tests(),
            refused: counts.rejected,
            taken: counts.accepted,
            repeated: counts.repeated,
            changed: counts.changed,
            tests_by_document: Some(counts.tests_by_document).filter(|tests| *tests != [0; 2]),
            confirm: totals.quorum.to_string(),
            holds: [totals.result_tally.yes, totals.result_tally.runs],
            others: totals
                .other_failures
                .iter()
                .map(to_json_other_failure)
                .collect(),
            farm: totals.farm.as_ref().map(JsonFarm::from),
            own_cpu_s: seconds_f64(totals.own_cpu),
        });
    }
}

/// Seconds, to the microsecond.
fn seconds_f64(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e6
}

fn verdict_name(ending: Verdict) -> &'static str {
    match ending {
        Verdict::Interesting => "interesting",
        Verdict::Uninteresting => "boring",
        Verdict::Invalid => "invalid",
        Verdict::TimedOut => "timed_out",
    }
}

/// A farm at the end of a run.
#[derive(Serialize)]
struct JsonFarm {
    state: FarmState,
    workers: usize,
    verdicts: u64,
    cached: u64,
    local_tests: u64,
    failures: u64,
    disputes: u64,
    latency_s: Option<f64>,
    worker_s: f64,
}

impl From<&FarmStatus> for JsonFarm {
    fn from(farm: &FarmStatus) -> JsonFarm {
        JsonFarm {
            state: farm.state,
            workers: farm.workers,
            verdicts: farm.verdicts,
            cached: farm.cached,
            local_tests: farm.local_tests,
            failures: farm.failures,
            disputes: farm.disputes,
            latency_s: farm.latency.map(seconds_f64),
            worker_s: seconds_f64(farm.worker_time),
        }
    }
}

/// One line. The order of the fields is the order in which they are written.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum JsonEvent<'a> {
    Begin {
        format: u32,
        version: &'static str,
        file: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        seed: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pair: Option<JsonPairTokens>,
        language: Option<&'a str>,
        tokens: u32,
        bytes: u32,
        faults: u32,
        test: String,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        server: bool,
        property: Option<String>,
        first_test_s: f64,
        limit_s: Option<f64>,
        output: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        generator: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        program: Option<String>,
        scratch: String,
        scratch_why: &'a str,
        containment: &'a str,
        notes: &'a [String],
    },
    Started {
        t: f64,
        tokens: u32,
        bytes: u32,
        size: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        pair: Option<JsonPairTokens>,
    },
    Pass {
        t: f64,
        pass: &'a str,
        round: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        scope: Option<&'a str>,
    },
    Decided {
        t: f64,
        decision: u64,
        ending: &'static str,
        pass: &'a str,
        why: String,
        question: &'a str,
        detail: &'a str,
        short: &'a str,
        saved: i64,
        cached: bool,
        test_s: Option<f64>,
        exit: Option<&'a str>,
    },
    Taken {
        t: f64,
        decision: u64,
        version: u64,
        tokens: u32,
        bytes: u32,
        size: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        pair: Option<JsonPairTokens>,
    },
    Paused {
        t: f64,
        before: u64,
        reason: Option<&'a str>,
    },
    Resumed {
        t: f64,
        before: u64,
    },
    Command {
        t: f64,
        before: u64,
        command: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        says: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        problem: Option<&'a str>,
    },
    Moved {
        t: f64,
        version: u64,
        tokens: u32,
        bytes: u32,
        size: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        pair: Option<JsonPairTokens>,
    },
    Note {
        t: f64,
        text: &'a str,
    },
    Error {
        format: u32,
        message: &'a str,
        status: u8,
    },
    Totals {
        finish: &'static str,
        message: Option<&'a str>,
        status: u8,
        minimal: bool,
        left_out: Vec<String>,
        output: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        program: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        files_before: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        files_after: Option<u32>,
        tokens_before: u32,
        tokens_after: u32,
        bytes_before: u32,
        bytes_after: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        pair: Option<JsonPairReduction>,
        time_s: f64,
        decisions: u64,
        tests: u64,
        interesting: u64,
        boring: u64,
        invalid: u64,
        timed_out: u64,
        cached: u64,
        respaced: u64,
        started: u64,
        unused: u64,
        refused: u64,
        taken: u64,
        repeated: u64,
        changed: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        tests_by_document: Option<[u64; 2]>,
        confirm: String,
        holds: [u32; 2],
        others: Vec<JsonOtherFailure>,
        #[serde(skip_serializing_if = "Option::is_none")]
        farm: Option<JsonFarm>,
        own_cpu_s: f64,
    },
}

/// The tokens of a pair.
#[derive(Serialize)]
struct JsonPairTokens {
    difference: u32,
    variant: u32,
    seed: u32,
}

/// The tokens of a pair, before and after.
#[derive(Serialize)]
struct JsonPairReduction {
    difference: [u32; 2],
    variant: [u32; 2],
    seed: [u32; 2],
}

impl From<PairSizes> for JsonPairTokens {
    fn from(sizes: PairSizes) -> JsonPairTokens {
        JsonPairTokens {
            difference: sizes.difference,
            variant: sizes.variant,
            seed: sizes.seed,
        }
    }
}

impl From<[PairSizes; 2]> for JsonPairReduction {
    fn from(pair: [PairSizes; 2]) -> JsonPairReduction {
        JsonPairReduction {
            difference: pair.map(|sizes| sizes.difference),
            variant: pair.map(|sizes| sizes.variant),
            seed: pair.map(|sizes| sizes.seed),
        }
    }
}

/// A candidate that shows another failure.
#[derive(Serialize)]
struct JsonOtherFailure {
    name: String,
    path: String,
    bytes: u64,
    seen: u64,
}

fn to_json_other_failure(other: &OtherFailure) -> JsonOtherFailure {
    JsonOtherFailure {
        name: other.name.clone(),
        path: other.path.to_string_lossy().into_owned(),
        bytes: other.bytes,
        seen: other.seen,
    }
}
