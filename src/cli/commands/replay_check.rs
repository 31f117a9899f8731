//! `lop replay --check`: the dialogue of a journal again, without a test.

use std::path::Path;

use crate::cli::failure::{CommandFailure, FAILED, OrFail, USAGE};
use crate::cli::launch::language_choice::{self, describe_withheld_grammar};
use crate::cli::session_lookup::session_argument;
use crate::display::EscapeHidden;
use crate::language::Language;
use crate::plain::{ConsoleWriter, quote_path_for_display};
use crate::program::{self, Version};
use crate::reduce::{self, FinishReason, RunSetup, RunState};
use crate::session::OpenedSession;
use crate::session::journal::{HeaderFile, JournalHeader};
use crate::session::session_directory::SessionDirectory;
use crate::{minimize, pass};

/// The decisions differ: a bug of lop, or another lop.
const DIFFERENT: u8 = 1;

/// Runs the dialogue against the recorded facts and compares every decision and take; the exit status.
pub fn check_replay(path: &Path) -> Result<u8, CommandFailure> {
    let opened = OpenedSession::open_at(path).or_fail(USAGE)?;
    let recording = opened.read_recording().or_fail(USAGE)?;
    if let Some(why) = describe_withheld_grammar(&recording.header, &opened.ownership_problems()) {
        let what = format!(
            "{why}, and nothing can be compared; `lop replay` without --check shows its versions"
        );
        return Err(CommandFailure::new(USAGE, what));
    }
    if !recording.exactly {
        return Err(CommandFailure::new(
            USAGE,
            "this session was gone on with in another way than by its own dialogue, so there is nothing to compare",
        ));
    }
    if let Some(damage) = &recording.damage {
        let goes_on = match path.parent().map(SessionDirectory::from_path) {
            Some(place) if place.journal_path() == path => {
                format!(
                    "`lop resume {}` goes on from where it is whole",
                    session_argument(&place)
                )
            }
            _ => format!(
                "`lop replay {}` shows the run up to there",
                quote_path_for_display(path)
            ),
        };
        let what = format!("{damage}, so a check would prove nothing; {goes_on}");
        return Err(CommandFailure::new(DIFFERENT, what));
    }
    let (version, options) = (
        recorded_version(&recording.header)?,
        recorded_options(&recording.header)?,
    );
    let (limit, decisions, complete) = (
        recording.header.limit.initial_limit(),
        recording.decision_count(),
        recording.complete,
    );
    let script = recording.commands.clone();
    let run = recording.header.run.as_ref();
    let property = run.and_then(|run| run.property.clone());
    let (runner, journal, comparison) = recording.into_replay();
    let setup = RunSetup {
        script,
        property,
        journal: Box::new(journal),
        options,
        ..RunSetup::new(version, runner, limit)
    };
    let run = reduce::start_run(setup).or_fail(FAILED)?;
    let last = run
        .wait_for_end()
        .ok_or_else(|| CommandFailure::new(FAILED, "the engine has died"))?;
    let mut out = ConsoleWriter::stdout();
    if let Some(difference) = comparison.first_difference() {
        out.write_line(&format!("lop: the dialogue differs: {difference}"));
        return Ok(DIFFERENT);
    }
    if let (RunState::Finished(FinishReason::Failed(reason)), true) = (&last.state, complete) {
        out.write_line(&format!(
            "lop: after {} of {decisions} decisions: {reason}",
            last.counts.decisions
        ));
        return Ok(DIFFERENT);
    }
    let end = if complete {
        "to its end"
    } else {
        "up to where it was stopped"
    };
    out.write_line(&format!(
        "lop: the same {decisions} decisions, {end}: {} tokens",
        last.version.token_count()
    ));
    Ok(0)
}

/// The program as it was.
pub fn recorded_version(header: &JournalHeader) -> Result<Version, CommandFailure> {
    read_recorded_version(header, language_choice::recorded_language)
}

/// The same as lines and tokens, whatever language it is in.
pub fn recorded_version_as_text(header: &JournalHeader) -> Result<Version, CommandFailure> {
    read_recorded_version(header, |_| Ok(None))
}

fn read_recorded_version(
    header: &JournalHeader,
    language: impl Fn(&HeaderFile) -> Result<Option<&'static Language>, CommandFailure>,
) -> Result<Version, CommandFailure> {
    let files = header.files.iter().map(|file| {
        let bytes = file.bytes.decode_bytes().ok_or_else(|| {
            CommandFailure::new(
                USAGE,
                "the journal's header is damaged: its bytes cannot be read",
            )
        })?;
        let language = language(file)?;
        Ok((language, file.path.as_path().into(), bytes.into()))
    });
    program::read_documents(files.collect::<Result<_, CommandFailure>>()?).or_fail(FAILED)
}

/// What the passes were told.
pub fn recorded_options(header: &JournalHeader) -> Result<pass::PassOptions, CommandFailure> {
    let unknown = |what: &str, name: &str| {
        CommandFailure::new(
            USAGE,
            format!(
                "this lop does not know the {what} `{}`",
                name.escape_hidden()
            ),
        )
    };
    let minimizer = minimize::find_minimizer(&header.minimizer)
        .ok_or_else(|| unknown("list minimiser", &header.minimizer))?;
    let strategy = pass::find_strategy(&header.strategy)
        .ok_or_else(|| unknown("strategy", &header.strategy))?;
    let mut parts = header.without.iter();
    let without = parts.try_fold(pass::FeatureSet::default(), |without, name| {
        without
            .with_named(name)
            .ok_or_else(|| unknown("part", name))
    })?;
    Ok(pass::PassOptions {
        minimizer,
        strategy,
        disabled_features: without,
    })
}
