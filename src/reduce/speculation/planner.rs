//! Work of the proposer on a thread of its own, so that the engine receives commands meanwhile.
//!
//! The thread does one piece of work at a time. The branch keeps the state from before the work, so unfinished work can be abandoned at any
//! moment: a command changes the state from before, and the work begins anew.

use std::thread::Builder;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::tree::NodeIndex;
use crate::oracle::catch_panic;
use crate::protocol::abandon::{AbandonFlag, unless_abandoned};
use crate::reduce::cleaner::Cleaner;
use crate::reduce::proposer::{ProposerState, ProposerWork, WorkResult};

/// Work for the thread.
struct PlannerRequest {
    number: u64,
    proposer: ProposerState,
    work: ProposerWork,
    flag: AbandonFlag,
}

/// The thread's report: the outcome of its work, or the message of its panic.
pub struct PlannerReport {
    number: u64,
    result: Result<WorkResult, String>,
}

/// The branch that is worked on.
struct PlannerTask {
    number: u64,
    index: NodeIndex,
    flag: AbandonFlag,
}

/// The thread, and what it works on.
pub struct BackgroundPlanner {
    requests: Option<Sender<PlannerRequest>>,
    task: Option<PlannerTask>,
    reports_in: Sender<PlannerReport>,
    /// Receives the thread's reports.
    pub reports: Receiver<PlannerReport>,
    numbered: u64,
    /// Drops what nobody waits for any more.
    cleaner: Cleaner,
}

impl BackgroundPlanner {
    /// A planner without a thread, which comes with the first work.
    pub fn new(cleaner: Cleaner) -> BackgroundPlanner {
        let (reports_in, reports) = unbounded();
        BackgroundPlanner {
            requests: None,
            task: None,
            reports_in,
            reports,
            numbered: 0,
            cleaner,
        }
    }

    /// Whether it works for this branch.
    pub fn works_for(&self, index: NodeIndex) -> bool {
        self.task.as_ref().is_some_and(|task| task.index == index)
    }

    /// Whether it works for any branch.
    pub fn is_busy(&self) -> bool {
        self.task.is_some()
    }

    /// Begins this work for a branch, and abandons the last. Returns whether the system gave it a thread.
    pub fn begin_work(
        &mut self,
        index: NodeIndex,
        proposer: &ProposerState,
        work: &ProposerWork,
    ) -> bool {
        self.abandon();
        self.numbered += 1;
        let (number, flag) = (self.numbered, AbandonFlag::default());
        let order = PlannerRequest {
            number,
            proposer: proposer.clone(),
            work: work.clone(),
            flag: flag.clone(),
        };
        let begun = self
            .ensure_thread()
            .is_some_and(|orders| orders.send(order).is_ok());
        if begun {
            self.task = Some(PlannerTask {
                number,
                index,
                flag,
            });
        }
        begun
    }

    fn ensure_thread(&mut self) -> Option<&Sender<PlannerRequest>> {
        if self.requests.is_none() {
            let (orders, inbox) = unbounded();
            let reports = self.reports_in.clone();
            let thread = Builder::new().name("lop-planner".into());
            thread.spawn(move || run_planner(inbox, &reports)).ok()?;
            self.requests = Some(orders);
        }
        self.requests.as_ref()
    }

    /// Abandons the current work. A thread that does not notice at once is left alone: the next work has a new one.
    pub fn abandon(&mut self) {
        if let Some(task) = self.task.take() {
            task.flag.abandon();
            self.requests = None;
        }
    }

    /// The branch that a report is about and the outcome of its work; none if the work was abandoned.
    pub fn finish_task(
        &mut self,
        report: PlannerReport,
    ) -> Option<(NodeIndex, Result<WorkResult, String>)> {
        let Some(task) = self.task.take_if(|task| task.number == report.number) else {
            if let Ok(stale) = report.result {
                let tokens = stale.proposer.view.version.token_count();
                self.cleaner.drop_later(tokens, stale);
            }
            return None;
        };
        Some((task.index, report.result))
    }
}

impl Drop for BackgroundPlanner {
    fn drop(&mut self) {
        self.abandon();
    }
}

fn run_planner(inbox: Receiver<PlannerRequest>, reports: &Sender<PlannerReport>) {
    for order in inbox {
        let PlannerRequest {
            number,
            proposer,
            work,
            flag,
        } = order;
        let came = match catch_panic(|| unless_abandoned(&flag, || proposer.run_work(work))) {
            Ok(Some(worked)) => Ok(worked),
            Ok(None) => continue,
            Err(words) => Err(words),
        };
        // The engine has ended.
        let _ = reports.send(PlannerReport {
            number,
            result: came,
        });
    }
}
