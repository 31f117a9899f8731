//! Rules for the sources as a whole: dependencies, lengths of files, tests of the invariants, writers to a terminal.
//!
//! The checks read the sources as text, without comments and strings where they compare words.

mod effects;
mod files;
mod invariants;
mod mutant_run;
mod mutant_switches;
mod mutants;
mod names;
mod rooms;
mod source;
mod words;
mod writers;
mod writes;
