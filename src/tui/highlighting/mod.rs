//! The colours of programs whose language has no highlight query: a syntax definition (`.sublime-syntax`) says them line by line.
//!
//! ```text
//!  pane ──HighlightRequest: the version, its visible lines──▶ TextHighlighter, on a thread of its own (driver/highlight_thread.rs)
//!   ▲                                                            │  syntax_library: which definition
//!   │                                                            │  line_parser: a line and the state before it ▶ runs, state
//!   └──HighlightUpdate: the runs of the lines, by their text ◀───┘  version_lines: which lines two versions share
//! ```
//!
//! A line's colours depend on all lines above it, through the state of the definition's stack. So the visible lines are parsed first, from the nearest
//! known state or from a guess a few hundred lines above, and the rest after them; where the guess was wrong, the lines are sent again. A state is
//! kept every hundred lines. After a change of the program those above it stay, and those below count again as soon as the parser meets one of them.
//! Scopes become the names of captures ([`scope_captures`]), so a theme colours both sources of colours by one table.

pub mod line_parser;
pub mod scope_captures;
pub mod syntax_library;
pub mod text_highlighter;
mod version_lines;

pub use line_parser::CaptureRun;
pub use syntax_library::{SyntaxChoice, SyntaxFileError, check_syntax_file};
pub use text_highlighter::{
    HighlightRequest, HighlightStep, HighlightUpdate, HighlightedLine, HighlightedLines,
    TextHighlighter,
};
