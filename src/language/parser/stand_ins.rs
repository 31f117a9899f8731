//! Text that a parser sees and a program does not have: what stands in for parts that the parser requires and compilers do not.
//!
//! The parser reads the completed text. All ranges of its tree are those of the program's own text, in which a stand-in has no bytes.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The stand-ins of a text, in ascending order. Cloning is cheap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StandIns(Option<Arc<[PlacedStandIn]>>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct PlacedStandIn {
    /// Its place in the text of the program.
    at: usize,
    /// Its place in the text that the parser sees.
    seen_at: usize,
    /// With a blank at either end.
    text: Box<str>,
}

impl StandIns {
    /// Stand-ins at these places of a text.
    pub fn at_places(mut places: Vec<(usize, Box<str>)>) -> StandIns {
        if places.is_empty() {
            return StandIns::default();
        }
        places.sort_by_key(|(at, _)| *at);
        let mut put = 0;
        let placed = places.into_iter().map(|(at, text)| {
            let text: Box<str> = format!(" {text} ").into();
            let seen_at = at + put;
            put += text.len();
            PlacedStandIn { at, seen_at, text }
        });
        StandIns(Some(placed.collect()))
    }

    fn placed(&self) -> &[PlacedStandIn] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Whether the parser sees the text as it is.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Their places in the text, and their texts.
    pub fn places(&self) -> impl Iterator<Item = (usize, &str)> {
        let placed = self.placed().iter();
        placed.map(|own| (own.at, own.text.trim()))
    }

    /// The text that the parser sees.
    pub(super) fn complete_text<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        if self.is_empty() {
            return text.into();
        }
        let (mut seen, mut from) = (Vec::with_capacity(text.len() + 64), 0);
        for own in self.placed() {
            seen.extend_from_slice(&text[from..own.at]);
            seen.extend_from_slice(own.text.as_bytes());
            from = own.at;
        }
        seen.extend_from_slice(&text[from..]);
        seen.into()
    }

    /// The bytes of the program at a place of the text that the parser sees.
    pub(super) fn own_range(&self, seen: Range<usize>) -> Range<usize> {
        match self.is_empty() {
            true => seen,
            false => self.own_place(seen.start)..self.own_place(seen.end),
        }
    }

    fn own_place(&self, seen: usize) -> usize {
        let placed = self.placed();
        let behind = placed.partition_point(|own| own.seen_at < seen);
        let Some(last) = behind.checked_sub(1).map(|at| &placed[at]) else {
            return seen;
        };
        last.at + (seen - last.seen_at).saturating_sub(last.text.len())
    }

    /// Where the parser sees these bytes of the program.
    pub(super) fn seen_range(&self, own: Range<usize>) -> Range<usize> {
        let seen = |place: usize, meets: fn(usize, usize) -> bool| {
            let before = self.placed().iter();
            let before = before.take_while(|own| meets(own.at, place));
            place + before.map(|own| own.text.len()).sum::<usize>()
        };
        seen(own.start, |at, place| at < place)..seen(own.end, |at, place| at <= place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_the_completed_text_is_one_of_the_own_text() {
        let own = b"static x;\ny;";
        let stand_ins = StandIns::at_places(vec![(10, "int".into()), (7, "int".into())]);
        let seen = stand_ins.complete_text(own);
        assert_eq!(&*seen, b"static  int x;\n int y;");
        let find = |word: &str| {
            let text = String::from_utf8_lossy(&seen).into_owned();
            let start = text.find(word).expect("it is there");
            stand_ins.own_range(start..start + word.len())
        };
        assert_eq!(find("static"), 0..6);
        assert_eq!(find("int x"), 7..8);
        assert_eq!(find("x;"), 7..9);
        assert_eq!(find("y;"), 10..12);
        assert!(find("int").is_empty());
        assert_eq!(stand_ins.own_range(0..seen.len()), 0..own.len());
        assert_eq!(stand_ins.seen_range(0..own.len()), 0..seen.len());
    }
}
