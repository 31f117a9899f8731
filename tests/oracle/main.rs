//! Tests of the oracle: scripts of every kind are run, and nothing may be left of them.

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
