//! dd brings a program that passes and one that fails closer, until a minimal difference is left (Zeller and Hildebrandt, TSE 2002, §5).
//! (Program that passes, program that fails, what each must be, what is asked, what is left.)

use std::path::Path;
use std::sync::{Arc, Mutex};

use lop::language;
use lop::oracle::ScriptedRunner;
use lop::pass::{self, PassOptions};
use lop::program::{self, Version, walk};
use lop::reduce::{self, RunEvent, RunSetup};

use crate::common::{came_to_its_end, setup, verdict};

/// Two programs: one that passes, and one that fails.
fn read_pair(name: &str, passing: &str, failing: &str) -> Version {
    let source = |text: &str| {
        let path: Arc<Path> = Arc::from(Path::new(name));
        (language::by_path(&path), path, Arc::from(text.as_bytes()))
    };
    program::read_pair(source(passing), source(failing)).expect("a pair")
}

/// A run: what was asked, in words without blanks, and the end.
#[derive(Debug, PartialEq)]
struct Isolation {
    asked: Vec<String>,
    passing: String,
    failing: String,
    difference: u32,
}

/// The property of a text.
type Property = fn(&str) -> bool;

fn isolate_in(
    (name, passing, failing): (&str, &str, &str),
    (passes, fails): (Property, Property),
    strategy: &str,
    jobs: usize,
) -> Isolation {
    assert!(
        passes(passing) && fails(failing),
        "the pair has both properties"
    );
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = asked.clone();
    let runner = ScriptedRunner::new(move |files| {
        let text = |at: usize| String::from_utf8(files[at].1.to_vec()).expect("UTF-8");
        let (passing, failing) = (text(0), text(1));
        let both = passes(&passing) && fails(&failing);
        let word = if both { "yes" } else { "no" };
        let sentence = format!("{} / {}: {word}", squeeze(&passing), squeeze(&failing));
        log.lock().expect("unpoisoned").push(sentence);
        verdict(both)
    });
    let run = reduce::start_run(RunSetup {
        options: PassOptions::from_strategy(pass::find_strategy(strategy).expect("a strategy")),
        jobs,
        confirm: false,
        ..setup(read_pair(name, passing, failing), runner)
    });
    let run = run.expect("a run");
    let events: Vec<RunEvent> = run.events.iter().collect();
    came_to_its_end(&events);
    let last = run.wait_for_end().expect("a snapshot");
    let text = |at: usize| walk::render_text(&last.version.documents()[at].root);
    let text = |at: usize| squeeze(std::str::from_utf8(&text(at)).expect("UTF-8"));
    let asked = asked.lock().expect("unpoisoned").clone();
    Isolation {
        asked,
        passing: text(0),
        failing: text(1),
        difference: last.version.size().primary(),
    }
}

/// A text without its blanks.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The words `c` and `g` fail together.
const TWO_WORDS: (Property, Property) = (
    |text| !(text.contains('c') && text.contains('g')),
    |text| text.contains('c') && text.contains('g'),
);

#[test]
fn the_two_elements_that_fail_together_are_told_apart_in_six_questions_about_five_texts() {
    let words = ("words.txt", "", "a b c d e f g h");
    let end = isolate_in(words, TWO_WORDS, "isolate-tokens", 1);
    let expected = [
        " / abcd: no",
        " / efgh: no",
        "efgh / abcdefgh: yes",
        "efgh / abefgh: no",
        "efgh / cdefgh: yes",
        "efgh / cefgh: yes",
    ];
    assert_eq!(end.asked, expected);
    assert_eq!((&*end.passing, &*end.failing), ("efgh", "cefgh"));
    assert_eq!(end.difference, 1);
}

const FUNCTIONS: &str = "int a;\n/* kept */ int f(int x) {\n  x++;\n  if (x) { bad(x); good(); }\n  return x;\n}\nint b;\nint g(void) { return 1; }\n";

/// A compiler that wants brackets to match and a function around statements, and fails on `bad` inside an `if`.
fn is_valid(text: &str) -> bool {
    let mut depth = 0;
    let balanced = text.chars().all(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth >= 0
    });
    let calls = ["bad(x);", "good();", "x++;", "return"];
    let is_inside = |call: &&str| {
        let before = text.find(call).map(|at| &text[..at]);
        before.is_none_or(|before| before.matches('{').count() > before.matches('}').count())
    };
    balanced && depth == 0 && calls.iter().all(is_inside)
}

fn has_bug(text: &str) -> bool {
    is_valid(text) && text.contains("bad(x);")
}

fn has_no_bug(text: &str) -> bool {
    is_valid(text) && !text.contains("bad")
}

#[test]
fn elements_of_lists_take_fewer_questions_than_lines_and_tokens() {
    let program = ("program.c", "", FUNCTIONS);
    let of = |strategy| isolate_in(program, (has_no_bug, has_bug), strategy, 1);
    let (elements, lines, tokens) = (
        of("isolate-elements"),
        of("isolate-lines"),
        of("isolate-tokens"),
    );
    let left = "intf(intx){bad(x);}";
    assert_eq!(
        elements.failing.trim_start_matches("/*kept*/"),
        left,
        "{elements:?}"
    );
    assert_eq!(
        elements.difference, 1,
        "the name `bad`: {}",
        elements.passing
    );
    assert!(
        elements.asked.len() < lines.asked.len() && elements.asked.len() < tokens.asked.len(),
        "{} elements, {} lines, {} tokens",
        elements.asked.len(),
        lines.asked.len(),
        tokens.asked.len()
    );
}

#[test]
fn from_a_seed_the_hunks_that_matter_are_left_and_both_programs_stay_large() {
    let seed = FUNCTIONS.replace("bad(x); ", "");
    let variant = FUNCTIONS
        .replace("int a;", "int a, c;")
        .replace("int b;", "")
        .replace("return 1", "return 2");
    let pair = ("program.c", &*seed, &*variant);
    let end = isolate_in(pair, (has_no_bug, has_bug), "isolate-elements", 1);
    assert_eq!(end.difference, 1, "{end:?}");
    assert!(end.passing.contains("intf(intx)") && end.failing.contains("intg(void)"));
    assert!(end.asked.len() < 14, "four hunks: {:?}", end.asked);
}

#[test]
fn any_number_of_workers_asks_to_the_same_end() {
    let seed = FUNCTIONS
        .replace("bad(x); ", "")
        .replace("int b;", "long b;");
    for passing in ["", &*seed] {
        for strategy in ["isolate-elements", "isolate-lines", "isolate-tokens"] {
            let pair = ("program.c", passing, FUNCTIONS);
            let of = |jobs| isolate_in(pair, (has_no_bug, has_bug), strategy, jobs);
            let alone = of(1);
            for jobs in [2, 8] {
                let several = of(jobs);
                assert_eq!(
                    (&several.passing, &several.failing),
                    (&alone.passing, &alone.failing),
                    "{strategy} with {jobs} workers"
                );
            }
        }
    }
}
