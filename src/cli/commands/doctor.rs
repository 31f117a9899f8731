//! `lop doctor`: what is wrong with a test?

use std::path::Path;

use serde_json::json;

use crate::cli::args::{DoctorArgs, DoctorPairArgs, DoctorSubcommand, TestRunArgs, job_count};
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::messages::report_message;
use crate::display::{
    EscapeHidden, OutputStream, format_count, is_terminal, sanitize_line, sanitize_page,
};
use crate::doctor::{self, DoctorFinding, DoctorReport, ExaminationError, ExaminationInput};
use crate::oracle::TestExecutable;
use crate::plain::{ConsoleWriter, format_duration, quote_path_for_display};

/// Examines the test, or the two of a pair; the exit status.
pub fn run_doctor(args: &DoctorArgs) -> Result<u8, CommandFailure> {
    if let Some(DoctorSubcommand::Pair(pair)) = &args.pair {
        return run_doctor_pair(pair);
    }
    let (Some(file), Some(test)) = (&args.file, &args.test) else {
        return Err(CommandFailure::new(USAGE, "type lop doctor FILE TEST"));
    };
    if file.is_dir() {
        return Err(refuse_project(file, test));
    }
    let jobs = job_count(args.jobs);
    let mut case = DoctorCase::new(file, test, jobs, &args.test_run)?;
    let report = case.examine(!args.json)?;
    let mut out = ConsoleWriter::stdout();
    if args.json {
        let objects = finding_objects(&report.findings, None);
        let end = examined_object(&report, None);
        objects
            .chain([end])
            .for_each(|object| out.write_json(&object));
        return Ok(exit_status(report.harmful_count()));
    }
    let mut lines = report_lines(&report, jobs);
    lines.push(final_line(
        &case.name,
        (report.harmful_count(), report.tests),
        &format!("lop {} {}", quote_path_for_display(file), case.name),
    ));
    lines.iter().for_each(|line| out.write_line(line));
    Ok(exit_status(report.harmful_count()))
}

/// What to do with the test of a project instead.
fn refuse_project(directory: &Path, test: &Path) -> CommandFailure {
    let absolute = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let (from, script) = (absolute(directory), absolute(test));
    let what = format!(
        "{} is a directory, and the doctor examines one file alone; for a project run the test by hand:\n    \
         cd \"$(mktemp -d)\" && cp -r {}/. . && {} \"$PWD\"; echo $?",
        directory.escape_hidden(),
        quote_path_for_display(&from),
        quote_path_for_display(&script)
    );
    CommandFailure::new(USAGE, what)
}

/// Examines the two tests of a pair, each on its own program, then both on the program of the other; the exit status.
fn run_doctor_pair(args: &DoctorPairArgs) -> Result<u8, CommandFailure> {
    let jobs = job_count(args.jobs);
    let mut cases = [
        DoctorCase::new(&args.seed, &args.seed_test, jobs, &args.test_run)?,
        DoctorCase::new(&args.variant, &args.variant_test, jobs, &args.test_run)?,
    ];
    let mut out = ConsoleWriter::stdout();
    let (mut harmful, mut tests) = (0, 0);
    for (case, whose) in cases.iter_mut().zip(["seed", "variant"]) {
        let report = case.examine(!args.json)?;
        harmful += report.harmful_count();
        tests += report.tests;
        if args.json {
            let objects = finding_objects(&report.findings, Some(whose));
            let end = examined_object(&report, Some(whose));
            objects
                .chain([end])
                .for_each(|object| out.write_json(&object));
            continue;
        }
        out.write_line(&format!("The test of the {whose}, {}:", case.name));
        out.write_line("");
        let lines = report_lines(&report, jobs);
        lines.iter().for_each(|line| out.write_line(line));
        out.write_line("");
    }
    let inputs = cases.each_ref().map(|case| &case.input);
    let crossed = doctor::examine_pair(inputs).map_err(to_failure)?;
    harmful += crossed.findings.len();
    tests += crossed.tests;
    if args.json {
        let objects = finding_objects(&crossed.findings, Some("pair"));
        objects.for_each(|object| out.write_json(&object));
        return Ok(exit_status(harmful));
    }
    if !crossed.findings.is_empty() {
        out.write_line("Each test on the program of the other:");
        out.write_line("");
    }
    for (number, finding) in crossed.findings.iter().enumerate() {
        let lines = finding_lines(number + 1, finding);
        lines.iter().for_each(|line| out.write_line(line));
    }
    let [seed, variant] = [&args.seed, &args.variant].map(|file| quote_path_for_display(file));
    let [seed_test, variant_test] = cases.each_ref().map(|case| &case.name);
    out.write_line(&final_line(
        &format!("{seed_test} and {variant_test}"),
        (harmful, tests),
        &format!("lop pair {seed} {variant} {seed_test} {variant_test}"),
    ));
    Ok(exit_status(harmful))
}

/// A test and its program.
struct DoctorCase {
    prepared: PreparedRun,
    input: ExaminationInput,
    /// The test, as it would be typed.
    name: String,
}

impl DoctorCase {
    fn new(
        file: &Path,
        test: &Path,
        jobs: usize,
        place: &TestRunArgs,
    ) -> Result<DoctorCase, CommandFailure> {
        let scratch = place.scratch.as_deref();
        let prepared = PreparedRun::new(file, test, scratch, &place.isolation, jobs)?;
        let program = prepared.input.main_file();
        let input = ExaminationInput {
            test: TestExecutable::from_path(test).or_fail(USAGE)?,
            given_path: test.to_path_buf(),
            file: program.path.clone(),
            candidate_name: program.file_name().into(),
            bytes: program.bytes.clone(),
            scratch: prepared.scratch.clone(),
            isolation: prepared.isolation.clone(),
            jobs,
            limit: place.limit_policy(),
            signals: prepared.signals.received.clone(),
        };
        Ok(DoctorCase {
            input,
            prepared,
            name: quote_path_for_display(test),
        })
    }

    /// Examines the test. Limits that the program exceeds are lifted.
    fn examine(&mut self, tells: bool) -> Result<DoctorReport, CommandFailure> {
        let waits = is_terminal(OutputStream::Error) && tells;
        let mut tell = |what: &str| {
            if waits {
                report_message(&format!("looking at {what}"));
            }
        };
        let report = loop {
            match doctor::examine_test(&self.input, &mut tell) {
                Ok(report) => break report,
                Err(ExaminationError::LimitExceeded(bound)) => {
                    self.prepared.lift_limit(bound)?;
                    self.input.isolation = self.prepared.isolation.clone();
                }
                Err(error) => return Err(to_failure(error)),
            }
        };
        self.prepared.report_notes();
        match &report.unexplained {
            Some(outcome) => Err(self.prepared.preflight_tester().explain_outcome(outcome)),
            None => Ok(report),
        }
    }
}

fn to_failure(error: ExaminationError) -> CommandFailure {
    match error {
        ExaminationError::Signal(signal) => CommandFailure::check_interrupted(signal),
        halt => CommandFailure::new(FAILED, halt),
    }
}

fn exit_status(harmful: usize) -> u8 {
    match harmful {
        0 => 0,
        _ => NOTHING_TO_DO,
    }
}

/// For people.
fn report_lines(report: &DoctorReport, jobs: usize) -> Vec<String> {
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
    lines
}

/// What all of it means: so many things that hurt, in so many tests; else what to type next.
fn final_line(test: &str, (harmful, tests): (usize, u64), next: &str) -> String {
    let tests = format_count(tests, "test");
    match harmful {
        0 => format!("{test}: nothing was found that hurts, in {tests}; `{next}` reduces"),
        hurts => format!(
            "{test}: {} that hurt{}, in {tests}; fix it, and examine it again",
            format_count(hurts as u64, "thing"),
            if hurts == 1 { "s" } else { "" }
        ),
    }
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

/// For programs, one object a line; `docs/JSON.md` describes them. `of` is the program of a pair that the test is for, or `pair`.
fn finding_objects(
    findings: &[DoctorFinding],
    of: Option<&'static str>,
) -> impl Iterator<Item = String> {
    findings.iter().map(move |finding| {
        let object = json!({
            "event": "finding", "name": finding.name, "hurts": finding.is_harmful, "seen": finding.observed,
            "why": finding.why, "place": finding.place, "add": finding.lines_to_add,
        });
        name_program(object, of)
    })
}

/// The object at the end of an examination.
fn examined_object(report: &DoctorReport, of: Option<&'static str>) -> String {
    let times = report
        .times
        .map(|times| times.map(|time| time.as_secs_f64()));
    let object = json!({
        "event": "examined", "hurts": report.harmful_count(), "tests": report.tests, "test_s": times,
        "tests_a_second": report.tests_per_second, "status": exit_status(report.harmful_count()),
    });
    name_program(object, of)
}

fn name_program(mut object: serde_json::Value, of: Option<&'static str>) -> String {
    if let Some(of) = of {
        object["of"] = of.into();
    }
    object.to_string()
}
