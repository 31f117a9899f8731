//! Themes: what each role looks like, read from TOML.

use std::collections::BTreeMap;
use std::sync::Arc;

use ratatui::style::{Modifier, Style};
use serde::Deserialize;

use super::palette::{Depth, Glyphs, Palette};
use super::syntax::Syntax;

/// The theme that is built in.
const DARK: &str = include_str!("../../themes/dark.toml");

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
    /// What has no other role.
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
    /// What the candidate lacks.
    Deleted = "deleted",
    /// The verdict.
    Interesting = "interesting",
    /// The verdict.
    Boring = "boring",
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
}

/// Why a theme cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ThemeError {
    /// It is no TOML, or has what no theme has.
    #[error("the theme cannot be read: {0}")]
    Form(#[from] toml::de::Error),
    /// It names a role that there is not.
    #[error("the theme has a role `{0}`, which there is not")]
    Role(String),
    /// It does not say how a role looks.
    #[error("the theme does not say how `{0}` looks")]
    Missing(&'static str),
    /// It names a syntax theme that there is not.
    #[error("there is no syntax theme `{0}`")]
    Syntax(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    syntax: String,
    roles: BTreeMap<String, Paint>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Paint {
    fg: Option<Hex>,
    bg: Option<Hex>,
    style: Vec<Word>,
    mono: Option<Vec<Word>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct Hex(u8, u8, u8);

impl TryFrom<String> for Hex {
    type Error = String;

    fn try_from(text: String) -> Result<Hex, String> {
        let number = text
            .strip_prefix('#')
            .filter(|digits| digits.len() == 6 && digits.is_ascii());
        let number = number.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let [_, r, g, b] = number
            .ok_or_else(|| format!("`{text}` is no colour: write #rrggbb"))?
            .to_be_bytes();
        Ok(Hex(r, g, b))
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Bold,
    Dim,
    Italic,
    Underlined,
    Reversed,
    Crossed,
}

fn modifiers(words: &[Word]) -> Modifier {
    words.iter().fold(Modifier::empty(), |all, word| {
        all | match word {
            Word::Bold => Modifier::BOLD,
            Word::Dim => Modifier::DIM,
            Word::Italic => Modifier::ITALIC,
            Word::Underlined => Modifier::UNDERLINED,
            Word::Reversed => Modifier::REVERSED,
            Word::Crossed => Modifier::CROSSED_OUT,
        }
    })
}

impl Paint {
    fn style(&self, palette: Palette) -> Style {
        let mono = modifiers(self.mono.as_deref().unwrap_or(&self.style));
        // Sixteen colours have no quiet background: what has one is told apart as on a terminal without colours.
        let plain =
            palette.depth == Depth::None || palette.depth == Depth::Ansi16 && self.bg.is_some();
        let mut style =
            Style::new().add_modifier(if plain { mono } else { modifiers(&self.style) });
        if let Some(Hex(r, g, b)) = self.fg.filter(|_| !plain) {
            style = style.fg(palette.colour((r, g, b)));
        }
        if let Some(Hex(r, g, b)) = self.bg.filter(|_| !plain) {
            style = style.bg(palette.colour((r, g, b)));
        }
        style
    }
}

/// A theme on a terminal: how everything looks.
#[derive(Clone, Debug)]
pub struct Look {
    name: String,
    styles: Vec<Style>,
    /// The colours of the program's text.
    pub syntax: Arc<Syntax>,
    /// The characters.
    pub glyphs: Glyphs,
}

impl Look {
    /// The built-in theme on this terminal.
    pub fn built_in(palette: Palette) -> Look {
        Look::read(DARK, palette).expect("the built-in theme is tested")
    }

    /// The theme of a TOML text on this terminal.
    ///
    /// # Errors
    /// When it is no theme, or lacks a role.
    pub fn read(text: &str, palette: Palette) -> Result<Look, ThemeError> {
        let file: File = toml::from_str(text)?;
        if let Some(name) = file
            .roles
            .keys()
            .find(|name| !Role::ALL.iter().any(|(_, known)| known == name))
        {
            return Err(ThemeError::Role(name.clone()));
        }
        let style = |&(_, name): &(Role, &'static str)| {
            file.roles
                .get(name)
                .map(|paint| paint.style(palette))
                .ok_or(ThemeError::Missing(name))
        };
        let styles = Role::ALL.iter().map(style).collect::<Result<_, _>>()?;
        let glyphs = if palette.unicode {
            Glyphs::UNICODE
        } else {
            Glyphs::ASCII
        };
        Ok(Look {
            name: file.name,
            styles,
            syntax: Arc::new(Syntax::new(file.syntax, palette)),
            glyphs,
        })
    }

    /// The theme's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How a role looks.
    pub fn of(&self, role: Role) -> Style {
        self.styles[role as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Color;

    #[test]
    fn the_built_in_theme_is_whole_at_every_depth() {
        for depth in [Depth::None, Depth::Ansi16, Depth::Ansi256, Depth::True] {
            let look = Look::built_in(Palette {
                depth,
                unicode: true,
            });
            assert_eq!(look.name(), "dark");
            for (role, name) in Role::ALL {
                let style = look.of(*role);
                if depth == Depth::None {
                    assert!(
                        style.fg.is_none() && style.bg.is_none(),
                        "{name} has a colour where there are none"
                    );
                }
            }
            // These are told apart on every terminal.
            for role in [Role::Selection, Role::Paused, Role::Deleted] {
                assert_ne!(look.of(role), look.of(Role::Text));
            }
        }
    }

    #[test]
    fn colours_come_from_the_file() {
        let look = Look::built_in(Palette::FULL);
        assert_eq!(look.of(Role::Paused).bg, Some(Color::Rgb(0xf0, 0xc6, 0x74)));
        assert!(look.of(Role::Deleted).has_modifier(Modifier::CROSSED_OUT));
    }

    #[test]
    fn a_bad_theme_is_a_message() {
        let read = |text: &str| {
            Look::read(text, Palette::FULL)
                .map(|_| ())
                .unwrap_err()
                .to_string()
        };
        assert!(read("name = 3").contains("cannot be read"));
        assert!(
            read("name='a'\nsyntax='x'\n[roles]\nborder = { fg = '#fff' }")
                .contains("`#fff` is no colour: write #rrggbb")
        );
        assert!(read("name='a'\nsyntax='x'\n[roles]\nbordre = {}").contains("`bordre`"));
        assert!(
            read("name='a'\nsyntax='x'\n[roles]\nborder = {}")
                .contains("does not say how `text` looks")
        );
    }
}
