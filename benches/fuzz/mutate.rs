//! Mutations of bytes.

use std::ops::Range;

use super::random::Random;

/// What texts are made worse with.
pub struct Mutator<'a> {
    /// Words of the format.
    pub words: &'a [&'a str],
    /// Pairs that nest.
    pub pairs: &'a [(&'a str, &'a str)],
    /// How deep at most.
    pub depth: usize,
    /// Other texts, whose parts are inserted.
    pub others: &'a [&'a [u8]],
}

/// Numbers at which something may break.
pub const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "00",
    "255",
    "256",
    "65535",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "1e19",
    "1e400",
    "0.1",
    "NaN",
];

const BYTES: &[u8] = b"\0\t\n\x0b\x0c\r \"#'()*+,-./0:;<=>?@[\\]_`{|}~\x7f\x80\xc3\xef\xff";

/// No text grows longer than this.
const LONGEST: usize = 1 << 20;

type Change = fn(&Mutator, &mut Random, &mut Vec<u8>);

/// What may be done to a text.
const CHANGES: &[Change] = &[
    |_, random, text| {
        let at = random.below(text.len());
        if let Some(byte) = text.get_mut(at) {
            *byte ^= 1 << random.below(8);
        }
    },
    |_, random, text| {
        let at = random.below(text.len() + 1);
        text.insert(at, *random.pick(BYTES));
    },
    |_, random, text| drop(text.drain(stretch(random, text))),
    |_, random, text| text.truncate(random.below(text.len() + 1)),
    |_, random, text| {
        let part = text[stretch(random, text)].to_vec();
        let times = if random.one_in(20) { 10_000 } else { 10 };
        let times = random.length(times);
        let times = times.min(LONGEST / part.len().max(1));
        let at = random.below(text.len() + 1);
        text.splice(at..at, part.repeat(times));
    },
    |_, random, text| {
        let (one, other) = (stretch(random, text), stretch(random, text));
        let (first, second) = if one.start < other.start {
            (one, other)
        } else {
            (other, one)
        };
        if first.end <= second.start {
            let (before, after) = (text[first.clone()].to_vec(), text[second.clone()].to_vec());
            text.splice(second, before);
            text.splice(first, after);
        }
    },
    |this, random, text| {
        if !this.words.is_empty() {
            let at = random.below(text.len() + 1);
            text.splice(at..at, random.pick(this.words).bytes());
        }
    },
    |this, random, text| {
        if !this.words.is_empty() {
            text.splice(stretch(random, text), random.pick(this.words).bytes());
        }
    },
    |this, random, text| {
        if !this.others.is_empty() {
            let other = *random.pick(this.others);
            let part = other[stretch(random, other)].to_vec();
            text.splice(stretch(random, text), part);
        }
    },
    |_, random, text| {
        let from = random.below(text.len());
        let digit = |byte: &u8| byte.is_ascii_digit();
        if let Some(start) = text[from..].iter().position(digit).map(|at| from + at) {
            let end = text[start..].iter().position(|byte| !digit(byte));
            let end = end.map_or(text.len(), |length| start + length);
            text.splice(start..end, random.pick(NUMBERS).bytes());
        }
    },
    |this, random, text| {
        if !this.pairs.is_empty() {
            let (open, close) = random.pick(this.pairs);
            let depth = random.length(this.depth);
            let around = stretch(random, text);
            text.splice(
                around.end..around.end,
                close.bytes().cycle().take(close.len() * depth),
            );
            text.splice(
                around.start..around.start,
                open.bytes().cycle().take(open.len() * depth),
            );
        }
    },
    |_, random, text| {
        let (one, other) = (word(random, text), word(random, text));
        let other = text[other].to_vec();
        match random.below(3) {
            0 => drop(text.drain(one)),
            1 => drop(text.splice(one.start..one.start, other)),
            _ => drop(text.splice(one, other)),
        }
    },
    |_, random, text| match random.below(5) {
        0 => drop(text.splice(0..0, *b"\xef\xbb\xbf")),
        1 => text.push(0),
        2 => {
            *text = String::from_utf8_lossy(text)
                .replace('\n', "\r\n")
                .into_bytes()
        }
        3 => text
            .iter_mut()
            .filter(|byte| **byte == b'\n')
            .for_each(|byte| *byte = b' '),
        _ => text
            .iter_mut()
            .filter(|byte| **byte == b' ')
            .for_each(|byte| *byte = b'\n'),
    },
];

impl Mutator<'_> {
    /// Changes a text in one to a few ways.
    pub fn mutate(&self, random: &mut Random, text: &mut Vec<u8>) {
        for _ in 0..random.length(8) {
            random.pick(CHANGES)(self, random, text);
            text.truncate(LONGEST);
        }
    }

    /// A part of one of the other texts, made worse.
    pub fn text(&self, random: &mut Random, most: usize) -> Vec<u8> {
        let whole = *random.pick(self.others);
        let from = lines(whole, random.below(whole.len()));
        let mut text = whole[from..].to_vec();
        text.truncate(random.length(most));
        self.mutate(random, &mut text);
        text
    }
}

/// Where the line at this place begins.
fn lines(text: &[u8], at: usize) -> usize {
    text[..at]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |end| end + 1)
}

/// Letters and digits that stand together, or one other byte.
fn word(random: &mut Random, text: &[u8]) -> Range<usize> {
    let at = random.below(text.len());
    let alike = |byte: &&u8| byte.is_ascii_alphanumeric();
    let behind = text[at..].iter().take_while(alike).count();
    let before = text[..at].iter().rev().take_while(alike).count();
    match behind {
        0 => at..(at + 1).min(text.len()),
        _ => at - before..at + behind,
    }
}

/// A part of a text: short or long, of bytes or of lines.
fn stretch(random: &mut Random, text: &[u8]) -> Range<usize> {
    let start = random.below(text.len());
    let end = (start + random.length(text.len())).min(text.len());
    match random.one_in(2) {
        true => start..end,
        false => lines(text, start)..lines(text, end).max(lines(text, start)),
    }
}
