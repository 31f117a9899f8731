//! Progress lines, for people and logs.

use std::time::Duration;

use super::decision_line::format_decision;
use super::format::{format_duration, format_percent};
use super::{ConsoleWriter, RunHeader, RunReporter, RunSummary};
use crate::display::{UnixTime, WallClock, format_count, format_number, sanitize_line};
use crate::oracle::{Verdict, read_zone_offset};
use crate::program::{Objective, ObjectiveSize};
use crate::reduce::RunEvent;

/// The time between two lines of the same pass while the program gets smaller.
const APART: Duration = Duration::from_millis(500);
/// The time between two lines while it does not.
const PATIENCE: Duration = Duration::from_secs(60);

/// Reports a run in lines of plain text.
///
/// ```text
///   12.3 s      163 tokens    2.6 %      402 tests  perses, round 2
///   12.3 s  difference 4, variant 26, seed 24      402 tests  certificate
/// ```
pub struct LineReporter {
    out: ConsoleWriter,
    original: ObjectiveSize,
    size: ObjectiveSize,
    /// What the sizes count.
    objective: Objective,
    tests: u64,
    timed_out: u64,
    pass: String,
    /// When the last line was written; none before the first.
    last_line_at: Option<Duration>,
    /// The size in that line.
    told_size: ObjectiveSize,
    /// The passes that had a line at that size.
    told_passes: Vec<&'static str>,
    /// Whether something happened since that line.
    has_unreported: bool,
    /// Whether the run is paused: there is nothing to tell.
    is_paused: bool,
    /// Whether each decision has a line, and everything is told in words without columns.
    tells_decisions: bool,
}

impl LineReporter {
    /// A reporter that writes here.
    pub fn new(out: ConsoleWriter) -> LineReporter {
        LineReporter {
            out,
            original: ObjectiveSize::default(),
            size: ObjectiveSize::default(),
            objective: Objective::default(),
            tests: 0,
            timed_out: 0,
            pass: "starting".into(),
            last_line_at: None,
            told_size: ObjectiveSize::default(),
            told_passes: Vec::new(),
            is_paused: false,
            has_unreported: false,
            tells_decisions: false,
        }
    }

    /// The same with a line for each decision in place of the lines of progress between passes, in words that can be read aloud.
    pub fn with_decisions(self) -> LineReporter {
        LineReporter {
            tells_decisions: true,
            ..self
        }
    }

    fn write_progress(&mut self, time: Duration) {
        let timed_out = match self.timed_out {
            0 => String::new(),
            more => format!("; {} timed out", format_count(more, "test")),
        };
        let tests = format_count(self.tests, "test");
        let (time_text, size) = (format_duration(time), self.describe_size());
        let line = match self.tells_decisions {
            true => format!(
                "{}: {}, {tests}{timed_out}, {time_text}.",
                self.pass,
                size.join(", ")
            ),
            false => format!(
                "{time_text:>12}  {}  {tests:>13}  {}{timed_out}",
                self.align_size(&size),
                self.pass
            ),
        };
        self.out.write_line(&line);
        if self.told_size != self.size {
            self.told_passes.clear();
        }
        (self.last_line_at, self.told_size) = (Some(time), self.size);
        self.has_unreported = false;
    }

    /// The current size; of a program also as a part of the original.
    fn describe_size(&self) -> Vec<String> {
        match (&self.objective, self.size.0) {
            (Objective::Pair, [difference, variant, seed, ..]) => {
                let sizes = [
                    ("difference", difference),
                    ("variant", variant),
                    ("seed", seed),
                ];
                let describe = |(name, tokens): (&str, u32)| {
                    format!("{name} {}", format_number(tokens.into()))
                };
                sizes.map(describe).into()
            }
            (objective, [size, ..]) => vec![
                format_count(size.into(), objective.unit()),
                format_percent(size, self.original.primary()),
            ],
        }
    }

    /// The same in columns.
    fn align_size(&self, size: &[String]) -> String {
        match size {
            [size, share] => format!("{size:>16}  {share:>7}"),
            _ => format!("{:<44}", size.join(", ")),
        }
    }

    /// Something happened: writes a line if the last one is old enough.
    fn write_progress_if_due(&mut self, time: Duration) {
        self.has_unreported = true;
        if !self.tells_decisions && self.is_line_due(time) {
            self.write_progress(time);
        }
    }

    /// Whether the last line is old enough. Where the size is still that of this line, the next one has little to tell.
    fn is_line_due(&self, time: Duration) -> bool {
        let apart = match self.size == self.told_size {
            true => PATIENCE,
            false => APART,
        };
        self.last_line_at.is_none_or(|last| time >= last + apart)
    }

    /// A pass has begun. It has a line, unless it had one at this size already.
    fn report_pass(&mut self, pass: &'static str, time: Duration) {
        let is_told = self.size == self.told_size && self.told_passes.contains(&pass);
        if self.tells_decisions || !is_told || self.is_line_due(time) {
            self.write_progress(time);
        }
        if !is_told {
            self.told_passes.push(pass);
        }
    }

    /// The time of day, behind what is rare.
    fn format_clock() -> String {
        let clock = WallClock {
            now: UnixTime::now(),
            offset_at: read_zone_offset,
        };
        clock.format_time(clock.now)
    }
}

impl RunReporter for LineReporter {
    fn report_start(&mut self, about: &RunHeader) {
        self.objective = about.objective.clone();
        for line in about.format_lines() {
            self.out
                .write_line(&format!("lop: {}", sanitize_line(&line)));
        }
        self.out
            .write_line(&format!("lop: begun at {}", Self::format_clock()));
    }

    fn report_event(&mut self, event: &RunEvent, time: Duration) {
        match event {
            RunEvent::Started { size, .. } => {
                (self.original, self.size) = (*size, *size);
            }
            RunEvent::PassStarted { pass, round, scope } => {
                self.pass = if *round > 1 {
                    format!("{pass}, round {round}")
                } else {
                    (*pass).to_string()
                };
                if let Some(scope) = scope {
                    self.pass.push_str(&format!(": {}", sanitize_line(scope)));
                }
                self.report_pass(pass, time);
            }
            RunEvent::Decided(decided) => {
                let tested = decided.time.is_some();
                self.tests += u64::from(tested);
                self.timed_out += u64::from(tested && decided.verdict == Verdict::TimedOut);
                if self.tells_decisions {
                    self.out.write_line(&format_decision(decided));
                }
                self.write_progress_if_due(time);
            }
            RunEvent::Accepted { size, .. } => {
                self.size = *size;
                self.write_progress_if_due(time);
            }
            RunEvent::Paused {
                reason,
                is_attended,
                ..
            } => {
                let reason = reason
                    .as_ref()
                    .map(|reason| format!(": {}", sanitize_line(reason)))
                    .unwrap_or_default();
                let who = match is_attended {
                    true => "an attached screen can resume it",
                    false => "without a screen nobody can resume the run",
                };
                self.is_paused = true;
                let clock = Self::format_clock();
                self.out
                    .write_line(&format!("lop: paused{reason}; {who} ({clock})"));
            }
            // Its question has a line.
            RunEvent::Proposed { .. } => {}
            // The pause and its end have lines.
            RunEvent::CommandApplied {
                command,
                outcome: Ok(_),
                ..
            } if ["pause", "resume"].contains(&&**command) => {}
            RunEvent::CommandApplied {
                before,
                command,
                outcome,
            } => {
                let says = match outcome {
                    Ok(None) => String::new(),
                    Ok(Some(says)) => format!(" ({says})"),
                    Err(problem) => format!(" failed: {problem}"),
                };
                let command = shorten_command(command);
                let command = sanitize_line(&command);
                self.out.write_line(&format!(
                    "lop: {command}{}, before decision {before}",
                    sanitize_line(&says)
                ));
            }
            RunEvent::Replayed { counts, .. } => {
                (self.tests, self.timed_out) = (counts.tests, counts.timed_out);
            }
            RunEvent::VersionSwitched { version, size, .. } => {
                self.size = *size;
                self.out
                    .write_line(&format!("lop: at version {version} now"));
            }
            RunEvent::Resumed { .. } => {
                self.is_paused = false;
                let clock = Self::format_clock();
                self.out.write_line(&format!("lop: resumed ({clock})"));
            }
            RunEvent::Note(text) => self.report_note(text, time),
            // The last line of progress is exact.
            RunEvent::Finished(_) if self.has_unreported => self.write_progress(time),
            RunEvent::Finished(_) => {}
        }
    }

    fn report_note(&mut self, text: &str, _: Duration) {
        self.out
            .write_line(&format!("lop: {}", sanitize_line(text)));
    }

    fn report_idle(&mut self, time: Duration) {
        let is_due = match self.tells_decisions {
            true => self.last_line_at.is_none_or(|last| time >= last + PATIENCE),
            false => self.is_line_due(time),
        };
        if is_due && !self.is_paused {
            self.write_progress(time);
        }
    }

    fn report_end(&mut self, totals: &RunSummary) {
        self.out
            .write_line(&format!("lop: ended at {}", Self::format_clock()));
        for line in totals.format_lines() {
            self.out.write_line(&format!("lop: {line}"));
        }
    }
}

/// A command on one line, without the text of an edit.
fn shorten_command(command: &str) -> String {
    match command.split_once('"') {
        Some((verb, _)) if command.starts_with("edit") => verb.trim().to_owned(),
        _ => command.to_owned(),
    }
}
