//! Reads what the script of an action printed (`stage_script.rs`), and decides what it says, as on this machine.

use std::time::Duration;

use crate::oracle::output::JUDGE_CAPACITY;
use crate::oracle::process::combine_outcome;
use crate::oracle::property::{StageDecision, decide_stage};
use crate::oracle::{
    InterestingnessTest, StageRun, TestExit, TestOutcome, TestOutput, TestRun, TestStage, Verdict,
};

/// What a shell adds to the number of the signal that ended a command.
const SIGNAL_BASE: i32 = 128;
/// The highest number of a signal.
const LAST_SIGNAL: i32 = 64;

/// How a stage ended, and what it printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReportedStage {
    status: i32,
    output: TestOutput,
    errors: TestOutput,
}

/// Reads the stages that a script printed; none if it is not what the script prints. `word` begins each of its lines.
pub(super) fn read_report(
    printed: &[u8],
    stages: &[TestStage],
    word: &str,
) -> Option<Vec<ReportedStage>> {
    let mut rest = printed;
    let mut ended = Vec::new();
    for stage in stages {
        if rest.is_empty() {
            break;
        }
        let line = take_line(&mut rest, word)?;
        let status = line.strip_prefix("exit ")?.parse().ok()?;
        let output = take_output(&mut rest, word)?;
        let errors = match stage.role.compares_output() {
            true => take_output(&mut rest, word)?,
            false => TestOutput::default(),
        };
        ended.push(ReportedStage {
            status,
            output,
            errors,
        });
    }
    (rest.is_empty() && !ended.is_empty()).then_some(ended)
}

/// A line that begins with the word, without it.
fn take_line<'a>(rest: &mut &'a [u8], word: &str) -> Option<&'a str> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let (line, after) = rest.split_at(end);
    *rest = &after[1..];
    std::str::from_utf8(line)
        .ok()?
        .strip_prefix(word)?
        .strip_prefix(' ')
}

/// An output: a line with its length and its checksum, its bytes or its two ends, and an end of line.
fn take_output(rest: &mut &[u8], word: &str) -> Option<TestOutput> {
    let (length, checksum) = take_line(rest, word)?.split_once(' ')?;
    let (length, checksum): (u64, u64) = (length.parse().ok()?, checksum.parse().ok()?);
    let kept = length.min(2 * JUDGE_CAPACITY as u64);
    let (ends, after) = rest.split_at_checked(usize::try_from(kept).ok()?)?;
    *rest = after.strip_prefix(b"\n")?;
    Some(TestOutput::from_ends(ends, length - kept, checksum))
}

/// The outcome that these stages mean. They took so long together.
///
/// A shell says the same of a command that died of signal 11 and of one that ended with status 139, and this machine does not. So such an end
/// counts as either: the candidate is interesting if it is so by one of the two readings.
pub(super) fn decide_report(
    test: &InterestingnessTest,
    reported: &[ReportedStage],
    time: Duration,
) -> TestOutcome {
    let as_codes = decide_reading(test, reported, time, TestExit::Code);
    if as_codes.verdict() == Some(Verdict::Interesting) {
        return as_codes;
    }
    let signal_of = |status: i32| {
        let signal = status - SIGNAL_BASE;
        (1..=LAST_SIGNAL).contains(&signal).then_some(signal)
    };
    if reported
        .iter()
        .all(|stage| signal_of(stage.status).is_none())
    {
        return as_codes;
    }
    let as_signals = decide_reading(test, reported, time, |status| {
        signal_of(status).map_or(TestExit::Code(status), TestExit::Signal)
    });
    match as_signals.verdict() {
        Some(Verdict::Interesting) => as_signals,
        _ => as_codes,
    }
}

fn decide_reading(
    test: &InterestingnessTest,
    reported: &[ReportedStage],
    time: Duration,
    read_status: impl Fn(i32) -> TestExit,
) -> TestOutcome {
    let stages = test.stages();
    let mut runs: Vec<StageRun> = Vec::new();
    for (number, stage) in reported.iter().enumerate() {
        runs.push(StageRun {
            run: TestRun {
                exit: read_status(stage.status),
                // Only the time of all is known.
                time: if number == 0 { time } else { Duration::ZERO },
                cpu: None,
                output: stage.output.clone(),
            },
            errors: stage.errors.clone(),
            program: None,
        });
        let decision = decide_stage(stages, test.matcher(), &runs);
        if !matches!(decision, StageDecision::Continue) {
            return combine_outcome(stages, &runs, decision);
        }
    }
    combine_outcome(stages, &runs, StageDecision::Continue)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Command;

    use super::super::sent_files::SentFiles;
    use super::super::stage_script::write_script;
    use super::*;
    use crate::oracle::{
        FailureProperty, PropertyCriterion, PropertyPart, StageCommand, StageRole,
    };

    const WORD: &str = "lop-5f3a";

    fn shell(role: StageRole, line: &str) -> TestStage {
        TestStage::new(role, StageCommand::Shell(line.into()))
    }

    /// What a worker prints for these stages on a file of this name and text.
    fn print_report(stages: &[TestStage], name: &str, text: &str) -> Vec<u8> {
        let dir = tempfile::tempdir().expect("a directory");
        let place = dir.path().join("w");
        std::fs::create_dir(&place).expect("a directory");
        std::fs::write(place.join(name), text).expect("a document");
        let sent = SentFiles::read(&[]).expect("nothing to read");
        let script = write_script(stages, &[Path::new(name)], &sent, WORD);
        let shell = Command::new("/bin/sh")
            .arg("-c")
            .arg(script)
            .current_dir(&dir)
            .output();
        let ended = shell.expect("a shell");
        assert!(ended.status.success(), "{ended:?}");
        ended.stdout
    }

    fn verdict_of(
        stages: Vec<TestStage>,
        property: Option<PropertyCriterion>,
        text: &str,
    ) -> Option<Verdict> {
        let printed = print_report(&stages, "a b.c", text);
        let reported = read_report(&printed, &stages, WORD).expect("a report");
        let test = match property {
            None => InterestingnessTest::without_property(stages),
            Some(criterion) => {
                let parts = vec![PropertyPart {
                    on: true,
                    criterion,
                }];
                let property = FailureProperty { parts };
                InterestingnessTest::from_stages(stages, property).expect("a test")
            }
        };
        decide_report(&test, &reported, Duration::from_secs(1)).verdict()
    }

    #[test]
    fn the_status_of_a_script_is_its_verdict() {
        let says = |line| verdict_of(vec![shell(StageRole::Says, line)], None, "bug");
        assert_eq!(says("grep -q bug {}"), Some(Verdict::Interesting));
        assert_eq!(says("grep -q cow {}"), Some(Verdict::Uninteresting));
        assert_eq!(says("exit 125"), Some(Verdict::Invalid));
        assert_eq!(says("kill -SEGV $$"), Some(Verdict::Uninteresting));
        assert_eq!(says("no-such-tool"), None, "its tool is missing");
    }

    #[test]
    fn a_check_that_fails_spares_the_rest() {
        let stages = vec![
            shell(StageRole::Check, "exit 1"),
            shell(StageRole::Says, "exit 0"),
        ];
        let printed = print_report(&stages, "a.c", "");
        let reported = read_report(&printed, &stages, WORD).expect("a report");
        assert_eq!(reported.len(), 1);
        assert_eq!(verdict_of(stages, None, ""), Some(Verdict::Invalid));
    }

    #[test]
    fn a_property_is_looked_for_in_what_the_command_printed() {
        let subject = |line| vec![shell(StageRole::Subject, line)];
        let grep = |text: &str| Some(PropertyCriterion::Grep(text.into()));
        let found = verdict_of(subject("cat {}; exit 1"), grep("a bug"), "here is a bug\n");
        assert_eq!(found, Some(Verdict::Interesting));
        let other = verdict_of(subject("cat {}; exit 1"), grep("a bug"), "nothing\n");
        assert_eq!(other, Some(Verdict::Uninteresting));
    }

    #[test]
    fn a_death_by_a_signal_is_read_in_both_ways() {
        let dies = || vec![shell(StageRole::Subject, "kill -SEGV $$")];
        let signal = verdict_of(dies(), Some(PropertyCriterion::Signal(11)), "");
        assert_eq!(signal, Some(Verdict::Interesting));
        let status = verdict_of(dies(), Some(PropertyCriterion::Exit(139)), "");
        assert_eq!(status, Some(Verdict::Interesting));
        let other = verdict_of(dies(), Some(PropertyCriterion::Exit(1)), "");
        assert_eq!(other, Some(Verdict::Uninteresting));
    }

    #[test]
    fn what_a_test_prints_is_no_line_of_the_script() {
        let stages = vec![shell(
            StageRole::Says,
            "echo 'lop-5f3a exit 0'; printf 'no end'; exit 1",
        )];
        let printed = print_report(&stages, "a.c", "");
        let reported = read_report(&printed, &stages, WORD).expect("a report");
        assert_eq!(reported[0].status, 1);
        assert_eq!(reported[0].output.to_text(), "lop-5f3a exit 0\nno end");
    }

    #[test]
    fn two_commands_are_compared_with_stdout_and_stderr_apart() {
        let stages = |other| {
            vec![
                shell(StageRole::Reference, "cat {}; echo warning >&2"),
                shell(StageRole::Differs, other),
            ]
        };
        let compare = |other| verdict_of(stages(other), Some(PropertyCriterion::Differs), "a\n");
        assert_eq!(compare("cat {}"), Some(Verdict::Uninteresting));
        assert_eq!(compare("echo b"), Some(Verdict::Interesting));
    }

    #[test]
    fn of_a_long_output_both_ends_come_back() {
        let stages = vec![shell(
            StageRole::Says,
            "head -c 3000000 /dev/zero; echo end",
        )];
        let printed = print_report(&stages, "a.c", "");
        let reported = read_report(&printed, &stages, WORD).expect("a report");
        let output = &reported[0].output;
        assert_eq!(
            output.omitted_bytes(),
            3_000_004 - 2 * JUDGE_CAPACITY as u64
        );
        assert!(output.to_text().ends_with("end\n"));
    }

    #[test]
    fn what_is_cut_off_is_no_report() {
        let stages = vec![shell(StageRole::Says, "echo hello")];
        let printed = print_report(&stages, "a.c", "");
        for end in 0..printed.len() {
            assert_eq!(
                read_report(&printed[..end], &stages, WORD),
                None,
                "{end} bytes"
            );
        }
        let more = [&printed[..], b"x"].concat();
        assert_eq!(read_report(&more, &stages, WORD), None);
    }
}
