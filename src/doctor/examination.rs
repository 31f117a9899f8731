//! A test under examination: running it as it is and under changed circumstances, and what is known of it already.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, never, select, tick};

use super::probe::ProbeFile;
use super::script::ScriptSource;
use crate::display::EscapeHidden;
use crate::oracle::shell::quote_word;
use crate::oracle::{
    InterestingnessTest, JobId, JobResult, LimitKind, LimitPolicy, LocalRunner, NoVerdict, Runner,
    ScratchSpace, ScriptInterpreter, TestError, TestExecutable, TestExit, TestFiles, TestIsolation,
    TestJob, TestOutcome, TestRun, Verdict,
};

/// The interval at which paths are looked for while a test runs.
const LOOK: Duration = Duration::from_millis(1);

/// The variable with the PATH that the test has without the doctor's commands.
pub(super) const USUAL_PATH: &str = "LOP_DOCTOR_PATH";

/// A test, and the file that it should find interesting.
#[derive(Debug)]
pub struct ExaminationInput {
    /// The test.
    pub test: TestExecutable,
    /// The test, as the user named it.
    pub given_path: PathBuf,
    /// The file, as an absolute path.
    pub file: PathBuf,
    /// The name of a candidate.
    pub candidate_name: PathBuf,
    /// The content of the file.
    pub bytes: Arc<[u8]>,
    /// Where tests run.
    pub scratch: ScratchSpace,
    /// The isolation of tests, as for [`LocalRunner::new`].
    pub isolation: TestIsolation,
    /// How many tests a reduction would run at a time.
    pub jobs: usize,
    /// How long a test may take.
    pub limit: LimitPolicy,
    /// Signals that end the examination.
    pub signals: Receiver<i32>,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ExaminationError {
    /// A signal came.
    #[error("signal {0}")]
    Signal(i32),
    /// The system refused something.
    #[error("{doing}: {source}")]
    System {
        /// What we were about to do.
        doing: &'static str,
        /// The system's words.
        source: std::io::Error,
    },
    /// A script that starts the test under changed circumstances cannot be run where tests run.
    #[error("no script can be run in {}, so circumstances cannot be changed: {source}; name another directory with --scratch", place.escape_hidden())]
    NoScripts {
        /// The directory.
        place: PathBuf,
        /// Why.
        source: TestError,
    },
    /// A path that no script can name.
    #[error("{} is no Unicode, so no script of ours can name it; rename it", .0.escape_hidden())]
    Unnameable(PathBuf),
    /// The test exceeds this limit of memory, processes or disk on the original already.
    #[error("the test goes beyond its limit of {}; --memory, --processes and --disk set others, 0 none", .0.name())]
    LimitExceeded(LimitKind),
    /// The test cannot be run.
    #[error("{0}")]
    NoVerdict(NoVerdict),
}

/// An examination: what is known of a test so far.
pub(super) struct TestExamination<'a> {
    pub input: &'a ExaminationInput,
    /// The test, as runners know it.
    pub original_test: InterestingnessTest,
    /// Its text, if it is a script.
    pub script: ScriptSource,
    /// The durations of its runs on the original that found it interesting.
    pub durations: Vec<Duration>,
    /// How often it was run.
    pub tests: u64,
    /// Whether its verdict on the original was always the same.
    pub is_deterministic: bool,
    /// Whether a finding already explains why it accepts what it should not.
    pub is_explained: bool,
    /// Tests a second.
    pub tests_per_second: Option<f64>,
    limit: LimitPolicy,
    answers: Vec<(ProbeFile, bool)>,
    scripts: u32,
}

/// Whether the outcome is the verdict interesting.
pub(super) fn is_interesting(outcome: &TestOutcome) -> bool {
    outcome.verdict() == Some(Verdict::Interesting)
}

/// What a test printed.
pub(super) fn printed_output(outcome: &TestOutcome) -> String {
    match outcome {
        TestOutcome::Verdict(_, run) => run.output.to_text(),
        TestOutcome::NoVerdict(NoVerdict::TestFailed { run }) => run.output.to_text(),
        TestOutcome::NoVerdict(_) | TestOutcome::Cancelled => String::new(),
    }
}

/// How a test ended, for a sentence.
pub(super) fn describe_exit(outcome: &TestOutcome) -> String {
    match outcome {
        TestOutcome::Verdict(_, run) => run.exit.to_string(),
        TestOutcome::NoVerdict(NoVerdict::TestFailed { run }) => run.exit.to_string(),
        TestOutcome::NoVerdict(reason) => reason.to_string(),
        TestOutcome::Cancelled => "cancelled".into(),
    }
}

impl<'a> TestExamination<'a> {
    pub fn new(subject: &'a ExaminationInput) -> TestExamination<'a> {
        TestExamination {
            input: subject,
            original_test: subject.test.clone().into(),
            script: ScriptSource::from_executable(&subject.test),
            durations: Vec::new(),
            tests: 0,
            is_deterministic: true,
            is_explained: false,
            tests_per_second: None,
            limit: subject.limit,
            answers: Vec::new(),
            scripts: 0,
        }
    }

    /// The name of the candidate, for sentences.
    pub fn candidate_name(&self) -> String {
        self.input.candidate_name.escape_hidden().into_owned()
    }

    /// The test, as the user named it, for sentences.
    pub fn test_name(&self) -> String {
        self.input.given_path.escape_hidden().into_owned()
    }

    /// Records a run that found the original interesting.
    pub fn record_interesting(&mut self, run: &TestRun) {
        self.durations.push(run.time);
        self.limit.on_interesting(run.time, run.cpu);
    }

    /// The shortest, the median and the longest duration on the original.
    pub fn time_range(&self) -> Option<[Duration; 3]> {
        let mut took = self.durations.clone();
        took.sort();
        Some([*took.first()?, took[took.len() / 2], *took.last()?])
    }

    /// Runs the test on the original.
    pub fn run_original(&mut self) -> Result<TestOutcome, ExaminationError> {
        self.run_original_with(&self.original_test.clone())
    }

    /// Runs another test, as [`TestExamination::test_with_prelude`] makes it, on the original.
    pub fn run_original_with(
        &mut self,
        test: &InterestingnessTest,
    ) -> Result<TestOutcome, ExaminationError> {
        let files = self.candidate_files(self.input.bytes.clone());
        self.run_candidate(test, files)
    }

    /// Runs another test on a probe.
    pub fn run_probe_with(
        &mut self,
        test: &InterestingnessTest,
        probe: ProbeFile,
    ) -> Result<TestOutcome, ExaminationError> {
        let files = self.candidate_files(probe.to_bytes(&self.input.bytes));
        self.run_candidate(test, files)
    }

    /// Whether the test finds a probe interesting. The test is run once per probe.
    pub fn is_probe_interesting(&mut self, probe: ProbeFile) -> Result<bool, ExaminationError> {
        if let Some((_, answer)) = self.answers.iter().find(|(known, _)| *known == probe) {
            return Ok(*answer);
        }
        let answer = is_interesting(&self.run_probe_with(&self.original_test.clone(), probe)?);
        self.answers.push((probe, answer));
        Ok(answer)
    }

    /// Runs the test on the original under another name.
    pub fn run_original_as(&mut self, name: &Path) -> Result<TestOutcome, ExaminationError> {
        let files = vec![(name.to_path_buf(), self.input.bytes.clone())];
        self.run_candidate(&self.original_test.clone(), files)
    }

    /// A candidate under its own name.
    pub fn candidate_files(&self, bytes: Arc<[u8]>) -> TestFiles {
        vec![(self.input.candidate_name.clone(), bytes)]
    }

    fn run_candidate(
        &mut self,
        test: &InterestingnessTest,
        files: TestFiles,
    ) -> Result<TestOutcome, ExaminationError> {
        self.run_candidate_watched(test, files, &mut || {})
    }

    /// Runs a test, and calls `look` repeatedly meanwhile.
    pub fn run_candidate_watched(
        &mut self,
        test: &InterestingnessTest,
        files: TestFiles,
        look: &mut dyn FnMut(),
    ) -> Result<TestOutcome, ExaminationError> {
        let mut outcomes = self.run_candidates(test, vec![files], 1, Some(look))?;
        Ok(outcomes.remove(0))
    }

    /// Runs a test on all candidates, `jobs` at a time. The outcomes are in the order of the candidates.
    pub fn run_candidates(
        &mut self,
        test: &InterestingnessTest,
        candidates: Vec<TestFiles>,
        jobs: usize,
        look: Option<&mut dyn FnMut()>,
    ) -> Result<Vec<TestOutcome>, ExaminationError> {
        let subject = self.input;
        let system = |source| ExaminationError::System {
            doing: "starting a thread for the test",
            source,
        };
        let isolation = subject.isolation.clone();
        let mut runner = LocalRunner::new(test.clone(), subject.scratch.clone(), jobs, isolation)
            .map_err(system)?;
        let mut outcomes: Vec<Option<TestOutcome>> = candidates.iter().map(|_| None).collect();
        self.tests += candidates.len() as u64;
        for (number, files) in candidates.into_iter().enumerate() {
            runner.submit(TestJob {
                id: JobId(number as u64),
                files,
                limits: self.limit.current_limits(),
                alone: false,
                fresh: true,
            });
        }
        let ticks = if look.is_some() { tick(LOOK) } else { never() };
        let mut idle = || {};
        let look = look.unwrap_or(&mut idle);
        while outcomes.iter().any(Option::is_none) {
            select! {
                recv(runner.result_receiver()) -> answer => match answer {
                    Ok(JobResult { outcome: TestOutcome::NoVerdict(reason), .. })
                        if !matches!(reason, NoVerdict::TestFailed { .. }) => return Err(ExaminationError::NoVerdict(reason)),
                    Ok(JobResult { id, outcome, .. }) => outcomes[id.0 as usize] = Some(outcome),
                    Err(_) => return Err(system(std::io::ErrorKind::BrokenPipe.into())),
                },
                recv(ticks) -> _ => look(),
                // The runner kills its tests when it is dropped.
                recv(subject.signals) -> signal => return Err(ExaminationError::Signal(signal.unwrap_or_default())),
            }
        }
        Ok(outcomes.into_iter().flatten().collect())
    }

    /// Waits without running a test.
    pub fn pause_for(&self, time: Duration) -> Result<(), ExaminationError> {
        match self.input.signals.recv_timeout(time) {
            Err(RecvTimeoutError::Timeout) => Ok(()),
            signal => Err(ExaminationError::Signal(signal.unwrap_or_default())),
        }
    }

    /// The test's command line for a shell, without the candidate.
    pub fn shell_command(&self) -> Result<String, ExaminationError> {
        let path = self.input.test.path();
        let text = path
            .to_str()
            .ok_or_else(|| ExaminationError::Unnameable(path.to_path_buf()))?;
        Ok(match self.input.test.interpreter() {
            ScriptInterpreter::System => quote_word(text),
            ScriptInterpreter::Shell => format!("/bin/sh {}", quote_word(text)),
        })
    }

    /// A test that runs `before`, lines for a shell, and then the test.
    pub fn test_with_prelude(
        &mut self,
        before: &str,
    ) -> Result<InterestingnessTest, ExaminationError> {
        let call = self.shell_command()?;
        self.test_from_script(&format!("{before}\nexec {call} \"$@\"\n"))
    }

    /// The test with a command of this name first in its PATH that prints nothing and fails.
    pub fn test_with_failing_command(
        &mut self,
        command: &str,
    ) -> Result<InterestingnessTest, ExaminationError> {
        self.test_with_command(command, "exit 1\n")
    }

    /// The test with a command of this name first in its PATH, a script with this body. To the script, [`USUAL_PATH`] is the PATH without it.
    pub fn test_with_command(
        &mut self,
        command: &str,
        body: &str,
    ) -> Result<InterestingnessTest, ExaminationError> {
        let script = self.write_script(body)?;
        let system = |source| ExaminationError::System {
            doing: "writing a script",
            source,
        };
        let place = script.path().with_extension("bin");
        fs::create_dir_all(&place).map_err(system)?;
        fs::rename(script.path(), place.join(command)).map_err(system)?;
        let text = place
            .to_str()
            .ok_or_else(|| ExaminationError::Unnameable(place.clone()))?;
        let path = quote_word(text);
        self.test_with_prelude(&format!(
            "{USUAL_PATH}=$PATH\nPATH={path}:$PATH\nexport PATH {USUAL_PATH}"
        ))
    }

    /// A test that is a script of the doctor.
    pub fn test_from_script(
        &mut self,
        body: &str,
    ) -> Result<InterestingnessTest, ExaminationError> {
        self.write_script(body).map(InterestingnessTest::from)
    }

    fn write_script(&mut self, body: &str) -> Result<TestExecutable, ExaminationError> {
        let system = |source| ExaminationError::System {
            doing: "writing a script",
            source,
        };
        // No conflict: directories of tests have numbers for names.
        let place = self.input.scratch.root_path().join("doctor");
        fs::create_dir_all(&place).map_err(system)?;
        self.scripts += 1;
        let path = place.join(format!("{}.sh", self.scripts));
        fs::write(&path, format!("#!/bin/sh\n{body}")).map_err(system)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).map_err(system)?;
        TestExecutable::from_path(&path)
            .map_err(|source| ExaminationError::NoScripts { place, source })
    }

    /// The place for lines at the start of a script, and the lines. They are for a shell, whatever the test is.
    pub fn insert_at_start(&self, lines: &[&str]) -> (String, Vec<String>) {
        let place = match (self.script.is_shell(), self.script.text().starts_with("#!")) {
            (true, true) => format!("as line 2 of {}", self.test_name()),
            (true, false) => format!("as line 1 of {}", self.test_name()),
            (false, _) => format!(
                "at the start of {}, what in a shell would be",
                self.test_name()
            ),
        };
        (place, lines.iter().map(|line| (*line).to_owned()).collect())
    }
}

/// Whether the run was killed at a limit, which may be the machine's fault.
pub(super) fn was_killed(outcome: &TestOutcome) -> bool {
    matches!(outcome, TestOutcome::Verdict(_, run) if matches!(run.exit, TestExit::Killed(_)))
}
