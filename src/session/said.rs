//! What the lines of a journal say was decided, taken and done.

use std::time::Duration;

use rustc_hash::FxHashMap;

use super::journal::{Known, Line, Word};
use crate::oracle::{Bound, Change, Output, Run};
use crate::program::Hash;
use crate::reduce::{Command, Tally, Was};

/// What a line says of what is looked for from there on.
pub(super) fn change(line: &Line) -> Option<Change> {
    let Line::Command { command, .. } = line else {
        return None;
    };
    match Command::read(command) {
        Ok(Command::Property(change, true)) => Some(change),
        _ => None,
    }
}

pub(super) type Facts<'a> = FxHashMap<&'a str, Vec<Said<'a>>>;

/// What a test said.
#[derive(Clone, Copy)]
pub(super) struct Said<'a> {
    pub ending: Word,
    pub time_ns: u64,
    pub cpu_ns: Option<u64>,
    pub limit_ns: Option<u64>,
    /// The hash of the test.
    pub test: &'a str,
    /// How often what is looked for had changed.
    pub changes: usize,
    pub bound: Option<Bound>,
    /// How many runs said interesting, and of how many, if there was more than one.
    pub runs: Option<(u32, u32)>,
}

impl Said<'_> {
    pub fn tally(self) -> Tally {
        let tally = self.runs.map(|(yes, runs)| Tally { yes, runs });
        tally.unwrap_or_else(|| Tally::once(self.ending.into()))
    }

    pub fn run(self) -> Run {
        Run {
            exit: self.ending.exit(self.bound),
            time: Duration::from_nanos(self.time_ns),
            cpu: self.cpu_ns.map(Duration::from_nanos),
            output: Output::default(),
        }
    }
}

/// What a line says was done, in the order of the dialogue.
pub(super) fn was(line: &Line, facts: &Facts) -> Option<Was> {
    match line {
        Line::Decision {
            hash,
            ending,
            by,
            refused,
            limit_ns,
            ms,
            ..
        } => {
            let all = facts.get(&hash[..]).map_or(&[][..], Vec::as_slice);
            let mut same = all.iter().filter(|fact| fact.ending == *ending);
            let under = same.clone().find(|fact| fact.limit_ns == *limit_ns);
            let fact = under.or_else(|| same.next()).copied().unwrap_or(Said {
                ending: *ending,
                time_ns: 0,
                cpu_ns: None,
                limit_ns: *limit_ns,
                test: "",
                changes: 0,
                bound: None,
                runs: None,
            });
            Some(Was::Decided {
                hash: Hash::read(hash)?,
                refused: *refused,
                ending: (*ending).into(),
                by: Known::by(*by),
                run: fact.run(),
                tally: fact.tally(),
                at: Duration::from_millis(*ms),
            })
        }
        Line::Take {
            take,
            version,
            parent,
            hash,
            why,
            ..
        } => Some(Was::Taken {
            decision: *take,
            version: *version,
            parent: *parent,
            hash: Hash::read(hash)?,
            sentence: why.as_str().into(),
        }),
        Line::Stands { stands, .. } => Some(Was::Moved(*stands)),
        Line::Command {
            command,
            before,
            refused,
            ..
        } => {
            // The rest is over.
            let command = Command::read(command).ok().filter(Command::returns)?;
            Some(Was::Command {
                before: *before,
                refused: *refused,
                command,
            })
        }
        Line::Fact { .. } | Line::Pass { .. } | Line::Resumed { .. } | Line::Finished { .. } => {
            None
        }
    }
}
