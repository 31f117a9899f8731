//! The time to resume a session: a long run is simulated, cut off before its end, and resumed.
//!
//! `cargo bench --bench resume -- FUNCTIONS`: a program with this number of functions, some 90 bytes each; every tenth may go.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lop::oracle::{
    LimitPolicy, ScriptedRunner, TestExit, TestOutcome, TestOutput, TestRun, Verdict,
};
use lop::pass;
use lop::program::{self, ContentHash};
use lop::reduce::{
    self, EngineCommand, Journal, JournalResult, NoJournal, RunSetup, ScriptTrigger, TestResult,
    VerdictStore,
};
use lop::session::history::SessionHistory;
use lop::session::journal::{HeaderFile, HeaderLimit, JournalFile, JournalHeader};

/// A program in which every tenth function may go, one statement of each of the others, and little else.
fn program_of(functions: usize) -> String {
    let mut text = String::new();
    for at in 0..functions {
        let kind = if at % 10 == 0 { "spare" } else { "keep" };
        text += &format!(
            "int {kind}{at}(int a, int b) {{\n  int x{at} = a + {at};\n  extra({at});\n  return x{at} * b;\n}}\n\n"
        );
    }
    text
}

fn setup(text: &str, strategy: &str, journal: Option<JournalFile>) -> RunSetup {
    let wanted: Vec<String> = (0..text.matches("return").count())
        .filter(|at| at % 10 != 0)
        .flat_map(|at| {
            [
                format!("int keep{at}(int a, int b) {{"),
                format!("int x{at} = a + {at};"),
                format!("return x{at} * b;"),
            ]
        })
        .collect();
    let runner = ScriptedRunner::new(move |files| {
        let text = std::str::from_utf8(&files[0].1).unwrap_or_default();
        let mut at = 0;
        let yes = wanted.iter().all(|line| match text[at..].find(&line[..]) {
            Some(found) => {
                at += found;
                true
            }
            None => false,
        });
        let (verdict, code) = if yes {
            (Verdict::Interesting, 0)
        } else {
            (Verdict::Uninteresting, 1)
        };
        TestOutcome::Verdict(
            verdict,
            TestRun {
                exit: TestExit::Code(code),
                time: Duration::from_millis(10),
                cpu: None,
                output: TestOutput::default(),
            },
        )
    });
    let files = vec![(Arc::from(Path::new("a.c")), Arc::from(text.as_bytes()))];
    let options = pass::find_strategy(strategy)
        .map_or_else(pass::PassOptions::default, pass::PassOptions::from_strategy);
    let version = program::read_program(files).expect("a program");
    RunSetup {
        journal: match journal {
            Some(journal) => Box::new(journal),
            None => Box::new(NoJournal),
        },
        options,
        ..RunSetup::new(version, runner, LimitPolicy::fixed(Duration::from_secs(60)))
    }
}

/// What a fact and a decision cost the engine.
fn costs(path: &Path, header: &JournalHeader) {
    const MANY: u32 = 100_000;
    let mut journal = JournalFile::create(path, header).expect("a journal");
    let run = TestRun {
        exit: TestExit::Code(1),
        time: Duration::from_micros(12_345),
        cpu: Some(Duration::from_micros(11_222)),
        output: TestOutput::default(),
    };
    let limits = LimitPolicy::fixed(Duration::from_secs(2)).current_limits();
    let result = TestResult::from_run(Verdict::Uninteresting, &run, limits);
    let began = Instant::now();
    for number in 0..MANY {
        journal.record_result(&JournalResult {
            hash: ContentHash::from_bytes(&number.to_le_bytes()),
            result,
            is_recheck: false,
        });
    }
    println!(
        "a fact costs {:.2} µs",
        began.elapsed().as_secs_f64() * 1e6 / f64::from(MANY)
    );
}

fn main() {
    let mut numbers = std::env::args().filter_map(|word| word.parse().ok());
    let functions = numbers.next().unwrap_or(100);
    let strategy = std::env::args()
        .skip_while(|word| word != "--strategy")
        .nth(1);
    let strategy = strategy.unwrap_or_else(|| "lop".into());
    let text = program_of(functions);
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("journal.jsonl");
    let file = HeaderFile::new(Path::new("a.c"), Some("c"), text.as_bytes());
    let header = JournalHeader::new(
        vec![file],
        &strategy,
        "galloping",
        HeaderLimit::Fixed(60_000_000_000),
    );
    let journal = JournalFile::create(&path, &header).expect("a journal");
    let began = Instant::now();
    let run = reduce::start_run(setup(&text, &strategy, Some(journal))).expect("a run");
    let limit: u64 = numbers.next().unwrap_or(u64::MAX as usize) as u64;
    for event in run.events.iter() {
        if let reduce::RunEvent::Decided(decided) = event
            && decided.decision >= limit
        {
            let _ = run.commands.send(EngineCommand::Stop);
        }
    }
    let last = run.wait_for_end().expect("a snapshot");
    println!(
        "{} bytes, {} tokens: {} decisions, {} versions in {:.2} s; the journal has {:.1} MB",
        text.len(),
        last.original.0,
        last.counts.decisions,
        last.history.len(),
        began.elapsed().as_secs_f64(),
        std::fs::metadata(&path).expect("a journal").len() as f64 / 1e6
    );
    costs(&dir.path().join("facts.jsonl"), &header);
    let began = Instant::now();
    let story = SessionHistory::read_from(&path).expect("a story");
    println!("read in {:.2} s", began.elapsed().as_secs_f64());
    let mut again = setup(&text, &strategy, None);
    again.resume = Some(story.build_resume(None));
    again.store = Some(Arc::new(story.current_verdicts()) as Arc<dyn VerdictStore>);
    again.script = vec![(ScriptTrigger::Start, EngineCommand::Stop)];
    let begun = Instant::now();
    let run = reduce::start_run(again).expect("a run");
    for event in run.events.iter() {
        if let reduce::RunEvent::Note(note) = event {
            println!("  {:.2} s: {note}", begun.elapsed().as_secs_f64());
        }
    }
    let same = run.wait_for_end().expect("a snapshot");
    println!(
        "goes on after {:.2} s in all, with {} decisions and {} versions",
        began.elapsed().as_secs_f64(),
        same.counts.decisions,
        same.history.len()
    );
}
