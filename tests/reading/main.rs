//! Reading: grammars, languages, programs, names, and the edits that a grammar allows.

mod bnf;
mod boolean;
#[path = "../common/mod.rs"]
mod common;
mod derivations;
mod dictionaries;
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
