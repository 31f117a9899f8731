//! Two to four tokens in a row go, if their brackets balance and the parser finds no new error in what is left.
//!
//! What a window crosses are the borders of the tree: `union U { } ; union U g = { } ;` becomes `union U { } g = { } ;`. No deletion of a
//! node does that. Last, a token goes with half of the next one: in the arguments of a macro of Rust `f::<T<>>` becomes `f::<T>`.

use super::coupled::coupled_pass;
use crate::pass::PassKind;
use crate::pass::shared::text_sweep::{CutShape, MOST_SWEPT_TOKENS, TextFamily, TextSweep};

/// Balanced windows.
pub static BALANCED_WINDOWS: PassKind = coupled_pass(
    FAMILY.name,
    "removes 2 to 4 tokens in a row whose brackets balance, or a token and half of the next one, wherever the parser finds no new error",
    |_, options| Box::new(TextSweep::new(&FAMILY, options)),
);

static FAMILY: TextFamily = TextFamily {
    name: "balanced-windows",
    shapes: &[
        CutShape::Balanced(4),
        CutShape::Balanced(3),
        CutShape::Balanced(2),
        CutShape::Half,
    ],
    paid_shapes: &[],
    hard_shapes: &[],
    most_tokens: MOST_SWEPT_TOKENS,
};
