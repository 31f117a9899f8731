//! The passes that make tokens and white space shorter: (file, program, test, result), and what they say.

use lop::pass::{self, FeatureSet, PassKind};

use crate::common::candidates_of_pass::{Asked, pass};

fn named(name: &str) -> &'static PassKind {
    let all = pass::all_passes();
    let mut all = all.into_iter();
    all.find(|kind| kind.name == name).expect("a pass")
}

/// What a pass leaves of a program while its test says yes, and what it asks.
fn leave(
    kind: &str,
    file: &str,
    program: &str,
    wanted: impl Fn(&str) -> bool,
) -> (String, Vec<Asked>) {
    let (asked, left) = pass(named(kind), (file, program), FeatureSet::default(), wanted);
    (left, asked)
}

#[test]
fn dump() {
    for l in ["py", "kt"] {
        let (name, dir) = match l {
            "py" => ("a.py", "python"),
            _ => ("a.kt", "kotlin"),
        };
        let text = std::fs::read_to_string(format!("grammars/{dir}/sample.{l}")).unwrap();
        eprintln!("{}", leave("spaces", name, &text, |_| true).0);
    }
}
