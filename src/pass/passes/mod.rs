//! The passes, one file each: what a pass proposes, and its row ([`PassKind`](super::PassKind)), which a strategy names.

pub mod bodies;
pub mod bracket_levels;
pub mod comments;
pub mod hdd;
pub mod hddr;
pub mod heaviest;
pub mod heaviest_passes;
pub mod hints;
pub mod hoist;
pub mod hollow;
pub mod isolate;
pub mod lines;
pub mod list_difference;
pub mod markers;
pub mod pardis;
pub mod perses;
pub mod smallest_first;
pub mod tokens;
pub mod tree_difference;
