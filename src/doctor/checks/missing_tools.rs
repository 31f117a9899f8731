//! A test whose tools are gone: an update in the middle of a run, another machine.

use crate::doctor::examination::{
    ExaminationError, TestExamination, describe_exit, is_interesting,
};
use crate::doctor::finding::DoctorFinding;
use crate::doctor::probe::ProbeFile;
use crate::oracle::{TestOutcome, find_unlimited_compiler};

/// Sets PATH to a directory that does not exist.
const NOWHERE: &str = "PATH=/nonexistent/lop-doctor\nexport PATH";

/// Tools that tests depend on most often.
const TOOLS: [&str; 10] = [
    "cc", "gcc", "clang", "g++", "clang++", "rustc", "javac", "go", "node", "python3",
];

/// Runs the test with a PATH in which no program is found.
pub(super) fn check_missing_tools(
    case: &mut TestExamination<'_>,
) -> Result<Vec<DoctorFinding>, ExaminationError> {
    let bare = case.test_with_prelude(NOWHERE)?;
    let original = case.run_original_with(&bare)?;
    // Without tools, a probe that was uninteresting becomes interesting.
    for probe in [ProbeFile::Empty, ProbeFile::Nonsense] {
        if !case.is_probe_interesting(probe)? && is_interesting(&case.run_probe_with(&bare, probe)?)
        {
            return Ok(vec![DoctorFinding::new_harmful(
                "tools",
                format!(
                    "without any of its tools (PATH empty) it says 0 about {}",
                    probe.describe_probe(&case.candidate_name())
                ),
                "a compiler that is missing for a moment makes everything interesting, and the bug is lost",
                suggest_tool_check(case),
            )]);
        }
    }
    // If the original is interesting, the test needs no program of PATH.
    if is_interesting(&original) || !matches!(original, TestOutcome::Verdict(..)) {
        return Ok(Vec::new());
    }
    let finding = DoctorFinding::new_harmful(
        "tools",
        format!(
            "without any of its tools (PATH empty) it says {}, as about a file without the bug",
            describe_exit(&original)
        ),
        "if its tools are missing later, lop takes that for a no; after 126 or 127 it would ask again, and then stop and say so",
        suggest_tool_check(case),
    );
    Ok(vec![finding.into_note()])
}

fn suggest_tool_check(case: &TestExamination<'_>) -> (String, Vec<String>) {
    let called = case.script.called_programs();
    let compiler = called
        .iter()
        .find(|tool| find_unlimited_compiler([tool.as_str()]).is_some());
    let known = case.script.first_command_of(&TOOLS);
    let tool = compiler.map(String::as_str).or(known).unwrap_or("TOOL");
    case.insert_at_start(&[&format!("command -v {tool} >/dev/null || exit 127")])
}
