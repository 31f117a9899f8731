//! Commands on their way: until the run says what became of one, it is shown as pending.

use super::app::App;
use super::theme::Role;
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
    /// Whether a snapshot shows that it was obeyed, or refused.
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
            EngineCommand::Resume => "going on".into(),
            EngineCommand::Step(_) => "one step".into(),
            EngineCommand::Stop => "stopping".into(),
            _ => self.line.clone(),
        }
    }
}

impl App {
    /// A command is on its way to the run.
    pub(in crate::tui) fn add_pending_command(&mut self, command: EngineCommand, line: String) {
        let snapshot = self.snapshot.as_deref();
        let heard = snapshot.map_or(0, |snapshot| snapshot.last_command.0);
        let before = self.pending.last().map_or(0, |pending| pending.number);
        let counts = snapshot.map_or_else(Default::default, |snapshot| snapshot.counts);
        let tests = match command {
            EngineCommand::Step(_) => counts.decisions,
            _ => counts.started,
        };
        self.pending.push(PendingCommand {
            command,
            line,
            number: heard.max(before) + 1,
            tests,
        });
    }

    /// What became of the commands that a snapshot is the first to have heard is told; the one before it had heard so many.
    pub(in crate::tui) fn acknowledge_commands(&mut self, new: &RunSnapshot, before: u64) {
        let (obeyed, pending): (Vec<_>, Vec<_>) = std::mem::take(&mut self.pending)
            .into_iter()
            .partition(|pending| pending.is_applied(new));
        self.pending = pending;
        let (heard, last) = &new.last_command;
        let newest = obeyed.last().filter(|newest| newest.number <= *heard);
        // A change of what is looked for is heard of twice: it is tried first.
        let is_news = *heard > before && !self.context.replay;
        let Some(last) = last.as_ref().filter(|_| newest.is_some() || is_news) else {
            return;
        };
        match (&last.outcome, newest) {
            (Err(reason), newest) => {
                let line = newest.map_or(&last.command, |newest| &newest.line);
                let text = format!("{line}: {reason}");
                self.status_message = None;
                self.toasts.push_toast(text, Role::Failed);
            }
            (Ok(Some(more)), _) => self.status_message = Some(format!("{}: {more}", last.command)),
            (Ok(None), Some(newest)) if !newest.has_visible_effect() => {
                let text = format!("{}: holds before candidate {}", newest.line, last.before);
                self.status_message = Some(text);
            }
            (Ok(None), _) => {}
        }
    }
}
