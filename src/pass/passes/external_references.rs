//! What the last declarations of a large program name outside of themselves becomes the simplest type or value.
//!
//! After *last first* hardly anything can go at the end of the program, but a type of a parameter that the bug does not need, such as
//! `std::string`, keeps a library alive. So each such type becomes the simplest one of the language, in all its places, and each expression
//! around such a name the simplest value. Literals that are no such value, such as strings, come first: `int n = "a"` would be wrong. Then
//! *needed* asks for less. There is no paper on it.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::display::format_count;
use crate::language::Language;
use crate::pass::PassKind;
use crate::pass::passes::coupled::coupled_pass;
use crate::pass::shared::declaration_units::DeclarationUnits;
use crate::pass::shared::last_declarations::{is_large_program, last_units};
use crate::pass::shared::name_substitution::token_leaves;
use crate::pass::shared::place_questions::{FoundQuestion, PlacePass, QuestionPlace};
use crate::pass::shared::short_names::replace_text;
use crate::pass::shared::simplest_text::find_for_kind;
use crate::pass::shared::unit_questions::UnitQuestions;
use crate::program::names::NameRole;
use crate::program::{
    Edit, EditAction, EditReason, NodePath, ProgramNode, QuestionWords, View, quote_text,
    text_excerpt, walk,
};

/// What the last declarations name outside of themselves.
pub static EXTERNAL_REFERENCES: PassKind = coupled_pass(
    "external references",
    "in a large program: types and expressions of the last declarations that name others become the simplest type or value",
    |_, _| {
        let source = UnitQuestions::new(is_large_program, next_question);
        let pass = PlacePass::over_source(source).rereading();
        Box::new(pass.with_patience(MAX_FAILURES))
    },
);

/// After this number of failures in a row the pass ends.
const MAX_FAILURES: u32 = 12;

/// How many nodes around a name are tried as values, the smallest first.
const VALUES_AROUND: usize = 3;

fn next_question(
    view: &View,
    units: &DeclarationUnits,
    from: QuestionPlace,
) -> Option<FoundQuestion> {
    let places = ReferencePlaces::find(units).into_list();
    from.find_among(view, &places, |candidates| {
        candidates.iter().map(ReplacedNodes::to_question)
    })
}

/// Nodes in whose places one token stands in a candidate.
struct ReplacedNodes<'a> {
    nodes: Vec<&'a Arc<ProgramNode>>,
    text: &'static str,
    /// Whether they differ from each other.
    differ: bool,
}

impl<'a> ReplacedNodes<'a> {
    /// All of these at once, if they are several.
    fn several(
        nodes: Vec<&'a Arc<ProgramNode>>,
        text: &'static str,
        differ: bool,
    ) -> Option<ReplacedNodes<'a>> {
        let replaced = ReplacedNodes {
            nodes,
            text,
            differ,
        };
        (replaced.nodes.len() > 1).then_some(replaced)
    }

    fn to_question(&self) -> (Edit, EditReason) {
        let text = self.text.as_bytes();
        let edit = self.nodes.iter().map(|node| replace_text(node.id, text));
        let first = text_excerpt(self.nodes[0], 40);
        let words = match (self.nodes.len() as u64, self.differ) {
            (1, _) => QuestionWords::ask_change(&first, self.text),
            (many, false) => QuestionWords::ask_change(&first, self.text)
                .because(format!("in {}", format_count(many, "place"))),
            (many, true) => {
                let (literals, new) = (format_count(many, "literal"), quote_text(self.text));
                QuestionWords::ask(format!("Can {literals} become {new}?")).listing_removed()
            }
        };
        let why = EditReason {
            pass: EXTERNAL_REFERENCES.name,
            action: EditAction::Question(words),
            node: Some(self.nodes[0].id),
        };
        (edit.collect(), why)
    }
}

/// A node, and the token that can stand in its place.
type SimplerNode<'a> = (&'a Arc<ProgramNode>, &'static str);

/// The places of the last declarations that are asked about, the last declaration first.
#[derive(Default)]
struct ReferencePlaces<'a> {
    /// Literals in whose place a simpler value can stand.
    literals: Vec<SimplerNode<'a>>,
    /// The largest types around names of other declarations.
    types: Vec<SimplerNode<'a>>,
    /// For each such name the smallest expressions around it.
    values: Vec<Vec<SimplerNode<'a>>>,
}

impl<'a> ReferencePlaces<'a> {
    fn find(units: &'a DeclarationUnits) -> ReferencePlaces<'a> {
        let version = &units.version;
        let roots = last_units(units);
        let names = version.name_graph();
        let is_external = |leaf: &ProgramNode| {
            names.leaf_occurrences(leaf).any(|fact| {
                let meant = units.meant_by(fact.symbol);
                fact.role == NameRole::Uses
                    && !meant.is_empty()
                    && !meant.iter().any(|unit| roots.contains(unit))
            })
        };
        let mut last: Vec<usize> = roots.iter().copied().collect();
        last.sort_unstable();
        let mut places = ReferencePlaces::default();
        for unit in last.into_iter().rev() {
            for leaf in walk::iter_leaves(&units.units[unit].node) {
                let Some(path) = version.path_to(leaf.id) else {
                    continue;
                };
                let Some(language) = version.documents()[path.document].language else {
                    continue;
                };
                places.add_literal(language, leaf);
                if is_external(leaf) {
                    places.add_reference(language, &path);
                }
            }
        }
        places
    }

    /// Adds a literal that is no simplest value, and of which no such value is a simpler text.
    fn add_literal(&mut self, language: &'static Language, leaf: &'a Arc<ProgramNode>) {
        let rule = leaf
            .class
            .and_then(|class| Some((class, language.literal_texts(class)?)));
        let Some((class, rule)) = rule else { return };
        let value = find_for_kind(language, class, |class| language.simplest_value(class));
        let is_simple = |value: &str| {
            rule.simple
                .iter()
                .any(|simple| **simple == *value.as_bytes())
        };
        if let Some(value) = value.filter(|value| !is_simple(value)) {
            self.literals.push((leaf, value));
        }
    }

    /// Adds what stands around a name of another declaration: the largest type and the smallest values.
    fn add_reference(&mut self, language: &'static Language, path: &NodePath<'a>) {
        let around = || path.nodes.iter().rev().copied();
        let of_kind = |node: &'a Arc<ProgramNode>, is_type: bool| {
            let class = node.class?;
            // What can be a value is no type, though a grammar may choose between the two, as between the tokens of a macro.
            if is_type && language.simplest_value(class).is_some() {
                return None;
            }
            let text = find_for_kind(language, class, |class| match is_type {
                true => language.simplest_type(class),
                false => language.simplest_value(class),
            })?;
            Some((node, text))
        };
        let types = around().map_while(|node| of_kind(node, true));
        self.types.extend(types.last());
        let values = around().filter_map(|node| of_kind(node, false));
        self.values.push(values.take(VALUES_AROUND).collect());
    }

    /// What is asked, with the candidates of each place: literals together and one by one, types in all places and one by one, values. What a yes
    /// removes stands mostly behind its place.
    fn into_list(self) -> Vec<Vec<ReplacedNodes<'a>>> {
        let mut list: Vec<Vec<ReplacedNodes>> = Vec::new();
        for (at, literal) in self.literals.iter().enumerate() {
            let all = self.literals.iter().map(|(node, _)| *node).collect();
            let all = (at == 0).then(|| ReplacedNodes::several(all, literal.1, true));
            list.push(all.into_iter().flatten().chain([single(literal)]).collect());
        }
        let mut seen = FxHashSet::default();
        let mut types = self.types;
        types.retain(|(node, _)| seen.insert(node.id));
        for (at, (node, text)) in types.iter().enumerate() {
            let same = types.iter().map(|(node, _)| *node);
            let same: Vec<_> = same.filter(|other| have_same_tokens(node, other)).collect();
            let is_first = same[0].id == node.id;
            let all = is_first.then(|| ReplacedNodes::several(same, text, false));
            let one = single(&types[at]);
            list.push(all.into_iter().flatten().chain([one]).collect());
        }
        let mut seen = FxHashSet::default();
        for values in &self.values {
            let new = values.iter().filter(|(node, _)| seen.insert(node.id));
            list.push(new.map(single).collect());
        }
        list
    }
}

fn single<'a>(&(node, text): &SimplerNode<'a>) -> ReplacedNodes<'a> {
    ReplacedNodes {
        nodes: vec![node],
        text,
        differ: false,
    }
}

fn have_same_tokens(one: &Arc<ProgramNode>, other: &Arc<ProgramNode>) -> bool {
    let [one, other] = [one, other].map(|node| token_leaves(node).map(|leaf| leaf.text()));
    one.eq(other)
}
