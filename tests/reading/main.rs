//! Reading: grammars, languages, programs, names, and the edits that a grammar allows.

mod bnf;
#[path = "../common/mod.rs"]
mod common;
mod external_grammars;
mod fillers;
mod grammar;
mod hostile;
mod language;
mod languages;
mod names;
mod plain;
mod program;
mod scopes;
#[path = "../shell/mod.rs"]
mod shell;
