//! What a command of the screen is.

use super::facts::ScreenFacts;
use super::key_context::KeyContext;
use super::keys::KeyPress;
use crate::tui::app::{App, KeyEffect};
use crate::tui::pages::kind::PageKind;
use crate::tui::panes::pane_action::PaneAction;

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
    /// Its keys, unless the user has configured others.
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
pub const fn new_command(
    context: KeyContext,
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
        context,
        argument: None,
        hint: None,
        page: None,
        disabled: never_disabled,
    }
}

impl ScreenCommand {
    /// The line of hints offers it by this word.
    pub const fn with_hint(self, hint: &'static str) -> ScreenCommand {
        ScreenCommand {
            hint: Some(hint),
            ..self
        }
    }

    /// To a recording it does this.
    pub const fn with_replay_description(self, what: &'static str) -> ScreenCommand {
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
    pub const fn with_page(self, page: PageKind) -> ScreenCommand {
        ScreenCommand {
            page: Some(page),
            ..self
        }
    }

    /// It cannot be done for a reason that this knows.
    pub const fn disabled_if(
        self,
        disabled: fn(&ScreenFacts) -> Option<&'static str>,
    ) -> ScreenCommand {
        ScreenCommand { disabled, ..self }
    }

    /// In the prompt it takes a word.
    pub const fn with_argument(
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
