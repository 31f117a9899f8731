//! `docs/COMMANDS.md`, made of the table of verbs.

use lop::program::KEEP_MARK;
use lop::reduce::{TARGET_FORMS, VERBS};

/// `docs/COMMANDS.md`: the lines that steer a run.
pub fn render_commands_page() -> String {
    let mut page = String::from(
        "# Commands that steer a run\n\n\
         The same lines work on the screen after `:`, in a script (`--commands FILE`), and at the start (`--command LINE`); the journal has\n\
         them too. A command holds between two decisions: a candidate whose test is running is proposed again under the new rules, and a\n\
         test that no longer matters is killed. Two runs with the same script make the same decisions.\n\n\
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
         that word, or the text between `{KEEP_MARK}-begin` and `{KEEP_MARK}-end`. lop follows such marks without an option. Lines and columns\n\
         count from 1 and are those of the program at that moment. Of several things with one name, a function or a type is meant before a\n\
         variable, and that before a parameter or a field. The names of passes are those of `lop passes`.\n\n\
         A line of a script is a command, or a moment and a command:\n\n\
         ```text\n# what follows is a comment\npin main\nat decision 100: undo ban\nat commit 3: disable bodies\nat size 50: stop\n```\n\n\
         `undo` goes back by one version, `undo keep 12` to the one before version 12. Typed on the screen `undo` opens the menu of its ways, as the key `u` does, and the run waits until one is chosen. A run always goes the same way, so `undo` must change\n\
         something: by default it pins what the edit deleted. `redo` reverses it. `goto` reaches the versions of all branches. If the run ends on a version that is larger than that of\n\
         another branch, the smaller one is in a file beside the output.\n\n\
         An edited text that is larger than the program begins a *detour* (`edit!`): the run continues from it, and the output file keeps\n\
         the version from before. The result of the detour counts only if it is smaller than that version. A pass may begin detours too\n\
         ([STRATEGIES.md](STRATEGIES.md#unfolding)); commands mean the same in them. `undo` and `goto` lead out of one, and then it is over.\n"
    ));
    page
}
