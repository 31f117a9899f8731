//! Stretches of tokens go without which the brackets of the program still balance: both brackets of a pair, a pair with all between them, what stands between
//! two of `;`, `{` and `}`, and windows of 2 to 8 tokens. `f(int){ } g() { f(0); }` becomes `f(int){ f(0); }` without the window `} g ( ) {`.

use crate::pass::shared::text_sweep::{CutShape, MOST_SWEPT_TOKENS, TextFamily, TextSweep};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};

/// Windows.
pub static WINDOWS: PassKind = PassKind {
    name: "windows",
    description: "removes brackets, what stands between `;`, `{` and `}`, and 2 to 8 tokens in a row, whatever the tree says",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::EnforceUnlessMisread,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| Box::new(TextSweep::new(&FAMILY, options)),
};

static FAMILY: TextFamily = TextFamily {
    name: WINDOWS.name,
    shapes: &[
        CutShape::SegmentWithBraces,
        CutShape::Segment,
        CutShape::Group,
        CutShape::Pair,
        CutShape::Joint,
        CutShape::Window(4),
        CutShape::Window(3),
        CutShape::Window(2),
    ],
    paid_shapes: &[],
    hard_shapes: &[
        CutShape::Window(5),
        CutShape::Window(6),
        CutShape::Window(7),
        CutShape::Window(8),
    ],
    most_tokens: MOST_SWEPT_TOKENS,
};
