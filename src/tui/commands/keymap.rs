//! Which keys do what: the keys of the table, but for what the user has settled.

use std::collections::BTreeMap;

use super::super::app::App;
use super::super::keys::Key;
use super::super::layout::Pane;
use super::{COMMANDS, Entry, Place};
use crate::config::{Error, Errors, Placed};

/// The keys of each command, in the order of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap(Vec<Vec<Key>>);

impl Default for Keymap {
    fn default() -> Keymap {
        Keymap(COMMANDS.iter().map(|entry| entry.keys.to_vec()).collect())
    }
}

impl Keymap {
    /// The usual keys, but those of the commands that are named here. What the user gives to a command is taken away from those that
    /// have it in the table.
    ///
    /// # Errors
    /// Wherever there is no such command or key, or the user gave one key to two commands that meet.
    pub fn new(settled: &BTreeMap<String, Placed<Vec<String>>>) -> Result<Keymap, Errors> {
        let mut map = Keymap::default();
        let mut own: Vec<(usize, Key)> = Vec::new();
        let mut faults = Vec::new();
        for (name, Placed { value, from }) in settled {
            let Some(at) = COMMANDS.iter().position(|entry| entry.name == name) else {
                faults.push(Error::new(from, unknown(name)));
                continue;
            };
            map.0[at].clear();
            for word in value {
                let key = match Key::read(word) {
                    Ok(key) => key,
                    Err(what) => {
                        faults.push(Error::new(from, what));
                        continue;
                    }
                };
                let taken = own
                    .iter()
                    .find(|(other, taken)| *taken == key && meet(*other, at));
                if let Some((other, _)) = taken {
                    let what = format!(
                        "`{word}` is given to `{}` and to `{name}`, and there is a place where both apply",
                        COMMANDS[*other].name
                    );
                    faults.push(Error::new(from, what));
                    continue;
                }
                map.0[at].push(key);
                own.push((at, key));
            }
        }
        for (at, key) in &own {
            for (other, keys) in map.0.iter_mut().enumerate() {
                if !own.contains(&(other, *key)) && meet(*at, other) {
                    keys.retain(|taken| taken != key);
                }
            }
        }
        Errors::none(faults)?;
        Ok(map)
    }

    /// The keys of a command, the first the one to tell.
    pub fn of(&self, entry: &Entry) -> &[Key] {
        let at = COMMANDS.iter().position(|other| other.name == entry.name);
        at.map_or(&[], |at| &self.0[at])
    }

    /// The keys of a command in words.
    pub fn words(&self, entry: &Entry) -> String {
        let names: Vec<String> = self.of(entry).iter().map(|key| key.name()).collect();
        names.join(" ")
    }

    /// The first key of the command of this name; what is typed, if it has none.
    pub fn first(&self, name: &str) -> String {
        let key = super::named(name).and_then(|entry| self.of(entry).first());
        key.map_or_else(|| format!(":{name}"), |key| key.name())
    }

    /// What commands do, each by its first key: `space goes on, q leaves`.
    pub fn ways(&self, ways: &[(&str, &str)]) -> String {
        let way = |(name, what): &(&str, &str)| format!("{} {what}", self.first(name));
        ways.iter().map(way).collect::<Vec<_>>().join(", ")
    }

    /// The command of a key, where the keys go now.
    pub fn find(&self, app: &App, key: Key) -> Option<&'static Entry> {
        let with_keys = COMMANDS.iter().zip(&self.0);
        with_keys
            .filter(|(entry, keys)| keys.contains(&key) && entry.place.holds(app))
            .map(|(entry, _)| entry)
            .next()
    }

    /// The command of a key in the pane that would have the keys without the pages over it.
    pub fn below(&self, app: &App, key: Key) -> Option<&'static Entry> {
        let with_keys = COMMANDS.iter().zip(&self.0);
        let is_below = |place: Place| place.is_there(app) && place.holds_with(None, app.focus());
        let mut found =
            with_keys.filter(|(entry, keys)| keys.contains(&key) && is_below(entry.place));
        found.next().map(|(entry, _)| entry)
    }

    /// The first command of a key that means nothing where the keys go now, but in another pane.
    pub fn elsewhere(&self, app: &App, key: Key) -> Option<&'static Entry> {
        let with_keys = COMMANDS.iter().zip(&self.0);
        let of_panes = |place: Place| Pane::WITH_KEYS.iter().any(|pane| place.is_of(*pane));
        let mut found = with_keys.filter(|(entry, keys)| {
            keys.contains(&key) && of_panes(entry.place) && entry.place.is_there(app)
        });
        found.next().map(|(entry, _)| entry)
    }
}

fn meet(one: usize, other: usize) -> bool {
    one != other && COMMANDS[one].place.meets(COMMANDS[other].place)
}

fn unknown(name: &str) -> String {
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
    use crate::config::Origin;
    use crate::tui::keys::key;

    fn map(lines: &[(&str, &[&str])]) -> Result<Keymap, String> {
        let settled = lines.iter().enumerate().map(|(at, (name, keys))| {
            let value = keys.iter().map(|key| (*key).to_owned()).collect();
            let from = Origin::File(std::path::Path::new("config.toml").into(), at + 1);
            ((*name).to_owned(), Placed { value, from })
        });
        Keymap::new(&settled.collect()).map_err(|error| error.to_string())
    }

    fn of(map: &Keymap, name: &str) -> String {
        map.words(super::super::named(name).expect("a command"))
    }

    #[test]
    fn the_users_keys_take_the_place_of_the_usual_ones() {
        let map = map(&[("pause", &["P", "ctrl-p"]), ("quit", &["z"])]).expect("a map");
        assert_eq!(of(&map, "pause"), "P ctrl-p");
        assert_eq!(of(&map, "quit"), "z");
        assert_eq!(of(&map, "zoom"), "", "its key was taken away");
        assert_eq!(of(&map, "step"), ".");
        let ways = [("pause", "goes on"), ("zoom", "shows one pane")];
        assert_eq!(map.ways(&ways), "P goes on, :zoom shows one pane");
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
                .of(super::super::named("fold").expect("one"))
                .contains(&key('x'))
        );
    }
}
