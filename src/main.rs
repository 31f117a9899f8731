//! The binary: one client of the library.
#![deny(unsafe_code)]

use std::process::ExitCode;

use lop::{cli, oracle};

fn main() -> ExitCode {
    // A helper is started once a worker, and again after each that dies: before anything that costs time.
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == oracle::HELPER)
    {
        return ExitCode::from(oracle::run_helper());
    }
    ExitCode::from(cli::run(std::env::args_os()))
}
