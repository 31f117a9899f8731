//! The runner's side of a helper.

use std::fmt;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::process::Pid;
use smallvec::SmallVec;

use super::frame::{self, PartialFrame};
use super::lost_helper::{HelperWait, LostHelper};
use super::wire::{HelperGreeting, HelperReport, HelperRequest};
use super::{SANDBOX, SEEN, WORD};
use crate::oracle::cgroup::HelperCgroups;
use crate::oracle::cleanup::OwnDir;
use crate::oracle::scratch::HelperDirectory;
use crate::oracle::server_pipe::ServerAnswer;
use crate::oracle::server_process::{ServerQuestion, ServerReply};
use crate::oracle::test_command::TestCommand;
use crate::oracle::wait::{CancelSignal, has_exited, to_timespec};
use crate::oracle::{CgroupLimits, NoVerdict, ResourceQuotas, ScratchSpace, TestRun, system};

/// The longest time until the greeting of a helper, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest time until a helper and all its descendants have ended.
const PATIENCE_AT_END: Duration = Duration::from_secs(5);

/// Processes of the helper itself in its control group: the one that serves, and the one that waits for it.
const OWN: u64 = 2;

/// Processor time of all helpers of this process, in nanoseconds.
static OWN_CPU: AtomicU64 = AtomicU64::new(0);

/// User and system time of the helpers that this process has started, as of the last test of each. The time of the tests is not included.
pub fn helpers_cpu_time() -> Duration {
    Duration::from_nanos(OWN_CPU.load(Ordering::Relaxed))
}

/// The settings that helpers are started with.
#[derive(Clone, Debug)]
pub(in crate::oracle) struct HelperConfig {
    pub program: PathBuf,
    /// The limits that its control groups enforce.
    pub cgroup_quotas: ResourceQuotas,
    /// The settings of its sandbox, if it runs in one.
    pub sandbox: Option<SandboxConfig>,
}

/// The settings of a sandbox.
#[derive(Clone, Debug)]
pub(in crate::oracle) struct SandboxConfig {
    /// Where its tests' one writable directory is made.
    pub scratch: ScratchSpace,
    /// Paths that stay visible although the directory around them is hidden.
    pub visible_paths: Vec<PathBuf>,
}

/// A helper, and the settings for another one if it dies.
#[derive(Debug)]
pub(in crate::oracle) struct TestHelper {
    config: HelperConfig,
    process: Option<HelperProcess>,
    cgroup_limits: CgroupLimits,
    /// The directory of its tests, if it runs in a sandbox. Removed after the end of the process.
    directory: Option<HelperDirectory>,
}

/// The processes of a helper that works.
struct HelperProcess {
    /// The process that waits for the serving one.
    child: Child,
    /// The serving process and its descriptor. Known after the greeting.
    server: Option<(Pid, Option<OwnedFd>)>,
    /// None after it was told to end.
    requests: Option<ChildStdin>,
    answers: ChildStdout,
    /// Whether it can be expected to end when it is told to: it has sent its greeting, and has not failed since.
    trusted: bool,
    cpu_used: Duration,
    /// Dropped last, when the groups are empty.
    cgroups: HelperCgroups,
}

impl HelperConfig {
    /// A helper whose process starts with its first test.
    pub(in crate::oracle) fn new_helper(&self) -> TestHelper {
        TestHelper {
            config: self.clone(),
            process: None,
            cgroup_limits: CgroupLimits::default(),
            directory: None,
        }
    }

    /// So many helpers: the one that is ready, if there is one, and new ones, which start at the same time. Fails if one of them does not start,
    /// or reports that it cannot run tests.
    pub(in crate::oracle) fn start_helpers(
        &self,
        ready: Option<TestHelper>,
        count: usize,
    ) -> io::Result<Vec<TestHelper>> {
        let mut helpers: Vec<TestHelper> = ready.into_iter().collect();
        let ready = helpers.len();
        helpers.resize_with(count, || self.new_helper());
        for helper in &mut helpers[ready..] {
            helper.process = Some(helper.spawn_process()?);
        }
        for helper in &mut helpers[ready..] {
            let process = helper.process.as_mut();
            helper.cgroup_limits = process
                .map(HelperProcess::await_greeting)
                .transpose()?
                .unwrap_or_default();
        }
        Ok(helpers)
    }

    /// Whether a helper with the other settings can be used for this.
    fn is_same(&self, other: &HelperConfig) -> bool {
        let sandbox = |config: &HelperConfig| {
            let sandbox = config.sandbox.as_ref()?;
            Some((
                sandbox.scratch.root_path().to_path_buf(),
                sandbox.visible_paths.clone(),
            ))
        };
        self.program == other.program
            && self.cgroup_quotas == other.cgroup_quotas
            && sandbox(self) == sandbox(other)
    }
}

impl TestHelper {
    /// Whether it works, and can be used where one with these settings is wanted.
    pub(super) fn is_ready(&self, config: &HelperConfig) -> bool {
        let process = self.process.as_ref();
        process.is_some_and(HelperProcess::is_guarded) && self.config.is_same(config)
    }

    /// The limits that its control groups enforce.
    pub(in crate::oracle) fn cgroup_limits(&self) -> CgroupLimits {
        self.cgroup_limits
    }

    /// Ends its process, with all that this has started. The next test starts another.
    pub(in crate::oracle) fn end_process(&mut self) {
        self.process = None;
    }

    /// Creates the directory of its tests if it is in a sandbox.
    pub(in crate::oracle) fn ensure_directory(&mut self) -> io::Result<Option<&OwnDir>> {
        if let (None, Some(sandbox)) = (&self.directory, &self.config.sandbox) {
            self.directory = Some(sandbox.scratch.create_helper_dir()?);
        }
        Ok(self.directory.as_ref().map(HelperDirectory::own))
    }

    fn spawn_process(&mut self) -> io::Result<HelperProcess> {
        self.ensure_directory()?;
        HelperProcess::spawn_helper(&self.config, self.directory.as_ref())
    }

    /// Runs a test. None if it was cancelled.
    pub(in crate::oracle) fn run_command(
        &mut self,
        command: &TestCommand,
        cancel_signal: Option<&CancelSignal>,
    ) -> Result<Option<TestRun>, HelperFailure> {
        let request = HelperRequest::Run(Box::new(command.clone()));
        let report = self.request_report(&request, command, command.limits.wall, cancel_signal)?;
        Ok(report.into_result().map_err(NoVerdict::from)?)
    }

    /// Asks a server: the one that runs, or else a new one. That a running one had ended is reported, and no other is started.
    pub(in crate::oracle) fn ask_server(
        &mut self,
        question: &ServerQuestion,
        cancel_signal: Option<&CancelSignal>,
    ) -> Result<ServerReply, HelperFailure> {
        let request = HelperRequest::Ask(Box::new(question.clone()));
        let command = &question.command;
        let mut report =
            self.request_report(&request, command, command.limits.wall, cancel_signal)?;
        let answer = std::mem::replace(&mut report.answer, ServerAnswer::Nothing);
        let run = report.into_result().map_err(NoVerdict::from)?;
        Ok(match (run, answer) {
            (Some(run), answer) => ServerReply::Answered(run, answer),
            (None, ServerAnswer::Ended) => ServerReply::Ended,
            (None, _) => ServerReply::Cancelled,
        })
    }

    /// Sends a request about this command, and waits for its report, which comes within this time.
    fn request_report(
        &mut self,
        request: &HelperRequest,
        command: &TestCommand,
        longest: Option<Duration>,
        cancel_signal: Option<&CancelSignal>,
    ) -> Result<HelperReport, HelperFailure> {
        // A helper without its waiting process is replaced: nothing would clean up after the next test. The helper is taken out until it
        // has answered, so that a panic ends it.
        let mut process = match self.process.take().filter(HelperProcess::is_guarded) {
            Some(process) => process,
            None => {
                let lost = |error| NoVerdict::from_system_error("starting a helper", &error);
                let mut process = self.spawn_process().map_err(lost)?;
                process.await_greeting().map_err(lost)?;
                process
            }
        };
        match process.await_report(request, longest, cancel_signal) {
            Ok(report) => {
                process.add_cpu_time(report.own_cpu);
                self.process = (!report.is_unusable).then_some(process);
                Ok(report)
            }
            Err(lost) => {
                process.trusted = false;
                drop(process);
                system::kill_escaped(&command.dir);
                Err(HelperFailure::Lost(lost))
            }
        }
    }
}

/// Why there is no answer of a helper.
#[derive(Debug)]
pub(in crate::oracle) enum HelperFailure {
    /// The helper is lost. Another one may give an answer.
    Lost(LostHelper),
    /// The system refused something.
    Refused(NoVerdict),
}

impl From<NoVerdict> for HelperFailure {
    fn from(reason: NoVerdict) -> HelperFailure {
        HelperFailure::Refused(reason)
    }
}

impl HelperProcess {
    fn spawn_helper(
        start: &HelperConfig,
        directory: Option<&HelperDirectory>,
    ) -> io::Result<HelperProcess> {
        let cgroups = HelperCgroups::new(start.cgroup_quotas, OWN);
        let mut command = Command::new(&start.program);
        command.arg(WORD);
        if let Some((directory, sandbox)) = directory.zip(start.sandbox.as_ref()) {
            command.arg(SANDBOX).arg(directory.path());
            for path in &sandbox.visible_paths {
                command.arg(SEEN).arg(path);
            }
        }
        let mut child = command
            .args(cgroups.to_arguments())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Its messages would appear in the middle of the screen.
            .stderr(Stdio::null())
            // Signals of the terminal are for lop alone. It ends its helpers itself.
            .process_group(0)
            .spawn()?;
        let missing = || io::Error::other("it has no pipes");
        Ok(HelperProcess {
            requests: Some(child.stdin.take().ok_or_else(missing)?),
            answers: child.stdout.take().ok_or_else(missing)?,
            trusted: false,
            cpu_used: Duration::ZERO,
            server: None,
            child,
            cgroups,
        })
    }

    /// Reads the greeting. Returns the limits that the control groups enforce.
    fn await_greeting(&mut self) -> io::Result<CgroupLimits> {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let mut waiting = [PollFd::new(&self.answers, PollFlags::IN)];
            match rustix::event::poll(&mut waiting, Some(&to_timespec(left))) {
                Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
                Ok(_) => break,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let greeting: HelperGreeting = frame::decode_message(&self.receive_frame()?)?;
        let held = greeting.into_limits()?;
        self.trusted = true;
        let servers = system::child_processes(self.pid()).unwrap_or_default();
        let server = servers.first().copied();
        self.server = server.map(|server| (server, system::exit_descriptor(server)));
        Ok(held)
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Whether the waiting process is alive, which reaps all that the serving one has started.
    fn is_guarded(&self) -> bool {
        has_exited(self.pid()).is_ok_and(|ended| !ended)
    }

    /// Sends the request and waits for the report. Cancels the test when `cancel_signal` is sent.
    fn await_report(
        &mut self,
        request: &HelperRequest,
        longest: Option<Duration>,
        cancel_signal: Option<&CancelSignal>,
    ) -> Result<HelperReport, LostHelper> {
        self.send_request(request)?;
        let server = self.server.iter().map(|(server, _)| *server);
        let processes = server.chain([self.pid()]).collect();
        let mut wait = HelperWait::new(processes, longest);
        let (mut cancel_signal, mut answer) = (cancel_signal, PartialFrame::default());
        loop {
            if self.poll_answers(&mut wait, cancel_signal)? {
                if let Some(answer) = answer.read_available(&mut self.answers)? {
                    return Ok(frame::decode_message(&answer)?);
                }
                // It is in the middle of its answer.
                wait.shorten_wait();
            }
            if cancel_signal
                .take_if(|cancel_signal| cancel_signal.is_cancelled())
                .is_some()
            {
                self.send_request(&HelperRequest::Cancel)?;
                wait.shorten_wait();
            }
        }
    }

    /// Waits a limited time for a part of the answer, or for `cancel_signal`. Returns whether there is a part to read.
    fn poll_answers(
        &self,
        wait: &mut HelperWait,
        cancel_signal: Option<&CancelSignal>,
    ) -> Result<bool, LostHelper> {
        let sources = [
            Some(self.answers.as_fd()),
            cancel_signal.map(CancelSignal::poll_descriptor),
        ];
        let sources = sources.into_iter().flatten();
        let mut waiting: SmallVec<[PollFd<'_>; 2]> = sources
            .map(|source| PollFd::from_borrowed_fd(source, PollFlags::IN))
            .collect();
        let mut heard = false;
        wait.poll_once(|most| {
            let ready = match rustix::event::poll(&mut waiting, Some(&to_timespec(most))) {
                Ok(ready) => ready > 0,
                Err(Errno::INTR) => true,
                Err(error) => return Err(error.into()),
            };
            heard = ready && !waiting[0].revents().is_empty();
            Ok(ready)
        })?;
        Ok(heard)
    }

    fn send_request(&mut self, request: &HelperRequest) -> io::Result<()> {
        let requests = self.requests.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        frame::write_message(requests, request)
    }

    fn receive_frame(&mut self) -> io::Result<Vec<u8>> {
        let died = || io::Error::new(io::ErrorKind::UnexpectedEof, "it has died");
        frame::read_frame(&mut self.answers)?.ok_or_else(died)
    }

    /// Whether it ends in time.
    fn exits_in_time(&self) -> bool {
        let Some(exit) = system::exit_descriptor(self.pid()) else {
            // The system cannot tell. It is our child, so its number is not reused.
            return true;
        };
        has_ended_after(&exit, PATIENCE_AT_END)
    }

    fn add_cpu_time(&mut self, used: Duration) {
        let more = used.saturating_sub(self.cpu_used);
        self.cpu_used = used;
        let more = u64::try_from(more.as_nanos()).unwrap_or_default();
        OWN_CPU.fetch_add(more, Ordering::Relaxed);
    }
}

/// Whether the process of a descriptor ends within this time.
fn has_ended_after(exit: &OwnedFd, most: Duration) -> bool {
    let mut waiting = [PollFd::new(exit, PollFlags::IN)];
    let until = Instant::now() + most;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        match rustix::event::poll(&mut waiting, Some(&to_timespec(left))) {
            Err(Errno::INTR) => {}
            ended => return ended.is_ok_and(|ended| ended > 0),
        }
    }
}

impl Drop for HelperProcess {
    /// A helper ends when its requests are closed. If it does not, its descendants are killed first, then the helper itself: a process that
    /// loses its parent becomes a child of one of the two.
    fn drop(&mut self) {
        self.trusted &= self.is_guarded();
        self.requests = None;
        if !self.trusted || !self.exits_in_time() {
            self.cgroups.forbid_forks();
            system::kill_descendants(self.pid(), PATIENCE_AT_END);
            // If it has ended, its number may have been reused.
            if let Some((server, Some(descriptor))) = &self.server
                && !has_ended_after(descriptor, Duration::ZERO)
            {
                system::kill_descendants(*server, PATIENCE_AT_END);
                system::kill_process(descriptor);
            }
            // Fails only if the process is dead.
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

impl fmt::Debug for HelperProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Process").field(&self.child.id()).finish()
    }
}
