//! Paints: how a role looks, as a theme says it.

use ratatui::style::{Modifier, Style};

use super::palette::{TerminalColourDepth, TerminalPalette};

/// How a role looks, as a theme says it. A base theme supplies what is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RolePaint {
    /// The colour of the letters.
    pub fg: Option<(u8, u8, u8)>,
    /// The colour behind them.
    pub bg: Option<(u8, u8, u8)>,
    /// The style of the letters, such as bold.
    pub style: Option<Modifier>,
    /// The style on a terminal without colours.
    pub mono: Option<Modifier>,
}

impl RolePaint {
    /// This paint, with what it lacks from `base`.
    pub(super) fn merge_over(&self, base: &RolePaint) -> RolePaint {
        RolePaint {
            fg: self.fg.or(base.fg),
            bg: self.bg.or(base.bg),
            style: self.style.or(base.style),
            mono: self.mono.or(base.mono),
        }
    }

    /// The style on a terminal.
    pub(super) fn to_style(&self, palette: TerminalPalette) -> Style {
        let style = self.style.unwrap_or_default();
        // All sixteen colours are too bright for a background, so such a role gets the style for no colours.
        let plain = palette.depth == TerminalColourDepth::Monochrome
            || palette.depth == TerminalColourDepth::Ansi16 && self.bg.is_some();
        if plain {
            return Style::new().add_modifier(self.mono.unwrap_or(style));
        }
        Style {
            fg: self.fg.map(|colour| palette.nearest_colour(colour)),
            bg: self.bg.map(|colour| palette.nearest_colour(colour)),
            ..Style::new().add_modifier(style)
        }
    }
}
