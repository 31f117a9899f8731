//! Checks before every reduction: those of the doctor that cost few tests, and at most five seconds together.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::front_end::FrontEnd;
use super::empty_file;
use super::preflight::PreflightTester;
use crate::cli::failure::CommandFailure;
use crate::doctor::NONSENSE;
use crate::oracle::{TestFiles, TimeLimits};
use crate::program::DocumentFreedom;
use crate::session::RunInput;

/// The time for all tests together.
const BUDGET: Duration = Duration::from_secs(5);

/// Tests other texts in place of the original: an empty file, which the user may confirm, and a line of nonsense; of a pair also each
/// program in the place of the other. The result is a sentence for each that is interesting.
pub fn check_sanity(
    tester: &PreflightTester<'_>,
    limits: TimeLimits,
    front: FrontEnd,
) -> Result<Vec<String>, CommandFailure> {
    let asker = SanityTester {
        tester,
        limits,
        begin: Instant::now(),
    };
    let project = tester.input.project();
    if project.is_some_and(|project| !project.freedoms().contains(&DocumentFreedom::Free)) {
        // Files go as a whole or stay.
        return Ok(Vec::new());
    }
    let last = tester.input.files().len() - 1;
    if asker.is_interesting(replace_text(tester.input, last, &[]))? {
        empty_file::confirm_empty(front, tester)?;
        return Ok(Vec::new());
    }
    let mut notices = Vec::new();
    if asker.is_interesting(replace_text(tester.input, last, NONSENSE))? {
        let more = match tester.doctor_hint() {
            Some(doctor) => format!("`{doctor}` says more"),
            None if tester.test.property().is_none() => "require more of its output".into(),
            None => "require more of its output, such as a line with --grep RE".into(),
        };
        notices.push(format!(
            "the test finds a line of nonsense interesting too, so it may lose the bug: {more}"
        ));
    }
    if let RunInput::Pair([seed, variant]) = tester.input {
        // The other test holds for its own program, so the verdict is that of this one.
        let crosswise = [
            (
                seed,
                "the test of the variant finds the seed interesting too, so nothing of the difference need be left",
            ),
            (
                variant,
                "the test of the seed finds the variant interesting too, so it does not tell the two apart",
            ),
        ];
        for (file, notice) in crosswise {
            let files = [Some(file.bytes.clone()), Some(file.bytes.clone())];
            if !file.bytes.is_empty()
                && asker.is_interesting(tester.input.files_with_texts(files))?
            {
                notices.push(notice.into());
            }
        }
        // dd begins with an empty seed.
        if !seed.bytes.is_empty() && asker.is_interesting(replace_text(tester.input, 0, &[]))? {
            notices.push("the test of the seed finds an empty file interesting too, as many that only compile it do: all that both have in common may go".into());
        }
    }
    Ok(notices)
}

/// The original files, with this text in the place of one of them; of a project in the place of all that may change.
fn replace_text(input: &RunInput, at: usize, text: &[u8]) -> TestFiles {
    let mut files = input.original_files();
    let Some(project) = input.project() else {
        files[at].1 = Arc::from(text);
        return files;
    };
    for (file, freedom) in files.iter_mut().zip(project.freedoms()) {
        if *freedom == DocumentFreedom::Free {
            file.1 = Arc::from(text);
        }
    }
    files
}

/// Asks within the budget.
struct SanityTester<'a> {
    tester: &'a PreflightTester<'a>,
    limits: TimeLimits,
    begin: Instant,
}

impl SanityTester<'_> {
    /// Whether the files are interesting, as far as that is known in the time that is left.
    fn is_interesting(&self, files: TestFiles) -> Result<bool, CommandFailure> {
        let left = BUDGET.saturating_sub(self.begin.elapsed());
        if left.is_zero() {
            return Ok(false);
        }
        self.tester.is_interesting(files, self.limits, left)
    }
}
