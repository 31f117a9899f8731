//! Parts that a grammar requires and compilers do not: *dispensable* parts.
//!
//! The grammar of a parser is one reading of a language. Of C it wants the type of every declaration, and compilers do not. So the data of a language
//! may name such parts, each with a *stand-in*: a text that the parser takes for the part where it is absent.
//!
//! The normal form is that of the grammar, in which these parts are required. A second grammar, in which they are optional, only says which of them are
//! absent in a node.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

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

/// A dispensable part of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DispensablePart {
    /// Its number among those of the grammar.
    pub number: usize,
    /// Its children, by their indices; empty in its place where it is absent.
    pub children: Range<usize>,
    /// What the parser takes for it where it is absent.
    pub stand_in: Box<str>,
}

impl DispensablePart {
    /// Whether it is absent.
    pub fn is_absent(&self) -> bool {
        self.children.is_empty()
    }
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

/// The dispensable parts of a grammar.
pub(super) struct DispensableParts {
    /// The grammar in which they are optional. Its classes and rules are those of the strict one, and so are all expressions of that.
    grammar: Grammar,
    /// The rule, the option and the stand-in of each.
    options: Vec<(RuleId, ExprId, Box<str>)>,
}

impl Grammar {
    /// The same grammar, of which these parts of nodes may be absent.
    ///
    /// # Errors
    /// When a rule or a part does not exist, or the grammar does not require it.
    pub fn with_optional_parts(self, parts: &[OptionalPart]) -> Result<Grammar, OptionalPartError> {
        if parts.is_empty() {
            return Ok(self);
        }
        let mut rules = self.rules.clone();
        let mut arena = ExprArena::from_expressions(self.expressions.clone());
        let mut options: Vec<(RuleId, ExprId, Box<str>)> = Vec::new();
        for part in parts {
            let (rule, name) = (part.rule.to_owned(), part.part.to_owned());
            let found = self.find_rule(part.rule);
            let Some(id) = found.filter(|&id| self.is_visible(id)) else {
                return Err(OptionalPartError::UnknownRule(rule));
            };
            if part.stand_in.trim().is_empty() {
                return Err(OptionalPartError::NoStandIn { rule, part: name });
            }
            let body = rules[id.0 as usize].body;
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
            rules[id.0 as usize].body = changed;
            let own = made.into_iter().map(|ex| (id, ex, part.stand_in.into()));
            options.extend(own);
        }
        let (classes, expressions) = (self.classes.clone(), arena.into_expressions());
        let grammar = Grammar::from_parts(self.name.clone(), rules, classes, expressions);
        Ok(Grammar {
            dispensable: Some(Box::new(DispensableParts { grammar, options })),
            ..self
        })
    }

    /// Whether nodes of the rule have parts that may be absent only by [`Grammar::with_optional_parts`].
    pub fn has_optional_parts(&self, rule: RuleId) -> bool {
        let mut parts = self.dispensable.iter().flat_map(|parts| &parts.options);
        parts.any(|(own, ..)| *own == rule)
    }

    /// The rules that have such parts, with the parts as [`Grammar::describe_expr`] writes them, and their stand-ins.
    pub fn optional_parts(&self) -> impl Iterator<Item = (RuleId, String, &str)> {
        let all = self.dispensable.iter();
        all.flat_map(|parts| {
            let options = parts.options.iter();
            options
                .map(|(rule, ex, stand_in)| (*rule, parts.grammar.describe_expr(*ex), &**stand_in))
        })
    }

    /// These parts of a node with these children, by the derivation where all of them are optional. None if there is no derivation, or no such part.
    pub fn find_dispensable_parts(
        &self,
        rule: RuleId,
        children: &[GrammarChild],
        trailing_gap: bool,
    ) -> Option<Vec<DispensablePart>> {
        let DispensableParts { grammar, options } = self.dispensable.as_deref()?;
        let automaton = grammar.rule_automaton(rule);
        let found = derive::find_options(automaton, children, trailing_gap)?;
        let parts = found.into_iter().filter_map(|(children, option)| {
            let mut own = options.iter();
            let number = own.position(|&(of, ex, _)| (of, ex) == (rule, option))?;
            let stand_in = options[number].2.clone();
            Some(DispensablePart {
                number,
                children,
                stand_in,
            })
        });
        Some(parts.collect())
    }
}

/// `ex` with each part of this name optional. The options that are new go to `made`. Recursion is as deep as a rule's expression.
fn make_optional(arena: &mut ExprArena, ex: ExprId, part: &str, made: &mut Vec<ExprId>) -> ExprId {
    let expression = arena.get(ex).clone();
    let is_part = match &expression {
        GrammarExpr::Field { name, .. } => **name == *part,
        GrammarExpr::Leaf(leaf) => *leaf.kind == *part,
        _ => false,
    };
    if is_part {
        let option = arena.add_opt(ex);
        made.push(option);
        return option;
    }
    let mut inside = |arena: &mut ExprArena, inner| make_optional(arena, inner, part, made);
    match expression {
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
        let found = grammar.find_dispensable_parts(rule, &children.collect::<Vec<_>>(), false)?;
        let absent = found.into_iter().filter(DispensablePart::is_absent);
        Some(
            absent
                .map(|part| (part.children.start, part.stand_in.into()))
                .collect(),
        )
    }

    #[test]
    fn a_required_part_may_be_absent_in_its_place() {
        let strict = grammar();
        assert_eq!(absent(&strict, "ac"), None);
        let rule = strict.find_rule("r").expect("there is r");
        let strictly = strict.describe_expr(strict.rule_body(rule));
        let free = strict
            .with_optional_parts(&[optional("r", "b", "x")])
            .expect("it is required");
        assert_eq!(free.describe_expr(free.rule_body(rule)), strictly);
        let parts: Vec<_> = free.optional_parts().collect();
        assert_eq!(parts, [(rule, "b?".to_owned(), "x")]);
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
