//! What is wrong with an interestingness test.
//!
//! Half of what goes wrong with a reduction is the test. The doctor runs it on the original and on files that should not be interesting,
//! as a reduction would, then under changed circumstances, and says of each thing that it found what was seen, why it hurts, and which
//! line to add. It believes experiments, and reads the script only to name the line: a test that is a program is examined as well.
//!
//! ```text
//!  original ─ no ──▶ placed: another name, a relative path, a file beside it ──▶ end
//!     │ yes
//!     ▼
//!  CHECKS, the cheap ones first; those after `steady` are left out where the test does not give the same answer each time
//! ```
//!
//! Nothing of the user's is written or removed, but by the test itself. Circumstances are changed by small scripts in the run's scratch
//! directory that become the test (`Case::around`).

pub mod called;
mod case;
mod checks;
mod finding;
mod probe;
mod script;
mod watched;

use std::path::Path;
use std::time::Duration;

use case::Case;
pub use case::{Halt, Subject};
use checks::CHECKS;
pub use finding::Finding;
pub use probe::NONSENSE;

use crate::oracle::{Executable, Exit, Outcome, Verdict};

/// What came of an examination.
#[derive(Debug)]
pub struct Report {
    /// What was found, in the order of the checks.
    pub findings: Vec<Finding>,
    /// What the test said about the original, if that was no and nothing tells why.
    pub unexplained: Option<Outcome>,
    /// How often the test was run.
    pub tests: u64,
    /// What a test of the original takes: the least, the median and the most. None if it was not interesting.
    pub times: Option<[Duration; 3]>,
    /// Tests a second with as many at a time as the subject says, where that was measured.
    pub rate: Option<f64>,
}

impl Report {
    /// How many findings hurt.
    pub fn hurts(&self) -> usize {
        self.findings.iter().filter(|finding| finding.hurts).count()
    }
}

/// Where the text of a test names the file to reduce itself, by a path that leads there from anywhere: how the sentence about the test
/// goes on. None if it does not.
pub fn names_original(test: &Executable, file: &Path) -> Option<String> {
    let file = file.canonicalize().ok()?;
    let mention = script::Script::read(test).names_file(&file)?;
    Some(mention.of_original())
}

/// Examines a test. `tell` hears before each check what it looks at.
///
/// # Errors
/// A signal came, or the test could not be run at all.
pub fn examine(subject: &Subject, tell: &mut dyn FnMut(&str)) -> Result<Report, Halt> {
    let mut case = Case::new(subject);
    let mut report = Report {
        findings: Vec::new(),
        unexplained: None,
        tests: 0,
        times: None,
        rate: None,
    };
    tell("the original");
    let first = case.original()?;
    if let Outcome::Verdict(_, run) = &first
        && let Exit::Killed(bound) = run.exit
        && !bound.is_time()
    {
        return Err(Halt::Beyond(bound));
    }
    match &first {
        Outcome::Verdict(Verdict::Interesting, run) => {
            let run = run.clone();
            case.interesting(&run);
            for check in CHECKS {
                if check.needs_steady && !case.steady {
                    continue;
                }
                tell(check.looks_at);
                report.findings.extend((check.run)(&mut case)?);
            }
            report.times = case.times();
        }
        _ => {
            tell("why the original is not interesting");
            report.findings = checks::refused(&mut case, &first)?;
            report.unexplained = report.findings.is_empty().then_some(first);
        }
    }
    report.tests = case.tests;
    report.rate = case.rate;
    Ok(report)
}
