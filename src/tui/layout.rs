//! Where everything is, for any size of terminal.

use ratatui::layout::Rect;

/// A part of the screen that shows one thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    /// The tree.
    #[default]
    Tree,
    /// What is being tried, and why.
    Trying,
    /// The candidate as a diff.
    Candidate,
    /// The curve and the counters.
    Progress,
    /// The last verdicts.
    Verdicts,
    /// The program.
    Program,
    /// The passes.
    Passes,
    /// The versions.
    History,
}

/// How many panes there are.
const PANES: usize = 8;

impl Pane {
    /// All panes that can have the keys, in the order of `Tab`.
    pub const WITH_KEYS: [Pane; 6] = [
        Pane::Tree,
        Pane::Program,
        Pane::Verdicts,
        Pane::Passes,
        Pane::Candidate,
        Pane::History,
    ];

    /// Whether it takes what height there is.
    fn is_flexible(self) -> bool {
        matches!(self, Pane::Tree | Pane::Program | Pane::Candidate)
    }

    /// The height it has in a column of this height, unless the user says another.
    fn usual(self, high: u16, passes: usize) -> u16 {
        let [trying, progress, verdicts] = match high {
            0..20 => [3, 0, 4],
            20..28 => [4, 5, 4],
            _ => [4, high / 5, high / 6],
        };
        match self {
            Pane::Trying => trying,
            Pane::Progress => progress,
            Pane::Verdicts => verdicts,
            Pane::Passes if high < 20 => 0,
            Pane::Passes => (passes as u16 + 2).min(high / 3),
            Pane::History if high < 34 => 0,
            Pane::History => 5,
            Pane::Tree | Pane::Program | Pane::Candidate => 0,
        }
    }
}

/// Which panes are shown where there is room for all.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub what: &'static str,
    /// The pane that it is for: where there is room for one, it has the keys.
    pub main: Pane,
    /// The panes on the left, from the top.
    pub left: &'static [Pane],
    /// The panes on the right, from the top.
    pub right: &'static [Pane],
}

/// All layouts; the first is the usual one.
pub const LAYOUTS: &[Layout] = &[
    Layout {
        name: "all",
        what: "everything at a glance",
        main: Pane::Tree,
        left: &[Pane::Tree, Pane::Trying, Pane::Progress, Pane::Verdicts],
        right: &[Pane::Program, Pane::Passes, Pane::History],
    },
    Layout {
        name: "steps",
        what: "question by question, as a diff",
        main: Pane::Candidate,
        left: &[Pane::Tree, Pane::Trying, Pane::Verdicts],
        right: &[Pane::Candidate, Pane::Program],
    },
    Layout {
        name: "code",
        what: "tree and program",
        main: Pane::Program,
        left: &[Pane::Tree, Pane::Trying],
        right: &[Pane::Program],
    },
    Layout {
        name: "run",
        what: "how the run goes",
        main: Pane::Verdicts,
        left: &[Pane::Trying, Pane::Progress, Pane::Passes],
        right: &[Pane::Verdicts],
    },
    Layout {
        name: "versions",
        what: "the versions and the program",
        main: Pane::History,
        left: &[Pane::Trying, Pane::History],
        right: &[Pane::Program],
    },
];

/// What the user has moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// How wide the left column is, in parts of a thousand; 0 as usual.
    split: u16,
    /// How many lines more than usual each pane has.
    more: [i16; PANES],
}

impl Sizes {
    /// Moves the line between the columns by so many parts of a thousand.
    pub fn widen(&mut self, width: u16, by: i32) {
        let now = i32::from(left_width(width, self.split)) * 1000 / i32::from(width.max(1));
        self.split = (now + by).clamp(150, 850) as u16;
    }

    /// Puts the line between the columns at a column of a screen of this width.
    pub fn put_split(&mut self, width: u16, column: u16) {
        let share = (u32::from(column) * 1000).div_ceil(u32::from(width.max(1)));
        self.split = share.clamp(150, 850) as u16;
    }

    /// Makes a pane higher or lower.
    pub fn heighten(&mut self, pane: Pane, by: i16) {
        let more = &mut self.more[pane as usize];
        *more = (*more + by).clamp(-200, 200);
    }
}

/// What fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// At most 20×5: one line.
    #[default]
    Line,
    /// Below 60×15: the program, and a line on the run.
    Tiny,
    /// Below 100 columns: one pane at a time.
    Narrow,
    /// All panes of the layout.
    Wide,
}

impl Mode {
    /// What fits in this size.
    pub fn of(area: Rect) -> Mode {
        match (area.width, area.height) {
            (0..=20, _) | (_, 0..=5) => Mode::Line,
            (..60, _) | (_, ..15) => Mode::Tiny,
            (..100, _) => Mode::Narrow,
            _ => Mode::Wide,
        }
    }
}

/// Where the panes are. A pane that has no room has no cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Regions {
    /// What fits.
    pub mode: Mode,
    /// The line at the top.
    pub header: Rect,
    /// The line at the bottom.
    pub footer: Rect,
    /// The column where the right half begins; 0 where there are no halves.
    pub split: u16,
    panes: [Rect; PANES],
}

impl Regions {
    /// Where a pane is.
    pub fn of(&self, pane: Pane) -> Rect {
        self.panes[pane as usize]
    }

    fn set(&mut self, pane: Pane, area: Rect) {
        self.panes[pane as usize] = area;
    }
}

/// What decides where the panes are, besides the size of the screen.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// Which panes.
    pub layout: &'static Layout,
    /// What the user has moved.
    pub sizes: Sizes,
    /// The pane that has the keys.
    pub focus: Pane,
    /// Whether it stands alone.
    pub zoomed: bool,
    /// How many passes there are to show.
    pub passes: usize,
}

impl Wish {
    /// The panes that `Tab` goes through on a screen where this fits.
    pub fn ring(&self, mode: Mode) -> Vec<Pane> {
        let is_shown = |pane: &Pane| match mode {
            Mode::Line | Mode::Tiny => *pane == Pane::Program,
            Mode::Narrow | Mode::Wide => {
                self.layout.left.contains(pane) || self.layout.right.contains(pane)
            }
        };
        Pane::WITH_KEYS.into_iter().filter(is_shown).collect()
    }

    /// The pane that has the keys, of those there are.
    pub fn focus(&self, mode: Mode) -> Pane {
        let ring = self.ring(mode);
        let there = ring.contains(&self.focus);
        if there { self.focus } else { ring[0] }
    }
}

/// The regions of a screen of this size.
///
/// ```text
///   wide                            narrow              tiny             line
///  ┌ header ──────────────────┐    ┌ header ───────┐   ┌───────────┐    ┌ header ┐
///  │╭ tree ─────╮╭ program ──╮│    │╭ tree ───────╮│   │ program   │    └────────┘
///  ││           ││           ││    ││ or program  ││   │           │
///  │├ trying ───┤│           ││    ││ or the rest ││   └ header ───┘
///  │├ progress ─┤├ passes ───┤│    │├ trying ─────┤│
///  │╰ verdicts ─╯╰───────────╯│    │╰─────────────╯│
///  └ footer ──────────────────┘    └ footer ───────┘
/// ```
pub fn regions(area: Rect, wish: &Wish) -> Regions {
    let mode = Mode::of(area);
    let line = |y: u16| Rect {
        y: area.y + y,
        height: area.height.min(1),
        ..area
    };
    let mut regions = Regions {
        mode,
        ..Regions::default()
    };
    if mode == Mode::Line {
        regions.header = line(0);
        return regions;
    }
    if mode == Mode::Tiny {
        let program = Rect {
            height: area.height - 1,
            ..area
        };
        regions.set(Pane::Program, program);
        regions.header = line(area.height - 1);
        return regions;
    }
    regions.header = line(0);
    regions.footer = line(area.height - 1);
    let body = Rect {
        y: area.y + 1,
        height: area.height - 2,
        ..area
    };
    match mode {
        _ if wish.zoomed => regions.set(wish.focus(mode), body),
        Mode::Wide => wide(body, wish, &mut regions),
        _ => narrow(body, wish, &mut regions),
    }
    regions
}

fn left_width(width: u16, split: u16) -> u16 {
    match split {
        0 => width / 2 + width / 40,
        split => (u32::from(width) * u32::from(split) / 1000) as u16,
    }
}

fn wide(body: Rect, wish: &Wish, regions: &mut Regions) {
    let left = Rect {
        width: left_width(body.width, wish.sizes.split),
        ..body
    };
    let right = Rect {
        x: left.x + left.width,
        width: body.width - left.width,
        ..body
    };
    regions.split = right.x;
    for (column, panes) in [(left, wish.layout.left), (right, wish.layout.right)] {
        let heights = heights(column.height, panes, wish);
        for (pane, area) in panes.iter().zip(stacked(column, &heights)) {
            regions.set(*pane, area);
        }
    }
}

/// The heights of the panes of a column: first those that have a usual one, then what is left for the others in equal parts; where
/// there are no others, the last takes it.
fn heights(high: u16, panes: &[Pane], wish: &Wish) -> Vec<u16> {
    let more = |pane: Pane| wish.sizes.more[pane as usize];
    let mut heights: Vec<u16> = panes
        .iter()
        .map(|pane| match pane.usual(high, wish.passes) {
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

fn narrow(body: Rect, wish: &Wish, regions: &mut Regions) {
    let focus = wish.focus(Mode::Narrow);
    if matches!(focus, Pane::Verdicts | Pane::Passes) {
        let passes = (wish.passes as u16 + 2).min(body.height / 3);
        let verdicts = (body.height / 3).max(3);
        let progress = body.height.saturating_sub(4 + verdicts + passes);
        let panes = [Pane::Trying, Pane::Progress, Pane::Verdicts, Pane::Passes];
        for (pane, area) in panes
            .iter()
            .zip(stacked(body, &[4, progress, verdicts, passes]))
        {
            regions.set(*pane, area);
        }
        return;
    }
    let asked = if body.height < 18 { 4 } else { 5 };
    let parts = stacked(body, &[body.height - asked, asked]);
    regions.set(focus, parts[0]);
    regions.set(Pane::Trying, parts[1]);
}

/// Parts of a column, from the top, of these heights; where they are too high together, the last ones get what is left.
fn stacked(column: Rect, heights: &[u16]) -> Vec<Rect> {
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

    fn wishes() -> Vec<Wish> {
        let mut moved = Sizes::default();
        moved.widen(140, 200);
        moved.heighten(Pane::Verdicts, 7);
        moved.heighten(Pane::Candidate, -9);
        let mut wishes = Vec::new();
        for layout in LAYOUTS {
            for focus in Pane::WITH_KEYS {
                for (sizes, zoomed) in [(Sizes::default(), false), (moved, false), (moved, true)] {
                    wishes.push(Wish {
                        layout,
                        sizes,
                        focus,
                        zoomed,
                        passes: 6,
                    });
                }
            }
        }
        wishes
    }

    #[test]
    fn panes_never_overlap_nor_leave_the_screen() {
        let sizes = (0..=300)
            .step_by(13)
            .flat_map(|width| (0..=100).step_by(3).map(move |height| (width, height)));
        for (width, height) in sizes {
            let area = Rect::new(0, 0, width, height);
            for wish in wishes() {
                let regions = regions(area, &wish);
                let mut parts = regions.panes.to_vec();
                parts.extend([regions.header, regions.footer]);
                for (at, part) in parts.iter().enumerate() {
                    assert_eq!(area.intersection(*part), *part, "{width}×{height}");
                    let free = |other: &Rect| part.intersection(*other).is_empty();
                    assert!(
                        part.is_empty() || parts[..at].iter().all(free),
                        "{width}×{height} {wish:?}"
                    );
                }
                let cells: u32 = parts.iter().map(|part| part.area()).sum();
                let whole = match regions.mode {
                    Mode::Line => area.area().min(u32::from(width)),
                    _ => area.area(),
                };
                assert_eq!(cells, whole, "{width}×{height} {wish:?}");
            }
        }
    }

    #[test]
    fn every_layout_has_a_pane_with_keys_and_no_pane_twice() {
        for (at, layout) in LAYOUTS.iter().enumerate() {
            let panes: Vec<Pane> = layout.left.iter().chain(layout.right).copied().collect();
            assert!(panes.contains(&layout.main) && Pane::WITH_KEYS.contains(&layout.main));
            for (at, pane) in panes.iter().enumerate() {
                assert!(!panes[..at].contains(pane), "{}", layout.name);
            }
            assert!(LAYOUTS[..at].iter().all(|other| other.name != layout.name));
        }
    }
}
