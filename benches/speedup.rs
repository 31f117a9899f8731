//! The speedup of several workers on a test that sleeps 20 ms, beside the largest possible one of a speculation tree (deterministic
//! speculation: the N likeliest candidates at a time).
//!
//! `cargo bench --bench speedup`. The program is a list of independent declarations, a script knows which of them may go, and each is
//! proposed once. The test only waits, so a busy machine hardly matters.

use std::collections::{BinaryHeap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use lop::oracle::{JobId, JobResult, LimitPolicy, Runner, TestJob, TestOutcome, Verdict};
use lop::reduce::{self, EngineCommand, RunEvent, RunSetup};
use lop::{pass, program};

const DECLARATIONS: u64 = 250;
const TEST: Duration = Duration::from_millis(20);
const WORKERS: [usize; 3] = [2, 4, 16];

fn main() {
    if std::env::args().any(|argument| argument == "--test" || argument == "--list") {
        return;
    }
    println!("a test of 20 ms; {DECLARATIONS} questions; speed-up over one worker");
    println!("yes       N   speed-up   tree  allowed  tests not needed");
    for percent in [2, 20, 50] {
        let (alone, _) = run(1, percent);
        for workers in WORKERS {
            let (time, unused) = run(workers, percent);
            let speedup = alone.as_secs_f64() / time.as_secs_f64();
            let tree = tree(workers, f64::from(percent) / 100.0);
            let allowed = if percent == 2 {
                0.6 * workers as f64
            } else {
                0.8 * tree
            };
            let verdict = if speedup < allowed { "  too slow" } else { "" };
            println!(
                "{percent:>3} % {workers:>5} {speedup:>10.2} {tree:>6.2} {allowed:>8.2} {unused:>17}{verdict}"
            );
        }
    }
}

/// How long the questions took, and how many tests were started for nothing.
fn run(workers: usize, percent: u32) -> (Duration, u64) {
    let text: String = (0..DECLARATIONS).map(|i| format!("int v{i};\n")).collect();
    let files = vec![(Arc::from(Path::new("list.c")), Arc::from(text.into_bytes()))];
    let strategy = pass::find_strategy("pardis").expect("a strategy");
    let version = program::read_program(files).expect("the program can be read");
    let sleepers = Sleepers::new(workers, move |text| says(text, percent));
    let run = reduce::start_run(RunSetup {
        jobs: workers,
        options: pass::PassOptions::from_strategy(strategy),
        ..RunSetup::new(
            version,
            sleepers,
            LimitPolicy::fixed(Duration::from_secs(60)),
        )
    })
    .expect("a run");
    let start = Instant::now();
    let mut time = Duration::ZERO;
    for event in run.events.iter() {
        if let RunEvent::Decided(decided) = event
            && decided.decision == DECLARATIONS
        {
            time = start.elapsed();
            let _ = run.commands.send(EngineCommand::Stop);
            break;
        }
    }
    let last = run.wait_for_end().expect("a snapshot");
    (time, last.counts.unused_tests())
}

/// Whether a declaration may go: a fixed share of them, spread at random.
fn may_go(number: u64, percent: u32) -> bool {
    let mut x = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x >> 33) % 100 < u64::from(percent)
}

/// Interesting while it has all declarations that may not go.
fn says(text: &str, percent: u32) -> bool {
    let there = |line: &str| line.strip_prefix("int v")?.strip_suffix(';')?.parse().ok();
    let mut left = text.lines().filter_map(there);
    let mut needed = (0..DECLARATIONS).filter(|&number| !may_go(number, percent));
    needed.all(|number| left.any(|other: u64| other == number))
}

/// How many questions the N likeliest tests decide on the average, if each is answered yes with this probability.
fn tree(workers: usize, yes: f64) -> f64 {
    let scale = |odds: f64| (odds * 1e15) as u64;
    let mut open = BinaryHeap::from([scale(1.0)]);
    let mut sum = 0.0;
    for _ in 0..workers {
        let odds = open.pop().map_or(0.0, |odds| odds as f64 / 1e15);
        sum += odds;
        open.push(scale(odds * yes));
        open.push(scale(odds * (1.0 - yes)));
    }
    sum
}

/// Tests that sleep, with this number of workers.
struct Sleepers {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    send: Sender<JobResult>,
    answers: Receiver<JobResult>,
}

struct Shared {
    state: Mutex<State>,
    /// Rung when a job comes or is cancelled, and at the end.
    bell: Condvar,
}

#[derive(Default)]
struct State {
    queue: VecDeque<TestJob>,
    running: Vec<JobId>,
    closed: bool,
}

impl Sleepers {
    fn new(workers: usize, says: impl Fn(&str) -> bool + Clone + Send + 'static) -> Sleepers {
        let (send, answers) = unbounded();
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            bell: Condvar::new(),
        });
        let start = |_| {
            let (shared, send, says) = (shared.clone(), send.clone(), says.clone());
            std::thread::spawn(move || shared.serve(&send, says))
        };
        Sleepers {
            threads: (0..workers).map(start).collect(),
            shared,
            send,
            answers,
        }
    }

    fn cancelled(&self, id: JobId) {
        let outcome = TestOutcome::Cancelled;
        let _ = self.send.send(JobResult::new(id, outcome));
    }
}

impl Shared {
    fn serve(&self, send: &Sender<JobResult>, says: impl Fn(&str) -> bool) {
        let mut state = self.state.lock().expect("unpoisoned");
        loop {
            let idle = |state: &mut State| state.queue.is_empty() && !state.closed;
            state = self.bell.wait_while(state, idle).expect("unpoisoned");
            let Some(job) = state.queue.pop_front().filter(|_| !state.closed) else {
                return;
            };
            state.running.push(job.id);
            let end = Instant::now() + TEST;
            while let Some(left) = end.checked_duration_since(Instant::now())
                && state.running.contains(&job.id)
            {
                state = self.bell.wait_timeout(state, left).expect("unpoisoned").0;
            }
            let ended = state.running.contains(&job.id);
            state.running.retain(|id| *id != job.id);
            drop(state);
            let outcome = match ended {
                false => TestOutcome::Cancelled,
                true if says(std::str::from_utf8(&job.files[0].1).expect("UTF-8")) => {
                    Verdict::Interesting.into()
                }
                true => Verdict::Uninteresting.into(),
            };
            let _ = send.send(JobResult::new(job.id, outcome));
            state = self.state.lock().expect("unpoisoned");
        }
    }
}

impl Runner for Sleepers {
    fn submit(&mut self, job: TestJob) {
        self.shared
            .state
            .lock()
            .expect("unpoisoned")
            .queue
            .push_back(job);
        self.shared.bell.notify_all();
    }

    fn cancel(&mut self, id: JobId) {
        let mut state = self.shared.state.lock().expect("unpoisoned");
        if let Some(at) = state.queue.iter().position(|job| job.id == id) {
            state.queue.remove(at);
            self.cancelled(id);
        }
        state.running.retain(|running| *running != id);
        drop(state);
        self.shared.bell.notify_all();
    }

    fn result_receiver(&self) -> &Receiver<JobResult> {
        &self.answers
    }
}

impl Drop for Sleepers {
    fn drop(&mut self) {
        self.shared.state.lock().expect("unpoisoned").closed = true;
        self.shared.bell.notify_all();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}
