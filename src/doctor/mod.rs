//! What is wrong with an interestingness test.
//!
//! Half of what goes wrong with a reduction is the test. The doctor runs it on the original and on files that should not be interesting,
//! as a reduction would, then under changed circumstances, and says of each thing that it found what was seen, why it hurts, and which
//! line to add.
//!
//! ```text
//!  original ─ no ──▶ working_dir: another name, a relative path, a file beside it ──▶ end
//!     │ yes
//!     ▼
//!  CHECKS, the cheap ones first; some are left out where the test does not give the same answer each time
//! ```
//!
//! All runs go through the same runner as a reduction's. The doctor believes experiments only, so a test that is a program is examined as well.
//! Circumstances are changed by small scripts in the run's scratch directory that become the test (`TestExamination::test_with_prelude`): a
//! variable is unset, `PATH` leads nowhere, the shell gets `-e`, files lie beside the candidate. So the test itself is only known by its command.
//! `script.rs` reads its text to name the line that an experiment has found wanting, and decides nothing else. Nothing of the user's is written
//! or removed, but by the test itself.
//!
//! What every reduction checks at its start is in `cli/launch/baseline/sanity_checks.rs`: two questions or five seconds, and no decision depends on it.

mod called_tools;
mod checks;
mod directory_watcher;
mod examination;
pub mod file_name;
mod finding;
mod pair;
mod probe;
mod script;
mod shell_tree;

use std::path::Path;
use std::time::Duration;

pub use called_tools::find_called_tools;
use checks::CHECKS;
use examination::TestExamination;
pub use examination::{ExaminationError, ExaminationInput};
pub use finding::DoctorFinding;
pub use pair::{CrossExamination, examine_pair};
pub use probe::NONSENSE;

use crate::oracle::{TestExecutable, TestExit, TestOutcome, Verdict};

/// The result of an examination.
#[derive(Debug)]
pub struct DoctorReport {
    /// The findings, in the order of the checks.
    pub findings: Vec<DoctorFinding>,
    /// The outcome on the original, if it was not interesting and no finding explains it.
    pub unexplained: Option<TestOutcome>,
    /// How often the test was run.
    pub tests: u64,
    /// The shortest, the median and the longest duration of a test of the original. None if it was not interesting.
    pub times: Option<[Duration; 3]>,
    /// Tests a second with as many at a time as the input says, if that was measured.
    pub tests_per_second: Option<f64>,
}

impl DoctorReport {
    /// How many findings harm a reduction.
    pub fn harmful_count(&self) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.is_harmful)
            .count()
    }
}

/// The end of a sentence about a test whose text names the file to reduce itself, by a path that does not depend on the working directory.
/// None if it does not.
pub fn describe_original_mention(test: &TestExecutable, file: &Path) -> Option<String> {
    let file = file.canonicalize().ok()?;
    let mention = script::ScriptSource::from_executable(test).find_mention_of(&file)?;
    Some(mention.describe_as_original())
}

/// Examines a test. `tell` gets the description of each check before it runs.
///
/// # Errors
/// A signal came, or the test could not be run at all.
pub fn examine_test(
    subject: &ExaminationInput,
    tell: &mut dyn FnMut(&str),
) -> Result<DoctorReport, ExaminationError> {
    let mut case = TestExamination::new(subject);
    let mut report = DoctorReport {
        findings: Vec::new(),
        unexplained: None,
        tests: 0,
        times: None,
        tests_per_second: None,
    };
    tell("the original");
    let first = case.run_original()?;
    if let TestOutcome::Verdict(_, run) = &first
        && let TestExit::Killed(limit) = run.exit
        && !limit.is_time_limit()
    {
        return Err(ExaminationError::LimitExceeded(limit));
    }
    match &first {
        TestOutcome::Verdict(Verdict::Interesting, run) => {
            let run = run.clone();
            case.record_interesting(&run);
            for check in CHECKS {
                if check.needs_determinism && !case.is_deterministic {
                    continue;
                }
                tell(check.description);
                report.findings.extend((check.run)(&mut case)?);
            }
            report.times = case.time_range();
        }
        _ => {
            tell("why the original is not interesting");
            report.findings = checks::explain_uninteresting(&mut case, &first)?;
            report.unexplained = report.findings.is_empty().then_some(first);
        }
    }
    report.tests = case.tests;
    report.tests_per_second = case.tests_per_second;
    Ok(report)
}
