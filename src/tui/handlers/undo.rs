//! Undoing: the menu of its ways, for which the run waits.

use crate::reduce::{EngineCommand, RunState, UndoMode};
use crate::tui::app::{App, KeyEffect};
use crate::tui::prompt::line::PromptSubject;
use crate::tui::prompt::undo_menu::UndoMenu;

impl App {
    /// Opens the prompt with the ways to undo the current version, and pauses the run until it closes; a recording has only one way.
    pub(in crate::tui) fn start_undo(&mut self) -> KeyEffect {
        if self.view.context.replay {
            return self.replay_command(&EngineCommand::Undo(UndoMode::Keep, None));
        }
        self.open_prompt("undo ");
        self.hold_for_undo()
    }

    /// Makes the prompt the menu of the ways to undo as soon as its line begins with that verb, and pauses the run until it closes.
    pub(in crate::tui) fn hold_for_undo(&mut self) -> KeyEffect {
        let prompt = self.prompt.as_ref();
        let is_undo = prompt.is_some_and(|prompt| {
            matches!(prompt.subject, PromptSubject::Anything) && prompt.begins_with("undo ")
        });
        let facts = self.facts();
        if !is_undo || facts.replay || !facts.has_accepted {
            return KeyEffect::Redraw;
        }
        let pausing = self.pending.last_command() == Some(&EngineCommand::Pause);
        let holds = self.view.run_state() == Some(&RunState::Running) && !pausing;
        let glyphs = &self.view.theme.glyphs;
        let snapshot = self.view.snapshot.as_deref();
        let menu = snapshot.and_then(|snapshot| UndoMenu::of_current(snapshot, holds, glyphs));
        let holds = menu.as_ref().is_some_and(|menu| menu.holds_run);
        if let (Some(prompt), Some(menu)) = (&mut self.prompt, menu) {
            prompt.subject = PromptSubject::Undo(menu);
        }
        match holds {
            true => self.send_command(EngineCommand::Pause, "pause".into()),
            false => KeyEffect::Redraw,
        }
    }

    /// Resumes the run after a menu that it was paused for, behind what the menu did. What the driver does by itself comes first: then
    /// the run stays paused.
    pub(in crate::tui) fn release_run(
        &mut self,
        menu: Option<&UndoMenu>,
        effect: KeyEffect,
    ) -> KeyEffect {
        let sent = match &effect {
            KeyEffect::Send(sent) => sent.clone(),
            KeyEffect::Redraw => Vec::new(),
            _ => return effect,
        };
        if self.view.is_finished() || !menu.is_some_and(|menu| menu.resumes_after(&sent)) {
            return effect;
        }
        self.add_pending_command(EngineCommand::Resume, "resume".into());
        KeyEffect::Send([sent, vec![EngineCommand::Resume]].concat())
    }
}
