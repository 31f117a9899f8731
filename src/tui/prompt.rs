//! A line that the user types: a command after `:`, a search after `/`.

use crossterm::event::KeyCode;
use unicode_segmentation::UnicodeSegmentation;

use super::app::App;
use super::commands::{COMMANDS, Entry, named};
use super::fuzzy;
use super::keys::Key;
use crate::config;

/// What is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A command.
    Command,
    /// What to look for.
    Search,
}

/// A line while it is typed.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// What is typed.
    pub kind: Kind,
    /// The line.
    pub line: String,
    /// Where the next letter goes, in bytes.
    pub cursor: usize,
    /// Which proposal is chosen.
    pub chosen: usize,
}

impl Prompt {
    /// A line that begins so.
    pub fn new(kind: Kind, line: &str) -> Prompt {
        Prompt {
            kind,
            line: line.to_owned(),
            cursor: line.len(),
            chosen: 0,
        }
    }

    /// Another line, with the cursor at its end.
    pub fn set(&mut self, line: String) {
        self.cursor = line.len();
        self.line = line;
        self.chosen = 0;
    }

    /// A key that edits the line; whether it does.
    pub fn edit(&mut self, key: Key) -> bool {
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
        self.chosen = 0;
        true
    }
}

/// What a line could become.
pub struct Proposal {
    /// The whole line.
    pub line: String,
    /// What is shown of it.
    pub label: String,
    /// The command.
    pub entry: &'static Entry,
    /// What is said of it.
    pub note: String,
    /// Why it cannot be done now.
    pub disabled: Option<&'static str>,
}

/// What the line of a command could become, the best first.
pub fn proposals(app: &App, line: &str) -> Vec<Proposal> {
    let Ok(words) = config::line(line) else {
        return Vec::new();
    };
    let typed_name = words.args.is_empty() && (words.open || words.name.is_empty());
    if typed_name {
        let typed: Vec<&Entry> = COMMANDS.iter().filter(|entry| entry.is_typed()).collect();
        let ranked = fuzzy::ranked(&words.name, typed.iter().map(|entry| entry.name));
        return ranked.into_iter().map(|at| of(app, typed[at])).collect();
    }
    let Some(entry) = named(&words.name).filter(|entry| entry.is_typed()) else {
        return Vec::new();
    };
    let values = entry.arg.map_or_else(Vec::new, |arg| (arg.values)(app));
    let typed = words.args.first().map_or("", String::as_str);
    if words.args.len() > 1 || values.is_empty() {
        return vec![Proposal {
            line: line.to_owned(),
            ..of(app, entry)
        }];
    }
    let ranked = fuzzy::ranked(typed, values.iter().map(String::as_str));
    let proposal = |at: usize| Proposal {
        line: format!("{} {}", entry.name, values[at]),
        label: values[at].clone(),
        note: String::new(),
        ..of(app, entry)
    };
    ranked.into_iter().map(proposal).collect()
}

fn of(app: &App, entry: &'static Entry) -> Proposal {
    Proposal {
        line: entry.name.to_owned(),
        label: entry.usage(),
        entry,
        note: entry.what.to_owned(),
        disabled: app.why_not(entry),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::keys::{ctrl, key, special};

    #[test]
    fn a_line_can_be_edited() {
        let mut prompt = Prompt::new(Kind::Command, "theme");
        let mut press = |keys: &[Key], line: &str| {
            for key in keys {
                assert!(prompt.edit(*key));
            }
            assert_eq!(prompt.line, line);
        };
        press(&[key(' '), key('日'), key('x')], "theme 日x");
        press(
            &[special(KeyCode::Left), special(KeyCode::Backspace)],
            "theme x",
        );
        press(
            &[special(KeyCode::Delete), special(KeyCode::Delete)],
            "theme ",
        );
        press(&[key('a'), key('b'), ctrl('w')], "theme ");
        press(
            &[special(KeyCode::Home), special(KeyCode::Left), key('>')],
            ">theme ",
        );
        press(&[special(KeyCode::End), ctrl('u')], "");
        press(&[special(KeyCode::Backspace)], "");
        assert!(!prompt.edit(special(KeyCode::Enter)));
    }
}
