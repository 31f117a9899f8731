//! Statements, assignments and expressions of a language, by the classes of their nodes: for passes that put something simpler in their
//! places. Only grammars in BNF say so (`%statement`, `%assignment`, `%expression`).

use std::collections::{HashMap, HashSet};

use crate::grammar::bnf::{LogicRole, StatementSettings};
use crate::grammar::{ExprId, Grammar, GrammarExpr, NodeClass};

/// A rule, and the classes of the nodes that stand for it alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceKind {
    class: NodeClass,
    alone: Vec<NodeClass>,
    /// The classes of the nodes that have such nodes inside.
    around: Vec<NodeClass>,
}

impl PlaceKind {
    pub(super) fn of_rule(grammar: &Grammar, rule: &str) -> Option<PlaceKind> {
        let class = class_of_rule(grammar, rule)?;
        let mut open: Vec<ExprId> = grammar
            .all_rules()
            .map(|rule| grammar.rule_body(rule))
            .collect();
        let mut alone = vec![class];
        while let Some(ex) = open.pop() {
            match grammar.expression(ex) {
                GrammarExpr::Leaf(leaf) if &*leaf.kind == rule && leaf.named => {
                    alone.extend(&leaf.classes);
                }
                ex => open.extend(ex.parts()),
            }
        }
        alone.sort_unstable();
        alone.dedup();
        let around = classes_around(grammar, rule);
        Some(PlaceKind {
            class,
            alone,
            around,
        })
    }

    /// The same of a node that may be new text, which has no class: its place must be one for these alone.
    pub fn matches_place(
        &self,
        grammar: &Grammar,
        class: Option<NodeClass>,
        expected: ExprId,
    ) -> bool {
        match class {
            Some(class) => self.matches(grammar, class, expected),
            None => {
                grammar.class_fits(self.class, expected) && self.holds_only_these(grammar, expected)
            }
        }
    }

    /// Whether a place is for nodes of this kind alone, of all of its classes.
    fn holds_only_these(&self, grammar: &Grammar, expected: ExprId) -> bool {
        let mut fitting = grammar.fitting_classes(expected);
        fitting.all(|class| self.alone.binary_search(&class).is_ok())
    }

    /// Whether a node of one of the classes stands for such a node, in a place where else stands only what has such nodes inside, and something
    /// does: it is one that needs nothing around it, as a statement without a semicolon. An operand of an expression is none.
    pub fn stands_without_rest(
        &self,
        grammar: &Grammar,
        class: NodeClass,
        expected: ExprId,
    ) -> bool {
        let is_one = |class: &NodeClass| self.alone.binary_search(class).is_ok();
        let mut others = grammar
            .fitting_classes(expected)
            .filter(|other| !is_one(other))
            .peekable();
        is_one(&class)
            && others.peek().is_some()
            && others.all(|other| self.around.binary_search(&other).is_ok())
    }

    /// Whether a node of this class, in a place where `expected` is expected, is one of these.
    pub fn matches(&self, grammar: &Grammar, class: NodeClass, expected: ExprId) -> bool {
        self.alone.binary_search(&class).is_ok() && grammar.class_fits(self.class, expected)
    }
}

/// What a language says of its statements.
#[derive(Clone, Debug, Default)]
pub struct StatementFacts {
    /// What a statement is, and the text of the one that does nothing.
    pub statement: Option<(PlaceKind, Vec<u8>)>,
    /// Parallel assignments.
    pub assignment: Option<AssignmentKind>,
    /// What an expression is, and the classes of the nodes in which it stays as it is.
    pub expression: Option<(PlaceKind, Vec<NodeClass>)>,
    /// The class of a part that may go where its expression is true.
    pub constraint: Option<NodeClass>,
    /// What begins a statement that assumes an expression, and what stands before a name in a constraint for its value after the statement.
    pub assumption: Option<[Vec<u8>; 2]>,
    /// What stands between a name and a value, and behind the value, in a line that gives the name this value.
    pub initial: Option<[Vec<u8>; 2]>,
    words: Vec<(LogicRole, Vec<u8>)>,
    counted: Vec<Vec<u8>>,
}

/// Parallel assignments.
#[derive(Clone, Debug)]
pub struct AssignmentKind {
    /// The class of an assignment.
    pub class: NodeClass,
    /// The class of a list of several targets.
    pub targets: NodeClass,
    /// The class of a list of several values.
    pub values: NodeClass,
    /// What stands for a target that takes no value.
    pub ignored: Option<Vec<u8>>,
}

/// The classes of the rules that have this rule inside, directly or through others.
fn classes_around(grammar: &Grammar, rule: &str) -> Vec<NodeClass> {
    let mut users: HashMap<&str, Vec<&str>> = HashMap::new();
    for user in grammar.all_rules() {
        let mut open = vec![grammar.rule_body(user)];
        while let Some(ex) = open.pop() {
            match grammar.expression(ex) {
                GrammarExpr::Leaf(leaf) if leaf.named => {
                    let known = users.entry(&leaf.kind).or_default();
                    known.push(grammar.rule_name(user));
                }
                ex => open.extend(ex.parts()),
            }
        }
    }
    let (mut found, mut open) = (HashSet::new(), vec![rule]);
    while let Some(inside) = open.pop() {
        let new = users.get(inside).into_iter().flatten().copied();
        open.extend(new.filter(|user| found.insert(*user)));
    }
    let classes = grammar.classes().filter(|&class| {
        let own = grammar.rule_of_class(class);
        own.is_some_and(|own| found.contains(grammar.rule_name(own)))
    });
    classes.collect()
}

fn class_of_rule(grammar: &Grammar, rule: &str) -> Option<NodeClass> {
    let rule = grammar.find_rule(rule)?;
    let mut classes = grammar.classes();
    classes.find(|&class| grammar.rule_of_class(class) == Some(rule))
}

impl StatementFacts {
    /// The facts by the settings of a grammar in BNF.
    pub(super) fn from_settings(grammar: &Grammar, settings: &StatementSettings) -> StatementFacts {
        let class = |rule: &String| class_of_rule(grammar, rule);
        let constraint = settings.constraint.as_ref();
        StatementFacts {
            statement: settings.statement.as_ref().and_then(|(rule, empty)| {
                Some((PlaceKind::of_rule(grammar, rule)?, empty.clone()))
            }),
            assignment: settings.assignment.as_ref().and_then(|(rules, ignored)| {
                let [assignment, targets, values] = rules;
                Some(AssignmentKind {
                    class: class(assignment)?,
                    targets: class(targets)?,
                    values: class(values)?,
                    ignored: ignored.clone(),
                })
            }),
            expression: settings.expression.as_ref().and_then(|(rule, kept)| {
                let kept = kept.iter().filter_map(class).collect();
                Some((PlaceKind::of_rule(grammar, rule)?, kept))
            }),
            constraint: constraint.and_then(|(rule, _)| class(rule)),
            assumption: constraint.and_then(|(_, texts)| texts.clone()),
            initial: settings.initial.clone(),
            words: settings.words.clone(),
            counted: settings.counted.clone(),
        }
    }

    /// Whether passes over statements have something to do.
    pub fn has_statements(&self) -> bool {
        self.statement.is_some() || self.assignment.is_some() || self.expression.is_some()
    }

    /// The role of a token in an expression.
    pub fn logic_role(&self, text: &[u8]) -> Option<LogicRole> {
        let mut words = self.words.iter();
        words.find(|(_, word)| word == text).map(|(role, _)| *role)
    }

    /// The usual text of a role.
    pub fn logic_text(&self, role: LogicRole) -> Option<&[u8]> {
        let mut words = self.words.iter();
        words
            .find(|(known, _)| *known == role)
            .map(|(_, word)| &word[..])
    }

    /// The text of a constant as lop writes it; none if this is no constant.
    pub fn constant_text(&self, text: &[u8]) -> Option<&[u8]> {
        let role = self.logic_role(text)?;
        let is_constant = matches!(role, LogicRole::True | LogicRole::False);
        self.logic_text(role).filter(|_| is_constant)
    }

    /// The texts of which fewer make a program smaller.
    pub fn counted_texts(&self) -> &[Vec<u8>] {
        &self.counted
    }
}
