//! What the user keeps, locks or points at: constraints on what may be proposed.
//!
//! Constraints are part of the [`View`](super::View) that passes see. A constraint refers to tokens, never to nodes or offsets, because
//! tokens outlive hoisting and parsing. What must stay is marked on the leaves ([`NodeFlags::PINNED`](super::NodeFlags::PINNED)) and summed
//! up the tree ([`SubtreeSums::pinned`](super::SubtreeSums::pinned)). So one comparison of two numbers shows whether an edit keeps every
//! pin. Every candidate is compared where it is made (`reduce/proposer/proposer_state.rs`). The filter around every pass
//! (`pass/filters/constraint_filter.rs`) saves the pass proposals in vain.
//!
//! A lock and a focus are ranges of the original's tokens. Tokens never change their order, so a node lies inside a range if its first and
//! its last token do. The workers check required queries, together with the parse check ([`super::ParseChecker`]).

use std::ops::RangeInclusive;
use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::edit::Edit;
use super::hash::ContentHash;
use super::node::{FRESH_BIT, NodeId, ProgramNode, TokenId};
use super::placement::strip_separator;
use super::requirement::QueryRequirement;
use super::token_range::{RangeRelation, relate_to_range, tokens_of, verbatim_text};
use super::version::Version;

/// What a constraint requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConstraintRule {
    /// Every token stays.
    Pin,
    /// The node stays: its tokens outside of all its lists and optional parts.
    PinHead,
    /// The difference of a pair stays as it is: its tokens stay, and none of them comes into the other document.
    PinDifference,
    /// The text stays as it is, white space and comments included.
    Freeze,
    /// Nothing inside is tried; the place may be removed as a whole.
    Lock,
    /// Only what is inside is tried.
    Focus,
    /// Probably unimportant: tried first.
    Doubt,
    /// Probably the cause: tried last.
    Suspect,
    /// Where it fails: what this needs stays in the first questions.
    Place,
    /// The message of the failure names it: the same where the place alone is not enough.
    Mention,
}

impl ConstraintRule {
    /// The command that adds such a constraint.
    pub fn command_name(self) -> &'static str {
        match self {
            ConstraintRule::Pin | ConstraintRule::PinDifference => "pin",
            ConstraintRule::PinHead => "pin-head",
            ConstraintRule::Freeze => "freeze",
            ConstraintRule::Lock => "lock",
            ConstraintRule::Focus => "focus",
            ConstraintRule::Doubt => "doubt",
            ConstraintRule::Suspect => "suspect",
            ConstraintRule::Place => "place",
            ConstraintRule::Mention => "mention",
        }
    }

    /// Whether it says only what to try first.
    pub fn is_hint(self) -> bool {
        matches!(
            self,
            ConstraintRule::Doubt
                | ConstraintRule::Suspect
                | ConstraintRule::Place
                | ConstraintRule::Mention
        )
    }

    /// Whether its tokens are marked and must stay.
    pub fn is_pin(self) -> bool {
        matches!(
            self,
            ConstraintRule::Pin
                | ConstraintRule::PinHead
                | ConstraintRule::PinDifference
                | ConstraintRule::Freeze
        )
    }
}

/// A constraint of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// What it requires.
    pub rule: ConstraintRule,
    /// For which tokens, sorted by identity.
    pub tokens: Arc<[TokenId]>,
    /// The place as the user named it.
    pub name: Arc<str>,
    /// The line on which the place of the failure began when it was named, from 1. None for other rules.
    pub line: Option<u32>,
}

impl Constraint {
    /// Whether it has tokens that such a rule can refer to: any for a pin, those of the original for the others.
    pub fn has_subject(&self) -> bool {
        match self.rule.is_pin() {
            true => !self.tokens.is_empty(),
            false => self.original_range().is_some(),
        }
    }

    /// The smallest node of a version around what is left of it; none if nothing is left, or if it refers to new text only.
    pub fn find_node<'a>(&self, version: &'a Version) -> Option<&'a Arc<ProgramNode>> {
        let range = self.original_range()?;
        let meets =
            |node: &&Arc<ProgramNode>| relate_to_range(node, &range) != RangeRelation::Disjoint;
        let mut roots = version.documents().iter().map(|document| &document.root);
        let mut node = roots.find(meets)?;
        loop {
            let mut meeting = node.children().iter().filter(meets);
            match (meeting.next(), meeting.next()) {
                (Some(only), None) => node = only,
                _ => return Some(node),
            }
        }
    }

    /// The first and the last line of what is left of it in a document, counted from 0; none if nothing is left there.
    pub fn lines_in(&self, root: &Arc<ProgramNode>) -> Option<(u32, u32)> {
        let range = self.original_range()?;
        let meets =
            |node: &&Arc<ProgramNode>| relate_to_range(node, &range) != RangeRelation::Disjoint;
        let line_ends = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count() as u32;
        let find_leaf = |last: bool| {
            let (mut node, mut line) = (Some(root).filter(meets)?, 0);
            while !node.children().is_empty() {
                let kids = node.children();
                let at = match last {
                    false => kids.iter().position(|kid| meets(&kid))?,
                    true => kids.iter().rposition(|kid| meets(&kid))?,
                };
                line += kids[..at]
                    .iter()
                    .map(|kid| kid.sums().newlines)
                    .sum::<u32>();
                node = &kids[at];
            }
            Some((line + line_ends(node.trivia()), node))
        };
        let (first, _) = find_leaf(false)?;
        let (last, leaf) = find_leaf(true)?;
        Some((first, last + line_ends(leaf.text())))
    }

    /// The original's tokens from its first to its last; none if it refers to new text only.
    fn original_range(&self) -> Option<RangeInclusive<TokenId>> {
        let original = self.tokens.partition_point(|token| token.0 < FRESH_BIT);
        let tokens = &self.tokens[..original];
        Some(*tokens.first()?..=*tokens.last()?)
    }
}

/// Why an edit is not proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExclusionReason {
    /// It would delete a pinned token.
    Pinned,
    /// It would change the inside of a locked place.
    Locked,
    /// It is outside of the focus.
    OutOfFocus,
    /// The user skipped it.
    Skipped,
}

impl ExclusionReason {
    /// The reason in words, as in "excluded by …".
    pub fn display_name(self) -> &'static str {
        match self {
            ExclusionReason::Pinned => "pins",
            ExclusionReason::Locked => "locks",
            ExclusionReason::OutOfFocus => "the focus",
            ExclusionReason::Skipped => "skipping",
        }
    }
}

type SkippedCandidates =
    imbl::GenericHashMap<ContentHash, Arc<str>, FxBuildHasher, imbl::shared_ptr::DefaultSharedPtr>;

/// All constraints at one time. Cloning costs a few reference counts.
#[derive(Clone, Debug, Default)]
pub struct ConstraintSet {
    list: imbl::Vector<Arc<Constraint>>,
    required: imbl::Vector<QueryRequirement>,
    /// Candidates, by their bytes, that the user does not want tested; what each would do, in short.
    skipped: SkippedCandidates,
    /// Nodes at which nothing is proposed for now.
    suspended: imbl::GenericHashSet<NodeId, FxBuildHasher, imbl::shared_ptr::DefaultSharedPtr>,
}

impl ConstraintSet {
    /// The constraints, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<Constraint>> {
        self.list.iter()
    }

    /// Whether there are none, and nothing is skipped.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
            && self.required.is_empty()
            && self.skipped.is_empty()
            && self.suspended.is_empty()
    }

    /// Adds a constraint.
    pub fn add_constraint(&mut self, constraint: Constraint) {
        self.list.push_back(Arc::new(constraint));
    }

    /// Removes the constraints of these rules that share a token with `tokens`, or all of these rules without `tokens`; returns how many.
    pub fn remove_matching(
        &mut self,
        rules: &[ConstraintRule],
        tokens: Option<&[TokenId]>,
    ) -> usize {
        let before = self.list.len();
        let wanted: Option<FxHashSet<TokenId>> =
            tokens.map(|tokens| tokens.iter().copied().collect());
        self.list.retain(|constraint| {
            let meets = wanted
                .as_ref()
                .is_none_or(|wanted| constraint.tokens.iter().any(|token| wanted.contains(token)));
            !(rules.contains(&constraint.rule) && meets)
        });
        before - self.list.len()
    }

    /// The queries that must match in every candidate.
    pub fn requirements(&self) -> impl Iterator<Item = &QueryRequirement> {
        self.required.iter()
    }

    /// One more query must match in every candidate.
    pub fn add_requirement(&mut self, requirement: QueryRequirement) {
        self.required.push_back(requirement);
    }

    /// Removes all required queries; returns how many there were.
    pub fn clear_requirements(&mut self) -> usize {
        std::mem::take(&mut self.required).len()
    }

    /// What was skipped may be proposed again; returns how much was skipped.
    pub fn clear_skipped(&mut self) -> usize {
        let before = self.skipped.len() + self.suspended.len();
        self.skipped.clear();
        self.suspended.clear();
        before
    }

    /// Removes one constraint.
    pub fn remove_constraint(&mut self, constraint: &Constraint) {
        if let Some(at) = self.list.iter().rposition(|known| **known == *constraint) {
            self.list.remove(at);
        }
    }

    /// The candidate with these bytes may be proposed again.
    pub fn unskip_candidate(&mut self, candidate: ContentHash) {
        self.skipped.remove(&candidate);
    }

    /// The candidate with these bytes is not proposed any more. `name` says what it would do, in short.
    pub fn skip_candidate(&mut self, candidate: ContentHash, name: Arc<str>) {
        self.skipped.insert(candidate, name);
    }

    /// What the skipped candidates would do, in alphabetical order.
    pub fn skipped_names(&self) -> Vec<&Arc<str>> {
        let mut names: Vec<&Arc<str>> = self.skipped.values().collect();
        names.sort();
        names
    }

    /// Nothing is proposed at this node until [`ConstraintSet::resume_suspended`].
    pub fn suspend_node(&mut self, node: NodeId) {
        self.suspended.insert(node);
    }

    /// Suspended nodes are tried again.
    pub fn resume_suspended(&mut self) {
        self.suspended.clear();
    }

    /// Whether a node is suspended.
    pub fn has_suspended(&self) -> bool {
        !self.suspended.is_empty()
    }

    /// Whether nothing is proposed at this node for now.
    pub fn is_suspended(&self, node: NodeId) -> bool {
        self.suspended.contains(&node)
    }

    /// The number of skipped candidates.
    pub fn skipped_count(&self) -> usize {
        self.skipped.len()
    }

    /// Whether the user skipped the candidate with these bytes.
    pub fn is_skipped(&self, candidate: ContentHash) -> bool {
        self.skipped.contains_key(&candidate)
    }

    /// All tokens that must stay, comments among them.
    pub fn pinned_tokens(&self) -> FxHashSet<TokenId> {
        let pins = self
            .list
            .iter()
            .filter(|constraint| constraint.rule.is_pin());
        pins.flat_map(|pin| pin.tokens.iter().copied()).collect()
    }

    /// The tokens whose white space must stay too: all of a frozen range but its first.
    pub fn frozen_tokens(&self) -> FxHashSet<TokenId> {
        let frozen = self
            .list
            .iter()
            .filter(|constraint| constraint.rule == ConstraintRule::Freeze);
        frozen
            .flat_map(|frozen| frozen.tokens.iter().skip(1).copied())
            .collect()
    }

    /// Why no edit that removes this node as a whole may be proposed; none if one may.
    pub fn node_exclusion(&self, node: &Arc<ProgramNode>) -> Option<ExclusionReason> {
        if node.sums().pinned > 0 {
            return Some(ExclusionReason::Pinned);
        }
        self.removal_exclusion(node, &[])
    }

    /// Whether the frozen text is the same in both versions: for edits with text of their own.
    pub fn keeps_frozen(&self, base: &Version, candidate: &Version) -> bool {
        let mut frozen = self
            .list
            .iter()
            .filter(|constraint| constraint.rule == ConstraintRule::Freeze);
        frozen.all(|frozen| {
            verbatim_text(base, &frozen.tokens) == verbatim_text(candidate, &frozen.tokens)
        })
    }

    /// The name of the constraint that excludes this node, if there is one.
    pub fn constraint_name_at(&self, node: &Arc<ProgramNode>) -> Option<&str> {
        let ids: FxHashSet<TokenId> = tokens_of(node, true).into_iter().collect();
        let closes = |constraint: &&Arc<Constraint>| match constraint.rule {
            ConstraintRule::Focus => false,
            rule if rule.is_hint() => false,
            _ => constraint.tokens.iter().any(|token| ids.contains(token)),
        };
        self.list
            .iter()
            .find(closes)
            .map(|constraint| &*constraint.name)
    }

    /// Why this edit of `base` may not be proposed. Pins are not considered: whether the edit keeps them shows in the version that it
    /// makes.
    pub fn edit_exclusion(&self, base: &Version, edit: &Edit) -> Option<ExclusionReason> {
        if !self.list.iter().any(|constraint| {
            matches!(
                constraint.rule,
                ConstraintRule::Lock | ConstraintRule::Focus
            )
        }) {
            return None;
        }
        edit.ops.iter().find_map(|op| {
            let kept = op.kept_node().into_iter().chain(op.kept_pieces());
            let stays: Vec<_> = kept.filter_map(|kept| base.find_node(kept)).collect();
            op.removed_nodes(base)
                .find_map(|node| self.removal_exclusion(strip_separator(node), &stays))
        })
    }

    /// Why a node may not be removed, all of it but `stays`.
    fn removal_exclusion(
        &self,
        node: &Arc<ProgramNode>,
        stays: &[&Arc<ProgramNode>],
    ) -> Option<ExclusionReason> {
        let of = |rule: ConstraintRule| {
            self.list
                .iter()
                .filter(move |constraint| constraint.rule == rule)
        };
        let lies = |constraint: &Arc<Constraint>, node| match constraint.original_range() {
            Some(stretch) => relate_to_range(node, &stretch),
            None => RangeRelation::Disjoint,
        };
        let locked = of(ConstraintRule::Lock).any(|lock| match lies(lock, node) {
            RangeRelation::Disjoint => false,
            RangeRelation::Inside | RangeRelation::Overlaps => true,
            // The whole lock may be removed, or stay.
            RangeRelation::Encloses | RangeRelation::Equal => stays.iter().any(|stays| {
                matches!(
                    lies(lock, stays),
                    RangeRelation::Inside | RangeRelation::Overlaps
                )
            }),
        });
        let mut focus = of(ConstraintRule::Focus).peekable();
        let outside = focus.peek().is_some()
            && !focus.any(|focus| {
                matches!(
                    lies(focus, node),
                    RangeRelation::Inside | RangeRelation::Equal
                )
            });
        match (locked, outside) {
            (true, _) => Some(ExclusionReason::Locked),
            (_, true) => Some(ExclusionReason::OutOfFocus),
            _ => None,
        }
    }

    /// The hint for this node: [`ConstraintRule::Doubt`] if it lies inside of what the user doubts, [`ConstraintRule::Suspect`] if it lies
    /// inside of what the user suspects.
    pub fn node_hint(&self, node: &Arc<ProgramNode>) -> Option<ConstraintRule> {
        if self.list.is_empty() {
            return None;
        }
        self.list.iter().rev().find_map(|constraint| {
            let stretch = || {
                constraint
                    .original_range()
                    .map(|stretch| relate_to_range(node, &stretch))
            };
            match constraint.rule {
                ConstraintRule::Doubt => {
                    matches!(stretch()?, RangeRelation::Inside | RangeRelation::Equal)
                        .then_some(ConstraintRule::Doubt)
                }
                ConstraintRule::Suspect => {
                    matches!(stretch()?, RangeRelation::Inside | RangeRelation::Equal)
                        .then_some(ConstraintRule::Suspect)
                }
                _ => None,
            }
        })
    }

    /// Whether there is a constraint of this rule.
    pub fn has_rule(&self, rule: ConstraintRule) -> bool {
        self.list.iter().any(|constraint| constraint.rule == rule)
    }

    /// Whether all of the node lies in the range of such a constraint.
    pub fn rule_covers(&self, rule: ConstraintRule, node: &Arc<ProgramNode>) -> bool {
        self.ranges_of(rule).any(|stretch| {
            matches!(
                relate_to_range(node, &stretch),
                RangeRelation::Inside | RangeRelation::Equal
            )
        })
    }

    /// The ranges of the original's tokens that constraints of this rule are about.
    fn ranges_of(&self, rule: ConstraintRule) -> impl Iterator<Item = RangeInclusive<TokenId>> {
        let of_rule = self.list.iter();
        let of_rule = of_rule.filter(move |constraint| constraint.rule == rule);
        of_rule.filter_map(|constraint| constraint.original_range())
    }

    /// Whether the node overlaps the range of such a constraint.
    pub fn rule_overlaps(&self, rule: ConstraintRule, node: &Arc<ProgramNode>) -> bool {
        self.ranges_of(rule)
            .any(|stretch| relate_to_range(node, &stretch) != RangeRelation::Disjoint)
    }
}
