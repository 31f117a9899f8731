//! Playing a lesson without a screen: each step is told, and each decision that its commands led to.

use std::sync::Arc;

use crossbeam_channel::{Receiver, never, select};

use super::decision_line::format_decision;
use crate::display::{ConsoleWriter, format_count, sanitize_line};
use crate::lesson::{Lesson, LessonMove, LessonPlayer, LessonStep};
use crate::reduce::{DecisionDetails, EngineCommand, RunEvent, RunHandle, RunSnapshot};

/// Who hears a lesson that is played without a screen.
pub trait LessonListener {
    /// A step begins; its number, from 1, and how many there are.
    fn hear_step(&mut self, number: (usize, usize), step: &LessonStep);
    /// The run has decided about a candidate.
    fn hear_decision(&mut self, decided: &Arc<DecisionDetails>);
    /// The step has done all that it told the run, which stands still in this state.
    fn hear_settled(&mut self, step: &LessonStep, snapshot: &RunSnapshot);
}

/// Plays a lesson to its end, then without a word its run. Returns the signal that ended it, if one did.
pub fn play_lesson(
    run: &RunHandle,
    player: &mut LessonPlayer,
    listener: &mut dyn LessonListener,
    signals: &Receiver<i32>,
) -> Option<i32> {
    let bell = run.board.subscribe_updates();
    let (mut heard, mut signals) = (None, signals.clone());
    // The run may have ended meanwhile.
    let send = |command| drop(run.commands.send(command));
    tell_step(player, listener);
    while heard.is_none() && !player.place().is_over() {
        if let Some(snapshot) = run.board.newest_snapshot() {
            match player.next_command(&snapshot) {
                Some(command) => send(command),
                None if !player.is_busy() => {
                    tell_events(run, listener);
                    settle_step(player, listener, &snapshot);
                    continue;
                }
                None => {}
            }
        }
        select! {
            recv(bell) -> _ => {}
            recv(signals) -> signal => match signal {
                Ok(signal) => heard = Some(signal),
                Err(_) => signals = never(),
            },
        }
    }
    send(EngineCommand::Unbreak(None));
    send(match heard {
        None => EngineCommand::Resume,
        Some(_) => EngineCommand::Stop,
    });
    for event in &run.events {
        match event {
            RunEvent::Finished(_) => break,
            // Nobody resumes it.
            RunEvent::Paused { .. } => send(EngineCommand::Stop),
            _ => {}
        }
    }
    heard
}

fn tell_step(player: &LessonPlayer, listener: &mut dyn LessonListener) {
    let place = player.place();
    let all = place.lesson().steps.len();
    if let Some((number, step)) = place.shown_step() {
        listener.hear_step((number, all), step);
    }
}

/// Tells what the run has decided so far. It stands still.
fn tell_events(run: &RunHandle, listener: &mut dyn LessonListener) {
    for event in run.events.try_iter() {
        if let RunEvent::Decided(decided) = event {
            listener.hear_decision(&decided);
        }
    }
}

/// The step is over: the answer, and the next one.
fn settle_step(
    player: &mut LessonPlayer,
    listener: &mut dyn LessonListener,
    snapshot: &RunSnapshot,
) {
    if let Some((_, step)) = player.place().shown_step() {
        listener.hear_settled(step, snapshot);
    }
    if player.go_forth() == LessonMove::Revealed {
        player.go_forth();
    }
    tell_step(player, listener);
}

/// Tells a lesson in lines.
pub struct LessonLines {
    out: ConsoleWriter,
}

impl LessonLines {
    /// A teller that writes here.
    pub fn new(out: ConsoleWriter) -> LessonLines {
        LessonLines { out }
    }

    /// Tells what the lesson is about.
    pub fn tell_title(&mut self, lesson: &Lesson) {
        self.write_line(&lesson.title);
        self.write_line(&lesson.teaches);
        self.write_line(&format!("the test: {}", lesson.describe_test()));
    }

    /// Tells the answer to the question of a step, if it has one.
    pub fn tell_answer(&mut self, step: &LessonStep) {
        if let Some(answer) = &step.answer {
            self.write_line(&format!("  answer: {answer}"));
        }
    }

    /// Tells how far a strategy of a race is.
    pub fn tell_lane(&mut self, name: &str, snapshot: &RunSnapshot) {
        let (size, original) = snapshot.primary_sizes();
        let tests = format_count(snapshot.counts.tests, "test");
        self.write_line(&format!(
            "  {name}: {size} of {original} tokens after {tests}"
        ));
    }

    fn write_line(&mut self, line: &str) {
        self.out.write_line(&sanitize_line(line));
    }
}

impl LessonListener for LessonLines {
    fn hear_step(&mut self, (number, all): (usize, usize), step: &LessonStep) {
        self.write_line("");
        self.write_line(&format!("step {number} of {all}: {}", step.text));
        for told in &step.commands {
            self.write_line(&format!("  : {}", told.command));
        }
        if let Some(question) = &step.question {
            self.write_line(&format!("  question: {question}"));
        }
    }

    fn hear_decision(&mut self, decided: &Arc<DecisionDetails>) {
        self.write_line(&format!("  {}", format_decision(decided)));
    }

    fn hear_settled(&mut self, step: &LessonStep, _: &RunSnapshot) {
        self.tell_answer(step);
    }
}
