//! What workers, tests, the user and the clock say while the engine waits.

use std::time::{Duration, Instant};

use crossbeam_channel::{after, at, never, select};

use super::command::Command;
use super::engine::Engine;
use super::event::{Ending, Finish};
use super::journal;
use super::present::{End, Fact, Present};
use super::speculate::Stop;
use super::store::Recalled;
use super::worker::{Checked, gate};
use crate::oracle::{self, NoVerdict, Outcome, Verdict};

/// The waits before a test that failed is asked again; the failure after the last one stops the run.
const TROUBLE: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];
/// Failures of the system in a row that stop the run, each after a longer wait.
const PATIENCE: u32 = 10;

impl Engine {
    /// Waits for a worker, a test, a command or an alarm.
    pub(super) fn hear(&mut self) -> Result<(), End> {
        let dead = |who: &str| End(Finish::Failed(format!("the {who} has died")));
        let (commands, checked) = (self.commands.clone(), self.workers.checked.clone());
        let (answers, alarm) = (self.answers.clone(), self.at.alarm.clone());
        let timer = self.halts.due().map_or_else(never, at);
        select! {
            recv(commands) -> command => self.obey(command.unwrap_or(Command::Stop)),
            recv(checked) -> message => {
                self.heard_parser(message.map_err(|_| dead("worker"))?);
                Ok(())
            }
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

    pub(super) fn heard_parser(&mut self, Checked { id, trees }: Checked) {
        let index = self.known.checks.remove(&id);
        if trees.is_none()
            && let Some(hash) = self.known.by_job.remove(&id)
        {
            // No test was started for it.
            self.known.flights.remove(&hash);
            self.record.counts.started -= 1;
        }
        let Some(index) = index.filter(|&index| self.tree.get(index).is_some()) else {
            return;
        };
        match (trees, self.tree.get_mut(index)) {
            (Some(trees), Some(node)) => node.trees = Some(trees),
            _ => {
                self.tree.refuse(index);
                self.cancel_unwanted();
                if index == self.tree.root() {
                    self.arrive();
                }
            }
        }
    }

    pub(super) fn heard_test(&mut self, answer: oracle::Answer) -> Result<(), End> {
        gate(&self.runner).forget(answer.id);
        let Some(hash) = self.known.by_job.remove(&answer.id) else {
            return Ok(());
        };
        let Some(flight) = self.known.flights.remove(&hash) else {
            return Ok(());
        };
        let at_root = matches!(&self.present().stop, Stop::Ask(question) if question.hash == hash);
        let (verdict, run) = match answer.outcome {
            Outcome::Verdict(verdict, run) => (verdict, run),
            Outcome::Cancelled => return Ok(()),
            Outcome::NoVerdict(trouble) if at_root => return self.trouble(trouble),
            // It will be asked again if the run comes to it. Until the next decision nothing more is bet on.
            Outcome::NoVerdict(_) => {
                self.at.alone = true;
                return Ok(());
            }
        };
        let ending = match verdict {
            Verdict::Interesting => Ending::Interesting,
            Verdict::Boring => Ending::Boring,
            Verdict::Invalid => Ending::Invalid,
            Verdict::TimedOut => Ending::TimedOut,
        };
        self.journal.fact(&journal::Fact {
            hash,
            ending,
            time: run.time,
            cpu: run.cpu,
            limit: flight.limits.wall,
        });
        let sure = ending != Ending::TimedOut || !flight.crowded;
        if let Some(store) = self.store.as_ref().filter(|_| sure) {
            let (time, exit, cpu, limits) = (run.time, run.exit, run.cpu, flight.limits);
            let fact = Recalled {
                ending,
                time,
                exit,
                cpu,
                limits,
            };
            store.put(hash, fact);
        }
        self.known.facts.insert(
            hash,
            Fact {
                ending,
                run,
                limits: flight.limits,
                crowded: flight.crowded,
                recalled: false,
            },
        );
        Ok(())
    }

    /// There is no verdict for the root's candidate.
    pub(super) fn trouble(&mut self, trouble: NoVerdict) -> Result<(), End> {
        self.quiet();
        let pause = if trouble.may_pass() {
            self.at.waits += 1;
            let pause = Duration::from_millis(250 << self.at.waits.min(5));
            (self.at.waits < PATIENCE).then_some(pause)
        } else {
            self.at.failures += 1;
            TROUBLE.get(self.at.failures as usize - 1).copied()
        };
        if let Some(pause) = pause {
            self.note(format!(
                "{trouble}; waiting {:.1} s, then asking again",
                pause.as_secs_f64()
            ));
            (self.at.waiting, self.at.alarm) = (true, after(pause));
            return Ok(());
        }
        self.note(trouble.to_string());
        if self.fail {
            return Err(End(Finish::Failed(trouble.to_string())));
        }
        self.at = Present::default();
        self.pause(Some(format!("{trouble}, again and again")));
        Ok(())
    }
}
