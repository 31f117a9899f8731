//! The latency of commands on a long file, at any moment, also while a pass plans or the text is parsed again.
//!
//! `cargo bench --bench obedience -- [BYTES [COMMANDS]]` (3,600,000 and 60 by default). Prints a row for each kind of command: the number
//! of commands, and the time from sending one to the event that acknowledges it.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lop::oracle::{
    LimitPolicy, ScriptedRunner, TestExit, TestOutcome, TestOutput, TestRun, Verdict,
};
use lop::program;
use lop::reduce::{self, EngineCommand, FinishReason, RunEvent, RunSetup};

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

/// The least, the median and the most of these times, in milliseconds.
fn summary(times: &mut [Duration]) -> String {
    times.sort();
    let ms = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1e3);
    let [least, .., most] = times else {
        return times.first().map_or(String::new(), |only| ms(*only));
    };
    let (least, most) = (ms(*least), ms(*most));
    format!("{least:>8} {:>8} {most:>8}", ms(times[times.len() / 2]))
}

fn main() {
    let mut numbers = std::env::args().filter_map(|arg| arg.parse::<usize>().ok());
    let (bytes, count) = (
        numbers.next().unwrap_or(3_600_000),
        numbers.next().unwrap_or(60),
    );
    let files = vec![(
        Arc::from(Path::new("long.c")),
        Arc::from(program_of(bytes).into_bytes()),
    )];
    let version = program::read_program(files).expect("the program can be read");
    println!("{bytes} bytes, {} tokens", version.token_count());
    let runner = ScriptedRunner::new(|files| {
        let text = std::str::from_utf8(&files[0].1).expect("UTF-8");
        run_of(text.contains("4711") && text.contains("f77(int"))
    });
    let run = reduce::start_run(RunSetup {
        jobs: 2,
        stop_on_failure: false,
        ..RunSetup::new(version, runner, LimitPolicy::fixed(Duration::from_secs(60)))
    })
    .expect("a run");
    let mut times = COMMANDS.map(|_| Vec::new());
    let mut gap = 1_u64;
    for number in 0..count {
        // A moment that has nothing to do with what the run does.
        gap = gap.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        std::thread::sleep(Duration::from_millis(gap >> 55));
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
        "command", "times", "least", "median", "most"
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
}
