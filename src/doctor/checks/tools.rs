//! A test whose tools are gone: an update in the middle of a run, another machine.

use crate::doctor::case::{Case, Halt, ending, yes};
use crate::doctor::finding::Finding;
use crate::doctor::probe::Probe;
use crate::oracle::Outcome;

/// A directory that is not there.
const NOWHERE: &str = "PATH=/nonexistent/lop-doctor\nexport PATH";

/// Runs the test with a PATH in which nothing is found.
pub(super) fn check(case: &mut Case<'_>) -> Result<Vec<Finding>, Halt> {
    let bare = case.around(NOWHERE)?;
    let original = case.original_by(&bare)?;
    // A no to nothing and to nonsense that becomes a yes.
    for probe in [Probe::Empty, Probe::Nonsense] {
        if !case.probe(probe)? && yes(&case.probe_by(&bare, probe)?) {
            return Ok(vec![Finding::hurts(
                "tools",
                format!(
                    "without any of its tools (PATH empty) it says 0 about {}",
                    probe.what(&case.name())
                ),
                "a compiler that is missing for a moment makes everything interesting, and the bug is lost",
                mend(case),
            )]);
        }
    }
    // A verdict of yes means that it needs none of PATH.
    if yes(&original) || !matches!(original, Outcome::Verdict(..)) {
        return Ok(Vec::new());
    }
    let finding = Finding::hurts(
        "tools",
        format!(
            "without any of its tools (PATH empty) it says {}, as about a file without the bug",
            ending(&original)
        ),
        "if its tools are missing later, lop takes that for a no; after 126 or 127 it would ask again, and then stop and say so",
        mend(case),
    );
    Ok(vec![finding.only_noted()])
}

fn mend(case: &Case<'_>) -> (String, Vec<String>) {
    let mut tool = None;
    for (_, line) in case.script.code() {
        let word = line
            .trim_start_matches("! ")
            .split_ascii_whitespace()
            .next()
            .unwrap_or_default();
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        if [
            "cc", "gcc", "clang", "g++", "clang++", "rustc", "javac", "go", "node", "python3",
        ]
        .contains(&word)
        {
            tool = Some(word);
            break;
        }
    }
    let tool = tool.unwrap_or("TOOL");
    case.at_start(&[&format!("command -v {tool} >/dev/null || exit 127")])
}
