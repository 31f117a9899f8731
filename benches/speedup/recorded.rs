//! A whole run on recorded verdicts, by pass: the same questions with 1, 2, 8 and 16 workers.
//!
//! `cargo bench --bench speedup -- FILE DIR [STRATEGY [SECONDS]]`: the program, and what `lop FILE TEST --jobs 1 --save-candidates DIR` kept
//! of the same strategy. Each test sleeps, 0.2 s unless SECONDS says otherwise, and one that timed out five times as long. A candidate
//! without a record is one that a run with one worker did not ask about: it is only tested ahead, so whatever its test says changes no
//! result, and it is not interesting. A pass has the time from the decision before each of its decisions to that decision, so
//! lop's own time is in it.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lop::oracle::{LimitPolicy, Verdict};
use lop::reduce::{self, RunEvent, RunSetup};
use lop::session::read_verdict_line;
use lop::{pass, program};

use crate::sleepers::{Sleepers, SleepingTest};

const WORKERS: [usize; 4] = [1, 2, 8, 16];
/// How long a test sleeps that timed out, in usual tests.
const TIMEOUT: u32 = 5;

/// What is known of each text.
pub type Records = HashMap<Vec<u8>, Verdict>;

/// The decisions of a pass and the time that they took.
#[derive(Clone, Copy, Default)]
struct PassCost {
    decisions: u32,
    time: Duration,
}

/// What one run took.
struct MeasuredRun {
    /// In the order in which the passes came up.
    passes: Vec<(&'static str, PassCost)>,
    text: Vec<u8>,
    started: u64,
    unrecorded: u64,
}

/// Measures a run with each number of workers, and prints a table.
pub fn measure_run(file: &Path, rest: &[&str]) {
    let rest: Vec<&str> = rest
        .iter()
        .copied()
        .filter(|&word| word != "--bench")
        .collect();
    let records = read_records(Path::new(rest[0]), file.extension());
    let strategy = rest.get(1).copied().unwrap_or("lop");
    let seconds = rest
        .get(2)
        .map_or(0.2, |word| word.parse().expect("seconds"));
    let (records, usual) = (Arc::new(records), Duration::from_secs_f64(seconds));
    println!(
        "{}, {strategy}, a test of {seconds} s, {} verdicts",
        file.display(),
        records.len()
    );
    let runs = WORKERS.map(|workers| run(file, &records, strategy, workers, usual));
    let [alone, ..] = &runs;
    print!("{:<16}{:>9}{:>9}", "pass", "decided", "1: s");
    WORKERS[1..]
        .iter()
        .for_each(|workers| print!("{workers:>8}"));
    println!();
    let total = PassCost {
        decisions: alone.passes.iter().map(|(_, cost)| cost.decisions).sum(),
        time: Duration::ZERO,
    };
    for (name, cost) in alone.passes.iter().chain([&("all", total)]) {
        let time = |run: &MeasuredRun| run.time_of(name);
        print!("{name:<16}{:>9}{:>9.1}", cost.decisions, time(alone));
        runs[1..]
            .iter()
            .for_each(|run| print!("{:>8.2}", time(alone) / time(run)));
        println!();
    }
    print!("{:<34}", "tests started");
    runs.iter().for_each(|run| print!("{:>8}", run.started));
    println!();
    for (run, workers) in runs.iter().zip(WORKERS) {
        assert!(
            run.text == alone.text,
            "{workers} workers end with other bytes"
        );
    }
    if alone.unrecorded > 0 {
        println!("{} candidates had no record", alone.unrecorded);
    }
}

impl MeasuredRun {
    /// The seconds of this pass, or of all.
    fn time_of(&self, name: &str) -> f64 {
        let passes = self
            .passes
            .iter()
            .filter(|(pass, _)| name == "all" || *pass == name);
        passes.map(|(_, cost)| cost.time.as_secs_f64()).sum()
    }
}

/// All programs of a directory that have a log, with what its last line says.
pub fn read_records(directory: &Path, extension: Option<&OsStr>) -> Records {
    let mut known = HashMap::new();
    let mut open: Vec<PathBuf> = vec![directory.into()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a directory of candidates") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension() == extension {
                let log = fs::read(path.with_extension("log")).expect("a log");
                let verdict = read_verdict_line(&log).expect("a verdict of lop");
                known.insert(fs::read(&path).expect("a candidate"), verdict);
            }
        }
    }
    known
}

fn run(
    file: &Path,
    records: &Arc<Records>,
    strategy: &str,
    workers: usize,
    usual: Duration,
) -> MeasuredRun {
    let text = fs::read(file).expect("the program");
    let files = vec![(Arc::from(file), Arc::from(text))];
    let version = program::read_program(files).expect("the program can be read");
    let missing = Arc::new(std::sync::atomic::AtomicU64::new(0));
    let (known, misses) = (records.clone(), missing.clone());
    let sleepers = Sleepers::new(workers, move |text| match known.get(text.as_bytes()) {
        Some(Verdict::TimedOut) => SleepingTest {
            verdict: Verdict::TimedOut,
            time: usual * TIMEOUT,
        },
        Some(&verdict) => SleepingTest {
            verdict,
            time: usual,
        },
        None => {
            misses.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let verdict = Verdict::Uninteresting;
            SleepingTest {
                verdict,
                time: usual,
            }
        }
    });
    let strategy = pass::find_strategy(strategy).expect("a strategy");
    let run = reduce::start_run(RunSetup {
        jobs: workers,
        options: pass::PassOptions::from_strategy(strategy),
        confirm: false,
        ..RunSetup::new(version, sleepers, LimitPolicy::fixed(usual * TIMEOUT))
    })
    .expect("a run");
    let mut passes: Vec<(&'static str, PassCost)> = Vec::new();
    let mut last = Instant::now();
    let mut current = "";
    for event in run.events.iter() {
        match event {
            RunEvent::PassStarted { pass, .. } => current = pass,
            RunEvent::Decided(_) => {
                let at = passes.iter().position(|(pass, _)| *pass == current);
                let at = at.unwrap_or_else(|| {
                    passes.push((current, PassCost::default()));
                    passes.len() - 1
                });
                let now = Instant::now();
                passes[at].1.decisions += 1;
                passes[at].1.time += now - last;
                last = now;
            }
            _ => {}
        }
    }
    let end = run.wait_for_end().expect("a snapshot");
    let files = end.version.render_files().into_iter();
    MeasuredRun {
        passes,
        text: files.flat_map(|(_, bytes)| bytes).collect(),
        started: end.counts.started,
        unrecorded: missing.load(std::sync::atomic::Ordering::Relaxed),
    }
}
