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

    /// The settings as a grammar has them, one a line.
    pub fn describe(&self) -> Vec<String> {
        let quote = |text: &Vec<u8>| format!(" {:?}", String::from_utf8_lossy(text));
        let quote_all = |texts: &[Vec<u8>]| texts.iter().map(quote).collect::<String>();
        let statement = self.statement.iter();
        let statement = statement.map(|(rule, text)| format!("%statement {rule}{}", quote(text)));
        let assignment = self.assignment.iter().map(|(rules, ignored)| {
            let ignored = ignored.as_ref().map(quote).unwrap_or_default();
            format!("%assignment {}{ignored}", rules.join(" "))
        });
        let expression = self.expression.iter().map(|(rule, kept)| {
            let kept: String = kept.iter().map(|rule| format!(" {rule}")).collect();
            format!("%expression {rule}{kept}")
        });
        let constraint = self.constraint.iter().map(|(rule, texts)| {
            let texts = texts.as_ref().map(|texts| quote_all(texts));
            format!("%constraint {rule}{}", texts.unwrap_or_default())
        });
        let initial = self.initial.iter();
        let initial = initial.map(|texts| format!("%initial{}", quote_all(texts)));
        let words = LogicRole::ALL.iter().filter_map(|(name, role)| {
            let own = self.words.iter().filter(|(known, _)| known == role);
            let texts: String = own.map(|(_, text)| quote(text)).collect();
            (!texts.is_empty()).then(|| format!("%{name}{texts}"))
        });
        let order =
            (!self.counted.is_empty()).then(|| format!("%order{}", quote_all(&self.counted)));
        statement
            .chain(assignment)
            .chain(expression)
            .chain(constraint)
            .chain(initial)
            .chain(words)
            .chain(order)
            .collect()
    }
}
