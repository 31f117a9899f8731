//! `lop sessions`, `history`, `show` and `diff`: the list of sessions, their versions, and differences of versions.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::time::{Duration, UNIX_EPOCH};

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::cli::args::SessionsSubcommand;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE, signal_status};
use crate::cli::launch::signals::TerminationSignals;
use crate::cli::messages::report_message;
use crate::cli::messages::{PromptAnswer, prompt_user};
use crate::cli::session_lookup::{
    all_sessions, find_session, find_session_aloud, is_input_here, session_argument,
};
use crate::display::{
    EscapeHidden, OutputStream, format_count as counted, is_terminal, sanitize_line,
};
use crate::plain::ConsoleWriter;
use crate::session::format_age;
use crate::session::history::{SavedVersion, SessionHistory, SessionVersions};
use crate::session::session_directory::{self, SessionDirectory, SessionDirectoryError};

/// How many lines are shown around a difference.
const AROUND: usize = 3;

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
    let mut unfinished = false;
    for place in places {
        unfinished |= !place.is_done() && !place.is_running();
        out.write_line(&session_line(&place));
    }
    if unfinished {
        out.write_line(
            "`lop resume NAME` resumes an unfinished one; `lop history NAME` shows what it did",
        );
    }
}

fn session_line(place: &SessionDirectory) -> String {
    let name = session_argument(place);
    let history = match SessionHistory::read_from(&place.journal_path()) {
        Ok(history) => history,
        Err(error) => return format!("{name:20}  {error}"),
    };
    let state = match (&history.end, place.is_running()) {
        (_, true) => "running".to_owned(),
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
        "{name:20}  {state:9}  {:>9}  {:>6} tests  {:>12} ago  {}",
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
    for place in &places {
        out.write_line(&session_line(place));
    }
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

fn read_session(place: &SessionDirectory) -> Result<SessionHistory, CommandFailure> {
    SessionHistory::read_from(&place.journal_path()).or_fail(USAGE)
}

/// `lop history`; the exit status.
pub fn run_history(session: Option<&str>) -> Result<u8, CommandFailure> {
    let place = find_session(session)?;
    let history = read_session(&place)?;
    let mut out = ConsoleWriter::stdout();
    let run = history.header.run.as_ref();
    // A damaged journal may hold any number.
    let began = run.and_then(|run| UNIX_EPOCH.checked_add(Duration::from_secs(run.began)));
    let since = began
        .and_then(|began| began.elapsed().ok())
        .unwrap_or_default();
    out.write_line(&format!(
        "session {}: {}, begun {} ago",
        session_argument(&place),
        run.map(|run| run.input.escape_hidden().into_owned())
            .unwrap_or_default(),
        format_age(since)
    ));
    out.write_line("version  from   tokens    bytes  decision       time  what was done");
    for saved in history.versions.all_versions() {
        out.write_line(&version_line(saved, &history.versions));
    }
    let end = match (&history.end, &history.certificate) {
        (Some(end), Some(proven)) if end == "complete" => format!("complete: {proven}"),
        (Some(end), _) => end.clone(),
        (None, _) => "cut off, or running".to_owned(),
    };
    out.write_line(&sanitize_line(&end));
    if let Some(damage) = history.journal.damage_note() {
        out.write_line(&sanitize_line(&damage));
    }
    Ok(0)
}

fn version_line(saved: &SavedVersion, versions: &SessionVersions) -> String {
    let from = saved.parent.map(|parent| parent.to_string());
    let mut marks = String::new();
    for (holds, mark) in [
        (saved.number == versions.kept, "  <- kept"),
        (
            saved.number == versions.current && versions.current != versions.kept,
            "  <- here",
        ),
        (saved.in_detour, "  (detour)"),
    ] {
        if holds {
            marks.push_str(mark);
        }
    }
    format!(
        "{:>7}  {:>4}  {:>7}  {:>7}  {:>8}  {:>8.1}s  {}{marks}",
        saved.number,
        from.unwrap_or_default(),
        saved
            .tokens
            .map(|tokens| tokens.to_string())
            .unwrap_or_default(),
        saved.bytes,
        saved.decision,
        saved.elapsed.as_secs_f64(),
        sanitize_line(&saved.why)
    )
}

fn version_text(history: &SessionHistory, version: u64) -> Result<Vec<u8>, CommandFailure> {
    history.versions.version_text(version).ok_or_else(|| {
        let last = history.versions.all_versions().last().map_or(0, |saved| saved.number);
        let words = match history.versions.get(version) {
            Some(_) => format!("version {version} cannot be made from the journal: it is damaged; the versions before it may be whole"),
            None => format!("there is no version {version}; the newest is {last}"),
        };
        CommandFailure::new(USAGE, words)
    })
}

/// `lop show`; the exit status.
pub fn run_show(version: u64, session: Option<&str>) -> Result<u8, CommandFailure> {
    let history = read_session(&find_session_aloud(session)?)?;
    ConsoleWriter::stdout().write_data(&version_text(&history, version)?);
    Ok(0)
}

/// `lop diff`; the exit status: 0 if the two are the same, 1 if not.
pub fn run_diff(a: u64, b: u64, session: Option<&str>) -> Result<u8, CommandFailure> {
    let history = read_session(&find_session_aloud(session)?)?;
    let (old, new) = (version_text(&history, a)?, version_text(&history, b)?);
    let page = unified_diff(&old, &new, &format!("version {a}"), &format!("version {b}"));
    ConsoleWriter::stdout().write_data(&page);
    Ok(u8::from(old != new))
}

/// The lines of a text, without their ends.
fn split_lines(text: &[u8]) -> Vec<&[u8]> {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let bare = lines.map(|line| line.strip_suffix(b"\n").unwrap_or(line));
    bare.collect()
}

/// The differences of two texts in the form of `diff -u`.
fn unified_diff(old: &[u8], new: &[u8], old_name: &str, new_name: &str) -> Vec<u8> {
    let (a, b) = (split_lines(old), split_lines(new));
    let ops = capture_diff_slices(Algorithm::Myers, &a, &b);
    let mut page = Vec::new();
    for group in similar::group_diff_ops(ops, AROUND) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        if page.is_empty() {
            page.extend(format!("--- {old_name}\n+++ {new_name}\n").bytes());
        }
        let range = |start: usize, end: usize| {
            format!("{},{}", start + usize::from(end > start), end - start)
        };
        let place = format!(
            "@@ -{} +{} @@\n",
            range(first.old_range().start, last.old_range().end),
            range(first.new_range().start, last.new_range().end)
        );
        page.extend(place.bytes());
        for op in &group {
            let mut lines = |mark: u8, lines: &[&[u8]]| {
                let marked = lines.iter().map(|line| [&[mark], *line, b"\n"].concat());
                page.extend(marked.flatten());
            };
            match op {
                DiffOp::Equal { .. } => lines(b' ', &a[op.old_range()]),
                _ => {
                    lines(b'-', &a[op.old_range()]);
                    lines(b'+', &b[op.new_range()]);
                }
            }
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_shown_as_diff_does() {
        let old = b"a\nb\nc\xff\nd\ne\nf\n";
        let new = b"a\nb\nc\xff\ne\nf\n";
        let expected = b"--- old\n+++ new\n@@ -1,6 +1,5 @@\n a\n b\n c\xff\n-d\n e\n f\n";
        assert_eq!(unified_diff(old, new, "old", "new"), expected);
        assert_eq!(unified_diff(old, old, "old", "new"), b"");
    }
}
