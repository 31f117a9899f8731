//! What several test files share.
#![allow(dead_code)] // Each story uses its own part of it.

pub mod candidates_of_pass;
pub mod detours;
pub mod rows;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use lop::language::Language;
use lop::oracle::{
    LimitPolicy, NoVerdict, Runner, ScriptedRunner, TestExit, TestOutcome, TestOutput, TestRun,
    Verdict,
};
use lop::pass::{Effort, PassOptions};
use lop::program::{self, Version, walk};
use lop::reduce::{self, RunAudience, RunEvent, RunSetup};

/// A program of one file.
pub fn read(name: &str, text: &str) -> Version {
    let files = vec![(Arc::from(Path::new(name)), Arc::from(text.as_bytes()))];
    program::read_program(files).expect("the program can be read")
}

/// A program in a language that no extension tells.
pub fn read_as(language: &'static Language, text: &str) -> Version {
    let (path, bytes) = (Arc::from(Path::new("a.txt")), Arc::from(text.as_bytes()));
    program::read_documents(vec![(Some(language), path, bytes)]).expect("it is read")
}

/// What is left of such a program, with a closure for a test.
pub fn reduced_as(
    language: &'static Language,
    program: &str,
    wanted: impl Fn(&str) -> bool + Send + Sync + 'static,
) -> String {
    let runner = oracle(move |text| verdict(wanted(text)));
    run(setup(read_as(language, program), runner)).0
}

/// The grammar of Gopinath's posts, as a dictionary.
pub const EXPRESSIONS: &str = include_str!("../samples/expr.json");

/// The text of its first document.
pub fn text(version: &Version) -> String {
    String::from_utf8(walk::render_text(&version.documents()[0].root)).expect("UTF-8")
}

/// A run that ended with this exit status.
pub fn ended(code: i32) -> TestRun {
    let output = TestOutput::from_text(format!("exit {code}"));
    TestRun {
        exit: TestExit::Code(code),
        time: Duration::from_millis(1),
        cpu: None,
        output,
    }
}

/// Interesting or uninteresting.
pub fn verdict(interesting: bool) -> TestOutcome {
    match interesting {
        true => TestOutcome::Verdict(Verdict::Interesting, ended(0)),
        false => TestOutcome::Verdict(Verdict::Uninteresting, ended(1)),
    }
}

/// The test's own failure.
pub fn failure() -> TestOutcome {
    TestOutcome::NoVerdict(NoVerdict::TestFailed {
        run: Box::new(ended(127)),
    })
}

/// An oracle over the text of the only file.
pub fn oracle(says: impl Fn(&str) -> TestOutcome + Send + Sync + 'static) -> ScriptedRunner {
    ScriptedRunner::new(move |files| says(std::str::from_utf8(&files[0].1).expect("UTF-8")))
}

/// How a run starts in these stories.
pub fn setup(version: Version, runner: impl Runner + 'static) -> RunSetup {
    RunSetup {
        audience: RunAudience::resident(),
        options: quick(),
        ..RunSetup::new(version, runner, LimitPolicy::fixed(Duration::from_secs(60)))
    }
}

/// The default strategy without its strata.
pub fn quick() -> PassOptions {
    PassOptions {
        effort: Effort::Quick,
        ..PassOptions::default()
    }
}

/// Runs to the end: the last text and all events.
pub fn run(setup: RunSetup) -> (String, Vec<RunEvent>) {
    let run = reduce::start_run(setup).expect("a run");
    let events: Vec<_> = run.events.iter().collect();
    came_to_its_end(&events);
    let last = run.wait_for_end().expect("a snapshot");
    (text(&last.version), events)
}

/// An engine that dies tells nobody; the board still has its last word.
pub fn came_to_its_end(events: &[RunEvent]) {
    let last = events.last();
    assert!(
        matches!(last, Some(RunEvent::Finished { .. })),
        "the engine died after {last:?}"
    );
}

/// A C program out of bytes: declarations, functions, and statements that use what is there.
pub fn small_program(choices: &[u8]) -> String {
    let mut text = String::new();
    let mut next = choices.iter().copied().chain(std::iter::repeat(0));
    let mut choose = move |most: u8| next.next().unwrap_or(0) % most;
    let count = 3 + choose(5);
    for at in 0..count {
        let before = choose(at.max(1));
        text += &match choose(6) {
            0 => format!("typedef int t{at};\nt{at} v{at} = {at};\n"),
            1 => format!("struct s{at} {{ int a{at}; char b; }};\nstruct s{at} v{at}, *w{at};\n"),
            2 => format!("int v{at} = {before}, w{at}[3];\n"),
            3 => format!("int f{at}(int p, int *q);\nint v{at};\n"),
            4 => format!("enum {{ e{at}, z{at} }};\nint v{at} = e{at};\n"),
            _ => format!("int v{at};\n"),
        };
        text += &format!("int g{at}(int p) {{\n  int x = p, y;\n");
        for _ in 0..choose(4) {
            text += &match choose(5) {
                0 => format!("  if (x) {{ int x = v{before}; x++; }} else y = p;\n"),
                1 => format!("  for (int i = 0; i < x; i++) {{ y += v{at}; }}\n"),
                2 => format!("  x = g{at}(v{before}) + y;\n"),
                3 => "  { int y = 2, z = y; p = z; }\n".to_string(),
                _ => format!("  v{at} = x;\n"),
            };
        }
        text += "  return x;\n}\n";
    }
    text
}
