//! Which command a key means: the default keys of the table, changed by the user's configuration.

use std::collections::BTreeMap;

use super::bindings::KeyBindings;
use super::command::ScreenCommand;
use super::facts::ScreenFacts;
use super::key_context::KeyContext;
use super::keys::KeyPress;
use super::table::COMMANDS;
use crate::config::{ConfigError, ConfigErrors, ConfigValue};
use crate::tui::panes::layout::PaneKind;

/// The default keys of all commands.
pub fn default_bindings() -> KeyBindings {
    bindings_of(default_keys())
}

/// The default keys of each command, in the order of the table.
fn default_keys() -> Vec<Vec<KeyPress>> {
    COMMANDS.iter().map(|entry| entry.keys.to_vec()).collect()
}

fn bindings_of(keys: Vec<Vec<KeyPress>>) -> KeyBindings {
    KeyBindings::new(COMMANDS.iter().map(|entry| entry.name).zip(keys))
}

/// The default keys, with the user's keys for the commands that are configured. A key that the user gives to a command is removed from
/// the commands that have it by default.
///
/// # Errors
/// One for each unknown command, each unknown key, and each key given to two commands whose contexts overlap.
pub fn bind_keys(
    configured: &BTreeMap<String, ConfigValue<Vec<String>>>,
) -> Result<KeyBindings, ConfigErrors> {
    let mut keys_by_command = default_keys();
    let mut configured_keys: Vec<(usize, KeyPress)> = Vec::new();
    let mut faults = Vec::new();
    for (name, ConfigValue { value, from }) in configured {
        let Some(at) = COMMANDS.iter().position(|entry| entry.name == name) else {
            faults.push(ConfigError::new(from, unknown_command_message(name)));
            continue;
        };
        keys_by_command[at].clear();
        for word in value {
            let key = match KeyPress::parse_name(word) {
                Ok(key) => key,
                Err(what) => {
                    faults.push(ConfigError::new(from, what));
                    continue;
                }
            };
            let conflict = configured_keys
                .iter()
                .find(|(other, used)| *used == key && commands_overlap(*other, at));
            if let Some((other, _)) = conflict {
                let what = format!(
                    "`{word}` is given to `{}` and to `{name}`, and there is a place where both apply",
                    COMMANDS[*other].name
                );
                faults.push(ConfigError::new(from, what));
                continue;
            }
            keys_by_command[at].push(key);
            configured_keys.push((at, key));
        }
    }
    for (at, key) in &configured_keys {
        for (other, keys) in keys_by_command.iter_mut().enumerate() {
            if !configured_keys.contains(&(other, *key)) && commands_overlap(*at, other) {
                keys.retain(|default| default != key);
            }
        }
    }
    ConfigErrors::fail_if_any(faults)?;
    Ok(bindings_of(keys_by_command))
}

/// The first command with this key in a context that `applies` accepts.
fn first_command(
    bindings: &KeyBindings,
    key: KeyPress,
    applies: impl Fn(KeyContext) -> bool,
) -> Option<&'static ScreenCommand> {
    COMMANDS
        .iter()
        .find(|entry| bindings.command_keys(entry.name).contains(&key) && applies(entry.context))
}

/// The command that a key means now.
pub fn command_of_key(
    bindings: &KeyBindings,
    facts: &ScreenFacts,
    key: KeyPress,
) -> Option<&'static ScreenCommand> {
    first_command(bindings, key, |context| context.is_active(facts))
}

/// The command that a key would mean in the focused pane if no page were open.
pub fn command_below_page(
    bindings: &KeyBindings,
    facts: &ScreenFacts,
    key: KeyPress,
) -> Option<&'static ScreenCommand> {
    first_command(bindings, key, |context| {
        context.is_available(facts) && context.is_active_in(None, facts.focus)
    })
}

/// The first command that a key means in another pane.
pub fn command_in_other_pane(
    bindings: &KeyBindings,
    facts: &ScreenFacts,
    key: KeyPress,
) -> Option<&'static ScreenCommand> {
    let includes_any_pane = |context: KeyContext| {
        let mut panes = PaneKind::WITH_KEYS.iter();
        panes.any(|pane| context.includes_pane(*pane))
    };
    first_command(bindings, key, |context| {
        includes_any_pane(context) && context.is_available(facts)
    })
}

fn commands_overlap(one: usize, other: usize) -> bool {
    one != other && COMMANDS[one].context.overlaps_with(COMMANDS[other].context)
}

fn unknown_command_message(name: &str) -> String {
    let mut names: Vec<&str> = COMMANDS.iter().map(|entry| entry.name).collect();
    names.sort_unstable();
    format!(
        "there is no command `{name}`; there are {}",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SettingOrigin;
    use crate::tui::keys::char_key;

    fn map(lines: &[(&str, &[&str])]) -> Result<KeyBindings, String> {
        let settled = lines.iter().enumerate().map(|(at, (name, keys))| {
            let value = keys.iter().map(|key| (*key).to_owned()).collect();
            let from = SettingOrigin::File(std::path::Path::new("config.toml").into(), at + 1);
            ((*name).to_owned(), ConfigValue { value, from })
        });
        bind_keys(&settled.collect()).map_err(|error| error.to_string())
    }

    fn of(map: &KeyBindings, name: &str) -> String {
        map.key_names(name)
    }

    #[test]
    fn the_users_keys_take_the_place_of_the_usual_ones() {
        let map = map(&[("pause", &["P", "ctrl-p"]), ("quit", &["z"])]).expect("a map");
        assert_eq!(of(&map, "pause"), "P ctrl-p");
        assert_eq!(of(&map, "quit"), "z");
        assert_eq!(of(&map, "zoom"), "", "its key was taken away");
        assert_eq!(of(&map, "step"), ".");
        let ways = [("pause", "resumes"), ("zoom", "shows one pane")];
        assert_eq!(map.describe_keys(&ways), "P resumes, :zoom shows one pane");
    }

    #[test]
    fn a_bad_binding_is_a_message_with_its_line() {
        let said = |lines: &[(&str, &[&str])]| map(lines).expect_err("bad");
        let unknown = said(&[("puase", &["p"])]);
        assert!(
            unknown.starts_with("config.toml:1: there is no command `puase`; there are "),
            "{unknown}"
        );
        let no_key = said(&[("pause", &["escape"])]);
        assert!(no_key.starts_with("config.toml:1: `escape` is not a key: "));
        let twice = said(&[("pause", &["x"]), ("step", &["x"])]);
        assert_eq!(
            twice,
            "config.toml:2: `x` is given to `pause` and to `step`, and there is a place where both apply"
        );
        let apart = map(&[("fold", &["x"]), ("details", &["x"])]).expect("they never meet");
        assert!(apart.command_keys("fold").contains(&char_key('x')));
    }
}
