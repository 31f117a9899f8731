//! The commands as documentation: `docs/KEYS.md`, and a part of the manual.

use std::fmt::Write;

use super::command::ScreenCommand;
use super::key_context::KeyContext;
use super::keymap::default_bindings;
use super::table::COMMANDS;

/// The text of `docs/KEYS.md`.
pub fn render_keys_page() -> String {
    let mut page = String::from(
        "# Keys\n\n\
         The keys and commands of the screen. `cargo xtask generate` writes this page from the table of commands.\n\n\
         Every command can also be typed by its name after `:`, with the argument that stands after the name here; Tab completes. Other keys\n\
         for a command can be set in `config.toml` ([CONFIG.md](CONFIG.md)):\n\n\
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

/// The keys for the manual: for each context its name, and for each of its commands the keys, the usage and the description.
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
