//! What a grammar says of its statements and its logic, for passes that put something simpler in their places.

use super::error::BnfError;
use super::notation::{WrittenSetting, error_at};

/// The part that a token has in an expression of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogicRole {
    /// A constant.
    True,
    /// The other constant.
    False,
    /// Any of the two values.
    Any,
    /// A sign before its operand.
    Not,
    /// A sign between operands.
    And,
    /// A sign between operands.
    Or,
    /// Whether two operands are equal.
    Equal,
    /// Whether they differ.
    Differ,
}

impl LogicRole {
    /// Each directive, and the role that its texts have.
    pub const ALL: [(&'static str, LogicRole); 8] = [
        ("true", LogicRole::True),
        ("false", LogicRole::False),
        ("any", LogicRole::Any),
        ("not", LogicRole::Not),
        ("and", LogicRole::And),
        ("or", LogicRole::Or),
        ("equal", LogicRole::Equal),
        ("differ", LogicRole::Differ),
    ];
}

/// The settings of a grammar that passes over statements need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatementSettings {
    /// `%statement RULE "text"`: what a statement is, and the text of the one that does nothing.
    pub statement: Option<(String, Vec<u8>)>,
    /// `%assignment RULE TARGETS VALUES "text"`: parallel assignments, the rules of their two lists, and what stands for a target that
    /// takes no value.
    pub assignment: Option<([String; 3], Option<Vec<u8>>)>,
    /// `%expression RULE KEPT…`: what an expression is, and the rules in which it stays as it is.
    pub expression: Option<(String, Vec<String>)>,
    /// `%constraint RULE "text" "text"`: a part that may go where its expression is true, what begins a statement that assumes an expression,
    /// and what stands before a name in the part for its value after the statement. Both texts or none.
    pub constraint: Option<(String, Option<[Vec<u8>; 2]>)>,
    /// `%initial ":=" ";"`: what stands between a name and a value, and behind the value, in a line that gives the name this value.
    pub initial: Option<[Vec<u8>; 2]>,
    /// `%true "T" "1"` and so on: the texts of each role, the usual one first.
    pub words: Vec<(LogicRole, Vec<u8>)>,
    /// `%order "*" "?"`: of programs with equally many tokens, the one with fewer of these is the smaller.
    pub counted: Vec<Vec<u8>>,
}

/// Whether a directive is one of these settings.
pub(super) fn is_statement_setting(directive: &str) -> bool {
    let roles = LogicRole::ALL.iter().map(|(name, _)| *name);
    roles
        .chain([
            "statement",
            "assignment",
            "expression",
            "constraint",
            "initial",
            "order",
        ])
        .any(|known| known == directive)
}

impl StatementSettings {
    /// Adds a setting.
    pub(super) fn add_setting(
        &mut self,
        text: &str,
        setting: WrittenSetting,
    ) -> Result<(), BnfError> {
        let WrittenSetting {
            directive,
            at,
            mut names,
            mut texts,
        } = setting;
        let wrong = |wants: &str| Err(error_at(text, at, format!("%{directive} wants {wants}")));
        let role = LogicRole::ALL.iter().find(|(name, _)| *name == directive);
        match (&directive[..], role) {
            (_, Some((_, role))) => {
                if !names.is_empty() || texts.is_empty() {
                    return wrong("texts in quotes");
                }
                self.words
                    .extend(texts.into_iter().map(|text| (*role, text)));
            }
            ("order", _) => {
                if !names.is_empty() || texts.is_empty() {
                    return wrong("texts in quotes");
                }
                self.counted.append(&mut texts);
            }
            ("statement", _) => match (names.pop(), texts.pop()) {
                (Some(rule), Some(empty)) if names.is_empty() && texts.is_empty() => {
                    self.statement = Some((rule, empty));
                }
                _ => return wrong("a rule, and the text of a statement that does nothing"),
            },
            ("assignment", _) => match <[String; 3]>::try_from(names) {
                Ok(rules) if texts.len() < 2 => self.assignment = Some((rules, texts.pop())),
                _ => {
                    return wrong(
                        "three rules, of assignments, of their targets and of their values, and at most a text",
                    );
                }
            },
            ("constraint", _) => match (names.pop(), <[Vec<u8>; 2]>::try_from(texts)) {
                (Some(rule), Ok(both)) if names.is_empty() => {
                    self.constraint = Some((rule, Some(both)));
                }
                (Some(rule), Err(none)) if names.is_empty() && none.is_empty() => {
                    self.constraint = Some((rule, None));
                }
                _ => return wrong("a rule, and two texts or none"),
            },
            ("initial", _) => match <[Vec<u8>; 2]>::try_from(texts) {
                Ok(both) if names.is_empty() => self.initial = Some(both),
                _ => return wrong("two texts in quotes"),
            },
            _ => {
                if names.is_empty() || !texts.is_empty() {
                    return wrong("a rule, and those in which it stays as it is");
                }
                let rule = names.remove(0);
                self.expression = Some((rule, names));
            }
        }
        Ok(())
    }

    /// The first name that is not that of a rule.
    pub(super) fn find_unknown_rule(&self, is_rule: impl Fn(&str) -> bool) -> Option<&str> {
        let statement = self.statement.iter().map(|(rule, _)| rule);
        let assignment = self.assignment.iter().flat_map(|(rules, _)| rules);
        let expression = self.expression.iter();
        let expression = expression.flat_map(|(rule, kept)| std::iter::once(rule).chain(kept));
        let mut all = statement
            .chain(assignment)
            .chain(expression)
            .chain(self.constraint.iter().map(|(rule, _)| rule));
        all.find(|rule| !is_rule(rule)).map(String::as_str)
    }
}
