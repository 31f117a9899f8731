//! A program of ten megabytes: reading it, the first candidates, what each pass needs to plan, and memory.
//!
//! `cargo bench --bench size`, or with a file: `cargo bench --bench size -- FILE`

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lop::pass;
use lop::program::{self, View};
use lop::protocol::{Feedback, Proposer, ProposerStep};
use lop::reduce::{PassSchedule, PassVerb};
use rustix::time::{ClockId, clock_gettime};

// The allocator of the binary.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Time and processor time, of all threads.
struct Clock(Instant, Duration);

impl Clock {
    fn start() -> Clock {
        Clock(Instant::now(), Clock::cpu())
    }

    fn cpu() -> Duration {
        let now = clock_gettime(ClockId::ProcessCPUTime);
        Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
    }

    fn tell(&self, what: &str) {
        let (wall, cpu) = (self.0.elapsed(), Clock::cpu() - self.1);
        println!(
            "{what:<44} {:>8.3} s {:>8.3} s of processor time {:>6} MB at most",
            wall.as_secs_f64(),
            cpu.as_secs_f64(),
            peak() / 1000
        );
    }
}

/// The most memory so far, in kB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Ten megabytes of C: types, prototypes, tables, functions and comments.
fn program() -> Vec<u8> {
    let mut text = String::new();
    let mut i = 0;
    while text.len() < 10_000_000 {
        text += &format!(
            "typedef struct s{i} {{ int a; char *b; struct s{i} *next; }} t{i};\nextern int p{i}(t{i} *at, int b);\n"
        );
        text += &format!(
            "static const int table{i}[] = {{ {i}, 1, 2, 3, 0x{i:x}, -1 }};\nint g{i} = {i} + 1;\n"
        );
        text += &format!(
            "/* {i} */\nint f{i}(int a, t{i} *b) {{\n  if (a > {i}) {{ b->a = a * (b->a + {i}) - g{i}; }} else {{ return p{i}(b, a); }}\n"
        );
        text += &format!(
            "  for (int n = 0; n < 6; n++) {{ a += table{i}[n] ? f{}(n, 0) : a; }}\n  return a + b->a;\n}}\n",
            i / 2
        );
        i += 1;
    }
    text.into_bytes()
}

/// The questions of each pass that are measured after its first.
const QUESTIONS: u32 = 20;

/// A row for each pass of the default strategy, alone on the whole program: the processor time until its first question, and then of a question, when
/// the test finds nothing interesting; first of the plan alone, then with the candidate, which is made each time, but not printed.
fn measure_passes(view: &View) {
    println!(
        "{:<16} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}  ms of processor time to the first question; of {QUESTIONS} more, the mean and the longest; planned, and with the candidate made",
        "pass", "first", "mean", "longest", "first", "mean", "longest"
    );
    let order = PassSchedule::new(pass::PassOptions::default());
    let names = order.current_turn().order.iter().map(|slot| slot.kind.name);
    for name in names.clone() {
        let mut schedule = order.clone();
        for other in names.clone().filter(|other| *other != name) {
            let disabled = schedule.apply_pass_verb(PassVerb::Disable, other);
            disabled.expect("a pass of the strategy");
        }
        let (mut planned, mut made) = (Vec::new(), Vec::new());
        let mut since = Clock::cpu();
        while made.len() <= QUESTIONS as usize
            && let ProposerStep::Test(edit, _) = schedule.propose(view)
        {
            planned.push(Clock::cpu() - since);
            let candidate = program::apply_edit(&view.version, &edit);
            let feedback = match candidate.map(|(version, _)| version.content_hash()) {
                Ok(_) => Feedback::Uninteresting,
                Err(_) => Feedback::Rejected,
            };
            made.push(Clock::cpu() - since);
            since = Clock::cpu();
            schedule.on_verdict(view, &edit, feedback);
        }
        if made.is_empty() {
            println!("{name:<16} nothing to ask");
        } else {
            println!("{name:<16} {} {}", row_of(&planned), row_of(&made));
        }
    }
}

/// The first of these times, and of the others the mean and the longest, in milliseconds.
fn row_of(times: &[Duration]) -> String {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let (first, others) = times.split_first().expect("a question");
    let mean = others.iter().sum::<Duration>() / others.len().max(1) as u32;
    let longest = others.iter().max().copied().unwrap_or_default();
    format!(
        "{:>10.1} {:>10.2} {:>10.2}",
        ms(*first),
        ms(mean),
        ms(longest)
    )
}

fn main() {
    let file = std::env::args().nth(1).filter(|name| name != "--bench");
    let text = match file {
        Some(file) => std::fs::read(file).expect("a file that can be read"),
        None => program(),
    };
    let clock = Clock::start();
    let files = vec![(Arc::from(Path::new("large.c")), Arc::from(text))];
    let version = program::read_program(files).expect("the program can be read");
    clock.tell("reading");
    println!(
        "{} tokens, {} bytes",
        version.token_count(),
        version.byte_count()
    );
    let clock = Clock::start();
    version.name_graph();
    clock.tell("names");
    let mut view = View::new(version);
    measure_passes(&view);
    let mut schedule = PassSchedule::new(pass::PassOptions::default());
    let mut worst = Duration::ZERO;
    let mut asked = 0;
    let mut clock = Clock::start();
    while asked < 40 {
        let since = Instant::now();
        let step = schedule.clone().propose(&view);
        let _ = step;
        match schedule.propose(&view) {
            ProposerStep::Test(edit, why) => {
                let stepped = since.elapsed();
                let candidate = program::apply_edit(&view.version, &edit);
                let tokens =
                    candidate.map(|(version, _)| (version.token_count(), version.content_hash()));
                let whole = since.elapsed();
                worst = worst.max(whole);
                if asked == 0 {
                    clock.tell("first question");
                    clock = Clock::start();
                }
                println!(
                    "  {:>9.3} ms, of them the step {:>9.3} ms: {} {:?}",
                    whole.as_secs_f64() * 1e3,
                    stepped.as_secs_f64() * 1e3,
                    why.pass,
                    tokens.map(|(tokens, _)| tokens),
                );
                schedule.on_verdict(&view, &edit, Feedback::Uninteresting);
                asked += 1;
            }
            ProposerStep::Reparse => {
                if let Some(version) = program::reparse_version(&view.version) {
                    view.set_version(&version);
                }
                clock.tell("the end of a pass");
                schedule.on_reparse(&view);
            }
            ProposerStep::Accept(_) | ProposerStep::Done => break,
        }
    }
    clock.tell("forty questions");
    println!("the longest of them: {:.3} ms", worst.as_secs_f64() * 1e3);
    let since = Instant::now();
    drop((view, schedule));
    println!("dropping all: {:.3} s", since.elapsed().as_secs_f64());
}
