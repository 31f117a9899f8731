//! The real binary, in a directory of its own, with real tests and real terminals.

mod checkers;
mod cli;
mod clock;
mod compare;
mod demo;
mod doctor;
mod errors;
mod full;
mod hidden;
mod left;
mod limits;
mod planted;
mod property;
mod refusals;
mod restore;
mod sessions;
#[path = "../shell/mod.rs"]
mod shell;
mod terminal;
mod tmux;
mod together;
mod told;
mod trust;
mod verify;
