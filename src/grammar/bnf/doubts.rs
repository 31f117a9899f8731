//! What in a grammar means nothing: settings about rules and texts that it does not have, which are refused, and parts that no text needs,
//! of which warnings tell.

use std::collections::{HashMap, HashSet};

use super::error::BnfError;
use super::notation::{PlacedSetting, SettingPart, error_at};
use super::rules::{BnfRules, SymbolId, for_each_symbol};
use super::syntax::{
    BnfDefinition, BnfExpr, DefinitionRole, TokenDefinition, TokenKind, TokenPattern,
};

/// Fails if a setting is about a rule that the grammar does not have. The result are the texts in settings that no rule has in quotes, each
/// with its error: they may still be the text of a `%token`.
pub(super) fn check_settings(
    text: &str,
    settings: &[PlacedSetting],
    definitions: &[BnfDefinition],
    tokens: &[TokenDefinition],
) -> Result<Vec<(Vec<u8>, BnfError)>, BnfError> {
    let mut unquoted = Vec::new();
    for PlacedSetting {
        directive,
        at,
        part,
    } in settings
    {
        let what = match part {
            SettingPart::Rule(name) => {
                let found = definitions.iter().find(|known| known.name == *name);
                match found.map(|known| known.role) {
                    Some(DefinitionRole::Rule) => continue,
                    Some(_) => format!(
                        "%{directive} is about rules, and {name} is none: it is a token or a part of one; name a rule that consists of it"
                    ),
                    None => {
                        format!("%{directive} is about {name}, and there is no rule of that name")
                    }
                }
            }
            SettingPart::Text(own) => {
                let is_quoted = |token: &TokenDefinition| match &token.pattern {
                    TokenPattern::Text(quoted) => quoted == own,
                    TokenPattern::One(set) => matches!(own[..], [only] if set.contains(only)),
                    _ => false,
                };
                if !tokens.iter().any(is_quoted) {
                    let what = format!(
                        "%{directive} is about {:?}, and no rule has this text in quotes",
                        String::from_utf8_lossy(own)
                    );
                    unquoted.push((own.clone(), error_at(text, *at, what)));
                }
                continue;
            }
        };
        return Err(error_at(text, *at, what));
    }
    Ok(unquoted)
}

/// Rules and tokens that no text needs, and tokens that are never read, as sentences.
pub(super) fn find_warnings(
    rules: &BnfRules,
    tokens: &[TokenDefinition],
    definitions: &[BnfDefinition],
    scannerless: bool,
) -> Vec<String> {
    let reachable = rules.reachable_rules();
    let start = &rules.names[rules.start];
    let names = rules.names.iter().enumerate();
    let lost = names.filter(|(rule, _)| !reachable.contains(rule));
    let mut warnings: Vec<String> = lost
        .map(|(_, name)| format!("the rule {name} is not reached from {start}"))
        .collect();
    let mut used = HashSet::new();
    for &rule in &reachable {
        let mut body = rules.bodies[rule].clone();
        for_each_symbol(&mut body, &mut |symbol| {
            if let SymbolId::Token(token) = symbol {
                used.insert(*token);
            }
        });
    }
    let mut in_patterns = HashSet::new();
    for definition in definitions {
        if definition.role != DefinitionRole::Rule {
            collect_names(&definition.body, &mut in_patterns);
        }
    }
    let mut first: HashMap<&TokenPattern, usize> = HashMap::new();
    for (at, token) in tokens.iter().enumerate() {
        let same = *first.entry(&token.pattern).or_insert(at);
        if token.kind != TokenKind::Named {
            continue;
        }
        let name = &token.name;
        if !used.contains(&at) && !in_patterns.contains(&name[..]) {
            warnings.push(format!("no rule that is reached has the token {name}"));
        } else if used.contains(&at) && same < at && !scannerless {
            warnings.push(format!(
                "the token {name} is never read: {} has the same pattern and comes first",
                rules.tokens[same]
            ));
        }
    }
    warnings
}

fn collect_names<'a>(part: &'a BnfExpr, names: &mut HashSet<&'a str>) {
    match part {
        BnfExpr::Name(name, ..) => drop(names.insert(name)),
        BnfExpr::Literal(_) | BnfExpr::Class(..) => {}
        BnfExpr::Seq(members) | BnfExpr::Choice(members) => {
            members
                .iter()
                .for_each(|member| collect_names(member, names));
        }
        BnfExpr::Quantified(inner, _) => collect_names(inner, names),
    }
}
