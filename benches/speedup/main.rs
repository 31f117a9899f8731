//! The speedup of several workers on a test that sleeps 20 ms, beside the largest possible one of a speculation tree (deterministic
//! speculation: the N likeliest candidates at a time).
//!
//! `cargo bench --bench speedup`. The program is a list of independent declarations, a script knows which of them may go, and each is
//! proposed once. The test only waits, so a busy machine hardly matters.
//!
//! `cargo bench --bench speedup -- FILE DIR` measures a whole run by pass, on recorded verdicts (`recorded.rs`), and `-- --farm FILE DIR` simulates a
//! run on a farm (`farm.rs`).

#[cfg(feature = "remote")]
mod farm;
mod recorded;
mod sleepers;

use std::collections::BinaryHeap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lop::oracle::{LimitPolicy, Verdict};
use lop::reduce::{self, EngineCommand, RunEvent, RunSetup};
use lop::{pass, program};

use sleepers::{Sleepers, SleepingTest};

const DECLARATIONS: u64 = 250;
const TEST: Duration = Duration::from_millis(20);
const WORKERS: [usize; 3] = [2, 4, 16];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments
        .iter()
        .any(|argument| argument == "--test" || argument == "--list")
    {
        return;
    }
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    #[cfg(feature = "remote")]
    if let ["--farm", file, directory, ..] = words[..] {
        return farm::simulate_farm(Path::new(file), Path::new(directory));
    }
    #[cfg(feature = "remote")]
    if let ["--alone", address, file, test, output, ..] = words[..] {
        let [file, test, output] = [file, test, output].map(Path::new);
        return farm::measure_farm_alone(address, file, test, output);
    }
    if let Some((file, rest)) = words.split_first()
        && *file != "--bench"
    {
        return recorded::measure_run(Path::new(file), rest);
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
    let sleepers = Sleepers::new(workers, move |text| SleepingTest {
        verdict: match says(text, percent) {
            true => Verdict::Interesting,
            false => Verdict::Uninteresting,
        },
        time: TEST,
    });
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
