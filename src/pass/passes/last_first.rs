//! The last declarations of a large program first, and what is inside of them.
//!
//! What stands behind uses what stands before, and the author's own code stands behind all that it includes. While it is whole, nearly all of
//! a library is needed, and most questions about the library are vain. So this pass goes through the program from its end: the elements of a
//! list in runs that grow as long as they can go (galloping, see `minimize/galloping.rs`). An element that must stay is entered, and
//! its lists and optional parts are tried the same way, before the element in front of it. The pass ends in front of the first declarations that cannot go and have some size, and *needed*
//! asks whether all can go but what these need. It also ends where nothing goes any more. There is no paper on it.

use crate::pass::filters::dependents::DEPENDENTS;
use crate::pass::filters::gc::GARBAGE_COLLECTION;
use crate::pass::shared::failure_run::FailureRun;
use crate::pass::shared::last_declarations::is_large_program;
use crate::pass::shared::node_task::{items_reason, nodes_with_tasks, optional_proposal};
use crate::pass::shared::passed_edit::PassedEdit;
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{
    AppliedEdit, Edit, EditOp, EditReason, NodeId, NodeShape, ProgramNode, View, walk,
};
use crate::protocol::{Feedback, IndexRanges, Proposer, ProposerStep};

/// The last declarations.
pub static LAST_FIRST: PassKind = PassKind {
    name: "last first",
    description: "in a large program: makes its last declarations small, as long as none go in large parts; what they do not need goes in one question after that",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[&DEPENDENTS, &GARBAGE_COLLECTION],
    start: |_, _| Box::new(LastFirstPass::default()),
};

/// What is said where the pass begins with a large program: the size hardly changes for minutes.
pub const LARGE_PROGRAM_NOTE: &str = "a large program: last first makes its last declarations small, which hardly changes the size; what they do not need goes in one question after that";

/// After this number of failures in a row the pass ends.
const MAX_FAILURES: u32 = 30;

/// After an edit was accepted, the pass leaves what stands in front of so many tokens.
const LEAST_TOKENS_PASSED: u32 = 40;

/// It always leaves what stands in front of so many.
const MOST_TOKENS_PASSED: u32 = 400;

/// Parts of fewer tokens are left to other passes: they need little.
const LEAST_TOKENS: u32 = 3;

/// See the module's text.
#[derive(Clone, Default)]
pub struct LastFirstPass {
    /// What is open, the last first; none until something is proposed.
    open: Option<imbl::Vector<OpenPart>>,
    to_accept: PassedEdit,
    /// Failures in a row.
    failed: FailureRun,
    /// Whether an edit was accepted.
    has_gained: bool,
}

/// A part of the program that is tried.
#[derive(Clone, Copy)]
enum OpenPart {
    /// A list, of which the first elements are open.
    Elements(OpenElements),
    /// An optional part.
    Optional(NodeId),
}

/// The elements of a list that are open.
#[derive(Clone, Copy)]
struct OpenElements {
    list: NodeId,
    /// How many from the first on.
    count: u32,
    /// How many are tried next.
    run: u32,
    /// So many cannot go at once.
    bound: Option<u32>,
}

impl OpenPart {
    fn of_node(node: &ProgramNode) -> OpenPart {
        match node.shape {
            NodeShape::Opt => OpenPart::Optional(node.id),
            _ => OpenPart::Elements(OpenElements {
                list: node.id,
                count: node.len() as u32,
                run: 1,
                bound: None,
            }),
        }
    }
}

impl OpenElements {
    /// The elements that are tried next; none if none may go.
    fn next_run(&self, list: &ProgramNode) -> Option<IndexRanges> {
        let most = list.len() as u32 - u32::from(list.must_keep_one());
        let run = self.run.min(self.count).min(most);
        (run > 0).then(|| IndexRanges::from_range(self.count - run..self.count))
    }

    /// Whether they are most of the program, and so many tokens stand behind them.
    fn are_far(&self, view: &View, list: &ProgramNode, least: u32) -> bool {
        let passed = walk::iter_items(list).skip(self.count as usize);
        let passed: u32 = passed.map(|item| item.sums().tokens).sum();
        passed >= least && list.sums().tokens - passed >= view.version.token_count() / 2
    }

    /// These elements went.
    fn remove_elements(&mut self, gone: &IndexRanges) {
        let ranges = gone.ranges().iter().cloned().flatten();
        let before = ranges.filter(|&at| at < self.count).count() as u32;
        self.count -= before;
        self.bound = self.bound.map(|bound| bound.saturating_sub(before));
        self.run = match self.bound {
            Some(bound) => (bound / 2).max(1),
            None => self.run * 2,
        };
    }

    /// The run cannot go. Whether the last of the open elements must stay.
    fn shorten_run(&mut self) -> bool {
        let needed = self.run <= 1;
        self.bound = Some(self.run);
        self.run /= 2;
        needed
    }

    /// Passes the last of the open elements.
    fn pass_element(&mut self) {
        self.count -= 1;
        (self.run, self.bound) = (1, None);
    }
}

/// The outermost lists and optional parts at or below a node, in the order of the text.
fn open_parts(node: &std::sync::Arc<ProgramNode>) -> impl Iterator<Item = OpenPart> {
    let is_part = |node: &ProgramNode| {
        (node.shape.is_list() || node.shape == NodeShape::Opt) && node.sums().tokens >= LEAST_TOKENS
    };
    nodes_with_tasks(node, is_part).map(|node| OpenPart::of_node(node))
}

impl LastFirstPass {
    /// What cannot go is entered.
    fn enter_last(&mut self, view: &View) {
        let Some(open) = &mut self.open else { return };
        let inside: Vec<OpenPart> = match open.pop_back() {
            None => return,
            Some(OpenPart::Optional(node)) => {
                let node = view.version.find_node(node);
                let children = node.into_iter().flat_map(|node| node.children().iter());
                children.flat_map(open_parts).collect()
            }
            Some(OpenPart::Elements(mut elements)) => {
                if !elements.shorten_run() {
                    open.push_back(OpenPart::Elements(elements));
                    return;
                }
                let list = view.version.find_node(elements.list);
                let last = elements.count.checked_sub(1);
                let last = list.zip(last);
                let last = last.and_then(|(list, at)| walk::item_at(list, at as usize));
                let inside = last.into_iter().flat_map(open_parts).collect();
                elements.pass_element();
                open.push_back(OpenPart::Elements(elements));
                inside
            }
        };
        open.extend(inside);
    }

    fn next_candidate(&mut self, view: &View) -> Option<(Edit, EditReason)> {
        let open = self.open.get_or_insert_with(|| {
            let documents = view.documents().iter();
            documents
                .flat_map(|document| open_parts(&document.root))
                .collect()
        });
        let least = match self.has_gained {
            true => LEAST_TOKENS_PASSED,
            false => MOST_TOKENS_PASSED,
        };
        loop {
            let part = *open.last()?;
            match part {
                OpenPart::Optional(node) if view.version.find_node(node).is_some() => {
                    return Some(optional_proposal(LAST_FIRST.name, node));
                }
                OpenPart::Elements(elements) if elements.count > 0 => {
                    let list = view.version.find_node(elements.list);
                    if list.is_some_and(|list| elements.are_far(view, list, least)) {
                        return None;
                    }
                    let run = list.and_then(|list| Some((list, elements.next_run(list)?)));
                    if let Some((list, items)) = run {
                        let why = items_reason(LAST_FIRST.name, list, &items);
                        let list = list.id;
                        return Some((EditOp::DeleteItems { list, items }.into(), why));
                    }
                }
                _ => {}
            }
            open.pop_back();
        }
    }
}

impl Proposer for LastFirstPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        if let Some(step) = self.to_accept.to_step() {
            return step;
        }
        if self.failed.has_reached(MAX_FAILURES) || !is_large_program(view) {
            return ProposerStep::Done;
        }
        match self.next_candidate(view) {
            Some((edit, why)) => ProposerStep::Test(edit, why),
            None => ProposerStep::Done,
        }
    }

    fn on_verdict(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        self.to_accept.record_verdict(tested, feedback);
        self.failed.record_verdict(feedback);
        if !feedback.is_interesting() {
            self.enter_last(view);
        }
    }

    fn on_accept(&mut self, _: &View, change: &AppliedEdit) {
        self.has_gained |= self.to_accept.clear();
        let Some(open) = &mut self.open else { return };
        for part in open.iter_mut() {
            if let OpenPart::Elements(elements) = part
                && let Some(gone) = change.edit.deleted_items(elements.list)
            {
                elements.remove_elements(gone);
            }
        }
    }

    fn invalidate(&mut self, _: &View) {
        *self = LastFirstPass::default();
    }
}
