//! Tests that run to their limit. A timeout counts only where nothing ran beside the test, so beside others it is for nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crossbeam_channel::{Receiver, Sender, unbounded};
use lop::oracle::{JobId, JobResult, Runner, TestJob, TestOutcome, Verdict};
use lop::pass::{self, PassOptions};
use lop::reduce::RunSetup;

use crate::common::{read, run, setup};

/// Declarations; the even ones among the first forty are not needed.
const DECLARATIONS: u32 = 120;
/// Without one of these the test does not end by itself.
const LOOPS: [u32; 5] = [52, 64, 76, 88, 100];
/// How many other tests begin until a loop has come to its limit: before the next loop is tested ahead.
const LIMIT: u32 = 8;

fn has(text: &str, number: u32) -> bool {
    text.contains(&format!("int v{number};"))
}

fn outcome(text: &str) -> TestOutcome {
    let without = |numbers: &[u32]| numbers.iter().any(|&number| !has(text, number));
    match without(&LOOPS) {
        true => Verdict::TimedOut.into(),
        false
            if (0..DECLARATIONS).any(|number| {
                (number >= 40 || !number.is_multiple_of(2)) && !has(text, number)
            }) =>
        {
            Verdict::Uninteresting.into()
        }
        false => Verdict::Interesting.into(),
    }
}

/// A runner whose clock are the tests that begin. All tests take no time, but for loops beside others.
struct LoopRunner {
    results: Receiver<JobResult>,
    send: Sender<JobResult>,
    /// Each with the number of the tests that will have begun when it comes to its limit.
    looping: Vec<(JobId, u32)>,
    begun: u32,
    workers: usize,
    timeouts: Arc<AtomicU32>,
}

impl LoopRunner {
    fn answer(&self, id: JobId, outcome: TestOutcome) {
        let is_timeout = outcome.verdict() == Some(Verdict::TimedOut);
        self.timeouts
            .fetch_add(u32::from(is_timeout), Ordering::SeqCst);
        let _ = self.send.send(JobResult::new(id, outcome));
    }
}

impl Runner for LoopRunner {
    fn submit(&mut self, job: TestJob) {
        self.begun += 1;
        let outcome = outcome(std::str::from_utf8(&job.files[0].1).expect("UTF-8"));
        let beside_others = self.workers > 1 && !job.alone;
        if outcome.verdict() == Some(Verdict::TimedOut) && beside_others {
            self.looping.push((job.id, self.begun + LIMIT));
        } else {
            self.answer(job.id, outcome);
        }
        let begun = self.begun;
        for (id, _) in self
            .looping
            .extract_if(.., |(_, end)| *end <= begun)
            .collect::<Vec<_>>()
        {
            self.answer(id, Verdict::TimedOut.into());
        }
    }

    fn cancel(&mut self, id: JobId) {
        if let Some(at) = self.looping.iter().position(|(looping, _)| *looping == id) {
            self.looping.remove(at);
            self.answer(id, TestOutcome::Cancelled);
        }
    }

    fn result_receiver(&self) -> &Receiver<JobResult> {
        &self.results
    }
}

/// What is left with this number of workers, and how many tests came to their limit.
fn reduce(workers: usize) -> (String, u32) {
    let program: String = (0..DECLARATIONS)
        .map(|number| format!("int v{number};\n"))
        .collect();
    let (send, results) = unbounded();
    let timeouts = Arc::new(AtomicU32::new(0));
    let runner = LoopRunner {
        results,
        send,
        looping: Vec::new(),
        begun: 0,
        workers,
        timeouts: timeouts.clone(),
    };
    let (left, _) = run(RunSetup {
        jobs: workers,
        options: PassOptions::from_strategy(pass::find_strategy("pardis").expect("a strategy")),
        confirm: false,
        ..setup(read("a.c", &program), runner)
    });
    (left, timeouts.load(Ordering::SeqCst))
}

#[test]
fn a_test_that_may_time_out_is_stopped_beside_others_and_runs_to_its_limit_once() {
    let (left, alone) = reduce(1);
    assert_eq!(left.lines().count(), 100);
    assert_eq!(alone, LOOPS.len() as u32);
    for workers in [2, 8] {
        let (same, timeouts) = reduce(workers);
        assert_eq!(same, left, "{workers} workers");
        // The first one is not expected. All of them twice would be ten.
        assert!(
            timeouts <= alone + 2,
            "{workers} workers: {timeouts} timeouts"
        );
    }
}
