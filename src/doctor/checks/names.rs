//! A test that wants the candidate to have one name.

use std::path::PathBuf;

use super::content::with_argument;
use crate::display::Shown;
use crate::doctor::case::{Case, Halt, yes};
use crate::doctor::finding::Finding;

/// Asks about the original under another name, with the same extension.
pub(super) fn check(case: &mut Case<'_>) -> Result<Vec<Finding>, Halt> {
    let mut other = PathBuf::from("renamed-by-lop");
    if let Some(extension) = case.subject.name.extension() {
        other.set_extension(extension);
    }
    if yes(&case.original_as(&other)?) {
        return Ok(Vec::new());
    }
    let name = case.name();
    let (place, add) = match case.script.line_with(&name) {
        Some((number, line)) => (
            format!("in {}, in place of line {number}", case.test()),
            vec![with_argument(line, &name)],
        ),
        None => (
            format!("in {}, in place of the name", case.test()),
            vec!["\"$1\"".into()],
        ),
    };
    let finding = Finding::hurts(
        "name",
        format!(
            "the same file under the name {} is not interesting",
            other.shown()
        ),
        format!(
            "lop calls every candidate {name}, so a reduction works; but neither `lop verify` on its result nor the next bug's file will do"
        ),
        (place, add),
    );
    Ok(vec![finding.only_noted()])
}
