//! A power failure in the story: lop is killed at any instant, and gone on with, and nothing is lost.
//!
//! `LOP_KILLS` says how many times; a few dozen without it.

mod shell;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crossbeam_channel::after;
use lop::session::past::Story;
use lop::session::place::{self, Place};
use shell::Stage;

const PROGRAM: &str = include_str!("samples/small.c");
/// Some milliseconds long, and interesting for some parts of the program only.
const TEST: &str = "grep -q sum \"$1\" && grep -q handler \"$1\" && grep -q return \"$1\"";
/// After so many kills a run is let end.
const LIVES: usize = 15;

/// How often lop is killed.
fn kills() -> usize {
    let said = std::env::var("LOP_KILLS").ok();
    said.and_then(|said| said.parse().ok()).unwrap_or(24)
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % below.max(1)
    }
}

fn stage() -> Stage {
    let stage = Stage::new();
    stage.write("bug.c", PROGRAM);
    stage.test("test.sh", TEST);
    fs::create_dir(stage.path("scratch")).expect("a directory");
    stage
}

/// The session of the only run on this stage that has one which can be read.
fn story(stage: &Stage) -> Option<(Place, Story)> {
    let mut places = place::all(&stage.sessions()).into_iter();
    places.find_map(|place| {
        let story = Story::read(&place.journal()).ok()?;
        Some((place, story))
    })
}

/// The texts of all versions, by their numbers.
fn versions(story: &Story) -> BTreeMap<u64, Vec<u8>> {
    let all = story.versions.all().map(|saved| {
        let text = story.versions.text(saved.number);
        (saved.number, text.expect("a version can be made again"))
    });
    all.collect()
}

fn is_interesting(text: &str) -> bool {
    ["sum", "handler", "return"]
        .iter()
        .all(|word| text.contains(word))
}

/// The processes whose directory lies below this one.
fn processes_in(directory: &Path) -> usize {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let inside = all.filter(|process| {
        let directory_of = fs::read_link(process.path().join("cwd"));
        directory_of.is_ok_and(|path| path.starts_with(directory))
    });
    inside.count()
}

/// The highest version that a run told of as taken.
fn told(out: &str) -> u64 {
    let lines = out
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let taken = lines.filter(|line| line["event"] == "taken");
    let versions = taken.filter_map(|line| line["version"].as_u64());
    versions.max().unwrap_or(0)
}

#[test]
fn whatever_instant_lop_is_killed_at_nothing_is_lost() {
    let whole = stage();
    let line = ["bug.c", "test.sh", "--json", "--scratch", "scratch"];
    let began = Instant::now();
    let end = whole.lop(&line);
    let took = began.elapsed();
    assert_eq!(end.status, 0, "{end}");
    let result = whole.read("bug.lop.c");
    let (place, whole_story) = story(&whole).expect("a session");
    assert!(place.is_done());
    let expected = versions(&whole_story);
    assert!(expected.len() > 10, "{} versions", expected.len());

    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut killed, mut seen) = (0, 0);
    let kills = kills();
    while killed < kills {
        let stage = stage();
        let (mut lives, mut last) = (0, 0);
        loop {
            let started = story(&stage);
            let jobs = (1 + random.below(4)).to_string();
            let more = ["--json", "--scratch", "scratch", "--jobs", &jobs];
            let line: Vec<&str> = match &started {
                Some(_) => ["resume"].iter().chain(&more).copied().collect(),
                None => ["bug.c", "test.sh"].iter().chain(&more).copied().collect(),
            };
            let mut lop = stage.start(&line);
            let patience = Duration::from_micros(random.below(took.as_micros() as u64));
            if lives < LIVES && killed < kills {
                // Or it ends before.
                let _ = after(patience).recv();
                lop.kill();
                (lives, killed) = (lives + 1, killed + 1);
            }
            let out = lop.rest();
            drop(lop);
            let told = told(&out);
            if let Ok(text) = fs::read_to_string(stage.path("bug.lop.c")) {
                assert!(is_interesting(&text), "the file on the disk:\n{text}");
            }
            if let Some((place, story)) = story(&stage) {
                let there = versions(&story);
                let newest = *there.keys().max().expect("the original");
                assert!(
                    newest >= told && newest >= last,
                    "{newest} of {told}, {last}"
                );
                for (number, text) in &there {
                    assert_eq!(Some(text), expected.get(number), "version {number}");
                }
                (last, seen) = (newest, seen + (newest > last) as usize);
                if place.is_done() {
                    break;
                }
            }
            assert!(lives <= LIVES + 1, "it does not end:\n{out}");
            lives += usize::from(lives >= LIVES);
        }
        assert_eq!(stage.read("bug.lop.c"), result);
        let (_, story) = story(&stage).expect("a session");
        assert_eq!(versions(&story), expected);
        let scratch = stage.path("scratch");
        let left = || fs::read_dir(&scratch).expect("a directory").count();
        if left() > 0 {
            // The last kill came after its last word: the next start cleans up.
            let again = [
                "bug.c",
                "test.sh",
                "--no-session",
                "-o",
                "other.c",
                "--scratch",
                "scratch",
            ];
            assert_eq!(stage.lop(&again).status, 0);
        }
        assert_eq!(left(), 0, "scratch directories of dead runs");
        assert_eq!(processes_in(&scratch), 0, "processes of dead runs");
    }
    println!("{killed} kills, {seen} of them after something new, in runs of {took:?}");
}
