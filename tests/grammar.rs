//! The grammar explains every node that the parser makes, and does not explain what the parser would not make.

use std::path::{Path, PathBuf};

use lop::grammar::{Child, Derivation, Grammar, Part, RuleId, Shape};
use lop::language::parser::{Node, ParseLimit, ParseTree};
use lop::language::{self, Language};

/// A node with what its rule sees of it.
struct Derivable {
    rule: RuleId,
    children: Vec<Child>,
    trailing_gap: bool,
    broken: bool,
}

fn c() -> &'static Language {
    language::by_name("c").expect("C is known")
}

fn parse(language: &Language, text: &[u8]) -> ParseTree {
    let limit = ParseLimit::for_length(text.len());
    language.parser().parse(text, None, limit).expect("it ends")
}

/// All nodes of a text that have a rule and are no tokens, children before their parents.
fn nodes(language: &'static Language, text: &[u8]) -> Vec<Derivable> {
    struct Open {
        rule: Option<RuleId>,
        end: usize,
        seen: usize,
        gap: bool,
        children: Vec<Child>,
        broken: bool,
    }
    let grammar = language.grammar();
    let class = |node: &Node| grammar.class(node.kind_id(), node.grammar_id());
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
                above.children.push(Child { class, gap });
            }
        }
        stack.push(Open {
            rule: class(&node).and_then(|class| grammar.rule(class)),
            end: node.range().end,
            seen: node.range().start,
            gap: false,
            children: Vec::new(),
            broken: node.is_error(),
        });
        if cursor.first_child() {
            continue;
        }
        loop {
            let done = stack.pop().expect("a node is open");
            if let Some(rule) = done.rule {
                all.push(Derivable {
                    rule,
                    trailing_gap: done.gap || !blank(done.seen, done.end),
                    children: done.children,
                    broken: done.broken,
                });
            }
            if cursor.next_sibling() {
                break;
            }
            if !cursor.parent() {
                return all;
            }
        }
    }
}

/// Derives all nodes of a text. How many were derived, and the rules of those that were not.
fn derive_all(language: &'static Language, text: &[u8]) -> (usize, Vec<&'static str>) {
    let grammar = language.grammar();
    let mut derived = 0;
    let mut refused = Vec::new();
    for node in nodes(language, text).iter().filter(|node| !node.broken) {
        match grammar.derive(node.rule, &node.children, node.trailing_gap) {
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
fn indices(derivation: &Derivation) -> Vec<u32> {
    let mut indices = Vec::new();
    let mut open: Vec<&Part> = derivation.parts.iter().rev().collect();
    while let Some(part) = open.pop() {
        match part {
            Part::Child { index, .. } => indices.push(*index),
            Part::Group { parts, .. } | Part::Item { parts, .. } => open.extend(parts.iter().rev()),
        }
    }
    indices
}

fn files(folder: &str, wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
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

fn samples() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples");
    files(folder, |path| language::by_path(path).is_some())
}

#[test]
fn every_node_of_the_samples_is_derived() {
    let samples = samples();
    assert!(!samples.is_empty());
    for path in samples {
        let text = std::fs::read(&path).expect("readable");
        let language = language::by_path(&path).expect("a known language");
        assert_eq!(
            parse(language, &language.mask(&text)).faults(),
            0,
            "{}",
            path.display()
        );
        let (derived, refused) = derive_all(language, &language.mask(&text));
        assert_eq!(refused, Vec::<&str>::new(), "{}", path.display());
        assert!(derived > 50, "{}: only {derived}", path.display());
    }
}

/// The programs of the benchmark, where they are at hand.
#[test]
fn every_clean_node_of_the_benchmark_is_derived() {
    for case in files("/work/shared/bench/cases", |path| {
        path.join("input.c").exists()
    }) {
        let text = std::fs::read(case.join("input.c")).expect("readable");
        let text = c().mask(&text);
        let start = std::time::Instant::now();
        let faults = parse(c(), &text).faults();
        let parsed = start.elapsed();
        let start = std::time::Instant::now();
        let nodes = nodes(c(), &text);
        let walked = start.elapsed();
        let start = std::time::Instant::now();
        let refused = nodes.iter().filter(|n| !n.broken).filter(|n| {
            c().grammar()
                .derive(n.rule, &n.children, n.trailing_gap)
                .is_none()
        });
        let refused: Vec<&str> = refused.map(|n| c().grammar().rule_name(n.rule)).collect();
        let derived = start.elapsed();
        println!(
            "{}: {} bytes, {faults} faults, {} nodes, {} broken, {} not derived; parse {parsed:?}, walk {walked:?}, derive {derived:?}",
            case.display(),
            text.len(),
            nodes.len(),
            nodes.iter().filter(|n| n.broken).count(),
            refused.len(),
        );
        assert_eq!(refused, Vec::<&str>::new(), "{}", case.display());
    }
}
