//! Tokens that the rule of their node requires, where another rule of the grammar derives what is left (`program/spare_token.rs`): the comma
//! in `{ a, }`, the name in `f(char *s)`.
//!
//! A grammar may say the same with several rules, so the normal form, which follows the one that the parser took, does not make these tokens
//! optional. No other pass over the tree asks about them.

use crate::pass::passes::heaviest_passes;
use crate::pass::shared::place_questions::{
    FoundQuestion, PlacePass, PlaceQuestion, QuestionPlace,
};
use crate::pass::shared::removable::deletion_edit;
use crate::pass::shared::text_sweep::MOST_SWEPT_TOKENS;
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{EditAction, EditReason, View, is_spare_token, quote_text, walk};

/// Tokens that another rule does without.
pub static SPARE_TOKENS: PassKind = PassKind {
    name: "spare tokens",
    description: "removes each token that its rule requires where another rule of the grammar derives what is left",
    repeat: RepeatPolicy::BackTo(heaviest_passes::HEAVIEST.name),
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, _| Box::new(PlacePass::over_names(next_question)),
};

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    let version = &view.version;
    // A layout that is kept is that of whole nodes.
    if version.token_count() > MOST_SWEPT_TOKENS || version.keeps_layout() {
        return None;
    }
    let documents = view.documents().iter();
    let leaves: Vec<_> = documents
        .flat_map(|document| walk::iter_leaves(&document.root))
        .collect();
    from.find_question(|place, candidate| {
        let Some(leaf) = leaves.get(place) else {
            return PlaceQuestion::End;
        };
        let path = version.path_to(leaf.id).filter(|_| candidate == 0);
        let is_spare = path.is_some_and(|path| is_spare_token(version, &path));
        if !is_spare {
            return PlaceQuestion::NextPlace;
        }
        let token = quote_text(&String::from_utf8_lossy(leaf.text()));
        let question = format!("Can {token} go? another rule of the grammar does without it");
        let why = EditReason {
            pass: SPARE_TOKENS.name,
            action: EditAction::Question(question.into()),
            node: Some(leaf.id),
        };
        PlaceQuestion::Candidate(deletion_edit(version, &[leaf.id]), why)
    })
}
