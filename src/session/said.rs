//! What the lines of a journal say was decided, taken and done.

use std::time::Duration;

use rustc_hash::FxHashMap;

use super::journal::{Basis, Header, Known, Line, Word};
use crate::oracle::{Bound, Change, Limit, Outcome, Output, Property, Run, Verdict};
use crate::program::Hash;
use crate::reduce::{Command, CommandPlace, Quorum, Tally, Was};

/// What a test is asked, as far as a journal's commands tell it: what is looked for, within which limit. An adaptive limit is that of
/// the start.
#[derive(Clone, Debug)]
pub struct Sought {
    /// What is looked for; none if the test is a script.
    pub property: Option<Property>,
    /// The limit, unless it has followed the tests.
    pub limit: Limit,
    /// How often it became something else, so that what tests had said did not count any more.
    pub(super) changes: usize,
}

impl Sought {
    /// As a run begins.
    pub(super) fn new(header: &Header) -> Sought {
        Sought {
            property: header.run.as_ref().and_then(|run| run.property.clone()),
            limit: header.limit.limit(),
            changes: 0,
        }
    }

    /// What a line says of it. What cannot be was refused by the run as well.
    pub(super) fn hear(&mut self, line: &Line) {
        let Line::Command { command, .. } = line else {
            return;
        };
        match Command::recorded(command) {
            Ok(Command::Property(change, true)) => {
                let now = self.property.as_ref();
                if let Some(Ok(new)) = now.map(|now| now.changed(&change)) {
                    self.property = Some(new);
                }
                self.changes += 1;
            }
            Ok(Command::Timeout(limit)) => {
                let limit = Limit::fixed(limit.unwrap_or_default());
                let hangs = self
                    .property
                    .as_ref()
                    .is_some_and(Property::is_about_a_hang);
                match hangs {
                    // Without a limit nothing would ever hang: that is refused.
                    true if limit.current().wall.is_none() => return,
                    true => self.limit = limit.of_a_hang(),
                    false => self.limit = limit,
                }
                self.changes += usize::from(hangs);
            }
            _ => {}
        }
    }
}

/// What a line says of what is looked for from there on.
pub(super) fn change(line: &Line) -> Option<Change> {
    let Line::Command { command, .. } = line else {
        return None;
    };
    match Command::recorded(command) {
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
    /// The test; none if it is not known.
    pub basis: Option<&'a Basis>,
    /// See [`Sought`].
    pub changes: usize,
    pub bound: Option<Bound>,
    /// Whether other tests ran at the same time.
    pub crowded: bool,
    /// How many runs said interesting, and of how many, if there was more than one.
    pub runs: Option<(u32, u32)>,
    /// How many had to.
    pub quorum: Quorum,
}

impl<'a> Said<'a> {
    /// What a line says that a test said, and of which candidate. A version that was only looked at once more is none.
    pub fn of<'l>(
        line: &'l Line,
        basis: Option<&'a Basis>,
        changes: usize,
    ) -> Option<(&'l str, Said<'a>)> {
        let Line::Fact {
            fact,
            ending,
            time_ns,
            cpu_ns,
            limit_ns,
            bound,
            crowded,
            runs,
            confirm,
            check: false,
            ..
        } = line
        else {
            return None;
        };
        let quorum = confirm.as_ref().and_then(|quorum| quorum.parse().ok());
        let said = Said {
            ending: *ending,
            time_ns: *time_ns,
            cpu_ns: *cpu_ns,
            limit_ns: *limit_ns,
            basis,
            changes,
            bound: bound.as_deref().and_then(Bound::named),
            crowded: *crowded,
            runs: *runs,
            quorum: quorum.unwrap_or_default(),
        };
        Some((fact, said))
    }

    /// The limit that the test had.
    pub fn limit(&self) -> Option<Duration> {
        self.limit_ns.map(Duration::from_nanos)
    }

    pub fn tally(self) -> Tally {
        let tally = self.runs.map(|(yes, runs)| Tally { yes, runs });
        tally.unwrap_or_else(|| Tally::once(self.ending.into()))
    }

    /// Whether it was this test.
    pub fn is_of(&self, test: &Basis) -> bool {
        self.basis.is_some_and(|basis| basis.has_test_of(test))
    }

    /// The same as an answer of the test.
    pub fn outcome(self) -> Outcome {
        let verdict = match self.ending {
            Word::Interesting => Verdict::Interesting,
            Word::Boring => Verdict::Boring,
            Word::Invalid => Verdict::Invalid,
            Word::TimedOut => Verdict::TimedOut,
        };
        Outcome::Verdict(verdict, self.run())
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
                basis: None,
                changes: 0,
                bound: None,
                crowded: false,
                runs: None,
                quorum: Quorum::default(),
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
            works,
            ..
        } => {
            // The rest is over.
            let command = Command::recorded(command).ok().filter(Command::returns)?;
            let place = CommandPlace {
                before: *before,
                refused: *refused,
                works: *works,
            };
            Some(Was::Command { place, command })
        }
        Line::Fact { .. } | Line::Pass { .. } | Line::Resumed { .. } | Line::Finished { .. } => {
            None
        }
    }
}
