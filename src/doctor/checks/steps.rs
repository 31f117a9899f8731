//! A script that goes on after a step that failed, and says yes at its end.

use crate::doctor::case::{Case, Halt, printed, yes};
use crate::doctor::finding::Finding;
use crate::doctor::probe::PROBES;
use crate::doctor::script::word;
use crate::oracle::Test;

/// Runs the script as it is and with `set -e`, on the original and on files that it finds interesting and should not. Where the two
/// agree about the original and differ about another, a failure was passed over.
pub(super) fn check(case: &mut Case<'_>) -> Result<Vec<Finding>, Halt> {
    let Some(shell) = case.script.goes_on().map(<[String]>::to_vec) else {
        return Ok(Vec::new());
    };
    let strict = with_option(case, &shell, "-e")?;
    if !yes(&case.original_by(&strict)?) {
        // It is meant that a step fails: a compiler that crashes, say.
        return Ok(Vec::new());
    }
    for probe in PROBES {
        if !case.probe(probe)? || yes(&case.probe_by(&strict, probe)?) {
            continue;
        }
        case.explained = true;
        let traced = with_option(case, &shell, "-ex")?;
        let output = printed(&case.probe_by(&traced, probe)?);
        let step = output
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix("+ "));
        let step = step.map_or("a step".to_owned(), |step| {
            format!("the step `{}`", step.trim())
        });
        return Ok(vec![Finding::hurts(
            "goes-on",
            format!(
                "about {} it says 0, although {step} fails; with `set -e` it says no",
                probe.what(&case.name())
            ),
            "only the last command of a script decides: what went wrong before is forgotten, so programs pass that do not even get through your \
             first steps",
            case.at_start(&["set -e"]),
        )]);
    }
    Ok(Vec::new())
}

/// The test with an option for its shell.
fn with_option(case: &mut Case<'_>, shell: &[String], option: &str) -> Result<Test, Halt> {
    let words: Vec<String> = shell.iter().map(|text| word(text)).collect();
    let path = case.subject.test.path();
    let path = path
        .to_str()
        .ok_or_else(|| Halt::Unnameable(path.to_path_buf()))?;
    case.by_script(&format!(
        "exec {} {option} {} \"$@\"\n",
        words.join(" "),
        word(path)
    ))
}
