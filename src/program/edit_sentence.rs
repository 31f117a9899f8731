//! The words about a candidate: a whole question, its details, and a short form for lists.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

use super::quoting::quote_text;
use super::token_change::TokenChange;

/// What an edit would do, in words. As one line: the question, the change of tokens, the detail.
///
/// ```text
/// Can 7 unused declarations go? 366 tokens fewer: `safe_mod`, `safe_div` and 5 more; nothing uses them
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditSentence {
    /// What would go or change: a whole question of few words.
    pub question: Arc<str>,
    /// The objects by name, then why it may be done, or what stays and why. It may be long, and it may be empty.
    pub detail: Arc<str>,
    /// The same as the question for a row of a list: `4 of 12 statements`, `del total += days[m]`, `for → its body`.
    pub short: Arc<str>,
    /// What the edit does to the number of tokens.
    pub change: TokenChange,
}

impl EditSentence {
    /// The sentence of a question, of an edit with this change.
    pub fn new(words: QuestionWords, change: TokenChange) -> EditSentence {
        EditSentence {
            question: words.question.into(),
            detail: words.detail.into(),
            short: words.short.into(),
            change,
        }
    }

    /// The sentence that was written as this line. Its short form is made of the question.
    pub fn from_line(line: &str) -> EditSentence {
        let (question, rest) = split_question(line);
        let (change, rest) = split_change(rest);
        let detail = rest.trim_start_matches([':', ' ']);
        let words = QuestionWords::ask(question.to_owned()).because(detail.to_owned());
        EditSentence::new(words, change)
    }
}

impl Display for EditSentence {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.question)?;
        let change = self.change.describe();
        if let Some(change) = &change {
            let comma = if self.question.ends_with('?') {
                ""
            } else {
                ","
            };
            write!(f, "{comma} {change}")?;
        }
        match (self.detail.is_empty(), change) {
            (true, _) => Ok(()),
            (false, Some(_)) => write!(f, ": {}", self.detail),
            (false, None) => write!(f, " {}", self.detail),
        }
    }
}

/// The words of a question. What is not said is made of the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionWords {
    question: Cow<'static, str>,
    detail: Cow<'static, str>,
    short: Cow<'static, str>,
    lists_removed: bool,
}

impl QuestionWords {
    /// A question in full: it begins with a capital letter and ends with its sign.
    pub fn ask(question: impl Into<Cow<'static, str>>) -> QuestionWords {
        let question = question.into();
        QuestionWords {
            short: shorten_question(&question).into(),
            question,
            detail: Cow::Borrowed(""),
            lists_removed: false,
        }
    }

    /// "Can … go?"
    pub fn ask_removal(what: impl Display) -> QuestionWords {
        QuestionWords::ask(format!("Can {what} go?"))
    }

    /// "Can `a + b` become `a`?" Both texts are without quotes.
    pub fn ask_change(old: &str, new: &str) -> QuestionWords {
        let (old, new) = (quote_text(old), quote_text(new));
        QuestionWords::ask(format!("Can {old} become {new}?"))
    }

    /// The same with these details.
    pub fn because(self, detail: impl Into<Cow<'static, str>>) -> QuestionWords {
        let detail = detail.into();
        QuestionWords { detail, ..self }
    }

    /// The same with this short form.
    pub fn in_short(self, short: impl Into<Cow<'static, str>>) -> QuestionWords {
        let short = short.into();
        QuestionWords { short, ..self }
    }

    /// The same, where the details begin with the names of what the edit removes.
    pub fn listing_removed(self) -> QuestionWords {
        QuestionWords {
            lists_removed: true,
            ..self
        }
    }

    /// Whether the details begin with the names of what the edit removes.
    pub(super) fn lists_removed(&self) -> bool {
        self.lists_removed
    }

    /// The same with more details in front.
    pub(super) fn first(self, detail: String) -> QuestionWords {
        let detail = join_details([&detail, &self.detail]).into();
        QuestionWords { detail, ..self }
    }

    /// The same with more details at the end.
    pub(super) fn then(self, detail: &str) -> QuestionWords {
        let detail = join_details([&self.detail, detail]).into();
        QuestionWords { detail, ..self }
    }

    /// The same question about other places too, `others` of them.
    pub(super) fn and_elsewhere(self, others: u32) -> QuestionWords {
        let places = match others {
            1 => "one similar place".to_owned(),
            _ => format!("{others} similar places"),
        };
        let question = self.question.trim_end_matches('?');
        QuestionWords {
            question: format!("{question}, and so in {places}?").into(),
            short: format!("{} ×{}", self.short, u64::from(others) + 1).into(),
            ..self
        }
    }
}

/// A question with its details behind it.
impl From<&str> for QuestionWords {
    fn from(line: &str) -> QuestionWords {
        let (question, detail) = split_question(line);
        QuestionWords::ask(question.to_owned()).because(detail.trim_start().to_owned())
    }
}

impl From<String> for QuestionWords {
    fn from(line: String) -> QuestionWords {
        line.as_str().into()
    }
}

/// How many changes are shown one by one.
const MAX_CHANGES: usize = 12;

/// What becomes what, as details: "`total` → `a`, `count` → `b` and 3 more".
pub fn list_changes<S: AsRef<str>>(mut changes: impl Iterator<Item = (S, S)>) -> String {
    let shown = changes.by_ref().take(MAX_CHANGES);
    let shown = shown.map(|(old, new)| {
        let [old, new] = [old, new].map(|name| quote_text(name.as_ref()));
        format!("{old} → {new}")
    });
    let shown: Vec<String> = shown.collect();
    match changes.count() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn join_details(parts: [&str; 2]) -> String {
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("; ")
}

/// "Can 4 of 12 lines go?" is "4 of 12 lines", "Can `x = 1;` go?" is "del x = 1;", and "Can `a + b` become `a`?" is "a + b → a".
fn shorten_question(question: &str) -> String {
    let bare = question.strip_suffix('?').unwrap_or(question);
    let Some(asked) = bare.strip_prefix("Can ") else {
        return unquote(bare);
    };
    if let Some((old, new)) = split_unquoted(asked, " become ") {
        return unquote(&format!("{old} → {new}"));
    }
    if let Some(kept) = asked.strip_prefix("all go but ") {
        return unquote(&format!("all but {kept}"));
    }
    let Some(object) = asked.strip_suffix(" go") else {
        return unquote(asked);
    };
    let one = object.strip_prefix("the ").unwrap_or(object);
    let is_one = object.starts_with('`') || one.len() < object.len();
    unquote(&format!("{}{one}", if is_one { "del " } else { "" }))
}

fn unquote(text: &str) -> String {
    text.replace('`', "")
}

/// The parts of a text before and behind these words, where they first stand outside of quotes.
fn split_unquoted<'a>(text: &'a str, words: &str) -> Option<(&'a str, &'a str)> {
    let mut places = text.match_indices(words);
    let (at, _) = places.find(|(at, _)| text[..*at].matches('`').count().is_multiple_of(2))?;
    Some((&text[..at], &text[at + words.len()..]))
}

/// The question at the beginning of a line, and the rest of the line. A question mark between quotes is a part of the program.
fn split_question(line: &str) -> (&str, &str) {
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '`' => quoted = !quoted,
            '?' if !quoted && matches!(line.as_bytes().get(at + 1), None | Some(b' ')) => {
                return line.split_at(at + 1);
            }
            _ => {}
        }
    }
    (line, "")
}

/// The change of tokens at the beginning of a text, and the rest.
fn split_change(text: &str) -> (TokenChange, &str) {
    let parse = || {
        let (number, rest) = text.strip_prefix(' ')?.split_once(" token")?;
        let count: i64 = number.replace(',', "").parse().ok()?;
        let rest = rest.strip_prefix('s').unwrap_or(rest);
        match (rest.strip_prefix(" fewer"), rest.strip_prefix(" more")) {
            (Some(rest), _) => Some((TokenChange(-count), rest)),
            (None, Some(rest)) => Some((TokenChange(count), rest)),
            (None, None) => None,
        }
    };
    parse().unwrap_or((TokenChange(0), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_read_as_it_was_written() {
        let details = [
            "",
            "`a`, `b`; nothing uses them",
            "2 stay, `main` still uses `c`",
        ];
        for detail in details {
            for change in [-1366, -1, 0, 2].map(TokenChange) {
                for question in [
                    "Can 7 unused declarations go?",
                    "Can `a ? b : c` become `a`?",
                ] {
                    let words = QuestionWords::ask(question).because(detail);
                    let sentence = EditSentence::new(words, change);
                    let line = sentence.to_string();
                    let read = EditSentence::from_line(&line);
                    assert_eq!(
                        (&read.question, &read.detail),
                        (&sentence.question, &sentence.detail)
                    );
                    assert_eq!((read.change, read.to_string()), (change, line));
                }
            }
        }
    }

    #[test]
    fn the_short_form_says_what_would_go() {
        let short = |question| QuestionWords::ask(question).short.into_owned();
        assert_eq!(short("Can 4 of 12 lines go?"), "4 of 12 lines");
        assert_eq!(short("Can `x = 1;` go?"), "del x = 1;");
        assert_eq!(short("Can the function `f` go?"), "del function f");
        assert_eq!(short("Can 11 bodies be empty?"), "11 bodies be empty");
        assert_eq!(QuestionWords::ask_change("a + b", "a").short, "a + b → a");
    }

    #[test]
    fn a_sentence_of_an_older_journal_is_its_own_question() {
        let line = "rule `empty block`: `{}` becomes `;` (1 token fewer)";
        assert_eq!(&*EditSentence::from_line(line).question, line);
        assert_eq!(
            EditSentence::from_line("the original").to_string(),
            "the original"
        );
    }
}
