//! Candidates without one token.

use std::sync::Arc;

use super::source::{CheckedFile, MinimalityCandidate};

/// The file without each token in turn.
pub(super) fn token_candidates(
    source: &CheckedFile,
) -> impl Iterator<Item = (MinimalityCandidate, Arc<[u8]>)> + '_ {
    (0..source.token_count()).map(|token| source.without_token(token))
}
