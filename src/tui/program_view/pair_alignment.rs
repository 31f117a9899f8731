//! The two programs of a pair side by side: which lines stand beside each other, which tokens only one of them has, and the hunks.
//!
//! Lines are aligned by twins. Of the lines of the seed and the variant that share twins, those stand beside each other that share the most,
//! as long as both keep their order: a chain of greatest weight. It is made once for each version, in time linear in its tokens; a frame only
//! looks up the rows that it shows.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::lines;
use crate::program::pair::TwinMap;
use crate::program::{NodeId, NodeShape, ProgramNode, Version, walk};
use crate::tui::theme::Role;

/// The index of the seed among the documents of a pair.
pub const SEED: usize = 0;
/// The index of the variant.
pub const VARIANT: usize = 1;

/// The names of the documents of a pair, the sign of a token that only this one has, and its role.
pub const SIDES: [(&str, &str, Role); 2] =
    [("seed", "-", Role::Removed), ("variant", "+", Role::Added)];

/// A row: a line of the seed, a line of the variant, or two that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairRow {
    /// The line in each document, counted from 0; none where the other one has no partner.
    pub lines: [Option<u32>; 2],
}

/// A row of both programs as one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnifiedRow {
    /// The document that the line is of; for a line of both, the variant.
    pub document: usize,
    /// The line, counted from 0.
    pub line: u32,
    /// Whether it has tokens that the other document has not.
    pub changed: bool,
}

/// A place where the two differ: neighbouring tokens without twins, in both documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairHunk {
    /// Its tokens in each document.
    pub tokens: [Range<usize>; 2],
    /// The row of its first token.
    pub row: usize,
    /// The numbers of the leaves before which its tokens stand in each document: from the last twin before it to the first after it.
    pub places: [Range<u32>; 2],
}

/// A token of a document, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedToken {
    /// Its leaf.
    pub node: NodeId,
    /// The number of leaves before it in its document.
    pub leaf: u32,
    /// The line on which it begins.
    pub line: u32,
}

/// The alignment of a version.
#[derive(Debug, Default)]
pub struct PairAlignment {
    rows: Vec<PairRow>,
    row_of_line: [Vec<u32>; 2],
    unified: Vec<UnifiedRow>,
    unified_of_line: [Vec<u32>; 2],
    unpaired: [Vec<PlacedToken>; 2],
    hunks: Vec<PairHunk>,
}

/// The tokens of a document, and which of its lines have any.
struct DocumentScan {
    tokens: Vec<PlacedToken>,
    lines: usize,
    has_token: Vec<bool>,
    changed: Vec<bool>,
    leaves: u32,
}

impl DocumentScan {
    fn from_root(root: &Arc<ProgramNode>) -> DocumentScan {
        let lines = lines::last_line(root) as usize + 1;
        let mut scan = DocumentScan {
            tokens: Vec::with_capacity(root.sums().tokens as usize),
            lines,
            has_token: vec![false; lines],
            changed: vec![false; lines],
            leaves: root.sums().leaves,
        };
        let mut line = 0;
        for (leaf, number) in walk::iter_leaves(root).zip(0..) {
            line += lines::count_line_ends(leaf.trivia());
            if leaf.shape == NodeShape::Token {
                scan.tokens.push(PlacedToken {
                    node: leaf.id,
                    leaf: number,
                    line,
                });
                if let Some(has) = scan.has_token.get_mut(line as usize) {
                    *has = true;
                }
            }
            line += lines::count_line_ends(leaf.text());
        }
        scan
    }
}

/// Lines that share twins.
struct LineGroup {
    lines: [u32; 2],
    weight: u32,
}

impl PairAlignment {
    /// The alignment of a version; none if it is no pair.
    pub fn from_version(version: &Version) -> Option<PairAlignment> {
        let [seed, variant] = version.documents() else {
            return None;
        };
        let twins = version.twins()?;
        let mut scans = [&seed.root, &variant.root].map(DocumentScan::from_root);
        let mut aligned = PairAlignment::default();
        let pairs = aligned.match_tokens(&mut scans, twins);
        aligned.find_rows(&scans, &group_lines(&scans, &pairs));
        aligned.find_unified_rows(&scans);
        aligned.find_hunks(&scans, &pairs);
        Some(aligned)
    }

    /// Separates the tokens with twins from the others. Returns the indices of those with twins, in the order of both documents.
    fn match_tokens(&mut self, scans: &mut [DocumentScan; 2], twins: &TwinMap) -> Vec<[usize; 2]> {
        let mut of_variant: FxHashMap<NodeId, usize> = FxHashMap::default();
        for (at, token) in scans[SEED].tokens.iter().enumerate() {
            match twins.twin_of(token.node) {
                Some(twin) => {
                    of_variant.insert(twin, at);
                }
                None => self.unpaired[SEED].push(*token),
            }
        }
        let mut pairs: Vec<[usize; 2]> = Vec::with_capacity(of_variant.len());
        for (at, token) in scans[VARIANT].tokens.iter().enumerate() {
            match of_variant.get(&token.node) {
                None => self.unpaired[VARIANT].push(*token),
                // Twins in another order align no lines.
                Some(seed) if pairs.last().is_none_or(|[last, _]| last < seed) => {
                    pairs.push([*seed, at])
                }
                Some(_) => {}
            }
        }
        for (scan, unpaired) in scans.iter_mut().zip(&self.unpaired) {
            for token in unpaired {
                if let Some(changed) = scan.changed.get_mut(token.line as usize) {
                    *changed = true;
                }
            }
        }
        pairs
    }

    fn find_rows(&mut self, scans: &[DocumentScan; 2], groups: &[LineGroup]) {
        let mut done = [0, 0];
        for [seed, variant] in heaviest_chain(groups) {
            self.push_between(scans, done, [seed as usize, variant as usize]);
            self.push_row([Some(seed), Some(variant)]);
            done = [seed as usize + 1, variant as usize + 1];
        }
        self.push_between(scans, done, [scans[SEED].lines, scans[VARIANT].lines]);
    }

    /// Adds the rows of the lines `from..to` of both documents, none of which share twins. Lines without tokens face each other.
    fn push_between(&mut self, scans: &[DocumentScan; 2], from: [usize; 2], to: [usize; 2]) {
        let ([mut seed, mut variant], [seed_end, variant_end]) = (from, to);
        let both_bare = |seed: usize, variant: usize| {
            !scans[SEED].has_token[seed] && !scans[VARIANT].has_token[variant]
        };
        while seed < seed_end && variant < variant_end && both_bare(seed, variant) {
            self.push_row([Some(seed as u32), Some(variant as u32)]);
            (seed, variant) = (seed + 1, variant + 1);
        }
        let most = (seed_end - seed).min(variant_end - variant);
        let tail = (1..=most)
            .take_while(|back| both_bare(seed_end - back, variant_end - back))
            .count();
        (seed..seed_end - tail).for_each(|line| self.push_row([Some(line as u32), None]));
        (variant..variant_end - tail).for_each(|line| self.push_row([None, Some(line as u32)]));
        for back in (1..=tail).rev() {
            let lines = [seed_end - back, variant_end - back];
            self.push_row(lines.map(|line| Some(line as u32)));
        }
    }

    fn push_row(&mut self, lines: [Option<u32>; 2]) {
        let row = self.rows.len() as u32;
        for (rows, line) in self.row_of_line.iter_mut().zip(lines) {
            // Each document's lines come in their order.
            rows.extend(line.map(|_| row));
        }
        self.rows.push(PairRow { lines });
    }

    /// Makes one text of both: neighbouring rows that differ give the lines of the seed first.
    fn find_unified_rows(&mut self, scans: &[DocumentScan; 2]) {
        let changes = |document: usize, line: Option<u32>| {
            line.is_some_and(|line| scans[document].changed[line as usize])
        };
        let mut waiting: Vec<u32> = Vec::new();
        self.unified_of_line = [0, 1].map(|document| vec![0; scans[document].lines]);
        for at in 0..self.rows.len() {
            let lines = self.rows[at].lines;
            let changed = [0, 1].map(|document| changes(document, lines[document]));
            if !changed.contains(&true) {
                self.flush_variant_lines(&mut waiting);
                let document = if lines[VARIANT].is_some() {
                    VARIANT
                } else {
                    SEED
                };
                for other in [SEED, VARIANT] {
                    if let Some(line) = lines[other] {
                        self.unified_of_line[other][line as usize] = self.unified.len() as u32;
                    }
                }
                let line = lines[document].unwrap_or(0);
                self.push_unified(document, line, false);
                continue;
            }
            if let Some(line) = lines[SEED] {
                self.push_unified(SEED, line, true);
            }
            waiting.extend(lines[VARIANT]);
        }
        self.flush_variant_lines(&mut waiting);
    }

    fn flush_variant_lines(&mut self, waiting: &mut Vec<u32>) {
        let lines = std::mem::take(waiting).into_iter();
        lines.for_each(|line| self.push_unified(VARIANT, line, true));
    }

    fn push_unified(&mut self, document: usize, line: u32, changed: bool) {
        self.unified_of_line[document][line as usize] = self.unified.len() as u32;
        self.unified.push(UnifiedRow {
            document,
            line,
            changed,
        });
    }

    fn find_hunks(&mut self, scans: &[DocumentScan; 2], pairs: &[[usize; 2]]) {
        let mut taken = [0, 0];
        let mut before = [0, 0];
        let ends = [scans[SEED].leaves, scans[VARIANT].leaves];
        let leaf = |document: usize, at: usize| scans[document].tokens[at].leaf;
        let places = pairs
            .iter()
            .map(|[seed, variant]| [leaf(SEED, *seed), leaf(VARIANT, *variant)]);
        for end in places.chain([ends]) {
            let tokens = [SEED, VARIANT].map(|document| {
                let rest = &self.unpaired[document][taken[document]..];
                let more = rest.iter().take_while(|token| token.leaf < end[document]);
                let count = more.count();
                taken[document]..taken[document] + count
            });
            if tokens.iter().any(|tokens| !tokens.is_empty()) {
                taken = [SEED, VARIANT].map(|document| tokens[document].end);
                let first = [SEED, VARIANT].map(|document| {
                    let token = self.unpaired[document].get(tokens[document].clone());
                    let line = token
                        .and_then(|tokens| tokens.first())
                        .map(|token| token.line);
                    line.map(|line| self.row_of_line(document, line))
                });
                self.hunks.push(PairHunk {
                    row: first.into_iter().flatten().min().unwrap_or(0),
                    tokens,
                    places: [SEED, VARIANT].map(|document| before[document]..end[document] + 1),
                });
            }
            before = end.map(|leaf| leaf + 1);
        }
    }

    /// The rows.
    pub fn rows(&self) -> &[PairRow] {
        &self.rows
    }

    /// The rows of both programs as one text.
    pub fn unified_rows(&self) -> &[UnifiedRow] {
        &self.unified
    }

    /// The row of a line; of the last row, for a line that has none.
    pub fn row_of_line(&self, document: usize, line: u32) -> usize {
        row_at(&self.row_of_line[document], line)
    }

    /// The row of a line in the text of both.
    pub fn unified_row_of_line(&self, document: usize, line: u32) -> usize {
        row_at(&self.unified_of_line[document], line)
    }

    /// The hunks, in order.
    pub fn hunks(&self) -> &[PairHunk] {
        &self.hunks
    }

    /// The tokens of a hunk in a document.
    pub fn hunk_tokens(&self, hunk: &PairHunk, document: usize) -> &[PlacedToken] {
        &self.unpaired[document][hunk.tokens[document].clone()]
    }

    /// The numbers of the hunks that have a token on a line of this row.
    pub fn hunks_on_row(&self, row: usize) -> Vec<usize> {
        let Some(lines) = self.rows.get(row).map(|row| row.lines) else {
            return Vec::new();
        };
        let on_row = |hunk: &PairHunk| {
            [SEED, VARIANT].iter().any(|&document| {
                let tokens = self.hunk_tokens(hunk, document);
                tokens
                    .iter()
                    .any(|token| Some(token.line) == lines[document])
            })
        };
        let hunks = self.hunks.iter().enumerate();
        hunks
            .filter(|(_, hunk)| on_row(hunk))
            .map(|(at, _)| at)
            .collect()
    }

    /// The hunk after the one with this token, or before it, if the token is on this row. Else the first that begins on the row or after it,
    /// or the last that begins before it.
    pub fn next_hunk(&self, row: usize, token: Option<NodeId>, forward: bool) -> Option<usize> {
        let has_token = |hunk: &PairHunk| {
            [SEED, VARIANT].into_iter().any(|document| {
                let is_here = |known: &PlacedToken| {
                    Some(known.node) == token && self.row_of_line(document, known.line) == row
                };
                self.hunk_tokens(hunk, document).iter().any(is_here)
            })
        };
        let here = self.hunks.iter().position(has_token);
        let next = match (here, forward) {
            (Some(here), true) => Some(here + 1),
            (Some(here), false) => here.checked_sub(1),
            (None, true) => self.hunks.iter().position(|hunk| hunk.row >= row),
            (None, false) => self.hunks.iter().rposition(|hunk| hunk.row < row),
        };
        next.filter(|next| *next < self.hunks.len())
    }

    /// How many of these leaves of a document are tokens without twins.
    pub fn count_unpaired(&self, document: usize, leaves: Range<u32>) -> usize {
        self.unpaired_in(document, leaves).len()
    }

    /// Those of the leaves of a document that are tokens without twins.
    pub fn unpaired_in(&self, document: usize, leaves: Range<u32>) -> &[PlacedToken] {
        let tokens = &self.unpaired[document];
        let before = |leaf: u32| tokens.partition_point(|token| token.leaf < leaf);
        &tokens[before(leaves.start)..before(leaves.end)]
    }

    /// The tokens of a document without twins, in order.
    pub fn unpaired_tokens(&self, document: usize) -> &[PlacedToken] {
        &self.unpaired[document]
    }
}

fn row_at(rows: &[u32], line: u32) -> usize {
    let row = rows.get(line as usize).or(rows.last());
    row.map_or(0, |row| *row as usize)
}

/// The pairs of lines that share twins, in order, and how many they share.
fn group_lines(scans: &[DocumentScan; 2], pairs: &[[usize; 2]]) -> Vec<LineGroup> {
    let mut groups: Vec<LineGroup> = Vec::new();
    for pair in pairs {
        let lines = [SEED, VARIANT].map(|document| scans[document].tokens[pair[document]].line);
        match groups.last_mut().filter(|group| group.lines == lines) {
            Some(group) => group.weight += 1,
            None => groups.push(LineGroup { lines, weight: 1 }),
        }
    }
    groups
}

/// The heaviest chain of groups, each of them after the one before in both documents. The groups come in the order of both.
fn heaviest_chain(groups: &[LineGroup]) -> Vec<[u32; 2]> {
    // Of each prefix of the groups, the heaviest chain: its weight, and its last group.
    let mut best: Vec<(u64, Option<usize>)> = vec![(0, None)];
    // The chain that ends with a group goes on with that of this prefix.
    let mut prefix_of: Vec<usize> = Vec::with_capacity(groups.len());
    let mut starts = [0, 0];
    for (at, group) in groups.iter().enumerate() {
        for document in [SEED, VARIANT] {
            if groups[starts[document]].lines[document] != group.lines[document] {
                starts[document] = at;
            }
        }
        let prefix = starts[SEED].min(starts[VARIANT]);
        prefix_of.push(prefix);
        let weight = best[prefix].0 + u64::from(group.weight);
        let last = best[at];
        best.push(if weight > last.0 {
            (weight, Some(at))
        } else {
            last
        });
    }
    let mut chain = Vec::new();
    let mut last = best.last().and_then(|(_, last)| *last);
    while let Some(at) = last {
        chain.push(groups[at].lines);
        last = best[prefix_of[at]].1;
    }
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::language;
    use crate::program::read_pair;

    fn pair(seed: &str, variant: &str) -> Version {
        let source = |name: &str, text: &str| {
            let path = Arc::from(Path::new(name));
            (language::by_name("c"), path, Arc::from(text.as_bytes()))
        };
        read_pair(source("seed.c", seed), source("variant.c", variant)).expect("a pair")
    }

    /// The rows as the numbers of their lines, counted from 1: `1=1 2=- -=2`.
    fn rows(seed: &str, variant: &str) -> String {
        let aligned = PairAlignment::from_version(&pair(seed, variant)).expect("a pair");
        let side = |line: Option<u32>| line.map_or("-".into(), |line| (line + 1).to_string());
        let row = |row: &PairRow| format!("{}={}", side(row.lines[0]), side(row.lines[1]));
        aligned.rows().iter().map(row).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lines_stand_beside_those_that_share_the_most_tokens() {
        assert_eq!(rows("int a;\nint b;\n", "int a;\nint b;\n"), "1=1 2=2");
        assert_eq!(
            rows("int a;\nint b;\n", "int a;\nint x;\nint b;\n"),
            "1=1 -=2 2=3"
        );
        assert_eq!(
            rows("int a;\nint x;\nint b;\n", "int a;\nint b;\n"),
            "1=1 2=- 3=2"
        );
        assert_eq!(
            rows("int a, b, c;\n", "int a,\n  b, c;\n"),
            "-=1 1=2",
            "most are on the second"
        );
        assert_eq!(
            rows("int a;\n\nint b;\n", "int a;\n\nint b;\n"),
            "1=1 2=2 3=3",
            "blank lines too"
        );
        assert_eq!(rows("", "int a;\n"), "1=- -=1");
    }

    #[test]
    fn hunks_are_the_places_where_tokens_have_no_twins() {
        let version = pair(
            "int a;\nint k = f(1);\nint z;\n",
            "int a;\nint k = f((1) + 0);\nint z; int y;\n",
        );
        let aligned = PairAlignment::from_version(&version).expect("a pair");
        let hunks: Vec<(usize, [usize; 2])> = aligned
            .hunks()
            .iter()
            .map(|hunk| {
                (
                    hunk.row,
                    [0, 1].map(|document| aligned.hunk_tokens(hunk, document).len()),
                )
            })
            .collect();
        assert_eq!(hunks, [(1, [0, 1]), (1, [0, 3]), (2, [0, 3])]);
        assert_eq!(aligned.hunks_on_row(1), [0, 1]);
        let next = |row, token, forward| aligned.next_hunk(row, token, forward);
        let token = |hunk: usize| Some(aligned.hunk_tokens(&aligned.hunks()[hunk], 1)[0].node);
        assert_eq!(
            [0, 1, 2].map(|row| next(row, None, true)),
            [Some(0), Some(0), Some(2)]
        );
        assert_eq!(
            [0, 1, 2].map(|row| next(row, None, false)),
            [None, None, Some(1)]
        );
        assert_eq!(
            [0, 1].map(|hunk| next(1, token(hunk), true)),
            [Some(1), Some(2)]
        );
        assert_eq!(
            [0, 1].map(|hunk| next(1, token(hunk), false)),
            [None, Some(0)]
        );
        assert_eq!(next(2, token(2), true), None);
        let all = version.documents()[1].root.sums().leaves;
        assert_eq!(aligned.count_unpaired(VARIANT, 0..all), 7);
        assert_eq!(aligned.count_unpaired(SEED, 0..all), 0);
    }

    #[test]
    fn one_text_of_both_has_the_lines_of_the_seed_first() {
        let version = pair(
            "int a;\nint k = 1;\nint l = 2;\n",
            "int a;\nint k = 3;\nint l = 4;\n",
        );
        let aligned = PairAlignment::from_version(&version).expect("a pair");
        let lines: Vec<(usize, u32)> = aligned
            .unified_rows()
            .iter()
            .map(|row| (row.document, row.line))
            .collect();
        assert_eq!(lines, [(1, 0), (0, 1), (0, 2), (1, 1), (1, 2)]);
        assert_eq!(aligned.unified_row_of_line(SEED, 0), 0, "a line of both");
        assert_eq!(aligned.unified_row_of_line(VARIANT, 2), 4);
    }
}
