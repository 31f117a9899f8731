//! A test under examination: running it as it is and under changed circumstances, and what is known of it already.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, never, select, tick};

use super::probe::Probe;
use super::script::Script;
use crate::display::Shown;
use crate::oracle::shell::word;
use crate::oracle::{
    Answer, Bound, Care, Executable, Exit, Files, Interpreter, Job, JobId, Limit, LocalRunner,
    NoVerdict, Outcome, Run, Runner, Scratch, Test, TestError, Verdict,
};

/// How often paths are looked for while a test runs.
const LOOK: Duration = Duration::from_millis(1);

/// A test, and the file that it is to find interesting.
#[derive(Debug)]
pub struct Subject {
    /// The test.
    pub test: Executable,
    /// The test, as the user named it.
    pub named: PathBuf,
    /// The file, as an absolute path.
    pub file: PathBuf,
    /// What a candidate is called.
    pub name: PathBuf,
    /// What is in the file.
    pub bytes: Arc<[u8]>,
    /// Where tests run.
    pub scratch: Scratch,
    /// How tests are looked after, as for [`LocalRunner::new`].
    pub care: Care,
    /// How many tests would run at a time.
    pub jobs: usize,
    /// How long a test may take.
    pub limit: Limit,
    /// Signals that end the examination.
    pub signals: Receiver<i32>,
}

/// There is no report.
#[derive(Debug, thiserror::Error)]
pub enum Halt {
    /// A signal came.
    #[error("signal {0}")]
    Signal(i32),
    /// The system would not let us.
    #[error("{doing}: {source}")]
    System {
        /// What we were about to do.
        doing: &'static str,
        /// The system's words.
        source: std::io::Error,
    },
    /// A script of ours that becomes the test cannot be run where tests run.
    #[error("no script can be run in {}, so circumstances cannot be changed: {source}; name another directory with --scratch", place.shown())]
    NoScripts {
        /// The directory.
        place: PathBuf,
        /// Why.
        source: TestError,
    },
    /// A path that no script can name.
    #[error("{} is no Unicode, so no script of ours can name it; rename it", .0.shown())]
    Unnameable(PathBuf),
    /// The test goes beyond this limit of what is no time already on the original, so the limit is none.
    #[error("the test goes beyond its limit of {}; --memory, --processes and --disk set others, 0 none", .0.word())]
    Beyond(Bound),
    /// The test cannot be run.
    #[error("{0}")]
    Trouble(NoVerdict),
}

/// What is known of a test so far.
pub(super) struct Case<'a> {
    pub subject: &'a Subject,
    /// The test, as runners know it.
    pub itself: Test,
    /// Its text, if it is a script.
    pub script: Script,
    /// What it took on the original, each time that it found it interesting.
    pub took: Vec<Duration>,
    /// How often it was run.
    pub tests: u64,
    /// Whether it always said the same about the original.
    pub steady: bool,
    /// Whether it is known already why it finds interesting what it should not.
    pub explained: bool,
    /// Tests a second.
    pub rate: Option<f64>,
    limit: Limit,
    answers: Vec<(Probe, bool)>,
    scripts: u32,
}

/// Whether a test found interesting what it was asked about.
pub(super) fn yes(outcome: &Outcome) -> bool {
    outcome.verdict() == Some(Verdict::Interesting)
}

/// What a test printed.
pub(super) fn printed(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Verdict(_, run) => run.output.text(),
        Outcome::NoVerdict(NoVerdict::TestFailed { run }) => run.output.text(),
        Outcome::NoVerdict(_) | Outcome::Cancelled => String::new(),
    }
}

/// How a test ended, for a sentence.
pub(super) fn ending(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Verdict(_, run) => run.exit.to_string(),
        Outcome::NoVerdict(NoVerdict::TestFailed { run }) => run.exit.to_string(),
        Outcome::NoVerdict(trouble) => trouble.to_string(),
        Outcome::Cancelled => "cancelled".into(),
    }
}

impl<'a> Case<'a> {
    pub fn new(subject: &'a Subject) -> Case<'a> {
        Case {
            subject,
            itself: subject.test.clone().into(),
            script: Script::read(&subject.test),
            took: Vec::new(),
            tests: 0,
            steady: true,
            explained: false,
            rate: None,
            limit: subject.limit,
            answers: Vec::new(),
            scripts: 0,
        }
    }

    /// The name of the candidate, for sentences.
    pub fn name(&self) -> String {
        self.subject.name.shown().into_owned()
    }

    /// The test, as the user named it, for sentences.
    pub fn test(&self) -> String {
        self.subject.named.shown().into_owned()
    }

    /// A run found the original interesting.
    pub fn interesting(&mut self, run: &Run) {
        self.took.push(run.time);
        self.limit.interesting(run.time, run.cpu);
    }

    /// The least, the median and the most that the original took.
    pub fn times(&self) -> Option<[Duration; 3]> {
        let mut took = self.took.clone();
        took.sort();
        Some([*took.first()?, took[took.len() / 2], *took.last()?])
    }

    /// What the test says about the original.
    pub fn original(&mut self) -> Result<Outcome, Halt> {
        self.original_by(&self.itself.clone())
    }

    /// What another test, made by [`Case::around`], says about the original.
    pub fn original_by(&mut self, test: &Test) -> Result<Outcome, Halt> {
        let files = self.files(self.subject.bytes.clone());
        self.ask(test, files)
    }

    /// What another test says about a probe.
    pub fn probe_by(&mut self, test: &Test, probe: Probe) -> Result<Outcome, Halt> {
        let files = self.files(probe.bytes(&self.subject.bytes));
        self.ask(test, files)
    }

    /// Whether the test finds a probe interesting. It is asked once.
    pub fn probe(&mut self, probe: Probe) -> Result<bool, Halt> {
        if let Some((_, answer)) = self.answers.iter().find(|(known, _)| *known == probe) {
            return Ok(*answer);
        }
        let answer = yes(&self.probe_by(&self.itself.clone(), probe)?);
        self.answers.push((probe, answer));
        Ok(answer)
    }

    /// The original under another name.
    pub fn original_as(&mut self, name: &Path) -> Result<Outcome, Halt> {
        let files = vec![(name.to_path_buf(), self.subject.bytes.clone())];
        self.ask(&self.itself.clone(), files)
    }

    /// A candidate under its own name.
    pub fn files(&self, bytes: Arc<[u8]>) -> Files {
        vec![(self.subject.name.clone(), bytes)]
    }

    fn ask(&mut self, test: &Test, files: Files) -> Result<Outcome, Halt> {
        self.ask_watching(test, files, &mut || {})
    }

    /// Asks while `look` is called again and again.
    pub fn ask_watching(
        &mut self,
        test: &Test,
        files: Files,
        look: &mut dyn FnMut(),
    ) -> Result<Outcome, Halt> {
        let mut outcomes = self.ask_all(test, vec![files], 1, Some(look))?;
        Ok(outcomes.remove(0))
    }

    /// Asks about all of them, so many at a time; the outcomes in the order of the candidates.
    pub fn ask_all(
        &mut self,
        test: &Test,
        candidates: Vec<Files>,
        jobs: usize,
        look: Option<&mut dyn FnMut()>,
    ) -> Result<Vec<Outcome>, Halt> {
        let subject = self.subject;
        let system = |source| Halt::System {
            doing: "starting a thread for the test",
            source,
        };
        let care = subject.care.clone();
        let mut runner =
            LocalRunner::new(test.clone(), subject.scratch.clone(), jobs, care).map_err(system)?;
        let mut outcomes: Vec<Option<Outcome>> = candidates.iter().map(|_| None).collect();
        self.tests += candidates.len() as u64;
        for (number, files) in candidates.into_iter().enumerate() {
            runner.submit(Job {
                id: JobId(number as u64),
                files,
                limits: self.limit.current(),
                alone: false,
            });
        }
        let ticks = if look.is_some() { tick(LOOK) } else { never() };
        let mut idle = || {};
        let look = look.unwrap_or(&mut idle);
        while outcomes.iter().any(Option::is_none) {
            select! {
                recv(runner.answers()) -> answer => match answer {
                    Ok(Answer { outcome: Outcome::NoVerdict(trouble), .. })
                        if !matches!(trouble, NoVerdict::TestFailed { .. }) => return Err(Halt::Trouble(trouble)),
                    Ok(Answer { id, outcome }) => outcomes[id.0 as usize] = Some(outcome),
                    Err(_) => return Err(system(std::io::ErrorKind::BrokenPipe.into())),
                },
                recv(ticks) -> _ => look(),
                // The runner kills its tests when it is dropped.
                recv(subject.signals) -> signal => return Err(Halt::Signal(signal.unwrap_or_default())),
            }
        }
        Ok(outcomes.into_iter().flatten().collect())
    }

    /// Lets some time pass in which no test runs.
    pub fn pause(&self, time: Duration) -> Result<(), Halt> {
        match self.subject.signals.recv_timeout(time) {
            Err(RecvTimeoutError::Timeout) => Ok(()),
            signal => Err(Halt::Signal(signal.unwrap_or_default())),
        }
    }

    /// The test's command as words of a shell, the candidate excepted.
    pub fn call(&self) -> Result<String, Halt> {
        let path = self.subject.test.path();
        let text = path
            .to_str()
            .ok_or_else(|| Halt::Unnameable(path.to_path_buf()))?;
        Ok(match self.subject.test.interpreter() {
            Interpreter::System => word(text),
            Interpreter::Shell => format!("/bin/sh {}", word(text)),
        })
    }

    /// A test that does `before`, lines of a shell, and becomes the test.
    pub fn around(&mut self, before: &str) -> Result<Test, Halt> {
        let call = self.call()?;
        self.by_script(&format!("{before}\nexec {call} \"$@\"\n"))
    }

    /// The test with a command in front of its PATH that prints nothing and fails.
    pub fn by_failing(&mut self, command: &str) -> Result<Test, Halt> {
        let fails = self.script_of("exit 1\n")?;
        let system = |source| Halt::System {
            doing: "writing a script",
            source,
        };
        let place = fails.path().with_extension("bin");
        fs::create_dir_all(&place).map_err(system)?;
        fs::rename(fails.path(), place.join(command)).map_err(system)?;
        let text = place
            .to_str()
            .ok_or_else(|| Halt::Unnameable(place.clone()))?;
        let path = word(text);
        self.around(&format!("PATH={path}:$PATH\nexport PATH"))
    }

    /// A test that is a script of ours.
    pub fn by_script(&mut self, body: &str) -> Result<Test, Halt> {
        self.script_of(body).map(Test::from)
    }

    fn script_of(&mut self, body: &str) -> Result<Executable, Halt> {
        let system = |source| Halt::System {
            doing: "writing a script",
            source,
        };
        // Directories of tests are called by numbers.
        let place = self.subject.scratch.root().join("doctor");
        fs::create_dir_all(&place).map_err(system)?;
        self.scripts += 1;
        let path = place.join(format!("{}.sh", self.scripts));
        fs::write(&path, format!("#!/bin/sh\n{body}")).map_err(system)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).map_err(system)?;
        Executable::find(&path).map_err(|source| Halt::NoScripts { place, source })
    }

    /// The place for lines at the start of a script, and the lines: those of a shell, whatever the test is.
    pub fn at_start(&self, lines: &[&str]) -> (String, Vec<String>) {
        let place = match (self.script.is_shell(), self.script.text().starts_with("#!")) {
            (true, true) => format!("as line 2 of {}", self.test()),
            (true, false) => format!("as line 1 of {}", self.test()),
            (false, _) => format!("at the start of {}, what in a shell would be", self.test()),
        };
        (place, lines.iter().map(|line| (*line).to_owned()).collect())
    }
}

/// Whether the machine, not the test, may have been the reason for this end.
pub(super) fn too_slow(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Verdict(_, run) if matches!(run.exit, Exit::Killed(_)))
}
