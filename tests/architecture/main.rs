//! What must hold of the sources as a whole: who may know whom, how long files are, which tests hold what may never be broken, who
//! writes to a terminal.
//!
//! The checks read the sources as text, without comments and strings where they look at words.

mod effects;
mod files;
mod invariants;
mod mutants;
mod names;
mod rooms;
mod source;
mod words;
mod writers;
mod writes;
