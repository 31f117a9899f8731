//! `lop verify pair`: is a result of `lop pair` minimal?

use std::path::{Path, PathBuf};

use super::minimality_check::{
    CandidateTester, NO_EDIT, describe_candidates, list_steps, read_checked_file,
};
use crate::cli::args::{PairTestArgs, PropertyArgs, VerifyPairArgs};
use crate::cli::failure::{CommandFailure, NOTHING_TO_DO, USAGE};
use crate::cli::launch::pair_spec::read_pair_test;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::display::{ConsoleWriter, EscapeHidden, format_count};
use crate::session::{self, InputFile, ResultProgram, RunInput};
use crate::verify::{self, CheckedFile, PairReport, PairSide, PairStep};

/// What the command line must name.
const NAMES: &str = "name a seed and a variant, or the directory of a result; then the tests of both, or --both TEST";

/// A program to check.
struct CheckedProgram {
    /// Its path.
    named: PathBuf,
    /// The file, under the name that its test sees.
    file: InputFile,
}

/// Checks the pair; the exit status.
pub fn run_verify_pair(args: &VerifyPairArgs) -> Result<u8, CommandFailure> {
    let scripts = match args.both {
        Some(_) => 0,
        None => 2,
    };
    let (programs, tests) = args
        .paths
        .split_at(args.paths.len().saturating_sub(scripts));
    let programs = find_programs(programs)?;
    let files = programs.each_ref().map(|program| program.file.clone());
    let test = PairTestArgs {
        seed_test: tests.first().cloned(),
        variant_test: tests.get(1).cloned(),
        both: args.both.clone(),
        property: PropertyArgs::default(),
    };
    let (test_spec, _) = read_pair_test(&test, &files)?;
    let place = &args.test_run;
    let scratch = place.scratch.as_deref();
    let input = RunInput::Pair(files);
    let mut prepared = PreparedRun::from_input(input, &test_spec, scratch, &place.isolation, 1)?;
    let limit = prepared.measure_limit(&test_spec, place.limit_policy())?;
    let checked = [
        read_checked_file(&programs[0].file, place)?,
        read_checked_file(&programs[1].file, place)?,
    ];
    let mut tester = CandidateTester::start(&prepared, limit)?;
    let report = verify::check_pair(&checked, |texts| tester.test_candidate(texts))?;
    let names = programs
        .each_ref()
        .map(|program| program.named.escape_hidden());
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

/// The programs: those that are named, or those of a directory that `lop pair` has made, which have there the names of the run.
fn find_programs(given: &[PathBuf]) -> Result<[CheckedProgram; 2], CommandFailure> {
    let read = |path: &Path| {
        Ok::<_, CommandFailure>(CheckedProgram {
            named: path.to_path_buf(),
            file: PreparedRun::read_input(path)?,
        })
    };
    let directory = match given {
        [seed, variant] => return Ok([read(seed)?, read(variant)?]),
        [directory] => directory,
        _ => return Err(CommandFailure::new(USAGE, NAMES)),
    };
    let Some(programs) = session::read_result_programs(directory) else {
        return Err(CommandFailure::new(
            USAGE,
            format!(
                "{} is no result of lop pair: there is no difference.diff in it that names its programs; name the seed and the variant",
                directory.escape_hidden()
            ),
        ));
    };
    let read = |program: &ResultProgram| {
        let CheckedProgram { named, file } = read(&directory.join(&program.name))?;
        let file = file.with_file_name(&program.tested_name);
        Ok::<_, CommandFailure>(CheckedProgram { named, file })
    };
    let [seed, variant] = &programs;
    Ok([read(seed)?, read(variant)?])
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
