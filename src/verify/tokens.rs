//! Without one token.

use std::sync::Arc;

use super::source::{Candidate, Source, shown};

/// The file without each token in turn.
pub(super) fn candidates(source: &Source) -> impl Iterator<Item = (Candidate, Arc<[u8]>)> + '_ {
    source.tokens.iter().map(|token| {
        let step = format!("the token {} can go", shown(&source.text[token.clone()]));
        source.with(token.clone(), &[], step)
    })
}
