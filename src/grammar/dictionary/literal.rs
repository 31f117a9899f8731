//! Reading one literal of JSON or Python: strings, lists and dictionaries, with the place of each.
//!
//! One reader does for both: it takes either kind of quotes, a comma behind the last element, tuples, comments, strings side by side, and a
//! name in front (`EXPR = {…}`).

use super::super::bnf::{BnfError, error_at};

/// The deepest nesting; a grammar needs three.
const MAX_DEPTH: usize = 16;

/// A value, and where it begins.
pub(super) struct LiteralValue {
    pub at: usize,
    pub kind: LiteralKind,
}

/// What a value is.
pub(super) enum LiteralKind {
    Text(String),
    List(Vec<LiteralValue>),
    /// Keys with their places, and values, in the order of the file.
    Dictionary(Vec<(String, usize, LiteralValue)>),
}

/// Reads the only literal of a file.
///
/// # Errors
/// The first error, and its place.
pub(super) fn read_literal(text: &str) -> Result<LiteralValue, BnfError> {
    let mut reader = LiteralReader { text, at: 0 };
    reader.skip_assignment();
    let value = reader.read_value(0)?;
    reader.skip_trivia();
    match reader.rest().is_empty() {
        true => Ok(value),
        false => Err(reader.error_here("the grammar is one literal, and here stands more")),
    }
}

struct LiteralReader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> LiteralReader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error_here(&self, what: impl Into<String>) -> BnfError {
        error_at(self.text, self.at, what)
    }

    /// What stands here, for an error.
    fn describe_next(&self) -> String {
        match self.rest().chars().next() {
            None => "the end of the file".to_owned(),
            Some(c) => format!("`{c}`"),
        }
    }

    fn skip_trivia(&mut self) {
        loop {
            let text = self.rest().trim_start();
            self.at = self.text.len() - text.len();
            if !text.starts_with('#') {
                return;
            }
            self.at += text.find('\n').unwrap_or(text.len());
        }
    }

    /// `NAME =`, or `NAME: TYPE =`, on one line.
    fn skip_assignment(&mut self) {
        self.skip_trivia();
        let line = self.rest().lines().next().unwrap_or_default();
        let is_name = line.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if let Some(equals) = line.find('=').filter(|_| is_name) {
            self.at += equals + 1;
        }
    }

    fn skip_sign(&mut self, sign: char) -> bool {
        self.skip_trivia();
        let there = self.rest().starts_with(sign);
        self.at += if there { sign.len_utf8() } else { 0 };
        there
    }

    fn read_value(&mut self, depth: usize) -> Result<LiteralValue, BnfError> {
        self.skip_trivia();
        let at = self.at;
        if depth > MAX_DEPTH {
            return Err(self.error_here("the lists are too deep in each other"));
        }
        let kind = match self.rest().chars().next() {
            Some('"' | '\'') => LiteralKind::Text(self.read_strings()?),
            Some('[') => LiteralKind::List(self.read_list(']', depth)?),
            Some('(') => LiteralKind::List(self.read_list(')', depth)?),
            Some('{') => LiteralKind::Dictionary(self.read_dictionary(depth)?),
            _ => {
                let what = format!(
                    "a string, a list or a dictionary is missing; here is {}",
                    self.describe_next()
                );
                return Err(self.error_here(what));
            }
        };
        Ok(LiteralValue { at, kind })
    }

    fn read_list(&mut self, close: char, depth: usize) -> Result<Vec<LiteralValue>, BnfError> {
        let open = self.at;
        self.at += 1;
        let mut members = Vec::new();
        while !self.skip_sign(close) {
            members.push(self.read_value(depth + 1)?);
            self.expect_comma(close, open)?;
        }
        Ok(members)
    }

    fn read_dictionary(
        &mut self,
        depth: usize,
    ) -> Result<Vec<(String, usize, LiteralValue)>, BnfError> {
        let open = self.at;
        self.at += 1;
        let mut entries = Vec::new();
        while !self.skip_sign('}') {
            let at = self.at;
            if !self.rest().starts_with(['"', '\'']) {
                let what = format!(
                    "a key is missing, as \"<start>\"; here is {}",
                    self.describe_next()
                );
                return Err(self.error_here(what));
            }
            let key = self.read_strings()?;
            if !self.skip_sign(':') {
                let what = format!(
                    "`:` is missing behind {key}; here is {}",
                    self.describe_next()
                );
                return Err(self.error_here(what));
            }
            entries.push((key, at, self.read_value(depth + 1)?));
            self.expect_comma('}', open)?;
        }
        Ok(entries)
    }

    /// A comma, or what closes the bracket that was opened at `open`.
    fn expect_comma(&mut self, close: char, open: usize) -> Result<(), BnfError> {
        if self.skip_sign(',') || self.rest().starts_with(close) {
            return Ok(());
        }
        let opened = &self.text[open..open + 1];
        let what = match self.rest().is_empty() {
            true => {
                return Err(error_at(
                    self.text,
                    open,
                    format!("this `{opened}` is not closed"),
                ));
            }
            false => format!(
                "`,` or `{close}` is missing; here is {}",
                self.describe_next()
            ),
        };
        Err(self.error_here(what))
    }

    /// A string, and those that stand directly behind it.
    fn read_strings(&mut self) -> Result<String, BnfError> {
        let mut all = String::new();
        while let Some(quote @ ('"' | '\'')) = self.rest().chars().next() {
            self.read_string(quote, &mut all)?;
            self.skip_trivia();
        }
        Ok(all)
    }

    fn read_string(&mut self, quote: char, into: &mut String) -> Result<(), BnfError> {
        let open = self.at;
        self.at += 1;
        loop {
            match self.rest().chars().next() {
                None | Some('\n') => {
                    let what = "this string is not closed on its line";
                    return Err(error_at(self.text, open, what));
                }
                Some('\\') => into.push(self.read_escape()?),
                Some(c) => {
                    self.at += c.len_utf8();
                    if c == quote {
                        return Ok(());
                    }
                    into.push(c);
                }
            }
        }
    }

    fn read_escape(&mut self) -> Result<char, BnfError> {
        let sign = self.rest()[1..].chars().next();
        let simple = match sign {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('b') => '\x08',
            Some('f') => '\x0c',
            Some('v') => '\x0b',
            Some('a') => '\x07',
            Some('0') => '\0',
            Some(c @ ('"' | '\'' | '\\' | '/')) => c,
            Some('x') => return self.read_code(2),
            Some('U') => return self.read_code(8),
            Some('u') => {
                // JSON writes a character beyond 16 bits as two.
                let Ok(high) = self.peek_code(4) else {
                    return Err(self.unknown_escape());
                };
                let second = self.rest()[6..].strip_prefix("\\u");
                let low = second.and_then(|digits| u32::from_str_radix(digits.get(..4)?, 16).ok());
                return match (high, low) {
                    (0xD800..=0xDBFF, Some(low @ 0xDC00..=0xDFFF)) => {
                        self.at += 12;
                        let code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                        char::from_u32(code).ok_or_else(|| self.unknown_escape())
                    }
                    _ => self.read_code(4),
                };
            }
            _ => return Err(self.unknown_escape()),
        };
        self.at += 2;
        Ok(simple)
    }

    fn unknown_escape(&self) -> BnfError {
        self.error_here("no escape of JSON or Python begins so")
    }

    /// The number of this many hexadecimal digits behind the backslash and its letter.
    fn peek_code(&self, digits: usize) -> Result<u32, BnfError> {
        let code = self.rest().get(2..2 + digits);
        let code = code.filter(|code| code.bytes().all(|b| b.is_ascii_hexdigit()));
        let number = code.and_then(|code| u32::from_str_radix(code, 16).ok());
        number.ok_or_else(|| self.unknown_escape())
    }

    fn read_code(&mut self, digits: usize) -> Result<char, BnfError> {
        let code = self.peek_code(digits)?;
        let c = char::from_u32(code).ok_or_else(|| self.unknown_escape())?;
        self.at += 2 + digits;
        Ok(c)
    }
}
