//! The keys of the page: a table. What the main screen has too is on the keys that the user has given to it there.

use crossterm::event::KeyCode;

use crate::tui::commands::bindings::KeyBindings;
use crate::tui::commands::keys::{KeyPress, char_key};

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartAction {
    /// The row above.
    Up,
    /// The row below.
    Down,
    /// Go on with the selected row.
    Accept,
    /// Switch the selected part on or off.
    Switch,
    /// Back by one step; from the first, leave.
    Back,
    /// Leave.
    Leave,
    /// Suspend the process.
    Suspend,
}

/// Commands of the main screen whose keys have such a meaning here. The first command with the key counts.
const ROWS: &[(&str, StartAction)] = &[
    ("quit", StartAction::Leave),
    ("shell", StartAction::Suspend),
    ("accept", StartAction::Accept),
    ("close", StartAction::Back),
    ("previous-proposal", StartAction::Up),
    ("next-proposal", StartAction::Down),
    ("previous-pane", StartAction::Up),
    ("next-pane", StartAction::Down),
    ("up", StartAction::Up),
    ("down", StartAction::Down),
    ("property", StartAction::Switch),
];

/// The key that switches a part besides those of the main screen.
pub const SWITCH_KEY: KeyPress = char_key(' ');

/// What a key does; none if nothing. While a text is typed, a letter is a letter.
pub fn find_start_action(
    keys: &KeyBindings,
    key: KeyPress,
    is_typing: bool,
) -> Option<StartAction> {
    if is_typing && !key.ctrl && matches!(key.code, KeyCode::Char(_)) {
        return None;
    }
    let has_key = |(command, _): &&(&str, StartAction)| keys.command_keys(command).contains(&key);
    let row = ROWS.iter().find(has_key);
    let own = (key == SWITCH_KEY).then_some(StartAction::Switch);
    row.map(|(_, action)| *action).or(own)
}
