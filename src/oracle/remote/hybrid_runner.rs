//! The runner that has tests run on this machine and on a farm. A thread of its own follows the [`HybridState`]; what the two runners say comes to it.

use std::io;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvError, Sender, after, bounded, never, select, unbounded};

use super::hybrid_state::{HybridOptions, HybridState, HybridStep};
use crate::oracle::{
    FailureProperty, FarmMonitor, JobId, JobResult, PropertyError, Runner, TestJob,
};

/// How often what the farm has is looked at.
const TICK: Duration = Duration::from_millis(200);

/// Runs tests on this machine and on a farm, with the verdicts of this machine: see `hybrid_state.rs`.
#[derive(Debug)]
pub struct HybridRunner {
    orders: Option<Sender<HybridOrder>>,
    results: Receiver<JobResult>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
enum HybridOrder {
    Submit(TestJob),
    Cancel(JobId),
    SetMaxJobs(usize, Sender<io::Result<()>>),
    SetProperty(FailureProperty, Sender<Result<(), PropertyError>>),
    RenewTest,
}

impl HybridRunner {
    /// A runner around one for this machine and one for the farm, which both run the same test.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        local: Box<dyn Runner>,
        farm: Box<dyn Runner>,
        options: HybridOptions,
        monitor: FarmMonitor,
    ) -> io::Result<HybridRunner> {
        let (orders, inbox) = unbounded();
        let (reports, results) = unbounded();
        let mut hybrid = HybridLoop {
            most_local: options.local_jobs.max(1),
            state: HybridState::new(options),
            local,
            farm,
            reports,
            monitor,
        };
        let thread = std::thread::Builder::new().name("hybrid".into());
        let thread = thread.spawn(move || hybrid.follow_orders(&inbox))?;
        Ok(HybridRunner {
            orders: Some(orders),
            results,
            thread: Some(thread),
        })
    }

    fn send_order(&self, order: HybridOrder) {
        if let Some(orders) = &self.orders {
            // The thread lives as long as we do.
            let _ = orders.send(order);
        }
    }
}

impl Runner for HybridRunner {
    fn submit(&mut self, job: TestJob) {
        self.send_order(HybridOrder::Submit(job));
    }

    fn cancel(&mut self, id: JobId) {
        self.send_order(HybridOrder::Cancel(id));
    }

    fn set_max_jobs(&mut self, jobs: usize) -> io::Result<()> {
        let (done, answer) = bounded(1);
        self.send_order(HybridOrder::SetMaxJobs(jobs, done));
        answer.recv().unwrap_or(Ok(()))
    }

    fn set_property(&mut self, property: &FailureProperty) -> Result<(), PropertyError> {
        let (done, answer) = bounded(1);
        self.send_order(HybridOrder::SetProperty(property.clone(), done));
        answer.recv().unwrap_or(Ok(()))
    }

    fn renew_test(&mut self) {
        self.send_order(HybridOrder::RenewTest);
    }

    fn may_hold_jobs(&self) -> bool {
        true
    }

    fn result_receiver(&self) -> &Receiver<JobResult> {
        &self.results
    }
}

/// The running tests end before this returns.
impl Drop for HybridRunner {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What the thread owns.
struct HybridLoop {
    state: HybridState,
    most_local: usize,
    local: Box<dyn Runner>,
    farm: Box<dyn Runner>,
    reports: Sender<JobResult>,
    monitor: FarmMonitor,
}

impl HybridLoop {
    /// Until nobody gives orders any more.
    fn follow_orders(&mut self, inbox: &Receiver<HybridOrder>) {
        let local = self.local.result_receiver().clone();
        let farm = self.farm.result_receiver().clone();
        let mut checked = Instant::now();
        loop {
            let tick = match self.state.has_farm_tests() {
                true => after(TICK),
                false => never(),
            };
            let steps = select! {
                recv(inbox) -> order => match order {
                    Ok(order) => self.follow_order(order),
                    Err(RecvError) => return,
                },
                recv(local) -> result => match result {
                    Ok(result) => self.state.take_local_result(result, Instant::now()),
                    Err(RecvError) => return,
                },
                recv(farm) -> result => match result {
                    Ok(result) => self.state.take_farm_result(result, Instant::now()),
                    Err(RecvError) => return,
                },
                recv(tick) -> _ => Vec::new(),
            };
            steps.into_iter().for_each(|step| self.do_step(step));
            let now = Instant::now();
            if now.saturating_duration_since(checked) >= TICK {
                checked = now;
                let late = self.state.check_stragglers(now);
                late.into_iter().for_each(|step| self.do_step(step));
            }
            self.monitor
                .update_status(|status| self.state.describe_status(status, now));
        }
    }

    fn follow_order(&mut self, order: HybridOrder) -> Vec<HybridStep> {
        let now = Instant::now();
        match order {
            HybridOrder::Submit(job) => self.state.submit_job(job, now),
            HybridOrder::Cancel(id) => self.state.cancel_job(id, now),
            HybridOrder::SetMaxJobs(jobs, done) => {
                let steps = self.state.set_max_jobs(jobs, self.most_local, now);
                let set = self.local.set_max_jobs(self.state.local_jobs());
                // Who asked may have ended.
                let _ = done.send(set);
                steps
            }
            HybridOrder::SetProperty(property, done) => {
                let here = self.local.set_property(&property);
                let _ = done.send(here.and_then(|()| self.farm.set_property(&property)));
                Vec::new()
            }
            HybridOrder::RenewTest => {
                self.local.renew_test();
                self.farm.renew_test();
                self.state.renew_test(now)
            }
        }
    }

    fn do_step(&mut self, step: HybridStep) {
        match step {
            HybridStep::RunHere(job) => self.local.submit(job),
            HybridStep::RunOnFarm(job) => self.farm.submit(job),
            HybridStep::CancelHere(id) => self.local.cancel(id),
            HybridStep::CancelOnFarm(id) => self.farm.cancel(id),
            // Nobody listens any more: so be it.
            HybridStep::Report(result) => drop(self.reports.send(result)),
        }
    }
}
