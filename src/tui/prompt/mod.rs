//! What the user types: the line, what it could become, and how both are drawn.

pub mod draw;
mod fuzzy;
pub mod line;

pub use line::list_completions;
