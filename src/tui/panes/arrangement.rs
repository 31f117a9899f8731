//! How the user has arranged the panes: the layout, the sizes, and the focus.

use ratatui::layout::{Position, Rect};

use super::drag::BorderDrag;
use super::layout::{
    self, FrameContents, LAYOUTS, LayoutMode, LayoutRequest, LayoutScope, PaneKind, PaneLayout,
    PaneSizes, ScreenAreas,
};
use crate::config::{ConfigError, ConfigValue, SettingOrigin};

/// The arrangement of the panes.
#[derive(Debug)]
pub struct PaneArrangement {
    /// Which panes are shown.
    pub layout: &'static PaneLayout,
    /// The borders that the user has moved.
    pub sizes: PaneSizes,
    /// Whether the focused pane is shown alone.
    pub zoomed: bool,
    /// The border that the mouse is dragging.
    pub drag: Option<BorderDrag>,
    /// The areas of the panes in the last frame.
    pub areas: ScreenAreas,
    /// The layout from which the user went to the state of the algorithm.
    pub before_algorithm: Option<&'static str>,
    /// The pane that the user chose. In a layout without it, another pane is focused.
    chosen_pane: PaneKind,
}

impl PaneArrangement {
    /// The default arrangement of a layout.
    pub fn new(layout: &'static PaneLayout) -> PaneArrangement {
        PaneArrangement {
            layout,
            sizes: PaneSizes::default(),
            zoomed: false,
            drag: None,
            areas: ScreenAreas::default(),
            before_algorithm: None,
            chosen_pane: PaneKind::default(),
        }
    }

    fn layout_request(&self, contents: FrameContents) -> LayoutRequest {
        LayoutRequest {
            layout: self.layout,
            sizes: self.sizes,
            focus: self.chosen_pane,
            zoomed: self.zoomed,
            contents,
        }
    }

    /// Computes the areas of the panes on a screen of this size, which shows `contents` beside them.
    pub fn update_areas(&mut self, screen: Rect, contents: FrameContents) {
        self.areas = layout::compute_areas(screen, &self.layout_request(contents));
    }

    /// The focused pane.
    pub fn focused_pane(&self) -> PaneKind {
        self.layout_request(FrameContents::default())
            .focused_pane(self.areas.mode)
    }

    /// Focuses a pane.
    pub fn focus_pane(&mut self, pane: PaneKind) {
        self.chosen_pane = pane;
    }

    /// The panes that can be focused now, in order.
    pub fn focus_order(&self) -> Vec<PaneKind> {
        self.layout_request(FrameContents::default())
            .focus_order(self.areas.mode)
    }

    /// Focuses the next pane (`by` = 1) or the previous one (`by` = -1).
    pub fn cycle_focus(&mut self, by: isize) {
        let panes = self.focus_order();
        let at = panes.iter().position(|pane| *pane == self.focused_pane());
        let next = (at.unwrap_or(0) as isize + by).rem_euclid(panes.len() as isize);
        self.focus_pane(panes[next as usize]);
    }

    /// Shows the focused pane alone, or all panes again.
    pub fn toggle_zoom(&mut self) {
        self.zoomed = !self.zoomed;
    }

    /// Makes the left column wider or narrower.
    pub fn resize_columns(&mut self, by: i32) {
        let usual = self.layout.split;
        self.sizes.adjust_split(self.areas.header.width, by, usual);
    }

    /// Makes the focused pane higher or lower.
    pub fn resize_pane(&mut self, by: i16) {
        self.sizes.adjust_height(self.focused_pane(), by);
    }

    /// Switches to the layout with this name, or to the next one that suits what the run reduces.
    ///
    /// # Errors
    /// When there is no layout with this name, or it does not suit.
    pub fn switch_layout(
        &mut self,
        name: Option<&str>,
        scope: LayoutScope,
    ) -> Result<(), ConfigError> {
        let chosen = match name {
            Some(name) => layout::find_layout(&ConfigValue {
                value: name.to_owned(),
                from: SettingOrigin::Typed,
            })?,
            None => {
                let at = LAYOUTS.iter().position(|layout| layout == self.layout);
                let after = LAYOUTS.iter().cycle().skip(at.unwrap_or(0) + 1);
                let mut after = after.take(LAYOUTS.len());
                after
                    .find(|layout| layout.suits(scope))
                    .unwrap_or(self.layout)
            }
        };
        if !chosen.suits(scope) {
            let why = match chosen.of_pair() {
                true => "shows the two programs of a pair, and this run has one: see lop pair",
                false => "shows the files of a project, and this run has none",
            };
            let what = format!("the layout {} {why}", chosen.name);
            return Err(ConfigError::new(&SettingOrigin::Typed, what));
        }
        self.layout = chosen;
        self.zoomed = false;
        if self.areas.mode == LayoutMode::Narrow {
            self.focus_pane(self.layout.main);
        }
        Ok(())
    }

    /// The pane at a cell of the screen, and the line in it.
    pub fn pane_at(&self, column: u16, row: u16) -> Option<(PaneKind, usize)> {
        let at = Position { x: column, y: row };
        let framed = usize::from(self.areas.mode != LayoutMode::Tiny);
        let within = |pane: PaneKind| {
            let area = self.areas.pane_area(pane);
            let line = usize::from(row.checked_sub(area.y)?).checked_sub(framed)?;
            area.contains(at).then_some((pane, line))
        };
        PaneKind::WITH_KEYS.into_iter().find_map(within)
    }

    /// Handles a press of the mouse button: starts to drag the border at that cell, if there is one that can be moved.
    pub fn start_drag(&mut self, at: Position) {
        self.drag = super::drag::find_border(&self.areas, self.zoomed, at);
    }

    /// Handles a move of the mouse with its button down. Returns whether it drags a border.
    pub fn continue_drag(&mut self, column: u16, row: u16) -> bool {
        match &mut self.drag {
            None => false,
            Some(BorderDrag::Split) => {
                self.sizes.set_split(self.areas.header.width, column);
                true
            }
            Some(BorderDrag::Above(pane, last)) => {
                let by = *last as i16 - row as i16;
                *last = row;
                self.sizes.adjust_height(*pane, by);
                true
            }
        }
    }
}
