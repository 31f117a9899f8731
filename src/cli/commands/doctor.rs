//! `lop doctor`: what is wrong with a test?

use serde_json::json;

use crate::cli::args::{DoctorArgs, job_count};
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::messages::report_message;
use crate::display::{OutputStream, format_count, is_terminal, sanitize_line, sanitize_page};
use crate::doctor::{self, DoctorFinding, DoctorReport, ExaminationError, ExaminationInput};
use crate::oracle::{LimitPolicy, TestExecutable};
use crate::plain::{ConsoleWriter, format_duration, quote_path_for_display};

/// Examines the test; the exit status.
pub fn run_doctor(args: &DoctorArgs) -> Result<u8, CommandFailure> {
    let jobs = job_count(args.jobs);
    let mut prepared = PreparedRun::new(
        &args.file,
        &args.test,
        args.test_run.scratch.as_deref(),
        &args.test_run.isolation,
        jobs,
    )?;
    let mut subject = ExaminationInput {
        test: TestExecutable::from_path(&args.test).or_fail(USAGE)?,
        given_path: args.test.clone(),
        file: prepared.input.main_file().path.clone(),
        candidate_name: prepared.input.main_file().file_name().into(),
        bytes: prepared.input.main_file().bytes.clone(),
        scratch: prepared.scratch.clone(),
        isolation: prepared.isolation.clone(),
        jobs,
        limit: args.test_run.timeout.unwrap_or_else(LimitPolicy::adaptive),
        signals: prepared.signals.received.clone(),
    };
    let waits = is_terminal(OutputStream::Error) && !args.json;
    let mut tell = |what: &str| {
        if waits {
            report_message(&format!("looking at {what}"));
        }
    };
    let report = loop {
        match doctor::examine_test(&subject, &mut tell) {
            Ok(report) => break report,
            Err(ExaminationError::LimitExceeded(bound)) => {
                prepared.lift_limit(bound);
                subject.isolation = prepared.isolation.clone();
            }
            Err(ExaminationError::Signal(signal)) => {
                return Err(CommandFailure::check_interrupted(signal));
            }
            Err(halt) => return Err(CommandFailure::new(FAILED, halt)),
        }
    };
    prepared.report_notes();
    if let Some(outcome) = &report.unexplained {
        return Err(prepared.preflight_tester().explain_outcome(outcome));
    }
    let mut out = ConsoleWriter::stdout();
    match args.json {
        true => json_objects(&report)
            .iter()
            .for_each(|object| out.write_json(object)),
        false => report_lines(args, &report, jobs)
            .iter()
            .for_each(|line| out.write_line(line)),
    }
    Ok(exit_status(&report))
}

fn exit_status(report: &DoctorReport) -> u8 {
    match report.harmful_count() {
        0 => 0,
        _ => NOTHING_TO_DO,
    }
}

/// For people.
fn report_lines(args: &DoctorArgs, report: &DoctorReport, jobs: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, finding) in report.findings.iter().enumerate() {
        lines.extend(finding_lines(number + 1, finding));
    }
    if let Some([least, median, most]) = report.times {
        let rate = match report.tests_per_second {
            Some(rate) => format!(
                "; with {} about {rate:.1} tests a second",
                format_count(jobs as u64, "job")
            ),
            None => String::new(),
        };
        let (least, most) = (format_duration(least), format_duration(most));
        lines.push(format!(
            "a test takes {} ({least} to {most}){rate}",
            format_duration(median)
        ));
    }
    let (test, file) = (
        quote_path_for_display(&args.test),
        quote_path_for_display(&args.file),
    );
    let tests = format_count(report.tests, "test");
    lines.push(match report.harmful_count() {
        0 => {
            format!("{test}: nothing was found that hurts, in {tests}; `lop {file} {test}` reduces")
        }
        hurts => format!(
            "{test}: {} that hurt{}, in {tests}; fix it, and examine it again",
            format_count(hurts as u64, "thing"),
            if hurts == 1 { "s" } else { "" }
        ),
    });
    lines
}

fn finding_lines(number: usize, finding: &DoctorFinding) -> Vec<String> {
    let kind = if finding.is_harmful {
        "hurts"
    } else {
        "good to know"
    };
    let mut lines = vec![
        format!("{number}. {} ({kind})", finding.name),
        format!("   seen: {}", sanitize_line(&finding.observed)),
        format!("   why:  {}", sanitize_line(&finding.why)),
        format!("   add:  {}:", sanitize_line(&finding.place)),
    ];
    lines.extend(
        finding
            .lines_to_add
            .iter()
            .map(|line| format!("             {}", sanitize_page(line))),
    );
    lines.push(String::new());
    lines
}

/// For programs, one object a line; `docs/JSON.md` describes them.
fn json_objects(report: &DoctorReport) -> Vec<String> {
    let findings = report.findings.iter().map(|finding| {
        json!({
            "event": "finding", "name": finding.name, "hurts": finding.is_harmful, "seen": finding.observed,
            "why": finding.why, "place": finding.place, "add": finding.lines_to_add,
        })
    });
    let times = report
        .times
        .map(|times| times.map(|time| time.as_secs_f64()));
    let examined = json!({
        "event": "examined", "hurts": report.harmful_count(), "tests": report.tests, "test_s": times,
        "tests_a_second": report.tests_per_second, "status": exit_status(report),
    });
    findings
        .chain([examined])
        .map(|object| object.to_string())
        .collect()
}
