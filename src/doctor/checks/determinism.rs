//! The same question again: the same answer?

use std::time::Duration;

use crate::doctor::examination::{
    ExaminationError, TestExamination, describe_exit, is_interesting,
};
use crate::doctor::finding::DoctorFinding;
use crate::oracle::TestOutcome;

/// How often the original is tested in all.
const TIMES: usize = 6;
/// A test that takes longer than this is run less often.
const SLOW: (Duration, usize) = (Duration::from_secs(2), 3);

/// Runs the test on the original several times.
pub(super) fn check_determinism(
    case: &mut TestExamination<'_>,
) -> Result<Vec<DoctorFinding>, ExaminationError> {
    let slow = case.durations.first().is_some_and(|took| *took > SLOW.0);
    let times = if slow { SLOW.1 } else { TIMES };
    let mut others = Vec::new();
    for _ in 1..times {
        match case.run_original()? {
            TestOutcome::Verdict(_, run)
                if run.exit.verdict() == Some(crate::oracle::Verdict::Interesting) =>
            {
                case.record_interesting(&run)
            }
            other => others.push(other),
        }
    }
    Ok(others
        .first()
        .map(|other| {
            let about = format!("{} as it is", case.candidate_name());
            flaky_finding(case, &about, times, others.len(), other)
        })
        .into_iter()
        .collect())
}

/// The finding for a test whose verdict on the same file differed in some runs.
pub(super) fn flaky_finding(
    case: &mut TestExamination<'_>,
    about: &str,
    times: usize,
    others: usize,
    other: &TestOutcome,
) -> DoctorFinding {
    let (zero, ending) = match is_interesting(other) {
        true => (others, String::new()),
        false => (times - others, format!(" ({})", describe_exit(other))),
    };
    case.is_deterministic = false;
    let line = case.script.shell_without_errexit().is_some() || !case.script.text().is_empty();
    let call = match line {
        true => "for i in 1 2 3 4 5; do YOUR-COMMAND && exit 0; done; exit 1".to_owned(),
        false => "a loop that asks several times, and says yes if it was yes once".to_owned(),
    };
    DoctorFinding::new_harmful(
        "flaky",
        format!(
            "of {times} runs on {about}, {zero} said 0, and {} did not{ending}",
            times - zero
        ),
        "a wrong no keeps what could go, and a wrong yes loses the bug for good; the result is another one each time",
        (
            format!(
                "in {}, around the command that does not always show the bug; or take away what varies (addresses, threads, time, files of the \
                 last run)",
                case.test_name()
            ),
            vec![call],
        ),
    )
}
