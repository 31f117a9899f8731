//! A run on a farm, simulated on recorded verdicts: 2 tests at a time here, 200 workers there, a test of 5 s, 0.2 s more for an answer of the farm. All
//! times are divided by ten, lop's own is not.
//!
//! `cargo bench --bench speedup -- --farm FILE DIR`, with FILE and DIR as for a whole run (`recorded.rs`). The bound is a machine of as many
//! processors without a farm: what lop's speculation finds to test at a time, and no more.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lop::oracle::remote::{FarmOptions, FarmRunner, HybridOptions, HybridRunner};
use lop::oracle::{FarmMonitor, InterestingnessTest, LimitPolicy, Runner, ScratchSpace, Verdict};
use lop::reduce::{self, RunSetup};
use lop::{pass, program};

use crate::recorded::{Records, read_records};
use crate::sleepers::{Sleepers, SleepingTest};

const TEST: Duration = Duration::from_millis(500);
const LATENCY: Duration = Duration::from_millis(20);
const LOCAL: usize = 2;
const WORKERS: usize = 200;

/// How a run was made, and what it took.
struct SimulatedRun {
    name: &'static str,
    time: Duration,
    tests: u64,
    started: u64,
    text: Vec<u8>,
}

/// Simulates the runs, and prints a table.
pub fn simulate_farm(file: &Path, directory: &Path) {
    let records = Arc::new(read_records(directory, file.extension()));
    let here = |workers| sleepers(&records, workers, TEST);
    let farm = |trusts_farm| {
        let options = HybridOptions {
            local_jobs: LOCAL,
            farm_jobs: 2 * WORKERS,
            trusts_farm,
            first_times: [Some(TEST), Some(TEST + LATENCY)],
        };
        let there = sleepers(&records, WORKERS, TEST + LATENCY);
        let local = Box::new(here(LOCAL));
        HybridRunner::start(local, Box::new(there), options, FarmMonitor::default())
            .expect("a thread")
    };
    println!(
        "{}, {} verdicts, a test of 5 s, all times divided by ten",
        file.display(),
        records.len()
    );
    let runs = [
        run("1 here", file, here(1), 1),
        run("2 here", file, here(LOCAL), LOCAL),
        run("16 here", file, here(16), 16),
        run(
            "the bound: 202 here",
            file,
            here(LOCAL + WORKERS),
            LOCAL + WORKERS,
        ),
        run("2 here, 200 there", file, farm(false), LOCAL + 2 * WORKERS),
        run("the same, trusted", file, farm(true), LOCAL + 2 * WORKERS),
    ];
    println!(
        "{:<22}{:>8}{:>10}{:>8}{:>9}",
        "workers", "s", "speed-up", "tests", "started"
    );
    for run in &runs {
        println!(
            "{:<22}{:>8.1}{:>10.2}{:>8}{:>9}",
            run.name,
            run.time.as_secs_f64() * 10.0,
            runs[0].time.as_secs_f64() / run.time.as_secs_f64(),
            run.tests,
            run.started,
        );
        assert!(
            run.text == runs[0].text,
            "{} ends with other bytes",
            run.name
        );
    }
}

fn sleepers(records: &Arc<Records>, workers: usize, time: Duration) -> Sleepers {
    let known = records.clone();
    Sleepers::new(workers, move |text| {
        // One without a record is only tested ahead.
        let verdict = known.get(text.as_bytes()).copied();
        SleepingTest {
            verdict: verdict.unwrap_or(Verdict::Uninteresting),
            time,
        }
    })
}

fn run(
    name: &'static str,
    file: &Path,
    runner: impl Runner + 'static,
    jobs: usize,
) -> SimulatedRun {
    let text = std::fs::read(file).expect("the program");
    let files = vec![(Arc::from(file), Arc::from(text))];
    let version = program::read_program(files).expect("the program can be read");
    let strategy = pass::find_strategy("lop").expect("a strategy");
    let begin = Instant::now();
    let run = reduce::start_run(RunSetup {
        jobs,
        options: pass::PassOptions::from_strategy(strategy),
        confirm: false,
        ..RunSetup::new(version, runner, LimitPolicy::fixed(TEST * 100))
    });
    let end = run.expect("a run").wait_for_end().expect("a snapshot");
    let files = end.version.render_files().into_iter();
    SimulatedRun {
        name,
        time: begin.elapsed(),
        tests: end.counts.tests,
        started: end.counts.started,
        text: files.flat_map(|(_, bytes)| bytes).collect(),
    }
}

/// A run whose tests all run on a real farm, eight at a time: `-- --alone ADDRESS FILE TEST OUTPUT`, all paths absolute.
pub fn measure_farm_alone(address: &str, file: &Path, test: &Path, output: &Path) {
    let options = FarmOptions {
        address: address.to_owned(),
        ..FarmOptions::default()
    };
    let test = InterestingnessTest::from_path(test).expect("a test");
    let scratch = ScratchSpace::choose_base(None, 0, 1).expect("a place");
    let monitor = FarmMonitor::default();
    let farm = FarmRunner::new(test, &options, scratch, monitor.clone()).expect("a farm");
    let name = Path::new(file.file_name().expect("a name"));
    let directory = file.parent().expect("a directory");
    std::env::set_current_dir(directory).expect("its directory");
    let done = run("the farm alone", name, farm, 8);
    println!(
        "{}: {:.1} s, {} tests, {} started, {} bytes; the farm: {}",
        done.name,
        done.time.as_secs_f64(),
        done.tests,
        done.started,
        done.text.len(),
        monitor.current_status()
    );
    std::fs::write(output, done.text).expect("a file");
}
