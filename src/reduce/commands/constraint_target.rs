//! The constraints that a command means: its target, found in a version.

use std::sync::Arc;

use crate::program::{
    Constraint, ConstraintRule, NodeShape, NodeTarget, ProgramNode, TargetError, TokenId, Version,
    head_tokens, tokens_of, walk,
};

/// The constraints of this rule on a target in a version, one for each of its places.
///
/// # Errors
/// When the target is not there, or holds no token that such a constraint could be about.
pub fn resolve_constraints(
    version: &Version,
    rule: ConstraintRule,
    target: &NodeTarget,
) -> Result<Vec<Constraint>, TargetError> {
    constraints_on(version, &target.find_nodes(version)?, rule, target)
}

/// The constraints of this rule on the nodes that were found for the target in a version.
///
/// # Errors
/// When the nodes hold no token that such a constraint could be about.
pub fn constraints_on(
    version: &Version,
    nodes: &[Arc<ProgramNode>],
    rule: ConstraintRule,
    target: &NodeTarget,
) -> Result<Vec<Constraint>, TargetError> {
    let name: Arc<str> = target.to_string().into();
    if rule == ConstraintRule::Pin && target.is_difference_of(version) {
        let mut tokens: Vec<_> = nodes
            .iter()
            .flat_map(|leaf| tokens_of(leaf, false))
            .collect();
        tokens.sort_unstable();
        return Ok(vec![Constraint {
            rule: ConstraintRule::PinDifference,
            tokens: tokens.into(),
            name,
            line: None,
        }]);
    }
    let constraints = nodes.iter().map(|node| Constraint {
        rule,
        tokens: match rule {
            ConstraintRule::PinHead => named_head_tokens(node, target),
            rule => tokens_of(node, rule != ConstraintRule::Pin),
        }
        .into(),
        name: name.clone(),
        line: (rule == ConstraintRule::Place)
            .then(|| Some(version.path_to(node.id)?.line()))
            .flatten(),
    });
    let constraints: Vec<Constraint> = constraints.filter(Constraint::has_subject).collect();
    match constraints.is_empty() {
        true => Err(TargetError::NotFound(format!(
            "{name}, of the program as it was read"
        ))),
        false => Ok(constraints),
    }
}

/// The head of a node, with the name that the target is, which its definition may lack.
fn named_head_tokens(node: &Arc<ProgramNode>, target: &NodeTarget) -> Vec<TokenId> {
    let mut tokens = head_tokens(node);
    if let NodeTarget::Name(name) = target {
        let mut leaves = walk::iter_leaves(node).filter(|leaf| leaf.shape == NodeShape::Token);
        let own = leaves.find(|leaf| leaf.text() == name.as_bytes());
        tokens.extend(own.into_iter().flat_map(|leaf| leaf.ids().iter().copied()));
        tokens.sort_unstable();
        tokens.dedup();
    }
    tokens
}
