//! `lop verify pair`: is a result of `lop pair` minimal?

use std::path::PathBuf;

use super::minimality_check::{
    CandidateTester, NO_EDIT, describe_candidates, list_steps, read_checked_file,
};
use crate::cli::args::VerifyPairArgs;
use crate::cli::failure::{CommandFailure, NOTHING_TO_DO, USAGE};
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::test_spec::TestSpec;
use crate::display::{ConsoleWriter, EscapeHidden, format_count};
use crate::session::{self, RunInput};
use crate::verify::{self, CheckedFile, PairReport, PairSide, PairStep};

/// What the command line must name.
const NAMES: &str =
    "name a seed and a variant, or the directory of a result; then the tests of both";

/// Checks the pair; the exit status.
pub fn run_verify_pair(args: &VerifyPairArgs) -> Result<u8, CommandFailure> {
    let (programs, tests) = args.paths.split_at(args.paths.len().saturating_sub(2));
    let [seed, variant] = find_programs(programs)?;
    let files = [
        PreparedRun::read_input(&seed)?,
        PreparedRun::read_input(&variant)?,
    ];
    let place = &args.test_run;
    let [seed_test, variant_test] = tests else {
        return Err(CommandFailure::new(USAGE, NAMES));
    };
    let scripts = [seed_test.clone(), variant_test.clone()];
    let mut prepared = PreparedRun::from_input(
        RunInput::Pair(files.clone()),
        &TestSpec::PairScripts(scripts, Vec::new()),
        place.scratch.as_deref(),
        &place.isolation,
        1,
    )?;
    let limit = prepared.measure_limit(place.limit_policy())?;
    let checked = [
        read_checked_file(&files[0], place)?,
        read_checked_file(&files[1], place)?,
    ];
    let mut tester = CandidateTester::start(&prepared, limit)?;
    let report = verify::check_pair(&checked, |texts| tester.test_candidate(texts))?;
    let names = files.each_ref().map(|file| file.named.escape_hidden());
    let names = names.each_ref().map(|name| &**name);
    let mut out = ConsoleWriter::stdout();
    for line in report_lines(names, &checked, &report) {
        out.write_line(&line);
    }
    Ok(match report.is_minimal() {
        true => 0,
        false => NOTHING_TO_DO,
    })
}

/// The programs: those that are named, or those of a directory that `lop pair` has made.
fn find_programs(given: &[PathBuf]) -> Result<[PathBuf; 2], CommandFailure> {
    let directory = match given {
        [seed, variant] => return Ok([seed.clone(), variant.clone()]),
        [directory] => directory,
        _ => return Err(CommandFailure::new(USAGE, NAMES)),
    };
    match session::read_program_names(directory) {
        Some(names) => Ok(names.map(|name| directory.join(name))),
        None => Err(CommandFailure::new(
            USAGE,
            format!(
                "{} is no result of lop pair: there is no difference.diff in it that names its programs; name the seed and the variant",
                directory.escape_hidden()
            ),
        )),
    }
}

/// The report, for people.
fn report_lines(names: [&str; 2], files: &[CheckedFile; 2], report: &PairReport) -> Vec<String> {
    let mut lines = step_lines(names, &report.violations, "");
    lines.extend(step_lines(names, &report.loose_tokens, NO_EDIT));
    let tokens = files
        .each_ref()
        .map(|file| format_count(file.token_count() as u64, "token"));
    lines.push(format!(
        "{}: {}; {}: {}; the difference: {}; {}",
        names[0],
        tokens[0],
        names[1],
        tokens[1],
        format_count(report.difference as u64, "token"),
        format_count(report.tests, "test")
    ));
    for (what, counts) in [
        ("without one hunk of the difference", report.hunks),
        ("without one token of a hunk", report.hunk_tokens),
        ("without one token of both", report.common_tokens),
    ] {
        lines.push(format!("{what}: {}", describe_candidates(counts)));
    }
    let loose = report.loose_tokens.len() as u64;
    lines.push(match (report.is_minimal(), loose) {
        (false, _) => "the pair is not minimal".into(),
        (true, 0) => "the pair is minimal: no hunk, no token of one and no common token can go".into(),
        (true, _) => format!(
            "the pair is minimal: no hunk and no token of one can go; {} could, but no edit of the tree does that",
            format_count(loose, "single token")
        ),
    });
    lines
}

/// One line for each of the first steps.
fn step_lines(names: [&str; 2], all: &[PairStep], note: &str) -> Vec<String> {
    let line = |step: &PairStep| {
        let name = match step.side {
            PairSide::Seed => names[0],
            PairSide::Variant => names[1],
        };
        let verify::MinimalityCandidate {
            line, step, left, ..
        } = &step.candidate;
        format!("{name}:{line}: {step}, which leaves {left}{note}")
    };
    list_steps(all, note, line)
}
