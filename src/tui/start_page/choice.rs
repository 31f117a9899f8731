//! What must stay of the failure, and where its test goes: the user switches parts, types a word, and names a file.

use super::helper::{CommandRun, TestRequest, TrialFindings};
use super::start_keys::StartAction;
use super::{StartEffect, step_row};
use crate::oracle::FailureProperty;
use crate::tui::commands::keys::KeyPress;
use crate::tui::prompt::line::{PromptKind, PromptLine};

/// A row of the choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceRow {
    /// A part of the property, by its number.
    Part(usize),
    /// The word that the output must contain.
    Word,
    /// Where the test goes.
    Place,
    /// Writes the test, and starts the reduction.
    Start,
}

/// The choice of what must stay.
#[derive(Clone, Debug)]
pub struct FailureChoice {
    /// The command.
    pub line: String,
    /// How it ended.
    pub run: CommandRun,
    /// What its runs have in common; none if it succeeds.
    pub property: Option<FailureProperty>,
    /// How the test calls the command otherwise than it was typed, and why.
    pub note: Option<String>,
    /// What its output must contain besides.
    pub word: PromptLine,
    /// Where the test goes.
    pub place: PromptLine,
    /// The selected row.
    pub row: usize,
    /// The path that the user was asked about, because something is there.
    asked_about: Option<String>,
    /// Whether the user was told that any error will do.
    is_warned: bool,
}

impl FailureChoice {
    /// What was found is proposed.
    pub fn new(
        line: String,
        run: CommandRun,
        findings: TrialFindings,
        place: String,
    ) -> FailureChoice {
        let line_of = |text: &str| PromptLine::new(PromptKind::Command, text);
        let mut choice = FailureChoice {
            line,
            run,
            property: findings.property,
            note: findings.note,
            word: line_of(""),
            place: line_of(&place),
            row: 0,
            asked_about: None,
            is_warned: false,
        };
        // Enter takes what is proposed; where nothing is, the word is wanted.
        let first = match choice.property.is_some() {
            true => ChoiceRow::Start,
            false => ChoiceRow::Word,
        };
        choice.row = choice
            .rows()
            .iter()
            .position(|row| *row == first)
            .unwrap_or(0);
        choice
    }

    /// The rows, from the top.
    pub fn rows(&self) -> Vec<ChoiceRow> {
        let parts = self.property.as_ref().map_or(0, |all| all.parts.len());
        let parts = (0..parts).map(ChoiceRow::Part);
        let others = [ChoiceRow::Word, ChoiceRow::Place, ChoiceRow::Start];
        parts.chain(others).collect()
    }

    /// The selected row.
    pub fn selected_row(&self) -> ChoiceRow {
        self.rows()
            .get(self.row)
            .copied()
            .unwrap_or(ChoiceRow::Start)
    }

    /// Whether letters are typed into the selected row.
    pub fn is_typing(&self) -> bool {
        matches!(self.selected_row(), ChoiceRow::Word | ChoiceRow::Place)
    }

    /// Handles a key that has this meaning, if any.
    ///
    /// # Errors
    /// What is missing, or what has to be confirmed.
    pub fn handle_key(
        &mut self,
        key: KeyPress,
        action: Option<StartAction>,
    ) -> Result<StartEffect, String> {
        match (action, self.selected_row()) {
            (Some(StartAction::Up), _) => self.step(true),
            (Some(StartAction::Down), _) => self.step(false),
            (Some(StartAction::Accept | StartAction::Switch), ChoiceRow::Part(at)) => {
                self.switch_part(at)
            }
            (Some(StartAction::Accept), ChoiceRow::Word | ChoiceRow::Place) => self.row += 1,
            (Some(StartAction::Accept), ChoiceRow::Start) => return self.request_test(),
            (_, ChoiceRow::Word) if self.word.edit_line(key) => {}
            (_, ChoiceRow::Place) if self.place.edit_line(key) => self.asked_about = None,
            _ => return Ok(StartEffect::Nothing),
        }
        Ok(StartEffect::Redraw)
    }

    /// Selects the row above or below.
    pub fn step(&mut self, is_up: bool) {
        self.row = step_row(self.row, self.rows().len(), is_up);
    }

    /// Selects a row that was clicked; a part is switched.
    pub fn click_row(&mut self, row: usize) {
        self.row = row;
        if let ChoiceRow::Part(at) = self.selected_row() {
            self.switch_part(at);
        }
    }

    fn switch_part(&mut self, at: usize) {
        if let Some(property) = &mut self.property {
            property.parts[at].on = !property.parts[at].on;
        }
        self.is_warned = false;
    }

    fn request_test(&mut self) -> Result<StartEffect, String> {
        let word = self.word.line.trim().to_owned();
        let has_part = |property: &FailureProperty| property.parts.iter().any(|part| part.on);
        if word.is_empty() && !self.property.as_ref().is_some_and(has_part) {
            return Err(match self.property {
                Some(_) => "switch on what must stay, or type a word of the output".into(),
                None => "the command succeeds: type a word of its output that must stay".into(),
            });
        }
        if let Some(property) = self.property.as_ref().filter(|_| word.is_empty()) {
            property
                .check_positive()
                .map_err(|error| error.to_string())?;
            if property.fits_any_failure() && !self.is_warned {
                self.is_warned = true;
                return Err(format!(
                    "only {property} would stay, and any error will do: a text of nonsense has it too; switch on more or type a word of the output; enter again starts all the same"
                ));
            }
        }
        let place = self.place.line.trim().to_owned();
        if place.is_empty() {
            return Err("type where the test goes".into());
        }
        Ok(StartEffect::WriteTest(TestRequest {
            property: self.property.clone(),
            word,
            overwrites: self.asked_about.as_ref() == Some(&place),
            place,
        }))
    }

    /// Something is where the test would go: enter once more replaces it. Returns the question.
    pub fn ask_to_overwrite(&mut self) -> String {
        let place = self.place.line.trim().to_owned();
        let question = format!("{place} exists: enter again replaces it, or type another name");
        self.asked_about = Some(place);
        question
    }
}
