//! What is told beside a run: the step of a lesson, the question to the audience, a guess and what it was worth.

use super::app::App;
use crate::lesson::LessonPlace;
use crate::tui::drawing::text;
use crate::tui::theme::ResolvedTheme;

/// What is told, for the lines below the headline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Narration {
    /// Which step of how many it is, with a mark while the run does what it says; empty outside of a lesson.
    pub place: String,
    /// What the step tells.
    pub text: String,
    /// The question to the audience.
    pub question: Option<String>,
    /// The guess and what it was worth, or what to do to guess or to see the answer.
    pub guess: Option<String>,
    /// The answer.
    pub answer: Option<String>,
    /// Whether the answer may be seen.
    pub is_answered: bool,
}

impl Narration {
    /// The step of a lesson that is shown, without its answer; none after the end.
    pub fn of_step(place: &LessonPlace, is_busy: bool, theme: &ResolvedTheme) -> Option<Narration> {
        let (number, step) = place.shown_step()?;
        let clean = |told: &str| text::displayable_line(told, theme.glyphs.braille);
        let works = match is_busy {
            true => format!(" {}", theme.glyphs.cut),
            false => String::new(),
        };
        Some(Narration {
            place: format!("step {number} of {}{works}", place.lesson().steps.len()),
            text: clean(&step.text),
            question: step.question.as_deref().map(clean),
            guess: None,
            answer: None,
            is_answered: place.is_answered(),
        })
    }

    /// The answer of the step that is shown, if it asks and was answered.
    pub fn answer_of(place: &LessonPlace, theme: &ResolvedTheme) -> Option<String> {
        let (_, step) = place.shown_step().filter(|_| place.is_answered())?;
        let answer = step.answer.as_deref()?;
        Some(text::displayable_line(answer, theme.glyphs.braille))
    }
}

impl App {
    /// What is told now; none if nothing is.
    pub fn narration(&self) -> Option<Narration> {
        let theme = &self.view.theme;
        let step = self.lesson.as_ref().and_then(|player| {
            let narration = Narration::of_step(player.place(), player.is_busy(), theme)?;
            Some((player.place(), narration))
        });
        let Some((place, narration)) = step else {
            return self.guess_narration();
        };
        if narration.question.is_none() {
            return Some(narration);
        }
        Some(Narration {
            guess: self.guess_text(narration.is_answered),
            answer: Narration::answer_of(place, theme),
            ..narration
        })
    }

    /// What is told outside of a lesson: in guess mode, and only about a single step.
    fn guess_narration(&self) -> Option<Narration> {
        let snapshot = self.view.snapshot.as_ref()?;
        let is_open = self.can_guess();
        let is_told = is_open || self.guess.is_on && snapshot.state.is_suspended();
        let question = is_open.then(|| "Will the test say yes to this candidate?".to_owned());
        is_told.then(|| Narration {
            question,
            guess: self.guess_text(!is_open).or_else(|| {
                let step = self.view.setup.keys.first_key_name("step");
                Some(format!("{step} shows the next candidate"))
            }),
            is_answered: !is_open,
            ..Narration::default()
        })
    }

    /// The guess, and what it was worth, or how to guess.
    fn guess_text(&self, is_answered: bool) -> Option<String> {
        let keys = &self.view.setup.keys;
        let word = |guess: bool| if guess { "yes" } else { "no" };
        let (right, all) = self.guess.score();
        let score = match all {
            0 => String::new(),
            _ => format!("   {right} of {all} guesses right"),
        };
        if is_answered {
            let last = self.guess.last_outcome()?;
            let worth = if last.is_right { "right" } else { "wrong" };
            return Some(format!("You said {}: {worth}.{score}", word(last.guess)));
        }
        let lesson = self.is_in_lesson();
        let next = keys.first_key_name(if lesson { "lesson-next" } else { "step" });
        Some(match (self.can_guess(), self.guess.current_guess()) {
            (true, Some(guess)) => format!("You say {}. {next} shows it.{score}", word(guess)),
            (true, None) => format!(
                "{} or {}? {next} shows it.{score}",
                keys.first_key_name("guess-yes"),
                keys.first_key_name("guess-no")
            ),
            (false, _) => format!("{next} shows the answer"),
        })
    }
}
