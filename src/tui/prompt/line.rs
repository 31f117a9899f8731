//! The line of the prompt: a command after `:`, a search after `/`.

use crossterm::event::KeyCode;
use unicode_segmentation::UnicodeSegmentation;

use super::steering_change::SteeringChange;
use super::undo_menu::UndoMenu;
use crate::tui::commands::keys::KeyPress;

/// The kind of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptKind {
    /// A command.
    Command,
    /// A search query.
    Search,
}

/// A line that is being typed.
#[derive(Clone, Debug)]
pub struct PromptLine {
    /// The kind of the prompt.
    pub kind: PromptKind,
    /// The line.
    pub line: String,
    /// The position of the cursor, in bytes.
    pub cursor: usize,
    /// The index of the chosen completion.
    pub chosen: usize,
    /// What the line is about.
    pub subject: PromptSubject,
    /// Whether the user was warned of the line as it stands: then it may be executed.
    pub is_warned: bool,
}

/// What a command that is typed is about.
#[derive(Clone, Debug)]
pub enum PromptSubject {
    /// The run, or the screen.
    Anything,
    /// A version: the prompt is the menu of the ways to undo it.
    Undo(UndoMenu),
    /// Something in force that the line replaces.
    Steering(SteeringChange),
}

impl PromptLine {
    /// A prompt with this text.
    pub fn new(kind: PromptKind, line: &str) -> PromptLine {
        PromptLine {
            kind,
            line: line.to_owned(),
            cursor: line.len(),
            chosen: 0,
            subject: PromptSubject::Anything,
            is_warned: false,
        }
    }

    /// The menu of the ways to undo, if it is one.
    pub fn undo_menu(&self) -> Option<&UndoMenu> {
        match &self.subject {
            PromptSubject::Undo(menu) => Some(menu),
            _ => None,
        }
    }

    /// Replaces the line, with the cursor at its end.
    pub fn replace_line(&mut self, line: String) {
        self.cursor = line.len();
        self.line = line;
        self.chosen = 0;
    }

    /// Whether it is a command that begins so.
    pub fn begins_with(&self, start: &str) -> bool {
        self.kind == PromptKind::Command && self.line.trim_start().starts_with(start)
    }

    /// Applies an editing key. Returns whether the key edits the line.
    pub fn edit_line(&mut self, key: KeyPress) -> bool {
        let (before, after) = self.line.split_at(self.cursor);
        let last = before.graphemes(true).next_back().map_or(0, str::len);
        let next = after.graphemes(true).next().map_or(0, str::len);
        match (key.code, key.ctrl) {
            (KeyCode::Char(c), false) => {
                self.line.insert(self.cursor, c);
                self.cursor += c.len_utf8();
            }
            (KeyCode::Backspace, _) | (KeyCode::Char('h'), true) => {
                self.line.replace_range(self.cursor - last..self.cursor, "");
                self.cursor -= last;
            }
            (KeyCode::Delete, _) => self.line.replace_range(self.cursor..self.cursor + next, ""),
            (KeyCode::Left, _) | (KeyCode::Char('b'), true) => self.cursor -= last,
            (KeyCode::Right, _) | (KeyCode::Char('f'), true) => self.cursor += next,
            (KeyCode::Home, _) | (KeyCode::Char('a'), true) => self.cursor = 0,
            (KeyCode::End, _) | (KeyCode::Char('e'), true) => self.cursor = self.line.len(),
            (KeyCode::Char('u'), true) => {
                self.line.replace_range(..self.cursor, "");
                self.cursor = 0;
            }
            (KeyCode::Char('w'), true) => {
                let rest = before.trim_end();
                let start = rest.rfind(' ').map_or(0, |blank| blank + 1);
                self.line.replace_range(start..self.cursor, "");
                self.cursor = start;
            }
            _ => return false,
        }
        (self.chosen, self.is_warned) = (0, false);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::keys::{char_key, ctrl_key, special_key};

    #[test]
    fn a_line_can_be_edited() {
        let mut prompt = PromptLine::new(PromptKind::Command, "theme");
        let mut press = |keys: &[KeyPress], line: &str| {
            for key in keys {
                assert!(prompt.edit_line(*key));
            }
            assert_eq!(prompt.line, line);
        };
        press(&[char_key(' '), char_key('日'), char_key('x')], "theme 日x");
        press(
            &[special_key(KeyCode::Left), special_key(KeyCode::Backspace)],
            "theme x",
        );
        press(
            &[special_key(KeyCode::Delete), special_key(KeyCode::Delete)],
            "theme ",
        );
        press(&[char_key('a'), char_key('b'), ctrl_key('w')], "theme ");
        press(
            &[
                special_key(KeyCode::Home),
                special_key(KeyCode::Left),
                char_key('>'),
            ],
            ">theme ",
        );
        press(&[special_key(KeyCode::End), ctrl_key('u')], "");
        press(&[special_key(KeyCode::Backspace)], "");
        assert!(!prompt.edit_line(special_key(KeyCode::Enter)));
    }
}
