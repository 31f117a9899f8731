//! One run of a test, in words that a process can be told: what to start, where, and how long it may take.

use std::env;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Pid;
use serde::{Deserialize, Serialize};

use super::server_pipe;
use super::syscalls::{self, SpawnRequest};
use super::system;
use super::test_dir::TestDir;
use super::wait::OutputPipe;
use super::wait::WakeReason;
use super::{
    LimitKind, NoVerdict, ResourceQuotas, StageCommand, StageRole, TestExit, TestOutput, TestStage,
    TimeLimits,
};

/// How often the start of a test is tried whose file is still being written, once a millisecond.
const ATTEMPTS: u32 = 50;

/// The variable with the directory for temporary files.
const TEMPORARY: &str = "TMPDIR";
/// The variable with the home directory.
const HOME: &str = "HOME";
/// Variables with directories in the user's home.
const OF_HOME: [&str; 5] = [
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_RUNTIME_DIR",
];

/// A test to run. Its directories and files exist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TestCommand {
    /// The program and its arguments; never empty.
    pub argv: Vec<OsString>,
    /// The directory of the test, as [`TestDir::path`].
    #[serde(with = "super::os_path")]
    pub dir: PathBuf,
    /// Its working directory.
    #[serde(with = "super::os_path")]
    pub work_dir: PathBuf,
    /// Its TMPDIR.
    #[serde(with = "super::os_path")]
    pub temp_dir: PathBuf,
    /// Its HOME, if it is not the user's.
    #[serde(with = "super::os_path::optional")]
    pub home_dir: Option<PathBuf>,
    /// The file for its stdout; none if it is kept. A generator's becomes a program.
    #[serde(with = "super::os_path::optional")]
    pub stdout_path: Option<PathBuf>,
    /// The file for its stderr; none if stderr is kept together with stdout.
    #[serde(with = "super::os_path::optional")]
    pub stderr_path: Option<PathBuf>,
    /// Whether a property is looked for in its output, so that more of it is kept.
    pub judged: bool,
    /// Whether it is a server, which stays alive.
    pub is_server: bool,
    /// Its limits of time.
    pub limits: TimeLimits,
    /// Its other limits.
    pub quotas: ResourceQuotas,
}

/// A running test.
pub(super) struct RunningTest {
    pub pid: Pid,
    /// Readable at its end, where the system has such descriptors.
    pub exit: Option<OwnedFd>,
    pub output: OutputPipe,
    /// Our own copy of its standard output, if it was requested.
    pub writer: Option<PipeWriter>,
    pub begin: Instant,
}

/// An error of the system while a test was run.
#[derive(Debug)]
pub(super) struct RunStepError {
    pub step: RunStep,
    pub error: io::Error,
}

/// The step that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum RunStep {
    Pipe,
    Start,
    Wait,
    /// The system lacked memory, and not because of the test.
    Memory,
}

/// The result of a command: a run, or none if it was cancelled.
pub(super) type TestCommandResult = Result<Option<super::TestRun>, RunStepError>;

impl TestCommand {
    pub(super) fn new(
        stage: &TestStage,
        dir: &TestDir,
        limits: TimeLimits,
        quotas: ResourceQuotas,
    ) -> TestCommand {
        TestCommand {
            argv: stage.line.to_argv(stage.sees, dir),
            stdout_path: stage.makes.is_some().then(|| dir.program_path()),
            stderr_path: stage.role.compares_output().then(|| dir.stderr_path()),
            judged: !matches!(
                stage.role,
                StageRole::Says | StageRole::Check | StageRole::Succeeds
            ),
            is_server: matches!(stage.line, StageCommand::Serve(_)),
            dir: dir.path().to_path_buf(),
            work_dir: dir.work_dir().to_path_buf(),
            temp_dir: dir.temp_dir().to_path_buf(),
            home_dir: dir.home_dir().map(Path::to_path_buf),
            limits,
            quotas,
        }
    }

    /// Starts the test in a process group of its own and without a controlling terminal, so that `/dev/tty` cannot be opened.
    ///
    /// A helper has one thread and no terminal. With `in_helper` it keeps [`RunningTest::writer`], so that the end of the output does not
    /// wake it just before the end of the test.
    pub(super) fn spawn_test(&self, in_helper: bool) -> Result<RunningTest, RunStepError> {
        let step_error = |step| move |error| RunStepError { step, error };
        let (read, write) = io::pipe().map_err(step_error(RunStep::Pipe))?;
        let output = match self.judged {
            true => TestOutput::with_judge_capacity(),
            false => TestOutput::default(),
        };
        let output_pipe = OutputPipe::new(read, output).map_err(step_error(RunStep::Pipe))?;
        let open = |path: &Option<PathBuf>| path.as_deref().map(create_fresh_file).transpose();
        let program = open(&self.stdout_path).map_err(step_error(RunStep::Pipe))?;
        let errors = open(&self.stderr_path).map_err(step_error(RunStep::Pipe))?;
        let nothing = File::open("/dev/null").map_err(step_error(RunStep::Start))?;
        let program = program.as_ref().map_or(write.as_fd(), AsFd::as_fd);
        let errors = errors.as_ref().map_or(write.as_fd(), AsFd::as_fd);
        let begin = Instant::now();
        let pid = self
            .spawn_process([nothing.as_fd(), program, errors], in_helper)
            .map_err(step_error(RunStep::Start))?;
        Ok(RunningTest {
            pid,
            exit: system::exit_descriptor(pid),
            output: output_pipe,
            writer: in_helper.then_some(write),
            begin,
        })
    }

    /// Starts a server in the same way, with these ends of pipes as standard input and output. Only its standard error is kept.
    pub(super) fn spawn_server(
        &self,
        input: BorrowedFd<'_>,
        answers: BorrowedFd<'_>,
        in_helper: bool,
    ) -> Result<RunningTest, RunStepError> {
        let step_error = |step| move |error| RunStepError { step, error };
        let (read, write) = io::pipe().map_err(step_error(RunStep::Pipe))?;
        let output = OutputPipe::new(read, TestOutput::default());
        let output = output.map_err(step_error(RunStep::Pipe))?;
        let begin = Instant::now();
        let pid = self
            .spawn_process([input, answers, write.as_fd()], in_helper)
            .map_err(step_error(RunStep::Start))?;
        Ok(RunningTest {
            pid,
            exit: system::exit_descriptor(pid),
            output,
            writer: None,
            begin,
        })
    }

    /// Starts the process, with these files as standard input, output and error. A helper may change its own directory meanwhile.
    fn spawn_process(&self, files: [BorrowedFd<'_>; 3], in_helper: bool) -> io::Result<Pid> {
        let words = self.argv.iter().map(|word| to_c_string(word));
        let line: Vec<CString> = words.collect::<io::Result<_>>()?;
        let own = self.own_variables()?;
        let mut environment: Vec<&CStr> = self.inherited_variables().collect();
        environment.extend(own.iter().map(CString::as_c_str));
        let dir = to_c_string(self.work_dir.as_os_str())?;
        let in_place = in_helper && !syscalls::can_set_directory();
        let request = SpawnRequest {
            argv: &line,
            environment: &environment,
            dir: Some(dir.as_c_str()).filter(|_| !in_place),
            files,
            session: !in_helper,
        };
        let start = || retry_while_busy(|| request.spawn_process());
        match in_place {
            true => in_directory(&self.work_dir, start),
            false => start(),
        }
    }

    /// The variables that the test has for itself.
    fn own_variables(&self) -> io::Result<Vec<CString>> {
        let temporary = [(TEMPORARY, &self.temp_dir)];
        let home = self.home_dir.iter().map(|home| (HOME, home));
        let paths = temporary.into_iter().chain(home);
        let paths = paths.map(|(name, path)| (name, path.as_os_str()));
        let protocol = (server_pipe::VARIABLE, OsStr::new(server_pipe::PROTOCOL));
        let own = paths.chain(self.is_server.then_some(protocol));
        own.map(|(name, value)| to_variable(OsStr::new(name), value))
            .collect()
    }

    /// Our variables, without those that the test has for itself.
    fn inherited_variables(&self) -> impl Iterator<Item = &'static CStr> {
        let has_home = self.home_dir.is_some();
        let is_inherited = move |name: &OsStr| {
            name != TEMPORARY
                && name != server_pipe::VARIABLE
                && !(has_home && (name == HOME || OF_HOME.iter().any(|of| name == *of)))
        };
        let ours = ENVIRONMENT.iter();
        let inherited = ours.filter(move |(name, _)| is_inherited(name));
        inherited.map(|(_, variable)| variable.as_c_str())
    }
}

/// Our variables, as they were at the first test: their names, and as the system wants them.
static ENVIRONMENT: LazyLock<Vec<(OsString, CString)>> = LazyLock::new(|| {
    let variable = |(name, value): (OsString, OsString)| {
        // The system has given us none with a zero in it.
        let variable = to_variable(&name, &value).ok()?;
        Some((name, variable))
    };
    env::vars_os().filter_map(variable).collect()
});

/// `NAME=VALUE`.
fn to_variable(name: &OsStr, value: &OsStr) -> io::Result<CString> {
    to_c_string(&[name, value].join(OsStr::new("=")))
}

/// For the system.
fn to_c_string(words: &OsStr) -> io::Result<CString> {
    CString::new(words.as_bytes())
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
}

/// Calls a function with this working directory.
fn in_directory<T>(dir: &Path, does: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let before = env::current_dir()?;
    env::set_current_dir(dir)?;
    let done = does();
    env::set_current_dir(before)?;
    done
}

/// Creates an empty file. What the previous stage has put in its place is removed, neither followed nor opened.
fn create_fresh_file(path: &Path) -> io::Result<File> {
    // Usually there is nothing, or the file of the previous stage.
    let _ = fs::remove_file(path);
    File::create_new(path)
}

/// Starts a process, and tries again while its file is open for writing.
///
/// The child of another thread holds copies of all our descriptors until it calls exec. A file among them that was just written cannot be
/// executed until then.
pub(super) fn retry_while_busy<T>(mut start: impl FnMut() -> io::Result<T>) -> io::Result<T> {
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

/// How a test ended that was not cancelled. A limit of processor time counts even if the test ended before a check, and so does the limit
/// `beyond`: the moment of a check must not decide.
pub(super) fn final_exit(
    woken: WakeReason,
    status: TestExit,
    cpu: Option<Duration>,
    limits: TimeLimits,
    beyond: Option<LimitKind>,
) -> TestExit {
    match (woken, beyond) {
        (WakeReason::LimitExceeded(limit), _)
        | (WakeReason::Exited | WakeReason::Answered, Some(limit)) => TestExit::Killed(limit),
        _ if limits.cpu.zip(cpu).is_some_and(|(limit, cpu)| cpu > limit) => {
            TestExit::Killed(LimitKind::Cpu)
        }
        _ => status,
    }
}
impl RunStep {
    fn describe_step(self) -> &'static str {
        match self {
            RunStep::Pipe => "making a pipe",
            RunStep::Start => "starting the test",
            RunStep::Wait => "waiting for the test",
            RunStep::Memory => "running the test",
        }
    }
}

impl From<RunStepError> for NoVerdict {
    fn from(RunStepError { step, error }: RunStepError) -> NoVerdict {
        match step {
            RunStep::Start => NoVerdict::from_spawn_error(&error),
            RunStep::Pipe | RunStep::Wait | RunStep::Memory => {
                NoVerdict::from_system_error(step.describe_step(), &error)
            }
        }
    }
}

impl fmt::Display for RunStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.describe_step())
    }
}
