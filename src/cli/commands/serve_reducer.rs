//! `lop --serve-reducer`: candidates for another reducer.

use std::io::{self, BufRead};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use crate::cli::args::ReduceArgs;
use crate::cli::failure::{CommandFailure, FAILED, OrFail, USAGE};
use crate::cli::launch::pass_choice;
use crate::display::ConsoleWriter;
use crate::external::{self, ServedOptions};
use crate::language;

/// How long the end waits for a reducer that does not read.
const PATIENCE_AT_END: Duration = Duration::from_millis(500);
/// How many lines are read ahead.
const READ_AHEAD: usize = 64;

/// Proposes candidates on standard output until standard input ends; the exit status.
pub fn run_serve_reducer(reduce: &ReduceArgs) -> Result<u8, CommandFailure> {
    let options = ServedOptions {
        language: reduce.run.language.as_deref().and_then(language::by_name),
        options: pass_choice::choose_pass_options(reduce, false)?,
        jobs: reduce.run.common.jobs.map_or(1, usize::from),
    };
    let (sender, written) = start_writer()?;
    // A reducer that does not read holds up a thread of its own.
    let writer = external::line_writer(move |line| drop(sender.send(line.to_owned())));
    let served = external::serve_reducer(options, &read_input()?, &writer);
    drop(writer);
    let _ = written.recv_timeout(PATIENCE_AT_END);
    served.or_fail(USAGE)?;
    Ok(0)
}

/// Where lines for standard output go, and where it is said that all are written.
fn start_writer() -> Result<(Sender<String>, Receiver<()>), CommandFailure> {
    let (sender, lines) = unbounded::<String>();
    let (done, written) = bounded::<()>(1);
    let write = move || {
        for line in lines {
            ConsoleWriter::stdout().write_json(&line);
        }
        drop(done);
    };
    thread::Builder::new()
        .name("lop-reducer-answers".into())
        .spawn(write)
        .or_fail(FAILED)?;
    Ok((sender, written))
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
