//! `lop verify`: is a result minimal?

use std::sync::Arc;

use crossbeam_channel::select;

use super::args::Verify;
use super::failure::{FAILED, Failure, NOTHING_TO_DO, OrFail};
use super::ready::Ready;
use super::tongue;
use crate::display::Shown;
use crate::oracle::{Job, JobId, Limit, Limits, LocalRunner, Outcome, Runner, Verdict};
use crate::plain::{Out, count};
use crate::verify::{self, Candidate, Report, Source};

/// How many violations are shown.
const SHOWN: usize = 20;

/// What is said of a token that could go, though no step along the tree takes it.
const NO_EDIT: &str = " (also interesting, though no edit of the tree)";

/// Checks the file; the exit status.
pub(super) fn run(args: &Verify) -> Result<u8, Failure> {
    let place = &args.place;
    let scratch = place.scratch.as_deref();
    let mut ready = Ready::new(&args.file, &args.test, scratch, &place.care, 1)?;
    let mut limit = args.place.timeout.unwrap_or_else(Limit::adaptive);
    let first = ready.original(limit.current(), None)?;
    ready.tell();
    limit.interesting(first.time, first.cpu);
    let path = std::path::Path::new(ready.input.name());
    let language = tongue::chosen(path, None, args.place.grammar.as_deref())?;
    let bytes = &ready.input.bytes;
    tongue::complain(language, path, bytes)?;
    let source = Source::read_as(language, path, bytes.clone()).or_fail(FAILED)?;
    let mut asker = Asker {
        runner: ready.runner(1).or_fail(FAILED)?,
        ready: &ready,
        limits: limit.current(),
        asked: 0,
    };
    let report = verify::check(&source, |bytes| asker.ask(bytes))?;
    let mut out = Out::stdout();
    for line in lines(&args.file.shown(), &source, &report) {
        out.line(&line);
    }
    Ok(match report.is_minimal() {
        true => 0,
        false => NOTHING_TO_DO,
    })
}

/// Has candidates tested, one at a time.
struct Asker<'a> {
    runner: LocalRunner,
    ready: &'a Ready,
    limits: Limits,
    asked: u64,
}

impl Asker<'_> {
    fn ask(&mut self, bytes: &Arc<[u8]>) -> Result<bool, Failure> {
        self.asked += 1;
        self.runner.submit(Job {
            id: JobId(self.asked),
            files: vec![(self.ready.input.name().into(), bytes.clone())],
            limits: self.limits,
            alone: false,
        });
        select! {
            recv(self.runner.answers()) -> answer => match answer.map(|answer| answer.outcome) {
                Ok(Outcome::Verdict(verdict, _)) => Ok(verdict == Verdict::Interesting),
                Ok(Outcome::NoVerdict(trouble)) => Err(Failure::new(FAILED, trouble)),
                Ok(Outcome::Cancelled) | Err(_) => Err(Failure::new(FAILED, "the thread that runs the test has died")),
            },
            // The runner kills the test when it is dropped.
            recv(self.ready.signals.heard) -> signal => Err(Failure::interrupted(signal.unwrap_or_default())),
        }
    }
}

/// What came of it, for people.
fn lines(file: &str, source: &Source, report: &Report) -> Vec<String> {
    let mut lines = steps(file, &report.violations, "");
    lines.extend(steps(file, &report.loose, NO_EDIT));
    let of = |counts: verify::Counts, what: &str| {
        format!(
            "{} of {} are interesting",
            counts.interesting,
            count(counts.tried, what)
        )
    };
    lines.push(format!(
        "{file}: {}; {}",
        count(source.tokens() as u64, "token"),
        count(report.tests, "test")
    ));
    lines.push(format!(
        "without one token: {}",
        of(report.tokens, "candidate")
    ));
    if report.torn.tried > 0 {
        lines.push(format!(
            "without one token, but with more syntax errors, so that they do not count: {}",
            of(report.torn, "candidate")
        ));
    }
    let left_out = match report.left_out {
        0 => String::new(),
        number => format!("; {number} left out, as they have more syntax errors"),
    };
    lines.push(format!(
        "without one part of the tree, or with one node replaced: {}{left_out}",
        of(report.parts, "candidate")
    ));
    let loose = report.loose.len() as u64;
    lines.push(match (report.is_minimal(), loose) {
        (false, _) => format!("{file} is not minimal"),
        (true, 0) => format!("{file} is minimal: no single token or part can go"),
        (true, _) => format!(
            "{file} is minimal: no single part of the tree can go; {} could, but no edit of the tree does that",
            count(loose, "single token")
        ),
    });
    lines
}

/// A line for each of these steps, as far as they are shown.
fn steps(file: &str, all: &[Candidate], note: &str) -> Vec<String> {
    let line = |candidate: &Candidate| {
        let Candidate {
            line, step, left, ..
        } = candidate;
        format!("{file}:{line}: {step}, which leaves {left}{note}")
    };
    let mut lines: Vec<String> = all.iter().take(SHOWN).map(line).collect();
    let more = all.len().saturating_sub(SHOWN);
    if more > 0 {
        lines.push(format!("and {} more{note}", count(more as u64, "step")));
    }
    lines
}
