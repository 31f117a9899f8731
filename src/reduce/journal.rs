//! Where everything is written down before anyone sees its effect.
//!
//! A journal has *facts*, written as they happen: a verdict for these bytes, under this limit. And it has *decisions*, takes and
//! commands, written in the order of the dialogue. Decisions depend on nothing but what the run started from, the facts and the
//! commands; two runs are the same when their decisions are.

use std::time::Duration;

use super::command::Command;
use super::event::{Decision, Ending, Finish};
use super::snapshot::Counts;
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
}

/// A question that was answered yes or no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Its number.
    pub number: Decision,
    /// The candidate.
    pub hash: Hash,
    /// The answer.
    pub yes: bool,
    /// The limit in force.
    pub limit: Option<Duration>,
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
    /// An edit was taken.
    fn taken(&mut self, taken: &Taken);
    /// A command holds before this decision, after so many refusals since the one before.
    fn command(&mut self, before: Decision, refused: u64, command: &Command);
    /// The run has ended, after all this.
    fn finished(&mut self, finish: &Finish, counts: &Counts);
}

/// Writes nothing down.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoJournal;

impl Journal for NoJournal {
    fn fact(&mut self, _: &Fact) {}
    fn decided(&mut self, _: &Decided) {}
    fn taken(&mut self, _: &Taken) {}
    fn command(&mut self, _: Decision, _: u64, _: &Command) {}
    fn finished(&mut self, _: &Finish, _: &Counts) {}
}
