//! Each token by itself goes, but for brackets that others would miss. In a language whose parser misreads much of what compilers accept
//! (`text_unguarded`), the parser is not asked: in C `x;` declares a variable, and `f() { }` a function.

use crate::pass::shared::text_sweep::{CutShape, MOST_SWEPT_TOKENS, TextFamily, TextSweep};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};

/// Single tokens.
pub static SINGLE_TOKENS: PassKind = PassKind {
    name: "single-tokens",
    description: "removes each token by itself, whatever the tree says",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::EnforceUnlessMisread,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| Box::new(TextSweep::new(&FAMILY, options)),
};

static FAMILY: TextFamily = TextFamily {
    name: SINGLE_TOKENS.name,
    shapes: &[CutShape::Window(1)],
    paid_shapes: &[],
    hard_shapes: &[],
    most_tokens: MOST_SWEPT_TOKENS,
};
