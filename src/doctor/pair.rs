//! Whether the tests of a pair tell its programs apart: each runs on the program of the other, too.

use super::examination::{ExaminationError, ExaminationInput, TestExamination, is_interesting};
use super::finding::DoctorFinding;
use crate::display::EscapeHidden;
use crate::oracle::shell::quote_word;

/// What is wrong with two tests together.
#[derive(Debug, Default)]
pub struct CrossExamination {
    /// One for each test that holds on both programs.
    pub findings: Vec<DoctorFinding>,
    /// How often a test was run.
    pub tests: u64,
}

/// The words for a test of a pair.
struct PairWords {
    name: &'static str,
    /// Its own program, and the other one.
    programs: [&'static str; 2],
    why: &'static str,
}

/// Of the test of the seed, and of that of the variant.
const WORDS: [PairWords; 2] = [
    PairWords {
        name: "seed-test-accepts-variant",
        programs: ["seed", "variant"],
        why: "lop may make the seed what the variant is, and nothing is left of the difference: the test of the seed must fail where the bug is",
    },
    PairWords {
        name: "variant-test-accepts-seed",
        programs: ["variant", "seed"],
        why: "lop may make the variant what the seed is, and nothing is left of the difference: the test of the variant must pass only where the bug is",
    },
];

/// Runs the test of the seed on the variant, and that of the variant on the seed, each under the name of its own program. Each test passes on its own.
///
/// # Errors
/// A signal came, or a test could not be run at all.
pub fn examine_pair(
    subjects: [&ExaminationInput; 2],
) -> Result<CrossExamination, ExaminationError> {
    let mut report = CrossExamination::default();
    for (at, words) in WORDS.iter().enumerate() {
        let [own, other] = [subjects[at], subjects[1 - at]];
        let mut case = TestExamination::new(own);
        let (test, files) = (
            case.original_test.clone(),
            case.candidate_files(other.bytes.clone()),
        );
        let outcomes = case.run_candidates(&test, vec![files], 1, None)?;
        report.tests += 1;
        if outcomes.iter().any(is_interesting) {
            let lines = refusing_lines(own, other)?;
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            report.findings.push(DoctorFinding::new_harmful(
                words.name,
                format!(
                    "{}, the test of the {}, passes on the {} {} too",
                    case.test_name(),
                    words.programs[0],
                    words.programs[1],
                    other.file.escape_hidden()
                ),
                words.why,
                case.insert_at_start(&lines),
            ));
        }
    }
    Ok(report)
}

/// Lines for a shell that end a test where the other one passes.
fn refusing_lines(
    own: &ExaminationInput,
    other: &ExaminationInput,
) -> Result<Vec<String>, ExaminationError> {
    let call = TestExamination::new(other).shell_command()?;
    let unnameable = || ExaminationError::Unnameable(other.candidate_name.clone());
    let name = quote_word(other.candidate_name.to_str().ok_or_else(unnameable)?);
    Ok(match own.candidate_name == other.candidate_name {
        true => vec![format!("if {call} \"$1\"; then exit 1; fi")],
        false => vec![
            format!("cp -- \"$1\" {name}"),
            format!("if {call} \"$PWD\"/{name}; then exit 1; fi"),
        ],
    })
}
