//! Constant folding: an operation of two numbers, or of one, becomes its value. Which operators a language computes like that is data
//! (`constants` in `language.toml`).
//!
//! A wrong value of a compiler often needs a number that no part of the expression is: of `200 - 55` neither side will do. The pass comes behind
//! *unfold*, which puts known values in the places of names. Numbers are integers without sign; the value has at most as many tokens as the operation. C-Vise
//! (`clang_delta`) and Reduktor fold constants too.

use std::sync::Arc;

use crate::language::Language;
use crate::pass::PassKind;
use crate::pass::passes::coupled::coupled_pass;
use crate::pass::shared::name_substitution::{TokenTexts, token_leaves};
use crate::pass::shared::place_questions::{FoundQuestion, PlacePass, QuestionPlace};
use crate::program::{
    Edit, EditAction, EditOp, EditReason, ProgramNode, QuestionWords, Replacement, Version, View,
    text_excerpt, walk,
};

/// Values in the place of operations.
pub static CONSTANTS: PassKind = coupled_pass(
    "constants",
    "replaces an operation of numbers by its value (constant folding)",
    |_, _| Box::new(PlacePass::over_names(next_question)),
);

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    let operations = list_operations(&view.version);
    from.find_only(view, &operations, |(node, value)| {
        Some(replace_operation(node, value))
    })
}

/// The operations that have a value, in the order of the text, each with the tokens of its value.
fn list_operations(version: &Version) -> Vec<(&Arc<ProgramNode>, TokenTexts)> {
    let mut found = Vec::new();
    for document in version.documents() {
        let Some(language) = document.language else {
            continue;
        };
        for node in walk::preorder(&document.root) {
            if !(2..=3).contains(&node.sums().tokens) || !is_operation(language, node) {
                continue;
            }
            let value = compute_operation(language, node);
            found.extend(value.map(|value| (node, value)));
        }
    }
    found
}

fn is_operation(language: &'static Language, node: &ProgramNode) -> bool {
    let kinds = &language.constant_operations().kinds;
    let kind = node.class.map(|class| language.grammar().class_name(class));
    kind.is_some_and(|kind| kinds.iter().any(|known| known == kind))
}

/// The tokens of the value of a node that is an operation of numbers.
fn compute_operation(language: &'static Language, node: &Arc<ProgramNode>) -> Option<TokenTexts> {
    let leaves: Vec<_> = token_leaves(node).collect();
    let operator = leaves.get(leaves.len().checked_sub(2)?)?;
    let operator = std::str::from_utf8(operator.text()).ok()?;
    let known = language.constant_operations();
    known.operators.iter().find(|known| *known == operator)?;
    let value = match leaves[..] {
        [_, operand] => read_number(language, operand)?.apply_unary(operator)?,
        [left, _, right] => {
            let right = read_number(language, right)?;
            read_number(language, left)?.apply_binary(operator, right)?
        }
        _ => return None,
    };
    let digits =
        Arc::from(format!("{}{}", value.magnitude.unsigned_abs(), value.suffix).as_bytes());
    match value.magnitude < 0 {
        false => Some([digits].into()),
        true if leaves.len() > 2 && value.suffix.is_empty() => {
            Some([b"-"[..].into(), digits].into())
        }
        true => None,
    }
}

fn read_number<'a>(
    language: &'static Language,
    leaf: &'a Arc<ProgramNode>,
) -> Option<IntegerLiteral<'a>> {
    language.literal_texts(leaf.class?)?;
    IntegerLiteral::from_text(std::str::from_utf8(leaf.text()).ok()?)
}

fn replace_operation(node: &Arc<ProgramNode>, value: &TokenTexts) -> (Edit, EditReason) {
    let piece = Replacement::Tokens(value.clone());
    let edit = EditOp::Replace {
        node: node.id,
        piece,
    };
    let text = String::from_utf8_lossy(&value.concat()).into_owned();
    let words =
        QuestionWords::ask_change(&text_excerpt(node, 40), &text).because("this is its value");
    let why = EditReason {
        pass: CONSTANTS.name,
        action: EditAction::Question(words),
        node: Some(node.id),
    };
    (edit.into(), why)
}

/// A number and the letters behind it, which say its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct IntegerLiteral<'a> {
    magnitude: i128,
    suffix: &'a str,
}

impl<'a> IntegerLiteral<'a> {
    /// None if it is no integer.
    fn from_text(text: &'a str) -> Option<IntegerLiteral<'a>> {
        let prefixes = [
            ("0x", 16),
            ("0X", 16),
            ("0b", 2),
            ("0B", 2),
            ("0o", 8),
            ("0O", 8),
        ];
        let prefixed = prefixes
            .iter()
            .find_map(|(prefix, base)| Some((text.strip_prefix(prefix)?, *base)));
        let (digits, base) = prefixed.unwrap_or((text, 10));
        let is_digit = |c: char| c.is_digit(base) || matches!(c, '_' | '\'');
        let end = digits.find(|c| !is_digit(c)).unwrap_or(digits.len());
        let end = digits[..end].trim_end_matches(['_', '\'']).len();
        let (digits, suffix) = digits.split_at(end);
        let is_fraction = suffix.starts_with(['.', 'e', 'E', 'p', 'P']);
        if is_fraction || !suffix.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return None;
        }
        // In some languages a number with a zero before it is octal.
        if !digits.starts_with(|c: char| c.is_digit(base))
            || base == 10 && digits.len() > 1 && digits.starts_with('0')
        {
            return None;
        }
        let digits: String = digits.chars().filter(|c| c.is_digit(base)).collect();
        let magnitude = i64::from_str_radix(&digits, base).ok()?.into();
        Some(IntegerLiteral { magnitude, suffix })
    }

    fn apply_unary(self, operator: &str) -> Option<IntegerLiteral<'a>> {
        let magnitude = match operator {
            "!" => i128::from(self.magnitude == 0),
            "-" | "+" if self.magnitude == 0 => 0,
            _ => return None,
        };
        Some(IntegerLiteral { magnitude, ..self })
    }

    /// None if the value is no integer, is not defined, or the types differ.
    fn apply_binary(self, operator: &str, other: IntegerLiteral) -> Option<IntegerLiteral<'a>> {
        if self.suffix != other.suffix {
            return None;
        }
        let (left, right) = (self.magnitude, other.magnitude);
        // Where integers have 32 bits, what has more means something else.
        let shift = || u32::try_from(right).ok().filter(|places| *places < 31);
        let magnitude = match operator {
            "+" => left + right,
            "-" => left - right,
            "*" => left * right,
            "/" | "//" if right != 0 && left % right == 0 => left / right,
            "%" if right != 0 => left % right,
            "<<" => left << shift()?,
            ">>" => left >> shift()?,
            "&" => left & right,
            "|" => left | right,
            "^" => left ^ right,
            "<" => i128::from(left < right),
            ">" => i128::from(left > right),
            "<=" => i128::from(left <= right),
            ">=" => i128::from(left >= right),
            "==" => i128::from(left == right),
            "!=" => i128::from(left != right),
            "&&" => i128::from(left != 0 && right != 0),
            "||" => i128::from(left != 0 || right != 0),
            _ => return None,
        };
        let most = if operator.len() == 2 {
            i32::MAX.into()
        } else {
            i64::MAX
        };
        let is_known = |number: i128| number.abs() <= i128::from(most);
        [left, right, magnitude]
            .into_iter()
            .all(is_known)
            .then_some(IntegerLiteral { magnitude, ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language;

    #[test]
    fn operations_are_kinds_of_nodes() {
        for language in language::all_languages() {
            for kind in &language.constant_operations().kinds {
                let grammar = language.grammar();
                let mut classes = grammar.classes();
                let known = classes.any(|class| grammar.class_name(class) == kind);
                assert!(known, "{language:?}: {kind}");
            }
        }
    }

    #[test]
    fn integers_are_read_in_any_base_and_keep_their_suffix() {
        for (text, number) in [
            ("0", Some((0, ""))),
            ("1_000", Some((1000, ""))),
            ("0x1Fu", Some((31, "u"))),
            ("0b101", Some((5, ""))),
            ("017", None),
            ("'1'", None),
            ("0x1p3", None),
            ("1_km", Some((1, "_km"))),
            ("7usize", Some((7, "usize"))),
            ("1'000L", Some((1000, "L"))),
            ("1.5", None),
            ("1e3", None),
            ("09", None),
            ("99999999999999999999", None),
        ] {
            let read = IntegerLiteral::from_text(text);
            let read = read.map(|number| (number.magnitude, number.suffix));
            assert_eq!(read, number, "{text}");
        }
    }

    #[test]
    fn an_operation_has_a_value_where_it_is_an_integer_that_is_defined() {
        let number = |magnitude, suffix| IntegerLiteral { magnitude, suffix };
        for (left, operator, right, value) in [
            (number(200, ""), "-", number(55, ""), Some(145)),
            (number(1, ""), "-", number(2, ""), Some(-1)),
            (number(7, ""), "/", number(2, ""), None),
            (number(8, ""), "/", number(2, ""), Some(4)),
            (number(8, ""), "%", number(0, ""), None),
            (number(1, ""), "<<", number(40, ""), None),
            (number(1 << 40, ""), ">>", number(1, ""), None),
            (number(1, ""), "<<", number(4, ""), Some(16)),
            (number(1, "u"), "+", number(2, "u"), Some(3)),
            (number(1, "u"), "+", number(2, ""), None),
            (number(i128::from(i64::MAX), ""), "*", number(2, ""), None),
            (number(3, ""), "<", number(4, ""), Some(1)),
            (number(3, ""), "=", number(4, ""), None),
        ] {
            let found = left.apply_binary(operator, right);
            assert_eq!(
                found.map(|found| found.magnitude),
                value,
                "{left:?} {operator} {right:?}"
            );
        }
    }
}
