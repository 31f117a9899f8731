//! What a run of a test costs beyond the bare spawn of it.
//!
//! `cargo bench --bench oracle` measures both with divan (wall time), then their difference in processor time, our own and our
//! children's: on a busy machine only that says something. The house allows 0.2 ms a test.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

use divan::Bencher;
use lop::oracle::{Files, LocalRunner, Scratch, Test, Verdict, run_once};
use lop::oracle::{Job, JobId, Runner};

/// How many runs the processor times are taken over, and how often.
const RUNS: u32 = 1000;
const ROUNDS: u32 = 5;

/// A trivial test on a candidate of 2 KB, in the place that a user would get.
struct Setting {
    _dir: tempfile::TempDir,
    test: Test,
    scratch: Scratch,
    files: Files,
}

static SETTING: LazyLock<Setting> = LazyLock::new(|| {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("test.sh");
    fs::write(&path, "#!/bin/sh\nexit 0\n").expect("a test");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    Setting {
        test: Test::find(&path).expect("a test"),
        scratch: Scratch::choose(None, 2048, 1).expect("a place"),
        files: vec![(PathBuf::from("bug.c"), vec![b'x'; 2048].into())],
        _dir: dir,
    }
});

fn bare() {
    let null = Stdio::null;
    let mut command = Command::new(SETTING.test.path());
    let status = command
        .stdin(null())
        .stdout(null())
        .stderr(null())
        .status()
        .expect("started");
    assert!(status.success());
}

fn ours() {
    let outcome = run_once(
        &SETTING.test,
        &SETTING.scratch,
        &SETTING.files,
        Some(Duration::from_secs(60)),
    );
    assert_eq!(outcome.verdict(), Some(Verdict::Interesting));
}

#[divan::bench]
fn bare_spawn_and_wait(bencher: Bencher<'_, '_>) {
    bencher.bench(bare);
}

#[divan::bench]
fn directory_file_spawn_wait_clean(bencher: Bencher<'_, '_>) {
    bencher.bench(ours);
}

#[divan::bench]
fn through_the_local_runner(bencher: Bencher<'_, '_>) {
    let mut runner =
        LocalRunner::new(SETTING.test.clone(), SETTING.scratch.clone(), 1).expect("a runner");
    let mut id = 0;
    bencher.bench_local(|| {
        id += 1;
        runner.submit(Job {
            id: JobId(id),
            files: SETTING.files.clone(),
            limit: None,
        });
        runner.answers().recv().expect("an answer")
    });
}

fn main() {
    divan::main();
    if std::env::args().any(|argument| argument == "--test" || argument == "--list") {
        return;
    }
    println!(
        "processor time of ours and of our children, a run, least of {ROUNDS} rounds of {RUNS}:"
    );
    let least = |run: fn()| (0..ROUNDS).filter_map(|_| cost(run)).min();
    match (least(bare), least(ours)) {
        (Some(bare), Some(ours)) => {
            println!(
                "  bare {bare:.1?}, ours {ours:.1?}, difference {:.1?} (allowed: 200 µs)",
                ours.saturating_sub(bare)
            );
        }
        _ => println!("  not known on this system"),
    }
}

/// The processor time of one run.
fn cost(run: fn()) -> Option<Duration> {
    let before = processor_time()?;
    (0..RUNS).for_each(|_| run());
    Some((processor_time()? - before) / RUNS)
}

/// User and system time of this process and of the children it waited for.
fn processor_time() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    let ticks: u64 = fields
        .split(' ')
        .skip(11)
        .take(4)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    Some(Duration::from_millis(ticks * 10))
}
