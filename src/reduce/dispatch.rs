//! What is tested: the present's candidate, what a batch will ask in any case, and what is likeliest to be asked next.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use super::cache::Hit;
use super::engine::Engine;
use super::event::Ending;
use super::facts::Fact;
use super::present::{Flight, Key};
use super::quorum::{Quorum, Tally};
use super::speculate::{Index, Question, Stop};
use super::store::Recalled;
use super::worker::{Task, gate};
use crate::dialogue::Answer;
use crate::oracle::{self, Job, JobId, Limits};
use crate::program::{Gist, Hash, Trees, Version};

impl Engine {
    /// Has the root's candidate tested, and others as long as workers are free: the questions of a batch, then the likeliest.
    pub(super) fn dispatch(&mut self) {
        self.send(self.tree.root());
        if self.is_quiet() {
            return;
        }
        self.send_ahead();
        self.bet();
    }

    /// Whether nothing is tested beside the root's candidate.
    fn is_quiet(&self) -> bool {
        self.paused || self.at.alone || self.at.waiting
    }

    /// Whether a question that the parser has refused is passed over before it is the present one. Not while a script waits: its commands
    /// hold at the first question of a decision, and that must not depend on when the parser speaks.
    pub(super) fn refuses_ahead(&self) -> bool {
        self.script.is_empty()
    }

    /// Whether the parser has refused the candidate at `index`, and the cache will not answer the question before anyone asks the
    /// parser.
    pub(super) fn is_refused(&self, index: Index) -> bool {
        let Some((node, question)) = self.tree.asked(index) else {
            return false;
        };
        let refused = matches!(
            self.known.checked.get(&(node.base, question.hash)),
            Some(None)
        );
        let root = index == self.tree.root();
        let assumed = || self.tree.assumed(index, question).filter(|_| !root);
        let boring = || match self.cached(question.hash, question.gist) {
            Some(hit) => hit.ending != Ending::Interesting,
            None => assumed().is_some_and(|answer| !answer.is_yes()),
        };
        refused && !boring()
    }

    /// The parser's trees of a candidate, if it has confirmed it.
    pub(super) fn trees(&self, key: Key) -> Option<&Trees> {
        Some(&self.known.checked.get(&key)?.as_ref()?.trees)
    }

    /// What the cache says of a candidate now.
    pub(super) fn cached(&self, candidate: Hash, gist: Option<Gist>) -> Option<Hit> {
        self.known.cache.get(candidate, gist, self.limit.current())
    }

    /// How the question at a branch will end, where it is known already.
    pub(super) fn foreseen(&self, index: Index, question: &Question) -> Option<Ending> {
        let fact = || self.known.facts.get(question.hash).map(|fact| fact.ending);
        self.before_any_test(index, question).or_else(fact)
    }

    /// What the cache will say when the run comes to `index`.
    fn before_any_test(&self, index: Index, question: &Question) -> Option<Ending> {
        let hit = self.cached(question.hash, question.gist);
        hit.map(|hit| hit.ending)
            .or_else(|| match self.tree.assumed(index, question)? {
                Answer::Yes => Some(Ending::Interesting),
                Answer::No | Answer::Refused => Some(Ending::Boring),
            })
    }

    /// Hands the candidate at `index` to the workers, as far as it is not there or known. Says whether a test more is on its way.
    pub(super) fn send(&mut self, index: Index) -> bool {
        let root = index == self.tree.root();
        let Some((node, question)) = self.tree.asked(index) else {
            return false;
        };
        if self.is_refused(index) {
            return false;
        }
        let known = if root {
            self.cached(question.hash, question.gist)
                .map(|hit| hit.ending)
        } else {
            self.before_any_test(index, question)
        };
        let key = (node.base, question.hash);
        let question: Arc<Question> = question.clone();
        let test = known.is_none() && self.is_to_be_tested(question.hash);
        let word = !self.known.checked.contains_key(&key) && !self.known.is_being_checked(key);
        let matters = known.is_none_or(|ending| ending == Ending::Interesting);
        if (root && self.at.waiting) || !(test || word && matters) {
            return false;
        }
        self.submit(index, key, question.candidate.clone(), test);
        test
    }

    /// Whether no test has said or will say anything of this candidate. What a store knows is a fact from now on.
    pub(super) fn is_to_be_tested(&mut self, candidate: Hash) -> bool {
        if self.known.flights.contains_key(&candidate) || self.known.facts.get(candidate).is_some()
        {
            return false;
        }
        let recalled = self.store.as_ref().and_then(|store| store.get(candidate));
        let quorum = self.quorum();
        let enough = |fact: &Recalled| quorum.decides(Tally::once(fact.ending)).is_some();
        let recalled = recalled.filter(|fact| fact.holds(self.limit.current()) && enough(fact));
        if let Some(fact) = recalled {
            self.known.facts.insert(candidate, recall(fact));
        }
        recalled.is_none()
    }

    /// Has the batch's questions tested that are not known.
    fn send_ahead(&mut self) {
        let root = self.tree.root();
        self.look_ahead();
        for at in 0..self.known.ahead.named().len() {
            if self.known.flights.len() >= self.jobs {
                return;
            }
            let candidate = self.known.ahead.named()[at].clone();
            let key = (self.present().base, candidate.hash);
            let known = self.cached(candidate.hash, candidate.gist).is_some();
            let refused = matches!(self.known.checked.get(&key), Some(None));
            if !known && !refused && self.is_to_be_tested(candidate.hash) {
                self.submit(root, key, candidate.version.clone(), true);
            }
        }
    }

    /// Asks the present what its batch will ask in any case.
    fn look_ahead(&mut self) {
        let present = self.tree.get(self.tree.root());
        match present.filter(|node| self.jobs > 1 && node.question().is_some()) {
            Some(present) if !self.is_quiet() => self.known.ahead.look(present, self.jobs),
            _ => self.known.ahead.clear(),
        }
    }

    /// Hands a candidate of the version at `index` to the workers: for the parser's word, and for a test if `test`. One that is ready
    /// goes to its test at once.
    pub(super) fn submit(&mut self, index: Index, key: Key, candidate: Version, test: bool) {
        self.known.jobs += 1;
        let (id, limits) = (JobId(self.known.jobs), self.limit.current());
        if test {
            self.take_off(id, key.1, limits);
            let confirmed = self.known.checked.get_mut(&key).and_then(Option::as_mut);
            if let Some(files) = confirmed.and_then(|confirmed| confirmed.files.take()) {
                let alone = self.at.alone;
                gate(&self.runner).submit(Job {
                    id,
                    files,
                    limits,
                    alone,
                });
                return;
            }
        }
        let Some(node) = self.tree.get(index) else {
            return;
        };
        let task = Task {
            id,
            base: node.asking.view.version.clone(),
            candidate,
            limits,
            alone: self.at.alone,
            syntactic: node.asking.schedule.syntactic(),
            constraints: node.asking.view.constraints.clone(),
            test,
        };
        self.known.checks.insert(id, key);
        // Cannot fail: we hold the other end, for workers to come. A worker says itself that it panicked.
        let _ = self.workers.tasks.send(task);
    }

    /// A test begins.
    fn take_off(&mut self, job: JobId, candidate: Hash, limits: Limits) {
        let crowded = !self.known.flights.is_empty();
        for flight in self.known.flights.values_mut() {
            flight.crowded = true;
        }
        let flight = Flight {
            job,
            since: Instant::now(),
            limits,
            crowded,
            quorum: self.quorum(),
            tally: Tally::default(),
            slowest: Duration::ZERO,
            most: None,
        };
        self.known.flights.insert(candidate, flight);
        self.known.by_job.insert(job, candidate);
        self.record.counts.started += 1;
    }

    /// Tests whose candidate no branch and no batch asks about any more are killed, and what is known of it is put aside.
    pub(super) fn cancel_unwanted(&mut self) {
        if self.is_working() {
            // Nobody knows yet what the present will ask.
            return;
        }
        self.look_ahead();
        let mut wanted = FxHashSet::default();
        let mut keys = FxHashSet::default();
        for (_, node) in self.tree.nodes() {
            if let Stop::Ask(question) = &node.stop {
                wanted.insert(question.hash);
                keys.insert((node.base, question.hash));
            }
        }
        let (present, known) = (self.present().base, &mut self.known);
        let ahead = &known.ahead;
        let named = |key: &Key| key.0 == present && ahead.names(key.1);
        known
            .checked
            .retain(|key, _| keys.contains(key) || named(key));
        let is_stale = |(id, key): &(&JobId, &Key)| {
            !known.by_job.contains_key(*id) && !keys.contains(*key) && !named(key)
        };
        let checks = known.checks.iter().filter(is_stale);
        let stale: Vec<JobId> = checks.map(|(id, _)| *id).collect();
        for id in stale {
            known.checks.remove(&id);
            gate(&self.runner).cancel(id);
        }
        let is_wanted = |hash: &Hash| wanted.contains(hash) || ahead.names(*hash);
        known.facts.put_aside(|hash| is_wanted(&hash));
        let flights = known.flights.keys().filter(|hash| !is_wanted(hash));
        let doomed: Vec<Hash> = flights.copied().collect();
        self.cancel(doomed);
    }

    /// Kills these tests.
    fn cancel(&mut self, doomed: Vec<Hash>) {
        for hash in doomed {
            if let Some(flight) = self.known.flights.remove(&hash) {
                self.known.by_job.remove(&flight.job);
                self.known.checks.remove(&flight.job);
                let started = gate(&self.runner).cancel(flight.job);
                self.record.counts.started -= u64::from(!started);
            }
        }
    }

    /// Kills all tests.
    pub(super) fn cancel_all(&mut self) {
        self.cancel(self.known.flights.keys().copied().collect());
    }

    /// From now until the next decision, only the root's candidate is tested.
    pub(super) fn quiet(&mut self) {
        self.at.alone = true;
        self.tree.forget_bets();
        self.cancel_unwanted();
    }
}

/// What a store knows, as if a test had said it now.
fn recall(fact: Recalled) -> Fact {
    let Recalled {
        ending,
        time,
        exit,
        cpu,
        limits,
    } = fact;
    let run = oracle::Run {
        exit,
        time,
        cpu,
        output: oracle::Output::default(),
    };
    Fact {
        ending,
        run,
        limits,
        crowded: false,
        recalled: true,
        tally: Tally::once(ending),
        quorum: Quorum::ONCE,
    }
}
