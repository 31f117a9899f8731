//! Work of the asking side on a thread of its own, so that the engine hears commands meanwhile.
//!
//! The engine has one piece of work done aside at a time. The branch keeps the state from before it. So what is half done can be
//! abandoned at any moment: a command changes the state from before, and the work begins anew.

use std::thread::Builder;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::speculate::{Asking, Index, Work, Worked};
use crate::dialogue::abandon::{AbandonFlag, unless_abandoned};
use crate::oracle::caught;

/// Work for the thread.
struct Order {
    number: u64,
    asking: Asking,
    work: Work,
    flag: AbandonFlag,
}

/// What the thread says of its work: what came of it, or in which words it panicked.
pub struct Report {
    number: u64,
    came: Result<Worked, String>,
}

/// What is worked on.
struct Task {
    number: u64,
    index: Index,
    flag: AbandonFlag,
}

/// The thread, and what it works on.
pub struct Planner {
    orders: Option<Sender<Order>>,
    task: Option<Task>,
    reports_in: Sender<Report>,
    /// What the thread says.
    pub reports: Receiver<Report>,
    numbered: u64,
}

impl Planner {
    /// A planner without a thread, which comes with the first work.
    pub fn new() -> Planner {
        let (reports_in, reports) = unbounded();
        Planner {
            orders: None,
            task: None,
            reports_in,
            reports,
            numbered: 0,
        }
    }

    /// Whether it works for this branch.
    pub fn works_for(&self, index: Index) -> bool {
        self.task.as_ref().is_some_and(|task| task.index == index)
    }

    /// Whether it works for any branch.
    pub fn is_busy(&self) -> bool {
        self.task.is_some()
    }

    /// Begins this work for a branch, and abandons what it is at. Says whether the system gave it a thread.
    pub fn begin(&mut self, index: Index, asking: &Asking, work: &Work) -> bool {
        self.abandon();
        self.numbered += 1;
        let (number, flag) = (self.numbered, AbandonFlag::default());
        let order = Order {
            number,
            asking: asking.clone(),
            work: work.clone(),
            flag: flag.clone(),
        };
        let begun = self
            .thread()
            .is_some_and(|orders| orders.send(order).is_ok());
        if begun {
            self.task = Some(Task {
                number,
                index,
                flag,
            });
        }
        begun
    }

    fn thread(&mut self) -> Option<&Sender<Order>> {
        if self.orders.is_none() {
            let (orders, inbox) = unbounded();
            let reports = self.reports_in.clone();
            let thread = Builder::new().name("lop-planner".into());
            thread.spawn(move || work(inbox, &reports)).ok()?;
            self.orders = Some(orders);
        }
        self.orders.as_ref()
    }

    /// What it is at is not wanted any more. A thread that does not notice at once is left to itself: the next work has a new one.
    pub fn abandon(&mut self) {
        if let Some(task) = self.task.take() {
            task.flag.abandon();
            self.orders = None;
        }
    }

    /// The branch that a report is about and what came of its work; none if it is about work that was abandoned.
    pub fn take(&mut self, report: Report) -> Option<(Index, Result<Worked, String>)> {
        let task = self.task.take_if(|task| task.number == report.number)?;
        Some((task.index, report.came))
    }
}

impl Drop for Planner {
    fn drop(&mut self) {
        self.abandon();
    }
}

fn work(inbox: Receiver<Order>, reports: &Sender<Report>) {
    for order in inbox {
        let Order {
            number,
            asking,
            work,
            flag,
        } = order;
        let came = match caught(|| unless_abandoned(&flag, || asking.work(work))) {
            Ok(Some(worked)) => Ok(worked),
            Ok(None) => continue,
            Err(words) => Err(words),
        };
        // The engine has ended: so be it.
        let _ = reports.send(Report { number, came });
    }
}
