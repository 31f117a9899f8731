//! A script that goes on after a step that failed, and says yes at its end.

use crate::doctor::examination::{
    ExaminationError, TestExamination, is_interesting, printed_output,
};
use crate::doctor::finding::DoctorFinding;
use crate::doctor::probe::{PROBES, ProbeFile};
use crate::doctor::script::ScriptSource;
use crate::oracle::InterestingnessTest;
use crate::oracle::shell::quote_word;

/// Runs the script as it is and with `set -e`, on the original and on files that it should not find interesting but does. If the two agree
/// about the original and differ about another file, the script ignored a failure.
pub(super) fn check_failing_steps(
    case: &mut TestExamination<'_>,
) -> Result<Vec<DoctorFinding>, ExaminationError> {
    let Some(shell) = case.script.shell_without_errexit().map(<[String]>::to_vec) else {
        return Ok(Vec::new());
    };
    let strict = test_with_option(case, &shell, "-e")?;
    if !is_interesting(&case.run_original_with(&strict)?) {
        // A step is meant to fail, as a compiler that crashes.
        return Ok(Vec::new());
    }
    let mut noted = None;
    for probe in PROBES {
        if !case.is_probe_interesting(probe)?
            || is_interesting(&case.run_probe_with(&strict, probe)?)
        {
            continue;
        }
        let traced = test_with_option(case, &shell, "-ex")?;
        let output = printed_output(&case.run_probe_with(&traced, probe)?);
        let step = last_traced_step(&output, &case.script);
        // A file without anything of the original is never interesting, whatever the step was for.
        let wrong = matches!(probe, ProbeFile::Empty | ProbeFile::Nonsense);
        let finding = ignored_step_finding(case, probe, step.as_deref());
        if wrong || is_step_ignored(case, step.as_deref())? {
            case.is_explained = true;
            return Ok(vec![finding]);
        }
        noted.get_or_insert_with(|| finding.into_note());
    }
    Ok(noted.into_iter().collect())
}

/// The last step of a trace, without the commands of a trap.
fn last_traced_step(output: &str, script: &ScriptSource) -> Option<String> {
    let traps = script.trap_commands();
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

/// Whether the original is still interesting if the command of the step only fails. If not, a later step uses its output, and its status
/// need not be checked. False if the command is not found by PATH and so cannot be replaced.
fn is_step_ignored(
    case: &mut TestExamination<'_>,
    step: Option<&str>,
) -> Result<bool, ExaminationError> {
    let command = step.and_then(|step| step.split(' ').next());
    let Some(command) = command.filter(|command| !command.contains(['/', '=', '\''])) else {
        return Ok(false);
    };
    let failing = case.test_with_failing_command(command)?;
    Ok(is_interesting(&case.run_original_with(&failing)?))
}

fn ignored_step_finding(
    case: &TestExamination<'_>,
    probe: ProbeFile,
    step: Option<&str>,
) -> DoctorFinding {
    let step = step.map_or("a step".to_owned(), |step| format!("the step `{step}`"));
    DoctorFinding::new_harmful(
        "goes-on",
        format!(
            "about {} it says 0, although {step} fails; with `set -e` it says no",
            probe.describe_probe(&case.candidate_name())
        ),
        "only the last command of a script decides: that a step before it failed is forgotten, so programs pass that do not get through it",
        case.insert_at_start(&["set -e"]),
    )
}

/// The test with another option for its shell.
fn test_with_option(
    case: &mut TestExamination<'_>,
    shell: &[String],
    option: &str,
) -> Result<InterestingnessTest, ExaminationError> {
    let words: Vec<String> = shell.iter().map(|text| quote_word(text)).collect();
    let path = case.input.test.path();
    let path = path
        .to_str()
        .ok_or_else(|| ExaminationError::Unnameable(path.to_path_buf()))?;
    case.test_from_script(&format!(
        "exec {} {option} {} \"$@\"\n",
        words.join(" "),
        quote_word(path)
    ))
}
