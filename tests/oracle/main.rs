//! Tests of tests: scripts of every kind are run, and what they leave behind is looked for.

mod attended;
mod commands;
mod containment;
mod elsewhere;
mod helper;
mod hostile;
mod place;
mod runner;
mod sandbox;
mod terminal;
mod verdicts;
