//! Tokens of a `grammar.json` as regular expressions, to test texts on them.

use regex::Regex;
use serde_json::Value;

/// The most parts of a token. A rule that contains itself would have more.
const MAX_PATTERN_PARTS: usize = 1000;

/// The regular expression of a part of a grammar; none where it cannot be known: another syntax of patterns, a scanner, a recursion.
pub(super) fn compile_regex(rules: &Value, part: &Value) -> Option<Regex> {
    let mut left = MAX_PATTERN_PARTS;
    let source = regex_source(rules, part, &mut left)?;
    Regex::new(&format!(r"\A(?:{source})\z")).ok()
}

fn regex_source(rules: &Value, part: &Value, left: &mut usize) -> Option<String> {
    *left = left.checked_sub(1)?;
    let text = || part["value"].as_str();
    match part["type"].as_str()? {
        "BLANK" => Some(String::new()),
        "STRING" => text().map(regex::escape),
        "PATTERN" => {
            let flags = part["flags"].as_str().filter(|&flags| flags == "i");
            Some(format!("(?{}:{})", flags.unwrap_or_default(), text()?))
        }
        "SYMBOL" => regex_source(rules, rules.get(part["name"].as_str()?)?, left),
        "SEQ" => join_members(rules, part, left, ""),
        "CHOICE" => Some(format!("(?:{})", join_members(rules, part, left, "|")?)),
        "REPEAT" => Some(format!(
            "(?:{})*",
            regex_source(rules, &part["content"], left)?
        )),
        "REPEAT1" => Some(format!(
            "(?:{})+",
            regex_source(rules, &part["content"], left)?
        )),
        // Names, precedences and other nodes that do not change the text.
        _ => regex_source(rules, part.get("content")?, left),
    }
}

fn join_members(rules: &Value, part: &Value, left: &mut usize, between: &str) -> Option<String> {
    let members = part["members"].as_array()?.iter();
    let members = members.map(|member| regex_source(rules, member, left));
    Some(members.collect::<Option<Vec<_>>>()?.join(between))
}
