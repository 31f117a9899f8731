//! The test of a lesson: a few conditions, written as one script for sh, so that no compiler is needed. A condition looks for words in the
//! program with each stretch of white space as one blank.
//!
//! | condition | holds if |
//! | --- | --- |
//! | `has = "f(1)"` | the words are there |
//! | `lacks = "goto"` | they are not there |
//! | `when = "f"`, `has = "void f"` | they are there, or the words of `when` are not |
//! | `balanced = "{}"` | the first character is as frequent as the second |

use std::fmt;

use serde::Deserialize;

use super::{Lesson, LessonProgram, one_line};
use crate::oracle::shell;

/// The name of the script, and of that of the seed.
pub(super) const SCRIPT: &str = "test.sh";
const SEED_SCRIPT: &str = "seed-test.sh";

/// The program of a pair that a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConditionSubject {
    /// The seed.
    Seed,
    /// The variant.
    Variant,
}

/// A condition as the file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConditionRow {
    has: Option<String>,
    lacks: Option<String>,
    balanced: Option<String>,
    when: Option<String>,
    #[serde(default)]
    invalid: bool,
    of: Option<ConditionSubject>,
}

/// What a condition asks of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ConditionKind {
    Has(String),
    Lacks(String),
    Balanced(char, char),
}

/// A condition of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LessonCondition {
    kind: ConditionKind,
    /// It is asked only where these words are.
    when: Option<String>,
    /// Whether a program that breaks it is invalid, as one that does not compile.
    invalid: bool,
    /// The program of a pair that it is about; none for both.
    of: Option<ConditionSubject>,
}

impl ConditionRow {
    /// The condition; or what is wrong with it.
    pub(super) fn into_condition(self, is_pair: bool) -> Result<LessonCondition, String> {
        let kind = match (self.has, self.lacks, self.balanced) {
            (Some(words), None, None) => ConditionKind::Has(squeeze(&words)?),
            (None, Some(words), None) => ConditionKind::Lacks(squeeze(&words)?),
            (None, None, Some(two)) => match two.chars().collect::<Vec<_>>()[..] {
                [open, close] if open.is_ascii_punctuation() && close.is_ascii_punctuation() => {
                    ConditionKind::Balanced(open, close)
                }
                _ => {
                    return Err(format!(
                        "`{two}` are not two brackets, such as balanced = \"()\""
                    ));
                }
            },
            _ => {
                return Err("a condition has one of `has`, `lacks` and `balanced`".to_owned());
            }
        };
        if self.of.is_some() && !is_pair {
            return Err("`of` is for a seed and a variant, and this lesson has one program".into());
        }
        Ok(LessonCondition {
            kind,
            when: self.when.as_deref().map(squeeze).transpose()?,
            invalid: self.invalid,
            of: self.of,
        })
    }
}

/// Words with one blank between them.
fn squeeze(words: &str) -> Result<String, String> {
    match one_line(words) {
        none if none.is_empty() => Err("the words of a condition are empty".to_owned()),
        words => Ok(words),
    }
}

impl fmt::Display for LessonCondition {
    /// The condition in words, for who reads what the test looks for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            Some(ConditionSubject::Seed) => f.write_str("the seed ")?,
            Some(ConditionSubject::Variant) => f.write_str("the variant ")?,
            None => {}
        }
        match &self.kind {
            ConditionKind::Has(words) => write!(f, "has `{words}`")?,
            ConditionKind::Lacks(words) => write!(f, "lacks `{words}`")?,
            ConditionKind::Balanced(open, close) => write!(f, "has a {close} for each {open}")?,
        }
        match &self.when {
            Some(words) => write!(f, " where it has `{words}`"),
            None => Ok(()),
        }
    }
}

impl LessonCondition {
    /// The file of a program that it does not hold for, if there is one.
    pub(super) fn broken_by<'a>(&self, program: &'a LessonProgram) -> Option<&'a str> {
        let texts = program.texts().iter().enumerate();
        let about = |at: usize| match self.of {
            None => true,
            Some(ConditionSubject::Seed) => at == 0,
            Some(ConditionSubject::Variant) => at == 1,
        };
        let mut broken = texts.filter(|(at, text)| about(*at) && !self.holds_for(&text.text));
        broken.next().map(|(_, text)| &*text.file)
    }

    /// Whether it holds for a program, as the script decides it.
    fn holds_for(&self, text: &str) -> bool {
        let text = one_line(text);
        if self
            .when
            .as_ref()
            .is_some_and(|when| !has_words(&text, when))
        {
            return true;
        }
        match &self.kind {
            ConditionKind::Has(words) => has_words(&text, words),
            ConditionKind::Lacks(words) => !has_words(&text, words),
            ConditionKind::Balanced(open, close) => {
                text.matches(*open).count() == text.matches(*close).count()
            }
        }
    }

    /// Lines of the script that end it where the condition does not hold.
    fn shell_lines(&self) -> String {
        let find = |words: &str| {
            let pattern = shell::quote_word(&words_pattern(words));
            format!("printf '%s' \"$text\" | grep -E -q -e {pattern}")
        };
        let holds = match &self.kind {
            ConditionKind::Has(words) => find(words),
            ConditionKind::Lacks(words) => format!("! {}", find(words)),
            ConditionKind::Balanced(open, close) => {
                let count = |c: &char| format!("$(printf '%s' \"$text\" | tr -cd '{c}' | wc -c)");
                format!("test {} -eq {}", count(open), count(close))
            }
        };
        let status = if self.invalid { 125 } else { 1 };
        match &self.when {
            None => format!("{holds} || exit {status}\n"),
            Some(words) => format!("if {}; then {holds} || exit {status}; fi\n", find(words)),
        }
    }
}

/// Whether a text has these words, of which the first and the last are whole ones. As the pattern for the script says.
fn has_words(text: &str, words: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(words).any(|(at, _)| {
        let before = text[..at]
            .chars()
            .next_back()
            .filter(|_| words.starts_with(is_word));
        let after = text[at + words.len()..].chars().next();
        let after = after.filter(|_| words.ends_with(is_word));
        !before.into_iter().chain(after).any(is_word)
    })
}

/// An extended regular expression for these words, of which the first and the last are whole ones.
fn words_pattern(words: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let escape = |c: char| match c {
        c if is_word(c) || c == ' ' => c.to_string(),
        '^' | '\\' => format!("\\{c}"),
        c => format!("[{c}]"),
    };
    let mut pattern: String = words.chars().map(escape).collect();
    if words.starts_with(is_word) {
        pattern.insert_str(0, "(^|[^[:alnum:]_])");
    }
    if words.ends_with(is_word) {
        pattern.push_str("($|[^[:alnum:]_])");
    }
    pattern
}

impl Lesson {
    /// The scripts of its test, with the name of each: one, or for a pair that of the seed and that of the variant.
    pub fn test_scripts(&self) -> Vec<(&'static str, String)> {
        let script = |name, of: Option<ConditionSubject>, file: &str| {
            let file = shell::quote_word(file);
            let about = |condition: &&LessonCondition| condition.of.is_none() || condition.of == of;
            let conditions = self.conditions.iter().filter(about);
            let lines: String = conditions.map(LessonCondition::shell_lines).collect();
            let text = format!(
                "#!/bin/sh\n# The test of a lesson of lop: words that must be there.\nLC_ALL=C\nexport LC_ALL\n\
                 text=$(tr -s '[:space:]' ' ' < {file})\n{lines}exit 0\n"
            );
            (name, text)
        };
        match &self.program {
            LessonProgram::Single(program) => vec![script(SCRIPT, None, &program.file)],
            LessonProgram::Pair([seed, variant]) => vec![
                script(SEED_SCRIPT, Some(ConditionSubject::Seed), &seed.file),
                script(SCRIPT, Some(ConditionSubject::Variant), &variant.file),
            ],
        }
    }

    /// What the test looks for, and what makes a program invalid, as a sentence. It names no file of the machine.
    pub fn describe_test(&self) -> String {
        let needed = self.conditions.iter().filter(|condition| condition.invalid);
        let needed = needed.map(ToString::to_string).collect::<Vec<_>>();
        match (self.describe_property(), needed.join(", ")) {
            (wanted, needed) if needed.is_empty() => wanted,
            (wanted, needed) if wanted.is_empty() => format!("valid only if it {needed}"),
            (wanted, needed) => format!("{wanted}; valid only if it {needed}"),
        }
    }

    /// What an interesting program has, without what makes one invalid.
    pub fn describe_property(&self) -> String {
        let wanted = self
            .conditions
            .iter()
            .filter(|condition| !condition.invalid);
        wanted
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_a_line_of_the_script() {
        let condition = |toml: &str| {
            let row: ConditionRow = toml::from_str(toml).expect("a row");
            row.into_condition(false)
        };
        let said = |toml: &str| condition(toml).expect("a condition").to_string();
        assert_eq!(said("has = 'f(1)'"), "has `f(1)`");
        assert_eq!(
            said("when = 'f'\nhas = 'void  f'"),
            "has `void f` where it has `f`"
        );
        assert_eq!(said("balanced = '{}'"), "has a } for each {");
        let lines = condition("lacks = \"it's\"\ninvalid = true")
            .expect("one")
            .shell_lines();
        assert!(
            lines.starts_with("! printf") && lines.ends_with("|| exit 125\n"),
            "{lines}"
        );
        assert_eq!(
            words_pattern("f(1"),
            "(^|[^[:alnum:]_])f[(]1($|[^[:alnum:]_])"
        );
        assert_eq!(words_pattern("*p;"), "[*]p[;]");
        for (text, words, is_there) in [
            ("int ab;", "ab", true),
            ("int abc;", "ab", false),
            ("x=f(1);", "f(1)", true),
            ("xf(1);", "f(1)", false),
            ("**p;", "*p;", true),
        ] {
            assert_eq!(has_words(text, words), is_there, "{text}: {words}");
        }
        for wrong in [
            "when = 'x'",
            "has = ''",
            "balanced = 'x'",
            "has = 'a'\nlacks = 'b'",
            "has = 'a'\nof = 'seed'",
        ] {
            assert!(condition(wrong).is_err(), "{wrong}");
        }
    }
}
