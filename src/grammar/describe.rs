//! Writing expressions the way a person would.

use super::Grammar;
use super::expression::{Ex, ExId};

/// How tightly the text around an expression binds.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Around {
    Nothing,
    Choice,
    Sequence,
    Operator,
}

pub(super) fn describe(grammar: &Grammar, ex: ExId) -> String {
    let mut out = String::new();
    write(grammar, ex, Around::Nothing, &mut out);
    out
}

fn write(grammar: &Grammar, ex: ExId, around: Around, out: &mut String) {
    match grammar.ex(ex) {
        Ex::Leaf(leaf) if leaf.named => out.push_str(&leaf.kind),
        Ex::Leaf(leaf) => out.push_str(&format!("{:?}", &*leaf.kind)),
        Ex::Text => out.push_str("<text>"),
        Ex::Blank => out.push_str("<nothing>"),
        Ex::Hidden { name, .. } => out.push_str(name),
        Ex::Seq(members) => {
            let parts = members.iter().map(|&member| {
                let mut part = String::new();
                write(grammar, member, Around::Sequence, &mut part);
                part
            });
            let text = parts.collect::<Vec<_>>().join(" ");
            enclosed(around >= Around::Sequence, &text, out);
        }
        Ex::Choice(members) => choice(grammar, members, around, out),
        Ex::Star(inner) => quantified(grammar, *inner, "*", out),
        Ex::Plus(inner) => quantified(grammar, *inner, "+", out),
        Ex::Opt(inner) => quantified(grammar, *inner, "?", out),
        Ex::Sep {
            element, separator, ..
        } => {
            let bare = around < Around::Operator;
            if !bare {
                out.push('(');
            }
            quantified(grammar, *element, " % ", out);
            write(grammar, *separator, Around::Operator, out);
            if !bare {
                out.push(')');
            }
        }
        Ex::Field { name, inner } => {
            out.push_str(name);
            out.push_str(": ");
            write(grammar, *inner, Around::Operator, out);
        }
    }
}

/// An expression with an operator behind it. On a named part, the operator goes to what is named: `alternative: else_clause?`.
fn quantified(grammar: &Grammar, inner: ExId, operator: &str, out: &mut String) {
    write(grammar, inner, Around::Operator, out);
    out.push_str(operator);
}

/// Alternatives, each once: kinds of one name may differ in how the parser makes them, which nobody can see.
fn choice(grammar: &Grammar, members: &[ExId], around: Around, out: &mut String) {
    let mut seen: Vec<String> = Vec::with_capacity(members.len());
    for &member in members {
        let mut text = String::new();
        write(grammar, member, Around::Choice, &mut text);
        if !seen.contains(&text) {
            seen.push(text);
        }
    }
    match (&seen[..], members) {
        ([_], [only, ..]) => write(grammar, *only, around, out),
        _ => enclosed(around >= Around::Choice, &seen.join(" | "), out),
    }
}

/// A text, in parentheses if it must be.
fn enclosed(must: bool, text: &str, out: &mut String) {
    let (open, close) = if must { ("(", ")") } else { ("", "") };
    [open, text, close]
        .iter()
        .for_each(|part| out.push_str(part));
}
