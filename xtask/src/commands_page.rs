//! `docs/COMMANDS.md`, made of the table of verbs.

use lop::program::KEEP_MARK;
use lop::reduce::{TARGET_FORMS, VERBS};

/// `docs/COMMANDS.md`: the lines that steer a run.
pub fn render_commands_page() -> String {
    let mut page = String::from(
        "# Commands that steer a run\n\n\
         The same lines work on the screen after `:`, in a script (`--commands FILE`), and at the start (`--command LINE`); the journal has\n\
         them too. A command holds between two questions: a question whose test runs is asked anew under the new rules, and a test that no\n\
         longer matters is killed. Two runs with the same script make the same decisions.\n\n\
         `cargo xtask generate` writes this page.\n\n| command | |\n| --- | --- |\n",
    );
    for verb in VERBS {
        let line = format!("{} {}", verb.name, verb.arguments);
        page.push_str(&format!(
            "| `{}` | {} |\n",
            line.trim().replace('|', "\\|"),
            verb.what
        ));
    }
    page.push_str(&format!(
        "\nA `PLACE` is {TARGET_FORMS}; `/RE/`, the comments that match; or `{KEEP_MARK}`, what the program itself marks: the node after a comment with\n\
         that word, or what stands between `{KEEP_MARK}-begin` and `{KEEP_MARK}-end`. Such marks are heeded without being told to. Lines and columns\n\
         count from 1 and are those of the program at that moment. A pass is called as `lop passes` calls it.\n\n\
         A line of a script is a command, or a moment and a command:\n\n\
         ```text\n# what follows is a comment\npin main\nat decision 100: undo ban\nat commit 3: disable bodies\nat size 50: stop\n```\n\n\
         `undo` goes back by one version. Since a run always goes the same way, it needs to know what shall be different: by default what the\n\
         edit took is pinned. `redo` takes that back. The versions of all branches stay reachable by `goto`, and when the run ends on a larger\n\
         version than another branch has, that one is in a file beside the output.\n\n\
         An edited text that is larger than the program begins a *detour* (`edit!`): the run goes on from it, the file on the disk stays\n\
         at the version that was left, and what comes of it counts only if it ends smaller than it began.\n"
    ));
    page
}
