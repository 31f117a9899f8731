//! Derivation trees as JSON: `["<name>", [part, …]]` for each node, and `["text", []]` for a leaf.
//!
//! A list of parts may be `null` or missing, and `null` among parts is no part. Bytes that are not UTF-8 are written as Python does it
//! (PEP 383): `\udc80` is the byte 0x80.

use std::collections::HashMap;
use std::fmt::Write;

use super::super::super::earley::EarleyNode;
use super::super::choices::ChoiceGrammar;
use super::super::notation::error_at;
use super::super::rules::SymbolId;
use super::super::syntax::{BnfGrammar, TokenKind};
use super::super::{BnfError, name_length};

/// A tree as its text has it.
pub struct DerivationTree {
    /// All names and texts of leaves, each once.
    pub(super) names: Vec<Vec<u8>>,
    /// The nodes in the order of the text, parents first.
    pub(super) nodes: Vec<DerivationNode>,
}

/// A node of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DerivationNode {
    /// Its name or its text, by its number in the tree's names.
    pub name: u32,
    pub depth: u32,
}

/// What an unfinished node needs next.
const NODE_FORM: &str = "a node is [\"name\", [parts]], and a leaf [\"text\", []]";

impl DerivationTree {
    /// Reads a tree.
    ///
    /// # Errors
    /// The first place that has not the form of a tree.
    pub fn from_json(text: &str) -> Result<DerivationTree, BnfError> {
        let mut reader = TreeReader {
            text,
            at: 0,
            known: HashMap::new(),
            tree: DerivationTree {
                names: Vec::new(),
                nodes: Vec::new(),
            },
        };
        reader.read_all()?;
        Ok(reader.tree)
    }

    /// The name or the text of a node.
    pub(super) fn name_of(&self, node: DerivationNode) -> &[u8] {
        &self.names[node.name as usize]
    }

    /// Whether the node at this place has parts.
    pub(super) fn has_parts(&self, at: usize) -> bool {
        let next = self.nodes.get(at + 1);
        next.is_some_and(|next| next.depth > self.nodes[at].depth)
    }

    /// The tree of nodes as [`ChoiceGrammar`] parses them, as JSON. `text` gives the bytes of a range of tokens.
    pub fn write_json(
        bnf: &BnfGrammar,
        written: &ChoiceGrammar,
        nodes: &[EarleyNode],
        text: &dyn Fn(u32, u32) -> Vec<u8>,
    ) -> String {
        let mut out = String::new();
        // The depths of the nodes that are open. The start is not shown if the grammar has it only because its first rule may be empty.
        let mut open: Vec<u32> = Vec::new();
        for node in nodes {
            while open.pop_if(|depth| *depth >= node.depth).is_some() {
                out.push_str("]]");
            }
            let (name, leaf) = match written.symbol_of(node.class) {
                SymbolId::Rule(rule) => match bnf.rules.names.get(rule) {
                    Some(name) => (Some(name), None),
                    None => continue,
                },
                SymbolId::Token(token) => {
                    let token = &bnf.tokens[token];
                    let named = (token.kind == TokenKind::Named).then_some(&token.name);
                    (named, Some(text(node.tokens.0, node.tokens.1)))
                }
            };
            if !out.is_empty() && !out.ends_with('[') {
                out.push_str(", ");
            }
            if let Some(name) = name {
                let plain = name_length(name) == name.len();
                let (before, after) = if plain { ("<", ">") } else { ("", "") };
                out.push('[');
                write_string(format!("{before}{name}{after}").as_bytes(), &mut out);
                out.push_str(", [");
            }
            match leaf {
                None => open.push(node.depth),
                Some(leaf) => {
                    out.push('[');
                    write_string(&leaf, &mut out);
                    out.push_str(", []]");
                    out.push_str(if name.is_some() { "]]" } else { "" });
                }
            }
        }
        out.extend(std::iter::repeat_n("]]", open.len()));
        out
    }
}

fn write_string(bytes: &[u8], out: &mut String) {
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                c if c.is_control() => drop(write!(out, "\\u{:04x}", c as u32)),
                c => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\udc{byte:02x}");
        }
    }
    out.push('"');
}

struct TreeReader<'a> {
    text: &'a str,
    at: usize,
    /// The number of each name.
    known: HashMap<Vec<u8>, u32>,
    tree: DerivationTree,
}

impl TreeReader<'_> {
    fn rest(&self) -> &[u8] {
        &self.text.as_bytes()[self.at..]
    }

    fn error_here(&self, what: &str) -> BnfError {
        let next = self.text[self.at..].chars().next();
        let next = next.map_or("the end of the file".to_owned(), |c| format!("`{c}`"));
        error_at(self.text, self.at, format!("{what}; here is {next}"))
    }

    fn skip_blanks(&mut self) {
        let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += self.rest().iter().take_while(blank).count();
    }

    /// Skips this sign if it is the next.
    fn skip_sign(&mut self, sign: &str) -> bool {
        self.skip_blanks();
        let there = self.rest().starts_with(sign.as_bytes());
        self.at += if there { sign.len() } else { 0 };
        there
    }

    fn expect_sign(&mut self, sign: &str) -> Result<(), BnfError> {
        match self.skip_sign(sign) {
            true => Ok(()),
            false => Err(self.error_here(&format!("`{sign}` is missing: {NODE_FORM}"))),
        }
    }

    fn read_all(&mut self) -> Result<(), BnfError> {
        let mut depth = u32::from(self.open_node(0)?);
        while depth > 0 {
            if self.skip_sign("]") {
                self.expect_sign("]")?;
                depth -= 1;
            } else if !self.skip_sign("null") && self.open_node(depth)? {
                depth += 1;
                continue;
            }
            if depth > 0 && !self.skip_sign(",") && !self.rest().starts_with(b"]") {
                return Err(self.error_here("`,` or `]` is missing behind a part"));
            }
        }
        self.skip_blanks();
        match self.rest().is_empty() {
            true => Ok(()),
            false => Err(self.error_here("a tree is one node, and there is more")),
        }
    }

    /// Reads a node up to its first part. False if it has no list of parts; then it is read as a whole.
    fn open_node(&mut self, depth: u32) -> Result<bool, BnfError> {
        self.expect_sign("[")?;
        self.skip_blanks();
        if !self.rest().starts_with(b"\"") {
            return Err(self.error_here(&format!("a name or a text is missing: {NODE_FORM}")));
        }
        let name = self.read_string()?;
        let next = self.tree.names.len() as u32;
        let name = *self.known.entry(name).or_insert_with_key(|name| {
            self.tree.names.push(name.clone());
            next
        });
        self.tree.nodes.push(DerivationNode { name, depth });
        if self.skip_sign(",") {
            if self.skip_sign("[") {
                return Ok(true);
            }
            if !self.skip_sign("null") {
                return Err(self.error_here(&format!("the list of parts is missing: {NODE_FORM}")));
            }
        }
        self.expect_sign("]")?;
        Ok(false)
    }

    fn read_string(&mut self) -> Result<Vec<u8>, BnfError> {
        let open = self.at;
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            let plain = |byte: &&u8| !matches!(byte, b'"' | b'\\' | b'\n');
            let length = self.rest().iter().take_while(plain).count();
            bytes.extend_from_slice(&self.rest()[..length]);
            self.at += length;
            match self.rest().first() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(bytes);
                }
                Some(b'\\') => self.read_escape(&mut bytes)?,
                _ => {
                    let what = "this string is not closed on its line";
                    return Err(error_at(self.text, open, what));
                }
            }
        }
    }

    fn read_escape(&mut self, into: &mut Vec<u8>) -> Result<(), BnfError> {
        let (c, length) = match self.rest().get(1) {
            Some(b'n') => ('\n', 2),
            Some(b'r') => ('\r', 2),
            Some(b't') => ('\t', 2),
            Some(b'b') => ('\x08', 2),
            Some(b'f') => ('\x0c', 2),
            Some(&sign @ (b'"' | b'\\' | b'/')) => (char::from(sign), 2),
            Some(b'u') => match (self.escaped_unit(0), self.escaped_unit(6)) {
                (Some(high @ 0xD800..=0xDBFF), Some(low @ 0xDC00..=0xDFFF)) => {
                    let code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                    (char::from_u32(code).unwrap_or_default(), 12)
                }
                // A byte that is not UTF-8.
                (Some(unit @ 0xDC80..=0xDCFF), _) => {
                    into.push((unit & 0xFF) as u8);
                    self.at += 6;
                    return Ok(());
                }
                (unit, _) => match unit.and_then(char::from_u32) {
                    Some(c) => (c, 6),
                    None => return Err(self.error_here("no character of JSON is written so")),
                },
            },
            _ => return Err(self.error_here("no escape of JSON begins so")),
        };
        self.at += length;
        into.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    /// The number of `\uXXXX` this far behind here.
    fn escaped_unit(&self, behind: usize) -> Option<u32> {
        let digits = self.rest().get(behind..)?.strip_prefix(b"\\u")?.get(..4)?;
        let digits = digits.iter().all(u8::is_ascii_hexdigit).then_some(digits)?;
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    }
}
