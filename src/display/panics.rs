//! What a panic says may quote text of others too.

use std::panic;

use super::{ConsoleWriter, sanitize_page};

/// Sees to it that a panic does not write to the terminal what steers it. A message without anything of the kind is written as it is.
pub fn guard_panics() {
    let told = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let said = panic.to_string();
        match sanitize_page(&said) == said {
            true => told(panic),
            false => ConsoleWriter::stderr().write_line(&said),
        }
    }));
}
