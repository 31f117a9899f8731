//! The checker as a program: `rustc -O tests/checker/bp_check.rs`.

mod assign;
mod command;
mod explore;
mod formula;
mod generate;
mod parse;
mod program;
mod resolve;
mod state;
mod syntax;
mod tokens;

use std::io::Write;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (out, err, status) = command::run_command(&arguments);
    let _ = std::io::stdout().write_all(out.as_bytes());
    let _ = std::io::stderr().write_all(err.as_bytes());
    std::process::exit(status);
}
