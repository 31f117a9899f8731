//! The areas of the header, the panes and the footer, for any size of terminal.

use ratatui::layout::Rect;

pub use super::layouts::{
    ALGORITHM_LAYOUT, LAYOUTS, LayoutScope, PANES, PaneKind, PaneLayout, find_layout,
    find_suitable_layout, initial_layout,
};

/// The sizes that the user has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PaneSizes {
    /// The width of the left column in thousandths; 0 for the default.
    split: u16,
    /// The number of lines that each pane has beyond its default.
    more: [i16; PANES],
}

impl PaneSizes {
    /// The width of the left column in thousandths; that of the layout, unless the user has changed it.
    fn split_or(&self, usual: u16) -> u16 {
        match self.split {
            0 => usual,
            changed => changed,
        }
    }

    /// Moves the border between the columns by this many thousandths, from where the layout has it by default.
    pub fn adjust_split(&mut self, width: u16, by: i32, usual: u16) {
        let now =
            i32::from(left_width(width, self.split_or(usual))) * 1000 / i32::from(width.max(1));
        self.split = (now + by).clamp(150, 850) as u16;
    }

    /// Moves the border between the columns to a column of a screen of this width.
    pub fn set_split(&mut self, width: u16, column: u16) {
        let share = (u32::from(column) * 1000).div_ceil(u32::from(width.max(1)));
        self.split = share.clamp(150, 850) as u16;
    }

    /// Makes a pane higher or lower.
    pub fn adjust_height(&mut self, pane: PaneKind, by: i16) {
        let more = &mut self.more[pane as usize];
        *more = (*more + by).clamp(-200, 200);
    }
}

/// How much fits on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayoutMode {
    /// At most 20×5: one line.
    #[default]
    Line,
    /// Below 60×15: the program, and a line about the run.
    Tiny,
    /// Below 100 columns: one pane at a time.
    Narrow,
    /// All panes of the layout.
    Wide,
}

impl LayoutMode {
    /// The mode for a screen of this size.
    pub fn from_area(area: Rect) -> LayoutMode {
        match (area.width, area.height) {
            (0..=20, _) | (_, 0..=5) => LayoutMode::Line,
            (..60, _) | (_, ..15) => LayoutMode::Tiny,
            (..100, _) => LayoutMode::Narrow,
            _ => LayoutMode::Wide,
        }
    }
}

/// The areas of a screen. A pane without room has an empty area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScreenAreas {
    /// How much fits.
    pub mode: LayoutMode,
    /// The line at the top.
    pub header: Rect,
    /// The lines below the header for what is told; empty if nothing is.
    pub narration: Rect,
    /// The lines below the header that say what is asked; empty where a pane says it.
    pub sentence: Rect,
    /// The line that says what is in force; empty if nothing is.
    pub steering: Rect,
    /// Whether there are free cells around each pane.
    pub has_gaps: bool,
    /// The line at the bottom.
    pub footer: Rect,
    /// The column where the right half begins; 0 where there are no halves.
    pub split: u16,
    panes: [Rect; PANES],
}

impl ScreenAreas {
    /// The area of a pane.
    pub fn pane_area(&self, pane: PaneKind) -> Rect {
        self.panes[pane as usize]
    }

    /// The row where the panes begin.
    pub fn body_top(&self) -> u16 {
        let told = self.narration.height + self.sentence.height + self.steering.height;
        self.header.y + self.header.height + told
    }

    fn set_pane_area(&mut self, pane: PaneKind, area: Rect) {
        self.panes[pane as usize] = area;
    }
}

/// What a frame shows, as far as the areas depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameContents {
    /// How many passes there are to show.
    pub passes: usize,
    /// Whether there is anything in force to show.
    pub is_steered: bool,
    /// How many lines there are for what is told.
    pub narration: u16,
}

/// What the areas depend on, besides the size of the screen.
#[derive(Clone, Copy, Debug)]
pub struct LayoutRequest {
    /// Which panes.
    pub layout: &'static PaneLayout,
    /// The sizes that the user has changed.
    pub sizes: PaneSizes,
    /// The pane that the user chose.
    pub focus: PaneKind,
    /// Whether the focused pane is shown alone.
    pub zoomed: bool,
    /// What the frame shows beside the panes.
    pub contents: FrameContents,
}

impl LayoutRequest {
    /// The panes that `Tab` goes through in this mode.
    pub fn focus_order(&self, mode: LayoutMode) -> Vec<PaneKind> {
        let is_shown = |pane: &PaneKind| match mode {
            LayoutMode::Line | LayoutMode::Tiny => *pane == self.small_pane(),
            LayoutMode::Narrow | LayoutMode::Wide => {
                self.layout.panes().any(|shown| shown == *pane)
            }
        };
        PaneKind::WITH_KEYS.into_iter().filter(is_shown).collect()
    }

    /// The default height of a pane in a column of this height. Three curves need a line more than one.
    fn default_height(&self, pane: PaneKind, high: u16) -> u16 {
        const CURVES_OF_A_PAIR: u16 = 6;
        let gap = gap_below(self.layout.gap);
        match pane.default_height(high, self.contents.passes) {
            0 => 0,
            // Nothing of the sentence is cut for an audience.
            usual if pane == PaneKind::Trying => usual + 2 * gap,
            usual if pane != PaneKind::Progress || !self.layout.of_pair() => usual + gap,
            usual => usual.max(CURVES_OF_A_PAIR),
        }
    }

    /// The pane of a screen with room for no frame.
    fn small_pane(&self) -> PaneKind {
        match self.layout.of_pair() {
            true => self.layout.main,
            false => PaneKind::Program,
        }
    }

    /// The focused pane: the chosen one, if it is shown in this mode.
    pub fn focused_pane(&self, mode: LayoutMode) -> PaneKind {
        let order = self.focus_order(mode);
        let is_main = mode == LayoutMode::Narrow || self.layout.scope != LayoutScope::Program;
        match order.contains(&self.focus) {
            true => self.focus,
            false if order.contains(&self.layout.main) && is_main => self.layout.main,
            false => order[0],
        }
    }
}

/// The areas of a screen of this size.
///
/// ```text
///   wide                            narrow              tiny             line
///  ┌ header ──────────────────┐    ┌ header ───────┐   ┌───────────┐    ┌ header ┐
///  │ sentence                 │    │╭ tree ───────╮│   │ program   │    └────────┘
///  │ steering                 │    ││ or program  ││   │           │
///  │╭ program ──╮╭ tree ─────╮│    ││ or the rest ││   └ header ───┘
///  ││           ││           ││    ││             ││
///  │├ log ──────┤├ passes ───┤│    │├ trying ─────┤│
///  │╰───────────╯╰───────────╯│    │╰─────────────╯│
///  └ footer ──────────────────┘    └ footer ───────┘
/// ```
pub fn compute_areas(area: Rect, request: &LayoutRequest) -> ScreenAreas {
    let mode = LayoutMode::from_area(area);
    let line = |y: u16| Rect {
        y: area.y + y,
        height: area.height.min(1),
        ..area
    };
    let mut areas = ScreenAreas {
        mode,
        ..ScreenAreas::default()
    };
    if mode == LayoutMode::Line {
        areas.header = line(0);
        return areas;
    }
    if mode == LayoutMode::Tiny {
        let program = Rect {
            height: area.height - 1,
            ..area
        };
        areas.set_pane_area(request.small_pane(), program);
        areas.header = line(area.height - 1);
        return areas;
    }
    areas.header = line(0);
    areas.footer = line(area.height - 1);
    // What is told leaves at least half of the screen to the panes.
    let contents = request.contents;
    let heights = [
        contents.narration.min(area.height / 2),
        2 * u16::from(mode == LayoutMode::Wide),
        u16::from(contents.is_steered),
    ];
    let mut y = area.y + 1;
    let [narration, sentence, steering] = heights.map(|height| {
        let taken = Rect { y, height, ..area };
        y += height;
        taken
    });
    (areas.narration, areas.sentence, areas.steering) = (narration, sentence, steering);
    let body = Rect {
        y,
        height: (area.y + area.height - 1).saturating_sub(y),
        ..area
    };
    match mode {
        _ if request.zoomed => areas.set_pane_area(request.focused_pane(mode), body),
        LayoutMode::Wide => place_wide(body, request, &mut areas),
        _ => place_narrow(body, request, &mut areas),
    }
    areas
}

fn left_width(width: u16, split: u16) -> u16 {
    match split {
        0 => width / 2 + width / 40,
        split => (u32::from(width) * u32::from(split) / 1000) as u16,
    }
}

fn place_wide(whole: Rect, request: &LayoutRequest, areas: &mut ScreenAreas) {
    let body = match request.layout.top {
        Some(top) => place_top(top, whole, request, areas),
        None => whole,
    };
    let split = request.sizes.split_or(request.layout.split);
    let left = Rect {
        width: left_width(body.width, split),
        ..body
    };
    let right = Rect {
        x: left.x + left.width,
        width: body.width - left.width,
        ..body
    };
    areas.split = right.x;
    for (column, panes) in [(left, request.layout.left), (right, request.layout.right)] {
        let heights = column_heights(column.height, panes, request);
        for (pane, area) in panes.iter().zip(stack_areas(column, &heights)) {
            areas.set_pane_area(*pane, inset(area, request.layout.gap));
        }
    }
    areas.has_gaps = request.layout.gap > 0;
}

/// How many free lines there are below a pane with this gap at its sides: half as many, for a line is twice as high as a cell is wide.
fn gap_below(gap: u16) -> u16 {
    gap.div_ceil(2)
}

/// An area without its gap. Where it would be lost, it stays.
fn inset(area: Rect, gap: u16) -> Rect {
    match area.width > 4 * gap && area.height > 2 * gap {
        true => Rect {
            x: area.x + gap,
            width: area.width - 2 * gap,
            height: area.height - gap_below(gap),
            ..area
        },
        false => area,
    }
}

/// Places the pane over both columns; returns what is left for these.
fn place_top(top: PaneKind, body: Rect, request: &LayoutRequest, areas: &mut ScreenAreas) -> Rect {
    let layout = request.layout;
    let default = |pane: &PaneKind| request.default_height(*pane, body.height);
    let columns = [layout.left, layout.right];
    let below = columns.map(|panes| panes.iter().map(default).sum::<u16>());
    let below = below.into_iter().max().unwrap_or(0);
    let more = request.sizes.more[top as usize];
    let height = (body.height - below)
        .saturating_add_signed(more)
        .clamp(2, body.height - 2);
    let parts = stack_areas(body, &[height, body.height - height]);
    areas.set_pane_area(top, parts[0]);
    parts[1]
}

/// The heights of the panes of a column. Panes with a default height come first; the flexible ones share the rest equally. Without a
/// flexible pane, the last pane gets the rest.
fn column_heights(high: u16, panes: &[PaneKind], request: &LayoutRequest) -> Vec<u16> {
    let more = |pane: PaneKind| request.sizes.more[pane as usize];
    let mut heights: Vec<u16> = panes
        .iter()
        .map(|pane| match request.default_height(*pane, high) {
            0 => 0,
            usual => usual.saturating_add_signed(more(*pane)).clamp(2, high),
        })
        .collect();
    let flexible: Vec<usize> = (0..panes.len())
        .filter(|at| panes[*at].is_flexible())
        .collect();
    let rest = high.saturating_sub(heights.iter().sum());
    let Some((last, most)) = flexible.split_last() else {
        if let Some(last) = heights.last_mut() {
            *last += rest;
        }
        return heights;
    };
    let mut left = rest;
    for at in most {
        let share = rest / flexible.len() as u16;
        heights[*at] = share
            .saturating_add_signed(more(panes[*at]))
            .clamp(2.min(left), left);
        left -= heights[*at];
    }
    heights[*last] = left;
    heights
}

fn place_narrow(body: Rect, request: &LayoutRequest, areas: &mut ScreenAreas) {
    let focus = request.focused_pane(LayoutMode::Narrow);
    if matches!(focus, PaneKind::Log | PaneKind::Passes) {
        let passes = (request.contents.passes as u16 + 2).min(body.height / 3);
        let log = (body.height / 3).max(3);
        let progress = body.height.saturating_sub(4 + log + passes);
        let panes = [
            PaneKind::Trying,
            PaneKind::Progress,
            PaneKind::Log,
            PaneKind::Passes,
        ];
        for (pane, area) in panes
            .iter()
            .zip(stack_areas(body, &[4, progress, log, passes]))
        {
            areas.set_pane_area(*pane, area);
        }
        return;
    }
    let trying = if body.height < 18 { 4 } else { 5 };
    let parts = stack_areas(body, &[body.height - trying, trying]);
    areas.set_pane_area(focus, parts[0]);
    areas.set_pane_area(PaneKind::Trying, parts[1]);
}

/// Divides a column, from the top, into areas of these heights. If they exceed the column, the last ones are shorter.
fn stack_areas(column: Rect, heights: &[u16]) -> Vec<Rect> {
    let mut y = column.y;
    let part = |height: &u16| {
        let height = (*height).min(column.y + column.height - y);
        let part = Rect {
            y,
            height,
            ..column
        };
        y += height;
        part
    };
    heights.iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests() -> Vec<LayoutRequest> {
        let mut moved = PaneSizes::default();
        moved.adjust_split(140, 200, 0);
        moved.adjust_height(PaneKind::Log, 7);
        moved.adjust_height(PaneKind::Candidate, -9);
        let mut requests = Vec::new();
        for layout in LAYOUTS {
            for focus in PaneKind::WITH_KEYS {
                for (sizes, zoomed, is_steered, narration) in [
                    (PaneSizes::default(), false, false, 0),
                    (moved, false, true, 3),
                    (moved, true, true, 9),
                ] {
                    requests.push(LayoutRequest {
                        layout,
                        sizes,
                        focus,
                        zoomed,
                        contents: FrameContents {
                            passes: 6,
                            is_steered,
                            narration,
                        },
                    });
                }
            }
        }
        requests
    }

    #[test]
    fn panes_never_overlap_nor_leave_the_screen() {
        let sizes = (0..=300)
            .step_by(13)
            .flat_map(|width| (0..=100).step_by(3).map(move |height| (width, height)));
        for (width, height) in sizes {
            let area = Rect::new(0, 0, width, height);
            for request in requests() {
                let areas = compute_areas(area, &request);
                let mut parts = areas.panes.to_vec();
                let told = [areas.narration, areas.sentence, areas.steering];
                parts.extend([areas.header, areas.footer]);
                parts.extend(told);
                for (at, part) in parts.iter().enumerate() {
                    assert_eq!(area.intersection(*part), *part, "{width}×{height}");
                    let free = |other: &Rect| part.intersection(*other).is_empty();
                    assert!(
                        part.is_empty() || parts[..at].iter().all(free),
                        "{width}×{height} {request:?}"
                    );
                }
                let cells: u32 = parts.iter().map(|part| part.area()).sum();
                let whole = match areas.mode {
                    LayoutMode::Line => area.area().min(u32::from(width)),
                    _ => area.area(),
                };
                let is_covered = cells == whole || areas.has_gaps && cells < whole;
                assert!(is_covered, "{width}×{height} {request:?}");
            }
        }
    }

    #[test]
    fn every_layout_has_a_pane_with_keys_and_no_pane_twice() {
        for (at, layout) in LAYOUTS.iter().enumerate() {
            let panes: Vec<PaneKind> = layout.panes().collect();
            assert!(panes.contains(&layout.main) && PaneKind::WITH_KEYS.contains(&layout.main));
            for (at, pane) in panes.iter().enumerate() {
                assert!(!panes[..at].contains(pane), "{}", layout.name);
            }
            assert!(LAYOUTS[..at].iter().all(|other| other.name != layout.name));
        }
    }
}
