//! The error messages in the sources.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// Why sentences are in no row, and pieces of them.
const EXCUSED: &[(&str, &[&str])] = &[
    (
        "a name in a row is UTF-8, ten thousand files take long, and root may list every directory: tried by hand",
        &[
            "is not UTF-8, and no journal can hold it",
            "name a directory below it, or name in",
            "see who may read what is below it",
        ],
    ),
    (
        "told on the screen or in the run, as the outcome of a command: tests/reducing/steer/, tests/command_line/property/",
        &[
            "the edit is about something that is not in this version",
            "two changes of the edit are about one place",
            "the edit is about a file that stays as it is",
            "what would be left does not fit the grammar",
            "that node is not in the program any more",
            "the failure property would be empty",
            "there is no part `",
            "the test is a script",
            "closed by",
            "it would not make",
        ],
    ),
    (
        "said to a reducer, or to a program that proposes: tests/command_line/propose.rs, tests/reducing/steer/proposals.rs",
        &[
            "of the reducer is none of the protocol:",
            "of the protocol, and this lop version",
            "files, and this lop serves programs of one file",
            "are not two digits each",
            "there is no file of that number",
            "its ranges do not lie inside of the file, one behind the other",
            "it changes nothing",
        ],
    ),
    (
        "needs another lop at work, or somebody who writes meanwhile: tests/command_line/sessions.rs, tests/command_line/cli/output.rs, tests/command_line/refusals.rs",
        &[
            "; wait for its end, or name another place with --output",
            "; wait for its end, or stop it",
            "was changed while lop looked at it",
        ],
    ),
    (
        "needs a run to attach to, or who pretends to be one: tests/command_line/attach.rs",
        &[
            "nobody listens there",
            "it belongs to another user",
            "what answers there is no lop",
            "it has closed the connection",
            "it does not answer",
        ],
    ),
    (
        "needs a farm, or what a farm is refused: tests/farm/",
        &[
            "cannot be sent to the farm:",
            "the farm's address is grpc://",
            "cannot be sent: its name has letters",
            "a farm cannot run this test:",
            "the farm's client cannot start",
            "the farm gives no verdict",
            "its name is not UTF-8, and a farm knows no other names",
            "its path leads out of the directory of the test",
            "two files have the same name",
        ],
    ),
    (
        "told to a program that uses the library: tests/library.rs",
        &[
            "the test failed: it panicked:",
            "there is no program to reduce; give the builder",
            "there is no test; give the builder",
            "the program cannot be read:",
            "the test does not find the original interesting",
            "the system failed:",
        ],
    ),
    (
        "needs a disk that gets full in the middle: tests/command_line/full.rs",
        &[
            "the result cannot be written to",
            "no directory for the tests to run in",
            "the originals cannot be copied to",
        ],
    ),
    (
        "needs grammars of other times, or a machine without a compiler: tests/reading/external_grammars.rs",
        &[
            ". Install one (gcc or clang)",
            "the C compiler refuses its parser",
            "its parser was built and cannot be loaded",
            ", and this lop reads",
            "; name a directory that is whole",
            "tree-sitter accepts scanners in C only",
            "makes one that it reads",
            "; name its own directory",
            ", optional:",
        ],
    ),
    (
        "needs rules without bound: tests/reading/hostile.rs",
        &["its rules are too much for a parser"],
    ),
    (
        "told in the run: tests/command_line/offline.rs",
        &["and no verdict is known of this candidate"],
    ),
    (
        "the doctor's: tests/command_line/doctor.rs",
        &[
            "; name another directory with --scratch",
            "so no script of ours can name it",
            "; --memory, --processes and --disk set others",
        ],
    ),
    (
        "the whole sentence is in cli/launch/baseline/identify.rs",
        &["it does not fail", "it fails in different ways"],
    ),
    (
        "a fault of lop or of the machine, which no user can cause",
        &[
            "the terminal cannot be used",
            "lop has failed: please report",
            "lop failed, not the test",
            "the system failed, not the test",
            "; --jobs 1 needs the fewest",
            "it may have lost its way in this text",
            "bytes; the parser reads at most 4 GiB",
            "the thread that runs the test has died",
            "the test cannot be run:",
            "the comparison was stopped",
        ],
    ),
];

fn files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("the sources").flatten() {
        match entry.path() {
            path if path.is_dir() => files(&path, found),
            path if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
            _ => {}
        }
    }
}

/// The longest piece of a sentence that is always the same.
fn piece(sentence: &str) -> String {
    let holes = Regex::new(r"\{[^{}]*\}").expect("an expression");
    let sentence = sentence
        .replace("\\\"", "\"")
        .replace("\\n", "\n")
        .replace("\\\\", "\\");
    let pieces = holes.split(&sentence).map(str::trim);
    pieces
        .max_by_key(|piece| piece.len())
        .unwrap_or_default()
        .to_owned()
}

/// What is wrong with the catalogue: sentences of `thiserror` in the sources that are neither said nor excused, and excuses for nothing.
pub fn missing(root: &Path, said: &str) -> Vec<String> {
    let attribute = Regex::new(r#"#\[error\(\s*"((?:[^"\\]|\\.)*)""#).expect("an expression");
    let mut all = Vec::new();
    files(root, &mut all);
    let excuses: Vec<&str> = EXCUSED
        .iter()
        .flat_map(|(_, pieces)| *pieces)
        .copied()
        .collect();
    let mut used: Vec<&str> = Vec::new();
    let mut wrong = Vec::new();
    for path in all {
        let text = fs::read_to_string(&path).expect("a source");
        for found in attribute.captures_iter(&text) {
            let piece = piece(&found[1]);
            let said = said.contains(&piece);
            let excused = excuses.iter().find(|excuse| piece.contains(*excuse));
            used.extend(excused);
            match (said, excused) {
                (false, None) => wrong.push(format!("{}: in no row: {piece}", path.display())),
                (true, Some(_)) => wrong.push(format!("excused, and yet said: {piece}")),
                _ => {}
            }
        }
    }
    let stale = excuses.iter().filter(|excuse| !used.contains(*excuse));
    wrong.extend(stale.map(|excuse| format!("excused, and in no source: {excuse}")));
    wrong
}
