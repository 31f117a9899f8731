//! Parts that a grammar requires and compilers do not: they become optional parts of the normal form.
//!
//! The grammar of a parser is one reading of a language. Of C it wants the type of every declaration, and compilers do not. So the data of a language
//! may name such parts, each with a *stand-in*: a text that the parser takes for the part where it is absent.

use std::collections::HashSet;
use std::fmt;

use super::expression::{ExprArena, ExprId, GrammarExpr};
use super::{Grammar, GrammarChild, RuleId, derive};

/// A part of the nodes of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionalPart<'a> {
    /// The name of the rule.
    pub rule: &'a str,
    /// The part: the name of a field, or the kind of a node.
    pub part: &'a str,
    /// What the parser takes for it where it is absent.
    pub stand_in: &'a str,
}

/// A part that is absent in a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbsentPart {
    /// The index of the child that stands behind its place; the number of children if none does.
    pub before: usize,
    /// What the parser takes for it.
    pub stand_in: Box<str>,
}

/// Why a part cannot be optional.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionalPartError {
    /// No rule of this name makes nodes.
    UnknownRule(String),
    /// The rule has no such part.
    UnknownPart {
        /// The rule.
        rule: String,
        /// The part.
        part: String,
        /// The parts that it has.
        known: Vec<String>,
    },
    /// The grammar lets the part go already, or the part is an element of a list or one of several that may stand there.
    NotRequired {
        /// The rule.
        rule: String,
        /// The part.
        part: String,
    },
    /// The stand-in of the part has no text.
    NoStandIn {
        /// The rule.
        rule: String,
        /// The part.
        part: String,
    },
}

impl fmt::Display for OptionalPartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionalPartError::UnknownRule(rule) => {
                write!(f, "there is no kind of node called `{rule}`")
            }
            OptionalPartError::UnknownPart { rule, part, known } => {
                write!(f, "`{rule}` has no part called `{part}`")?;
                match &known[..] {
                    [] => Ok(()),
                    known => write!(f, "; it has {}", known.join(", ")),
                }
            }
            OptionalPartError::NotRequired { rule, part } => write!(
                f,
                "`{part}` of `{rule}` is not a part that the grammar requires: it may go already, or others may stand in its place"
            ),
            OptionalPartError::NoStandIn { rule, part } => {
                write!(f, "`{part}` of `{rule}` has nothing that stands in for it")
            }
        }
    }
}

impl std::error::Error for OptionalPartError {}

impl Grammar {
    /// The same grammar, in which these parts of nodes are optional. Classes, rules and the ids of the expressions stay as they are.
    ///
    /// # Errors
    /// When a rule or a part does not exist, or the grammar does not require it.
    pub fn with_optional_parts(
        mut self,
        parts: &[OptionalPart],
    ) -> Result<Grammar, OptionalPartError> {
        if parts.is_empty() {
            return Ok(self);
        }
        let mut arena = ExprArena::from_expressions(std::mem::take(&mut self.expressions));
        let mut stand_ins: Vec<(RuleId, ExprId, Box<str>)> = Vec::new();
        for part in parts {
            let (rule, name) = (part.rule.to_owned(), part.part.to_owned());
            let found = self.find_rule(part.rule);
            let Some(id) = found.filter(|&id| self.is_visible(id)) else {
                return Err(OptionalPartError::UnknownRule(rule));
            };
            if part.stand_in.trim().is_empty() {
                return Err(OptionalPartError::NoStandIn { rule, part: name });
            }
            let body = self.rules[id.0 as usize].body;
            let mut made = Vec::new();
            let changed = make_optional(&mut arena, body, part.part, &mut made);
            let inside = expressions_inside(&arena, changed);
            if made.is_empty() || !made.iter().all(|ex| inside.contains(ex)) {
                let known = part_names(&arena, &expressions_inside(&arena, body));
                return Err(match known.contains(&name) {
                    true => OptionalPartError::NotRequired { rule, part: name },
                    false => OptionalPartError::UnknownPart {
                        rule,
                        part: name,
                        known,
                    },
                });
            }
            self.rules[id.0 as usize].body = changed;
            let own = made.into_iter().map(|ex| (id, ex, part.stand_in.into()));
            stand_ins.extend(own);
        }
        let expressions = arena.into_expressions();
        let grammar = Grammar::from_parts(self.name, self.rules, self.classes, expressions);
        Ok(Grammar {
            stand_ins,
            ..grammar
        })
    }

    /// Whether nodes of the rule have parts that are optional only by [`Grammar::with_optional_parts`].
    pub fn has_optional_parts(&self, rule: RuleId) -> bool {
        self.stand_ins.iter().any(|(own, ..)| *own == rule)
    }

    /// The rules that have such parts, with the expression of each part and its stand-in.
    pub fn optional_parts(&self) -> impl Iterator<Item = (RuleId, ExprId, &str)> {
        let all = self.stand_ins.iter();
        all.map(|(rule, ex, stand_in)| (*rule, *ex, &**stand_in))
    }

    /// Which of these parts are absent in a node with these children, by their derivation ([`Grammar::derive_children`]). None if they have no
    /// derivation.
    pub fn find_absent_parts(
        &self,
        rule: RuleId,
        children: &[GrammarChild],
        trailing_gap: bool,
    ) -> Option<Vec<AbsentPart>> {
        let empty = derive::find_empty_options(self.rule_automaton(rule), children, trailing_gap)?;
        let absent = empty.into_iter().filter_map(|(before, option)| {
            let mut own = self.optional_parts();
            let (.., stand_in) = own.find(|&(of, ex, _)| (of, ex) == (rule, option))?;
            Some(AbsentPart {
                before,
                stand_in: stand_in.into(),
            })
        });
        Some(absent.collect())
    }
}

/// `ex` with each part of this name optional. The options that are new go to `made`. Recursion is as deep as a rule's expression.
fn make_optional(arena: &mut ExprArena, ex: ExprId, part: &str, made: &mut Vec<ExprId>) -> ExprId {
    let expression = arena.get(ex).clone();
    let mut inside = |arena: &mut ExprArena, inner| make_optional(arena, inner, part, made);
    match expression {
        GrammarExpr::Field { ref name, .. } if **name == *part => {
            let option = arena.add_opt(ex);
            made.push(option);
            option
        }
        GrammarExpr::Leaf(ref leaf) if *leaf.kind == *part => {
            let option = arena.add_opt(ex);
            made.push(option);
            option
        }
        GrammarExpr::Field { name, inner } => {
            let inner = inside(arena, inner);
            arena.add_field(&name, inner)
        }
        GrammarExpr::Hidden { name, inner } => {
            let inner = inside(arena, inner);
            arena.intern(GrammarExpr::Hidden { name, inner })
        }
        GrammarExpr::Seq(members) => {
            let members = members.into_iter().map(|member| inside(arena, member));
            let members = members.collect();
            arena.add_seq(members)
        }
        GrammarExpr::Choice(members) => {
            let members = members.into_iter().map(|member| inside(arena, member));
            let members = members.collect();
            arena.add_choice(members)
        }
        // What a list or an option has inside is not required by itself.
        GrammarExpr::Leaf(_)
        | GrammarExpr::Text
        | GrammarExpr::Blank
        | GrammarExpr::Star(_)
        | GrammarExpr::Plus(_)
        | GrammarExpr::Opt(_)
        | GrammarExpr::Sep { .. } => ex,
    }
}

/// An expression and all that it is made of.
fn expressions_inside(arena: &ExprArena, ex: ExprId) -> HashSet<ExprId> {
    let (mut inside, mut open) = (HashSet::new(), vec![ex]);
    while let Some(ex) = open.pop() {
        if inside.insert(ex) {
            open.extend(arena.get(ex).parts());
        }
    }
    inside
}

/// The fields and kinds among these expressions, by name; without punctuation.
fn part_names(arena: &ExprArena, expressions: &HashSet<ExprId>) -> Vec<String> {
    let mut names: Vec<String> = expressions
        .iter()
        .filter_map(|&ex| match arena.get(ex) {
            GrammarExpr::Field { name, .. } => Some(name.to_string()),
            GrammarExpr::Leaf(leaf) => Some(leaf.kind.to_string()),
            _ => None,
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::super::toy::{lit, opt, seq, star, sym, toy_grammar};
    use super::*;

    fn optional<'a>(rule: &'a str, part: &'a str, stand_in: &'a str) -> OptionalPart<'a> {
        OptionalPart {
            rule,
            part,
            stand_in,
        }
    }

    /// `r ::= a* b c`.
    fn grammar() -> Grammar {
        toy_grammar(seq(&[star(sym("a")), sym("b"), sym("c")]))
    }

    fn absent(grammar: &Grammar, kinds: &str) -> Option<Vec<(usize, String)>> {
        let class = |kind: char| {
            let mut classes = grammar.classes();
            classes.find(|&class| grammar.class_name(class) == kind.to_string())
        };
        let children = kinds.chars().map(|kind| GrammarChild {
            class: class(kind),
            gap: false,
        });
        let rule = grammar.find_rule("r").expect("there is r");
        let found = grammar.find_absent_parts(rule, &children.collect::<Vec<_>>(), false)?;
        let parts = found.into_iter();
        Some(
            parts
                .map(|part| (part.before, part.stand_in.into()))
                .collect(),
        )
    }

    #[test]
    fn a_required_part_becomes_an_option_and_its_absence_has_a_place() {
        let strict = grammar();
        assert_eq!(absent(&strict, "ac"), None);
        let rule = strict.find_rule("r").expect("there is r");
        let free = strict
            .with_optional_parts(&[optional("r", "b", "x")])
            .expect("it is required");
        assert_eq!(free.describe_expr(free.rule_body(rule)), "a* b? c");
        assert_eq!(absent(&free, "abc"), Some(vec![]));
        assert_eq!(absent(&free, "aac"), Some(vec![(2, "x".into())]));
        assert_eq!(absent(&free, "ab"), None);
        let both = [optional("r", "b", "x"), optional("r", "c", "y")];
        let free = grammar()
            .with_optional_parts(&both)
            .expect("both are required");
        assert_eq!(
            absent(&free, "a"),
            Some(vec![(1, "x".into()), (1, "y".into())])
        );
    }

    #[test]
    fn what_cannot_be_optional_is_said() {
        let grammar = || toy_grammar(seq(&[opt(sym("a")), sym("b"), lit(",")]));
        let wrong = |part| {
            let made = grammar().with_optional_parts(&[part]);
            made.err().expect("it is wrong").to_string()
        };
        for (part, says) in [
            (
                optional("s", "b", "x"),
                "there is no kind of node called `s`",
            ),
            (
                optional("r", "c", "x"),
                "`r` has no part called `c`; it has ,, a, b",
            ),
            (
                optional("r", "a", "x"),
                "`a` of `r` is not a part that the grammar requires",
            ),
            (
                optional("r", "b", " "),
                "`b` of `r` has nothing that stands in for it",
            ),
        ] {
            assert!(wrong(part).contains(says), "{says}: {}", wrong(part));
        }
    }
}
