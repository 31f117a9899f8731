//! The edits that the grammar allows, checked with the parser.

use std::ops::Range;

use lop::grammar::{Derivation, DerivationPart, ExprId, NodeClass, QuantifierKind};
use lop::language;
use lop::language::parser::ParseLimit;

use crate::grammar::text_nodes::{Derivable, indices, nodes, samples};

/// The bytes from the first to the last child of some parts.
fn span(node: &Derivable, parts: &[DerivationPart]) -> Range<usize> {
    let mut derivation = Derivation::default();
    derivation.parts.extend_from_slice(parts);
    let indices = indices(&derivation);
    node.ranges[indices[0] as usize].start..node.ranges[indices[indices.len() - 1] as usize].end
}

/// The bytes that go when the derivation's lists lose an element and its options what they have.
fn deletions(node: &Derivable, parts: &[DerivationPart], out: &mut Vec<Range<usize>>) {
    for part in parts {
        deletions(node, part.parts(), out);
        let DerivationPart::Group { shape, parts, .. } = part else {
            continue;
        };
        for at in 0..parts.len() {
            match shape {
                QuantifierKind::Opt => out.push(span(node, parts)),
                QuantifierKind::Star => out.push(span(node, &parts[at..=at])),
                QuantifierKind::Plus | QuantifierKind::Sep if parts.len() == 1 => {}
                // With the first element goes the separator behind it.
                QuantifierKind::Sep if at == 0 => {
                    let second = parts[1].parts().last().expect("an element");
                    let second = span(node, std::slice::from_ref(second));
                    out.push(span(node, &parts[..1]).start..second.start);
                }
                QuantifierKind::Plus | QuantifierKind::Sep => out.push(span(node, &parts[at..=at])),
            }
        }
    }
}

/// What is expected of each child, by index.
fn expectations(parts: &[DerivationPart]) -> Vec<(u32, ExprId)> {
    let mut all = Vec::new();
    let mut open: Vec<&DerivationPart> = parts.iter().collect();
    while let Some(part) = open.pop() {
        match part {
            DerivationPart::Child { index, expected } => all.push((*index, *expected)),
            other => open.extend(other.parts()),
        }
    }
    all
}

/// The point of it all: what the grammar allows to delete, and to replace by a piece of itself, leaves a text without faults.
#[test]
#[ignore = "long"]
fn every_edit_that_the_grammar_allows_parses_again() {
    let (mut edits, mut faulty) = (0, Vec::new());
    for path in samples() {
        let language = language::by_path(&path).expect("a known language");
        let text = std::fs::read(&path).expect("readable");
        let text = language.mask_text(&text);
        let mut parser = language.new_parser();
        let mut check = |range: &Range<usize>, by: &[u8], what: &str| {
            // A blank only where one is needed: before the end of a directive it would be an error.
            let blanks = text[..range.start]
                .iter()
                .rev()
                .take_while(|&&b| b == b' ')
                .count();
            let mut edited = text[..range.start - blanks].to_vec();
            for piece in [by, &text[range.end..]] {
                if language.needs_separator(&edited, piece) {
                    edited.push(b' ');
                }
                edited.extend_from_slice(piece);
            }
            let tree = parser
                .parse(&edited, None, ParseLimit::for_length(edited.len()))
                .expect("it ends");
            let old = String::from_utf8_lossy(&text[range.clone()]);
            edits += 1;
            if tree.count_faults() > 0 {
                faulty.push(format!(
                    "{what}: `{old}` -> `{}`",
                    String::from_utf8_lossy(by)
                ));
            }
        };
        let nodes = nodes(language, &text);
        let grammar = language.grammar();
        let all: Vec<(NodeClass, Range<usize>)> = nodes
            .iter()
            .flat_map(|node| node.children.iter().zip(&node.ranges))
            .filter_map(|(child, range)| Some((child.class?, range.clone())))
            .collect();
        for node in &nodes {
            let rule = grammar.rule_name(node.rule);
            let derivation = grammar
                .derive_children(node.rule, &node.children, node.trailing_gap)
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
                    .filter(|(class, range)| inside(range) && grammar.class_fits(*class, expected))
                {
                    check(place, &text[piece.clone()], rule);
                }
            }
        }
    }
    println!("{edits} edits, {} faulty", faulty.len());
    assert!(edits > 500, "only {edits}");
    // Where the parser prefers one of two readings, the grammar cannot say so: a `case` outside of its `switch` takes what follows.
    assert!(faulty.len() * 100 < edits, "{faulty:#?}");
}
