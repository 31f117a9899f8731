//! Themes: what each role looks like. A theme says what things mean, never which widget shows them.
//!
//! ```text
//!   themes/dark.toml ──read──▶ Theme ──on a terminal──▶ Look ──of(role)──▶ style
//! ```

mod file;
pub mod palette;
mod syntax;
mod themes;

use std::sync::Arc;

use ratatui::style::{Modifier, Style};

use crate::tui::theme::palette::{ScreenGlyphs, TerminalColourDepth, TerminalPalette};

pub use file::ColourTheme;
pub use syntax::CaptureStyles;
pub use themes::{BUILT_IN, ThemeCatalog, ThemeText};

/// Declares the roles with the names that themes give them.
macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident = $name:literal,)*) => {
        /// What something means on the screen.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Role { $($(#[$doc])* $role,)* }

        impl Role {
            /// All roles, with their names in a theme.
            pub const ALL: &[(Role, &str)] = &[$((Role::$role, $name),)*];
        }
    };
}

roles! {
    /// What has no other role; its background is that of the screen.
    Text = "text",
    /// What may be overlooked.
    Dim = "dim",
    /// The line at the top.
    Header = "header",
    /// The frame of a pane.
    Border = "border",
    /// The frame of the pane that has the keys.
    Focus = "focus",
    /// The name of a pane.
    Title = "title",
    /// The selected row.
    Selection = "selection",
    /// What is selected in the other pane.
    Linked = "linked",
    /// What a search has found.
    Match = "match",
    /// What has just changed.
    Changed = "changed",
    /// The kind of a node.
    Kind = "kind",
    /// The field that a node fills.
    Field = "field",
    /// A number that counts.
    Number = "number",
    /// A key to press.
    Key = "key",
    /// What is being tried.
    Trying = "trying",
    /// What must stay.
    Pinned = "pinned",
    /// What the candidate lacks.
    Deleted = "deleted",
    /// A line of a diff that the candidate has not.
    Removed = "removed",
    /// A line of a diff that only the candidate has.
    Added = "added",
    /// The verdict.
    Interesting = "interesting",
    /// The verdict.
    Uninteresting = "boring",
    /// The verdict.
    Invalid = "invalid",
    /// The verdict.
    TimedOut = "timed_out",
    /// The run goes on.
    Running = "running",
    /// The run stands still.
    Paused = "paused",
    /// The run cannot go on.
    Failed = "failed",
    /// Something that a user should know.
    Note = "note",
    /// The curve of sizes.
    Chart = "chart",
    /// Least of what the tree's heat shows.
    Cool = "cool",
    /// Some of it.
    Warm = "warm",
    /// Much of it.
    Hot = "hot",
    /// Most of it.
    Blazing = "blazing",
}

/// How a role looks, as a theme says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RolePaint {
    /// The colour of the letters.
    pub fg: Option<(u8, u8, u8)>,
    /// The colour behind them.
    pub bg: Option<(u8, u8, u8)>,
    /// Bold and the like.
    pub style: Option<Modifier>,
    /// The same where there are no colours.
    pub mono: Option<Modifier>,
}

impl RolePaint {
    /// This paint; what it does not say is as in `base`.
    fn merge_over(&self, base: &RolePaint) -> RolePaint {
        RolePaint {
            fg: self.fg.or(base.fg),
            bg: self.bg.or(base.bg),
            style: self.style.or(base.style),
            mono: self.mono.or(base.mono),
        }
    }

    /// The style on a terminal.
    fn to_style(&self, palette: TerminalPalette) -> Style {
        let style = self.style.unwrap_or_default();
        // Sixteen colours have no quiet background: what has one is told apart as on a terminal without colours.
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

/// A theme on a terminal: how everything looks.
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
    /// A theme on this terminal.
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

    /// The theme that is used unless another is asked for.
    pub fn built_in(palette: TerminalPalette) -> ResolvedTheme {
        let (name, text) = BUILT_IN[0];
        let theme = ColourTheme::parse(name.as_ref(), text, &|_| None);
        ResolvedTheme::new(&theme.expect("the built-in themes are tested"), palette)
    }

    /// The theme's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How a role looks.
    pub fn role_style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }
}

#[cfg(test)]
mod tests;
