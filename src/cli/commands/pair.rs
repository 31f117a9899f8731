//! `lop pair`: a seed that works and a variant that fails are reduced together, until what is left of their difference makes the bug (PPR,
//! FSE 2023).
//!
//! Progress is printed as lines. The result is a directory with both programs and their difference, which is exchanged as a whole whenever a
//! smaller pair was accepted.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{after, never, select};

use crate::cli::args::{PairArgs, job_count};
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::cli::launch::language_choice;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::test_spec::TestSpec;
use crate::cli::messages::report_message;
use crate::display::{ConsoleWriter, EscapeHidden, format_count, format_number};
use crate::oracle::{
    InterestingnessTest, LimitPolicy, TestFiles, TestOutcome, TestRun, TimeLimits, Verdict,
};
use crate::pass::{PAIR_STRATEGIES, PassOptions};
use crate::plain::{LineReporter, RunHeader, RunReporter, RunSummary, unified_diff};
use crate::program::{self, Version};
use crate::reduce::{self, EngineCommand, RunEvent, RunHandle, RunSetup};
use crate::session::{InputFile, OutputDirectory};

/// The difference of the two programs, in the form of `diff -u`.
const DIFFERENCE: &str = "difference.diff";

/// The result is written at most this often while it becomes smaller.
const WRITE_INTERVAL: Duration = Duration::from_millis(200);

/// After this time without an event a line says that the run is alive.
const QUIET: Duration = Duration::from_secs(1);

/// `lop pair`; the exit status.
pub fn run_pair(pair: &PairArgs) -> Result<u8, CommandFailure> {
    let seed = PreparedRun::read_input(&pair.seed)?;
    let variant = PreparedRun::read_input(&pair.variant)?;
    let names = result_names(&seed, &variant);
    if pair.both.is_some() && seed.file_name() == variant.file_name() {
        let what = "--both needs a seed and a variant of different names, because its test sees both in one directory";
        return Err(CommandFailure::new(USAGE, what));
    }
    let (test, last) = pair_test(pair)?;
    let jobs = job_count(pair.jobs);
    let place = &pair.test_run;
    let spec = TestSpec::from_script(last);
    let scratch = place.scratch.as_deref();
    let mut prepared =
        PreparedRun::from_input(variant.clone(), &spec, scratch, &place.isolation, jobs)?;
    prepared.test = test;
    let output = pair
        .output
        .clone()
        .unwrap_or_else(|| default_output(&pair.variant));
    let output = OutputDirectory::claim_path(&output, names.to_vec()).or_fail(USAGE)?;
    let version = read_documents(pair, [&seed, &variant])?;
    let mut limit = place.timeout.unwrap_or_else(LimitPolicy::adaptive);
    let original = test_original(&prepared, &version, limit.current_limits())?;
    limit.on_interesting(original.time, original.cpu);
    warn_if_exchangeable(&prepared, &version, limit.current_limits())?;
    prepared.report_notes();
    let runner = prepared.start_runner(jobs).or_fail(FAILED)?;
    let header = RunHeader {
        file: pair.variant.clone(),
        language: version.documents()[1]
            .language
            .map(|language| language.name.to_owned()),
        tokens: variant_size(&version).0,
        bytes: variant_size(&version).1,
        objective: version.objective().clone(),
        faults: 0,
        test: prepared.test.clone(),
        first: original.time,
        limit: limit.current_limits().wall,
        output: output.path().to_path_buf(),
        scratch: prepared.scratch.root_path().to_path_buf(),
        scratch_why: prepared.scratch.choice_reason().to_owned(),
        containment: runner.containment().to_string(),
        cache: None,
        notes: vec![describe_sizes(&version)],
    };
    let run = reduce::start_run(RunSetup {
        options: PassOptions::from_strategy(&PAIR_STRATEGIES[0]),
        jobs,
        confirm: true,
        ..RunSetup::new(version, runner, limit)
    })
    .or_fail(FAILED)?;
    let mut reporter = LineReporter::new(ConsoleWriter::stdout());
    reporter.report_start(&header);
    let signal = follow_pair(&run, &prepared, &output, &mut reporter)?;
    let last = run
        .wait_for_end()
        .ok_or_else(|| CommandFailure::new(FAILED, "lop's engine died, which is a fault of lop"))?;
    let (_, kept) = last.kept_version();
    let lost = write_result(&output, kept)
        .err()
        .map(|failure| failure.error.to_string());
    let mut summary = RunSummary::new(&last, &header, signal, lost);
    let (tokens, bytes) = variant_size(kept);
    (summary.tokens, summary.bytes) = ((header.tokens, tokens), (header.bytes, bytes));
    reporter.report_end(&summary);
    ConsoleWriter::stdout().write_line(&format!("lop: {}", describe_sizes(kept)));
    Ok(summary.exit_status())
}

/// The test of a pair, and the script that sees the variant.
fn pair_test(pair: &PairArgs) -> Result<(InterestingnessTest, &Path), CommandFailure> {
    let read = |path: &Path| InterestingnessTest::from_path(path).or_fail(USAGE);
    match (&pair.both, &pair.seed_test, &pair.variant_test) {
        (Some(both), ..) => Ok((read(both)?, both)),
        (None, Some(seed), Some(variant)) => {
            let stages = |test: InterestingnessTest| test.stages().to_vec();
            let test = InterestingnessTest::for_pair(stages(read(seed)?), stages(read(variant)?));
            Ok((test, variant))
        }
        _ => Err(CommandFailure::new(
            USAGE,
            "lop pair needs a test of the seed and one of the variant, or --both TEST",
        )),
    }
}

/// The names of the files of the result.
fn result_names(seed: &InputFile, variant: &InputFile) -> [OsString; 3] {
    let (first, second) = (seed.file_name(), variant.file_name());
    let named = |mark: &str, name: &std::ffi::OsStr| {
        let mut marked = OsString::from(mark);
        marked.push(name);
        marked
    };
    match first == second {
        true => [
            named("seed-", first),
            named("variant-", second),
            DIFFERENCE.into(),
        ],
        false => [first.into(), second.into(), DIFFERENCE.into()],
    }
}

/// Where the result goes unless the user says otherwise: `variant.lop` beside `variant.c`.
fn default_output(variant: &Path) -> PathBuf {
    variant.with_extension("lop")
}

fn read_documents(
    pair: &PairArgs,
    [seed, variant]: [&InputFile; 2],
) -> Result<Version, CommandFailure> {
    let grammar = pair.test_run.grammar.as_deref();
    let source = |input: &InputFile| -> Result<program::DocumentSource, CommandFailure> {
        let language = language_choice::choose_language(&input.named, None, grammar)?;
        Ok((
            language,
            Path::new(input.file_name()).into(),
            input.bytes.clone(),
        ))
    };
    let version = program::read_pair(source(seed)?, source(variant)?).or_fail(FAILED)?;
    match version.size().primary() {
        0 => Err(CommandFailure::new(
            NOTHING_TO_DO,
            "the seed and the variant have the same tokens: there is no difference to reduce",
        )),
        _ => Ok(version),
    }
}

/// Tests the pair as it is: both properties must hold.
fn test_original(
    prepared: &PreparedRun,
    version: &Version,
    limits: TimeLimits,
) -> Result<TestRun, CommandFailure> {
    let files = version.render_files();
    let files = files
        .into_iter()
        .map(|(path, text)| (path, text.into()))
        .collect();
    match prepared.preflight_tester().test_files(files, limits)? {
        TestOutcome::Verdict(Verdict::Interesting, run) => Ok(run),
        TestOutcome::Verdict(_, run) => Err(CommandFailure::new(
            NOTHING_TO_DO,
            format!(
                "the pair is not interesting: the seed must pass its test, and the variant its own ({})\n{}",
                run.exit,
                String::from_utf8_lossy(&run.output.to_bytes())
                    .trim_end()
                    .escape_hidden()
            ),
        )),
        TestOutcome::NoVerdict(reason) => Err(CommandFailure::new(FAILED, reason)),
        TestOutcome::Cancelled => Err(CommandFailure::new(FAILED, "the test was cancelled")),
    }
}

/// Warns where the tests do not tell the two programs apart: with the programs exchanged, both hold as well.
fn warn_if_exchangeable(
    prepared: &PreparedRun,
    version: &Version,
    limits: TimeLimits,
) -> Result<(), CommandFailure> {
    let files = version.render_files();
    let [(seed_path, seed), (variant_path, variant)] = &files[..] else {
        return Ok(());
    };
    let exchanged: TestFiles = vec![
        (seed_path.clone(), Arc::from(&variant[..])),
        (variant_path.clone(), Arc::from(&seed[..])),
    ];
    let outcome = prepared.preflight_tester().test_files(exchanged, limits)?;
    if let TestOutcome::Verdict(Verdict::Interesting, _) = outcome {
        report_message(
            "the tests hold with the seed and the variant exchanged, so they do not tell the two apart",
        );
    }
    Ok(())
}

/// Reports the run to its end and keeps the result on the disk; the signal that stopped it.
fn follow_pair(
    run: &RunHandle,
    prepared: &PreparedRun,
    output: &OutputDirectory,
    reporter: &mut LineReporter,
) -> Result<Option<i32>, CommandFailure> {
    let started = Instant::now();
    let (mut signals, mut heard) = (prepared.signals.received.clone(), None);
    let mut write_at: Option<Instant> = None;
    loop {
        let due = write_at.map_or_else(never, |at| {
            after(at.saturating_duration_since(Instant::now()))
        });
        select! {
            recv(run.events) -> event => {
                let Ok(event) = event else {
                    return Ok(heard);
                };
                reporter.report_event(&event, started.elapsed());
                match event {
                    RunEvent::Accepted { .. } => {
                        write_at.get_or_insert(Instant::now() + WRITE_INTERVAL);
                    }
                    RunEvent::Finished(_) => return Ok(heard),
                    _ => {}
                }
            },
            recv(due) -> _ => {
                write_at = None;
                if let Some(snapshot) = run.board.newest_snapshot() {
                    write_result(output, snapshot.kept_version().1)?;
                }
            },
            recv(signals) -> signal => match signal {
                Ok(signal) => {
                    heard = Some(signal);
                    // The run may have ended meanwhile.
                    let _ = run.commands.send(EngineCommand::Stop);
                }
                Err(_) => signals = never(),
            },
            recv(after(QUIET)) -> _ => reporter.report_idle(started.elapsed()),
        }
    }
}

/// Puts both programs and their difference on the disk.
fn write_result(output: &OutputDirectory, version: &Version) -> Result<(), CommandFailure> {
    let mut files = version.render_files().into_iter();
    let (Some((seed_path, seed)), Some((variant_path, variant))) = (files.next(), files.next())
    else {
        return Ok(());
    };
    let name = |path: &Path| path.escape_hidden().into_owned();
    let difference = unified_diff(&seed, &variant, &name(&seed_path), &name(&variant_path));
    output
        .replace_files(&[seed, variant, difference])
        .or_fail(FAILED)
}

/// Tokens and bytes of the variant.
fn variant_size(version: &Version) -> (u32, u32) {
    let sums = &version.documents()[1].root.sums;
    (sums.tokens, sums.bytes)
}

/// The sizes of a pair.
fn describe_sizes(version: &Version) -> String {
    let tokens = |at: usize| u64::from(version.documents()[at].root.sums.tokens);
    format!(
        "the difference has {}; the seed has {}, the variant {}",
        format_count(version.size().primary().into(), "token"),
        format_number(tokens(0)),
        format_number(tokens(1))
    )
}
