//! `lop doctor`: what is wrong with a test?

use serde_json::json;

use super::args::Doctor;
use super::complain;
use super::failure::{FAILED, Failure, NOTHING_TO_DO, OrFail, USAGE};
use super::ready::Ready;
use crate::display::{Stream, is_terminal, tamed, tamed_page};
use crate::doctor::{self, Finding, Halt, Report, Subject};
use crate::oracle::{Executable, Limit};
use crate::plain::{Out, count, quoted, seconds};

/// Examines the test; the exit status.
pub(super) fn run(args: &Doctor) -> Result<u8, Failure> {
    let jobs = match args.jobs {
        Some(jobs) => jobs.into(),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let mut ready = Ready::new(
        &args.file,
        &args.test,
        args.place.scratch.as_deref(),
        &args.place.care,
        jobs,
    )?;
    let mut subject = Subject {
        test: Executable::find(&args.test).or_fail(USAGE)?,
        named: args.test.clone(),
        file: ready.input.path.clone(),
        name: ready.input.name().into(),
        bytes: ready.input.bytes.clone(),
        scratch: ready.scratch.clone(),
        care: ready.care.clone(),
        jobs,
        limit: args.place.timeout.unwrap_or_else(Limit::adaptive),
        signals: ready.signals.heard.clone(),
    };
    let waits = is_terminal(Stream::Error) && !args.json;
    let mut tell = |what: &str| {
        if waits {
            complain(&format!("looking at {what}"));
        }
    };
    let report = loop {
        match doctor::examine(&subject, &mut tell) {
            Ok(report) => break report,
            Err(Halt::Beyond(bound)) => {
                ready.lift(bound);
                subject.care = ready.care.clone();
            }
            Err(Halt::Signal(signal)) => return Err(Failure::interrupted(signal)),
            Err(halt) => return Err(Failure::new(FAILED, halt)),
        }
    };
    ready.tell();
    if let Some(outcome) = &report.unexplained {
        return Err(ready.question().refused(outcome));
    }
    let mut out = Out::stdout();
    match args.json {
        true => objects(&report).iter().for_each(|object| out.json(object)),
        false => lines(args, &report, jobs)
            .iter()
            .for_each(|line| out.line(line)),
    }
    Ok(status(&report))
}

fn status(report: &Report) -> u8 {
    match report.hurts() {
        0 => 0,
        _ => NOTHING_TO_DO,
    }
}

/// For people.
fn lines(args: &Doctor, report: &Report, jobs: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, finding) in report.findings.iter().enumerate() {
        lines.extend(told(number + 1, finding));
    }
    if let Some([least, median, most]) = report.times {
        let rate = match report.rate {
            Some(rate) => format!(
                "; with {} about {rate:.1} tests a second",
                count(jobs as u64, "job")
            ),
            None => String::new(),
        };
        let (least, most) = (seconds(least), seconds(most));
        lines.push(format!(
            "a test takes {} ({least} to {most}){rate}",
            seconds(median)
        ));
    }
    let (test, file) = (quoted(&args.test), quoted(&args.file));
    let tests = count(report.tests, "test");
    lines.push(match report.hurts() {
        0 => {
            format!("{test}: nothing was found that hurts, in {tests}; `lop {file} {test}` reduces")
        }
        hurts => format!(
            "{test}: {} that hurt{}, in {tests}; mend it, and ask again",
            count(hurts as u64, "thing"),
            if hurts == 1 { "s" } else { "" }
        ),
    });
    lines
}

fn told(number: usize, finding: &Finding) -> Vec<String> {
    let kind = if finding.hurts {
        "hurts"
    } else {
        "good to know"
    };
    let mut lines = vec![
        format!("{number}. {} ({kind})", finding.name),
        format!("   seen: {}", tamed(&finding.seen)),
        format!("   why:  {}", tamed(&finding.why)),
        format!("   add:  {}:", tamed(&finding.place)),
    ];
    lines.extend(
        finding
            .add
            .iter()
            .map(|line| format!("             {}", tamed_page(line))),
    );
    lines.push(String::new());
    lines
}

/// For programs, an object a line; `docs/JSON.md` tells what they hold.
fn objects(report: &Report) -> Vec<String> {
    let findings = report.findings.iter().map(|finding| {
        json!({
            "event": "finding", "name": finding.name, "hurts": finding.hurts, "seen": finding.seen,
            "why": finding.why, "place": finding.place, "add": finding.add,
        })
    });
    let times = report
        .times
        .map(|times| times.map(|time| time.as_secs_f64()));
    let examined = json!({
        "event": "examined", "hurts": report.hurts(), "tests": report.tests, "test_s": times,
        "tests_a_second": report.rate, "status": status(report),
    });
    findings
        .chain([examined])
        .map(|object| object.to_string())
        .collect()
}
