//! The helper's side: `lop __run`.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::process::{Pid, Signal};

use super::frame::{self, Frame};
use super::readiness::Readiness;
use super::reap;
use super::wire::{self, Report, Request};
use super::{INSIDE, SANDBOX, SEEN, WORD};
use crate::oracle::bounds::Bounds;
use crate::oracle::cgroup::Inside;
use crate::oracle::clean::OwnDir;
use crate::oracle::errand::{self, Done, Errand, Started, Step, Trouble};
use crate::oracle::gauge::Gauge;
use crate::oracle::private::Litter;
use crate::oracle::watch::{self, Woken};
use crate::oracle::{Bound, Exit, Run, forbid_core_dumps, raw, system};

/// How often one that serves nobody is woken.
const WAKES: Duration = Duration::from_secs(1);

/// Runs the tests that standard input asks for, until it is closed. The exit status.
///
/// The process must have one thread and no children, and belong to nobody else.
pub fn serve() -> u8 {
    let words: Vec<OsString> = std::env::args_os().skip(2).collect();
    let (sandbox, cgroups) = match words.as_slice() {
        [word, room, rest @ ..] if *word == *SANDBOX => {
            let (seen, rest) = seen(rest);
            (Place::Outside(room, seen), rest)
        }
        [word, room, rest @ ..] if *word == *INSIDE => (Place::Inside(room), rest),
        rest => (Place::Open, rest),
    };
    // Without it only one that is stopped at a bad moment stays.
    let _ = system::outlive_parent();
    system::leave_terminal();
    // Who begins in a sandbox was born in its groups, and could not move.
    let inside = Inside::enter(cgroups, !matches!(sandbox, Place::Inside(_)));
    let served = match sandbox {
        Place::Outside(room, seen) => enclosed(Path::new(room), &seen, cgroups, inside),
        Place::Inside(room) => {
            let settled = system::settle(Path::new(room));
            Server::new(inside, settled).and_then(|mut server| {
                server.litter = Some(Litter::new());
                server.serve()
            })
        }
        Place::Open => guarded(inside),
    };
    match served {
        Ok(()) => 0,
        // Nobody is there to be told.
        Err(_) => 2,
    }
}

/// Where a helper is.
enum Place<'a> {
    /// It shall make a sandbox around another, in which this directory can be written, and these paths are seen where most is hidden.
    Outside(&'a OsString, Vec<PathBuf>),
    /// In a sandbox, in which this directory can be written.
    Inside(&'a OsString),
    /// In none.
    Open,
}

/// The paths that are to be seen, and the rest of the words.
fn seen(mut words: &[OsString]) -> (Vec<PathBuf>, &[OsString]) {
    let mut paths = Vec::new();
    while let [word, path, rest @ ..] = words
        && *word == *SEEN
    {
        paths.push(PathBuf::from(path));
        words = rest;
    }
    (paths, words)
}

/// Makes a sandbox and starts another helper in it, which serves in our place.
fn enclosed(room: &Path, seen: &[PathBuf], cgroups: &[OsString], inside: Inside) -> io::Result<()> {
    if let Err(error) = system::enclose(room, seen) {
        return decline(inside, error);
    }
    // A new user namespace has made it forgotten.
    let _ = system::outlive_parent();
    let mut helper = Command::new(std::env::current_exe()?)
        .args([WORD, INSIDE])
        .arg(room)
        .args(cgroups)
        .spawn()?;
    await_end(Pid::from_child(&helper))?;
    helper.wait()?;
    inside.leave();
    Ok(())
}

/// Says why it is no help, and ends.
fn decline(inside: Inside, trouble: io::Error) -> io::Result<()> {
    let mut server = Server::new(inside, Err(trouble))?;
    let said = server.serve();
    server.inside.leave();
    said
}

/// Becomes two: one serves, and this one waits for its end and kills what it leaves. Both are reapers: whoever kills the one that
/// serves makes all that it has started children of this one.
fn guarded(inside: Inside) -> io::Result<()> {
    if let Err(error) = system::become_reaper() {
        return decline(inside, error);
    }
    let Some(server) = raw::fork()? else {
        let served = Server::new(inside, system::become_reaper());
        // The groups are left by who remains.
        return served.and_then(|mut server| server.serve());
    };
    system::shut_process();
    await_end(server)?;
    let swept = reap::sweep(server, &inside);
    inside.leave();
    swept.map(drop)
}

/// Waits for the end of the one that serves, and leaves it to be reaped. When nobody asks any more it is woken until then, should it have
/// been stopped: it sees for itself that it shall end.
fn await_end(server: Pid) -> io::Result<()> {
    let (exit, requests) = (system::exit_descriptor(server), io::stdin());
    let mut is_alone = false;
    while !watch::has_exited(server)? {
        let exit = exit.as_ref().map(|exit| PollFd::new(exit, PollFlags::IN));
        // A closed pipe is told whatever is asked about.
        let requests = (!is_alone).then(|| PollFd::new(&requests, PollFlags::empty()));
        let closed = usize::from(exit.is_some());
        let mut sources: Vec<PollFd<'_>> = exit.into_iter().chain(requests).collect();
        match rustix::event::poll(&mut sources, Some(&watch::timespec(WAKES))) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let closed = sources.get(closed);
        is_alone |= closed.is_some_and(|closed| closed.revents().contains(PollFlags::HUP));
        if is_alone {
            // It may have ended.
            let _ = rustix::process::kill_process(server, Signal::CONT);
        }
    }
    Ok(())
}

/// The two pipes to whoever asks.
struct Server {
    requests: File,
    answers: File,
    inside: Inside,
    /// Why it is no help.
    trouble: Option<io::Error>,
    readiness: Option<Readiness>,
    /// What its tests may leave where they can write in a sandbox.
    litter: Option<Litter>,
    /// How often the system lacked memory until now.
    kills: Option<u64>,
}

/// What became of a test, for ourselves.
struct Ended {
    done: Done,
    spent: bool,
    /// Nobody waits for the answer any more.
    orphaned: bool,
}

impl Server {
    fn new(inside: Inside, place: io::Result<()>) -> io::Result<Server> {
        forbid_core_dumps();
        let readiness = Readiness::new();
        system::shut_process();
        // Copies, without the buffers that the standard library has before the originals: a poll would not see what is in those.
        Ok(Server {
            requests: File::from(io::stdin().as_fd().try_clone_to_owned()?),
            answers: File::from(io::stdout().as_fd().try_clone_to_owned()?),
            inside,
            trouble: place.and_then(|()| system::become_reaper()).err(),
            readiness,
            litter: None,
            kills: system::kills_for_memory(),
        })
    }

    fn serve(&mut self) -> io::Result<()> {
        let greeting = match &self.trouble {
            Some(trouble) => Err(trouble.to_string()),
            None => Ok(self.inside.held()),
        };
        frame::send(&mut self.answers, Frame::greeting(&greeting))?;
        match greeting {
            Ok(_) => self.serve_all(),
            Err(_) => Ok(()),
        }
    }

    fn serve_all(&mut self) -> io::Result<()> {
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
        // As it is before the test has its hands on the way there.
        let dir = OwnDir::at(&errand.dir);
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
            // Nobody else does. What resists is removed by the next run.
            let _ = dir.and_then(|dir| dir.remove());
        }
        told
    }

    fn run(&mut self, errand: &Errand) -> Ended {
        let before = raw::of_children();
        self.inside.begin();
        let mut test = match self.start(errand) {
            Ok(test) => test,
            Err(trouble) => {
                return Ended {
                    done: Err(trouble),
                    // An earlier test may have taken from us what it needs: another one begins with all of it.
                    spent: true,
                    orphaned: false,
                };
            }
        };
        let used = || {
            // Read first: what we wait for later is counted once.
            let ended = raw::of_children().saturating_sub(before);
            let children = system::children(rustix::process::getpid()).ok()?;
            Some(ended + system::tally(children)?.cpu)
        };
        let dirs = self.writable(errand);
        let gauge = Gauge {
            quotas: errand.quotas,
            dirs: &dirs,
            roots: &|| system::children(rustix::process::getpid()).unwrap_or_default(),
            inside: &self.inside,
        };
        let mut bounds = Bounds::new(test.begin, errand.limits, &used, Some(&gauge));
        let woken = watch::watch(
            test.pid,
            test.exit.as_ref(),
            &mut test.tap,
            Some(self.requests.as_fd()),
            &mut bounds,
        );
        let time = test.begin.elapsed().saturating_sub(bounds.stopped());
        let swept = reap::sweep(test.pid, &self.inside);
        let beyond = bounds.was_beyond();
        self.litter.iter().for_each(Litter::remove);
        // All who could write are dead, but for us.
        drop(test.writer.take());
        test.tap.drain();
        let cpu = raw::of_children().saturating_sub(before);
        let trouble = |error| Trouble {
            step: Step::Wait,
            error,
        };
        let orphaned = matches!(woken, Ok(Woken::Cancelled)) && !self.called_back();
        let spent = !swept.as_ref().is_ok_and(|swept| swept.clean);
        let done = woken
            .and_then(|woken| Ok((woken, swept?)))
            .map_err(trouble)
            .and_then(|(woken, swept)| {
                if woken == Woken::Cancelled {
                    return Ok(None);
                }
                // Who ended by itself has a status.
                let status = swept.status.unwrap_or(Exit::Signal(0));
                let exit = errand::exit(woken, status, Some(cpu), errand.limits, beyond);
                self.had_memory(exit)?;
                Ok(Some(Run {
                    exit,
                    time,
                    cpu: Some(cpu),
                    output: test.tap.output(),
                }))
            });
        Ended {
            done,
            spent,
            orphaned,
        }
    }

    /// Where all that is the test's may be. In a sandbox that is a room, which has nothing else in it, and its own directories.
    fn writable<'a>(&'a self, errand: &'a Errand) -> Vec<&'a Path> {
        match (&self.litter, errand.dir.parent()) {
            (Some(litter), Some(room)) => litter.places().chain([room]).collect(),
            _ => vec![&errand.dir],
        }
    }

    /// Starts the test. Where memory is short the system shall rather kill something of the test than us, or lop.
    fn start(&self, errand: &Errand) -> Result<Started, Trouble> {
        match &self.readiness {
            Some(readiness) => readiness.during(|| errand.start(true)),
            None => errand.start(true),
        }
    }

    /// Trouble if the test may have been killed because the machine lacked memory: that says nothing about the candidate.
    fn had_memory(&mut self, exit: Exit) -> Result<(), Trouble> {
        // By itself, or as a shell tells of a command that was killed; or in its own control group, which is counted there as well.
        let own = exit == Exit::Killed(Bound::Memory);
        if !own && !matches!(exit, Exit::Signal(9) | Exit::Code(137)) {
            return Ok(());
        }
        let kills = system::kills_for_memory();
        let lacked = !own && kills > self.kills;
        self.kills = kills;
        match lacked {
            true => Err(Trouble {
                step: Step::Memory,
                error: Errno::NOMEM.into(),
            }),
            false => Ok(()),
        }
    }

    /// Reads what came while a test ran: it is called back, or there is nobody any more.
    fn called_back(&mut self) -> bool {
        matches!(frame::receive(&mut self.requests), Ok(Some(_)))
    }
}

/// User and system time of this process.
fn own_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(
        time.tv_sec.try_into().unwrap_or(0),
        time.tv_nsec.try_into().unwrap_or(0),
    )
}
