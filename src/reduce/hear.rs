//! What workers, tests, the user and the clock say while the engine waits.

use std::time::{Duration, Instant};

use crossbeam_channel::{RecvError, after, at, never, select};

use super::command::Command;
use super::engine::Engine;
use super::event::{Ending, Finish};
use super::facts::Fact;
use super::journal;
use super::present::{End, Present};
use super::store::Recalled;
use super::worker::{Checked, Word, gate};
use crate::oracle::{self, Bound, Job, NoVerdict, Outcome};
use crate::program::Hash;

/// The waits before a test that failed is asked again; the failure after the last one stops the run.
const TROUBLE: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];
/// Failures of the system in a row that stop the run, each after a longer wait.
const PATIENCE: u32 = 10;

impl Engine {
    /// Waits for a worker, a test, a command or an alarm; hears whatever else workers and tests have said by then, so that nothing is
    /// bet on what is known.
    pub(super) fn hear(&mut self) -> Result<(), End> {
        self.hear_one()?;
        while let Ok(checked) = self.workers.checked.try_recv() {
            self.heard_parser(checked)?;
        }
        while let Ok(answer) = self.answers.try_recv() {
            self.heard_test(answer)?;
        }
        Ok(())
    }

    fn hear_one(&mut self) -> Result<(), End> {
        // Workers and our own runner say themselves that they panicked, and who is to come keeps their lines open; a runner of others may die.
        let dead = |who: &str| End(Finish::Failed(format!("the {who} has died")));
        let (commands, checked) = (self.commands.clone(), self.workers.checked.clone());
        let (answers, alarm) = (self.answers.clone(), self.at.alarm.clone());
        let reports = self.planner.reports.clone();
        let timer = self.halts.due().map_or_else(never, at);
        select! {
            recv(commands) -> command => match self.command_of(command) {
                Some(command) => self.heard_command(command),
                None => Ok(()),
            },
            recv(reports) -> report => report.map_or(Ok(()), |report| self.heard_planner(report)),
            recv(checked) -> checked => self.heard_parser(checked.map_err(|_| dead("worker"))?),
            recv(answers) -> answer => self.heard_test(answer.map_err(|_| dead("runner"))?),
            recv(timer) -> _ => {
                if let Some(reason) = self.halts.rings(Instant::now()) {
                    self.pause(Some(reason.to_string()));
                }
                Ok(())
            }
            recv(alarm) -> _ => {
                (self.at.waiting, self.at.alarm) = (false, never());
                Ok(())
            }
        }
    }

    /// What came from the user's side. Who is gone stops the run; who only looks at it again says nothing.
    pub(super) fn command_of(&mut self, heard: Result<Command, RecvError>) -> Option<Command> {
        match heard {
            Ok(command) => Some(command),
            Err(_) if self.record.seen.is_some() => {
                self.commands = never();
                None
            }
            Err(_) => Some(Command::Stop),
        }
    }

    /// The user says something.
    fn heard_command(&mut self, command: Command) -> Result<(), End> {
        match command {
            Command::Stop => {
                self.hear_last_yes()?;
                self.obey(Command::Stop)
            }
            command if self.again.is_some() => {
                self.hold_until_resumed(command);
                Ok(())
            }
            command => self.obey_or_hold(command),
        }
    }

    /// A command holds at once, unless the present has yet to hear an answer that it would forget.
    pub(super) fn obey_or_hold(&mut self, command: Command) -> Result<(), End> {
        if command.steers() && self.is_hearing() {
            self.held.push_back(command);
            return Ok(());
        }
        self.obey(command)
    }

    fn heard_parser(&mut self, Checked { id, word }: Checked) -> Result<(), End> {
        let check = self.known.checks.remove(&id);
        let flight = match word {
            Word::Confirmed(_) => None,
            Word::Refused | Word::Panicked(_) => self.known.by_job.remove(&id),
        };
        if let Some(hash) = flight {
            // No test was started for it.
            self.known.flights.remove(&hash);
            self.record.counts.started -= 1;
        }
        let word = match word {
            Word::Confirmed(confirmed) => Some(confirmed),
            Word::Refused => None,
            Word::Panicked(words) => {
                // When it handed on what it had confirmed, only the flight is left of it.
                let Some(hash) = check.map(|(_, hash)| hash).or(flight) else {
                    return Ok(());
                };
                let reason = format!("a worker panicked: {words}");
                return self.no_verdict(hash, NoVerdict::Fault { reason });
            }
        };
        let Some((base, hash)) = check else {
            return Ok(());
        };
        // What nobody asks about any more is dropped with the next decision.
        self.known.checked.insert((base, hash), word);
        let nodes = self.tree.nodes().filter(|(_, node)| node.base == base);
        let asking = nodes.filter(|(_, node)| node.question().is_some_and(|own| own.hash == hash));
        let asking: Vec<_> = asking.map(|(index, _)| index).collect();
        for index in asking {
            // The present is left to the engine, which has to tell what happens there.
            if self.refuses_ahead() && index != self.tree.root() && self.is_refused(index) {
                self.tree.refuse(index);
                self.come_to_question(index);
                self.cancel_unwanted();
            }
        }
        Ok(())
    }

    fn heard_test(&mut self, answer: oracle::Answer) -> Result<(), End> {
        let job = gate(&self.runner).forget(answer.id);
        let recheck = self.known.recheck.as_ref();
        if recheck.is_some_and(|recheck| recheck.job == Some(answer.id)) {
            return self.rechecked(answer.outcome, job);
        }
        if let Some(trial) = self
            .known
            .trials
            .now
            .take_if(|trial| trial.job == answer.id)
        {
            return self.tried_property(trial, &answer.outcome);
        }
        let Some(hash) = self.known.by_job.remove(&answer.id) else {
            return Ok(());
        };
        let Some(mut flight) = self.known.flights.remove(&hash) else {
            return Ok(());
        };
        let (verdict, mut run) = match answer.outcome {
            Outcome::Verdict(verdict, run) => (verdict, run),
            Outcome::Cancelled => return Ok(()),
            Outcome::NoVerdict(trouble) => return self.no_verdict(hash, trouble),
        };
        let ending = Ending::from(verdict);
        if ending != Ending::Interesting {
            self.heard_other(job.as_ref(), &run);
        }
        // Only time is what other tests can use up.
        let crowded = flight.crowded && run.exit.bound().is_some_and(Bound::is_time);
        let more = flight.add(ending, &mut run, crowded);
        if let (true, Some(job)) = (more, job) {
            self.ask_again(hash, flight, job);
            return Ok(());
        }
        self.journal.fact(&journal::Fact {
            hash,
            ending,
            time: run.time,
            cpu: run.cpu,
            limit: flight.limits.wall,
            bound: run.exit.bound(),
            crowded,
            recalled: false,
            tally: flight.tally,
            quorum: flight.quorum,
            check: false,
        });
        if self.at.waits > 0 {
            self.at.waits = 0;
            self.note("the test could be run again; the run goes on".into());
        }
        let mut denied = false;
        if let Some(store) = self.store.clone().filter(|_| !crowded) {
            let (time, exit, cpu, limits) = (run.time, run.exit, run.cpu, flight.limits);
            let fact = Recalled {
                ending,
                time,
                exit,
                cpu,
                limits,
            };
            denied = store.denies(hash, ending);
            if let Some(told) = store.put(hash, fact) {
                self.note(told);
            }
        }
        let fact = Fact {
            ending,
            run,
            limits: flight.limits,
            crowded,
            recalled: false,
            tally: flight.tally,
            quorum: flight.quorum,
        };
        if fact.is_sure() {
            self.settle_bets(hash, ending);
        }
        self.known.facts.insert(hash, fact);
        if denied {
            self.record.counts.changed += 1;
            return self.doubt();
        }
        Ok(())
    }

    /// Somebody may want to keep a candidate that shows another failure.
    fn heard_other(&mut self, job: Option<&Job>, run: &oracle::Run) {
        let others = self.others.as_mut().zip(job);
        let Some(found) = others.and_then(|(others, job)| others.hear(&job.files, run)) else {
            return;
        };
        self.record.others = found.all;
        if let Some(note) = found.note {
            self.note(note);
        }
    }

    /// There is no verdict for a candidate. If it is not the root's, it will be asked again when the run comes to it; until the next
    /// decision nothing more is bet on.
    fn no_verdict(&mut self, candidate: Hash, trouble: NoVerdict) -> Result<(), End> {
        let asked = self.present().question();
        if asked.is_some_and(|question| question.hash == candidate) {
            return self.trouble(trouble);
        }
        self.at.alone = true;
        Ok(())
    }

    /// There is no verdict for the root's candidate.
    pub(super) fn trouble(&mut self, trouble: NoVerdict) -> Result<(), End> {
        self.quiet();
        let pause = if trouble.may_pass() {
            self.at.waits += 1;
            let pause = Duration::from_millis(250 << self.at.waits.min(5));
            (self.at.waits < PATIENCE || trouble.lacks_room()).then_some(pause)
        } else {
            self.at.failures += 1;
            TROUBLE.get(self.at.failures as usize - 1).copied()
        };
        if let Some(pause) = pause {
            // It may take hours until somebody makes room: that is not said again and again.
            if self.at.waits < PATIENCE {
                self.note(format!(
                    "{trouble}; waiting {:.1} s, then asking again",
                    pause.as_secs_f64()
                ));
            }
            (self.at.waiting, self.at.alarm) = (true, after(pause));
            return Ok(());
        }
        self.note(trouble.to_string());
        if self.fail {
            return Err(End(Finish::Failed(trouble.to_string())));
        }
        self.at = Present::default();
        self.stick(format!("{trouble}, again and again"));
        Ok(())
    }
}
