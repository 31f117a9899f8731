//! The nodes of a text, by the rules of the grammar.

use std::ops::Range;
use std::path::{Path, PathBuf};

use lop::grammar::{Derivation, DerivationPart, GrammarChild, RuleId};
use lop::language::parser::{ParseLimit, ParseNode, ParseTree};
use lop::language::{self, Language};

/// A node with what its rule sees of it.
pub struct Derivable {
    pub rule: RuleId,
    pub children: Vec<GrammarChild>,
    /// Where the children are in the text.
    pub ranges: Vec<Range<usize>>,
    pub trailing_gap: bool,
    pub broken: bool,
}

pub fn c() -> &'static Language {
    language::by_name("c").expect("C is known")
}

pub fn parse(language: &Language, text: &[u8]) -> ParseTree {
    let limit = ParseLimit::for_length(text.len());
    language
        .new_parser()
        .parse(text, None, limit)
        .expect("it ends")
}

/// All nodes of a text that have a rule and are no tokens, children before their parents.
pub fn nodes(language: &'static Language, text: &[u8]) -> Vec<Derivable> {
    struct Open {
        rule: Option<RuleId>,
        end: usize,
        seen: usize,
        gap: bool,
        children: Vec<GrammarChild>,
        ranges: Vec<Range<usize>>,
        broken: bool,
    }
    let grammar = language.grammar();
    let class = |node: &ParseNode| grammar.find_class(node.kind_id(), node.grammar_id());
    let blank = |from: usize, to: usize| from >= to || language.is_blank(&text[from..to]);
    let tree = parse(language, text);
    let mut cursor = tree.walk();
    let mut all = Vec::new();
    let mut stack: Vec<Open> = Vec::new();
    loop {
        let node = cursor.node();
        if let Some(above) = stack.last_mut() {
            above.gap |= !blank(above.seen, node.range().start);
            above.seen = node.range().end;
            above.broken |= node.is_error() || node.is_missing();
            if !node.is_extra() {
                let gap = std::mem::take(&mut above.gap);
                let class = class(&node);
                above.children.push(GrammarChild { class, gap });
                above.ranges.push(node.range());
            }
        }
        stack.push(Open {
            rule: class(&node).and_then(|class| grammar.rule_of_class(class)),
            end: node.range().end,
            seen: node.range().start,
            gap: false,
            children: Vec::new(),
            ranges: Vec::new(),
            broken: node.is_error(),
        });
        if cursor.goto_first_child() {
            continue;
        }
        loop {
            let done = stack.pop().expect("a node is open");
            if let Some(rule) = done.rule {
                all.push(Derivable {
                    rule,
                    trailing_gap: done.gap || !blank(done.seen, done.end),
                    children: done.children,
                    ranges: done.ranges,
                    broken: done.broken,
                });
            }
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return all;
            }
        }
    }
}

/// Derives all nodes of a text. How many were derived, and the rules of those that were not.
pub fn derive_all(language: &'static Language, text: &[u8]) -> (usize, Vec<&'static str>) {
    let grammar = language.grammar();
    let mut derived = 0;
    let mut refused = Vec::new();
    for node in nodes(language, text).iter().filter(|node| !node.broken) {
        match grammar.derive_children(node.rule, &node.children, node.trailing_gap) {
            Some(derivation) => {
                derived += 1;
                assert_eq!(
                    indices(&derivation),
                    (0..node.children.len() as u32).collect::<Vec<_>>()
                );
            }
            None => refused.push(grammar.rule_name(node.rule)),
        }
    }
    (derived, refused)
}

/// The children of a derivation, in the order of its parts.
pub fn indices(derivation: &Derivation) -> Vec<u32> {
    let mut indices = Vec::new();
    let mut open: Vec<&DerivationPart> = derivation.parts.iter().rev().collect();
    while let Some(part) = open.pop() {
        match part {
            DerivationPart::Child { index, .. } => indices.push(*index),
            DerivationPart::Group { parts, .. } | DerivationPart::Item { parts, .. } => {
                open.extend(parts.iter().rev())
            }
        }
    }
    indices
}

pub fn files(folder: &str, wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .map(|e| e.expect("readable").path())
        .filter(|p| wanted(p))
        .collect();
    files.sort();
    files
}

pub fn samples() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples");
    files(folder, |path| language::by_path(path).is_some())
}

/// The samples above, and those that the languages come with.
pub fn all_samples() -> Vec<PathBuf> {
    let folders = files(concat!(env!("CARGO_MANIFEST_DIR"), "/grammars"), |path| {
        path.is_dir()
    });
    let of_folder = |folder: &PathBuf| {
        let name = |path: &Path| path.file_stem().is_some_and(|stem| stem == "sample");
        files(folder.to_str().expect("UTF-8"), name)
    };
    samples()
        .into_iter()
        .chain(folders.iter().flat_map(of_folder))
        .collect()
}
