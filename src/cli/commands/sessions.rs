//! `lop sessions`: the list of sessions, and their removal.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::time::Duration;

use crate::cli::args::SessionsSubcommand;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE, signal_status};
use crate::cli::launch::signals::TerminationSignals;
use crate::cli::messages::report_message;
use crate::cli::messages::{PromptAnswer, prompt_user};
use crate::cli::session_lookup::{all_sessions, is_input_here, session_argument};
use crate::display::{
    EscapeHidden, OutputStream, format_count as counted, is_terminal, sanitize_line,
};
use crate::plain::ConsoleWriter;
use crate::session::format_age;
use crate::session::history::{SavedVersion, SessionHistory};
use crate::session::session_directory::{self, SessionDirectory, SessionDirectoryError};

/// The width of the state of sessions, and where one of them runs.
const STATE_WIDTH: usize = 9;
const RUNNING_WIDTH: usize = 24;

/// `lop sessions`; the exit status.
pub fn run_sessions(verb: Option<&SessionsSubcommand>) -> Result<u8, CommandFailure> {
    let mut out = ConsoleWriter::stdout();
    match verb {
        None => {
            print_sessions(&mut out);
            Ok(0)
        }
        Some(SessionsSubcommand::Prune {
            yes,
            all,
            days,
            here,
        }) => {
            let older = Duration::from_secs(days.saturating_mul(86_400));
            let (links, places) = select_prunable(*all, older, *here);
            for link in links {
                let what = "is a link, and its target stays; rm removes the link";
                out.write_line(&format!("{} {what}", session_argument(&link)));
            }
            if places.is_empty() {
                out.write_line(match *all || *days > 0 || *here {
                    true => "no session matches",
                    false => "no session is finished; --all removes the others too",
                });
                return Ok(0);
            }
            prune_sessions(&mut out, places, *yes)
        }
    }
}

fn print_sessions(out: &mut ConsoleWriter) {
    let places = all_sessions();
    if places.is_empty() {
        out.write_line("no sessions");
    }
    let running = print_session_lines(out, &places);
    let mut states = places.iter().zip(&running);
    let unfinished = states.any(|(place, is_running)| !is_running && !place.is_done());
    if running.contains(&true) {
        out.write_line("`lop attach NAME` opens the screen on a running one");
    }
    if unfinished {
        out.write_line(
            "`lop resume NAME` resumes an unfinished one; `lop history NAME` shows what it did",
        );
    }
}

/// Prints a line for each session, in columns. Returns which of them run.
fn print_session_lines(out: &mut ConsoleWriter, places: &[SessionDirectory]) -> Vec<bool> {
    let running: Vec<bool> = places.iter().map(SessionDirectory::is_running).collect();
    let width = match running.contains(&true) {
        true => RUNNING_WIDTH,
        false => STATE_WIDTH,
    };
    for (place, &is_running) in places.iter().zip(&running) {
        out.write_line(&session_line(place, is_running, width));
    }
    running
}

/// A running session, with the process that runs it.
pub fn describe_running(place: &SessionDirectory) -> String {
    match place.running_process() {
        Some(process) => format!("running, process {process}"),
        None => "running".to_owned(),
    }
}

fn session_line(place: &SessionDirectory, is_running: bool, state_width: usize) -> String {
    let name = session_argument(place);
    let history = match SessionHistory::read_from(&place.journal_path()) {
        Ok(history) => history,
        Err(error) => return format!("{name:20}  {error}"),
    };
    let state = match (&history.end, is_running) {
        (_, true) => describe_running(place),
        // The run was killed after the end of its journal and before the last write of its result.
        (Some(end), _) if end == "complete" && !place.is_done() => "unwritten".to_owned(),
        (Some(end), _) if end == "complete" => "finished".to_owned(),
        (Some(end), _) => sanitize_line(end).into_owned(),
        (None, _) => "cut off".to_owned(),
    };
    let kept = history.versions.get(history.versions.kept);
    let since = place.last_modified().elapsed().unwrap_or_default();
    let input = history
        .header
        .run
        .as_ref()
        .map(|run| run.input.escape_hidden().into_owned());
    format!(
        "{name:20}  {state:state_width$}  {:>9}  {:>6} tests  {:>12} ago  {}",
        kept.map(format_size).unwrap_or_default(),
        history.test_count(),
        format_age(since),
        input.unwrap_or_default()
    )
}

fn format_size(saved: &SavedVersion) -> String {
    match saved.tokens {
        Some(tokens) => format!("{tokens} tok"),
        None => format!("{} B", saved.bytes),
    }
}

/// The sessions to remove: those that are only links, and the others.
fn select_prunable(
    unfinished: bool,
    older: Duration,
    only_here: bool,
) -> (Vec<SessionDirectory>, Vec<SessionDirectory>) {
    let is_old = |place: &SessionDirectory| {
        older.is_zero()
            || place
                .last_modified()
                .elapsed()
                .is_ok_and(|age| age >= older)
    };
    let goes = |place: &SessionDirectory| {
        is_old(place)
            && (unfinished || place.is_done())
            && (!only_here || is_input_here(place))
            && !place.is_running()
    };
    let places = all_sessions().into_iter().filter(goes);
    places.partition(SessionDirectory::is_link)
}

/// Removes them, after a yes.
fn prune_sessions(
    out: &mut ConsoleWriter,
    places: Vec<SessionDirectory>,
    yes: bool,
) -> Result<u8, CommandFailure> {
    print_session_lines(out, &places);
    announce_prune(out, &places);
    if !yes {
        confirm_prune(places.len() as u64)?;
    }
    let (mut count, mut bytes, mut left) = (0, 0, 0);
    for place in places {
        let size = place.total_bytes();
        let about = |error: io::Error| format!("{}: {error}", place.path().escape_hidden());
        let removed = match place.claim() {
            Ok(claimed) => claimed.remove().map_err(about),
            Err(SessionDirectoryError::Io { source, .. }) => Err(about(source)),
            // Somebody resumed it before the user answered.
            Err(busy) => Err(busy.to_string()),
        };
        match removed {
            Ok(()) => (count, bytes) = (count + 1, bytes + size),
            Err(what) => {
                left += 1;
                report_message(&what);
            }
        }
    }
    if let Some(sessions) = session_directory::sessions_directory() {
        session_directory::remove_empty_sessions(&sessions);
    }
    let not = match left {
        0 => String::new(),
        left => format!("; {left} could not be"),
    };
    out.write_line(&format!(
        "{} removed, {:.1} MB{not}",
        counted(count, "session"),
        bytes as f64 / 1e6
    ));
    Ok(if left == 0 { 0 } else { FAILED })
}

/// Asks on a terminal whether to remove this number of sessions, because there is no other copy.
fn confirm_prune(count: u64) -> Result<(), CommandFailure> {
    if !(io::stdin().is_terminal() && is_terminal(OutputStream::Error)) {
        let what = "no session was removed; add --yes to remove these for good";
        return Err(CommandFailure::new(USAGE, what));
    }
    let question = format!("lop: remove {} for good? [y/N]", counted(count, "session"));
    let signals = TerminationSignals::listen().or_fail(FAILED)?;
    match prompt_user(&question, &signals.received) {
        said if said.is_yes() => Ok(()),
        PromptAnswer::Signal(signal) => Err(CommandFailure::new(
            signal_status(signal),
            "nothing was removed",
        )),
        _ => Err(CommandFailure::new(NOTHING_TO_DO, "nothing was removed")),
    }
}

/// Prints the number of sessions to remove for each directory of their files.
fn announce_prune(out: &mut ConsoleWriter, places: &[SessionDirectory]) {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for place in places {
        let run = place.read_header().ok().and_then(|header| header.run);
        let parent = run.and_then(|run| Some(run.input.parent()?.escape_hidden().into_owned()));
        *counts
            .entry(parent.unwrap_or_else(|| "?".into()))
            .or_default() += 1;
    }
    for (directory, number) in counts {
        let sessions = counted(number, "session");
        out.write_line(&format!("{sessions} about files in {directory} to remove"));
    }
}
