//! `lop export`: a session for others.

use super::args::Export;
use super::failure::{FAILED, Failure, OrFail, USAGE};
use super::resume::{about, call, find, find_aloud};
use crate::display::Shown;
use crate::plain::{Out, quoted};
use crate::session::export::{self, PagePlace};
use crate::session::past::Story;

/// Writes what was asked for; the exit status.
pub(super) fn run(export: &Export) -> Result<u8, Failure> {
    let name = export.session.as_deref();
    // A trace does not name its session.
    let place = match export.jsonl {
        true => find_aloud(name)?,
        false => find(name)?,
    };
    let story = Story::read(&place.journal()).or_fail(USAGE)?;
    let mut out = Out::stdout();
    if export.jsonl {
        export::trace(&story).for_each(|line| out.json(&line));
    }
    if let Some(path) = &export.html {
        let written = export::write_page(path, &export::page(&story)).map_err(|error| {
            let path = path.shown();
            Failure::new(
                FAILED,
                format!("{path} cannot be written: {error}; name another place with --html"),
            )
        })?;
        let replaced = match written {
            PagePlace::Free => "",
            PagePlace::Page => ", in place of what was there",
            PagePlace::Taken => {
                let what = format!(
                    "{} is there already, and is no page of lop; name another place with --html",
                    quoted(path)
                );
                return Err(Failure::new(USAGE, what));
            }
        };
        if !export.jsonl {
            out.line(&format!(
                "{} plays the session {}{}{replaced}",
                path.shown(),
                call(&place),
                about(&place)
            ));
        }
    }
    Ok(0)
}
