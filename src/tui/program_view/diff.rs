//! Diffs by lines: of a candidate, which reads only the lines around the edit, and of any two versions.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::display::{EscapeHidden, escape_page};
use crate::program::{
    Edit, FileText, NodeId, PathFinder, ProgramNode, TokenId, Version, apply_edit,
    find_changed_lines, walk,
};

pub use super::diff_line::{DiffLine, DiffLineKind};
use super::edit_marks::EditMarks;
use super::file_changes::list_changed_files;
use super::lines;
use super::selection;

/// The number of unchanged lines around a change.
const CONTEXT_LINES: u32 = 2;
/// The greatest number of places of an edit that are shown, and of lines of each.
const MOST_PLACES: usize = 40;
const MOST_LINES: u32 = 400;
/// Longer lines are cut, in bytes.
const MOST_LINE_BYTES: usize = 1000;

/// The diff of an edit of this version. None when the edit does not apply to it.
pub fn diff_edit(version: &Version, edit: &Edit) -> Option<Vec<DiffLine>> {
    if let Some(texts) = edit.new_texts().filter(|_| !version.is_project()) {
        return Some(diff_texts(version, texts));
    }
    let (candidate, _) = apply_edit(version, edit).ok()?;
    if edit.is_rewrite() {
        return Some(diff_versions(version, &candidate));
    }
    let (places, all) = edited_spans(version, edit);
    let mut shown = match version.is_project() {
        true => list_changed_files(version, &candidate),
        false => Vec::new(),
    };
    let documents = version.documents().len();
    for document in 0..documents {
        let here = places.iter().filter(|place| place.document == document);
        let before = shown.len();
        push_document_hunks(version, &candidate, document, here.copied(), &mut shown);
        if documents > 1 && shown.len() > before {
            let name = version.documents()[document]
                .path
                .escape_hidden()
                .into_owned();
            head_document(&mut shown, before, name);
        }
    }
    if all > places.len() {
        shown.push(DiffLine {
            kind: DiffLineKind::Omitted,
            number: 0,
            text: format!("{} more places", all - places.len()),
        });
    }
    Some(shown)
}

/// The diff of new texts of a version's documents, which are not parsed.
fn diff_texts(version: &Version, texts: &[FileText]) -> Vec<DiffLine> {
    let mut shown = Vec::new();
    for (document, new) in version.documents().iter().zip(texts) {
        let old = document.text().unwrap_or_default();
        let new = new.as_deref().unwrap_or_default();
        let old: Vec<&[u8]> = old.split_inclusive(|byte| *byte == b'\n').collect();
        let new: Vec<&[u8]> = new.split_inclusive(|byte| *byte == b'\n').collect();
        let line = |kind, at: usize, bytes: &[u8]| DiffLine {
            kind,
            number: at as u32 + 1,
            text: displayable_text(&bytes[..bytes.len().min(MOST_LINE_BYTES)]),
        };
        let (mut all, mut done) = (Vec::new(), 0);
        let end = (old.len()..old.len(), new.len()..new.len());
        let changed = find_changed_lines(&old, &new).into_iter().chain([end]);
        for (was, is) in changed {
            let same = (done..was.start).map(|at| line(DiffLineKind::Unchanged, at, old[at]));
            all.extend(same);
            done = was.end;
            all.extend(was.map(|at| line(DiffLineKind::Removed, at, old[at])));
            all.extend(is.map(|at| line(DiffLineKind::Added, at, new[at])));
        }
        push_near_changes(all, &mut shown);
    }
    shown
}

/// Puts a heading before the lines of a document, in the place of what separates them from those before.
fn head_document(shown: &mut Vec<DiffLine>, before: usize, name: String) {
    let separators = shown[before..].iter();
    let separators = separators.take_while(|line| line.kind == DiffLineKind::Omitted);
    let first = before + separators.count();
    let heading = DiffLine::unnumbered(DiffLineKind::Heading, name);
    shown.splice(before..first, [heading]);
}

/// The diff of two versions of a run. Tokens keep their order and their identities, so a line of the newer version is compared with the
/// line of the older one that has its first token. Reads every line of both.
pub fn diff_versions(old: &Version, new: &Version) -> Vec<DiffLine> {
    let is_project = old.is_project();
    let mut shown = match is_project {
        true => list_changed_files(old, new),
        false => Vec::new(),
    };
    for (old, new) in old.documents().iter().zip(new.documents()) {
        if is_project && Arc::ptr_eq(&old.root, &new.root) && old.is_gone == new.is_gone {
            continue;
        }
        let (path, begin) = (&old.path, shown.len());
        let (before, after) = (
            DocumentLines::from_root(&old.root),
            DocumentLines::from_root(&new.root),
        );
        let all = pair_lines(&before, &after);
        push_near_changes(all, &mut shown);
        if is_project && shown.len() > begin {
            head_document(&mut shown, begin, path.escape_hidden().into_owned());
        }
    }
    shown
}

/// The lines of both texts in order: those that stay, with the numbers of the older one, those that go, and those that are new.
fn pair_lines(before: &DocumentLines, after: &DocumentLines) -> Vec<DiffLine> {
    let mut all = Vec::new();
    let push = |all: &mut Vec<DiffLine>, kind, at: usize, lines: &DocumentLines| {
        all.push(DiffLine {
            kind,
            number: lines.start + at as u32 + 1,
            text: lines.texts[at].clone(),
        });
    };
    let mut done = 0;
    for at in 0..after.texts.len() {
        let of_token = after.first[at].and_then(|token| before.of.get(&token).copied());
        let same_without_token = || {
            let mut later = after.first.iter().skip(at).take(MOST_LINES as usize);
            let end = later.find_map(|first| before.of.get(first.as_ref()?).copied());
            before.find_without_token(done..end.unwrap_or(before.texts.len()), &after.texts[at])
        };
        let same_without_token = || after.first[at].is_none().then(same_without_token)?;
        let same = of_token
            .or_else(same_without_token)
            .filter(|same| *same >= done);
        let Some(same) = same else {
            push(&mut all, DiffLineKind::Added, at, after);
            continue;
        };
        let equal = before.texts[same] == after.texts[at];
        (done..same + usize::from(!equal))
            .for_each(|gone| push(&mut all, DiffLineKind::Removed, gone, before));
        done = same + 1;
        match equal {
            true => push(&mut all, DiffLineKind::Unchanged, same, before),
            false => push(&mut all, DiffLineKind::Added, at, after),
        }
    }
    (done..before.texts.len()).for_each(|gone| push(&mut all, DiffLineKind::Removed, gone, before));
    all
}

/// Lines of a document: the first token of each, its text, and the line of each token, counted from the first of these lines.
#[derive(Default)]
struct DocumentLines {
    /// The number of the first line, counted from 0.
    start: u32,
    first: Vec<Option<TokenId>>,
    texts: Vec<String>,
    of: FxHashMap<TokenId, usize>,
}

impl DocumentLines {
    fn from_root(root: &Arc<ProgramNode>) -> DocumentLines {
        DocumentLines::in_range(root, 0, root.sums().newlines + 1)
    }

    /// The lines `start..end`, as many as there are.
    fn in_range(root: &Arc<ProgramNode>, start: u32, end: u32) -> DocumentLines {
        let texts = line_texts(root, start, end.saturating_sub(start) as usize);
        let mut lines = DocumentLines {
            start,
            first: vec![None; texts.len()],
            texts,
            of: FxHashMap::default(),
        };
        let marks = EditMarks::default();
        let mut leaves = lines::LeafWalker::new(root, &marks, None);
        leaves.skip_to_line(start);
        for leaf in leaves {
            let Some(line) = leaf.text_line().checked_sub(start) else {
                continue;
            };
            let line = line as usize;
            if line >= lines.texts.len() {
                break;
            }
            if let Some(token) = walk::first_token(leaf.node) {
                lines.first[line].get_or_insert(token);
                lines.of.entry(token).or_insert(line);
            }
        }
        lines
    }

    /// The first of these lines that has this text and no token, such as a blank one; else the first one, if it has no token.
    fn find_without_token(&self, lines: Range<usize>, text: &str) -> Option<usize> {
        let all = lines.clone().take(MOST_LINES as usize);
        let mut blank = all.filter(|at| self.first[*at].is_none());
        let same = blank.clone().find(|at| self.texts[*at] == text);
        same.or_else(|| blank.next().filter(|first| *first == lines.start))
    }

    /// What follows the last line end is no line.
    fn drop_empty_end(&mut self) {
        if self.texts.pop_if(|last| last.is_empty()).is_some() {
            self.first.pop();
        }
    }
}

/// Adds the changed lines of a document, and those around them.
fn push_near_changes(all: Vec<DiffLine>, shown: &mut Vec<DiffLine>) {
    let changes = |line: &DiffLine| line.kind != DiffLineKind::Unchanged;
    let mut near = vec![false; all.len()];
    for (at, _) in all.iter().enumerate().filter(|(_, line)| changes(line)) {
        let around = at.saturating_sub(CONTEXT_LINES as usize)
            ..all.len().min(at + CONTEXT_LINES as usize + 1);
        near[around].fill(true);
    }
    let mut cut = !shown.is_empty();
    for (line, near) in all.into_iter().zip(near) {
        if near && cut && !shown.is_empty() {
            shown.push(DiffLine {
                kind: DiffLineKind::Omitted,
                number: 0,
                text: String::new(),
            });
        }
        cut = !near;
        shown.extend(near.then_some(line));
    }
}

/// A range of lines of a document.
#[derive(Clone, Copy, Debug)]
struct DiffSpan {
    document: usize,
    first: u32,
    end: u32,
}

/// The places of an edit, in order and limited in number, and the number of all of them.
fn edited_spans(version: &Version, edit: &Edit) -> (Vec<DiffSpan>, usize) {
    let mut places = Vec::new();
    let mut all = 0;
    let mut paths = PathFinder::new(version);
    let ops = edit.ops.iter();
    for (first, last) in ops.flat_map(|op| op.removed_runs(&mut paths)) {
        all += 1;
        if places.len() < MOST_PLACES {
            places.extend(node_span(version, first.id, last.id));
        }
    }
    places.sort_by_key(|place: &DiffSpan| (place.document, place.first));
    (places, all)
}

fn node_span(version: &Version, first: NodeId, last: NodeId) -> Option<DiffSpan> {
    let begins = version.path_to(first)?;
    let ends = version.path_to(last)?;
    Some(DiffSpan {
        document: begins.document,
        first: selection::first_line(&begins),
        end: ends.preceding_sums().newlines + ends.node().sums().newlines + 1,
    })
}

/// Adds the changes of one document.
fn push_document_hunks(
    version: &Version,
    candidate: &Version,
    document: usize,
    places: impl Iterator<Item = DiffSpan>,
    shown: &mut Vec<DiffLine>,
) {
    let mut places = places.peekable();
    // How many more lines the candidate has before the place.
    let mut shift = 0i64;
    let mut done = 0;
    while let Some(mut place) = places.next() {
        (place.first, place.end) = (place.first.max(done), place.end.max(done));
        // Extend the place to a line that begins with a kept token.
        let (end, there) = loop {
            while let Some(next) = places.peek()
                && next.first <= place.end + 2 * CONTEXT_LINES
            {
                place.end = place.end.max(next.end);
                places.next();
            }
            match find_sync_point(version, candidate, document, place.end) {
                DiffSync::At(end, there) => break (end, there),
                DiffSync::NotBefore(end) => place.end = end,
            }
        };
        let from = place.first.saturating_sub(CONTEXT_LINES).max(done);
        let rest = places
            .peek()
            .map_or(CONTEXT_LINES, |next| next.first.saturating_sub(end));
        let rest = rest.min(CONTEXT_LINES);
        let mut old = lines_in_range(version, document, from, end + rest);
        let first = (i64::from(from) + shift).max(0) as u32;
        let new = match candidate.documents()[document].is_gone {
            true => {
                old.drop_empty_end();
                DocumentLines::default()
            }
            false => lines_in_range(candidate, document, first, there + rest),
        };
        push_near_changes(pair_lines(&old, &new), shown);
        shift = i64::from(there) - i64::from(end);
        done = end + rest;
    }
}

enum DiffSync {
    /// This line of the version is that line of the candidate.
    At(u32, u32),
    /// The token at this place is removed too: search from this line on.
    NotBefore(u32),
}

/// The first lines from `line` on at which the version and the candidate have the same token.
fn find_sync_point(version: &Version, candidate: &Version, document: usize, line: u32) -> DiffSync {
    let all = |version: &Version| version.documents()[document].root.sums().newlines + 1;
    let root = &version.documents()[document].root;
    let Some(leaf) = lines::first_leaf_from(root, line) else {
        return DiffSync::At(all(version), all(candidate));
    };
    match candidate.path_to(leaf.node.id) {
        Some(path) => DiffSync::At(leaf.text_line(), selection::first_line(&path)),
        None => DiffSync::NotBefore(leaf.text_line() + 1),
    }
}

/// The lines `first..end`, the greatest number of a place at most.
fn lines_in_range(version: &Version, document: usize, first: u32, end: u32) -> DocumentLines {
    let root = &version.documents()[document].root;
    DocumentLines::in_range(root, first, end.min(first.saturating_add(MOST_LINES)))
}

/// The texts of `count` lines.
fn line_texts(root: &Arc<ProgramNode>, first: u32, count: usize) -> Vec<String> {
    let marks = EditMarks::default();
    let visible = lines::visible_lines(root, &marks, None, first, count, MOST_LINE_BYTES);
    let line = |line: &lines::VisibleLine| displayable_text(&line.collect_bytes());
    visible.iter().map(line).collect()
}

/// A line as it is shown.
fn displayable_text(line: &[u8]) -> String {
    let page = escape_page(line).into_owned();
    page.trim_end().to_owned()
}
