//! A line that the user types: a command after `:`, a search after `/`.

use crossterm::event::KeyCode;
use unicode_segmentation::UnicodeSegmentation;

use super::fuzzy;
use crate::reduce::{CommandVerb, VERBS};
use crate::tui::app::App;
use crate::tui::commands::keys::KeyPress;
use crate::tui::commands::{COMMANDS, ScreenCommand, find_command, run_ended};

/// What is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptKind {
    /// A command.
    Command,
    /// What to look for.
    Search,
}

/// A line while it is typed.
#[derive(Clone, Debug)]
pub struct PromptLine {
    /// What is typed.
    pub kind: PromptKind,
    /// The line.
    pub line: String,
    /// Where the next letter goes, in bytes.
    pub cursor: usize,
    /// Which proposal is chosen.
    pub chosen: usize,
}

impl PromptLine {
    /// A line that begins so.
    pub fn new(kind: PromptKind, line: &str) -> PromptLine {
        PromptLine {
            kind,
            line: line.to_owned(),
            cursor: line.len(),
            chosen: 0,
        }
    }

    /// Another line, with the cursor at its end.
    pub fn replace_line(&mut self, line: String) {
        self.cursor = line.len();
        self.line = line;
        self.chosen = 0;
    }

    /// A key that edits the line; whether it does.
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
        self.chosen = 0;
        true
    }
}

/// What a line could become.
pub struct CompletionItem {
    /// The whole line.
    pub line: String,
    /// What is shown of it.
    pub label: String,
    /// The command, if it has a row in the table; else it is one to the run.
    pub command: Option<&'static ScreenCommand>,
    /// What is said of it.
    pub note: String,
    /// Why it cannot be done now.
    pub disabled: Option<&'static str>,
}

/// What the line of a command could become, the best first.
pub fn list_completions(app: &App, line: &str) -> Vec<CompletionItem> {
    let line = line.trim_start();
    let mut all: Vec<CompletionItem> = COMMANDS
        .iter()
        .filter(|entry| entry.is_typeable() && entry.context.is_available(app))
        .map(|entry| command_completion(app, entry))
        .collect();
    let Some((name, typed)) = line.split_once(char::is_whitespace) else {
        let verbs = VERBS
            .iter()
            .filter(|verb| find_command(verb.name).is_none());
        all.extend(verbs.map(|verb| verb_completion(app, verb)));
        return rank_completions(line, all);
    };
    let typed = typed.trim();
    // What is typed of a row whose name has several words.
    all.retain(|known| known.line.starts_with(&format!("{name} ")));
    let entry = find_command(name).filter(|entry| entry.is_typeable());
    let verb = VERBS.iter().find(|verb| verb.name == name);
    let values = match (entry.and_then(|entry| entry.argument), verb) {
        (Some(arg), _) => (arg.values)(app),
        (None, Some(verb)) => list_verb_arguments(app, verb),
        (None, None) => Vec::new(),
    };
    let whole = match (entry, verb) {
        (Some(entry), _) => command_completion(app, entry),
        (None, Some(verb)) => verb_completion(app, verb),
        (None, None) => return rank_completions(line, all),
    };
    let value = |value: &String| CompletionItem {
        line: format!("{name} {value}"),
        label: value.clone(),
        command: whole.command,
        note: describe_word(name, value).to_owned(),
        disabled: whole.disabled,
    };
    let mut proposed: Vec<CompletionItem> =
        fuzzy::rank_matches(typed, values.iter().map(String::as_str))
            .into_iter()
            .map(|at| value(&values[at]))
            .collect();
    if proposed.is_empty() {
        proposed.push(CompletionItem {
            line: line.to_owned(),
            ..whole
        });
    }
    proposed
}

/// Those of them whose line fits what was typed.
fn rank_completions(typed: &str, all: Vec<CompletionItem>) -> Vec<CompletionItem> {
    let ranked = fuzzy::rank_matches(typed, all.iter().map(|proposal| proposal.line.as_str()));
    let mut all: Vec<Option<CompletionItem>> = all.into_iter().map(Some).collect();
    ranked.into_iter().filter_map(|at| all[at].take()).collect()
}

fn command_completion(app: &App, entry: &'static ScreenCommand) -> CompletionItem {
    CompletionItem {
        line: entry.name.to_owned(),
        label: entry.usage(),
        command: Some(entry),
        note: entry.description_for(app).to_owned(),
        disabled: app.disabled_reason(entry),
    }
}

fn verb_completion(app: &App, verb: &'static CommandVerb) -> CompletionItem {
    CompletionItem {
        line: verb.name.to_owned(),
        label: format!("{} {}", verb.name, verb.arguments),
        command: None,
        note: verb.what.to_owned(),
        disabled: run_ended(app),
    }
}

/// What is said of a word after a verb, where the word alone says too little.
fn describe_word(verb: &str, word: &str) -> &'static str {
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
fn list_verb_arguments(app: &App, verb: &CommandVerb) -> Vec<String> {
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
