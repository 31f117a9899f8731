//! Levels by brackets, without a grammar, as in McPeak, Wilkerson and Goldsmith's `delta` (2003): `topformflat` puts everything that is
//! nested deeper than n on one line, and `multidelta` minimises the lines for n = 0, 1, 2, …

use crate::display::format_count;
use crate::pass::shared::unit_list::{UnitList, UnitListPass, UnitSource, delete_each, leaf_unit};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{ActionUnit, NodeId, NodeShape, View, walk};

/// Levels by brackets.
pub static LEVELS: PassKind = PassKind {
    name: "levels",
    description: "the list minimiser over what ends inside at most 0, 1, 2, … brackets, without a grammar (topformflat and multidelta of delta, 2003)",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Skip,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| Box::new(UnitListPass::new(&LEVEL_LISTS, options)),
};

/// The runs of tokens that end inside at most n brackets, for n from 0 to the deepest.
static LEVEL_LISTS: UnitSource = UnitSource {
    name: LEVELS.name,
    next_units: bracket_level_units,
    delete_nodes: delete_each,
    max_failures: None,
    try_all_first: false,
};

fn bracket_level_units(view: &View, level: u32) -> Option<UnitList> {
    let (mut forms, mut deepest) = (Vec::new(), 0);
    for document in view.documents() {
        let (mut depth, mut form) = (0u32, Vec::<NodeId>::new());
        let mut directive = false;
        for leaf in walk::iter_leaves(&document.root).filter(|leaf| leaf.shape != NodeShape::End) {
            let starts = document
                .language
                .zip(leaf.class)
                .is_some_and(|(language, class)| language.starts_line(class));
            let ends = directive && leaf.trivia().contains(&b'\n');
            // A directive is a line of its own on every level.
            if (starts || ends) && !form.is_empty() {
                forms.push(std::mem::take(&mut form));
            }
            directive = starts || directive && !ends;
            form.push(leaf.id);
            match leaf.text() {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            deepest = deepest.max(depth);
            let stop = matches!(leaf.text(), b";" | b"{" | b"}");
            if stop && depth <= level {
                forms.push(std::mem::take(&mut form));
            }
        }
        if !form.is_empty() {
            forms.push(form);
        }
    }
    (level <= deepest).then(|| UnitList {
        units: forms.into_iter().map(leaf_unit).collect(),
        what: ActionUnit::qualified(
            "stretch",
            format_args!("inside {}", format_count(level.into(), "bracket")),
        ),
        next: level + 1,
    })
}
