//! Passes that ask about one place after the other, in the order of the text: each place has candidates that depend on the program as it
//! is. After a yes the same place is asked about again, after a no its next candidate. Where the yes brought new text of several tokens, the
//! program is read again first: only then do they have places.

use super::failure_run::FailureRun;
use super::passed_edit::PassedEdit;
use crate::pass::filters::constraint_filter::allows_whole_edit;
use crate::program::{AppliedEdit, Edit, EditOp, EditReason, Objective, Replacement, View};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// What a place gives for a number of a candidate.
pub enum PlaceQuestion {
    /// A candidate.
    Candidate(Edit, EditReason),
    /// The place has no more.
    NextPlace,
    /// There is no such place.
    End,
}

impl PlaceQuestion {
    /// This candidate, or the next place.
    fn of_allowed(asked: Option<(Edit, EditReason)>) -> PlaceQuestion {
        asked.map_or(PlaceQuestion::NextPlace, |(edit, why)| {
            PlaceQuestion::Candidate(edit, why)
        })
    }
}

/// A place of a pass and a candidate of it, both by their numbers.
#[derive(Clone, Copy, Debug)]
pub struct QuestionPlace {
    place: usize,
    candidate: usize,
    inner: bool,
}

/// A candidate, why, and where it was found.
pub type FoundQuestion = (QuestionPlace, Edit, EditReason);

/// Where a pass has its questions from. Passes of this kind differ only in it.
pub trait QuestionSource: Clone {
    /// The first question from there on; none if there are no more.
    fn next_question(&mut self, view: &View, from: QuestionPlace) -> Option<FoundQuestion>;
}

/// A source that looks for the places once for each question.
pub type QuestionSearch = fn(&View, from: QuestionPlace) -> Option<FoundQuestion>;

impl QuestionSource for QuestionSearch {
    fn next_question(&mut self, view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
        self(view, from)
    }
}

impl QuestionPlace {
    /// The first of all.
    pub(super) fn first(inner: bool) -> QuestionPlace {
        QuestionPlace {
            place: 0,
            candidate: 0,
            inner,
        }
    }

    /// Whether a pass over statements asks about those inside of others.
    pub fn asks_about_inner(self) -> bool {
        self.inner
    }

    /// The first question from here on, by what each place gives for the number of a candidate.
    pub fn find_question(
        self,
        ask: impl Fn(usize, usize) -> PlaceQuestion,
    ) -> Option<FoundQuestion> {
        let mut at = self;
        loop {
            match ask(at.place, at.candidate) {
                PlaceQuestion::Candidate(edit, why) => return Some((at, edit, why)),
                PlaceQuestion::NextPlace => (at.place, at.candidate) = (at.place + 1, 0),
                PlaceQuestion::End => return None,
            }
        }
    }

    /// The first question from here on about these places, each of which has at most one. What a constraint forbids is not asked.
    pub fn find_only<T>(
        self,
        view: &View,
        places: &[T],
        ask: impl Fn(&T) -> Option<(Edit, EditReason)>,
    ) -> Option<FoundQuestion> {
        self.find_question(|place, candidate| {
            let Some(place) = places.get(place) else {
                return PlaceQuestion::End;
            };
            let asked = (candidate == 0).then(|| ask(place)).flatten();
            PlaceQuestion::of_allowed(asked.filter(|(edit, _)| allows_whole_edit(view, edit)))
        })
    }

    /// The same about places that have any number of questions, of which those that a constraint forbids are not counted.
    pub fn find_among<'a, T, Q: IntoIterator<Item = (Edit, EditReason)>>(
        self,
        view: &View,
        places: &'a [T],
        list: impl Fn(&'a T) -> Q,
    ) -> Option<FoundQuestion> {
        self.find_question(|place, candidate| {
            let Some(place) = places.get(place) else {
                return PlaceQuestion::End;
            };
            let questions = list(place).into_iter();
            let mut open = questions.filter(|(edit, _)| allows_whole_edit(view, edit));
            PlaceQuestion::of_allowed(open.nth(candidate))
        })
    }
}

/// A pass over places.
#[derive(Clone)]
pub struct PlacePass<S = QuestionSearch> {
    source: S,
    at: QuestionPlace,
    to_accept: PassedEdit,
    /// Whether the program is read again after each yes, not only where it brought text of several tokens.
    rereads: bool,
    /// Whether there is new text that is not read yet.
    has_new_text: bool,
    /// Failures in a row.
    failed: FailureRun,
    /// The number of failures in a row after which it ends.
    patience: u32,
}

impl PlacePass {
    /// Begins with the first place.
    pub fn new(source: QuestionSearch) -> PlacePass {
        PlacePass::over_source(source)
    }

    /// The same about the names of the program: after each yes it is read again, since only then the names of new tokens are known. What
    /// was the next place has the number of the one that went.
    pub fn over_names(source: QuestionSearch) -> PlacePass {
        PlacePass::over_source(source).rereading()
    }

    /// The same over statements: those inside of others are places only with `inner`.
    pub fn over_statements(source: QuestionSearch, inner: bool) -> PlacePass {
        PlacePass {
            at: QuestionPlace::first(inner),
            ..PlacePass::over_source(source)
        }
    }
}

impl<S> PlacePass<S> {
    /// Begins with the first place of this source.
    pub fn over_source(source: S) -> PlacePass<S> {
        PlacePass {
            source,
            at: QuestionPlace::first(true),
            to_accept: PassedEdit::default(),
            rereads: false,
            has_new_text: false,
            failed: FailureRun::default(),
            patience: u32::MAX,
        }
    }

    /// The same, but the program is read again after each yes.
    pub fn rereading(self) -> PlacePass<S> {
        PlacePass {
            rereads: true,
            ..self
        }
    }

    /// The same, but it ends after this number of failures in a row.
    pub fn with_patience(self, patience: u32) -> PlacePass<S> {
        PlacePass { patience, ..self }
    }
}

impl<S: QuestionSource> Proposer for PlacePass<S> {
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
        if self.rereads && matches!(view.version.objective(), Objective::Nodes) {
            return ProposerStep::Done;
        }
        if self.failed.has_reached(self.patience) {
            return ProposerStep::Done;
        }
        match self.source.next_question(view, self.at) {
            Some((at, edit, why)) => {
                self.at = at;
                ProposerStep::Test(edit, why)
            }
            None => ProposerStep::Done,
        }
    }

    fn on_verdict(&mut self, _: &View, tested: &Edit, feedback: Feedback) {
        self.to_accept.record_verdict(tested, feedback);
        self.failed.record_verdict(feedback);
        self.at.candidate += usize::from(!feedback.is_interesting());
    }

    fn on_accept(&mut self, _: &View, change: &AppliedEdit) {
        self.has_new_text = self.rereads || change.edit.ops.iter().any(brings_new_text);
        self.to_accept.clear();
        self.at.candidate = 0;
    }

    fn invalidate(&mut self, _: &View) {
        *self = PlacePass {
            at: QuestionPlace::first(self.at.inner),
            rereads: self.rereads,
            patience: self.patience,
            ..PlacePass::over_source(self.source.clone())
        };
    }
}

/// Whether it brings text of several tokens.
fn brings_new_text(op: &EditOp) -> bool {
    matches!(op, EditOp::Replace { piece: Replacement::Tokens(tokens), .. } if tokens.len() > 1)
}
