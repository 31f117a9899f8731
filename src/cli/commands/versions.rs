//! `lop history`, `show` and `diff`: the versions of a session.

use std::time::{Duration, UNIX_EPOCH};

use crate::cli::commands::sessions::describe_running;
use crate::cli::failure::{CommandFailure, OrFail, USAGE};
use crate::cli::session_lookup::{find_session, find_session_aloud, session_argument};
use crate::display::{EscapeHidden, OutputStream, is_terminal, sanitize_line};
use crate::plain::{ConsoleWriter, format_duration, unified_diff};
use crate::program::text_bytes;
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
    let is_pair = history.header.is_pair();
    let difference = if is_pair { "differ  " } else { "" };
    out.write_line(&format!(
        "version  from  {difference} tokens    bytes  decision         time  what was done"
    ));
    for saved in history.versions.all_versions() {
        out.write_cut_line(&version_line(saved, &history.versions, is_pair));
    }
    let end = match (&history.end, &history.certificate) {
        _ if place.is_running() => describe_running(&place),
        (Some(end), Some(proven)) if end == "complete" => format!("complete: {proven}"),
        (Some(end), _) => end.clone(),
        (None, _) => "cut off".to_owned(),
    };
    out.write_line(&sanitize_line(&end));
    if let Some(damage) = history.journal.damage_note() {
        out.write_line(&sanitize_line(&damage));
    }
    Ok(0)
}

fn version_line(saved: &SavedVersion, versions: &SessionVersions, is_pair: bool) -> String {
    let from = saved.parent.map(|parent| parent.to_string());
    let number = |count: Option<u32>| count.map(|count| count.to_string()).unwrap_or_default();
    let difference = match is_pair {
        true => format!("{:>6}  ", number(saved.difference)),
        false => String::new(),
    };
    let mut marks = String::new();
    for (holds, mark) in [
        (saved.number == versions.kept, "  <- kept"),
        (
            saved.number == versions.current && versions.current != versions.kept,
            "  <- here",
        ),
        (saved.in_detour, "  (detour)"),
        (saved.ended_detour.is_some(), "  (a detour ended here)"),
        (saved.test_changed, "  (the test changed here)"),
    ] {
        if holds {
            marks.push_str(mark);
        }
    }
    format!(
        "{:>7}  {:>4}  {difference}{:>7}  {:>7}  {:>8}  {:>11}{marks}  {}",
        saved.number,
        from.unwrap_or_default(),
        number(saved.tokens),
        saved.bytes,
        saved.decision,
        format_duration(saved.elapsed),
        sanitize_line(&saved.why)
    )
}

/// Why a version has no text.
fn missing_version(history: &SessionHistory, version: u64) -> CommandFailure {
    let last = history
        .versions
        .all_versions()
        .last()
        .map_or(0, |saved| saved.number);
    let words = match history.versions.get(version) {
        Some(_) => format!(
            "version {version} cannot be made from the journal: it is damaged; the versions before it may be whole"
        ),
        None => format!("there is no version {version}; the newest is {last}"),
    };
    CommandFailure::new(USAGE, words)
}

/// `lop show`; the exit status.
pub fn run_show(version: u64, session: Option<&str>) -> Result<u8, CommandFailure> {
    let history = read_session(&find_session_aloud(session)?)?;
    // People read numbers, and a file gets bytes.
    let page = match is_terminal(OutputStream::Output) {
        true => history.version_page(version),
        false => history
            .version_choices(version)
            .or_else(|| history.version_page(version)),
    };
    let page = page.ok_or_else(|| missing_version(&history, version))?;
    ConsoleWriter::stdout().write_data(&page);
    Ok(0)
}

/// `lop diff`; the exit status: 0 if the two are the same, 1 if not.
pub fn run_diff(a: u64, b: u64, session: Option<&str>) -> Result<u8, CommandFailure> {
    let history = read_session(&find_session_aloud(session)?)?;
    let texts = |version| {
        let texts = history.versions.document_texts(version);
        texts.ok_or_else(|| missing_version(&history, version))
    };
    let (old, new) = (texts(a)?, texts(b)?);
    let names = history.document_names();
    let mut out = ConsoleWriter::stdout();
    for ((old, new), name) in old.iter().zip(&new).zip(&names) {
        let label = |version: u64| match history.header.files.len() > 1 {
            true => format!("version {version}, {name}"),
            false => format!("version {version}"),
        };
        let (old, new) = (text_bytes(old), text_bytes(new));
        out.write_data(&unified_diff(old, new, &label(a), &label(b)));
    }
    Ok(u8::from(old != new))
}
