//! The real binary, in a directory of its own, with real tests and real terminals.

mod canonical;
mod checkers;
mod cli;
mod clock;
mod compare;
mod contrast;
mod demo;
mod detours;
mod doctor;
mod errors;
mod full;
mod generator;
mod hidden;
mod isolate;
mod leftovers;
mod limits;
mod mutate;
mod offline;
mod pair;
mod pair_checks;
mod pair_commands;
mod planted;
mod property;
mod refusal_messages;
mod refusals;
mod restore;
mod rules;
mod sessions;
#[path = "../shell/mod.rs"]
mod shell;
mod terminal;
mod tmux;
mod trust;
mod two_processes;
mod verbose;
mod verify;
