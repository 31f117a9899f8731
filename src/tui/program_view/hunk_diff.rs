//! The diff of the difference of a pair: which hunks a candidate is without.

use super::diff_line::{DiffLine, DiffLineKind};
use super::hunk_trials::undone_tokens;
use super::pair_alignment::{SEED, VARIANT};
use super::pair_view::PairView;
use crate::program::{Edit, NodeId, Version};

/// The most tokens of a hunk that are shown.
const MOST_TOKENS: usize = 100;

/// The diff of the difference: the hunks that a candidate is without, all or a part of each.
pub fn diff_hunks(pair: &PairView, version: &Version, edit: &Edit) -> Vec<DiffLine> {
    let undone = undone_tokens(version, pair, edit);
    let hunks = pair.alignment.hunks();
    let heading = |text: String| DiffLine::unnumbered(DiffLineKind::Heading, text);
    let mut lines = Vec::new();
    for (at, hunk) in hunks.iter().enumerate() {
        let tokens = [SEED, VARIANT].map(|document| pair.alignment.hunk_tokens(hunk, document));
        let all: Vec<NodeId> = tokens.concat().iter().map(|token| token.node).collect();
        let without = all.iter().filter(|token| undone.contains(token)).count();
        if without == 0 {
            continue;
        }
        let how_much = match without == all.len() {
            true => "all of it".to_owned(),
            false => format!("{without} of its {} tokens", all.len()),
        };
        let number = format!("without hunk {} of {}, {how_much}", at + 1, hunks.len());
        lines.push(heading(number));
        for (document, kind) in [
            (SEED, DiffLineKind::Removed),
            (VARIANT, DiffLineKind::Added),
        ] {
            // Between the two programs of dd a hunk may be a whole program.
            if !(1..=MOST_TOKENS).contains(&hunk.tokens[document].len()) {
                continue;
            }
            let text = pair.hunk_text(version, hunk, document);
            lines.push(DiffLine::unnumbered(kind, text));
        }
    }
    if lines.is_empty() {
        lines.push(heading("the difference stays as it is".into()));
    }
    lines
}
