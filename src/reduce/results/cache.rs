//! The cache of verdicts: what decisions have found out, so that nothing is tested twice.
//!
//! The key is the hash of a candidate's bytes, across passes; and, for what was not interesting, the hash of its tokens: a candidate that differs
//! in white space only is uninteresting too. That holds in a language whose newlines are free, as long as the program has no directive, no line
//! comment and no line marker. It never makes a candidate interesting, as only tested bytes are accepted. Decisions alone go in, never a test
//! result that no decision has used, so what the cache says is a function of the dialogue. An entry is 16 bytes, or 8 for tokens: the verdict is
//! in bits that the hashes leave free.

use std::hash::Hasher;
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};

use super::quorum::{Quorum, RunTally};
use super::test_result::{ResultOrigin, TestResult};
use crate::oracle::{TimeLimits, Verdict};
use crate::program::{ContentHash, HASH_BITS, TokenHash};

/// What is known of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheHit {
    /// The verdict on it, as a decision found it or would.
    pub verdict: Verdict,
    /// Whether the decision was about other white space.
    pub respaced: bool,
}

impl CacheHit {
    /// The result for a candidate under these limits. No test ran for it.
    pub fn to_result(self, limits: TimeLimits) -> TestResult {
        let origin = match self.respaced {
            true => ResultOrigin::Respaced,
            false => ResultOrigin::Cache,
        };
        let result =
            TestResult::from_record(origin, self.verdict, None, (Duration::ZERO, None), limits);
        TestResult {
            tally: RunTally::default(),
            ..result
        }
    }
}

/// See the module's text.
#[derive(Default)]
pub struct DecisionCache {
    bytes: FxHashSet<PackedEntry>,
    tokens: FxHashSet<u64>,
    /// The limits under which tests were too slow: the verdict holds under no other.
    limits: FxHashMap<ContentHash, TimeLimits>,
}

/// The hash of a candidate's bytes, with the verdict in its highest bits. Equal if the hashes are.
#[derive(Clone, Copy)]
struct PackedEntry([u64; 2]);

const HASH_MASK: u64 = (1 << HASH_BITS) - 1;

impl PackedEntry {
    fn new(candidate: ContentHash, verdict: Verdict) -> PackedEntry {
        let [high, low] = candidate.lanes();
        PackedEntry([high | pack_verdict(verdict), low])
    }
}

impl PartialEq for PackedEntry {
    fn eq(&self, other: &PackedEntry) -> bool {
        (self.0[0] ^ other.0[0]) & HASH_MASK == 0 && self.0[1] == other.0[1]
    }
}

impl Eq for PackedEntry {}

impl std::hash::Hash for PackedEntry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0[0] & HASH_MASK, self.0[1]).hash(state);
    }
}

const VERDICTS: [Verdict; 4] = [
    Verdict::Interesting,
    Verdict::Uninteresting,
    Verdict::Invalid,
    Verdict::TimedOut,
];

fn pack_verdict(verdict: Verdict) -> u64 {
    (verdict as u64) << HASH_BITS
}

impl DecisionCache {
    /// Stores the verdict of a decision under these limits.
    pub fn record_decision(
        &mut self,
        candidate: ContentHash,
        token_hash: Option<TokenHash>,
        verdict: Verdict,
        limits: TimeLimits,
    ) {
        self.bytes.replace(PackedEntry::new(candidate, verdict));
        match (verdict, token_hash) {
            (Verdict::TimedOut, _) => {
                self.limits.insert(candidate, limits);
            }
            (Verdict::Uninteresting | Verdict::Invalid, Some(token_hash)) => {
                self.tokens
                    .insert(token_hash.as_u64() | pack_verdict(verdict));
            }
            _ => {}
        }
    }

    /// The quorum has changed. Interesting candidates are tested again; and uninteresting ones, unless a single no is enough
    /// by the new number as by any.
    pub fn apply_quorum(&mut self, quorum: Quorum) {
        if quorum.is_strict() {
            let yes = pack_verdict(Verdict::Interesting);
            self.bytes.retain(|entry| entry.0[0] & !HASH_MASK != yes);
        } else {
            *self = DecisionCache::default();
        }
    }

    /// The verdict on this candidate under these limits: a timeout holds only under the very limits of its test.
    pub fn get(
        &self,
        candidate: ContentHash,
        token_hash: Option<TokenHash>,
        limits: TimeLimits,
    ) -> Option<CacheHit> {
        let same = self
            .bytes
            .get(&PackedEntry::new(candidate, Verdict::Interesting));
        if let Some(entry) = same {
            let verdict = VERDICTS[(entry.0[0] >> HASH_BITS) as usize];
            let stale =
                verdict == Verdict::TimedOut && self.limits.get(&candidate) != Some(&limits);
            return (!stale).then_some(CacheHit {
                verdict,
                respaced: false,
            });
        }
        let token_hash = token_hash?.as_u64();
        let verdict = [Verdict::Uninteresting, Verdict::Invalid]
            .into_iter()
            .find(|&verdict| self.tokens.contains(&(token_hash | pack_verdict(verdict))))?;
        Some(CacheHit {
            verdict,
            respaced: true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(text: &str) -> ContentHash {
        ContentHash::from_bytes(text.as_bytes())
    }

    fn token_hash(text: &str) -> Option<TokenHash> {
        let words = text
            .split_whitespace()
            .map(|word| TokenHash::from_text_hash(hash(word)));
        Some(words.fold(TokenHash::default(), |token_hash, word| {
            token_hash.followed_by(word, 1)
        }))
    }

    /// What the cache says of `asked` after `told` ended like this.
    fn after(told: &str, verdict: Verdict, asked: &str) -> Option<(Verdict, bool)> {
        let mut cache = DecisionCache::default();
        cache.record_decision(hash(told), token_hash(told), verdict, TimeLimits::default());
        let hit = cache.get(hash(asked), token_hash(asked), TimeLimits::default());
        hit.map(|hit| (hit.verdict, hit.respaced))
    }

    #[test]
    fn the_same_bytes_end_in_the_same_way() {
        for verdict in VERDICTS {
            assert_eq!(after("int a;", verdict, "int a;"), Some((verdict, false)));
            assert_eq!(after("int a;", verdict, "int b;"), None);
        }
    }

    #[test]
    fn other_white_space_may_be_taken_for_uninteresting_but_for_nothing_better() {
        for verdict in [Verdict::Uninteresting, Verdict::Invalid] {
            assert_eq!(after("int a;", verdict, "int\na;"), Some((verdict, true)));
        }
        assert_eq!(after("int a;", Verdict::Interesting, "int\na;"), None);
        assert_eq!(
            after("int a;", Verdict::TimedOut, "int\na;"),
            None,
            "the machine may have been busy"
        );
    }

    #[test]
    fn a_verdict_of_a_test_that_was_too_slow_holds_under_its_limit() {
        let limit = |seconds| TimeLimits::wall_only(Duration::from_secs(seconds));
        let mut cache = DecisionCache::default();
        cache.record_decision(hash("a"), None, Verdict::TimedOut, limit(2));
        assert!(cache.get(hash("a"), None, limit(2)).is_some());
        assert!(cache.get(hash("a"), None, limit(4)).is_none());
        cache.record_decision(hash("a"), None, Verdict::Interesting, limit(4));
        let hit = cache.get(hash("a"), None, limit(8));
        assert_eq!(hit.map(|hit| hit.verdict), Some(Verdict::Interesting));
    }

    #[test]
    fn a_million_questions_fit_in_64_megabytes() {
        let mut cache = DecisionCache::default();
        for number in 0..1_000_000u32 {
            let own = ContentHash::from_bytes(&number.to_le_bytes());
            cache.record_decision(
                own,
                Some(TokenHash::from_text_hash(own)),
                Verdict::Uninteresting,
                TimeLimits::default(),
            );
        }
        assert_eq!(
            (cache.bytes.len(), cache.tokens.len()),
            (1_000_000, 1_000_000)
        );
        // The tables of the standard library: a power of two of places, at most seven eighths of them used, and a byte more for each.
        let table =
            |capacity: usize, entry: usize| (capacity * 8 / 7).next_power_of_two() * (entry + 1);
        let bytes = table(cache.bytes.capacity(), size_of::<PackedEntry>())
            + table(cache.tokens.capacity(), size_of::<u64>());
        assert!(bytes <= 64 << 20, "{} MB", bytes >> 20);
    }
}
