//! The latency of commands and signals on a long file, at any moment, also while it is read, a pass plans, or the text is parsed again.
//!
//! `cargo bench --bench obedience -- [BYTES [COMMANDS [ENDS [SECONDS]]]]` (3,600,000, 60, 20 and 30 by default). Prints a row for each kind of
//! command: the number of commands, and the time from sending one to the event that acknowledges it. Then a row for each way to end the real
//! program, at random instants of its first SECONDS: the time to the last that it prints, and the time until the process is gone, which is
//! longer by what the system needs to take back its memory.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

use lop::oracle::{
    LimitPolicy, ScriptedRunner, TestExit, TestOutcome, TestOutput, TestRun, Verdict,
};
use lop::program;
use lop::reduce::{self, EngineCommand, FinishReason, RunAudience, RunEvent, RunSetup};

// The allocator of the binary.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Commands in turn: the first two keep the plan, the others make the pass plan again.
const COMMANDS: [&str; 6] = [
    "pause",
    "resume",
    "disable hollow",
    "enable hollow",
    "pin f1",
    "unpin",
];

/// A program of this length: functions that call each other, and structures.
fn program_of(bytes: usize) -> String {
    let mut text = String::new();
    let mut at = 0;
    while text.len() < bytes {
        at += 1;
        let before = at - at % 50;
        text += &format!("struct s{at} {{ int a{at}; long b{at}; struct s{before} *next; }};\n");
        text += &format!(
            "static int f{at}(int x, int y, struct s{at} *p) {{\n  int z = x * {at} + y;\n"
        );
        for part in 0..at % 9 + 4 {
            text += &format!(
                "  if (z > {part} && p->a{at} != x) {{ z += p->b{at} % {part}; /* {part} */ z ^= x << 3; }}\n"
            );
            text += &format!("  z -= f{at}(z, y, p);\n");
        }
        text += "  return z;\n}\n";
    }
    text + "int main(void) { return f1(0, 0, 0) + 4711; }\n"
}

fn run_of(interesting: bool) -> TestOutcome {
    let run = TestRun {
        exit: TestExit::Code(i32::from(!interesting)),
        time: Duration::from_millis(1),
        cpu: None,
        output: TestOutput::default(),
    };
    let verdict = if interesting {
        Verdict::Interesting
    } else {
        Verdict::Uninteresting
    };
    TestOutcome::Verdict(verdict, run)
}

/// The median, the 99th percentile and the most of these times, in milliseconds.
fn summary(times: &mut [Duration]) -> String {
    times.sort();
    let at = |part: usize| {
        let time = times.get((times.len() * part / 100).min(times.len().saturating_sub(1)));
        time.map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
    };
    format!("{:>8.1} {:>8.1} {:>8.1}", at(50), at(99), at(100))
}

/// Numbers that have nothing to do with what a run does.
struct Moments(u64);

impl Moments {
    /// The next, below 512.
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        self.0 >> 55
    }
}

/// A way to end the program.
#[derive(Clone, Copy)]
enum Ending {
    Signal(Signal),
    Keys(&'static str),
}

/// The ways to end it, and whether the screen is shown.
const ENDINGS: [(&str, bool, Ending); 4] = [
    ("SIGTERM", false, Ending::Signal(Signal::TERM)),
    ("SIGTERM, screen", true, Ending::Signal(Signal::TERM)),
    ("q", true, Ending::Keys("q")),
    ("Ctrl-C", true, Ending::Keys("\x03")),
];

/// Runs the program on a terminal in a directory with `long.c`, and ends it after a while: the time to its last output, and to its end. None if it
/// ended before.
fn end_run(
    directory: &Path,
    screen: bool,
    ending: Ending,
    after: Duration,
) -> Option<(Duration, Duration)> {
    let size = PtySize {
        rows: 40,
        cols: 120,
        ..PtySize::default()
    };
    let pty = native_pty_system().openpty(size).expect("a terminal");
    // On Ctrl-C a terminal throws away what waits to be shown, which may be the answer to it already.
    let mut command = CommandBuilder::new("sh");
    command.args(["-c", "stty noflsh; exec \"$0\" \"$@\""]);
    command.args([env!("CARGO_BIN_EXE_lop"), "long.c", "./test.sh"]);
    command.args((!screen).then_some("--plain"));
    command.cwd(directory);
    command.env("TERM", "xterm-256color");
    // A home of its own: beside an unfinished session the screen would ask first whether to go on with that.
    let home = tempfile::tempdir_in(directory).expect("a home");
    for place in ["XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
        command.env(place, home.path());
    }
    let mut child = pty.slave.spawn_command(command).expect("lop");
    drop(pty.slave);
    let mut reader = pty.master.try_clone_reader().expect("its output");
    let mut writer = pty.master.take_writer().expect("its keyboard");
    let output = std::thread::spawn(move || {
        let (mut last, mut bytes) = (Instant::now(), [0; 4096]);
        // The end of a terminal is an error on Linux.
        while reader.read(&mut bytes).is_ok_and(|length| length > 0) {
            last = Instant::now();
        }
        last
    });
    std::thread::sleep(after);
    let ended = child.try_wait().expect("its state").is_some();
    let sent = Instant::now();
    match ending {
        _ if ended => {}
        Ending::Keys(keys) => writer.write_all(keys.as_bytes()).expect("typed"),
        Ending::Signal(signal) => {
            let pid = child.process_id().and_then(|pid| pid.try_into().ok());
            let pid = pid.and_then(Pid::from_raw).expect("a process");
            kill_process(pid, signal).expect("a signal");
        }
    }
    child.wait().expect("an end");
    let gone = sent.elapsed();
    let last = output.join().expect("its output");
    (!ended).then(|| (last.saturating_duration_since(sent), gone))
}

/// Measures all ways to end the program, each this often in its first seconds.
fn measure_endings(text: &str, count: u32, seconds: u32) {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("long.c"), text).expect("the file");
    let test = directory.path().join("test.sh");
    fs::write(
        &test,
        "#!/bin/sh\ngrep -q 4711 long.c && grep -q 'f77(int' long.c\n",
    )
    .expect("the test");
    fs::set_permissions(&test, fs::Permissions::from_mode(0o755)).expect("the test");
    println!(
        "{:<16} {:>5} {:>8} {:>8} {:>8}  {:>8} {:>8} {:>8}  ms to the last output, and to the end of the process",
        "ended by", "times", "median", "p99", "most", "median", "p99", "most"
    );
    let mut moments = Moments(2);
    for (name, screen, ending) in ENDINGS {
        let (mut answers, mut ends) = (Vec::new(), Vec::new());
        for number in 0..count {
            // One in each part of the time.
            let share = f64::from(number) + moments.next() as f64 / 512.0;
            let after = Duration::from_secs(seconds.into()).mul_f64(share / f64::from(count));
            if let Some((answer, end)) = end_run(directory.path(), screen, ending, after) {
                answers.push(answer);
                ends.push(end);
            }
        }
        println!(
            "{name:<16} {:>5} {}  {}",
            ends.len(),
            summary(&mut answers),
            summary(&mut ends)
        );
    }
}

fn main() {
    let mut numbers = std::env::args().filter_map(|arg| arg.parse::<usize>().ok());
    let (bytes, count) = (
        numbers.next().unwrap_or(3_600_000),
        numbers.next().unwrap_or(60),
    );
    let ends = numbers.next().unwrap_or(20) as u32;
    let seconds = numbers.next().unwrap_or(30) as u32;
    let text = program_of(bytes);
    let files = vec![(
        Arc::from(Path::new("long.c")),
        Arc::from(text.clone().into_bytes()),
    )];
    let version = program::read_program(files).expect("the program can be read");
    println!("{bytes} bytes, {} tokens", version.token_count());
    let runner = ScriptedRunner::new(|files| {
        let text = std::str::from_utf8(&files[0].1).expect("UTF-8");
        run_of(text.contains("4711") && text.contains("f77(int"))
    });
    let run = reduce::start_run(RunSetup {
        jobs: 2,
        audience: RunAudience::resident(),
        ..RunSetup::new(version, runner, LimitPolicy::fixed(Duration::from_secs(60)))
    })
    .expect("a run");
    let mut times = COMMANDS.map(|_| Vec::new());
    let mut moments = Moments(1);
    for number in 0..count {
        std::thread::sleep(Duration::from_millis(moments.next()));
        let kind = number % COMMANDS.len();
        let command = EngineCommand::parse_line(COMMANDS[kind]).expect("a command");
        let sent = Instant::now();
        if run.commands.send(command).is_err() {
            println!("the run has ended");
            break;
        }
        let obeyed = |event: &RunEvent| matches!(event, RunEvent::CommandApplied { command, .. } if command == COMMANDS[kind]);
        if !run.events.iter().any(|event| obeyed(&event)) {
            println!("the run has ended");
            break;
        }
        times[kind].push(sent.elapsed());
    }
    println!(
        "{:<16} {:>5} {:>8} {:>8} {:>8}  ms",
        "command", "times", "median", "p99", "most"
    );
    for (command, times) in COMMANDS.iter().zip(&mut times) {
        println!("{command:<16} {:>5} {}", times.len(), summary(times));
    }
    let sent = Instant::now();
    let _ = run.commands.send(EngineCommand::Stop);
    let stopped = run
        .events
        .iter()
        .any(|event| matches!(event, RunEvent::Finished(FinishReason::Stopped)));
    println!(
        "stop: {:.1} ms{}",
        sent.elapsed().as_secs_f64() * 1e3,
        if stopped {
            ""
        } else {
            ", but the run had ended"
        }
    );
    run.wait_for_end();
    println!(
        "the thread has ended after {:.1} ms",
        sent.elapsed().as_secs_f64() * 1e3
    );
    measure_endings(&text, ends, seconds);
}
