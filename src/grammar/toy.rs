//! Small grammars for tests, read in the same way as real ones.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    Derivation, DerivationPart, Grammar, GrammarChild, GrammarError, NodeClass, QuantifierKind,
};

pub(super) fn sym(name: &str) -> Value {
    json!({"type": "SYMBOL", "name": name})
}

pub(super) fn lit(text: &str) -> Value {
    json!({"type": "STRING", "value": text})
}

pub(super) fn text() -> Value {
    json!({"type": "PATTERN", "value": "x"})
}

pub(super) fn seq(members: &[Value]) -> Value {
    json!({"type": "SEQ", "members": members})
}

pub(super) fn choice(members: &[Value]) -> Value {
    json!({"type": "CHOICE", "members": members})
}

pub(super) fn opt(inner: Value) -> Value {
    choice(&[inner, json!({"type": "BLANK"})])
}

pub(super) fn star(inner: Value) -> Value {
    json!({"type": "REPEAT", "content": inner})
}

pub(super) fn plus(inner: Value) -> Value {
    json!({"type": "REPEAT1", "content": inner})
}

pub(super) fn field(name: &str, inner: Value) -> Value {
    json!({"type": "FIELD", "name": name, "content": inner})
}

pub(super) fn alias(kind: &str, inner: Value) -> Value {
    json!({"type": "ALIAS", "value": kind, "named": true, "content": inner})
}

/// `x ("," x)*`
pub(super) fn comma_list(x: &Value) -> Value {
    seq(&[x.clone(), star(seq(&[lit(","), x.clone()]))])
}

/// A grammar whose rule `r` is `body`, over the tokens `a`, `b`, `c` and `,`.
pub(super) fn toy_grammar(body: Value) -> Grammar {
    grammar_from_rules(&[("r", body), ("a", text()), ("b", text()), ("c", text())])
        .expect("a good grammar")
}

struct ToySymbol {
    id: String,
    shown: String,
    named: bool,
}

/// A grammar of these rules, read from a `grammar.json` and the matching tables of a `parser.c`.
pub(super) fn grammar_from_rules(rules: &[(&str, Value)]) -> Result<Grammar, GrammarError> {
    let map: serde_json::Map<String, Value> = rules
        .iter()
        .map(|(n, r)| (n.to_string(), r.clone()))
        .collect();
    let mut literals = BTreeSet::new();
    let mut aliases = BTreeSet::new();
    rules
        .iter()
        .for_each(|(_, rule)| collect_names(rule, &mut literals, &mut aliases));
    let symbol = |id: String, shown: &str, named| {
        let shown = shown.to_owned();
        ToySymbol { id, shown, named }
    };
    let (tokens, others): (Vec<_>, Vec<_>) = rules
        .iter()
        .partition(|(_, rule)| rule["type"] == "PATTERN");
    let mut symbols: Vec<ToySymbol> = Vec::new();
    symbols.extend(
        tokens
            .iter()
            .map(|(name, _)| symbol(format!("sym_{name}"), name, true)),
    );
    symbols.extend(
        literals
            .iter()
            .zip(0..)
            .map(|(l, i)| symbol(format!("anon_sym_{i}"), l, false)),
    );
    let tokens = 1 + symbols.len();
    symbols.extend(
        others
            .iter()
            .map(|(name, _)| symbol(format!("sym_{name}"), name, true)),
    );
    symbols.extend(
        aliases
            .iter()
            .map(|a| symbol(format!("alias_sym_{a}"), a, true)),
    );
    let json =
        json!({"name": "toy", "rules": map, "inline": [], "supertypes": [], "externals": []});
    // Encoded and decoded again, so that every test also tests the table.
    let read = Grammar::from_tree_sitter(&json.to_string(), &generate_parser_c(tokens, &symbols))?;
    let decoded = Grammar::decode(&read.encode())?;
    assert_eq!(read.encode(), decoded.encode());
    Ok(decoded)
}

fn generate_parser_c(tokens: usize, symbols: &[ToySymbol]) -> String {
    let (mut ids, mut names, mut map, mut metadata) =
        (String::new(), String::new(), String::new(), String::new());
    for (ToySymbol { id, shown, named }, number) in symbols.iter().zip(1..) {
        let visible = !shown.starts_with('_');
        ids += &format!("  {id} = {number},\n");
        names += &format!("  [{id}] = {shown:?},\n");
        map += &format!("  [{id}] = {id},\n");
        metadata +=
            &format!("  [{id}] = {{\n    .visible = {visible},\n    .named = {named},\n  }},\n");
    }
    format!(
        "#define TOKEN_COUNT {tokens}\nenum ts_symbol_identifiers {{\n{ids}\n}};\n\
         x ts_symbol_names[] = {{\n{names}\n}};\nx ts_symbol_map[] = {{\n{map}\n}};\n\
         x ts_symbol_metadata[] = {{\n{metadata}\n}};\n"
    )
}

fn collect_names(rule: &Value, literals: &mut BTreeSet<String>, aliases: &mut BTreeSet<String>) {
    let value = || rule["value"].as_str().unwrap_or_default().to_owned();
    match rule["type"].as_str() {
        Some("STRING") => drop(literals.insert(value())),
        Some("ALIAS") => drop(aliases.insert(value())),
        _ => {}
    }
    let members = rule["members"].as_array().into_iter().flatten();
    for part in members.chain(rule.get("content")) {
        collect_names(part, literals, aliases);
    }
}

/// The children of these kinds; `~` before a kind is a gap.
pub(super) fn parse_children(grammar: &Grammar, kinds: &str) -> Vec<GrammarChild> {
    let child = |kind: &str| {
        let (gap, kind) = kind
            .strip_prefix('~')
            .map_or((false, kind), |kind| (true, kind));
        let class: Option<NodeClass> = grammar
            .classes()
            .find(|&class| grammar.class_name(class) == kind);
        GrammarChild { class, gap }
    };
    kinds.split_whitespace().map(child).collect()
}

/// A derivation in short: `a *[b {c d}]`.
pub(super) fn format_derivation(grammar: &Grammar, rule: &str, kinds: &str) -> String {
    let children = parse_children(grammar, kinds);
    let rule = grammar.find_rule(rule).expect("a rule of the toy");
    match grammar.derive_children(rule, &children, false) {
        Some(Derivation { parts }) => format_parts(&parts, kinds),
        None => "none".to_owned(),
    }
}

fn format_parts(parts: &[DerivationPart], kinds: &str) -> String {
    let kinds_of: Vec<&str> = kinds.split_whitespace().collect();
    let one = |part: &DerivationPart| match part {
        DerivationPart::Child { index, .. } => kinds_of[*index as usize].to_owned(),
        DerivationPart::Item { parts, .. } => format!("{{{}}}", format_parts(parts, kinds)),
        DerivationPart::Group { shape, parts, .. } => {
            let mark = match shape {
                QuantifierKind::Star => "*",
                QuantifierKind::Plus => "+",
                QuantifierKind::Opt => "?",
                QuantifierKind::Sep => "%",
            };
            format!("{mark}[{}]", format_parts(parts, kinds))
        }
    };
    parts.iter().map(one).collect::<Vec<_>>().join(" ")
}
