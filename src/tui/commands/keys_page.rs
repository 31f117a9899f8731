//! The commands on paper: `docs/KEYS.md`, and a part of the manual.

use std::fmt::Write;

use super::command::ScreenCommand;
use super::key_context::KeyContext;
use super::keymap::default_bindings;
use super::table::COMMANDS;

/// `docs/KEYS.md`, as the table says it.
pub fn render_keys_page() -> String {
    let mut page = String::from(
        "# Keys\n\n\
         What can be done on the screen, and with which keys. This page is made of the table of commands: `cargo xtask generate` writes it.\n\n\
         Every command can also be typed by its name after `:`, with the word that stands behind the name here; Tab completes. Other keys\n\
         for a command can be settled in `config.toml` ([CONFIG.md](CONFIG.md)):\n\n\
         ```toml\n[keys]\npause = \"p\"\nquit = [\"q\", \"ctrl-q\"]\n```\n",
    );
    for (context, entries) in commands_by_context() {
        let _ = write!(
            page,
            "\n## {}\n\n| keys | command | |\n| --- | --- | --- |\n",
            context.name()
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
                entry.description
            );
        }
    }
    page
}

/// The keys for the manual: for each place its name, and for each command there its keys, how it is typed, and what it does.
pub fn manual_keys() -> Vec<(&'static str, Vec<[String; 3]>)> {
    let map = default_bindings();
    let line = |entry: &ScreenCommand| {
        [
            map.key_names(entry.name),
            entry.usage(),
            entry.description.to_owned(),
        ]
    };
    commands_by_context()
        .map(|(context, entries)| (context.name(), entries.into_iter().map(line).collect()))
        .collect()
}

fn commands_by_context() -> impl Iterator<Item = (KeyContext, Vec<&'static ScreenCommand>)> {
    let with_entries = KeyContext::ALL.into_iter().map(|context| {
        let entries = COMMANDS.iter().filter(|entry| entry.context == context);
        (context, entries.collect::<Vec<_>>())
    });
    with_entries.filter(|(_, entries)| !entries.is_empty())
}
