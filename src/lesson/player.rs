//! Playing a lesson: which step is shown, and which command the run gets next. It sees snapshots, and knows no screen, clock or thread.
//!
//! When a step begins its text is shown and its commands are sent, one at a time. A command is over when the run has executed or refused it and
//! stands still.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{Lesson, LessonCommand, LessonMove, LessonPlace};
use crate::reduce::{EngineCommand, RunSnapshot};

/// A command that was sent to the run.
#[derive(Clone, Debug)]
struct SentCommand {
    command: EngineCommand,
    /// The line of the lesson's file that has it.
    line: usize,
    /// How many commands the run had executed or refused before.
    heard: u64,
    /// How many decisions there were.
    decisions: u64,
}

/// The place in a lesson.
#[derive(Clone, Debug)]
pub struct LessonPlayer {
    place: LessonPlace,
    /// The commands of the newest step that were not sent yet.
    waiting: VecDeque<LessonCommand>,
    sent: Option<SentCommand>,
    /// The first command that the run refused, and why.
    refused: Option<String>,
    /// What the run was to go on until, and never was.
    missed: Vec<String>,
}

impl LessonPlayer {
    /// At the first step.
    pub fn new(lesson: Arc<Lesson>) -> LessonPlayer {
        let mut player = LessonPlayer {
            place: LessonPlace::new(lesson),
            waiting: VecDeque::new(),
            sent: None,
            refused: None,
            missed: Vec::new(),
        };
        player.begin_commands();
        player
    }

    /// The place in its steps.
    pub fn place(&self) -> &LessonPlace {
        &self.place
    }

    /// Whether the run still does what the newest step told it.
    pub fn is_busy(&self) -> bool {
        self.sent.is_some() || !self.waiting.is_empty()
    }

    /// Whether the answer to the command that is sent next stays hidden: it is the last of a step that asks, and leads to one question.
    pub fn hides_next(&self) -> bool {
        let is_last = self.waiting.len() == 1 && self.waiting[0].command.asks_one_question();
        !self.place.is_newest_answered() && is_last
    }

    /// Whether the audience may say yes or no: the question of the shown step is what the test says, and it was not answered yet.
    pub fn takes_guess(&self) -> bool {
        let step = self.place.shown_step();
        step.is_some_and(|(_, step)| step.takes_guess) && !self.place.is_answered()
    }

    /// The first command that the run refused, with the reason.
    pub fn refused_command(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// What the run was to go on until, and never was: the step and the condition.
    pub fn missed_conditions(&self) -> &[String] {
        &self.missed
    }

    /// Where the command stands that the run was sent last and has not come to its end with: `step 2, line 15`.
    pub fn sent_place(&self) -> Option<String> {
        let sent = self.sent.as_ref()?;
        Some(self.describe_place(sent.line))
    }

    fn describe_place(&self, line: usize) -> String {
        format!("step {}, line {line}", self.place.newest_number())
    }

    /// Goes on: to the answer, to the next step, or to the end.
    pub fn go_forth(&mut self) -> LessonMove {
        let went = self.place.go_forth(self.is_busy());
        if went == LessonMove::Began {
            self.begin_commands();
        }
        went
    }

    /// Shows the step before. The run stays where it is.
    pub fn go_back(&mut self) -> LessonMove {
        self.place.go_back()
    }

    fn begin_commands(&mut self) {
        let commands = &self.place.newest_step().commands;
        self.waiting = commands.iter().cloned().collect();
    }

    /// The command to send now, given the newest snapshot; none while the run still works, or if there is none.
    pub fn next_command(&mut self, snapshot: &RunSnapshot) -> Option<EngineCommand> {
        if let Some(sent) = self.sent.take_if(|sent| sent.is_over(snapshot)) {
            self.note_refusal(&sent, snapshot);
            self.note_missed(&sent, snapshot);
        }
        if self.sent.is_some() || !stands_still(snapshot) {
            return None;
        }
        let LessonCommand { command, line } = self.waiting.pop_front()?;
        if snapshot.state.is_finished() {
            self.refuse(&command, line, "the run has ended");
            return None;
        }
        self.sent = Some(SentCommand {
            command: command.clone(),
            line,
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
            self.refuse(&sent.command, sent.line, reason);
        }
    }

    /// Remembers a condition that did not come before the end of the run.
    fn note_missed(&mut self, sent: &SentCommand, snapshot: &RunSnapshot) {
        if let EngineCommand::Until(_) = sent.command
            && snapshot.state.is_finished()
        {
            let number = self.place.newest_number();
            let line = sent.command.to_string();
            let condition = line.trim_start_matches("until ");
            self.missed
                .push(format!("step {number}: {condition} was not reached"));
        }
    }

    fn refuse(&mut self, command: &EngineCommand, line: usize, problem: &str) {
        self.waiting.clear();
        let place = self.describe_place(line);
        self.refused
            .get_or_insert(format!("{place}: {command}: {problem}"));
    }
}

impl SentCommand {
    /// Whether the run has executed or refused it, and stands still.
    fn is_over(&self, snapshot: &RunSnapshot) -> bool {
        let is_finished = snapshot.state.is_finished();
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
    snapshot.state.is_suspended() || snapshot.state.is_finished()
}
