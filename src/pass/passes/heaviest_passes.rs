//! The passes that take the heaviest node first (`heaviest.rs`), and what tells one from another: the declarations of a file, the main
//! loop with the parser's word and without, and the certificate.

use super::heaviest::HeaviestPass;
use crate::minimize::{self, MinimizerStart};
use crate::pass::shared::similar_edits::GroupingConfig;
use crate::pass::{Pass, PassKind, PassOptions, RepeatPolicy, SyntaxCheck};
use crate::program::View;

/// The declarations of a file.
pub static TOP: PassKind = PassKind {
    name: "top level",
    description: "takes out declarations of the file, in halves and smaller parts, from the back to the front",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    start: |view, options| {
        let manner = HeaviestConfig {
            name: TOP.name,
            scope: HeaviestScope::TopLevel,
            // Of what the closure filter lets through most may go, so it pays to begin with the half of a list.
            long_list_minimizer: Some(minimize::start_complements),
            retry_near_accepted: false,
            grouping: GroupingConfig::NONE,
        };
        options.with_garbage_collection(
            options.with_dependents_filter(Box::new(HeaviestPass::new(view, manner))),
        )
    },
};

/// The main loop.
pub static HEAVIEST: PassKind = PassKind {
    name: "heaviest first",
    description: "the heaviest node first, as Perses goes, but without questions that the names answer",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    start: |view, options| start_main_loop(HEAVIEST.name, view, options),
};

/// The main loop without the parser's word. Its turn comes only if something was refused. What the tree allows is a program by the
/// grammar's rules, and a parser that mends errors may still misread it: grammars made for editors do so with correct programs, all of a
/// file at once. The answers that the main loop got are known, so until something is taken only what was refused is tested.
pub static UNCONFIRMED: PassKind = PassKind {
    name: "unconfirmed",
    description: "if the parser refused anything, the main loop once more without its word: it may misread correct programs",
    repeat: RepeatPolicy::BackTo(HEAVIEST.name),
    syntax_check: SyntaxCheck::SkipAfter(HEAVIEST.name),
    start: |view, options| start_main_loop(UNCONFIRMED.name, view, options),
};

fn start_main_loop(name: &'static str, view: &View, options: &PassOptions) -> Box<dyn Pass> {
    let manner = HeaviestConfig {
        name,
        scope: HeaviestScope::All,
        long_list_minimizer: Some(options.minimizer.start),
        retry_near_accepted: true,
        grouping: options.grouping_config(),
    };
    let pass = Box::new(HeaviestPass::new(view, manner));
    options.with_garbage_collection(options.with_failure_memory(
        options.with_dangling_use_filter(options.with_dependents_filter(pass)),
    ))
}

/// The last word.
pub static CERTIFICATE: PassKind = PassKind {
    name: "certificate",
    description: "tries every single edit once more, whatever names and parser say: what is left is 1-tree-minimal",
    repeat: RepeatPolicy::BackTo(HEAVIEST.name),
    syntax_check: SyntaxCheck::Skip,
    start: |view, options| {
        let manner = HeaviestConfig {
            name: CERTIFICATE.name,
            scope: HeaviestScope::All,
            long_list_minimizer: None,
            retry_near_accepted: false,
            grouping: GroupingConfig::NONE,
        };
        options.with_garbage_collection(Box::new(HeaviestPass::new(view, manner)))
    },
};

/// Which nodes have their turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaviestScope {
    /// Only the lists that no other list is around: the declarations of a file.
    TopLevel,
    /// All.
    All,
}

/// How it goes.
#[derive(Clone, Copy, Debug)]
pub struct HeaviestConfig {
    /// The name of the pass.
    pub name: &'static str,
    /// How far down.
    pub scope: HeaviestScope,
    /// The minimiser of long lists; none to try their elements one by one.
    pub long_list_minimizer: Option<MinimizerStart>,
    /// Whether nodes near a take have their turn again at the end.
    pub retry_near_accepted: bool,
    /// How nodes that are alike are asked about together.
    pub grouping: GroupingConfig,
}
