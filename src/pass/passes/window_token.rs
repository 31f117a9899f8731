//! Two or three tokens in a row become one: one that many languages take in many places, and where that pays, a
//! token of the program, one of each kind. The brackets of the window
//! balance, and the parser finds no new error in what is left: most candidates are nonsense, and this leaves out most of those.

use crate::pass::shared::text_sweep::{CutShape, TextFamily, TextSweep};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};

/// Windows that become a token.
pub static WINDOW_TOKEN: PassKind = PassKind {
    name: "window-token",
    description: "puts one token in the place of 2 or 3 whose brackets balance, wherever the parser finds no new error",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| Box::new(TextSweep::new(&FAMILY, options)),
};

static FAMILY: TextFamily = TextFamily {
    name: WINDOW_TOKEN.name,
    shapes: &[CutShape::UsualToken(3), CutShape::UsualToken(2)],
    paid_shapes: &[CutShape::OwnToken(3), CutShape::OwnToken(2)],
    hard_shapes: &[],
    most_tokens: 60,
};
