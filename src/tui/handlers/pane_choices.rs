//! The user's choices for panes: the layout, the measure of the heat, the filter of the log.

use crate::tui::app::{App, PaneKind};
use crate::tui::panes::layout::ALGORITHM_LAYOUT;
use crate::tui::panes::verdict_filter;
use crate::tui::program_view::heat::HeatMeasure;

impl App {
    pub(in crate::tui) fn switch_layout(&mut self, name: Option<&str>) {
        self.status_message = Some(
            match self
                .arrangement
                .switch_layout(name, self.view.layout_scope())
            {
                Ok(()) => {
                    let layout = self.arrangement.layout;
                    format!("layout {}: {}", layout.name, layout.description)
                }
                Err(error) => error.what,
            },
        );
    }

    /// Shows the state of the algorithm; where it has the keys already, the layout before.
    pub(in crate::tui) fn toggle_algorithm(&mut self) {
        let is_focused = self.arrangement.focused_pane() == PaneKind::Algorithm;
        if is_focused && let Some(before) = self.arrangement.before_algorithm.take() {
            self.switch_layout(Some(before));
            return;
        }
        let arrangement = &mut self.arrangement;
        if !arrangement.focus_order().contains(&PaneKind::Algorithm) {
            arrangement.before_algorithm = Some(arrangement.layout.name);
            self.switch_layout(Some(ALGORITHM_LAYOUT));
        }
        self.arrangement.focus_pane(PaneKind::Algorithm);
    }

    pub(in crate::tui) fn select_heat_measure(&mut self, name: Option<&str>) {
        let known = |name| HeatMeasure::ALL.iter().find(|(_, known)| *known == name);
        match name.map(known) {
            None => self.panes.tree.heat.measure = self.panes.tree.heat.measure.next_measure(),
            Some(Some((measure, _))) => self.panes.tree.heat.measure = *measure,
            Some(None) => {
                self.status_message = Some("heat: off, tests, recent or survival".into());
                return;
            }
        }
        self.status_message = Some(format!("heat: {}", self.panes.tree.heat.measure.name()));
    }

    pub(in crate::tui) fn select_verdict_filter(&mut self, name: Option<&str>) {
        let shown = self.panes.log.filter;
        let choices = &verdict_filter::ALL;
        let at = choices.iter().position(|(known, _)| *known == shown);
        let next = choices[(at.unwrap_or(0) + 1) % choices.len()].0;
        let known = |name| choices.iter().find(|(_, known)| *known == name);
        let filter = match name.map(known) {
            None => next,
            Some(Some((kind, _))) => *kind,
            Some(None) => {
                let words = choices.map(|(_, word)| word).join(", ");
                self.status_message = Some(format!("filter: one of {words}"));
                shown
            }
        };
        if let Some(snapshot) = &self.view.snapshot {
            self.panes.log.set_filter(snapshot, filter);
        }
    }
}
