//! The cost of a test run beyond a bare loop of directory, spawn, wait.
//!
//! `cargo bench --bench oracle` measures single runs with divan, then all ways in turns, in rounds: the rate beside that of the
//! bare loop, and the processor time of lop and its helpers for each test. Then the same for whole runs, with the engine, the printing
//! and the parser, beside one bare loop for each worker; and for programs of three sizes, each kind of thread for itself. On a busy machine only processor times and the best rounds are meaningful. The
//! project allows a rate of at least 85 %, and 0.1 ms a test beyond what the bare loop uses itself.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{self, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use divan::Bencher;
use lop::oracle::{
    ContainmentKind, InterestingnessTest, JobId, LimitPolicy, LocalRunner, ResourceQuotas, Runner,
    ScratchSpace, TestFiles, TestIsolation, TestJob, TimeLimits, Verdict, helpers_cpu, run_once,
};
use lop::reduce::{self, EngineCommand, RunEvent, RunHandle, RunSetup};
use lop::{pass, program};

/// How many runs a round has, and how many rounds there are: many short ones, so that each way meets a quiet moment.
const RUNS: u32 = 50;
const ROUNDS: u32 = 120;

/// A trivial test on a candidate of 2 KB, in the place that a user would get.
struct Setting {
    dir: tempfile::TempDir,
    test: InterestingnessTest,
    scratch: ScratchSpace,
    files: TestFiles,
}

static SETTING: LazyLock<Setting> = LazyLock::new(|| {
    let dir = tempfile::tempdir().expect("a directory");
    let script = |name: &str, status: u8| {
        let path = dir.path().join(name);
        fs::write(&path, format!("#!/bin/sh\nexit {status}\n")).expect("a test");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        path
    };
    script("uninteresting.sh", 1);
    Setting {
        test: InterestingnessTest::from_path(&script("test.sh", 0)).expect("a test"),
        scratch: ScratchSpace::choose_base(None, 2048, 1).expect("a place"),
        files: vec![(PathBuf::from("bug.c"), vec![b'x'; 2048].into())],
        dir,
    }
});

/// Directory, file, spawn, wait, and the directory is gone.
fn bare(name: &str) {
    let dir = SETTING.scratch.root_path().join(name);
    let file = dir.join("bug.c");
    fs::create_dir(&dir).expect("a directory");
    fs::write(&file, &SETTING.files[0].1).expect("a file");
    let status = process::Command::new(SETTING.test.script().expect("a script").path())
        .arg(&file)
        .current_dir(&dir)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("started");
    assert!(status.success());
    fs::remove_file(file).expect("removed");
    fs::remove_dir(dir).expect("removed");
}

/// A runner of one test at a time that is asked as an engine asks it.
struct Asker {
    runner: LocalRunner,
    asked: u64,
}

impl Asker {
    fn new(helper: Option<&Path>) -> Asker {
        let (test, scratch) = (SETTING.test.clone(), SETTING.scratch.clone());
        let care = TestIsolation {
            quotas: helper.map_or_else(ResourceQuotas::default, |_| ResourceQuotas::for_jobs(1)),
            cgroups: true,
            ..TestIsolation::from(helper)
        };
        let runner = LocalRunner::new(test, scratch, 1, care).expect("a runner");
        if helper.is_some() {
            assert_eq!(runner.containment().kind, ContainmentKind::Helper);
        }
        Asker { runner, asked: 0 }
    }

    fn helped() -> Asker {
        Asker::new(Some(Path::new(env!("CARGO_BIN_EXE_lop"))))
    }

    fn ask(&mut self) {
        self.asked += 1;
        self.runner.submit(TestJob {
            id: JobId(self.asked),
            files: SETTING.files.clone(),
            limits: limits(),
            alone: false,
            fresh: false,
        });
        let answer = self.runner.result_receiver().recv().expect("an answer");
        assert_eq!(answer.outcome.verdict(), Some(Verdict::Interesting));
    }
}

fn limits() -> TimeLimits {
    TimeLimits {
        wall: Some(Duration::from_secs(60)),
        cpu: Some(Duration::from_secs(60)),
    }
}

#[divan::bench]
fn bare_loop(bencher: Bencher<'_, '_>) {
    bencher.bench(|| bare("bare"));
}

#[divan::bench]
fn in_this_thread(bencher: Bencher<'_, '_>) {
    bencher.bench(|| run_once(&SETTING.test, &SETTING.scratch, &SETTING.files, limits()));
}

#[divan::bench]
fn runner_without_helper(bencher: Bencher<'_, '_>) {
    let mut asker = Asker::new(None);
    bencher.bench_local(|| asker.ask());
}

#[divan::bench]
fn runner_with_helper(bencher: Bencher<'_, '_>) {
    let mut asker = Asker::helped();
    bencher.bench_local(|| asker.ask());
}

fn main() {
    divan::main();
    if std::env::args().any(|argument| argument == "--test" || argument == "--list") {
        return;
    }
    let (mut group, mut helped) = (Asker::new(None), Asker::helped());
    let (mut a, mut b, mut c) = (Cost::WORST, Cost::WORST, Cost::WORST);
    for _ in 0..ROUNDS {
        a = a.best(Cost::of(|| bare("bare")));
        b = b.best(Cost::of(|| group.ask()));
        c = c.best(Cost::of(|| helped.ask()));
    }
    println!("a test, best of {ROUNDS} rounds of {RUNS}, each figure for itself:");
    a.print("bare loop", &a);
    b.print("without helper", &a);
    c.print("with helper", &a);
    println!("allowed: 85 % of the rate, 100 µs of our own beyond the bare loop's");
    for jobs in [1, 2] {
        let (mut bare, mut run) = (Cost::WORST, Cost::WORST);
        for _ in 0..REDUCTIONS {
            bare = bare.best(Cost::of_loops(jobs));
            run = run.best(Cost::of_engine(jobs));
        }
        println!(
            "whole runs of {QUESTIONS} questions, {jobs} at a time, best of {REDUCTIONS} rounds:"
        );
        bare.print("bare loop", &bare);
        run.print("the engine", &bare);
    }
    for functions in FUNCTIONS {
        print_cost_by_thread(functions);
    }
}

/// How many functions the programs of two sizes have: 120 KB, 2.1 MB. One of 2 KB has too few questions; the whole runs stand for it.
const FUNCTIONS: [u32; 2] = [750, 13_000];

/// What a test costs each kind of thread of a run, and the helper.
fn print_cost_by_thread(functions: u32) {
    let text: String = (0..functions)
        .map(|i| {
            let name = format!("f{i:05}");
            format!(
                "int g{name};\nint {name}(int a, int b) {{\n  if (a > {i}) {{ b = a * (b + {i}) - g{name}; }} else {{ return b; }}\n  \
                 while (b) {{ b--; a += b ? a : b; }}\n  return a + b;\n}}\n"
            )
        })
        .collect();
    let bytes = text.len();
    let mut best = BTreeMap::<String, Duration>::new();
    for _ in 0..REDUCTIONS.div_ceil(functions).max(3) {
        let (begin, end, tests) = measure_ends(uninteresting_run(1, text.clone()), cpu_by_thread);
        let mut times = BTreeMap::<String, Duration>::new();
        for ((kind, thread), time) in end {
            let before = begin.get(&(kind.clone(), thread)).copied();
            let own = time.saturating_sub(before.unwrap_or_default());
            *times.entry(kind).or_default() += own / tests;
        }
        for (kind, time) in times {
            let best = best.entry(kind).or_insert(time);
            *best = time.min(*best);
        }
    }
    best.retain(|_, time| *time > Duration::from_micros(1));
    let all = best.values().sum::<Duration>().as_secs_f64() * 1e6;
    println!("a test on a program of {bytes} bytes, own processor time by thread: {all:.0} µs");
    for (name, time) in best {
        println!("  {name:<15} {:>6.0} µs", time.as_secs_f64() * 1e6);
    }
}

/// Processor time of each thread of this process, by its kind and number, and of the helpers.
fn cpu_by_thread() -> BTreeMap<(String, OsString), Duration> {
    let mut times = BTreeMap::from([(("helper".to_owned(), OsString::new()), helpers_cpu())]);
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten();
    for task in tasks.flatten() {
        let read = |name: &str| fs::read_to_string(task.path().join(name)).unwrap_or_default();
        let (name, times_of_task) = (read("comm"), read("schedstat"));
        let name = name.trim().trim_end_matches(|c: char| !c.is_alphabetic());
        let nanoseconds = times_of_task.split(' ').next();
        let nanoseconds = nanoseconds.and_then(|time| time.parse().ok()).unwrap_or(0);
        let thread = (name.to_owned(), task.file_name());
        times.insert(thread, Duration::from_nanos(nanoseconds));
    }
    times
}

/// What `now` says at the first decision of a run that counts and at the last, and how many lie between them.
fn measure_ends<T>(run: RunHandle, now: impl Fn() -> T) -> (T, T, u32) {
    let (mut begin, mut decisions) = (now(), 0);
    for event in run.events.iter() {
        let RunEvent::Decided(decided) = event else {
            continue;
        };
        decisions = decided.decision;
        if decisions == u64::from(WARM) {
            begin = now();
        }
        if decisions == u64::from(QUESTIONS) {
            break;
        }
    }
    let end = now();
    let _ = run.commands.send(EngineCommand::Stop);
    run.wait_for_end();
    let tests = u32::try_from(decisions).map_or(1, |all| all.saturating_sub(WARM).max(1));
    (begin, end, tests)
}

/// How many questions a run decides, how many of them come before the clock starts, and how many runs there are.
const QUESTIONS: u32 = 250;
const WARM: u32 = 10;
const REDUCTIONS: u32 = 20;

/// A run whose test finds all candidates uninteresting, so that each declaration is proposed.
fn uninteresting_run(jobs: usize, text: String) -> RunHandle {
    let path = SETTING.dir.path().join("uninteresting.sh");
    let files = vec![(Path::new("bug.c").into(), text.into_bytes().into())];
    let helper = Some(Path::new(env!("CARGO_BIN_EXE_lop")));
    let test = InterestingnessTest::from_path(&path).expect("a test");
    let runner = LocalRunner::new(test, SETTING.scratch.clone(), jobs, helper);
    let version = program::read_program(files).expect("the program can be read");
    let runner = runner.expect("a runner");
    reduce::start_run(RunSetup {
        jobs,
        options: pass::PassOptions::from_strategy(
            pass::find_strategy("pardis").expect("a strategy"),
        ),
        ..RunSetup::new(version, runner, LimitPolicy::fixed(Duration::from_secs(60)))
    })
    .expect("a run")
}

/// What one run costs.
#[derive(Clone, Copy)]
struct Cost {
    wall: Duration,
    /// Of this process and its helpers; the bare loop has it too, most of it in starting the process.
    own: Duration,
    /// Of the helpers alone.
    helpers: Duration,
}

impl Cost {
    const WORST: Cost = Cost {
        wall: Duration::MAX,
        own: Duration::MAX,
        helpers: Duration::MAX,
    };

    fn of(mut run: impl FnMut()) -> Cost {
        let (begin, before, helpers) = (Instant::now(), own_cpu(), helpers_cpu());
        (0..RUNS).for_each(|_| run());
        Cost {
            wall: begin.elapsed() / RUNS,
            own: (own_cpu() - before) / RUNS,
            helpers: (helpers_cpu() - helpers) / RUNS,
        }
    }

    /// So many bare loops at a time.
    fn of_loops(loops: usize) -> Cost {
        let threads = |number| {
            move || {
                let name = format!("bare{number}");
                (0..QUESTIONS).for_each(|_| bare(&name));
            }
        };
        let (begin, before) = (Instant::now(), own_cpu());
        std::thread::scope(|scope| {
            (0..loops).for_each(|number| drop(scope.spawn(threads(number))))
        });
        let tests = QUESTIONS * loops as u32;
        Cost {
            wall: begin.elapsed() / tests,
            own: (own_cpu() - before) / tests,
            helpers: Duration::ZERO,
        }
    }

    /// A run with this number of workers.
    fn of_engine(jobs: usize) -> Cost {
        let text = (0..QUESTIONS).map(|i| format!("int v{i};\n")).collect();
        let now = || (Instant::now(), own_cpu(), helpers_cpu());
        let (begin, end, tests) = measure_ends(uninteresting_run(jobs, text), now);
        Cost {
            wall: (end.0 - begin.0) / tests,
            own: (end.1 - begin.1) / tests,
            helpers: (end.2 - begin.2) / tests,
        }
    }

    fn best(self, other: Cost) -> Cost {
        Cost {
            wall: self.wall.min(other.wall),
            own: self.own.min(other.own),
            helpers: self.helpers.min(other.helpers),
        }
    }

    fn print(&self, name: &str, bare: &Cost) {
        let (wall, own) = (self.wall.as_secs_f64(), self.own.as_secs_f64() * 1e6);
        println!(
            "  {name:<15} {:>6.0} tests/s ({:>3.0} %)   own processor time {own:>4.0} µs ({:+.0} µs), in the helper {:.0} µs",
            1.0 / wall,
            100.0 * bare.wall.as_secs_f64() / wall,
            own - bare.own.as_secs_f64() * 1e6,
            self.helpers.as_secs_f64() * 1e6,
        );
    }
}

/// User and system time of this process and its helpers, tests not counted.
fn own_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let ours = Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32);
    ours + helpers_cpu()
}
