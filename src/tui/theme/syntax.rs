//! The colours of the program's text: what tree-sitter's queries capture, painted by a theme, or by the scopes of a TextMate theme.

use std::io::Cursor;
use std::path::Path;

use ratatui::style::{Modifier, Style};
use syntect::highlighting::{FontStyle, Highlighter, ThemeSet};
use syntect::parsing::Scope;

use super::RolePaint;
use super::palette::TerminalPalette;

/// The names that tree-sitter's queries give, and the scopes that TextMate themes know. A name with more parts
/// (`function.builtin`) that is not here, or not painted, is looked up by its longest beginning that is.
pub const CAPTURES: &[(&str, &str)] = &[
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

/// The paints of captures, as a theme says them: one for each of [`CAPTURES`].
#[derive(Clone, Debug)]
pub(in crate::tui) struct CapturePaints {
    pub paints: Vec<Option<RolePaint>>,
}

impl Default for CapturePaints {
    fn default() -> CapturePaints {
        CapturePaints {
            paints: vec![None; CAPTURES.len()],
        }
    }
}

/// A TextMate theme has a handful of levels. It is read by recursion, which ends here.
const DEEPEST: usize = 50;

/// How deep the dictionaries and lists of a property list are in each other.
fn nesting_depth(text: &str) -> usize {
    let (mut depth, mut most) = (0usize, 0);
    for tag in text.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        if tag.starts_with(['d', 'a']) && !tag.ends_with('/') {
            depth += 1;
        } else if tag.starts_with("/d") || tag.starts_with("/a") {
            depth = depth.saturating_sub(1);
        }
        most = most.max(depth);
    }
    most
}

impl CapturePaints {
    /// What a TextMate theme says. What it paints like any text is not painted.
    pub fn read_textmate(path: &Path) -> Result<CapturePaints, String> {
        // A device or a pipe might never end.
        let about = std::fs::metadata(path).map_err(|error| error.to_string())?;
        if !about.is_file() {
            return Err("it is not a regular file; name a .tmTheme file".into());
        }
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        if !text
            .trim_start_matches('\u{feff}')
            .trim_start()
            .starts_with('<')
        {
            return Err("a TextMate theme is XML".into());
        }
        if nesting_depth(&text) > DEEPEST {
            return Err("it nests deeper than a theme does".into());
        }
        let theme = ThemeSet::load_from_reader(&mut Cursor::new(text));
        let theme = theme.map_err(|error| error.to_string())?;
        let highlighter = Highlighter::new(&theme);
        let plain = highlighter.get_default().foreground;
        let paint = |&(_, scope): &(&str, &str)| {
            let found = highlighter.style_for_stack(&[Scope::new(scope).ok()?]);
            let syntect::highlighting::Color { r, g, b, .. } = found.foreground;
            let mut style = Modifier::empty();
            for (font, modifier) in [
                (FontStyle::BOLD, Modifier::BOLD),
                (FontStyle::ITALIC, Modifier::ITALIC),
            ] {
                if found.font_style.contains(font) {
                    style |= modifier;
                }
            }
            Some(RolePaint {
                fg: (found.foreground != plain).then_some((r, g, b)),
                style: Some(style),
                ..RolePaint::default()
            })
        };
        Ok(CapturePaints {
            paints: CAPTURES.iter().map(paint).collect(),
        })
    }

    /// The styles on a terminal.
    pub fn to_styles(&self, palette: TerminalPalette) -> CaptureStyles {
        let style = |&(name, _): &(&str, &str)| {
            let paint = find_longest_prefix(name, |at| self.paints[at].as_ref());
            paint.map_or(Style::new(), |paint| paint.to_style(palette))
        };
        CaptureStyles {
            styles: CAPTURES.iter().map(style).collect(),
        }
    }
}

/// The styles of captures on a terminal.
#[derive(Debug)]
pub struct CaptureStyles {
    styles: Vec<Style>,
}

impl CaptureStyles {
    /// How a capture looks; plain when the theme says nothing of it.
    pub fn capture_style(&self, capture: &str) -> Style {
        find_longest_prefix(capture, |at| Some(self.styles[at])).unwrap_or_default()
    }
}

/// What `of` says of the longest beginning of `capture` that it knows; it is asked by the numbers of [`CAPTURES`].
fn find_longest_prefix<T>(capture: &str, of: impl Fn(usize) -> Option<T>) -> Option<T> {
    let mut name = capture;
    loop {
        let at = CAPTURES.binary_search_by_key(&name, |(known, _)| known);
        if let Some(found) = at.ok().and_then(&of) {
            return Some(found);
        }
        name = &name[..name.rfind('.')?];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_searched_by_halves() {
        assert!(CAPTURES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn captures_are_found_by_their_longest_known_beginning() {
        let mut painted = CapturePaints::default();
        let keyword = CAPTURES.iter().position(|(name, _)| *name == "keyword");
        painted.paints[keyword.expect("it is there")] = Some(RolePaint {
            fg: Some((1, 2, 3)),
            ..RolePaint::default()
        });
        let syntax = painted.to_styles(TerminalPalette::FULL);
        assert!(syntax.capture_style("keyword").fg.is_some());
        assert_eq!(
            syntax.capture_style("keyword.control.repeat"),
            syntax.capture_style("keyword")
        );
        assert_eq!(syntax.capture_style("no.such.thing"), Style::new());
        assert_eq!(syntax.capture_style("string"), Style::new());
    }
}
