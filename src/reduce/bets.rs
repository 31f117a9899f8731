//! Bets: the tree of what the run may ask is grown where the run is likeliest to come, and tested there.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::engine::Engine;
use super::event::Ending;
use super::speculate::Index;
use crate::dialogue::Answer;
use crate::program::Hash;

/// How many branches may be open for each test that may run, and how many in any case: answers that are known cost no test.
const BRANCHES: usize = 12;
const FEW_BRANCHES: usize = 64;

/// How likely a hint comes true.
const HINTED: f64 = 0.95;

/// How many candidates are made ready for a test at the most, beyond those that are tested.
const READY: usize = 4;

/// A place to look at, by how likely the run comes there.
struct Bet {
    odds: f64,
    index: Index,
    place: Place,
}

#[derive(Clone, Copy)]
enum Place {
    /// A branch.
    Here,
    /// The branch that this answer leads to, which is not there yet.
    Behind(Answer),
    /// The branch for yes, which cannot be there before the parser has confirmed the candidate: the next candidates are parsed from
    /// its trees.
    Waiting,
}

impl Ord for Bet {
    fn cmp(&self, other: &Bet) -> Ordering {
        let older = Reverse(self.index).cmp(&Reverse(other.index));
        self.odds.total_cmp(&other.odds).then(older)
    }
}

impl PartialOrd for Bet {
    fn partial_cmp(&self, other: &Bet) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Bet {
    fn eq(&self, other: &Bet) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Bet {}

impl Engine {
    /// Goes through the tree from the likeliest place to the least likely, and has tested what is there, until no worker is free. A
    /// worker is kept for each branch that waits for the parser: its word comes long before a test's. The next few candidates are
    /// printed and shown to the parser, so that their tests can begin the moment it is their turn.
    pub(super) fn bet(&mut self) {
        let mut free = self.jobs.saturating_sub(self.known.flights.len());
        let mut ready = self.jobs.min(READY);
        let most = FEW_BRANCHES + self.jobs * BRANCHES;
        let mut bets = BinaryHeap::from([Bet {
            odds: 1.0,
            index: self.tree.root(),
            place: Place::Here,
        }]);
        while let Some(bet) = bets.pop().filter(|_| free + ready > 0) {
            let index = match bet.place {
                Place::Here if self.come_to_question(bet.index) => bet.index,
                // It is planned aside.
                Place::Here => continue,
                Place::Waiting => {
                    free = free.saturating_sub(1);
                    continue;
                }
                Place::Behind(_) if self.tree.len() >= most => continue,
                Place::Behind(answer) => match self.grow(bet.index, answer) {
                    Some(child) => child,
                    None => continue,
                },
            };
            match free {
                0 => ready -= usize::from(self.make_ready(index)).min(ready),
                _ => free -= usize::from(self.send(index)).min(free),
            }
            self.push_branches(&mut bets, index, bet.odds);
        }
    }

    /// The branches at a place that the run comes to with these odds.
    fn push_branches(&mut self, bets: &mut BinaryHeap<Bet>, index: Index, odds: f64) {
        let Some((node, question)) = self.tree.asked(index) else {
            return;
        };
        let key = (node.base, question.hash);
        let yes = match self.foreseen(index, question) {
            Some(Ending::Interesting) => 1.0,
            Some(_) => 0.0,
            None => match self.hinted(question.hash) {
                Some(Ending::Interesting) => HINTED,
                Some(_) => 1.0 - HINTED,
                None => node.asking.schedule.odds(&question.edit),
            },
        };
        for (answer, share) in [(Answer::Yes, yes), (Answer::No, 1.0 - yes)] {
            let place = match node.child(answer) {
                _ if share == 0.0 => continue,
                Some(child) => (child, Place::Here),
                None if answer.is_yes() && self.trees(key).is_none() => {
                    if !self.known.is_being_checked(key) {
                        continue;
                    }
                    (index, Place::Waiting)
                }
                None => (index, Place::Behind(answer)),
            };
            bets.push(Bet {
                odds: odds * share,
                index: place.0,
                place: place.1,
            });
        }
    }

    /// How a question about this candidate ended once, when that may be otherwise now.
    fn hinted(&self, candidate: Hash) -> Option<Ending> {
        self.store.as_ref()?.hint(candidate)
    }

    /// Grows a branch. What the parser has refused already is no question there.
    fn grow(&mut self, index: Index, answer: Answer) -> Option<Index> {
        let (node, question) = self.tree.asked(index)?;
        let trees = self.trees((node.base, question.hash)).cloned();
        let child = self.tree.grow(index, answer, trees.as_ref())?;
        self.come_to_question(child).then_some(child)
    }

    /// Has the candidate at `index` printed and shown to the parser. Says whether it is or will be ready for a test that it needs.
    fn make_ready(&mut self, index: Index) -> bool {
        let Some((node, question)) = self.tree.asked(index) else {
            return false;
        };
        let (key, question) = ((node.base, question.hash), question.clone());
        if self.is_refused(index) {
            return false;
        }
        if self.known.flights.contains_key(&key.1) || self.foreseen(index, &question).is_some() {
            return false;
        }
        if !self.known.checked.contains_key(&key) && !self.known.is_being_checked(key) {
            self.submit(index, key, question.candidate.clone(), false);
        }
        true
    }

    /// A test has said what the answer to this candidate will be: branches that count on another go.
    pub(super) fn settle_bets(&mut self, candidate: Hash, ending: Ending) {
        let wrong = match ending {
            Ending::Interesting => Answer::No,
            _ => Answer::Yes,
        };
        let nodes = self.tree.nodes().filter(|(_, node)| {
            let asked = node.question().is_some_and(|own| own.hash == candidate);
            asked && node.child(wrong).is_some()
        });
        let doomed: Vec<Index> = nodes.map(|(index, _)| index).collect();
        for &index in &doomed {
            self.tree.prune(index, wrong);
        }
        if !doomed.is_empty() {
            self.cancel_unwanted();
        }
    }
}
