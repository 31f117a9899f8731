//! What keys, clicks, typed lines and snapshots do to the screen.

pub mod command_handlers;
mod command_line;
mod contrast;
mod file_navigation;
mod lesson;
mod navigation;
mod node_actions;
mod page_actions;
mod pair_navigation;
mod pane_choices;
mod replay_controls;
mod snapshot_update;
mod steering;
mod theme_choice;
mod undo;

pub use replay_controls::parse_speed;
