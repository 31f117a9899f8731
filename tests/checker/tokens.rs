//! The words of a Boolean program, with the lines on which they stand.

/// Why a program is refused: the line, from 1, and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub line: usize,
    pub reason: String,
}

impl Refusal {
    pub fn new(line: usize, reason: impl Into<String>) -> Refusal {
        let reason = reason.into();
        Refusal { line, reason }
    }
}

/// A word: a name with its prime and `$`, a number, or a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    pub text: &'a str,
    pub line: usize,
}

impl Token<'_> {
    /// Whether it may be a name. Words such as `if` are sorted out by the parser.
    pub fn is_name(&self) -> bool {
        let first = self.text.chars().next();
        first.is_some_and(|first| first == '\'' || first == '{' || starts_name(first))
    }
}

/// The signs, longer ones before their beginnings.
const SIGNS: [&str; 27] = [
    "<=>", ":=", "=>", "->", "==", "!=", "||", "&&", "(", ")", "[", "]", "<", ">", ",", ";", ":",
    "=", "^", "|", "&", "!", "~", "*", "?", "/", "-",
];

fn starts_name(letter: char) -> bool {
    letter.is_ascii_alphabetic() || letter == '_'
}

fn is_in_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '$'
}

/// The length of a comment or of white space at the start of `rest`; `None` if the comment has no end.
fn gap_length(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        Some(rest.find('\n').unwrap_or(rest.len()))
    } else if let Some(inside) = rest.strip_prefix("/*") {
        inside.find("*/").map(|end| end + 4)
    } else {
        Some(rest.len() - rest.trim_start().len())
    }
}

/// The length of the word at the start of `rest`; 0 if there is none.
fn word_length(rest: &str) -> usize {
    let letters = |text: &str| {
        text.find(|letter| !is_in_name(letter))
            .unwrap_or(text.len())
    };
    let first = rest.chars().next().unwrap_or(' ');
    if first == '{' {
        let line = rest.lines().next().unwrap_or("");
        return line.find('}').map_or(0, |end| end + 1);
    }
    if first == '\'' {
        let name = &rest[1..];
        return if name.starts_with(starts_name) {
            1 + letters(name)
        } else {
            0
        };
    }
    if first.is_ascii_digit() {
        return rest
            .find(|letter: char| !letter.is_ascii_digit())
            .unwrap_or(rest.len());
    }
    if starts_name(first) {
        return letters(rest);
    }
    SIGNS
        .iter()
        .find(|sign| rest.starts_with(**sign))
        .map_or(0, |sign| sign.len())
}

/// All words of `text`.
pub fn split_tokens(text: &str) -> Result<Vec<Token<'_>>, Refusal> {
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < text.len() {
        let rest = &text[at..];
        let gap = gap_length(rest).ok_or_else(|| Refusal::new(line, "a comment has no end"))?;
        let length = if gap > 0 { gap } else { word_length(rest) };
        if length == 0 {
            let letter = rest.chars().next().unwrap_or(' ');
            return Err(Refusal::new(line, format!("{letter:?} starts no word")));
        }
        let text = &rest[..length];
        if gap == 0 {
            tokens.push(Token { text, line });
        }
        line += text.matches('\n').count();
        at += length;
    }
    Ok(tokens)
}
