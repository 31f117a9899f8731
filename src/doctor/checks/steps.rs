//! A script that goes on after a step that failed, and says yes at its end.

use crate::doctor::case::{Case, Halt, printed, yes};
use crate::doctor::finding::Finding;
use crate::doctor::probe::{PROBES, Probe};
use crate::doctor::script::Script;
use crate::oracle::Test;
use crate::oracle::shell::word;

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
    let mut noted = None;
    for probe in PROBES {
        if !case.probe(probe)? || yes(&case.probe_by(&strict, probe)?) {
            continue;
        }
        let traced = with_option(case, &shell, "-ex")?;
        let output = printed(&case.probe_by(&traced, probe)?);
        let step = last_step(&output, &case.script);
        // Of a file that has nothing of the original a yes is wrong, whatever the step was for.
        let wrong = matches!(probe, Probe::Empty | Probe::Nonsense);
        let finding = finding(case, probe, step.as_deref());
        if wrong || has_no_say(case, step.as_deref())? {
            case.explained = true;
            return Ok(vec![finding]);
        }
        noted.get_or_insert_with(|| finding.only_noted());
    }
    Ok(noted.into_iter().collect())
}

/// The last step of a trace, without what a trap does at the end.
fn last_step(output: &str, script: &Script) -> Option<String> {
    let traps: Vec<&str> = script
        .code()
        .filter(|(_, line)| line.starts_with("trap "))
        .map(|(_, line)| line)
        .collect();
    let of_trap = |step: &&str| {
        let word = step.split(' ').next().unwrap_or_default();
        traps.iter().any(|trap| trap.contains(word))
    };
    let steps = output
        .lines()
        .rev()
        .filter_map(|line| line.strip_prefix("+ "));
    let mut steps = steps.skip_while(of_trap);
    steps.next().map(|step| step.trim().to_owned())
}

/// Whether the original is interesting all the same when the command of the step does nothing but fail. If not, what it prints or makes
/// is looked at later, and its status need not be. False where its command cannot be replaced, being no word of PATH.
fn has_no_say(case: &mut Case<'_>, step: Option<&str>) -> Result<bool, Halt> {
    let command = step.and_then(|step| step.split(' ').next());
    let Some(command) = command.filter(|command| !command.contains(['/', '=', '\''])) else {
        return Ok(false);
    };
    let failing = case.by_failing(command)?;
    Ok(yes(&case.original_by(&failing)?))
}

fn finding(case: &Case<'_>, probe: Probe, step: Option<&str>) -> Finding {
    let step = step.map_or("a step".to_owned(), |step| format!("the step `{step}`"));
    Finding::hurts(
        "goes-on",
        format!(
            "about {} it says 0, although {step} fails; with `set -e` it says no",
            probe.what(&case.name())
        ),
        "only the last command of a script decides: that a step before it failed is forgotten, so programs pass that do not get through it",
        case.at_start(&["set -e"]),
    )
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
