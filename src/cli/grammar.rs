//! `lop grammar`: shows grammars the way lop reads them. For teaching, and for debugging grammars.

use std::collections::BTreeSet;
use std::io::{self, Write};

use thiserror::Error;

use crate::grammar::{Ex, ExId, Grammar, RuleId};
use crate::language::{self, Language};

/// Why `lop grammar` shows nothing.
#[derive(Debug, Error)]
pub enum GrammarCommandError {
    /// No language of that name.
    #[error("lop knows no language `{name}`{}", hint(near))]
    UnknownLanguage {
        /// What was asked for.
        name: String,
        /// Names that are much like it; all, if none is.
        near: Vec<String>,
    },
    /// No rule of that name.
    #[error("the grammar of {language} has no rule `{name}`{}", hint(near))]
    UnknownRule {
        /// The language.
        language: &'static str,
        /// What was asked for.
        name: String,
        /// Names that are much like it.
        near: Vec<String>,
    },
    /// The output is gone.
    #[error(transparent)]
    Output(#[from] io::Error),
}

fn hint(near: &[String]) -> String {
    if near.is_empty() {
        String::new()
    } else {
        format!("; there is {}", near.join(", "))
    }
}

const NOTATION: &str = "\
x?       x or nothing
x*       any number of x: each may go
x+       at least one x: each may go, but not all
x % \",\"  at least one x, with a \",\" between each two: with each x that goes, a \",\" goes
a | b    a or b
name: x  an x that is called name
_x       a rule that makes no node of its own
";

/// How wide a line of the list of rules may be.
const LINE: usize = 120;

/// Writes what was asked for: the languages; or the rules of a language, a line each; or one rule in full.
pub fn grammar(
    language: Option<&str>,
    rule: Option<&str>,
    out: &mut impl Write,
) -> Result<(), GrammarCommandError> {
    let Some(name) = language else {
        return Ok(list_languages(out)?);
    };
    let language = language::by_name(name).ok_or_else(|| unknown_language(name))?;
    match rule {
        None => Ok(list_rules(language, out)?),
        Some(rule) => show(language, rule, out),
    }
}

fn unknown_language(name: &str) -> GrammarCommandError {
    let all: Vec<&str> = language::languages().iter().map(|l| l.name).collect();
    let mut near = near(name, all.iter().copied());
    if near.is_empty() {
        near = all.iter().map(|&name| name.to_owned()).collect();
    }
    let name = name.to_owned();
    GrammarCommandError::UnknownLanguage { name, near }
}

fn list_languages(out: &mut impl Write) -> io::Result<()> {
    for language in language::languages() {
        let rules = language.grammar().rules().count();
        let extensions: Vec<String> = language
            .extensions
            .iter()
            .map(|e| format!(".{e}"))
            .collect();
        writeln!(
            out,
            "{:<12} {:<24} {rules} rules",
            language.name,
            extensions.join(" ")
        )?;
    }
    Ok(())
}

fn list_rules(language: &'static Language, out: &mut impl Write) -> io::Result<()> {
    let grammar = language.grammar();
    for rule in grammar.rules() {
        let line = format!(
            "{} ::= {}",
            grammar.rule_name(rule),
            grammar.describe(grammar.body(rule))
        );
        writeln!(out, "{}", shortened(&line))?;
    }
    write!(out, "\n{NOTATION}")
}

fn shortened(line: &str) -> String {
    if line.chars().count() <= LINE {
        return line.to_owned();
    }
    let mut short: String = line.chars().take(LINE - 1).collect();
    short.push('…');
    short
}

fn show(
    language: &'static Language,
    name: &str,
    out: &mut impl Write,
) -> Result<(), GrammarCommandError> {
    let grammar = language.grammar();
    let shown_as = rules_shown_as(grammar, name);
    if let Some(rule) = grammar.rule_named(name) {
        show_rule(grammar, rule, out)?;
    } else if let [first, ..] = shown_as[..] {
        show_rule(grammar, first, out)?;
    } else if grammar
        .classes()
        .any(|class| grammar.class_name(class) == name)
    {
        writeln!(out, "{name} is a token: it has no parts")?;
    } else {
        let rules = grammar.all_rules().map(|rule| grammar.rule_name(rule));
        let kinds = grammar.classes().map(|class| grammar.class_name(class));
        let near = near(name, rules.chain(kinds));
        let (language, name) = (language.name, name.to_owned());
        return Err(GrammarCommandError::UnknownRule {
            language,
            name,
            near,
        });
    }
    let others: Vec<&str> = shown_as
        .iter()
        .map(|&r| grammar.rule_name(r))
        .filter(|&r| r != name)
        .collect();
    if !others.is_empty() {
        writeln!(
            out,
            "\nNodes of these rules are shown as {name} too: {}",
            others.join(", ")
        )?;
    }
    Ok(())
}

/// The rules whose nodes are shown under this name.
fn rules_shown_as(grammar: &Grammar, name: &str) -> Vec<RuleId> {
    let shown = grammar
        .classes()
        .filter(|&class| grammar.class_name(class) == name);
    let rules: BTreeSet<RuleId> = shown.filter_map(|class| grammar.rule(class)).collect();
    rules.into_iter().collect()
}

fn show_rule(grammar: &Grammar, rule: RuleId, out: &mut impl Write) -> io::Result<()> {
    let body = grammar.body(rule);
    writeln!(
        out,
        "{} ::= {}",
        grammar.rule_name(rule),
        grammar.describe(body)
    )?;
    let hidden = hidden_rules(grammar, body);
    if !hidden.is_empty() {
        writeln!(out, "\nwhere")?;
    }
    for name in hidden {
        if let Some(rule) = grammar.rule_named(name) {
            writeln!(out, "  {name} ::= {}", grammar.describe(grammar.body(rule)))?;
        }
    }
    writeln!(out, "\nits parts, and what may stand in the place of each")?;
    for part in parts(grammar, body) {
        writeln!(out, "  {}", grammar.describe(part))?;
        writeln!(out, "      {}", place(grammar, part))?;
    }
    Ok(())
}

/// The hidden rules that an expression names, directly or through each other, in the order of their names.
fn hidden_rules(grammar: &Grammar, body: ExId) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    let mut open = vec![body];
    while let Some(ex) = open.pop() {
        let ex = grammar.ex(ex);
        match ex {
            Ex::Hidden { name, .. } if !names.insert(&**name) => {}
            _ => open.extend(ex.parts()),
        }
    }
    names
}

/// The parts of a right-hand side that are worth a line: lists, options, and nodes with names.
fn parts(grammar: &Grammar, body: ExId) -> Vec<ExId> {
    let mut parts: Vec<ExId> = Vec::new();
    let mut open = vec![body];
    while let Some(ex) = open.pop() {
        match grammar.ex(ex) {
            Ex::Leaf(leaf) if !leaf.named => {}
            Ex::Text | Ex::Blank => {}
            Ex::Seq(members) => open.extend(members.iter().rev()),
            Ex::Choice(members) if grammar.fitting(ex).next().is_none() => {
                open.extend(members.iter().rev())
            }
            Ex::Field { inner, .. } if grammar.fitting(*inner).next().is_none() => {
                open.push(*inner)
            }
            Ex::Opt(inner) | Ex::Star(inner) | Ex::Plus(inner) => {
                parts.push(ex);
                if grammar.fitting(*inner).next().is_none() {
                    open.push(*inner);
                }
            }
            _ => parts.push(ex),
        }
    }
    let mut seen = BTreeSet::new();
    parts.retain(|part| seen.insert(*part));
    parts
}

/// What may be done in the place of a part.
fn place(grammar: &Grammar, part: ExId) -> String {
    let list = match innermost(grammar, part) {
        Ex::Star(_) => "a list, may be empty; each",
        Ex::Plus(_) | Ex::Sep { .. } if grammar.nullable(part) => "a list, may go as a whole; each",
        Ex::Plus(_) | Ex::Sep { .. } => "a list, at least one; each",
        _ if grammar.nullable(part) => "may go;",
        _ => "",
    };
    let mut kinds: Vec<String> = Vec::new();
    for class in grammar.fitting(part) {
        let name = grammar.class_name(class);
        let name = if grammar.is_named(class) {
            name.to_owned()
        } else {
            format!("{name:?}")
        };
        if !kinds.contains(&name) {
            kinds.push(name);
        }
    }
    kinds.sort();
    let kinds = match &kinds[..] {
        [] => "no single node".to_owned(),
        kinds => kinds.join(", "),
    };
    format!("{list} {kinds}").trim_start().to_owned()
}

/// The list or whatever else is inside of options and names.
fn innermost(grammar: &Grammar, mut part: ExId) -> &Ex {
    loop {
        match grammar.ex(part) {
            Ex::Opt(inner) | Ex::Field { inner, .. } | Ex::Hidden { inner, .. } => part = *inner,
            ex => return ex,
        }
    }
}

/// The names that are much like `name`: a part of it, or few letters away; nearest first, at most five.
fn near<'a>(name: &str, all: impl Iterator<Item = &'a str>) -> Vec<String> {
    let lower = name.to_lowercase();
    let mut found: Vec<(usize, &str)> = all
        .filter_map(|other| {
            let away = distance(&lower, &other.to_lowercase());
            let close = away <= 1 + lower.chars().count() / 4;
            let part = lower.len() > 2 && other.to_lowercase().contains(&lower);
            (close || part).then_some((if close { away } else { 100 + away }, other))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
        .into_iter()
        .take(5)
        .map(|(_, name)| name.to_owned())
        .collect()
}

/// The number of letters to insert, delete or change (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let change = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(language: Option<&str>, rule: Option<&str>) -> String {
        let mut out = Vec::new();
        match grammar(language, rule, &mut out) {
            Ok(()) => String::from_utf8(out).expect("text"),
            Err(e) => format!("error: {e}"),
        }
    }

    #[test]
    fn a_rule_is_shown_as_a_person_would_write_it() {
        let text = shown(Some("c"), Some("if_statement"));
        assert!(text.starts_with(
            "if_statement ::= \"if\" condition: parenthesized_expression consequence: statement alternative: else_clause?\n"
        ));
        assert!(
            text.contains("  alternative: else_clause?\n      may go; else_clause\n"),
            "{text}"
        );
        let consequence = "  consequence: statement\n      attributed_statement, break_statement, ";
        assert!(text.contains(consequence), "{text}");
    }

    #[test]
    fn lists_are_explained() {
        let text = shown(Some("c"), Some("argument_list"));
        assert!(
            text.starts_with(
                "argument_list ::= \"(\" ((expression | compound_statement) % \",\")? \")\"\n"
            ),
            "{text}"
        );
        assert!(
            text.contains("a list, may go as a whole; each alignof_expression, "),
            "{text}"
        );
        assert!(shown(Some("c"), None).contains("x % \",\"  at least one x"));
    }

    #[test]
    fn every_rule_of_every_language_can_be_shown() {
        for language in language::languages() {
            for rule in language.grammar().all_rules() {
                let name = language.grammar().rule_name(rule);
                assert!(
                    shown(Some(language.name), Some(name)).starts_with(&format!("{name} ::= "))
                );
            }
        }
    }

    #[test]
    fn a_token_has_no_parts() {
        assert_eq!(
            shown(Some("c"), Some("identifier")),
            "identifier is a token: it has no parts\n"
        );
    }

    #[test]
    fn a_name_that_is_not_there_brings_its_neighbours() {
        assert_eq!(
            shown(Some("c"), Some("if_statment")),
            "error: the grammar of c has no rule `if_statment`; there is if_statement, do_statement"
        );
        assert_eq!(
            shown(Some("cobol"), None),
            "error: lop knows no language `cobol`; there is c"
        );
    }

    #[test]
    fn the_languages_are_listed_with_their_files() {
        assert!(shown(None, None).starts_with("c            .c .h .i "));
    }
}
