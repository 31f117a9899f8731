//! A test that leaves processes.

use std::collections::BTreeSet;

use crate::doctor::examination::{ExaminationError, TestExamination, printed_output};
use crate::doctor::finding::DoctorFinding;

/// The start of a line that the script prints about a leftover process.
const LEFT: &str = "lop-doctor-left ";

/// Runs the test, and lists the processes that are left at its end, before lop kills them. Finds none without `/proc`.
pub(super) fn check_processes(
    case: &mut TestExamination<'_>,
) -> Result<Vec<DoctorFinding>, ExaminationError> {
    let body = format!(
        "{} \"$@\"\n{}",
        case.shell_command()?,
        include_str!("processes.sh")
    );
    let watched = case.test_from_script(&body)?;
    let text = printed_output(&case.run_original_with(&watched)?);
    let left: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix(LEFT))
        .map(str::trim)
        .collect();
    if left.is_empty() {
        return Ok(Vec::new());
    }
    let commands: Vec<String> = left.iter().map(|command| format!("`{command}`")).collect();
    Ok(vec![DoctorFinding::new_harmful(
        "processes",
        format!(
            "a second after it had ended there was still {}",
            commands.join(", ")
        ),
        "it is one more for each candidate. lop kills them where it can, so a server that you mean to share is started anew each time; another \
         machine may not",
        (
            format!("in {}: end what you start", case.test_name()),
            vec![
                "COMMAND & server=$!".into(),
                "trap 'kill $server' EXIT".into(),
            ],
        ),
    )])
}
