//! What differs between the texts of two versions of a document, stretch by stretch.
//!
//! Most of a candidate's text stands in the same source as that of its base, so what the two have in common follows from where their pieces
//! stand ([`super::walk::visit_text_pieces`]): the work is in proportion to the number of pieces, plus a comparison of the bytes.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::node::ProgramNode;
use super::text::SourceSpan;
use super::walk;
use crate::language::parser::TextEdit;

/// The text of a document, with the tree that it was printed from. Both have the same number of bytes, but lines may be masked in the text.
#[derive(Clone, Copy)]
pub struct PrintedText<'a> {
    /// The tree.
    pub root: &'a Arc<ProgramNode>,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// The edits that make the text `new` of the text `old`, in ascending order; between them the two are equal, byte for byte. How many they
/// are depends on what the trees share.
pub fn find_text_edits(old: PrintedText, new: PrintedText) -> Vec<TextEdit> {
    let front = common_prefix(old.bytes, new.bytes);
    let (old_rest, new_rest) = (&old.bytes[front..], &new.bytes[front..]);
    let back = common_suffix(old_rest, new_rest);
    let (old_end, new_end) = (old.bytes.len() - back, new.bytes.len() - back);
    let mut differences = TextDifferences {
        old: &old.bytes[..old_end],
        new: &new.bytes[..new_end],
        open: (front, front),
        edits: Vec::new(),
    };
    if front < old_end && front < new_end {
        let places = SourcePlaces::new(old.root);
        for piece in list_pieces(new.root) {
            for common in places.find_common(&piece) {
                differences.add_common(common);
            }
        }
    }
    differences.close_at(old_end, new_end);
    differences.edits
}

/// A stretch of bytes that both texts have from the same place of a source.
#[derive(Clone, Copy)]
struct CommonStretch {
    old_at: usize,
    new_at: usize,
    length: usize,
}

/// What differs between two texts, found from the front to the back.
struct TextDifferences<'a> {
    /// Both texts up to the last difference.
    old: &'a [u8],
    new: &'a [u8],
    /// Where the difference begins that has no end yet, in each.
    open: (usize, usize),
    edits: Vec<TextEdit>,
}

impl TextDifferences<'_> {
    /// The difference that is open ends before this stretch, and the next one begins behind it. What of it lies before the end of an
    /// earlier one, or behind the last difference, does not count.
    fn add_common(&mut self, stretch: CommonStretch) {
        let early = |open: usize, at: usize| open.saturating_sub(at);
        let (open_old, open_new) = self.open;
        let skipped = early(open_old, stretch.old_at).max(early(open_new, stretch.new_at));
        let end = stretch.length.min(
            (self.old.len().saturating_sub(stretch.old_at))
                .min(self.new.len().saturating_sub(stretch.new_at)),
        );
        if skipped >= end {
            return;
        }
        let old = &self.old[stretch.old_at + skipped..stretch.old_at + end];
        let new = &self.new[stretch.new_at + skipped..stretch.new_at + end];
        // A line that is masked in one text need not be masked in the other.
        let front = common_prefix(old, new);
        let back = common_suffix(&old[front..], &new[front..]);
        for (start, end) in [(skipped, skipped + front), (end - back, end)] {
            if start < end {
                self.close_at(stretch.old_at + start, stretch.new_at + start);
                self.open = (stretch.old_at + end, stretch.new_at + end);
            }
        }
    }

    /// The difference that is open ends here.
    fn close_at(&mut self, old_end: usize, new_end: usize) {
        let (old, new) = (self.open.0..old_end, self.open.1..new_end);
        if !old.is_empty() || !new.is_empty() {
            self.edits.push(TextEdit { old, new });
        }
    }
}

/// A stretch of a text that stands in its source as one piece.
struct TextPiece {
    span: SourceSpan,
    /// Where it begins in the text.
    at: usize,
}

/// The pieces of a text, in order.
fn list_pieces(root: &Arc<ProgramNode>) -> Vec<TextPiece> {
    let (mut pieces, mut at): (Vec<TextPiece>, usize) = (Vec::new(), 0);
    walk::visit_text_pieces(root, |span, bytes| {
        if bytes.is_empty() {
            return;
        }
        let joined = pieces.last().and_then(|last| last.span.followed_by(span));
        match (joined, pieces.last_mut()) {
            (Some(joined), Some(last)) => last.span = joined,
            _ => pieces.push(TextPiece { span, at }),
        }
        at += bytes.len();
    });
    pieces
}

/// Where the pieces of a text stand in their sources.
struct SourcePlaces {
    /// By source, in the order of the source.
    pieces: FxHashMap<NonZeroUsize, Vec<(Range<usize>, usize)>>,
}

impl SourcePlaces {
    fn new(root: &Arc<ProgramNode>) -> SourcePlaces {
        let mut pieces: FxHashMap<NonZeroUsize, Vec<(Range<usize>, usize)>> = FxHashMap::default();
        for piece in list_pieces(root) {
            let of_source = pieces.entry(piece.span.source()).or_default();
            of_source.push((piece.span.range(), piece.at));
        }
        for of_source in pieces.values_mut() {
            of_source.sort_unstable_by_key(|(range, _)| range.start);
        }
        SourcePlaces { pieces }
    }

    /// The stretches of a piece of another text that stand in this one too.
    fn find_common(&self, piece: &TextPiece) -> impl Iterator<Item = CommonStretch> {
        let range = piece.span.range();
        let at = piece.at;
        let of_source = self.pieces.get(&piece.span.source());
        let of_source = of_source.map_or(&[][..], Vec::as_slice);
        let first = of_source.partition_point(|(own, _)| own.end <= range.start);
        let overlapping = of_source[first..].iter();
        let end = range.end;
        let overlapping = overlapping.take_while(move |(own, _)| own.start < end);
        overlapping.map(move |(own, own_at)| {
            let start = own.start.max(range.start);
            CommonStretch {
                old_at: own_at + (start - own.start),
                new_at: at + (start - range.start),
                length: own.end.min(range.end).saturating_sub(start),
            }
        })
    }
}

/// How many bytes are compared at once.
const BLOCK: usize = 4096;

/// How many bytes at the beginning of two texts are equal.
fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.chunks(BLOCK).zip(b.chunks(BLOCK));
    let equal = blocks.take_while(|(a, b)| a == b).map(|(a, _)| a.len());
    let known: usize = equal.sum();
    let rest = a[known..].iter().zip(&b[known..]);
    known + rest.take_while(|(a, b)| a == b).count()
}

/// How many bytes at the end of two texts are equal.
fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.rchunks(BLOCK).zip(b.rchunks(BLOCK));
    let equal = blocks.take_while(|(a, b)| a == b).map(|(a, _)| a.len());
    let known: usize = equal.sum();
    let rest = a[..a.len() - known].iter().rev();
    let rest = rest.zip(b[..b.len() - known].iter().rev());
    known + rest.take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::program::edit::{Edit, EditOp, IndexRanges, Replacement};
    use crate::program::version::Version;
    use crate::program::{apply_edit, read_program};

    fn read(text: &str) -> Version {
        let file = (Arc::from(Path::new("a.c")), Arc::from(text.as_bytes()));
        read_program(vec![file]).expect("it can be read")
    }

    /// What an edit changes in the text, each stretch before and after it.
    fn changes(version: &Version, edit: Edit) -> Vec<(String, String)> {
        let (next, _) = apply_edit(version, &edit).expect("it can be made");
        let [old, new] = [version, &next].map(|version| &version.documents()[0].root);
        let [old_text, new_text] = [old, new].map(walk::render_text);
        let printed = |root, bytes| PrintedText { root, bytes };
        let edits = find_text_edits(printed(old, &old_text), printed(new, &new_text));
        let mut made = old_text.clone();
        for edit in edits.iter().rev() {
            made.splice(edit.old.clone(), new_text[edit.new.clone()].iter().copied());
        }
        assert_eq!(made, new_text);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let change = |edit: &TextEdit| {
            (
                text(&old_text[edit.old.clone()]),
                text(&new_text[edit.new.clone()]),
            )
        };
        edits.iter().map(change).collect()
    }

    fn list_of<'a>(version: &'a Version, first: &str) -> &'a Arc<ProgramNode> {
        let mut nodes = walk::preorder(&version.documents()[0].root);
        let wanted = |node: &&Arc<ProgramNode>| {
            let item = walk::item_at(node, 0).filter(|_| node.shape.is_list());
            item.is_some_and(|item| {
                walk::render_text(item)
                    .trim_ascii()
                    .starts_with(first.as_bytes())
            })
        };
        nodes.find(wanted).expect("there is such a list")
    }

    #[test]
    fn each_cut_is_an_edit_of_its_own() {
        let version = read("int a;\nlong b;\nchar c;\nshort d;\nfloat e;\ndouble f;\nint g;\n");
        let list = list_of(&version, "int a;").id;
        let items = IndexRanges::from_sorted([1, 3, 4]);
        let gone = changes(&version, EditOp::DeleteItems { list, items }.into());
        let gone: Vec<(&str, &str)> = gone.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(gone, [("long b;\n", ""), (";\nshort d;\nfloat e", "")]);
    }

    #[test]
    fn what_replaces_a_node_keeps_its_own_text() {
        let version = read("int a;\nint x = first + (second) + third;\nint b;\n");
        let list = list_of(&version, "first");
        let nodes =
            walk::preorder(list).filter(|node| walk::render_text(node).trim_ascii() == b"second");
        let inner = nodes.last().expect("it is there").id;
        let outer = walk::item_at(list, 1).expect("a link").id;
        let outer = version
            .path_to(inner)
            .expect("it is there")
            .ancestors()
            .find(|node| node.id != outer && walk::render_text(node).trim_ascii() == b"(second)");
        let edit = EditOp::Replace {
            node: outer.expect("parentheses").id,
            piece: Replacement::Node(inner),
        };
        let gone = changes(&version, edit.into());
        let gone: Vec<(&str, &str)> = gone.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(gone, [("(", ""), (") ", "")]);
    }
}
