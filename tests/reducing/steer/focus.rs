//! Under a focus, questions speak of what would really go, and none is asked twice.

use lop::reduce::RunEvent;

use crate::common::quick;
use crate::steer::{Went, steer};

const PROGRAM: &str = "\
int limit;
int g(int x) { return x + limit; }
int send(int x) { int y; y = g(x); return y; }
int other(int x) { int z; z = g(x); return z; }
int main(void) { return other(2) + send(1); }
";

/// The questions that a run decided, in order.
fn questions(went: &Went) -> Vec<String> {
    let decided = went.events.iter().filter_map(|event| match event {
        RunEvent::Decided(decided) => Some(decided.sentence.to_string()),
        _ => None,
    });
    decided.collect()
}

#[test]
fn what_only_the_focus_leaves_is_asked_about_by_its_name() {
    let went = steer(PROGRAM, "focus send", quick(), |_| false);
    let asked = questions(&went);
    for other in [
        "`g` go",
        "`other`",
        "`main`",
        "all 5",
        "of 5 declarations go",
    ] {
        let about: Vec<_> = asked.iter().filter(|line| line.contains(other)).collect();
        assert!(about.is_empty(), "{other}: {about:?}");
    }
    let whole = asked
        .iter()
        .filter(|line| line.starts_with("Can the function `send` go?"));
    assert!(whole.count() > 0, "{asked:#?}");
}

#[test]
fn a_pass_asks_about_what_the_focus_leaves_once() {
    let went = steer(PROGRAM, "focus send", quick(), |_| false);
    let mut seen = std::collections::BTreeSet::new();
    for event in &went.events {
        let RunEvent::Decided(decided) = event else {
            seen.clear();
            continue;
        };
        assert!(
            seen.insert(decided.sentence.to_string()),
            "twice in a row of questions: {}",
            decided.sentence
        );
    }
}
