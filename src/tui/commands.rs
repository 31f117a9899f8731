//! What a user can do on the screen: one table, of which the key map, the help and the hints are made.

use crossterm::event::KeyCode;

use super::app::{App, Focus, Layer};
use super::keys::{Key, ctrl, key, special};
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
    /// What is known of a verdict.
    Details,
    /// Why the run stands still.
    Trouble,
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
    /// To the shell, for a while.
    Suspend,
    /// Leave.
    Quit,
}

/// Where a command applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Everywhere.
    Everywhere,
    /// Where a pane has the keys, and on the page that says why the run stands still.
    Run,
    /// Where a pane has the keys.
    Panes,
    /// In the tree.
    Tree,
    /// In the program.
    Program,
    /// In the verdicts.
    Verdicts,
    /// In the panes and on pages that scroll.
    Moves,
    /// On a page that lies over the panes.
    Layer,
}

impl Place {
    /// The place in words, for the help.
    pub fn name(self) -> &'static str {
        match self {
            Place::Everywhere => "Everywhere",
            Place::Run => "The run",
            Place::Panes => "The panes",
            Place::Tree => "In the tree",
            Place::Program => "In the program",
            Place::Verdicts => "In the verdicts",
            Place::Moves => "Moving",
            Place::Layer => "On a page",
        }
    }

    /// All places, in the order of the help.
    pub const ALL: [Place; 8] = [
        Place::Run,
        Place::Panes,
        Place::Moves,
        Place::Tree,
        Place::Program,
        Place::Verdicts,
        Place::Layer,
        Place::Everywhere,
    ];

    fn holds(self, app: &App) -> bool {
        let layer = app.layers.last();
        match self {
            Place::Everywhere => true,
            Place::Moves => layer != Some(&Layer::Result),
            Place::Run => matches!(layer, None | Some(Layer::Trouble(_))),
            Place::Panes => layer.is_none(),
            Place::Tree => layer.is_none() && app.focus() == Focus::Tree,
            Place::Program => layer.is_none() && app.focus() == Focus::Program,
            Place::Verdicts => layer.is_none() && app.focus() == Focus::Run,
            Place::Layer => layer.is_some(),
        }
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

/// A command that can always be done and is no hint.
const fn on(
    place: Place,
    action: Action,
    name: &'static str,
    what: &'static str,
    keys: &'static [Key],
) -> Entry {
    Entry {
        action,
        name,
        what,
        keys,
        place,
        hint: None,
        disabled: always,
    }
}

impl Entry {
    /// The line of hints offers it by this word.
    const fn hint(self, hint: &'static str) -> Entry {
        Entry {
            hint: Some(hint),
            ..self
        }
    }

    /// It cannot be done for a reason that this knows.
    const fn unless(self, disabled: fn(&App) -> Option<&'static str>) -> Entry {
        Entry { disabled, ..self }
    }
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

fn while_all_is_well(app: &App) -> Option<&'static str> {
    app.trouble().is_none().then_some("nothing is wrong")
}

fn before_the_first_verdict(app: &App) -> Option<&'static str> {
    app.verdict().is_none().then_some("there is no verdict yet")
}

fn at_the_end(app: &App) -> Option<&'static str> {
    (!matches!(app.state(), Some(State::Finished(_)))).then_some("the run has not ended")
}

/// All commands. Of two that have the same key, only one applies at any place; a test sees to it.
// One line a command: it is read as a table.
#[rustfmt::skip]
pub const COMMANDS: &[Entry] = &[
    on(Place::Run, Action::Pause, "pause", "pause the run, or let it go on", &[key(' ')]).hint("pause").unless(while_the_run_lasts),
    on(Place::Run, Action::Step, "step", "let the paused run ask exactly one question", &[key('.')]).hint("step").unless(while_paused),
    on(Place::Panes, Action::Trouble, "why", "say why the run stands still", &[key('w')]).hint("why").unless(while_all_is_well),
    on(Place::Panes, Action::Follow, "follow", "follow what is being tried; moving stops it", &[key('F')]).hint("follow").unless(once_followed),
    on(Place::Panes, Action::NextPane, "next pane", "give the keys to the next pane", &[special(KeyCode::Tab)]).hint("pane"),
    on(Place::Panes, Action::PreviousPane, "previous pane", "give the keys to the pane before", &[special(KeyCode::BackTab)]),
    on(Place::Panes, Action::Result, "result", "show the result", &[key('r')]).hint("result").unless(at_the_end),
    on(Place::Moves, Action::Up, "up", "one row or line up", &[special(KeyCode::Up), key('k')]),
    on(Place::Moves, Action::Down, "down", "one row or line down", &[special(KeyCode::Down), key('j')]),
    on(Place::Moves, Action::PageUp, "page up", "a page up", &[special(KeyCode::PageUp), ctrl('b')]),
    on(Place::Moves, Action::PageDown, "page down", "a page down", &[special(KeyCode::PageDown), ctrl('f')]),
    on(Place::Moves, Action::Top, "top", "to the beginning", &[key('g'), special(KeyCode::Home)]),
    on(Place::Moves, Action::Bottom, "bottom", "to the end", &[key('G'), special(KeyCode::End)]),
    on(Place::Tree, Action::Unfold, "unfold", "unfold the node, or go into it", &[special(KeyCode::Right), key('l')]).hint("unfold"),
    on(Place::Tree, Action::Fold, "fold", "fold the node, or go to what it lies in", &[special(KeyCode::Left), key('h')]).hint("fold"),
    on(Place::Tree, Action::Toggle, "toggle", "unfold or fold the node", &[special(KeyCode::Enter)]),
    on(Place::Tree, Action::UnfoldAll, "unfold all", "unfold everything", &[key('E')]),
    on(Place::Tree, Action::FoldAll, "fold all", "fold all but the top level", &[key('C')]),
    on(Place::Program, Action::Outer, "outer", "select the node around the selected one", &[special(KeyCode::Left), key('h')]).hint("outer"),
    on(Place::Program, Action::Inner, "inner", "select the first node in the selected one", &[special(KeyCode::Right), key('l')]).hint("inner"),
    on(Place::Program, Action::Left, "scroll left", "show more of the text on the left", &[key('<')]),
    on(Place::Program, Action::Right, "scroll right", "show more of the text on the right", &[key('>')]),
    on(Place::Verdicts, Action::Details, "details", "show the question, the verdict, and what the test printed", &[special(KeyCode::Enter), key('i')]).hint("details").unless(before_the_first_verdict),
    on(Place::Layer, Action::Close, "close", "close the page", &[special(KeyCode::Esc)]).hint("close"),
    on(Place::Everywhere, Action::Help, "help", "explain the keys and marks, or stop explaining", &[key('?')]).hint("help"),
    on(Place::Everywhere, Action::Suspend, "to the shell", "go to the shell; the run waits until `fg` brings it back", &[ctrl('z')]),
    on(Place::Everywhere, Action::Quit, "quit", "stop the run, keep the best, leave", &[key('q'), ctrl('c')]).hint("quit"),
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
        let apart = |a, b| {
            matches!(
                (a, b),
                (Tree, Program | Verdicts)
                    | (Program, Verdicts)
                    | (Layer, Panes | Tree | Program | Verdicts)
            )
        };
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
