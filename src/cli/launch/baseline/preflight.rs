//! The test on the original, before anything else is asked; and on nothing at all.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, after, select};

use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO};
use crate::cli::messages::report_message;
use crate::display::{EscapeHidden, escape_page, sanitize_line};
use crate::doctor::file_name;
use crate::oracle::{
    CANDIDATE, DetailedOutcome, InterestingnessTest, JobId, JobResult, LimitKind, LocalRunner,
    NoVerdict, Runner, ScratchSpace, ScriptInterpreter, StageCommand, StageRole, TestExit,
    TestIsolation, TestJob, TestOutcome, TestRun, TestStage, TimeLimits, TrialRun, Verdict,
};
use crate::plain::{format_duration, quote_path_for_display};
use crate::reduce::Quorum;
use crate::session::InputFile;

/// How many lines of either end of the test's output are shown.
const SHOWN: usize = 10;
/// After so long a word is said about waiting.
const PATIENCE: Duration = Duration::from_secs(2);

/// Asks the test before the run does.
pub struct PreflightTester<'a> {
    /// The test.
    pub test: &'a InterestingnessTest,
    /// Where it runs.
    pub scratch: &'a ScratchSpace,
    /// How it is looked after.
    pub isolation: &'a TestIsolation,
    /// What is reduced.
    pub input: &'a InputFile,
    /// Signals that ask for the end.
    pub signals: &'a Receiver<i32>,
}

/// Why a run cannot begin, or not in this way.
pub enum PreflightError {
    /// For the user.
    Failure(CommandFailure),
    /// The test goes beyond what it may take of the machine.
    LimitExceeded(LimitKind),
}

impl From<CommandFailure> for PreflightError {
    fn from(failure: CommandFailure) -> PreflightError {
        PreflightError::Failure(failure)
    }
}

impl PreflightTester<'_> {
    /// Tests the original; the run of the test. If it is not interesting, the failure says all that helps to find out why.
    pub fn test_original(
        &self,
        limits: TimeLimits,
        quorum: Option<Quorum>,
    ) -> Result<TestRun, PreflightError> {
        let golden = self.run_baseline(&self.input.bytes, limits, quorum)?;
        let flaky = golden.describe_flakiness();
        let outcome = golden.outcome;
        match outcome {
            TestOutcome::Verdict(Verdict::Interesting, run) => return Ok(run),
            TestOutcome::Verdict(Verdict::Invalid, _) if self.has_checks() => {
                if let Some(failure) = self.check_failure(&self.observe_original(limits)?) {
                    return Err(failure.into());
                }
            }
            TestOutcome::Verdict(_, ref run) => check_quotas(run)?,
            TestOutcome::NoVerdict(_) | TestOutcome::Cancelled => {}
        }
        let mut failure = self.explain_outcome(&outcome);
        let more = [
            flaky,
            self.doctor_hint()
                .map(|doctor| format!("have it examined: {doctor}")),
        ];
        for line in more.into_iter().flatten() {
            failure.error = anyhow::anyhow!("{}\n  - {line}", failure.error);
        }
        Err(failure.into())
    }

    fn has_checks(&self) -> bool {
        let mut stages = self.test.stages().iter();
        stages.any(|stage| stage.role == StageRole::Check)
    }

    /// What is to be said of a check that fails on the original; none if the last that ran is none, or did not fail.
    pub fn check_failure(&self, seen: &DetailedOutcome) -> Option<CommandFailure> {
        let last = seen.runs.len().checked_sub(1)?;
        let stage = self.test.stages().get(last)?;
        let run = &seen.runs[last].run;
        if stage.role != StageRole::Check || run.exit == TestExit::Code(0) {
            return None;
        }
        let mut lines = vec![format!(
            "the check fails on the original {}. A candidate that fails the check is never tested, so there is nothing to reduce.",
            self.input.named.escape_hidden()
        )];
        lines.push(self.describe_stage(stage));
        lines.push(self.describe_directory());
        lines.push(format!(
            "  end:     {} after {}",
            run.exit,
            format_duration(run.time)
        ));
        lines.extend(output_excerpt(run));
        lines.push("What to try: run the check by hand and fix it, or remove it".into());
        Some(CommandFailure::new(NOTHING_TO_DO, lines.join("\n")))
    }

    /// The program of a command that is nowhere in PATH.
    fn missing_program(&self) -> Option<&str> {
        let programs = self
            .test
            .stages()
            .iter()
            .filter_map(|stage| match &stage.line {
                StageCommand::Words(words) => words.first(),
                StageCommand::Script(_) | StageCommand::Shell(_) => None,
            });
        let path = std::env::var_os("PATH").unwrap_or_default();
        let is_there = |program: &str| match program.contains('/') {
            true => Path::new(program).exists(),
            false => std::env::split_paths(&path).any(|dir| dir.join(program).is_file()),
        };
        programs
            .map(String::as_str)
            .find(|program| !is_there(program))
    }

    /// Why there is nothing to reduce, with all that helps to find out more.
    pub fn explain_outcome(&self, outcome: &TestOutcome) -> CommandFailure {
        match outcome {
            TestOutcome::Verdict(_, run) => {
                CommandFailure::new(NOTHING_TO_DO, self.explain_uninteresting(run))
            }
            TestOutcome::NoVerdict(trouble) => {
                CommandFailure::new(FAILED, self.explain_no_verdict(trouble))
            }
            // Nobody cancels it but the signal, which `ask` reports.
            TestOutcome::Cancelled => {
                CommandFailure::new(FAILED, "the test of the original was cancelled")
            }
        }
    }

    /// Who knows more of a script.
    pub fn doctor_hint(&self) -> Option<String> {
        let script = self.test.script()?;
        let (file, test) = (
            quote_path_for_display(&self.input.named),
            quote_path_for_display(script.path()),
        );
        Some(format!("lop doctor {file} {test}"))
    }

    /// Tests a version of an earlier run once more. If it is not interesting any more in each run, but in some, a sentence says so, and
    /// the run can go on.
    pub fn retest_version(
        &self,
        bytes: &[u8],
        limits: TimeLimits,
        quorum: Option<Quorum>,
    ) -> Result<Option<String>, PreflightError> {
        let golden = self.run_baseline(&Arc::from(bytes), limits, quorum)?;
        let flaky = golden.describe_flakiness().filter(|_| quorum.is_none());
        let failure = match golden.outcome {
            TestOutcome::Verdict(Verdict::Interesting, _) => return Ok(None),
            TestOutcome::Verdict(..) if flaky.is_some() => return Ok(flaky),
            TestOutcome::Verdict(_, run) => {
                check_quotas(&run)?;
                let mut lines = vec![
                    "the test no longer finds the newest version of this session interesting, so the run cannot be resumed."
                        .to_owned(),
                ];
                lines.extend(self.describe_circumstances());
                lines.push(format!(
                    "  end:     {} after {}",
                    run.exit,
                    format_duration(run.time)
                ));
                lines.extend(output_excerpt(&run));
                lines.push("What to try: restore the test, the compiler and the environment; or find an older version that is still interesting (`lop history`, `lop show N`) and reduce that one".into());
                CommandFailure::new(NOTHING_TO_DO, lines.join("\n"))
            }
            TestOutcome::NoVerdict(trouble) => {
                CommandFailure::new(FAILED, self.explain_no_verdict(&trouble))
            }
            TestOutcome::Cancelled => CommandFailure::new(FAILED, "the test was cancelled"),
        };
        Err(failure.into())
    }

    /// Whether a file with these bytes is interesting. A test that fails on it does not say so, and one that this budget ends and not
    /// its own limit says nothing: not to end may be what is looked for.
    pub fn is_interesting(
        &self,
        bytes: &[u8],
        limits: TimeLimits,
        budget: Duration,
    ) -> Result<bool, CommandFailure> {
        let is_less = limits.wall.is_none_or(|limit| budget < limit);
        let wall = if is_less { Some(budget) } else { limits.wall };
        let ends = TimeLimits { wall, ..limits };
        Ok(match self.test_once(&Arc::from(bytes), ends)? {
            TestOutcome::Verdict(_, run)
                if is_less && run.exit == TestExit::Killed(LimitKind::Wall) =>
            {
                false
            }
            outcome => outcome.verdict() == Some(Verdict::Interesting),
        })
    }

    /// Runs the commands on the original, and tells what each did.
    pub fn observe_original(&self, limits: TimeLimits) -> Result<DetailedOutcome, PreflightError> {
        let seen = self.run_commands(limits)?;
        if let TestOutcome::Verdict(_, run) = &seen.outcome {
            check_quotas(run)?;
        }
        Ok(seen)
    }

    fn run_commands(&self, limits: TimeLimits) -> Result<DetailedOutcome, CommandFailure> {
        let cannot =
            |error| CommandFailure::new(FAILED, format!("the command cannot be run: {error}"));
        let (test, scratch) = (self.test.clone(), self.scratch.clone());
        let files = vec![(self.input.file_name().into(), self.input.bytes.clone())];
        let look = TrialRun::start(test, scratch, files, limits, self.isolation.clone())
            .map_err(cannot)?;
        let patience = after(PATIENCE);
        loop {
            select! {
                recv(look.outcome_receiver()) -> seen => {
                    return seen.map_err(|_| CommandFailure::new(FAILED, "the thread that runs the command has died"));
                }
                // The command is killed when the look is dropped.
                recv(self.signals) -> signal => return Err(CommandFailure::stopped_by_signal(signal.unwrap_or_default())),
                recv(patience) -> _ => self.report_waiting(limits.wall),
            }
        }
    }

    /// Asks once.
    pub fn test_once(
        &self,
        bytes: &Arc<[u8]>,
        limits: TimeLimits,
    ) -> Result<TestOutcome, CommandFailure> {
        let cannot =
            |error| CommandFailure::new(FAILED, format!("the test cannot be run: {error}"));
        let (test, scratch) = (self.test.clone(), self.scratch.clone());
        let mut runner =
            LocalRunner::new(test, scratch, 1, self.isolation.clone()).map_err(cannot)?;
        runner.submit(TestJob {
            id: JobId(0),
            files: vec![(self.input.file_name().into(), bytes.clone())],
            limits,
            alone: true,
        });
        let patience = after(PATIENCE);
        loop {
            select! {
                recv(runner.result_receiver()) -> answer => match answer {
                    Ok(JobResult { outcome, .. }) => return Ok(outcome),
                    Err(_) => return Err(CommandFailure::new(FAILED, "the thread that runs the test has died")),
                },
                // The runner kills the test when it is dropped.
                recv(self.signals) -> signal => return Err(CommandFailure::stopped_by_signal(signal.unwrap_or_default())),
                recv(patience) -> _ => self.report_waiting(limits.wall),
            }
        }
    }

    /// A slow test should not look like a lop that does nothing.
    fn report_waiting(&self, limit: Option<Duration>) {
        let until = limit
            .map(|limit| format!(", for at most {}", format_duration(limit)))
            .unwrap_or_default();
        report_message(&format!(
            "the test is running on the original {}{until}; Ctrl-C stops it",
            self.input.named.escape_hidden()
        ));
    }

    fn explain_uninteresting(&self, run: &TestRun) -> String {
        let end = match run.exit {
            TestExit::Code(125) => format!(
                "exit 125 after {}, which means that the file is invalid",
                format_duration(run.time)
            ),
            TestExit::Code(code) => format!(
                "exit {code} after {}; only exit 0 means that the file is interesting",
                format_duration(run.time)
            ),
            TestExit::Signal(signal) => format!(
                "it was killed by signal {signal} after {}",
                format_duration(run.time)
            ),
            TestExit::Killed(_) => format!(
                "it had not ended after {}, and was killed",
                format_duration(run.time)
            ),
        };
        let mut lines = vec![format!(
            "the test does not find {} interesting, so there is nothing to reduce.",
            self.input.named.escape_hidden()
        )];
        lines.extend(self.describe_circumstances());
        lines.push(format!("  end:     {end}"));
        lines.extend(output_excerpt(run));
        lines.push("What to try:".into());
        if let TestExit::Killed(_) = run.exit {
            lines.push("  - give it more time: --timeout S, or --timeout 0 for no limit".into());
        }
        lines.push(format!(
            "  - run it by hand {}:\n        {}",
            self.how_by_hand(),
            self.manual_command()
        ));
        if let Some(script) = self.test.script() {
            lines.push(format!(
                "  - {}",
                file_name::file_name_advice(Path::new(self.input.file_name()), script.path())
            ));
        }
        lines.push(
            "  - the test sees an empty directory with a copy of the file: other files that it needs must have absolute paths".into(),
        );
        lines.push("  - its last command decides: exit 0 if the file still shows the bug, anything else if not".into());
        lines.join("\n")
    }

    pub fn explain_no_verdict(&self, trouble: &NoVerdict) -> String {
        let missing = match trouble {
            NoVerdict::CannotStart { .. } => self.missing_program(),
            _ => None,
        };
        let mut lines = vec![match missing {
            Some(path) if path.contains('/') => {
                format!(
                    "the command cannot be started: there is no {}.",
                    path.escape_hidden()
                )
            }
            Some(program) => {
                format!(
                    "the command cannot be started: {} is not in PATH.",
                    program.escape_hidden()
                )
            }
            None => format!("{trouble}."),
        }];
        lines.extend(self.describe_circumstances());
        match trouble {
            NoVerdict::CannotStart { .. } if missing.is_some() => {
                lines.push("What to try: check its spelling, install it, or give its absolute path: PATH is the one that lop was started with".into());
            }
            NoVerdict::TestFailed { run } => {
                lines.extend(output_excerpt(run));
                lines.push("What to try:".into());
                lines.push(format!(
                    "  - run it by hand {}:\n        {}",
                    self.how_by_hand(),
                    self.manual_command()
                ));
                lines.push("  - install what it calls, or give its absolute path: PATH is the one that lop was started with".into());
                lines.push(
                    "  - a test that means \"not interesting\" should exit with 1, not 126 or 127: the shell uses these for a command that it cannot run"
                        .into(),
                );
            }
            NoVerdict::CannotStart { .. } => {
                lines.push("What to try:".into());
                lines.push(format!(
                    "  - start it by hand:\n        {}",
                    self.manual_command()
                ));
                lines.push("  - a script needs a first line such as #!/bin/sh that names a program which exists".into());
            }
            NoVerdict::InternalError { .. } => {}
            NoVerdict::HelperLost { .. } => {
                lines.push("What to try:".into());
                lines.push("  - check whether the test, or a program that it starts, sends signals to its parent ($PPID) or to all processes of a name".into());
                lines.push("  - dmesg shows whether the system killed it for lack of memory; --jobs 1 needs the least".into());
            }
            NoVerdict::System { .. } => {
                lines.push("What to try:".into());
                lines.push(
                    "  - free some space, or choose another directory for the tests with --scratch DIR"
                        .into(),
                );
            }
        }
        lines.join("\n")
    }

    /// What ran and where.
    pub fn describe_circumstances(&self) -> Vec<String> {
        let ran = self
            .test
            .stages()
            .iter()
            .map(|stage| self.describe_stage(stage));
        let sandbox = self.isolation.sandbox.then(|| {
            "  sandbox: it reaches no network, socket or device; of /tmp, /var/tmp and /dev/shm it sees the directory that lop was started in and what its text or its command names"
                .to_owned()
        });
        ran.chain([self.describe_directory()])
            .chain(sandbox)
            .collect()
    }

    fn describe_stage(&self, stage: &TestStage) -> String {
        let name = self.input.file_name().escape_hidden();
        match &stage.line {
            StageCommand::Script(script) => {
                let path = quote_path_for_display(script.path());
                let shell = match script.interpreter() {
                    ScriptInterpreter::System => "",
                    ScriptInterpreter::Shell => "/bin/sh ",
                };
                format!("  ran:     {shell}{path} {name}  (with the absolute path of {name})")
            }
            line => format!("  ran:     {}", sanitize_line(&self.fill_in_name(line))),
        }
    }

    fn describe_directory(&self) -> String {
        format!(
            "  where:   in an empty directory under {} with a copy of {}; it has been removed",
            self.scratch.root_path().escape_hidden(),
            self.input.file_name().escape_hidden()
        )
    }

    /// A line with the file's name in its place.
    fn fill_in_name(&self, line: &StageCommand) -> String {
        let name = quote_path_for_display(Path::new(self.input.file_name()));
        line.to_string().replace(CANDIDATE, &name)
    }

    fn how_by_hand(&self) -> &'static str {
        match self.isolation.sandbox {
            true => "(with all your rights, not in the sandbox)",
            false => "as lop does",
        }
    }

    /// A line for the shell that does the same.
    fn manual_command(&self) -> String {
        let file = quote_path_for_display(&self.input.path);
        let name = quote_path_for_display(Path::new(self.input.file_name()));
        let stages = self.test.stages().iter().map(|stage| match &stage.line {
            StageCommand::Script(script) => {
                let shell = match script.interpreter() {
                    ScriptInterpreter::System => "",
                    ScriptInterpreter::Shell => "sh ",
                };
                format!(
                    "{shell}{} \"$PWD\"/{name}; echo $?",
                    quote_path_for_display(script.path())
                )
            }
            line => format!("{}; echo $?", self.fill_in_name(line)),
        });
        let stages: Vec<String> = stages.collect();
        format!(
            "cd \"$(mktemp -d)\" && cp {file} {name} && {}",
            stages.join("; ")
        )
    }
}

/// A refusal if the test went beyond what it may take of the machine.
fn check_quotas(run: &TestRun) -> Result<(), PreflightError> {
    match run.exit {
        TestExit::Killed(bound) if !bound.is_time_limit() => {
            Err(PreflightError::LimitExceeded(bound))
        }
        _ => Ok(()),
    }
}

/// Head and tail of what a test printed.
pub fn output_excerpt(run: &TestRun) -> Vec<String> {
    if run.output.is_empty() {
        return vec!["  printed: nothing".into()];
    }
    let text = run.output.to_bytes();
    let text = escape_page(&text);
    let all: Vec<&str> = text.lines().collect();
    let mut lines = vec!["  printed:".to_owned()];
    let left_out = all.len().saturating_sub(2 * SHOWN);
    let (head, tail) = if left_out == 0 {
        (&all[..], &[][..])
    } else {
        (&all[..SHOWN], &all[all.len() - SHOWN..])
    };
    lines.extend(head.iter().map(|line| format!("    | {line}")));
    if left_out > 0 {
        lines.push(format!("    ({left_out} more lines)"));
    }
    lines.extend(tail.iter().map(|line| format!("    | {line}")));
    lines
}
