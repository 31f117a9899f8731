//! From the parser's tree to the normal form: each node's children are derived from its rule, and the derivation becomes its parts.
//!
//! One walk over the parser's tree builds it. Each part is a node, and its [`NodeShape`] says what a reducer may do with it:
//!
//! | shape | what a reducer may do |
//! | --- | --- |
//! | `Star`, `Plus`, `Sep` | delete elements; all of them only in a `Star`. A `Sep`'s elements after the first are `Link`s: a separator and an element |
//! | `Opt` | delete it |
//! | `Regular`, `Item` | replace it by something that fits its place |
//! | `Token`, `Extra`, `End` | leaves: a token, a comment, the end of the file |
//! | `Opaque` | the grammar does not explain this: delete any part; its brackets, semicolons and lines make groups |
//! | `Chunk` | nothing: a part of a long list, which only makes edits cheap |
//!
//! What the grammar does not explain is never fatal. Errors that stand beside elements of a list are optional parts of it ([`skipped_text`]). Another
//! node with an error among its children keeps them as an opaque list, grouped by its
//! brackets, semicolons and lines, with what can be parsed by itself ([`super::islands`]), and text that no child covers becomes tokens. Chains of one recursive kind become lists ([`chains`]).

use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use smallvec::SmallVec;

use super::build::{NodeDraft, NodeIdSource, build_tree};
use super::derivation_memo::DerivationMemo;
use super::groups::{BracketGrouping, group_parts};
use super::islands::{BracketedPiece, DEEPEST_ISLAND, ISLAND_SHARE, TokenIds, replace_pieces};
use super::node::{LeafBody, NodeFlags, NodeShape, ProgramNode, TokenId};
use super::text::SharedBytes;
use super::{chains, plain_text, skipped_text};
use crate::grammar::{self, DerivationPart, NodeClass};
use crate::language::Language;
use crate::language::parser::{self, NameWalk, ParseCursor, ParseTree};

/// How the children of a node that the grammar does not explain are grouped.
const OPAQUE_GROUPING: BracketGrouping = BracketGrouping {
    shape: NodeShape::Opaque,
    wrap_single: false,
    split_at_semicolons: true,
};

/// How the tokens are grouped that the parser sees as one word: the node is derived, and any of them may go if the parser agrees.
const WORD_GROUPING: BracketGrouping = BracketGrouping {
    shape: NodeShape::Star,
    ..OPAQUE_GROUPING
};

/// Reads one document, or a part of it.
pub struct NormalFormReader<'a, F, N> {
    language: &'static Language,
    source: SharedBytes,
    masked: &'a [u8],
    /// What of the source the tree is about, if not all of it.
    piece: PiecePlace,
    /// How many bytes may still be parsed in islands.
    island_bytes: usize,
    derivations: DerivationMemo,
    /// Where the last leaf ended.
    last_token_end: usize,
    /// The identities of the leaf in this range.
    identify: F,
    /// The identities of nodes.
    names: &'a mut N,
}

/// A piece of a text that was parsed as a part of another text.
#[derive(Clone, Debug, Default)]
struct PiecePlace {
    /// Where it stands in the source; empty for the whole.
    range: Range<usize>,
    /// What is added to a position in its tree to have that in the source. It wraps.
    moved: usize,
    /// How many pieces are around it, itself included.
    depth: u32,
}

/// A child of a node that is being read.
pub struct DraftChild {
    /// None if it has no text.
    pub draft: Option<NodeDraft>,
    class: Option<NodeClass>,
    kind: ChildKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ChildKind {
    Plain,
    Extra,
    /// Text that the parser has skipped.
    Error,
    /// A missing token.
    Missing,
    /// Text between the children.
    Gap,
    /// Tokens that the parser does not see.
    Hidden,
    /// What stands in for a part that is absent in the text.
    StandIn,
}

struct OpenParserNode {
    class: Option<NodeClass>,
    field: u16,
    range: Range<usize>,
    kind: ChildKind,
    children: Vec<DraftChild>,
}

impl<'a, F: FnMut(Range<usize>) -> SmallVec<[TokenId; 1]>, N: NodeIdSource>
    NormalFormReader<'a, F, N>
{
    /// A reader of `source`, which the parser sees as `masked`. `identify` gives the identities of the leaf in a range; ranges come in
    /// order.
    pub fn new(
        language: &'static Language,
        source: &Arc<[u8]>,
        masked: &'a [u8],
        identify: F,
        names: &'a mut N,
    ) -> Self {
        NormalFormReader {
            language,
            source: Arc::new(source.clone()),
            masked,
            piece: PiecePlace::default(),
            island_bytes: 0,
            derivations: DerivationMemo::default(),
            last_token_end: 0,
            identify,
            names,
        }
    }

    /// The same, after a token that ends here.
    pub fn starting_after(self, end: usize) -> Self {
        NormalFormReader {
            last_token_end: end,
            ..self
        }
    }

    /// Where the last token ended.
    pub fn last_token_end(&self) -> usize {
        self.last_token_end
    }

    /// The node of a piece in brackets that is parsed by itself; none if that explains no more of it.
    fn read_island(&mut self, piece: &BracketedPiece) -> Option<NodeDraft> {
        let range = piece.range.clone();
        // The parser does not understand this one in the best of its places.
        if self.piece.range == range {
            return None;
        }
        let depth = self.piece.depth + 1;
        let mut tokens = piece.find_tokens().filter(|_| depth <= DEEPEST_ISLAND)?;
        let text = &self.masked[range.clone()];
        let island = self.language.parse_island(text, &mut self.island_bytes)?;
        let mut cursor = island.walk(range.len())?;
        let mut identify = |range| tokens.ids_in_range(range);
        let identify: &mut dyn FnMut(Range<usize>) -> TokenIds = &mut identify;
        let mut reader = NormalFormReader {
            language: self.language,
            source: self.source.clone(),
            masked: self.masked,
            piece: PiecePlace {
                moved: range.start.wrapping_sub(island.before),
                range,
                depth,
            },
            island_bytes: self.island_bytes,
            derivations: DerivationMemo::default(),
            last_token_end: piece.after,
            identify,
            names: &mut *self.names,
        };
        let mut stack = vec![reader.open_root(&cursor)];
        reader.read_child(&mut cursor, &mut stack, None);
        self.island_bytes = reader.island_bytes;
        let node = stack.pop()?.children.pop()?.draft?;
        (tokens.sufficed && piece.gains_by(&node)).then_some(node)
    }

    fn range_of(&self, node: &parser::ParseNode) -> Range<usize> {
        let Range { start, end } = node.range();
        start.wrapping_add(self.piece.moved)..end.wrapping_add(self.piece.moved)
    }

    /// The document of this tree.
    pub fn read_document(mut self, tree: &ParseTree) -> Arc<ProgramNode> {
        let children = self.read_children(tree, 0..usize::MAX, None);
        self.finish_document(tree, children)
    }

    /// The children of the tree's root that begin in this range, each finished but for its place. The child before them ends in a token. `names` are
    /// looked for in them meanwhile.
    pub fn read_children<'tree>(
        &mut self,
        tree: &'tree ParseTree,
        items: Range<usize>,
        mut names: Option<&mut NameWalk<'_, 'tree>>,
    ) -> Vec<DraftChild> {
        let mut cursor = tree.walk();
        if let Some(names) = &mut names {
            names.visit_root(&cursor);
        }
        let mut stack = vec![self.open_root(&cursor)];
        // What the parser has given up as a whole may have islands across its children.
        let seals = stack[0].kind != ChildKind::Error;
        let mut there = cursor.goto_first_child();
        while there && cursor.node().range().start < items.start {
            self.last_token_end = cursor.node().range().end;
            there = cursor.goto_next_sibling();
        }
        let mut sealed = 0;
        while there && cursor.node().range().start < items.end {
            self.island_bytes = cursor.node().range().len() * ISLAND_SHARE;
            self.read_child(&mut cursor, &mut stack, names.as_deref_mut());
            for child in &mut stack[0].children[sealed..] {
                if let Some(draft) = child.draft.as_mut().filter(|_| seals) {
                    draft.build_children(self.names);
                }
            }
            sealed = stack[0].children.len();
            there = cursor.goto_next_sibling();
        }
        stack.remove(0).children
    }

    /// The root of the document over these children and the text after the last token.
    pub fn finish_document(
        mut self,
        tree: &ParseTree,
        children: Vec<DraftChild>,
    ) -> Arc<ProgramNode> {
        let mut root = self.open_root(&tree.walk());
        root.children = children;
        // A sealed draft has no text to look at any more.
        let mut parts = Vec::new();
        self.read_gap(self.source.len(), false, &mut root.children);
        self.island_bytes = self.source.len() * ISLAND_SHARE;
        let draft = self.close_node(root).draft;
        parts.extend(
            draft.filter(|draft| draft.children().is_none_or(|children| !children.is_empty())),
        );
        let end = self.source.len();
        parts.push(self.draft_leaf(NodeShape::End, None, &[], end..end));
        build_tree(NodeDraft::new_inner(NodeShape::Regular, parts), self.names)
    }

    fn open_root(&self, cursor: &ParseCursor) -> OpenParserNode {
        let node = cursor.node();
        OpenParserNode {
            class: self.node_class(&node),
            field: 0,
            range: self.range_of(&node),
            kind: child_kind(&node),
            children: Vec::new(),
        }
    }

    /// The child of the root under the cursor, with all that is below it.
    fn read_child<'tree>(
        &mut self,
        cursor: &mut ParseCursor<'tree>,
        stack: &mut Vec<OpenParserNode>,
        mut names: Option<&mut NameWalk<'_, 'tree>>,
    ) {
        'node: loop {
            let entered = self.enter_node(cursor, stack);
            if let Some(names) = &mut names {
                names.visit_node(cursor);
                if !entered {
                    names.visit_below(cursor);
                }
            }
            if entered && cursor.goto_first_child() {
                continue;
            }
            if entered {
                self.leave_node(stack);
            }
            while stack.len() > 1 {
                if cursor.goto_next_sibling() {
                    continue 'node;
                }
                cursor.goto_parent();
                self.leave_node(stack);
            }
            return;
        }
    }

    fn is_template(&self, class: Option<NodeClass>) -> bool {
        class.is_some_and(|class| self.language.is_template(class))
    }

    fn node_class(&self, node: &parser::ParseNode) -> Option<NodeClass> {
        let grammar = self.language.grammar();
        grammar.find_class(node.kind_id(), node.grammar_id())
    }

    /// Visits the node under the cursor; true if it is open now, and its children come next.
    fn enter_node(&mut self, cursor: &ParseCursor, stack: &mut Vec<OpenParserNode>) -> bool {
        let node = cursor.node();
        let range = self.range_of(&node);
        let class = self.node_class(&node);
        let kind = child_kind(&node);
        let field = cursor.field_id().map_or(0, std::num::NonZeroU16::get);
        let mut verbatim = false;
        if let Some(parent) = stack.last_mut() {
            let begun = parent.range.start < range.start;
            verbatim = begun && self.is_template(parent.class);
            self.read_gap(range.start, verbatim, &mut parent.children);
        }
        let comment = class.is_some_and(|class| self.language.is_comment(class));
        let token = class.is_some_and(|class| self.language.is_token(class, cursor));
        if node.child_count() > 0 && !token || kind == ChildKind::Error {
            // What is hidden before a node belongs to the outermost node that begins there.
            let parent = stack.last_mut();
            let children = parent.map_or_else(Vec::new, |parent| {
                let mut seen = parent.children.iter();
                let seen = seen.rposition(|child| child.kind != ChildKind::Hidden);
                parent.children.split_off(seen.map_or(0, |at| at + 1))
            });
            stack.push(OpenParserNode {
                class,
                field,
                range,
                kind,
                children,
            });
            return true;
        }
        let text = &self.masked[range.clone()];
        let tokens = self
            .language
            .stand_in_tokens(&self.source[range.clone()], text);
        if let Some(tokens) = tokens
            && let Some(parent) = stack.last_mut()
        {
            let tokens = tokens.into_iter();
            let tokens = tokens.map(|token| token.start + range.start..token.end + range.start);
            let leaves = tokens.map(|token| self.draft_token(token, NodeFlags::NONE));
            let parts = group_parts(leaves.collect(), WORD_GROUPING);
            let list = NodeDraft::new_inner(NodeShape::Plus, parts);
            let mut draft = NodeDraft::new_inner(NodeShape::Regular, [list]);
            (draft.class, draft.field) = (class, field);
            let draft = Some(draft);
            parent.children.push(DraftChild { draft, class, kind });
            return false;
        }
        let blank = text.iter().all(u8::is_ascii_whitespace) && !verbatim;
        let draft = (!blank && !text.is_empty() && kind != ChildKind::Missing).then(|| {
            let ids = (self.identify)(range.clone());
            let shape = if comment || kind == ChildKind::Extra {
                NodeShape::Extra
            } else {
                NodeShape::Token
            };
            let mut leaf = self.draft_leaf(shape, class, &ids, range);
            leaf.field = field;
            leaf
        });
        if let Some(parent) = stack.last_mut() {
            parent.children.push(DraftChild { draft, class, kind });
        }
        false
    }

    /// All children of the innermost open node were read.
    fn leave_node(&mut self, stack: &mut Vec<OpenParserNode>) {
        let Some(mut open) = stack.pop() else { return };
        let verbatim = self.is_template(open.class);
        self.read_gap(open.range.end, verbatim, &mut open.children);
        let mut child = self.close_node(open);
        if let Some(parent) = stack.last_mut() {
            if let (ChildKind::Error, Some(draft)) = (child.kind, &mut child.draft) {
                draft.shape = NodeShape::Opt;
            }
            parent.children.push(child);
        }
    }

    /// The next leaf, with the white space before it.
    fn draft_leaf(
        &mut self,
        shape: NodeShape,
        class: Option<NodeClass>,
        ids: &[TokenId],
        range: Range<usize>,
    ) -> NodeDraft {
        let from = std::mem::replace(&mut self.last_token_end, range.end);
        let leaf = LeafBody::in_source(ids, &self.source, from, range);
        let mut flags = NodeFlags::NONE;
        if self.language.has_markers(leaf.trivia()) {
            flags = flags.union(NodeFlags::MARKER);
        }
        if shape != NodeShape::End && self.language.is_bound_to_line(class, leaf.text()) {
            flags = flags.union(NodeFlags::LINES);
        }
        let mut leaf = NodeDraft::new_leaf(shape, leaf);
        (leaf.class, leaf.flags) = (class, flags);
        leaf
    }

    /// Text from here to `until` that is not blank becomes tokens; if it is `verbatim`, one token with all white space. What the parser does not
    /// see becomes optional parts.
    fn read_gap(&mut self, until: usize, verbatim: bool, children: &mut Vec<DraftChild>) {
        let from = self.last_token_end;
        if until <= from || !verbatim && self.language.is_blank(&self.source[from..until]) {
            return;
        }
        let masked = &self.masked[from..until];
        let mut found: Vec<(ChildKind, Vec<Range<usize>>)> = Vec::new();
        if verbatim {
            let whole = std::iter::once(0..masked.len());
            found.push((ChildKind::Gap, whole.collect()));
        } else {
            if !self.language.is_blank(masked) {
                let words = plain_text::split_tokens(masked);
                found.extend(words.map(|word| (ChildKind::Gap, vec![word])));
            }
            let hidden = self
                .language
                .hidden_units(&self.source[from..until], masked);
            found.extend(hidden.into_iter().map(|unit| (ChildKind::Hidden, unit)));
            found.sort_by_key(|(_, ranges)| ranges[0].start);
        }
        for (kind, ranges) in found {
            let in_text = |range: Range<usize>| range.start + from..range.end + from;
            let ranges: Vec<_> = ranges.into_iter().map(in_text).collect();
            let draft = match kind {
                ChildKind::Hidden => self.draft_hidden(ranges),
                _ => self.draft_token(ranges[0].clone(), NodeFlags::NONE),
            };
            children.push(DraftChild {
                draft: Some(draft),
                class: None,
                kind,
            });
        }
    }

    /// A token that is no node of the parser.
    fn draft_token(&mut self, range: Range<usize>, flags: NodeFlags) -> NodeDraft {
        let ids = (self.identify)(range.clone());
        let mut leaf = self.draft_leaf(NodeShape::Token, None, &ids, range);
        leaf.flags = leaf.flags.union(flags);
        leaf
    }

    /// Tokens that the parser does not see: a part that may go.
    fn draft_hidden(&mut self, tokens: Vec<Range<usize>>) -> NodeDraft {
        let tokens = tokens.into_iter();
        let leaves = tokens.map(|token| self.draft_token(token, NodeFlags::HIDDEN));
        let mut part = NodeDraft::new_inner(NodeShape::Opt, leaves.collect::<VecDeque<_>>());
        part.flags = NodeFlags::HIDDEN;
        part
    }

    /// The node with all its children: their derivation, or an opaque list.
    fn close_node(&mut self, open: OpenParserNode) -> DraftChild {
        let OpenParserNode {
            class,
            field,
            kind,
            children,
            ..
        } = open;
        let grammar = self.language.grammar();
        let is_of = |kinds: &[ChildKind]| children.iter().any(|child| kinds.contains(&child.kind));
        let skipped = is_of(&[ChildKind::Error]);
        let faulty = kind == ChildKind::Error || skipped || is_of(&[ChildKind::Missing]);
        let lacking = is_of(&[ChildKind::StandIn]);
        let rule = class.and_then(|class| grammar.rule_of_class(class));
        let derivation = rule
            .filter(|_| kind != ChildKind::Error && !is_of(&[ChildKind::Missing]))
            .and_then(|rule| self.derive_children(grammar, rule, &children))
            .filter(|derivation| {
                !skipped || skipped_text::is_beside_elements(derivation, &skipped_places(&children))
            });
        let mut draft = match derivation {
            Some(derivation) => {
                let mut parts = place_children(&derivation, children);
                if class.is_some_and(|class| self.language.is_nonempty(class)) {
                    parts.iter_mut().for_each(require_one);
                }
                let mut node = NodeDraft::new_inner(NodeShape::Regular, parts);
                if lacking {
                    node.flags = node.flags.union(NodeFlags::LACKING);
                }
                node
            }
            None => {
                let parts: Vec<_> = children
                    .into_iter()
                    .filter_map(|child| child.draft)
                    .collect();
                let parts = replace_pieces(parts, |piece| self.read_island(piece));
                let parts = group_parts(parts, OPAQUE_GROUPING);
                let list = NodeDraft::new_inner(NodeShape::Opaque, parts);
                let parts = if list.children().is_some_and(|children| children.is_empty()) {
                    Vec::new()
                } else {
                    vec![list]
                };
                NodeDraft::new_inner(NodeShape::Regular, parts)
            }
        };
        (draft.class, draft.field) = (class, field);
        if !faulty {
            draft = chains::flatten_chain(grammar, draft);
        }
        let empty = draft.children().is_some_and(|children| children.is_empty());
        DraftChild {
            draft: Some(draft).filter(|_| !empty),
            class,
            kind,
        }
    }

    /// How the children follow from the rule; extras, gaps and what the parser has skipped are no children.
    fn derive_children(
        &mut self,
        grammar: &grammar::Grammar,
        rule: grammar::RuleId,
        children: &[DraftChild],
    ) -> Option<Rc<grammar::Derivation>> {
        let mut gap = false;
        let mut seen: SmallVec<[grammar::GrammarChild; 16]> = SmallVec::new();
        for child in children {
            match child.kind {
                ChildKind::Gap => gap = true,
                ChildKind::Extra | ChildKind::Hidden | ChildKind::Error => {}
                ChildKind::Plain | ChildKind::Missing | ChildKind::StandIn => {
                    seen.push(grammar::GrammarChild {
                        class: child.class,
                        gap: std::mem::take(&mut gap),
                    });
                }
            }
        }
        self.derivations.derive_children(grammar, rule, &seen, gap)
    }
}

fn child_kind(node: &parser::ParseNode) -> ChildKind {
    match () {
        () if node.is_error() => ChildKind::Error,
        () if node.is_missing() => ChildKind::Missing,
        () if node.is_extra() => ChildKind::Extra,
        () if node.is_stand_in() => ChildKind::StandIn,
        () => ChildKind::Plain,
    }
}

/// How many of the children that count for the rule stand before each text that the parser has skipped.
fn skipped_places(children: &[DraftChild]) -> Vec<u32> {
    let (mut places, mut before) = (Vec::new(), 0);
    for child in children {
        match child.kind {
            ChildKind::Error => places.push(before),
            ChildKind::Plain | ChildKind::Missing | ChildKind::StandIn => before += 1,
            ChildKind::Extra | ChildKind::Gap | ChildKind::Hidden => {}
        }
    }
    places
}

/// The parts of a derivation with the children in them. Extras, gaps and what the parser has skipped stay before the child that follows them, outside of all groups that
/// begin with this child.
fn place_children(derivation: &grammar::Derivation, children: Vec<DraftChild>) -> Vec<NodeDraft> {
    let mut children = children.into_iter();
    let mut parts = Vec::with_capacity(children.len());
    for part in &derivation.parts {
        let draft = place_part(part, &mut children, &mut parts);
        parts.extend(draft);
    }
    parts.extend(children.filter_map(|child| child.draft));
    parts
}

/// One part; it is left out if it has no text. The extras before it are added to `before`. The children of a derivation are in their order, so each is the next
/// one. Recursion is as deep as rules are, not programs.
fn place_part(
    part: &DerivationPart,
    children: &mut std::vec::IntoIter<DraftChild>,
    before: &mut Vec<NodeDraft>,
) -> Option<NodeDraft> {
    let (shape, expected, parts) = match part {
        DerivationPart::Child { expected, .. } => {
            return place_child(*expected, children, before);
        }
        DerivationPart::Item {
            expected, parts, ..
        } => (NodeShape::Item, *expected, parts),
        DerivationPart::Group {
            shape,
            expected,
            parts,
            ..
        } => (convert_shape(*shape), *expected, parts),
    };
    let mut inside = Vec::with_capacity(parts.len());
    for part in parts {
        if inside.is_empty() {
            inside.extend(place_part(part, children, before));
        } else if shape == NodeShape::Sep {
            let mut extras = Vec::new();
            match place_part(part, children, &mut extras) {
                Some(link) => inside.push(into_link(link, extras)),
                None => inside.extend(extras),
            }
        } else {
            let draft = place_part(part, children, &mut inside);
            inside.extend(draft);
        }
    }
    if inside.is_empty() {
        return None;
    }
    let mut group = NodeDraft::new_inner(shape, inside);
    group.expected = Some(expected);
    Some(group)
}

/// The next child of a derivation, if it has text.
fn place_child(
    expected: grammar::ExprId,
    children: &mut std::vec::IntoIter<DraftChild>,
    before: &mut Vec<NodeDraft>,
) -> Option<NodeDraft> {
    for child in children {
        match child.kind {
            ChildKind::Gap | ChildKind::Extra | ChildKind::Hidden | ChildKind::Error => {
                before.extend(child.draft);
            }
            ChildKind::Plain | ChildKind::Missing | ChildKind::StandIn => {
                let mut draft = child.draft?;
                draft.expected = Some(expected);
                return Some(draft);
            }
        }
    }
    None
}

/// A further element of a list with its separator, and the extras before it.
fn into_link(mut part: NodeDraft, extras: Vec<NodeDraft>) -> NodeDraft {
    part.shape = NodeShape::Link;
    part.expected = None;
    if let Some(children) = part.children_mut() {
        for extra in extras.into_iter().rev() {
            children.push_front(extra);
        }
    }
    part
}

/// A list that may be empty for the parser, but not in the language.
fn require_one(part: &mut NodeDraft) {
    if part.shape == NodeShape::Star {
        part.shape = NodeShape::Plus;
    }
}

fn convert_shape(shape: grammar::QuantifierKind) -> NodeShape {
    match shape {
        grammar::QuantifierKind::Star => NodeShape::Star,
        grammar::QuantifierKind::Plus => NodeShape::Plus,
        grammar::QuantifierKind::Opt => NodeShape::Opt,
        grammar::QuantifierKind::Sep => NodeShape::Sep,
    }
}
