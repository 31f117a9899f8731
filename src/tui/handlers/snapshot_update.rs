//! What changes on the screen when a snapshot of the run comes.

use std::sync::Arc;

use crate::reduce::{RunSnapshot, RunState};
use crate::tui::app::{App, PageKind};
use crate::tui::pages::property::PropertyPage;
use crate::tui::pages::result::ResultPage;
use crate::tui::pages::stall::StallPage;
use crate::tui::pending_commands::CommandNotice;
use crate::tui::theme::Role;

impl App {
    /// Takes over a snapshot.
    pub fn apply_snapshot(&mut self, new: Arc<RunSnapshot>) {
        self.update_stall_page(&new);
        self.show_player_message(&new);
        self.update_property_page(&new);
        let ended = !self.view.is_finished() && matches!(new.state, RunState::Finished(_));
        let old = self.view.snapshot.clone();
        let panes = &mut self.panes;
        match &old {
            None => self.selection.start_at_top(&new.version),
            Some(old) if old.number != new.number => {
                self.selection.move_to_version(&old.version, &new.version);
                panes.tree.scroll.anchor_selection();
                panes.program.scroll.anchor_selection();
            }
            Some(_) => {}
        }
        panes.tree.heat.count_new_decisions(&new);
        panes.verdicts.anchor_selection();
        panes.history.update_smallest(&new);
        panes.progress.update_sweep(&new);
        let tried = self.view.apply_snapshot(new.clone());
        let heard = old.unwrap_or_else(|| new.clone()).last_command.0;
        self.acknowledge_commands(&new, heard);
        if let Some(tried) = tried.filter(|_| self.selection.follow) {
            self.selection.follow_node(&new.version, tried);
        }
        if ended && !self.view.context.replay {
            self.stop_following();
            self.pages.close_all();
            self.open_page(ResultPage);
        }
    }

    /// Says what became of the user's commands.
    fn acknowledge_commands(&mut self, new: &RunSnapshot, before: u64) {
        let replay = self.view.context.replay;
        match self.pending.acknowledge(new, before, replay) {
            Some(CommandNotice::Refused(text)) => {
                self.status_message = None;
                self.toasts.push_toast(text, Role::Failed);
            }
            Some(CommandNotice::Applied(text)) => self.status_message = Some(text),
            None => {}
        }
    }

    /// A page says why the run stands still, from the moment it does until it goes on.
    fn update_stall_page(&mut self, new: &RunSnapshot) {
        if !matches!(new.state, RunState::Stalled(_)) {
            self.pages.close_kind(PageKind::Stall);
            return;
        }
        if self.view.run_state() != Some(&new.state) {
            self.open_page(StallPage::default());
        }
        if self.view.has_stalled_again(new) {
            self.status_message = Some("the test was run again and failed again".into());
        }
    }

    /// A page says what the test looks for, if that was found out, until the run begins.
    fn update_property_page(&mut self, new: &RunSnapshot) {
        let waits = |of: &RunSnapshot| of.counts.decisions == 0 && of.state.is_suspended();
        match &self.view.snapshot {
            None if new.property.is_some() && waits(new) => self.open_page(PropertyPage::default()),
            Some(old) if waits(old) && !waits(new) => self.pages.close_kind(PageKind::Property),
            _ => {}
        }
    }

    /// What the player of a recording says is told once.
    fn show_player_message(&mut self, new: &RunSnapshot) {
        let Some(replay) = &new.replay else {
            return;
        };
        let before = self.view.replay_state();
        let before = before.map_or(0, |replay| replay.last_message.0);
        if replay.last_message.0 != before {
            self.toasts.push_toast(&*replay.last_message.1, Role::Note);
        }
    }
}
