//! The neighbours of a program: what it is with one token or one node deleted or replaced, as the grammar allows.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::fillings::{self, KnownTokens, TreeOutline, token_text};
use super::roles::ChangeKind;
use crate::grammar::NodeClass;
use crate::language::Language;
use crate::language::parser::ParseLimit;
use crate::program::{
    ConstraintSet, ContentHash, Edit, EditOp, IndexRanges, NodeId, NodeShape, ParseChecker,
    ProgramNode, Replacement, Version, apply_edit, fits_place, is_lacking, names, walk,
};

/// The most fillings of a token's kind.
const FILLINGS: usize = 4;
/// The most nodes inside a node that are tried in its place, and the most others of its kind.
const REPLACEMENTS: usize = 2;
/// A word that stands at more places is not replaced at all of them.
const PLACES: usize = 8;
/// The most tokens of a node that another one replaces.
const LARGEST: u32 = 12;

/// A token of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContrastToken {
    /// Where its text is, in bytes.
    pub range: Range<usize>,
    /// The line that it is in, counted from 1.
    pub line: usize,
    /// Its text.
    pub text: String,
    /// Its kind, as a person would call it: that of the grammar.
    pub kind: String,
}

/// A program that differs by one change.
#[derive(Clone, Debug)]
pub struct ProgramNeighbour {
    /// How it bears on the roles of the tokens that change.
    pub kind: ChangeKind,
    /// The numbers of the tokens that change, ascending.
    pub tokens: Vec<usize>,
    /// What is replaced, in one line.
    pub old: String,
    /// What replaces it; empty for a deletion.
    pub new: String,
    /// Whether a name is changed at more than one place.
    pub everywhere: bool,
    /// Whether the parser finds no more errors than in the program.
    pub is_grammatical: bool,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    /// Their hash, as results have it.
    pub hash: ContentHash,
    /// How many tokens come.
    inserted: usize,
    /// The number of telling changes of the same place that are tried before it.
    rank: usize,
}

impl ProgramNeighbour {
    /// How many tokens of the program change.
    pub fn size(&self) -> usize {
        self.tokens.len()
    }

    /// How far it is from the program: the number of tokens that go, or come in their place if that is larger.
    pub fn distance(&self) -> usize {
        self.tokens.len().max(self.inserted)
    }
}

/// The tokens of the first document, and its neighbours: the nearest and most telling first. The fillings are also those of `original`.
pub fn list_neighbours(
    version: &Version,
    original: Option<&Version>,
) -> (Vec<ContrastToken>, Vec<ProgramNeighbour>) {
    let mut finder = NeighbourFinder::new(version, original);
    for number in 0..finder.leaves.len() {
        finder.propose_token_changes(number);
    }
    finder.propose_node_changes();
    let mut found = finder.found;
    found.sort_by_key(|neighbour| {
        (
            neighbour.rank,
            neighbour.distance(),
            neighbour.tokens.first().copied(),
        )
    });
    (finder.tokens, found)
}

struct NeighbourFinder<'a> {
    version: &'a Version,
    language: Option<&'static Language>,
    known: KnownTokens,
    /// The leaves of the tokens.
    leaves: Vec<&'a Arc<ProgramNode>>,
    tokens: Vec<ContrastToken>,
    outline: Option<TreeOutline>,
    checker: ParseChecker,
    seen: FxHashSet<ContentHash>,
    found: Vec<ProgramNeighbour>,
    /// Nodes of at most [`LARGEST`] tokens, of the program and then of the original.
    small_nodes: Vec<Arc<ProgramNode>>,
}

/// A change that is proposed.
struct ProposedChange {
    kind: ChangeKind,
    tokens: Vec<usize>,
    old: String,
    new: String,
    inserted: usize,
    rank: usize,
}

impl<'a> NeighbourFinder<'a> {
    fn new(version: &'a Version, original: Option<&Version>) -> NeighbourFinder<'a> {
        let document = &version.documents()[0];
        let (mut leaves, mut tokens, mut at, mut line) = (Vec::new(), Vec::new(), 0, 1);
        let newlines = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
        for leaf in walk::iter_leaves(&document.root) {
            let start = at + leaf.trivia().len();
            line += newlines(leaf.trivia());
            at = start + leaf.text().len();
            if leaf.shape == NodeShape::Token {
                leaves.push(leaf);
                tokens.push(ContrastToken {
                    range: start..at,
                    line,
                    text: String::from_utf8_lossy(leaf.text()).into_owned(),
                    kind: describe_kind(version, leaf),
                });
            }
            line += newlines(leaf.text());
        }
        let tree = version.parse_tree(0);
        let both = || [version].into_iter().chain(original);
        let roots = both()
            .flat_map(Version::documents)
            .map(|document| &document.root);
        let small = roots.flat_map(walk::preorder).filter(|node| {
            node.class.is_some()
                && !node.shape.is_leaf()
                && (2..=LARGEST).contains(&node.sums().tokens)
        });
        NeighbourFinder {
            language: document.language,
            known: KnownTokens::collect_from(both()),
            outline: tree.map(TreeOutline::from_tree),
            checker: ParseChecker::default(),
            seen: FxHashSet::from_iter([version.content_hash()]),
            found: Vec::new(),
            small_nodes: small.cloned().collect(),
            version,
            leaves,
            tokens,
        }
    }

    /// Adds the neighbour that an edit makes, unless there is none or it is known. Whether the parser accepts its
    /// text as it is, without stand-ins for parts that compilers do without.
    fn propose_edit(&mut self, change: ProposedChange, edit: &Edit) -> bool {
        let Ok((candidate, _)) = apply_edit(self.version, edit) else {
            return false;
        };
        let hash = candidate.content_hash();
        if !self.seen.insert(hash) {
            return false;
        }
        let texts = candidate.render_texts();
        let none = ConstraintSet::default();
        let trees = self
            .checker
            .check_candidate(self.version, &candidate, &texts, true, &none);
        let lacking = |version: &Version| {
            let mut documents = version.documents().iter();
            documents.any(|document| is_lacking(&document.root))
        };
        let loses_part = lacking(&candidate) && !lacking(self.version);
        let is_grammatical = trees.is_some()
            && (!loses_part || self.is_read(texts[0].as_deref().unwrap_or_default()));
        let ProposedChange {
            kind,
            tokens,
            old,
            new,
            inserted,
            rank,
        } = change;
        // A wrong filling says nothing; a token that cannot go is needed to compile.
        if is_grammatical || kind == ChangeKind::Deletion && tokens.len() == 1 {
            self.found.push(ProgramNeighbour {
                everywhere: kind == ChangeKind::Filling && tokens.len() > 1,
                kind,
                tokens,
                old,
                new,
                is_grammatical,
                bytes: texts.into_iter().next().flatten().unwrap_or_default(),
                hash,
                inserted,
                rank,
            });
        }
        is_grammatical
    }

    /// Whether the parser finds no more errors in this text than in the program.
    fn is_read(&self, text: &[u8]) -> bool {
        let count_faults = |text: &[u8]| {
            let language = self.language?;
            let limit = ParseLimit::for_length(text.len());
            let mut parser = language.new_parser();
            let tree = parser.parse(&language.mask_text(text), None, limit);
            Some(tree.ok()?.count_faults())
        };
        let most = count_faults(&self.version.render_files()[0].1);
        count_faults(text).is_some_and(|faults| most.is_none_or(|most| faults <= most))
    }

    fn propose_token_changes(&mut self, number: usize) {
        let leaf = self.leaves[number];
        let deletion = self.change(ChangeKind::Deletion, vec![number], "", 0);
        self.propose_edit(deletion, &EditOp::Delete(leaf.id).into());
        let Some(text) = token_text(leaf) else {
            return;
        };
        let data = self.language.zip(leaf.class).into_iter();
        let data = data.flat_map(|(language, class)| language.class_fillings(class));
        let data: Vec<String> = data.cloned().collect();
        let names = self.places_of_name(number, !data.is_empty());
        let mut left = FILLINGS;
        if !names.is_empty() {
            left -= self.propose_names(number, &names, text);
        }
        let is_repeated = names.len() > 1;
        let kind = if is_repeated {
            ChangeKind::Other
        } else {
            ChangeKind::Filling
        };
        let mut others: Vec<String> = fillings::literal_fillings(text);
        others.extend(data);
        others.extend(self.known.same_kind(leaf).map(str::to_owned));
        let mut accepted: Vec<String> = Vec::new();
        for other in others.iter().filter(|other| *other != text) {
            if accepted.len() == left {
                break;
            }
            if self.propose_text(kind, number, other, accepted.len() + 1) {
                accepted.push(other.clone());
            }
        }
        if accepted.len() < left {
            accepted.extend(self.propose_literals(number, text, left - accepted.len()));
        }
        if names.is_empty() {
            self.propose_everywhere(number, &accepted);
        }
        if let Some(language) = self.language {
            let others: Vec<String> = self
                .known
                .other_kinds(language, leaf)
                .map(str::to_owned)
                .collect();
            let mut others = others.iter();
            others.any(|other| self.propose_text(ChangeKind::Other, number, other, 2));
        }
    }

    /// The tokens that have the same symbol as this one; none if it is not a name. If its kind has fillings, as that of types has, only a name that
    /// the program declares is one: the others mean something to the language.
    fn places_of_name(&self, number: usize, has_fillings: bool) -> Vec<usize> {
        let graph = self.version.name_graph();
        let symbol_of = |number: usize| -> Option<names::NameSymbol> {
            let mut occurrences = graph.leaf_occurrences(self.leaves[number]);
            occurrences.next().map(|occurrence| occurrence.symbol)
        };
        let is_own =
            |symbol: &names::NameSymbol| !has_fillings || graph.declaration_kind(*symbol).is_some();
        let Some(symbol) = symbol_of(number).filter(is_own) else {
            return Vec::new();
        };
        (0..self.leaves.len())
            .filter(|other| symbol_of(*other) == Some(symbol))
            .collect()
    }

    /// Renames a symbol at all of its places, twice, and this place alone. How many fillings there are.
    fn propose_names(&mut self, number: usize, places: &[usize], text: &str) -> usize {
        let fresh: Vec<&str> = self.known.fresh_names(text).take(2).collect();
        // The first place stands for all.
        if places[0] == number {
            for (rank, name) in fresh.iter().enumerate() {
                let change = self.change(ChangeKind::Filling, places.to_vec(), name, rank + 1);
                let ops = places.iter().map(|place| self.replace_token(*place, name));
                let edit = ops.collect();
                self.propose_edit(change, &edit);
            }
        }
        if let Some(name) = fresh.first().filter(|_| places.len() > 1) {
            self.propose_text(ChangeKind::Other, number, name, 3);
        }
        fresh.len()
    }

    /// Puts a word in the place of this one wherever that stands, as `struct` for each `union`: their places may have to agree.
    fn propose_everywhere(&mut self, number: usize, accepted: &[String]) {
        let leaf = self.leaves[number];
        let is_same = |other: &usize| {
            let other = self.leaves[*other];
            other.class == leaf.class && other.text() == leaf.text()
        };
        let places: Vec<usize> = (0..self.leaves.len()).filter(is_same).collect();
        let is_word = token_text(leaf).is_some_and(fillings::is_word);
        // The first place stands for all.
        if !is_word || places[0] != number || !(2..=PLACES).contains(&places.len()) {
            return;
        }
        for (rank, other) in accepted.iter().take(2).enumerate() {
            let change = self.change(ChangeKind::Filling, places.clone(), other, rank + 2);
            let ops = places.iter().map(|place| self.replace_token(*place, other));
            let edit = ops.collect();
            self.propose_edit(change, &edit);
        }
    }

    /// The grammar's literals that make the same tree; those that the parser accepts.
    fn propose_literals(&mut self, number: usize, text: &str, most: usize) -> Vec<String> {
        let (Some(language), true) = (self.language, fillings::has_literal_fillings(text)) else {
            return Vec::new();
        };
        let leaf = self.leaves[number];
        let is_literal = |class: &NodeClass| language.grammar().class_name(*class) == text;
        let own = leaf.class.filter(is_literal);
        let (Some(own), Some(outline)) = (own, &self.outline) else {
            return Vec::new();
        };
        let place = self.tokens[number].range.start;
        let distance = |literal: &str| {
            let edit = self.replace_token(number, literal).into();
            let (candidate, _) = apply_edit(self.version, &edit).ok()?;
            let files = candidate.render_files();
            let new = TreeOutline::from_text(language, &files.first()?.1)?;
            outline.distance_to(&new, place, literal)
        };
        // A grammar names together what belongs together, as operators of one precedence.
        let role = |text: &str| language.statements()?.logic_role(text.as_bytes());
        let is_same_sign = |other: &str| role(text).is_some() && role(text) == role(other);
        let literals = fillings::similar_literals(language, text).into_iter();
        let literals = literals.filter(|(_, literal)| !is_same_sign(literal));
        let mut near: Vec<(usize, u16, &str)> = literals
            .filter_map(|(class, literal)| {
                Some((distance(literal)?, class.0.abs_diff(own.0), literal))
            })
            .collect();
        near.sort_unstable();
        let near = near.into_iter().take(most).zip(1..);
        near.filter(|((.., literal), rank)| {
            self.propose_text(ChangeKind::Filling, number, literal, *rank)
        })
        .map(|((.., literal), _)| literal.to_owned())
        .collect()
    }

    /// Proposes another text for a token.
    fn propose_text(&mut self, kind: ChangeKind, number: usize, text: &str, rank: usize) -> bool {
        let change = self.change(kind, vec![number], text, rank);
        let edit = self.replace_token(number, text).into();
        self.propose_edit(change, &edit)
    }

    fn replace_token(&self, number: usize, text: &str) -> EditOp {
        let piece = Replacement::Tokens([Arc::from(text.as_bytes())].into());
        EditOp::Replace {
            node: self.leaves[number].id,
            piece,
        }
    }

    /// A change of these tokens. What is replaced is their text, or that of the first where a name is replaced everywhere.
    fn change(
        &self,
        kind: ChangeKind,
        tokens: Vec<usize>,
        new: &str,
        rank: usize,
    ) -> ProposedChange {
        let old = self.tokens[tokens[0]].text.clone();
        ProposedChange {
            kind,
            tokens,
            old,
            new: new.to_owned(),
            inserted: usize::from(!new.is_empty()),
            rank,
        }
    }

    /// Deletes nodes, and replaces each small one by nodes inside it and by others of its kind.
    fn propose_node_changes(&mut self) {
        let root = &self.version.documents()[0].root;
        let (mut start, mut first) = (0, FxHashMap::<NodeId, usize>::default());
        for node in walk::preorder(root) {
            first.insert(node.id, start);
            start += usize::from(node.shape == NodeShape::Token);
        }
        let tokens_of = |node: &ProgramNode| {
            let start = first[&node.id];
            start..start + node.sums().tokens as usize
        };
        for node in walk::preorder(root) {
            if node.shape == NodeShape::Opt {
                self.propose_removal(tokens_of(node), EditOp::Delete(node.id));
            }
            let is_only = node.must_keep_one() && node.len() < 2;
            if node.shape.is_list() && !is_only {
                for (item, at) in walk::iter_items(node).zip(0..) {
                    let items = IndexRanges::from_range(at..at + 1);
                    let op = EditOp::DeleteItems {
                        list: node.id,
                        items,
                    };
                    self.propose_removal(tokens_of(item), op);
                }
            }
            if node.class.is_some() && (2..=LARGEST).contains(&node.sums().tokens) {
                self.propose_inner_nodes(node, tokens_of(node), &tokens_of);
                self.propose_similar_nodes(node, tokens_of(node));
            }
        }
    }

    fn propose_removal(&mut self, tokens: Range<usize>, op: EditOp) {
        if !tokens.is_empty() {
            let old = self.join_tokens(tokens.clone());
            let (tokens, new) = (tokens.collect(), String::new());
            let change = ProposedChange {
                kind: ChangeKind::Deletion,
                tokens,
                old,
                new,
                inserted: 0,
                rank: 1,
            };
            self.propose_edit(change, &op.into());
        }
    }

    /// Nodes inside a node that may stand in its place, the largest first.
    fn propose_inner_nodes(
        &mut self,
        node: &Arc<ProgramNode>,
        tokens: Range<usize>,
        tokens_of: &impl Fn(&ProgramNode) -> Range<usize>,
    ) {
        let Some(path) = self.version.path_to(node.id) else {
            return;
        };
        let inner = walk::preorder(node).skip(1);
        let smaller = inner.filter(|inner| (1..node.sums().tokens).contains(&inner.sums().tokens));
        let mut fitting: Vec<&Arc<ProgramNode>> = smaller
            .filter(|inner| fits_place(self.version, &path, inner))
            .collect();
        fitting.sort_by_key(|inner| std::cmp::Reverse(inner.sums().tokens));
        for inner in fitting.into_iter().take(REPLACEMENTS) {
            let kept = tokens_of(inner);
            // What lies on one side only is a deletion of that side.
            let gone = match (kept.start == tokens.start, kept.end == tokens.end) {
                (true, _) => Some(kept.end..tokens.end),
                (_, true) => Some(tokens.start..kept.start),
                _ => None,
            };
            let (kind, old, new) = match gone {
                Some(gone) => (ChangeKind::Deletion, gone, String::new()),
                None => (
                    ChangeKind::Other,
                    tokens.clone(),
                    self.join_tokens(kept.clone()),
                ),
            };
            let change = ProposedChange {
                kind,
                tokens: tokens
                    .clone()
                    .filter(|token| !kept.contains(token))
                    .collect(),
                old: self.join_tokens(old),
                new,
                inserted: 0,
                rank: 2,
            };
            let piece = Replacement::Node(inner.id);
            self.propose_replacement(change, node.id, piece);
        }
    }

    fn propose_replacement(&mut self, change: ProposedChange, node: NodeId, piece: Replacement) {
        self.propose_edit(change, &EditOp::Replace { node, piece }.into());
    }

    /// Other nodes of its kind, in the program and in the original.
    fn propose_similar_nodes(&mut self, node: &Arc<ProgramNode>, tokens: Range<usize>) {
        let is_other = |other: &&Arc<ProgramNode>| {
            other.class == node.class && other.token_hash() != node.token_hash()
        };
        let others = self.small_nodes.iter().filter(is_other).take(REPLACEMENTS);
        for other in others.cloned().collect::<Vec<_>>() {
            let leaves = walk::iter_leaves(&other).filter(|leaf| leaf.shape == NodeShape::Token);
            let texts: Arc<[Arc<[u8]>]> = leaves.map(|leaf| Arc::from(leaf.text())).collect();
            let words: Vec<_> = texts
                .iter()
                .map(|text| String::from_utf8_lossy(text))
                .collect();
            let change = ProposedChange {
                kind: ChangeKind::Other,
                tokens: tokens.clone().collect(),
                old: self.join_tokens(tokens.clone()),
                new: words.join(" "),
                inserted: words.len(),
                rank: FILLINGS,
            };
            let piece = Replacement::Tokens(texts);
            self.propose_replacement(change, node.id, piece);
        }
    }

    /// The text from the first of these tokens to the last, in one line.
    fn join_tokens(&self, tokens: Range<usize>) -> String {
        let mut text = String::new();
        for number in tokens.clone() {
            let token = &self.tokens[number];
            let gap =
                number > tokens.start && token.range.start > self.tokens[number - 1].range.end;
            if gap {
                text.push(' ');
            }
            text.push_str(&token.text);
        }
        text
    }
}

/// The kind of a token, as a person would call it.
fn describe_kind(version: &Version, leaf: &ProgramNode) -> String {
    let kind = version.kind_name(0, leaf);
    match token_text(leaf) {
        // A literal is its own kind.
        Some(text) if text == kind => "token".into(),
        _ => kind.replace('_', " "),
    }
}
