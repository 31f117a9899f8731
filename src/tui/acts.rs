//! What keys and typed commands do.

use super::app::{App, Awaited, Axis, Effect, Layer, Marker};
use super::commands::{Act, Entry, ended};
use super::filter;
use super::heat::Measure;
use super::keys::Key;
use super::layout::{LAYOUTS, Mode, Pane};
use super::prompt::{Kind, Prompt};
use super::search::{Query, Search};
use super::setup;
use crate::config::{Origin, Placed};
use crate::program::{Version, walk};
use crate::reduce::{Command, Undo};
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
        if let Some(page) = self.layers.last() {
            return match keys.below(self, key) {
                Some(entry) if entry.page.is_some_and(|is_its| is_its(page)) => {
                    self.close();
                    Effect::Draw
                }
                Some(entry) => {
                    let reason = self.why_not(entry).unwrap_or_default();
                    self.say(format!("{}: {reason}", entry.name))
                }
                None if said.is_some() => Effect::Draw,
                None => Effect::Nothing,
            };
        }
        match keys.elsewhere(self, key) {
            Some(entry) => {
                let place = entry.place;
                let there = self.ring().iter().any(|pane| place.is_of(*pane));
                let (pane, layout) = (keys.first("next-pane"), keys.first("layout"));
                let how = match there {
                    true => format!("{pane} gives the keys to the next pane"),
                    false => format!("this layout has no such pane, {layout} shows others"),
                };
                let place = place.name().to_lowercase();
                self.say(format!("{}: {place}; {how}", entry.name))
            }
            _ if said.is_some() => Effect::Draw,
            _ => Effect::Nothing,
        }
    }

    pub(super) fn say(&mut self, what: String) -> Effect {
        self.said = Some(what);
        Effect::Draw
    }

    /// Tells the run a line, unless something is wrong with it; `name` stands for it in the curve.
    pub(super) fn tell(&mut self, line: &str, name: &str) -> Result<Effect, String> {
        let command = Command::read(line)?;
        Ok(match ended(self) {
            _ if self.context.replay => self.play_as(&command),
            Some(reason) => self.say(format!("{name}: {reason}")),
            None => {
                self.mark(name);
                self.send(command, line.to_owned())
            }
        })
    }

    pub(super) fn obey(&mut self, entry: &Entry, rest: &str) -> Effect {
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
                Ok(line) => {
                    let told = self.tell(&line, entry.name);
                    told.unwrap_or_else(|mistake| self.say(mistake))
                }
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
                if self.regions.mode == Mode::Narrow {
                    self.choose(layout.main);
                }
                self.said = Some(format!("layout {}: {}", layout.name, layout.what));
            }
            Err(error) => self.said = Some(error.what),
        }
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

    pub(super) fn look_for(&mut self, typed: &str) {
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
