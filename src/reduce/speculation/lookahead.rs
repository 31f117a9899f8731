//! The candidates of a batch: whatever the answers are, they will be proposed of this very version, so they are tested ahead.
//!
//! The proposer names them ([`crate::protocol::Proposer::lookahead_edits`]). Their tests give results like any other; each becomes a decision
//! when the dialogue comes to it, and not before.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::tree::{NodeIndex, SpeculationNode};
use crate::program::{ContentHash, Edit, TokenHash, Version};
use crate::protocol::Proposer;

/// A candidate that will be proposed.
pub struct LookaheadCandidate {
    pub version: Version,
    pub hash: ContentHash,
    pub token_hash: Option<TokenHash>,
}

/// The candidates that the current batch has named, in its order.
#[derive(Default)]
pub struct BatchLookahead {
    /// The version that they are made of.
    base: Option<NodeIndex>,
    /// All that were made of it; none for an edit that cannot be made.
    made: FxHashMap<Edit, Option<Arc<LookaheadCandidate>>>,
    candidates: Vec<Arc<LookaheadCandidate>>,
    hashes: FxHashSet<ContentHash>,
}

impl BatchLookahead {
    /// Gets at most this number of candidates from the proposer. An edit is made once, however often it is named.
    pub fn refresh_candidates(&mut self, present: &SpeculationNode, most: usize) {
        let proposer = &present.proposer;
        let edits = proposer.schedule.lookahead_edits(&proposer.view, most);
        self.candidates.clear();
        self.hashes.clear();
        if edits.is_empty() || self.base != Some(present.base) {
            self.made.clear();
            self.base = Some(present.base);
        }
        for edit in edits {
            let made = self.made.entry(edit);
            let made = made.or_insert_with_key(|edit| {
                let (version, _) = proposer.build_candidate(edit).ok()?;
                let (hash, token_hash) = (version.content_hash(), version.token_hash());
                Some(Arc::new(LookaheadCandidate {
                    version,
                    hash,
                    token_hash,
                }))
            });
            if let Some(candidate) = made {
                self.hashes.insert(candidate.hash);
                self.candidates.push(candidate.clone());
            }
        }
    }

    /// Clears all candidates.
    pub fn clear(&mut self) {
        *self = BatchLookahead::default();
    }

    /// The candidates, in the order of their proposal.
    pub fn candidates(&self) -> &[Arc<LookaheadCandidate>] {
        &self.candidates
    }

    /// Whether this candidate will be proposed.
    pub fn contains_candidate(&self, candidate: ContentHash) -> bool {
        self.hashes.contains(&candidate)
    }
}
