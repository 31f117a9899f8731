//! Commands that wait: those of the script, those of the user, and those that had to be deferred.

use std::collections::VecDeque;

use crossbeam_channel::{Receiver, never};

use crate::reduce::commands::{EngineCommand, ScriptTrigger};

/// All commands that have not been executed yet.
pub(in crate::reduce) struct PendingCommands {
    incoming: Receiver<EngineCommand>,
    /// Commands that arrived before the current version had its feedback.
    deferred: VecDeque<EngineCommand>,
    /// Commands that were given at the start, and when they hold.
    script: Vec<(ScriptTrigger, EngineCommand)>,
    /// Whether the command that is executed is one of the script.
    pub is_scripted: bool,
    stop_requested: bool,
}

impl PendingCommands {
    /// The script's commands, and the user's as they come.
    pub fn new(
        incoming: Receiver<EngineCommand>,
        script: Vec<(ScriptTrigger, EngineCommand)>,
    ) -> PendingCommands {
        PendingCommands {
            incoming,
            deferred: VecDeque::new(),
            script,
            is_scripted: false,
            stop_requested: false,
        }
    }

    /// The user's commands, as they come.
    pub fn incoming(&self) -> &Receiver<EngineCommand> {
        &self.incoming
    }

    /// The user's next command, if there is one.
    pub fn receive_command(&self) -> Option<EngineCommand> {
        self.incoming.try_recv().ok()
    }

    /// Expects no further command of the user.
    pub fn close(&mut self) {
        self.incoming = never();
    }

    /// Keeps a command until the current version has its feedback.
    pub fn defer_command(&mut self, command: EngineCommand) {
        self.deferred.push_back(command);
    }

    /// The oldest deferred command.
    pub fn pop_deferred(&mut self) -> Option<EngineCommand> {
        self.deferred.pop_front()
    }

    /// Whether the same command is deferred already.
    pub fn is_deferred(&self, command: &EngineCommand) -> bool {
        self.deferred.contains(command)
    }

    /// Whether commands of the script wait.
    pub fn has_script(&self) -> bool {
        !self.script.is_empty()
    }

    /// The first command of the script that is due.
    pub fn pop_scripted(
        &mut self,
        is_due: impl Fn(&(ScriptTrigger, EngineCommand)) -> bool,
    ) -> Option<EngineCommand> {
        let due = self.script.iter().position(is_due)?;
        Some(self.script.remove(due).1)
    }

    /// What is left of the script.
    pub fn script(&self) -> &[(ScriptTrigger, EngineCommand)] {
        &self.script
    }

    /// All that is left of the script.
    pub fn take_script(&mut self) -> Vec<(ScriptTrigger, EngineCommand)> {
        std::mem::take(&mut self.script)
    }

    /// Puts commands before the script, due at once.
    pub fn prepend_commands(&mut self, commands: Vec<EngineCommand>) {
        let due = commands
            .into_iter()
            .map(|command| (ScriptTrigger::Start, command));
        self.script.splice(0..0, due);
    }

    /// Stops the run after the command that is being executed.
    pub fn request_stop(&mut self) {
        self.stop_requested = true;
    }

    /// Whether the user stopped the run while a command was executed.
    pub fn stop_requested(&self) -> bool {
        self.stop_requested
    }
}
