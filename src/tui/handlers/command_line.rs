//! Typed lines: how they are executed, and their completions.

use super::command_handlers::disabled_reason;
use crate::reduce::{EngineCommand, VERBS};
use crate::tui::app::{App, KeyEffect};
use crate::tui::commands::command::{CommandHandler, ScreenCommand};
use crate::tui::commands::table::find_command;
use crate::tui::prompt::line::{PromptKind, PromptLine, PromptSubject};
use crate::tui::prompt::{CompletionItem, list_completions};

impl App {
    /// Executes a line: a command of the screen, or one to the run.
    pub fn run_line(&mut self, line: &str) -> KeyEffect {
        match self.execute_line(line) {
            Ok(effect) => effect,
            Err(mistake) => self.show_status(mistake),
        }
    }

    /// Executes a line; the error says what is wrong with it.
    fn execute_line(&mut self, line: &str) -> Result<KeyEffect, String> {
        let facts = self.facts();
        let line = line.trim();
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        // The verb alone asks how, as its key does.
        let own = match line {
            "undo" => "back",
            line => line,
        };
        let own = find_command(own).or_else(|| {
            find_command(name).filter(|entry| !matches!(entry.handler, CommandHandler::Engine(_)))
        });
        // With a key a verb that releases constraints applies to the selected node; typed without a place it applies to all.
        let all = |entry: &&ScreenCommand| {
            let typed = EngineCommand::parse_line(line);
            let releases_all = matches!(typed, Ok(EngineCommand::Release(_, None)));
            matches!(entry.handler, CommandHandler::Engine(_)) && releases_all
        };
        let own = own.filter(|entry| !all(entry));
        let Some(entry) =
            own.filter(|entry| entry.is_typeable() && entry.context.is_available(&facts))
        else {
            // For a line of a script, the parser's error says so.
            return match name == "at" || VERBS.iter().any(|verb| verb.name == name) {
                true => self.send_line(line, name),
                false if line.is_empty() => Ok(KeyEffect::Redraw),
                false => Err(format!(
                    "there is no command `{name}`: ? lists those with keys"
                )),
            };
        };
        let rest = if entry.name == line { "" } else { rest };
        if !rest.is_empty() && entry.argument.is_none() {
            return Err(format!("type: {}", entry.usage()));
        }
        if let Some(reason) = disabled_reason(entry, &facts) {
            return Ok(self.show_status(format!("{}: {reason}", entry.name)));
        }
        let choices = entry.argument.map_or(Vec::new(), |arg| (arg.values)(self));
        let is_choice =
            rest.is_empty() || choices.is_empty() || choices.iter().any(|word| word == rest);
        let effect = self.execute_command(entry, rest);
        // After a word that is not one of the choices, the status message is the error.
        match self
            .status_message
            .take_if(|_| !is_choice && effect == KeyEffect::Redraw)
        {
            Some(mistake) => Err(mistake),
            None => Ok(effect),
        }
    }

    /// Whether this line leaves a property that fits almost any failure, and the one before does not.
    pub(in crate::tui) fn weakens_property(&self, line: &str) -> bool {
        let snapshot = self.view.snapshot.as_ref();
        let property = snapshot.and_then(|snapshot| snapshot.property.as_ref());
        let (Some(property), Ok(EngineCommand::Property(change, _))) =
            (property, EngineCommand::parse_line(line))
        else {
            return false;
        };
        let new = property.with_change(&change);
        new.is_ok_and(|new| new.fits_any_failure() && !property.fits_any_failure())
    }

    /// Opens a prompt for a command with this text.
    pub(in crate::tui) fn open_prompt(&mut self, line: &str) {
        self.prompt = Some(PromptLine::new(PromptKind::Command, line));
    }

    pub(in crate::tui) fn accept_prompt(&mut self) -> KeyEffect {
        let proposed = self.selected_completion();
        let Some(mut prompt) = self.prompt.take() else {
            return KeyEffect::Nothing;
        };
        match prompt.kind {
            PromptKind::Search => {
                self.start_search(&prompt.line);
                KeyEffect::Redraw
            }
            PromptKind::Command => {
                let line = match proposed {
                    Some(line) if !prompt.line.trim().is_empty() || prompt.chosen > 0 => line,
                    _ => prompt.line.clone(),
                };
                let is_plain = matches!(prompt.subject, PromptSubject::Anything);
                if is_plain && !prompt.is_warned && self.weakens_property(&line) {
                    prompt.is_warned = true;
                    self.prompt = Some(prompt);
                    return self.show_status(
                        "any error would do then, a text of nonsense too: the same again does it all the same".into(),
                    );
                }
                let executed = match &prompt.subject {
                    PromptSubject::Anything => self.execute_line(&line),
                    PromptSubject::Undo(menu) => self.execute_line(&menu.complete_line(line)),
                    PromptSubject::Steering(change) => self.replace_steering(change, &line),
                };
                match executed {
                    Ok(effect) => {
                        if self.prompt.is_none() {
                            self.apply_theme();
                        }
                        self.release_run(prompt.undo_menu(), effect)
                    }
                    // The prompt stays open, so that the mistake can be corrected.
                    Err(mistake) => {
                        self.prompt = Some(prompt);
                        self.show_status(mistake)
                    }
                }
            }
        }
    }

    pub(in crate::tui) fn cancel_prompt(&mut self) -> KeyEffect {
        let closed = self.prompt.take();
        self.apply_theme();
        let menu = closed.as_ref().and_then(PromptLine::undo_menu);
        self.release_run(menu, KeyEffect::Redraw)
    }

    /// Replaces the line with the selected completion.
    pub(in crate::tui) fn complete_prompt(&mut self) -> KeyEffect {
        let line = self.find_completion(CompletionItem::is_listed);
        if let (Some(prompt), Some(line)) = (&mut self.prompt, line) {
            let name = line.split(' ').next().unwrap_or_default();
            let takes = find_command(name).is_some_and(|entry| entry.argument.is_some());
            // Alone, such a verb means all places.
            let verb = VERBS.iter().find(|verb| verb.name == name);
            let verb_takes = verb.is_some_and(|verb| !["", "[PLACE]"].contains(&verb.arguments));
            let more = (takes || verb_takes) && !line.contains(' ');
            prompt.replace_line(if more { format!("{line} ") } else { line });
            self.preview_theme();
        }
        self.hold_for_undo()
    }

    /// Selects the next completion or the previous one.
    pub(in crate::tui) fn cycle_completion(&mut self, by: isize) {
        let count = match &self.prompt {
            Some(prompt) => list_completions(self, &prompt.line).len() as isize,
            None => 0,
        };
        let Some(prompt) = self.prompt.as_mut().filter(|_| count > 0) else {
            return;
        };
        prompt.chosen = (prompt.chosen as isize + by).rem_euclid(count) as usize;
        self.preview_theme();
    }

    /// The line of the selected completion.
    pub(in crate::tui) fn selected_completion(&self) -> Option<String> {
        self.find_completion(|_| true)
    }

    /// The line of the selected completion, or of the first one below that is as wanted.
    fn find_completion(&self, is_wanted: fn(&CompletionItem) -> bool) -> Option<String> {
        let prompt = self.prompt.as_ref()?;
        if prompt.kind != PromptKind::Command {
            return None;
        }
        let proposals = list_completions(self, &prompt.line);
        let chosen = prompt.chosen.min(proposals.len().checked_sub(1)?);
        let mut below = proposals.into_iter().skip(chosen);
        below.find(is_wanted).map(|proposal| proposal.line)
    }
}
