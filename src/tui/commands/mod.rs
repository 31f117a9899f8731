//! What a user can do on the screen: one table, of which the key map, the help, the hints, the prompt with its completion, the manual and
//! `docs/KEYS.md` are made. A command is added by a row of [`COMMANDS`].
//!
//! What a row does ([`CommandHandler`]) is a function of the screen's state, a move that each pane makes in its own way, or a line for the run, of
//! those in `reduce/commands/verbs`, about what is selected. The prompt takes the commands of the table, and every line of a verb.

mod bindings;
mod facts;
mod key_context;
pub mod keymap;
pub mod keys;
mod keys_page;
mod playback_action;
mod table;

pub use bindings::KeyBindings;
pub use facts::{RunPhase, ScreenFacts};
pub use key_context::KeyContext;
pub use keys_page::{manual_keys, render_keys_page};
pub use playback_action::PlaybackAction;
pub use table::{COMMANDS, not_steerable, run_ended};

pub use super::panes::pane_action::PaneAction;
use crate::tui::app::{App, KeyEffect};
use crate::tui::pages::kind::PageKind;
use keys::KeyPress;

/// What a command does.
#[derive(Clone, Copy)]
pub enum CommandHandler {
    /// The screen does it, with the word that follows its name in the prompt.
    Action(fn(&mut App, Option<&str>) -> KeyEffect),
    /// The same, where what it shows is all that comes of it.
    View(fn(&mut App, Option<&str>)),
    /// The pane or the page that has the keys moves, each in its own way.
    Navigation(PaneAction),
    /// The run is told a line, as it could be typed: about what is selected. Or why it cannot be.
    Engine(fn(&App) -> Result<String, String>),
}

/// A word that a command takes.
#[derive(Clone, Copy)]
pub struct ScreenCommandArg {
    /// What it is, in a word.
    pub name: &'static str,
    /// What it may be, for the completion; empty where it is anything.
    pub values: fn(&App) -> Vec<String>,
}

/// A line of the table.
pub struct ScreenCommand {
    /// What happens.
    pub handler: CommandHandler,
    /// Its name: what is typed in the prompt, and what the configuration calls it.
    pub name: &'static str,
    /// What it does, in a few words.
    pub description: &'static str,
    /// What it does to a recording, where that is something else.
    pub replay_description: Option<&'static str>,
    /// Its keys, unless the user has settled others.
    pub keys: &'static [KeyPress],
    /// Where it applies.
    pub context: KeyContext,
    /// The word it takes in the prompt.
    pub argument: Option<ScreenCommandArg>,
    /// The word in the line of hints, where it is offered there.
    pub hint: Option<&'static str>,
    /// The page that it opens: there its keys close it.
    pub page: Option<PageKind>,
    /// Why it cannot be done now.
    pub disabled: fn(&ScreenFacts) -> Option<&'static str>,
}

/// A command that can always be done, takes nothing, and is no hint.
const fn new_command(
    place: KeyContext,
    act: CommandHandler,
    name: &'static str,
    what: &'static str,
    keys: &'static [KeyPress],
) -> ScreenCommand {
    ScreenCommand {
        handler: act,
        name,
        description: what,
        replay_description: None,
        keys,
        context: place,
        argument: None,
        hint: None,
        page: None,
        disabled: never_disabled,
    }
}

impl ScreenCommand {
    /// The line of hints offers it by this word.
    const fn with_hint(self, hint: &'static str) -> ScreenCommand {
        ScreenCommand {
            hint: Some(hint),
            ..self
        }
    }

    /// To a recording it does this.
    const fn with_replay_description(self, what: &'static str) -> ScreenCommand {
        ScreenCommand {
            replay_description: Some(what),
            ..self
        }
    }

    /// What it does here, in a few words.
    pub fn description_for(&self, facts: &ScreenFacts) -> &'static str {
        let replayed = self.replay_description.filter(|_| facts.replay);
        replayed.unwrap_or(self.description)
    }

    /// It opens this page.
    const fn with_page(self, page: PageKind) -> ScreenCommand {
        ScreenCommand {
            page: Some(page),
            ..self
        }
    }

    /// It cannot be done for a reason that this knows.
    const fn disabled_if(
        self,
        disabled: fn(&ScreenFacts) -> Option<&'static str>,
    ) -> ScreenCommand {
        ScreenCommand { disabled, ..self }
    }

    /// In the prompt it takes a word.
    const fn with_argument(
        self,
        name: &'static str,
        values: fn(&App) -> Vec<String>,
    ) -> ScreenCommand {
        ScreenCommand {
            argument: Some(ScreenCommandArg { name, values }),
            ..self
        }
    }

    /// Whether it can be typed: what a prompt itself does cannot, nor what is under the user's fingers only.
    pub fn is_typeable(&self) -> bool {
        self.context != KeyContext::Prompt
    }

    /// How it is typed: the name, and the word it takes.
    pub fn usage(&self) -> String {
        match &self.argument {
            Some(arg) => format!("{} {}", self.name, arg.name),
            None => self.name.to_owned(),
        }
    }
}

fn never_disabled(_: &ScreenFacts) -> Option<&'static str> {
    None
}

/// The command of this name.
pub fn find_command(name: &str) -> Option<&'static ScreenCommand> {
    COMMANDS.iter().find(|entry| entry.name == name)
}

/// The commands that the line of hints offers now.
pub fn hinted_commands(facts: &ScreenFacts) -> impl Iterator<Item = &'static ScreenCommand> {
    COMMANDS.iter().filter(move |entry| {
        entry.hint.is_some() && entry.context.is_active(facts) && (entry.disabled)(facts).is_none()
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
                    shared.is_none() || !one.context.overlaps_with(other.context),
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
            assert!(KeyContext::ALL.contains(&entry.context), "{}", entry.name);
            assert!(!entry.keys.is_empty(), "{} has no key", entry.name);
            for what in [Some(entry.description), entry.replay_description]
                .into_iter()
                .flatten()
            {
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
            let tells = matches!(entry.handler, CommandHandler::Engine(_));
            // One key for two verbs is the only exception.
            assert!(known == tells || entry.name == "switch", "{}", entry.name);
        }
    }
}
