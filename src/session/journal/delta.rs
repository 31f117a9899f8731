//! The differences of two texts, as cuts: stretches of the old text that others replace.

use super::stored_text::TextCut;
use crate::program::{ByteText, find_changed_stretches};

/// The cuts that make `new` of `old`, from front to back. Lines are compared; within a stretch of lines only its two ends.
pub fn compute_cuts(old: &[u8], new: &[u8]) -> Vec<TextCut> {
    let changed = find_changed_stretches(old, new).into_iter();
    let cuts = changed.map(|(was, is)| (was.start, was.end, ByteText::from_bytes(&new[is])));
    cuts.collect()
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
                (2, 4, ByteText::from_bytes(b"")),
                (8, 10, ByteText::from_bytes(b""))
            ]
        );
        assert_eq!(apply_cuts(old, &cuts).as_deref(), Some(&b"a\nc\nd\n"[..]));
    }

    #[test]
    fn cuts_that_do_not_fit_make_nothing() {
        let cut = |start, end| apply_cuts(b"abc", &[(start, end, ByteText::from_bytes(b""))]);
        assert_eq!((cut(2, 1), cut(0, 4), cut(4, 4)), (None, None, None));
        let back = [
            (2, 3, ByteText::from_bytes(b"")),
            (0, 1, ByteText::from_bytes(b"")),
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
        fn any_bytes_do(old: Vec<u8>, new: Vec<u8>) {
            prop_assert_eq!(apply_cuts(&old, &compute_cuts(&old, &new)), Some(new));
        }
    }
}
