//! Without one part that the grammar lets go, and with one node replaced by a descendant.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::source::{Candidate, Source, shown};
use super::tree::{Node, nodes};
use crate::grammar::{Child, Derivation, ExId, Part, Shape};
use crate::language::Language;

/// How many levels below a node its replacements are looked for (Perses, §5).
const LEVELS: u32 = 4;

/// All of them, in document order, each made when it is asked for. A file of an unknown language has its lines for parts.
pub(super) fn candidates(source: &Source) -> Box<dyn Iterator<Item = (Candidate, Arc<[u8]>)> + '_> {
    let Some((language, tree)) = source.language.zip(source.tree.as_ref()) else {
        return Box::new(lines(source));
    };
    let nodes = nodes(source, language, tree);
    let derivations: Vec<_> = nodes
        .iter()
        .map(|node| derivation(language, &nodes, node))
        .collect();
    let mut finder = Finder {
        language,
        nodes: &nodes,
        derivations: &derivations,
        found: Vec::new(),
    };
    (0..nodes.len()).for_each(|node| finder.inside(node));
    Box::new(finder.found.into_iter().map(|step| step.of(source)))
}

fn lines(source: &Source) -> impl Iterator<Item = (Candidate, Arc<[u8]>)> + '_ {
    let mut at = 0;
    let lines = source.text.split_inclusive(|&byte| byte == b'\n');
    lines.filter_map(move |line| {
        let range = at..at + line.len();
        at = range.end;
        let blank = line.iter().all(u8::is_ascii_whitespace);
        (!blank).then(|| source.with(range, &[], format!("the line {} can go", shown(line))))
    })
}

/// What goes, and what of it stays in its place: nothing, or a node inside.
struct Step {
    range: Range<usize>,
    stays: Range<usize>,
}

impl Step {
    fn of(self, source: &Source) -> (Candidate, Arc<[u8]>) {
        let Step { range, stays } = self;
        let what = shown(&source.text[range.clone()]);
        let told = match stays.is_empty() {
            true => format!("{what} can go"),
            false => format!("{what} can be {}", shown(&source.text[stays.clone()])),
        };
        let new = source.moved(stays, range.start);
        source.with(range, &new, told)
    }
}

/// How the children of a node follow from its rule.
fn derivation(language: &'static Language, nodes: &[Node], node: &Node) -> Option<Derivation> {
    let grammar = language.grammar();
    let rule = grammar.rule(node.class?)?;
    let child = |&child: &usize| Child {
        class: nodes[child].class,
        gap: nodes[child].gap,
    };
    let children: Vec<Child> = node.children.iter().map(child).collect();
    grammar.derive(rule, &children, node.trailing_gap)
}

struct Finder<'a> {
    language: &'static Language,
    nodes: &'a [Node],
    /// For each node.
    derivations: &'a [Option<Derivation>],
    found: Vec<Step>,
}

impl Finder<'_> {
    /// What may become of the children of a node, by the derivation of them from the node's rule.
    fn inside(&mut self, node: usize) {
        let (nodes, derivations) = (self.nodes, self.derivations);
        let derivation = &derivations[node];
        let node = &nodes[node];
        if node.children.is_empty() {
            return;
        }
        let Some(derivation) = derivation else {
            // What the grammar does not explain: any child may be tried.
            for &child in &node.children {
                self.delete(nodes[child].range.clone());
            }
            return;
        };
        // The lists of the node itself may have to keep an element that the parser would do without.
        let nonempty = node
            .class
            .is_some_and(|class| self.language.is_nonempty(class));
        let inner = |part| (part, false);
        let mut stack: Vec<(&Part, bool)> = derivation
            .parts
            .iter()
            .rev()
            .map(|part| (part, nonempty))
            .collect();
        while let Some((part, keeps_one)) = stack.pop() {
            match part {
                Part::Child { index, expected } => {
                    let child = node.children[*index as usize];
                    self.replace(&[child], nodes[child].range.clone(), *expected);
                }
                Part::Item {
                    expected, parts, ..
                } => {
                    let own = &node.children[span(part)];
                    self.replace(own, self.bytes(own), *expected);
                    stack.extend(parts.iter().rev().map(inner));
                }
                Part::Group { shape, parts, .. } => {
                    let shape = match shape {
                        Shape::Star if keeps_one => Shape::Plus,
                        shape => *shape,
                    };
                    self.group(shape, part, parts, &node.children);
                    stack.extend(parts.iter().rev().map(inner));
                }
            }
        }
    }

    /// What the grammar lets go of a list or an optional part.
    fn group(&mut self, shape: Shape, group: &Part, parts: &[Part], children: &[usize]) {
        let bytes = |part: &Part| self.bytes(&children[span(part)]);
        let ranges: Vec<Range<usize>> = match shape {
            Shape::Opt => vec![bytes(group)],
            Shape::Plus | Shape::Sep if parts.len() < 2 => Vec::new(),
            Shape::Star | Shape::Plus => parts.iter().map(bytes).collect(),
            Shape::Sep => {
                // The first goes with the separator behind it, every other with the one before it.
                let element = |part: &Part| match part {
                    Part::Item { parts, .. } => parts.last().map(&bytes),
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
        ranges.into_iter().for_each(|range| self.delete(range));
    }

    fn delete(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            let stays = range.start..range.start;
            self.found.push(Step { range, stays });
        }
    }

    /// The nodes `from`, which fill `range`, replaced by what is in them and fits.
    fn replace(&mut self, from: &[usize], range: Range<usize>, expected: ExId) {
        let grammar = self.language.grammar();
        // A single node is no replacement of itself.
        let first = u32::from(from.len() > 1);
        let mut queue: VecDeque<(usize, u32)> = from.iter().map(|&node| (node, first)).collect();
        while let Some((at, level)) = queue.pop_front() {
            let node = &self.nodes[at];
            let fits = node
                .class
                .is_some_and(|class| grammar.fits(class, expected));
            let whole = (level > 0 && fits).then(|| node.range.clone());
            let groups = self.groups(at, expected);
            for stays in whole.into_iter().chain(groups) {
                if stays.len() < range.len() && !stays.is_empty() {
                    let range = range.clone();
                    self.found.push(Step { range, stays });
                }
            }
            if level < LEVELS {
                queue.extend(node.children.iter().map(|&child| (child, level + 1)));
            }
        }
    }

    /// The lists and groups of a node's children that may stand where `expected` is expected.
    fn groups(&self, node: usize, expected: ExId) -> Vec<Range<usize>> {
        let grammar = self.language.grammar();
        let children = &self.nodes[node].children;
        let derivation = self.derivations[node].as_ref();
        let mut stack: Vec<&Part> = derivation.iter().flat_map(|whole| &whole.parts).collect();
        let mut found = Vec::new();
        while let Some(part) = stack.pop() {
            let is_group = !matches!(part, Part::Child { .. });
            if is_group && grammar.chooses(expected, part.expected()) {
                found.push(self.bytes(&children[span(part)]));
            }
            stack.extend(part.parts());
        }
        found
    }

    /// The bytes from the first to the last of these nodes.
    fn bytes(&self, nodes: &[usize]) -> Range<usize> {
        match nodes {
            [] => 0..0,
            [first, .., last] => self.nodes[*first].range.start..self.nodes[*last].range.end,
            [only] => self.nodes[*only].range.clone(),
        }
    }
}

/// Which children a part covers. Parts nest as deep as a rule's expression does, not as deep as the program.
fn span(part: &Part) -> Range<usize> {
    let end = |mut part: &Part, last: bool| loop {
        match part {
            Part::Child { index, .. } => return Some(*index as usize),
            _ if last => part = part.parts().last()?,
            _ => part = part.parts().first()?,
        }
    };
    match end(part, false).zip(end(part, true)) {
        Some((first, last)) => first..last + 1,
        None => 0..0,
    }
}
