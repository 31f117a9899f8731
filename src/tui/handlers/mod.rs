//! What keys, clicks and typed lines do.

mod command_handlers;
mod command_line;
pub mod drag;
mod navigation;
mod replay_controls;
pub mod versions;

pub use replay_controls::parse_speed;
