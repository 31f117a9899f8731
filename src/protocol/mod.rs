//! The shape of everything that proposes.
//!
//! A run is a dialogue: one side asks "is the program still interesting with this edit?", the other side answers. Every proposer,
//! from the schedule of a whole run down to a list minimiser, is a value of one shape, [`Proposer`]. None of them runs
//! a test, sees a thread or reads a clock, and their states clone cheaply: speculation, pause, replay and tests rest on that.
//!
//! The engine drives the outermost value, which drives the values inside it:
//!
//! ```text
//! loop {
//!     match state.propose(view) {
//!         Test(edit, why) => state.on_verdict(view, &edit, feedback of the test),
//!         Accept(edit)    => { view = view with edit; state.on_accept(view, &change) }
//!         Reparse         => { view = the same text, read again; state.invalidate(view) }
//!         Done            => break,
//!     }
//! }
//! ```

pub mod abandon;
mod indices;

pub use indices::IndexRanges;

/// What a [`Proposer`] wants next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProposerStep<Edit, Why> {
    /// Is the view with this edit interesting? The second part says why it is asked.
    Test(Edit, Why),
    /// Make this edit. It was asked about on this very view and the answer was [`Feedback::Interesting`].
    Accept(Edit),
    /// Bring the tree into agreement with the parser: the end of a pass, and the only moment at which the tree may change without
    /// a take.
    Reparse,
    /// Nothing is left to ask.
    Done,
}

/// The answer to a question. Why it is no (boring, invalid, timed out) is for the screen and no part of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feedback {
    /// The candidate is interesting.
    Interesting,
    /// The candidate is not interesting.
    Uninteresting,
    /// The candidate was never tested: a gate refused it (pins, shape, parse). An answer, but no decision: it enters no statistics.
    Rejected,
}

impl Feedback {
    /// Whether the candidate may be taken.
    pub fn is_interesting(self) -> bool {
        self == Feedback::Interesting
    }
}

/// A value that asks; see the module's text for how it is driven.
///
/// `told` and `taken` always follow the `step` that asked or took. A wrapper may shrink a question on its way out, so `told` names
/// what was really asked.
pub trait Proposer {
    /// What the asking side sees: a program for passes, weights for list minimisers.
    type View: ?Sized;
    /// What it asks about.
    type Edit;
    /// Why it asks: data for a sentence.
    type Why;
    /// How the view changed when an edit was taken.
    type Change: ?Sized;

    /// The next question, or the next take. Asking twice without an answer in between gives the same step.
    fn propose(&mut self, view: &Self::View) -> ProposerStep<Self::Edit, Self::Why>;

    /// At most so many questions that come after the one at hand on this very view, whatever the answers are: they may be tested ahead,
    /// all at a time. Only a batch knows of any.
    fn lookahead_edits(&self, _view: &Self::View, _most: usize) -> Vec<Self::Edit> {
        Vec::new()
    }

    /// The answer to `asked`, on the view it was asked on.
    fn on_verdict(&mut self, view: &Self::View, asked: &Self::Edit, answer: Feedback);

    /// An edit was taken: `view` is the new view.
    fn on_accept(&mut self, view: &Self::View, change: &Self::Change);

    /// The rules or the reading of the view changed without a take; forget what no longer holds.
    fn invalidate(&mut self, view: &Self::View);
}
