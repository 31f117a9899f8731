//! All programs of a run that propose candidates, as the engine's source of proposals. Each has a thread of its own, with its desk.

use std::io;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, at, never, select, unbounded};

use super::messages::{PROTOCOL_VERSION, ReducerLine};
use super::proposal_desk::{DeskAction, ProposalDesk};
use super::proposer_process::ProposerProcess;
use crate::program::Version;
use crate::reduce::{ProposalMessage, ProposalOutcome, ProposalSource};

/// How many lines a program may leave unread before it is not heard any more.
const MAX_UNREAD: usize = 1_000;
/// The most that is shown of a command line as a name, in characters.
const MAX_NAME: usize = 32;

/// Which programs, and how they are treated.
#[derive(Clone, Debug, Default)]
pub struct ProposerSettings {
    /// Their command lines.
    pub commands: Vec<String>,
    /// How long the end of the run waits for a program that says nothing.
    pub patience: Duration,
}

/// What a desk hears of the run.
enum DeskNews {
    Version(u64, Box<Version>),
    Outcome(ProposalOutcome),
}

/// The programs. Dropping the group ends them.
pub struct ProposerGroup {
    messages: Receiver<ProposalMessage>,
    news: Vec<Sender<DeskNews>>,
    threads: Vec<JoinHandle<()>>,
}

impl ProposerGroup {
    /// Starts all programs for a program in the language of this name.
    ///
    /// # Errors
    /// When one cannot be started.
    pub fn start(settings: &ProposerSettings, language: Option<&str>) -> io::Result<ProposerGroup> {
        let (sender, messages) = unbounded();
        let mut group = ProposerGroup {
            messages,
            news: Vec::new(),
            threads: Vec::new(),
        };
        for (proposer, command) in settings.commands.iter().enumerate() {
            let process = ProposerProcess::start(command)?;
            process.tell(ReducerLine::Hello {
                protocol: PROTOCOL_VERSION,
                language: language.map(str::to_owned),
            });
            let (news, heard) = unbounded();
            let name = shorten_name(command);
            let desk = DeskThread {
                desk: ProposalDesk::new(proposer, name.clone()),
                name,
                process,
                patience: settings.patience,
                news: heard,
                messages: sender.clone(),
            };
            group.news.push(news);
            let thread = Builder::new().name("lop-proposals".into());
            group.threads.push(thread.spawn(move || desk.run())?);
        }
        Ok(group)
    }
}

impl ProposalSource for ProposerGroup {
    fn proposer_count(&self) -> usize {
        self.news.len()
    }

    fn message_receiver(&self) -> &Receiver<ProposalMessage> {
        &self.messages
    }

    fn announce_version(&mut self, number: u64, version: &Version) {
        for desk in &self.news {
            // A desk that is gone hears nothing.
            let _ = desk.send(DeskNews::Version(number, Box::new(version.clone())));
        }
    }

    fn report_outcome(&mut self, proposer: usize, outcome: ProposalOutcome) {
        if let Some(desk) = self.news.get(proposer) {
            let _ = desk.send(DeskNews::Outcome(outcome));
        }
    }
}

impl Drop for ProposerGroup {
    fn drop(&mut self) {
        // A desk ends its program when nobody has news.
        self.news.clear();
        for thread in self.threads.drain(..) {
            // The hook has reported a panic.
            let _ = thread.join();
        }
    }
}

/// The command line without the directory of its program, shortened.
fn shorten_name(command: &str) -> Arc<str> {
    let (program, arguments) = command.split_at(command.find(' ').unwrap_or(command.len()));
    let program = program.rsplit('/').next().unwrap_or(program);
    let command = format!("{program}{arguments}");
    match command.char_indices().nth(MAX_NAME) {
        None => command.as_str().into(),
        Some((end, _)) => format!("{}…", &command[..end]).into(),
    }
}

/// A desk with its program and its channels.
struct DeskThread {
    desk: ProposalDesk,
    name: Arc<str>,
    process: ProposerProcess,
    patience: Duration,
    news: Receiver<DeskNews>,
    messages: Sender<ProposalMessage>,
}

impl DeskThread {
    /// Works until the run is over.
    fn run(mut self) {
        let mut lines = self.process.lines.clone();
        let mut heard_at = Instant::now();
        loop {
            let is_heard = self.desk.hears_lines() && self.process.unread_lines() < MAX_UNREAD;
            let readable = match is_heard {
                true => lines.clone(),
                false => never(),
            };
            let silence = match self.desk.is_awaited() {
                true => heard_at.checked_add(self.patience).map_or_else(never, at),
                false => never(),
            };
            let actions = select! {
                recv(readable) -> line => match line {
                    Ok(line) => self.desk.on_line(&line),
                    Err(_) => {
                        lines = never();
                        self.report_failure();
                        self.desk.on_end()
                    }
                },
                recv(self.news) -> news => match news {
                    Ok(DeskNews::Version(number, version)) => self.desk.on_version(number, &version),
                    Ok(DeskNews::Outcome(outcome)) => self.desk.on_outcome(outcome),
                    Err(_) => return,
                },
                recv(silence) -> _ => self.desk.on_silence(),
            };
            if self.desk.makes_sense() {
                heard_at = Instant::now();
            }
            for action in actions {
                match action {
                    DeskAction::Tell(line) => self.process.tell(line),
                    // The run may be over.
                    DeskAction::Send(message) => {
                        let _ = self.messages.send(message);
                    }
                }
            }
        }
    }

    fn report_failure(&mut self) {
        if let Some(how) = self.process.describe_failure() {
            let notice = format!(
                "the program {} has ended: {how}; the run goes on",
                self.name
            );
            let _ = self.messages.send(ProposalMessage::Notice(notice));
        }
    }
}
