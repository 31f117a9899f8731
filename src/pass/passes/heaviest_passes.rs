//! The passes that try the heaviest node first (`heaviest.rs`), and their differences: the declarations of a file, the main loop with the
//! parse check and without, and the certificate.

use super::heaviest::{HeaviestConfig, HeaviestPass, HeaviestScope};
use crate::minimize;
use crate::pass::filters::FilterKind;
use crate::pass::filters::dangling_uses::DANGLING_USES;
use crate::pass::filters::dependents::DEPENDENTS;
use crate::pass::filters::failure_memory::FAILURE_MEMORY;
use crate::pass::filters::gc::GARBAGE_COLLECTION;
use crate::pass::filters::imported_names::IMPORTED_NAMES;
use crate::pass::shared::replacements::ReplacementSearch;
use crate::pass::shared::similar_edits::GroupingConfig;
use crate::pass::{PairScope, Pass, PassKind, PassOptions, RepeatPolicy, SyntaxCheck};
use crate::program::View;

/// The declarations of a file.
pub static TOP_LEVEL: PassKind = PassKind {
    name: "top level",
    description: "removes declarations of the file, in halves and smaller parts, from the back to the front",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[&DEPENDENTS, &IMPORTED_NAMES, &GARBAGE_COLLECTION],
    start: |view, _| {
        let config = HeaviestConfig {
            name: TOP_LEVEL.name,
            scope: HeaviestScope::TopLevel,
            // Most of what the dependency closure allows can be removed, so it pays to begin with half of a list.
            long_list_minimizer: Some(minimize::start_complements),
            retry_near_accepted: false,
            search: ReplacementSearch::Outermost,
            grouping: GroupingConfig::NONE,
            patience: Some(8),
        };
        Box::new(HeaviestPass::new(view, config))
    },
};

/// The filters around the main loop.
static MAIN_LOOP_FILTERS: &[&FilterKind] = &[
    &DEPENDENTS,
    &DANGLING_USES,
    &IMPORTED_NAMES,
    &FAILURE_MEMORY,
    &GARBAGE_COLLECTION,
];

/// The main loop.
pub static HEAVIEST: PassKind = PassKind {
    name: "heaviest first",
    description: "the heaviest node first, as in Perses, without candidates that the names rule out",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: MAIN_LOOP_FILTERS,
    start: |view, options| start_main_loop(HEAVIEST.name, view, options),
};

/// The main loop without the parse check. It runs only if something was rejected. What the tree allows is valid by the rules of the
/// grammar, but a parser that recovers from errors may still misread it: grammars made for editors misread some correct programs, and then
/// a whole file at once. The verdicts of the main loop are known, so until something is accepted only what was rejected is tested.
pub static UNCONFIRMED: PassKind = PassKind {
    name: "unconfirmed",
    description: "if the parse check rejected anything, the main loop once more without it: a parser may misread correct programs",
    repeat: RepeatPolicy::BackTo(HEAVIEST.name),
    syntax_check: SyntaxCheck::SkipAfter(HEAVIEST.name),
    pair_scope: PairScope::Seed,
    filters: MAIN_LOOP_FILTERS,
    start: |view, options| start_main_loop(UNCONFIRMED.name, view, options),
};

fn start_main_loop(name: &'static str, view: &View, options: &PassOptions) -> Box<dyn Pass> {
    let config = HeaviestConfig {
        name,
        scope: HeaviestScope::All,
        long_list_minimizer: Some(options.minimizer.start),
        retry_near_accepted: true,
        search: ReplacementSearch::Outermost,
        grouping: options.grouping_config(),
        patience: None,
    };
    Box::new(HeaviestPass::new(view, config))
}

/// The certificate.
pub static CERTIFICATE: PassKind = PassKind {
    name: "certificate",
    description: "tries every single edit once more, whatever the names and the parser say: what is left is 1-tree-minimal",
    repeat: RepeatPolicy::BackTo(HEAVIEST.name),
    syntax_check: SyntaxCheck::Skip,
    pair_scope: PairScope::Seed,
    filters: &[&GARBAGE_COLLECTION],
    start: |view, _| {
        let config = HeaviestConfig {
            name: CERTIFICATE.name,
            scope: HeaviestScope::All,
            long_list_minimizer: None,
            retry_near_accepted: false,
            search: ReplacementSearch::All,
            grouping: GroupingConfig::NONE,
            patience: None,
        };
        Box::new(HeaviestPass::new(view, config))
    },
};
