//! How a new snapshot of the run changes the screen.

use std::sync::Arc;

use crate::reduce::{RunSnapshot, RunState};
use crate::tui::app::{App, PageKind, PaneKind};
use crate::tui::contrast::ContrastState;
use crate::tui::pages::property::PropertyPage;
use crate::tui::pages::result::ResultPage;
use crate::tui::pages::stall::StallPage;
use crate::tui::pending_commands::CommandNotice;
use crate::tui::run_view::layout_scope_of;
use crate::tui::theme::Role;

impl App {
    /// Applies a snapshot.
    pub fn apply_snapshot(&mut self, new: Arc<RunSnapshot>) {
        let new = self.guess.veil(new);
        self.view.hides_verdict = self.guess.holds_verdict();
        self.update_stall_page(&new);
        self.show_player_message(&new);
        self.update_property_page(&new);
        let opens_result = self.opens_result(&new.state);
        let leaves_end = self.view.can_go_on() && !matches!(new.state, RunState::Finished(_));
        let old = self.view.snapshot.clone();
        let panes = &mut self.panes;
        match &old {
            None => {
                self.selection.start_at_top(&new.version);
                let is_pair = new.version.twins().is_some();
                let scope = layout_scope_of(&new.version);
                let is_lesson = self.view.context.lesson.is_some();
                let layout = self.view.setup.initial_layout(scope, is_lesson);
                self.arrangement.layout = layout;
                if is_pair {
                    self.arrangement.focus_pane(layout.main);
                } else if is_lesson {
                    self.arrangement.focus_pane(PaneKind::Program);
                }
            }
            Some(old) if old.number != new.number => {
                self.selection.move_to_version(&old.version, &new.version);
                panes.tree.scroll.anchor_selection();
                panes.graph.scroll.anchor_selection();
                panes.program.scroll.anchor_selection();
                panes.pair.scroll.anchor_selection();
                panes.difference.scroll.anchor_selection();
            }
            Some(_) => {}
        }
        panes.log.anchor_selection();
        self.count_heat(&new);
        let tried = self.view.apply_snapshot(new.clone());
        let commands_before = old.unwrap_or_else(|| new.clone()).last_command.0;
        self.acknowledge_commands(&new, commands_before);
        if let Some(tried) = tried.filter(|_| self.selection.follow) {
            self.selection.follow_node(&new.version, tried);
        }
        if leaves_end {
            self.leave_result();
        }
        if opens_result {
            self.stop_following();
            self.panes.log.follow_newest();
            // Who reads the help closes it, and finds the result below.
            self.pages.close_others(PageKind::Help);
            self.pages.open_below(ResultPage::default());
        }
    }

    /// The run goes on from its end: what was shown of the result is no longer so.
    fn leave_result(&mut self) {
        self.pages.close_kind(PageKind::Result);
        self.pages.close_kind(PageKind::Contrast);
        self.view.contrast = ContrastState::Idle;
        self.selection.start_following();
        self.panes.log.follow_newest();
    }

    /// Reports whether the user's commands were applied or rejected.
    fn acknowledge_commands(&mut self, new: &RunSnapshot, before: u64) {
        let replay = self.view.context.replay;
        let lesson = self.lesson.as_ref();
        let place = lesson.and_then(|player| player.sent_place());
        match self.pending.acknowledge(new, before, replay) {
            Some(CommandNotice::Refused { reason, number }) => {
                let reason = match place {
                    Some(place) => format!("a mistake of the lesson: {place}: {reason}"),
                    None => reason,
                };
                self.status_message = None;
                self.panes.progress.remove_marker(number);
                self.toasts.push_toast(reason, Role::Failed);
            }
            Some(CommandNotice::Applied(text)) => self.status_message = Some(text),
            None => {}
        }
    }

    /// Opens the page of a stalled run, and closes it when the run is resumed, or paused for another reason.
    fn update_stall_page(&mut self, new: &RunSnapshot) {
        let is_new = self.view.run_state() != Some(&new.state);
        if is_new {
            self.pages.close_kind(PageKind::Stall);
        }
        if !matches!(new.state, RunState::Stalled(_)) {
            return;
        }
        if is_new {
            self.open_page(StallPage::default());
        }
        if self.view.has_stalled_again(new) {
            self.status_message = Some("the test was run again and failed again".into());
        }
    }

    /// Opens the page of the property before the run starts, if the property is known, and closes it at the start.
    fn update_property_page(&mut self, new: &RunSnapshot) {
        let is_unstarted = |of: &RunSnapshot| of.counts.decisions == 0 && of.state.is_suspended();
        match &self.view.snapshot {
            None if new.property.is_some() && is_unstarted(new) => {
                self.open_page(PropertyPage::default())
            }
            Some(old) if is_unstarted(old) && !is_unstarted(new) => {
                self.pages.close_kind(PageKind::Property)
            }
            _ => {}
        }
    }

    /// Shows a new message of the player of a recording.
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
