//! What keys and typed commands do.

use super::app::{App, Awaited, Axis, Effect, Layer, Marker};
use super::commands::{Act, Entry, named};
use super::filter;
use super::heat::Measure;
use super::keys::Key;
use super::layout::{LAYOUTS, Pane};
use super::prompt::{self, Kind, Prompt};
use super::search::{Query, Search};
use super::setup;
use crate::config::{Origin, Placed};
use crate::program::{Version, walk};
use crate::reduce::{Command, Undo, VERBS};
use crossterm::event::KeyCode;

impl App {
    /// A key was pressed.
    pub fn key(&mut self, key: Key) -> Effect {
        let said = self.said.take();
        if let Some(awaited) = self.awaited.take() {
            return self.letter(awaited, key);
        }
        let keys = self.setup.keys.clone();
        if let Some(entry) = keys.find(self, key) {
            return self.obey(entry, "");
        }
        if let Some(prompt) = &mut self.prompt {
            if prompt.edit(key) {
                self.preview();
            }
            return Effect::Draw;
        }
        match keys.elsewhere(self, key) {
            Some(entry) if self.layers.is_empty() => {
                let place = entry.place.name();
                self.say(format!(
                    "{}: {}; tab gives the keys to the next pane",
                    entry.name,
                    place.to_lowercase()
                ))
            }
            _ if said.is_some() => Effect::Draw,
            _ => Effect::Nothing,
        }
    }

    /// Why a command cannot be done now, whether by its key or by its name.
    pub fn why_not(&self, entry: &Entry) -> Option<&'static str> {
        // What is typed is done when the prompt is gone.
        let here = self.prompt.is_none() || {
            let layer = self.layers.last();
            entry.place.holds_with(layer, self.focus())
        };
        match here {
            true => (entry.disabled)(self),
            false => Some("it is of another pane"),
        }
    }

    /// A line was typed: a command of the screen's own, or one to the run.
    pub fn run_line(&mut self, line: &str) -> Effect {
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
                false if line.is_empty() => Effect::Draw,
                false => self.say(format!(
                    "there is no command `{name}`: ? lists those with keys"
                )),
            };
        };
        let rest = if entry.name == line { "" } else { rest };
        if !rest.is_empty() && entry.arg.is_none() {
            return self.say(format!("type: {}", entry.usage()));
        }
        if !entry.place.holds(self) {
            return self.say(format!("{}: it is of another pane", entry.name));
        }
        self.obey(entry, rest)
    }

    pub(super) fn say(&mut self, what: String) -> Effect {
        self.said = Some(what);
        Effect::Draw
    }

    /// Tells the run a line; `name` stands for it in the curve.
    fn tell(&mut self, line: &str, name: &str) -> Effect {
        match Command::read(line) {
            Ok(command) if self.context.replay => self.play_as(&command),
            Ok(command) => {
                self.mark(name);
                self.send(command, line.to_owned())
            }
            Err(reason) => self.say(reason),
        }
    }

    fn obey(&mut self, entry: &Entry, rest: &str) -> Effect {
        if let Some(reason) = (entry.disabled)(self) {
            return self.say(format!("{}: {reason}", entry.name));
        }
        let word = Some(rest).filter(|rest| !rest.is_empty());
        match entry.act {
            Act::Do(deed) => deed(self, word),
            Act::Show(deed) => {
                deed(self, word);
                Effect::Draw
            }
            Act::Move(action) => {
                self.walk(action);
                Effect::Draw
            }
            Act::Tell(line) => match line(self) {
                Ok(line) => self.tell(&line, entry.name),
                Err(reason) => self.say(format!("{}: {reason}", entry.name)),
            },
        }
    }

    /// Back by one version, in one of several ways; in a recording there is only one.
    pub(super) fn undo(&mut self) -> Effect {
        match self.context.replay {
            true => self.play_as(&Command::Undo(Undo::Keep)),
            false => {
                self.ask("undo ");
                Effect::Draw
            }
        }
    }

    /// A prompt for a command, which begins so.
    pub(super) fn ask(&mut self, line: &str) {
        self.prompt = Some(Prompt::new(Kind::Command, line));
    }

    pub(super) fn begin_following(&mut self) {
        (self.follow, self.left) = (true, 0);
        if let Some(snapshot) = self.snapshot.clone() {
            self.take(snapshot);
        }
    }

    pub(super) fn zoom(&mut self) {
        self.zoomed = !self.zoomed;
    }

    pub(super) fn widen(&mut self, by: i32) {
        self.sizes.widen(self.regions.header.width, by);
    }

    pub(super) fn heighten(&mut self, by: i16) {
        self.sizes.heighten(self.focus(), by);
    }

    pub(super) fn turn_axis(&mut self) {
        self.axis = match self.axis {
            Axis::Tests => Axis::Time,
            Axis::Time => Axis::Tests,
        }
    }

    pub(super) fn search_for(&mut self, text: Option<&str>) {
        match text {
            None => self.prompt = Some(Prompt::new(Kind::Search, "")),
            Some(text) => self.look_for(text),
        }
    }

    /// Puts a page on top.
    pub(super) fn open(&mut self, layer: Layer) {
        self.layers.push(layer);
    }

    pub(super) fn close(&mut self) {
        self.layers.pop();
    }

    /// The help, or no longer.
    pub(super) fn explain(&mut self) {
        let is_help = |layer: &Layer| matches!(layer, Layer::Help(_));
        match self.layers.iter().position(is_help) {
            Some(at) => drop(self.layers.remove(at)),
            None => self.open(Layer::Help(0)),
        }
    }

    /// The page of the selected verdict.
    pub(super) fn show_verdict(&mut self) {
        let page = |(_, decided)| super::layers::verdict::Page::new(decided);
        self.page = self.verdict().map(page);
        self.open(Layer::Verdict(0));
    }

    pub(super) fn send(&mut self, command: Command, line: String) -> Effect {
        self.await_command(command.clone(), line);
        Effect::Send(command)
    }

    /// The command stands in the curve from here on.
    fn mark(&mut self, name: &str) {
        const MOST: usize = 200;
        let Some(snapshot) = &self.snapshot else {
            return;
        };
        let marker = Marker {
            tests: snapshot.counts.tests,
            time: snapshot.now.saturating_duration_since(snapshot.started),
            name: name.to_owned(),
        };
        // A step after a step says nothing new.
        let again = |last: &Marker| last.name == name && name.starts_with("step");
        if !self.markers.last().is_some_and(again) && self.markers.len() < MOST {
            self.markers.push(marker);
        }
    }

    /// The panes that can have the keys now.
    pub(super) fn ring(&self) -> Vec<Pane> {
        self.wish().ring(self.regions.mode)
    }

    pub(super) fn turn(&mut self, by: isize) {
        let panes = self.ring();
        let at = panes.iter().position(|pane| *pane == self.focus());
        let next = (at.unwrap_or(0) as isize + by).rem_euclid(panes.len() as isize);
        self.choose(panes[next as usize]);
    }

    pub(super) fn lay_out(&mut self, name: Option<&str>) {
        let at = LAYOUTS.iter().position(|layout| layout == self.layout);
        let next = &LAYOUTS[(at.unwrap_or(0) + 1) % LAYOUTS.len()];
        let chosen = name.map(|name| {
            setup::layout(&Placed {
                value: name.to_owned(),
                from: Origin::Typed,
            })
        });
        match chosen.unwrap_or(Ok(next)) {
            Ok(layout) => {
                (self.layout, self.zoomed) = (layout, false);
                self.said = Some(format!("layout {}: {}", layout.name, layout.what));
            }
            Err(error) => self.said = Some(error.what),
        }
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
    fn preview(&mut self) {
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
                    _ => prompt.line,
                };
                let effect = self.run_line(&line);
                if self.prompt.is_none() {
                    self.wear();
                }
                effect
            }
        }
    }

    pub(super) fn cancel(&mut self) {
        self.prompt = None;
        self.wear();
    }

    pub(super) fn choose_heat(&mut self, name: Option<&str>) {
        let known = |name| Measure::ALL.iter().find(|(_, known)| *known == name);
        match name.map(known) {
            None => self.heat.measure = self.heat.measure.next(),
            Some(Some((measure, _))) => self.heat.measure = *measure,
            Some(None) => {
                self.said = Some("heat: off, tests, recent or survival".into());
                return;
            }
        }
        self.said = Some(format!("heat: {}", self.heat.measure.name()));
    }

    pub(super) fn choose_filter(&mut self, name: Option<&str>) {
        let at = filter::ALL
            .iter()
            .position(|(known, _)| *known == self.filter);
        let next = filter::ALL[(at.unwrap_or(0) + 1) % filter::ALL.len()].0;
        let known = |name| filter::ALL.iter().find(|(_, known)| *known == name);
        match name.map(known) {
            None => self.filter = next,
            Some(Some((kind, _))) => self.filter = *kind,
            Some(None) => {
                let words = filter::ALL.map(|(_, word)| word).join(", ");
                self.said = Some(format!("filter: one of {words}"));
            }
        }
        self.chosen_verdict = None;
    }

    pub(super) fn await_letter(&mut self, awaited: Awaited, arg: Option<&str>) -> Effect {
        match arg.map(|word| (word.chars().next(), word.chars().count())) {
            Some((Some(letter), 1)) => self.letter(awaited, super::keys::key(letter)),
            Some(_) => {
                self.said = Some("one letter".into());
                Effect::Draw
            }
            None => {
                self.awaited = Some(awaited);
                Effect::Draw
            }
        }
    }

    /// The letter that was awaited.
    fn letter(&mut self, awaited: Awaited, key: Key) -> Effect {
        let KeyCode::Char(letter) = key.code else {
            return Effect::Draw;
        };
        let (Some(snapshot), Some(selected)) = (self.snapshot.clone(), self.selected) else {
            return Effect::Draw;
        };
        match (awaited, self.letters.get(&letter)) {
            (Awaited::Mark, _) => {
                self.letters.insert(letter, selected);
                self.said = Some(format!(
                    "{letter} is the mark of this node: '{letter} goes to it"
                ));
            }
            (Awaited::Go, None) => self.said = Some(format!("there is no mark {letter}")),
            (Awaited::Go, Some(node)) => {
                let node = *node;
                match snapshot.version.trail(node) {
                    Some(_) => self.go_to(&snapshot.version, node),
                    None => self.said = Some(format!("the node of {letter} is gone")),
                }
            }
        }
        Effect::Draw
    }

    fn look_for(&mut self, typed: &str) {
        let query = Query::new(typed);
        let Some(snapshot) = self.snapshot.clone().filter(|_| !query.is_empty()) else {
            self.search = None;
            return;
        };
        self.search = Some(Search::new(&snapshot.version, query));
    }

    pub(super) fn go_to_next(&mut self, forward: bool) {
        if let Some(search) = &mut self.search {
            search.wanted = Some(forward);
        }
        if let Some(snapshot) = self.snapshot.clone() {
            self.go_to_found(&snapshot.version);
        }
    }

    /// Goes to the next hit that the user waits for, when there is one that is surely the next.
    pub(super) fn go_to_found(&mut self, version: &Version) {
        let selected = self.selected;
        let Some(search) = self.search.as_mut() else {
            return;
        };
        let sure = |forward| forward && search.has_next(version, selected);
        let wanted = search.wanted;
        let Some(forward) = wanted.filter(|forward| search.is_done() || sure(*forward)) else {
            return;
        };
        search.wanted = None;
        match search.next(version, selected, forward) {
            None => self.said = Some("nothing was found".into()),
            Some(hit) => {
                self.go_to(version, hit);
                if let (Some(search), Some(selected)) = (&mut self.search, self.selected) {
                    search.landed(selected);
                }
            }
        }
    }

    /// To the heaviest row in the selected one: along the way down on which each step keeps most of what is there.
    pub(super) fn go_to_heaviest(&mut self, version: &Version) {
        let Some(trail) = self.selected.and_then(|selected| version.trail(selected)) else {
            return;
        };
        let document = &version.documents()[trail.document];
        let heaviest = |node| {
            let kids = walk::items(node).filter(|kid| !kid.shape.is_leaf());
            kids.max_by_key(|kid| kid.sums.tokens)
        };
        let mut node = trail.node();
        while let Some(next) = heaviest(node) {
            node = next;
            if super::folds::part(document, node) == super::folds::Part::Row {
                self.go_to(version, node.id);
                return;
            }
        }
    }
}
