//! `lop commands`: the commands that steer a run.

use crate::program::KEEP_MARK;
use crate::reduce::{self, TARGET_FORMS, VERBS};

/// The page, line by line.
pub fn commands_page() -> String {
    let left = |verb: &reduce::CommandVerb| {
        format!("{} {}", verb.name, verb.arguments)
            .trim()
            .to_owned()
    };
    let width = VERBS
        .iter()
        .map(left)
        .filter(|left| left.len() < 30)
        .map(|left| left.len())
        .max()
        .unwrap_or(0);
    let mut page = String::from(
        "Commands that steer a run: on the screen after `:`, in a script (--commands), and with --command:\n",
    );
    for verb in VERBS {
        let left = left(verb);
        match left.len() <= width {
            true => page.push_str(&format!("  {left:width$}  {}\n", verb.what)),
            false => page.push_str(&format!("  {left}\n  {:width$}  {}\n", "", verb.what)),
        }
    }
    page.push_str(&format!("\nA PLACE is {TARGET_FORMS}; /RE/: the comments that match; {KEEP_MARK}: what the program marks with that word in a comment.\n"));
    page.push_str("A line of a script is a command, or a moment and a command: `at decision 100: undo ban`, `at commit 3: ...`, `at size 50: ...`, `at start: ...`.\n");
    page
}
