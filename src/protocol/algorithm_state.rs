//! The state of an algorithm as data, for people who watch it: where in its pseudo-code it is, and what it works on. No decision rests on it.
//!
//! A list minimiser describes a list by its indices, a pass by nodes: what a state calls the parts of a view is said by the view
//! ([`ProposerView`]). Sentences and pictures are made of it on the screen.

use std::ops::Range;
use std::sync::Arc;

/// What a proposer sees.
pub trait ProposerView {
    /// How a state names a part of it: an index of a list, a node of a program.
    type Part;
}

/// An algorithm as people know it: a row beside its code.
#[derive(Debug, PartialEq, Eq)]
pub struct AlgorithmText {
    /// Its name.
    pub name: &'static str,
    /// Who described it, and where; empty if nobody did.
    pub source: &'static str,
    /// Its pseudo-code, a line each.
    pub lines: &'static [&'static str],
    /// The line at which it ends, an index of these lines.
    pub ends_at: usize,
}

/// An algorithm at work, and those that it uses at this moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlgorithmState<Part> {
    /// The outermost first: a pass, then its list minimiser. Never empty.
    pub layers: Vec<AlgorithmLayer<Part>>,
}

/// One of these algorithms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlgorithmLayer<Part> {
    /// Which it is.
    pub text: &'static AlgorithmText,
    /// The present line, an index of the lines of `text`.
    pub line: usize,
    /// The lines that it came through since the question before.
    pub passed: &'static [usize],
    /// What it counts.
    pub facts: Vec<AlgorithmFact>,
    /// What it works on.
    pub picture: AlgorithmPicture<Part>,
}

/// A number that an algorithm counts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlgorithmFact {
    /// Its name: a variable, or a noun in the singular.
    pub label: &'static str,
    /// Its value.
    pub value: FactValue,
}

/// The value of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactValue {
    /// A variable has this value: "n = 4".
    Equals(u32),
    /// The place of something among all of its kind, from 1: "part 2 of 4".
    Place(u32, u32),
    /// So many: "24 elements".
    Count(u32),
}

/// What an algorithm works on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AlgorithmPicture<Part> {
    /// Nothing that could be drawn.
    None,
    /// A list that is cut into chunks.
    Chunks(ChunkPicture<Part>),
    /// A queue of nodes.
    Queue(QueuePicture<Part>),
    /// The levels of a tree.
    Levels(LevelPicture),
}

/// A list that is cut into chunks: those around the chunk at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkPicture<Part> {
    /// How many chunks come before these.
    pub before: u32,
    /// In the order of the list.
    pub chunks: Vec<ListChunk<Part>>,
    /// How many come after them.
    pub after: u32,
}

/// A chunk of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListChunk<Part> {
    /// Its first element.
    pub first: Part,
    /// Its last element.
    pub last: Part,
    /// How many elements it has.
    pub elements: u32,
    /// What happens to it.
    pub fate: ChunkFate,
}

/// What happens to a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkFate {
    /// The candidate is without it.
    Going,
    /// The candidate is without the most of it: the grammar wants an element to stay.
    GoingInPart,
    /// The candidate has nothing but it.
    KeptAlone,
    /// It was tried in vain since the list was cut.
    Tried,
    /// It has not been tried.
    Open,
}

/// A queue of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuePicture<Part> {
    /// The node at hand, which has left the queue.
    pub at_hand: Part,
    /// The next ones: a few.
    pub next: Vec<Part>,
    /// How many nodes are in the queue.
    pub waiting: u32,
}

/// The levels of a tree that have parts which may go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelPicture {
    /// The present level.
    pub level: u32,
    /// Every level as the list of the present one was made.
    pub levels: Arc<[LevelSize]>,
}

/// How many parts a level has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelSize {
    /// Its number.
    pub level: u32,
    /// How many parts may go.
    pub parts: u32,
}

/// The most chunks that a picture has: more are not drawn.
const MOST_CHUNKS: usize = 64;
/// The most nodes of a queue that a picture has behind the one at hand.
pub const MOST_QUEUED: usize = 8;

impl AlgorithmFact {
    /// A variable with its value.
    pub fn equals(label: &'static str, value: u32) -> AlgorithmFact {
        let value = FactValue::Equals(value);
        AlgorithmFact { label, value }
    }

    /// The place of something among all of its kind, from 1.
    pub fn place(label: &'static str, at: u32, of: u32) -> AlgorithmFact {
        let value = FactValue::Place(at, of);
        AlgorithmFact { label, value }
    }

    /// So many of something.
    pub fn count(label: &'static str, count: u32) -> AlgorithmFact {
        let value = FactValue::Count(count);
        AlgorithmFact { label, value }
    }
}

impl<Part> AlgorithmState<Part> {
    /// One algorithm by itself.
    pub fn of_layer(layer: AlgorithmLayer<Part>) -> AlgorithmState<Part> {
        AlgorithmState {
            layers: vec![layer],
        }
    }

    /// An algorithm that uses another one, if that can be described.
    pub fn of_layers(
        outer: AlgorithmLayer<Part>,
        inner: Option<AlgorithmState<Part>>,
    ) -> AlgorithmState<Part> {
        let inner = inner.into_iter().flat_map(|inner| inner.layers);
        AlgorithmState {
            layers: std::iter::once(outer).chain(inner).collect(),
        }
    }

    /// The state of a list minimiser in other words for the parts. Chunks of which nothing is left are left out. No list minimiser has a queue.
    pub fn map_chunks<Other>(
        self,
        map: impl Fn(ListChunk<Part>) -> Option<ListChunk<Other>>,
    ) -> AlgorithmState<Other> {
        let layers = self.layers.into_iter().map(|layer| AlgorithmLayer {
            text: layer.text,
            line: layer.line,
            passed: layer.passed,
            facts: layer.facts,
            picture: match layer.picture {
                AlgorithmPicture::Chunks(ChunkPicture {
                    before,
                    chunks,
                    after,
                }) => AlgorithmPicture::Chunks(ChunkPicture {
                    before,
                    chunks: chunks.into_iter().filter_map(&map).collect(),
                    after,
                }),
                AlgorithmPicture::Levels(levels) => AlgorithmPicture::Levels(levels),
                AlgorithmPicture::None | AlgorithmPicture::Queue(_) => AlgorithmPicture::None,
            },
        });
        AlgorithmState {
            layers: layers.collect(),
        }
    }
}

impl ListChunk<u32> {
    /// The chunk of these elements of a list, of which there is at least one.
    pub fn of_range(range: Range<u32>, fate: ChunkFate) -> ListChunk<u32> {
        ListChunk {
            first: range.start,
            last: range.end.saturating_sub(1),
            elements: range.end - range.start,
            fate,
        }
    }
}

impl ChunkPicture<u32> {
    /// Of `count` chunks those around the chunk at hand. `chunk` makes each.
    pub fn around(
        at_hand: u32,
        count: u32,
        chunk: impl Fn(u32) -> ListChunk<u32>,
    ) -> ChunkPicture<u32> {
        let most = MOST_CHUNKS as u32;
        let first = at_hand.saturating_sub(most / 2);
        let first = first.min(count.saturating_sub(most));
        let end = count.min(first + most);
        ChunkPicture {
            before: first,
            chunks: (first..end).map(chunk).collect(),
            after: count - end,
        }
    }

    /// A list of this length, cut where a candidate begins and ends.
    pub fn of_candidate(length: u32, going: &[Range<u32>]) -> ChunkPicture<u32> {
        let mut chunks = Vec::new();
        let mut at = 0;
        for range in going.iter().take(MOST_CHUNKS / 2) {
            if range.is_empty() {
                continue;
            }
            if at < range.start {
                chunks.push(ListChunk::of_range(at..range.start, ChunkFate::Open));
            }
            chunks.push(ListChunk::of_range(range.clone(), ChunkFate::Going));
            at = range.end;
        }
        let hidden = going.len().saturating_sub(MOST_CHUNKS / 2) as u32;
        if hidden == 0 && at < length {
            chunks.push(ListChunk::of_range(at..length, ChunkFate::Open));
        }
        ChunkPicture {
            before: 0,
            chunks,
            after: 2 * hidden,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_chunks_those_around_the_one_at_hand_are_drawn() {
        let chunk = |at| ListChunk::of_range(at..at + 1, ChunkFate::Open);
        for (at, first) in [(0, 0), (40, 8), (999, 936)] {
            let picture = ChunkPicture::around(at, 1000, chunk);
            assert_eq!(picture.chunks.len(), MOST_CHUNKS);
            assert_eq!((picture.before, picture.chunks[0].first), (first, first));
            assert_eq!(picture.before + picture.after + 64, 1000);
        }
        assert_eq!(ChunkPicture::around(2, 3, chunk).chunks.len(), 3);
    }

    #[test]
    fn a_list_is_cut_where_a_candidate_begins_and_ends() {
        let picture = ChunkPicture::of_candidate(9, &[2..4, 6..9]);
        let fates: Vec<_> = picture.chunks.iter().map(|chunk| chunk.fate).collect();
        use ChunkFate::{Going, Open};
        assert_eq!(fates, [Open, Going, Open, Going]);
        let counts: u32 = picture.chunks.iter().map(|chunk| chunk.elements).sum();
        assert_eq!(counts, 9);
    }
}
