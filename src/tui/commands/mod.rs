//! What a user can do on the screen: one table, of which the key map, the help, the hints, the palette, the manual and
//! `docs/KEYS.md` are made. A command is added by a row of [`COMMANDS`].

mod action;
mod keymap;
mod page;
mod place;
mod table;

pub use action::{Action, Play};
pub use keymap::Keymap;
pub use page::{keys_page, manual};
pub use place::Place;
pub use table::{COMMANDS, ended, unsteered};

use super::app::{App, Effect, Layer};
use super::keys::Key;

/// What a command does.
#[derive(Clone, Copy)]
pub enum Act {
    /// The screen does it, with the word that follows its name in the prompt.
    Do(fn(&mut App, Option<&str>) -> Effect),
    /// The same, where what it shows is all that comes of it.
    Show(fn(&mut App, Option<&str>)),
    /// The pane or the page that has the keys moves, each in its own way.
    Move(Action),
    /// The run is told a line, as it could be typed: about what is selected. Or why it cannot be.
    Tell(fn(&App) -> Result<String, String>),
}

/// A word that a command takes.
#[derive(Clone, Copy)]
pub struct Arg {
    /// What it is, in a word.
    pub name: &'static str,
    /// What it may be, for the completion; empty where it is anything.
    pub values: fn(&App) -> Vec<String>,
}

/// A line of the table.
pub struct Entry {
    /// What happens.
    pub act: Act,
    /// Its name: what is typed in the prompt, and what the configuration calls it.
    pub name: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
    /// What it does to a recording, where that is something else.
    pub replayed: Option<&'static str>,
    /// Its keys, unless the user has settled others.
    pub keys: &'static [Key],
    /// Where it applies.
    pub place: Place,
    /// The word it takes in the prompt.
    pub arg: Option<Arg>,
    /// The word in the line of hints, where it is offered there.
    pub hint: Option<&'static str>,
    /// The page that it opens: there its keys close it.
    pub page: Option<fn(&Layer) -> bool>,
    /// Why it cannot be done now.
    pub disabled: fn(&App) -> Option<&'static str>,
}

/// A command that can always be done, takes nothing, and is no hint.
const fn entry(
    place: Place,
    act: Act,
    name: &'static str,
    what: &'static str,
    keys: &'static [Key],
) -> Entry {
    Entry {
        act,
        name,
        what,
        replayed: None,
        keys,
        place,
        arg: None,
        hint: None,
        page: None,
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

    /// To a recording it does this.
    const fn replayed(self, what: &'static str) -> Entry {
        Entry {
            replayed: Some(what),
            ..self
        }
    }

    /// What it does here, in a few words.
    pub fn what(&self, app: &App) -> &'static str {
        let replayed = self.replayed.filter(|_| app.context.replay);
        replayed.unwrap_or(self.what)
    }

    /// It opens this page.
    const fn page(self, page: fn(&Layer) -> bool) -> Entry {
        Entry {
            page: Some(page),
            ..self
        }
    }

    /// It cannot be done for a reason that this knows.
    const fn unless(self, disabled: fn(&App) -> Option<&'static str>) -> Entry {
        Entry { disabled, ..self }
    }

    /// In the prompt it takes a word.
    const fn takes(self, name: &'static str, values: fn(&App) -> Vec<String>) -> Entry {
        Entry {
            arg: Some(Arg { name, values }),
            ..self
        }
    }

    /// Whether it can be typed: what a prompt itself does cannot, nor what is under the user's fingers only.
    pub fn is_typed(&self) -> bool {
        self.place != Place::Prompt
    }

    /// How it is typed: the name, and the word it takes.
    pub fn usage(&self) -> String {
        match &self.arg {
            Some(arg) => format!("{} {}", self.name, arg.name),
            None => self.name.to_owned(),
        }
    }
}

fn always(_: &App) -> Option<&'static str> {
    None
}

/// The command of this name.
pub fn named(name: &str) -> Option<&'static Entry> {
    COMMANDS.iter().find(|entry| entry.name == name)
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
    use crate::reduce::VERBS;

    #[test]
    fn no_key_means_two_things() {
        for (at, one) in COMMANDS.iter().enumerate() {
            for other in &COMMANDS[..at] {
                assert_ne!(one.name, other.name);
                let shared = one.keys.iter().find(|key| other.keys.contains(key));
                assert!(
                    shared.is_none() || !one.place.meets(other.place),
                    "{} and {} share {shared:?}",
                    one.name,
                    other.name
                );
            }
        }
    }

    #[test]
    fn every_command_can_be_typed_and_has_a_place_in_the_help() {
        for entry in COMMANDS {
            let is_word = |c: char| c.is_ascii_lowercase() || "- ".contains(c);
            assert!(entry.name.chars().all(is_word), "{}", entry.name);
            assert!(Place::ALL.contains(&entry.place), "{}", entry.name);
            assert!(!entry.keys.is_empty(), "{} has no key", entry.name);
            for what in [Some(entry.what), entry.replayed].into_iter().flatten() {
                let length = what.chars().count();
                assert!(length <= 74, "{} fits no line of the help", entry.name);
            }
        }
    }

    #[test]
    fn what_tells_the_run_something_is_called_as_its_verb() {
        for entry in COMMANDS {
            let verb = entry.name.split(' ').next();
            let known = VERBS.iter().any(|known| Some(known.name) == verb);
            let tells = matches!(entry.act, Act::Tell(_));
            // One key for two verbs is the only exception.
            assert!(known == tells || entry.name == "switch", "{}", entry.name);
        }
    }
}
