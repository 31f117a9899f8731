//! A long run with many workers and a test of a millisecond, watched from outside: at its end it uses no more resources than at its
//! beginning.
//!
//! `cargo bench --profile dev --bench soak -- MINUTES`, or `benches/soak [MINUTES]`. One process of lop lives all the time: its program is
//! large, nearly every candidate is uninteresting, and each is tested 1000 times (`--confirm`; the variable CONFIRM sets another quorum), so
//! that there are many tests and few decisions. The memory for decisions grows with their number, and is reported.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crossbeam_channel::after;
use rustix::process::{Pid, Signal};

const JOBS: usize = 16;
/// So many bytes may be more for each decision: its answer, and what the page of a node tells of all that was tried there.
const REMEMBERED: f64 = 1500.0;
/// So many samples there are, if they are not further apart than this.
const SAMPLES: u32 = 100;
const APART: Duration = Duration::from_secs(3);
/// The time for lop to start, and to end.
const PATIENCE: Duration = Duration::from_secs(300);

/// The test: no to all but the original and one in 1024 that are not too small, after a millisecond. One in 32 leaves a daemon.
const TEST: &str = r#"
#include <fcntl.h>
#include <time.h>
#include <unistd.h>
static char text[1 << 22];
int main(int count, char **words) {
    if (getpid() % 32 == 0 && fork() == 0) {
        setsid();
        if (fork() == 0) for (;;) pause();
        _exit(0);
    }
    struct timespec while_it_works = {0, 1000000};
    nanosleep(&while_it_works, 0);
    int file = open(words[count - 1], O_RDONLY);
    long length = read(file, text, sizeof text);
    unsigned hash = 2166136261u;
    for (long at = 0; at < length; at++) hash = (hash ^ text[at]) * 16777619u;
    return length != ORIGINAL && ((hash >> 8) % 1024 != 0 || length < ORIGINAL / 2);
}
"#;

/// A program with this number of functions.
fn program(functions: u32) -> String {
    let one = |at| {
        format!(
            "int v{at} = {at};\nint f{at}(int a, int b) {{\n  int x = a + v{at};\n  if (x > b) {{ x -= {at}; }}\n  return x * b;\n}}\n"
        )
    };
    (0..functions).map(one).collect()
}

/// What was seen at a moment.
#[derive(Clone, Default)]
struct Sample {
    decisions: f64,
    /// Resident sizes in kB.
    lop: f64,
    helpers_size: f64,
    lop_descriptors: f64,
    helpers_descriptors: f64,
    threads: f64,
    helpers: f64,
    /// Processes of tests.
    tests: f64,
    directories: f64,
    /// Numbers of those that have ended and were not waited for.
    zombies: BTreeSet<u32>,
}

/// Something that must not grow: in the mean of the last quarter by no more than so much beyond that of the first.
struct Figure {
    name: &'static str,
    of: fn(&Sample) -> f64,
    more: f64,
    /// The same for each decision between the two.
    each: f64,
}

const FIGURES: &[Figure] = &[
    figure(
        "resident size of lop, kB",
        |s| s.lop,
        3000.0,
        REMEMBERED / 1024.0,
    ),
    figure(
        "resident size of all helpers, kB",
        |s| s.helpers_size,
        2000.0,
        0.0,
    ),
    figure("descriptors of lop", |s| s.lop_descriptors, 2.0, 0.0),
    figure(
        "descriptors of all helpers",
        |s| s.helpers_descriptors,
        8.0,
        0.0,
    ),
    figure("threads of lop", |s| s.threads, 0.5, 0.0),
    figure("helpers", |s| s.helpers, 0.5, 0.0),
    figure("processes of tests", |s| s.tests, 8.0, 0.0),
    figure("directories of tests", |s| s.directories, 4.0, 0.0),
    figure("zombies at a time", |s| s.zombies.len() as f64, 4.0, 0.0),
];

const fn figure(name: &'static str, of: fn(&Sample) -> f64, more: f64, each: f64) -> Figure {
    Figure {
        name,
        of,
        more,
        each,
    }
}

/// The run, and where it has its files. It ends with this.
struct Soak {
    child: Child,
    place: tempfile::TempDir,
    scratch: tempfile::TempDir,
    /// How much of its output has been read, and the decisions in it.
    read: usize,
    decisions: u64,
}

impl Soak {
    fn begin(functions: u32) -> Soak {
        let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
        let memory = Path::new("/dev/shm");
        let scratch = match memory.is_dir() {
            true => tempfile::tempdir_in(memory),
            false => tempfile::tempdir(),
        };
        let scratch = scratch.expect("a directory");
        let at = |name: &str| place.path().join(name);
        let text = program(functions);
        fs::write(at("big.c"), &text).expect("written");
        fs::write(at("test.c"), TEST).expect("written");
        let cc = Command::new("cc")
            .args(["-O1", "-static", "-o", "test", "test.c"])
            .arg(format!("-DORIGINAL={}", text.len()))
            .current_dir(place.path())
            .status();
        assert!(
            cc.is_ok_and(|cc| cc.success()),
            "a C compiler is needed, as cc"
        );
        let confirm = std::env::var("CONFIRM").unwrap_or_else(|_| "1/1000".into());
        let child = Command::new(env!("CARGO_BIN_EXE_lop"))
            .args(["big.c", "./test", "--json", "--jobs", &JOBS.to_string()])
            .args(["--confirm", &confirm, "--scratch"])
            .arg(scratch.path())
            .current_dir(place.path())
            .env("XDG_STATE_HOME", at("state"))
            .stdin(Stdio::null())
            .stdout(File::create(at("out")).expect("a file"))
            .spawn()
            .expect("lop");
        Soak {
            child,
            place,
            scratch,
            read: 0,
            decisions: 0,
        }
    }

    fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Counts the decisions that it has reported since the last call.
    fn listen(&mut self) -> u64 {
        let said = fs::read(self.place.path().join("out")).unwrap_or_default();
        let whole = said.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        if whole > self.read {
            let new = String::from_utf8_lossy(&said[self.read..whole]);
            let decided = new.matches("{\"event\":\"decided\"").count();
            (self.read, self.decisions) = (whole, self.decisions + decided as u64);
        }
        self.decisions
    }

    /// Looks at it, all that it has started, and its directories.
    fn sample(&mut self) -> Sample {
        let mut sample = Sample {
            decisions: self.listen() as f64,
            ..Sample::default()
        };
        let pid = self.pid();
        for process in family(pid) {
            if process.zombie {
                sample.zombies.insert(process.pid);
            } else if process.pid == pid {
                sample.lop = resident(pid);
                sample.lop_descriptors = entries(&format!("/proc/{pid}/fd"));
                sample.threads = entries(&format!("/proc/{pid}/task"));
            } else if process.parent == pid && process.helps() {
                sample.helpers += 1.0;
                sample.helpers_size += resident(process.pid);
                sample.helpers_descriptors += entries(&format!("/proc/{}/fd", process.pid));
            } else {
                sample.tests += 1.0;
            }
        }
        for root in fs::read_dir(self.scratch.path())
            .into_iter()
            .flatten()
            .flatten()
        {
            sample.directories += entries(&root.path().display().to_string());
        }
        sample
    }

    /// Ends it, and sees what is left. What is wrong, in words.
    fn end(&mut self) -> Vec<String> {
        let mut wrong = Vec::new();
        let family = family(self.pid());
        let pid = Pid::from_child(&self.child);
        let _ = rustix::process::kill_process(pid, Signal::TERM);
        let until = Instant::now() + PATIENCE;
        let mut status = None;
        while status.is_none() && Instant::now() < until {
            let _ = after(Duration::from_millis(10)).recv();
            status = self.child.try_wait().expect("a word of it");
        }
        let code = status.and_then(|status| status.code());
        if code != Some(143) {
            wrong.push(format!("told to end it ends with {code:?}, not 143"));
        }
        let alive = |process: &&Process| about(process.pid).is_some_and(|now| now.helps());
        let left = family.iter().filter(alive).count();
        if left > 0 {
            wrong.push(format!("{left} helpers are left"));
        }
        let entries = entries(&self.scratch.path().display().to_string());
        if entries > 0.0 {
            wrong.push(format!(
                "{entries} entries are left in the scratch directory"
            ));
        }
        let result = fs::read(self.place.path().join("big.lop.c")).unwrap_or_default();
        if !self.passes(&result) {
            wrong.push("the result does not pass".into());
        }
        wrong
    }

    /// The last line that it said.
    fn totals(&self) -> serde_json::Value {
        let said = fs::read_to_string(self.place.path().join("out")).unwrap_or_default();
        let last = said.lines().last().unwrap_or_default();
        serde_json::from_str(last).unwrap_or_default()
    }

    /// How long the journal is.
    fn journal(&self) -> u64 {
        let sessions = fs::read_dir(self.place.path().join("state/lop/sessions"));
        let sessions = sessions.into_iter().flatten().flatten();
        let lengths = sessions.filter_map(|session| {
            let file = fs::metadata(session.path().join("journal.jsonl")).ok()?;
            Some(file.len())
        });
        lengths.sum()
    }

    fn passes(&self, result: &[u8]) -> bool {
        let file = self.place.path().join("result.c");
        fs::write(&file, result).expect("written");
        let test = Command::new(self.place.path().join("test"))
            .arg(file)
            .status();
        test.is_ok_and(|test| test.success())
    }
}

impl Drop for Soak {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A process, as the system tells of it.
struct Process {
    pid: u32,
    parent: u32,
    zombie: bool,
}

impl Process {
    fn helps(&self) -> bool {
        let line = fs::read(format!("/proc/{}/cmdline", self.pid)).unwrap_or_default();
        line.split(|&byte| byte == 0).any(|word| word == b"__run")
    }
}

fn about(pid: u32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut words = stat.rsplit(") ").next()?.split(' ');
    Some(Process {
        pid,
        zombie: words.next()? == "Z",
        parent: words.next()?.parse().ok()?,
    })
}

/// A process and all that descend from it: who loses its parent becomes a helper's child.
fn family(first: u32) -> Vec<Process> {
    let mut children: BTreeMap<u32, Vec<Process>> = BTreeMap::new();
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    for process in numbers.filter_map(about) {
        children.entry(process.parent).or_default().push(process);
    }
    let mut found: Vec<Process> = about(first).into_iter().collect();
    let mut at = 0;
    while let Some(process) = found.get(at) {
        found.extend(children.remove(&process.pid).into_iter().flatten());
        at += 1;
    }
    found
}

fn entries(directory: &str) -> f64 {
    fs::read_dir(PathBuf::from(directory)).map_or(0, Iterator::count) as f64
}

/// The resident size of a process, in kB.
fn resident(pid: u32) -> f64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS"));
    let number = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
    number.unwrap_or(0.0)
}

fn mean(samples: &[Sample], of: impl Fn(&Sample) -> f64) -> f64 {
    samples.iter().map(of).sum::<f64>() / samples.len().max(1) as f64
}

fn most(samples: &[Sample], of: impl Fn(&Sample) -> f64) -> f64 {
    samples.iter().map(of).fold(0.0, f64::max)
}

/// Prints the table; what has grown, in words.
fn compare(samples: &[Sample]) -> Vec<String> {
    let quarter = (samples.len() / 4).max(1);
    let (first, last) = (&samples[..quarter], &samples[samples.len() - quarter..]);
    let decisions = mean(last, |s| s.decisions) - mean(first, |s| s.decisions);
    println!(
        "{:<34} {:>10} {:>8} {:>10} {:>8} {:>9} {:>9}",
        "mean and most of each quarter", "the first", "", "the last", "", "more", "may be"
    );
    let mut grown = Vec::new();
    for figure in FIGURES {
        let (before, now) = (mean(first, figure.of), mean(last, figure.of));
        let (more, allowed) = (now - before, figure.more + figure.each * decisions);
        println!(
            "{:<34} {before:>10.1} {:>8.0} {now:>10.1} {:>8.0} {more:>9.1} {allowed:>9.1}",
            figure.name,
            most(first, figure.of),
            most(last, figure.of)
        );
        if more > allowed {
            grown.push(format!("{} has grown by {more:.1}", figure.name));
        }
    }
    let size = mean(last, |s| s.lop) - mean(first, |s| s.lop);
    println!(
        "{:.0} bytes more for each of the {decisions:.0} decisions between",
        1024.0 * size / decisions.max(1.0)
    );
    grown
}

/// Looks at it for so long. What is wrong meanwhile, in words.
fn watch(soak: &mut Soak, time: Duration) -> (Vec<Sample>, Vec<String>) {
    let (began, apart) = (Instant::now(), (time / SAMPLES).min(APART));
    let (mut samples, mut wrong) = (Vec::new(), Vec::new());
    // How many samples each zombie has been in.
    let mut lasting: BTreeMap<u32, u32> = BTreeMap::new();
    while began.elapsed() < time {
        let _ = after(apart).recv();
        let sample = soak.sample();
        lasting.retain(|pid, _| sample.zombies.contains(pid));
        for pid in &sample.zombies {
            let times = lasting.entry(*pid).or_default();
            *times += 1;
            if *times == 3 {
                wrong.push(format!("process {pid} is a zombie in three samples"));
            }
        }
        if soak.child.try_wait().expect("a word of it").is_some() {
            wrong.push("lop came to its end: it needs a larger program".into());
            break;
        }
        samples.push(sample);
    }
    (samples, wrong)
}

fn main() {
    let minutes = std::env::args().find_map(|word| word.parse::<f64>().ok());
    let time = Duration::from_secs_f64(60.0 * minutes.unwrap_or(60.0));
    let functions = 200 + 20 * (time.as_secs() / 60) as u32;
    let mut soak = Soak::begin(functions);
    let until = Instant::now() + PATIENCE;
    // By then all helpers have begun, and all that is made once.
    while soak.listen() < 3 {
        assert!(Instant::now() < until, "lop does not begin");
        let _ = after(Duration::from_millis(50)).recv();
    }
    let (samples, mut wrong) = watch(&mut soak, time);
    wrong.extend(compare(&samples));
    wrong.extend(soak.end());
    let totals = soak.totals();
    let number = |name: &str| totals[name].as_u64().unwrap_or(0);
    println!(
        "{:.0} s with {JOBS} workers: {} tests, {} decisions, {} versions of a program of {functions} functions; the journal has {:.1} MB",
        time.as_secs_f64(),
        number("tests") + number("repeated"),
        number("decisions"),
        number("taken"),
        soak.journal() as f64 / 1e6
    );
    for what in &wrong {
        println!("FAILED: {what}");
    }
    drop(soak);
    std::process::exit(i32::from(!wrong.is_empty()));
}
