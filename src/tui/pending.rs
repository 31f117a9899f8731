//! A command on its way: until the run says what became of it, it is shown as pending.

use super::app::App;
use super::theme::Role;
use crate::reduce::{Command, Snapshot, State};

/// A command that the run was told.
#[derive(Clone, Debug)]
pub struct Pending {
    /// The command.
    pub command: Command,
    /// How many commands the run had heard before.
    pub heard: u64,
    /// How many tests had been started, or for a step decided.
    pub tests: u64,
}

impl Pending {
    /// Whether a snapshot shows that it was obeyed, or refused.
    pub fn is_obeyed(&self, snapshot: &Snapshot) -> bool {
        let counts = &snapshot.counts;
        let (heard, last) = &snapshot.obeyed;
        let refused = last.as_ref().is_some_and(|last| last.outcome.is_err());
        match self.command {
            _ if matches!(snapshot.state, State::Finished(_)) => true,
            _ if *heard > self.heard && refused => true,
            Command::Pause => matches!(snapshot.state, State::Paused(_)),
            // A test that is still broken stops the run again at once.
            Command::Resume => snapshot.state == State::Running || counts.started > self.tests,
            Command::Step(_) => {
                counts.decisions > self.tests && matches!(snapshot.state, State::Paused(_))
            }
            Command::Stop => false,
            _ => *heard > self.heard,
        }
    }

    /// Whether all can see what it did.
    fn is_seen(&self) -> bool {
        matches!(
            self.command,
            Command::Pause | Command::Resume | Command::Step(_) | Command::Stop
        )
    }
}

impl App {
    /// The run has heard a command: what became of it is told.
    pub(super) fn acknowledge(&mut self, pending: &Pending, new: &Snapshot) {
        let (heard, last) = &new.obeyed;
        let Some(last) = last.as_ref().filter(|_| *heard > pending.heard) else {
            return;
        };
        match &last.outcome {
            Err(reason) => {
                let text = format!("{}: {reason}", last.command);
                self.toasts.tell(text, Role::Failed);
            }
            Ok(Some(more)) => self.said = Some(format!("{}: {more}", last.command)),
            Ok(None) if pending.is_seen() => {}
            Ok(None) => {
                let text = format!("{}: holds before candidate {}", last.command, last.before);
                self.said = Some(text);
            }
        }
    }
}
