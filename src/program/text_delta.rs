//! What differs between two texts: stretches of the old one that others replace, found by lines; and a text that is kept as no more than that.

use std::ops::Range;

use rustc_hash::FxHashMap;
use similar::DiffOp;

use super::sequence_diff::diff_sequences;

/// How many lines in all are compared by Myers' algorithm; more of them, which it might compare for minutes, are compared in another way.
const MYERS: usize = 8_000;

/// Lines of the old text, and the lines that replace them.
type ChangedLines = (Range<usize>, Range<usize>);

fn diff_myers(old: &[&[u8]], new: &[&[u8]]) -> Vec<ChangedLines> {
    let ops = diff_sequences(old, new);
    let changed = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    changed.map(|op| (op.old_range(), op.new_range())).collect()
}

/// Each new line is the next old line that is the same. This is the best possible if lines were only removed.
fn diff_greedy(old: &[&[u8]], new: &[&[u8]]) -> Vec<ChangedLines> {
    let mut places: FxHashMap<&[u8], Vec<usize>> = FxHashMap::default();
    for (at, line) in old.iter().enumerate().rev() {
        places.entry(line).or_default().push(at);
    }
    let (mut changed, mut was, mut is) = (Vec::new(), 0, 0);
    for (at, line) in new.iter().enumerate() {
        let Some(places) = places.get_mut(line) else {
            continue;
        };
        while places.last().is_some_and(|place| *place < was) {
            places.pop();
        }
        let Some(place) = places.pop() else {
            continue;
        };
        if (was, is) != (place, at) {
            changed.push((was..place, is..at));
        }
        (was, is) = (place + 1, at + 1);
    }
    if (was, is) != (old.len(), new.len()) {
        changed.push((was..old.len(), is..new.len()));
    }
    changed
}

/// The lines of `old` that differ, from front to back and counted from 0, each with the lines of `new` that replace it.
pub fn find_changed_lines(old: &[&[u8]], new: &[&[u8]]) -> Vec<(Range<usize>, Range<usize>)> {
    let same = |pairs: &mut dyn Iterator<Item = (&&[u8], &&[u8])>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let front = same(&mut old.iter().zip(new));
    let back = same(&mut old[front..].iter().rev().zip(new[front..].iter().rev()));
    let (middle, other) = (&old[front..old.len() - back], &new[front..new.len() - back]);
    let changed = match middle.len() + other.len() <= MYERS {
        true => diff_myers(middle, other),
        false => diff_greedy(middle, other),
    };
    let within = |of: Range<usize>| front + of.start..front + of.end;
    let changed = changed.into_iter();
    changed.map(|(was, is)| (within(was), within(is))).collect()
}

/// The stretches of `old` that differ, from front to back, each with the stretch of `new` that replaces it. Lines are compared; within a
/// stretch of lines only its two ends.
pub fn find_changed_stretches(old: &[u8], new: &[u8]) -> Vec<(Range<usize>, Range<usize>)> {
    let (front, back) = common_end_lines(old, new);
    let (middle, other) = (&old[front..old.len() - back], &new[front..new.len() - back]);
    if middle.is_empty() && other.is_empty() {
        return Vec::new();
    }
    let (old_lines, a) = split_lines(middle);
    let (new_lines, b) = split_lines(other);
    let changed = find_changed_lines(&a, &b).into_iter();
    let stretches = changed.map(|(was, is)| {
        let was = old_lines[was.start]..old_lines[was.end];
        let is = new_lines[is.start]..new_lines[is.end];
        let (more, less) = common_ends(&middle[was.clone()], &other[is.clone()]);
        let within = |of: Range<usize>| front + of.start + more..front + of.end - less;
        (within(was), within(is))
    });
    stretches.collect()
}

/// Where the lines of a text begin, and where the last ends; and the lines.
fn split_lines(text: &[u8]) -> (Vec<usize>, Vec<&[u8]>) {
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let mut starts = vec![0];
    starts.extend(lines.iter().scan(0, |at, line| {
        *at += line.len();
        Some(*at)
    }));
    (starts, lines)
}

/// How many bytes two texts have in common at the front, and then at the back, in whole lines.
fn common_end_lines(old: &[u8], new: &[u8]) -> (usize, usize) {
    let (front, back) = common_ends(old, new);
    let is_end = |byte: &u8| *byte == b'\n';
    let before_back = |text: &[u8]| text[..text.len() - back].last().is_none_or(is_end);
    let whole_back = match before_back(old) && before_back(new) {
        true => back,
        // The line in which it begins is no whole one.
        false => {
            let end = &old[old.len() - back..];
            end.iter().position(is_end).map_or(0, |at| back - at - 1)
        }
    };
    let whole_front = old[..front].iter().rposition(is_end);
    (whole_front.map_or(0, |at| at + 1), whole_back)
}

/// How many bytes two texts have in common at the front, and then at the back. Never in the middle of a character.
fn common_ends(old: &[u8], new: &[u8]) -> (usize, usize) {
    let same =
        |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| pairs.take_while(|(a, b)| a == b).count();
    let within = |byte: Option<&u8>| byte.is_some_and(|byte| byte & 0xc0 == 0x80);
    let mut front = same(&mut old.iter().zip(new));
    while front > 0 && (within(old.get(front)) || within(new.get(front))) {
        front -= 1;
    }
    let mut back = same(&mut old[front..].iter().rev().zip(new[front..].iter().rev()));
    while back > 0 && within(old.get(old.len() - back)) {
        back -= 1;
    }
    (front, back)
}

/// The text with other bytes in the place of ranges; none if these do not lie inside of it, one behind the other.
pub fn replace_ranges<B: AsRef<[u8]>>(
    old: &[u8],
    replacements: impl IntoIterator<Item = (Range<usize>, B)>,
) -> Option<Vec<u8>> {
    let (mut new, mut at) = (Vec::with_capacity(old.len()), 0);
    for (range, bytes) in replacements {
        if range.end < range.start {
            return None;
        }
        new.extend_from_slice(old.get(at..range.start)?);
        new.extend_from_slice(bytes.as_ref());
        at = range.end;
    }
    new.extend_from_slice(old.get(at..)?);
    Some(new)
}

/// A text as what differs from an older one, which is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextDelta {
    /// The bytes of the old text that go, from where to where, and how many of `bytes` come in their place.
    cuts: Box<[(u32, u32, u32)]>,
    /// What comes, one behind the other.
    bytes: Box<[u8]>,
}

impl TextDelta {
    /// What makes `new` of `old`, both of less than 4 GiB.
    pub fn between(old: &[u8], new: &[u8]) -> TextDelta {
        let changed = find_changed_stretches(old, new);
        let cut = |(was, is): &(Range<usize>, Range<usize>)| {
            (was.start as u32, was.end as u32, is.len() as u32)
        };
        let come = changed.iter().flat_map(|(_, is)| &new[is.clone()]);
        TextDelta {
            bytes: come.copied().collect(),
            cuts: changed.iter().map(cut).collect(),
        }
    }

    /// The text; none if `old` is not the one that it differs from.
    pub fn apply_to(&self, old: &[u8]) -> Option<Vec<u8>> {
        let mut come = &self.bytes[..];
        let replacement = |&(start, end, length): &(u32, u32, u32)| {
            let (bytes, rest) = come.split_at_checked(length as usize)?;
            come = rest;
            Some((start as usize..end as usize, bytes))
        };
        let replacements: Option<Vec<_>> = self.cuts.iter().map(replacement).collect();
        replace_ranges(old, replacements?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_kept_of_a_text_is_what_differs() {
        let delta = TextDelta::between(b"a\nb\nc\nd\ne\n", b"a\nc\nDD\nd\ne\n");
        assert!(delta.bytes.len() < 6, "not all of it");
        assert_eq!(delta.apply_to(b"a\n"), None, "another text");
    }

    proptest! {
        #[test]
        fn many_lines_are_found_too(old in "[abc\n]{0,60}", new in "[abc\n]{0,60}") {
            let ((starts, a), (_, b)) = (split_lines(old.as_bytes()), split_lines(new.as_bytes()));
            let mut made = Vec::new();
            let mut at = 0;
            for (was, is) in diff_greedy(&a, &b) {
                made.extend_from_slice(&old.as_bytes()[starts[at]..starts[was.start]]);
                made.extend(b[is].concat());
                at = was.end;
            }
            made.extend_from_slice(&old.as_bytes()[starts[at]..]);
            prop_assert_eq!(made, new.into_bytes());
        }

        #[test]
        fn a_delta_makes_the_text_again(old: Vec<u8>, new: Vec<u8>) {
            prop_assert_eq!(TextDelta::between(&old, &new).apply_to(&old), Some(new));
        }

        #[test]
        fn a_delta_by_lines_makes_the_text_again(old in "[ab\né]{0,40}", new in "[ab\né]{0,40}") {
            let made = TextDelta::between(old.as_bytes(), new.as_bytes()).apply_to(old.as_bytes());
            prop_assert_eq!(made, Some(new.into_bytes()));
        }
    }
}
