//! Pairs: a seed that does not show the bug and a variant that does are reduced together, to what makes the difference. The examples are
//! those of PPR (Zhang et al., FSE 2023) in the small. (Seed, variant, what each must be, what is left.)

use std::path::Path;
use std::sync::{Arc, Mutex};

use lop::language;
use lop::oracle::ScriptedRunner;
use lop::pass::{PAIR_STRATEGIES, PassOptions};
use lop::program::{self, Version, walk};
use lop::reduce::{self, RunEvent, RunSetup};

use crate::common::{came_to_its_end, setup, verdict};

/// A pair of C programs.
fn read_pair(seed: &str, variant: &str) -> Version {
    let source = |name: &str, text: &str| {
        let path = Arc::from(Path::new(name));
        (language::by_name("c"), path, Arc::from(text.as_bytes()))
    };
    program::read_pair(source("seed.c", seed), source("variant.c", variant)).expect("a pair")
}

/// The words of a text, one blank between two.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is left of a pair.
struct ReducedPair {
    seed: String,
    variant: String,
    /// Tokens of one that the other has not.
    difference: u32,
    /// All sizes of the difference, the first at the start.
    differences: Vec<u32>,
    /// The candidates, in their order.
    asked: Vec<(String, String)>,
}

fn reduce_pair(
    (seed, variant): (&str, &str),
    works: impl Fn(&str) -> bool + Send + Sync + 'static,
    fails: impl Fn(&str) -> bool + Send + Sync + 'static,
    jobs: usize,
) -> ReducedPair {
    assert!(
        works(seed) && fails(variant),
        "the pair has both properties"
    );
    let asked: Arc<Mutex<Vec<(String, String)>>> = Arc::default();
    let log = asked.clone();
    let runner = ScriptedRunner::new(move |files| {
        let text = |at: usize| String::from_utf8(files[at].1.to_vec()).expect("UTF-8");
        let (seed, variant) = (text(0), text(1));
        let both = works(&seed) && fails(&variant);
        log.lock().expect("unpoisoned").push((seed, variant));
        verdict(both)
    });
    let run = reduce::start_run(RunSetup {
        options: PassOptions::from_strategy(&PAIR_STRATEGIES[0]),
        jobs,
        ..setup(read_pair(seed, variant), runner)
    });
    let run = run.expect("a run");
    let events: Vec<RunEvent> = run.events.iter().collect();
    came_to_its_end(&events);
    let last = run.wait_for_end().expect("a snapshot");
    let text = |at: usize| walk::render_text(&last.version.documents()[at].root);
    let text = |at: usize| words(std::str::from_utf8(&text(at)).expect("UTF-8"));
    let sizes = events.iter().filter_map(|event| match event {
        RunEvent::Started { size, .. } | RunEvent::Accepted { size, .. } => Some(size.primary()),
        _ => None,
    });
    let asked = asked.lock().expect("unpoisoned").clone();
    ReducedPair {
        seed: text(0),
        variant: text(1),
        difference: last.version.size().primary(),
        differences: sizes.collect(),
        asked,
    }
}

/// Whether the brackets of a text match.
fn brackets_match(text: &str) -> bool {
    let mut depth = 0;
    text.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    }) && depth == 0
}

#[test]
fn what_both_have_in_common_goes_from_both() {
    let pair = ("int x; int y; int z;", "int x; int y; int B; int z;");
    // As a compiler would have it: each declaration has a type, a name and a semicolon.
    let is_valid = |text: &str| {
        let mut parts = text
            .split_inclusive(';')
            .map(words)
            .filter(|part| !part.is_empty());
        parts.all(|part| part.starts_with("int ") && part.ends_with(';') && part.len() == 6)
    };
    let left = reduce_pair(
        pair,
        move |seed| is_valid(seed) && seed.contains('z') && !seed.contains('B'),
        move |variant| {
            is_valid(variant) && variant.contains('B') && variant.find('B') < variant.find('z')
        },
        1,
    );
    assert_eq!((&*left.seed, &*left.variant), ("int z;", "int B; int z;"));
    assert_eq!(left.difference, 3, "`int B ;`");
}

#[test]
fn a_hunk_that_is_not_needed_is_undone_and_then_its_tokens() {
    let property = |text: &str| brackets_match(text) && words(text).contains("f(");
    let pair = ("int a = f(1);", "int a = f((1) + 0); int b = g();");
    let left = reduce_pair(
        pair,
        property,
        move |text| property(text) && text.contains('+'),
        1,
    );
    assert_eq!(
        left.difference, 1,
        "the `+`: {} / {}",
        left.seed, left.variant
    );
    assert!(!left.variant.contains('g') && left.variant.contains('+'));
}

#[test]
fn an_undone_hunk_may_make_the_variant_larger() {
    let pair = ("int a = k(1, 2, 3);", "int a = k(9); int E;");
    let left = reduce_pair(pair, |_| true, |variant| variant.contains('E'), 1);
    assert_eq!((left.difference, &*left.variant), (1, "E"));
    let grew = left
        .asked
        .iter()
        .any(|(_, variant)| words(variant) == "int a = k(1, 2, 3); int E;");
    assert!(
        grew,
        "the hunk in the call was undone before what is common went: {:?}",
        left.asked
    );
}

#[test]
fn what_only_the_variant_has_goes_along_where_all_around_it_goes() {
    let seed = "int f(void) { p(); q(); } int r;";
    let variant = "int f(void) { p(); W(); q(); } int r; int E;";
    // W stays as long as its neighbours do.
    let fails = |text: &str| {
        let stands = text.contains('W');
        text.contains('E') && (stands == (text.contains('p') && text.contains('q')))
    };
    let left = reduce_pair((seed, variant), |seed| !seed.contains('E'), fails, 1);
    assert!(!left.variant.contains('W'), "{}", left.variant);
    assert_eq!((left.difference, &*left.variant), (1, "E"));
}

#[test]
fn the_difference_never_grows_and_any_number_of_workers_decides_the_same() {
    let seed = "int f(int a) { int b = 7; e: f: g: return b; } int h(void) { return f(1); }";
    let variant = "int f(int a) { int b = 7; while (a) { if (b) break; } return b; } int h(void) { return f(1); }";
    let fails = |text: &str| text.contains("while") && text.contains("break");
    let alone = reduce_pair((seed, variant), |seed| !seed.contains("while"), fails, 1);
    assert!(
        alone.differences.windows(2).all(|pair| pair[1] <= pair[0]),
        "{:?}",
        alone.differences
    );
    assert!(alone.difference < alone.differences[0]);
    for jobs in [2, 8] {
        let several = reduce_pair((seed, variant), |seed| !seed.contains("while"), fails, jobs);
        assert_eq!(
            (&several.seed, &several.variant),
            (&alone.seed, &alone.variant),
            "{jobs} workers"
        );
    }
}
