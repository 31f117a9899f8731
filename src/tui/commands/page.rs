//! The commands on paper: `docs/KEYS.md`, and a part of the manual.

use std::fmt::Write;

use super::{COMMANDS, Entry, Keymap, Place};

/// `docs/KEYS.md`, as the table says it.
pub fn keys_page() -> String {
    let mut page = String::from(
        "# Keys\n\n\
         What can be done on the screen, and with which keys. This page is made of the table of commands: `lop generate` writes it.\n\n\
         Every command can also be typed by its name after `:`, with the word that stands behind the name here; Tab completes. Other keys\n\
         for a command can be settled in `config.toml` ([CONFIG.md](CONFIG.md)):\n\n\
         ```toml\n[keys]\npause = \"p\"\nquit = [\"q\", \"ctrl-q\"]\n```\n",
    );
    for (place, entries) in by_place() {
        let _ = write!(
            page,
            "\n## {}\n\n| keys | command | |\n| --- | --- | --- |\n",
            place.name()
        );
        for entry in entries {
            let keys: Vec<String> = entry
                .keys
                .iter()
                .map(|key| format!("`{}`", key.name()))
                .collect();
            let _ = writeln!(
                page,
                "| {} | `{}` | {} |",
                keys.join(" "),
                entry.usage(),
                entry.what
            );
        }
    }
    page
}

/// The keys for the manual: for each place its name, and for each command there its keys, how it is typed, and what it does.
pub fn manual() -> Vec<(&'static str, Vec<[String; 3]>)> {
    let map = Keymap::default();
    let line = |entry: &Entry| [map.words(entry), entry.usage(), entry.what.to_owned()];
    by_place()
        .map(|(place, entries)| (place.name(), entries.into_iter().map(line).collect()))
        .collect()
}

fn by_place() -> impl Iterator<Item = (Place, Vec<&'static Entry>)> {
    let with_entries = Place::ALL.into_iter().map(|place| {
        let entries = COMMANDS.iter().filter(|entry| entry.place == place);
        (place, entries.collect::<Vec<_>>())
    });
    with_entries.filter(|(_, entries)| !entries.is_empty())
}
