//! The asking side: the schedule, the version it asks about, and the one gate to a candidate. No edit that breaks a constraint or makes
//! the program larger gets past it.

use std::sync::Arc;

use super::schedule::{Schedule, Turn};
use crate::dialogue::{Answer, Dialogue, Step};
use crate::program::{
    self, Change, Closed, Edit, EditError, Gist, Hash, Op, Trees, Version, View, Why, mark,
};

/// The asking side and what it sees: all that a branch has of its own.
#[derive(Clone)]
pub struct Asking {
    /// The schedule's state.
    pub schedule: Schedule,
    /// The version it asks about.
    pub view: View,
    found: Vec<Arc<Found>>,
    /// The edit that begins an excursion: it alone may make the program larger.
    leaves: Option<Edit>,
}

/// An edit of the current version that was found interesting.
pub struct Found {
    /// The edit.
    pub edit: Edit,
    /// Why it was asked about.
    pub why: Why,
    change: Change,
    /// The version that it makes.
    pub version: Version,
}

/// Why an edit is not asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It cannot be made.
    #[error("{0}")]
    Edit(#[from] EditError),
    /// A constraint forbids it.
    #[error("closed by {}", .0.words())]
    Closed(Closed),
    /// It does not make the program smaller; by so many tokens it makes it larger.
    #[error("it would not make the program smaller ({0:+} tokens)")]
    Larger(i64),
}

/// A question that can be answered by a test.
pub struct Question {
    /// What is asked about.
    pub edit: Edit,
    /// Why.
    pub why: Why,
    /// The version that the edit makes, without the parser's trees.
    pub candidate: Version,
    /// The hash of its bytes.
    pub hash: Hash,
    /// The hash of its tokens, where white space between them means nothing.
    pub gist: Option<Gist>,
    change: Change,
}

/// What happened on the way to a question: nothing of it needs an answer from outside.
#[derive(Clone)]
pub enum Happened {
    /// The schedule's pass or round may have changed.
    Turn(Turn),
    /// An edit was refused before any test.
    Refused,
    /// An edit was taken; whether it begins an excursion.
    Taken(Arc<Found>, bool),
    /// The user's edit was refused: it has no match of a required query, or a constraint that came after it forbids it.
    Declined,
}

/// Where the asking side stops.
pub enum Stop {
    /// At a question.
    Ask(Arc<Question>),
    /// Before work that nobody outside needs to answer.
    Work(Work),
    /// At the end of a pass: the text is to be read anew.
    Settle,
    /// At its end.
    Done,
}

/// What is to be worked out before the next question. Each is done whole or not at all, and takes time that grows with the program;
/// the run obeys meanwhile.
#[derive(Clone)]
pub enum Work {
    /// The answer to a question is heard, and an interesting candidate accepted. The trees are the candidate's, and needed for a yes.
    Hear(Arc<Question>, Answer, Option<Trees>),
    /// The text is read anew.
    Reread,
    /// The next question, or the next take, is planned.
    Plan,
}

/// What came of work.
pub struct Worked {
    /// The asking side after it.
    pub asking: Asking,
    /// What happened.
    pub happened: Vec<Happened>,
    /// Where it stopped.
    pub stop: Stop,
    /// Whether it asks about another tree from here on.
    pub renewed: bool,
}

impl Work {
    /// Whether commands hold before it: what is left of the asking side without it has no answer of its own to forget.
    pub fn yields(&self) -> bool {
        !matches!(self, Work::Hear(..))
    }
}

impl Asking {
    /// The asking side at the start of a run.
    pub fn new(schedule: Schedule, view: View) -> Asking {
        Asking {
            schedule,
            view,
            found: Vec::new(),
            leaves: None,
        }
    }

    /// An edit of the user's is the next question; one that is larger begins an excursion if it is taken.
    pub fn propose(&mut self, edit: Edit, why: Why, larger: bool) {
        self.leaves = larger.then(|| edit.clone());
        self.schedule.propose(edit, why);
    }

    /// The user's edit is not asked about any more; whether there was one.
    pub fn withdraw(&mut self) -> bool {
        self.leaves = None;
        self.schedule.withdraw()
    }

    /// What is to be told of an edit that is refused.
    fn refused(&mut self, edit: &Edit) -> Happened {
        match self.schedule.proposes(edit) {
            true => {
                self.leaves = None;
                Happened::Declined
            }
            false => Happened::Refused,
        }
    }

    /// The rules changed, or the version: what is asked about is thought over.
    pub fn rethink(&mut self) {
        self.found.clear();
        self.schedule.revive();
        self.schedule.constrained(&self.view);
    }

    /// Does this work.
    pub fn work(mut self, work: Work) -> Worked {
        let mut happened = Vec::new();
        let rereads = matches!(work, Work::Reread);
        let stop = match work {
            Work::Hear(question, answer, trees) => {
                if answer == Answer::Refused {
                    happened.push(self.refused(&question.edit));
                }
                self.told(&question, answer, trees.as_ref());
                match answer {
                    // What was found interesting is accepted with its answer.
                    Answer::Yes => self.plan(&mut happened),
                    Answer::No | Answer::Refused => Stop::Work(Work::Plan),
                }
            }
            Work::Reread => {
                self.settle();
                Stop::Work(Work::Plan)
            }
            Work::Plan => self.plan(&mut happened),
        };
        let taken = |event: &Happened| matches!(event, Happened::Taken(..));
        Worked {
            renewed: rereads || happened.iter().any(taken),
            asking: self,
            happened,
            stop,
        }
    }

    /// Goes on until an answer from outside is needed, or something was taken.
    fn plan(&mut self, happened: &mut Vec<Happened>) -> Stop {
        loop {
            let turn = self.schedule.turn().clone();
            let step = self.schedule.step(&self.view);
            if matches!(step, Step::Ask(..)) || *self.schedule.turn() != turn {
                happened.push(Happened::Turn(self.schedule.turn().clone()));
            }
            match step {
                Step::Ask(edit, why) => match self.candidate(&edit) {
                    Ok((candidate, change)) => {
                        let (hash, gist) = (candidate.hash(), candidate.gist());
                        return Stop::Ask(Arc::new(Question {
                            edit,
                            why,
                            candidate,
                            hash,
                            gist,
                            change,
                        }));
                    }
                    Err(_) => {
                        happened.push(self.refused(&edit));
                        self.schedule.told(&self.view, &edit, Answer::Refused);
                    }
                },
                Step::Take(edit) => {
                    happened.push(self.take(&edit));
                    return Stop::Work(Work::Plan);
                }
                Step::Settle => return Stop::Settle,
                Step::Done => return Stop::Done,
            }
        }
    }

    /// The version that `edit` makes, if it can be made, keeps all pins, breaks no other constraint, and is smaller in the total order:
    /// tokens, then bytes. Only the first step of an excursion may be larger.
    pub fn candidate(&self, edit: &Edit) -> Result<(Version, Change), Refusal> {
        let (base, constraints) = (&self.view.version, &self.view.constraints);
        let (mut version, change) = program::apply(base, edit)?;
        if !constraints.is_empty() {
            let mut pinned = version.pinned() < base.pinned();
            if matches!(edit.ops[..], [Op::Rewrite(_)]) {
                version = mark(&version, constraints);
                pinned =
                    version.pinned() < base.pinned() || !constraints.keeps_frozen(base, &version);
            }
            let skipped = constraints.is_skipped(version.hash());
            let closed = constraints.forbids(base, edit);
            let closed = closed.or(skipped.then_some(Closed::Skipped));
            if let Some(closed) = pinned.then_some(Closed::Pinned).or(closed) {
                return Err(Refusal::Closed(closed));
            }
        }
        let size = |version: &Version| (version.tokens(), version.bytes());
        match size(&version) < size(base) || self.leaves.as_ref() == Some(edit) {
            true => Ok((version, change)),
            false => Err(Refusal::Larger(
                i64::from(version.tokens()) - i64::from(base.tokens()),
            )),
        }
    }

    /// Why this edit would not be asked about; none if it would.
    pub fn refusal(&self, edit: &Edit) -> Option<Refusal> {
        self.candidate(edit).err()
    }

    fn take(&mut self, edit: &Edit) -> Happened {
        let Some(found) = self.found.iter().find(|found| found.edit == *edit).cloned() else {
            unreachable!("a take names an edit that was found interesting on this version");
        };
        self.found.clear();
        let leaves = self
            .leaves
            .take()
            .is_some_and(|leaves| leaves == found.edit);
        self.view.version = found.version.clone();
        self.schedule.taken(&self.view, &found.change);
        Happened::Taken(found, leaves)
    }

    /// Hears the answer to `question`. `trees` are the candidate's, and needed for a yes.
    fn told(&mut self, question: &Question, answer: Answer, trees: Option<&Trees>) {
        if let (Answer::Yes, Some(trees)) = (answer, trees) {
            let version = question.candidate.clone().with_trees(trees.clone());
            let (edit, change) = (question.edit.clone(), question.change.clone());
            self.found.push(Arc::new(Found {
                edit,
                why: question.why.clone(),
                change,
                version,
            }));
        }
        if !answer.is_yes() && self.schedule.proposes(&question.edit) {
            self.leaves = None;
        }
        self.schedule.told(&self.view, &question.edit, answer);
    }

    /// Brings the tree into agreement with the parser, unless that would misread it.
    fn settle(&mut self) {
        if let Some(version) = program::reread(&self.view.version) {
            self.view.turn_to(&version);
        }
        // A node that rests has its turn again in the next pass.
        if self.view.constraints.is_resting() {
            let mut constraints = (*self.view.constraints).clone();
            constraints.wake();
            self.view.constrain(constraints, &[]);
        }
        self.found.clear();
        self.schedule.settled(&self.view);
    }
}
