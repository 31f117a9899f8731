//! Playing a lesson: which step is shown, and which command the run gets next. It sees snapshots, and knows no screen, clock or thread.
//!
//! A step begins when the one before is over: its text is shown and its commands are sent, one at a time. A command is over when the run has
//! executed or refused it and stands still. Back and forth among steps that have begun changes only what is shown.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{Lesson, LessonStep};
use crate::reduce::{EngineCommand, RunSnapshot, RunState};

/// What a key that goes forth or back did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LessonMove {
    /// The next step has begun.
    Moved,
    /// A step that had begun is shown again.
    Retold,
    /// The answer to the question of the step is shown.
    Revealed,
    /// The run still does what the step told it.
    Busy,
    /// The lesson is over, and nothing is told any more.
    Over,
    /// This is the first step.
    AtStart,
}

/// A command that was sent to the run.
#[derive(Clone, Debug)]
struct SentCommand {
    command: EngineCommand,
    /// How many commands the run had executed or refused before.
    heard: u64,
    /// How many decisions there were.
    decisions: u64,
}

/// The place in a lesson.
#[derive(Clone, Debug)]
pub struct LessonPlayer {
    lesson: Arc<Lesson>,
    /// The step that is shown; the number of steps after the end.
    shown: usize,
    /// The newest step that has begun.
    reached: usize,
    /// Its commands that were not sent yet.
    waiting: VecDeque<EngineCommand>,
    sent: Option<SentCommand>,
    /// Whether its question was answered, or it asks none.
    is_answered: bool,
    /// The first command that the run refused, and why.
    refused: Option<String>,
}

impl LessonPlayer {
    /// At the first step.
    pub fn new(lesson: Arc<Lesson>) -> LessonPlayer {
        let mut player = LessonPlayer {
            lesson,
            shown: 0,
            reached: 0,
            waiting: VecDeque::new(),
            sent: None,
            is_answered: true,
            refused: None,
        };
        player.begin_step(0);
        player
    }

    /// The lesson.
    pub fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// The step that is shown and its number, from 1; none after the end.
    pub fn shown_step(&self) -> Option<(usize, &LessonStep)> {
        let step = self.lesson.steps.get(self.shown)?;
        Some((self.shown + 1, step))
    }

    /// Whether nothing is told any more.
    pub fn is_over(&self) -> bool {
        self.shown >= self.lesson.steps.len()
    }

    /// Whether the answer to the question of the shown step may be seen.
    pub fn is_answered(&self) -> bool {
        self.shown < self.reached || self.is_answered
    }

    /// Whether the run still does what the newest step told it.
    pub fn is_busy(&self) -> bool {
        self.sent.is_some() || !self.waiting.is_empty()
    }

    /// Whether the answer to the command that is sent next stays hidden: it is the last of a step that asks, and leads to one question.
    pub fn hides_next(&self) -> bool {
        let is_last = self.waiting.len() == 1 && self.waiting[0].asks_one_question();
        !self.is_answered && is_last
    }

    /// Whether the audience may say yes or no: the question of the shown step is what the test says, and it was not answered yet.
    pub fn takes_guess(&self) -> bool {
        let step = self.shown_step();
        step.is_some_and(|(_, step)| step.takes_guess) && !self.is_answered()
    }

    /// The first command that the run refused, with the reason.
    pub fn refused_command(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// Goes on: to the answer, to the next step, or to the end.
    pub fn go_forth(&mut self) -> LessonMove {
        match () {
            () if self.shown < self.reached => {
                self.shown += 1;
                return LessonMove::Retold;
            }
            () if self.is_over() => return LessonMove::Over,
            () if self.is_busy() => return LessonMove::Busy,
            () if !self.is_answered => {
                self.is_answered = true;
                return LessonMove::Revealed;
            }
            () if self.reached + 1 < self.lesson.steps.len() => self.begin_step(self.reached + 1),
            () => {
                self.shown += 1;
                return LessonMove::Over;
            }
        }
        LessonMove::Moved
    }

    /// Shows the step before. The run stays where it is.
    pub fn go_back(&mut self) -> LessonMove {
        match self.shown {
            0 => LessonMove::AtStart,
            shown => {
                self.shown = shown - 1;
                LessonMove::Retold
            }
        }
    }

    fn begin_step(&mut self, at: usize) {
        let step = &self.lesson.steps[at];
        (self.shown, self.reached) = (at, at);
        self.waiting = step.commands.iter().cloned().collect();
        self.is_answered = step.question.is_none();
    }

    /// The command to send now, given the newest snapshot; none while the run still works, or if there is none.
    pub fn next_command(&mut self, snapshot: &RunSnapshot) -> Option<EngineCommand> {
        if let Some(sent) = self.sent.take_if(|sent| sent.is_over(snapshot)) {
            self.note_refusal(&sent, snapshot);
        }
        if self.sent.is_some() || !stands_still(snapshot) {
            return None;
        }
        let command = self.waiting.pop_front()?;
        if matches!(snapshot.state, RunState::Finished(_)) {
            self.refuse(&command, "the run has ended");
            return None;
        }
        self.sent = Some(SentCommand {
            command: command.clone(),
            heard: snapshot.last_command.0,
            decisions: snapshot.counts.decisions,
        });
        Some(command)
    }

    /// Remembers that the run refused a command. The rest of its step would have another meaning.
    fn note_refusal(&mut self, sent: &SentCommand, snapshot: &RunSnapshot) {
        let outcome = snapshot.last_command.1.as_ref();
        if let Some(Err(reason)) = outcome.map(|last| &last.outcome)
            && snapshot.last_command.0 > sent.heard
        {
            self.refuse(&sent.command, reason);
        }
    }

    fn refuse(&mut self, command: &EngineCommand, problem: &str) {
        self.waiting.clear();
        let number = self.reached + 1;
        self.refused
            .get_or_insert(format!("step {number}: {command}: {problem}"));
    }
}

impl SentCommand {
    /// Whether the run has executed or refused it, and stands still.
    fn is_over(&self, snapshot: &RunSnapshot) -> bool {
        let is_finished = matches!(snapshot.state, RunState::Finished(_));
        let is_heard = snapshot.last_command.0 > self.heard;
        let is_refused = || {
            let last = snapshot.last_command.1.as_ref();
            last.is_some_and(|last| last.outcome.is_err())
        };
        let is_decided = match self.command.asks_one_question() {
            true => snapshot.counts.decisions > self.decisions || is_refused(),
            false => true,
        };
        is_finished || is_heard && is_decided && stands_still(snapshot)
    }
}

/// Whether the run waits for a command, or has ended.
fn stands_still(snapshot: &RunSnapshot) -> bool {
    snapshot.state.is_suspended() || matches!(snapshot.state, RunState::Finished(_))
}
