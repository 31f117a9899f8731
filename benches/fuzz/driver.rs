//! The two sides of a target's run: the child that executes, and the parent that watches it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use super::{Target, input, mutation};

/// An execution that computes for longer is a finding, and one that takes as many times as long by the clock: other processes may have
/// the processors.
const LIMIT: Duration = Duration::from_secs(20);
const PATIENCE: u32 = 15;

/// Languages that are loaded stay in memory, so a child ends after this number of executions.
const CHILD: u64 = 500;

/// The child: executes this number of seeds, prints each before it begins, and its cost when it is done.
pub fn seeds(target: &Target, from: u64, count: u64) {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        usual(info);
        std::process::abort();
    }));
    for seed in from..from + count {
        println!("{seed}");
        let before = Took::until_now();
        forget_peak();
        (target.run)(&input(target, seed));
        let took = Took::until_now();
        println!(
            "{seed} {} {} {}",
            (took.cpu - before.cpu).as_micros(),
            took.peak,
            took.questions - before.questions
        );
    }
}

/// What an execution took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Took {
    /// Processor time.
    pub cpu: Duration,
    /// The most memory that the process had, in kB.
    pub peak: u64,
    /// Questions that were decided, where a reduction is made.
    pub questions: u64,
}

impl Took {
    fn until_now() -> Took {
        let cpu = clock_gettime(ClockId::ProcessCPUTime);
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmHWM"));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        Took {
            cpu: Duration::new(cpu.tv_sec as u64, cpu.tv_nsec as u32),
            peak: number.and_then(|number| number.parse().ok()).unwrap_or(0),
            questions: mutation::QUESTIONS.load(Ordering::Relaxed),
        }
    }

    /// What the child said.
    fn read(words: &str) -> Option<Took> {
        let mut numbers = words.split(' ').map(str::parse);
        let mut next = || numbers.next()?.ok();
        Some(Took {
            cpu: Duration::from_micros(next()?),
            peak: next()?,
            questions: next()?,
        })
    }
}

/// Resets the peak of memory. Only Linux can do this; elsewhere the peak never falls.
fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// How a child ended.
pub enum End {
    /// All was executed.
    Whole,
    /// Here something was found.
    Found(u64, String),
}

/// Where inputs of findings are kept.
pub fn kept() -> PathBuf {
    let kept = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    fs::create_dir_all(&kept).expect("a directory");
    kept
}

/// What was found, in words, with the seeds of all that are alike.
#[derive(Default)]
pub struct Findings(BTreeMap<String, Vec<u64>>);

impl Findings {
    /// One more; the input of the first of its kind is kept.
    pub fn add(&mut self, target: &Target, seed: u64, what: String) {
        let alike = self.0.entry(what).or_default();
        if alike.is_empty() {
            let file = kept().join(format!("{}-{seed}", target.name));
            fs::write(&file, input(target, seed)).expect("written");
            fs::copy(said(target), file.with_extension("said")).expect("copied");
            let (name, file) = (target.name, file.display());
            println!("{name}: found at seed {seed}, kept in {file}");
        }
        alike.push(seed);
    }

    /// How many kinds there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Says all of them, and ends the process if there are any.
    pub fn close(self) {
        for (what, seeds) in &self.0 {
            println!(
                "  {} times, first at seed {}: {what}",
                seeds.len(),
                seeds[0]
            );
        }
        if !self.0.is_empty() {
            std::process::exit(1);
        }
    }
}

/// Where a child's errors go.
fn said(target: &Target) -> PathBuf {
    kept().join(format!("{}.said", target.name))
}

/// Runs a target for so long, and says what was found.
pub fn drive(target: &Target, minutes: f64, mut seed: u64) {
    let until = Instant::now() + Duration::from_secs_f64(60.0 * minutes);
    let (first, mut executions, mut slowest) = (seed, 0, (Duration::ZERO, 0));
    let mut findings = Findings::default();
    while Instant::now() < until {
        let end = child(
            target,
            seed..seed + CHILD,
            LIMIT,
            Some(until),
            |seed, took| {
                executions += 1;
                slowest = slowest.max((took.cpu, seed));
            },
        );
        match end {
            End::Whole => seed += CHILD,
            End::Found(at, what) => {
                executions += 1;
                seed = at + 1;
                findings.add(target, at, what);
            }
        }
    }
    let (time, at) = slowest;
    println!(
        "{}: {executions} executions from seed {first} in {minutes} minutes; the slowest took {time:.1?} (seed {at}); {} findings",
        target.name,
        findings.count()
    );
    findings.close();
}

/// Has a child execute these seeds, until a moment at most. What computes for longer than `limit` is a finding.
pub fn child(
    target: &Target,
    seeds: Range<u64>,
    limit: Duration,
    until: Option<Instant>,
    mut done: impl FnMut(u64, Took),
) -> End {
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args([
            "--seeds",
            target.name,
            &seeds.start.to_string(),
            &(seeds.end - seeds.start).to_string(),
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(File::create(said(target)).expect("a file"))
        .spawn()
        .expect("a child");
    let (send, lines) = channel();
    let out = BufReader::new(child.stdout.take().expect("it is piped"));
    let reader = std::thread::spawn(move || {
        for line in out.lines().map_while(Result::ok) {
            let _ = send.send(line);
        }
    });
    let (mut now, mut begun, mut spent) = (None, Instant::now(), Duration::ZERO);
    let end = loop {
        match lines.recv_timeout(Duration::from_secs(1)) {
            Ok(line) => match (line.split_once(' '), now) {
                (Some((_, words)), Some(seed)) => {
                    done(seed, Took::read(words).unwrap_or_default());
                }
                _ => (now, begun, spent) = (line.parse().ok(), Instant::now(), cpu(child.id())),
            },
            Err(RecvTimeoutError::Timeout) => {
                let late = cpu(child.id()).saturating_sub(spent) > limit
                    || begun.elapsed() > limit * PATIENCE;
                if let Some(seed) = now.filter(|_| late) {
                    break Some(End::Found(
                        seed,
                        format!("computed for more than {limit:?}, or waits"),
                    ));
                }
            }
            Err(RecvTimeoutError::Disconnected) => break None,
        }
        if until.is_some_and(|until| Instant::now() > until) {
            break Some(End::Whole);
        }
    };
    let _ = child.kill().map_err(|_| ());
    let status = child.wait().expect("it ends");
    let _ = reader.join();
    match end {
        Some(end) => end,
        None if status.success() => End::Whole,
        None => End::Found(now.unwrap_or(seeds.start), reason(&said(target), status)),
    }
}

/// Why a child died: what it said first, or its signal.
fn reason(said: &PathBuf, status: std::process::ExitStatus) -> String {
    let said = fs::read(said).unwrap_or_default();
    let said = String::from_utf8_lossy(&said).into_owned();
    let lines: Vec<&str> = said.lines().collect();
    let at = lines.iter().position(|line| {
        line.contains("panicked at")
            || line.contains("overflowed its stack")
            || line.contains("memory allocation")
    });
    let Some(at) = at else {
        return status.to_string();
    };
    let place = lines[at].split("panicked at ").last().unwrap_or(lines[at]);
    let why = lines.get(at + 1).copied().unwrap_or_default();
    format!("{place} {}", why.chars().take(160).collect::<String>())
}

/// The processor time of a process.
fn cpu(process: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let behind_name = stat.rsplit(") ").next().unwrap_or_default().split(' ');
    let ticks = behind_name
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok());
    Duration::from_millis(10 * ticks.sum::<u64>())
}
