//! A version asked about once more: because the user wants to know, or because it is the result.
//!
//! The result is asked about once more when nothing is left to try. If the test finds it interesting no longer, the original is asked
//! about. Where that is interesting no longer either, the test is another one than it was, or what it calls is: the run ends there, and
//! keeps the result. Else the test is flaky: from then on as many runs must say yes as the quorum says, and the newest version of which
//! they do is where the run goes on. All of that is commands (`confirm`, `undo fails`) in the journal, so that it is done again when the
//! dialogue is.

use std::sync::Arc;

use super::command::{Command, Undo};
use super::engine::Engine;
use super::event::{Ending, Finish};
use super::history::Past;
use super::journal;
use super::obey::Outcome;
use super::present::End;
use super::quorum::{Quorum, Tally};
use super::speculate::Stop;
use super::worker::gate;
use crate::oracle::{self, Job, JobId, Limits, Run};
use crate::program::Hash;

/// A version that is asked about once more.
pub(super) struct Recheck {
    /// None after a failure of the system, until it is asked again.
    pub job: Option<JobId>,
    limits: Limits,
    /// The version that was present when it was asked.
    version: u64,
    /// What is asked about.
    hash: Hash,
    why: Why,
    quorum: Quorum,
    tally: Tally,
}

/// Why it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    /// The user wants it.
    Asked,
    /// It is the result.
    End,
    /// It is the original, since the present version does not hold; which may be the result.
    Original { end: bool },
    /// It may be the newest version that holds.
    Holds,
}

/// What is said if the original is interesting no more.
const CHANGED: &str = "the test does not find the original interesting any more either: it, or something that it runs, has changed";

impl Engine {
    pub(super) fn recheck(&mut self) -> Outcome {
        if self.known.recheck.is_some() {
            return Err("it is being asked already".into());
        }
        if self.known.trials.now.is_some() {
            // Until that is over the runner looks for what is only tried.
            return Err(
                "a change of what is looked for is being tried on it; recheck after that".into(),
            );
        }
        self.check(Why::Asked, self.quorum());
        Ok(None)
    }

    /// Has the test run on the present version, outside of the dialogue.
    pub(super) fn ask_about_now(&mut self) -> JobId {
        self.ask_about(&self.history.now().clone())
    }

    /// Has the test run on a version, outside of the dialogue.
    fn ask_about(&mut self, past: &Past) -> JobId {
        self.known.jobs += 1;
        let job = JobId(self.known.jobs);
        let files = past.version.files().into_iter();
        gate(&self.runner).submit(Job {
            id: job,
            files: files.map(|(path, bytes)| (path, bytes.into())).collect(),
            limits: self.limit.current(),
            // So that an end at a limit of time tells of the test.
            alone: true,
        });
        job
    }

    /// The version that is asked about for this reason.
    fn subject(&self, why: Why) -> Arc<Past> {
        let history = &self.history;
        match why {
            Why::Original { .. } => history.all()[0].clone(),
            Why::Asked | Why::End | Why::Holds => history.now().clone(),
        }
    }

    /// Has the present version, or the original in its place, asked about.
    fn check(&mut self, why: Why, quorum: Quorum) {
        let subject = self.subject(why);
        self.known.recheck = Some(Recheck {
            job: Some(self.ask_about(&subject)),
            limits: self.limit.current(),
            version: self.history.now().number,
            hash: subject.hash,
            why,
            quorum,
            tally: Tally::default(),
        });
    }

    /// What has had no verdict is asked again when the wait for that is over, unless the user has gone elsewhere meanwhile.
    pub(super) fn check_again(&mut self) {
        let now = self.history.now().number;
        let failed = |recheck: &mut Recheck| recheck.job.is_none();
        let Some(mut recheck) = self.known.recheck.take_if(failed) else {
            return;
        };
        if recheck.version != now {
            return;
        }
        let stands = self.paused && self.at.steps == 0;
        if !self.at.waiting && !stands {
            recheck.job = Some(self.ask_about(&self.subject(recheck.why)));
            recheck.limits = self.limit.current();
        }
        self.known.recheck = Some(recheck);
    }

    /// Whether nothing is asked until it is known whether the present version holds.
    pub(super) fn is_confirming(&self) -> bool {
        let done = matches!(self.present().stop, Stop::Done) && !self.is_confirmed();
        let now = self.history.now().number;
        let recheck = self.known.recheck.as_ref();
        recheck.is_some_and(|recheck| done || recheck.why != Why::Asked && recheck.version == now)
    }

    /// Whether nothing more needs to be known of the present version.
    fn is_confirmed(&self) -> bool {
        !self.confirm || self.known.confirmed == Some(self.history.now().hash)
    }

    /// Nothing is left to try: has the result asked about once more. Whether the run has to wait for that.
    pub(super) fn confirms_the_end(&mut self) -> bool {
        if self.is_confirmed() {
            return false;
        }
        // Where not all runs need to say yes, a single no would tell nothing.
        let quorum = self.quorum();
        self.check(
            Why::End,
            match quorum.is_strict() {
                true => Quorum::ONCE,
                false => quorum,
            },
        );
        self.publish();
        true
    }

    /// The test has said something of the version that was present when it was asked.
    pub(super) fn rechecked(
        &mut self,
        outcome: oracle::Outcome,
        job: Option<Job>,
    ) -> Result<(), End> {
        let Some(mut recheck) = self.known.recheck.take() else {
            return Ok(());
        };
        let (verdict, run) = match outcome {
            oracle::Outcome::Verdict(verdict, run) => (verdict, run),
            oracle::Outcome::Cancelled => return Ok(()),
            oracle::Outcome::NoVerdict(trouble) if recheck.why == Why::Asked => {
                self.note(format!("checked once more, without a verdict: {trouble}"));
                return Ok(());
            }
            oracle::Outcome::NoVerdict(trouble) => {
                recheck.job = None;
                self.known.recheck = Some(recheck);
                return self.trouble(trouble);
            }
        };
        let ending = Ending::from(verdict);
        recheck.tally.add(ending);
        let decided = recheck.quorum.decides(recheck.tally);
        if let (None, Some(job)) = (decided, job) {
            self.known.jobs += 1;
            let id = JobId(self.known.jobs);
            recheck.job = Some(id);
            gate(&self.runner).submit(Job { id, ..job });
            self.known.recheck = Some(recheck);
            return Ok(());
        }
        self.write_check(&recheck, ending, &run);
        match decided {
            Some(true) => self.holds(&recheck)?,
            _ => self.fails(&recheck, &run)?,
        }
        self.publish();
        Ok(())
    }

    /// What it said is written down.
    fn write_check(&mut self, recheck: &Recheck, ending: Ending, run: &Run) {
        self.journal.fact(&journal::Fact {
            hash: recheck.hash,
            ending,
            time: run.time,
            cpu: run.cpu,
            limit: recheck.limits.wall,
            bound: run.exit.bound(),
            crowded: false,
            recalled: false,
            tally: recheck.tally,
            quorum: recheck.quorum,
            check: true,
        });
        self.record.holds(recheck.hash, recheck.tally);
        self.record.counts.repeated += u64::from(recheck.tally.runs);
        self.record.counts.changed += u64::from(recheck.tally.yes < recheck.tally.runs);
    }

    fn holds(&mut self, recheck: &Recheck) -> Result<(), End> {
        let runs = match recheck.tally.runs {
            1 => String::new(),
            _ => format!(", in {}", recheck.tally),
        };
        match recheck.why {
            Why::Asked => {
                self.note(format!(
                    "checked once more: the test finds it interesting{runs}"
                ));
                return Ok(());
            }
            Why::Original { end } => {
                self.doubt()?;
                if end && recheck.version == self.history.now().number {
                    self.check(Why::Holds, self.quorum());
                }
                return Ok(());
            }
            Why::End => {}
            Why::Holds => self.note(format!("version {} holds{runs}", recheck.version)),
        }
        self.known.confirmed = Some(recheck.hash);
        Ok(())
    }

    fn fails(&mut self, recheck: &Recheck, run: &Run) -> Result<(), End> {
        let exit = run.exit;
        let is_now = recheck.version == self.history.now().number;
        match recheck.why {
            Why::Asked => {
                let reason =
                    format!("checked once more: the test no longer finds it interesting ({exit})");
                self.note(reason.clone());
                self.stand_still();
                self.pause(Some(reason));
                self.check(Why::Original { end: false }, Quorum::ANY);
            }
            Why::Original { end: false } => self.note(CHANGED.into()),
            // The user has gone elsewhere meanwhile.
            _ if !is_now => {}
            Why::End => {
                self.note(format!(
                    "the test was asked about the result once more and does not find it interesting ({exit})"
                ));
                self.check(Why::Original { end: true }, Quorum::ANY);
            }
            Why::Original { end: true } => {
                return Err(End(Finish::Failed(format!(
                    "{CHANGED}. What it has said since then may be wrong: mend it, and reduce the result once more"
                ))));
            }
            Why::Holds => return self.go_back(recheck),
        }
        Ok(())
    }

    /// The present version does not hold: the one before is asked about.
    fn go_back(&mut self, recheck: &Recheck) -> Result<(), End> {
        let Recheck {
            version,
            tally,
            quorum,
            ..
        } = *recheck;
        self.note(format!(
            "version {version} was interesting in {tally}, and {quorum} are wanted: back to the version before"
        ));
        let first = self.history.now().parent.is_none();
        self.obey(Command::Undo(Undo::Fails))?;
        // What follows from it follows now, and not when the answers to come leave time for it: a run that is done again finds it here.
        self.come_to_present();
        if let Some(why) = self.record.refusal() {
            let left = match first {
                true => "no version holds".into(),
                false => format!("the run cannot go back to the version before ({why})"),
            };
            return Err(End(Finish::Failed(format!(
                "the test is flaky, and {left}: version {version} was interesting in {tally}, and {quorum} are wanted. \
                 --confirm 1/5, for example, wants fewer; `lop doctor` may know why the test is flaky"
            ))));
        }
        self.check(Why::Holds, self.quorum());
        Ok(())
    }
}
