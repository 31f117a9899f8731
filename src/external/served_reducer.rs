//! lop as a program that proposes candidates to another reducer: a run whose test is the reducer's verdict.
//!
//! The run begins with the first version. While the reducer's next version is the candidate that it found interesting last, the run goes on; with any
//! other one it begins anew.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, never, select};

use super::messages::{PROTOCOL_VERSION, ProposerLine, ReducerLine, ToldFile};
use super::served_runner::{AnswerSink, LineWriter, ServedRunner};
use crate::language::{self, Language};
use crate::oracle::LimitPolicy;
use crate::pass::PassOptions;
use crate::program::{self, ReadError};
use crate::reduce::{self, EngineCommand, RunEvent, RunHandle, RunSetup, StartError};

/// How the program of another reducer is reduced.
#[derive(Clone, Copy, Debug)]
pub struct ServedOptions {
    /// The language; none for what the reducer says, or the name of the file.
    pub language: Option<&'static Language>,
    /// The options of the passes.
    pub options: PassOptions,
    /// How many candidates are proposed at a time.
    pub jobs: usize,
}

/// Why the other reducer cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A line is none of the protocol.
    #[error("line {line} of the reducer is none of the protocol: {error}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// The reducer speaks another version of the protocol.
    #[error(
        "the reducer speaks version {0} of the protocol, and this lop version {PROTOCOL_VERSION}"
    )]
    Protocol(u32),
    /// There is not one file.
    #[error("a version has {0} files, and this lop serves programs of one file")]
    Files(usize),
    /// The bytes of a file are torn.
    #[error("the bytes of {0} are not two digits each")]
    Bytes(String),
    /// The program cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// No run can start.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// Proposes candidates until the reducer ends, or closes its end of `lines`.
///
/// # Errors
/// When the reducer says what is none of the protocol, or no run can start.
pub fn serve_reducer(
    options: ServedOptions,
    lines: &Receiver<String>,
    writer: &LineWriter,
) -> Result<(), ServeError> {
    let mut server = ReducerServer {
        options,
        writer: writer.clone(),
        run: None,
        next: 1,
        number: 0,
    };
    let mut read = 0;
    loop {
        let events = server
            .run
            .as_ref()
            .map_or_else(never, |served| served.events.clone());
        select! {
            recv(lines) -> line => {
                let Ok(line) = line else { break };
                read += 1;
                let line = serde_json::from_str(&line)
                    .map_err(|error| ServeError::Line { line: read, error })?;
                if !server.on_line(line)? {
                    break;
                }
            }
            recv(events) -> event => server.on_event(event.ok()),
        }
    }
    server.stop_run();
    Ok(())
}

/// The run for the version that the reducer has.
struct ServedRun {
    run: RunHandle,
    events: Receiver<RunEvent>,
    answers: AnswerSink,
    is_over: bool,
}

struct ReducerServer {
    options: ServedOptions,
    writer: LineWriter,
    run: Option<ServedRun>,
    /// The number of the next proposal.
    next: u64,
    /// The number of the reducer's version.
    number: u64,
}

impl ReducerServer {
    /// Handles a line of the reducer. Returns whether more is expected.
    fn on_line(&mut self, line: ReducerLine) -> Result<bool, ServeError> {
        match line {
            ReducerLine::Hello { protocol, .. } if protocol != PROTOCOL_VERSION => {
                return Err(ServeError::Protocol(protocol));
            }
            ReducerLine::Hello { language, .. } => {
                let named = language.as_deref().and_then(language::by_name);
                self.options.language = self.options.language.or(named);
            }
            ReducerLine::Version { version, files } => self.on_version(version, &files)?,
            ReducerLine::Verdict {
                id,
                verdict,
                output,
                ..
            } => {
                if let Some(served) = &self.run {
                    served.answers.answer(&id, verdict, &output);
                }
            }
            ReducerLine::Problem { .. } | ReducerLine::Unknown => {}
            ReducerLine::End => return Ok(false),
        }
        Ok(true)
    }

    fn on_version(&mut self, number: u64, files: &[ToldFile]) -> Result<(), ServeError> {
        let [file] = files else {
            return Err(ServeError::Files(files.len()));
        };
        let text = file.bytes.decode_bytes();
        let text = text.ok_or_else(|| ServeError::Bytes(file.name.clone()))?;
        self.number = number;
        let is_known = |served: &ServedRun| served.answers.adopt_version(number, &text);
        match self.run.as_ref().filter(|served| is_known(served)) {
            Some(served) if served.is_over => self.tell_done(),
            Some(_) => {}
            None => self.start_run(&file.name, text)?,
        }
        Ok(())
    }

    fn start_run(&mut self, name: &str, text: Vec<u8>) -> Result<(), ServeError> {
        self.stop_run();
        let path = Path::new(name);
        let language = self.options.language.or_else(|| language::by_path(path));
        let version = program::read_documents(vec![(language, path.into(), text.into())])?;
        let runner = ServedRunner::new(self.number, self.next, self.writer.clone());
        let answers = runner.answer_sink();
        // The reducer has a limit of its own.
        let limit = LimitPolicy::fixed(Duration::ZERO);
        let run = reduce::start_run(RunSetup {
            options: self.options.options,
            jobs: self.options.jobs,
            ..RunSetup::new(version, runner, limit)
        })?;
        self.run = Some(ServedRun {
            events: run.events.clone(),
            run,
            answers,
            is_over: false,
        });
        Ok(())
    }

    fn stop_run(&mut self) {
        if let Some(served) = self.run.take() {
            // It may be over.
            let _ = served.run.commands.send(EngineCommand::Stop);
            served.run.wait_for_end();
            self.next = served.answers.next_number();
        }
    }

    fn on_event(&mut self, event: Option<RunEvent>) {
        let Some(served) = &mut self.run else { return };
        match event {
            Some(RunEvent::Finished(_)) => {
                served.is_over = true;
                self.tell_done();
            }
            Some(_) => {}
            None => served.events = never(),
        }
    }

    /// Tells the reducer that nothing more is proposed of its version.
    fn tell_done(&self) {
        (self.writer)(&ProposerLine {
            done: Some(self.number),
            ..ProposerLine::default()
        });
    }
}

/// Writes each line by this function, whole.
pub fn line_writer(write: impl Fn(&str) + Send + Sync + 'static) -> LineWriter {
    Arc::new(move |line| {
        if let Ok(text) = serde_json::to_string(line) {
            write(&text);
        }
    })
}
