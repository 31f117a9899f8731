//! Trees of texts in a grammar in BNF, in the shape of tree-sitter's trees: nodes with ranges, comments among them.

use std::ops::Range;
use std::sync::Arc;

use super::lexer::BnfLexeme;
use crate::grammar::earley::{EarleyNode, EarleyTree};
use crate::grammar::marks::GrammarMarks;
use crate::grammar::{Grammar, NodeClass};

/// A node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct BnfNode {
    /// None for text that does not follow the grammar.
    pub class: Option<NodeClass>,
    pub kind: &'static str,
    pub named: bool,
    pub range: Range<usize>,
    pub extra: bool,
    pub depth: u32,
    /// The number of its children.
    pub children: u32,
    /// The nodes before this index are the node and all below it.
    end: usize,
    parent: usize,
}

/// A tree: nodes in the order in which they begin, parents first.
#[derive(Debug)]
pub(in super::super) struct BnfTree {
    pub nodes: Vec<BnfNode>,
    /// Whether the text does not follow the grammar: then all its tokens are below the root.
    pub faulty: bool,
    /// What the grammar says of names, in no order; nothing of a faulty tree.
    pub marked: Vec<MarkedRange>,
    /// The tree by the grammar as it is written, if it was given.
    pub(super) derivation: Option<Vec<EarleyNode>>,
}

/// A range of text that has a mark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct MarkedRange {
    pub range: Range<usize>,
    /// The mark, without its sign.
    pub mark: &'static str,
    /// The place of the mark in the grammar.
    pub number: usize,
    /// What one derivation of a rule marks belongs together.
    pub derivation: u32,
}

impl BnfTree {
    /// The tree of a text that follows the grammar.
    pub(super) fn from_parsed(
        grammar: &'static Grammar,
        lexemes: &[BnfLexeme],
        parsed: &EarleyTree,
        marks: &GrammarMarks,
    ) -> BnfTree {
        let mut build = BnfTreeBuilder::new(grammar, lexemes);
        for node in &parsed.nodes {
            let (first, last) = (node.tokens.0 as usize, node.tokens.1 as usize);
            if node.depth > 0 {
                build.add_comments(build.tokens[first], node.depth);
            }
            let range = build.range_of((first, last));
            build.add_node(Some(node.class), range, false, node.depth);
            if grammar.rule_of_class(node.class).is_none() {
                build.next = build.tokens[last - 1] + 1;
            }
        }
        build.add_comments(lexemes.len(), 1);
        let marked = parsed.marked.iter().map(|found| MarkedRange {
            range: build.range_of((found.tokens.0 as usize, found.tokens.1 as usize)),
            mark: marks.mark_name(found.mark),
            number: found.mark as usize,
            derivation: found.derivation,
        });
        let marked = marked.collect();
        BnfTree {
            marked,
            ..build.into_tree(false)
        }
    }

    /// The tree of a text that does not.
    pub(super) fn from_tokens(grammar: &'static Grammar, lexemes: &[BnfLexeme]) -> BnfTree {
        let mut build = BnfTreeBuilder::new(grammar, lexemes);
        build.add_node(None, 0..0, false, 0);
        for lexeme in lexemes {
            build.add_node(lexeme.class, lexeme.range.clone(), lexeme.comment, 1);
        }
        build.into_tree(true)
    }
}

struct BnfTreeBuilder<'a> {
    grammar: &'static Grammar,
    lexemes: &'a [BnfLexeme],
    /// The numbers of the tokens without comments.
    tokens: Vec<usize>,
    /// The first token that is not in the tree yet.
    next: usize,
    nodes: Vec<BnfNode>,
}

impl<'a> BnfTreeBuilder<'a> {
    fn new(grammar: &'static Grammar, lexemes: &'a [BnfLexeme]) -> BnfTreeBuilder<'a> {
        let tokens = (0..lexemes.len()).filter(|&at| !lexemes[at].comment);
        BnfTreeBuilder {
            grammar,
            lexemes,
            tokens: tokens.collect(),
            next: 0,
            nodes: Vec::new(),
        }
    }

    /// The text of these tokens, from the first to the one before the last.
    fn range_of(&self, (first, last): (usize, usize)) -> Range<usize> {
        match self.tokens.get(first..last) {
            Some([first, .., last]) => {
                self.lexemes[*first].range.start..self.lexemes[*last].range.end
            }
            Some([only]) => self.lexemes[*only].range.clone(),
            _ => 0..0,
        }
    }

    /// The comments before this place that are not in the tree yet.
    fn add_comments(&mut self, until: usize, depth: u32) {
        for at in self.next..until {
            let BnfLexeme { class, range, .. } = self.lexemes[at].clone();
            self.add_node(class, range, true, depth);
        }
        self.next = self.next.max(until);
    }

    fn add_node(&mut self, class: Option<NodeClass>, range: Range<usize>, extra: bool, depth: u32) {
        self.nodes.push(BnfNode {
            class,
            kind: class.map_or("ERROR", |class| self.grammar.class_name(class)),
            named: class.is_none_or(|class| self.grammar.is_named(class)),
            range,
            extra,
            depth,
            children: 0,
            end: 0,
            parent: 0,
        });
    }

    fn into_tree(mut self, faulty: bool) -> BnfTree {
        let all = self.nodes.len();
        let mut open: Vec<usize> = Vec::new();
        for at in 0..all {
            while open
                .last()
                .is_some_and(|&o| self.nodes[o].depth >= self.nodes[at].depth)
            {
                let closed = open.pop().unwrap_or_default();
                self.nodes[closed].end = at;
            }
            if let Some(&parent) = open.last() {
                self.nodes[at].parent = parent;
                self.nodes[parent].children += 1;
            }
            open.push(at);
        }
        for at in open {
            self.nodes[at].end = all;
        }
        // The root is all of the text that is not white space.
        let (first, last) = (self.lexemes.first(), self.lexemes.last());
        if let (Some(first), Some(last)) = (first, last) {
            self.nodes[0].range = first.range.start..last.range.end;
        }
        BnfTree {
            nodes: self.nodes,
            faulty,
            marked: Vec::new(),
            derivation: None,
        }
    }
}

/// A place in a tree.
#[derive(Clone)]
pub(in super::super) struct BnfCursor<'tree> {
    tree: &'tree BnfTree,
    at: usize,
}

impl<'tree> BnfCursor<'tree> {
    pub fn new(tree: &'tree Arc<BnfTree>) -> Self {
        BnfCursor { tree, at: 0 }
    }

    pub fn node(&self) -> &'tree BnfNode {
        &self.tree.nodes[self.at]
    }

    pub fn goto_first_child(&mut self) -> bool {
        let there = self.node().children > 0;
        self.at += usize::from(there);
        there
    }

    pub fn goto_next_sibling(&mut self) -> bool {
        let next = self.node().end;
        let there = self.at > 0 && next < self.tree.nodes[self.node().parent].end;
        if there {
            self.at = next;
        }
        there
    }

    pub fn goto_parent(&mut self) -> bool {
        let there = self.at > 0;
        self.at = self.node().parent;
        there
    }
}
