//! Expressions as a person would write them.

use super::Grammar;
use super::expression::{ExprId, GrammarExpr};

/// How tightly the text around an expression binds.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum PrecedenceLevel {
    Nothing,
    Choice,
    Sequence,
    Operator,
}

pub(super) fn describe_expr(grammar: &Grammar, ex: ExprId) -> String {
    let mut out = String::new();
    write_expr(grammar, ex, PrecedenceLevel::Nothing, &mut out);
    out
}

fn write_expr(grammar: &Grammar, ex: ExprId, around: PrecedenceLevel, out: &mut String) {
    match grammar.expression(ex) {
        GrammarExpr::Leaf(leaf) if leaf.named => out.push_str(&leaf.kind),
        GrammarExpr::Leaf(leaf) => out.push_str(&format!("{:?}", &*leaf.kind)),
        GrammarExpr::Text => out.push_str("<text>"),
        GrammarExpr::Blank => out.push_str("<nothing>"),
        GrammarExpr::Hidden { name, .. } => out.push_str(name),
        GrammarExpr::Seq(members) => {
            let parts = members.iter().map(|&member| {
                let mut part = String::new();
                write_expr(grammar, member, PrecedenceLevel::Sequence, &mut part);
                part
            });
            let text = parts.collect::<Vec<_>>().join(" ");
            write_enclosed(around >= PrecedenceLevel::Sequence, &text, out);
        }
        GrammarExpr::Choice(members) => write_choice(grammar, members, around, out),
        GrammarExpr::Star(inner) => write_quantified(grammar, *inner, "*", out),
        GrammarExpr::Plus(inner) => write_quantified(grammar, *inner, "+", out),
        GrammarExpr::Opt(inner) => write_quantified(grammar, *inner, "?", out),
        GrammarExpr::Sep {
            element, separator, ..
        } => {
            let bare = around < PrecedenceLevel::Operator;
            if !bare {
                out.push('(');
            }
            write_quantified(grammar, *element, " % ", out);
            write_expr(grammar, *separator, PrecedenceLevel::Operator, out);
            if !bare {
                out.push(')');
            }
        }
        GrammarExpr::Field { name, inner } => {
            out.push_str(name);
            out.push_str(": ");
            write_expr(grammar, *inner, PrecedenceLevel::Operator, out);
        }
    }
}

/// An expression followed by an operator. On a named part, the operator belongs to the part without its name: `alternative: else_clause?`.
fn write_quantified(grammar: &Grammar, inner: ExprId, operator: &str, out: &mut String) {
    write_expr(grammar, inner, PrecedenceLevel::Operator, out);
    out.push_str(operator);
}

/// Alternatives, each once: kinds of one name may differ in how the parser makes them, which is not visible.
fn write_choice(grammar: &Grammar, members: &[ExprId], around: PrecedenceLevel, out: &mut String) {
    let mut seen: Vec<String> = Vec::with_capacity(members.len());
    for &member in members {
        let mut text = String::new();
        write_expr(grammar, member, PrecedenceLevel::Choice, &mut text);
        if !seen.contains(&text) {
            seen.push(text);
        }
    }
    match (&seen[..], members) {
        ([_], [only, ..]) => write_expr(grammar, *only, around, out),
        _ => write_enclosed(around >= PrecedenceLevel::Choice, &seen.join(" | "), out),
    }
}

/// A text, in parentheses if necessary.
fn write_enclosed(must: bool, text: &str, out: &mut String) {
    let (open, close) = if must { ("(", ")") } else { ("", "") };
    [open, text, close]
        .iter()
        .for_each(|part| out.push_str(part));
}
