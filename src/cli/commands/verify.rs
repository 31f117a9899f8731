//! `lop verify`: is a result minimal?

use std::slice;

use super::minimality_check::{
    CandidateTester, NO_EDIT, describe_candidates, list_steps, read_checked_file,
};
use super::verify_pair::run_verify_pair;
use crate::cli::args::{VerifyArgs, VerifySubcommand};
use crate::cli::failure::{CommandFailure, NOTHING_TO_DO, USAGE};
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::test_spec::TestSpec;
use crate::display::{ConsoleWriter, EscapeHidden, format_count, format_number};
use crate::verify::{self, CheckedFile, MinimalityCandidate, MinimalityReport};

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
    let limit = prepared.measure_limit(&TestSpec::from_script(test), place.limit_policy())?;
    let source = read_checked_file(prepared.input.main_file(), place)?;
    let mut tester = CandidateTester::start(&prepared, limit)?;
    let mut ask = |bytes: &_| tester.test_candidate(slice::from_ref(bytes));
    let report = match args.text {
        true => verify::check_minimality_as_text(&source, &mut ask)?,
        false => verify::check_minimality(&source, &mut ask)?,
    };
    let mut out = ConsoleWriter::stdout();
    for line in report_lines(&file.escape_hidden(), &source, &report) {
        out.write_line(&line);
    }
    Ok(match report.is_minimal() {
        true => 0,
        false => NOTHING_TO_DO,
    })
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
    if let Some(text) = report.text {
        lines.push(format!(
            "as text, without up to 4 tokens in a row, a pair of brackets, or what is between `;`, `{{` and `}}`: {}",
            describe_candidates(text)
        ));
    }
    let loose = report.loose_tokens.len() as u64;
    lines.push(match (report.is_minimal(), loose) {
        (false, _) => format!("{file} is not minimal"),
        (true, 0) if report.text.is_some() => {
            format!("{file} is minimal: no single part can go, and as text nothing can")
        }
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
    list_steps(all, note, line)
}
