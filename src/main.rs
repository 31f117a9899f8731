//! The binary: one client of the library.
#![deny(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(lop::cli::run(std::env::args_os()))
}
