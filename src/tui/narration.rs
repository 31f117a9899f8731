//! What is told beside a run: the step of a lesson, the question to the audience, a guess and what it was worth.

use super::app::App;
use crate::tui::drawing::text;

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

impl App {
    /// What is told now; none if nothing is.
    pub fn narration(&self) -> Option<Narration> {
        let unicode = self.view.theme.glyphs.braille;
        let clean = |told: &str| text::displayable_line(told, unicode);
        let player = self.lesson.as_ref();
        let step = player.and_then(|player| Some((player, player.shown_step()?)));
        let Some((player, (number, step))) = step else {
            return self.guess_narration();
        };
        let is_answered = player.is_answered();
        let works = match player.is_busy() {
            true => format!(" {}", self.view.theme.glyphs.cut),
            false => String::new(),
        };
        let mut narration = Narration {
            place: format!("step {number} of {}{works}", player.lesson().steps.len()),
            text: clean(&step.text),
            question: step.question.as_deref().map(clean),
            guess: None,
            answer: None,
            is_answered,
        };
        if step.question.is_some() {
            narration.guess = self.guess_text(is_answered);
            narration.answer = step.answer.as_deref().map(clean).filter(|_| is_answered);
        }
        Some(narration)
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
        let lesson = self.lesson.as_ref().is_some_and(|player| !player.is_over());
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
