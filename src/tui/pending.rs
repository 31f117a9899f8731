//! Commands on their way: until the run says what became of one, it is shown as pending.

use super::app::App;
use super::theme::Role;
use crate::reduce::{Command, Snapshot, State};

/// A command that the run was told.
#[derive(Clone, Debug)]
pub struct Pending {
    /// The command.
    pub command: Command,
    /// The line as the user gave it: a text is called by its file.
    pub line: String,
    /// How many commands the run will have heard when it has heard this one.
    pub number: u64,
    /// How many tests had been started, or for a step decided.
    pub tests: u64,
}

impl Pending {
    /// Whether a snapshot shows that it was obeyed, or refused.
    fn is_obeyed(&self, snapshot: &Snapshot) -> bool {
        let counts = &snapshot.counts;
        let (heard, last) = &snapshot.obeyed;
        let refused = last.as_ref().is_some_and(|last| last.outcome.is_err());
        match self.command {
            _ if matches!(snapshot.state, State::Finished(_)) => true,
            _ if *heard > self.number || *heard == self.number && refused => true,
            Command::Pause => snapshot.state.stands(),
            // A test that is still broken stops the run again at once.
            Command::Resume => snapshot.state == State::Running || counts.started > self.tests,
            Command::Step(_) => counts.decisions > self.tests && snapshot.state.stands(),
            Command::Stop => false,
            _ => *heard >= self.number,
        }
    }

    /// Whether all can see what it did.
    fn is_seen(&self) -> bool {
        matches!(
            self.command,
            Command::Pause | Command::Resume | Command::Step(_) | Command::Stop
        )
    }

    /// What it is, while it is awaited.
    pub fn words(&self) -> String {
        match &self.command {
            Command::Pause => "pausing".into(),
            Command::Resume => "going on".into(),
            Command::Step(_) => "one step".into(),
            Command::Stop => "stopping".into(),
            _ => self.line.clone(),
        }
    }
}

impl App {
    /// A command is on its way to the run.
    pub(super) fn await_command(&mut self, command: Command, line: String) {
        let snapshot = self.snapshot.as_deref();
        let heard = snapshot.map_or(0, |snapshot| snapshot.obeyed.0);
        let before = self.pending.last().map_or(0, |pending| pending.number);
        let counts = snapshot.map_or_else(Default::default, |snapshot| snapshot.counts);
        let tests = match command {
            Command::Step(_) => counts.decisions,
            _ => counts.started,
        };
        self.pending.push(Pending {
            command,
            line,
            number: heard.max(before) + 1,
            tests,
        });
    }

    /// What became of the commands that a snapshot is the first to have heard is told; the one before it had heard so many.
    pub(super) fn acknowledge(&mut self, new: &Snapshot, before: u64) {
        let (obeyed, pending): (Vec<_>, Vec<_>) = std::mem::take(&mut self.pending)
            .into_iter()
            .partition(|pending| pending.is_obeyed(new));
        self.pending = pending;
        let (heard, last) = &new.obeyed;
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
                self.said = None;
                self.toasts.tell(text, Role::Failed);
            }
            (Ok(Some(more)), _) => self.said = Some(format!("{}: {more}", last.command)),
            (Ok(None), Some(newest)) if !newest.is_seen() => {
                let text = format!("{}: holds before candidate {}", newest.line, last.before);
                self.said = Some(text);
            }
            (Ok(None), _) => {}
        }
    }
}
