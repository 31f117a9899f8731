//! `lop history`, `show` and `diff`: the versions of a session.

use std::time::{Duration, UNIX_EPOCH};

use crate::cli::failure::{CommandFailure, OrFail, USAGE};
use crate::cli::session_lookup::{find_session, find_session_aloud, session_argument};
use crate::display::{EscapeHidden, sanitize_line};
use crate::plain::{ConsoleWriter, unified_diff};
use crate::session::format_age;
use crate::session::history::{SavedVersion, SessionHistory, SessionVersions};
use crate::session::session_directory::SessionDirectory;

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
