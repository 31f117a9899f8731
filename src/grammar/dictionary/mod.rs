//! Grammars as dictionaries, as Gopinath's posts and *The Fuzzing Book* (Zeller et al.) write them, in JSON or as a literal of Python:
//!
//! ```text
//! {"<start>": [["<expr>"]], "<expr>": [["<term>", "+", "<expr>"], ["<term>"]], …}
//! {"<start>": ["<expr>"],   "<expr>": ["<term> + <expr>", "<term>"], …}
//! ```
//!
//! A dictionary becomes a grammar in BNF without a lexer, and is nothing else from then on.

mod literal;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fmt::Write;

use super::bnf::{BnfError, error_at, name_length};
use literal::{LiteralKind, LiteralValue, read_literal};

/// The key of the first rule.
const START: &str = "<start>";

/// The grammar in BNF that a dictionary says.
///
/// Every string is text in which each key is a nonterminal. An alternative is a string, or a list of strings, one behind the other.
///
/// # Errors
/// The first error, and its place.
pub fn convert_dictionary(text: &str) -> Result<String, BnfError> {
    let value = read_literal(text)?;
    let LiteralKind::Dictionary(mut entries) = value.kind else {
        let what = "a grammar is a dictionary from nonterminals to lists of alternatives";
        return Err(error_at(text, value.at, what));
    };
    let mut keys = HashSet::new();
    for (key, at, _) in &entries {
        let name = inner_name(key);
        if name.is_none_or(|name| name.contains(['<', '>', '\n'])) {
            let what = format!("the key {key:?} is no nonterminal; write <{}>", key.trim());
            return Err(error_at(text, *at, what));
        }
        if !keys.insert(key.clone()) {
            return Err(error_at(text, *at, format!("{key} is defined twice")));
        }
    }
    let Some(start) = entries.iter().position(|(key, ..)| key == START) else {
        let what = "there is no key \"<start>\", where every derivation begins";
        return Err(error_at(text, value.at, what));
    };
    entries[..=start].rotate_right(1);
    let mut bnf = "%lexer none\n".to_owned();
    for (key, _, alternatives) in &entries {
        write_name(key, &mut bnf);
        bnf.push_str(" ::=");
        write_alternatives(text, key, alternatives, &keys, &mut bnf)?;
        bnf.push('\n');
    }
    Ok(bnf)
}

fn write_alternatives(
    text: &str,
    key: &str,
    alternatives: &LiteralValue,
    keys: &HashSet<String>,
    bnf: &mut String,
) -> Result<(), BnfError> {
    let LiteralKind::List(members) = &alternatives.kind else {
        let what = format!("{key} needs a list of alternatives; a single one is a list too");
        return Err(error_at(text, alternatives.at, what));
    };
    if members.is_empty() {
        let what = format!("{key} has no alternative; one that is empty is \"\" or []");
        return Err(error_at(text, alternatives.at, what));
    }
    for (at, member) in members.iter().enumerate() {
        bnf.push_str(if at > 0 { " |" } else { "" });
        match &member.kind {
            LiteralKind::Text(part) => write_parts(part, keys, bnf),
            LiteralKind::List(parts) => {
                for part in parts {
                    let LiteralKind::Text(part) = &part.kind else {
                        let what = "an alternative is a string, or a list of strings";
                        return Err(error_at(text, part.at, what));
                    };
                    write_parts(part, keys, bnf);
                }
            }
            LiteralKind::Dictionary(_) => {
                let what = "an alternative is a string, or a list of strings";
                return Err(error_at(text, member.at, what));
            }
        }
    }
    Ok(())
}

/// What is between `<` and `>`.
fn inner_name(key: &str) -> Option<&str> {
    key.strip_prefix('<')?
        .strip_suffix('>')
        .filter(|name| !name.is_empty())
}

fn write_name(key: &str, bnf: &mut String) {
    let name = inner_name(key).unwrap_or(key);
    bnf.push_str(match name_length(name) == name.len() {
        true => name,
        false => key,
    });
}

/// The texts and nonterminals of a string.
fn write_parts(part: &str, keys: &HashSet<String>, bnf: &mut String) {
    let (mut rest, mut plain) = (part, String::new());
    while let Some(first) = rest.chars().next() {
        let end = rest.find('>').filter(|_| first == '<');
        match end
            .map(|end| &rest[..=end])
            .filter(|key| keys.contains(*key))
        {
            Some(key) => {
                write_text(&plain, bnf);
                plain.clear();
                bnf.push(' ');
                write_name(key, bnf);
                rest = &rest[key.len()..];
            }
            None => {
                plain.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    write_text(&plain, bnf);
}

fn write_text(plain: &str, bnf: &mut String) {
    if plain.is_empty() {
        return;
    }
    bnf.push_str(" \"");
    for c in plain.chars() {
        match c {
            '"' | '\\' => bnf.extend(['\\', c]),
            '\n' => bnf.push_str("\\n"),
            '\r' => bnf.push_str("\\r"),
            '\t' => bnf.push_str("\\t"),
            '\0'..'\x20' | '\x7F' => drop(write!(bnf, "\\x{:02X}", c as u32)),
            c => bnf.push(c),
        }
    }
    bnf.push('"');
}
