//! Expressions: (program, expression, what it could become).

use std::path::Path;
use std::sync::Arc;

use super::edit::{plan_expression, remove_parentheses};
use super::read::{LogicReader, expression_places};
use crate::language;
use crate::program::{self, Edit, Version, View, walk};

/// A program that assumes the expression.
fn assume(expression: &str) -> Version {
    let text = format!("decl a, b, c, d;\nvoid main() begin assume {expression}; end\n");
    let language = language::by_name("boolean-program");
    let source = (language, Path::new("a.bp").into(), text.as_bytes().into());
    program::read_documents(vec![source]).expect("it is read")
}

/// What the expression of the only statement becomes by each of its candidates, as the program then has it.
fn become_each(expression: &str) -> Vec<String> {
    let version = assume(expression);
    let view = View::new(version.clone());
    let places = expression_places(&view);
    let [place] = &places[..] else {
        panic!("one place: {expression}")
    };
    let facts = place.language.statements().expect("it has statements");
    let read = LogicReader::new(place.language, facts).read_expression(place.node);
    let candidates = read.logic.candidates();
    let edits = candidates.iter().map(|new| -> Edit {
        plan_expression(place.language, facts, &read, new)
            .into_iter()
            .collect()
    });
    edits
        .map(|edit| {
            let (new, _) = program::apply_edit(&version, &edit).expect("it can be made");
            let text =
                String::from_utf8_lossy(&walk::render_text(&new.documents()[0].root)).into_owned();
            let (_, rest) = text.split_once("assume ").expect("the statement");
            rest.split(';').next().unwrap_or_default().to_owned()
        })
        .collect()
}

#[test]
fn an_expression_becomes_what_bp_reduce_tries_in_its_order() {
    let rows: &[(&str, &[&str])] = &[
        ("a & b", &["b", "F", "a"]),
        ("a | b", &["T", "b", "a"]),
        ("a & (b | c)", &["b | c", "F", "a", "a & c", "a & b"]),
        ("*", &["T", "F"]),
        ("* | *", &["T", "F"]),
        ("* = *", &["T", "F"]),
        ("T", &[]),
        ("0", &[]),
        ("a", &["T", "F"]),
        ("!a", &["F", "T"]),
        ("a = b", &["b", "!b", "a", "!a"]),
        ("a != b", &["!b", "b", "!a", "a"]),
    ];
    for (expression, expected) in rows {
        assert_eq!(become_each(expression), *expected, "{expression}");
    }
}

#[test]
fn what_the_families_read_differently_is_replaced_in_place() {
    assert_eq!(
        become_each("a = b | c"),
        [
            "T = b | c",
            "F = b | c",
            "a = T | c",
            "a = F | c",
            "a = b | T",
            "a = b | F"
        ]
    );
    assert_eq!(become_each("a -> b")[..2], ["T -> b", "F -> b"]);
    assert_eq!(
        become_each("schoose[a, b]"),
        [
            "schoose[T, b]",
            "schoose[F, b]",
            "schoose[a, T]",
            "schoose[a, F]"
        ]
    );
}

#[test]
fn an_operand_that_is_written_anew_keeps_its_parentheses() {
    let expression = "!((a | (b & c & d)) | (a & d))";
    let expected = ["F", "!(b&c&d|(a&d))", "!(a|c&d|a&d)"];
    let all = become_each(expression).into_iter();
    let all: Vec<String> = all.map(|text| text.replace(' ', "")).collect();
    assert_eq!(all[..3], expected);
}

#[test]
fn needless_parentheses_go_with_the_tokens_around_what_stays() {
    let rows = [
        ("((a))", "a"),
        ("(!a) | (b & (c | d))", "!a | b & (c | d)"),
        ("(a & (!(b | c)))", "a & !(b | c)"),
        // The families bind these differently.
        ("(a = b) | c", "(a = b) | c"),
        ("(a -> b) & (c)", "(a -> b) & c"),
        ("(schoose[(a), b]) & c", "schoose[a, b] & c"),
    ];
    for (expression, expected) in rows {
        let version = assume(expression).keeping_layout(true);
        let view = View::new(version.clone());
        let place = &expression_places(&view)[0];
        let facts = place.language.statements().expect("it has statements");
        let read = LogicReader::new(place.language, facts).read_expression(place.node);
        let ops = remove_parentheses(&read, &[]);
        let (new, _) = program::apply_edit(&version, &ops.into_iter().collect()).expect("made");
        let text = walk::render_text(&new.documents()[0].root);
        let text = String::from_utf8_lossy(&text).into_owned();
        assert!(
            text.contains(&format!("assume {expected};")),
            "{expression}: {text}"
        );
    }
}

#[test]
fn operands_keep_their_tokens() {
    let version = assume("a & b & c");
    let view = View::new(version.clone());
    let place = &expression_places(&view)[0];
    let facts = place.language.statements().expect("it has statements");
    let read = LogicReader::new(place.language, facts).read_expression(place.node);
    let first = &read.logic.candidates()[0];
    let ops = plan_expression(place.language, facts, &read, first);
    assert!(
        matches!(ops[..], [program::EditOp::DeleteItems { .. }]),
        "{ops:?}"
    );
    let tokens: Arc<[_]> = walk::iter_leaves(place.node).map(|leaf| leaf.id).collect();
    let (new, _) = program::apply_edit(&version, &ops.into_iter().collect()).expect("it is made");
    assert!(new.find_node(tokens[2]).is_some() && new.find_node(tokens[4]).is_some());
}
