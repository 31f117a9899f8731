//! Which keys do what: the keys of each command by its name.

use std::collections::BTreeMap;

use super::keys::KeyPress;

/// The keys of each command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyBindings(BTreeMap<&'static str, Vec<KeyPress>>);

impl KeyBindings {
    /// These keys for these commands.
    pub fn new(keys: impl IntoIterator<Item = (&'static str, Vec<KeyPress>)>) -> KeyBindings {
        KeyBindings(keys.into_iter().collect())
    }

    /// The keys of a command; the first is the one to tell.
    pub fn command_keys(&self, name: &str) -> &[KeyPress] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// The keys of a command in words.
    pub fn key_names(&self, name: &str) -> String {
        let keys = self.command_keys(name).iter();
        keys.map(|key| key.name()).collect::<Vec<_>>().join(" ")
    }

    /// The first key of a command; what is typed, if it has none.
    pub fn first_key_name(&self, name: &str) -> String {
        let key = self.command_keys(name).first();
        key.map_or_else(|| format!(":{name}"), |key| key.name())
    }

    /// What commands do, each by its first key: `space goes on, q leaves`.
    pub fn describe_keys(&self, ways: &[(&str, &str)]) -> String {
        let way = |(name, what): &(&str, &str)| format!("{} {what}", self.first_key_name(name));
        ways.iter().map(way).collect::<Vec<_>>().join(", ")
    }
}
