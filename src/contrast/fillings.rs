//! Other fillings of a token: texts that could stand in its place, the most telling first.
//!
//! Where they come from: the sort of the token (names, numbers, quoted texts), the fillings of its kind in `language.toml`, tokens of its
//! kind in the program and in the original, and the literals of the grammar that make the same tree but for the way to the token, as `-`
//! for `+` or `while` for `if`.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::grammar::NodeClass;
use crate::language::Language;
use crate::language::parser::{ParseLimit, ParseTree};
use crate::program::{NodeShape, ProgramNode, Version, walk};

/// Names that the language is not likely to know, in either case.
const FRESH_NAMES: [[&str; 4]; 2] = [["x", "y", "z", "w"], ["X", "Y", "Z", "W"]];
/// Whole numbers that often make a difference.
const NUMBERS: [i128; 3] = [0, 1, 2];
/// Contents for quoted texts.
const CONTENTS: [&str; 3] = ["a", "b", ""];
/// Tokens without other fillings: brackets and separators.
const BRACKETS: &str = "()[]{};,\"'`";

/// The tokens of the program and of its original, by kind.
#[derive(Default)]
pub struct KnownTokens {
    by_class: FxHashMap<NodeClass, Vec<Arc<str>>>,
    /// All texts.
    texts: FxHashSet<Arc<str>>,
}

impl KnownTokens {
    /// The tokens of these versions; those of the first come first.
    pub fn collect_from<'a>(versions: impl IntoIterator<Item = &'a Version>) -> KnownTokens {
        let mut known = KnownTokens::default();
        let documents = versions.into_iter().flat_map(Version::documents);
        for leaf in documents.flat_map(|document| walk::iter_leaves(&document.root)) {
            let Some(text) = token_text(leaf) else {
                continue;
            };
            if let Some(class) = leaf.class {
                let all = known.by_class.entry(class).or_default();
                if !all.iter().any(|other| **other == *text) {
                    all.push(text.into());
                }
            }
            known.texts.insert(text.into());
        }
        known
    }

    /// Names that no token has, with a first letter of the same case as that of `name`.
    pub fn fresh_names(&self, name: &str) -> impl Iterator<Item = &'static str> {
        let names = FRESH_NAMES[usize::from(name.starts_with(char::is_uppercase))];
        names.into_iter().filter(|name| !self.texts.contains(*name))
    }

    /// The other tokens of the kind of this one.
    pub fn same_kind(&self, leaf: &ProgramNode) -> impl Iterator<Item = &str> {
        let class = leaf.class.and_then(|class| self.by_class.get(&class));
        let all = class.into_iter().flatten().map(|text| &**text);
        all.filter(|text| text.as_bytes() != leaf.text())
    }

    /// The shortest token of each other kind that may stand where this one does, by the grammar.
    pub fn other_kinds<'a>(
        &'a self,
        language: &'static Language,
        leaf: &ProgramNode,
    ) -> impl Iterator<Item = &'a str> {
        let (own, expected) = (leaf.class, leaf.expected);
        let fits = move |class: NodeClass| {
            let grammar = language.grammar();
            Some(class) != own && expected.is_some_and(|place| grammar.class_fits(class, place))
        };
        let mut classes: Vec<NodeClass> =
            self.by_class.keys().copied().filter(|c| fits(*c)).collect();
        classes.sort();
        let shortest = |class| self.by_class[&class].iter().min_by_key(|text| text.len());
        classes.into_iter().filter_map(shortest).map(|text| &**text)
    }
}

/// The text of a token; none for comments and for bytes that are not text.
pub fn token_text(leaf: &ProgramNode) -> Option<&str> {
    let is_token = leaf.shape == NodeShape::Token;
    std::str::from_utf8(leaf.text()).ok().filter(|_| is_token)
}

/// Whether a token begins as a word does.
pub fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Other numbers for a number, other contents for a quoted text.
pub fn literal_fillings(text: &str) -> Vec<String> {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return number_fillings(text);
    }
    let quote = text.find(['"', '\'', '`']);
    let quoted = quote.filter(|at| text[..*at].chars().all(char::is_alphanumeric));
    let Some((start, quote)) = quoted.and_then(|at| Some((at, text[at..].chars().next()?))) else {
        return Vec::new();
    };
    let contents = CONTENTS
        .iter()
        .map(|content| format!("{}{quote}{content}{quote}", &text[..start]));
    contents.filter(|other| other != text).collect()
}

fn number_fillings(text: &str) -> Vec<String> {
    if text.contains('.') {
        let others = ["0.0", "1.0", "2.5"]
            .into_iter()
            .filter(|other| *other != text);
        return others.map(str::to_owned).collect();
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, suffix) = text.split_at(digits);
    let is_hex = suffix.starts_with(['x', 'X', 'o', 'b']);
    let suffix = if is_hex { "" } else { suffix };
    let value = number.parse::<i128>().ok().filter(|_| !is_hex);
    let near = value.into_iter().flat_map(|value| [value - 1, value + 1]);
    let numbers = NUMBERS.into_iter().chain(near.filter(|near| *near >= 0));
    let mut found: Vec<String> = Vec::new();
    for other in numbers.map(|number| format!("{number}{suffix}")) {
        if other != text && !found.contains(&other) {
            found.push(other);
        }
    }
    found
}

/// Whether the grammar's literals may be fillings of a token: it is no bracket.
pub fn has_literal_fillings(text: &str) -> bool {
    !text.is_empty() && !BRACKETS.contains(text)
}

/// The literals of the grammar that look like this token: words for a word, signs for a sign. Each with its first class.
pub fn similar_literals(language: &'static Language, text: &str) -> Vec<(NodeClass, &'static str)> {
    let grammar = language.grammar();
    let tokens = grammar
        .classes()
        .filter(|class| grammar.rule_of_class(*class).is_none());
    let names = tokens.map(|class| (class, grammar.class_name(class)));
    let is_similar = |name: &str| {
        let is_token = has_literal_fillings(name) && !name.contains(char::is_whitespace);
        is_token && name != text && is_word(name) == is_word(text)
    };
    let mut seen = FxHashSet::default();
    names
        .filter(|(_, name)| is_similar(name) && seen.insert(*name))
        .collect()
}

/// The nodes of a parser's tree: how deep each is, and of which kind.
pub struct TreeOutline(Vec<OutlineNode>);

struct OutlineNode {
    depth: u32,
    kind: u16,
    name: String,
    start: usize,
    end: usize,
}

impl TreeOutline {
    /// The outline of the tree of a text.
    pub fn from_text(language: &'static Language, text: &[u8]) -> Option<TreeOutline> {
        let masked = language.mask_text(text);
        let limit = ParseLimit::for_length(text.len());
        let tree = language.new_parser().parse(&masked, None, limit).ok()?;
        Some(TreeOutline::from_tree(&tree))
    }

    /// The outline of a tree.
    pub fn from_tree(tree: &ParseTree) -> TreeOutline {
        let (mut nodes, mut cursor, mut depth) = (Vec::new(), tree.walk(), 0);
        loop {
            let node = cursor.node();
            let range = node.range();
            nodes.push(OutlineNode {
                depth,
                kind: node.kind_id(),
                name: node.kind().to_owned(),
                start: range.start,
                end: range.end,
            });
            if cursor.goto_first_child() {
                depth += 1;
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return TreeOutline(nodes);
                }
                depth -= 1;
            }
        }
    }

    /// How many kinds differ from `other`, where the token at `place` of this tree was replaced by `literal`. None if the trees differ in
    /// more than the kinds of the nodes around the token, or if it is no such literal there.
    pub fn distance_to(&self, other: &TreeOutline, place: usize, literal: &str) -> Option<usize> {
        if self.0.len() != other.0.len() {
            return None;
        }
        let (mut distance, mut leaf) = (0, None);
        for (own, new) in self.0.iter().zip(&other.0) {
            let around = own.start <= place && place < own.end;
            if own.depth != new.depth || own.kind != new.kind && !around {
                return None;
            }
            distance += usize::from(own.kind != new.kind);
            leaf = if around { Some(new) } else { leaf };
        }
        // The last node around the token is the token itself.
        leaf.is_some_and(|leaf| leaf.name == literal)
            .then_some(distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language;

    #[test]
    fn numbers_and_quoted_texts_have_others_near_them() {
        assert_eq!(literal_fillings("0"), ["1", "2"]);
        assert_eq!(literal_fillings("7u"), ["0u", "1u", "2u", "6u", "8u"]);
        assert_eq!(literal_fillings("0x10"), ["0", "1", "2"]);
        assert_eq!(literal_fillings("1.0"), ["0.0", "2.5"]);
        assert_eq!(literal_fillings("L\"a\""), ["L\"b\"", "L\"\""]);
        assert_eq!(literal_fillings("name"), Vec::<String>::new());
    }

    /// The literals that the parser takes for the token at a place, the nearest first.
    fn literals_at(text: &str, token: &str) -> Vec<String> {
        let language = language::by_name("c").expect("C");
        let outline =
            |text: &str| TreeOutline::from_text(language, text.as_bytes()).expect("a tree");
        let (own, place) = (outline(text), text.find(token).expect("the token"));
        let literals = similar_literals(language, token).into_iter();
        let near = literals.filter_map(|(_, literal)| {
            let new = [&text[..place], literal, &text[place + token.len()..]].concat();
            Some((
                own.distance_to(&outline(&new), place, literal)?,
                literal.to_owned(),
            ))
        });
        let mut near: Vec<_> = near.collect();
        near.sort();
        near.into_iter().map(|(_, literal)| literal).collect()
    }

    #[test]
    fn a_literal_that_makes_the_same_tree_is_a_filling() {
        let operators = literals_at("int f(int a) { return a / 2; }", "/");
        for operator in ["+", "-", "*", "%", "<", "&&"] {
            assert!(
                operators.iter().any(|other| other == operator),
                "{operator}: {operators:?}"
            );
        }
        for other in ["!", "->", ".", "~"] {
            assert!(
                !operators.iter().any(|operator| operator == other),
                "{other}: {operators:?}"
            );
        }
        let classes = literals_at("static int a;", "static");
        assert!(classes.iter().any(|class| class == "extern"), "{classes:?}");
        let loops = literals_at("void f(int a) { if (a) f(1); }", "if");
        assert!(loops.iter().any(|word| word == "while"), "{loops:?}");
        assert!(literals_at("struct s { int a; } b;", "struct").contains(&"union".to_owned()));
    }
}
