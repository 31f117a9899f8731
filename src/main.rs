//! The binary: one client of the library.
#![deny(unsafe_code)]

use std::process::ExitCode;

use lop::{cli, oracle};

// A large program is millions of small nodes: reading it with this allocator costs a sixth less processor time than with glibc's (benches/NOTES.md).
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

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
