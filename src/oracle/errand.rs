//! One run of a test, in words that a process can be told: what to start, where, and how long it may take.

use std::env;
use std::ffi::{CString, OsStr, OsString};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use super::dir::TestDir;
use super::raw::{self, Birth};
use super::system;
use super::watch::Tap;
use super::watch::Woken;
use super::{Bound, Exit, Limits, NoVerdict, Output, Quotas, Role, Stage};

/// How often a test that is being written is tried, every millisecond.
const ATTEMPTS: u32 = 50;

/// What leads back to the user's home.
const OF_HOME: [&str; 5] = [
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_RUNTIME_DIR",
];

/// What is to be run, once its directories and files are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Errand {
    /// The program and its arguments; never empty.
    pub line: Vec<OsString>,
    /// All that is the test's, as [`TestDir::path`].
    pub dir: PathBuf,
    /// Its working directory.
    pub work: PathBuf,
    /// Its TMPDIR.
    pub temporary: PathBuf,
    /// Its HOME, if it shall not have the user's.
    pub home: Option<PathBuf>,
    /// The file for what it writes to stderr; none if that is kept among what it writes to stdout.
    pub errors: Option<PathBuf>,
    /// Whether something is looked for in what it prints, so that more of it is kept.
    pub judged: bool,
    /// How long it may take.
    pub limits: Limits,
    /// What it may take besides.
    pub quotas: Quotas,
}

/// A test that runs.
pub(super) struct Started {
    pub pid: Pid,
    /// Readable at its end, where the system can tell.
    pub exit: Option<OwnedFd>,
    pub tap: Tap,
    /// Our own copy of what it writes to, if it was wanted.
    pub writer: Option<PipeWriter>,
    pub begin: Instant,
}

/// The system refused us something.
#[derive(Debug)]
pub(super) struct Trouble {
    pub step: Step,
    pub error: io::Error,
}

/// What we were about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Pipe,
    Start,
    Wait,
    /// It was the system that lacked memory, not the test that wanted too much.
    Memory,
}

/// What came of an errand: a run, or nothing because it was called back.
pub(super) type Done = Result<Option<super::Run>, Trouble>;

impl Errand {
    pub(super) fn new(stage: &Stage, dir: &TestDir, limits: Limits, quotas: Quotas) -> Errand {
        Errand {
            line: stage.line.words(dir),
            errors: stage.role.is_compared().then(|| dir.errors()),
            judged: !matches!(stage.role, Role::Says | Role::Check),
            dir: dir.path().to_path_buf(),
            work: dir.work().to_path_buf(),
            temporary: dir.temporary().to_path_buf(),
            home: dir.home().map(Path::to_path_buf),
            limits,
            quotas,
        }
    }

    /// Starts the test in a process group of its own, and without a controlling terminal: whoever wants to write to `/dev/tty` is told
    /// that there is none.
    ///
    /// With `helped`, for a helper, which has one thread and no terminal, the end of what it prints does not show while
    /// [`Started::writer`] lives: who knows otherwise that nobody is left is spared to be woken by it just before the end of the test.
    pub(super) fn start(&self, helped: bool) -> Result<Started, Trouble> {
        let trouble = |step| move |error| Trouble { step, error };
        let (read, write) = io::pipe().map_err(trouble(Step::Pipe))?;
        let output = match self.judged {
            true => Output::to_judge(),
            false => Output::default(),
        };
        let tap = Tap::new(read, output).map_err(trouble(Step::Pipe))?;
        let errors = self.errors.as_deref().map(anew).transpose();
        let errors = errors.map_err(trouble(Step::Pipe))?;
        let nothing = File::open("/dev/null").map_err(trouble(Step::Start))?;
        let errors = errors.as_ref().map_or(write.as_fd(), AsFd::as_fd);
        let begin = Instant::now();
        let pid = self
            .bear([nothing.as_fd(), write.as_fd(), errors], helped)
            .map_err(trouble(Step::Start))?;
        Ok(Started {
            pid,
            exit: system::exit_descriptor(pid),
            tap,
            writer: helped.then_some(write),
            begin,
        })
    }

    /// Its process, with these as standard input, output and error. A helper may change its own directory meanwhile.
    fn bear(&self, files: [BorrowedFd<'_>; 3], helped: bool) -> io::Result<Pid> {
        let words = self.line.iter().map(|word| string(word));
        let line: Vec<CString> = words.collect::<io::Result<_>>()?;
        let environment = self.environment()?;
        let dir = string(self.work.as_os_str())?;
        let in_place = helped && !raw::can_set_directory();
        let birth = Birth {
            line: &line,
            environment: &environment,
            dir: Some(dir.as_c_str()).filter(|_| !in_place),
            files,
            session: !helped,
        };
        let start = || insist(|| birth.start());
        match in_place {
            true => within(&self.work, start),
            false => start(),
        }
    }

    /// Our variables, but for those that are the test's own.
    fn environment(&self) -> io::Result<Vec<CString>> {
        let temporary = [("TMPDIR", self.temporary.as_os_str())];
        let home = self.home.iter().map(|home| ("HOME", home.as_os_str()));
        let own: Vec<(&str, &OsStr)> = temporary.into_iter().chain(home).collect();
        let lost: &[&str] = if self.home.is_some() { &OF_HOME } else { &[] };
        let is_ours = |name: &OsStr| {
            let mut others = own.iter().map(|(name, _)| name).chain(lost);
            others.all(|other| name != *other)
        };
        let ours = env::vars_os().filter(|(name, _)| is_ours(name));
        let ours: Vec<(OsString, OsString)> = ours.collect();
        let ours = ours
            .iter()
            .map(|(name, value)| (name.as_os_str(), value.as_os_str()));
        let own = own.iter().map(|(name, value)| (OsStr::new(*name), *value));
        ours.chain(own)
            .map(|(name, value)| string(&[name, value].join(OsStr::new("="))))
            .collect()
    }
}

/// For the system.
fn string(words: &OsStr) -> io::Result<CString> {
    CString::new(words.as_bytes())
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
}

/// Does it in this directory.
fn within<T>(dir: &Path, does: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let before = env::current_dir()?;
    env::set_current_dir(dir)?;
    let done = does();
    env::set_current_dir(before)?;
    done
}

/// An empty file. What the stage before has put in its place is not followed, nor waited for.
fn anew(path: &Path) -> io::Result<File> {
    // Mostly there is nothing, or the file of the stage before.
    let _ = fs::remove_file(path);
    File::create_new(path)
}

/// Starts a process; nobody else may be writing its file.
///
/// Another thread's child holds copies of all our descriptors until it becomes its own program. If one of them is a file that was
/// just written, it cannot be executed for that moment.
pub(super) fn insist<T>(mut start: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for _ in 1..ATTEMPTS {
        match start() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                thread::sleep(Duration::from_millis(1))
            }
            started => return started,
        }
    }
    start()
}

/// How a test ended that was not called back. Its processor time counts even if it ended before anyone looked, and so does what it is
/// seen to have been `beyond`: when we look must not decide.
pub(super) fn exit(
    woken: Woken,
    status: Exit,
    cpu: Option<Duration>,
    limits: Limits,
    beyond: Option<Bound>,
) -> Exit {
    match (woken, beyond) {
        (Woken::Passed(bound), _) | (Woken::Exited, Some(bound)) => Exit::Killed(bound),
        _ if limits.cpu.zip(cpu).is_some_and(|(limit, cpu)| cpu > limit) => {
            Exit::Killed(Bound::Cpu)
        }
        _ => status,
    }
}
impl Step {
    fn doing(self) -> &'static str {
        match self {
            Step::Pipe => "making a pipe",
            Step::Start => "starting the test",
            Step::Wait => "waiting for the test",
            Step::Memory => "running the test",
        }
    }
}

impl From<Trouble> for NoVerdict {
    fn from(Trouble { step, error }: Trouble) -> NoVerdict {
        match step {
            Step::Start => NoVerdict::spawn(&error),
            Step::Pipe | Step::Wait | Step::Memory => NoVerdict::system(step.doing(), &error),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.doing())
    }
}
