//! dd isolates a minimal failing difference: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002, §5.
//!
//! The seed passes and the variant fails. Each question is whether a text between the two passes, and is the new seed, or fails, and is the
//! new variant: either brings the two closer. So the difference becomes small, and not the programs. `minimize/dd.rs` has the algorithm; the
//! elements that it moves are parts of the difference, the coarsest first.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::display::format_count;
use crate::minimize::{DdIsolator, DdProperty, DdQuestion};
use crate::pass::shared::difference_parts::{DifferenceCut, deepest_part};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::pair::{PairToken, PatchedVariant, TokenElement};
use crate::program::{
    AppliedEdit, Edit, EditAction, EditOp, EditReason, QuestionWords, Version, View,
};
use crate::protocol::{Feedback, IndexRanges, Proposer, ProposerStep};

/// dd with the parts of the tree, level by level, then tokens.
pub static ISOLATE_ELEMENTS: PassKind = PassKind {
    name: "isolate elements",
    description: "in a pair, moves hunks of the difference, then list elements and optional parts level by level, then tokens, into the seed or out of the variant",
    repeat: RepeatPolicy::Never,
    // A subset of the tokens is no part of a tree.
    syntax_check: SyntaxCheck::Skip,
    pair_scope: PairScope::Both,
    filters: &[],
    start: |_, _| {
        Box::new(IsolatePass::new(
            ISOLATE_ELEMENTS.name,
            &[
                IsolationGrain::Hunks,
                IsolationGrain::Levels,
                IsolationGrain::Tokens,
            ],
        ))
    },
};

/// dd with lines, then tokens.
pub static ISOLATE_LINES: PassKind = PassKind {
    name: "isolate lines",
    description: "in a pair, moves hunks of the difference, then lines, then tokens, into the seed or out of the variant",
    start: |_, _| {
        Box::new(IsolatePass::new(
            ISOLATE_LINES.name,
            &[
                IsolationGrain::Hunks,
                IsolationGrain::Lines,
                IsolationGrain::Tokens,
            ],
        ))
    },
    ..ISOLATE_ELEMENTS
};

/// dd with tokens, as the paper on pairs has it for comparison.
pub static ISOLATE_TOKENS: PassKind = PassKind {
    name: "isolate tokens",
    description: "in a pair, moves hunks of the difference, then tokens, into the seed or out of the variant",
    start: |_, _| {
        Box::new(IsolatePass::new(
            ISOLATE_TOKENS.name,
            &[IsolationGrain::Hunks, IsolationGrain::Tokens],
        ))
    },
    ..ISOLATE_ELEMENTS
};

/// What dd moves as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IsolationGrain {
    /// Hunks. There is one if the seed is empty, and then nothing to ask.
    Hunks,
    /// Lines.
    Lines,
    /// Parts of the tree: first those of the outermost lists, then one level deeper, to the deepest.
    Levels,
    /// Tokens.
    Tokens,
}

/// The state of one run.
#[derive(Clone)]
pub struct IsolatePass {
    /// The name of the pass.
    name: &'static str,
    grains: &'static [IsolationGrain],
    /// The pair at the start.
    start: Option<Arc<StartingPair>>,
    /// The cuts that are left, the next one last.
    cuts: Vec<DifferenceCut>,
    running: Option<CutRun>,
}

/// The pair at the start of the pass: all texts between the two are made of it.
struct StartingPair {
    version: Version,
    patch: PatchedVariant,
}

/// dd on the elements of one cut.
#[derive(Clone)]
struct CutRun {
    noun: &'static str,
    elements: Arc<[TokenElement]>,
    /// What of the difference at the start is applied in both documents. The rest of it, but for the elements, is in neither.
    applied: Arc<FxHashSet<PairToken>>,
    isolator: DdIsolator,
    /// The question that is asked, as an edit, and whether the answer was yes.
    asked: Option<(Edit, bool)>,
}

impl IsolatePass {
    fn new(name: &'static str, grains: &'static [IsolationGrain]) -> IsolatePass {
        IsolatePass {
            name,
            grains,
            start: None,
            cuts: Vec::new(),
            running: None,
        }
    }

    /// Begins with the next cut; false when there is none, or no difference.
    fn start_cut(&mut self, view: &View) -> bool {
        if self.start.is_none() {
            let Some(patch) = PatchedVariant::from_version(&view.version) else {
                return false;
            };
            let version = view.version.clone();
            self.cuts = list_cuts(self.grains, &version);
            self.start = Some(Arc::new(StartingPair { version, patch }));
        }
        let (Some(start), Some(cut)) = (&self.start, self.cuts.pop()) else {
            return false;
        };
        let tokens = start.patch.difference_tokens();
        let (applied, elements) = match &self.running {
            None => (Arc::default(), start.cut_difference(cut, tokens)),
            Some(ended) => {
                let open: FxHashSet<PairToken> =
                    ended.tokens_of(&ended.isolator.difference()).collect();
                let open = tokens.filter(|(_, token)| open.contains(token));
                (ended.applied_tokens(), start.cut_difference(cut, open))
            }
        };
        // The last cut has shown that none of these can be moved.
        if let Some(ended) = &self.running
            && ended.open_elements().eq(&elements)
        {
            return true;
        }
        let all = IndexRanges::from_range(0..elements.len() as u32);
        self.running = Some(CutRun {
            noun: cut.noun(),
            elements: elements.into(),
            applied,
            isolator: DdIsolator::new(&IndexRanges::default(), &all),
            asked: None,
        });
        true
    }
}

impl StartingPair {
    fn cut_difference(
        &self,
        cut: DifferenceCut,
        tokens: impl Iterator<Item = (usize, PairToken)>,
    ) -> Vec<TokenElement> {
        cut.cut_tokens(&self.version, &self.patch, tokens)
    }

    /// The edit after which one document is the seed with these tokens of the difference. The other one stays as it is.
    fn set_document(
        &self,
        now: &Version,
        property: DdProperty,
        applied: &FxHashSet<PairToken>,
    ) -> Edit {
        let text = self.patch.render_patched(|token| applied.contains(&token));
        let (text, other) = (Some(text), |at: usize| now.documents()[at].text());
        let texts = match property {
            DdProperty::Passes => [text, other(1)],
            DdProperty::Fails => [other(0), text],
        };
        EditOp::Rewrite(texts.into()).into()
    }
}

impl CutRun {
    /// The tokens of these elements.
    fn tokens_of(&self, elements: &IndexRanges) -> impl Iterator<Item = PairToken> + '_ {
        let elements: Vec<u32> = elements.ranges().iter().cloned().flatten().collect();
        let elements = elements.into_iter();
        elements.flat_map(|at| self.elements[at as usize].iter().copied())
    }

    /// The elements that still tell the documents apart.
    fn open_elements(&self) -> impl Iterator<Item = &TokenElement> {
        let open = self.isolator.difference();
        let elements = (0..).zip(self.elements.iter());
        elements.filter_map(move |(at, element)| open.contains(at).then_some(element))
    }

    /// The tokens of the difference at the start that the seed has now.
    fn applied_tokens(&self) -> Arc<FxHashSet<PairToken>> {
        self.applied_with(&self.isolator.passing()).into()
    }

    fn applied_with(&self, elements: &IndexRanges) -> FxHashSet<PairToken> {
        let applied = self.applied.iter().copied();
        applied.chain(self.tokens_of(elements)).collect()
    }

    fn propose(
        &mut self,
        pass: &'static str,
        start: &StartingPair,
        view: &View,
    ) -> Option<ProposerStep<Edit, EditReason>> {
        let question = self.isolator.next_question()?;
        let edit = match &self.asked {
            Some((edit, true)) => return Some(ProposerStep::Accept(edit.clone())),
            Some((edit, false)) => edit.clone(),
            None => {
                let applied = self.applied_with(&question.elements);
                start.set_document(&view.version, question.property, &applied)
            }
        };
        self.asked = Some((edit.clone(), false));
        let why = EditReason {
            pass,
            action: EditAction::Question(self.describe_question(&question)),
            node: None,
        };
        Some(ProposerStep::Test(edit, why))
    }

    /// "Does the program with 4 of 8 lines of the difference fail as the variant?"
    fn describe_question(&self, question: &DdQuestion) -> QuestionWords {
        let verb = match question.property {
            DdProperty::Passes => "pass as the seed",
            DdProperty::Fails => "fail as the variant",
        };
        let elements = format!(
            "{} of {}",
            question.elements.len(),
            format_count(self.elements.len() as u64, self.noun)
        );
        QuestionWords::ask(format!(
            "Does the program with {elements} of the difference {verb}?"
        ))
        .in_short(format!("with {elements}"))
    }
}

/// The cuts of these grains, the last one first.
fn list_cuts(grains: &[IsolationGrain], version: &Version) -> Vec<DifferenceCut> {
    let cuts = grains.iter().flat_map(|grain| match grain {
        IsolationGrain::Hunks => vec![DifferenceCut::Hunks],
        IsolationGrain::Lines => vec![DifferenceCut::Lines],
        IsolationGrain::Tokens => vec![DifferenceCut::Tokens],
        IsolationGrain::Levels => {
            let levels = 1..=deepest_part(version);
            levels.map(DifferenceCut::Parts).collect()
        }
    });
    let mut cuts: Vec<DifferenceCut> = cuts.collect();
    cuts.reverse();
    cuts
}

impl Proposer for IsolatePass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        loop {
            let step = match (&mut self.running, &self.start) {
                (Some(running), Some(start)) => running.propose(self.name, start, view),
                _ => None,
            };
            match step {
                Some(step) => return step,
                None if self.start_cut(view) => {}
                None => return ProposerStep::Done,
            }
        }
    }

    fn on_verdict(&mut self, _: &View, tested: &Edit, feedback: Feedback) {
        let Some(running) = &mut self.running else {
            return;
        };
        match &mut running.asked {
            Some((asked, is_found)) if asked == tested && feedback.is_interesting() => {
                *is_found = true;
            }
            Some((asked, _)) if asked == tested => {
                running.asked = None;
                running.isolator.on_answer(false);
            }
            _ => {}
        }
    }

    fn on_accept(&mut self, view: &View, change: &AppliedEdit) {
        match self
            .running
            .as_mut()
            .map(|running| (running.asked.take(), running))
        {
            Some((Some((asked, true)), running)) if asked == change.edit => {
                running.isolator.on_answer(true);
            }
            // Somebody else changed the program: the difference is another.
            _ => self.invalidate(view),
        }
    }

    fn invalidate(&mut self, _: &View) {
        *self = IsolatePass::new(self.name, self.grains);
    }
}
