//! Commands about what may be asked: constraints on tokens and nodes, and candidates that are skipped.

use std::sync::Arc;

use super::{CommandResult, ReductionEngine};
use crate::display::format_count;
use crate::language::RuleText;
use crate::pass::{self, SliceTarget};
use crate::program::pair::twin_tokens;
use crate::program::rules::read_rule;
use crate::program::{
    Constraint, ConstraintRule, ConstraintSet, ContentHash, NodeId, NodeTarget, QueryRequirement,
    TokenChange, TokenId, Version, tokens_of,
};
use crate::reduce::commands::{
    ConstraintGroup, PassVerb, SkipScope, constraints_on, list_rule_places,
};
use crate::reduce::proposer::ProposerStop;

impl ReductionEngine {
    /// Changes the constraints; those that are new and keep something are about tokens below `near`.
    fn change_constraints(&mut self, near: &[NodeId], change: impl FnOnce(&mut ConstraintSet)) {
        self.change_rules(|proposer| {
            let mut constraints = (*proposer.view.constraints).clone();
            change(&mut constraints);
            proposer.view.set_constraints(constraints, near);
        });
    }

    pub(super) fn add_pin(&mut self, constraint: Constraint) {
        let documents = self.root_node().proposer.view.version.documents().iter();
        let roots: Vec<NodeId> = documents.map(|document| document.root.id).collect();
        self.change_constraints(&roots, |constraints| constraints.add_constraint(constraint));
    }

    pub(super) fn remove_pin(&mut self, constraint: &Constraint) {
        self.change_constraints(&[], |constraints| constraints.remove_constraint(constraint));
    }

    /// A candidate is not tested any more, and is called so; without a name it may be again.
    pub(super) fn set_banned(&mut self, candidate: ContentHash, name: Option<Arc<str>>) {
        self.change_constraints(&[], |constraints| match name {
            Some(name) => constraints.skip_candidate(candidate, name),
            None => constraints.unskip_candidate(candidate),
        });
    }

    pub(super) fn constrain_target(
        &mut self,
        rule: ConstraintRule,
        target: &NodeTarget,
    ) -> CommandResult {
        let tokens = self.add_constraints(rule, target)?;
        let is_project = self.root_node().proposer.view.version.is_project();
        let hinted: &[&str] = match rule {
            ConstraintRule::Doubt | ConstraintRule::Suspect => &[pass::HINTS.name],
            ConstraintRule::Place if is_project => &[pass::FILES.name, pass::PLACE.name],
            ConstraintRule::Place => &[pass::PLACE.name],
            _ => &[],
        };
        if !hinted.is_empty() {
            // The hinted candidates come now; a strategy without such a pass goes by the order alone.
            for &name in hinted.iter().rev() {
                let _ = self.change_schedule(|schedule| schedule.reorder_passes(&[name.into()]));
            }
        }
        Ok(Some(format_count(tokens as u64, "token")))
    }

    /// The pass over slices runs now: of the line where the target begins, which is the place of the failure from here on.
    pub(super) fn slice_program(&mut self, target: Option<&NodeTarget>) -> CommandResult {
        let proposer = &self.root_node().proposer;
        proposer.schedule.pass_index(pass::SLICES.name)?;
        if let Some(target) = target {
            self.add_constraints(ConstraintRule::Place, target)?;
        }
        self.change_schedule(|schedule| schedule.run_pass_now(pass::SLICES.name))?;
        let view = &self.root_node().proposer.view;
        Ok(SliceTarget::of_place(view).map(|target| target.describe(&view.version)))
    }

    /// Adds constraints of this rule on the target, and in a pair on its twins. Returns the number of tokens that they are about.
    fn add_constraints(
        &mut self,
        rule: ConstraintRule,
        target: &NodeTarget,
    ) -> Result<usize, String> {
        let version = &self.root_node().proposer.view.version;
        let nodes = target
            .find_nodes(version)
            .map_err(|error| error.to_string())?;
        let found =
            constraints_on(version, &nodes, rule, target).map_err(|error| error.to_string())?;
        let mut nodes: Vec<NodeId> = nodes.iter().map(|node| node.id).collect();
        let twins: Vec<Constraint> = found
            .iter()
            .filter_map(|constraint| constrain_twins(version, constraint, &mut nodes))
            // A name may be declared in both.
            .filter(|twin| !found.iter().any(|constraint| covers(constraint, twin)))
            .collect();
        let tokens: usize = found.iter().map(|constraint| constraint.tokens.len()).sum();
        self.change_constraints(&nodes, |constraints| {
            let all = found.into_iter().chain(twins);
            all.for_each(|constraint| constraints.add_constraint(constraint));
        });
        Ok(tokens)
    }

    pub(super) fn release_constraints(
        &mut self,
        what: ConstraintGroup,
        target: Option<&NodeTarget>,
    ) -> CommandResult {
        let rules: &[ConstraintRule] = match what {
            ConstraintGroup::Pins => &[
                ConstraintRule::Pin,
                ConstraintRule::PinHead,
                ConstraintRule::PinDifference,
                ConstraintRule::Freeze,
            ],
            ConstraintGroup::Locks => &[ConstraintRule::Lock],
            ConstraintGroup::Focus => &[ConstraintRule::Focus],
            ConstraintGroup::Hints => &[
                ConstraintRule::Doubt,
                ConstraintRule::Suspect,
                ConstraintRule::Place,
                ConstraintRule::Mention,
            ],
            ConstraintGroup::Requirements | ConstraintGroup::Skipped => &[],
        };
        let version = &self.root_node().proposer.view.version;
        let tokens = match target {
            Some(target) => {
                let nodes = target
                    .find_nodes(version)
                    .map_err(|error| error.to_string())?;
                let tokens = nodes.iter().flat_map(|node| tokens_of(node, true));
                let mut tokens: Vec<TokenId> = tokens.collect();
                let twins = twin_tokens(version, &tokens).into_iter();
                tokens.extend(twins.map(|(token, _)| token));
                Some(tokens)
            }
            None => None,
        };
        let skipped = match what {
            ConstraintGroup::Skipped => self.root_node().proposer.schedule.skipped_passes(),
            _ => Vec::new(),
        };
        let mut gone = 0;
        self.change_constraints(&[], |constraints| {
            gone = match what {
                ConstraintGroup::Requirements => constraints.clear_requirements(),
                ConstraintGroup::Skipped => constraints.clear_skipped(),
                _ => constraints.remove_matching(rules, tokens.as_deref()),
            };
        });
        let again = (!skipped.is_empty()).then(|| format!("again: {}", skipped.join(", ")));
        if gone == 0 && again.is_none() {
            return Err(match target {
                Some(_) => "nothing of the kind is in force there".into(),
                None => "there is nothing of the kind".into(),
            });
        }
        self.change_schedule(|schedule| {
            if again.is_some() {
                schedule.unskip_passes();
            }
            if gone > 0 {
                // What was closed may be proposed again, in the passes that are over too. The cache answers what was tested.
                schedule.rewind_passes();
            }
            Ok(())
        })?;
        let gone = (gone > 0).then(|| format!("{gone} gone"));
        let said: Vec<String> = gone.into_iter().chain(again).collect();
        Ok(Some(said.join("; ")))
    }

    pub(super) fn require_match(&mut self, query: &Arc<str>) -> CommandResult {
        let version = &self.root_node().proposer.view.version;
        let requirement =
            QueryRequirement::new(query, version).map_err(|error| error.to_string())?;
        self.change_constraints(&[], |constraints| constraints.add_requirement(requirement));
        Ok(None)
    }

    /// Adds a rule with holes; with `now` the pass over rules begins anew, even if it was off.
    pub(super) fn add_rule(&mut self, rule: &RuleText, now: bool) -> CommandResult {
        let proposer = &self.root_node().proposer;
        proposer.schedule.pass_index(pass::RULES.name)?;
        let version = &proposer.view.version;
        let places = list_rule_places(version, rule)?.len();
        let read = read_rule(version, rule)?;
        self.change_rules(|proposer| Arc::make_mut(&mut proposer.view.rules).added.extend(read));
        if now {
            self.change_schedule(|schedule| {
                schedule.apply_pass_verb(PassVerb::Restart, pass::RULES.name)
            })?;
        }
        Ok(Some(format_count(places as u64, "place")))
    }

    pub(super) fn execute_skip(&mut self, skip: SkipScope) -> CommandResult {
        let ProposerStop::Test(proposed) = &self.root_node().stop else {
            return Err("nothing is being asked".into());
        };
        let (hash, node) = (proposed.hash, proposed.why.node);
        match (skip, node) {
            (SkipScope::Candidate, _) => {
                let version = &self.root_node().proposer.view.version;
                let change = TokenChange::between(version, &proposed.candidate);
                let sentence = proposed.why.to_sentence(version, &proposed.edit, change);
                self.set_banned(hash, Some(sentence.short));
            }
            (SkipScope::Node, Some(node)) => {
                let version = &self.root_node().proposer.view.version;
                let tokens = version.find_node(node).map(|node| tokens_of(node, true));
                let tokens = tokens.unwrap_or_default().into();
                self.record.passes.record_skipped_node(tokens);
                self.change_constraints(&[], |constraints| constraints.suspend_node(node))
            }
            (SkipScope::Node, None) => return Err(
                "this question is about several nodes or none; `skip candidate` leaves it alone"
                    .into(),
            ),
            (SkipScope::Pass, _) => return self.change_schedule(|schedule| schedule.skip_pass()),
        }
        Ok(None)
    }
}

/// Whether a constraint says all that another one says.
fn covers(constraint: &Constraint, other: &Constraint) -> bool {
    let has = |token: &TokenId| constraint.tokens.binary_search(token).is_ok();
    constraint.rule == other.rule && other.tokens.iter().all(has)
}

/// In a pair, a constraint on one program is one on the other: that of the twins, if there are any. Their leaves join `nodes`.
fn constrain_twins(
    version: &Version,
    constraint: &Constraint,
    nodes: &mut Vec<NodeId>,
) -> Option<Constraint> {
    let tokens = twin_tokens(version, &constraint.tokens);
    nodes.extend(tokens.iter().map(|(_, leaf)| *leaf));
    let first = tokens.first().map(|(_, leaf)| *leaf);
    let tokens: Arc<[TokenId]> = tokens.into_iter().map(|(token, _)| token).collect();
    (!tokens.is_empty()).then(|| Constraint {
        rule: match constraint.rule.is_pin() {
            true => ConstraintRule::Pin,
            false => constraint.rule,
        },
        tokens,
        name: constraint.name.clone(),
        line: constraint
            .line
            .and_then(|_| Some(version.path_to(first?)?.line())),
    })
}
