//! A command line that clap refuses. Its message may quote text of others, such as file names.

use std::ffi::OsString;

use clap::builder::Styles;
use clap::error::ContextKind;
use clap::{CommandFactory, Error, FromArgMatches};

use super::CliArgs;
use crate::display::{ConsoleWriter, sanitize_page};

/// Prints a refusal in clap's colours; without colours if the quoted text has control characters of its own.
pub fn print_usage_error(words: &[OsString], error: &Error) {
    let plain = error_without_colours(words).map(|mut plain| {
        // The coloured message lacks these too.
        let gone = [ContextKind::Suggested, ContextKind::SuggestedArg];
        for kind in gone.into_iter().filter(|kind| error.get(*kind).is_none()) {
            plain.remove(kind);
        }
        plain.render().ansi().to_string()
    });
    match plain.filter(|plain| sanitize_page(plain) != *plain) {
        Some(plain) => ConsoleWriter::stderr().write_page(&plain),
        // The reader may be gone.
        None => drop(error.print()),
    }
}

/// The same refusal without clap's colours.
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
