//! A line that the user types: a command after `:`, a search after `/`.

use crossterm::event::KeyCode;
use unicode_segmentation::UnicodeSegmentation;

use super::app::App;
use super::commands::{COMMANDS, Entry, ended, named};
use super::fuzzy;
use super::keys::Key;
use crate::reduce::{VERBS, Verb};

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
    /// The command, if it has a row in the table; else it is one to the run.
    pub entry: Option<&'static Entry>,
    /// What is said of it.
    pub note: String,
    /// Why it cannot be done now.
    pub disabled: Option<&'static str>,
}

/// What the line of a command could become, the best first.
pub fn proposals(app: &App, line: &str) -> Vec<Proposal> {
    let line = line.trim_start();
    let mut all: Vec<Proposal> = COMMANDS
        .iter()
        .filter(|entry| entry.is_typed() && entry.place.is_there(app))
        .map(|entry| of_entry(app, entry))
        .collect();
    let Some((name, typed)) = line.split_once(char::is_whitespace) else {
        let verbs = VERBS.iter().filter(|verb| named(verb.name).is_none());
        all.extend(verbs.map(|verb| of_verb(app, verb)));
        return chosen(line, all);
    };
    let typed = typed.trim();
    // What is typed of a row whose name has several words.
    all.retain(|known| known.line.starts_with(&format!("{name} ")));
    let entry = named(name).filter(|entry| entry.is_typed());
    let verb = VERBS.iter().find(|verb| verb.name == name);
    let values = match (entry.and_then(|entry| entry.arg), verb) {
        (Some(arg), _) => (arg.values)(app),
        (None, Some(verb)) => words(app, verb),
        (None, None) => Vec::new(),
    };
    let whole = match (entry, verb) {
        (Some(entry), _) => of_entry(app, entry),
        (None, Some(verb)) => of_verb(app, verb),
        (None, None) => return chosen(line, all),
    };
    let value = |value: &String| Proposal {
        line: format!("{name} {value}"),
        label: value.clone(),
        entry: whole.entry,
        note: note(name, value).to_owned(),
        disabled: whole.disabled,
    };
    let mut proposed: Vec<Proposal> = fuzzy::ranked(typed, values.iter().map(String::as_str))
        .into_iter()
        .map(|at| value(&values[at]))
        .collect();
    if proposed.is_empty() {
        proposed.push(Proposal {
            line: line.to_owned(),
            ..whole
        });
    }
    proposed
}

/// Those of them whose line fits what was typed.
fn chosen(typed: &str, all: Vec<Proposal>) -> Vec<Proposal> {
    let ranked = fuzzy::ranked(typed, all.iter().map(|proposal| proposal.line.as_str()));
    let mut all: Vec<Option<Proposal>> = all.into_iter().map(Some).collect();
    ranked.into_iter().filter_map(|at| all[at].take()).collect()
}

fn of_entry(app: &App, entry: &'static Entry) -> Proposal {
    Proposal {
        line: entry.name.to_owned(),
        label: entry.usage(),
        entry: Some(entry),
        note: entry.what(app).to_owned(),
        disabled: app.why_not(entry),
    }
}

fn of_verb(app: &App, verb: &'static Verb) -> Proposal {
    Proposal {
        line: verb.name.to_owned(),
        label: format!("{} {}", verb.name, verb.arguments),
        entry: None,
        note: verb.what.to_owned(),
        disabled: ended(app),
    }
}

/// What is said of a word after a verb, where the word alone says too little.
fn note(verb: &str, word: &str) -> &'static str {
    match (verb, word) {
        ("undo", "keep") => "back by one version, and what it took is pinned",
        ("undo", "ban") => "back by one version, and the same program is not asked about again",
        ("undo", "fails") => {
            "back by one version, which does not count: the test is flaky, it does not hold"
        }
        ("undo", "disable") => "back by one version, and the pass that made it is disabled",
        ("undo", "stop") => "back by one version, and the run pauses",
        _ => "",
    }
}

/// What may follow a verb: one of a few words, a pass, or the selected node.
fn words(app: &App, verb: &Verb) -> Vec<String> {
    let arguments = verb.arguments.trim_matches(['[', ']']);
    match arguments {
        "PASS" => {
            let passes = app
                .snapshot
                .iter()
                .flat_map(|snapshot| snapshot.passes.iter());
            passes.map(|pass| pass.name.to_owned()).collect()
        }
        "PLACE" => app
            .selected
            .iter()
            .map(|node| format!("#{}", node.0))
            .collect(),
        words if words.contains('|') && !words.contains(' ') => {
            words.split('|').map(str::to_owned).collect()
        }
        _ => Vec::new(),
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
