//! Journals of sessions: damaged, cut, mixed, and with wrong numbers under right sums.

use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use lop::language::by_name;
use lop::oracle::ScriptedRunner;
use lop::program::{self, ContentHash, Version};
use lop::reduce::{self, RunAudience, RunSetup, VerdictStore};
use lop::session::export;
use lop::session::history::SessionHistory;
use lop::session::journal::{
    self, HeaderFile, HeaderLimit, JournalFile, JournalHeader, JournalLine,
};
use lop::session::replay::JournalRecording;
use lop::session::timeline::{NoTestRunner, TimelineReader};
use serde_json::Value;

use super::Target;
use super::exercise::{outcome, read, setup};
use super::mutate::{Mutator, NUMBERS};
use super::random::Random;

pub const TARGET: Target = Target {
    name: "journal",
    what: "journals: read, told, gone on with, played; what is whole in them stays",
    input,
    run,
};

const PROGRAM: &str = "int sum;\nint other = 2; /* gone */\nint f(int a, int b) { return a + b; }\nint main(void) {\n  int x = f(1, 2);\n  if (x > 2) { sum = x; other = 3; }\n  return sum;\n}\n";

/// The commands of the recorded runs.
const COMMANDS: &[&str] = &[
    "",
    "pin main\nat decision 4: undo ban\nat decision 8: disable bodies\nat decision 12: goto 2\nat decision 20: edit! \"int sum; int main;\"\nat decision 25: confirm 1/2",
    "at decision 3: stop",
    "at decision 9: undo fails\nat decision 11: timeout 5\nat decision 14: recheck\nat decision 20: skip pass",
];

const OLD: &str = "00000000";

fn runner() -> ScriptedRunner {
    ScriptedRunner::new(|files| {
        // A candidate of several files may lack them all.
        let text = files
            .first()
            .map(|(_, bytes)| String::from_utf8_lossy(bytes));
        outcome(text.is_some_and(|text| text.contains("sum") && text.contains("main")))
    })
}

/// Recorded runs: each complete, or stopped and resumed after the test has changed.
fn recorded() -> &'static [Vec<u8>] {
    static RECORDED: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    RECORDED.get_or_init(|| {
        let made = COMMANDS.iter().map(|commands| {
            let dir = tempfile::tempdir().expect("a directory");
            let path = dir.path().join("journal.jsonl");
            let file = HeaderFile::new(Path::new("a.c"), Some("c"), PROGRAM.as_bytes());
            let header = JournalHeader::new(
                vec![file],
                "lop",
                "galloping",
                HeaderLimit::Fixed(60_000_000_000),
            );
            let journal = JournalFile::create(&path, &header).expect("a journal");
            let version = read(by_name("c"), PROGRAM.as_bytes()).expect("it can be read");
            let mut first = setup(version, runner(), 1);
            first.journal = Box::new(journal);
            first.script = reduce::parse_script(commands).expect("a script");
            reduce::start_run(first).expect("a run").wait_for_end();
            if commands.contains("stop") {
                let story = SessionHistory::read_from(&path).expect("a story");
                go_on(&path, &story, Some("the test has changed")).expect("a program");
            }
            fs::read(path).expect("a journal")
        });
        made.collect()
    })
}

fn input(random: &mut Random) -> Vec<u8> {
    let all = recorded();
    let mut text = random.pick(all).clone();
    if random.one_in(4) {
        let others: Vec<&[u8]> = all.iter().map(|journal| &journal[..]).collect();
        let mutator = Mutator {
            words: &["{\"", "\"sum\":\"00000000\"}\n", "\n", "null"],
            pairs: &[("[", "]"), ("{\"a\":", "}")],
            depth: 5000,
            others: &others,
        };
        mutator.mutate(random, &mut text);
        return text;
    }
    let mut lines: Vec<Value> = text
        .split(|&byte| byte == b'\n')
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect();
    for _ in 0..random.length(4) {
        twist(random, &mut lines);
    }
    let mut text = sealed(&lines);
    if random.one_in(4) {
        text.truncate(random.below(text.len() + 1));
    }
    text
}

/// Changes lines in one way.
fn twist(random: &mut Random, lines: &mut Vec<Value>) {
    let at = random.below(lines.len());
    if lines.is_empty() {
        return;
    }
    match random.below(8) {
        0 => drop(lines.remove(at)),
        1 => {
            let other = random.below(lines.len());
            lines.swap(at, other);
        }
        2 => {
            let copy = lines[at].clone();
            lines.insert(random.below(lines.len()), copy);
        }
        3 => {
            let other = random.pick(recorded());
            let other: Vec<&[u8]> = other.split(|&byte| byte == b'\n').collect();
            let line =
                serde_json::from_slice::<Value>(random.pick::<&[u8]>(&other)).unwrap_or_default();
            lines.insert(at, line);
        }
        _ => {
            // The first line, and those of accepted versions and commands, matter most.
            let wanted = *random.pick(&[
                "lop", "accept", "command", "resumed", "finished", "decision", "current", "result",
            ]);
            let at = lines
                .iter()
                .position(|line| line.get(wanted).is_some() && !random.one_in(3))
                .unwrap_or(at);
            value(random, &mut lines[at]);
        }
    }
}

/// Changes something inside of a value.
fn value(random: &mut Random, inside: &mut Value) {
    match inside {
        Value::Object(map) if !map.is_empty() => {
            let keys: Vec<String> = map.keys().filter(|key| *key != "sum").cloned().collect();
            let Some(key) = keys.get(random.below(keys.len())) else {
                return;
            };
            match random.one_in(8) {
                true => drop(map.remove(key)),
                false => value(random, &mut map[key]),
            }
        }
        Value::Array(list) if !list.is_empty() => {
            let at = random.below(list.len());
            match random.below(8) {
                0 => drop(list.remove(at)),
                1 => list.push(list[at].clone()),
                _ => value(random, &mut list[at]),
            }
        }
        Value::String(text) if random.one_in(2) => {
            let mut bytes = text.clone().into_bytes();
            let words: Vec<&str> = COMMANDS[1]
                .lines()
                .chain([
                    "undo",
                    "goto 1",
                    "goto 0",
                    "jobs 1000",
                    "confirm 7/9",
                    "wall",
                    "c",
                    "css",
                ])
                .collect();
            let mutator = Mutator {
                words: &words,
                pairs: &[("(", ")")],
                depth: 2000,
                others: &[PROGRAM.as_bytes()],
            };
            mutator.mutate(random, &mut bytes);
            *text = String::from_utf8_lossy(&bytes).into_owned();
        }
        other => {
            *other = match random.below(6) {
                0 => Value::Null,
                1 => Value::Bool(random.one_in(2)),
                2 => Value::String(
                    (*random.pick(&[
                        "interesting",
                        "uninteresting",
                        "timed_out",
                        "cache",
                        "complete",
                        "galloping",
                        "perses",
                    ]))
                    .to_owned(),
                ),
                _ => {
                    serde_json::from_str::<Value>(random.pick::<&str>(NUMBERS)).unwrap_or_default()
                }
            }
        }
    }
}

/// The sum of a line, as `docs/JOURNAL.md` says.
fn sum(before: &str, object: &[u8]) -> String {
    ContentHash::from_bytes(&[before.as_bytes(), object].concat()).to_string()[8..16].to_owned()
}

/// Lines with right sums.
fn sealed(lines: &[Value]) -> Vec<u8> {
    let (mut text, mut before) = (Vec::new(), OLD.to_owned());
    for line in lines {
        let mut line = line.clone();
        line.as_object_mut().map(|map| map.remove("sum"));
        let mut object = line.to_string().into_bytes();
        object.pop();
        before = sum(&before, &object);
        text.extend(object);
        text.extend(format!(",\"sum\":\"{before}\"}}\n").bytes());
    }
    text
}

/// How many lines of a journal are whole, from the second on.
fn whole(text: &[u8]) -> usize {
    let mut before = OLD.to_owned();
    let mut lines = text.split_inclusive(|&byte| byte == b'\n').enumerate();
    let broken = lines.find(|(at, line)| {
        let tail = line.len().checked_sub(19).map(|cut| line.split_at(cut));
        let is_whole = tail.is_some_and(|(object, seal)| {
            before = sum(&before, object);
            seal == format!(",\"sum\":\"{before}\"}}\n").as_bytes()
        });
        !is_whole || *at > 0 && serde_json::from_slice::<JournalLine>(line).is_err()
    });
    let count = broken.map_or_else(
        || text.split_inclusive(|&byte| byte == b'\n').count(),
        |(at, _)| at,
    );
    count.saturating_sub(1)
}

fn run(input: &[u8]) {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("journal.jsonl");
    fs::write(&path, input).expect("written");
    let recording = JournalRecording::read_from(&path);
    let _ = (journal::read_header(&path), journal::is_complete(&path));
    let Ok(story) = SessionHistory::read_from(&path) else {
        return assert!(recording.is_err());
    };
    assert_eq!(
        story.journal.lines.len(),
        whole(input),
        "whole lines are lost, or broken ones believed"
    );
    told(&story);
    let Some(version) = original(&story) else {
        return;
    };
    played(&story, version.clone());
    again(recording.expect("it is a story"), version);
    if go_on(&path, &story, None).is_some() {
        let after = SessionHistory::read_from(&path).expect("a story");
        assert!(
            after.journal.damage_note().is_none(),
            "{:?}",
            after.journal.damage_note()
        );
        assert_eq!(
            after.journal.lines.get(..story.journal.lines.len()),
            Some(&story.journal.lines[..]),
            "lines are lost"
        );
        for saved in story.versions.all_versions() {
            // One that could not be made may have been found again.
            if let Some(texts) = story.versions.document_texts(saved.number) {
                let after = after.versions.document_texts(saved.number);
                assert_eq!(after, Some(texts), "a version is lost");
            }
        }
        told(&after);
    }
}

/// All that is said of a session.
fn told(story: &SessionHistory) {
    for saved in story.versions.all_versions() {
        story.versions.document_texts(saved.number);
    }
    export::trace_lines(story).for_each(drop);
    export::render_page(story);
    story.verdict_hints(&story.last_fingerprint().1);
    let _ = (
        story.test_count(),
        story.has_unknown_resume(),
        story.remaining_script(),
        story.journal.run_duration(),
    );
    if let Some(run) = &story.header.run {
        run.describe_test();
    }
}

/// The program that a session began with.
fn original(story: &SessionHistory) -> Option<Version> {
    let files = story.header.files.iter().map(|file| {
        let language = file.language.as_deref().and_then(by_name);
        Some((
            language,
            file.path.as_path().into(),
            file.bytes.decode_bytes()?.into(),
        ))
    });
    let files: Vec<_> = files.collect::<Option<_>>()?;
    (!files.is_empty()).then(|| program::read_documents(files).ok())?
}

/// Goes on with a session as `lop resume` does, to its end or to where it stands still.
fn go_on(path: &Path, story: &SessionHistory, differs: Option<&str>) -> Option<()> {
    let version = original(story)?;
    story.versions.document_texts(story.versions.kept)?;
    let journal = JournalFile::open_to_append(path, &story.journal).expect("it can be written");
    let rest = setup(version, runner(), 1);
    let mut script = rest.script;
    script.extend(reduce::parse_script(&story.remaining_script().join("\n")).ok()?);
    let differs = differs
        .map(str::to_owned)
        .or_else(|| story.has_unknown_resume().then(|| "unknown".to_owned()));
    let run = reduce::start_run(RunSetup {
        journal: Box::new(journal.with_fingerprint(story.last_fingerprint().1)),
        limit: story.header.limit.initial_limit(),
        resume: Some(story.build_resume(differs)),
        store: Some(Arc::new(story.current_verdicts()) as Arc<dyn VerdictStore>),
        script,
        ..rest
    });
    let run = run.expect("a run");
    for event in &run.events {
        if let reduce::RunEvent::Paused { .. } = event {
            break;
        }
    }
    let _ = run.commands.send(reduce::EngineCommand::Stop);
    run.wait_for_end().expect("a snapshot");
    Some(())
}

/// Plays a session as `lop replay` shows it.
fn played(story: &SessionHistory, version: Version) {
    let run = RunSetup {
        resume: Some(story.build_resume(None)),
        runner: Box::new(NoTestRunner::default()),
        limit: story.header.limit.initial_limit(),
        script: Vec::new(),
        ..setup(version, runner(), 1)
    };
    let reading = TimelineReader::start_reading(run).expect("a thread");
    while reading.grown.recv().is_ok() {}
    let reel = reading.lock_timeline();
    for at in [0, reel.len() / 2, reel.len().saturating_sub(1)] {
        let _ = (
            reel.snapshot_at(at),
            reel.elapsed_at(at),
            reel.pending_decision(at),
        );
    }
}

/// Holds the dialogue again as `lop replay --check` does.
fn again(mut recording: JournalRecording, version: Version) {
    let (script, limit) = (
        std::mem::take(&mut recording.commands),
        recording.header.limit.initial_limit(),
    );
    let (recorded, journal, comparison) = recording.into_replay();
    let run = RunSetup {
        runner: Box::new(recorded),
        journal: Box::new(journal),
        limit,
        audience: RunAudience::default(),
        script,
        ..setup(version, runner(), 1)
    };
    reduce::start_run(run)
        .expect("a run")
        .wait_for_end()
        .expect("a snapshot");
    comparison.first_difference();
}
