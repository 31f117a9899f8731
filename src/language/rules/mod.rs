//! Rules with holes: what may stand in the place of a piece of a program, as data.
//!
//! A rule is two pieces of text with holes in them: `$x` stands for one node, `$$x` for any number of neighbours (`[[rules]]` in
//! `language.toml`; that of C explains the entries). Both are read by the language's own parser, each as a part of a program that
//! `[rule_places]` says, so a pattern has the tokens that a program has (`pattern.rs`). The rules of a language are read when they are first
//! needed.

mod pattern;

use std::fmt;
use std::sync::Arc;

use serde::Deserialize;

use super::Language;
use super::parser::ParserFn;
use crate::display::EscapeHidden;
use crate::grammar::{ExprId, NodeClass};
use pattern::{HoleNames, RuleReader};
pub use pattern::{PatternElement, RulePattern, SpacedElement};

/// A rule as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleText {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub from: String,
    /// What stands there instead; nothing if it is empty.
    pub to: String,
    /// What else changes with it, everywhere in the program.
    #[serde(default, rename = "and")]
    pub parts: Vec<RulePart>,
    /// What must be so: `used_once($x)`.
    #[serde(default, rename = "where")]
    pub conditions: Vec<String>,
}

/// A further form that a rule changes, in all of its places and together with the others.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulePart {
    /// What it is about.
    pub from: String,
    /// What stands there instead; nothing if it is empty.
    pub to: String,
}

/// The end of a `language.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleData {
    #[serde(default)]
    rule_places: RulePlaces,
    #[serde(default)]
    rules: Vec<RuleText>,
}

/// A `language.toml` before its rules, and its rules.
pub(super) fn split_rules(text: &str) -> (&str, &str) {
    let start = text.find("\n[rule_places]").unwrap_or(text.len());
    text.split_at(start)
}

/// Where a pattern may stand, so that the parser reads it: `$` is the pattern, or the hole.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RulePlaces {
    /// The text around a pattern.
    #[serde(default)]
    pub around: Vec<String>,
    /// What stands for a hole while the pattern is read.
    #[serde(default)]
    pub holes: Vec<String>,
}

/// A rule that can be used.
#[derive(Debug)]
pub struct RewriteRule {
    /// As it is written.
    pub text: RuleText,
    /// What it is about.
    pub from: RulePattern,
    /// What stands there instead.
    pub to: RulePattern,
    /// What else changes with it, in an edit of all places of all of them.
    pub parts: Vec<RewriteRule>,
    /// What must be so.
    pub conditions: Vec<RuleCondition>,
    /// How many different holes there are.
    pub hole_count: usize,
}

/// A condition of a rule, with the numbers of its holes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleCondition {
    /// One place uses the name.
    UsedOnce(usize),
    /// Nothing uses the name.
    Unused(usize),
    /// One declaration says what the name stands for, and no use changes it.
    OneValue(usize),
    /// No use changes what the name stands for.
    NotAssigned(usize),
    /// The declarations of two names have types with the same text.
    SameType(usize, usize),
}

/// The words of conditions: the name, how many holes it is about, and what it means.
pub const CONDITIONS: &[(&str, usize, &str)] = &[
    ("used_once", 1, "one place uses the name $x"),
    ("unused", 1, "nothing uses the name $x"),
    (
        "one_value",
        1,
        "one declaration says what $x stands for, and no use changes it",
    ),
    ("not_assigned", 1, "no use changes what $x stands for"),
    ("same_type", 2, "the types of $x and $y have the same text"),
];

/// What a short statement is that has an expression or a type in it, and else nothing.
#[derive(Clone, Debug)]
pub struct StatementForm {
    /// The statement, with a hole for the expression or the type.
    pub pattern: RulePattern,
    /// The class of the statement.
    pub class: NodeClass,
    /// What is expected in the place of the hole.
    pub expected: ExprId,
    /// Whether the hole is for a type.
    pub is_for_type: bool,
}

impl RuleText {
    /// The rule of a line as [`RuleText`] is shown: `'from' 'to'`, with the name before and the conditions behind.
    ///
    /// # Errors
    /// When it is not such a line; the sentence says how one looks.
    pub fn from_line(line: &str) -> Result<RuleText, String> {
        let wrong = || {
            "a rule is 'FROM' 'TO', with `NAME:` before it, `and 'FROM' 'TO'` for what changes with it and `where CONDITION, …` behind it, as in rule '$a && $b' '!$a'".to_string()
        };
        let line = line.trim();
        let (name, rest) = match line.starts_with(['\'', '"']) {
            true => (None, line),
            false => {
                let (name, rest) = line.split_once(':').ok_or_else(wrong)?;
                (Some(name.trim()), rest)
            }
        };
        let (from, rest) = take_quoted(rest).ok_or_else(wrong)?;
        let (to, rest) = take_quoted(rest).ok_or_else(wrong)?;
        let (mut parts, mut rest) = (Vec::new(), rest.trim_start());
        while let Some(part) = rest.strip_prefix("and ") {
            let (from, behind) = take_quoted(part).ok_or_else(wrong)?;
            let (to, behind) = take_quoted(behind).ok_or_else(wrong)?;
            if from.trim().is_empty() {
                return Err(wrong());
            }
            parts.push(RulePart { from, to });
            rest = behind.trim_start();
        }
        let conditions = match rest.trim() {
            "" => Vec::new(),
            rest => split_conditions(rest.strip_prefix("where").ok_or_else(wrong)?),
        };
        if from.trim().is_empty() || name == Some("") {
            return Err(wrong());
        }
        Ok(RuleText {
            name: name.map_or_else(|| from.trim().to_string(), str::to_string),
            from,
            to,
            parts,
            conditions,
        })
    }
}

/// The text in quotes at the beginning of a line, and what is behind it. A quote inside is written twice, \n is
/// the end of a line, and a backslash is written twice.
fn take_quoted(line: &str) -> Option<(String, &str)> {
    let line = line.trim_start();
    let quote = line
        .chars()
        .next()
        .filter(|first| ['\'', '"'].contains(first))?;
    let (mut text, mut rest) = (String::new(), &line[1..]);
    loop {
        let (part, behind) = rest.split_once(quote)?;
        text += &unescape_line(part);
        match behind.strip_prefix(quote) {
            Some(behind) => {
                text.push(quote);
                rest = behind;
            }
            None => return Some((text, behind)),
        }
    }
}

/// A part of a quoted text: \\n is the end of a line, and two backslashes are one.
fn unescape_line(part: &str) -> String {
    let mut pieces = part.split("\\\\").map(|piece| piece.replace("\\n", "\n"));
    let first = pieces.next().unwrap_or_default();
    pieces.fold(first, |text, piece| text + "\\" + &piece)
}

/// `used_once($x), same_type($x, $y)` as its conditions.
fn split_conditions(text: &str) -> Vec<String> {
    let parts = text.split_inclusive(')');
    let parts = parts.map(|part| part.trim_matches([' ', ',']).to_string());
    parts.filter(|part| !part.is_empty()).collect()
}

impl fmt::Display for RuleText {
    /// The line that reads as this rule.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name != self.from.trim() {
            write!(f, "{}: ", self.name)?;
        }
        let escaped = |text: &str| text.replace('\\', "\\\\").replace('\n', "\\n");
        let quoted = |text: &str| format!("'{}'", escaped(text).replace('\'', "''"));
        write!(f, "{} {}", quoted(&self.from), quoted(&self.to))?;
        for part in &self.parts {
            write!(f, " and {} {}", quoted(&part.from), quoted(&part.to))?;
        }
        match &self.conditions[..] {
            [] => Ok(()),
            conditions => write!(f, " where {}", conditions.join(", ")),
        }
    }
}

impl RewriteRule {
    /// The rule of a text, for programs of a language.
    ///
    /// # Errors
    /// When a side cannot be read as a part of such a program, or a hole or a condition is not known. The sentence says which.
    pub fn new(language: &'static Language, text: &RuleText) -> Result<RewriteRule, String> {
        let mut reader = RuleReader::new(language);
        let mut holes = HoleNames::default();
        let about = |side: &str, error| format!("`{side}`: {error}");
        let from = reader.read_pattern(&text.from, &mut holes);
        let from = from.map_err(|error| about(&text.from, error))?;
        from.check_as_source()
            .map_err(|error| about(&text.from, error))?;
        let hole_count = holes.len();
        let to = reader.read_pattern(&text.to, &mut holes);
        let to = to.map_err(|error| about(&text.to, error))?;
        if let Some(unknown) = holes.names().nth(hole_count) {
            return Err(about(
                &text.to,
                format!("nothing in `{}` is {unknown}", text.from),
            ));
        }
        if from.elements == to.elements {
            return Err("both sides are the same".into());
        }
        let conditions = text.conditions.iter();
        let conditions = conditions
            .map(|condition| read_condition(condition, &holes))
            .collect::<Result<_, String>>()?;
        let parts = text.parts.iter().map(|part| {
            let text = RuleText {
                name: text.name.clone(),
                from: part.from.clone(),
                to: part.to.clone(),
                parts: Vec::new(),
                conditions: Vec::new(),
            };
            RewriteRule::new(language, &text)
        });
        let parts = parts.collect::<Result<_, String>>()?;
        Ok(RewriteRule {
            text: text.clone(),
            from,
            to,
            parts,
            conditions,
            hole_count,
        })
    }
}

/// The condition of these words.
fn read_condition(text: &str, holes: &HoleNames) -> Result<RuleCondition, String> {
    let wrong = |what: String| format!("the condition `{}`: {what}", text.escape_hidden());
    let known = || {
        CONDITIONS
            .iter()
            .map(|(name, ..)| *name)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let parts = text
        .trim()
        .strip_suffix(')')
        .and_then(|text| text.split_once('('));
    let (name, arguments) =
        parts.ok_or_else(|| wrong(format!("a condition is NAME($x), with one of {}", known())))?;
    let holes = arguments.split(',').map(|argument| {
        let place = holes.names().position(|name| name == argument.trim());
        place.ok_or_else(|| {
            wrong(format!(
                "the rule has no hole `{}`",
                argument.trim().escape_hidden()
            ))
        })
    });
    let holes: Vec<usize> = holes.collect::<Result<_, _>>()?;
    let condition = match (name.trim(), &holes[..]) {
        ("used_once", &[x]) => RuleCondition::UsedOnce(x),
        ("unused", &[x]) => RuleCondition::Unused(x),
        ("one_value", &[x]) => RuleCondition::OneValue(x),
        ("not_assigned", &[x]) => RuleCondition::NotAssigned(x),
        ("same_type", &[x, y]) => RuleCondition::SameType(x, y),
        (name, _) => {
            let entry = CONDITIONS.iter().find(|(known, ..)| *known == name);
            return Err(wrong(match entry {
                Some((_, count, _)) => format!(
                    "it is about {count} hole{}",
                    if *count == 1 { "" } else { "s" }
                ),
                None => format!("there is none of that name; there are {}", known()),
            }));
        }
    };
    Ok(condition)
}

/// The rules of a file with `[[rules]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    #[serde(default)]
    rules: Vec<toml::Spanned<RuleText>>,
}

/// The rules of a text with `[[rules]]`, each with the number of its first line.
///
/// # Errors
/// When it is no such text; the sentence has the line.
pub fn read_rule_file(text: &str) -> Result<Vec<(usize, RuleText)>, String> {
    let file: RuleFile = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_number(text, span.start));
        format!("line {line}: {}", error.message())
    })?;
    let rules = file.rules.into_iter();
    rules
        .map(|rule| {
            let line = line_number(text, rule.span().start);
            let rule = rule.into_inner();
            // A session keeps it as a line.
            match RuleText::from_line(&rule.to_string()) {
                Ok(read) if read == rule => Ok((line, rule)),
                _ => Err(format!(
                    "line {line}: a name has no colon, begins with no quote, and has no blank at its ends"
                )),
            }
        })
        .collect()
}

fn line_number(text: &str, at: usize) -> usize {
    text[..at.min(text.len())].matches('\n').count() + 1
}

impl Language {
    /// The rules of the language, in their order.
    ///
    /// # Panics
    /// If one cannot be read, which a test excludes.
    pub fn rules(&'static self) -> &'static [Arc<RewriteRule>] {
        self.rules.get_or_init(|| {
            let texts = self.rule_texts().iter();
            let read = |text| match RewriteRule::new(self, text) {
                Ok(rule) => Arc::new(rule),
                Err(error) => panic!("a rule of {}: {}: {error}", self.name, text.name),
            };
            texts.map(read).collect()
        })
    }

    /// The rules of the language as they are written.
    ///
    /// # Panics
    /// If they are no rules, which a test excludes.
    pub fn rule_texts(&self) -> &[RuleText] {
        &self.rule_data().rules
    }

    fn rule_data(&self) -> &RuleData {
        self.rule_data.get_or_init(|| {
            let definition = &self.definition.linked;
            let rules = match definition.parser {
                ParserFn::Bnf(_) => "",
                _ => split_rules(definition.data).1,
            };
            match toml::from_str(rules) {
                Ok(data) => data,
                Err(error) => panic!("the rules of {}: {error}", self.name),
            }
        })
    }

    /// The first rule that cannot be read, and why.
    pub fn find_rule_problem(&'static self) -> Option<String> {
        let mut texts = self.rule_texts().iter();
        let broken = texts.find_map(|text| {
            let error = RewriteRule::new(self, text).err()?;
            Some(format!("the rule `{}`: {error}", text.name))
        });
        broken.or_else(|| {
            let mut texts = self.statement_texts();
            let broken =
                texts.find(|(text, of_type)| self.read_statement(text, *of_type).is_none());
            broken.map(|(text, _)| format!("the statement form `{text}` is none"))
        })
    }

    /// The short statements of the language that have an expression or a type in them and nothing else, as far as the language says so.
    pub fn statement_forms(&'static self) -> &'static [StatementForm] {
        self.statement_forms.get_or_init(|| {
            let texts = self.statement_texts();
            texts
                .filter_map(|(text, of_type)| self.read_statement(text, of_type))
                .collect()
        })
    }

    /// The texts of those, and whether the hole of each is for a type.
    fn statement_texts(&self) -> impl Iterator<Item = (&str, bool)> {
        let data = &self.definition.data;
        let expression = data.expression_statement.as_deref();
        let of_type = data.type_statement.as_deref();
        let all = [(expression, false), (of_type, true)];
        all.into_iter()
            .filter_map(|(text, is_for_type)| Some((text?, is_for_type)))
    }

    fn read_statement(&'static self, text: &str, is_for_type: bool) -> Option<StatementForm> {
        RuleReader::new(self).read_statement_form(text, is_for_type)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_as_the_rule_that_it_shows() {
        for line in [
            "'$a && $b' '!$a'",
            "first: '$a[$i]' '*$a' where used_once($a), same_type($a, $i)",
            "'f(''x'', $$a)' ''",
            "'f($a)' 'g($a)' and 'int f();' '' and 'f' 'g' where used_once($a)",
            r#"'f("\\n")' 'g(\n)'"#,
        ] {
            let rule = RuleText::from_line(line).expect("a rule");
            assert_eq!(rule.to_string(), line);
        }
        for line in ["", "a b", "'a'", "'a' 'b' if c", "'a", ": 'a' 'b'"] {
            assert!(RuleText::from_line(line).is_err(), "{line}");
        }
    }

    #[test]
    fn a_rule_of_a_file_that_no_line_could_say_is_refused() {
        let rule =
            |name: &str| format!("\n[[rules]]\nname = \"{name}\"\nfrom = \"a\"\nto = \"b\"\n");
        assert!(read_rule_file(&rule("a to b")).is_ok());
        for name in ["a: b", "'a", " a"] {
            let error = read_rule_file(&rule(name)).expect_err(name);
            assert!(error.starts_with("line 2: a name has no colon"), "{error}");
        }
    }

    #[test]
    fn the_rules_of_all_languages_can_be_read() {
        let all = crate::language::all_languages().iter();
        let problems: Vec<String> = all
            .filter_map(|language| {
                Some(format!(
                    "{}: {}",
                    language.name,
                    language.find_rule_problem()?
                ))
            })
            .collect();
        assert_eq!(problems, Vec::<String>::new());
    }
}
