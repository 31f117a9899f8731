//! What a user can do on the screen: one table, of which the key map, the help and the hints are made.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::app::{App, Focus, Layer};
use crate::reduce::State;

/// Something that a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Stop asking, or go on.
    Pause,
    /// One question.
    Step,
    /// Follow what is being tried.
    Follow,
    /// One row or line up.
    Up,
    /// One row or line down.
    Down,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// To the beginning.
    Top,
    /// To the end.
    Bottom,
    /// Show what is below the node, or go there.
    Unfold,
    /// Hide what is below the node, or go to what it lies in.
    Fold,
    /// Show or hide what is below the node.
    Toggle,
    /// Show everything.
    UnfoldAll,
    /// Show the top level only.
    FoldAll,
    /// The node around the selected one.
    Outer,
    /// The first node in the selected one.
    Inner,
    /// Text to the left.
    Left,
    /// Text to the right.
    Right,
    /// The next pane.
    NextPane,
    /// The pane before.
    PreviousPane,
    /// The page with the result.
    Result,
    /// The keys.
    Help,
    /// Close what lies on top.
    Close,
    /// Leave.
    Quit,
}

/// Where a command applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Everywhere.
    Everywhere,
    /// Where a pane has the keys.
    Panes,
    /// In the tree.
    Tree,
    /// In the program.
    Program,
    /// In the tree, in the program and on pages that scroll.
    Moves,
    /// On a page that lies over the panes.
    Layer,
}

impl Place {
    /// The place in words, for the help.
    pub fn name(self) -> &'static str {
        match self {
            Place::Everywhere => "Everywhere",
            Place::Panes => "The run and the panes",
            Place::Tree => "In the tree",
            Place::Program => "In the program",
            Place::Moves => "Moving",
            Place::Layer => "On a page",
        }
    }

    /// All places, in the order of the help.
    pub const ALL: [Place; 6] = [
        Place::Panes,
        Place::Moves,
        Place::Tree,
        Place::Program,
        Place::Layer,
        Place::Everywhere,
    ];

    fn holds(self, app: &App) -> bool {
        let layer = app.layers.last();
        match self {
            Place::Everywhere => true,
            Place::Moves => layer != Some(&Layer::Result),
            Place::Panes => layer.is_none(),
            Place::Tree => layer.is_none() && app.focus() == Focus::Tree,
            Place::Program => layer.is_none() && app.focus() == Focus::Program,
            Place::Layer => layer.is_some(),
        }
    }
}

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Which.
    pub code: KeyCode,
    /// Together with Ctrl.
    pub ctrl: bool,
}

impl Key {
    /// The key of a terminal event; none for one that was let go, or that has another meaning with Alt.
    pub fn of(event: &KeyEvent) -> Option<Key> {
        let with = |modifier| event.modifiers.contains(modifier);
        let pressed = event.kind != KeyEventKind::Release && !with(KeyModifiers::ALT);
        pressed.then_some(Key {
            code: event.code,
            ctrl: with(KeyModifiers::CONTROL),
        })
    }

    /// The key as people write it.
    pub fn name(self) -> String {
        let name = match self.code {
            KeyCode::Char(' ') => "space".to_owned(),
            KeyCode::Char(c) => c.to_string(),
            KeyCode::Enter => "enter".to_owned(),
            KeyCode::Esc => "esc".to_owned(),
            KeyCode::Tab => "tab".to_owned(),
            KeyCode::BackTab => "shift-tab".to_owned(),
            KeyCode::Up => "up".to_owned(),
            KeyCode::Down => "down".to_owned(),
            KeyCode::Left => "left".to_owned(),
            KeyCode::Right => "right".to_owned(),
            KeyCode::Home => "home".to_owned(),
            KeyCode::End => "end".to_owned(),
            KeyCode::PageUp => "pgup".to_owned(),
            KeyCode::PageDown => "pgdn".to_owned(),
            other => format!("{other:?}").to_lowercase(),
        };
        if self.ctrl {
            format!("ctrl-{name}")
        } else {
            name
        }
    }
}

const fn key(c: char) -> Key {
    Key {
        code: KeyCode::Char(c),
        ctrl: false,
    }
}

const fn special(code: KeyCode) -> Key {
    Key { code, ctrl: false }
}

const fn ctrl(c: char) -> Key {
    Key {
        code: KeyCode::Char(c),
        ctrl: true,
    }
}

/// A line of the table.
pub struct Entry {
    /// What happens.
    pub action: Action,
    /// Its name.
    pub name: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
    /// Where it applies.
    pub place: Place,
    /// The word in the line of hints, where it is offered there.
    pub hint: Option<&'static str>,
    /// Why it cannot be done now.
    pub disabled: fn(&App) -> Option<&'static str>,
}

fn always(_: &App) -> Option<&'static str> {
    None
}

fn while_the_run_lasts(app: &App) -> Option<&'static str> {
    match app.state() {
        None => Some("the run has not begun"),
        Some(State::Finished(_)) => Some("the run has ended"),
        Some(_) => None,
    }
}

fn while_paused(app: &App) -> Option<&'static str> {
    match app.state() {
        Some(State::Running) => Some("the run is not paused"),
        _ => while_the_run_lasts(app),
    }
}

fn once_followed(app: &App) -> Option<&'static str> {
    if app.follow {
        Some("it is followed already")
    } else {
        while_the_run_lasts(app)
    }
}

fn at_the_end(app: &App) -> Option<&'static str> {
    (!matches!(app.state(), Some(State::Finished(_)))).then_some("the run has not ended")
}

/// All commands. Of two that have the same key, only one applies at any place; a test sees to it.
pub const COMMANDS: &[Entry] = &[
    Entry {
        action: Action::Pause,
        name: "pause",
        what: "pause the run, or let it go on",
        keys: &[key(' ')],
        place: Place::Panes,
        hint: Some("pause"),
        disabled: while_the_run_lasts,
    },
    Entry {
        action: Action::Step,
        name: "step",
        what: "let the paused run ask exactly one question",
        keys: &[key('.')],
        place: Place::Panes,
        hint: Some("step"),
        disabled: while_paused,
    },
    Entry {
        action: Action::Follow,
        name: "follow",
        what: "follow what is being tried; moving stops it",
        keys: &[key('F')],
        place: Place::Panes,
        hint: Some("follow"),
        disabled: once_followed,
    },
    Entry {
        action: Action::NextPane,
        name: "next pane",
        what: "give the keys to the next pane",
        keys: &[special(KeyCode::Tab)],
        place: Place::Panes,
        hint: Some("pane"),
        disabled: always,
    },
    Entry {
        action: Action::PreviousPane,
        name: "previous pane",
        what: "give the keys to the pane before",
        keys: &[special(KeyCode::BackTab)],
        place: Place::Panes,
        hint: None,
        disabled: always,
    },
    Entry {
        action: Action::Result,
        name: "result",
        what: "show the result",
        keys: &[key('r')],
        place: Place::Panes,
        hint: Some("result"),
        disabled: at_the_end,
    },
    Entry {
        action: Action::Up,
        name: "up",
        what: "one row or line up",
        keys: &[special(KeyCode::Up), key('k')],
        place: Place::Moves,
        hint: None,
        disabled: always,
    },
    Entry {
        action: Action::Down,
        name: "down",
        what: "one row or line down",
        keys: &[special(KeyCode::Down), key('j')],
        place: Place::Moves,
        hint: None,
        disabled: always,
    },
    Entry {
        action: Action::PageUp,
        name: "page up",
        what: "a page up",
        keys: &[special(KeyCode::PageUp), ctrl('b')],
        place: Place::Moves,
        hint: None,
        disabled: always,
    },
    Entry {
        action: Action::PageDown,
        name: "page down",
        what: "a page down",
        keys: &[special(KeyCode::PageDown), ctrl('f')],
        place: Place::Moves,
        hint: None,
        disabled: always,
    },
    Entry {
        action: Action::Top,
        name: "top",
        what: "to the beginning",
        keys: &[key('g'), special(KeyCode::Home)],
        place: Place::Moves,
        hint: None,
        disabled: always,
    },
    Entry {
        action: Action::Bottom,
        name: "bottom",
        what: "to the end",
        keys: &[key('G'), special(KeyCode::End)],
        place: Place::Moves,
        hint: None,
        disabled: always,
    },
    Entry {
        action: Action::Unfold,
        name: "unfold",
        what: "unfold the node, or go into it",
        keys: &[special(KeyCode::Right), key('l')],
        place: Place::Tree,
        hint: Some("unfold"),
        disabled: always,
    },
    Entry {
        action: Action::Fold,
        name: "fold",
        what: "fold the node, or go to what it lies in",
        keys: &[special(KeyCode::Left), key('h')],
        place: Place::Tree,
        hint: Some("fold"),
        disabled: always,
    },
    Entry {
        action: Action::Toggle,
        name: "toggle",
        what: "unfold or fold the node",
        keys: &[special(KeyCode::Enter)],
        place: Place::Tree,
        hint: None,
        disabled: always,
    },
    Entry {
        action: Action::UnfoldAll,
        name: "unfold all",
        what: "unfold everything",
        keys: &[key('E')],
        place: Place::Tree,
        hint: None,
        disabled: always,
    },
    Entry {
        action: Action::FoldAll,
        name: "fold all",
        what: "fold all but the top level",
        keys: &[key('C')],
        place: Place::Tree,
        hint: None,
        disabled: always,
    },
    Entry {
        action: Action::Outer,
        name: "outer",
        what: "select the node around the selected one",
        keys: &[special(KeyCode::Left), key('h')],
        place: Place::Program,
        hint: Some("outer"),
        disabled: always,
    },
    Entry {
        action: Action::Inner,
        name: "inner",
        what: "select the first node in the selected one",
        keys: &[special(KeyCode::Right), key('l')],
        place: Place::Program,
        hint: Some("inner"),
        disabled: always,
    },
    Entry {
        action: Action::Left,
        name: "scroll left",
        what: "show more of the text on the left",
        keys: &[key('<')],
        place: Place::Program,
        hint: None,
        disabled: always,
    },
    Entry {
        action: Action::Right,
        name: "scroll right",
        what: "show more of the text on the right",
        keys: &[key('>')],
        place: Place::Program,
        hint: None,
        disabled: always,
    },
    Entry {
        action: Action::Close,
        name: "close",
        what: "close the page",
        keys: &[special(KeyCode::Esc)],
        place: Place::Layer,
        hint: Some("close"),
        disabled: always,
    },
    Entry {
        action: Action::Help,
        name: "help",
        what: "explain the keys and marks, or stop explaining",
        keys: &[key('?')],
        place: Place::Everywhere,
        hint: Some("help"),
        disabled: always,
    },
    Entry {
        action: Action::Quit,
        name: "quit",
        what: "stop the run, keep the best, leave",
        keys: &[key('q'), ctrl('c')],
        place: Place::Everywhere,
        hint: Some("quit"),
        disabled: always,
    },
];

/// The command of a key, where the keys go now.
pub fn find(app: &App, key: Key) -> Option<&'static Entry> {
    COMMANDS
        .iter()
        .find(|entry| entry.place.holds(app) && entry.keys.contains(&key))
}

/// The commands that the line of hints offers now.
pub fn hints(app: &App) -> impl Iterator<Item = &'static Entry> {
    COMMANDS.iter().filter(move |entry| {
        entry.hint.is_some() && entry.place.holds(app) && (entry.disabled)(app).is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether both places can hold at once.
    fn meet(one: Place, other: Place) -> bool {
        use Place::*;
        let apart = |a, b| matches!((a, b), (Tree, Program) | (Layer, Panes | Tree | Program));
        !apart(one, other) && !apart(other, one)
    }

    #[test]
    fn no_key_means_two_things() {
        for (at, one) in COMMANDS.iter().enumerate() {
            assert!(!one.keys.is_empty(), "{} has no key", one.name);
            for other in &COMMANDS[..at] {
                assert_ne!(one.name, other.name);
                assert_ne!(
                    one.action, other.action,
                    "{} and {} are the same",
                    one.name, other.name
                );
                let shared = one.keys.iter().find(|key| other.keys.contains(key));
                assert!(
                    shared.is_none() || !meet(one.place, other.place),
                    "{} and {} share {shared:?}",
                    one.name,
                    other.name
                );
            }
        }
    }

    #[test]
    fn every_place_is_in_the_help() {
        assert!(
            COMMANDS
                .iter()
                .all(|entry| Place::ALL.contains(&entry.place))
        );
    }
}
