//! What keys do in a lesson, and in a step of two keys.

use crate::lesson::LessonMove;
use crate::reduce::{EngineCommand, RunSnapshot, RunState, StepUnit};
use crate::session::player::PlayerCommand;
use crate::session::seek::PlayDirection;
use crate::tui::app::{App, KeyEffect, PaneKind};
use crate::tui::guess::HiddenPart;
use crate::tui::panes::layout::ALGORITHM_LAYOUT;
use crate::tui::panes::layout::LayoutMode;

impl App {
    /// Goes on in the lesson: to the answer, or to the next step.
    pub(in crate::tui) fn go_forth_in_lesson(&mut self) -> KeyEffect {
        let Some(player) = &mut self.lesson else {
            return KeyEffect::Nothing;
        };
        self.toasts.close_errors();
        match player.go_forth() {
            LessonMove::Busy => self.show_status("the run still does what the step told it".into()),
            LessonMove::Over => {
                self.reveal_hidden();
                let keys = &self.view.setup.keys;
                let said = match self.view.is_finished() {
                    true => {
                        let leaves = keys.describe_keys(&[("quit", "leaves")]);
                        format!("the lesson is over, and so is its run: {leaves}")
                    }
                    false => {
                        let keys = [("pause", "goes on with it"), ("quit", "leaves")];
                        let keys = self.view.setup.keys.describe_keys(&keys);
                        format!("the lesson is over, and the run is yours: {keys}")
                    }
                };
                self.show_status(said)
            }
            LessonMove::Began | LessonMove::Revealed => {
                self.reveal_hidden();
                self.show_last_program();
                KeyEffect::Redraw
            }
            LessonMove::Moved | LessonMove::AtStart => KeyEffect::Redraw,
        }
    }

    /// Shows the step before.
    pub(in crate::tui) fn go_back_in_lesson(&mut self) -> KeyEffect {
        let Some(player) = &mut self.lesson else {
            return KeyEffect::Nothing;
        };
        match player.go_back() {
            LessonMove::AtStart => self.show_status("this is the first step".into()),
            _ => self.show_status("told again; the run stays where it is".into()),
        }
    }

    /// The command that the lesson has for the run now, if it has one.
    pub fn take_lesson_command(&mut self) -> Option<EngineCommand> {
        let player = self.lesson.as_mut()?;
        let shown = self.view.snapshot.clone()?;
        let newest = self.guess.newest(&shown).clone();
        let is_hidden = player.hides_next();
        let missed = player.missed_conditions().len();
        let command = player.next_command(&newest);
        if let Some(told) = player.missed_conditions().get(missed) {
            self.status_message = Some(told.clone());
        }
        let command = command?;
        let line = command.to_string();
        let verb = line.split(' ').next().unwrap_or_default();
        self.panes
            .progress
            .add_marker(&newest, verb, newest.last_command.0);
        match is_hidden {
            true => self.guess.open_round(HiddenPart::Verdict, &newest),
            false => self.add_pending_command(command.clone(), line),
        }
        self.show_subject(&newest, &command);
        Some(command)
    }

    /// Shows what a command of the lesson is about: the node of a constraint. Where one pane is shown at a time, the first question has the
    /// algorithm take the place of the program.
    fn show_subject(&mut self, newest: &RunSnapshot, command: &EngineCommand) {
        let target = command.added_constraint().map(|(_, target)| target);
        let found = target.and_then(|target| target.find_nodes(&newest.version).ok());
        if let Some(node) = found.and_then(|nodes| nodes.first().map(|node| node.id)) {
            self.stop_following();
            self.go_to_node(&newest.version, node);
        }
        if newest.counts.decisions == 0 && self.shows_one_pane() {
            self.arrangement.focus_pane(PaneKind::Algorithm);
        }
    }

    /// Whether the program and the algorithm take turns on a narrow screen.
    fn shows_one_pane(&self) -> bool {
        let is_narrow = self.arrangement.areas.mode == LayoutMode::Narrow;
        is_narrow && self.arrangement.layout.name == ALGORITHM_LAYOUT
    }

    /// The last step of a lesson shows what is left of the program.
    fn show_last_program(&mut self) {
        let player = self.lesson.as_ref();
        let is_last = player.is_some_and(|player| player.place().is_last());
        if is_last && self.shows_one_pane() {
            self.arrangement.focus_pane(PaneKind::Program);
        }
    }

    /// Whether the key for the next pane leads from the algorithm to the program that a lesson asks about.
    pub(in crate::tui) fn leads_to_program(&self) -> bool {
        let focus = self.arrangement.focused_pane();
        self.is_in_lesson() && self.shows_one_pane() && focus == PaneKind::Algorithm
    }

    /// Switches the steps of two keys on or off.
    pub(in crate::tui) fn toggle_guess(&mut self) {
        self.reveal_hidden();
        self.guess.is_on = !self.guess.is_on;
        let step = self.view.setup.keys.first_key_name("step");
        self.status_message = Some(match self.guess.is_on {
            true => format!("guessing: {step} shows a candidate, {step} again what the test says"),
            false => "no guessing: a step shows the candidate and its verdict".into(),
        });
    }

    /// Whether somebody may guess: a candidate is shown whose verdict is not. In a lesson its question is about that too.
    pub(in crate::tui) fn can_guess(&self) -> bool {
        let player = self
            .lesson
            .as_ref()
            .filter(|player| !player.place().is_over());
        let is_asked = player.is_none_or(|player| player.takes_guess());
        let snapshot = self.view.snapshot.as_ref().filter(|_| is_asked);
        snapshot.is_some_and(|snapshot| self.guess.can_guess(snapshot))
    }

    /// Guesses what the test says to the shown candidate.
    pub(in crate::tui) fn guess_verdict(&mut self, is_interesting: bool) -> KeyEffect {
        self.guess.guess_verdict(is_interesting);
        KeyEffect::Redraw
    }

    /// A single step in guess mode: its first key, or its second.
    pub(in crate::tui) fn step_by_guess(&mut self) -> KeyEffect {
        if self.guess.is_open() {
            return match self.reveal_hidden() {
                true => KeyEffect::Redraw,
                false => self.show_status("the test still runs".into()),
            };
        }
        let Some(snapshot) = self.view.snapshot.clone() else {
            return KeyEffect::Nothing;
        };
        let step = StepUnit::Question;
        match self.view.context.replay {
            true => {
                self.guess.open_round(HiddenPart::NextCandidate, &snapshot);
                KeyEffect::Play(PlayerCommand::Step(PlayDirection::Forwards, step))
            }
            false => {
                self.guess.open_round(HiddenPart::Verdict, &snapshot);
                KeyEffect::Send(vec![EngineCommand::Step(step)])
            }
        }
    }

    /// Shows what is hidden. Returns whether there was something.
    fn reveal_hidden(&mut self) -> bool {
        let held = self.guess.close_round();
        let was_hidden = held.is_some();
        held.into_iter().for_each(|held| self.apply_snapshot(held));
        was_hidden
    }

    /// Whether steps of the lesson are still to come.
    pub(in crate::tui) fn is_in_lesson(&self) -> bool {
        self.lesson
            .as_ref()
            .is_some_and(|player| !player.place().is_over())
    }

    /// Whether the result page may open by itself: the run has just ended, and no lesson tells about it.
    pub(in crate::tui) fn opens_result(&self, state: &RunState) -> bool {
        let has_ended = !self.view.is_finished() && matches!(state, RunState::Finished(_));
        has_ended && !self.view.context.replay && !self.is_in_lesson()
    }
}
