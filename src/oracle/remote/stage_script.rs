//! The script of an action: it runs the stages of a test one after the other, each as the runner of this machine would, and prints how each ended and
//! what it printed. `stage_report.rs` reads that.
//!
//! The script is an argument of the shell and no file, so a test cannot change it. What a stage prints goes into files, and the script prints it with
//! its length behind a line that begins with a word of this run, so that no test can say by accident what only the script says.

use std::path::Path;

use super::sent_files::SentFiles;
use crate::oracle::output::JUDGE_CAPACITY;
use crate::oracle::shell::quote_word;
use crate::oracle::{ScriptInterpreter, StageCommand, StageRole, StageView, TestStage};

/// Where documents and other files are in the directory of an action.
pub(super) const DOCUMENTS: &str = "w";
pub(super) const OTHER_FILES: &str = "t";

/// What the script begins with. `o` is for its own files.
const BEGIN: &str = "\
root=$PWD; w=$root/w; t=$root/t; o=$root/o
mkdir -p \"$w\" \"$o/tmp\" || exit 1
TMPDIR=$o/tmp; HOME=${HOME:-$TMPDIR}; export TMPDIR HOME
";

/// The script for these stages, on documents of these paths. `word` begins each line that the script prints.
pub(super) fn write_script(
    stages: &[TestStage],
    documents: &[&Path],
    sent: &SentFiles,
    word: &str,
) -> String {
    let most = JUDGE_CAPACITY;
    let mut script = format!(
        "{BEGIN}say() {{\n\
         n=$(($(wc -c <\"$1\"))); c=$(cksum <\"$1\"); printf '%s %s %s\\n' {word} \"$n\" \"${{c%% *}}\"\n\
         if [ \"$n\" -le {both} ]; then head -c \"$n\" \"$1\"; else head -c {most} \"$1\"; tail -c {most} \"$1\"; fi\n\
         echo\n}}\n",
        both = 2 * most,
    );
    for (number, stage) in stages.iter().enumerate() {
        let command = write_command(stage, documents, sent);
        let output = format!("\"$o/{number}\"");
        let errors = match stage.role.compares_output() {
            true => format!("\"$o/{number}e\""),
            false => "&1".to_owned(),
        };
        script.push_str(&format!(
            "cd \"$w\" || exit 1\n( exec {command} ) </dev/null >{output} 2>{errors}; s=$?\nprintf '%s exit %s\\n' {word} \"$s\"; say {output}\n",
        ));
        if stage.role.compares_output() {
            script.push_str(&format!("say {errors}\n"));
        }
        // Whatever the others say, the verdict is known.
        if matches!(stage.role, StageRole::Says | StageRole::Check) {
            script.push_str("[ \"$s\" = 0 ] || exit 0\n");
        }
    }
    script.push_str("exit 0\n");
    script
}

/// The command of a stage for the shell.
fn write_command(stage: &TestStage, documents: &[&Path], sent: &SentFiles) -> String {
    let below = |directory: &str, path: &Path| {
        format!("\"${directory}\"/{}", quote_word(&path.to_string_lossy()))
    };
    let words: Vec<String> = match &stage.line {
        StageCommand::Script(script) => {
            let place = sent.find_place(script.path()).unwrap_or(script.path());
            let shell =
                (script.interpreter() == ScriptInterpreter::Shell).then(|| "/bin/sh".into());
            let arguments: Vec<String> = match stage.sees {
                StageView::Directory => vec!["\"$w\"".into()],
                _ => documents
                    .iter()
                    .map(|path| below(DOCUMENTS, path))
                    .collect(),
            };
            let words = shell.into_iter().chain([below(OTHER_FILES, place)]);
            words.chain(arguments).collect()
        }
        line => {
            let words = line.to_words(stage.sees, documents.iter().copied());
            let quote = |word: &String| match sent.find_place(Path::new(word)) {
                Some(place) => below(OTHER_FILES, place),
                None => quote_word(word),
            };
            words.iter().map(quote).collect()
        }
    };
    words.join(" ")
}
