//! `lop verify pair`: is a result of `lop pair` minimal?

use std::path::{Path, PathBuf};

use crossbeam_channel::select;

use super::candidate_counts::describe_candidates;
use crate::cli::args::VerifyPairArgs;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::cli::launch::language_choice;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::test_spec::TestSpec;
use crate::display::{ConsoleWriter, EscapeHidden, format_count};
use crate::oracle::{
    JobId, LimitPolicy, LocalRunner, Runner, TestJob, TestOutcome, TimeLimits, Verdict,
};
use crate::session::{self, InputFile, RunInput};
use crate::verify::{self, CheckedFile, PairReport, PairSide, PairStep, PairTexts};

/// How many steps are shown.
const SHOWN: usize = 20;

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
    let mut limit = place.timeout.unwrap_or_else(LimitPolicy::adaptive);
    let first = prepared.test_original(limit.current_limits(), None)?;
    prepared.report_notes();
    limit.on_interesting(first.time, first.cpu);
    let read = |file: &InputFile| {
        let path = Path::new(file.file_name());
        let language = language_choice::choose_language(path, None, place.grammar.as_deref())?;
        language_choice::check_syntax(language, path, &file.bytes)?;
        CheckedFile::with_language(language, path, file.bytes.clone()).or_fail(FAILED)
    };
    let checked = [read(&files[0])?, read(&files[1])?];
    let mut asker = PairTester {
        runner: prepared.start_runner(1).or_fail(FAILED)?,
        prepared: &prepared,
        limits: limit.current_limits(),
        asked: 0,
    };
    let report = verify::check_pair(&checked, |texts| asker.test_pair(texts))?;
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

/// Has pairs tested, one at a time.
struct PairTester<'a> {
    runner: LocalRunner,
    prepared: &'a PreparedRun,
    limits: TimeLimits,
    asked: u64,
}

impl PairTester<'_> {
    fn test_pair(&mut self, texts: &PairTexts) -> Result<bool, CommandFailure> {
        self.asked += 1;
        self.runner.submit(TestJob {
            id: JobId(self.asked),
            files: self.prepared.input.files_with_texts(texts.clone()),
            limits: self.limits,
            alone: false,
            // A program that is as it was need not be tested again.
            fresh: false,
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
fn report_lines(names: [&str; 2], files: &[CheckedFile; 2], report: &PairReport) -> Vec<String> {
    let mut lines = step_lines(names, &report.violations, "");
    let note = " (also interesting, though no edit of the tree)";
    lines.extend(step_lines(names, &report.loose_tokens, note));
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
