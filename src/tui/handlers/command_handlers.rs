//! What keys and typed commands do.

use crate::config::{ConfigValue, SettingOrigin};
use crate::program::{Version, walk};
use crate::reduce::{EngineCommand, UndoMode};
use crate::tui::app::{App, BookmarkAction, ChartAxis, ChartMarker, KeyEffect, OverlayPage};
use crate::tui::commands::keys::KeyPress;
use crate::tui::commands::{CommandHandler, ScreenCommand, run_ended};
use crate::tui::panes::layout::{LAYOUTS, LayoutMode, PaneKind};
use crate::tui::panes::verdict_filter;
use crate::tui::program_view::heat::HeatMeasure;
use crate::tui::program_view::search::{NodeSearch, SearchQuery};
use crate::tui::prompt::line::{PromptKind, PromptLine};
use crate::tui::setup;
use crossterm::event::KeyCode;

impl App {
    /// A key was pressed.
    pub fn handle_key(&mut self, key: KeyPress) -> KeyEffect {
        let said = self.status_message.take();
        if let Some(awaited) = self.pending_bookmark.take() {
            return self.handle_bookmark_letter(awaited, key);
        }
        let keys = self.setup.keys.clone();
        if let Some(entry) = keys.find_command(self, key) {
            return self.execute_command(entry, "");
        }
        if let Some(prompt) = &mut self.prompt {
            if prompt.edit_line(key) {
                self.preview_theme();
            }
            return KeyEffect::Redraw;
        }
        if let Some(page) = self.layers.last() {
            return match keys.find_below_page(self, key) {
                Some(entry) if entry.page.is_some_and(|is_its| is_its(page)) => {
                    self.close_page();
                    KeyEffect::Redraw
                }
                Some(entry) => {
                    let reason = self.disabled_reason(entry).unwrap_or_default();
                    self.show_status(format!("{}: {reason}", entry.name))
                }
                None if said.is_some() => KeyEffect::Redraw,
                None => KeyEffect::Nothing,
            };
        }
        match keys.find_in_other_pane(self, key) {
            Some(entry) => {
                let place = entry.context;
                let there = self
                    .focus_order()
                    .iter()
                    .any(|pane| place.includes_pane(*pane));
                let (pane, layout) = (
                    keys.first_key_name("next-pane"),
                    keys.first_key_name("layout"),
                );
                let how = match there {
                    true => format!("{pane} gives the keys to the next pane"),
                    false => format!("this layout has no such pane, {layout} shows others"),
                };
                let place = place.name().to_lowercase();
                self.show_status(format!("{}: {place}; {how}", entry.name))
            }
            _ if said.is_some() => KeyEffect::Redraw,
            _ => KeyEffect::Nothing,
        }
    }

    pub(in crate::tui) fn show_status(&mut self, what: String) -> KeyEffect {
        self.status_message = Some(what);
        KeyEffect::Redraw
    }

    /// Tells the run a line, unless something is wrong with it; `name` stands for it in the curve.
    pub(in crate::tui) fn send_line(
        &mut self,
        line: &str,
        name: &str,
    ) -> Result<KeyEffect, String> {
        let command = EngineCommand::parse_line(line)?;
        Ok(match run_ended(self) {
            _ if self.context.replay => self.replay_command(&command),
            Some(reason) => self.show_status(format!("{name}: {reason}")),
            None => {
                self.add_chart_marker(name);
                self.send_command(command, line.to_owned())
            }
        })
    }

    pub(in crate::tui) fn execute_command(
        &mut self,
        entry: &ScreenCommand,
        rest: &str,
    ) -> KeyEffect {
        if let Some(reason) = (entry.disabled)(self) {
            return self.show_status(format!("{}: {reason}", entry.name));
        }
        let word = Some(rest).filter(|rest| !rest.is_empty());
        match entry.handler {
            CommandHandler::Action(deed) => deed(self, word),
            CommandHandler::View(deed) => {
                deed(self, word);
                KeyEffect::Redraw
            }
            CommandHandler::Navigation(action) => {
                self.navigate_focused(action);
                KeyEffect::Redraw
            }
            CommandHandler::Engine(line) => match line(self) {
                Ok(line) => {
                    let told = self.send_line(&line, entry.name);
                    told.unwrap_or_else(|mistake| self.show_status(mistake))
                }
                Err(reason) => self.show_status(format!("{}: {reason}", entry.name)),
            },
        }
    }

    /// Back by one version, in one of several ways; in a recording there is only one.
    pub(in crate::tui) fn start_undo(&mut self) -> KeyEffect {
        match self.context.replay {
            true => self.replay_command(&EngineCommand::Undo(UndoMode::Keep)),
            false => {
                self.open_prompt("undo ");
                KeyEffect::Redraw
            }
        }
    }

    pub(in crate::tui) fn start_following(&mut self) {
        (self.follow, self.column_offset) = (true, 0);
        if let Some(snapshot) = self.snapshot.clone() {
            self.apply_snapshot(snapshot);
        }
    }

    pub(in crate::tui) fn toggle_zoom(&mut self) {
        self.zoomed = !self.zoomed;
    }

    pub(in crate::tui) fn resize_columns(&mut self, by: i32) {
        self.sizes.adjust_split(self.areas.header.width, by);
    }

    pub(in crate::tui) fn resize_pane(&mut self, by: i16) {
        self.sizes.adjust_height(self.focused_pane(), by);
    }

    pub(in crate::tui) fn toggle_axis(&mut self) {
        self.axis = match self.axis {
            ChartAxis::Tests => ChartAxis::Time,
            ChartAxis::Time => ChartAxis::Tests,
        }
    }

    pub(in crate::tui) fn open_search(&mut self, text: Option<&str>) {
        match text {
            None => self.prompt = Some(PromptLine::new(PromptKind::Search, "")),
            Some(text) => self.start_search(text),
        }
    }

    /// Puts a page on top.
    pub(in crate::tui) fn open_page(&mut self, layer: OverlayPage) {
        self.layers.push(layer);
    }

    pub(in crate::tui) fn close_page(&mut self) {
        self.layers.pop();
    }

    /// The help, or no longer.
    pub(in crate::tui) fn toggle_help(&mut self) {
        let is_help = |layer: &OverlayPage| matches!(layer, OverlayPage::Help(_));
        match self.layers.iter().position(is_help) {
            Some(at) => drop(self.layers.remove(at)),
            None => self.open_page(OverlayPage::Help(0)),
        }
    }

    /// The page of the selected verdict.
    pub(in crate::tui) fn show_verdict(&mut self) {
        let page = |(_, decided)| crate::tui::pages::verdict::VerdictPage::new(decided);
        self.verdict_page = self.selected_verdict().map(page);
        self.open_page(OverlayPage::Verdict(0));
    }

    pub(in crate::tui) fn send_command(
        &mut self,
        command: EngineCommand,
        line: String,
    ) -> KeyEffect {
        self.add_pending_command(command.clone(), line);
        KeyEffect::Send(command)
    }

    /// The command stands in the curve from here on.
    fn add_chart_marker(&mut self, name: &str) {
        const MOST: usize = 200;
        let Some(snapshot) = &self.snapshot else {
            return;
        };
        let marker = ChartMarker {
            tests: snapshot.counts.tests,
            time: snapshot.now.saturating_duration_since(snapshot.started),
            name: name.to_owned(),
        };
        // A step after a step says nothing new.
        let again = |last: &ChartMarker| last.name == name && name.starts_with("step");
        if !self.markers.last().is_some_and(again) && self.markers.len() < MOST {
            self.markers.push(marker);
        }
    }

    /// The panes that can have the keys now.
    pub(in crate::tui) fn focus_order(&self) -> Vec<PaneKind> {
        self.layout_request().focus_order(self.areas.mode)
    }

    pub(in crate::tui) fn cycle_focus(&mut self, by: isize) {
        let panes = self.focus_order();
        let at = panes.iter().position(|pane| *pane == self.focused_pane());
        let next = (at.unwrap_or(0) as isize + by).rem_euclid(panes.len() as isize);
        self.focus_pane(panes[next as usize]);
    }

    pub(in crate::tui) fn switch_layout(&mut self, name: Option<&str>) {
        let at = LAYOUTS.iter().position(|layout| layout == self.layout);
        let next = &LAYOUTS[(at.unwrap_or(0) + 1) % LAYOUTS.len()];
        let chosen = name.map(|name| {
            setup::find_layout(&ConfigValue {
                value: name.to_owned(),
                from: SettingOrigin::Typed,
            })
        });
        match chosen.unwrap_or(Ok(next)) {
            Ok(layout) => {
                (self.layout, self.zoomed) = (layout, false);
                if self.areas.mode == LayoutMode::Narrow {
                    self.focus_pane(layout.main);
                }
                self.status_message =
                    Some(format!("layout {}: {}", layout.name, layout.description));
            }
            Err(error) => self.status_message = Some(error.what),
        }
    }

    pub(in crate::tui) fn select_heat_measure(&mut self, name: Option<&str>) {
        let known = |name| HeatMeasure::ALL.iter().find(|(_, known)| *known == name);
        match name.map(known) {
            None => self.heat.measure = self.heat.measure.next_measure(),
            Some(Some((measure, _))) => self.heat.measure = *measure,
            Some(None) => {
                self.status_message = Some("heat: off, tests, recent or survival".into());
                return;
            }
        }
        self.status_message = Some(format!("heat: {}", self.heat.measure.name()));
    }

    pub(in crate::tui) fn select_verdict_filter(&mut self, name: Option<&str>) {
        let at = verdict_filter::ALL
            .iter()
            .position(|(known, _)| *known == self.filter);
        let next = verdict_filter::ALL[(at.unwrap_or(0) + 1) % verdict_filter::ALL.len()].0;
        let known = |name| verdict_filter::ALL.iter().find(|(_, known)| *known == name);
        match name.map(known) {
            None => self.filter = next,
            Some(Some((kind, _))) => self.filter = *kind,
            Some(None) => {
                let words = verdict_filter::ALL.map(|(_, word)| word).join(", ");
                self.status_message = Some(format!("filter: one of {words}"));
            }
        }
        self.chosen_verdict = None;
    }

    pub(in crate::tui) fn await_bookmark_letter(
        &mut self,
        awaited: BookmarkAction,
        arg: Option<&str>,
    ) -> KeyEffect {
        match arg.map(|word| (word.chars().next(), word.chars().count())) {
            Some((Some(letter), 1)) => {
                self.handle_bookmark_letter(awaited, crate::tui::commands::keys::char_key(letter))
            }
            Some(_) => {
                self.status_message = Some("one letter".into());
                KeyEffect::Redraw
            }
            None => {
                self.pending_bookmark = Some(awaited);
                KeyEffect::Redraw
            }
        }
    }

    /// The letter that was awaited.
    fn handle_bookmark_letter(&mut self, awaited: BookmarkAction, key: KeyPress) -> KeyEffect {
        let KeyCode::Char(letter) = key.code else {
            return KeyEffect::Redraw;
        };
        let (Some(snapshot), Some(selected)) = (self.snapshot.clone(), self.selected) else {
            return KeyEffect::Redraw;
        };
        match (awaited, self.bookmarks.get(&letter)) {
            (BookmarkAction::Set, _) => {
                self.bookmarks.insert(letter, selected);
                self.status_message = Some(format!(
                    "{letter} is the mark of this node: '{letter} goes to it"
                ));
            }
            (BookmarkAction::Jump, None) => {
                self.status_message = Some(format!("there is no mark {letter}"))
            }
            (BookmarkAction::Jump, Some(node)) => {
                let node = *node;
                match snapshot.version.path_to(node) {
                    Some(_) => self.go_to_node(&snapshot.version, node),
                    None => self.status_message = Some(format!("the node of {letter} is gone")),
                }
            }
        }
        KeyEffect::Redraw
    }

    pub(in crate::tui) fn start_search(&mut self, typed: &str) {
        let query = SearchQuery::new(typed);
        let Some(snapshot) = self.snapshot.clone().filter(|_| !query.is_empty()) else {
            self.search = None;
            return;
        };
        self.search = Some(NodeSearch::new(&snapshot.version, query));
    }

    pub(in crate::tui) fn go_to_next_hit(&mut self, forward: bool) {
        if let Some(search) = &mut self.search {
            search.wanted_direction = Some(forward);
        }
        if let Some(snapshot) = self.snapshot.clone() {
            self.go_to_pending_hit(&snapshot.version);
        }
    }

    /// Goes to the next hit that the user waits for, when there is one that is surely the next.
    pub(in crate::tui) fn go_to_pending_hit(&mut self, version: &Version) {
        let selected = self.selected;
        let Some(search) = self.search.as_mut() else {
            return;
        };
        let sure = |forward| forward && search.has_next_hit(version, selected);
        let wanted = search.wanted_direction;
        let Some(forward) = wanted.filter(|forward| search.is_done() || sure(*forward)) else {
            return;
        };
        search.wanted_direction = None;
        match search.next_hit(version, selected, forward) {
            None => self.status_message = Some("nothing was found".into()),
            Some(hit) => {
                self.go_to_node(version, hit);
                if let (Some(search), Some(selected)) = (&mut self.search, self.selected) {
                    search.select_hit(selected);
                }
            }
        }
    }

    /// To the heaviest row in the selected one: along the way down on which each step keeps most of what is there.
    pub(in crate::tui) fn go_to_heaviest(&mut self, version: &Version) {
        let Some(trail) = self.selected.and_then(|selected| version.path_to(selected)) else {
            return;
        };
        let document = &version.documents()[trail.document];
        let heaviest = |node| {
            let kids = walk::iter_items(node).filter(|kid| !kid.shape.is_leaf());
            kids.max_by_key(|kid| kid.sums.tokens)
        };
        let mut node = trail.node();
        while let Some(next) = heaviest(node) {
            node = next;
            if crate::tui::program_view::folds::node_visibility(document, node)
                == crate::tui::program_view::folds::NodeVisibility::Row
            {
                self.go_to_node(version, node.id);
                return;
            }
        }
    }
}
