//! `lop --serve-reducer`: candidates for another reducer.

use std::io::{self, BufRead};
use std::thread;

use crossbeam_channel::{Receiver, bounded};

use crate::cli::args::{ReduceArgs, job_count};
use crate::cli::failure::{CommandFailure, FAILED, OrFail, USAGE};
use crate::cli::launch::pass_choice;
use crate::display::ConsoleWriter;
use crate::external::{self, ServedOptions};
use crate::language;

/// How many lines are read ahead.
const READ_AHEAD: usize = 64;

/// Proposes candidates on standard output until standard input ends; the exit status.
pub fn run_serve_reducer(reduce: &ReduceArgs) -> Result<u8, CommandFailure> {
    let options = ServedOptions {
        language: reduce.run.language.as_deref().and_then(language::by_name),
        options: pass_choice::choose_pass_options(reduce, false)?,
        jobs: reduce
            .run
            .common
            .jobs
            .map_or(1, |jobs| job_count(Some(jobs))),
    };
    let writer = external::line_writer(|line| ConsoleWriter::stdout().write_json(line));
    external::serve_reducer(options, &read_input()?, &writer).or_fail(USAGE)?;
    Ok(0)
}

/// The lines of standard input, as they come.
fn read_input() -> Result<Receiver<String>, CommandFailure> {
    let (sender, lines) = bounded(READ_AHEAD);
    let read = move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    };
    thread::Builder::new()
        .name("lop-reducer-lines".into())
        .spawn(read)
        .or_fail(FAILED)?;
    Ok(lines)
}
