//! The grammar explains every node that the parser makes, and does not explain what the parser would not make.

use std::ops::Range;
use std::path::{Path, PathBuf};

use lop::grammar::{Child, Class, Derivation, Part, RuleId, Shape};
use lop::language::parser::{Node, ParseError, ParseLimit, ParseTree, TextEdit};
use lop::language::{self, Language};

/// A node with what its rule sees of it.
struct Derivable {
    rule: RuleId,
    children: Vec<Child>,
    /// Where the children are in the text.
    ranges: Vec<Range<usize>>,
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
        ranges: Vec<Range<usize>>,
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
                above.ranges.push(node.range());
            }
        }
        stack.push(Open {
            rule: class(&node).and_then(|class| grammar.rule(class)),
            end: node.range().end,
            seen: node.range().start,
            gap: false,
            children: Vec::new(),
            ranges: Vec::new(),
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
                    ranges: done.ranges,
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

/// A matcher that accepts everything would derive every node too. So children are dropped and swapped, and most must be refused.
#[test]
fn most_nodes_with_a_child_dropped_or_swapped_are_refused() {
    let mut paths = samples();
    let cases = files("/work/shared/bench/cases", |path| {
        path.join("input.c").exists()
    });
    paths.extend(cases.iter().map(|case| case.join("input.c")));
    let (mut drops, mut dropped, mut swaps, mut swapped) = (0u32, 0u32, 0u32, 0u32);
    // A fixed sequence that looks random (Knuth's MMIX generator).
    let mut state = 7u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for path in paths {
        let language = language::by_path(&path).expect("a known language");
        let text = std::fs::read(&path).expect("readable");
        let derives = |node: &Derivable, children: &[Child]| {
            let derivation = language
                .grammar()
                .derive(node.rule, children, node.trailing_gap);
            u32::from(derivation.is_none())
        };
        for node in nodes(language, &language.mask(&text))
            .iter()
            .filter(|n| !n.broken)
        {
            if node.children.len() < 2 {
                continue;
            }
            let mut without = node.children.clone();
            without.remove(random(without.len()));
            drops += 1;
            dropped += derives(node, &without);
            let (i, j) = (random(node.children.len()), random(node.children.len()));
            if node.children[i].class != node.children[j].class {
                let mut other = node.children.clone();
                other.swap(i, j);
                swaps += 1;
                swapped += derives(node, &other);
            }
        }
    }
    let (dropped, swapped) = (
        f64::from(dropped) / f64::from(drops),
        f64::from(swapped) / f64::from(swaps),
    );
    println!(
        "{:.1} % of {drops} drops and {:.1} % of {swaps} swaps refused",
        100.0 * dropped,
        100.0 * swapped
    );
    assert!(dropped > 0.75 && swapped > 0.9, "{dropped} {swapped}");
}

#[test]
fn a_list_of_a_hundred_thousand_is_derived_in_no_time() {
    let mut text = b"int a[] = {".to_vec();
    (0..100_000).for_each(|_| text.extend_from_slice(b"1,"));
    text.extend_from_slice(b"};");
    let nodes = nodes(c(), &text);
    let list = nodes
        .iter()
        .max_by_key(|node| node.children.len())
        .expect("there are nodes");
    assert_eq!(list.children.len(), 200_002);
    let start = std::time::Instant::now();
    let derivation = c()
        .grammar()
        .derive(list.rule, &list.children, false)
        .expect("derived");
    assert!(start.elapsed().as_secs() < 2, "{:?}", start.elapsed());
    assert_eq!(indices(&derivation).len(), 200_002);
}

#[test]
fn depth_costs_no_stack() {
    let depth = 100_000;
    let clean = [
        "int a = ".as_bytes(),
        &b"(".repeat(depth),
        b"1",
        &b")".repeat(depth),
        b";",
    ]
    .concat();
    let tree = parse(c(), &clean);
    assert_eq!(tree.faults(), 0);
    let (derived, refused) = derive_all(c(), &clean);
    assert!(derived > depth && refused.is_empty());
    // The query engine counts depth in 16 bits: so far down nothing is highlighted, but it comes back.
    assert!(c().highlight(&tree, &clean, depth..depth + 9).is_empty());
    let edit = TextEdit {
        start: 8 + depth,
        old_end: 9 + depth,
        new_end: 9 + depth,
    };
    let again = tree.edited(&clean, edit, &clean);
    let limit = ParseLimit::for_length(clean.len());
    let again = c()
        .parser()
        .parse(&clean, Some(&again), limit)
        .expect("it ends");
    assert_eq!(again.faults(), 0);
    assert!(tree.changed(&again).is_empty());
    // A fault at the bottom, so that counting goes all the way down.
    let faulty = [
        "int a = ".as_bytes(),
        &b"(".repeat(depth),
        b"1 +",
        &b")".repeat(depth),
        b";",
    ]
    .concat();
    assert!(parse(c(), &faulty).faults() > 0);
}

#[test]
fn faults_are_errors_and_missing_tokens() {
    let faults = |text: &str| parse(c(), text.as_bytes()).faults();
    assert_eq!(faults("int a;"), 0);
    assert_eq!(faults("int a"), 1);
    // The error, the character in it that is no token, and the semicolon.
    assert_eq!(faults("int a; @ int b"), 3);
}

#[test]
fn a_parse_that_is_too_much_work_is_an_error_and_the_parser_is_as_good_as_new() {
    let text = "int a;".repeat(10_000);
    let mut parser = c().parser();
    let stopped = parser.parse(text.as_bytes(), None, ParseLimit(3));
    assert_eq!(stopped.err(), Some(ParseError::TooMuchWork(3)));
    let tree = parser
        .parse(b"int b;", None, ParseLimit(3))
        .expect("a small text");
    assert_eq!(tree.walk().node().range(), 0..6);
    assert_eq!(tree.faults(), 0);
}

#[test]
fn an_incremental_parse_gives_the_tree_of_a_parse_from_scratch() {
    let old = std::fs::read(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/samples/lists.c"
    ))
    .expect("readable");
    let gone = b"    for (;;) break;\n";
    let start = old
        .windows(gone.len())
        .position(|w| w == gone)
        .expect("it is there");
    let new = [&old[..start], &old[start + gone.len()..]].concat();
    let edit = TextEdit {
        start,
        old_end: start + gone.len(),
        new_end: start,
    };
    let mut parser = c().parser();
    let limit = ParseLimit::for_length(old.len());
    let tree = parser
        .parse(&old, None, limit)
        .expect("parsed")
        .edited(&old, edit, &new);
    let again = parser.parse(&new, Some(&tree), limit).expect("parsed");
    let kinds = |tree: &ParseTree| {
        let mut cursor = tree.walk();
        let mut kinds = Vec::new();
        loop {
            let node = cursor.node();
            kinds.push((node.kind_id(), node.range(), cursor.field(), cursor.depth()));
            if cursor.first_child() {
                continue;
            }
            while !cursor.next_sibling() {
                if !cursor.parent() {
                    return kinds;
                }
            }
        }
    };
    assert_eq!(kinds(&again), kinds(&parse(c(), &new)));
}

/// The bytes from the first to the last child of some parts.
fn span(node: &Derivable, parts: &[Part]) -> Range<usize> {
    let mut derivation = Derivation::default();
    derivation.parts.extend_from_slice(parts);
    let indices = indices(&derivation);
    node.ranges[indices[0] as usize].start..node.ranges[indices[indices.len() - 1] as usize].end
}

/// The bytes that go when the derivation's lists lose an element and its options what they have.
fn deletions(node: &Derivable, parts: &[Part], out: &mut Vec<Range<usize>>) {
    for part in parts {
        deletions(node, part.parts(), out);
        let Part::Group { shape, parts, .. } = part else {
            continue;
        };
        for at in 0..parts.len() {
            match shape {
                Shape::Opt => out.push(span(node, parts)),
                Shape::Star => out.push(span(node, &parts[at..=at])),
                Shape::Plus | Shape::Sep if parts.len() == 1 => {}
                // With the first element goes the separator behind it.
                Shape::Sep if at == 0 => {
                    let second = parts[1].parts().last().expect("an element");
                    let second = span(node, std::slice::from_ref(second));
                    out.push(span(node, &parts[..1]).start..second.start);
                }
                Shape::Plus | Shape::Sep => out.push(span(node, &parts[at..=at])),
            }
        }
    }
}

/// What is expected of each child, by index.
fn expectations(parts: &[Part]) -> Vec<(u32, lop::grammar::ExId)> {
    let mut all = Vec::new();
    let mut open: Vec<&Part> = parts.iter().collect();
    while let Some(part) = open.pop() {
        match part {
            Part::Child { index, expected } => all.push((*index, *expected)),
            other => open.extend(other.parts()),
        }
    }
    all
}

/// The point of it all: what the grammar allows to delete, and to replace by a piece of itself, leaves a text without faults.
#[test]
fn every_edit_that_the_grammar_allows_parses_again() {
    let mut edits = 0;
    for path in samples() {
        let language = language::by_path(&path).expect("a known language");
        let text = std::fs::read(&path).expect("readable");
        let text = language.mask(&text);
        let mut parser = language.parser();
        let mut check = |range: &Range<usize>, by: &[u8], what: &str| {
            // A blank only where one is needed: before the end of a directive it would be an error.
            let blanks = text[..range.start]
                .iter()
                .rev()
                .take_while(|&&b| b == b' ')
                .count();
            let mut edited = text[..range.start - blanks].to_vec();
            for piece in [by, &text[range.end..]] {
                if language.joins(&edited, piece) {
                    edited.push(b' ');
                }
                edited.extend_from_slice(piece);
            }
            let tree = parser
                .parse(&edited, None, ParseLimit::for_length(edited.len()))
                .expect("it ends");
            let old = String::from_utf8_lossy(&text[range.clone()]);
            assert_eq!(
                tree.faults(),
                0,
                "{what}: `{old}` -> `{}`",
                String::from_utf8_lossy(by)
            );
            edits += 1;
        };
        let nodes = nodes(language, &text);
        let grammar = language.grammar();
        let all: Vec<(Class, Range<usize>)> = nodes
            .iter()
            .flat_map(|node| node.children.iter().zip(&node.ranges))
            .filter_map(|(child, range)| Some((child.class?, range.clone())))
            .collect();
        for node in &nodes {
            let rule = grammar.rule_name(node.rule);
            let derivation = grammar
                .derive(node.rule, &node.children, node.trailing_gap)
                .expect("derived");
            let mut gone = Vec::new();
            deletions(node, &derivation.parts, &mut gone);
            gone.iter().for_each(|range| check(range, b"", rule));
            for (index, expected) in expectations(&derivation.parts) {
                let place = &node.ranges[index as usize];
                let inside = |range: &Range<usize>| {
                    place.start <= range.start && range.end <= place.end && range != place
                };
                for (_, piece) in all
                    .iter()
                    .filter(|(class, range)| inside(range) && grammar.fits(*class, expected))
                {
                    check(place, &text[piece.clone()], rule);
                }
            }
        }
    }
    println!("{edits} edits");
    assert!(edits > 500, "only {edits}");
}
