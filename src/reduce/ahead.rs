//! The questions of a batch: whatever the answers are, they will be asked about this very version, so they are tested ahead.
//!
//! Who asks names them ([`crate::dialogue::Dialogue::ahead`]). Their tests are facts like any other; each becomes a decision when the
//! dialogue comes to it, and not before.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::speculate::{Index, Node};
use crate::dialogue::Dialogue;
use crate::program::{Edit, Gist, Hash, Version};

/// A candidate that will be asked about.
pub(super) struct Candidate {
    pub version: Version,
    pub hash: Hash,
    pub gist: Option<Gist>,
}

/// The candidates that the present's batch has named, in its order.
#[derive(Default)]
pub(super) struct Ahead {
    /// The version that they are made of.
    base: Option<Index>,
    /// All that were made of it; none for an edit that cannot be made.
    made: FxHashMap<Edit, Option<Arc<Candidate>>>,
    named: Vec<Arc<Candidate>>,
    hashes: FxHashSet<Hash>,
}

impl Ahead {
    /// Asks the present for at most so many. An edit is made once, however often it is named.
    pub fn look(&mut self, present: &Node, most: usize) {
        let asking = &present.asking;
        let edits = asking.schedule.ahead(&asking.view, most);
        self.named.clear();
        self.hashes.clear();
        if edits.is_empty() || self.base != Some(present.base) {
            self.made.clear();
            self.base = Some(present.base);
        }
        for edit in edits {
            let made = self.made.entry(edit);
            let made = made.or_insert_with_key(|edit| {
                let (version, _) = asking.candidate(edit).ok()?;
                let (hash, gist) = (version.hash(), version.gist());
                Some(Arc::new(Candidate {
                    version,
                    hash,
                    gist,
                }))
            });
            if let Some(candidate) = made {
                self.hashes.insert(candidate.hash);
                self.named.push(candidate.clone());
            }
        }
    }

    /// Nothing is to be tested ahead.
    pub fn clear(&mut self) {
        *self = Ahead::default();
    }

    /// The candidates, those first that will be asked about first.
    pub fn named(&self) -> &[Arc<Candidate>] {
        &self.named
    }

    /// Whether this candidate will be asked about.
    pub fn names(&self, candidate: Hash) -> bool {
        self.hashes.contains(&candidate)
    }
}
