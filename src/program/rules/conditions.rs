//! What a rule wants to know of names.

use std::sync::Arc;

use super::super::names::{NameSymbol, SymbolCount};
use super::super::node::{ProgramNode, TokenId};
use super::super::version::Version;
use super::super::walk;
use crate::language::RuleCondition;

/// Whether a condition holds for what the holes hold.
pub(super) fn meets_condition(
    version: &Version,
    condition: RuleCondition,
    held: &[Vec<&Arc<ProgramNode>>],
) -> bool {
    let names = version.name_graph();
    let name = |hole: usize| name_of(version, &held[hole]);
    match condition {
        RuleCondition::UsedOnce(hole) => {
            name(hole).is_some_and(|name| names.symbol_count(name).uses == 1)
        }
        RuleCondition::Unused(hole) => {
            name(hole).is_some_and(|name| names.symbol_count(name).uses == 0)
        }
        RuleCondition::OneValue(hole) => name(hole).is_some_and(|name| {
            let SymbolCount { declares, .. } = names.symbol_count(name);
            declares == 1 && names.value_sites(name).next().is_some()
        }),
        RuleCondition::NotAssigned(hole) => name(hole).is_some_and(|name| !names.is_assigned(name)),
        RuleCondition::SameType(first, second) => {
            let [first, second] = [first, second].map(|hole| declared_type(version, name(hole)?));
            first.is_some() && first == second
        }
    }
}

/// The name that is all of what a hole holds.
fn name_of(version: &Version, held: &[&Arc<ProgramNode>]) -> Option<NameSymbol> {
    let [node] = held else { return None };
    let mut leaves = walk::iter_leaves(node);
    let (leaf, None) = (leaves.next()?, leaves.next()) else {
        return None;
    };
    let fact = version.name_graph().leaf_occurrences(leaf).next()?;
    Some(fact.symbol)
}

/// The texts of the tokens of the type in the first declaration of a name: the nearest one around it, before the name or between the name and its
/// value.
fn declared_type(version: &Version, name: NameSymbol) -> Option<Vec<&[u8]>> {
    let mut sites = version.name_graph().declaration_sites(name).iter();
    let path = sites.find_map(|site| version.path_to(site.leaf))?;
    let language = version.documents()[path.document].language?;
    let is_type = |node: &&Arc<ProgramNode>| {
        let is_around = path.nodes.iter().any(|above| above.id == node.id);
        let simplest = node.class.and_then(|class| language.simplest_type(class));
        simplest.is_some() && !is_around
    };
    let own: &[TokenId] = path.node().ids();
    let is_other = |part: &&Arc<ProgramNode>| part.ids() != own;
    let mut around = path.nodes.iter().rev().skip(1);
    let found = around.find_map(|node| {
        let before = walk::preorder(node).take_while(is_other).find(is_type);
        before.or_else(|| {
            let behind = walk::preorder(node).skip_while(is_other);
            let mut behind = behind.take_while(|part| part.text() != b"=");
            behind.find(is_type)
        })
    });
    let tokens = walk::iter_leaves(found?);
    Some(tokens.map(|leaf| leaf.text()).collect())
}
