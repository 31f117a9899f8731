//! `lop export`: a session for others.

use crate::cli::args::ExportArgs;
use crate::cli::failure::{CommandFailure, FAILED, OrFail, USAGE};
use crate::cli::session_lookup::{
    describe_input, find_session, find_session_aloud, session_argument,
};
use crate::display::EscapeHidden;
use crate::plain::{ConsoleWriter, quote_path_for_display};
use crate::session::export::{self, PageTarget};
use crate::session::history::SessionHistory;

/// Writes the requested exports; the exit status.
pub fn run_export(export: &ExportArgs) -> Result<u8, CommandFailure> {
    let name = export.session.as_deref();
    // A trace does not name its session.
    let place = match export.jsonl {
        true => find_session_aloud(name)?,
        false => find_session(name)?,
    };
    let history = SessionHistory::read_from(&place.journal_path()).or_fail(USAGE)?;
    let mut out = ConsoleWriter::stdout();
    if export.jsonl {
        export::trace_lines(&history).for_each(|line| out.write_json(&line));
    }
    if let Some(path) = &export.html {
        let written =
            export::write_page(path, &export::render_page(&history)).map_err(|error| {
                let path = path.escape_hidden();
                CommandFailure::new(
                    FAILED,
                    format!("{path} cannot be written: {error}; name another place with --html"),
                )
            })?;
        let replaced = match written {
            PageTarget::Free => "",
            PageTarget::Page => ", replacing the old page",
            PageTarget::Occupied => {
                let what = format!(
                    "{} exists and is not a page of lop; choose another place with --html",
                    quote_path_for_display(path)
                );
                return Err(CommandFailure::new(USAGE, what));
            }
        };
        if !export.jsonl {
            out.write_line(&format!(
                "{} plays the session {}{}{replaced}",
                path.escape_hidden(),
                session_argument(&place),
                describe_input(&place)
            ));
        }
    }
    Ok(0)
}
