//! All goes but the slice of the line where it fails: of the function around it, of the functions of the file, of its classes (ReduKtor, ASE 2019, §III-E).
//!
//! Each level asks whether all can go at once that lies outside of the slice. After a no the list minimiser looks for the parts that can, from the back to the front. Where no
//! line is known, slices of the lines of the heaviest functions are asked about, the shortest first, and the first yes says which line it is.
//! What the names forbid is spared by the filters.

use std::iter;
use std::sync::Arc;

use crate::pass::filters::dependents::DEPENDENTS;
use crate::pass::filters::gc::GARBAGE_COLLECTION;
use crate::pass::shared::passed_edit::PassedEdit;
use crate::pass::shared::removable::removal_edit;
use crate::pass::shared::slicing::guesses::{GuessedSlice, guess_slices};
use crate::pass::shared::slicing::{Slice, SliceLevel, SlicePart, SliceTarget};
use crate::pass::shared::unit_minimizer::UnitMinimizer;
use crate::pass::{PairScope, PassKind, PassOptions, RepeatPolicy, SyntaxCheck};
use crate::program::{AppliedEdit, Edit, EditReason, Version, View};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// Slices of the line where it fails.
pub static SLICES: PassKind = PassKind {
    name: "slices",
    description: "removes all but the slice of the line where it fails: statements, functions, classes; without a line, of likely lines (ReduKtor, ASE 2019)",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[&DEPENDENTS, &GARBAGE_COLLECTION],
    start: |_, options| Box::new(SlicePass::new(options)),
};

/// The state of the pass.
#[derive(Clone)]
struct SlicePass {
    options: PassOptions,
    /// The line that was guessed and accepted.
    guessed: Option<SliceTarget>,
    stage: SliceStage,
}

/// What it asks about.
#[derive(Clone)]
enum SliceStage {
    /// Nothing yet.
    Start,
    /// Whether a guess is right.
    Guess {
        guesses: Arc<[GuessedSlice]>,
        at: usize,
        to_accept: PassedEdit,
    },
    /// This level is planned next; none at the end.
    Plan(Option<SliceLevel>),
    /// What lies outside of a slice.
    Minimize(Arc<Slice>, UnitMinimizer<SlicePart>),
}

impl SlicePass {
    fn new(options: &PassOptions) -> SlicePass {
        SlicePass {
            options: *options,
            guessed: None,
            stage: SliceStage::Start,
        }
    }

    /// The line that is known, else the one that was guessed.
    fn target(&self, view: &View) -> Option<SliceTarget> {
        let guessed = || self.guessed.as_ref()?.find_again(&view.version);
        SliceTarget::of_place(view).or_else(guessed)
    }

    /// The first stage: guesses if there is no line.
    fn first_stage(&self, view: &View) -> SliceStage {
        match self.target(view) {
            Some(_) => SliceStage::Plan(Some(SliceLevel::Statements)),
            None => SliceStage::Guess {
                guesses: guess_slices(view).into(),
                at: 0,
                to_accept: PassedEdit::default(),
            },
        }
    }

    /// The slice of this level, or of the next one that leaves something outside.
    fn plan_level(&self, view: &View, from: Option<SliceLevel>) -> Option<SliceStage> {
        let target = self.target(view)?;
        let levels = iter::successors(from, |level| level.next());
        let mut slices = levels.map(|level| Slice::find(view, &target, level));
        let slice = slices.find(|slice| !slice.outside.is_empty())?;
        let parts = slice.outside.iter().cloned();
        let parts = parts.map(|part| (part.clone(), part.tokens)).collect();
        let minimizer = UnitMinimizer::new(parts, &self.options, true);
        Some(SliceStage::Minimize(Arc::new(slice), minimizer))
    }
}

/// The edit that removes these parts.
fn remove_parts(version: &Version, parts: &[SlicePart]) -> Edit {
    let nodes = parts.iter().flat_map(|part| part.nodes.iter().copied());
    removal_edit(version, &nodes.collect::<Vec<_>>())
}

/// Why these parts of what is outside of a slice would go.
fn slice_reason(slice: &Slice, parts: &[SlicePart]) -> EditReason {
    EditReason {
        pass: SLICES.name,
        action: slice.ask_about(parts),
        node: None,
    }
}

impl Proposer for SlicePass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        loop {
            match &mut self.stage {
                SliceStage::Start => self.stage = self.first_stage(view),
                SliceStage::Guess {
                    guesses,
                    at,
                    to_accept,
                } => {
                    return to_accept.to_step().unwrap_or_else(|| {
                        guesses.get(*at).map_or(ProposerStep::Done, |guess| {
                            let parts = &guess.slice.outside;
                            let why = slice_reason(&guess.slice, parts);
                            ProposerStep::Test(remove_parts(&view.version, parts), why)
                        })
                    });
                }
                SliceStage::Plan(level) => {
                    let level = *level;
                    match self.plan_level(view, level) {
                        Some(stage) => self.stage = stage,
                        None => return ProposerStep::Done,
                    }
                }
                SliceStage::Minimize(slice, minimizer) => {
                    let mut why = None;
                    let step = minimizer.propose(|parts| {
                        why = Some(slice_reason(slice, parts));
                        remove_parts(&view.version, parts)
                    });
                    match step {
                        ProposerStep::Test(edit, _) => {
                            let why = why.unwrap_or_else(|| slice_reason(slice, &[]));
                            return ProposerStep::Test(edit, why);
                        }
                        ProposerStep::Accept(edit) => return ProposerStep::Accept(edit),
                        ProposerStep::Reparse | ProposerStep::Done => {
                            self.stage = SliceStage::Plan(slice.level.next());
                        }
                    }
                }
            }
        }
    }

    fn on_verdict(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        match &mut self.stage {
            SliceStage::Guess { at, to_accept, .. } => {
                to_accept.record_verdict(tested, feedback);
                *at += usize::from(!feedback.is_interesting());
            }
            SliceStage::Minimize(_, minimizer) => {
                minimizer.on_verdict(tested, feedback, |parts| remove_parts(&view.version, parts));
            }
            SliceStage::Start | SliceStage::Plan(_) => {}
        }
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        match &mut self.stage {
            SliceStage::Guess {
                guesses,
                at,
                to_accept,
            } => {
                if to_accept.clear() {
                    self.guessed = guesses.get(*at).map(|guess| guess.target.clone());
                    // The statements of this line are known to be those that stay.
                    self.stage = SliceStage::Plan(SliceLevel::Statements.next());
                }
            }
            SliceStage::Minimize(_, minimizer) => minimizer.on_accept(),
            SliceStage::Start | SliceStage::Plan(_) => {}
        }
    }

    fn invalidate(&mut self, view: &View) {
        if SliceTarget::of_place(view).is_some() {
            self.guessed = None;
        }
        self.stage = SliceStage::Start;
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::program::{
        Constraint, ConstraintRule, ConstraintSet, NodeTarget, read_program, tokens_of,
    };

    fn question(pass: &mut SlicePass, view: &View) -> String {
        match pass.propose(view) {
            ProposerStep::Test(_, why) => format!("{:?}", why.action),
            _ => panic!("nothing is asked"),
        }
    }

    #[test]
    fn a_line_that_is_named_counts_more_than_a_guess() {
        let text = "int f(int n) {\n  int a = n;\n  int b = a;\n  int c = b;\n  return c;\n}\n";
        let file = Path::new("a.c").into();
        let version = read_program(vec![(file, text.as_bytes().into())]).expect("a program");
        let mut view = View::new(version);
        let mut pass = SlicePass::new(&PassOptions::default());
        assert!(question(&mut pass, &view).contains("the slice of line 2"));
        // As if the guess of line 3 were right.
        let guesses = guess_slices(&view);
        pass.guessed = Some(guesses[1].target.clone());
        pass.invalidate(&view);
        assert!(question(&mut pass, &view).contains("the slice of line 3"));
        let nodes = NodeTarget::Lines(4, 4).find_nodes(&view.version);
        let mut constraints = ConstraintSet::default();
        constraints.add_constraint(Constraint {
            rule: ConstraintRule::Place,
            tokens: tokens_of(&nodes.expect("a line")[0], true).into(),
            name: "4".into(),
            line: Some(4),
        });
        view.set_constraints(constraints, &[]);
        pass.invalidate(&view);
        assert!(question(&mut pass, &view).contains("the slice of line 4"));
        // The guess is forgotten.
        view.set_constraints(ConstraintSet::default(), &[]);
        pass.invalidate(&view);
        assert!(question(&mut pass, &view).contains("the slice of line 2"));
    }
}
