//! One frame: the header, the panes, the pages, the prompt, and the footer.

mod draw_frame;
mod footer;
mod header;
mod narration;
mod sentence;
mod steering;

pub use header::size_text;
pub use narration::{draw_narration, narration_height};
