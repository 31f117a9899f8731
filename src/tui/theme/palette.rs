//! What the terminal can show: how many colours, and which characters.

use ratatui::style::Color;

use crate::config::{self, ColourDepth};
use crate::display::is_utf8_locale;

/// How many colours there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerminalColourDepth {
    /// Bold and reversed only.
    Monochrome,
    /// The sixteen that have names.
    Ansi16,
    /// The cube of 6×6×6 and the greys.
    Ansi256,
    /// All.
    TrueColour,
}

/// What the terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalPalette {
    /// How many colours.
    pub depth: TerminalColourDepth,
    /// Whether characters outside ASCII are drawn.
    pub unicode: bool,
}

/// Terminals whose letters are few, whatever the locale says, and their colours. The console of Linux has no braille and few arrows.
const PLAIN: &[(&str, TerminalColourDepth)] = &[
    ("dumb", TerminalColourDepth::Monochrome),
    ("linux", TerminalColourDepth::Ansi16),
    ("vt100", TerminalColourDepth::Monochrome),
    ("vt102", TerminalColourDepth::Monochrome),
    ("vt220", TerminalColourDepth::Monochrome),
];

impl TerminalPalette {
    /// Everything: for pictures.
    pub const FULL: TerminalPalette = TerminalPalette {
        depth: TerminalColourDepth::TrueColour,
        unicode: true,
    };

    /// What the environment says of the terminal; `variable` looks one up.
    ///
    /// A terminal that is known to show little comes first, then `COLORTERM`, then `TERM`. (`NO_COLOR` is a part of the configuration.)
    pub fn detect_terminal(variable: impl Fn(&str) -> Option<String>) -> TerminalPalette {
        let get = |name| variable(name).filter(|value| !value.is_empty());
        let term = get("TERM").unwrap_or_default();
        let plain = PLAIN.iter().find(|(name, _)| *name == term);
        let depth = if let Some((_, depth)) = plain {
            *depth
        } else if get("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit")
            || term.ends_with("-direct")
        {
            TerminalColourDepth::TrueColour
        } else if term.contains("256color") {
            TerminalColourDepth::Ansi256
        } else {
            TerminalColourDepth::Ansi16
        };
        let unicode = plain.is_none() && is_utf8_locale(&variable);
        TerminalPalette { depth, unicode }
    }

    /// This palette, but for what the user has configured.
    pub fn with_config(self, colour: ColourDepth, glyphs: config::GlyphSet) -> TerminalPalette {
        TerminalPalette {
            depth: match colour {
                ColourDepth::Auto => self.depth,
                ColourDepth::TrueColour => TerminalColourDepth::TrueColour,
                ColourDepth::Ansi256 => TerminalColourDepth::Ansi256,
                ColourDepth::Ansi16 => TerminalColourDepth::Ansi16,
                ColourDepth::None => TerminalColourDepth::Monochrome,
            },
            unicode: match glyphs {
                config::GlyphSet::Auto => self.unicode,
                config::GlyphSet::Ascii => false,
                config::GlyphSet::Unicode => true,
            },
        }
    }

    /// The nearest colour that the terminal has.
    pub fn nearest_colour(self, (r, g, b): (u8, u8, u8)) -> Color {
        match self.depth {
            TerminalColourDepth::Monochrome => Color::Reset,
            TerminalColourDepth::TrueColour => Color::Rgb(r, g, b),
            TerminalColourDepth::Ansi256 => Color::Indexed(nearest_indexed(r, g, b)),
            TerminalColourDepth::Ansi16 => nearest_named(r, g, b),
        }
    }
}

/// The nearest of the 216 colours of the cube and the 24 greys.
fn nearest_indexed(r: u8, g: u8, b: u8) -> u8 {
    let level = |value: u8| match value {
        0..48 => 0u8,
        48..115 => 1,
        _ => (value - 35) / 40,
    };
    let light = |level: u8| if level == 0 { 0 } else { 55 + 40 * level };
    let (lr, lg, lb) = (level(r), level(g), level(b));
    let grey = ((u16::from(r) + u16::from(g) + u16::from(b)) / 3).saturating_sub(3) as u8 / 10;
    let grey = grey.min(23);
    let shade = 8 + 10 * grey;
    let of_cube = colour_distance((r, g, b), (light(lr), light(lg), light(lb)));
    let of_grey = colour_distance((r, g, b), (shade, shade, shade));
    if of_grey < of_cube {
        232 + grey
    } else {
        16 + 36 * lr + 6 * lg + lb
    }
}

/// The sixteen that have names, as most terminals show them.
const NAMED: [(Color, (u8, u8, u8)); 16] = [
    (Color::Black, (0, 0, 0)),
    (Color::Red, (205, 49, 49)),
    (Color::Green, (13, 188, 121)),
    (Color::Yellow, (200, 180, 40)),
    (Color::Blue, (36, 114, 200)),
    (Color::Magenta, (188, 63, 188)),
    (Color::Cyan, (17, 168, 205)),
    (Color::Gray, (190, 195, 200)),
    (Color::DarkGray, (102, 102, 102)),
    (Color::LightRed, (255, 125, 110)),
    (Color::LightGreen, (120, 225, 140)),
    (Color::LightYellow, (245, 205, 110)),
    (Color::LightBlue, (110, 165, 250)),
    (Color::LightMagenta, (214, 112, 214)),
    (Color::LightCyan, (95, 215, 225)),
    (Color::White, (255, 255, 255)),
];

/// The nearest of those that are neither the darkest nor the lightest: of these one may be the terminal's own background.
fn nearest_named(r: u8, g: u8, b: u8) -> Color {
    let near = NAMED[1..15]
        .iter()
        .min_by_key(|(_, theirs)| colour_distance((r, g, b), *theirs));
    near.map_or(Color::Reset, |(colour, _)| *colour)
}

/// What a colour looks like, as most terminals show it; none for the terminal's own.
pub fn to_rgb(colour: Color) -> Option<(u8, u8, u8)> {
    let light = |level: u8| if level == 0 { 0 } else { 55 + 40 * level };
    match colour {
        Color::Rgb(r, g, b) => Some((r, g, b)),
        Color::Indexed(index @ 16..=231) => {
            let cube = index - 16;
            Some((light(cube / 36), light(cube / 6 % 6), light(cube % 6)))
        }
        Color::Indexed(index @ 232..) => {
            let shade = 8 + 10 * (index - 232);
            Some((shade, shade, shade))
        }
        Color::Indexed(index) => Some(NAMED[usize::from(index)].1),
        named => {
            let found = NAMED.iter().find(|(known, _)| *known == named);
            found.map(|(_, rgb)| *rgb)
        }
    }
}

fn colour_distance(one: (u8, u8, u8), other: (u8, u8, u8)) -> u32 {
    let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    square(one.0, other.0) + square(one.1, other.1) + square(one.2, other.2)
}

/// The characters that carry meaning, each one cell wide but for the arrow and the mark of a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenGlyphs {
    /// Being tried.
    pub trying: &'static str,
    /// Being tried, in the minimap.
    pub tried_here: &'static str,
    /// The verdicts.
    pub interesting: &'static str,
    /// See `interesting`.
    pub uninteresting: &'static str,
    /// See `interesting`.
    pub invalid: &'static str,
    /// See `interesting`.
    pub timed_out: &'static str,
    /// A node whose children are shown.
    pub open: &'static str,
    /// A node whose children are not shown.
    pub closed: &'static str,
    /// Something was left out.
    pub cut: &'static str,
    /// There is more on the left.
    pub before: &'static str,
    /// From this to that.
    pub arrow: &'static str,
    /// From the original to the version.
    pub becomes: &'static str,
    /// One thing inside the other.
    pub inside: &'static str,
    /// The pane that has the keys.
    pub focus: &'static str,
    /// The run goes on.
    pub running: &'static str,
    /// The run stands still.
    pub paused: &'static str,
    /// A recording is played.
    pub forwards: &'static str,
    /// A recording is played backwards.
    pub backwards: &'static str,
    /// Must stay.
    pub pinned: &'static str,
    /// Only what is inside is tried.
    pub only: &'static str,
    /// Nothing inside is tried.
    pub locked: &'static str,
    /// Probably the cause of the failure.
    pub suspect: &'static str,
    /// The run pauses there.
    pub breakpoint: &'static str,
    /// The place of the failure.
    pub place: &'static str,
    /// How many files need this one.
    pub needed: &'static str,
    /// Something in it must stay.
    pub partly: &'static str,
    /// The user's own mark in the chart, and on a row.
    pub marker: &'static str,
    /// How hot a node is, from least to most.
    pub heat: [&'static str; 4],
    /// A version that led to the present one, the present one, one that was left by an undo, one inside a detour.
    pub version: &'static str,
    /// See `version`.
    pub current_version: &'static str,
    /// See `version`.
    pub undone: &'static str,
    /// See `version`.
    pub detour: &'static str,
    /// The lines between versions: down, across, both, and where a line from above ends in one to the left, between others and last.
    pub graph: [&'static str; 5],
    /// A minus sign.
    pub minus: &'static str,
    /// Between two facts.
    pub dot: &'static str,
    /// The frame of a pane: left-right, up-down, and the corners from top left clockwise.
    pub frame: [&'static str; 6],
    /// A line without a partner in the other program, one cell of it.
    pub gap: &'static str,
    /// A node with tokens that the other program of a pair has not.
    pub difference: &'static str,
    /// The levels of a chart of one line, from the lowest.
    pub levels: &'static [&'static str],
    /// Whether the chart may use braille.
    pub braille: bool,
}

impl ScreenGlyphs {
    /// For this terminal.
    pub fn from_palette(palette: TerminalPalette) -> ScreenGlyphs {
        if palette.unicode {
            ScreenGlyphs::UNICODE
        } else {
            ScreenGlyphs::ASCII
        }
    }

    /// For a terminal that shows all characters.
    pub const UNICODE: ScreenGlyphs = ScreenGlyphs {
        trying: "⟳",
        tried_here: "█",
        interesting: "✓",
        uninteresting: "✗",
        invalid: "⊘",
        timed_out: "∞",
        open: "▾",
        closed: "▸",
        cut: "…",
        before: "‹",
        arrow: "→",
        becomes: "▸",
        inside: "›",
        focus: "◆",
        running: "●",
        paused: "▮▮",
        forwards: "▶",
        backwards: "◀",
        pinned: "P",
        only: "◆",
        locked: "▪",
        suspect: "?",
        breakpoint: "■",
        place: "◎",
        needed: "⇄",
        partly: "p",
        marker: "▲",
        heat: ["▁", "▃", "▅", "▇"],
        version: "●",
        current_version: "◉",
        undone: "○",
        detour: "◇",
        graph: ["│", "─", "┼", "┴", "╯"],
        minus: "−",
        dot: " · ",
        frame: ["─", "│", "╭", "╮", "╯", "╰"],
        gap: "╱",
        difference: "Δ",
        levels: &["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
        braille: true,
    };

    /// For one that shows only ASCII.
    pub const ASCII: ScreenGlyphs = ScreenGlyphs {
        trying: "@",
        tried_here: "@",
        interesting: "+",
        uninteresting: "x",
        invalid: "!",
        timed_out: "t",
        open: "v",
        closed: ">",
        cut: "~",
        before: "<",
        arrow: "->",
        becomes: "->",
        inside: "/",
        focus: ">",
        running: "*",
        paused: "||",
        forwards: ">",
        backwards: "<",
        pinned: "P",
        only: "F",
        locked: "=",
        suspect: "?",
        breakpoint: "#",
        place: "&",
        needed: "<",
        partly: "p",
        marker: "^",
        heat: [".", ":", "=", "#"],
        version: "*",
        current_version: "@",
        undone: "o",
        detour: "%",
        graph: ["|", "-", "+", "+", "'"],
        minus: "-",
        dot: ", ",
        frame: ["-", "|", ".", ".", "'", "'"],
        gap: "/",
        difference: "d",
        levels: &["_", ".", "-", "=", "*", "#"],
        braille: false,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(set: &[(&str, &str)]) -> TerminalPalette {
        TerminalPalette::detect_terminal(|name| {
            set.iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_environment_says_what_the_terminal_shows() {
        let xterm = ("TERM", "xterm-256color");
        assert_eq!(of(&[xterm]).depth, TerminalColourDepth::Ansi256);
        assert_eq!(
            of(&[xterm, ("COLORTERM", "truecolor")]).depth,
            TerminalColourDepth::TrueColour
        );
        assert_eq!(
            of(&[("TERM", "dumb"), ("LANG", "C.UTF-8")]),
            TerminalPalette {
                depth: TerminalColourDepth::Monochrome,
                unicode: false
            }
        );
        let console = of(&[("TERM", "linux"), ("LANG", "C.UTF-8")]);
        assert_eq!(
            (console.depth, console.unicode),
            (TerminalColourDepth::Ansi16, false)
        );
        assert!(of(&[("LANG", "de_DE.UTF-8")]).unicode);
        assert!(
            !of(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "C")]).unicode,
            "LC_ALL comes first"
        );
    }

    #[test]
    fn colours_go_to_the_nearest_there_is() {
        let of = |depth| TerminalPalette {
            depth,
            unicode: true,
        };
        assert_eq!(
            of(TerminalColourDepth::TrueColour).nearest_colour((1, 2, 3)),
            Color::Rgb(1, 2, 3)
        );
        assert_eq!(
            of(TerminalColourDepth::Ansi256).nearest_colour((255, 0, 0)),
            Color::Indexed(196)
        );
        assert_eq!(
            of(TerminalColourDepth::Ansi256).nearest_colour((128, 128, 128)),
            Color::Indexed(244)
        );
        assert_eq!(
            of(TerminalColourDepth::Ansi16).nearest_colour((210, 40, 40)),
            Color::Red
        );
        assert_eq!(
            of(TerminalColourDepth::Monochrome).nearest_colour((210, 40, 40)),
            Color::Reset
        );
        for colour in [(0, 0, 0), (255, 255, 255), (135, 175, 215), (38, 38, 38)] {
            assert_eq!(
                to_rgb(of(TerminalColourDepth::Ansi256).nearest_colour(colour)),
                Some(colour)
            );
        }
    }

    #[test]
    fn ascii_glyphs_are_ascii_and_no_verdict_looks_like_another() {
        let ScreenGlyphs {
            trying,
            interesting,
            uninteresting,
            invalid,
            timed_out,
            ..
        } = ScreenGlyphs::ASCII;
        let marks = [trying, interesting, uninteresting, invalid, timed_out];
        assert!(marks.iter().all(|mark| mark.is_ascii()));
        for (at, mark) in marks.iter().enumerate() {
            assert!(!marks[..at].contains(mark));
        }
    }
}
