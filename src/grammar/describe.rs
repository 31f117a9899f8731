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
        Ex::Seq(members) => joined(grammar, members, " ", Around::Sequence, around, out),
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
    let mut seen: Vec<(ExId, String)> = Vec::with_capacity(members.len());
    for &member in members {
        let mut text = String::new();
        write(grammar, member, Around::Choice, &mut text);
        if seen.iter().all(|(_, other)| *other != text) {
            seen.push((member, text));
        }
    }
    match seen[..] {
        [(only, _)] => write(grammar, only, around, out),
        _ => {
            let members: Vec<ExId> = seen.into_iter().map(|(member, _)| member).collect();
            joined(grammar, &members, " | ", Around::Choice, around, out);
        }
    }
}

fn joined(
    grammar: &Grammar,
    members: &[ExId],
    by: &str,
    inside: Around,
    around: Around,
    out: &mut String,
) {
    let bare = around < inside;
    if !bare {
        out.push('(');
    }
    for (at, &member) in members.iter().enumerate() {
        if at > 0 {
            out.push_str(by);
        }
        write(grammar, member, inside, out);
    }
    if !bare {
        out.push(')');
    }
}
