//! `lop attach`: the screen on a run that goes on in another process.

use std::env;
use std::os::unix::net::UnixStream;

use crate::cli::args::ScreenSettings;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE, signal_status};
use crate::cli::launch::front_end::FrontEnd;
use crate::cli::session_lookup::{find_session, running_session, session_argument};
use crate::display::{ConsoleWriter, EscapeHidden};
use crate::session::session_directory::SessionDirectory;
use crate::session::{ConnectError, connect_to_session};
use crate::tui::{self, AttachEnd, AttachError, AttachRequest, SignalListener};

/// `lop attach`; the exit status.
pub fn run_attach(session: Option<&str>, settings: &ScreenSettings) -> Result<u8, CommandFailure> {
    let place = match session {
        Some(name) => find_session(Some(name))?,
        None => running_session()?,
    };
    if FrontEnd::from_plain_flag(false) != FrontEnd::Screen {
        let needs = match FrontEnd::is_terminal_dumb() {
            true => "TERM is dumb, and a screen needs a terminal that can place its text",
            false => "a screen needs a terminal",
        };
        let name = session_argument(&place);
        let what = format!("{needs}; `lop history {name}` says what the run has done");
        return Err(CommandFailure::new(USAGE, what));
    }
    let config = settings.file.as_ref().map(std::path::absolute);
    let request = AttachRequest::new(
        config.transpose().or_fail(USAGE)?,
        &settings.flags,
        settings.guess,
        |name| env::var(name).ok(),
    );
    let request = request.or_fail(USAGE)?;
    let stream = connect(&place)?;
    let ends = SignalListener::start_listening().or_fail(FAILED)?;
    let end = tui::run_attached_terminal(stream, request, &ends);
    report_end(&place, end)
}

/// Connects to the process that runs the session.
fn connect(place: &SessionDirectory) -> Result<UnixStream, CommandFailure> {
    let name = session_argument(place);
    let nobody = || match (place.is_running(), place.is_done()) {
        (true, _) => CommandFailure::new(
            FAILED,
            format!(
                "the session {name} runs, and cannot be attached to: it is --offline, it has just begun, its first lines said why it cannot be, or an older lop runs it"
            ),
        ),
        (false, true) => CommandFailure::new(
            NOTHING_TO_DO,
            format!("the session {name} has ended; `lop resume {name}` opens it on the screen"),
        ),
        (false, false) => CommandFailure::new(
            NOTHING_TO_DO,
            format!("nobody runs the session {name} any more; `lop resume {name}` resumes it"),
        ),
    };
    connect_to_session(place.path()).map_err(|error| match error {
        ConnectError::NobodyListens => nobody(),
        error @ (ConnectError::OtherUser | ConnectError::Io(_)) => {
            cannot_attach(place, USAGE, &error)
        }
    })
}

fn cannot_attach(
    place: &SessionDirectory,
    status: u8,
    why: &dyn std::fmt::Display,
) -> CommandFailure {
    let name = session_argument(place);
    let what = format!("the session {name} cannot be attached to: {why}");
    CommandFailure::new(status, what.escape_hidden())
}

/// Says how the screen was left; the exit status.
fn report_end(
    place: &SessionDirectory,
    end: Result<AttachEnd, AttachError>,
) -> Result<u8, CommandFailure> {
    let name = session_argument(place);
    let mut out = ConsoleWriter::stdout();
    match end {
        Ok(AttachEnd::Left(run)) => {
            out.write_line(&format!(
                "lop: {run}; `lop attach {name}` opens the screen again"
            ));
            Ok(0)
        }
        Ok(AttachEnd::Ended(ending)) => {
            ending.lines.iter().for_each(|line| out.write_line(line));
            Ok(ending.status)
        }
        Ok(AttachEnd::Signal(signal)) => Ok(signal_status(signal)),
        Ok(AttachEnd::Silent) => Err(CommandFailure::new(
            FAILED,
            format!("the process that runs the session {name} does not answer; it may be stopped"),
        )),
        Ok(AttachEnd::Lost) => {
            let rest = match place.is_done() {
                true => "opens it on the screen",
                false => "resumes it",
            };
            Err(CommandFailure::new(
                FAILED,
                format!(
                    "the process that ran the session {name} is gone; `lop resume {name}` {rest}"
                ),
            ))
        }
        Err(error) => Err(cannot_attach(place, FAILED, &error)),
    }
}
