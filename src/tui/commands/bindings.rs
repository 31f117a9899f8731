//! Key bindings: the keys of each command, by the command's name.

use std::collections::BTreeMap;

use super::keys::KeyPress;

/// The keys of each command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyBindings(BTreeMap<&'static str, Vec<KeyPress>>);

impl KeyBindings {
    /// The bindings of these commands.
    pub fn new(keys: impl IntoIterator<Item = (&'static str, Vec<KeyPress>)>) -> KeyBindings {
        KeyBindings(keys.into_iter().collect())
    }

    /// The keys of a command; messages name the first.
    pub fn command_keys(&self, name: &str) -> &[KeyPress] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// The names of a command's keys, separated by blanks.
    pub fn key_names(&self, name: &str) -> String {
        let keys = self.command_keys(name).iter();
        keys.map(|key| key.name()).collect::<Vec<_>>().join(" ")
    }

    /// The name of a command's first key; without a key, what to type in the prompt.
    pub fn first_key_name(&self, name: &str) -> String {
        let key = self.command_keys(name).first();
        key.map_or_else(|| format!(":{name}"), |key| key.name())
    }

    /// What commands do, each by its first key: `space resumes, q leaves`.
    pub fn describe_keys(&self, actions: &[(&str, &str)]) -> String {
        let describe =
            |(name, what): &(&str, &str)| format!("{} {what}", self.first_key_name(name));
        actions.iter().map(describe).collect::<Vec<_>>().join(", ")
    }
}
