//! The comparison of a result with its neighbours, as `lop contrast` and the screen make it.

mod starter;
mod validity;

use std::path::PathBuf;
use std::sync::Arc;

use crossbeam_channel::{Receiver, select};

use super::header::hash_test;
use super::prepared_run::PreparedRun;
use crate::contrast::{
    ContrastError, ContrastOracle, ContrastProgress, ContrastReport, LARGEST_PROGRAM,
    ValiditySource, contrast_version,
};
use crate::display::{format_count, format_number};
use crate::language::Language;
use crate::oracle::{
    InterestingnessTest, JobId, LocalRunner, Runner, ScratchSpace, StageCommand, TestExecutable,
    TestIsolation, TestJob, TestOutcome, TimeLimits, Verdict,
};
use crate::program::{self, Version};
use crate::reduce::{MemoryStore, VerdictStore};
use crate::session::history::SessionHistory;
use crate::session::journal::RunFingerprint;
pub use starter::ResultContrast;
pub use validity::ValidityRule;

/// A test, and where it runs.
#[derive(Clone)]
pub struct ContrastExperiment {
    pub test: InterestingnessTest,
    pub scratch: ScratchSpace,
    pub isolation: TestIsolation,
    pub limits: TimeLimits,
    /// How many tests run at a time; the report does not depend on it.
    pub jobs: usize,
    /// The most tests.
    pub max_tests: usize,
}

/// The program whose neighbours are tested.
pub struct ContrastSubject {
    /// The name under which the test knows it.
    pub path: PathBuf,
    pub language: Option<&'static Language>,
    pub bytes: Arc<[u8]>,
    pub version: Version,
    /// What it was made of.
    pub original: Option<Version>,
}

impl ContrastSubject {
    /// Reads the program, and the original if there is one. The error, the end of a sentence, says why it is no program to explain.
    pub fn read(
        path: PathBuf,
        language: Option<&'static Language>,
        bytes: Arc<[u8]>,
        original: Option<Arc<[u8]>>,
    ) -> Result<ContrastSubject, String> {
        let read = |bytes: Arc<[u8]>| {
            program::read_documents(vec![(language, path.as_path().into(), bytes)])
        };
        let version = read(bytes.clone()).map_err(|error| format!("cannot be read: {error}"))?;
        if version.token_count() > LARGEST_PROGRAM {
            return Err(format!(
                "has {}, and lop contrast explains reduced programs of at most {}; reduce it first",
                format_count(version.token_count().into(), "token"),
                format_number(LARGEST_PROGRAM.into())
            ));
        }
        let original = original.and_then(|bytes| read(bytes).ok());
        Ok(ContrastSubject {
            path,
            language,
            bytes,
            version,
            original,
        })
    }
}

/// Who follows an experiment.
pub struct ContrastObserver<'a> {
    /// A signal ends it, and so does the loss of its sender.
    pub interrupted: &'a Receiver<i32>,
    pub on_progress: &'a dyn Fn(ContrastProgress),
}

/// All that was found.
pub struct ContrastFindings {
    pub bytes: Arc<[u8]>,
    pub report: ContrastReport,
    /// Who says what is valid, as a sentence.
    pub validity: String,
}

impl ContrastExperiment {
    /// The experiment with the test of this run, where it runs.
    pub fn from_prepared(
        prepared: &PreparedRun,
        limits: TimeLimits,
        jobs: usize,
        max_tests: usize,
    ) -> ContrastExperiment {
        ContrastExperiment {
            test: prepared.test.clone(),
            scratch: prepared.scratch.clone(),
            isolation: prepared.isolation.clone(),
            limits,
            jobs,
            max_tests,
        }
    }

    /// Compares the program, which is interesting, with its neighbours. `rule` says what is valid; without one that is the test, or what is usual in
    /// the language.
    pub fn compare_neighbours(
        &self,
        subject: ContrastSubject,
        rule: Option<ValidityRule>,
        known: Option<&dyn VerdictStore>,
        observer: &ContrastObserver<'_>,
    ) -> Result<ContrastFindings, ContrastError> {
        let rule = match rule.or_else(|| ValidityRule::from_test(&self.test)) {
            Some(rule) => rule,
            None => self.find_usual_check(&subject, observer)?,
        };
        let mut test = self.start_runner(&self.test, self.jobs)?;
        let mut check = match &rule {
            ValidityRule::Command(test, _) => Some(self.start_runner(test, self.jobs)?),
            ValidityRule::Test | ValidityRule::Unknown => None,
        };
        let validity = match (&mut check, &rule) {
            (Some(check), _) => ValiditySource::Check(check as &mut dyn Runner),
            (None, ValidityRule::Test) => ValiditySource::Test,
            (None, _) => ValiditySource::Nobody,
        };
        let mut oracle = ContrastOracle {
            test: &mut test,
            validity,
            limits: self.limits,
            known: &|candidate| Some(known?.get(candidate)?.verdict),
            max_tests: self.max_tests,
            interrupted: observer.interrupted,
            on_progress: observer.on_progress,
        };
        let report = contrast_version(&subject.version, subject.original.as_ref(), &mut oracle)?;
        Ok(ContrastFindings {
            bytes: subject.bytes,
            report,
            validity: rule.describe(),
        })
    }

    fn start_runner(
        &self,
        test: &InterestingnessTest,
        jobs: usize,
    ) -> Result<LocalRunner, ContrastError> {
        let (scratch, isolation) = (self.scratch.clone(), self.isolation.clone());
        LocalRunner::new(test.clone(), scratch, jobs, isolation).map_err(ContrastError::NoRunner)
    }

    /// The first of the usual checks of the language that accepts the program.
    fn find_usual_check(
        &self,
        subject: &ContrastSubject,
        observer: &ContrastObserver<'_>,
    ) -> Result<ValidityRule, ContrastError> {
        let name = subject.language.map_or("", |language| language.name);
        for line in validity::usual_checks(name) {
            let rule = ValidityRule::from_command(StageCommand::Shell(line.to_owned()));
            if let ValidityRule::Command(test, _) = &rule
                && self.accepts(test, subject, observer)?
            {
                return Ok(rule);
            }
        }
        Ok(ValidityRule::Unknown)
    }

    /// Whether a test finds the program interesting.
    fn accepts(
        &self,
        test: &InterestingnessTest,
        subject: &ContrastSubject,
        observer: &ContrastObserver<'_>,
    ) -> Result<bool, ContrastError> {
        let mut runner = self.start_runner(test, 1)?;
        runner.submit(TestJob {
            id: JobId(0),
            files: vec![(subject.path.clone(), subject.bytes.clone())],
            limits: self.limits,
            alone: true,
            fresh: true,
        });
        select! {
            recv(runner.result_receiver()) -> result => match result {
                Ok(result) => Ok(matches!(result.outcome, TestOutcome::Verdict(Verdict::Interesting, _))),
                Err(_) => Err(ContrastError::RunnerLost),
            },
            // The runner kills the test when it is dropped.
            recv(observer.interrupted) -> signal => Err(ContrastError::Interrupted(signal.unwrap_or_default())),
        }
    }
}

/// The verdicts of this test that a session has recorded.
pub fn known_verdicts(session: &SessionHistory, test: &InterestingnessTest) -> MemoryStore {
    let script = test.script().map(TestExecutable::path);
    let (test_hash, _) = hash_test(script, test.stages());
    session.verdicts_of_test(&RunFingerprint {
        test_hash,
        ..RunFingerprint::default()
    })
}

/// How many tests ran, how many verdicts were known, and what was left out, as a sentence.
pub fn count_sentence(report: &ContrastReport) -> String {
    let count = |number: usize, noun: &str| format_count(number as u64, noun);
    let left_out = match report.left_out_count() {
        0 => String::new(),
        number => format!("; {} left out (--tests N)", count(number, "neighbour")),
    };
    format!(
        "{}, {} and {}{left_out}",
        count(report.tests, "test"),
        count(report.known, "known verdict"),
        count(report.checks, "check")
    )
}
