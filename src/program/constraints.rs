//! What the user keeps, locks or points at: constraints on what may be asked.
//!
//! A constraint holds to tokens, never to nodes or offsets, because tokens outlive hoisting and parsing. What must stay is marked on the
//! leaves ([`Flags::PINNED`](super::Flags::PINNED)) and summed up the tree ([`Sums::pinned`](super::Sums::pinned)), so that whether an
//! edit keeps every pin is one comparison of two numbers. What is locked or in focus is a stretch of the original's tokens; since tokens
//! never change their order, a node lies inside it if its first and its last token do.

use std::ops::RangeInclusive;
use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::apply::FRESH;
use super::edit::{Edit, Op, Piece};
use super::hash::Hash;
use super::node::{Node, NodeId, TokId};
use super::place::element;
use super::region::{Lies, lies, tokens_of, verbatim};
use super::requirement::Requirement;
use super::version::Version;
use super::walk;

/// What a constraint demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Every token stays.
    Keep,
    /// The node stays, by the tokens that no list and no optional part of it holds.
    Head,
    /// The text stays as it is, white space and comments included.
    Freeze,
    /// Nothing inside is tried; it may go as a whole.
    Lock,
    /// Only what is inside is tried.
    Focus,
    /// Probably of no importance: tried first.
    Doubt,
    /// Probably the culprit: tried last.
    Suspect,
}

impl Rule {
    /// The verb that makes such a constraint, which is also the word for it.
    pub fn word(self) -> &'static str {
        match self {
            Rule::Keep => "pin",
            Rule::Head => "pin-head",
            Rule::Freeze => "freeze",
            Rule::Lock => "lock",
            Rule::Focus => "focus",
            Rule::Doubt => "doubt",
            Rule::Suspect => "suspect",
        }
    }

    /// Whether its tokens are marked and must stay.
    pub fn pins(self) -> bool {
        matches!(self, Rule::Keep | Rule::Head | Rule::Freeze)
    }
}

/// A constraint of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// What it demands.
    pub rule: Rule,
    /// Of which tokens, sorted by identity.
    pub tokens: Arc<[TokId]>,
    /// What the user said it is about.
    pub name: Arc<str>,
}

impl Constraint {
    /// Whether it has tokens that such a rule can be about: a pin any, the others those of the original.
    pub fn is_about_something(&self) -> bool {
        match self.rule.pins() {
            true => !self.tokens.is_empty(),
            false => self.stretch().is_some(),
        }
    }

    /// The original's tokens from its first to its last; none if it is about new text only.
    fn stretch(&self) -> Option<RangeInclusive<TokId>> {
        let original = self.tokens.partition_point(|token| token.0 < FRESH);
        let tokens = &self.tokens[..original];
        Some(*tokens.first()?..=*tokens.last()?)
    }
}

/// Why an edit is not asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Closed {
    /// It would take a pinned token.
    Pinned,
    /// It would change the inside of a locked place.
    Locked,
    /// It is outside of the focus.
    OutOfFocus,
    /// The user skipped it.
    Skipped,
}

impl Closed {
    /// In words: "closed by …".
    pub fn words(self) -> &'static str {
        match self {
            Closed::Pinned => "pins",
            Closed::Locked => "locks",
            Closed::OutOfFocus => "the focus",
            Closed::Skipped => "skipping",
        }
    }
}

/// All constraints of a moment. Cloning costs a few reference counts.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    list: imbl::Vector<Arc<Constraint>>,
    required: imbl::Vector<Requirement>,
    /// Candidates, by their bytes, that the user wants no answer to.
    skipped: imbl::GenericHashSet<Hash, FxBuildHasher, imbl::shared_ptr::DefaultSharedPtr>,
    /// Nodes at which nothing is asked for now.
    resting: imbl::GenericHashSet<NodeId, FxBuildHasher, imbl::shared_ptr::DefaultSharedPtr>,
}

impl Constraints {
    /// The constraints, oldest first.
    pub fn list(&self) -> impl Iterator<Item = &Arc<Constraint>> {
        self.list.iter()
    }

    /// Whether there are none, and nothing is skipped.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
            && self.required.is_empty()
            && self.skipped.is_empty()
            && self.resting.is_empty()
    }

    /// These and one more.
    pub fn add(&mut self, constraint: Constraint) {
        self.list.push_back(Arc::new(constraint));
    }

    /// Takes away the constraints of these rules that share a token with `tokens` (all of them where there are none); how many.
    pub fn remove(&mut self, rules: &[Rule], tokens: Option<&[TokId]>) -> usize {
        let before = self.list.len();
        let wanted: Option<FxHashSet<TokId>> =
            tokens.map(|tokens| tokens.iter().copied().collect());
        self.list.retain(|constraint| {
            let meets = wanted
                .as_ref()
                .is_none_or(|wanted| constraint.tokens.iter().any(|token| wanted.contains(token)));
            !(rules.contains(&constraint.rule) && meets)
        });
        before - self.list.len()
    }

    /// The queries of which every candidate has a match.
    pub fn required(&self) -> impl Iterator<Item = &Requirement> {
        self.required.iter()
    }

    /// Every candidate has a match of one more query.
    pub fn require(&mut self, requirement: Requirement) {
        self.required.push_back(requirement);
    }

    /// No query needs a match any more; how many did.
    pub fn require_none(&mut self) -> usize {
        std::mem::take(&mut self.required).len()
    }

    /// What was skipped may be asked again; how much was.
    pub fn unskip(&mut self) -> usize {
        let before = self.skipped.len() + self.resting.len();
        self.skipped.clear();
        self.resting.clear();
        before
    }

    /// One constraint goes.
    pub fn drop(&mut self, constraint: &Constraint) {
        if let Some(at) = self.list.iter().rposition(|known| **known == *constraint) {
            self.list.remove(at);
        }
    }

    /// The candidate with these bytes may be asked about again.
    pub fn allow(&mut self, candidate: Hash) {
        self.skipped.remove(&candidate);
    }

    /// The candidate with these bytes is not asked about any more.
    pub fn skip(&mut self, candidate: Hash) {
        self.skipped.insert(candidate);
    }

    /// Nothing is asked at this node until [`wake`](Constraints::wake).
    pub fn rest(&mut self, node: NodeId) {
        self.resting.insert(node);
    }

    /// Nodes that rest have their turn again.
    pub fn wake(&mut self) {
        self.resting.clear();
    }

    /// Whether some node rests.
    pub fn is_resting(&self) -> bool {
        !self.resting.is_empty()
    }

    /// Whether nothing is asked at this node for now.
    pub fn rests(&self, node: NodeId) -> bool {
        self.resting.contains(&node)
    }

    /// Candidates that were skipped.
    pub fn skipped(&self) -> usize {
        self.skipped.len()
    }

    /// Whether the user skipped the candidate with these bytes.
    pub fn is_skipped(&self, candidate: Hash) -> bool {
        self.skipped.contains(&candidate)
    }

    /// All tokens that must stay, comments among them.
    pub fn pinned(&self) -> FxHashSet<TokId> {
        let pins = self.list.iter().filter(|constraint| constraint.rule.pins());
        pins.flat_map(|pin| pin.tokens.iter().copied()).collect()
    }

    /// The tokens whose white space must stay too: all of a frozen stretch but its first.
    pub fn frozen(&self) -> FxHashSet<TokId> {
        let frozen = self
            .list
            .iter()
            .filter(|constraint| constraint.rule == Rule::Freeze);
        frozen
            .flat_map(|frozen| frozen.tokens.iter().skip(1).copied())
            .collect()
    }

    /// Why no edit that takes this node as a whole may be asked about; none if one may.
    pub fn closes(&self, node: &Arc<Node>) -> Option<Closed> {
        if node.sums.pinned > 0 {
            return Some(Closed::Pinned);
        }
        self.shuts(node, None)
    }

    /// Whether what is frozen reads the same in both versions: for edits that bring a text of their own.
    pub fn keeps_frozen(&self, base: &Version, candidate: &Version) -> bool {
        let mut frozen = self
            .list
            .iter()
            .filter(|constraint| constraint.rule == Rule::Freeze);
        frozen.all(|frozen| verbatim(base, &frozen.tokens) == verbatim(candidate, &frozen.tokens))
    }

    /// What the user called the constraint that closes this node, if one does.
    pub fn about(&self, node: &Arc<Node>) -> Option<&str> {
        let ids: FxHashSet<TokId> = tokens_of(node, true).into_iter().collect();
        let closes = |constraint: &&Arc<Constraint>| match constraint.rule {
            Rule::Doubt | Rule::Suspect | Rule::Focus => false,
            _ => constraint.tokens.iter().any(|token| ids.contains(token)),
        };
        self.list
            .iter()
            .find(closes)
            .map(|constraint| &*constraint.name)
    }

    /// Why this edit of `base` may not be asked about. What it takes of pins shows in the version that it makes.
    pub fn forbids(&self, base: &Version, edit: &Edit) -> Option<Closed> {
        if !self
            .list
            .iter()
            .any(|constraint| matches!(constraint.rule, Rule::Lock | Rule::Focus))
        {
            return None;
        }
        edit.ops.iter().find_map(|op| match op {
            Op::Delete(node) => self.shuts(base.node(*node)?, None),
            Op::DeleteItems { list, items } => {
                let list = base.node(*list)?;
                walk::picked(list, items).find_map(|item| self.shuts(element(item), None))
            }
            Op::Replace { node, piece } => {
                let stays = match piece {
                    Piece::Node(below) | Piece::Items(below) => base.node(*below),
                    Piece::Tokens(_) => None,
                };
                self.shuts(base.node(*node)?, stays)
            }
            Op::StripMarkers | Op::Rewrite(_) => None,
        })
    }

    /// Why a node may not go, all of it but `stays`.
    fn shuts(&self, node: &Arc<Node>, stays: Option<&Arc<Node>>) -> Option<Closed> {
        let of = |rule: Rule| {
            self.list
                .iter()
                .filter(move |constraint| constraint.rule == rule)
        };
        let lies = |constraint: &Arc<Constraint>, node| match constraint.stretch() {
            Some(stretch) => lies(node, &stretch),
            None => Lies::Apart,
        };
        let locked = of(Rule::Lock).any(|lock| match lies(lock, node) {
            Lies::Apart => false,
            Lies::Inside | Lies::Across => true,
            // As a whole it may go, or stay.
            Lies::Around | Lies::Same => {
                stays.is_some_and(|stays| matches!(lies(lock, stays), Lies::Inside | Lies::Across))
            }
        });
        let mut focus = of(Rule::Focus).peekable();
        let outside = focus.peek().is_some()
            && !focus.any(|focus| matches!(lies(focus, node), Lies::Inside | Lies::Same));
        match (locked, outside) {
            (true, _) => Some(Closed::Locked),
            (_, true) => Some(Closed::OutOfFocus),
            _ => None,
        }
    }

    /// The hint that is about this node: [`Rule::Doubt`] if it lies inside of what the user doubts, [`Rule::Suspect`] if it meets what
    /// the user suspects.
    pub fn hint(&self, node: &Arc<Node>) -> Option<Rule> {
        if self.list.is_empty() {
            return None;
        }
        self.list.iter().rev().find_map(|constraint| {
            let stretch = || constraint.stretch().map(|stretch| lies(node, &stretch));
            match constraint.rule {
                Rule::Doubt => {
                    matches!(stretch()?, Lies::Inside | Lies::Same).then_some(Rule::Doubt)
                }
                Rule::Suspect => {
                    matches!(stretch()?, Lies::Inside | Lies::Same).then_some(Rule::Suspect)
                }
                _ => None,
            }
        })
    }

    /// Whether the user points at something, or doubts it.
    pub fn hints(&self, rule: Rule) -> bool {
        self.list.iter().any(|constraint| constraint.rule == rule)
    }

    /// Whether the node meets a stretch that such a constraint is about.
    pub fn meets(&self, rule: Rule, node: &Arc<Node>) -> bool {
        let of_rule = self
            .list
            .iter()
            .filter(|constraint| constraint.rule == rule);
        of_rule
            .filter_map(|constraint| constraint.stretch())
            .any(|stretch| lies(node, &stretch) != Lies::Apart)
    }
}
