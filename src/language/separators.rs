//! Which tokens would be read as one without a blank between them.

use super::data::SeparatorRules;

/// A representative of all words.
const ANY_WORD: &str = "*";

/// Whether the end of `before` and the start of `after` need something between them. Reads a few bytes only.
pub(super) fn needs_separator(table: &SeparatorRules, before: &[u8], after: &[u8]) -> bool {
    let signed = |(&last, &first): (&u8, &u8)| {
        // A sign before a number is part of it for some parsers.
        let begins_number = first.is_ascii_digit() || first == b'.';
        table.signs.as_bytes().contains(&last) && begins_number
    };
    before.last().zip(after.first()).is_some_and(signed) || is_read_as_one(table, before, after)
}

/// The same where it does not matter whether a sign is part of the number behind it.
pub(super) fn is_read_as_one(table: &SeparatorRules, before: &[u8], after: &[u8]) -> bool {
    let (Some(&last), Some(&first)) = (before.last(), after.first()) else {
        return false;
    };
    let has = |set: &str, byte: u8| set.as_bytes().contains(&byte);
    let of_word = |byte| is_word_byte(byte) || has(&table.word, byte);
    if of_word(last) && of_word(first) {
        return true;
    }
    if table
        .pairs
        .iter()
        .any(|pair| pair.as_bytes() == [last, first])
    {
        return true;
    }
    if last == b'.' && first.is_ascii_digit() {
        return true;
    }
    if ends_in_number(table, before) {
        let signed = has(&table.exponents, last) && has(&table.signs, first);
        return is_word_byte(first) || has(&table.number, first) || signed;
    }
    let changes = |prefix: &String| match prefix.as_str() {
        ANY_WORD => is_word_byte(last),
        prefix => last_word(before) == prefix.as_bytes(),
    };
    has(&table.quotes, first) && table.prefixes.iter().any(changes)
}

/// Letters, digits, and all that is not ASCII.
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn last_word(text: &[u8]) -> &[u8] {
    let start = text
        .iter()
        .rposition(|&b| !is_word_byte(b))
        .map_or(0, |at| at + 1);
    &text[start..]
}

/// Whether the text ends in a preprocessing number: a digit, perhaps after a dot, and its continuation.
fn ends_in_number(table: &SeparatorRules, text: &[u8]) -> bool {
    let continues = |b: u8| is_word_byte(b) || table.number.as_bytes().contains(&b);
    let start = text
        .iter()
        .rposition(|&b| !continues(b))
        .map_or(0, |at| at + 1);
    let run = &text[start..];
    let digits = run.strip_prefix(b".").unwrap_or(run);
    digits.first().is_some_and(u8::is_ascii_digit)
}
