//! The place in a lesson: which step is shown, which has begun, and whether the answer to its question may be seen.
//!
//! A step begins when the one before is over. Back and forth among steps that have begun changes only what is shown.

use std::sync::Arc;

use super::{Lesson, LessonStep};

/// What a key that goes forth or back did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LessonMove {
    /// A step that has begun before is shown.
    Moved,
    /// The next step begins.
    Began,
    /// The answer to the question of the step is shown.
    Revealed,
    /// The run still does what the step told it.
    Busy,
    /// The lesson is over, and nothing is told any more.
    Over,
    /// This is the first step.
    AtStart,
}

/// The place.
#[derive(Clone, Debug)]
pub struct LessonPlace {
    lesson: Arc<Lesson>,
    /// The step that is shown; the number of steps after the end.
    shown: usize,
    /// The newest step that has begun.
    reached: usize,
    /// Whether its question was answered, or it asks none.
    is_answered: bool,
}

impl LessonPlace {
    /// At the first step, which begins.
    pub fn new(lesson: Arc<Lesson>) -> LessonPlace {
        LessonPlace {
            is_answered: lesson.steps[0].question.is_none(),
            lesson,
            shown: 0,
            reached: 0,
        }
    }

    /// The lesson.
    pub fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// The newest step that has begun.
    pub fn newest_step(&self) -> &LessonStep {
        &self.lesson.steps[self.reached]
    }

    /// Its number, from 1.
    pub fn newest_number(&self) -> usize {
        self.reached + 1
    }

    /// The step that is shown and its number, from 1; none after the end.
    pub fn shown_step(&self) -> Option<(usize, &LessonStep)> {
        let step = self.lesson.steps.get(self.shown)?;
        Some((self.shown + 1, step))
    }

    /// Whether the last step is shown.
    pub fn is_last(&self) -> bool {
        self.shown + 1 == self.lesson.steps.len()
    }

    /// Whether nothing is told any more.
    pub fn is_over(&self) -> bool {
        self.shown >= self.lesson.steps.len()
    }

    /// Whether the answer to the question of the newest step was shown, or it asks none.
    pub fn is_newest_answered(&self) -> bool {
        self.is_answered
    }

    /// Whether the answer to the question of the shown step may be seen.
    pub fn is_answered(&self) -> bool {
        self.shown < self.reached || self.is_answered
    }

    /// Goes on: to the answer, to the next step unless the run is busy, or to the end.
    pub fn go_forth(&mut self, is_busy: bool) -> LessonMove {
        match () {
            () if self.shown < self.reached => {
                self.shown += 1;
                LessonMove::Moved
            }
            () if self.is_over() => LessonMove::Over,
            () if is_busy => LessonMove::Busy,
            () if !self.is_answered => {
                self.is_answered = true;
                LessonMove::Revealed
            }
            () if self.reached + 1 < self.lesson.steps.len() => {
                self.reached += 1;
                self.shown = self.reached;
                self.is_answered = self.newest_step().question.is_none();
                LessonMove::Began
            }
            () => {
                self.shown += 1;
                LessonMove::Over
            }
        }
    }

    /// Shows the step before. The run stays where it is.
    pub fn go_back(&mut self) -> LessonMove {
        match self.shown {
            0 => LessonMove::AtStart,
            shown => {
                self.shown = shown - 1;
                LessonMove::Moved
            }
        }
    }
}
