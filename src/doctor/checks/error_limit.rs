//! A compiler for C or C++ that brings thousands of errors about a candidate that does not compile.

use std::time::Duration;

use crate::doctor::examination::{ExaminationError, TestExamination, USUAL_PATH, is_interesting};
use crate::doctor::finding::DoctorFinding;
use crate::doctor::probe::ProbeFile;
use crate::oracle::shell::quote_word;
use crate::oracle::{ERROR_LINE, FATAL_ERRORS, TestOutcome, find_unlimited_compiler};

/// A broken program must cost this many times as much as with the option.
const FACTOR: u32 = 2;
/// It must cost so much more, too.
const LEAST_SAVING: Duration = Duration::from_millis(200);

/// Compares what the second half of the original, which rarely compiles, costs as it is and with a compiler that ends at the first error. With such
/// a compiler, one that says nothing and fails where there is an error, the original must be interesting.
pub(super) fn check_error_limit(
    case: &mut TestExamination<'_>,
) -> Result<Vec<DoctorFinding>, ExaminationError> {
    // A compiler with a directory is not looked for in PATH.
    let find = |words: &[&str]| {
        let at = find_unlimited_compiler(words.iter().copied())?;
        (!words[at].contains('/')).then_some(at)
    };
    let Some((number, compiler)) = case.script.find_command_word(find) else {
        return Ok(Vec::new());
    };
    let compiler = compiler.to_owned();
    let usual = case.original_test.clone();
    let Some(broken) = cpu_time(&case.run_probe_with(&usual, ProbeFile::SecondHalf)?) else {
        return Ok(Vec::new());
    };
    if broken < LEAST_SAVING {
        return Ok(Vec::new());
    }
    let early = case.test_with_command(&compiler, &compiler_script(&compiler))?;
    if !is_interesting(&case.run_original_with(&early)?) {
        return Ok(Vec::new());
    }
    let Some(least) = cpu_time(&case.run_probe_with(&early, ProbeFile::SecondHalf)?) else {
        return Ok(Vec::new());
    };
    if broken < least * FACTOR || broken < least + LEAST_SAVING {
        return Ok(Vec::new());
    }
    let line = case.script.code_line(number).unwrap_or(&compiler);
    let with_option = line.replacen(&compiler, &format!("{compiler} {FATAL_ERRORS}"), 1);
    let name = case.candidate_name();
    let finding = DoctorFinding::new_harmful(
        "errors",
        format!(
            "the second half of {name} costs {:.1} s of processor time, and {:.2} s with {FATAL_ERRORS}; {name} has no error, and is as interesting with it",
            broken.as_secs_f64(),
            least.as_secs_f64()
        ),
        "most candidates of a large program do not compile, and each error costs time",
        (
            format!("in {}, in place of line {number}", case.test_name()),
            vec![with_option],
        ),
    );
    Ok(vec![finding.into_note()])
}

/// The script that takes the compiler's place: it ends at the first error, and about a program with an error it says nothing.
fn compiler_script(compiler: &str) -> String {
    let (compiler, error) = (quote_word(compiler), quote_word(ERROR_LINE));
    format!(
        "PATH=${USUAL_PATH}\nexport PATH\nlog=${{TMPDIR:-/tmp}}/lop-doctor.$$\n{compiler} {FATAL_ERRORS} \"$@\" 2>\"$log\"\nstatus=$?\n\
         LC_ALL=C grep -a -q -E {error} \"$log\" && exit 1\ncat \"$log\" >&2\nexit $status\n"
    )
}

/// Processor time, or elapsed time where the system does not measure it.
fn cpu_time(outcome: &TestOutcome) -> Option<Duration> {
    match outcome {
        TestOutcome::Verdict(_, run) => Some(run.cpu.unwrap_or(run.time)),
        TestOutcome::NoVerdict(_) | TestOutcome::Cancelled => None,
    }
}
