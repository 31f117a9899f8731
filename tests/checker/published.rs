//! The programs that come with bp-reduce, where they are beside the project: they are no part of it.

use std::fs;
use std::path::Path;

use crate::command::Check;
use crate::explore::Outcome::{self, Crashed, Fails, Safe};
use crate::program::Defect;

/// The text of one of them; without them a notice.
pub fn read_published(name: &str) -> Option<String> {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/bench/boolean");
    let text = fs::read_to_string(bench.join(name)).ok();
    if text.is_none() {
        println!("SKIPPED: no {name} in {}", bench.display());
    }
    text
}

fn answer(text: &str, threads: usize, defect: Option<Defect>) -> Outcome {
    let check = Check {
        defect,
        ..Check::with_threads(threads)
    };
    check.run(text).expect("a right program")
}

#[test]
fn the_published_programs_fail_with_two_threads_only() {
    for name in [
        "trace_WP_bug2/main.bp",
        "trace_WP_bug2/reduced.bp",
        "missing-in-action.bp",
    ] {
        let Some(text) = read_published(name) else {
            continue;
        };
        assert_eq!(answer(&text, 1, None), Safe, "{name}");
        assert_eq!(answer(&text, 2, None), Fails, "{name}");
    }
}

#[test]
fn the_published_programs_crash_the_checker_with_the_defect() {
    for name in ["trace_WP_bug2/main.bp", "missing-in-action.bp"] {
        let Some(text) = read_published(name) else {
            continue;
        };
        assert_eq!(answer(&text, 2, Some(Defect::Crash)), Crashed, "{name}");
        assert_eq!(answer(&text, 1, Some(Defect::Crash)), Safe, "{name}");
    }
}

#[test]
fn the_sample_of_the_project_is_safe_for_one_thread() {
    let text = include_str!("../samples/locks.bp");
    assert_eq!(answer(text, 1, None), Safe);
}
