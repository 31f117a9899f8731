//! The cache of verdicts: what decisions have found out, so that nothing is asked twice.
//!
//! By the hash of a candidate's bytes, across passes; and, for what was not interesting, by the hash of its tokens: a candidate that
//! differs in white space only is taken for boring too. Never for interesting, as only tested bytes are taken. Decisions alone go in,
//! never what a test said that no decision has used, so what the cache says is a function of the dialogue. An entry is 16 bytes, or 8
//! for tokens: the ending is in bits that the hashes leave free.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHashSet};

use super::event::Ending;
use super::quorum::Quorum;
use crate::oracle::Limits;
use crate::program::{BITS, Gist, Hash};

/// What is known of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    /// How a question about it ended, or would.
    pub ending: Ending,
    /// Whether that question was about other white space.
    pub respaced: bool,
}

/// See the module's text.
#[derive(Default)]
pub(super) struct Cache {
    bytes: FxHashSet<Entry>,
    tokens: FxHashSet<u64>,
    /// The limits under which tests were too slow: the verdict holds under no other.
    limits: FxHashMap<Hash, Limits>,
}

/// The hash of a candidate's bytes, with the ending in its highest bits. Equal if the hashes are.
#[derive(Clone, Copy)]
struct Entry([u64; 2]);

const LOW: u64 = (1 << BITS) - 1;

impl Entry {
    fn new(candidate: Hash, ending: Ending) -> Entry {
        let [high, low] = candidate.lanes();
        Entry([high | packed(ending), low])
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        (self.0[0] ^ other.0[0]) & LOW == 0 && self.0[1] == other.0[1]
    }
}

impl Eq for Entry {}

impl std::hash::Hash for Entry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0[0] & LOW, self.0[1]).hash(state);
    }
}

const ENDINGS: [Ending; 4] = [
    Ending::Interesting,
    Ending::Boring,
    Ending::Invalid,
    Ending::TimedOut,
];

fn packed(ending: Ending) -> u64 {
    (ending as u64) << BITS
}

impl Cache {
    /// A question about this candidate was decided under these limits.
    pub fn decided(&mut self, candidate: Hash, gist: Option<Gist>, ending: Ending, limits: Limits) {
        self.bytes.replace(Entry::new(candidate, ending));
        match (ending, gist) {
            (Ending::TimedOut, _) => {
                self.limits.insert(candidate, limits);
            }
            (Ending::Boring | Ending::Invalid, Some(gist)) => {
                self.tokens.insert(gist.number() | packed(ending));
            }
            _ => {}
        }
    }

    /// How many runs must say yes is another number now. What was interesting is asked again; and what was not, unless one no is enough
    /// by the new number as by any.
    pub fn doubt(&mut self, quorum: Quorum) {
        if quorum.is_strict() {
            let yes = packed(Ending::Interesting);
            self.bytes.retain(|entry| entry.0[0] & !LOW != yes);
        } else {
            *self = Cache::default();
        }
    }

    /// What is known of this candidate under these limits: that a test was too slow holds under the very limits that it was found under.
    pub fn get(&self, candidate: Hash, gist: Option<Gist>, limits: Limits) -> Option<Hit> {
        let same = self.bytes.get(&Entry::new(candidate, Ending::Interesting));
        if let Some(entry) = same {
            let ending = ENDINGS[(entry.0[0] >> BITS) as usize];
            let stale = ending == Ending::TimedOut && self.limits.get(&candidate) != Some(&limits);
            return (!stale).then_some(Hit {
                ending,
                respaced: false,
            });
        }
        let gist = gist?.number();
        let ending = [Ending::Boring, Ending::Invalid]
            .into_iter()
            .find(|&ending| self.tokens.contains(&(gist | packed(ending))))?;
        Some(Hit {
            ending,
            respaced: true,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn hash(text: &str) -> Hash {
        Hash::of(text.as_bytes())
    }

    fn gist(text: &str) -> Option<Gist> {
        let words = text.split_whitespace().map(|word| Gist::of(hash(word)));
        Some(words.fold(Gist::default(), |gist, word| gist.then(word, 1)))
    }

    /// What the cache says of `asked` after `told` ended like this.
    fn after(told: &str, ending: Ending, asked: &str) -> Option<(Ending, bool)> {
        let mut cache = Cache::default();
        cache.decided(hash(told), gist(told), ending, Limits::default());
        let hit = cache.get(hash(asked), gist(asked), Limits::default());
        hit.map(|hit| (hit.ending, hit.respaced))
    }

    #[test]
    fn the_same_bytes_end_in_the_same_way() {
        for ending in ENDINGS {
            assert_eq!(after("int a;", ending, "int a;"), Some((ending, false)));
            assert_eq!(after("int a;", ending, "int b;"), None);
        }
    }

    #[test]
    fn other_white_space_may_be_taken_for_boring_but_for_nothing_better() {
        for ending in [Ending::Boring, Ending::Invalid] {
            assert_eq!(after("int a;", ending, "int\na;"), Some((ending, true)));
        }
        assert_eq!(after("int a;", Ending::Interesting, "int\na;"), None);
        assert_eq!(
            after("int a;", Ending::TimedOut, "int\na;"),
            None,
            "the machine may have been busy"
        );
    }

    #[test]
    fn a_verdict_of_a_test_that_was_too_slow_holds_under_its_limit() {
        let limit = |seconds| Limits::wall(Duration::from_secs(seconds));
        let mut cache = Cache::default();
        cache.decided(hash("a"), None, Ending::TimedOut, limit(2));
        assert!(cache.get(hash("a"), None, limit(2)).is_some());
        assert!(cache.get(hash("a"), None, limit(4)).is_none());
        cache.decided(hash("a"), None, Ending::Interesting, limit(4));
        let hit = cache.get(hash("a"), None, limit(8));
        assert_eq!(hit.map(|hit| hit.ending), Some(Ending::Interesting));
    }

    #[test]
    fn a_million_questions_fit_in_64_megabytes() {
        let mut cache = Cache::default();
        for number in 0..1_000_000u32 {
            let own = Hash::of(&number.to_le_bytes());
            cache.decided(own, Some(Gist::of(own)), Ending::Boring, Limits::default());
        }
        assert_eq!(
            (cache.bytes.len(), cache.tokens.len()),
            (1_000_000, 1_000_000)
        );
        // The tables of the standard library: a power of two of places, at most seven eighths of them used, and a byte more for each.
        let table =
            |capacity: usize, entry: usize| (capacity * 8 / 7).next_power_of_two() * (entry + 1);
        let bytes = table(cache.bytes.capacity(), size_of::<Entry>())
            + table(cache.tokens.capacity(), size_of::<u64>());
        assert!(bytes <= 64 << 20, "{} MB", bytes >> 20);
    }
}
