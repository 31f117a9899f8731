//! The words of the notation: names, literals, classes of characters, signs.

use super::error::BnfError;

/// A set of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Bytes(pub [u64; 4]);

impl Bytes {
    /// No byte.
    pub const NONE: Bytes = Bytes([0; 4]);

    pub(super) fn add(&mut self, first: u8, last: u8) {
        for byte in first..=last {
            self.0[byte as usize / 64] |= 1 << (byte % 64);
        }
    }

    /// All bytes but these.
    pub(super) fn others(self) -> Bytes {
        Bytes(self.0.map(|word| !word))
    }

    /// Whether the byte is one of them.
    pub fn has(self, byte: u8) -> bool {
        self.0[byte as usize / 64] >> (byte % 64) & 1 == 1
    }
}

/// A word of the notation.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Word {
    /// `name` or `<name>`.
    Name(String),
    /// `%token`.
    Directive(String),
    /// `"text"` or `'text'`.
    Literal(Vec<u8>),
    /// `[a-z]`, with its text.
    Class(Bytes, String),
    /// `::=`
    Is,
    /// One of `| ( ) * + ? ;`
    Sign(u8),
}

impl Word {
    /// The word as an error names it.
    pub fn told(&self) -> String {
        match self {
            Word::Name(name) => format!("the name {name}"),
            Word::Directive(name) => format!("%{name}"),
            Word::Literal(text) => format!("{:?}", String::from_utf8_lossy(text)),
            Word::Class(_, text) => text.clone(),
            Word::Is => "::=".to_owned(),
            Word::Sign(sign) => format!("`{}`", char::from(*sign)),
        }
    }
}

/// A word and where it begins.
pub(super) struct Placed {
    pub word: Word,
    pub at: usize,
}

/// The words of a text.
pub(super) fn words(text: &str) -> Result<Vec<Placed>, BnfError> {
    let mut scanner = Scanner { text, at: 0 };
    let mut words = Vec::new();
    while let Some(word) = scanner.word()? {
        words.push(word);
    }
    Ok(words)
}

/// The error of this place in the text.
pub(super) fn wrong(text: &str, at: usize, what: impl Into<String>) -> BnfError {
    let before = &text[..at.min(text.len())];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    BnfError {
        line: before.matches('\n').count() + 1,
        column: before[start..].chars().count() + 1,
        what: what.into(),
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let text = rest.trim_start();
            let blank = rest.len() - text.len();
            let comment = match text.starts_with('#') {
                true => text.find('\n').unwrap_or(text.len()),
                false => 0,
            };
            self.at += blank + comment;
            if comment == 0 {
                return;
            }
        }
    }

    fn word(&mut self) -> Result<Option<Placed>, BnfError> {
        self.skip();
        let at = self.at;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(None);
        };
        let (word, length) = match first {
            _ if rest.starts_with("::=") => (Word::Is, 3),
            '|' | '(' | ')' | '*' | '+' | '?' | ';' => (Word::Sign(first as u8), 1),
            '"' | '\'' => {
                let (text, end) = self.quoted(first)?;
                (Word::Literal(text), end)
            }
            '[' => {
                let (set, end) = self.class()?;
                (Word::Class(set, rest[..end].to_owned()), end)
            }
            '.' => {
                let mut newline = Bytes::NONE;
                newline.add(b'\n', b'\n');
                (Word::Class(newline.others(), ".".to_owned()), 1)
            }
            '<' => match rest.find(['>', '\n']) {
                Some(end) if rest[end..].starts_with('>') && end > 1 => {
                    (Word::Name(rest[1..end].to_owned()), end + 1)
                }
                _ => {
                    return Err(wrong(
                        self.text,
                        at,
                        "this `<` begins a name, which needs a `>`",
                    ));
                }
            },
            '%' => match name(&rest[1..]) {
                0 => {
                    return Err(wrong(
                        self.text,
                        at,
                        "a `%` is followed by a word, as %token",
                    ));
                }
                end => (Word::Directive(rest[1..=end].to_owned()), end + 1),
            },
            _ => match name(rest) {
                0 => {
                    let what = format!(
                        "`{first}` means nothing here; a text that stands for itself is in quotes"
                    );
                    return Err(wrong(self.text, at, what));
                }
                end => (Word::Name(rest[..end].to_owned()), end),
            },
        };
        self.at += length;
        Ok(Some(Placed { word, at }))
    }

    /// The bytes between two quotes, and how long all of it is.
    fn quoted(&self, quote: char) -> Result<(Vec<u8>, usize), BnfError> {
        let rest = self.rest();
        let mut bytes = Vec::new();
        let mut at = 1;
        loop {
            match rest[at..].chars().next() {
                None | Some('\n') => {
                    return Err(wrong(
                        self.text,
                        self.at,
                        "this quote is not closed on its line",
                    ));
                }
                Some(c) if c == quote && bytes.is_empty() => {
                    let what = "an empty text; what may be nothing is written with `?` or as an empty alternative";
                    return Err(wrong(self.text, self.at, what));
                }
                Some(c) if c == quote => return Ok((bytes, at + 1)),
                Some('\\') => {
                    let (byte, length) = self.escape(at)?;
                    bytes.push(byte);
                    at += length;
                }
                Some(c) => {
                    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    at += c.len_utf8();
                }
            }
        }
    }

    /// The byte that is meant by the backslash at this distance, and how long that is.
    fn escape(&self, at: usize) -> Result<(u8, usize), BnfError> {
        let rest = &self.rest()[at + 1..];
        let unknown = || {
            let what = "a backslash is followed by n, r, t, 0, xHH, or a sign that it takes the meaning from";
            wrong(self.text, self.at + at, what)
        };
        Ok(match rest.chars().next().ok_or_else(unknown)? {
            'n' => (b'\n', 2),
            'r' => (b'\r', 2),
            't' => (b'\t', 2),
            '0' => (0, 2),
            'x' => {
                let digits = rest.get(1..3).ok_or_else(unknown)?;
                (u8::from_str_radix(digits, 16).map_err(|_| unknown())?, 4)
            }
            sign if sign.is_ascii_punctuation() || sign == ' ' => (sign as u8, 2),
            _ => return Err(unknown()),
        })
    }

    /// The set between `[` and `]`, and how long all of it is.
    fn class(&self) -> Result<(Bytes, usize), BnfError> {
        let rest = self.rest();
        let not = rest[1..].starts_with('^');
        let mut at = 1 + usize::from(not);
        let mut set = Bytes::NONE;
        while !rest[at..].starts_with(']') {
            let (first, length) = self.member(at)?;
            at += length;
            let range = rest[at..].starts_with('-') && !rest[at..].starts_with("-]");
            let last = match range {
                true => {
                    let (last, length) = self.member(at + 1)?;
                    at += length + 1;
                    last
                }
                false => first,
            };
            if last < first {
                let what = "the range ends before it begins";
                return Err(wrong(self.text, self.at + at - 1, what));
            }
            set.add(first, last);
        }
        let set = if not { set.others() } else { set };
        if set == Bytes::NONE {
            return Err(wrong(self.text, self.at, "no character is in this class"));
        }
        Ok((set, at + 1))
    }

    fn member(&self, at: usize) -> Result<(u8, usize), BnfError> {
        let place = self.at + at;
        match self.rest()[at..].chars().next() {
            None | Some('\n') => Err(wrong(
                self.text,
                self.at,
                "this `[` is not closed on its line",
            )),
            Some('\\') => self.escape(at),
            Some(c) if c.is_ascii() => Ok((c as u8, 1)),
            Some(c) => {
                let what = format!(
                    "a class has bytes in it, and `{c}` is more than one; write \\x80-\\xFF for all beyond ASCII, or (\"{c}\" | ...)"
                );
                Err(wrong(self.text, place, what))
            }
        }
    }
}

/// How long the name is that a text begins with.
fn name(text: &str) -> usize {
    let begins = |c: char| c.is_alphabetic() || c == '_';
    if !text.starts_with(begins) {
        return 0;
    }
    let goes_on = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '\'';
    text.find(|c| !goes_on(c)).unwrap_or(text.len())
}
