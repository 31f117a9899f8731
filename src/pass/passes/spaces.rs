//! White space becomes the least that keeps the tokens apart (`program/least_space.rs`): everywhere at once, else in halves of the places.

use crate::display::format_count;
use crate::pass::shared::halving::{ChangeSection, ChangeSource, HalvingPass};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{
    Edit, EditAction, EditOp, EditReason, QuestionWords, SpaceChange, View, find_spare_space,
};

/// Less white space.
pub static SPACES: PassKind = PassKind {
    name: "spaces",
    description: "leaves only the white space that keeps tokens apart: everywhere at once, else in halves of the places",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| Box::new(HalvingPass::new(&LESS_SPACE, options)),
};

static LESS_SPACE: ChangeSource<Vec<SpaceChange>> = ChangeSource {
    list_changes: |view| vec![ChangeSection::likely(find_spare_space(view))],
    make_edit: respace,
};

fn respace(_: &View, changes: &[Vec<SpaceChange>]) -> Option<(Edit, EditReason)> {
    let mut changes = changes.concat();
    changes.sort_unstable_by_key(|change| change.leaf);
    let places = format_count(changes.len() as u64, "place");
    let why = EditReason {
        pass: SPACES.name,
        action: EditAction::Question(
            QuestionWords::ask(format!("Can white space go in {places}?"))
                .in_short(format!("white space in {places}")),
        ),
        node: None,
    };
    Some((EditOp::Respace(changes.into()).into(), why))
}
