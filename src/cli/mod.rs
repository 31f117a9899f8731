//! The command line.

pub mod grammar;
