//! The colours of the program's text: what tree-sitter's queries capture, in the scopes of a TextMate theme.

use std::sync::OnceLock;

use ratatui::style::{Modifier, Style};
use syntect::highlighting::{FontStyle, Highlighter, ThemeSet};
use syntect::parsing::Scope;

use super::palette::{Depth, Palette};

/// The names that tree-sitter's queries give, and the scopes that TextMate themes know. A name with more parts
/// (`function.builtin`) is looked up by its longest beginning that is here.
const SCOPES: &[(&str, &str)] = &[
    ("attribute", "entity.other.attribute-name"),
    ("boolean", "constant.language"),
    ("character", "constant.character"),
    ("comment", "comment"),
    ("conditional", "keyword.control"),
    ("constant", "constant"),
    ("constant.builtin", "constant.language"),
    ("constructor", "entity.name.function"),
    ("delimiter", "punctuation.separator"),
    ("escape", "constant.character.escape"),
    ("float", "constant.numeric"),
    ("function", "entity.name.function"),
    ("function.builtin", "support.function"),
    ("function.macro", "support.function"),
    ("function.method", "entity.name.function"),
    ("keyword", "keyword"),
    ("label", "entity.name.label"),
    ("module", "entity.name.namespace"),
    ("namespace", "entity.name.namespace"),
    ("number", "constant.numeric"),
    ("operator", "keyword.operator"),
    ("preproc", "meta.preprocessor"),
    ("property", "variable.other.member"),
    ("punctuation", "punctuation"),
    ("string", "string"),
    ("string.escape", "constant.character.escape"),
    ("tag", "entity.name.tag"),
    ("type", "support.type"),
    ("type.builtin", "support.type"),
    ("variable", "variable.other"),
    ("variable.builtin", "variable.language"),
    ("variable.parameter", "variable.parameter"),
];

/// A TextMate theme, read when first needed: the first frame does not wait for it longer than it must.
#[derive(Debug)]
pub struct Syntax {
    theme: String,
    palette: Palette,
    styles: OnceLock<Vec<Style>>,
}

impl Syntax {
    /// The theme of this name, of those that syntect brings.
    pub fn new(theme: String, palette: Palette) -> Syntax {
        Syntax {
            theme,
            palette,
            styles: OnceLock::new(),
        }
    }

    /// How a capture looks; plain when the theme says nothing of it.
    pub fn of(&self, capture: &str) -> Style {
        let mut name = capture;
        loop {
            if let Ok(at) = SCOPES.binary_search_by_key(&name, |(known, _)| known) {
                return self.styles()[at];
            }
            match name.rfind('.') {
                Some(dot) => name = &name[..dot],
                None => return Style::new(),
            }
        }
    }

    fn styles(&self) -> &[Style] {
        self.styles.get_or_init(|| {
            let set = ThemeSet::load_defaults();
            let Some(theme) = set
                .themes
                .get(&self.theme)
                .filter(|_| self.palette.depth != Depth::None)
            else {
                return vec![Style::new(); SCOPES.len()];
            };
            let highlighter = Highlighter::new(theme);
            let plain = highlighter.get_default().foreground;
            let style = |&(_, scope): &(&str, &str)| {
                let Ok(scope) = Scope::new(scope) else {
                    return Style::new();
                };
                let found = highlighter.style_for_stack(&[scope]);
                let mut style = Style::new();
                if found.foreground != plain {
                    let syntect::highlighting::Color { r, g, b, .. } = found.foreground;
                    style = style.fg(self.palette.colour((r, g, b)));
                }
                if found.font_style.contains(FontStyle::BOLD) {
                    style = style.add_modifier(Modifier::BOLD);
                }
                if found.font_style.contains(FontStyle::ITALIC) {
                    style = style.add_modifier(Modifier::ITALIC);
                }
                style
            };
            SCOPES.iter().map(style).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_are_found_by_their_longest_known_beginning() {
        assert!(
            SCOPES.windows(2).all(|pair| pair[0].0 < pair[1].0),
            "the table is searched by halves"
        );
        let syntax = Syntax::new("base16-ocean.dark".into(), Palette::FULL);
        assert_eq!(syntax.of("keyword.control.repeat"), syntax.of("keyword"));
        assert_eq!(syntax.of("no.such.thing"), Style::new());
        for capture in ["keyword", "string", "number", "comment", "function"] {
            assert!(syntax.of(capture).fg.is_some(), "{capture} has no colour");
        }
    }

    #[test]
    fn without_colours_nothing_is_coloured() {
        let syntax = Syntax::new(
            "base16-ocean.dark".into(),
            Palette {
                depth: Depth::None,
                unicode: true,
            },
        );
        assert_eq!(syntax.of("keyword"), Style::new());
        let absent = Syntax::new("no such theme".into(), Palette::FULL);
        assert_eq!(absent.of("keyword"), Style::new());
    }
}
