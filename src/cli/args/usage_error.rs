//! A command line that clap refuses: what it says may quote what others have chosen, as the names of files.

use std::ffi::OsString;

use clap::builder::Styles;
use clap::error::ContextKind;
use clap::{CommandFactory, Error, FromArgMatches};

use super::CliArgs;
use crate::display::{ConsoleWriter, sanitize_page};

/// Prints a refusal in clap's colours; without them if there is something in it that only they may have.
pub fn print_usage_error(words: &[OsString], error: &Error) {
    let plain = error_without_colours(words).map(|mut plain| {
        // As in what is told otherwise.
        let gone = [ContextKind::Suggested, ContextKind::SuggestedArg];
        for kind in gone.into_iter().filter(|kind| error.get(*kind).is_none()) {
            plain.remove(kind);
        }
        plain.render().ansi().to_string()
    });
    match plain.filter(|plain| sanitize_page(plain) != *plain) {
        Some(plain) => ConsoleWriter::stderr().write_page(&plain),
        // Nobody may be there to read it.
        None => drop(error.print()),
    }
}

/// The same refusal without any colour of clap's.
fn error_without_colours(words: &[OsString]) -> Option<Error> {
    let mut command = CliArgs::command().styles(Styles::plain());
    match command.try_get_matches_from_mut(words) {
        Err(error) => Some(error),
        Ok(matches) => Some(
            CliArgs::from_arg_matches(&matches)
                .err()?
                .format(&mut command),
        ),
    }
}
