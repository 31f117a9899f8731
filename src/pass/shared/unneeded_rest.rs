//! All that some declarations do not need, by the names.

use rustc_hash::FxHashSet;

use super::declaration_units::DeclarationUnits;
use super::emptying::{ListRemainder, can_be_left_out, is_evaluated, propose_emptying};
use super::needed_units::{KeptBodies, KeptParts, find_needed};
use super::removable::removal_edit;
use crate::display::format_count;
use crate::program::names::DeclarationKind;
use crate::program::{Edit, EditAction, EditReason, NodeId, QuestionWords, find_bodies};

/// What goes if only some units and what they need stay.
pub struct UnneededRest {
    /// The edit that removes it.
    edit: Edit,
    /// How many units stay.
    needed: u32,
    /// How many units there are.
    all: u64,
    /// Whether functions that stay lose their bodies.
    empties_bodies: bool,
}

impl UnneededRest {
    /// The rest beside these units and what `kept` says of what they need; none if there is nothing else.
    pub fn find(
        pass: &'static str,
        units: &DeclarationUnits,
        roots: &FxHashSet<usize>,
        kept: KeptParts,
    ) -> Option<UnneededRest> {
        let version = &units.version;
        let needed = find_needed(units, roots, kept);
        let mut edit = removal_edit(version, &needed.dropped_nodes(units));
        let mut empties_bodies = false;
        if kept.bodies != KeptBodies::Whole {
            let left = match kept.bodies {
                KeptBodies::Nothing => ListRemainder::NoEnd,
                _ => ListRemainder::Nothing,
            };
            let is_emptied = |at: &usize| {
                needed.stays[*at] && !units.units[*at].is_group() && !needed.whole.contains(at)
            };
            let emptied = (0..units.units.len()).filter(is_emptied);
            let emptied: FxHashSet<NodeId> = emptied.map(|at| units.units[at].node.id).collect();
            let lists = find_bodies(version).filter(|(path, owner)| {
                *owner == DeclarationKind::Function
                    && path.nodes.iter().any(|node| emptied.contains(&node.id))
                    && !is_evaluated(version, path)
                    && (kept.bodies == KeptBodies::Nothing || can_be_left_out(version, path.node()))
            });
            if let Some(more) = propose_emptying(pass, version, lists, left) {
                edit.ops.extend(more.edit.ops);
                empties_bodies = true;
            }
        }
        if edit.ops.is_empty() {
            return None;
        }
        let all = units.units.iter().filter(|unit| !unit.is_group()).count();
        Some(UnneededRest {
            edit,
            needed: needed.count,
            all: all as u64,
            empties_bodies,
        })
    }

    /// The edit, and the question whether all can go but what these declarations need: `what` says which.
    pub fn into_proposal(self, pass: &'static str, what: &str) -> (Edit, EditReason) {
        let bodies = match self.empties_bodies {
            true => ", and other bodies are emptied",
            false => "",
        };
        let stay = format!(
            "{} of {} stay{bodies}",
            self.needed,
            format_count(self.all, "declaration"),
        );
        let words = QuestionWords::ask(format!("Can all go but what {what}?"))
            .listing_removed()
            .because(stay);
        let why = EditReason {
            pass,
            action: EditAction::Question(words),
            node: None,
        };
        (self.edit, why)
    }
}
