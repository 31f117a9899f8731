//! The compact table of a grammar: what `build.rs` writes and the binary carries.
//!
//! Numbers are written seven bits a byte, lowest first; strings and lists begin with their length. The first bytes are a magic that
//! changes with the format.

use super::expression::{Ex, ExId, Leaf};
use super::{Class, ClassEntry, Grammar, GrammarError, Rule, RuleId};

const MAGIC: &[u8] = b"lop grammar 1\n";

pub(super) fn encode(grammar: &Grammar) -> Vec<u8> {
    let mut out = Writer(MAGIC.to_vec());
    out.text(&grammar.name);
    out.number(grammar.classes.len());
    for class in &grammar.classes {
        out.number(class.kind as usize);
        out.number(class.grammar as usize);
        out.text(&class.name);
        out.number(class.named as usize);
        out.number(class.rule.map_or(0, |rule| rule.0 as usize + 1));
    }
    out.number(grammar.expressions.len());
    for ex in &grammar.expressions {
        out.expression(ex);
    }
    out.number(grammar.rules.len());
    for rule in &grammar.rules {
        out.text(&rule.name);
        out.id(rule.body);
        out.number(rule.visible as usize);
    }
    out.0
}

pub(super) fn decode(bytes: &[u8]) -> Result<Grammar, GrammarError> {
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or(GrammarError::Table("it is no table of this version"))?;
    let mut table = Reader(rest);
    let name = table.text()?;
    let classes = table.list(|t| {
        Ok(ClassEntry {
            kind: t.short()?,
            grammar: t.short()?,
            name: t.text()?,
            named: t.number()? != 0,
            rule: t.short()?.checked_sub(1).map(RuleId),
        })
    })?;
    let mut expressions: Vec<Ex> = Vec::new();
    for _ in 0..table.length()? {
        let ex = table.expression(expressions.len(), classes.len())?;
        expressions.push(ex);
    }
    let all = expressions.len();
    let rules = table.list(|t| {
        Ok(Rule {
            name: t.text()?,
            body: t.id(all)?,
            visible: t.number()? != 0,
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
    Ok(Grammar::assemble(name, rules, classes, expressions))
}

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, mut number: usize) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    fn id(&mut self, id: ExId) {
        self.number(id.0 as usize);
    }

    fn ids(&mut self, ids: &[ExId]) {
        self.number(ids.len());
        ids.iter().for_each(|&id| self.id(id));
    }

    fn expression(&mut self, ex: &Ex) {
        match ex {
            Ex::Leaf(leaf) => {
                self.number(if leaf.named { 1 } else { 0 });
                self.text(&leaf.kind);
                self.number(leaf.classes.len());
                leaf.classes
                    .iter()
                    .for_each(|class| self.number(class.0 as usize));
            }
            Ex::Text => self.number(2),
            Ex::Blank => self.number(3),
            Ex::Seq(members) => {
                self.number(4);
                self.ids(members);
            }
            Ex::Choice(members) => {
                self.number(5);
                self.ids(members);
            }
            Ex::Star(inner) => self.tagged(6, *inner),
            Ex::Plus(inner) => self.tagged(7, *inner),
            Ex::Opt(inner) => self.tagged(8, *inner),
            Ex::Sep {
                element,
                separator,
                further,
            } => {
                self.tagged(9, *element);
                self.id(*separator);
                self.id(*further);
            }
            Ex::Field { name, inner } => {
                self.tagged(10, *inner);
                self.text(name);
            }
            Ex::Hidden { name, inner } => {
                self.tagged(11, *inner);
                self.text(name);
            }
        }
    }

    fn tagged(&mut self, tag: usize, id: ExId) {
        self.number(tag);
        self.id(id);
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number(&mut self) -> Result<usize, GrammarError> {
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

    fn short(&mut self) -> Result<u16, GrammarError> {
        u16::try_from(self.number()?).map_err(|_| GrammarError::Table("a number is too large"))
    }

    /// The length of something that takes at least a byte an element.
    fn length(&mut self) -> Result<usize, GrammarError> {
        let length = self.number()?;
        if length > self.0.len() {
            return Err(GrammarError::Table("it ends too early"));
        }
        Ok(length)
    }

    fn text(&mut self) -> Result<String, GrammarError> {
        let length = self.length()?;
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8(text.to_vec()).map_err(|_| GrammarError::Table("a name is not UTF-8"))
    }

    fn list<T>(
        &mut self,
        read: impl Fn(&mut Self) -> Result<T, GrammarError>,
    ) -> Result<Vec<T>, GrammarError> {
        let length = self.length()?;
        (0..length).map(|_| read(self)).collect()
    }

    /// The id of one of the first `known` expressions.
    fn id(&mut self, known: usize) -> Result<ExId, GrammarError> {
        let id = self.number()?;
        if id >= known {
            return Err(GrammarError::Table("an expression is made of a later one"));
        }
        Ok(ExId(id as u32))
    }

    fn expression(&mut self, known: usize, classes: usize) -> Result<Ex, GrammarError> {
        Ok(match self.number()? {
            tag @ (0 | 1) => Ex::Leaf(Leaf {
                kind: self.text()?.into(),
                named: tag == 1,
                classes: self.list(|t| match t.short()? {
                    class if (class as usize) < classes => Ok(Class(class)),
                    _ => Err(GrammarError::Table("a class does not exist")),
                })?,
            }),
            2 => Ex::Text,
            3 => Ex::Blank,
            4 => Ex::Seq(self.list(|t| t.id(known))?),
            5 => Ex::Choice(self.list(|t| t.id(known))?),
            6 => Ex::Star(self.id(known)?),
            7 => Ex::Plus(self.id(known)?),
            8 => Ex::Opt(self.id(known)?),
            9 => Ex::Sep {
                element: self.id(known)?,
                separator: self.id(known)?,
                further: self.id(known)?,
            },
            10 => {
                let inner = self.id(known)?;
                let name = self.text()?.into();
                Ex::Field { name, inner }
            }
            11 => {
                let inner = self.id(known)?;
                let name = self.text()?.into();
                Ex::Hidden { name, inner }
            }
            _ => return Err(GrammarError::Table("it has an unknown kind of expression")),
        })
    }
}
