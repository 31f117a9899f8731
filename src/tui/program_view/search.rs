//! Searching for kinds and texts. A search walks the tree in slices, so that no key waits for it. Its hits are nodes, so they stay
//! valid when the program changes.

use std::path::Path;
use std::sync::Arc;

use super::file_folds::FileRow;
use super::file_tree::FileTree;
use super::folds::RowTarget;
use super::visibility::{NodeVisibility, node_visibility};
use crate::program::{Document, NodeId, NodeShape, ProgramNode, Version};

/// What to search for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchQuery {
    /// The text, in lower case unless case matters.
    text: String,
    /// Whether case matters: if the text has a capital letter.
    case_sensitive: bool,
    kinds: bool,
    texts: bool,
    files: bool,
}

impl SearchQuery {
    /// Parses a query: a text to search for in kinds, in the program and in the names of files, or after `kind:`, `text:` or `file:` in one of
    /// them only.
    pub fn new(typed: &str) -> SearchQuery {
        let (text, [kinds, texts, files]) = match typed.split_once(':') {
            Some(("kind", text)) => (text, [true, false, false]),
            Some(("text", text)) => (text, [false, true, false]),
            Some(("file", text)) => (text, [false, false, true]),
            _ => (typed, [true; 3]),
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let exact = text.chars().any(char::is_uppercase);
        SearchQuery {
            text: words.join(" "),
            case_sensitive: exact,
            kinds,
            texts,
            files,
        }
    }

    /// Whether the query is empty.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    fn bytes_match(&self, one: u8, other: u8) -> bool {
        one == other || !self.case_sensitive && one.eq_ignore_ascii_case(&other)
    }

    /// The first occurrence of the text in these bytes, from `from` on.
    fn find_text(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let text = self.text.as_bytes();
        let last = bytes.len().checked_sub(text.len())?;
        (from..=last).find(|&at| {
            let here = &bytes[at..at + text.len()];
            here.iter()
                .zip(text)
                .all(|(one, other)| self.bytes_match(*one, *other))
        })
    }

    /// Whether the text occurs in this kind.
    pub fn matches_kind(&self, kind: &str) -> bool {
        self.kinds && !self.is_empty() && self.find_text(kind.as_bytes(), 0).is_some()
    }

    /// Whether the text occurs in the name of a file or a directory.
    pub fn matches_path(&self, path: &Path) -> bool {
        let bytes = path.as_os_str().as_encoded_bytes();
        self.files && !self.is_empty() && self.find_text(bytes, 0).is_some()
    }

    /// Whether the text occurs in this text.
    pub fn matches_text(&self, text: &[u8]) -> bool {
        self.texts && !self.is_empty() && self.find_text(text, 0).is_some()
    }
}

/// A search: the hits so far, and the place where it continues.
#[derive(Debug)]
pub struct NodeSearch {
    /// The query.
    pub query: SearchQuery,
    hits: Vec<RowTarget>,
    documents: Vec<Document>,
    /// The directories and files of a project. Without them its documents are searched in their order.
    files: Option<Arc<FileTree>>,
    /// The number of searched documents; in a project, of searched directories and files.
    searched: usize,
    /// The document that is being searched, and in it the path to the next node.
    document: usize,
    stack: Vec<(Arc<ProgramNode>, usize)>,
    window: TextWindow,
    /// The current hit, and the row that was selected for it.
    current_hit: Option<(usize, RowTarget)>,
    /// The direction of a move that waits for a hit: forward or back from the selection.
    pub wanted_direction: Option<bool>,
}

/// The end of the text so far, because a hit may consist of several tokens.
#[derive(Debug, Default)]
struct TextWindow {
    bytes: Vec<u8>,
    /// Its tokens: where each begins.
    tokens: Vec<(usize, NodeId)>,
}

impl NodeSearch {
    /// A search at its start. `files` are the directories and files of a project.
    pub fn new(version: &Version, query: SearchQuery, files: Option<Arc<FileTree>>) -> NodeSearch {
        let mut search = NodeSearch {
            query,
            hits: Vec::new(),
            documents: version.documents().to_vec(),
            files,
            searched: 0,
            document: 0,
            stack: Vec::new(),
            window: TextWindow::default(),
            current_hit: None,
            wanted_direction: Some(true),
        };
        search.begin_document();
        search
    }

    /// Begins the next document that is there, after the directories before it.
    fn begin_document(&mut self) {
        self.window = TextWindow::default();
        loop {
            let at = self.searched;
            let document = match &self.files {
                None => Some(at).filter(|number| *number < self.documents.len()),
                Some(files) => match files.entries().get(at) {
                    None => None,
                    Some(entry) => {
                        let is_there = |number: usize| !self.documents[number].is_gone;
                        let is_hit = self.query.matches_path(files.name_of(at))
                            && files.documents_in(at).any(is_there);
                        if is_hit {
                            self.hits.push(RowTarget::File(FileRow::Entry(at)));
                        }
                        match entry.document.filter(|number| is_there(*number)) {
                            None => {
                                self.searched += 1;
                                continue;
                            }
                            document => document,
                        }
                    }
                },
            };
            if let Some(number) = document {
                self.document = number;
                self.stack.push((self.documents[number].root.clone(), 0));
            }
            return;
        }
    }

    /// Whether the whole program was searched.
    pub fn is_done(&self) -> bool {
        self.stack.is_empty()
    }

    /// The number of hits.
    pub fn hit_count(&self) -> usize {
        self.hits.len()
    }

    /// The number of the selected hit, counted from 1.
    pub fn hit_number(&self, selected: Option<RowTarget>) -> Option<usize> {
        let (at, on) = self.current_hit?;
        (selected == Some(on)).then_some(at + 1)
    }

    /// Searches up to `nodes` more nodes.
    pub fn search_nodes(&mut self, nodes: usize) {
        for _ in 0..nodes {
            let Some((node, next)) = self.stack.last_mut() else {
                return;
            };
            let child = node.children().get(*next).cloned();
            if *next == 0 {
                let node = node.clone();
                self.visit_node(&node);
            }
            if let Some((_, next)) = self.stack.last_mut() {
                *next += 1;
            }
            match child {
                Some(child) => self.stack.push((child, 0)),
                None => {
                    self.stack.pop();
                }
            }
            if self.stack.is_empty() {
                self.searched += 1;
                self.begin_document();
            }
        }
    }

    fn visit_node(&mut self, node: &Arc<ProgramNode>) {
        let document = &self.documents[self.document];
        let is_row = node_visibility(document, node) == NodeVisibility::Row;
        let kind = node.class.zip(document.language);
        let kind = kind.map(|(class, language)| language.grammar().class_name(class));
        if is_row && kind.is_some_and(|kind| self.query.matches_kind(kind)) {
            self.hits.push(RowTarget::Node(node.id));
        }
        if node.shape.is_leaf() && node.shape != NodeShape::End && self.query.texts {
            let last = self.hits.last().copied();
            let found = self.window.push_token(node, &self.query);
            let found = found.map(RowTarget::Node);
            self.hits.extend(found.filter(|hit| last != Some(*hit)));
        }
    }

    /// The hit after the selection, or before it, wrapping around at the end. None without hits.
    pub fn next_hit(
        &mut self,
        version: &Version,
        selected: Option<RowTarget>,
        forward: bool,
    ) -> Option<RowTarget> {
        let len = self.hits.len();
        if len == 0 {
            return None;
        }
        let from = match self.current_hit.filter(|(_, on)| Some(*on) == selected) {
            Some((at, _)) if forward => at + 1,
            Some((at, _)) => at + len - 1,
            None => {
                let first = self.first_hit_from(version, self.place_of(version, selected));
                if forward { first } else { first + len - 1 }
            }
        };
        let mut way = (0..len).map(|step| match forward {
            true => (from + step) % len,
            false => (from + 2 * len - step) % len,
        });
        let at = way.find(|at| self.is_there(version, self.hits[*at]))?;
        self.current_hit = Some((at, self.hits[at]));
        Some(self.hits[at])
    }

    /// Whether a hit after the selection is known; later hits cannot come before it.
    pub fn has_next_hit(&self, version: &Version, selected: Option<RowTarget>) -> bool {
        let here = self.place_of(version, selected);
        self.first_hit_from(version, here) < self.hits.len()
    }

    /// Records the row that was selected for the current hit.
    pub fn select_hit(&mut self, selected: RowTarget) {
        if let Some((_, on)) = &mut self.current_hit {
            *on = selected;
        }
    }

    /// The index of the first hit at a place or after it. Hits that were removed are skipped.
    fn first_hit_from(&self, version: &Version, here: SearchPlace) -> usize {
        let (mut low, mut high) = (0, self.hits.len());
        while low < high {
            let middle = (low + high) / 2;
            let alive =
                (middle..high).find_map(|at| Some((at, self.find_place(version, self.hits[at])?)));
            match alive {
                Some((at, there)) if there < here => low = at + 1,
                _ => high = middle,
            }
        }
        low
    }

    /// Whether a hit is still there.
    fn is_there(&self, version: &Version, hit: RowTarget) -> bool {
        match (hit, &self.files) {
            (RowTarget::File(FileRow::Entry(at)), Some(files)) => files
                .documents_in(at)
                .any(|number| !version.documents()[number].is_gone),
            _ => self.find_place(version, hit).is_some(),
        }
    }

    /// The place of the selection, or the beginning.
    fn place_of(&self, version: &Version, selected: Option<RowTarget>) -> SearchPlace {
        let place = selected.and_then(|selected| self.find_place(version, selected));
        place.unwrap_or_default()
    }

    /// The place of a row, if it is there. The row of a file comes before all that is in it.
    fn find_place(&self, version: &Version, row: RowTarget) -> Option<SearchPlace> {
        match row {
            RowTarget::Node(node) => {
                let path = version.path_to(node)?;
                let files = self.files.as_ref();
                let number = files.map_or(path.document, |files| files.entry_of(path.document));
                Some((number, path.preceding_sums().leaves + 1))
            }
            RowTarget::File(FileRow::Entry(at)) => Some((at, 0)),
            RowTarget::File(FileRow::Gone(directory)) => {
                let entries = self.files.as_ref()?.entries();
                let end = directory.map_or(entries.len(), |at| entries[at].end);
                Some((end, 0))
            }
        }
    }
}

/// Where something is: the number of its document, or of its directory or file, and the number of leaves before it.
type SearchPlace = (usize, u32);

impl TextWindow {
    /// Adds the next token. If a hit ends in it, returns the token in which the hit begins.
    fn push_token(&mut self, token: &ProgramNode, query: &SearchQuery) -> Option<NodeId> {
        let length = query.text.len();
        // Keep only the bytes in which a hit that ends in the next token can begin.
        if self.bytes.len() > 4096 + 2 * length {
            let keep = self.bytes.len() - length;
            let first = self.tokens.partition_point(|(start, _)| *start <= keep);
            self.tokens.drain(..first.saturating_sub(1));
            let cut = self.tokens.first().map_or(keep, |(start, _)| *start);
            self.bytes.drain(..cut);
            self.tokens.iter_mut().for_each(|(start, _)| *start -= cut);
        }
        if !token.trivia().is_empty() && !self.bytes.is_empty() {
            self.bytes.push(b' ');
        }
        let start = self.bytes.len();
        self.tokens.push((start, token.id));
        self.bytes.extend_from_slice(token.text());
        let found = query.find_text(&self.bytes, start.saturating_sub(length.saturating_sub(1)));
        let in_token = |at: usize| {
            let token = self.tokens.partition_point(|(start, _)| *start <= at);
            self.tokens[token.saturating_sub(1)].1
        };
        found.map(in_token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_says_where_to_look_and_whether_case_matters() {
        let both = SearchQuery::new("if");
        assert!(both.matches_kind("if_statement") && both.matches_text(b"#ifdef"));
        assert!(both.matches_text(b"IF"), "small letters mean any");
        assert!(!SearchQuery::new("If").matches_text(b"if"));
        let kind = SearchQuery::new("kind:if");
        assert!(kind.matches_kind("if_statement") && !kind.matches_text(b"if"));
        let text = SearchQuery::new("text:if");
        assert!(!text.matches_kind("if_statement") && text.matches_text(b"if"));
        assert!(
            SearchQuery::new("a::b").matches_text(b"a::b"),
            "other words are text"
        );
        assert!(!SearchQuery::new("").matches_text(b"a") && SearchQuery::new("  ").is_empty());
    }
}
