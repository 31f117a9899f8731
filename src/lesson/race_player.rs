//! Playing a lesson about a race: which step is shown, and whether the lanes get another test each. It sees no lane, and knows no screen, clock or
//! thread.
//!
//! The tests of a step begin with it. If it asks, they begin with the answer: the audience says who will be ahead, and sees it.

use std::sync::Arc;

use super::{Lesson, LessonMove, LessonPlace, RaceRounds};

/// The place in a lesson about a race.
#[derive(Clone, Debug)]
pub struct RacePlayer {
    place: LessonPlace,
    /// The rounds of the newest step that were not begun.
    left: RaceRounds,
}

impl RacePlayer {
    /// At the first step.
    pub fn new(lesson: Arc<Lesson>) -> RacePlayer {
        let mut player = RacePlayer {
            place: LessonPlace::new(lesson),
            left: RaceRounds::Number(0),
        };
        player.begin_rounds();
        player
    }

    /// The place in its steps.
    pub fn place(&self) -> &LessonPlace {
        &self.place
    }

    /// Whether a round is to begin.
    pub fn has_rounds(&self) -> bool {
        self.left != RaceRounds::Number(0)
    }

    /// A round has begun.
    pub fn note_round(&mut self) {
        if let RaceRounds::Number(left) = &mut self.left {
            *left = left.saturating_sub(1);
        }
    }

    /// All lanes have ended: no round is left.
    pub fn note_end(&mut self) {
        self.left = RaceRounds::Number(0);
    }

    /// Goes on: to the answer, to the next step, or to the end. `is_at_work` says that a lane still is.
    pub fn go_forth(&mut self, is_at_work: bool) -> LessonMove {
        let went = self.place.go_forth(is_at_work || self.has_rounds());
        if matches!(went, LessonMove::Began | LessonMove::Revealed) {
            self.begin_rounds();
        }
        went
    }

    /// Shows the step before. The lanes stay where they are.
    pub fn go_back(&mut self) -> LessonMove {
        self.place.go_back()
    }

    fn begin_rounds(&mut self) {
        if self.place.is_newest_answered() {
            self.left = self.place.newest_step().rounds;
        }
    }
}
