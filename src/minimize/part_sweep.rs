//! One part of a list after the other, from the back to the front, in rounds of smaller and smaller parts.

use super::WeightedList;
use crate::protocol::{
    AlgorithmFact, AlgorithmLayer, AlgorithmPicture, AlgorithmText, ChunkFate, ChunkPicture,
    IndexRanges, ListChunk,
};

/// The size of the parts of the next round, from that of the last round and the length of the list.
type NextPartSize = fn(size: u32, length: u32) -> u32;

/// The place in such a sweep. A round with parts of one element is repeated as long as it removes something.
#[derive(Clone, Debug)]
pub(super) struct PartSweep {
    /// The length of a part in this round.
    size: u32,
    next_size: NextPartSize,
    /// The elements before this index have not been tried in this round.
    until: u32,
    /// Whether this round removed something.
    removed: bool,
    /// The lines of the pseudo-code between the question before and the one at hand. Each algorithm that sweeps has them in this order: the
    /// first size, the loop, the question, a smaller size, the end.
    passed: &'static [usize],
}

impl PartSweep {
    /// Begins with parts of this size.
    pub fn new(list: &WeightedList, size: u32, next_size: NextPartSize) -> PartSweep {
        PartSweep {
            size,
            next_size,
            until: list.length,
            removed: false,
            passed: &[0, 1],
        }
    }

    /// The part to try next; none when a round with single elements removed nothing.
    pub fn next_part(&mut self, list: &WeightedList) -> Option<IndexRanges> {
        loop {
            if list.length <= list.keep {
                return None;
            }
            if self.until > 0 {
                let start = self.until.saturating_sub(self.size);
                return Some(IndexRanges::from_range(start..self.until));
            }
            match (self.size, self.removed) {
                (1, false) => return None,
                (1, true) => self.passed = &[4, 1],
                _ => {
                    self.size = (self.next_size)(self.size, list.length);
                    self.passed = &[3, 1];
                }
            }
            (self.until, self.removed) = (list.length, false);
        }
    }

    /// Continues with the part before this one.
    pub fn skip_part(&mut self) {
        self.until = self.until.saturating_sub(self.size);
        self.passed = &[];
    }

    /// The part was removed as a whole, or less of it. The rest of it is left for the next round, where its parts are smaller.
    pub fn remove_part(&mut self) {
        self.removed = true;
        self.skip_part();
    }

    /// How it has cut the list, and where it is, in the algorithm of this text at this line: parts that were tried stand behind the part at
    /// hand.
    pub fn describe_parts(
        &self,
        list: &WeightedList,
        text: &'static AlgorithmText,
        line: usize,
    ) -> AlgorithmLayer<u32> {
        let size = self.size.max(1);
        let (before, tried) = (
            self.until.div_ceil(size),
            (list.length - self.until).div_ceil(size),
        );
        let (parts, at) = (before + tried, before.saturating_sub(1));
        let chunk = |part: u32| match part < before {
            true => {
                let end = self.until - (at - part) * size;
                let fate = match part == at {
                    true => ChunkFate::Going,
                    false => ChunkFate::Open,
                };
                ListChunk::of_range(end.saturating_sub(size)..end, fate)
            }
            false => {
                let start = self.until + (part - before) * size;
                let end = (start + size).min(list.length);
                ListChunk::of_range(start..end, ChunkFate::Tried)
            }
        };
        let facts = vec![
            AlgorithmFact::equals("size", size),
            AlgorithmFact::place("part", at + 1, parts),
        ];
        AlgorithmLayer {
            text,
            line,
            passed: self.passed,
            facts,
            picture: AlgorithmPicture::Chunks(ChunkPicture::around(at, parts, chunk)),
        }
    }

    /// As many elements of the part were removed. The rest of it stands just before the place of the sweep, and is tried again.
    pub fn remove_elements(&mut self, count: u32) {
        self.removed = true;
        self.until -= count;
        self.passed = &[];
    }
}
