//! The real binary, in a directory of its own, with real tests and real terminals.

mod checkers;
mod cli;
mod clock;
mod compare;
mod contrast;
mod demo;
mod doctor;
mod errors;
mod full;
mod hidden;
mod isolate;
mod leftovers;
mod limits;
mod mutate;
mod pair;
mod pair_checks;
mod pair_commands;
mod planted;
mod property;
mod refusal_messages;
mod refusals;
mod restore;
mod sessions;
#[path = "../shell/mod.rs"]
mod shell;
mod terminal;
mod tmux;
mod trust;
mod two_processes;
mod verify;
