//! The panes, one file each: the state of the pane, its moves, and how it draws the newest snapshot on its part of the screen.

pub mod arrangement;
pub mod candidate;
mod chart_axis;
mod drag;
mod file_line;
pub mod graph;
pub mod history;
mod history_graph;
pub mod layout;
pub mod pair;
mod pair_curves;
pub mod pane_action;
pub mod pane_context;
pub mod pane_states;
pub mod passes;
pub mod program;
pub mod progress;
pub mod scroll;
pub mod sentences;
mod text_line;
mod text_moves;
pub mod tree;
pub mod trying;
pub mod verdict_filter;
pub mod verdicts;
