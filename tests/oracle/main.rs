//! Tests of the oracle: scripts of every kind are run, and nothing may be left of them.

mod commands;
mod containment;
mod generators;
mod helper;
mod hostile;
mod lost_watcher;
mod pairs;
mod replaced_directories;
mod runner;
mod sandbox;
mod servers;
mod suite_directory;
mod terminal;
mod verdicts;
