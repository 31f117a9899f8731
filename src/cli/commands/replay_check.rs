//! `lop replay --check`: repeats the decisions of a journal without a test.

use std::path::Path;

use crate::cli::failure::{CommandFailure, FAILED, OrFail, USAGE};
use crate::cli::launch::recorded_run::{
    describe_withheld_grammar, recorded_options, recorded_version,
};
use crate::cli::session_lookup::session_argument;
use crate::plain::{ConsoleWriter, quote_path_for_display};
use crate::reduce::{self, FinishReason, RunSetup, RunState};
use crate::session::OpenedSession;
use crate::session::session_directory::SessionDirectory;

/// The decisions differ: a bug of lop, or another lop.
const DIFFERENT: u8 = 1;

/// Runs the reduction against the recorded results and compares every decision and accepted candidate; the exit status.
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
            "this session was resumed in another way, so there is nothing to compare",
        ));
    }
    if let Some(damage) = &recording.damage {
        let advice = match path.parent().map(SessionDirectory::from_path) {
            Some(place) if place.journal_path() == path => {
                format!(
                    "`lop resume {}` continues before the damage",
                    session_argument(&place)
                )
            }
            _ => format!(
                "`lop replay {}` shows the run up to there",
                quote_path_for_display(path)
            ),
        };
        let what = format!("{damage}, so a check would prove nothing; {advice}");
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
        last.kept_version().1.token_count()
    ));
    Ok(0)
}
