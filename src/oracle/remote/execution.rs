//! One test on a farm: its action, the questions in their order, and what is asked again.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bazel_remote_apis::build::bazel::remote::execution::v2::command::EnvironmentVariable;
use bazel_remote_apis::build::bazel::remote::execution::v2::platform::Property;
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    Action, ActionResult, Command, Digest, ExecuteResponse, ExecutedActionMetadata, Platform,
};
use bazel_remote_apis::google::protobuf::Timestamp;
use tokio::sync::watch;
use tonic::{Code, Status};

use super::connection::{FarmConnection, read_operation};
use super::input_root::{Blob, DirectoryTree, TreeError};
use super::retry::RetryRule;
use super::sent_files::SentFiles;
use super::stage_report::{decide_report, read_report};
use super::stage_script::{DOCUMENTS, OTHER_FILES, write_script};
use crate::oracle::{
    FarmMonitor, InterestingnessTest, ScratchSpace, SpecialFile, StageView, TestJob, TestOutcome,
    TimeLimits,
};

/// The time of an action whose test has no limit.
const LONGEST_ACTION: Duration = Duration::from_secs(3600);
/// What an action may take beyond the limit of the test: the worker has more to do than the test.
const ACTION_MARGIN: Duration = Duration::from_secs(10);
/// How long an action may wait for a worker, beyond its own time.
const QUEUE_PATIENCE: Duration = Duration::from_secs(120);

/// The variables of ours that decide in which words a compiler speaks, and what is found by name. A worker has no others of ours.
const VARIABLES: &[&str] = &[
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "PATH",
    "TZ",
];

/// What all actions of a run have in common, as long as its test does not change.
#[derive(Clone, Debug)]
pub(super) struct ActionTemplate {
    pub sent: SentFiles,
    /// A word of this run and this test: it begins each line of a report, and is the salt of each action, so that nobody else's answers are ours.
    pub word: String,
    pub platform: Option<Platform>,
    /// What is special about a document.
    pub scratch: ScratchSpace,
}

/// An action, and what it is made of.
#[derive(Debug)]
pub(super) struct PreparedAction {
    pub digest: Digest,
    pub blobs: Vec<Blob>,
    pub timeout: Duration,
}

impl ActionTemplate {
    /// The properties of a worker, in order of their names, as the protocol wants them.
    pub fn make_platform(properties: &[(String, String)]) -> Option<Platform> {
        let properties = properties.iter().map(|(name, value)| Property {
            name: name.clone(),
            value: value.clone(),
        });
        let mut properties: Vec<Property> = properties.collect();
        properties.sort_by(|one, other| (&one.name, &one.value).cmp(&(&other.name, &other.value)));
        (!properties.is_empty()).then_some(Platform { properties })
    }

    /// The action that runs the test on these files.
    pub fn prepare_action(
        &self,
        test: &InterestingnessTest,
        job: &TestJob,
    ) -> Result<PreparedAction, TreeError> {
        let mut root = DirectoryTree::default();
        root.add_packed(Path::new(OTHER_FILES), self.sent.tree.clone())?;
        root.add_directory(Path::new(DOCUMENTS))?;
        let mut documents: Vec<&Path> = Vec::new();
        for (path, bytes) in &job.files {
            let place = Path::new(DOCUMENTS).join(path);
            match self.scratch.special_file(path) {
                Some(SpecialFile::Link) => {
                    root.add_link(&place, Path::new(OsStr::from_bytes(bytes)))?;
                }
                special => {
                    let is_executable = special == Some(SpecialFile::Executable);
                    root.add_file(&place, bytes.clone(), is_executable)?;
                }
            }
            documents.push(path);
        }
        let root = root.pack();
        let script = write_script(test.stages(), &documents, &self.sent, &self.word);
        #[expect(
            deprecated,
            reason = "servers before version 2.2 of the protocol read the platform here"
        )]
        let command = Blob::from_message(&Command {
            arguments: vec!["/bin/sh".into(), "-c".into(), script, "lop".into()],
            environment_variables: inherited_variables(),
            platform: self.platform.clone(),
            ..Command::default()
        });
        let timeout = action_timeout(job.limits);
        let action = Blob::from_message(&Action {
            command_digest: Some(command.digest.clone()),
            input_root_digest: Some(root.digest),
            timeout: Some(bazel_remote_apis::google::protobuf::Duration {
                seconds: timeout.as_secs() as i64,
                nanos: 0,
            }),
            do_not_cache: false,
            salt: self.word.clone().into_bytes(),
            platform: self.platform.clone(),
        });
        let digest = action.digest.clone();
        let mut blobs = root.blobs;
        blobs.extend([command, action]);
        Ok(PreparedAction {
            digest,
            blobs,
            timeout,
        })
    }
}

/// Our variables that an action gets, in order of their names.
fn inherited_variables() -> Vec<EnvironmentVariable> {
    let known = VARIABLES.iter().filter_map(|name| {
        let value = std::env::var(name).ok()?;
        Some(EnvironmentVariable {
            name: (*name).to_owned(),
            value,
        })
    });
    known.collect()
}

/// The time of an action: that of its test, in whole seconds, and some more. So the farm never decides what only this machine measures.
fn action_timeout(limits: TimeLimits) -> Duration {
    let wall = limits.wall.unwrap_or(LONGEST_ACTION);
    Duration::from_secs(wall.as_secs() + 1) + ACTION_MARGIN
}

/// The tests of a run on a farm.
#[derive(Debug)]
pub(super) struct FarmExecutor {
    connection: FarmConnection,
    template: ActionTemplate,
    monitor: FarmMonitor,
    /// The actions that the farm was asked for. It has no result of another one, because of the word in each.
    asked: Mutex<HashSet<String>>,
}

/// How far an action is, for who cancels it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum OperationState {
    /// The farm does not know of it.
    #[default]
    NotAsked,
    /// The farm was asked for it, and has not said how it calls it.
    Asked,
    /// It is under way by this name.
    Named(String),
}

impl FarmExecutor {
    /// Nothing was asked yet.
    pub fn new(
        connection: FarmConnection,
        template: ActionTemplate,
        monitor: FarmMonitor,
    ) -> FarmExecutor {
        FarmExecutor {
            connection,
            template,
            monitor,
            asked: Mutex::default(),
        }
    }

    /// The same farm, with other files and another word: what it knows of the actions before is no answer any more.
    pub fn with_files(&self, sent: SentFiles, word: String) -> FarmExecutor {
        let template = ActionTemplate {
            sent,
            word,
            ..self.template.clone()
        };
        FarmExecutor::new(self.connection.clone(), template, self.monitor.clone())
    }

    /// Asks the farm until it answers, or will not. The error is no verdict.
    pub async fn run_test(
        &self,
        test: &InterestingnessTest,
        job: &TestJob,
        operation: &watch::Sender<OperationState>,
    ) -> Result<TestOutcome, Status> {
        let action = self.template.prepare_action(test, job);
        let action = action.map_err(|error| Status::invalid_argument(error.to_string()))?;
        let mut failed = 0;
        loop {
            let status = match self.ask_once(test, job, &action, operation).await {
                Ok(outcome) => return Ok(outcome),
                Err(status) => status,
            };
            failed += 1;
            self.monitor.update_status(|farm| farm.failures += 1);
            match RetryRule::for_code(status.code()).pause_after(failed) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return Err(status),
            }
        }
    }

    /// Whether the farm was asked for this action before; from now on it was.
    fn note_asked(&self, action: &Digest) -> bool {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        !asked.insert(action.hash.clone())
    }

    /// The cache first, if it can have a result: a question costs as much as the way to the farm and back. What it knows as interesting is run all the same, because what is accepted must not rest on an old answer.
    async fn ask_once(
        &self,
        test: &InterestingnessTest,
        job: &TestJob,
        action: &PreparedAction,
        operation: &watch::Sender<OperationState>,
    ) -> Result<TestOutcome, Status> {
        let begin = Instant::now();
        if self.note_asked(&action.digest)
            && !job.fresh
            && let Some(result) = self.connection.find_cached_result(&action.digest).await?
        {
            // One that cannot be read is asked for in the usual way.
            if let Ok(outcome) = self.read_result(test, &result, begin).await
                && outcome
                    .verdict()
                    .is_some_and(|verdict| !verdict.is_interesting())
            {
                self.monitor.update_status(|farm| {
                    farm.verdicts += 1;
                    farm.cached += 1;
                });
                return Ok(outcome);
            }
        }
        self.connection.upload_blobs(&action.blobs).await?;
        let patience = action.timeout + QUEUE_PATIENCE;
        let run = self.run_action(action, operation);
        let Ok(result) = tokio::time::timeout(patience, run).await else {
            // It would go on beside the next attempt.
            if let OperationState::Named(name) = operation.send_replace(OperationState::NotAsked) {
                self.cancel_operation(name).await;
            }
            return Err(Status::deadline_exceeded(
                "the farm has not run the action in time",
            ));
        };
        let result = result?;
        let outcome = self.read_result(test, &result, begin).await?;
        self.monitor.update_status(|farm| farm.verdicts += 1);
        Ok(outcome)
    }

    /// Cancels an operation. A farm that cannot do that runs the action to its end.
    pub async fn cancel_operation(&self, name: String) {
        let _ = self.connection.cancel_operation(name).await;
    }

    /// Runs the action, whatever the farm remembers of it.
    async fn run_action(
        &self,
        action: &PreparedAction,
        operation: &watch::Sender<OperationState>,
    ) -> Result<ActionResult, Status> {
        operation.send_replace(OperationState::Asked);
        let response = self.follow_action(action, operation).await;
        operation.send_replace(OperationState::NotAsked);
        let response = response?;
        if let Some(status) = response.status.filter(|status| status.code != 0) {
            return Err(Status::new(status.code.into(), status.message));
        }
        let lost = || Status::data_loss("an action has ended without a result");
        response.result.ok_or_else(lost)
    }

    /// Follows the steps of the action to its response.
    async fn follow_action(
        &self,
        action: &PreparedAction,
        operation: &watch::Sender<OperationState>,
    ) -> Result<ExecuteResponse, Status> {
        let mut steps = self.connection.begin_action(&action.digest).await?;
        while let Some(step) = steps.message().await? {
            if !step.name.is_empty() {
                operation.send_replace(OperationState::Named(step.name.clone()));
            }
            if let Some(response) = read_operation(step)? {
                return Ok(response);
            }
        }
        Err(Status::unavailable("the stream of the action was cut"))
    }

    /// What the action says.
    async fn read_result(
        &self,
        test: &InterestingnessTest,
        result: &ActionResult,
        begin: Instant,
    ) -> Result<TestOutcome, Status> {
        let printed = match &result.stdout_digest {
            Some(digest) if result.stdout_raw.is_empty() => {
                self.connection.read_blob(digest).await?
            }
            _ => result.stdout_raw.clone(),
        };
        let report = read_report(&printed, test.stages(), &self.template.word);
        let Some(report) = report else {
            let status = result.exit_code;
            let errors = String::from_utf8_lossy(&result.stderr_raw)
                .trim()
                .to_owned();
            let more = if errors.is_empty() {
                errors
            } else {
                format!(": {errors}")
            };
            return Err(Status::new(
                Code::DataLoss,
                format!("the action has not printed what its script prints (exit {status}){more}"),
            ));
        };
        let metadata = result.execution_metadata.as_ref();
        let time = metadata.and_then(execution_time);
        if let Some(metadata) = metadata {
            self.monitor.note_worker(&metadata.worker);
            let spent = time_between(
                metadata.worker_start_timestamp.as_ref(),
                metadata.worker_completed_timestamp.as_ref(),
            );
            self.monitor
                .update_status(|farm| farm.worker_time += spent.or(time).unwrap_or_default());
        }
        let time = time.unwrap_or_else(|| begin.elapsed());
        Ok(decide_report(test, &report, time))
    }
}

/// How long the action ran on its worker.
fn execution_time(metadata: &ExecutedActionMetadata) -> Option<Duration> {
    time_between(
        metadata.execution_start_timestamp.as_ref(),
        metadata.execution_completed_timestamp.as_ref(),
    )
}

fn time_between(start: Option<&Timestamp>, end: Option<&Timestamp>) -> Option<Duration> {
    let nanos =
        |time: &Timestamp| i128::from(time.seconds) * 1_000_000_000 + i128::from(time.nanos);
    let between = nanos(end?) - nanos(start?);
    u64::try_from(between).ok().map(Duration::from_nanos)
}

/// Why no action runs a test; none for one that can be sent.
pub(super) fn find_obstacle(test: &InterestingnessTest) -> Option<&'static str> {
    let sees_one = |view: StageView| view.document().is_some();
    if test.is_served() {
        Some(
            "--serve keeps one process alive for many candidates, and an action ends; leave out --remote, or give a test that ends",
        )
    } else if test.generator().is_some() {
        Some("a generator runs on this machine; leave out --remote")
    } else if test.stages().iter().any(|stage| sees_one(stage.sees)) {
        Some("the tests of a pair run on this machine; leave out --remote")
    } else if test.stages().is_empty() {
        Some("all verdicts are recorded; leave out --remote")
    } else {
        None
    }
}
