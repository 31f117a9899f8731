//! What the scopes of a syntax definition are as captures of a highlight query, which themes colour.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use syntect::parsing::Scope;

/// What a scope says of the text in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScopeMeaning {
    /// It is what a capture of this name is.
    Capture(&'static str),
    /// It is text like any other, whatever stands around it.
    Plain,
}

use ScopeMeaning::{Capture, Plain};

/// The scopes that mean something, by Sublime Text's naming guidelines. The longest beginning counts; a scope that begins like none leaves it to the
/// scope around it.
const SCOPES: &[(&str, ScopeMeaning)] = &[
    ("comment", Capture("comment")),
    ("constant", Capture("constant")),
    ("constant.character", Capture("character")),
    ("constant.character.escape", Capture("string.escape")),
    ("constant.language", Capture("constant.builtin")),
    ("constant.numeric", Capture("number")),
    ("entity.name", Capture("type")),
    ("entity.name.constant", Capture("constant")),
    ("entity.name.function", Capture("function")),
    ("entity.name.label", Capture("label")),
    ("entity.name.namespace", Capture("namespace")),
    ("entity.name.tag", Capture("tag")),
    ("entity.other.attribute-name", Capture("attribute")),
    ("entity.other.inherited-class", Capture("type")),
    ("keyword", Capture("keyword")),
    ("keyword.operator", Capture("operator")),
    ("keyword.operator.word", Capture("keyword")),
    ("markup.heading", Capture("keyword")),
    ("markup.raw", Capture("string")),
    ("meta.annotation", Capture("attribute")),
    ("meta.interpolation", Plain),
    ("meta.preprocessor", Capture("preproc")),
    ("punctuation", Capture("punctuation")),
    ("punctuation.definition.comment", Capture("comment")),
    ("punctuation.definition.string", Capture("string")),
    ("punctuation.separator", Capture("delimiter")),
    ("punctuation.terminator", Capture("delimiter")),
    ("source", Plain),
    ("storage", Capture("keyword")),
    ("storage.type", Capture("type.builtin")),
    ("string", Capture("string")),
    ("support.constant", Capture("constant.builtin")),
    ("support.function", Capture("function.builtin")),
    ("support.type", Capture("type.builtin")),
    ("support.class", Capture("type.builtin")),
    ("variable", Capture("variable")),
    ("variable.annotation", Capture("attribute")),
    ("variable.function", Capture("function")),
    ("variable.language", Capture("variable.builtin")),
    ("variable.other.constant", Capture("constant")),
    ("variable.other.member", Capture("property")),
    ("variable.parameter", Capture("variable.parameter")),
];

/// The same, the longest first.
static MEANINGS: LazyLock<Vec<(Scope, ScopeMeaning)>> = LazyLock::new(|| {
    let scope = |&(name, meaning): &(&str, _)| Some((Scope::new(name).ok()?, meaning));
    let mut all: Vec<(Scope, ScopeMeaning)> = SCOPES.iter().filter_map(scope).collect();
    all.sort_by_key(|(scope, _)| std::cmp::Reverse(scope.len()));
    all
});

/// Finds captures, and remembers what it found.
#[derive(Debug, Default)]
pub struct ScopeCaptures(FxHashMap<Scope, Option<ScopeMeaning>>);

impl ScopeCaptures {
    /// The name of the capture that the innermost of these scopes means that means one. The innermost is the last.
    pub fn find_capture(&mut self, scopes: &[Scope]) -> Option<&'static str> {
        let meaning = |scope: &Scope| {
            let find = || {
                let found = MEANINGS
                    .iter()
                    .find(|(known, _)| known.is_prefix_of(*scope));
                found.map(|(_, meaning)| *meaning)
            };
            *self.0.entry(*scope).or_insert_with(find)
        };
        match scopes.iter().rev().find_map(meaning)? {
            Capture(name) => Some(name),
            Plain => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::palette::TerminalPalette;
    use crate::tui::theme::{BUILT_IN, ColourTheme, ResolvedTheme};

    fn capture(scopes: &str) -> Option<&'static str> {
        let scopes = scopes
            .split(' ')
            .map(|scope| Scope::new(scope).expect("a scope"));
        ScopeCaptures::default().find_capture(&scopes.collect::<Vec<_>>())
    }

    #[test]
    fn the_innermost_scope_that_means_something_counts() {
        assert_eq!(capture("source.ini entity.name.section.ini"), Some("type"));
        assert_eq!(
            capture("source.c meta.function.c keyword.operator.c"),
            Some("operator")
        );
        assert_eq!(
            capture("source.c string.quoted.c meta.unknown.c"),
            Some("string")
        );
        assert_eq!(capture("source.c meta.block.c"), None);
        assert_eq!(
            capture("string.quoted meta.interpolation source.py.embedded"),
            None
        );
        assert_eq!(capture("no.such.scope"), None);
    }

    #[test]
    fn most_captures_of_the_table_have_a_colour_in_the_dark_theme() {
        let (name, text) = BUILT_IN[0];
        let theme = ColourTheme::parse(name.as_ref(), text, &|_| None).expect("it is tested");
        let theme = ResolvedTheme::new(&theme, TerminalPalette::FULL);
        let painted = SCOPES.iter().filter(|(_, meaning)| match meaning {
            Capture(name) => theme.syntax.capture_style(name) != Default::default(),
            Plain => false,
        });
        assert!(painted.count() > SCOPES.len() / 2);
    }
}
