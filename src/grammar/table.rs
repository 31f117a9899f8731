//! The compact table of a grammar: what `build.rs` writes and the binary carries.
//!
//! Numbers are written seven bits a byte, lowest first; strings and lists begin with their length. The first bytes are a magic number that
//! changes with the format.

use super::expression::{ExprId, GrammarExpr, GrammarLeaf};
use super::{ClassEntry, Grammar, GrammarError, GrammarRule, NodeClass, RuleId};

const MAGIC: &[u8] = b"lop grammar 1\n";

pub(super) fn encode_grammar(grammar: &Grammar) -> Vec<u8> {
    let mut out = TableEncoder(MAGIC.to_vec());
    out.write_text(&grammar.name);
    out.write_number(grammar.classes.len());
    for class in &grammar.classes {
        out.write_number(class.kind as usize);
        out.write_number(class.grammar as usize);
        out.write_text(&class.name);
        out.write_number(class.named as usize);
        out.write_number(class.rule.map_or(0, |rule| rule.0 as usize + 1));
    }
    out.write_number(grammar.expressions.len());
    for ex in &grammar.expressions {
        out.write_expression(ex);
    }
    out.write_number(grammar.rules.len());
    for rule in &grammar.rules {
        out.write_text(&rule.name);
        out.write_id(rule.body);
        out.write_number(rule.visible as usize);
    }
    out.0
}

pub(super) fn decode_grammar(bytes: &[u8]) -> Result<Grammar, GrammarError> {
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or(GrammarError::Table("it is not a table of this version"))?;
    let mut table = TableDecoder(rest);
    let name = table.read_text()?;
    let classes = table.read_list(|t| {
        Ok(ClassEntry {
            kind: t.read_u16()?,
            grammar: t.read_u16()?,
            name: t.read_text()?,
            named: t.read_number()? != 0,
            rule: t.read_u16()?.checked_sub(1).map(RuleId),
        })
    })?;
    let mut expressions: Vec<GrammarExpr> = Vec::new();
    for _ in 0..table.read_length()? {
        let ex = table.read_expression(expressions.len(), classes.len())?;
        expressions.push(ex);
    }
    let all = expressions.len();
    let rules = table.read_list(|t| {
        Ok(GrammarRule {
            name: t.read_text()?,
            body: t.read_id(all)?,
            visible: t.read_number()? != 0,
        })
    })?;
    let known = |class: &ClassEntry| {
        class
            .rule
            .is_none_or(|rule| (rule.0 as usize) < rules.len())
    };
    if !classes.iter().all(known) {
        return Err(GrammarError::Table(
            "a class has a rule that does not exist",
        ));
    }
    if !table.0.is_empty() {
        return Err(GrammarError::Table("something follows its end"));
    }
    Ok(Grammar::from_parts(name, rules, classes, expressions))
}

struct TableEncoder(Vec<u8>);

impl TableEncoder {
    fn write_number(&mut self, mut number: usize) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn write_text(&mut self, text: &str) {
        self.write_number(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    fn write_id(&mut self, id: ExprId) {
        self.write_number(id.index());
    }

    fn write_ids(&mut self, ids: &[ExprId]) {
        self.write_number(ids.len());
        ids.iter().for_each(|&id| self.write_id(id));
    }

    fn write_expression(&mut self, ex: &GrammarExpr) {
        match ex {
            GrammarExpr::Leaf(leaf) => {
                self.write_number(if leaf.named { 1 } else { 0 });
                self.write_text(&leaf.kind);
                self.write_number(leaf.classes.len());
                leaf.classes
                    .iter()
                    .for_each(|class| self.write_number(class.0 as usize));
            }
            GrammarExpr::Text => self.write_number(2),
            GrammarExpr::Blank => self.write_number(3),
            GrammarExpr::Seq(members) => {
                self.write_number(4);
                self.write_ids(members);
            }
            GrammarExpr::Choice(members) => {
                self.write_number(5);
                self.write_ids(members);
            }
            GrammarExpr::Star(inner) => self.write_tagged(6, *inner),
            GrammarExpr::Plus(inner) => self.write_tagged(7, *inner),
            GrammarExpr::Opt(inner) => self.write_tagged(8, *inner),
            GrammarExpr::Sep {
                element,
                separator,
                further,
            } => {
                self.write_tagged(9, *element);
                self.write_id(*separator);
                self.write_id(*further);
            }
            GrammarExpr::Field { name, inner } => {
                self.write_tagged(10, *inner);
                self.write_text(name);
            }
            GrammarExpr::Hidden { name, inner } => {
                self.write_tagged(11, *inner);
                self.write_text(name);
            }
        }
    }

    fn write_tagged(&mut self, tag: usize, id: ExprId) {
        self.write_number(tag);
        self.write_id(id);
    }
}

struct TableDecoder<'a>(&'a [u8]);

impl TableDecoder<'_> {
    fn read_number(&mut self) -> Result<usize, GrammarError> {
        let mut number = 0;
        for shift in (0..56).step_by(7) {
            let (&byte, rest) = self
                .0
                .split_first()
                .ok_or(GrammarError::Table("it ends too early"))?;
            self.0 = rest;
            number |= ((byte & 0x7f) as usize) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(GrammarError::Table("a number is too large"))
    }

    fn read_u16(&mut self) -> Result<u16, GrammarError> {
        u16::try_from(self.read_number()?).map_err(|_| GrammarError::Table("a number is too large"))
    }

    /// The length of something that takes at least one byte per element.
    fn read_length(&mut self) -> Result<usize, GrammarError> {
        let length = self.read_number()?;
        if length > self.0.len() {
            return Err(GrammarError::Table("it ends too early"));
        }
        Ok(length)
    }

    fn read_text(&mut self) -> Result<String, GrammarError> {
        let length = self.read_length()?;
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8(text.to_vec()).map_err(|_| GrammarError::Table("a name is not UTF-8"))
    }

    fn read_list<T>(
        &mut self,
        read: impl Fn(&mut Self) -> Result<T, GrammarError>,
    ) -> Result<Vec<T>, GrammarError> {
        let length = self.read_length()?;
        (0..length).map(|_| read(self)).collect()
    }

    /// The id of one of the first `known` expressions.
    fn read_id(&mut self, known: usize) -> Result<ExprId, GrammarError> {
        let id = self.read_number()?;
        if id >= known {
            return Err(GrammarError::Table("an expression is made of a later one"));
        }
        Ok(ExprId::from_index(id))
    }

    fn read_expression(
        &mut self,
        known: usize,
        classes: usize,
    ) -> Result<GrammarExpr, GrammarError> {
        Ok(match self.read_number()? {
            tag @ (0 | 1) => GrammarExpr::Leaf(GrammarLeaf {
                kind: self.read_text()?.into(),
                named: tag == 1,
                classes: self.read_list(|t| match t.read_u16()? {
                    class if (class as usize) < classes => Ok(NodeClass(class)),
                    _ => Err(GrammarError::Table("a class does not exist")),
                })?,
            }),
            2 => GrammarExpr::Text,
            3 => GrammarExpr::Blank,
            4 => GrammarExpr::Seq(self.read_list(|t| t.read_id(known))?),
            5 => GrammarExpr::Choice(self.read_list(|t| t.read_id(known))?),
            6 => GrammarExpr::Star(self.read_id(known)?),
            7 => GrammarExpr::Plus(self.read_id(known)?),
            8 => GrammarExpr::Opt(self.read_id(known)?),
            9 => GrammarExpr::Sep {
                element: self.read_id(known)?,
                separator: self.read_id(known)?,
                further: self.read_id(known)?,
            },
            10 => {
                let inner = self.read_id(known)?;
                let name = self.read_text()?.into();
                GrammarExpr::Field { name, inner }
            }
            11 => {
                let inner = self.read_id(known)?;
                let name = self.read_text()?.into();
                GrammarExpr::Hidden { name, inner }
            }
            _ => return Err(GrammarError::Table("it has an unknown kind of expression")),
        })
    }
}
