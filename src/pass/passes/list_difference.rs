//! The list difference of a pair: which of the tokens that tell the variant from the seed are needed (PPR, FSE 2023, algorithm 3)?
//!
//! A candidate is the seed with a part of the difference applied. Only the variant changes, and it may grow: a hunk that is undone brings
//! back what was deleted. Hunks that stand close together are tried as one, then each by itself, then the tokens of all hunks.

use crate::pass::shared::unit_minimizer::UnitMinimizer;
use crate::pass::{
    PairScope, Pass, PassKind, PassOptions, RepeatPolicy, StrategyFeature, SyntaxCheck,
};
use crate::program::pair::{DifferencePatch, PairToken, PatchSide, TokenElement};
use crate::program::{ActionUnit, AppliedEdit, Edit, EditReason, View};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// The list difference.
pub static LIST_DIFFERENCE: PassKind = PassKind {
    name: "list difference",
    description: "in a pair, undoes hunks of the difference in the variant, then single tokens of them (PPR, FSE 2023, algorithm 3)",
    repeat: RepeatPolicy::Never,
    // A hunk is no part of the tree.
    syntax_check: SyntaxCheck::Skip,
    pair_scope: PairScope::Both,
    filters: &[],
    start: |_, options| start_difference(LIST_DIFFERENCE.name, PatchSide::Variant, options),
};

/// The same with the seed and the variant exchanged.
pub static MIRRORED_DIFFERENCE: PassKind = PassKind {
    name: "mirrored difference",
    description: "with --mirror, the list difference with seed and variant exchanged: hunks are undone in the seed",
    start: |_, options| start_difference(MIRRORED_DIFFERENCE.name, PatchSide::Seed, options),
    ..LIST_DIFFERENCE
};

fn start_difference(name: &'static str, side: PatchSide, options: &PassOptions) -> Box<dyn Pass> {
    let pass = ListDifferencePass::new(name, side, options);
    options.pass_if_enabled(StrategyFeature::ListDifference, Box::new(pass))
}

/// What is undone together, from coarse to fine, and its name: a noun, and what follows it.
const GRAINS: [(DifferenceGrain, &str, &str); 3] = [
    (DifferenceGrain::Groups, "group", "of hunks"),
    (DifferenceGrain::Hunks, "hunk", "of the difference"),
    (DifferenceGrain::Tokens, "token", "of the difference"),
];

/// How much of the difference is undone together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DifferenceGrain {
    /// Hunks with few equal tokens between them.
    Groups,
    /// A hunk.
    Hunks,
    /// A token of a hunk, or two brackets that match in it.
    Tokens,
}

/// The state of one run.
#[derive(Clone)]
pub struct ListDifferencePass {
    name: &'static str,
    side: PatchSide,
    options: PassOptions,
    /// The grain that comes next.
    next: usize,
    running: Option<GrainRun>,
}

/// The difference in parts of one grain, and the minimiser that tries them.
#[derive(Clone)]
struct GrainRun {
    unit: ActionUnit,
    patch: DifferencePatch,
    minimizer: UnitMinimizer<TokenElement>,
    /// What the last candidate undoes more, and that candidate.
    proposed: Option<(Vec<PairToken>, Edit)>,
}

impl ListDifferencePass {
    fn new(name: &'static str, side: PatchSide, options: &PassOptions) -> ListDifferencePass {
        ListDifferencePass {
            name,
            side,
            options: *options,
            next: 0,
            running: None,
        }
    }

    /// Begins with the next grain; false when there is none, or no difference.
    fn start_grain(&mut self, view: &View) -> bool {
        let Some((grain, noun, qualifier)) = GRAINS.get(self.next) else {
            return false;
        };
        self.next += 1;
        let Some(patch) = DifferencePatch::from_version(&view.version, self.side) else {
            return false;
        };
        let elements = match grain {
            DifferenceGrain::Groups => patch.hunk_groups(),
            DifferenceGrain::Hunks => patch.hunks(),
            DifferenceGrain::Tokens => patch.elements(),
        };
        let weighed = elements.into_iter().map(|element| {
            let weight = element.len() as u32;
            (element, weight)
        });
        self.running = Some(GrainRun {
            unit: ActionUnit::qualified(noun, qualifier),
            patch,
            minimizer: UnitMinimizer::new(weighed.collect(), &self.options, false),
            proposed: None,
        });
        true
    }
}

impl GrainRun {
    fn propose(&mut self, pass: &'static str, view: &View) -> ProposerStep<Edit, EditReason> {
        let patch = &self.patch;
        let undo = |elements: &[TokenElement]| {
            let more: Vec<PairToken> = elements.iter().flatten().copied().collect();
            patch.undo_edit(&view.version, &more)
        };
        let step = self.minimizer.propose_removal(pass, &self.unit, undo);
        if let ProposerStep::Test(edit, _) = &step {
            let elements = self.minimizer.proposed_units();
            let more = elements.iter().flatten().copied().collect();
            self.proposed = Some((more, edit.clone()));
        }
        step
    }
}

impl Proposer for ListDifferencePass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        loop {
            let Some(running) = &mut self.running else {
                match self.start_grain(view) {
                    true => continue,
                    false => return ProposerStep::Done,
                }
            };
            match running.propose(self.name, view) {
                ProposerStep::Done => self.running = None,
                step => return step,
            }
        }
    }

    fn on_verdict(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        if let Some(running) = &mut self.running {
            let patch = &running.patch;
            running.minimizer.on_verdict(tested, feedback, |elements| {
                let more: Vec<PairToken> = elements.iter().flatten().copied().collect();
                patch.undo_edit(&view.version, &more)
            });
        }
    }

    fn on_accept(&mut self, view: &View, change: &AppliedEdit) {
        let Some(running) = &mut self.running else {
            return;
        };
        match running.proposed.take() {
            Some((more, edit)) if edit == change.edit => {
                running.patch.record_undone(&more, change);
                running.minimizer.on_accept();
            }
            // Somebody else changed the program: the difference is another.
            _ => self.invalidate(view),
        }
    }

    fn invalidate(&mut self, _: &View) {
        (self.next, self.running) = (0, None);
    }
}
