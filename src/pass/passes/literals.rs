//! Literals become the simplest of their kind (`[literals]` in `language.toml`): numbers 0 or 1, strings empty; and words and signs
//! become shorter ones that mean less, such as `=` for `+=` (`[shorter_tokens]`). All at once, each text in all of
//! its places, else in halves; then the next text for those that are left; at last each place by itself. T-Rec (TOSEM) has this step: at most
//! two texts of a kind, in shortlex order.

use std::sync::Arc;

use crate::display::format_count;
use crate::pass::shared::halving::{ChangeSection, ChangeSource, HalvingPass};
use crate::pass::shared::literal_places::{
    LiteralPlaces, describe_literal, literal_excerpt, write_literal,
};
use crate::pass::{PairScope, PassKind, PassOptions, RepeatPolicy, SyntaxCheck};
use crate::program::{
    AppliedEdit, Edit, EditAction, EditReason, NodeId, QuestionWords, View, list_changes,
};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// Simple literals.
pub static LITERALS: PassKind = PassKind {
    name: "literals",
    description: "replaces numbers by 0 or 1, strings by empty ones, `+=` by `=`: all at once, else halves of them (T-Rec)",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| Box::new(LiteralPass::new(options)),
};

/// A literal in some places, and what it becomes.
#[derive(Debug)]
struct NewLiteral {
    old: Arc<[u8]>,
    new: &'static [u8],
    leaves: Vec<NodeId>,
}

/// What is tried, one after the other.
static STEPS: [ChangeSource<NewLiteral>; 4] = [
    by_text(list_by_text::<0>),
    by_text(list_by_text::<1>),
    by_text(list_by_text::<2>),
    by_text(list_by_place),
];

const fn by_text(
    list_changes: fn(&View) -> Vec<ChangeSection<NewLiteral>>,
) -> ChangeSource<NewLiteral> {
    ChangeSource {
        list_changes,
        make_edit: replace_all,
    }
}

/// The pass: one step after the other.
#[derive(Clone)]
struct LiteralPass {
    options: PassOptions,
    step: usize,
    running: HalvingPass<NewLiteral>,
}

impl LiteralPass {
    fn new(options: &PassOptions) -> LiteralPass {
        LiteralPass {
            options: *options,
            step: 0,
            running: HalvingPass::new(&STEPS[0], options),
        }
    }
}

impl Proposer for LiteralPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        loop {
            let step = self.running.propose(view);
            let Some(next) = STEPS.get(self.step + 1) else {
                return step;
            };
            if step != ProposerStep::Done {
                return step;
            }
            self.step += 1;
            self.running = HalvingPass::new(next, &self.options);
        }
    }

    fn on_verdict(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        self.running.on_verdict(view, tested, feedback);
    }

    fn on_accept(&mut self, view: &View, change: &AppliedEdit) {
        self.running.on_accept(view, change);
    }

    fn invalidate(&mut self, _: &View) {
        *self = LiteralPass::new(&self.options);
    }
}

/// Each text in all of its places, by the text of this number of its kind. What an earlier step replaced is no literal before the program is
/// read again.
fn list_by_text<const STEP: usize>(view: &View) -> Vec<ChangeSection<NewLiteral>> {
    let literals = LiteralPlaces::list_all(view).into_iter();
    let changes = literals.filter_map(|literal| {
        let new = simpler_text(&literal, STEP)?;
        Some(NewLiteral {
            old: literal.text,
            new,
            leaves: literal.leaves,
        })
    });
    vec![ChangeSection::likely(changes.collect())]
}

/// Each place by itself of what stands in several.
fn list_by_place(view: &View) -> Vec<ChangeSection<NewLiteral>> {
    let literals = LiteralPlaces::list_all(view).into_iter();
    let several = literals.filter(|literal| literal.leaves.len() > 1);
    let changes = several.filter_map(|literal| {
        let new = simpler_text(&literal, 0)?;
        let single = move |leaf| NewLiteral {
            old: literal.text.clone(),
            new,
            leaves: vec![leaf],
        };
        Some(literal.leaves.into_iter().map(single))
    });
    vec![ChangeSection::likely(changes.flatten().collect())]
}

/// The text of this number, if the literal is longer and no such text itself.
fn simpler_text(literal: &LiteralPlaces, number: usize) -> Option<&'static [u8]> {
    let simple = literal.rule.simple.get(number)?;
    (simple.len() < literal.text.len() && !literal.is_simple()).then_some(simple)
}

fn replace_all(_: &View, changes: &[NewLiteral]) -> Option<(Edit, EditReason)> {
    let first = changes.first()?;
    let mut edit = Edit::default();
    for change in changes {
        edit.ops
            .extend(write_literal(&change.leaves, change.new).ops);
    }
    let words = match changes.len() {
        1 => describe_literal(&first.old, first.new, first.leaves.len()),
        count => {
            let all = changes
                .iter()
                .map(|change| (literal_excerpt(&change.old), literal_excerpt(change.new)));
            let literals = format_count(count as u64, "literal");
            QuestionWords::ask(format!("Can {literals} become simpler?"))
                .in_short(format!("{literals} → simpler"))
                .because(list_changes(all))
        }
    };
    let why = EditReason {
        pass: LITERALS.name,
        action: EditAction::Question(words),
        node: first.leaves.first().copied(),
    };
    Some((edit, why))
}
