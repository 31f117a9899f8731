//! The protocol between those who propose candidates and the engine, which has them tested.
//!
//! A *candidate* is the current version of what is reduced with one edit applied. Whatever proposes candidates, from the schedule of a
//! whole run down to a list minimiser, is a value of one shape, a [`Proposer`]. None of them runs a test, sees a thread or reads a clock,
//! and their states clone cheaply: speculation, pause, replay and tests rest on that.
//!
//! The engine drives the outermost proposer, which drives those inside it:
//!
//! ```text
//! loop {
//!     match proposer.propose(view) {
//!         Test(edit, why) => proposer.on_verdict(view, &edit, feedback on the candidate),
//!         Accept(edit)    => { view = view with edit; proposer.on_accept(view, &change) }
//!         Reparse         => { view = the same text, parsed anew; proposer.invalidate(view) }
//!         Done            => break,
//!     }
//! }
//! ```

pub mod abandon;
mod algorithm_state;
mod choice_listing;
mod indices;

pub use algorithm_state::{
    AlgorithmFact, AlgorithmLayer, AlgorithmPicture, AlgorithmState, AlgorithmText, ChunkFate,
    ChunkPicture, FactValue, LevelPicture, LevelSize, ListChunk, MOST_QUEUED, ProposerView,
    QueuePicture,
};
pub use choice_listing::{list_choices, read_choices};
pub use indices::IndexRanges;

/// What a [`Proposer`] wants next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProposerStep<Edit, Why> {
    /// Have the view with this edit tested. The second part says why.
    Test(Edit, Why),
    /// Make the view with this edit the next version. It was tested on this very view, and the feedback was [`Feedback::Interesting`].
    Accept(Edit),
    /// Bring the tree into agreement with the parser: at the end of a pass, or where it goes on with text that it made; the only moment at which the tree may change although no
    /// edit was accepted.
    Reparse,
    /// Nothing is left to propose.
    Done,
}

/// What a [`Proposer`] hears of a candidate. Why one is not interesting (it failed, was invalid, timed out) is for the screen and no part
/// of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feedback {
    /// The candidate is interesting.
    Interesting,
    /// The candidate is not interesting.
    Uninteresting,
    /// The candidate was never tested: a gate rejected it (pins, shape, parse). That is no decision and enters no statistics.
    Rejected,
}

impl Feedback {
    /// Whether the candidate may be accepted.
    pub fn is_interesting(self) -> bool {
        self == Feedback::Interesting
    }
}

/// A value that proposes candidates; see the module's text for how it is driven.
///
/// [`Self::on_verdict`] and [`Self::on_accept`] always follow the [`Self::propose`] whose step they are about. A wrapper may shrink an edit
/// on its way out, so both name the edit that was really tested.
pub trait Proposer {
    /// What it sees: a program for passes, weights for list minimisers.
    type View: ProposerView + ?Sized;
    /// What it proposes.
    type Edit;
    /// Why it proposes that: data for a sentence.
    type Why;
    /// How the view changed when an edit was accepted.
    type Change: ?Sized;

    /// What it wants next. Called twice without a verdict in between, it gives the same step.
    fn propose(&mut self, view: &Self::View) -> ProposerStep<Self::Edit, Self::Why>;

    /// At most so many edits that it will propose after the one at hand on this very view, whatever the verdicts are: they may be tested
    /// ahead, all at a time. Only a batch knows of any.
    fn lookahead_edits(&self, _view: &Self::View, _most: usize) -> Vec<Self::Edit> {
        Vec::new()
    }

    /// What its algorithm does with the candidate that it has just proposed; none if it has nothing to tell. It costs little, whatever the size
    /// of the view, and is called for the candidate at hand only.
    fn describe_algorithm(
        &self,
        _view: &Self::View,
    ) -> Option<AlgorithmState<<Self::View as ProposerView>::Part>> {
        None
    }

    /// What came of the candidate with the edit `tested`, on the view it was proposed on.
    fn on_verdict(&mut self, view: &Self::View, tested: &Self::Edit, feedback: Feedback);

    /// An edit was accepted: `view` is the new view.
    fn on_accept(&mut self, view: &Self::View, change: &Self::Change);

    /// The rules or the reading of the view changed although no edit was accepted; forget what no longer holds.
    fn invalidate(&mut self, view: &Self::View);
}
