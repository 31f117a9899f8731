//! Passes that list their places once for each version, the likeliest first, and ask about each place once.
//!
//! After a yes the program is read again, and the places are listed anew. Without hard effort a pass asks at most about so many questions as half of the
//! tokens that the program has at its start.

use std::sync::Arc;

use super::passed_edit::PassedEdit;
use crate::pass::filters::constraint_filter::allows_whole_edit;
use crate::pass::{Effort, PassOptions};
use crate::program::{AppliedEdit, Edit, EditReason, NodeId, Objective, View};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// The questions that a small program is worth.
const FEWEST_QUESTIONS: u32 = 8;

/// A place: a node, and what the pass knows it by besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct QueuedPlace {
    /// The node.
    pub node: NodeId,
    /// A number of the pass's own.
    pub number: u64,
}

/// What such passes differ in.
#[derive(Debug)]
pub struct PlaceQueue {
    /// All places of a version, in the order in which they are asked about.
    pub list: fn(&View, Effort) -> Vec<QueuedPlace>,
    /// The question about a place; none if there is none any more.
    pub ask: fn(&View, QueuedPlace) -> Option<(Edit, EditReason)>,
}

/// A pass over a queue of places.
#[derive(Clone)]
pub struct QueuePass {
    source: &'static PlaceQueue,
    effort: Effort,
    /// How many questions are left; none if there is no bound.
    left: Option<u32>,
    places: Option<Arc<[QueuedPlace]>>,
    at: usize,
    asked: imbl::OrdSet<QueuedPlace>,
    to_accept: PassedEdit,
    has_new_text: bool,
}

impl QueuePass {
    /// Begins on a version.
    pub fn new(source: &'static PlaceQueue, view: &View, options: &PassOptions) -> QueuePass {
        let bound = (view.version.token_count() / 2).max(FEWEST_QUESTIONS);
        QueuePass {
            source,
            effort: options.effort,
            left: (options.effort != Effort::Hard).then_some(bound),
            places: None,
            at: 0,
            asked: imbl::OrdSet::new(),
            to_accept: PassedEdit::default(),
            has_new_text: false,
        }
    }
}

impl Proposer for QueuePass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        if let Some(step) = self.to_accept.to_step() {
            return step;
        }
        if std::mem::take(&mut self.has_new_text) {
            return ProposerStep::Reparse;
        }
        // The nodes of new tokens are known only when the text is read again, and a size in nodes would count too few.
        if self.left == Some(0) || matches!(view.version.objective(), Objective::Nodes) {
            return ProposerStep::Done;
        }
        let places = match &self.places {
            Some(places) => places.clone(),
            None => (self.source.list)(view, self.effort).into(),
        };
        self.places = Some(places.clone());
        while let Some(&place) = places.get(self.at) {
            let open = !self.asked.contains(&place);
            let question = open.then(|| (self.source.ask)(view, place)).flatten();
            match question.filter(|(edit, _)| allows_whole_edit(view, edit)) {
                Some((edit, why)) => return ProposerStep::Test(edit, why),
                None => self.at += 1,
            }
        }
        ProposerStep::Done
    }

    fn on_verdict(&mut self, _: &View, tested: &Edit, feedback: Feedback) {
        self.to_accept.record_verdict(tested, feedback);
        if feedback != Feedback::Rejected {
            self.left = self.left.map(|left| left.saturating_sub(1));
        }
        let place = self.places.as_ref().and_then(|places| places.get(self.at));
        self.asked.extend(place.copied());
        self.at += 1;
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        (self.places, self.at) = (None, 0);
        self.has_new_text = true;
        self.to_accept.clear();
    }

    fn invalidate(&mut self, _: &View) {
        (self.places, self.at) = (None, 0);
        self.asked = imbl::OrdSet::new();
        self.has_new_text = false;
        self.to_accept.clear();
    }
}
