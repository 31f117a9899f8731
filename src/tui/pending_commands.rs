//! Commands on their way: until the run says what became of one, it is shown as pending.

use crate::reduce::{EngineCommand, RunSnapshot, RunState};

/// A command that the run was told.
#[derive(Clone, Debug)]
pub struct PendingCommand {
    /// The command.
    pub command: EngineCommand,
    /// The line as the user gave it: a text is called by its file.
    pub line: String,
    /// How many commands the run will have heard when it has heard this one.
    pub number: u64,
    /// How many tests had been started, or for a step decided.
    pub tests: u64,
}

impl PendingCommand {
    /// Whether a snapshot shows that it was applied, or refused.
    fn is_applied(&self, snapshot: &RunSnapshot) -> bool {
        let counts = &snapshot.counts;
        let (heard, last) = &snapshot.last_command;
        let refused = last.as_ref().is_some_and(|last| last.outcome.is_err());
        match self.command {
            _ if matches!(snapshot.state, RunState::Finished(_)) => true,
            _ if *heard > self.number || *heard == self.number && refused => true,
            EngineCommand::Pause => snapshot.state.is_suspended(),
            // A test that is still broken stops the run again at once.
            EngineCommand::Resume => {
                snapshot.state == RunState::Running || counts.started > self.tests
            }
            EngineCommand::Step(_) => {
                counts.decisions > self.tests && snapshot.state.is_suspended()
            }
            EngineCommand::Stop => false,
            _ => *heard >= self.number,
        }
    }

    /// Whether all can see what it did.
    fn has_visible_effect(&self) -> bool {
        matches!(
            self.command,
            EngineCommand::Pause
                | EngineCommand::Resume
                | EngineCommand::Step(_)
                | EngineCommand::Stop
        )
    }

    /// What it is, while it is awaited.
    pub fn status_text(&self) -> String {
        match &self.command {
            EngineCommand::Pause => "pausing".into(),
            EngineCommand::Resume => "resuming".into(),
            EngineCommand::Step(_) => "one step".into(),
            EngineCommand::Stop => "stopping".into(),
            _ => self.line.clone(),
        }
    }
}

/// The commands that the run has not yet applied, in their order.
#[derive(Debug, Default)]
pub struct CommandQueue(Vec<PendingCommand>);

/// What became of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandNotice {
    /// It was applied, and this is to be said of it.
    Applied(String),
    /// It was refused, for this reason.
    Refused(String),
}

impl CommandQueue {
    /// A command is on its way to the run.
    pub fn add_command(
        &mut self,
        command: EngineCommand,
        line: String,
        snapshot: Option<&RunSnapshot>,
    ) {
        let heard = snapshot.map_or(0, |snapshot| snapshot.last_command.0);
        let before = self.0.last().map_or(0, |pending| pending.number);
        let counts = snapshot.map_or_else(Default::default, |snapshot| snapshot.counts);
        let tests = match command {
            EngineCommand::Step(_) => counts.decisions,
            _ => counts.started,
        };
        self.0.push(PendingCommand {
            command,
            line,
            number: heard.max(before) + 1,
            tests,
        });
    }

    /// Whether no command is awaited.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The command that was sent last, of those that are awaited.
    pub fn last_command(&self) -> Option<&EngineCommand> {
        self.0.last().map(|pending| &pending.command)
    }

    /// What they are, while they are awaited.
    pub fn status_texts(&self) -> Vec<String> {
        self.0.iter().map(PendingCommand::status_text).collect()
    }

    /// Drops the commands that a snapshot shows to be applied. Says what became of those that it is the first to have heard; the
    /// snapshot before it had heard `before` commands. In a recording only the user's own commands are news.
    pub fn acknowledge(
        &mut self,
        new: &RunSnapshot,
        before: u64,
        replay: bool,
    ) -> Option<CommandNotice> {
        let (applied, pending): (Vec<_>, Vec<_>) = std::mem::take(&mut self.0)
            .into_iter()
            .partition(|pending| pending.is_applied(new));
        self.0 = pending;
        let (heard, last) = &new.last_command;
        let newest = applied.last().filter(|newest| newest.number <= *heard);
        // A change of what is looked for is heard of twice: it is tried first.
        let is_news = *heard > before && !replay;
        let last = last.as_ref().filter(|_| newest.is_some() || is_news)?;
        match (&last.outcome, newest) {
            (Err(reason), newest) => {
                let line = newest.map_or(&last.command, |newest| &newest.line);
                Some(CommandNotice::Refused(format!("{line}: {reason}")))
            }
            (Ok(Some(more)), _) => {
                Some(CommandNotice::Applied(format!("{}: {more}", last.command)))
            }
            (Ok(None), Some(newest)) if !newest.has_visible_effect() => {
                Some(CommandNotice::Applied(format!(
                    "{}: applied before candidate {}",
                    newest.line, last.before
                )))
            }
            (Ok(None), _) => None,
        }
    }
}
