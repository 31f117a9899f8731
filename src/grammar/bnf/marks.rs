//! The marks of a grammar's text: which there are, and where they may stand.

use super::super::marks::GrammarMarks;
use super::super::{NodeClass, RuleId};
use super::components;
use super::empty;
use super::recursion;
use super::rules::{BnfRules, SymbolId};

/// A mark and where it stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlacedMark {
    pub name: String,
    pub at: usize,
}

/// The marks of a rule as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenMarks {
    /// Of all its nodes.
    pub(super) whole: Vec<PlacedMark>,
    /// Of symbols in it.
    pub(super) parts: Vec<(SymbolId, PlacedMark)>,
}

/// What a grammar says of the texts of names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameSettings {
    /// `%same-name leading`: what may stand before a name without making it another.
    pub leading: Vec<Vec<u8>>,
    /// `%same-name trailing`: what may stand behind it.
    pub trailing: Vec<Vec<u8>>,
    /// `%entry`: names of declarations that nothing needs to use.
    pub entries: Vec<String>,
}

/// What can be declared.
const KINDS: &[&str] = &[
    "function",
    "var",
    "param",
    "type",
    "struct",
    "enumerator",
    "field",
    "label",
    "member",
    "import",
    "binding",
    "outer",
];

/// Marks of all nodes of a rule, besides `def.KIND`.
const RULE_MARKS: &[&str] = &["scope", "scope.body", "scope.open", "return"];

/// Marks of a part, besides `def.KIND.name`, `def.KIND.name.used` and `def.KIND.body`.
const PART_MARKS: &[&str] = &[
    "def.name",
    "ref",
    "ref.struct",
    "ref.field",
    "ref.label",
    "ref.outside",
    "ref.bare",
    "ref.any",
    "ref.member",
    "ref.owner",
    "ref.member.owner",
    "call.callee",
    "call.args",
    "call.params",
    "call.params.self",
];

/// Whether a directive behind a rule is a mark of the rule, and not the next statement.
pub(super) fn is_rule_mark(name: &str) -> bool {
    RULE_MARKS.contains(&name) || name.starts_with("def.")
}

/// The fault of a mark of a rule.
pub(super) fn find_rule_mark_fault(name: &str) -> Option<String> {
    let kind = name.strip_prefix("def.");
    let known = RULE_MARKS.contains(&name) || kind.is_some_and(|kind| KINDS.contains(&kind));
    (!known).then(|| {
        format!(
            "there is no mark %{name}; a rule has %def.KIND, %{}, where KIND is {}",
            RULE_MARKS.join(", %"),
            KINDS.join(", ")
        )
    })
}

/// The fault of a mark of a part.
pub(super) fn find_part_mark_fault(name: &str) -> Option<String> {
    let mut words = name.splitn(3, '.');
    let declares = words.next() == Some("def")
        && words.next().is_some_and(|kind| KINDS.contains(&kind))
        && matches!(words.next(), Some("name" | "name.used" | "body"));
    (!declares && !PART_MARKS.contains(&name)).then(|| {
        format!(
            "there is no mark @{name}; a part has @def.KIND.name, @def.KIND.body, @{}, where KIND is {}",
            PART_MARKS.join(", @"),
            KINDS.join(", ")
        )
    })
}

/// The first rule with marks that the normal form takes apart, because several rules are recursive through each other at an end.
pub(super) fn find_divided_rule(
    rules: &BnfRules,
    marks: &[WrittenMarks],
    most: usize,
) -> Option<usize> {
    let marked = |&rule: &usize| {
        marks
            .get(rule)
            .is_some_and(|marks| *marks != WrittenMarks::default())
    };
    if marks.iter().all(|marks| *marks == WrittenMarks::default()) {
        return None;
    }
    let rules = empty::remove_empty_rules(rules, most)?;
    let reachable: Vec<usize> = rules.reachable_rules().into_iter().collect();
    recursion::both_ways(&rules).iter().find_map(|rules| {
        let edges = |rule: usize| recursion::leftmost_rules(&rules.bodies[rule]);
        let components = components::strongly_connected_components(&reachable, edges);
        let divided = components
            .into_iter()
            .filter(|component| component.len() > 1);
        divided.flatten().find(marked)
    })
}

/// The marks by the numbers that rules and tokens have in the grammar in normal form.
pub(super) fn lower_marks(
    marks: &[WrittenMarks],
    order: &[usize],
    class_of: impl Fn(SymbolId) -> NodeClass,
) -> GrammarMarks {
    let mut lowered = GrammarMarks::for_rules(order.len());
    for (id, &rule) in (0..).map(RuleId).zip(order) {
        let Some(marks) = marks.get(rule) else {
            continue;
        };
        for mark in &marks.whole {
            lowered.add_mark(id, None, &mark.name);
        }
        for (part, mark) in &marks.parts {
            lowered.add_mark(id, Some(class_of(*part)), &mark.name);
        }
    }
    lowered
}
