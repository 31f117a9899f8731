//! A race that a lesson tells: its keys, its narration, and when the lanes get another test each.

use super::race_keys::RaceAction;
use super::{RaceEffect, RaceScreen};
use crate::lesson::LessonMove;
use crate::tui::narration::Narration;

impl RaceScreen {
    /// Whether steps of the lesson are still to come.
    pub(super) fn is_in_lesson(&self) -> bool {
        let player = self.lesson.as_ref();
        player.is_some_and(|player| !player.place().is_over())
    }

    /// Whether the step of the lesson has tests that were not begun.
    pub(super) fn is_lesson_at_work(&self) -> bool {
        let player = self.lesson.as_ref();
        player.is_some_and(|player| player.has_rounds()) && !self.is_over()
    }

    /// Each lane gets another test.
    pub fn note_round(&mut self) {
        if let Some(player) = &mut self.lesson {
            player.note_round();
        }
    }

    /// Goes on in the lesson: to the answer, or to the next step.
    pub(super) fn go_forth_in_lesson(&mut self) -> RaceEffect {
        let (is_over, is_at_work) = (self.is_over(), self.is_at_work());
        let Some(player) = &mut self.lesson else {
            return RaceEffect::Nothing;
        };
        if is_over {
            player.note_end();
        }
        match player.go_forth(is_at_work) {
            LessonMove::Busy => RaceEffect::Nothing,
            LessonMove::Began | LessonMove::Revealed if player.has_rounds() => RaceEffect::Steer,
            _ => RaceEffect::Redraw,
        }
    }

    /// Shows the step before.
    pub(super) fn go_back_in_lesson(&mut self) -> RaceEffect {
        match self.lesson.as_mut().map(|player| player.go_back()) {
            None | Some(LessonMove::AtStart) => RaceEffect::Nothing,
            Some(_) => RaceEffect::Redraw,
        }
    }

    /// What the lesson tells now; none without one, and after its end. An answer comes when the lanes have done its tests.
    pub(super) fn narration(&self) -> Option<Narration> {
        let place = self.lesson.as_ref()?.place();
        let is_busy = self.is_lesson_at_work() || self.is_at_work();
        let narration = Narration::of_step(place, is_busy, &self.theme)?;
        let is_seen = narration.is_answered && !is_busy;
        let answer = match (&narration.question, is_seen) {
            _ if self.is_lesson_at_work() => {
                let faster = RaceAction::Faster.key_name(&self.setup.keys);
                Some(format!(
                    "the lanes are running: {faster} has them go faster"
                ))
            }
            (None, _) => None,
            (Some(_), true) => Narration::answer_of(place, &self.theme),
            (Some(_), false) if is_busy => None,
            (Some(_), false) => {
                let next = self.setup.keys.first_key_name("lesson-next");
                Some(format!("{next} lets the lanes go on, and shows the answer"))
            }
        };
        Some(Narration {
            answer,
            is_answered: is_seen,
            ..narration
        })
    }
}
