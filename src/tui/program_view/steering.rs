//! What is in force: what the user keeps, points at, stops at, or has switched off, moved or skipped.

use std::sync::Arc;

use crate::program::{
    Constraint, ConstraintRule, NodeId, NodeTarget, Version, node_excerpt, tokens_of,
};
use crate::reduce::{PassState, ReorderedPasses, RunSnapshot};
use crate::tui::panes::sentences::show_words;
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
    subject: SteeringSubject,
}

/// What an item is about.
#[derive(Clone, Debug)]
enum SteeringSubject {
    /// What one command made: of a line, one for each node on it.
    Constraints(Vec<Arc<Constraint>>),
    /// A query that must have a match.
    Requirement(Arc<str>),
    /// A breakpoint, as it is typed after `break`.
    Breakpoint(Arc<str>),
    SwitchedOff(&'static str),
    Order(Arc<ReorderedPasses>),
    /// Candidates that are not tested.
    Skipped,
}

impl SteeringItem {
    /// The line that makes such an item now; none for what no single line makes.
    pub fn present_line(&self, version: &Version) -> Option<String> {
        Some(match &self.subject {
            SteeringSubject::Constraints(parts) => {
                let constraint = parts.first()?;
                let place = present_place(constraint, version);
                format!("{} {place}", constraint.rule.command_name())
            }
            SteeringSubject::Requirement(query) => format!("require {query}"),
            SteeringSubject::Breakpoint(condition) => format!("break {condition}"),
            SteeringSubject::SwitchedOff(pass) => format!("disable {pass}"),
            SteeringSubject::Order(passes) => format!("order {}", passes.now.join(", ")),
            SteeringSubject::Skipped => return None,
        })
    }

    /// The lines that remove it, and nothing else.
    pub fn removal_lines(&self, snapshot: &RunSnapshot) -> Vec<String> {
        match &self.subject {
            SteeringSubject::Constraints(parts) => {
                let removal = |constraint: &Arc<Constraint>| {
                    let verb = release_verb(constraint.rule);
                    match constraint.find_node(&snapshot.version) {
                        Some(node) => format!("{verb} {}", NodeTarget::Node(node.id)),
                        None => format!("{verb} {}", constraint.name),
                    }
                };
                let mut lines: Vec<String> = parts.iter().map(removal).collect();
                lines.dedup();
                lines
            }
            // One line removes all queries; the others come again.
            SteeringSubject::Requirement(query) => {
                let all = snapshot.constraints.requirements();
                let others = all.filter(|required| required.query != *query);
                let others = others.map(|required| format!("require {}", required.query));
                std::iter::once("unrequire".into()).chain(others).collect()
            }
            SteeringSubject::Breakpoint(condition) => vec![format!("unbreak {condition}")],
            SteeringSubject::SwitchedOff(pass) => vec![format!("enable {pass}")],
            SteeringSubject::Order(passes) => vec![format!("order {}", passes.before.join(", "))],
            SteeringSubject::Skipped => vec!["unskip".into()],
        }
    }
}

/// The place of a constraint as it is typed now: lines have other numbers by and by.
fn present_place(constraint: &Constraint, version: &Version) -> String {
    let in_file = |path: &str| {
        let mut documents = version.documents().iter();
        let document = documents.find(|one| path.is_empty() || one.path.to_str() == Some(path))?;
        let (first, last) = constraint.lines_in(&document.root)?;
        Some(NodeTarget::Lines(first + 1, last + 1))
    };
    let now = match constraint.name.parse() {
        Ok(NodeTarget::Lines(..)) => in_file(""),
        Ok(NodeTarget::InFile(path, _)) => {
            in_file(&path).map(|lines| NodeTarget::InFile(path, Box::new(lines)))
        }
        Ok(NodeTarget::Node(_) | NodeTarget::Position(..)) => {
            let node = constraint.find_node(version);
            node.map(|node| NodeTarget::Node(node.id))
        }
        _ => None,
    };
    now.map_or_else(|| constraint.name.to_string(), |place| place.to_string())
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

/// The place whose constraint of these rules a key releases: the selected node, or the name that it uses, if that is what the constraint is
/// about.
pub fn released_place(
    snapshot: &RunSnapshot,
    node: NodeId,
    is_released: impl Fn(ConstraintRule) -> bool,
) -> NodeTarget {
    let version = &snapshot.version;
    let released = || {
        let all = snapshot.constraints.iter();
        all.filter(|constraint| is_released(constraint.rule))
    };
    let selected = version.find_node(node);
    let own = selected.map_or(Vec::new(), |node| tokens_of(node, true));
    let is_here =
        |constraint: &Arc<Constraint>| own.iter().any(|token| constraint.tokens.contains(token));
    let used = selected.map(|node| node_excerpt(version, node.id, LONGEST_EXCERPT));
    let about = |constraint: &&Arc<Constraint>| Some(&*constraint.name) == used.as_deref();
    match released().any(is_here) {
        true => NodeTarget::Node(node),
        false => match released().find(about) {
            Some(named) => NodeTarget::Name(named.name.clone()),
            None => NodeTarget::Node(node),
        },
    }
}

/// Whether anything is in force.
pub fn is_steered(snapshot: &RunSnapshot) -> bool {
    let constraints = &snapshot.constraints;
    constraints
        .iter()
        .any(|one| is_listed(one, &snapshot.version))
        || constraints.requirements().next().is_some()
        || constraints.skipped_count() > 0
        || !snapshot.breakpoints.is_empty()
        || !snapshot.switched_off.is_empty()
        || snapshot.reordered.is_some()
}

/// The verbs that release what is in force, each once.
pub fn release_verbs(snapshot: &RunSnapshot) -> Vec<&'static str> {
    let constraints = &snapshot.constraints;
    let mut verbs: Vec<&'static str> = Vec::new();
    let listed = constraints
        .iter()
        .filter(|one| is_listed(one, &snapshot.version));
    for verb in listed.map(|constraint| release_verb(constraint.rule)) {
        if !verbs.contains(&verb) {
            verbs.push(verb);
        }
    }
    verbs.extend(constraints.requirements().next().map(|_| "unrequire"));
    let mut passes = snapshot.passes.iter();
    let any_skipped = constraints.skipped_count() > 0
        || passes.any(|pass| matches!(pass.state, PassState::Skipped));
    verbs.extend(any_skipped.then_some("unskip"));
    verbs
}

/// Whether a constraint has an effect that the user chose. What a message mentions is no choice, and a lock or a hint on what is gone has no
/// effect.
fn is_listed(constraint: &Arc<Constraint>, version: &Version) -> bool {
    let needs_subject = constraint.rule.is_hint() || constraint.rule == ConstraintRule::Lock;
    let is_left = || {
        let mut documents = version.documents().iter();
        documents.any(|document| constraint.lines_in(&document.root).is_some())
    };
    constraint.rule != ConstraintRule::Mention && (!needs_subject || is_left())
}

/// All that is in force: what is tried alone or first, then what stays, then where the run stops and what it leaves out or moves.
pub fn list_steering(snapshot: &RunSnapshot, glyphs: &ScreenGlyphs) -> Vec<SteeringItem> {
    let constraints = &snapshot.constraints;
    let mut items: Vec<SteeringItem> = Vec::new();
    for keeps in [false, true] {
        let listed = constraints
            .iter()
            .filter(|one| is_listed(one, &snapshot.version));
        let mut known: Vec<Vec<Arc<Constraint>>> = Vec::new();
        for constraint in listed.filter(|one| one.rule.is_pin() == keeps) {
            let is_same = |parts: &&mut Vec<Arc<Constraint>>| {
                parts[0].rule.command_name() == constraint.rule.command_name()
                    && parts[0].name == constraint.name
            };
            match known.iter_mut().find(is_same) {
                // In a pair the twins have a constraint of their own, which goes with the first.
                Some(_) if snapshot.version.twins().is_some() => {}
                Some(parts) => parts.push(constraint.clone()),
                None => known.push(vec![constraint.clone()]),
            }
        }
        items.extend(
            known
                .into_iter()
                .map(|parts| constraint_item(snapshot, parts, glyphs)),
        );
    }
    let item = |mark, role, text: String, subject| SteeringItem {
        mark,
        role,
        text,
        subject,
    };
    items.extend(constraints.requirements().map(|required| {
        let text = format!("require {}", required.query);
        let subject = SteeringSubject::Requirement(required.query.clone());
        item(glyphs.pinned, Role::Pinned, text, subject)
    }));
    items.extend(snapshot.breakpoints.iter().map(|condition| {
        let text = format!("break {condition}");
        let subject = SteeringSubject::Breakpoint(condition.clone());
        item(glyphs.breakpoint, Role::Paused, text, subject)
    }));
    items.extend(snapshot.switched_off.iter().map(|pass| {
        let subject = SteeringSubject::SwitchedOff(pass);
        item(glyphs.invalid, Role::Note, format!("{pass} off"), subject)
    }));
    items.extend(snapshot.reordered.iter().map(|passes| {
        let text = format!("order {}", passes.moved.join(", "));
        let subject = SteeringSubject::Order(passes.clone());
        item(glyphs.only, Role::Note, text, subject)
    }));
    if constraints.skipped_count() > 0 {
        let names: Vec<String> = constraints
            .skipped_names()
            .into_iter()
            .map(|name| show_words(name, glyphs))
            .collect();
        let text = match &names[..] {
            [name] => format!("skip {name}"),
            names => format!("{} skipped: {}", names.len(), names.join(", ")),
        };
        let subject = SteeringSubject::Skipped;
        items.push(item(glyphs.invalid, Role::Note, text, subject));
    }
    items
}

fn constraint_item(
    snapshot: &RunSnapshot,
    parts: Vec<Arc<Constraint>>,
    glyphs: &ScreenGlyphs,
) -> SteeringItem {
    let constraint = &parts[0];
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
        true => {
            let tokens = parts.iter().map(|part| part.tokens.len());
            format!("{verb} {name} ({})", tokens.sum::<usize>())
        }
        false => format!("{verb} {name}"),
    };
    SteeringItem {
        mark,
        role,
        text,
        subject: SteeringSubject::Constraints(parts),
    }
}
