//! Which keys do what: the keys of the table, but for what the user has settled.

use std::collections::BTreeMap;

use super::keys::KeyPress;
use super::{COMMANDS, KeyContext, ScreenCommand};
use crate::config::{ConfigError, ConfigErrors, ConfigValue};
use crate::tui::app::App;
use crate::tui::panes::layout::PaneKind;

/// The keys of each command, in the order of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyBindings(Vec<Vec<KeyPress>>);

impl Default for KeyBindings {
    fn default() -> KeyBindings {
        KeyBindings(COMMANDS.iter().map(|entry| entry.keys.to_vec()).collect())
    }
}

impl KeyBindings {
    /// The usual keys, but those of the commands that are named here. What the user gives to a command is taken away from those that
    /// have it in the table.
    ///
    /// # Errors
    /// Wherever there is no such command or key, or the user gave one key to two commands that meet.
    pub fn new(
        settled: &BTreeMap<String, ConfigValue<Vec<String>>>,
    ) -> Result<KeyBindings, ConfigErrors> {
        let mut map = KeyBindings::default();
        let mut own: Vec<(usize, KeyPress)> = Vec::new();
        let mut faults = Vec::new();
        for (name, ConfigValue { value, from }) in settled {
            let Some(at) = COMMANDS.iter().position(|entry| entry.name == name) else {
                faults.push(ConfigError::new(from, unknown_command_message(name)));
                continue;
            };
            map.0[at].clear();
            for word in value {
                let key = match KeyPress::parse_name(word) {
                    Ok(key) => key,
                    Err(what) => {
                        faults.push(ConfigError::new(from, what));
                        continue;
                    }
                };
                let taken = own
                    .iter()
                    .find(|(other, taken)| *taken == key && commands_overlap(*other, at));
                if let Some((other, _)) = taken {
                    let what = format!(
                        "`{word}` is given to `{}` and to `{name}`, and there is a place where both apply",
                        COMMANDS[*other].name
                    );
                    faults.push(ConfigError::new(from, what));
                    continue;
                }
                map.0[at].push(key);
                own.push((at, key));
            }
        }
        for (at, key) in &own {
            for (other, keys) in map.0.iter_mut().enumerate() {
                if !own.contains(&(other, *key)) && commands_overlap(*at, other) {
                    keys.retain(|taken| taken != key);
                }
            }
        }
        ConfigErrors::fail_if_any(faults)?;
        Ok(map)
    }

    /// The keys of a command, the first the one to tell.
    pub fn command_keys(&self, entry: &ScreenCommand) -> &[KeyPress] {
        let at = COMMANDS.iter().position(|other| other.name == entry.name);
        at.map_or(&[], |at| &self.0[at])
    }

    /// The keys of a command in words.
    pub fn key_names(&self, entry: &ScreenCommand) -> String {
        let names: Vec<String> = self
            .command_keys(entry)
            .iter()
            .map(|key| key.name())
            .collect();
        names.join(" ")
    }

    /// The first key of the command of this name; what is typed, if it has none.
    pub fn first_key_name(&self, name: &str) -> String {
        let key = super::find_command(name).and_then(|entry| self.command_keys(entry).first());
        key.map_or_else(|| format!(":{name}"), |key| key.name())
    }

    /// What commands do, each by its first key: `space goes on, q leaves`.
    pub fn describe_keys(&self, ways: &[(&str, &str)]) -> String {
        let way = |(name, what): &(&str, &str)| format!("{} {what}", self.first_key_name(name));
        ways.iter().map(way).collect::<Vec<_>>().join(", ")
    }

    /// The command of a key, where the keys go now.
    pub fn find_command(&self, app: &App, key: KeyPress) -> Option<&'static ScreenCommand> {
        let with_keys = COMMANDS.iter().zip(&self.0);
        with_keys
            .filter(|(entry, keys)| keys.contains(&key) && entry.context.is_active(app))
            .map(|(entry, _)| entry)
            .next()
    }

    /// The command of a key in the pane that would have the keys without the pages over it.
    pub fn find_below_page(&self, app: &App, key: KeyPress) -> Option<&'static ScreenCommand> {
        let with_keys = COMMANDS.iter().zip(&self.0);
        let is_below = |place: KeyContext| {
            place.is_available(app) && place.is_active_in(None, app.focused_pane())
        };
        let mut found =
            with_keys.filter(|(entry, keys)| keys.contains(&key) && is_below(entry.context));
        found.next().map(|(entry, _)| entry)
    }

    /// The first command of a key that means nothing where the keys go now, but in another pane.
    pub fn find_in_other_pane(&self, app: &App, key: KeyPress) -> Option<&'static ScreenCommand> {
        let with_keys = COMMANDS.iter().zip(&self.0);
        let of_panes = |place: KeyContext| {
            PaneKind::WITH_KEYS
                .iter()
                .any(|pane| place.includes_pane(*pane))
        };
        let mut found = with_keys.filter(|(entry, keys)| {
            keys.contains(&key) && of_panes(entry.context) && entry.context.is_available(app)
        });
        found.next().map(|(entry, _)| entry)
    }
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
        KeyBindings::new(&settled.collect()).map_err(|error| error.to_string())
    }

    fn of(map: &KeyBindings, name: &str) -> String {
        map.key_names(crate::tui::commands::find_command(name).expect("a command"))
    }

    #[test]
    fn the_users_keys_take_the_place_of_the_usual_ones() {
        let map = map(&[("pause", &["P", "ctrl-p"]), ("quit", &["z"])]).expect("a map");
        assert_eq!(of(&map, "pause"), "P ctrl-p");
        assert_eq!(of(&map, "quit"), "z");
        assert_eq!(of(&map, "zoom"), "", "its key was taken away");
        assert_eq!(of(&map, "step"), ".");
        let ways = [("pause", "goes on"), ("zoom", "shows one pane")];
        assert_eq!(map.describe_keys(&ways), "P goes on, :zoom shows one pane");
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
        assert!(no_key.starts_with("config.toml:1: `escape` is no key: "));
        let twice = said(&[("pause", &["x"]), ("step", &["x"])]);
        assert_eq!(
            twice,
            "config.toml:2: `x` is given to `pause` and to `step`, and there is a place where both apply"
        );
        let apart = map(&[("fold", &["x"]), ("details", &["x"])]).expect("they never meet");
        assert!(
            apart
                .command_keys(crate::tui::commands::find_command("fold").expect("one"))
                .contains(&char_key('x'))
        );
    }
}
