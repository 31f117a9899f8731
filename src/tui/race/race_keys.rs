//! The keys of a race: a table. What the main screen has too is on the keys that the user has given to it there.

use crossterm::event::KeyCode;

use crate::tui::commands::bindings::KeyBindings;
use crate::tui::commands::keymap::default_bindings;
use crate::tui::commands::keys::{KeyPress, char_key, special_key};

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaceAction {
    /// Go on in the lesson.
    LessonNext,
    /// Tell the step of the lesson before.
    LessonBack,
    /// Pause the race, or let it go on.
    Pause,
    /// One test in each lane.
    Step,
    /// By tests, or in real time.
    SwitchPace,
    /// More tests a second, by tests.
    Faster,
    /// Fewer tests a second, by tests.
    Slower,
    /// An axis of tests that is logarithmic, or not.
    SwitchAxis,
    /// Choose this lane.
    ChooseLane(usize),
    /// Choose the next lane.
    NextLane,
    /// Choose the lane before.
    PreviousLane,
    /// Show the chosen lane alone, or all.
    Zoom,
    /// Show all lanes.
    Unzoom,
    /// Show the help.
    Help,
    /// Suspend the process.
    Suspend,
    /// Leave.
    Quit,
}

/// Which keys an action has.
#[derive(Clone, Copy, Debug)]
enum RaceKeys {
    /// Those of this command of the main screen.
    Of(&'static str),
    /// These.
    Own(&'static [KeyPress]),
    /// The digits: each chooses a lane.
    Digits,
}

/// A row of the table.
struct RaceKeyRow {
    keys: RaceKeys,
    action: RaceAction,
    /// A word for the footer.
    hint: Option<&'static str>,
    what: &'static str,
}

const fn row(
    keys: RaceKeys,
    action: RaceAction,
    hint: Option<&'static str>,
    what: &'static str,
) -> RaceKeyRow {
    RaceKeyRow {
        keys,
        action,
        hint,
        what,
    }
}

#[rustfmt::skip]
const ROWS: &[RaceKeyRow] = &[
    row(RaceKeys::Of("lesson-next"), RaceAction::LessonNext, Some("next"), "in a lesson: go on, to the answer or to the next step"),
    row(RaceKeys::Of("lesson-back"), RaceAction::LessonBack, Some("back"), "in a lesson: tell the step before again; the lanes stay where they are"),
    row(RaceKeys::Of("pause"), RaceAction::Pause, Some("pause"), "pause all lanes, or let them go on"),
    row(RaceKeys::Of("step"), RaceAction::Step, Some("one each"), "pause; then one test in each lane"),
    row(RaceKeys::Own(&[char_key('t')]), RaceAction::SwitchPace, Some("real time"), "by tests: no lane is ahead of the others; or in real time: each as fast as it can"),
    row(RaceKeys::Own(&[char_key('+')]), RaceAction::Faster, Some("faster"), "faster, by tests"),
    row(RaceKeys::Own(&[char_key('-')]), RaceAction::Slower, None, "slower, by tests"),
    row(RaceKeys::Of("axis"), RaceAction::SwitchAxis, None, "draw the curves over tests on a logarithmic axis, or on an even one"),
    row(RaceKeys::Digits, RaceAction::ChooseLane(0), None, "choose a lane by its number"),
    row(RaceKeys::Of("next-pane"), RaceAction::NextLane, Some("lane"), "choose the next lane"),
    row(RaceKeys::Of("previous-pane"), RaceAction::PreviousLane, None, "choose the lane before"),
    row(RaceKeys::Of("zoom"), RaceAction::Zoom, Some("program"), "show the program of the chosen lane alone, or all lanes"),
    row(RaceKeys::Own(&[special_key(KeyCode::Enter)]), RaceAction::Zoom, None, "the same, outside of a lesson"),
    row(RaceKeys::Of("close"), RaceAction::Unzoom, None, "show all lanes"),
    row(RaceKeys::Of("help"), RaceAction::Help, Some("help"), "show or close the help"),
    row(RaceKeys::Of("shell"), RaceAction::Suspend, None, "suspend lop; `fg` brings it back"),
    row(RaceKeys::Of("quit"), RaceAction::Quit, Some("quit"), "stop all lanes, leave, and print the table"),
];

impl RaceKeyRow {
    /// Whether its keys mean this, in a lesson or outside of one.
    fn applies(&self, is_lesson: bool) -> bool {
        match self.action {
            RaceAction::LessonNext | RaceAction::LessonBack => is_lesson,
            // The lesson says when the lanes go on.
            RaceAction::Pause | RaceAction::Step | RaceAction::SwitchPace => !is_lesson,
            _ => true,
        }
    }

    /// The names of its keys, separated by blanks.
    fn key_names(&self, keys: &KeyBindings) -> String {
        match self.keys {
            RaceKeys::Of(command) => keys.key_names(command),
            RaceKeys::Own(own) => {
                let names = own.iter().map(|key| key.name());
                names.collect::<Vec<_>>().join(" ")
            }
            RaceKeys::Digits => "1 … 9".into(),
        }
    }

    /// What this key does, if it is one of the row's.
    fn action_of(&self, keys: &KeyBindings, key: KeyPress) -> Option<RaceAction> {
        match self.keys {
            RaceKeys::Of(command) => keys.command_keys(command).contains(&key),
            RaceKeys::Own(own) => own.contains(&key),
            RaceKeys::Digits => {
                let KeyCode::Char(digit @ '1'..='9') = key.code else {
                    return None;
                };
                return Some(RaceAction::ChooseLane(digit as usize - '1' as usize));
            }
        }
        .then_some(self.action)
    }
}

impl RaceAction {
    /// The name of its first key.
    pub fn key_name(self, keys: &KeyBindings) -> String {
        let row = ROWS.iter().find(|row| row.action == self);
        let names = row.map_or_else(String::new, |row| row.key_names(keys));
        names.split(' ').next().unwrap_or_default().to_owned()
    }
}

/// What a key does; none if nothing.
pub fn find_action(keys: &KeyBindings, key: KeyPress, is_lesson: bool) -> Option<RaceAction> {
    let mut rows = ROWS.iter().filter(|row| row.applies(is_lesson));
    rows.find_map(|row| row.action_of(keys, key))
}

/// The keys and what each does, for the help and the documents.
pub fn list_race_keys(keys: &KeyBindings) -> Vec<(String, &'static str)> {
    let rows = ROWS.iter();
    rows.map(|row| (row.key_names(keys), row.what)).collect()
}

/// The section of `docs/KEYS.md` about a race.
pub fn render_race_keys() -> String {
    let rows = list_race_keys(&default_bindings());
    let rows = rows.into_iter().map(|(keys, what)| {
        let keys = keys.split(' ').map(|key| match key {
            "…" => key.to_owned(),
            key => format!("`{key}`"),
        });
        format!("| {} | {what} |\n", keys.collect::<Vec<_>>().join(" "))
    });
    let rows: String = rows.collect();
    format!(
        "\n## A race\n\nThe screen of `lop race` and of a lesson about a race has keys of its own; those that it shares with the main screen are configured there.\n\n\
         | keys | |\n| --- | --- |\n{rows}"
    )
}

/// The first key of each action that the footer names, and its word.
pub fn list_hints(keys: &KeyBindings, is_lesson: bool) -> Vec<(RaceAction, String, &'static str)> {
    let hint = |row: &RaceKeyRow| {
        let names = row.key_names(keys);
        let first = names.split(' ').next().filter(|name| !name.is_empty())?;
        Some((row.action, first.to_owned(), row.hint?))
    };
    let rows = ROWS.iter().filter(|row| row.applies(is_lesson));
    rows.filter_map(hint).collect()
}
