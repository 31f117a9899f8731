//! Which single nodes may stand where an expression is expected, for all expressions at once.

use super::NodeClass;
use super::expression::{ExprId, GrammarExpr};

/// A set of classes per expression, and whether it derives the empty sequence.
pub(super) struct UnitDerivations {
    words: usize,
    /// Classes whose single node is a derivation of the expression.
    alone: Vec<u64>,
    nullable: Vec<bool>,
    empty: Vec<bool>,
}

impl UnitDerivations {
    /// `expressions` in the order of their ids, over this number of classes.
    pub fn from_expressions(expressions: &[GrammarExpr], classes: usize) -> UnitDerivations {
        let words = classes.div_ceil(64).max(1);
        let mut units = UnitDerivations {
            words,
            alone: vec![0; words * expressions.len()],
            nullable: Vec::with_capacity(expressions.len()),
            empty: Vec::with_capacity(expressions.len()),
        };
        // An expression's parts have smaller ids, so one pass in the order of ids is enough.
        for (at, ex) in expressions.iter().enumerate() {
            let nullable = ex.derives_nothing(false, |part| units.is_nullable(part));
            units.nullable.push(nullable);
            let empty = ex.derives_nothing(true, |part| units.may_be_empty(part));
            units.empty.push(empty);
            units.add_expression(at, ex);
        }
        units
    }

    fn add_expression(&mut self, at: usize, ex: &GrammarExpr) {
        match ex {
            GrammarExpr::Text | GrammarExpr::Blank => {}
            GrammarExpr::Leaf(leaf) => {
                for class in &leaf.classes {
                    self.alone[at * self.words + class.0 as usize / 64] |= 1 << (class.0 % 64);
                }
            }
            GrammarExpr::Sep { element, .. } => self.add_classes_of(at, *element),
            GrammarExpr::Seq(members) => {
                let filled = members.iter().filter(|&&m| !self.is_nullable(m)).count();
                for &member in members {
                    if filled == 0 || (filled == 1 && !self.is_nullable(member)) {
                        self.add_classes_of(at, member);
                    }
                }
            }
            _ => ex
                .parts()
                .iter()
                .for_each(|&part| self.add_classes_of(at, part)),
        }
    }

    fn add_classes_of(&mut self, at: usize, part: ExprId) {
        for word in 0..self.words {
            self.alone[at * self.words + word] |= self.alone[part.index() * self.words + word];
        }
    }

    pub fn class_fits(&self, class: NodeClass, ex: ExprId) -> bool {
        self.alone[ex.index() * self.words + class.0 as usize / 64] >> (class.0 % 64) & 1 == 1
    }

    /// Whether any single node may stand where `ex` is expected.
    pub fn any_class_fits(&self, ex: ExprId) -> bool {
        let at = ex.index() * self.words;
        self.alone[at..at + self.words]
            .iter()
            .any(|&word| word != 0)
    }

    pub fn is_nullable(&self, ex: ExprId) -> bool {
        self.nullable[ex.index()]
    }

    /// Like `nullable`, but a terminal that makes no node may be without text: external tokens often are.
    pub fn may_be_empty(&self, ex: ExprId) -> bool {
        self.empty[ex.index()]
    }
}
