//! The helper's side: `lop __run`.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;

use super::frame::{self, Frame};
use super::reap;
use super::wire::{self, Report, Request};
use crate::oracle::bounds::Bounds;
use crate::oracle::clean::remove_tree;
use crate::oracle::errand::{self, Done, Errand, Step, Trouble};
use crate::oracle::watch::{self, Woken};
use crate::oracle::{Exit, Run, forbid_core_dumps, system, usage};

/// Runs the tests that standard input asks for, until it is closed. The exit status.
///
/// The process must have one thread and no children, and belong to nobody else.
pub fn serve() -> u8 {
    match Server::new().and_then(|mut server| server.serve()) {
        Ok(()) => 0,
        // Nobody is there to be told.
        Err(_) => 2,
    }
}

/// The two pipes to whoever asks.
struct Server {
    requests: File,
    answers: File,
}

/// What became of a test, for ourselves.
struct Ended {
    done: Done,
    spent: bool,
    /// Nobody waits for the answer any more.
    orphaned: bool,
}

impl Server {
    fn new() -> io::Result<Server> {
        // Copies, without the buffers that the standard library has before the originals: a poll would not see what is in those.
        Ok(Server {
            requests: File::from(io::stdin().as_fd().try_clone_to_owned()?),
            answers: File::from(io::stdout().as_fd().try_clone_to_owned()?),
        })
    }

    fn serve(&mut self) -> io::Result<()> {
        forbid_core_dumps();
        let able = system::become_reaper().map_err(|error| error.to_string());
        frame::send(&mut self.answers, Frame::greeting(&able))?;
        if able.is_err() {
            return Ok(());
        }
        while let Some(bytes) = frame::receive(&mut self.requests)? {
            // One called back too late is no errand.
            if let Request::Errand(errand) = wire::request(&bytes)? {
                self.attend(&errand)?;
            }
        }
        Ok(())
    }

    /// Runs a test and answers.
    fn attend(&mut self, errand: &Errand) -> io::Result<()> {
        let Ended {
            done,
            spent,
            orphaned,
        } = self.run(errand);
        let report = Report {
            done,
            own_cpu: own_cpu(),
            spent,
        };
        let told = if orphaned {
            Err(io::ErrorKind::BrokenPipe.into())
        } else {
            frame::send(&mut self.answers, Frame::report(&report))
        };
        if told.is_err() {
            remove(&errand.dir);
        }
        told
    }

    fn run(&mut self, errand: &Errand) -> Ended {
        let before = usage::of_children();
        let mut test = match errand.start(true) {
            Ok(test) => test,
            Err(trouble) => {
                return Ended {
                    done: Err(trouble),
                    spent: false,
                    orphaned: false,
                };
            }
        };
        let used = || {
            // Read first: what we wait for later is counted once.
            let ended = usage::of_children().saturating_sub(before);
            let children = system::children(rustix::process::getpid()).ok()?;
            Some(ended + system::cpu_of_trees(children)?)
        };
        let mut bounds = Bounds::new(test.begin, errand.limits, &used);
        let woken = watch::watch(
            test.pid,
            test.exit.as_ref(),
            &mut test.tap,
            Some(self.requests.as_fd()),
            &mut bounds,
        );
        let time = test.begin.elapsed().saturating_sub(bounds.stopped());
        let swept = reap::sweep(test.pid);
        // All who could write are dead, but for us.
        drop(test.writer.take());
        test.tap.drain();
        let cpu = usage::of_children().saturating_sub(before);
        let trouble = |error| Trouble {
            step: Step::Wait,
            error,
        };
        let orphaned = matches!(woken, Ok(Woken::Cancelled)) && !self.called_back();
        let spent = !swept.as_ref().is_ok_and(|swept| swept.clean);
        let done = woken
            .and_then(|woken| Ok((woken, swept?)))
            .map_err(trouble)
            .map(|(woken, swept)| {
                (woken != Woken::Cancelled).then(|| {
                    // Who ended by itself has a status.
                    let status = swept.status.unwrap_or(Exit::Signal(0));
                    Run {
                        exit: errand::exit(woken, status, Some(cpu), errand.limits),
                        time,
                        cpu: Some(cpu),
                        output: test.tap.output(),
                    }
                })
            });
        Ended {
            done,
            spent,
            orphaned,
        }
    }

    /// Reads what came while a test ran: it is called back, or there is nobody any more.
    fn called_back(&mut self) -> bool {
        matches!(frame::receive(&mut self.requests), Ok(Some(_)))
    }
}

/// Removes the directory of a test for who can no longer do it.
fn remove(dir: &Path) {
    // What resists is removed by the next run.
    let _ = remove_tree(dir);
}

/// User and system time of this process.
fn own_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(
        time.tv_sec.try_into().unwrap_or(0),
        time.tv_nsec.try_into().unwrap_or(0),
    )
}
