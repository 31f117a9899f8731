//! Garbage collection: declarations that an accepted edit left without a use are removed, all in one candidate.
//!
//! After an accepted edit the wrapper finds the names that lost a use, and collects the declarations that only they themselves still use;
//! then the names that those used, and so on. A declaration that never had a use is a root and stays, because it never lost one. Parameters
//! stay, and so do the fields and enumerators of C, since their positions matter for others. Members are known by name, and can be removed.
//!
//! The code that shows the bug may itself be unreferenced by now (a function whose last call was removed), and then the candidate fails
//! because of one declaration among many. So a large candidate that failed is tried once more, without the heaviest declaration that lost a
//! use and without what that uses.
//!
//! There is no paper on it: a linker does the same with sections.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::FilterKind;
use crate::display::format_count;
use crate::pass::shared::removal_closure::RemovalClosure;
use crate::pass::{Pass, StrategyFeature};
use crate::program::names::{NameSymbol, SymbolLosses};
use crate::program::{
    AppliedEdit, Edit, EditAction, EditReason, NodeId, QuestionWords, Version, View, format_names,
};
use crate::protocol::{
    AlgorithmLayer, AlgorithmPicture, AlgorithmState, AlgorithmText, Feedback, Proposer,
    ProposerStep,
};

/// Garbage collection.
pub static GARBAGE_COLLECTION: FilterKind = FilterKind {
    name: "garbage collection",
    description: "after each accepted edit, proposes to remove the declarations that became unreferenced, in one candidate",
    feature: Some(StrategyFeature::GarbageCollection),
    wrap: GarbageCollectingPass::new_boxed,
};

/// Its pseudo-code.
static TEXT: AlgorithmText = AlgorithmText {
    name: "garbage collection",
    source: "as a linker does with sections",
    lines: &[
        "names ← those that just lost a use",
        "G ← the declarations that nobody uses",
        "G ← G and what only G uses",
        "all but G?      drop G",
        "G was large?    without its heaviest",
    ],
    ends_at: 3,
};

/// The name of its proposals.
pub const NAME: &str = "gc";
/// The fewest declarations for which a failed candidate is tried once more without the heaviest.
const RETRY_MIN_DECLARATIONS: u32 = 8;

/// A pass with garbage collection after every accepted edit.
#[derive(Clone)]
pub struct GarbageCollectingPass {
    inner: Box<dyn Pass>,
    state: GcState,
}

/// What garbage collection does now.
#[derive(Clone)]
enum GcState {
    Idle,
    Test(Arc<UnusedRemoval>),
    /// Less may have been tested than was proposed.
    Accept(Arc<Edit>),
}

/// The declarations without a use.
struct UnusedRemoval {
    edit: Edit,
    why: EditReason,
    /// The symbol to leave out after a failure.
    heaviest: Option<NameSymbol>,
}

impl GarbageCollectingPass {
    /// This pass with garbage collection after every accepted edit.
    pub fn new_boxed(inner: Box<dyn Pass>) -> Box<dyn Pass> {
        let now = GcState::Idle;
        Box::new(GarbageCollectingPass { inner, state: now })
    }
}

impl Proposer for GarbageCollectingPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        match &self.state {
            GcState::Idle => self.inner.propose(view),
            GcState::Test(proposal) => {
                ProposerStep::Test(proposal.edit.clone(), proposal.why.clone())
            }
            GcState::Accept(edit) => ProposerStep::Accept((**edit).clone()),
        }
    }

    fn lookahead_edits(&self, view: &View, most: usize) -> Vec<Edit> {
        match &self.state {
            GcState::Idle => self.inner.lookahead_edits(view, most),
            GcState::Test(_) | GcState::Accept(_) => Vec::new(),
        }
    }

    fn describe_algorithm(&self, view: &View) -> Option<AlgorithmState<NodeId>> {
        match &self.state {
            GcState::Idle | GcState::Accept(_) => self.inner.describe_algorithm(view),
            GcState::Test(_) => Some(AlgorithmState::of_layer(AlgorithmLayer {
                text: &TEXT,
                line: 3,
                passed: &[],
                facts: Vec::new(),
                picture: AlgorithmPicture::None,
            })),
        }
    }

    fn on_verdict(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        self.state = match std::mem::replace(&mut self.state, GcState::Idle) {
            GcState::Test(_) if feedback.is_interesting() => {
                GcState::Accept(Arc::new(tested.clone()))
            }
            GcState::Test(proposal) => match proposal.heaviest {
                Some(_) => GcState::from_removal(find_unused(&view.version, proposal.heaviest)),
                None => GcState::Idle,
            },
            now => {
                self.inner.on_verdict(view, tested, feedback);
                now
            }
        };
    }

    fn on_accept(&mut self, view: &View, change: &AppliedEdit) {
        self.inner.on_accept(view, change);
        self.state = GcState::from_removal(find_unused(&view.version, None));
    }

    fn invalidate(&mut self, view: &View) {
        self.state = GcState::Idle;
        self.inner.invalidate(view);
    }
}

impl GcState {
    fn from_removal(proposal: Option<UnusedRemoval>) -> GcState {
        proposal.map_or(GcState::Idle, |proposal| GcState::Test(Arc::new(proposal)))
    }
}

/// The declarations that the last edit left without a use, if there are any; without the left-out symbol and what it uses.
fn find_unused(version: &Version, without: Option<NameSymbol>) -> Option<UnusedRemoval> {
    let names = version.name_graph();
    let mut closure = RemovalClosure::new(version, SymbolLosses::default());
    let lost = names.lost_symbols();
    let mut open: BTreeSet<NameSymbol> = lost.iter().copied().collect();
    let (mut unused, mut heaviest) = (Vec::new(), None);
    while let Some(symbol) = open.pop_first() {
        let before = closure.tokens;
        if without == Some(symbol) {
            continue;
        }
        if let Some(touched) = closure.add_symbol(symbol) {
            unused.push(symbol);
            if lost.binary_search(&symbol).is_ok() {
                heaviest = heaviest.max(Some((closure.tokens - before, symbol)));
            }
            open.extend(touched.into_iter().filter(|touched| *touched != symbol));
        }
    }
    let name = names.symbol_name(*unused.first()?).clone();
    let edit = closure.to_edit();
    let node = closure.first_list();
    let go = closure.nodes.len() as u32;
    let declarations = format_count(go.into(), "unused declaration");
    let names = format_names(&name, unused.len() as u32 - 1);
    let words = QuestionWords::ask_removal(declarations)
        .listing_removed()
        .because(format!("nothing uses {names} any more"));
    let action = EditAction::Question(words);
    let why = EditReason {
        pass: NAME,
        action,
        node,
    };
    let again = without.is_none() && go >= RETRY_MIN_DECLARATIONS;
    let heaviest = heaviest.filter(|_| again).map(|(_, symbol)| symbol);
    Some(UnusedRemoval {
        edit,
        why,
        heaviest,
    })
}
