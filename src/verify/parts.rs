//! Candidates without one part that the grammar can omit, or with one node replaced by a descendant.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::source::{CheckedFile, MinimalityCandidate, format_snippet};
use super::tree::{SourceNode, collect_nodes};
use crate::grammar::{Derivation, DerivationPart, ExprId, GrammarChild, QuantifierKind};
use crate::language::Language;

/// The number of levels below a node that are searched for replacements (Perses, §5).
const LEVELS: u32 = 4;

/// An iterator over all candidates, in document order. The parts of a file without a language are its lines.
pub(super) fn part_candidates(
    source: &CheckedFile,
) -> Box<dyn Iterator<Item = (MinimalityCandidate, Arc<[u8]>)> + '_> {
    let Some((language, tree)) = source.language.zip(source.tree.as_ref()) else {
        return Box::new(line_candidates(source));
    };
    let nodes = collect_nodes(source, language, tree);
    let derivations: Vec<_> = nodes
        .iter()
        .map(|node| derive_node(language, &nodes, node))
        .collect();
    let mut finder = PartFinder {
        language,
        nodes: &nodes,
        derivations: &derivations,
        found: Vec::new(),
    };
    for hidden in language.hidden_ranges(&source.text) {
        finder.push_deletion(hidden);
    }
    (0..nodes.len()).for_each(|node| finder.visit_node(node));
    Box::new(
        finder
            .found
            .into_iter()
            .map(|step| step.into_candidate(source)),
    )
}

fn line_candidates(
    source: &CheckedFile,
) -> impl Iterator<Item = (MinimalityCandidate, Arc<[u8]>)> + '_ {
    let mut at = 0;
    let lines = source.text.split_inclusive(|&byte| byte == b'\n');
    lines.filter_map(move |line| {
        let range = at..at + line.len();
        at = range.end;
        let blank = line.iter().all(u8::is_ascii_whitespace);
        (!blank).then(|| {
            source.replace_range(
                range,
                &[],
                format!("the line {} can go", format_snippet(line)),
            )
        })
    })
}

/// The bytes to remove, and what stays in their place: nothing, or a node inside.
struct PartReduction {
    range: Range<usize>,
    stays: Range<usize>,
}

impl PartReduction {
    fn into_candidate(self, source: &CheckedFile) -> (MinimalityCandidate, Arc<[u8]>) {
        let PartReduction { range, stays } = self;
        let what = format_snippet(&source.text[range.clone()]);
        let step = match stays.is_empty() {
            true => format!("{what} can go"),
            false => format!(
                "{what} can be {}",
                format_snippet(&source.text[stays.clone()])
            ),
        };
        let new = source.reindent_range(stays, range.start);
        source.replace_range(range, &new, step)
    }
}

/// The derivations of children from the rules of their nodes.
fn derive_node(
    language: &'static Language,
    nodes: &[SourceNode],
    node: &SourceNode,
) -> Option<Derivation> {
    let grammar = language.grammar();
    let rule = grammar.rule_of_class(node.class?)?;
    let child = |&child: &usize| GrammarChild {
        class: nodes[child].class,
        gap: nodes[child].gap,
    };
    let children: Vec<GrammarChild> = node.children.iter().map(child).collect();
    let derivation = grammar.derive_children(rule, &children, node.trailing_gap)?;
    // What the parser has skipped beside an element of a list leaves the rest of the node as it is.
    let beside = |&(place, _): &(usize, usize)| is_element_end(&derivation.parts, place);
    node.errors.iter().all(beside).then_some(derivation)
}

/// Whether an element of a list begins or ends behind this many children.
fn is_element_end(parts: &[DerivationPart], place: usize) -> bool {
    let ends_here = |part: &DerivationPart| {
        let span = child_span(part);
        span.start < span.end && (span.start == place || span.end == place)
    };
    parts.iter().any(|part| {
        let is_list = matches!(
            part,
            DerivationPart::Group {
                shape: QuantifierKind::Star | QuantifierKind::Plus,
                ..
            }
        );
        is_list && part.parts().iter().any(ends_here) || is_element_end(part.parts(), place)
    })
}

struct PartFinder<'a> {
    language: &'static Language,
    nodes: &'a [SourceNode],
    /// For each node.
    derivations: &'a [Option<Derivation>],
    found: Vec<PartReduction>,
}

impl PartFinder<'_> {
    /// The steps that the children of a node allow, by their derivation from the node's rule.
    fn visit_node(&mut self, node: usize) {
        let (nodes, derivations) = (self.nodes, self.derivations);
        let derivation = &derivations[node];
        let node = &nodes[node];
        for &(_, error) in &node.errors {
            self.push_deletion(nodes[error].range.clone());
        }
        let Some(derivation) = derivation else {
            // Without a derivation, any child may be removed.
            for &child in &node.children {
                self.push_deletion(nodes[child].range.clone());
            }
            return;
        };
        // The node's own lists may have to keep an element that the parser does not need.
        let nonempty = node
            .class
            .is_some_and(|class| self.language.is_nonempty(class));
        let inner = |part| (part, false);
        let mut stack: Vec<(&DerivationPart, bool)> = derivation
            .parts
            .iter()
            .rev()
            .map(|part| (part, nonempty))
            .collect();
        while let Some((part, keeps_one)) = stack.pop() {
            match part {
                DerivationPart::Child { index, expected } => {
                    let child = node.children[*index as usize];
                    self.push_replacements(&[child], nodes[child].range.clone(), *expected);
                }
                DerivationPart::Item {
                    expected, parts, ..
                } => {
                    let own = &node.children[child_span(part)];
                    self.push_replacements(own, self.byte_span(own), *expected);
                    stack.extend(parts.iter().rev().map(inner));
                }
                DerivationPart::Group { shape, parts, .. } => {
                    let shape = match shape {
                        QuantifierKind::Star if keeps_one => QuantifierKind::Plus,
                        shape => *shape,
                    };
                    self.visit_group(shape, part, parts, &node.children);
                    stack.extend(parts.iter().rev().map(inner));
                }
            }
        }
    }

    /// The elements of a list, or the optional part, that the grammar allows to remove.
    fn visit_group(
        &mut self,
        shape: QuantifierKind,
        group: &DerivationPart,
        parts: &[DerivationPart],
        children: &[usize],
    ) {
        let bytes = |part: &DerivationPart| self.byte_span(&children[child_span(part)]);
        let ranges: Vec<Range<usize>> = match shape {
            QuantifierKind::Opt => vec![bytes(group)],
            QuantifierKind::Plus | QuantifierKind::Sep if parts.len() < 2 => Vec::new(),
            QuantifierKind::Star | QuantifierKind::Plus => parts.iter().map(bytes).collect(),
            QuantifierKind::Sep => {
                // The first element goes with the separator behind it, every other with the one before it.
                let element = |part: &DerivationPart| match part {
                    DerivationPart::Item { parts, .. } => parts.last().map(&bytes),
                    part => Some(bytes(part)),
                };
                let first = bytes(&parts[0]).start;
                let second = element(&parts[1]).map_or(first, |element| element.start);
                let others = parts
                    .windows(2)
                    .map(|pair| bytes(&pair[0]).end..bytes(&pair[1]).end);
                std::iter::once(first..second).chain(others).collect()
            }
        };
        ranges
            .into_iter()
            .for_each(|range| self.push_deletion(range));
    }

    fn push_deletion(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            let stays = range.start..range.start;
            self.found.push(PartReduction { range, stays });
        }
    }

    /// Replacements of the nodes `from`, which fill `range`, by descendants that fit.
    fn push_replacements(&mut self, from: &[usize], range: Range<usize>, expected: ExprId) {
        let grammar = self.language.grammar();
        // A single node is not a replacement of itself.
        let first = u32::from(from.len() > 1);
        let mut queue: VecDeque<(usize, u32)> = from.iter().map(|&node| (node, first)).collect();
        while let Some((at, level)) = queue.pop_front() {
            let node = &self.nodes[at];
            let fits = node
                .class
                .is_some_and(|class| grammar.class_fits(class, expected));
            let whole = (level > 0 && fits).then(|| node.range.clone());
            let groups = self.fitting_groups(at, expected);
            for stays in whole.into_iter().chain(groups) {
                if stays.len() < range.len() && !stays.is_empty() {
                    let range = range.clone();
                    self.found.push(PartReduction { range, stays });
                }
            }
            if level < LEVELS {
                let errors = node.errors.iter().map(|(_, error)| error);
                let below = node.children.iter().chain(errors);
                queue.extend(below.map(|&child| (child, level + 1)));
            }
        }
    }

    /// The lists and groups of a node's children that match `expected`.
    fn fitting_groups(&self, node: usize, expected: ExprId) -> Vec<Range<usize>> {
        let grammar = self.language.grammar();
        let children = &self.nodes[node].children;
        let derivation = self.derivations[node].as_ref();
        let mut stack: Vec<&DerivationPart> =
            derivation.iter().flat_map(|whole| &whole.parts).collect();
        let mut found = Vec::new();
        while let Some(part) = stack.pop() {
            let is_group = !matches!(part, DerivationPart::Child { .. });
            if is_group && grammar.covers_expr(expected, part.expected()) {
                found.push(self.byte_span(&children[child_span(part)]));
            }
            stack.extend(part.parts());
        }
        found
    }

    /// The bytes from the first to the last of these nodes.
    fn byte_span(&self, nodes: &[usize]) -> Range<usize> {
        match nodes {
            [] => 0..0,
            [first, .., last] => self.nodes[*first].range.start..self.nodes[*last].range.end,
            [only] => self.nodes[*only].range.clone(),
        }
    }
}

/// Which children a part covers. Parts nest as deep as a rule's expression does, not as deep as the program.
fn child_span(part: &DerivationPart) -> Range<usize> {
    let end = |mut part: &DerivationPart, last: bool| loop {
        match part {
            DerivationPart::Child { index, .. } => return Some(*index as usize),
            _ if last => part = part.parts().last()?,
            _ => part = part.parts().first()?,
        }
    };
    match end(part, false).zip(end(part, true)) {
        Some((first, last)) => first..last + 1,
        None => 0..0,
    }
}
