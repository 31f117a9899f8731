//! Tests whose verdicts are known: what a program must have to be interesting is chosen by a seed.

use super::exercise::hash;
use super::random::Random;

/// The failure property. The bytes alone decide.
#[derive(Clone, Debug)]
pub enum Predicate {
    /// All of these words, anywhere.
    Words(Vec<Vec<u8>>),
    /// All of these words, in this order.
    Row(Vec<Vec<u8>>),
    /// So many of this byte at least.
    Count(u8, usize),
    /// A number that is made of the bytes can be divided by this one: it hangs on all of them at once.
    Luck(u64, u64),
    /// Nothing: all is interesting.
    Nothing,
}

impl Predicate {
    /// One that this text fulfils, but for [`Predicate::Luck`].
    pub fn of(text: &[u8], random: &mut Random) -> Predicate {
        let words: Vec<&[u8]> = words(text);
        if words.is_empty() {
            return Predicate::Nothing;
        }
        let mut some: Vec<usize> = (0..random.length(6))
            .map(|_| random.below(words.len()))
            .collect();
        some.sort_unstable();
        some.dedup();
        let some = some.into_iter().map(|at| words[at].to_vec()).collect();
        match random.below(20) {
            0..7 => Predicate::Words(some),
            7..14 => Predicate::Row(some),
            14..16 => {
                let byte = *random.pick(text);
                let count = text.iter().filter(|&&other| other == byte).count();
                Predicate::Count(byte, random.length(count))
            }
            16..19 => Predicate::Luck(random.next(), 2 + random.below(6) as u64),
            _ => Predicate::Nothing,
        }
    }

    /// Whether a text has it.
    pub fn holds(&self, text: &[u8]) -> bool {
        match self {
            Predicate::Words(words) => words.iter().all(|word| find(text, word).is_some()),
            Predicate::Row(words) => {
                let mut rest = text;
                words.iter().all(|word| match find(rest, word) {
                    Some(at) => {
                        rest = &rest[at + word.len()..];
                        true
                    }
                    None => false,
                })
            }
            Predicate::Count(byte, least) => {
                text.iter().filter(|&other| other == byte).count() >= *least
            }
            Predicate::Luck(salt, one_in) => hash(text, *salt).is_multiple_of(*one_in),
            Predicate::Nothing => true,
        }
    }
}

/// Where a word begins.
fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|part| part == word)
}

/// Runs of letters and digits, and all else that is not white space, byte by byte.
fn words(text: &[u8]) -> Vec<&[u8]> {
    let alike = |one: &u8, other: &u8| one.is_ascii_alphanumeric() && other.is_ascii_alphanumeric();
    let parts = text.chunk_by(alike);
    parts
        .filter(|part| !part[0].is_ascii_whitespace())
        .collect()
}
