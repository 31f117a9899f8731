//! From a tree as its text has it to nodes of the grammar as it is written: the leaves are put on the text, and the parts of each node must be
//! one of its alternatives.
//!
//! A node without text is checked for that alone, and goes: the grammar that follows has no rules that may be empty.

use super::super::super::NodeClass;
use super::super::super::earley::{EarleyNode, StateId, TokenSource};
use super::super::rules::SymbolId;
use super::json::DerivationTree;
use super::{DerivationError, DerivationReader, LeafMismatch};

/// The text that the leaves of a tree must make.
pub trait LeafSource: TokenSource {
    /// The place behind a leaf of this text that begins at `at`: the same place, if the lexer skips the text.
    ///
    /// # Errors
    /// Where the text differs.
    fn place_leaf(&self, at: usize, text: &[u8]) -> Result<usize, LeafMismatch>;

    /// What stands behind the last leaf, which ends at `at`; none if nothing does that the grammar wants.
    fn find_rest(&self, at: usize) -> Option<LeafMismatch>;
}

/// How many steps of a path, and how many characters of a rule, an error shows.
const SHOWN_STEPS: usize = 8;
const SHOWN_CHARACTERS: usize = 200;

/// A node whose parts are being read.
struct OpenProduction {
    /// Its number among those of the tree.
    at: usize,
    rule: usize,
    /// How many parts the tree has of it so far, empty ones too.
    seen: usize,
    /// Its parts that have text, by their places among the nodes.
    parts: Vec<usize>,
}

pub(super) fn read_nodes(
    reader: &DerivationReader,
    tree: &DerivationTree,
    source: &impl LeafSource,
) -> Result<Vec<EarleyNode>, DerivationError> {
    let mut reading = TreeReading {
        reader,
        tree,
        source,
        at: 0,
        nodes: Vec::new(),
        open: Vec::new(),
        shift: 0,
    };
    reading.read_root()?;
    let mut next = 1;
    while let Some(top) = reading.open.last_mut() {
        let depth = tree.nodes[top.at].depth;
        match tree.nodes.get(next).filter(|node| node.depth > depth) {
            Some(_) => {
                top.seen += 1;
                next = reading.read_node(next)?;
            }
            None => reading.close_node()?,
        }
    }
    match source.find_rest(reading.at) {
        Some(rest) => Err(DerivationError::MoreText(rest)),
        None => {
            if let Some(root) = reading.nodes.first_mut() {
                root.tokens.1 = reading.at as u32;
            }
            Ok(reading.nodes)
        }
    }
}

struct TreeReading<'a, S> {
    reader: &'a DerivationReader<'a>,
    tree: &'a DerivationTree,
    source: &'a S,
    /// The place behind the last leaf.
    at: usize,
    nodes: Vec<EarleyNode>,
    open: Vec<OpenProduction>,
    /// How many nodes are above the root: the start of a grammar that has one only because its first rule may be empty.
    shift: u32,
}

impl<S: LeafSource> TreeReading<'_, S> {
    fn read_root(&mut self) -> Result<(), DerivationError> {
        let (rules, written) = (&self.reader.bnf.rules, self.reader.written.rules());
        let name = self.tree.name_of(self.tree.nodes[0]);
        let name = String::from_utf8_lossy(name);
        if self.reader.find_symbol(&name) != Some(SymbolId::Rule(rules.start)) {
            return Err(DerivationError::Start {
                found: name.into_owned(),
                wanted: rules.names[rules.start].clone(),
            });
        }
        if written.start != rules.start {
            self.push_rule(written.start, 0);
            self.shift = 1;
        }
        self.open_rule(0, rules.start);
        Ok(())
    }

    /// Reads a leaf, or begins a node; the number of the next node of the tree.
    fn read_node(&mut self, at: usize) -> Result<usize, DerivationError> {
        let name = self.tree.name_of(self.tree.nodes[at]);
        let symbol = self.reader.find_symbol(&String::from_utf8_lossy(name));
        let has_parts = self.tree.has_parts(at);
        match symbol {
            Some(SymbolId::Rule(rule))
                if (has_parts || name.starts_with(b"<")) && self.is_derived(rule) =>
            {
                self.open_rule(at, rule);
            }
            Some(SymbolId::Token(token)) if has_parts => {
                let end = self.end_of(at);
                let inside = (at + 1..end).filter(|&inside| !self.tree.has_parts(inside));
                let texts = inside.map(|leaf| self.tree.name_of(self.tree.nodes[leaf]));
                let text = texts.collect::<Vec<_>>().concat();
                self.read_leaf(at, &text, Some(token))?;
                return Ok(end);
            }
            _ if has_parts => {
                return Err(DerivationError::UnknownName {
                    place: self.path_to(at),
                    name: String::from_utf8_lossy(name).into_owned(),
                });
            }
            Some(SymbolId::Rule(rule)) if self.reader.nullable[rule] => {
                // A name or a text: what stands here says which.
                if self.source.place_leaf(self.at, name).is_ok() {
                    self.read_leaf(at, name, None)?;
                }
            }
            _ => self.read_leaf(at, name, None)?,
        }
        Ok(at + 1)
    }

    fn is_derived(&self, rule: usize) -> bool {
        self.reader.written_rules[rule].is_some() || self.reader.nullable[rule]
    }

    /// The number of the node behind the last one inside this one.
    fn end_of(&self, at: usize) -> usize {
        let (nodes, depth) = (&self.tree.nodes, self.tree.nodes[at].depth);
        let inside = nodes[at + 1..].iter().take_while(|node| node.depth > depth);
        at + 1 + inside.count()
    }

    fn push_rule(&mut self, rule: usize, depth: u32) {
        let id = self.reader.written_rules[rule].map_or(0, |id| id.0 as usize);
        let class = self.reader.written.machine().classes[id];
        self.nodes.push(EarleyNode {
            class,
            tokens: (self.at as u32, self.source.end() as u32),
            depth,
        });
    }

    fn open_rule(&mut self, at: usize, rule: usize) {
        let depth = self.tree.nodes[at].depth + self.shift;
        if let Some(above) = self.open.last_mut() {
            above.parts.push(self.nodes.len());
        }
        self.push_rule(rule, depth);
        self.open.push(OpenProduction {
            at,
            rule,
            seen: 0,
            parts: Vec::new(),
        });
    }

    /// Puts a leaf on the text. It is a token of this number, or any.
    fn read_leaf(
        &mut self,
        at: usize,
        text: &[u8],
        token: Option<usize>,
    ) -> Result<(), DerivationError> {
        let end = self.source.place_leaf(self.at, text);
        let end = end.map_err(|mismatch| DerivationError::Leaf {
            place: self.path_to(at),
            text: String::from_utf8_lossy(text).into_owned(),
            mismatch,
        })?;
        if end == self.at {
            return Ok(());
        }
        if let Some(above) = self.open.last_mut() {
            above.parts.push(self.nodes.len());
        }
        let any = NodeClass(u16::MAX);
        self.nodes.push(EarleyNode {
            class: token.map_or(any, |token| NodeClass(token as u16)),
            tokens: (self.at as u32, end as u32),
            depth: self.tree.nodes[at].depth + self.shift,
        });
        self.at = end;
        Ok(())
    }

    /// All parts of a node are read.
    fn close_node(&mut self) -> Result<(), DerivationError> {
        let Some(node) = self.open.pop() else {
            return Ok(());
        };
        let first = match self.open.last() {
            Some(above) => above.parts.last().copied().unwrap_or_default(),
            None => self.shift as usize,
        };
        if self.nodes[first].tokens.0 as usize == self.at && self.reader.nullable[node.rule] {
            self.nodes.truncate(first);
            self.open.last_mut().and_then(|above| above.parts.pop());
            return Ok(());
        }
        self.nodes[first].tokens.1 = self.at as u32;
        match self.find_tokens(&node) {
            Some(tokens) => {
                for (part, class) in node.parts.iter().zip(tokens) {
                    self.nodes[*part].class = class;
                }
                Ok(())
            }
            None => {
                let parts = self.describe_parts(&node);
                self.open.push(node);
                Err(self.production_error(parts))
            }
        }
    }

    /// The classes of a node's parts, if they are one of its alternatives: of the tokens that a leaf may be, the first that fits.
    fn find_tokens(&self, node: &OpenProduction) -> Option<Vec<NodeClass>> {
        let machine = self.reader.written.machine();
        let start = machine.starts[self.reader.written_rules[node.rule]?.0 as usize];
        // For each part the states behind it: the place of the state before it, and the class that led there.
        let mut layers: Vec<Vec<(StateId, usize, NodeClass)>> = Vec::new();
        let mut states = vec![start];
        let mut tokens = Vec::new();
        for &part in &node.parts {
            let EarleyNode {
                class,
                tokens: (from, end),
                ..
            } = self.nodes[part];
            tokens.clear();
            if class.0 == u16::MAX {
                self.source.push_tokens_at(from as usize, &mut tokens);
                tokens.retain(|&(_, behind)| behind == end);
            } else {
                tokens.push((class, end));
            }
            let mut layer: Vec<(StateId, usize, NodeClass)> = Vec::new();
            for (before, &state) in states.iter().enumerate() {
                let state = &machine.states[state as usize];
                for &(class, _) in &tokens {
                    let next = match self.reader.written.symbol_of(class) {
                        SymbolId::Token(_) => state.tokens.get(&class).copied(),
                        SymbolId::Rule(rule) => {
                            self.reader.written_rules[rule].and_then(|id| state.behind_rule(id))
                        }
                    };
                    let known = |next| layer.iter().any(|(state, ..)| *state == next);
                    if let Some(next) = next.filter(|&next| !known(next)) {
                        layer.push((next, before, class));
                    }
                }
            }
            states = layer.iter().map(|(state, ..)| *state).collect();
            layers.push(layer);
        }
        let ends = |&state: &StateId| machine.states[state as usize].ends.is_some();
        let mut at = states.iter().position(ends)?;
        let mut classes: Vec<NodeClass> = Vec::with_capacity(layers.len());
        for layer in layers.iter().rev() {
            let (_, before, class) = layer[at];
            classes.push(class);
            at = before;
        }
        classes.reverse();
        Some(classes)
    }

    fn production_error(&self, parts: String) -> DerivationError {
        let (place, rule) = match self.open.last() {
            Some(node) => (self.path_to(node.at), node.rule),
            None => (String::new(), self.reader.bnf.rules.start),
        };
        let rule = self.reader.bnf.rules.describe_rule(rule);
        DerivationError::NoProduction {
            place,
            rule: truncate_text(rule),
            parts,
        }
    }

    fn describe_parts(&self, node: &OpenProduction) -> String {
        let mut parts = String::new();
        let depth = self.tree.nodes[node.at].depth + 1;
        let inside = self.tree.nodes[node.at + 1..].iter();
        let inside = inside
            .take_while(|part| part.depth >= depth)
            .zip(node.at + 1..);
        for (part, at) in inside.filter(|(part, _)| part.depth == depth) {
            let name = String::from_utf8_lossy(self.tree.name_of(*part));
            let is_rule = self.tree.has_parts(at) || name.starts_with('<');
            parts.push_str(if parts.is_empty() { "" } else { " " });
            match is_rule {
                true => parts.push_str(&shown_name(&name)),
                false => parts.push_str(&format!("{name:?}")),
            }
            if parts.len() > SHOWN_CHARACTERS {
                break;
            }
        }
        match parts.is_empty() {
            true => "none".to_owned(),
            false => truncate_text(parts),
        }
    }

    /// The path to a node below those that are open, or to the last of them.
    fn path_to(&self, at: usize) -> String {
        let hidden = self.open.len().saturating_sub(SHOWN_STEPS);
        let mut path = if hidden > 0 {
            "…".to_owned()
        } else {
            String::new()
        };
        let name_of = |at: usize| {
            let name = self.tree.name_of(self.tree.nodes[at]);
            shown_name(&String::from_utf8_lossy(name))
        };
        for node in &self.open[hidden..] {
            path.push_str(&name_of(node.at));
            if node.at == at {
                return path;
            }
            path.push_str(&format!("[{}].", node.seen.saturating_sub(1)));
        }
        match self.tree.has_parts(at) {
            true => path + &name_of(at),
            // A leaf has no name.
            false => path.trim_end_matches('.').to_owned(),
        }
    }
}

/// A name without its brackets.
fn shown_name(name: &str) -> String {
    let inner = name
        .strip_prefix('<')
        .and_then(|name| name.strip_suffix('>'));
    truncate_text(inner.unwrap_or(name).to_owned())
}

fn truncate_text(text: String) -> String {
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
