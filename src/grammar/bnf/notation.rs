//! The tokens of the notation: names, literals, classes of characters, signs; and a setting as it is written in them.

use super::error::BnfError;

/// A set of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ByteSet(pub [u64; 4]);

impl ByteSet {
    /// No byte.
    pub const NONE: ByteSet = ByteSet([0; 4]);

    pub(in super::super) fn insert_range(&mut self, first: u8, last: u8) {
        for byte in first..=last {
            self.0[byte as usize / 64] |= 1 << (byte % 64);
        }
    }

    /// All bytes but these.
    pub(super) fn complement(self) -> ByteSet {
        ByteSet(self.0.map(|word| !word))
    }

    /// Whether the byte is one of them.
    pub fn contains(self, byte: u8) -> bool {
        self.0[byte as usize / 64] >> (byte % 64) & 1 == 1
    }
}

/// A setting of a grammar as it is written: names, then texts.
pub(super) struct WrittenSetting {
    pub directive: String,
    /// The byte at which it begins.
    pub at: usize,
    pub names: Vec<String>,
    pub texts: Vec<Vec<u8>>,
}

/// A rule or a text in a setting.
pub(super) struct PlacedSetting {
    pub directive: String,
    /// The byte at which it stands.
    pub at: usize,
    pub part: SettingPart,
}

/// See [`PlacedSetting`].
pub(super) enum SettingPart {
    Rule(String),
    Text(Vec<u8>),
}

/// A token of the notation.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum NotationToken {
    /// `name` or `<name>`.
    Name(String),
    /// `%token`, `%def.var`.
    Directive(String),
    /// `@def.var.name`.
    Mark(String),
    /// `"text"` or `'text'`.
    Literal(Vec<u8>),
    /// `[a-z]`, with its text.
    Class(ByteSet, String),
    /// `::=`
    Defines,
    /// One of `| ( ) * + ? ;`
    Sign(u8),
}

impl NotationToken {
    /// The token as an error names it.
    pub fn describe(&self) -> String {
        match self {
            NotationToken::Name(name) => format!("the name {name}"),
            NotationToken::Directive(name) => format!("%{name}"),
            NotationToken::Mark(name) => format!("@{name}"),
            NotationToken::Literal(text) => format!("{:?}", String::from_utf8_lossy(text)),
            NotationToken::Class(_, text) => text.clone(),
            NotationToken::Defines => "::=".to_owned(),
            NotationToken::Sign(sign) => format!("`{}`", char::from(*sign)),
        }
    }
}

/// A token and where it begins.
pub(super) struct PositionedToken {
    pub word: NotationToken,
    pub at: usize,
}

/// The tokens of a text.
pub(super) fn tokenize(text: &str) -> Result<Vec<PositionedToken>, BnfError> {
    let mut scanner = NotationScanner { text, at: 0 };
    let mut words = Vec::new();
    while let Some(word) = scanner.next_token()? {
        words.push(word);
    }
    Ok(words)
}

/// The error of this place in the text.
pub(in super::super) fn error_at(text: &str, at: usize, what: impl Into<String>) -> BnfError {
    let before = &text[..at.min(text.len())];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    BnfError {
        line: before.matches('\n').count() + 1,
        column: before[start..].chars().count() + 1,
        what: what.into(),
    }
}

struct NotationScanner<'a> {
    text: &'a str,
    at: usize,
}

impl NotationScanner<'_> {
    fn remaining_text(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_trivia(&mut self) {
        loop {
            let rest = self.remaining_text();
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

    fn next_token(&mut self) -> Result<Option<PositionedToken>, BnfError> {
        self.skip_trivia();
        let at = self.at;
        let rest = self.remaining_text();
        let Some(first) = rest.chars().next() else {
            return Ok(None);
        };
        let (word, length) = match first {
            _ if rest.starts_with("::=") => (NotationToken::Defines, 3),
            '|' | '(' | ')' | '*' | '+' | '?' | ';' => (NotationToken::Sign(first as u8), 1),
            '"' | '\'' => {
                let (text, end) = self.scan_quoted(first)?;
                (NotationToken::Literal(text), end)
            }
            '[' => {
                let (set, end) = self.scan_class()?;
                (NotationToken::Class(set, rest[..end].to_owned()), end)
            }
            '.' => {
                let mut newline = ByteSet::NONE;
                newline.insert_range(b'\n', b'\n');
                (
                    NotationToken::Class(newline.complement(), ".".to_owned()),
                    1,
                )
            }
            '<' => match rest.find(['>', '\n']) {
                Some(end) if rest[end..].starts_with('>') && end > 1 => {
                    (NotationToken::Name(rest[1..end].to_owned()), end + 1)
                }
                _ => {
                    return Err(error_at(
                        self.text,
                        at,
                        "this `<` begins a name, which needs a `>`",
                    ));
                }
            },
            '%' => match dotted_length(&rest[1..]) {
                0 => {
                    return Err(error_at(
                        self.text,
                        at,
                        "a `%` is followed by a word, as %token",
                    ));
                }
                end => (NotationToken::Directive(rest[1..=end].to_owned()), end + 1),
            },
            '@' => match dotted_length(&rest[1..]) {
                0 => {
                    return Err(error_at(
                        self.text,
                        at,
                        "a `@` is followed by a mark, as @def.var.name",
                    ));
                }
                end => (NotationToken::Mark(rest[1..=end].to_owned()), end + 1),
            },
            _ => match name_length(rest) {
                0 => {
                    let what = format!(
                        "`{first}` means nothing here; a text that stands for itself is in quotes"
                    );
                    return Err(error_at(self.text, at, what));
                }
                end => (NotationToken::Name(rest[..end].to_owned()), end),
            },
        };
        self.at += length;
        Ok(Some(PositionedToken { word, at }))
    }

    /// The bytes between two quotes, and the length with the quotes.
    fn scan_quoted(&self, quote: char) -> Result<(Vec<u8>, usize), BnfError> {
        let rest = self.remaining_text();
        let mut bytes = Vec::new();
        let mut at = 1;
        loop {
            match rest[at..].chars().next() {
                None | Some('\n') => {
                    return Err(error_at(
                        self.text,
                        self.at,
                        "this quote is not closed on its line",
                    ));
                }
                Some(c) if c == quote && bytes.is_empty() => {
                    let what = "an empty text; what may be nothing is written with `?` or as an empty alternative";
                    return Err(error_at(self.text, self.at, what));
                }
                Some(c) if c == quote => return Ok((bytes, at + 1)),
                Some('\\') => {
                    let (byte, length) = self.scan_escape(at)?;
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

    /// The byte that an escape with the backslash at this offset stands for, and the length of the escape.
    fn scan_escape(&self, at: usize) -> Result<(u8, usize), BnfError> {
        let rest = &self.remaining_text()[at + 1..];
        let unknown = || {
            let what = "a backslash is followed by n, r, t, 0, xHH, or a sign that it takes the meaning from";
            error_at(self.text, self.at + at, what)
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

    /// The set between `[` and `]`, and the length with the brackets.
    fn scan_class(&self) -> Result<(ByteSet, usize), BnfError> {
        let rest = self.remaining_text();
        let not = rest[1..].starts_with('^');
        let mut at = 1 + usize::from(not);
        let mut set = ByteSet::NONE;
        while !rest[at..].starts_with(']') {
            let (first, length) = self.scan_class_member(at)?;
            at += length;
            let range = rest[at..].starts_with('-') && !rest[at..].starts_with("-]");
            let last = match range {
                true => {
                    let (last, length) = self.scan_class_member(at + 1)?;
                    at += length + 1;
                    last
                }
                false => first,
            };
            if last < first {
                let what = "the range ends before it begins";
                return Err(error_at(self.text, self.at + at - 1, what));
            }
            set.insert_range(first, last);
        }
        let set = if not { set.complement() } else { set };
        if set == ByteSet::NONE {
            return Err(error_at(
                self.text,
                self.at,
                "no character is in this class",
            ));
        }
        Ok((set, at + 1))
    }

    fn scan_class_member(&self, at: usize) -> Result<(u8, usize), BnfError> {
        let place = self.at + at;
        match self.remaining_text()[at..].chars().next() {
            None | Some('\n') => Err(error_at(
                self.text,
                self.at,
                "this `[` is not closed on its line",
            )),
            Some('\\') => self.scan_escape(at),
            Some(c) if c.is_ascii() => Ok((c as u8, 1)),
            Some(c) => {
                let what = format!(
                    "a class has bytes in it, and `{c}` is more than one; write \\x80-\\xFF for all beyond ASCII, or (\"{c}\" | ...)"
                );
                Err(error_at(self.text, place, what))
            }
        }
    }
}

/// The length of the names with dots between them that a text begins with.
fn dotted_length(text: &str) -> usize {
    let mut length = name_length(text);
    while length > 0 && text[length..].starts_with('.') {
        match name_length(&text[length + 1..]) {
            0 => break,
            next => length += 1 + next,
        }
    }
    length
}

/// The length of the name that a text begins with.
pub(in super::super) fn name_length(text: &str) -> usize {
    let begins = |c: char| c.is_alphabetic() || c == '_';
    if !text.starts_with(begins) {
        return 0;
    }
    let goes_on = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '\'';
    text.find(|c| !goes_on(c)).unwrap_or(text.len())
}
