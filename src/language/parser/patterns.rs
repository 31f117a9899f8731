//! Reading a query as plain patterns, which are matched by walking the tree (`pattern_match.rs`).
//!
//! tree-sitter analyses a query against all states of the parser when it compiles it, whatever the query says: 40 to 200 ms for a large
//! grammar. Of the queries for names it needs none of that. They are written in a part of the query language: nodes by kind or supertype,
//! `(_)`, anonymous nodes, fields and missing fields, alternatives, anchors, captures, and `#match?`. A query that uses more is not read
//! here; tree-sitter compiles it.

use regex::bytes::Regex;
use smallvec::SmallVec;
use tree_sitter::Language;

/// Patterns of nodes, in the order of the query.
pub(super) struct PatternSet {
    /// The names of the captures.
    pub names: Vec<&'static str>,
    /// The patterns.
    pub patterns: Vec<TreePattern>,
    /// The patterns whose root has the kind of this index.
    pub by_kind: Vec<SmallVec<[usize; 4]>>,
    /// The patterns whose root may have any kind.
    pub of_any_kind: Vec<usize>,
    /// The patterns that are about one child of any node, by the kind of that child.
    pub by_child_kind: Vec<SmallVec<[usize; 4]>>,
}

/// A pattern of a query.
pub(super) struct TreePattern {
    /// What the pattern matches.
    pub root: NodePattern,
    /// A capture whose text the expression must match.
    pub condition: Option<(usize, Regex)>,
}

/// A node as a pattern says it.
pub(super) struct NodePattern {
    pub test: NodeTest,
    /// The fields that it must not have.
    pub absent_fields: SmallVec<[u16; 1]>,
    /// The numbers of its captures.
    pub captures: SmallVec<[usize; 2]>,
    /// Some of its children, in their order.
    pub children: Vec<ChildPattern>,
}

/// What kind a node has.
pub(super) enum NodeTest {
    Kind(u16),
    /// One of the kinds of a supertype.
    OneOf(Vec<u16>),
    /// Any named node that is no error.
    Named,
    /// Any node that is no error.
    Any,
}

/// A child as a pattern says it.
pub(super) struct ChildPattern {
    /// The field that it is.
    pub field: Option<u16>,
    /// It matches one of these.
    pub alternatives: SmallVec<[NodePattern; 1]>,
    /// Whether no named node lies between the child before and this one, or before this one if it is the first.
    pub is_next: bool,
    /// Whether no named node follows it.
    pub is_last: bool,
    /// Whether the first child that matches is enough: nothing in it is captured, and no anchor follows.
    pub is_first_enough: bool,
}

impl PatternSet {
    /// Reads a query. None if it uses more of the query language than there is here, or is no query for this language.
    pub(super) fn from_query(language: &Language, text: &str) -> Option<PatternSet> {
        let mut reader = PatternReader {
            language,
            tokens: split_tokens(text)?,
            at: 0,
            names: Vec::new(),
        };
        let mut patterns = Vec::new();
        while reader.peek().is_some() {
            patterns.push(reader.read_pattern()?);
        }
        let mut by_kind = vec![SmallVec::new(); language.node_kind_count()];
        let mut by_child_kind = by_kind.clone();
        let mut of_any_kind = Vec::new();
        for (number, pattern) in patterns.iter().enumerate() {
            let of_children = pattern.root.only_child().and_then(child_kinds);
            let (by_kind, kinds) = match (root_kinds(&pattern.root), of_children) {
                (Some(kinds), _) => (&mut by_kind, kinds),
                (None, Some(kinds)) => (&mut by_child_kind, kinds),
                (None, None) => {
                    of_any_kind.push(number);
                    continue;
                }
            };
            kinds
                .iter()
                .for_each(|kind| by_kind[*kind as usize].push(number));
        }
        // A query lives as long as its language, which is forever.
        let names = reader.names.into_iter().map(|name| &*name.leak()).collect();
        Some(PatternSet {
            names,
            patterns,
            by_kind,
            of_any_kind,
            by_child_kind,
        })
    }
}

/// The kinds that a node may have; none if it may have any.
fn root_kinds(node: &NodePattern) -> Option<SmallVec<[u16; 4]>> {
    match &node.test {
        NodeTest::Kind(kind) => Some(SmallVec::from_slice(&[*kind])),
        NodeTest::OneOf(kinds) => Some(SmallVec::from_slice(kinds)),
        NodeTest::Named | NodeTest::Any => None,
    }
}

/// The same of a child, each once.
fn child_kinds(child: &ChildPattern) -> Option<SmallVec<[u16; 4]>> {
    let kinds = child.alternatives.iter().map(root_kinds);
    let kinds = kinds.collect::<Option<Vec<_>>>()?;
    let mut kinds: SmallVec<[u16; 4]> = kinds.into_iter().flatten().collect();
    kinds.sort_unstable();
    kinds.dedup();
    Some(kinds)
}

/// A word of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PatternToken<'a> {
    /// A bracket, a dot or an exclamation mark.
    Sign(u8),
    /// The name of a node or field, or `_`.
    Word(&'a str),
    /// The same with the colon of a field behind it.
    Field(&'a str),
    Capture(&'a str),
    Predicate(&'a str),
    /// A text in quotes.
    Text(&'a str),
}

/// The words of a query; none if there is another sign in it.
fn split_tokens(text: &str) -> Option<Vec<PatternToken<'_>>> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '?' | '!');
    let (mut rest, mut tokens) = (text.trim_start(), Vec::new());
    while let Some(first) = rest.chars().next() {
        let word_end = |from: &str| from.find(|c| !is_part(c)).unwrap_or(from.len());
        let (token, length) = match first {
            ';' => {
                rest = rest
                    .split_once('\n')
                    .map_or("", |(_, rest)| rest)
                    .trim_start();
                continue;
            }
            '(' | ')' | '[' | ']' | '.' | '!' => (PatternToken::Sign(first as u8), 1),
            '@' | '#' => {
                let end = 1 + word_end(&rest[1..]);
                let word = &rest[1..end];
                match first {
                    '@' => (PatternToken::Capture(word), end),
                    _ => (PatternToken::Predicate(word), end),
                }
            }
            '"' => {
                let end = 1 + rest[1..].find('"')?;
                let inner = &rest[1..end];
                if inner.contains('\\') {
                    return None;
                }
                (PatternToken::Text(inner), end + 1)
            }
            _ if first.is_alphabetic() || first == '_' => {
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
                let end = end.unwrap_or(rest.len());
                match rest[end..].starts_with(':') {
                    true => (PatternToken::Field(&rest[..end]), end + 1),
                    false => (PatternToken::Word(&rest[..end]), end),
                }
            }
            _ => return None,
        };
        tokens.push(token);
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

/// Reads patterns from the words of a query. Everything that is not understood is none.
struct PatternReader<'a> {
    language: &'a Language,
    tokens: Vec<PatternToken<'a>>,
    at: usize,
    names: Vec<String>,
}

impl<'a> PatternReader<'a> {
    fn peek(&self) -> Option<PatternToken<'a>> {
        self.tokens.get(self.at).copied()
    }

    fn next(&mut self) -> Option<PatternToken<'a>> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    /// Whether this token is next; passes it.
    fn take(&mut self, token: PatternToken<'_>) -> bool {
        let is_next = self.peek() == Some(token);
        self.at += usize::from(is_next);
        is_next
    }

    /// A node, or a node and a condition in parentheses.
    fn read_pattern(&mut self) -> Option<TreePattern> {
        let is_group = matches!(
            self.tokens.get(self.at..self.at + 2)?,
            [PatternToken::Sign(b'('), PatternToken::Sign(b'(')]
        );
        if !is_group {
            let root = self.read_node()?;
            return Some(TreePattern {
                root,
                condition: None,
            });
        }
        self.at += 1;
        let root = self.read_node()?;
        let condition = match (self.next()?, self.next()?, self.next()?, self.next()?) {
            (
                PatternToken::Sign(b'('),
                PatternToken::Predicate("match?"),
                PatternToken::Capture(name),
                PatternToken::Text(expression),
            ) => (self.capture_number(name), Regex::new(expression).ok()?),
            _ => return None,
        };
        let closed = self.take(PatternToken::Sign(b')')) && self.take(PatternToken::Sign(b')'));
        closed.then_some(TreePattern {
            root,
            condition: Some(condition),
        })
    }

    /// A node in parentheses, an anonymous node, or `_`, with its captures.
    fn read_node(&mut self) -> Option<NodePattern> {
        let mut node = match self.next()? {
            PatternToken::Text(text) => NodePattern::new(self.find_kind(text, false)?),
            PatternToken::Word("_") => NodePattern::new(NodeTest::Any),
            PatternToken::Sign(b'(') => self.read_inside()?,
            _ => return None,
        };
        node.captures = self.read_captures();
        Some(node)
    }

    /// A node after its opening parenthesis, to the closing one.
    fn read_inside(&mut self) -> Option<NodePattern> {
        let mut node = match self.next()? {
            PatternToken::Word("_") => NodePattern::new(NodeTest::Named),
            PatternToken::Word(kind) => NodePattern::new(self.find_kind(kind, true)?),
            _ => return None,
        };
        let mut is_next = false;
        loop {
            match self.peek()? {
                PatternToken::Sign(b')') => {
                    self.at += 1;
                    match node.children.last_mut() {
                        Some(last) => last.is_last = is_next,
                        None if is_next => return None,
                        None => {}
                    }
                    node.mark_where_first_is_enough();
                    return Some(node);
                }
                PatternToken::Sign(b'.') if !is_next => {
                    self.at += 1;
                    is_next = true;
                }
                PatternToken::Sign(b'!') => {
                    self.at += 1;
                    let PatternToken::Word(field) = self.next()? else {
                        return None;
                    };
                    node.absent_fields.push(self.find_field(field)?);
                }
                _ => {
                    let child = self.read_child(is_next)?;
                    node.children.push(child);
                    is_next = false;
                }
            }
        }
    }

    /// A child: a field if it has one, and a node or several in square brackets.
    fn read_child(&mut self, is_next: bool) -> Option<ChildPattern> {
        let field = match self.peek()? {
            PatternToken::Field(name) => {
                self.at += 1;
                Some(self.find_field(name)?)
            }
            _ => None,
        };
        let mut alternatives = SmallVec::new();
        if self.take(PatternToken::Sign(b'[')) {
            while !self.take(PatternToken::Sign(b']')) {
                alternatives.push(self.read_node()?);
            }
            let captures = self.read_captures();
            alternatives
                .iter_mut()
                .for_each(|node: &mut NodePattern| node.captures.extend(captures.iter().copied()));
        } else {
            alternatives.push(self.read_node()?);
        }
        // Before an anchor, tree-sitter treats `_` as no other node.
        let is_bare = |node: &NodePattern| matches!(node.test, NodeTest::Any);
        let anchored = self.peek() == Some(PatternToken::Sign(b'.'));
        let child = ChildPattern {
            field,
            alternatives,
            is_next,
            is_last: false,
            is_first_enough: false,
        };
        (!(anchored && child.alternatives.iter().any(is_bare))).then_some(child)
    }

    fn read_captures(&mut self) -> SmallVec<[usize; 2]> {
        let mut captures = SmallVec::new();
        while let Some(PatternToken::Capture(name)) = self.peek() {
            self.at += 1;
            captures.push(self.capture_number(name));
        }
        captures
    }

    fn capture_number(&mut self, name: &str) -> usize {
        let known = self.names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    fn find_field(&self, name: &str) -> Option<u16> {
        self.language.field_id_for_name(name).map(u16::from)
    }

    fn find_kind(&self, name: &str, named: bool) -> Option<NodeTest> {
        match self.language.id_for_node_kind(name, named) {
            0 => None,
            kind if self.language.node_kind_is_supertype(kind) => {
                let mut kinds = Vec::new();
                self.add_subtypes(kind, &mut kinds);
                Some(NodeTest::OneOf(kinds))
            }
            kind => Some(NodeTest::Kind(kind)),
        }
    }

    /// The kinds of a supertype, and those of the supertypes among them.
    fn add_subtypes(&self, supertype: u16, kinds: &mut Vec<u16>) {
        for &kind in self.language.subtypes_for_supertype(supertype) {
            if kinds.contains(&kind) {
                continue;
            }
            kinds.push(kind);
            if self.language.node_kind_is_supertype(kind) {
                self.add_subtypes(kind, kinds);
            }
        }
    }
}

impl NodePattern {
    fn new(test: NodeTest) -> NodePattern {
        NodePattern {
            test,
            absent_fields: SmallVec::new(),
            captures: SmallVec::new(),
            children: Vec::new(),
        }
    }

    /// The child that it is about, wherever it is, if it says nothing else: `(_ name: (identifier))`.
    pub(super) fn only_child(&self) -> Option<&ChildPattern> {
        let is_bare = matches!(self.test, NodeTest::Named)
            && self.absent_fields.is_empty()
            && self.captures.is_empty();
        match &self.children[..] {
            [child] if is_bare && !child.is_next && !child.is_last => Some(child),
            _ => None,
        }
    }

    fn mark_where_first_is_enough(&mut self) {
        let is_anchored = |child: &ChildPattern| child.is_next;
        let before_anchor: Vec<bool> = self.children.iter().skip(1).map(is_anchored).collect();
        for (at, child) in self.children.iter_mut().enumerate() {
            let is_anchored = child.is_last || before_anchor.get(at) == Some(&true);
            let has_captures = child.alternatives.iter().any(NodePattern::has_captures);
            child.is_first_enough = !is_anchored && !has_captures;
        }
    }

    /// Whether it or something in it is captured.
    fn has_captures(&self) -> bool {
        let mut children = self.children.iter().flat_map(|child| &child.alternatives);
        !self.captures.is_empty() || children.any(NodePattern::has_captures)
    }
}
