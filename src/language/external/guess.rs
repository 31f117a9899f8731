//! Language data that is guessed from the grammar: for a grammar without a `language.toml`, and for entries that its own does not have.
//!
//! In doubt the guess is one that costs tests, never one that makes a candidate wrong: a newline means something, a blank stays.

use std::collections::BTreeSet;

use serde_json::Value;
use toml::{Table, Value as Entry};

use super::pattern::compile_regex;

/// How line comments begin.
const LINE_COMMENTS: &[&str] = &["//", "#", "--", ";", "%", "!", "\\", "'", "\"", "*", "REM"];

/// Characters that words may have besides letters, digits and `_`.
const WORD_CHARACTERS: &str = "-?!'*+/<>=&%@~^.:#";

/// Names of externals that end statements, in languages where a newline does.
const STATEMENT_ENDS: &[&str] = &[
    "semi",
    "newline",
    "line_break",
    "linebreak",
    "line_end",
    "terminator",
    "eol",
    "\n",
];

/// Kinds that stand where statements do, and mostly nowhere else.
const STATEMENT_KINDS: &[&str] = &[
    "while_statement",
    "for_statement",
    "return_statement",
    "if_statement",
    "expression_statement",
];

/// Kinds of literals whose inside is text.
const TEXT_LITERALS: &[&str] = &["string", "char", "regex", "rune", "heredoc", "template"];

/// Words in the names of the kinds that literals are made of.
const LITERAL_PARTS: &[&str] = &[
    "escape",
    "content",
    "fragment",
    "character",
    "chars",
    "text",
    "start",
    "end",
    "open",
    "close",
    "flags",
    "pattern",
    "delimiter",
];

/// Literals that are one token whatever stands in them, because something outside of them determines where they end.
const WHOLE_LITERALS: &[&str] = &["heredoc"];

/// Words in the names of the kinds that may stand inside literals.
const INTERPOLATIONS: &[&str] = &[
    "interpol",
    "substitution",
    "expansion",
    "expression",
    "placeholder",
];

/// The entries of a `language.toml`, as far as they follow from a `grammar.json`.
pub(super) fn guess_language_data(grammar: &Value) -> Table {
    let guess = LanguageGuess::from_grammar(grammar);
    let mut table = generic_data();
    let list = |names: Vec<String>| Entry::Array(names.into_iter().map(Entry::String).collect());
    let (line_comment, ends) = guess.guess_line_comments();
    let (opaque, templates) = guess.guess_literals();
    let newlines = guess.guess_newlines(&opaque, &templates);
    if newlines == "indent" {
        table.insert("nonempty".into(), list(vec!["block".into()]));
    }
    table.insert("newlines".into(), newlines.into());
    if let Some(start) = line_comment {
        table.insert("line_comment".into(), start.into());
    }
    if let Some(kind) = STATEMENT_KINDS.iter().find(|&&kind| guess.has_rule(kind)) {
        table.insert("statement".into(), (*kind).into());
    }
    table.insert("comments".into(), list(guess.comments.clone()));
    table.insert("opaque".into(), list(opaque));
    if guess.has_line_continuation() {
        table.insert("continuation".into(), "\\".into());
    }
    let templates = templates.into_iter();
    let templates: Table = templates.map(|(kind, holes)| (kind, list(holes))).collect();
    table.insert("templates".into(), templates.into());
    if let Some(lines) = table.get_mut("lines").and_then(Entry::as_table_mut) {
        lines.insert("end".into(), list(ends));
    }
    if let Some(joins) = table.get_mut("joins").and_then(Entry::as_table_mut) {
        if let Some(pairs) = joins.get_mut("pairs").and_then(Entry::as_array_mut) {
            pairs.extend(guess.operator_pairs().into_iter().map(Entry::String));
        }
        joins.insert("word".into(), guess.word_chars().into());
    }
    table
}

fn generic_data() -> Table {
    let text = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/grammars/generic.toml"
    ));
    match text.parse() {
        Ok(table) => table,
        Err(error) => panic!("generic.toml in the binary: {error}"),
    }
}

struct LanguageGuess<'a> {
    grammar: &'a Value,
    rules: &'a Value,
    externals: Vec<&'a str>,
    comments: Vec<String>,
}

impl<'a> LanguageGuess<'a> {
    fn from_grammar(grammar: &'a Value) -> LanguageGuess<'a> {
        let mut guess = LanguageGuess {
            grammar,
            rules: &grammar["rules"],
            externals: list_strings(&grammar["externals"]),
            comments: Vec::new(),
        };
        let extras = list_strings(&grammar["extras"]);
        let is_comment = |name: &str| {
            let lower = name.to_lowercase();
            lower.ends_with("comment") || extras.contains(&name) && lower.contains("comment")
        };
        let names = guess.rule_names().chain(guess.externals.iter().copied());
        let comments: BTreeSet<&str> = names
            .filter(|name| !name.starts_with('_'))
            .filter(|name| is_comment(name))
            .collect();
        guess.comments = comments.into_iter().map(str::to_owned).collect();
        guess
    }

    fn rule_names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let rules = self.rules.as_object();
        rules
            .into_iter()
            .flat_map(|rules| rules.keys().map(String::as_str))
    }

    fn has_rule(&self, rule: &str) -> bool {
        self.rules.get(rule).is_some()
    }

    /// The texts that begin all line comments, and the kinds of comments that may end with their line because nothing else is known.
    fn guess_line_comments(&self) -> (Option<&'static str>, Vec<String>) {
        let mut starts: Vec<&'static str> = Vec::new();
        let mut unknown = Vec::new();
        for kind in &self.comments {
            let Some(pattern) = self
                .rules
                .get(kind)
                .and_then(|rule| compile_regex(self.rules, rule))
            else {
                unknown.push(kind.clone());
                continue;
            };
            let line = |start: &&&str| {
                pattern.is_match(&format!("{start} x"))
                    && !pattern.is_match(&format!("{start} x\n{start}"))
            };
            match LINE_COMMENTS.iter().find(line) {
                Some(start) if starts.is_empty() || starts.contains(start) => starts.push(start),
                Some(_) => unknown.push(kind.clone()),
                None => {}
            }
        }
        (starts.first().copied(), unknown)
    }

    /// The kinds of literals that are one token, and those with holes, each with the kinds of its holes.
    fn guess_literals(&self) -> (Vec<String>, Vec<(String, Vec<String>)>) {
        let (mut opaque, mut templates) = (Vec::new(), Vec::new());
        for name in self
            .rule_names()
            .filter(|&name| !self.is_hidden(name) && contains_any(name, TEXT_LITERALS))
        {
            let (holes, rest): (Vec<&str>, Vec<&str>) = self
                .child_kinds(&self.rules[name])
                .into_iter()
                .partition(|kind| {
                    contains_any(kind, INTERPOLATIONS) && !contains_any(kind, &["escape"])
                });
            if !rest.iter().all(|kind| contains_any(kind, LITERAL_PARTS)) {
                continue;
            }
            match holes.is_empty() || contains_any(name, WHOLE_LITERALS) {
                true => opaque.push(name.to_owned()),
                false => templates.push((
                    name.to_owned(),
                    holes.into_iter().map(str::to_owned).collect(),
                )),
            }
        }
        (opaque, templates)
    }

    fn is_hidden(&self, name: &str) -> bool {
        let listed = |key: &str| list_strings(&self.grammar[key]).contains(&name);
        name.starts_with('_') || listed("supertypes") || listed("inline")
    }

    /// The named kinds of nodes that a part of the grammar directly derives.
    fn child_kinds(&self, part: &'a Value) -> BTreeSet<&'a str> {
        let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let mut open = vec![part];
        while let Some(part) = open.pop() {
            match part["type"].as_str() {
                Some("SYMBOL") => {
                    let name = part["name"].as_str().unwrap_or_default();
                    match self.is_hidden(name) {
                        false => drop(found.insert(name)),
                        true if seen.insert(name) => open.push(&self.rules[name]),
                        true => {}
                    }
                }
                Some("ALIAS") if part["named"] == true => found.extend(part["value"].as_str()),
                Some("TOKEN" | "IMMEDIATE_TOKEN") => {}
                _ => open.extend(child_parts(part)),
            }
        }
        found
    }

    /// What newlines mean.
    fn guess_newlines(
        &self,
        opaque: &[String],
        templates: &[(String, Vec<String>)],
    ) -> &'static str {
        let named = |names: &[&str]| {
            self.externals
                .iter()
                .any(|external| contains_any(external, names))
        };
        if named(&["indent"]) {
            return "indent";
        }
        if named(STATEMENT_ENDS) {
            return "semicolons";
        }
        let extras = self.grammar["extras"].as_array();
        let blank = |extra: &Value| {
            compile_regex(self.rules, extra).is_some_and(|pattern| pattern.is_match("\n"))
        };
        if !extras.is_some_and(|extras| extras.iter().any(blank)) {
            return "text";
        }
        let texts = templates.iter().map(|(kind, _)| kind).chain(opaque);
        let texts: Vec<&String> = texts.chain(&self.comments).collect();
        let rules = self
            .rule_names()
            .filter(|name| !texts.iter().any(|text| text == name));
        let mut leaves = Vec::new();
        for rule in rules.filter(|name| !contains_any(name, TEXT_LITERALS)) {
            if self.ends_statements(&self.rules[rule]) {
                return "semicolons";
            }
            collect_tokens(&self.rules[rule], &mut leaves);
        }
        let may_hold_newline = |token: &&Value| {
            let pattern = compile_regex(self.rules, token);
            pattern.is_none_or(|pattern| {
                ["\n", "a\nb", " \n"]
                    .iter()
                    .any(|text| pattern.is_match(text))
            })
        };
        match leaves.iter().any(may_hold_newline) {
            true => "text",
            false => "free",
        }
    }

    /// Whether a backslash before a newline has the meaning of a blank.
    fn has_line_continuation(&self) -> bool {
        let extras = self.grammar["extras"].as_array();
        let is_one = |extra: &Value| {
            compile_regex(self.rules, extra).is_some_and(|pattern| pattern.is_match("\\\n"))
        };
        extras.is_some_and(|extras| extras.iter().any(is_one))
    }

    /// Whether a newline is an alternative to a semicolon somewhere.
    fn ends_statements(&self, part: &Value) -> bool {
        let members: Vec<&Value> = child_parts(part).collect();
        let is = |text: &str| members.iter().any(|member| member["value"] == text);
        let newline = is("\n") || is("\\n") || is("\\r?\\n");
        let here = part["type"] == "CHOICE" && is(";") && newline;
        here || members.iter().any(|member| self.ends_statements(member))
    }

    /// Pairs of neighbouring characters in the grammar's own operators.
    fn operator_pairs(&self) -> BTreeSet<String> {
        let mut texts = Vec::new();
        child_parts(self.rules).for_each(|rule| collect_literals(rule, &mut texts));
        let pairs = texts.iter().flat_map(|text| text.as_bytes().windows(2));
        let signs = pairs.filter(|pair| pair.iter().all(u8::is_ascii_punctuation));
        signs
            .map(|pair| String::from_utf8_lossy(pair).into_owned())
            .collect()
    }

    /// The characters that words may have besides letters, digits and `_`.
    fn word_chars(&self) -> String {
        let rule = self.grammar["word"].as_str().into_iter().chain([
            "identifier",
            "symbol",
            "name",
            "word",
        ]);
        let Some(pattern) = rule
            .filter_map(|name| compile_regex(self.rules, self.rules.get(name)?))
            .next()
        else {
            return String::new();
        };
        WORD_CHARACTERS
            .chars()
            .filter(|c| pattern.is_match(&format!("a{c}a")))
            .collect()
    }
}

fn contains_any(name: &str, parts: &[&str]) -> bool {
    let lower = name.to_lowercase();
    parts.iter().any(|part| lower.contains(part))
}

/// The names and texts in a list of symbols, or of names.
fn list_strings(list: &Value) -> Vec<&str> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .filter_map(|item| {
            let named = item["name"].as_str();
            item.as_str().or(named).or(item["value"].as_str())
        })
        .collect()
}

/// The direct parts of a part of a grammar, or of all its rules.
fn child_parts(part: &Value) -> impl Iterator<Item = &Value> {
    let rules = part
        .get("type")
        .is_none()
        .then(|| part.as_object())
        .flatten();
    let rules = rules.into_iter().flat_map(|rules| rules.values());
    let members = part["members"].as_array().into_iter().flatten();
    rules.chain(members).chain(part.get("content"))
}

/// The tokens in a part of a grammar.
fn collect_tokens<'a>(part: &'a Value, found: &mut Vec<&'a Value>) {
    match part["type"].as_str() {
        Some("PATTERN" | "TOKEN" | "IMMEDIATE_TOKEN" | "STRING") => found.push(part),
        _ => child_parts(part).for_each(|part| collect_tokens(part, found)),
    }
}

/// The literal texts in a part of a grammar.
fn collect_literals<'a>(part: &'a Value, found: &mut Vec<&'a str>) {
    if part["type"] == "STRING" {
        found.extend(part["value"].as_str());
    }
    child_parts(part).for_each(|part| collect_literals(part, found));
}
