//! Keys and commands: which command a key means, and how a command is executed.

use std::mem;

use crate::program::{NodeTarget, node_excerpt};
use crate::reduce::{EngineCommand, RunState, StepUnit};
use crate::tui::app::{App, KeyEffect};
use crate::tui::commands::command::{CommandHandler, ScreenCommand};
use crate::tui::commands::facts::ScreenFacts;
use crate::tui::commands::keymap;
use crate::tui::commands::keys::KeyPress;
use crate::tui::commands::table::run_ended;

/// The command that pauses and resumes.
const PAUSE: &str = "pause";
/// The most characters of a node that a message about it shows.
const LONGEST_EXCERPT: usize = 24;

/// Why a command is disabled now, by its key and by its name.
pub fn disabled_reason(entry: &ScreenCommand, facts: &ScreenFacts) -> Option<&'static str> {
    let reason = (entry.disabled)(facts);
    if entry.context.is_active_in(facts.page, facts.focus) {
        reason
    } else if entry.context.is_active_in(None, facts.focus) {
        reason.or(Some("the open page must be closed first"))
    } else {
        Some("it belongs to another pane")
    }
}

impl App {
    /// Handles a key.
    pub fn handle_key(&mut self, key: KeyPress) -> KeyEffect {
        let message = self.status_message.take();
        self.toasts.dismiss_seen();
        if let Some(awaited) = self.bookmarks.pending.take() {
            return self.handle_bookmark_letter(awaited, key);
        }
        let facts = self.facts();
        let keys = &self.view.setup.keys;
        let closes = facts.page.is_none() && !facts.prompt;
        if closes && keys.command_keys("close").contains(&key) && self.toasts.close_errors() {
            return KeyEffect::Redraw;
        }
        if let Some(entry) = keymap::command_of_key(keys, &facts, key) {
            return self.execute_command(entry, "");
        }
        if let Some(prompt) = &mut self.prompt {
            if prompt.edit_line(key) {
                self.preview_theme();
            }
            return self.hold_for_undo();
        }
        if facts.page.is_some() {
            return match keymap::command_below_page(keys, &facts, key) {
                Some(entry) if entry.page == facts.page => {
                    self.close_page();
                    KeyEffect::Redraw
                }
                Some(entry) => {
                    let reason = disabled_reason(entry, &facts).unwrap_or_default();
                    self.show_status(format!("{}: {reason}", entry.name))
                }
                None if message.is_some() => KeyEffect::Redraw,
                None => KeyEffect::Nothing,
            };
        }
        match keymap::command_in_other_pane(keys, &facts, key) {
            Some(entry) => {
                let place = entry.context;
                let there = self
                    .arrangement
                    .focus_order()
                    .iter()
                    .any(|pane| place.includes_pane(*pane));
                let (pane, layout) = (
                    keys.first_key_name("next-pane"),
                    keys.first_key_name("layout"),
                );
                let how = match there {
                    true => format!("{pane} focuses the next pane"),
                    false => format!("this layout has no such pane, {layout} shows others"),
                };
                let place = place.name().to_lowercase();
                self.show_status(format!("{}: {place}; {how}", entry.name))
            }
            _ if message.is_some() => KeyEffect::Redraw,
            _ => KeyEffect::Nothing,
        }
    }

    /// Sends a line to the run, unless it cannot be parsed; `name` marks it in the curve.
    pub(in crate::tui) fn send_line(
        &mut self,
        line: &str,
        name: &str,
    ) -> Result<KeyEffect, String> {
        self.send_line_as(line, line.to_owned(), name)
    }

    /// Sends lines to the run, one behind the other, with one mark in the curve.
    pub(in crate::tui) fn send_lines(
        &mut self,
        lines: &[String],
        name: &str,
    ) -> Result<KeyEffect, String> {
        let mut sent = Vec::new();
        for line in lines {
            match self.send_line_as(line, self.quote_nodes(line), name)? {
                KeyEffect::Send(more) => sent.extend(more),
                other => return Ok(other),
            }
        }
        Ok(match sent.is_empty() {
            true => KeyEffect::Redraw,
            false => KeyEffect::Send(sent),
        })
    }

    /// The same with a line that the screen shows in its place.
    fn send_line_as(&mut self, line: &str, shown: String, name: &str) -> Result<KeyEffect, String> {
        let command = EngineCommand::parse_line(line)?;
        Ok(match run_ended(&self.facts()) {
            None if self.guess.is_on && command == EngineCommand::Step(StepUnit::Question) => {
                self.step_by_guess()
            }
            _ if self.view.context.replay => self.replay_command(&command),
            None if self.view.is_finished() && command == EngineCommand::Stop => {
                self.show_status(format!("{name}: nothing runs any more"))
            }
            Some(reason) => self.show_status(format!("{name}: {reason}")),
            None => {
                let effect = self.send_command(command, shown);
                let sent = self.view.snapshot.as_ref().zip(self.pending.last_number());
                if let Some((snapshot, number)) = sent {
                    self.panes.progress.add_marker(snapshot, name, number);
                }
                effect
            }
        })
    }

    pub(in crate::tui) fn execute_command(
        &mut self,
        entry: &ScreenCommand,
        rest: &str,
    ) -> KeyEffect {
        let is_early = self.view.snapshot.is_none() && self.lesson.is_none();
        if entry.name == PAUSE && is_early && !self.view.context.replay {
            self.is_pause_due = !self.is_pause_due;
            return self.show_status(match self.is_pause_due {
                true => "the run has not begun: the key counts once it has".into(),
                false => "the key counts no more".into(),
            });
        }
        if let Some(reason) = (entry.disabled)(&self.facts()) {
            return self.show_status(format!("{}: {reason}", entry.name));
        }
        let word = Some(rest).filter(|rest| !rest.is_empty());
        match entry.handler {
            CommandHandler::Action(action) => action(self, word),
            CommandHandler::View(action) => {
                action(self, word);
                KeyEffect::Redraw
            }
            CommandHandler::Navigation(action) => {
                self.navigate_focused(action);
                KeyEffect::Redraw
            }
            CommandHandler::Engine(line) => match line(self) {
                Ok(line) => {
                    let shown = self.quote_nodes(&line);
                    let sent = self.send_line_as(&line, shown, entry.name);
                    sent.unwrap_or_else(|mistake| self.show_status(mistake))
                }
                Err(reason) => self.show_status(format!("{}: {reason}", entry.name)),
            },
        }
    }

    /// The command of a key that was pressed before there was a run: one that begins paused is resumed, and another one paused.
    pub fn take_early_command(&mut self) -> Option<EngineCommand> {
        let state = self.view.run_state()?.clone();
        if !mem::take(&mut self.is_pause_due) {
            return None;
        }
        let command = match state {
            RunState::Running => EngineCommand::Pause,
            RunState::Paused(_) => EngineCommand::Resume,
            RunState::Stalled(_) | RunState::Finished(_) => return None,
        };
        self.status_message = None;
        self.add_pending_command(command.clone(), command.to_string());
        Some(command)
    }

    /// A line that a key makes, with the beginning of each node in the place of its number.
    fn quote_nodes(&self, line: &str) -> String {
        let Some(snapshot) = &self.view.snapshot else {
            return line.to_owned();
        };
        let quote = |word: &str| match word.parse() {
            Ok(NodeTarget::Node(node)) => {
                Some(node_excerpt(&snapshot.version, node, LONGEST_EXCERPT))
                    .filter(|text| !text.is_empty())
                    .map(|text| format!("`{text}`"))
            }
            _ => None,
        };
        let words = line.split(' ');
        let words = words.map(|word| quote(word).unwrap_or_else(|| word.to_owned()));
        words.collect::<Vec<_>>().join(" ")
    }

    pub(in crate::tui) fn send_command(
        &mut self,
        command: EngineCommand,
        line: String,
    ) -> KeyEffect {
        self.add_pending_command(command.clone(), line);
        KeyEffect::Send(vec![command])
    }

    /// Adds a command that is sent to the run to the pending ones.
    pub(in crate::tui) fn add_pending_command(&mut self, command: EngineCommand, line: String) {
        let snapshot = self.view.snapshot.as_deref();
        self.pending.add_command(command, line, snapshot);
    }
}
