//! Something of its kind stands in the place of a node: the simplest value or type of the language, any node of that kind below it, one of
//! the shortest elsewhere in the program, as a copy, or another value or type of the language (`[defaults]` in `language.toml`).
//!
//! What stands between commas in the brackets of a node is tried too: in the arguments of a macro the parser sees no nodes.
//!
//! A kind is what a hidden rule of the grammar chooses between, such as expressions, statements or types (`Grammar::are_related`). So this goes on
//! where the search for replacements ends (`shared/replacements.rs`): deeper, and where the exact rule of a place does not allow the node, but
//! the parser does. With normal effort it is for small programs only. Of the copied nodes none declares a name.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::grammar::NodeClass;
use crate::language::Language;
use crate::pass::filters::dangling_uses::DANGLING_USES;
use crate::pass::passes::coupled::coupled_pass;
use crate::pass::shared::name_substitution::{TokenTexts, copy_texts, token_leaves};
use crate::pass::shared::place_questions::{FoundQuestion, PlacePass, QuestionPlace};
use crate::pass::shared::simplest_text::find_for_kind;
use crate::pass::{Effort, PassKind, features};
use crate::program::names::NameRole;
use crate::program::{
    Edit, EditAction, EditOp, EditReason, NodePath, ProgramNode, Replacement, Version, View,
    fits_place, quote_text, text_excerpt, walk,
};

/// Nodes become others of their kind.
pub static SUBSTITUTE: PassKind = PassKind {
    filters: &[&DANGLING_USES],
    ..coupled_pass(
        "substitute",
        "replaces a node by the simplest value or type, any node of its kind below it, a copy of one of the shortest elsewhere, or another value or type",
        |view, options| match options.effort {
            Effort::Hard => Box::new(PlacePass::over_names(ask_all)),
            _ if view.version.token_count() <= MAX_TOKENS => {
                Box::new(PlacePass::over_names(ask_some))
            }
            _ => Box::new(features::DisabledPass),
        },
    )
};

/// The most tokens of a program with normal effort.
const MAX_TOKENS: u32 = 100;

/// The most nodes below a node that are tried with normal effort, the smallest first.
const MAX_BELOW: usize = 12;

/// How many nodes elsewhere are tried.
const COPIES: usize = 3;

fn ask_some(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    next_question(view, from, MAX_BELOW)
}

fn ask_all(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    next_question(view, from, usize::MAX)
}

fn next_question(view: &View, from: QuestionPlace, most_below: usize) -> Option<FoundQuestion> {
    let version = &view.version;
    let places = list_places(version);
    let shortest = ShortestNodes::of_version(version);
    from.find_among(view, &places, |(node, document)| {
        let language = version.documents()[*document].language;
        let place = language.zip(node.class).zip(version.path_to(node.id)).map(
            |((language, class), path)| SubstitutedNode {
                version,
                language,
                class,
                path,
            },
        );
        place.map_or_else(Vec::new, |place| place.ask(&shortest, most_below))
    })
}

/// The nodes of several tokens that are of some kind, each with the number of its document, the outer ones first.
fn list_places(version: &Version) -> Vec<(&Arc<ProgramNode>, usize)> {
    let mut places = Vec::new();
    for (at, document) in version.documents().iter().enumerate() {
        let Some(language) = document.language else {
            continue;
        };
        let is_place = |node: &&Arc<ProgramNode>| {
            node.sums().tokens > 1 && node.class.is_some_and(|class| has_kind(language, class))
        };
        let nodes = walk::preorder(&document.root).filter(is_place);
        places.extend(nodes.map(|node| (node, at)));
    }
    places
}

fn has_kind(language: &'static Language, class: NodeClass) -> bool {
    language.grammar().are_related(class, class)
}

/// The shortest nodes of each class of each language that declare nothing, no two with the same tokens. Classes are numbers of their language.
struct ShortestNodes<'a> {
    by_class: FxHashMap<(&'static str, NodeClass), Vec<&'a Arc<ProgramNode>>>,
}

impl<'a> ShortestNodes<'a> {
    fn of_version(version: &'a Version) -> ShortestNodes<'a> {
        let names = version.name_graph();
        let mut by_class: FxHashMap<_, Vec<&Arc<ProgramNode>>> = FxHashMap::default();
        for document in version.documents() {
            let Some(language) = document.language else {
                continue;
            };
            for node in walk::preorder(&document.root) {
                let (Some(class), tokens) = (node.class, node.sums().tokens) else {
                    continue;
                };
                let known = by_class.entry((language.name, class)).or_default();
                let is_short = known.len() <= COPIES
                    || known.last().is_some_and(|last| tokens < last.sums().tokens);
                let declares = || {
                    let mut inside = names.occurrences_below(node);
                    inside.any(|fact| fact.role == NameRole::Declares)
                };
                if tokens == 0 || !is_short || declares() || is_known(known, node) {
                    continue;
                }
                let at = known.partition_point(|other| other.sums().tokens <= tokens);
                known.insert(at, node);
                known.truncate(COPIES + 1);
            }
        }
        ShortestNodes { by_class }
    }

    /// The shortest of a kind that have fewer tokens than this.
    fn of_kind(
        &self,
        language: &'static Language,
        class: NodeClass,
        tokens: u32,
    ) -> Vec<&'a Arc<ProgramNode>> {
        let grammar = language.grammar();
        let related = self
            .by_class
            .iter()
            .filter(|((of, other), _)| *of == language.name && grammar.are_related(class, *other));
        let mut found: Vec<_> = related.flat_map(|(_, nodes)| nodes).copied().collect();
        found.retain(|node| node.sums().tokens < tokens);
        found.sort_by_key(|node| (node.sums().tokens, node.id));
        found
    }
}

fn is_known(known: &[&Arc<ProgramNode>], node: &Arc<ProgramNode>) -> bool {
    known.iter().any(|other| {
        let [one, other] = [other, node].map(|node| token_leaves(node).map(|leaf| leaf.text()));
        one.eq(other)
    })
}

/// A node in whose place another is asked about.
struct SubstitutedNode<'a> {
    version: &'a Version,
    language: &'static Language,
    class: NodeClass,
    path: NodePath<'a>,
}

impl SubstitutedNode<'_> {
    /// All candidates: the simplest value or type, what is below it, copies, other values or types of the language.
    fn ask(&self, shortest: &ShortestNodes, most_below: usize) -> Vec<(Edit, EditReason)> {
        let node = self.path.node();
        let tokens = node.sums().tokens;
        let mut seen: FxHashSet<Vec<u8>> = FxHashSet::default();
        let simplest = self.simplest_text();
        seen.extend(simplest.map(|text| text.as_bytes().to_vec()));
        let simplest = simplest.map(|text| {
            let texts: TokenTexts = [text.as_bytes().into()].into();
            self.put_tokens(texts, quote_text(text))
        });
        let is_new = |other: &&Arc<ProgramNode>, seen: &mut FxHashSet<Vec<u8>>| {
            let texts: Vec<&[u8]> = token_leaves(other).map(|leaf| leaf.text()).collect();
            seen.insert(texts.join(&b' '))
        };
        let mut below = self.nodes_below();
        below.sort_by_key(|node| node.sums().tokens);
        below.retain(|node| is_new(node, &mut seen));
        below.truncate(most_below);
        let arguments: Vec<_> = list_arguments(node)
            .into_iter()
            .filter(|leaves| {
                let texts: Vec<&[u8]> = leaves.iter().map(|leaf| leaf.text()).collect();
                seen.insert(texts.join(&b' '))
            })
            .collect();
        let mut copies = shortest.of_kind(self.language, self.class, tokens);
        copies.retain(|node| is_new(node, &mut seen));
        copies.truncate(COPIES);
        let below = below.into_iter().map(|node| self.put_node_below(node));
        let arguments = arguments.iter().map(|leaves| self.put_leaves(leaves));
        let mut defaults: Vec<TokenTexts> = self.default_texts().collect();
        defaults.retain(|texts| texts.len() < tokens as usize && seen.insert(texts.join(&b' ')));
        let copies = copies.into_iter().map(|node| self.put_copy(node));
        let defaults = defaults.into_iter().map(|texts| {
            let shown = String::from_utf8_lossy(&texts.concat()).into_owned();
            self.put_tokens(texts, quote_text(&shown))
        });
        let own = simplest.into_iter().chain(below).chain(arguments);
        own.chain(copies).chain(defaults).collect()
    }

    /// The token that the language has for any node of this kind.
    fn simplest_text(&self) -> Option<&'static str> {
        let language = self.language;
        find_for_kind(language, self.class, |class| {
            let simplest = language.simplest_type(class);
            simplest.or_else(|| language.simplest_value(class))
        })
    }

    /// What else the language has for a node of this kind. Where a larger one begins with it, such as a call with what is called, that is asked about.
    fn default_texts(&self) -> impl Iterator<Item = TokenTexts> + use<> {
        let language = self.language;
        let (node, grammar) = (self.path.node(), language.grammar());
        let first = |node| walk::leaf_at(node, 0).map(|leaf| leaf.id);
        let is_larger = |around: &&Arc<ProgramNode>| {
            let is_of_kind = around
                .class
                .is_some_and(|class| grammar.are_related(self.class, class));
            is_of_kind && around.sums().tokens > node.sums().tokens
        };
        let mut around = self.path.ancestors();
        let begins_larger = around
            .find(is_larger)
            .is_some_and(|around| first(around) == first(node));
        let known = find_for_kind(language, self.class, |class| {
            let texts = language.default_texts(class);
            (!texts.is_empty()).then_some(texts)
        });
        let texts = known.filter(|_| !begins_larger).unwrap_or_default();
        texts.iter().map(|text| {
            let words = text.split_whitespace();
            words.map(|word| Arc::from(word.as_bytes())).collect()
        })
    }

    /// The smaller nodes of its kind below it, and those that fit its place.
    fn nodes_below(&self) -> Vec<&Arc<ProgramNode>> {
        let (node, grammar) = (self.path.node(), self.language.grammar());
        let all = walk::preorder(node);
        let may_stand = |other: &&Arc<ProgramNode>| {
            let tokens = other.sums().tokens;
            let related = other
                .class
                .is_some_and(|class| grammar.are_related(self.class, class));
            tokens > 0
                && tokens < node.sums().tokens
                && (related || fits_place(self.version, &self.path, other))
        };
        all.filter(may_stand).collect()
    }

    fn put_node_below(&self, below: &Arc<ProgramNode>) -> (Edit, EditReason) {
        if !fits_place(self.version, &self.path, below) {
            return self.put_copy(below);
        }
        let node = self.path.node().id;
        let piece = Replacement::Node(below.id);
        let why = EditReason {
            pass: SUBSTITUTE.name,
            action: EditAction::ReplaceBy(below.id),
            node: Some(node),
        };
        (EditOp::Replace { node, piece }.into(), why)
    }

    fn put_copy(&self, other: &Arc<ProgramNode>) -> (Edit, EditReason) {
        let shown = quote_text(&text_excerpt(other, 40));
        self.put_tokens(copy_texts(other).into(), shown)
    }

    fn put_leaves(&self, leaves: &[&Arc<ProgramNode>]) -> (Edit, EditReason) {
        let texts = leaves.iter().enumerate().map(|(at, leaf)| match at {
            0 => Arc::from(leaf.text()),
            _ => Arc::from([leaf.trivia(), leaf.text()].concat()),
        });
        let texts: TokenTexts = texts.collect();
        let shown = String::from_utf8_lossy(&texts.concat()).into_owned();
        self.put_tokens(texts, quote_text(&shown))
    }

    fn put_tokens(&self, texts: TokenTexts, shown: String) -> (Edit, EditReason) {
        let node = self.path.node();
        let own = quote_text(&text_excerpt(node, 40));
        let why = EditReason {
            pass: SUBSTITUTE.name,
            action: EditAction::Question(format!("Can {own} become {shown}?").into()),
            node: Some(node.id),
        };
        let piece = Replacement::Tokens(texts);
        let node = node.id;
        (EditOp::Replace { node, piece }.into(), why)
    }
}

/// What stands between commas and semicolons in the first brackets of a node, if that is not all of the node.
fn list_arguments(node: &Arc<ProgramNode>) -> Vec<Vec<&Arc<ProgramNode>>> {
    let (mut depth, mut found) = (0_u32, vec![Vec::new()]);
    for leaf in token_leaves(node) {
        let text = leaf.text();
        let opens = matches!(text, b"(" | b"[" | b"{");
        let closes = matches!(text, b")" | b"]" | b"}");
        depth = depth.saturating_sub(u32::from(closes));
        match depth {
            0 if closes => break,
            0 => {}
            1 if matches!(text, b"," | b";") => found.push(Vec::new()),
            _ => found.last_mut().map_or((), |last| last.push(leaf)),
        }
        depth += u32::from(opens);
    }
    found.retain(|leaves| !leaves.is_empty());
    found
}
