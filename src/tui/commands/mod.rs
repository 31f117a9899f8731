//! The commands of the screen: one table, from which the key map, the help, the footer, the prompt with its completion, the manual and
//! `docs/KEYS.md` are made. A new command is a new row of [`COMMANDS`].
//!
//! The handler of a row ([`CommandHandler`]) is a function of the screen's state, a move that each pane implements in its own way, or a line for
//! the run, made from the selection with a verb of `reduce/commands/verbs`. The prompt accepts the commands of the table and every line of a verb.

pub mod bindings;
pub mod command;
pub mod facts;
pub mod key_context;
pub mod keymap;
pub mod keys;
mod keys_page;
pub mod playback_action;
pub mod table;

pub use super::panes::pane_action::PaneAction;
pub use command::{CommandHandler, ScreenCommand};
pub use key_context::KeyContext;
pub use keys_page::{manual_keys, render_keys_page};
pub use playback_action::PlaybackAction;
pub use table::{COMMANDS, find_command, hinted_commands};

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
            // One key for two or more verbs, or for one with an argument, and the key of the log for the verb `goto`, which the history has already.
            let is_exception = ["switch", "continue", "more"].contains(&entry.name);
            assert!(known == tells || is_exception, "{}", entry.name);
        }
    }
}
