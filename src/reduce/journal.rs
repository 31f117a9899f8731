//! Where everything is written down before anyone sees its effect.
//!
//! A journal has *facts*, written as they happen: a verdict for these bytes, under this limit. And it has *decisions*, takes and
//! commands, written in the order of the dialogue. Decisions depend on nothing but what the run started from, the facts and the
//! commands; two runs are the same when their decisions are.

use std::time::Duration;

use super::claim::Claim;
use super::command::Command;
use super::event::{Decision, Ending, Finish};
use super::history::Past;
use super::quorum::{Quorum, Tally};
use super::snapshot::{Counts, PassLine};
use crate::oracle::Bound;
use crate::program::Hash;

/// What a test said of some bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The bytes, as one hash over all documents.
    pub hash: Hash,
    /// What it said.
    pub ending: Ending,
    /// How long it took.
    pub time: Duration,
    /// The processor time of all its processes, where it is known.
    pub cpu: Option<Duration>,
    /// Under which limit.
    pub limit: Option<Duration>,
    /// The limit that the test went beyond.
    pub bound: Option<Bound>,
    /// Whether it was too slow while other tests ran: then it is repeated alone before it counts.
    pub crowded: bool,
    /// Whether a store knew it, and no test ran.
    pub recalled: bool,
    /// The runs that it is made of.
    pub tally: Tally,
    /// How many of them had to say yes.
    pub quorum: Quorum,
    /// Whether it is about a version that was found interesting before, and no decision uses it.
    pub check: bool,
}

/// A question that was answered yes or no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Its number.
    pub number: Decision,
    /// The candidate.
    pub hash: Hash,
    /// How it ended.
    pub ending: Ending,
    /// Who said so.
    pub by: By,
    /// Questions since the decision before it that were refused without an answer.
    pub refused: u64,
    /// The limit in force.
    pub limit: Option<Duration>,
}

/// Who answered a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The test: there is a fact of it.
    Test,
    /// An earlier decision about the same bytes.
    Cache,
    /// An earlier decision about other white space.
    Respaced,
}

/// Where in the dialogue a command holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandPlace {
    /// Before this decision.
    pub before: Decision,
    /// After so many refusals since the decision before that.
    pub refused: u64,
    /// After so many pieces of work since then, where the next question was still being planned. None at a question or at the end.
    pub works: Option<u64>,
}

/// A take: there is a new version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The decision that found the edit interesting.
    pub decision: Decision,
    /// The number of the new version.
    pub version: u64,
    /// Its bytes.
    pub hash: Hash,
    /// Its tokens.
    pub tokens: u32,
    /// How many bytes it has.
    pub bytes: u32,
}

/// Writes down what happens. The engine calls it before it tells anyone.
pub trait Journal: Send {
    /// A test has ended.
    fn fact(&mut self, fact: &Fact);
    /// A question was decided.
    fn decided(&mut self, decided: &Decided);
    /// An edit was taken, and made this version.
    fn taken(&mut self, taken: &Taken, version: &Past);
    /// Another version is the present without a take; the second belongs on the disk.
    fn moved(&mut self, version: u64, kept: u64);
    /// A command holds before this decision, after so many refusals since the one before.
    fn command(&mut self, place: CommandPlace, command: &Command);
    /// A pass has ended, or one of its rounds: what it did in all.
    fn passed(&mut self, line: &PassLine);
    /// Nothing more comes for a while: the run waits. What was put off is written down now.
    fn rest(&mut self) {}
    /// What was written down before was not done again from its beginning to its end, but only so many things of it; after them versions
    /// came back by their texts. [`Journal::resumed`] follows.
    fn restored(&mut self, _held: usize) {}
    /// What was written down before is over: from now on things happen. `exactly` says whether they go on as if nothing had been
    /// between.
    fn resumed(&mut self, exactly: bool);
    /// The run has ended, after all this, which proves that.
    fn finished(&mut self, finish: &Finish, counts: &Counts, claim: &Claim);
    /// Why something is not written down although it should be, after another try; none if all is.
    fn trouble(&mut self) -> Option<String> {
        None
    }
    /// What was written down and is there no more, as a sentence that is told once.
    fn loss(&mut self) -> Option<String> {
        None
    }
}

/// Writes nothing down.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoJournal;

impl Journal for NoJournal {
    fn fact(&mut self, _: &Fact) {}
    fn decided(&mut self, _: &Decided) {}
    fn taken(&mut self, _: &Taken, _: &Past) {}
    fn moved(&mut self, _: u64, _: u64) {}
    fn command(&mut self, _: CommandPlace, _: &Command) {}
    fn passed(&mut self, _: &PassLine) {}
    fn resumed(&mut self, _: bool) {}
    fn finished(&mut self, _: &Finish, _: &Counts, _: &Claim) {}
}
