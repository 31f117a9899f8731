//! A lesson that is played without a screen: told in lines, or for its page without a word.

use std::sync::Arc;
use std::time::Duration;

use super::launched_run::ShownRun;
use super::plan::LessonPlan;
use super::signals::TerminationSignals;
use crate::cli::failure::CommandFailure;
use crate::display::ConsoleWriter;
use crate::lesson::{LessonPlayer, LessonStep};
use crate::oracle::Verdict;
use crate::plain::{LessonLines, LessonListener, RunHeader, RunReporter, RunSummary, play_lesson};
use crate::program::{FileText, Version, apply_edit};
use crate::reduce::{DecisionDetails, RunEvent, RunSnapshot};

/// What a step of a lesson led to.
#[derive(Clone, Debug, Default)]
pub struct LessonMark {
    /// The number of the version at its end.
    pub version: u64,
    /// What was decided in it.
    pub decisions: Vec<Arc<DecisionDetails>>,
    /// The texts of the last candidate, if it was rejected.
    pub candidate: Option<Vec<FileText>>,
}

/// How a lesson went.
#[derive(Clone, Debug, Default)]
pub struct ToldLesson {
    /// What each step led to.
    pub marks: Vec<LessonMark>,
    /// The first command that the run refused, and why.
    pub refused: Option<String>,
    /// What the run was to go on until, and never was.
    pub missed: Vec<String>,
}

/// Hears a lesson: keeps the marks, and tells it in lines if there are any.
struct LessonRecorder {
    marks: Vec<LessonMark>,
    /// What was decided since the last mark.
    decisions: Vec<Arc<DecisionDetails>>,
    lines: Option<LessonLines>,
}

impl LessonListener for LessonRecorder {
    fn hear_step(&mut self, number: (usize, usize), step: &LessonStep) {
        if let Some(lines) = &mut self.lines {
            lines.hear_step(number, step);
        }
    }

    fn hear_decision(&mut self, decided: &Arc<DecisionDetails>) {
        self.decisions.push(decided.clone());
        if let Some(lines) = &mut self.lines {
            lines.hear_decision(decided);
        }
    }

    fn hear_settled(&mut self, step: &LessonStep, snapshot: &RunSnapshot) {
        let decisions = std::mem::take(&mut self.decisions);
        let last = decisions.last();
        self.marks.push(LessonMark {
            version: snapshot.number,
            candidate: last.and_then(|last| rejected_texts(&snapshot.version, last)),
            decisions,
        });
        if let Some(lines) = &mut self.lines {
            lines.hear_settled(step, snapshot);
        }
    }
}

/// The texts of a candidate of this version that was rejected.
fn rejected_texts(version: &Version, decided: &DecisionDetails) -> Option<Vec<FileText>> {
    if decided.verdict == Verdict::Interesting {
        return None;
    }
    let (candidate, _) = apply_edit(version, &decided.edit).ok()?;
    Some(candidate.render_texts())
}

/// Reports what goes wrong, and nothing else: the lesson tells the rest.
struct TroubleReporter;

impl RunReporter for TroubleReporter {
    fn report_start(&mut self, _: &RunHeader) {}
    fn report_event(&mut self, _: &RunEvent, _: Duration) {}
    fn report_note(&mut self, text: &str, _: Duration) {
        crate::cli::messages::report_message(text);
    }
    fn report_idle(&mut self, _: Duration) {}
    fn report_end(&mut self, _: &RunSummary) {}
}

/// Plays the lesson to its end; the exit status, and how it went.
pub fn tell_lesson(
    shown: ShownRun,
    plan: &LessonPlan,
    signals: &TerminationSignals,
) -> Result<(u8, ToldLesson), CommandFailure> {
    let lines = LessonLines::new(ConsoleWriter::stdout());
    let mut recorder = LessonRecorder {
        marks: Vec::new(),
        decisions: Vec::new(),
        lines: plan.is_told.then_some(lines),
    };
    let mut player = LessonPlayer::new(plan.lesson.clone());
    if let Some(lines) = &mut recorder.lines {
        lines.tell_title(&plan.lesson);
    }
    let signal = play_lesson(&shown.run, &mut player, &mut recorder, &signals.received);
    let totals = shown.finish_run(signal, &mut TroubleReporter)?;
    let told = ToldLesson {
        marks: recorder.marks,
        refused: player.refused_command().map(str::to_owned),
        missed: player.missed_conditions().to_vec(),
    };
    Ok((totals.exit_status(), told))
}
