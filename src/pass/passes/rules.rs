//! Rules with holes: what is of one form takes another one (Structure Form Conversion, OOPSLA 2025; Latra, ASE 2025; rules as data instead of
//! code).
//!
//! The rules are data of the languages (`[[rules]]` in `language.toml`) and of the run (`--rules`, the command `rule`). The user's come first, then
//! those that were accepted in this run most often, and of each the places where it saves most. Quick effort has the user's alone.

use std::cmp::Reverse;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::language::{Language, PatternElement, RewriteRule};
use crate::pass::passes::coupled::coupled_pass;
use crate::pass::shared::queued_places::{PlaceQueue, QueuePass, QueuedPlace};
use crate::pass::{Effort, PassKind};
use crate::program::rules::{RuleMatch, match_rule, rewrite_node};
use crate::program::{
    Edit, EditAction, EditReason, NodeId, NodePath, ProgramNode, Version, View, text_excerpt, walk,
};

/// Rules with holes.
pub static RULES: PassKind = coupled_pass(
    "rules",
    "applies the rules with holes of the language and of the user: what has one form takes another one",
    |view, options| Box::new(QueuePass::new(&RULE_PLACES, view, options)),
);

static RULE_PLACES: PlaceQueue = PlaceQueue {
    list: list_places,
    ask: ask_about_place,
};

/// Where rules match in the program: the rule, the node, and what the node becomes.
pub fn find_rule_places(view: &View, rule: &RewriteRule) -> Vec<(Edit, EditReason)> {
    let mut found = Vec::new();
    for document in view.documents() {
        let Some(language) = document.language else {
            continue;
        };
        for node in walk::preorder(&document.root).filter(|node| is_whole(node)) {
            if match_rule(&view.version, language, node, rule).is_some() {
                let path = view.version.path_to(node.id);
                found.extend(path.and_then(|path| apply_rule(view, &path, rule)));
                // Such a rule is about all of its places.
                if !rule.parts.is_empty() {
                    break;
                }
            }
        }
    }
    found
}

/// A place of a rule or of one of its parts, and what their holes hold there.
struct MatchedForm<'a> {
    node: &'a Arc<ProgramNode>,
    rule: &'a RewriteRule,
    found: RuleMatch<'a>,
}

impl MatchedForm<'_> {
    /// How many tokens the other side has more.
    fn growth(&self) -> i64 {
        i64::from(self.found.count_tokens(&self.rule.to)) - i64::from(self.node.sums().tokens)
    }
}

/// Where the edit of a rule changes a document: the node that it is about, or with parts all of their places.
fn find_forms<'a>(
    version: &'a Version,
    language: &'static Language,
    root: &'a Arc<ProgramNode>,
    node: &'a Arc<ProgramNode>,
    rule: &'a RewriteRule,
) -> Option<Vec<MatchedForm<'a>>> {
    if rule.parts.is_empty() {
        let found = match_rule(version, language, node, rule)?;
        return Some(vec![MatchedForm { node, rule, found }]);
    }
    find_places_of_parts(version, language, root, rule)
}

/// Where a rule with parts changes a document: the outermost places of the rule and its parts. None if one of them has no place.
fn find_places_of_parts<'a>(
    version: &'a Version,
    language: &'static Language,
    root: &'a Arc<ProgramNode>,
    rule: &'a RewriteRule,
) -> Option<Vec<MatchedForm<'a>>> {
    let all: Vec<&RewriteRule> = std::iter::once(rule).chain(&rule.parts).collect();
    let mut places: Vec<MatchedForm> = Vec::new();
    let mut inside: FxHashSet<NodeId> = FxHashSet::default();
    for node in walk::preorder(root).filter(|node| is_whole(node)) {
        if inside.contains(&node.id) {
            continue;
        }
        let mut found = all.iter().filter_map(|rule| {
            let found = match_rule(version, language, node, rule)?;
            Some(MatchedForm { node, rule, found })
        });
        if let Some(place) = found.next() {
            inside.extend(walk::preorder(node).map(|below| below.id));
            places.push(place);
        }
    }
    let has_place = |rule: &&RewriteRule| {
        let mut places = places.iter();
        places.any(|place| std::ptr::eq(place.rule, *rule))
    };
    all.iter().all(has_place).then_some(places)
}

/// The rules of a language by the token with which they begin; none for those that begin with a hole.
type RulesByStart<'a> = FxHashMap<Option<&'a [u8]>, Vec<(usize, bool, &'a Arc<RewriteRule>)>>;

fn rules_by_start<'a>(
    view: &'a View,
    language: &'static Language,
    effort: Effort,
) -> RulesByStart<'a> {
    let rules = view.rules.rules_for(language).enumerate();
    let mut by_start = RulesByStart::default();
    for (number, (is_own, rule)) in
        rules.filter(|(_, (is_own, _))| *is_own || effort != Effort::Quick)
    {
        let start = match rule.from.elements.first() {
            Some((PatternElement::Token(text), _)) => Some(&**text),
            _ => None,
        };
        by_start
            .entry(start)
            .or_default()
            .push((number, is_own, rule));
    }
    by_start
}

/// All places, in the order in which they are asked about.
fn list_places(view: &View, effort: Effort) -> Vec<QueuedPlace> {
    let mut ranked = Vec::new();
    for document in view.documents() {
        let Some(language) = document.language else {
            continue;
        };
        let by_start = rules_by_start(view, language, effort);
        if by_start.is_empty() {
            continue;
        }
        let mut with_parts: Vec<usize> = Vec::new();
        for node in walk::preorder(&document.root).filter(|node| is_whole(node)) {
            let start = walk::leaf_at(node, 0).map(|leaf| leaf.text());
            let rules = [start, None]
                .into_iter()
                .filter_map(|start| by_start.get(&start))
                .flatten();
            for &(number, is_own, rule) in rules {
                if with_parts.contains(&number) {
                    continue;
                }
                if !rule.parts.is_empty() {
                    if match_rule(&view.version, language, node, rule).is_none() {
                        continue;
                    }
                    // Its edit is the same from each of its places.
                    with_parts.push(number);
                }
                let Some(saved) = saved_tokens(view, language, &document.root, node, rule) else {
                    continue;
                };
                let rank = (
                    Reverse(is_own),
                    Reverse(view.rules.accepts_of(&rule.text.name)),
                    Reverse(saved),
                    number,
                    ranked.len(),
                );
                let number = number as u64;
                ranked.push((
                    rank,
                    QueuedPlace {
                        node: node.id,
                        number,
                    },
                ));
            }
        }
    }
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, place)| place).collect()
}

/// Whether a rule may be about a node: it is one of the grammar, and not only another node.
fn is_whole(node: &ProgramNode) -> bool {
    let is_other = matches!(node.children(), [only] if only.class.is_some());
    node.class.is_some() && !node.shape.is_leaf() && !is_other
}

/// How many tokens a rule saves at a node; none if it is not about it, or would make it larger.
fn saved_tokens(
    view: &View,
    language: &'static Language,
    root: &Arc<ProgramNode>,
    node: &Arc<ProgramNode>,
    rule: &RewriteRule,
) -> Option<u32> {
    let forms = find_forms(&view.version, language, root, node, rule)?;
    let growth: i64 = forms.iter().map(MatchedForm::growth).sum();
    u32::try_from(-growth).ok()
}

fn ask_about_place(view: &View, place: QueuedPlace) -> Option<(Edit, EditReason)> {
    let path = view.version.path_to(place.node)?;
    let language = view.version.documents()[path.document].language?;
    let mut rules = view.rules.rules_for(language);
    let (_, rule) = rules.nth(place.number as usize)?;
    apply_rule(view, &path, rule)
}

/// The edit that applies a rule to the node at the end of the path, and why; none if it is not about it.
fn apply_rule(view: &View, path: &NodePath, rule: &RewriteRule) -> Option<(Edit, EditReason)> {
    let version = &view.version;
    let language = version.documents()[path.document].language?;
    // There a blank before a new token may make text of it.
    let mut classes = path.nodes.iter().filter_map(|node| node.class);
    if classes.any(|class| language.is_template(class)) {
        return None;
    }
    let root = &version.documents()[path.document].root;
    let places = find_forms(version, language, root, path.node(), rule)?;
    let (mut ops, mut own) = (Vec::new(), None);
    for place in &places {
        let (edit, new) = rewrite_node(version, place.node, &place.found, &place.rule.to);
        ops.extend(edit.ops);
        if own.is_none() && std::ptr::eq(place.rule, rule) {
            own = Some((place.node, new));
        }
    }
    let (node, new) = own?;
    let edit = ops.into_iter().collect();
    let why = EditReason {
        pass: RULES.name,
        action: EditAction::Rule {
            name: rule.text.name.as_str().into(),
            old: text_excerpt(node, 40).into(),
            new: new.into(),
            others: places.len() as u32 - 1,
        },
        node: Some(node.id),
    };
    Some((edit, why))
}
