//! Text of others on its way to a terminal, and the only writers to standard output and standard error.
//!
//! A program, the name of a file, what a test prints, a grammar or a journal may hold characters that steer a terminal (escapes), that
//! change the order in which a line is read (bidi), or that are invisible (zero width). None of them reaches a terminal: each is shown as
//! what it is, so that what was there can be told from what is shown.
//!
//! | what | shown as |
//! | --- | --- |
//! | a control, format or invisible character ([`is_hidden`]) | `<U+202E>`: its number in at least four digits |
//! | a byte that is not UTF-8 | `<\xFF>` |
//! | a `<` that would begin one of these two | `<U+003C>` |
//!
//! It is done twice. A piece of such text is escaped where it becomes part of a line, line ends included ([`EscapeHidden::escape_hidden`]), so
//! no file's name begins a line of its own; a program is escaped as a page, which keeps its line ends and tabs ([`escape_page`]). Then all that
//! lop writes goes through [`ConsoleWriter`] and, on the screen, `ClippedCanvas::draw_styled`. They do the same with whatever was forgotten, and
//! leave alone what is escaped already.
//!
//! JSON has `\u202e`, so a program reads what was there. Data (`lop show 12 > file.c`) is written as it is, unless it goes to a terminal. A word of
//! a command to be typed has the notation of shells, as `ls` does it: `$'a\033b'` (`oracle/shell.rs`). The widths of the screen are those of what is
//! shown. `tests/architecture/writers.rs` fails where something is written past all this, or a path is shown by its `display` method.

mod console;
mod escape;
mod hidden;
mod locale;
mod numbers;
mod panics;
mod wall_clock;

pub use console::{ConsoleWriter, OutputStream, TextStyle, is_terminal};
pub use escape::{
    EscapeHidden, escape_json, escape_page, escape_prefix, floor_escape_boundary, sanitize_line,
    sanitize_page,
};
pub use hidden::is_hidden;
pub use locale::{is_utf8_locale, spell_page};
pub use numbers::{format_count, format_number};
pub use panics::guard_panics;
pub use wall_clock::{CivilTime, UnixTime, WallClock};
