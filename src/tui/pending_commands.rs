//! Pending commands: a command is shown as pending until the run reports that it was applied or rejected.

use crate::reduce::{EngineCommand, RunSnapshot, RunState};

/// A command that was sent to the run.
#[derive(Clone, Debug)]
pub struct PendingCommand {
    /// The command.
    pub command: EngineCommand,
    /// The line as the user typed it; an edited text is named by its file.
    pub line: String,
    /// How many commands the run will have received with this one.
    pub number: u64,
    /// How many tests had been started when it was sent; for a step, how many decisions there were.
    pub tests: u64,
}

impl PendingCommand {
    /// Whether a snapshot shows that it was applied or rejected.
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

    /// Whether the run means this command when it reports one with these words.
    fn is_reported_as(&self, words: &str) -> bool {
        match self.command {
            // It may be reported with what it has found out.
            EngineCommand::Property(..) | EngineCommand::NewTest(_) => true,
            ref command => command.to_string() == words,
        }
    }

    /// The text that the header shows while it is pending.
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

/// Whether the screen shows the effect of a command anyway.
fn has_visible_effect(command: &EngineCommand) -> bool {
    matches!(
        command,
        EngineCommand::Pause | EngineCommand::Resume | EngineCommand::Step(_) | EngineCommand::Stop
    )
}

/// The same of a command as the run reports it.
fn shows_itself(words: &str) -> bool {
    EngineCommand::parse_recorded(words).is_ok_and(|command| has_visible_effect(&command))
}

/// The pending commands, in order.
#[derive(Debug, Default)]
pub struct CommandQueue(Vec<PendingCommand>);

/// What became of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandNotice {
    /// It was applied, with this message.
    Applied(String),
    /// It was rejected.
    Refused {
        /// For this reason.
        reason: String,
        /// How many commands the run had received with it.
        number: u64,
    },
}

impl CommandQueue {
    /// Adds a command that was sent to the run.
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

    /// Whether no command is pending.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The newest pending command.
    pub fn last_command(&self) -> Option<&EngineCommand> {
        self.0.last().map(|pending| &pending.command)
    }

    /// How many commands the run will have received with the newest pending one.
    pub fn last_number(&self) -> Option<u64> {
        self.0.last().map(|pending| pending.number)
    }

    /// The texts of the pending commands, for the header.
    pub fn status_texts(&self) -> Vec<String> {
        self.0.iter().map(PendingCommand::status_text).collect()
    }

    /// Drops the commands that a snapshot shows to be applied or rejected. Returns a notice about the newest, if this snapshot is the
    /// first to report it; `before` is the number of commands in the previous snapshot. In a recording only the user's own commands are news.
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
        // The newest may be that of another screen: then its line is not ours.
        let newest = newest.filter(|newest| {
            let last = last.as_ref();
            last.is_none_or(|last| newest.is_reported_as(&last.command))
        });
        // A change of the property is reported twice: it is tested first.
        let is_news = *heard > before && !replay;
        let last = last.as_ref().filter(|_| newest.is_some() || is_news)?;
        match (&last.outcome, newest) {
            (Err(reason), newest) => {
                let line = newest.map_or(&last.command, |newest| &newest.line);
                Some(CommandNotice::Refused {
                    reason: format!("{line}: {reason}"),
                    number: newest.map_or(*heard, |newest| newest.number),
                })
            }
            (Ok(Some(more)), newest) => {
                let line = newest.map_or(&last.command, |newest| &newest.line);
                Some(CommandNotice::Applied(format!("{line}: {more}")))
            }
            (Ok(None), Some(newest)) if !has_visible_effect(&newest.command) => {
                Some(CommandNotice::Applied(format!(
                    "{}: applied before question {}",
                    newest.line, last.before
                )))
            }
            (Ok(None), None) if is_news && !shows_itself(&last.command) => {
                Some(CommandNotice::Applied(format!(
                    "{}: applied before question {}",
                    last.command, last.before
                )))
            }
            (Ok(None), _) => None,
        }
    }
}
