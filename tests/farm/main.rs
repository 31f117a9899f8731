//! Tests on a farm: a server in this process that does what no real one can be made to do, and a real one where it can be had.
#![cfg(feature = "remote")]

mod cancelling;
mod command_line;
mod failures;
mod fake_farm;
mod real_farm;
mod runners;
#[path = "../shell/mod.rs"]
mod shell;
