//! Where everything is, for any size of terminal.

use ratatui::layout::Rect;

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
    /// All panes.
    Wide,
}

/// Where the panes are. A pane that has no room has no cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Regions {
    /// What fits.
    pub mode: Mode,
    /// The line at the top.
    pub header: Rect,
    /// The tree.
    pub tree: Rect,
    /// What is being tried, and why.
    pub trying: Rect,
    /// The curve and the counters.
    pub progress: Rect,
    /// The last verdicts.
    pub verdicts: Rect,
    /// The program.
    pub program: Rect,
    /// The passes.
    pub passes: Rect,
    /// The line at the bottom.
    pub footer: Rect,
}

/// Which pane has the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// The tree.
    #[default]
    Tree,
    /// The program.
    Program,
    /// All about the run; of that the verdicts have the keys.
    Run,
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

    /// The pane that has the keys, of those there are, when the user chose `focus`.
    pub fn focus(self, focus: Focus) -> Focus {
        match (self, focus) {
            (Mode::Line | Mode::Tiny, _) => Focus::Program,
            _ => focus,
        }
    }

    /// The panes that `Tab` goes through.
    pub fn panes(self) -> &'static [Focus] {
        match self {
            Mode::Line | Mode::Tiny => &[Focus::Program],
            Mode::Narrow | Mode::Wide => &[Focus::Tree, Focus::Program, Focus::Run],
        }
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
pub fn regions(area: Rect, focus: Focus, passes: usize) -> Regions {
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
    match mode {
        Mode::Line => regions.header = line(0),
        Mode::Tiny => {
            regions.program = Rect {
                height: area.height - 1,
                ..area
            };
            regions.header = line(area.height - 1);
        }
        Mode::Narrow | Mode::Wide => {
            regions.header = line(0);
            regions.footer = line(area.height - 1);
            let body = Rect {
                y: area.y + 1,
                height: area.height - 2,
                ..area
            };
            if mode == Mode::Wide {
                wide(body, passes, &mut regions);
            } else {
                narrow(body, mode.focus(focus), passes, &mut regions);
            }
        }
    }
    regions
}

fn wide(body: Rect, passes: usize, regions: &mut Regions) {
    let left = Rect {
        width: body.width / 2 + body.width / 40,
        ..body
    };
    let right = Rect {
        x: left.x + left.width,
        width: body.width - left.width,
        ..body
    };
    let high = body.height;
    let (trying, progress, verdicts) = match high {
        0..20 => (3, 0, 4),
        20..28 => (4, 5, 4),
        _ => (4, high / 5, high / 6),
    };
    let [tree, trying, progress, verdicts] = stacked(
        left,
        [
            high.saturating_sub(trying + progress + verdicts),
            trying,
            progress,
            verdicts,
        ],
    );
    (
        regions.tree,
        regions.trying,
        regions.progress,
        regions.verdicts,
    ) = (tree, trying, progress, verdicts);
    let passes = if high < 20 {
        0
    } else {
        (passes as u16 + 2).min(high / 3)
    };
    [regions.program, regions.passes] = stacked(right, [high - passes, passes]);
}

fn narrow(body: Rect, focus: Focus, passes: usize, regions: &mut Regions) {
    if focus == Focus::Run {
        let passes = (passes as u16 + 2).min(body.height / 3);
        let verdicts = (body.height / 3).max(3);
        let progress = body.height.saturating_sub(4 + verdicts + passes);
        let [trying, progress, verdicts, passes] = stacked(body, [4, progress, verdicts, passes]);
        (
            regions.trying,
            regions.progress,
            regions.verdicts,
            regions.passes,
        ) = (trying, progress, verdicts, passes);
        return;
    }
    let asked = if body.height < 18 { 4 } else { 5 };
    let [main, trying] = stacked(body, [body.height - asked, asked]);
    regions.trying = trying;
    match focus {
        Focus::Tree => regions.tree = main,
        _ => regions.program = main,
    }
}

/// Parts of a column, from the top, of these heights; where they are too high together, the last ones get what is left.
fn stacked<const N: usize>(column: Rect, heights: [u16; N]) -> [Rect; N] {
    let mut y = column.y;
    heights.map(|height| {
        let height = height.min(column.y + column.height - y);
        let part = Rect {
            y,
            height,
            ..column
        };
        y += height;
        part
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_never_overlap_nor_leave_the_screen() {
        for (width, height) in (0..=300)
            .step_by(7)
            .flat_map(|width| (0..=100).map(move |height| (width, height)))
        {
            let area = Rect {
                x: 0,
                y: 0,
                width,
                height,
            };
            for focus in [Focus::Tree, Focus::Program, Focus::Run] {
                let Regions {
                    mode: _,
                    header,
                    tree,
                    trying,
                    progress,
                    verdicts,
                    program,
                    passes,
                    footer,
                } = regions(area, focus, 6);
                let parts = [
                    header, tree, trying, progress, verdicts, program, passes, footer,
                ];
                for (at, part) in parts
                    .iter()
                    .enumerate()
                    .filter(|(_, part)| !part.is_empty())
                {
                    assert_eq!(area.intersection(*part), *part, "{width}×{height}");
                    assert!(
                        parts[..at]
                            .iter()
                            .all(|other| part.intersection(*other).is_empty()),
                        "{width}×{height} {focus:?}"
                    );
                }
                let cells: u32 = parts.iter().map(|part| part.area()).sum();
                assert_eq!(
                    cells,
                    if mode_is_line(area) {
                        area.area().min(u32::from(width))
                    } else {
                        area.area()
                    },
                    "{width}×{height}"
                );
            }
        }
    }

    fn mode_is_line(area: Rect) -> bool {
        Mode::of(area) == Mode::Line
    }
}
