//! `lop verify`: is a result minimal?

use std::sync::Arc;

use crossbeam_channel::select;

use super::candidate_counts::describe_candidates;
use super::verify_pair::run_verify_pair;
use crate::cli::args::{VerifyArgs, VerifySubcommand};
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::cli::launch::language_choice;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::display::{EscapeHidden, format_count, format_number};
use crate::oracle::{
    JobId, LimitPolicy, LocalRunner, Runner, TestJob, TestOutcome, TimeLimits, Verdict,
};
use crate::plain::ConsoleWriter;
use crate::verify::{self, CheckedFile, MinimalityCandidate, MinimalityReport};

/// How many violations are shown.
const SHOWN: usize = 20;

/// The note on an interesting candidate without one token that no edit of the tree makes.
const NO_EDIT: &str = " (also interesting, though no edit of the tree)";

/// Checks the file; the exit status.
pub fn run_verify(args: &VerifyArgs) -> Result<u8, CommandFailure> {
    if let Some(VerifySubcommand::Pair(pair)) = &args.pair {
        return run_verify_pair(pair);
    }
    let (Some(file), Some(test)) = (&args.file, &args.test) else {
        return Err(CommandFailure::new(USAGE, "type lop verify FILE TEST"));
    };
    let place = &args.test_run;
    let scratch = place.scratch.as_deref();
    let mut prepared = PreparedRun::new(file, test, scratch, &place.isolation, 1)?;
    let mut limit = args.test_run.timeout.unwrap_or_else(LimitPolicy::adaptive);
    let first = prepared.test_original(limit.current_limits(), None)?;
    prepared.report_notes();
    limit.on_interesting(first.time, first.cpu);
    let path = std::path::Path::new(prepared.input.main_file().file_name());
    let language = language_choice::choose_language(path, None, args.test_run.grammar.as_deref())?;
    let bytes = &prepared.input.main_file().bytes;
    language_choice::check_syntax(language, path, bytes)?;
    let source = CheckedFile::with_language(language, path, bytes.clone()).or_fail(FAILED)?;
    let mut asker = CandidateTester {
        runner: prepared.start_runner(1).or_fail(FAILED)?,
        prepared: &prepared,
        limits: limit.current_limits(),
        asked: 0,
    };
    let report = verify::check_minimality(&source, |bytes| asker.test_candidate(bytes))?;
    let mut out = ConsoleWriter::stdout();
    for line in report_lines(&file.escape_hidden(), &source, &report) {
        out.write_line(&line);
    }
    Ok(match report.is_minimal() {
        true => 0,
        false => NOTHING_TO_DO,
    })
}

/// Has candidates tested, one at a time.
struct CandidateTester<'a> {
    runner: LocalRunner,
    prepared: &'a PreparedRun,
    limits: TimeLimits,
    asked: u64,
}

impl CandidateTester<'_> {
    fn test_candidate(&mut self, bytes: &Arc<[u8]>) -> Result<bool, CommandFailure> {
        self.asked += 1;
        self.runner.submit(TestJob {
            id: JobId(self.asked),
            files: self.prepared.input.files_with_texts([bytes.clone()]),
            limits: self.limits,
            alone: false,
            fresh: true,
        });
        select! {
            recv(self.runner.result_receiver()) -> answer => match answer.map(|answer| answer.outcome) {
                Ok(TestOutcome::Verdict(verdict, _)) => Ok(verdict == Verdict::Interesting),
                Ok(TestOutcome::NoVerdict(trouble)) => Err(CommandFailure::new(FAILED, trouble)),
                Ok(TestOutcome::Cancelled) | Err(_) => Err(CommandFailure::new(FAILED, "the thread that runs the test has died")),
            },
            // The runner kills the test when it is dropped.
            recv(self.prepared.signals.received) -> signal => Err(CommandFailure::check_interrupted(signal.unwrap_or_default())),
        }
    }
}

/// The report, for people.
fn report_lines(file: &str, source: &CheckedFile, report: &MinimalityReport) -> Vec<String> {
    let mut lines = violation_lines(file, &report.violations, "");
    lines.extend(violation_lines(file, &report.loose_tokens, NO_EDIT));
    lines.push(format!(
        "{file}: {}; {}",
        format_count(source.token_count() as u64, "token"),
        format_count(report.tests, "test")
    ));
    lines.push(format!(
        "without one token: {}",
        describe_candidates(report.tokens)
    ));
    if report.broken_tokens.tried > 0 {
        lines.push(format!(
            "not counted, as they have new syntax errors: {}, of which {} are interesting",
            format_count(report.broken_tokens.tried, "other candidate"),
            format_number(report.broken_tokens.interesting)
        ));
    }
    let left_out = match report.left_out {
        0 => String::new(),
        number => format!("; {number} left out, as they have more syntax errors"),
    };
    lines.push(format!(
        "without one part of the tree, or with one node replaced: {}{left_out}",
        describe_candidates(report.parts)
    ));
    let loose = report.loose_tokens.len() as u64;
    lines.push(match (report.is_minimal(), loose) {
        (false, _) => format!("{file} is not minimal"),
        (true, 0) => format!("{file} is minimal: no single token or part can go"),
        (true, _) => format!(
            "{file} is minimal: no single part of the tree can go; {} could, but no edit of the tree does that",
            format_count(loose, "single token")
        ),
    });
    lines
}

/// One line for each of the first candidates.
fn violation_lines(file: &str, all: &[MinimalityCandidate], note: &str) -> Vec<String> {
    let line = |candidate: &MinimalityCandidate| {
        let MinimalityCandidate {
            line, step, left, ..
        } = candidate;
        format!("{file}:{line}: {step}, which leaves {left}{note}")
    };
    let mut lines: Vec<String> = all.iter().take(SHOWN).map(line).collect();
    let more = all.len().saturating_sub(SHOWN);
    if more > 0 {
        lines.push(format!(
            "and {} more{note}",
            format_count(more as u64, "step")
        ));
    }
    lines
}
