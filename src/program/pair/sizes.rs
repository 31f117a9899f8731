//! The three sizes of a pair.

use crate::program::Version;

/// The sizes of a pair, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairSizes {
    /// Tokens of either program without a twin in the other.
    pub difference: u32,
    /// Tokens of the variant.
    pub variant: u32,
    /// Tokens of the seed.
    pub seed: u32,
}

impl PairSizes {
    /// The sizes of a version; none if it is no pair.
    pub fn of_version(version: &Version) -> Option<PairSizes> {
        version.twins()?;
        let [seed, variant] = version.documents() else {
            return None;
        };
        Some(PairSizes {
            difference: version.size().primary(),
            variant: variant.root.sums().tokens,
            seed: seed.root.sums().tokens,
        })
    }
}
