//! `lop mutate`: changes a program at random until its test says yes. So a program that works becomes a variant that shows a bug, or a program that
//! shows one a seed that does not: a pair for `lop pair`.

mod mutation;

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::mutation::RandomNumbers;
use crate::cli::args::MutateArgs;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::{language_choice, reading};
use crate::cli::messages::report_message;
use crate::display::{EscapeHidden, format_count};
use crate::oracle::{TestOutcome, TimeLimits, Verdict};
use crate::plain::{ConsoleWriter, quote_path_for_display};
use crate::program::{self, Version, walk};
use crate::session;

/// After so many tests a message says that none was interesting yet.
const MESSAGE_INTERVAL: u64 = 100;

/// How often the program is changed anew if a change makes syntax errors.
const DRAWS: usize = 100;

/// Changes the program until its test says yes; the exit status.
pub fn run_mutate(args: &MutateArgs) -> Result<u8, CommandFailure> {
    let place = &args.test_run;
    let scratch = place.scratch.as_deref();
    let prepared = PreparedRun::new(&args.file, &args.test, scratch, &place.isolation, 1)?;
    let output = args
        .output
        .clone()
        .unwrap_or_else(|| default_output(&args.file));
    if output.symlink_metadata().is_ok() {
        return Err(CommandFailure::new(
            USAGE,
            format!(
                "{} exists; choose another place with --output",
                quote_path_for_display(&output)
            ),
        ));
    }
    let language = language_choice::choose_language(&args.file, None, place.grammar.as_deref())?;
    let original = reading::read_version(&prepared.input, &[language])?;
    let limits = place.limit_policy().current_limits();
    let tester = MutantTester {
        prepared: &prepared,
        name: output.file_name().unwrap_or_default(),
        limits,
    };
    if tester.test_bytes(&prepared.input.main_file().bytes)? {
        return Err(CommandFailure::new(
            NOTHING_TO_DO,
            format!(
                "the test says yes to {} as it is, so there is nothing to look for",
                args.file.escape_hidden()
            ),
        ));
    }
    prepared.report_notes();
    let mut random = RandomNumbers::from_seed(args.random_seed);
    for tests in 1..=args.tests {
        let Some(changed) = draw_mutant(&original, args.changes.into(), &mut random)? else {
            break;
        };
        let bytes = Arc::from(walk::render_text(&changed.documents()[0].root));
        if tester.test_bytes(&bytes)? {
            write_mutant(&output, &bytes)?;
            report_mutant(args, &output, tests, &original, &changed)?;
            return Ok(0);
        }
        if tests % MESSAGE_INTERVAL == 0 && tests < args.tests {
            report_message(&format!("{}, and no yes yet", format_count(tests, "test")));
        }
    }
    Err(CommandFailure::new(
        NOTHING_TO_DO,
        format!(
            "the test says no to all that {} became; try another --random-seed, or more --tests or --changes",
            args.file.escape_hidden()
        ),
    ))
}

/// Another program without new syntax errors; none if many in a row have some.
fn draw_mutant(
    original: &Version,
    changes: usize,
    random: &mut RandomNumbers,
) -> Result<Option<Version>, CommandFailure> {
    for _ in 0..DRAWS {
        if let Some(changed) =
            mutation::mutate_program(original, changes, random).or_fail(FAILED)?
        {
            return Ok(Some(changed));
        }
    }
    Ok(None)
}

/// Runs the test on changed programs, under the name of the output.
struct MutantTester<'a> {
    prepared: &'a PreparedRun,
    name: &'a OsStr,
    limits: TimeLimits,
}

impl MutantTester<'_> {
    fn test_bytes(&self, bytes: &Arc<[u8]>) -> Result<bool, CommandFailure> {
        let files = vec![(self.name.into(), bytes.clone())];
        let tester = self.prepared.preflight_tester();
        match tester.test_files(files, self.limits)? {
            TestOutcome::Verdict(verdict, _) => Ok(verdict == Verdict::Interesting),
            TestOutcome::NoVerdict(trouble) => Err(CommandFailure::new(FAILED, trouble)),
            TestOutcome::Cancelled => Err(CommandFailure::new(FAILED, "the test was cancelled")),
        }
    }
}

/// `variant.c` beside `seed.c`.
fn default_output(file: &Path) -> PathBuf {
    let variant = Path::new("variant").with_extension(file.extension().unwrap_or_default());
    file.with_file_name(variant)
}

fn write_mutant(output: &Path, bytes: &[u8]) -> Result<(), CommandFailure> {
    let file = session::create_new(output, 0o644);
    let written = file.and_then(|mut file| file.write_all(bytes));
    written.map_err(|error| {
        let place = quote_path_for_display(output);
        CommandFailure::new(FAILED, format!("{place} cannot be written: {error}"))
    })
}

/// Says what was found, and what may come next.
fn report_mutant(
    args: &MutateArgs,
    output: &Path,
    tests: u64,
    original: &Version,
    changed: &Version,
) -> Result<(), CommandFailure> {
    let source = |version: &Version| {
        let document = &version.documents()[0];
        let text = walk::render_text(&document.root);
        (document.language, document.path.clone(), Arc::from(text))
    };
    let pair = program::read_pair(source(original), source(changed)).or_fail(FAILED)?;
    let (from, to) = (
        quote_path_for_display(&args.file),
        quote_path_for_display(output),
    );
    let mut out = ConsoleWriter::stdout();
    out.write_line(&format!(
        "lop: the test says yes to {to}, after {}; it differs from {from} by {}",
        format_count(tests, "test"),
        format_count(pair.size().primary().into(), "token")
    ));
    out.write_line(&format!(
        "lop: next: lop pair {from} {to}, with a test that {from} passes, and {}",
        quote_path_for_display(&args.test)
    ));
    Ok(())
}
