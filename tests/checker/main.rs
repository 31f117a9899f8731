//! A small model checker for Boolean programs, what it answers, and reductions with it as the test. Model checkers for these programs are in no
//! package registry. Nothing here knows lop but the reductions, which run its binary. The words of the checker: *fails* if an assertion can be
//! false, *safe* if none can.

mod assign;
mod command;
mod explore;
mod formula;
mod generate;
mod generated;
mod parse;
mod program;
mod published;
mod reductions;
mod refusals;
mod resolve;
#[path = "../shell/mod.rs"]
mod shell;
mod state;
mod syntax;
mod tokens;
mod verdicts;
