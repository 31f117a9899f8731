//! Patterns of messages: what depends on the program, the machine or the moment is generalised.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

/// A pattern for a part of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessagePattern {
    /// The text for people, with `…` for what may vary.
    pub shown: String,
    /// A regular expression that matches it in a line; `grep -E` reads it too.
    pub regex: String,
}

impl MessagePattern {
    /// Matches a whole word, not a part of a longer one.
    pub(in super::super) fn from_word(word: &str) -> MessagePattern {
        let is_in_word = |c: char| c.is_alphanumeric() || c == '_';
        let border = |at_border: Option<char>, border: &'static str| {
            at_border.filter(|c| is_in_word(*c)).map_or("", |_| border)
        };
        let before = border(word.chars().next(), "(^|[^[:alnum:]_])");
        let after = border(word.chars().next_back(), "([^[:alnum:]_]|$)");
        MessagePattern::from_context(before, word, after)
    }

    /// Matches a word between these two expressions.
    pub(in super::super) fn from_context(before: &str, word: &str, after: &str) -> MessagePattern {
        MessagePattern {
            shown: word.to_owned(),
            regex: format!("{before}{}{after}", escape_regex(word)),
        }
    }

    /// Whether it has a letter that does not vary. Without one it would match too much.
    pub(in super::super) fn is_distinctive(&self) -> bool {
        let varies = VARIABLE_PARTS.iter().map(|(.., regex)| *regex);
        let left = varies.fold(self.regex.clone(), |left, regex| left.replace(regex, ""));
        left.chars().any(char::is_alphabetic)
    }
}

/// The length at which a pattern is cut, in bytes: the beginning of a message identifies it.
const MAX_PATTERN_BYTES: usize = 240;

/// What may vary: its name, the expression that finds it, what is shown for it, and the expression that matches another.
const VARIABLE_PARTS: &[(&str, &str, &str, &str)] = &[
    (
        "quoted",
        r#"\B(?:`[^`\n]*`|[`'][^'`\n]*'|"[^"\n]*"|“[^”\n]*”|‘[^’\n]*’)\B"#,
        "'…'",
        ".*",
    ),
    (
        "temporary",
        r"(?:/tmp|/var/tmp|/dev/shm)/[^\s:'\x22()\[\]]*",
        "…",
        "[^[:space:]]*",
    ),
    (
        "directory",
        r"(?:[A-Za-z]:)?(?:\.{0,2}/|\b[\w.+-]+/)(?:[\w.+@~-]+/)*",
        "",
        "[^[:space:]]*",
    ),
    (
        "address",
        r"\b0[xX][0-9a-fA-F]+\b",
        "0x…",
        "0[xX][0-9a-fA-F]+",
    ),
    // The identity of a Java object.
    ("identity", r"@[0-9a-f]{4,16}\b", "@…", "@[0-9a-f]+"),
    ("place", r":\d+(?::\d+)*", "", "[0-9:]*"),
    ("number", r"\b\d+\b", "N", "[0-9]+"),
    ("space", r"[ \t]{2,}|\t", " ", "[[:space:]]+"),
];

/// After these words a number identifies the failure, so it stays.
const SIGNIFICANT_PREFIXES: &[&str] = &["signal ", "exit ", "status ", "code ", "errno "];

static VARIABLE_REGEX: LazyLock<Regex> = LazyLock::new(|| {
    let all = VARIABLE_PARTS.iter();
    let all: Vec<String> = all
        .map(|(name, found, ..)| format!("(?P<{name}>{found})"))
        .collect();
    Regex::new(&all.join("|")).expect("the table holds regular expressions")
});

/// How the messages of one tool are generalised.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct PatternOptions<'a> {
    /// Finds further text that varies.
    pub loose: Option<&'a Regex>,
    /// Text in quotes is the tool's own, not the program's, and stays.
    pub verbatim: bool,
}

/// Makes a pattern of a part of a line; what may vary is replaced.
pub(in super::super) fn generalize_message(
    piece: &str,
    options: PatternOptions<'_>,
) -> MessagePattern {
    let piece = piece.trim();
    let mut pattern = MessagePattern {
        shown: String::new(),
        regex: String::new(),
    };
    let mut rest = 0;
    for (from, to, shown, regex) in find_varying_ranges(piece, options) {
        if from < rest {
            continue;
        }
        if pattern.regex.len() > MAX_PATTERN_BYTES {
            return pattern;
        }
        pattern.shown.push_str(&piece[rest..from]);
        pattern.regex.push_str(&escape_regex(&piece[rest..from]));
        pattern.shown.push_str(shown);
        // One `.*` is enough.
        if !(regex == ".*" && pattern.regex.ends_with(".*")) {
            pattern.regex.push_str(regex);
        }
        rest = to;
    }
    let left = piece[rest..]
        .char_indices()
        .map(|(at, _)| rest + at)
        .find(|at| at - rest > MAX_PATTERN_BYTES)
        .unwrap_or(piece.len());
    pattern.shown.push_str(&piece[rest..left]);
    pattern.regex.push_str(&escape_regex(&piece[rest..left]));
    // The pattern may match anywhere in a line, so a variable part at its end is useless.
    for open in [".*", "[^[:space:]]*", "[0-9:]*"] {
        if let Some(shorter) = pattern.regex.strip_suffix(open) {
            pattern.regex.truncate(shorter.len());
        }
    }
    pattern
}

/// The variable ranges in order: start, end, shown, regex.
fn find_varying_ranges(
    piece: &str,
    options: PatternOptions<'_>,
) -> Vec<(usize, usize, &'static str, &'static str)> {
    let mut found: Vec<_> = options
        .loose
        .into_iter()
        .flat_map(|loose| loose.find_iter(piece))
        .map(|hit| (hit.start(), hit.end(), "…", ".*"))
        .collect();
    for hit in VARIABLE_REGEX.captures_iter(piece) {
        let named = VARIABLE_PARTS
            .iter()
            .find_map(|row| Some((row, hit.name(row.0)?)));
        let Some(((name, _, shown, regex), hit)) = named else {
            continue;
        };
        let keeps = match *name {
            // Quoted punctuation is the tool's own, a quoted name is the program's.
            "quoted" => options.verbatim || !hit.as_str().chars().any(char::is_alphanumeric),
            "number" => SIGNIFICANT_PREFIXES
                .iter()
                .any(|word| piece[..hit.start()].ends_with(word)),
            _ => false,
        };
        if !keeps {
            found.push((hit.start(), hit.end(), *shown, *regex));
        }
    }
    found.sort_by_key(|(from, to, ..)| (*from, std::cmp::Reverse(*to)));
    found
}

/// A regular expression that matches this text only; `grep -E` reads it too. A byte that was not UTF-8 may be anything.
pub(in super::super) fn escape_regex(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character == char::REPLACEMENT_CHARACTER {
            escaped.push_str(".*");
            continue;
        }
        if r"\.[]{}()*+?^$|".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hangs_on_the_program_or_the_moment_does_not_count() {
        for (raw, shown, same) in [
            (
                "internal compiler error: in expand_call, at calls.c:4050",
                "internal compiler error: in expand_call, at calls.c",
                "bug.c:3:1: internal compiler error: in expand_call, at calls.c:4051",
            ),
            (
                "error: cannot convert 'foo' to `bar *'",
                "error: cannot convert '…' to '…'",
                "x.c:9:1: error: cannot convert 'a' to 'b'",
            ),
            (
                "/build/llvm-14/lib/Sema.cpp:812: bad thing at 0x7ffe12",
                "Sema.cpp: bad thing at 0x…",
                "/usr/src/Sema.cpp:900: bad thing at 0xabc",
            ),
            (
                "index 3 out of range for length 2",
                "index N out of range for length N",
                "index 99 out of range for length 12",
            ),
            (
                "unexpected token: '/'",
                "unexpected token: '/'",
                "line 3: unexpected token: '/'",
            ),
            (
                "Caught signal 11: SIGSEGV",
                "Caught signal 11: SIGSEGV",
                "Caught signal 11: SIGSEGV",
            ),
            (
                "couldn't read /tmp/ccQ1.s: no such file",
                "couldn't read …: no such file",
                "couldn't read /tmp/ccXX.s: no such file",
            ),
        ] {
            let made = generalize_message(raw, PatternOptions::default());
            assert_eq!(made.shown, shown, "{raw}");
            let regex = Regex::new(&made.regex).expect("a regular expression");
            assert!(
                regex.is_match(raw) && regex.is_match(same),
                "{}",
                made.regex
            );
        }
    }

    #[test]
    fn what_only_varies_tells_nothing() {
        let tells = |raw: &str| generalize_message(raw, PatternOptions::default()).is_distinctive();
        assert!(!tells("'all of it'") && !tells("12: 0x7f /tmp/x") && !tells("  12   34"));
        assert!(tells("bad 'thing'"));
    }

    #[test]
    fn a_word_is_no_piece_of_another() {
        let regex =
            Regex::new(&MessagePattern::from_word("fold").regex).expect("a regular expression");
        assert!(regex.is_match("fold") && regex.is_match("  in fold(3)"));
        assert!(!regex.is_match("unfolding") && !regex.is_match("fold_all"));
        let regex =
            Regex::new(&MessagePattern::from_word("f(int)").regex).expect("a regular expression");
        assert!(regex.is_match("#1 f(int)const") && !regex.is_match("if(int)"));
    }

    #[test]
    fn another_message_is_another() {
        for (raw, other) in [
            (
                "in expand_call, at calls.c:4050",
                "in expand_expr, at expr.c:4050",
            ),
            ("unexpected token: '/'", "unexpected token: ')'"),
            ("Caught signal 11", "Caught signal 6"),
            ("a.b(c)", "aXb(c)"),
        ] {
            let regex = Regex::new(&generalize_message(raw, PatternOptions::default()).regex)
                .expect("a regular expression");
            assert!(!regex.is_match(other), "{regex}");
        }
    }
}
