//! Finds the session that a command means, and names it.

use std::path::{Path, PathBuf};

use super::failure::{CommandFailure, NOTHING_TO_DO, USAGE};
use super::report_message;
use crate::display::{EscapeHidden, sanitize_line};
use crate::plain::quote_path_for_display;
use crate::session::format_age;
use crate::session::ownership::OwnershipProblem;
use crate::session::session_directory::{self, SessionDirectory};

/// How many reasons are shown.
const REASONS: usize = 3;

/// The argument for a session: its name, or its directory if it is not in the usual place.
pub fn session_argument(place: &SessionDirectory) -> String {
    let usual = session_directory::sessions_directory().map(|sessions| sessions.join(place.name()));
    match usual.as_deref() == Some(place.path()) {
        true => quote_path_for_display(Path::new(&place.name())),
        false => quote_path_for_display(place.path()),
    }
}

/// All sessions, newest first.
pub fn all_sessions() -> Vec<SessionDirectory> {
    session_directory::sessions_directory().map_or_else(Vec::new, |sessions| {
        session_directory::list_sessions(&sessions)
    })
}

/// All sessions and those that lie in the current directory, where `--session` puts them, newest first.
fn sessions_in_reach() -> Vec<SessionDirectory> {
    let mut all = all_sessions();
    let usual = |place: &SessionDirectory| {
        let path = place.path().canonicalize().ok();
        all.iter()
            .any(|known| known.path().canonicalize().ok() == path)
    };
    let here = session_directory::list_sessions(Path::new("."));
    let here: Vec<_> = here.into_iter().filter(|place| !usual(place)).collect();
    all.extend(here);
    all.sort_by_key(|place| std::cmp::Reverse(place.last_modified()));
    all
}

/// The sessions that may be about a file of this name, newest first.
pub fn sessions_about(file: &str) -> Vec<SessionDirectory> {
    session_directory::sessions_directory().map_or_else(Vec::new, |sessions| {
        session_directory::list_sessions_about(&sessions, file)
    })
}

/// The session of this name or directory; without one, the newest about a file in this directory, else the newest of all, with a message.
pub fn find_session(name: Option<&str>) -> Result<SessionDirectory, CommandFailure> {
    let Some(name) = name else {
        return newest_session();
    };
    let named = session_directory::sessions_directory().map(|sessions| sessions.join(name));
    let places = [named, Some(PathBuf::from(name))].into_iter().flatten();
    let mut places = places.map(|directory| SessionDirectory::from_path(&directory));
    places
        .find(|place| place.journal_path().exists())
        .ok_or_else(|| {
            let near = match &numbered_sessions(name)[..] {
                [only] => format!("`{}` is the only one about it", only.escape_hidden()),
                _ => "`lop sessions` lists all".to_owned(),
            };
            let what = format!("there is no session `{}`; {near}", name.escape_hidden());
            CommandFailure::new(USAGE, what)
        })
}

/// The sessions whose names are this one with a number.
fn numbered_sessions(name: &str) -> Vec<String> {
    let names = sessions_about(name).into_iter().map(|place| place.name());
    let is_numbered = |own: &String| {
        let number = own
            .strip_prefix(name)
            .and_then(|rest| rest.strip_prefix('-'));
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    names.filter(is_numbered).collect()
}

/// Like [`find_session`], for a command whose output does not name the session: without a name, a message names it.
pub fn find_session_aloud(name: Option<&str>) -> Result<SessionDirectory, CommandFailure> {
    let place = find_session(name)?;
    if name.is_none() && is_input_here(&place) {
        report_message(&format!(
            "session {}{}: the newest about a file in this directory",
            session_argument(&place),
            describe_input(&place)
        ));
    }
    Ok(place)
}

/// The file of a session, for a sentence.
pub fn describe_input(place: &SessionDirectory) -> String {
    let run = place.read_header().ok().and_then(|header| header.run);
    run.map(|run| format!(", about {}", run.input.escape_hidden()))
        .unwrap_or_default()
}

fn newest_session() -> Result<SessionDirectory, CommandFailure> {
    let mut places = sessions_in_reach();
    if let Some(here) = places.iter().position(is_input_here) {
        return Ok(places.swap_remove(here));
    }
    let newest = places.into_iter().next().ok_or_else(|| {
        CommandFailure::new(
            NOTHING_TO_DO,
            "there is no session yet; `lop FILE TEST` makes one",
        )
    })?;
    report_message(&format!(
        "no session is about a file in this directory; the newest of all is {}{}",
        session_argument(&newest),
        describe_input(&newest)
    ));
    Ok(newest)
}

/// Whether its file lies in the current directory.
pub fn is_input_here(place: &SessionDirectory) -> bool {
    let run = place.read_header().ok().and_then(|header| header.run);
    let parent = run.and_then(|run| Some(run.input.parent()?.to_path_buf()));
    let here = std::env::current_dir();
    parent.is_some_and(|parent| {
        here.is_ok_and(|here| parent.canonicalize().unwrap_or(parent) == here)
    })
}

/// The only unfinished session whose file lies in this directory.
pub fn unfinished_session_here() -> Result<SessionDirectory, CommandFailure> {
    let unfinished = sessions_in_reach()
        .into_iter()
        .filter(|place| !place.is_done());
    let mut places: Vec<SessionDirectory> = unfinished.filter(is_input_here).collect();
    match places.len() {
        0 => Err(CommandFailure::new(NOTHING_TO_DO, nothing_here())),
        1 => Ok(places.remove(0)),
        _ => {
            let lines = places.iter().map(|place| {
                let since = place.last_modified().elapsed().unwrap_or_default();
                let output = place.read_header().ok().and_then(|header| header.run);
                let output = output.map(|run| format!("writes {}, ", run.output.escape_hidden()));
                format!(
                    "\n  lop resume {}  ({}written {} ago)",
                    session_argument(place),
                    sanitize_line(&output.unwrap_or_default()),
                    format_age(since)
                )
            });
            let lines: String = lines.collect();
            Err(CommandFailure::new(
                USAGE,
                format!(
                    "there are {} unfinished sessions about files in this directory:{lines}",
                    places.len()
                ),
            ))
        }
    }
}

/// The only session that runs and whose file lies in this directory, else the only one that runs.
pub fn running_session() -> Result<SessionDirectory, CommandFailure> {
    let mut running = sessions_in_reach();
    running.retain(SessionDirectory::is_running);
    let (mut here, mut elsewhere): (Vec<_>, Vec<_>) = running.into_iter().partition(is_input_here);
    let places = match here.is_empty() {
        true => &mut elsewhere,
        false => &mut here,
    };
    match places.len() {
        0 => Err(CommandFailure::new(
            NOTHING_TO_DO,
            "no run with a session goes on; `lop sessions` lists those that have ended",
        )),
        1 => Ok(places.remove(0)),
        several => {
            let lines = places.iter().map(|place| {
                let session = session_argument(place);
                format!("\n  lop attach {session}{}", describe_input(place))
            });
            let lines: String = lines.collect();
            let what = format!("{several} sessions run:{lines}");
            Err(CommandFailure::new(USAGE, what))
        }
    }
}

/// The message where no session of a file in this directory is unfinished.
fn nothing_here() -> String {
    let none = "there is no unfinished session about a file in this directory";
    match sessions_in_reach().into_iter().find(is_input_here) {
        Some(done) => format!(
            "{none}; {} is finished: `lop resume {session}` opens it on the screen, `lop history {session}` shows what it did",
            done.name().escape_hidden(),
            session = session_argument(&done)
        ),
        None => format!("{none}; `lop sessions` lists those about files in others"),
    }
}

/// Why a session is not the user's own, in a line.
pub fn describe_problems(doubts: &[OwnershipProblem]) -> String {
    let shown: Vec<String> = doubts
        .iter()
        .take(REASONS)
        .map(OwnershipProblem::to_string)
        .collect();
    let more = match doubts.len().saturating_sub(REASONS) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    sanitize_line(&format!("{}{more}", shown.join(", "))).into_owned()
}
