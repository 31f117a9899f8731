//! A command of the screen: its name, its keys, and what it does.

use super::facts::ScreenFacts;
use super::key_context::KeyContext;
use super::keys::KeyPress;
use crate::tui::app::{App, KeyEffect};
use crate::tui::pages::kind::PageKind;
use crate::tui::panes::pane_action::PaneAction;

/// What a command does.
#[derive(Clone, Copy)]
pub enum CommandHandler {
    /// Calls a function of the screen, with the argument from the prompt.
    Action(fn(&mut App, Option<&str>) -> KeyEffect),
    /// The same, for a function whose only effect is on the screen.
    View(fn(&mut App, Option<&str>)),
    /// Moves in the focused pane or in the page on top.
    Navigation(PaneAction),
    /// Sends the run a line that could also be typed, made from the selection; the error says why there is none. What the selection is about
    /// may be kept, or asked about, by that.
    Engine(fn(&mut App) -> Result<String, String>),
}

/// The argument of a command.
#[derive(Clone, Copy)]
pub struct ScreenCommandArg {
    /// The argument's name in the usage.
    pub name: &'static str,
    /// The values that the completion proposes; empty if any value is possible.
    pub values: fn(&App) -> Vec<String>,
}

/// A row of the table.
pub struct ScreenCommand {
    /// What the command does.
    pub handler: CommandHandler,
    /// Its name, in the prompt and in the configuration.
    pub name: &'static str,
    /// A short description.
    pub description: &'static str,
    /// The description in a replay, if it differs.
    pub replay_description: Option<&'static str>,
    /// Its default keys.
    pub keys: &'static [KeyPress],
    /// Where it is active.
    pub context: KeyContext,
    /// Its argument in the prompt.
    pub argument: Option<ScreenCommandArg>,
    /// Its word in the footer, if the footer offers it.
    pub hint: Option<&'static str>,
    /// The page that it opens; on this page its keys close it.
    pub page: Option<PageKind>,
    /// Returns the reason why it is disabled now, if it is.
    pub disabled: fn(&ScreenFacts) -> Option<&'static str>,
}

/// A command that is always enabled, without an argument and a hint.
pub const fn new_command(
    context: KeyContext,
    handler: CommandHandler,
    name: &'static str,
    description: &'static str,
    keys: &'static [KeyPress],
) -> ScreenCommand {
    ScreenCommand {
        handler,
        name,
        description,
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
    /// This command, offered in the footer by this word.
    pub const fn with_hint(self, hint: &'static str) -> ScreenCommand {
        ScreenCommand {
            hint: Some(hint),
            ..self
        }
    }

    /// This command, with another description in a replay.
    pub const fn with_replay_description(self, what: &'static str) -> ScreenCommand {
        ScreenCommand {
            replay_description: Some(what),
            ..self
        }
    }

    /// The description that holds now.
    pub fn description_for(&self, facts: &ScreenFacts) -> &'static str {
        let replayed = self.replay_description.filter(|_| facts.replay);
        replayed.unwrap_or(self.description)
    }

    /// This command, as the one that opens a page.
    pub const fn with_page(self, page: PageKind) -> ScreenCommand {
        ScreenCommand {
            page: Some(page),
            ..self
        }
    }

    /// This command, disabled whenever `disabled` returns a reason.
    pub const fn disabled_if(
        self,
        disabled: fn(&ScreenFacts) -> Option<&'static str>,
    ) -> ScreenCommand {
        ScreenCommand { disabled, ..self }
    }

    /// This command, with an argument.
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

    /// Whether it can be typed in the prompt; the prompt's own commands cannot.
    pub fn is_typeable(&self) -> bool {
        self.context != KeyContext::Prompt
    }

    /// How it is typed: its name and its argument.
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
