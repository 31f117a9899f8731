//! Text of others on its way to a terminal, and the only writers to standard output and standard error.
//!
//! A program, the name of a file, what a test prints or what a journal says may hold characters that steer a terminal (escapes), that
//! change the order in which a line is read (bidi), or that nobody sees (zero width). None of them reaches a terminal: each is shown as
//! what it is.
//!
//! | what | shown as |
//! | --- | --- |
//! | a control, format or invisible character ([`is_hidden`]) | `<U+202E>`: its number in at least four digits |
//! | a byte that is not UTF-8 | `<\xFF>` |
//! | a `<` that would begin one of these two | `<U+003C>`, so what was there can be told from what is shown |
//!
//! There are two places for that. A piece of text of others becomes part of a line by [`EscapeHidden::escape_hidden`], or a page by [`escape_page`]: so a
//! line end in the name of a file cannot begin a line of its own. All that lop says then goes through [`ConsoleWriter`], which lets no such
//! character pass, whatever was forgotten before; what is shown already stays as it is there.

mod console;
mod escape;
mod hidden;
mod panics;

pub use console::{ConsoleWriter, OutputStream, is_terminal};
pub use escape::{
    EscapeHidden, escape_json, escape_page, escape_prefix, floor_escape_boundary, sanitize_line,
    sanitize_page,
};
pub use hidden::is_hidden;
pub use panics::guard_panics;
