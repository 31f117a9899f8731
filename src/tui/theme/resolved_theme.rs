//! A theme on a terminal: the style of every role, the colours of the program's text, and the characters.

use std::sync::Arc;

use ratatui::style::Style;

use super::palette::{ScreenGlyphs, TerminalPalette};
use super::{BUILT_IN, CaptureStyles, ColourTheme, Role};

/// A theme on a terminal.
#[derive(Clone, Debug)]
pub struct ResolvedTheme {
    name: Arc<str>,
    styles: Vec<Style>,
    /// The colours of the program's text.
    pub syntax: Arc<CaptureStyles>,
    /// The characters.
    pub glyphs: ScreenGlyphs,
}

impl ResolvedTheme {
    /// Resolves a theme for this terminal.
    pub fn new(theme: &ColourTheme, palette: TerminalPalette) -> ResolvedTheme {
        ResolvedTheme {
            name: theme.name.as_str().into(),
            styles: theme
                .paints
                .iter()
                .map(|paint| paint.to_style(palette))
                .collect(),
            syntax: Arc::new(theme.syntax.to_styles(palette)),
            glyphs: ScreenGlyphs::from_palette(palette),
        }
    }

    /// The default theme.
    pub fn built_in(palette: TerminalPalette) -> ResolvedTheme {
        let (name, text) = BUILT_IN[0];
        let theme = ColourTheme::parse(name.as_ref(), text, &|_| None);
        ResolvedTheme::new(&theme.expect("the built-in themes are tested"), palette)
    }

    /// The theme's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The style of a role.
    pub fn role_style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }
}
