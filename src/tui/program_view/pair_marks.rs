//! The marks of a candidate that is whole texts, and those of a candidate of a pair.

use super::edit_marks::EditMarks;
use super::pair_view::PairView;
use super::rewrite_change::RewriteChange;
use crate::program::{Edit, NodeId, Version, text_bytes, walk};

impl EditMarks {
    /// The marks of an edit of this version, one of whole texts too; `pair` is what is known of the version if it is a pair.
    pub fn from_edit_of(version: &Version, pair: Option<&PairView>, edit: &Edit) -> EditMarks {
        let Some(texts) = edit.new_texts() else {
            return EditMarks::from_edit(edit);
        };
        let mut marks = EditMarks::default();
        for (index, (document, text)) in version.documents().iter().zip(texts.iter()).enumerate() {
            let text = text_bytes(text);
            if walk::render_text(&document.root) == *text {
                continue;
            }
            let is_likely = |leaf| pair.is_some_and(|pair| pair.is_unpaired_leaf(index, leaf));
            let change = RewriteChange::from_text(&document.root, text, is_likely);
            let leaves = change.gone.iter();
            let leaves = leaves.filter_map(|leaf| walk::leaf_at(&document.root, *leaf));
            let gone: Vec<NodeId> = leaves.map(|leaf| leaf.id).collect();
            let restored = pair.map_or_else(Vec::new, |pair| {
                pair.restored_tokens(version, index, &change)
            });
            let first = gone.first().or(restored.first());
            marks.first_token = marks.first_token.or(first.copied());
            marks.removed.extend(gone);
            marks.restored.extend(restored);
        }
        marks
    }
}
