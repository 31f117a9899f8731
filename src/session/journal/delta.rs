//! The differences of two texts, as cuts: stretches of the old text that others replace.

use std::ops::Range;

use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::stored_text::{JournalBytes, TextCut};

/// How many lines in all are compared by Myers' algorithm; more of them, which it might compare for minutes, are compared in another way.
const MYERS: usize = 8_000;

/// Lines of the old text, and the lines that replace them.
type ChangedLines = (Range<usize>, Range<usize>);

fn diff_myers(old: &[&[u8]], new: &[&[u8]]) -> Vec<ChangedLines> {
    let ops = capture_diff_slices(Algorithm::Myers, old, new);
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

/// The cuts that make `new` of `old`, from front to back. Lines are compared; within a stretch of lines only its two ends.
pub fn compute_cuts(old: &[u8], new: &[u8]) -> Vec<TextCut> {
    let (front, back) = common_ends(old, new);
    let (middle, other) = (&old[front..old.len() - back], &new[front..new.len() - back]);
    if middle.is_empty() && other.is_empty() {
        return Vec::new();
    }
    let (old_lines, a) = split_lines(middle);
    let (new_lines, b) = split_lines(other);
    let changed = match a.len() + b.len() <= MYERS {
        true => diff_myers(&a, &b),
        false => diff_greedy(&a, &b),
    };
    let changed = changed.into_iter();
    let cuts = changed.map(|(was, is)| {
        let (start, end) = (old_lines[was.start], old_lines[was.end]);
        let is = &other[new_lines[is.start]..new_lines[is.end]];
        let (more, less) = common_ends(&middle[start..end], is);
        let bytes = JournalBytes::from_bytes(&is[more..is.len() - less]);
        (front + start + more, front + end - less, bytes)
    });
    cuts.collect()
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

#[cfg(test)]
mod tests {
    use super::super::stored_text::apply_cuts;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_went_in_two_places_is_two_cuts() {
        let old = b"a\nb\nc\nd\ne\n";
        let cuts = compute_cuts(old, b"a\nc\nd\n");
        assert_eq!(
            cuts,
            [
                (2, 4, JournalBytes::from_bytes(b"")),
                (7, 9, JournalBytes::from_bytes(b""))
            ]
        );
        assert_eq!(apply_cuts(old, &cuts).as_deref(), Some(&b"a\nc\nd\n"[..]));
    }

    #[test]
    fn cuts_that_do_not_fit_make_nothing() {
        let cut = |start, end| apply_cuts(b"abc", &[(start, end, JournalBytes::from_bytes(b""))]);
        assert_eq!((cut(2, 1), cut(0, 4), cut(4, 4)), (None, None, None));
        let back = [
            (2, 3, JournalBytes::from_bytes(b"")),
            (0, 1, JournalBytes::from_bytes(b"")),
        ];
        assert_eq!(apply_cuts(b"abc", &back), None);
    }

    proptest! {
        #[test]
        fn cuts_make_the_new_of_the_old(old in "[ab\né]{0,40}", new in "[ab\né]{0,40}") {
            let cuts = compute_cuts(old.as_bytes(), new.as_bytes());
            prop_assert_eq!(apply_cuts(old.as_bytes(), &cuts), Some(new.into_bytes()));
        }

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
        fn any_bytes_do(old: Vec<u8>, new: Vec<u8>) {
            prop_assert_eq!(apply_cuts(&old, &compute_cuts(&old, &new)), Some(new));
        }
    }
}
