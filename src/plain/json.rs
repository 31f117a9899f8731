//! JSON lines, for programs. `docs/JSON.md` tells what each holds; a change here is a change there.

use std::time::Duration;

use serde::Serialize;

use super::{About, Out, Totals, Voice};
use crate::reduce::{Ending, Event, Finish, Other};

/// Tells a run in JSON, one object a line.
pub struct Json {
    out: Out,
}

impl Json {
    /// Lines on this place.
    pub fn new(out: Out) -> Json {
        Json { out }
    }

    /// There is no run, or none any more: why, and the exit status.
    pub fn error(&mut self, message: &str, status: u8) {
        self.line(&Line::Error { message, status });
    }

    fn line(&mut self, line: &Line<'_>) {
        // Our own types, without maps or foreign keys, always serialise.
        if let Ok(text) = serde_json::to_string(line) {
            self.out.json(&text);
        }
    }
}

impl Voice for Json {
    fn begin(&mut self, about: &About) {
        self.line(&Line::Begin {
            version: env!("CARGO_PKG_VERSION"),
            file: about.file.to_string_lossy().into_owned(),
            language: about.language.as_deref(),
            tokens: about.tokens,
            bytes: about.bytes,
            faults: about.faults,
            test: about.test.to_string(),
            property: about.test.property().map(ToString::to_string),
            first_test_s: seconds(about.first),
            limit_s: about.limit.map(seconds),
            output: about.output.to_string_lossy().into_owned(),
            scratch: about.scratch.to_string_lossy().into_owned(),
            scratch_why: &about.scratch_why,
            containment: &about.containment,
            notes: &about.notes,
        });
    }

    fn event(&mut self, event: &Event, time: Duration) {
        let t = seconds(time);
        let line = match event {
            Event::Started { tokens, bytes } => Line::Started {
                t,
                tokens: *tokens,
                bytes: *bytes,
            },
            Event::PassStarted { pass, round } => Line::Pass {
                t,
                pass,
                round: *round,
            },
            Event::Decided(decided) => Line::Decided {
                t,
                decision: decided.decision,
                ending: ending(decided.ending),
                pass: decided.why.pass,
                why: &decided.sentence,
                saved: decided.saved,
                cached: decided.time.is_none(),
                test_s: decided.time.map(seconds),
                exit: Some(decided.exit.as_str()).filter(|exit| !exit.is_empty()),
            },
            Event::Taken {
                decision,
                version,
                tokens,
                bytes,
            } => Line::Taken {
                t,
                decision: *decision,
                version: *version,
                tokens: *tokens,
                bytes: *bytes,
            },
            Event::Paused { before, reason } => Line::Paused {
                t,
                before: *before,
                reason: reason.as_deref(),
            },
            Event::Resumed { before } => Line::Resumed { t, before: *before },
            Event::Obeyed {
                before,
                command,
                outcome,
            } => Line::Command {
                t,
                before: *before,
                command,
                says: outcome.as_ref().ok().and_then(Option::as_deref),
                problem: outcome.as_ref().err().map(String::as_str),
            },
            Event::Moved {
                version,
                tokens,
                bytes,
            } => Line::Moved {
                t,
                version: *version,
                tokens: *tokens,
                bytes: *bytes,
            },
            Event::Note(text) => Line::Note { t, text },
            // The totals say it.
            Event::Finished(_) => return,
        };
        self.line(&line);
    }

    fn note(&mut self, text: &str, time: Duration) {
        self.line(&Line::Note {
            t: seconds(time),
            text,
        });
    }

    fn quiet(&mut self, _: Duration) {}

    fn end(&mut self, totals: &Totals) {
        let (finish, message) = match (&totals.finish, &totals.lost) {
            (_, Some(lost)) => ("failed", Some(lost.as_str())),
            (Finish::Failed(reason), None) => ("failed", Some(reason.as_str())),
            (Finish::Stopped, None) => ("stopped", None),
            (Finish::Complete, None) => ("complete", None),
        };
        let counts = &totals.counts;
        self.line(&Line::Totals {
            finish,
            message,
            status: totals.status(),
            minimal: totals.claim.as_ref().is_some_and(|claim| claim.minimal),
            left_out: totals
                .claim
                .iter()
                .flat_map(|claim| &claim.left_out)
                .map(ToString::to_string)
                .collect(),
            output: totals.output.to_string_lossy().into_owned(),
            tokens_before: totals.tokens.0,
            tokens_after: totals.tokens.1,
            bytes_before: totals.bytes.0,
            bytes_after: totals.bytes.1,
            time_s: seconds(totals.time),
            decisions: counts.decisions,
            tests: counts.tests,
            interesting: counts.interesting,
            boring: counts.boring,
            invalid: counts.invalid,
            timed_out: counts.timed_out,
            cached: counts.cached,
            respaced: counts.respaced,
            started: counts.started,
            unused: counts.unused(),
            refused: counts.refused,
            taken: counts.taken,
            repeated: counts.repeated,
            changed: counts.changed,
            confirm: totals.quorum.to_string(),
            holds: [totals.holds.yes, totals.holds.runs],
            others: totals.others.iter().map(other).collect(),
            own_cpu_s: seconds(totals.own_cpu),
        });
    }
}

/// Seconds, to the microsecond.
fn seconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e6
}

fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Interesting => "interesting",
        Ending::Boring => "boring",
        Ending::Invalid => "invalid",
        Ending::TimedOut => "timed_out",
    }
}

/// One line. The order of the fields is the order in which they are written.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    Begin {
        version: &'static str,
        file: String,
        language: Option<&'a str>,
        tokens: u32,
        bytes: u32,
        faults: u32,
        test: String,
        property: Option<String>,
        first_test_s: f64,
        limit_s: Option<f64>,
        output: String,
        scratch: String,
        scratch_why: &'a str,
        containment: &'a str,
        notes: &'a [String],
    },
    Started {
        t: f64,
        tokens: u32,
        bytes: u32,
    },
    Pass {
        t: f64,
        pass: &'a str,
        round: u32,
    },
    Decided {
        t: f64,
        decision: u64,
        ending: &'static str,
        pass: &'a str,
        why: &'a str,
        saved: u32,
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
    },
    Note {
        t: f64,
        text: &'a str,
    },
    Error {
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
        tokens_before: u32,
        tokens_after: u32,
        bytes_before: u32,
        bytes_after: u32,
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
        confirm: String,
        holds: [u32; 2],
        others: Vec<Kept>,
        own_cpu_s: f64,
    },
}

/// A candidate that shows another failure.
#[derive(Serialize)]
struct Kept {
    name: String,
    path: String,
    bytes: u64,
    seen: u64,
}

fn other(other: &Other) -> Kept {
    Kept {
        name: other.name.clone(),
        path: other.path.to_string_lossy().into_owned(),
        bytes: other.bytes,
        seen: other.seen,
    }
}
