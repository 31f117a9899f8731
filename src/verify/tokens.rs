//! Candidates without one token.

use std::sync::Arc;

use super::source::{CheckedFile, MinimalityCandidate, format_snippet};

/// The file without each token in turn.
pub(super) fn token_candidates(
    source: &CheckedFile,
) -> impl Iterator<Item = (MinimalityCandidate, Arc<[u8]>)> + '_ {
    source.tokens.iter().map(|token| {
        let step = format!(
            "the token {} can go",
            format_snippet(&source.text[token.clone()])
        );
        source.replace_range(token.clone(), &[], step)
    })
}
