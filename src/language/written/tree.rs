//! Trees of texts in a grammar in BNF, in the shape of the parser's others: nodes with ranges, comments among them.

use std::ops::Range;
use std::sync::Arc;

use super::lexer::Lexeme;
use crate::grammar::earley::Parsed;
use crate::grammar::{Class, Grammar};

/// A node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Node {
    /// None for text that the grammar does not understand.
    pub class: Option<Class>,
    pub kind: &'static str,
    pub named: bool,
    pub range: Range<usize>,
    pub extra: bool,
    pub depth: u32,
    /// How many children it has.
    pub children: u32,
    /// The nodes up to here are it and what is below it.
    end: usize,
    parent: usize,
}

/// A tree: nodes in the order in which they begin, parents first.
#[derive(Debug)]
pub(in super::super) struct Tree {
    pub nodes: Vec<Node>,
    /// Whether nothing could be made of the text: then its tokens are all below the root.
    pub faulty: bool,
}

impl Tree {
    /// The tree of a text that was understood.
    pub(super) fn of(grammar: &'static Grammar, lexemes: &[Lexeme], parsed: &[Parsed]) -> Tree {
        let mut build = Build::new(grammar, lexemes);
        for node in parsed {
            let (first, last) = (node.tokens.0 as usize, node.tokens.1 as usize);
            if node.depth > 0 {
                build.comments(build.tokens[first], node.depth);
            }
            let range = match build.tokens.get(first..last) {
                Some([first, .., last]) => lexemes[*first].range.start..lexemes[*last].range.end,
                Some([only]) => lexemes[*only].range.clone(),
                _ => 0..0,
            };
            build.add(Some(node.class), range, false, node.depth);
            if grammar.rule(node.class).is_none() {
                build.next = build.tokens[first] + 1;
            }
        }
        build.comments(lexemes.len(), 1);
        build.finish(false)
    }

    /// The tree of a text that was not.
    pub(super) fn of_tokens(grammar: &'static Grammar, lexemes: &[Lexeme]) -> Tree {
        let mut build = Build::new(grammar, lexemes);
        build.add(None, 0..0, false, 0);
        for lexeme in lexemes {
            build.add(lexeme.class, lexeme.range.clone(), lexeme.comment, 1);
        }
        build.finish(true)
    }
}

struct Build<'a> {
    grammar: &'static Grammar,
    lexemes: &'a [Lexeme],
    /// The numbers of those that are no comments.
    tokens: Vec<usize>,
    /// The first that is not in the tree yet.
    next: usize,
    nodes: Vec<Node>,
}

impl<'a> Build<'a> {
    fn new(grammar: &'static Grammar, lexemes: &'a [Lexeme]) -> Build<'a> {
        let tokens = (0..lexemes.len()).filter(|&at| !lexemes[at].comment);
        Build {
            grammar,
            lexemes,
            tokens: tokens.collect(),
            next: 0,
            nodes: Vec::new(),
        }
    }

    /// The comments before this place that are not in the tree yet.
    fn comments(&mut self, until: usize, depth: u32) {
        for at in self.next..until {
            let Lexeme { class, range, .. } = self.lexemes[at].clone();
            self.add(class, range, true, depth);
        }
        self.next = self.next.max(until);
    }

    fn add(&mut self, class: Option<Class>, range: Range<usize>, extra: bool, depth: u32) {
        self.nodes.push(Node {
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

    fn finish(mut self, faulty: bool) -> Tree {
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
        Tree {
            nodes: self.nodes,
            faulty,
        }
    }
}

/// A place in a tree.
#[derive(Clone)]
pub(in super::super) struct Cursor<'tree> {
    tree: &'tree Tree,
    at: usize,
}

impl<'tree> Cursor<'tree> {
    pub fn new(tree: &'tree Arc<Tree>) -> Self {
        Cursor { tree, at: 0 }
    }

    pub fn node(&self) -> &'tree Node {
        &self.tree.nodes[self.at]
    }

    pub fn first_child(&mut self) -> bool {
        let there = self.node().children > 0;
        self.at += usize::from(there);
        there
    }

    pub fn next_sibling(&mut self) -> bool {
        let next = self.node().end;
        let there = self.at > 0 && next < self.tree.nodes[self.node().parent].end;
        if there {
            self.at = next;
        }
        there
    }

    pub fn parent(&mut self) -> bool {
        let there = self.at > 0;
        self.at = self.node().parent;
        there
    }
}
