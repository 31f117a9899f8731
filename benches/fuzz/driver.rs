//! The two sides of a target's run: the child that executes, and the parent that watches it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::{Target, input};

/// An execution that computes for longer is a finding, and one that takes as many times as long by the clock: other processes may have
/// the processors.
const LIMIT: Duration = Duration::from_secs(20);
const PATIENCE: u32 = 15;

/// Languages that are loaded stay in memory, so a child ends after so many executions.
const CHILD: u64 = 500;

/// The child: executes so many seeds, and says each before it begins.
pub fn seeds(target: &Target, from: u64, count: u64) {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        usual(info);
        std::process::abort();
    }));
    for seed in from..from + count {
        println!("{seed}");
        (target.run)(&input(target, seed));
    }
}

/// How a child ended.
enum End {
    /// All was executed.
    Whole,
    /// Here something was found.
    Found(u64, String),
}

/// Runs a target for so long, and says what was found.
pub fn drive(target: &Target, minutes: f64, mut seed: u64) {
    let until = Instant::now() + Duration::from_secs_f64(60.0 * minutes);
    let kept = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    fs::create_dir_all(&kept).expect("a directory");
    let (first, mut executions, mut slowest) = (seed, 0, (Duration::ZERO, 0));
    let mut findings: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    while Instant::now() < until {
        let said = kept.join(format!("{}.said", target.name));
        let end = child(target, seed, &said, until, |seed, time| {
            executions += 1;
            slowest = slowest.max((time, seed));
        });
        match end {
            End::Whole => seed += CHILD,
            End::Found(at, what) => {
                executions += 1;
                seed = at + 1;
                let alike = findings.entry(what).or_default();
                if alike.is_empty() {
                    let file = kept.join(format!("{}-{at}", target.name));
                    fs::write(&file, input(target, at)).expect("written");
                    fs::copy(&said, file.with_extension("said")).expect("copied");
                    println!(
                        "{}: found at seed {at}, kept in {}",
                        target.name,
                        file.display()
                    );
                }
                alike.push(at);
            }
        }
    }
    let (time, at) = slowest;
    println!(
        "{}: {executions} executions from seed {first} in {minutes} minutes; the slowest took {time:.1?} (seed {at}); {} findings",
        target.name,
        findings.len()
    );
    for (what, seeds) in &findings {
        println!(
            "  {} times, first at seed {}: {what}",
            seeds.len(),
            seeds[0]
        );
    }
    if !findings.is_empty() {
        std::process::exit(1);
    }
}

fn child(
    target: &Target,
    from: u64,
    said: &PathBuf,
    until: Instant,
    mut done: impl FnMut(u64, Duration),
) -> End {
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args([
            "--seeds",
            target.name,
            &from.to_string(),
            &CHILD.to_string(),
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(File::create(said).expect("a file"))
        .spawn()
        .expect("a child");
    let (send, lines) = channel();
    let out = BufReader::new(child.stdout.take().expect("it is piped"));
    let reader = std::thread::spawn(move || {
        for line in out.lines().map_while(Result::ok) {
            let _ = send.send(line.parse::<u64>().ok());
        }
    });
    let (mut now, mut begun, mut spent) = (None, Instant::now(), Duration::ZERO);
    let end = loop {
        let next = lines.recv_timeout(Duration::from_secs(1));
        if let (Some(seed), Ok(_) | Err(RecvTimeoutError::Disconnected)) = (now, &next) {
            done(seed, begun.elapsed());
        }
        match next {
            Ok(seed) => (now, begun, spent) = (seed, Instant::now(), cpu(child.id())),
            Err(RecvTimeoutError::Timeout) => {
                let late = cpu(child.id()).saturating_sub(spent) > LIMIT
                    || begun.elapsed() > LIMIT * PATIENCE;
                if let Some(seed) = now.filter(|_| late) {
                    break Some(End::Found(
                        seed,
                        format!("computed for more than {LIMIT:?}, or waits"),
                    ));
                }
            }
            Err(RecvTimeoutError::Disconnected) => break None,
        }
        if Instant::now() > until {
            break Some(End::Whole);
        }
    };
    let _ = child.kill().map_err(|_| ());
    let status = child.wait().expect("it ends");
    let _ = reader.join();
    match end {
        Some(end) => end,
        None if status.success() => End::Whole,
        None => End::Found(now.unwrap_or(from), reason(said, status)),
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

/// How much processor time a process has taken.
fn cpu(process: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let behind_name = stat.rsplit(") ").next().unwrap_or_default().split(' ');
    let ticks = behind_name
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok());
    Duration::from_millis(10 * ticks.sum::<u64>())
}
