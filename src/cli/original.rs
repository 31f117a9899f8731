//! The test on the original, before anything else is asked; and on nothing at all.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, after, select};

use super::complain;
use super::failure::{FAILED, Failure, NOTHING_TO_DO};
use crate::display::{Shown, shown_page, tamed};
use crate::doctor::called;
use crate::oracle::{
    Answer, Bound, CANDIDATE, Care, Exit, Interpreter, Job, JobId, Limits, Line, LocalRunner, Look,
    NoVerdict, Outcome, Role, Run, Runner, Scratch, Seen, Stage, Test, Verdict,
};
use crate::plain::{quoted, seconds};
use crate::reduce::Quorum;
use crate::session::Input;

/// How many lines of either end of the test's output are shown.
const SHOWN: usize = 10;
/// After so long a word is said about waiting.
const PATIENCE: Duration = Duration::from_secs(2);

/// Asks the test before the run does.
pub(super) struct Question<'a> {
    /// The test.
    pub test: &'a Test,
    /// Where it runs.
    pub scratch: &'a Scratch,
    /// How it is looked after.
    pub care: &'a Care,
    /// What is reduced.
    pub input: &'a Input,
    /// Signals that ask for the end.
    pub signals: &'a Receiver<i32>,
}

/// Why a run cannot begin, or not in this way.
pub(super) enum Refusal {
    /// For the user.
    Failure(Failure),
    /// The test goes beyond what it may take of the machine.
    Beyond(Bound),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        Refusal::Failure(failure)
    }
}

impl Question<'_> {
    /// Tests the original; the run of the test. If it is not interesting, the failure says all that helps to find out why.
    pub fn original(&self, limits: Limits, quorum: Option<Quorum>) -> Result<Run, Refusal> {
        let golden = self.golden(&self.input.bytes, limits, quorum)?;
        let flaky = golden.flaky();
        let outcome = golden.outcome;
        match outcome {
            Outcome::Verdict(Verdict::Interesting, run) => return Ok(run),
            Outcome::Verdict(Verdict::Invalid, _) if self.has_checks() => {
                if let Some(failure) = self.check_failed(&self.look(limits)?) {
                    return Err(failure.into());
                }
            }
            Outcome::Verdict(_, ref run) => within(run)?,
            Outcome::NoVerdict(_) | Outcome::Cancelled => {}
        }
        let mut failure = self.refused(&outcome);
        let more = [
            flaky,
            self.doctor()
                .map(|doctor| format!("have it examined: {doctor}")),
        ];
        for line in more.into_iter().flatten() {
            failure.error = anyhow::anyhow!("{}\n  - {line}", failure.error);
        }
        Err(failure.into())
    }

    fn has_checks(&self) -> bool {
        let mut stages = self.test.stages().iter();
        stages.any(|stage| stage.role == Role::Check)
    }

    /// What is to be said of a check that fails on the original; none if the last that ran is none, or did not fail.
    pub(super) fn check_failed(&self, seen: &Seen) -> Option<Failure> {
        let last = seen.runs.len().checked_sub(1)?;
        let stage = self.test.stages().get(last)?;
        let run = &seen.runs[last].run;
        if stage.role != Role::Check || run.exit == Exit::Code(0) {
            return None;
        }
        let mut lines = vec![format!(
            "the check fails on {} as it is, and what it fails on is never tested, so there is nothing to reduce.",
            self.input.named.shown()
        )];
        lines.push(self.ran(stage));
        lines.push(self.place());
        lines.push(format!(
            "  end:     {} after {}",
            run.exit,
            seconds(run.time)
        ));
        lines.extend(printed(run));
        lines.push("What to try: run the check by hand and mend it, or do without it".into());
        Some(Failure::new(NOTHING_TO_DO, lines.join("\n")))
    }

    /// The program of a command that is nowhere in PATH.
    fn missing(&self) -> Option<&str> {
        let programs = self
            .test
            .stages()
            .iter()
            .filter_map(|stage| match &stage.line {
                Line::Words(words) => words.first(),
                Line::Script(_) | Line::Shell(_) => None,
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
    pub fn refused(&self, outcome: &Outcome) -> Failure {
        match outcome {
            Outcome::Verdict(_, run) => Failure::new(NOTHING_TO_DO, self.not_interesting(run)),
            Outcome::NoVerdict(trouble) => Failure::new(FAILED, self.failed(trouble)),
            // Nobody cancels it but the signal, which `ask` reports.
            Outcome::Cancelled => Failure::new(FAILED, "the test of the original was cancelled"),
        }
    }

    /// Who knows more of a script.
    pub fn doctor(&self) -> Option<String> {
        let script = self.test.script()?;
        let (file, test) = (quoted(&self.input.named), quoted(script.path()));
        Some(format!("lop doctor {file} {test}"))
    }

    /// Tests a version of an earlier run once more. If it is not interesting any more in each run, but in some, a sentence says so, and
    /// the run can go on.
    pub fn version(
        &self,
        bytes: &[u8],
        limits: Limits,
        quorum: Option<Quorum>,
    ) -> Result<Option<String>, Refusal> {
        let golden = self.golden(&Arc::from(bytes), limits, quorum)?;
        let flaky = golden.flaky().filter(|_| quorum.is_none());
        let failure = match golden.outcome {
            Outcome::Verdict(Verdict::Interesting, _) => return Ok(None),
            Outcome::Verdict(..) if flaky.is_some() => return Ok(flaky),
            Outcome::Verdict(_, run) => {
                within(&run)?;
                let mut lines = vec![
                    "the test does not find the newest version of this session interesting any more, so nothing can go on from it."
                        .to_owned(),
                ];
                lines.extend(self.circumstances());
                lines.push(format!(
                    "  end:     {} after {}",
                    run.exit,
                    seconds(run.time)
                ));
                lines.extend(printed(&run));
                lines.push("What to try: put the test, the compiler and the environment back as they were; or look for an older version that it still finds interesting (`lop history`, `lop show N`) and reduce that anew".into());
                Failure::new(NOTHING_TO_DO, lines.join("\n"))
            }
            Outcome::NoVerdict(trouble) => Failure::new(FAILED, self.failed(&trouble)),
            Outcome::Cancelled => Failure::new(FAILED, "the test was cancelled"),
        };
        Err(failure.into())
    }

    /// Whether a file with these bytes is interesting. A test that fails on it does not say so, and one that this budget ends and not
    /// its own limit says nothing: not to end may be what is looked for.
    pub fn finds(&self, bytes: &[u8], limits: Limits, budget: Duration) -> Result<bool, Failure> {
        let is_less = limits.wall.is_none_or(|limit| budget < limit);
        let wall = if is_less { Some(budget) } else { limits.wall };
        let ends = Limits { wall, ..limits };
        Ok(match self.ask(&Arc::from(bytes), ends)? {
            Outcome::Verdict(_, run) if is_less && run.exit == Exit::Killed(Bound::Wall) => false,
            outcome => outcome.verdict() == Some(Verdict::Interesting),
        })
    }

    /// Runs the commands on the original, and tells what each did.
    pub fn look(&self, limits: Limits) -> Result<Seen, Refusal> {
        let seen = self.looked(limits)?;
        if let Outcome::Verdict(_, run) = &seen.outcome {
            within(run)?;
        }
        Ok(seen)
    }

    fn looked(&self, limits: Limits) -> Result<Seen, Failure> {
        let cannot = |error| Failure::new(FAILED, format!("the command cannot be run: {error}"));
        let (test, scratch) = (self.test.clone(), self.scratch.clone());
        let files = vec![(self.input.name().into(), self.input.bytes.clone())];
        let look = Look::start(test, scratch, files, limits, self.care.clone()).map_err(cannot)?;
        let patience = after(PATIENCE);
        loop {
            select! {
                recv(look.seen()) -> seen => {
                    return seen.map_err(|_| Failure::new(FAILED, "the thread that runs the command has died"));
                }
                // The command is killed when the look is dropped.
                recv(self.signals) -> signal => return Err(Failure::stopped(signal.unwrap_or_default())),
                recv(patience) -> _ => self.still_waiting(limits.wall),
            }
        }
    }

    /// Asks once.
    pub fn ask(&self, bytes: &Arc<[u8]>, limits: Limits) -> Result<Outcome, Failure> {
        let cannot = |error| Failure::new(FAILED, format!("the test cannot be run: {error}"));
        let (test, scratch) = (self.test.clone(), self.scratch.clone());
        let mut runner = LocalRunner::new(test, scratch, 1, self.care.clone()).map_err(cannot)?;
        runner.submit(Job {
            id: JobId(0),
            files: vec![(self.input.name().into(), bytes.clone())],
            limits,
            alone: true,
        });
        let patience = after(PATIENCE);
        loop {
            select! {
                recv(runner.answers()) -> answer => match answer {
                    Ok(Answer { outcome, .. }) => return Ok(outcome),
                    Err(_) => return Err(Failure::new(FAILED, "the thread that runs the test has died")),
                },
                // The runner kills the test when it is dropped.
                recv(self.signals) -> signal => return Err(Failure::stopped(signal.unwrap_or_default())),
                recv(patience) -> _ => self.still_waiting(limits.wall),
            }
        }
    }

    /// A slow test should not look like a lop that does nothing.
    fn still_waiting(&self, limit: Option<Duration>) {
        let until = limit
            .map(|limit| format!(", for at most {}", seconds(limit)))
            .unwrap_or_default();
        complain(&format!(
            "the test is running on {} as it is{until}; Ctrl-C stops it",
            self.input.named.shown()
        ));
    }

    fn not_interesting(&self, run: &Run) -> String {
        let end = match run.exit {
            Exit::Code(125) => format!(
                "exit 125 after {}, which means that the file says nothing",
                seconds(run.time)
            ),
            Exit::Code(code) => format!(
                "exit {code} after {}; only exit 0 means that the file is interesting",
                seconds(run.time)
            ),
            Exit::Signal(signal) => format!(
                "it was killed by signal {signal} after {}",
                seconds(run.time)
            ),
            Exit::Killed(_) => format!(
                "it had not ended after {}, and was killed",
                seconds(run.time)
            ),
        };
        let mut lines = vec![format!(
            "the test does not find {} interesting, so there is nothing to reduce.",
            self.input.named.shown()
        )];
        lines.extend(self.circumstances());
        lines.push(format!("  end:     {end}"));
        lines.extend(printed(run));
        lines.push("What to try:".into());
        if let Exit::Killed(_) = run.exit {
            lines.push(
                "  - give it more time: --timeout S, or --timeout 0 for as long as it likes".into(),
            );
        }
        lines.push(format!(
            "  - run it by hand {}:\n        {}",
            self.how_by_hand(),
            self.by_hand()
        ));
        if let Some(script) = self.test.script() {
            lines.push(format!(
                "  - {}",
                called::advice(Path::new(self.input.name()), script.path())
            ));
        }
        lines.push(
            "  - the test sees an empty directory with a copy of the file: other files that it needs must have absolute paths".into(),
        );
        lines.push("  - its last command decides: exit 0 if the file still shows the bug, anything else if not".into());
        lines.join("\n")
    }

    pub(super) fn failed(&self, trouble: &NoVerdict) -> String {
        let missing = match trouble {
            NoVerdict::CannotStart { .. } => self.missing(),
            _ => None,
        };
        let mut lines = vec![match missing {
            Some(path) if path.contains('/') => {
                format!(
                    "the command cannot be started: there is no {}.",
                    path.shown()
                )
            }
            Some(program) => {
                format!(
                    "the command cannot be started: {} is not in PATH.",
                    program.shown()
                )
            }
            None => format!("{trouble}."),
        }];
        lines.extend(self.circumstances());
        match trouble {
            NoVerdict::CannotStart { .. } if missing.is_some() => {
                lines.push("What to try: look how it is spelt, install it, or name it by its absolute path: PATH is the one that lop was started with".into());
            }
            NoVerdict::TestFailed { run } => {
                lines.extend(printed(run));
                lines.push("What to try:".into());
                lines.push(format!(
                    "  - run it by hand {}:\n        {}",
                    self.how_by_hand(),
                    self.by_hand()
                ));
                lines.push("  - install what it calls, or name it by its absolute path: PATH is the one that lop was started with".into());
                lines.push(
                    "  - a test that means \"not interesting\" should say 1, not 126 or 127: these are the shell's words for a failed test"
                        .into(),
                );
            }
            NoVerdict::CannotStart { .. } => {
                lines.push("What to try:".into());
                lines.push(format!("  - start it by hand:\n        {}", self.by_hand()));
                lines.push("  - a script needs a first line such as #!/bin/sh that names a program which exists".into());
            }
            NoVerdict::Fault { .. } => {}
            NoVerdict::Unattended { .. } => {
                lines.push("What to try:".into());
                lines.push("  - look whether the test, or what it starts, sends signals to its parent ($PPID) or to all processes of a name".into());
                lines.push("  - dmesg tells whether the system has killed it for want of memory; --jobs 1 needs the least".into());
            }
            NoVerdict::System { .. } => {
                lines.push("What to try:".into());
                lines.push(
                    "  - make room, or name another directory for the tests with --scratch DIR"
                        .into(),
                );
            }
        }
        lines.join("\n")
    }

    /// What ran and where.
    pub(super) fn circumstances(&self) -> Vec<String> {
        let ran = self.test.stages().iter().map(|stage| self.ran(stage));
        let sandbox = self.care.sandbox.then(|| {
            "  sandbox: it reaches no network, socket or device; of /tmp, /var/tmp and /dev/shm it sees the directory that lop was started in and what its text or its command names"
                .to_owned()
        });
        ran.chain([self.place()]).chain(sandbox).collect()
    }

    fn ran(&self, stage: &Stage) -> String {
        let name = self.input.name().shown();
        match &stage.line {
            Line::Script(script) => {
                let path = quoted(script.path());
                let shell = match script.interpreter() {
                    Interpreter::System => "",
                    Interpreter::Shell => "/bin/sh ",
                };
                format!("  ran:     {shell}{path} {name}  (with the absolute path of {name})")
            }
            line => format!("  ran:     {}", tamed(&self.filled(line))),
        }
    }

    fn place(&self) -> String {
        format!(
            "  where:   in an empty directory under {} with a copy of {}; it is gone again",
            self.scratch.root().shown(),
            self.input.name().shown()
        )
    }

    /// A line with the file's name in its place.
    fn filled(&self, line: &Line) -> String {
        let name = quoted(Path::new(self.input.name()));
        line.to_string().replace(CANDIDATE, &name)
    }

    fn how_by_hand(&self) -> &'static str {
        match self.care.sandbox {
            true => "(with all your rights, not in the sandbox)",
            false => "as lop does",
        }
    }

    /// A line for the shell that does the same.
    fn by_hand(&self) -> String {
        let file = quoted(&self.input.path);
        let name = quoted(Path::new(self.input.name()));
        let stages = self.test.stages().iter().map(|stage| match &stage.line {
            Line::Script(script) => {
                let shell = match script.interpreter() {
                    Interpreter::System => "",
                    Interpreter::Shell => "sh ",
                };
                format!("{shell}{} \"$PWD\"/{name}; echo $?", quoted(script.path()))
            }
            line => format!("{}; echo $?", self.filled(line)),
        });
        let stages: Vec<String> = stages.collect();
        format!(
            "cd \"$(mktemp -d)\" && cp {file} {name} && {}",
            stages.join("; ")
        )
    }
}

/// A refusal if the test went beyond what it may take of the machine.
fn within(run: &Run) -> Result<(), Refusal> {
    match run.exit {
        Exit::Killed(bound) if !bound.is_time() => Err(Refusal::Beyond(bound)),
        _ => Ok(()),
    }
}

/// Head and tail of what a test printed.
pub(super) fn printed(run: &Run) -> Vec<String> {
    if run.output.is_empty() {
        return vec!["  printed: nothing".into()];
    }
    let text = run.output.bytes();
    let text = shown_page(&text);
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
