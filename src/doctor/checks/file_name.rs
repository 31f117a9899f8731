//! A test that wants the candidate to have one name.

use std::path::PathBuf;

use super::content::replace_with_argument;
use crate::display::EscapeHidden;
use crate::doctor::examination::{ExaminationError, TestExamination, is_interesting};
use crate::doctor::finding::DoctorFinding;

/// Runs the test on the original under another name with the same extension.
pub(super) fn check_file_name(
    case: &mut TestExamination<'_>,
) -> Result<Vec<DoctorFinding>, ExaminationError> {
    let mut other = PathBuf::from("renamed-by-lop");
    if let Some(extension) = case.input.candidate_name.extension() {
        other.set_extension(extension);
    }
    if is_interesting(&case.run_original_as(&other)?) {
        return Ok(Vec::new());
    }
    let name = case.candidate_name();
    let (place, add) = match case.script.line_containing(&name) {
        Some((number, line)) => (
            format!("in {}, in place of line {number}", case.test_name()),
            vec![replace_with_argument(line, &name)],
        ),
        None => (
            format!("in {}, in place of the name", case.test_name()),
            vec!["\"$1\"".into()],
        ),
    };
    let finding = DoctorFinding::new_harmful(
        "name",
        format!(
            "the same file under the name {} is not interesting",
            other.escape_hidden()
        ),
        format!(
            "lop calls every candidate {name}, so a reduction works; but neither `lop verify` on its result nor the next bug's file will do"
        ),
        (place, add),
    );
    Ok(vec![finding.into_note()])
}
