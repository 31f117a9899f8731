//! The prompt: the line, its completions, and how both are drawn.

mod completion;
pub mod draw;
mod fuzzy;
pub mod line;
mod rule_preview;
pub mod steering_change;
pub mod undo_menu;

pub use completion::{CompletionItem, list_completions};
