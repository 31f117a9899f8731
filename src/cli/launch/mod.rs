//! What a launch needs.

pub mod baseline_runs;
pub mod cache;
pub mod empty_file;
pub mod front_end;
pub mod header;
pub mod identify;
pub mod initial_commands;
pub mod language_choice;
pub mod preflight;
pub mod prepared_run;
pub mod reading;
pub mod reduction;
pub mod sanity_checks;
pub mod signals;
pub mod test_spec;
pub mod ub_guard;
