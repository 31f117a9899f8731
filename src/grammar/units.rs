//! What may stand alone where an expression is expected, for all expressions at once.

use super::Class;
use super::expression::{Ex, ExId};

/// A set of classes per expression, and whether it derives nothing.
pub(super) struct Units {
    words: usize,
    /// Classes whose single node is a derivation of the expression.
    alone: Vec<u64>,
    nullable: Vec<bool>,
    empty: Vec<bool>,
}

impl Units {
    /// `expressions` in the order of their ids, over so many classes.
    pub fn of(expressions: &[Ex], classes: usize) -> Units {
        let words = classes.div_ceil(64).max(1);
        let mut units = Units {
            words,
            alone: vec![0; words * expressions.len()],
            nullable: Vec::with_capacity(expressions.len()),
            empty: Vec::with_capacity(expressions.len()),
        };
        // An expression's parts have smaller ids, so one walk in the order of ids does.
        for (at, ex) in expressions.iter().enumerate() {
            let nullable = ex.derives_nothing(false, |part| units.nullable(part));
            units.nullable.push(nullable);
            let empty = ex.derives_nothing(true, |part| units.empty(part));
            units.empty.push(empty);
            units.add(at, ex);
        }
        units
    }

    fn add(&mut self, at: usize, ex: &Ex) {
        match ex {
            Ex::Text | Ex::Blank => {}
            Ex::Leaf(leaf) => {
                for class in &leaf.classes {
                    self.alone[at * self.words + class.0 as usize / 64] |= 1 << (class.0 % 64);
                }
            }
            Ex::Sep { element, .. } => self.add_all(at, *element),
            Ex::Seq(members) => {
                let filled = members.iter().filter(|&&m| !self.nullable(m)).count();
                for &member in members {
                    if filled == 0 || (filled == 1 && !self.nullable(member)) {
                        self.add_all(at, member);
                    }
                }
            }
            _ => ex.parts().iter().for_each(|&part| self.add_all(at, part)),
        }
    }

    fn add_all(&mut self, at: usize, part: ExId) {
        for word in 0..self.words {
            self.alone[at * self.words + word] |= self.alone[part.0 as usize * self.words + word];
        }
    }

    pub fn fits(&self, class: Class, ex: ExId) -> bool {
        self.alone[ex.0 as usize * self.words + class.0 as usize / 64] >> (class.0 % 64) & 1 == 1
    }

    /// Whether any single node may stand where `ex` is expected.
    pub fn any_fits(&self, ex: ExId) -> bool {
        let at = ex.0 as usize * self.words;
        self.alone[at..at + self.words]
            .iter()
            .any(|&word| word != 0)
    }

    pub fn nullable(&self, ex: ExId) -> bool {
        self.nullable[ex.0 as usize]
    }

    /// Like `nullable`, but a terminal that makes no node may be without text: external tokens often are.
    pub fn empty(&self, ex: ExId) -> bool {
        self.empty[ex.0 as usize]
    }
}
