//! Lines that are typed: what becomes of them, and what is proposed in their place.

use super::app::{App, Effect};
use super::commands::{Act, Entry, named};
use super::prompt::{self, Kind, Prompt};
use crate::reduce::VERBS;

impl App {
    /// Why a command cannot be done now, whether by its key or by its name.
    pub fn why_not(&self, entry: &Entry) -> Option<&'static str> {
        let (page, focus) = (self.layers.last(), self.focus());
        let reason = (entry.disabled)(self);
        if entry.place.holds_with(page, focus) {
            reason
        } else if entry.place.holds_with(None, focus) {
            reason.or(Some("the page on top must be closed first"))
        } else {
            Some("it is of another pane")
        }
    }

    /// A line was given: a command of the screen's own, or one to the run.
    pub fn run_line(&mut self, line: &str) -> Effect {
        match self.obey_line(line) {
            Ok(effect) => effect,
            Err(mistake) => self.say(mistake),
        }
    }

    /// Does what a line says, or tells what is wrong with it.
    fn obey_line(&mut self, line: &str) -> Result<Effect, String> {
        let line = line.trim();
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let own =
            named(line).or_else(|| named(name).filter(|entry| !matches!(entry.act, Act::Tell(_))));
        // What a key says of the selected node, the bare verb says of all.
        let all = |entry: &&Entry| {
            let optional = VERBS
                .iter()
                .any(|verb| verb.name == line && verb.arguments == "[PLACE]");
            matches!(entry.act, Act::Tell(_)) && optional
        };
        let own = own.filter(|entry| !all(entry));
        let Some(entry) = own.filter(|entry| entry.is_typed() && entry.place.is_there(self)) else {
            // A line of a script says itself that it is one.
            return match name == "at" || VERBS.iter().any(|verb| verb.name == name) {
                true => self.tell(line, name),
                false if line.is_empty() => Ok(Effect::Draw),
                false => Err(format!(
                    "there is no command `{name}`: ? lists those with keys"
                )),
            };
        };
        let rest = if entry.name == line { "" } else { rest };
        if !rest.is_empty() && entry.arg.is_none() {
            return Err(format!("type: {}", entry.usage()));
        }
        if let Some(reason) = self.why_not(entry) {
            return Ok(self.say(format!("{}: {reason}", entry.name)));
        }
        let choices = entry.arg.map_or(Vec::new(), |arg| (arg.values)(self));
        let is_choice =
            rest.is_empty() || choices.is_empty() || choices.iter().any(|word| word == rest);
        let effect = self.obey(entry, rest);
        // What there is to say of a word that is none of the choices is what is wrong with it.
        match self.said.take_if(|_| !is_choice && effect == Effect::Draw) {
            Some(mistake) => Err(mistake),
            None => Ok(effect),
        }
    }

    /// A prompt for a command, which begins so.
    pub(super) fn ask(&mut self, line: &str) {
        self.prompt = Some(Prompt::new(Kind::Command, line));
    }

    pub(super) fn accept(&mut self) -> Effect {
        let proposed = self.proposed();
        let Some(prompt) = self.prompt.take() else {
            return Effect::Nothing;
        };
        match prompt.kind {
            Kind::Search => {
                self.look_for(&prompt.line);
                Effect::Draw
            }
            Kind::Command => {
                let line = match proposed {
                    Some(line) if !prompt.line.trim().is_empty() || prompt.chosen > 0 => line,
                    _ => prompt.line.clone(),
                };
                match self.obey_line(&line) {
                    Ok(effect) => {
                        if self.prompt.is_none() {
                            self.wear();
                        }
                        effect
                    }
                    // A mistake can be mended where it was made.
                    Err(mistake) => {
                        self.prompt = Some(prompt);
                        self.say(mistake)
                    }
                }
            }
        }
    }

    pub(super) fn cancel(&mut self) {
        self.prompt = None;
        self.wear();
    }

    /// What was typed becomes what is proposed.
    pub(super) fn complete(&mut self) {
        let line = self.proposed();
        if let (Some(prompt), Some(line)) = (&mut self.prompt, line) {
            let name = line.split(' ').next().unwrap_or_default();
            let takes = named(name).is_some_and(|entry| entry.arg.is_some());
            let more = takes && !line.contains(' ');
            prompt.set(if more { format!("{line} ") } else { line });
            self.preview();
        }
    }

    /// Another of the proposals.
    pub(super) fn propose(&mut self, by: isize) {
        let count = match &self.prompt {
            Some(prompt) => prompt::proposals(self, &prompt.line).len() as isize,
            None => 0,
        };
        let Some(prompt) = self.prompt.as_mut().filter(|_| count > 0) else {
            return;
        };
        prompt.chosen = (prompt.chosen as isize + by).rem_euclid(count) as usize;
        self.preview();
    }

    /// The line that the prompt proposes.
    fn proposed(&self) -> Option<String> {
        let prompt = self.prompt.as_ref()?;
        if prompt.kind != Kind::Command {
            return None;
        }
        let mut proposals = prompt::proposals(self, &prompt.line);
        let chosen = prompt.chosen.min(proposals.len().checked_sub(1)?);
        Some(proposals.swap_remove(chosen).line)
    }

    /// Takes the theme of this name; without one, lets the user choose.
    pub(super) fn paint(&mut self, name: Option<&str>) {
        let Some(name) = name else {
            self.ask("theme ");
            self.preview();
            return;
        };
        match self.setup.look_of(name) {
            Ok(look) => {
                self.setup.look = look;
                self.wear();
            }
            Err(error) => self.said = Some(error.to_string()),
        }
    }

    /// Looks as is settled, without any preview.
    fn wear(&mut self) {
        if self.look.name() != self.setup.look.name() {
            self.look = self.setup.look.clone();
            self.colours = Default::default();
        }
    }

    /// Shows the theme that the prompt proposes.
    pub(super) fn preview(&mut self) {
        let proposed = self.proposed().filter(|line| line.starts_with("theme "));
        let name = proposed.as_deref().and_then(|line| line.split_once(' '));
        let look = name.and_then(|(_, name)| self.setup.look_of(name).ok());
        match look {
            Some(look) => {
                self.look = look;
                self.colours = Default::default();
            }
            None => self.wear(),
        }
    }
}
