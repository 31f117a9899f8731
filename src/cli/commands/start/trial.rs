//! The command that is tried for the page, and the test that is written for it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Sender, bounded, unbounded};

use crate::cli::args::ReduceArgs;
use crate::cli::commands::init::test_script;
use crate::cli::failure::CommandFailure;
use crate::cli::launch::baseline::needs_another_run;
use crate::cli::launch::failure_place::find_failure_place;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::signals::TerminationSignals;
use crate::cli::launch::test_spec::{TestSpec, command_stage, shell_stage};
use crate::display::{escape_page, sanitize_line};
use crate::language::Language;
use crate::oracle::{
    CANDIDATE, DetailedOutcome, FATAL_ERRORS, FailureProperty, FilePlace, IdentifyError,
    LimitPolicy, PropertyCriterion, PropertyPart, RequestedCriteria, StageRole, TestExecutable,
    TestStage,
};
use crate::plain::format_duration;
use crate::session::{InputFile, RunInput, replace_executable};
use crate::tui::start_page::helper::{
    CommandRun, CommandTrial, StartHelper, TestRequest, TestWriteError, TrialFindings, TrialUpdate,
};

/// The most lines of the output that the page gets.
const MOST_PRINTED: usize = 200;
/// What only a shell understands.
const SHELL_SIGNS: &str = "|&;<>()$`\\\"'*?[]#~=%!\n";

/// Tries commands on the file, and writes their tests.
pub struct StartDesk<'a> {
    reduce: &'a ReduceArgs,
    input: InputFile,
    /// The command whose runs have ended last.
    tried: Arc<Mutex<Option<TriedCommand>>>,
    threads: Vec<JoinHandle<()>>,
    /// The test that was written last.
    written: Option<String>,
}

/// A command, and what it did on the file.
struct TriedCommand {
    prepared: PreparedRun,
    seen: Vec<DetailedOutcome>,
    limit: LimitPolicy,
}

impl<'a> StartDesk<'a> {
    pub fn new(reduce: &'a ReduceArgs, input: InputFile) -> StartDesk<'a> {
        StartDesk {
            reduce,
            input,
            tried: Arc::default(),
            threads: Vec::new(),
            written: None,
        }
    }

    /// Where the command of the test at this path fails; none if the page did not write it, or its command names no place.
    pub fn place_of_failure(
        &self,
        path: &str,
        language: Option<&'static Language>,
    ) -> Option<FilePlace> {
        let tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        let tried = tried
            .as_ref()
            .filter(|_| self.written.as_deref() == Some(path))?;
        let last = tried.seen.last()?.runs.last()?;
        find_failure_place(&tried.prepared, language, &last.run.output)
    }

    /// Waits until no command runs any more. The page, which no longer exists, has stopped them.
    pub fn wait_for_threads(&mut self) {
        for thread in self.threads.drain(..) {
            // The hook has reported a panic.
            let _ = thread.join();
        }
    }

    /// The typed line as a test without a property.
    fn read_line(&self, line: &str) -> Result<TestSpec, CommandFailure> {
        let stage = match line
            .replace(CANDIDATE, "")
            .contains(|sign| SHELL_SIGNS.contains(sign))
        {
            true => {
                let name = self.input.file_name().to_string_lossy();
                shell_stage(StageRole::Subject, "the command", line, &name)?
            }
            false => {
                let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
                TestStage::new(StageRole::Subject, command_stage(&words, &self.input))
            }
        };
        Ok(TestSpec::Commands(
            vec![stage],
            RequestedCriteria::default(),
        ))
    }
}

impl StartHelper for StartDesk<'_> {
    fn try_command(&mut self, line: &str) -> Result<CommandTrial, String> {
        self.wait_for_threads();
        let common = &self.reduce.run.common;
        let (scratch, isolation) = (common.scratch.as_deref(), &common.isolation);
        let input = RunInput::Program(self.input.clone());
        let prepared = self
            .read_line(line)
            .and_then(|spec| PreparedRun::from_input(input, &spec, scratch, isolation, 1));
        let mut prepared = prepared.map_err(|failure| first_line(&failure))?;
        let (send, updates) = unbounded();
        let (lifeline, interrupted) = bounded(0);
        prepared.is_silent.set(true);
        prepared.signals = TerminationSignals::from_lifeline(interrupted);
        let limit = self.reduce.run.timeout;
        let limit = limit.unwrap_or_else(LimitPolicy::adaptive);
        let tried = self.tried.clone();
        let run = move || {
            let last = match try_until_known(prepared, limit, &send) {
                Ok((command, findings)) => {
                    *tried.lock().unwrap_or_else(PoisonError::into_inner) = Some(command);
                    TrialUpdate::Found(findings)
                }
                Err(failure) => TrialUpdate::Failed(first_line(&failure)),
            };
            // The page may have been left: then nobody listens.
            let _ = send.send(last);
        };
        let thread = thread::Builder::new().name("lop-trial".into());
        self.threads
            .push(thread.spawn(run).map_err(|error| error.to_string())?);
        Ok(CommandTrial { updates, lifeline })
    }

    fn write_test(&mut self, request: &TestRequest) -> Result<(), TestWriteError> {
        self.wait_for_threads();
        let tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        let other = |reason: String| TestWriteError::Other(reason);
        let tried = tried.as_ref();
        let tried = tried.ok_or_else(|| other("the command was not run yet".into()))?;
        let test = tried
            .choose_property(request)
            .and_then(|property| {
                let test = tried.prepared.test.with_property(property);
                test.map_err(|error| error.to_string())
            })
            .map_err(other)?;
        let place = Path::new(&request.place);
        if let Ok(there) = place.symlink_metadata() {
            if !there.is_file() && !there.is_symlink() {
                return Err(other(format!("{} is no file", request.place)));
            }
            if place
                .canonicalize()
                .is_ok_and(|path| path == self.input.path)
            {
                return Err(other(format!(
                    "{} is the file to reduce: type another name",
                    request.place
                )));
            }
            if !request.overwrites {
                return Err(TestWriteError::Exists);
            }
        }
        let text = test_script(&test, tried.limit.current_limits().wall);
        replace_executable(place, &text).map_err(|error| {
            other(format!(
                "the test cannot be written to {}: {error}",
                request.place
            ))
        })?;
        self.written = Some(request.place.clone());
        Ok(())
    }

    fn check_test(&mut self, path: &str) -> Result<(), String> {
        let test = TestExecutable::from_path(Path::new(path));
        test.map(drop).map_err(|error| error.to_string())
    }
}

impl TriedCommand {
    /// The property that the user wants, which the runs on the original must have had.
    fn choose_property(&self, request: &TestRequest) -> Result<FailureProperty, String> {
        let chosen = request.property.clone();
        if request.word.is_empty() {
            return chosen.ok_or_else(|| "type a word of the output".into());
        }
        let part = PropertyPart::of_text(&request.word);
        let grep = match &part.criterion {
            PropertyCriterion::Grep(expression) => vec![expression.clone()],
            _ => Vec::new(),
        };
        let wanted = RequestedCriteria {
            grep,
            ..RequestedCriteria::default()
        };
        let found = self.prepared.find_property(&self.seen, &wanted);
        let found = found.map_err(|error| match error {
            IdentifyError::NotObserved(_) => {
                format!(
                    "the output does not contain `{}`",
                    sanitize_line(&request.word)
                )
            }
            error => error.to_string(),
        })?;
        Ok(match chosen {
            None => found,
            Some(mut chosen) => {
                chosen.parts.insert(0, part);
                chosen
            }
        })
    }
}

/// Runs the command until it is known what its runs have in common.
fn try_until_known(
    mut prepared: PreparedRun,
    limit: LimitPolicy,
    news: &Sender<TrialUpdate>,
) -> Result<(TriedCommand, TrialFindings), CommandFailure> {
    let mut seen: Vec<DetailedOutcome> = Vec::new();
    while needs_another_run(&seen) {
        let outcome = prepared.observe_run(limit)?;
        let _ = news.send(TrialUpdate::Ran(describe_run(&outcome)));
        seen.push(outcome);
    }
    let property = match prepared.find_property(&seen, &RequestedCriteria::default()) {
        Ok(property) => Some(property),
        Err(IdentifyError::NoFailure) => None,
        Err(unfit) => return Err(prepared.preflight_tester().explain_unfit(&unfit, &seen)),
    };
    let hangs = property.as_ref().is_some_and(FailureProperty::expects_hang);
    let limit = if hangs { limit.for_hang() } else { limit };
    let note = limit_errors(&mut prepared, property.as_ref(), &seen, limit)?;
    Ok((
        TriedCommand {
            prepared,
            seen,
            limit,
        },
        TrialFindings { property, note },
    ))
}

/// Has a compiler end at the first error, where it does the same on the file so, as `lop init` does. Says so if it does.
fn limit_errors(
    prepared: &mut PreparedRun,
    property: Option<&FailureProperty>,
    seen: &[DetailedOutcome],
    limit: LimitPolicy,
) -> Result<Option<String>, CommandFailure> {
    let Some(last) = seen.last().and_then(|outcome| outcome.runs.last()) else {
        return Ok(None);
    };
    let succeeds = || FailureProperty {
        parts: vec![PropertyPart {
            on: true,
            criterion: PropertyCriterion::Exit(0),
        }],
    };
    let property = property.cloned().unwrap_or_else(succeeds);
    prepared.use_property(property)?;
    let ends_early = prepared.limit_errors(&last.run, limit.current_limits())?;
    Ok(ends_early.then(|| {
        format!(
            "The test calls it with {FATAL_ERRORS}, and the file does the same: what does not compile costs less so."
        )
    }))
}

/// How a run ended, and what it printed.
fn describe_run(seen: &DetailedOutcome) -> CommandRun {
    let Some(last) = seen.runs.last() else {
        return CommandRun::default();
    };
    let text = last.run.output.to_bytes();
    let text = escape_page(&text);
    CommandRun {
        end: format!("{} after {}", last.run.exit, format_duration(last.run.time)),
        printed: text.lines().take(MOST_PRINTED).map(str::to_owned).collect(),
    }
}

/// What failed, without what is advised at the command line.
fn first_line(failure: &CommandFailure) -> String {
    let text = failure.error.to_string();
    text.lines().next().unwrap_or_default().to_owned()
}
