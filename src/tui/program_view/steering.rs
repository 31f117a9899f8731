//! What is in force: what the user keeps, points at, stops at or has switched off.

use std::sync::Arc;

use crate::program::{Constraint, ConstraintRule, NodeTarget, Version, node_excerpt};
use crate::reduce::RunSnapshot;
use crate::tui::theme::Role;
use crate::tui::theme::palette::ScreenGlyphs;

/// The most characters of a node that an item shows.
const LONGEST_EXCERPT: usize = 24;

/// Something that is in force.
#[derive(Clone, Debug)]
pub struct SteeringItem {
    /// Its mark, which the tree and the program have too.
    pub mark: &'static str,
    /// The role of the mark.
    pub role: Role,
    /// What it is.
    pub text: String,
    /// The line that makes such an item.
    pub line: String,
    removal: SteeringRemoval,
}

/// How an item is removed.
#[derive(Clone, Debug)]
enum SteeringRemoval {
    /// This line removes it.
    Line(String),
    /// This verb removes it, with the node that the constraint is about.
    Release(&'static str, Arc<Constraint>),
}

impl SteeringItem {
    /// The line that removes it.
    pub fn removal_line(&self, version: &Version) -> String {
        match &self.removal {
            SteeringRemoval::Line(line) => line.clone(),
            SteeringRemoval::Release(verb, constraint) => match constraint.find_node(version) {
                Some(node) => format!("{verb} {}", NodeTarget::Node(node.id)),
                None => format!("{verb} {}", constraint.name),
            },
        }
    }
}

/// The mark of a rule, and its role.
pub fn rule_mark(rule: ConstraintRule, glyphs: &ScreenGlyphs) -> (&'static str, Role) {
    match rule {
        ConstraintRule::Pin
        | ConstraintRule::PinHead
        | ConstraintRule::PinDifference
        | ConstraintRule::Freeze => (glyphs.pinned, Role::Pinned),
        ConstraintRule::Lock => (glyphs.locked, Role::Pinned),
        ConstraintRule::Focus => (glyphs.only, Role::Note),
        ConstraintRule::Doubt | ConstraintRule::Suspect => (glyphs.suspect, Role::Note),
        ConstraintRule::Place | ConstraintRule::Mention => (glyphs.place, Role::Note),
    }
}

/// The verb that releases a constraint of this rule.
fn release_verb(rule: ConstraintRule) -> &'static str {
    match rule {
        ConstraintRule::Lock => "unlock",
        ConstraintRule::Focus => "unfocus",
        rule if rule.is_hint() => "unhint",
        _ => "unpin",
    }
}

/// Whether anything is in force.
pub fn is_steered(snapshot: &RunSnapshot) -> bool {
    let constraints = &snapshot.constraints;
    constraints.iter().any(is_listed)
        || constraints.requirements().next().is_some()
        || constraints.skipped_count() > 0
        || !snapshot.breakpoints.is_empty()
        || !snapshot.switched_off.is_empty()
}

/// The verbs that release what is in force, each once.
pub fn release_verbs(snapshot: &RunSnapshot) -> Vec<&'static str> {
    let constraints = &snapshot.constraints;
    let mut verbs: Vec<&'static str> = Vec::new();
    let listed = constraints.iter().filter(|one| is_listed(one));
    for verb in listed.map(|constraint| release_verb(constraint.rule)) {
        if !verbs.contains(&verb) {
            verbs.push(verb);
        }
    }
    verbs.extend(constraints.requirements().next().map(|_| "unrequire"));
    verbs.extend((constraints.skipped_count() > 0).then_some("unskip"));
    verbs
}

/// What a message mentions is no choice of the user's.
fn is_listed(constraint: &Arc<Constraint>) -> bool {
    constraint.rule != ConstraintRule::Mention
}

/// All that is in force: what is tried alone or first, then what stays, then where the run stops and what it leaves out.
pub fn list_steering(snapshot: &RunSnapshot, glyphs: &ScreenGlyphs) -> Vec<SteeringItem> {
    let constraints = &snapshot.constraints;
    let mut items: Vec<SteeringItem> = Vec::new();
    for keeps in [false, true] {
        let listed = constraints.iter().filter(|one| is_listed(one));
        for constraint in listed.filter(|one| one.rule.is_pin() == keeps) {
            let item = constraint_item(snapshot, constraint, glyphs);
            // In a pair the twins have a constraint of their own.
            if !items.iter().any(|known| known.line == item.line) {
                items.push(item);
            }
        }
    }
    let item = |mark, role, text: String, line: String, removal: String| SteeringItem {
        mark,
        role,
        text,
        line,
        removal: SteeringRemoval::Line(removal),
    };
    items.extend(constraints.requirements().map(|required| {
        let line = format!("require {}", required.query);
        item(
            glyphs.pinned,
            Role::Pinned,
            line.clone(),
            line,
            "unrequire".into(),
        )
    }));
    items.extend(snapshot.breakpoints.iter().map(|condition| {
        let line = format!("break {condition}");
        let removal = format!("unbreak {condition}");
        item(glyphs.breakpoint, Role::Paused, line.clone(), line, removal)
    }));
    items.extend(snapshot.switched_off.iter().map(|pass| {
        let (text, line) = (format!("{pass} off"), format!("disable {pass}"));
        item(
            glyphs.invalid,
            Role::Note,
            text,
            line,
            format!("enable {pass}"),
        )
    }));
    if constraints.skipped_count() > 0 {
        let text = format!("{} skipped", constraints.skipped_count());
        items.push(item(
            glyphs.invalid,
            Role::Note,
            text,
            "skip candidate".into(),
            "unskip".into(),
        ));
    }
    items
}

fn constraint_item(
    snapshot: &RunSnapshot,
    constraint: &Arc<Constraint>,
    glyphs: &ScreenGlyphs,
) -> SteeringItem {
    let (mark, role) = rule_mark(constraint.rule, glyphs);
    let verb = constraint.rule.command_name();
    // A key names the node by its number, which says nothing.
    let excerpt = match constraint.name.parse() {
        Ok(NodeTarget::Node(node)) => node_excerpt(&snapshot.version, node, LONGEST_EXCERPT),
        _ => String::new(),
    };
    let name = match excerpt.is_empty() {
        true => constraint.name.to_string(),
        false => format!("`{excerpt}`"),
    };
    let text = match constraint.rule.is_pin() {
        true => format!("{verb} {name} ({})", constraint.tokens.len()),
        false => format!("{verb} {name}"),
    };
    SteeringItem {
        mark,
        role,
        text,
        line: format!("{verb} {}", constraint.name),
        removal: SteeringRemoval::Release(release_verb(constraint.rule), constraint.clone()),
    }
}
