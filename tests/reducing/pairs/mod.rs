//! Pairs: a seed that does not show the bug and a variant that does are reduced together, to what makes the difference. The examples are
//! those of PPR (Zhang et al., FSE 2023) in the small. (Seed, variant, what each must be, what is left.)

mod steering;

use std::path::Path;
use std::sync::{Arc, Mutex};

use lop::language;
use lop::oracle::ScriptedRunner;
use lop::pass::{PAIR_STRATEGIES, PassOptions};
use lop::program::{self, Version, walk};
use lop::reduce::{self, EngineCommand, RunEvent, RunSetup};

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
    /// The passes that began, in their order.
    passes: Vec<&'static str>,
    /// What the end says of the result.
    claim: String,
    /// What became of the commands, in their order.
    outcomes: Vec<Result<Option<String>, String>>,
}

/// The default strategy for pairs.
fn pair_options() -> PassOptions {
    PassOptions::from_strategy(&PAIR_STRATEGIES[0])
}

/// The default strategy without these parts.
fn options_without(parts: &[&str]) -> PassOptions {
    let mut options = pair_options();
    for part in parts {
        let without = options.disabled_features.with_named(part);
        options.disabled_features = without.expect("a part");
    }
    options
}

fn reduce_pair(
    pair: (&str, &str),
    works: impl Fn(&str) -> bool + Send + Sync + 'static,
    fails: impl Fn(&str) -> bool + Send + Sync + 'static,
    jobs: usize,
) -> ReducedPair {
    reduce_with(pair_options(), pair, works, fails, jobs)
}

fn reduce_with(
    options: PassOptions,
    pair: (&str, &str),
    works: impl Fn(&str) -> bool + Send + Sync + 'static,
    fails: impl Fn(&str) -> bool + Send + Sync + 'static,
    jobs: usize,
) -> ReducedPair {
    reduce_steered(options, "", pair, works, fails, jobs)
}

/// The same with commands.
fn reduce_steered(
    options: PassOptions,
    script: &str,
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
        options,
        jobs,
        script: reduce::parse_script(script).expect("a script"),
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
    let passes = events.iter().filter_map(|event| match event {
        RunEvent::PassStarted { pass, .. } => Some(*pass),
        _ => None,
    });
    let outcomes = events.iter().filter_map(|event| match event {
        RunEvent::CommandApplied { outcome, .. } => Some(outcome.clone()),
        _ => None,
    });
    let asked = asked.lock().expect("unpoisoned").clone();
    let claim = last.claim.as_ref().expect("it has ended").to_string();
    ReducedPair {
        passes: passes.collect(),
        outcomes: outcomes.collect(),
        claim,
        seed: text(0),
        variant: text(1),
        difference: last.version.size().primary(),
        differences: sizes.collect(),
        asked,
    }
}

impl ReducedPair {
    /// For each candidate, whether it changes the seed and whether it changes the variant. With one worker, what was interesting was accepted.
    fn changed_documents(
        &self,
        (seed, variant): (&str, &str),
        is_interesting: impl Fn(&str, &str) -> bool,
    ) -> Vec<(bool, bool)> {
        let mut now = (words(seed), words(variant));
        let changed = self.asked.iter().map(|(seed, variant)| {
            let next = (words(seed), words(variant));
            let changed = (next.0 != now.0, next.1 != now.1);
            if is_interesting(seed, variant) {
                now = next;
            }
            changed
        });
        changed.collect()
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

/// The names that a text uses and does not declare. Its declarations are `int NAME ;`.
fn undeclared_names(text: &str) -> Vec<String> {
    let spaced: String = text
        .chars()
        .flat_map(|c| match c.is_alphanumeric() || c == '_' {
            true => vec![c],
            false => vec![' ', c, ' '],
        })
        .collect();
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let is_name = |token: &str| token.starts_with(|c: char| c.is_alphabetic());
    let declared: Vec<&str> = tokens
        .windows(2)
        .filter(|pair| pair[0] == "int")
        .map(|pair| pair[1])
        .collect();
    let known = ["int", "if", "print", "for", "while", "break"];
    let used = tokens
        .iter()
        .filter(|token| is_name(token) && !known.contains(token));
    let open = used.filter(|token| !declared.contains(token));
    open.map(|token| (*token).to_owned()).collect()
}

/// Figure 2 of the paper, with what only one of the two has.
#[test]
fn edits_of_the_tree_are_undone_where_the_tests_allow_it() {
    let pair = (
        "int a; int b; if (b) { print(a); }",
        "int a; if (a) { a++; print(a); }",
    );
    let is_valid = |text: &str| {
        brackets_match(text) && words(text).contains("if (") && undeclared_names(text).is_empty()
    };
    let left = reduce_pair(
        pair,
        is_valid,
        move |text| is_valid(text) && words(text).contains("if (a)"),
        1,
    );
    assert_eq!(left.difference, 2, "{} / {}", left.seed, left.variant);
    assert!(
        !left.variant.contains("++") && !left.variant.contains("print"),
        "{}",
        left.variant
    );
}

/// Figure 3 of the paper, after GCC 66691.
#[test]
fn of_gcc_66691_only_the_lost_break_is_left() {
    let seed = "void k(void) { for (; a; !a) { int b = 7; int c = 0x2474afad; int d = 4; e: f: g: if (b) break; } }";
    let variant = "void k(void) { for (; a; !a) { int b = 7; int c = 0x2474afad; int d = 4; while (b) { if (b) { } } } }";
    // A loop without empty statements, as the fuzzer makes them.
    let is_loop = |text: &str| {
        let text: String = text.split_whitespace().collect();
        let braces = [text.matches('{').count(), text.matches('}').count()];
        let empty = ["{;", ";;", ");", "};", ":;"];
        text.contains("for(;a;!a){")
            && braces[0] == braces[1]
            && empty.iter().all(|empty| !text.contains(empty))
    };
    let works = move |text: &str| is_loop(text) && text.contains("break;");
    let fails = move |text: &str| is_loop(text) && !text.contains("break");
    let left = reduce_pair((seed, variant), works, fails, 1);
    assert_eq!(
        left.difference, 2,
        "`break ;`: {} / {}",
        left.seed, left.variant
    );
    assert!(!left.seed.contains("f:") && !left.variant.contains("while"));
    for jobs in [2, 8] {
        let several = reduce_pair((seed, variant), works, fails, jobs);
        assert_eq!(
            (&several.seed, &several.variant),
            (&left.seed, &left.variant),
            "{jobs} workers"
        );
    }
}

/// A pair with something to do for each pass: a deleted, an inserted and a replaced statement.
const EDITED: (&str, &str) = (
    "int f(int a) { int b = 7; g(1, 2); h(a); return a + b; } int spare; int main(void) { return f(1); }",
    "int f(int a) { int b = 7; k(a, b); while (a) { h(b); } return a - b; } int main(void) { return f(1); }",
);

/// The variant of [`EDITED`] shows the bug by `a - b`.
fn edited_fails(text: &str) -> bool {
    words(text).contains("a - b") && brackets_match(text)
}

fn edited_works(text: &str) -> bool {
    words(text).contains("a + b") && brackets_match(text)
}

#[test]
fn a_question_about_the_difference_changes_one_document_and_one_about_what_is_common_changes_both()
{
    let interesting = |seed: &str, variant: &str| edited_works(seed) && edited_fails(variant);
    let reduce = |without: &[&str]| {
        let options = options_without(without);
        let left = reduce_with(options, EDITED, edited_works, edited_fails, 1);
        let changed = left.changed_documents(EDITED, interesting);
        assert!(changed.len() > 2, "{:?}", left.asked);
        (left, changed)
    };
    let (trees, changed) = reduce(&["common", "ldiff"]);
    assert_eq!(trees.difference, 2, "`+` and `-`: {}", trees.variant);
    assert!(
        changed.iter().all(|(seed, variant)| seed != variant),
        "{changed:?} {:?}",
        trees.asked
    );
    assert!(changed.contains(&(true, false)) && changed.contains(&(false, true)));
    let (lists, changed) = reduce(&["common", "tdiff"]);
    assert_eq!(lists.difference, 2, "`+` and `-`: {}", lists.variant);
    assert!(changed.iter().all(|changed| *changed == (false, true)));
    // What only the variant has goes by the difference alone.
    let (common, changed) = reduce(&["tdiff", "ldiff"]);
    assert!(common.difference > 2);
    assert!(changed.contains(&(true, true)));
}

#[test]
fn what_replaced_a_subtree_of_the_seed_becomes_that_subtree_again() {
    let options = options_without(&["common", "ldiff"]);
    let pair = (
        "int x; f(1, 2, 3); int y;",
        "int x; while (x) { g(x); } int E;",
    );
    let left = reduce_with(options, pair, |_| true, |text| text.contains('E'), 1);
    assert_eq!(left.variant, "int x; f(1, 2, 3); int E;");
    assert_eq!(left.difference, 2, "`y` and `E`");
}

#[test]
fn with_mirror_what_the_seed_has_more_goes_from_the_seed() {
    let pair = ("int a; e: f(1); int b;", "int a; f(2); int b;");
    let mut options = options_without(&["common", "tdiff"]);
    let is_valid = |text: &str| text.contains('e') == text.contains(':');
    let works = move |text: &str| is_valid(text) && text.contains("f(1)");
    let fails = move |text: &str| is_valid(text) && text.contains("f(2)") && !text.contains(':');
    let left = reduce_with(options, pair, works, fails, 1);
    assert!(left.seed.contains("e:"), "{}", left.seed);
    options.mirror = true;
    let left = reduce_with(options, pair, works, fails, 1);
    assert_eq!((&*left.seed, left.difference), ("int a; f(1); int b;", 2));
}

#[test]
#[ignore = "long"]
fn every_order_of_the_parts_ends_with_the_same_difference() {
    let ends = PAIR_STRATEGIES.iter().map(|strategy| {
        let options = PassOptions::from_strategy(strategy);
        let one = reduce_with(options, EDITED, edited_works, edited_fails, 1);
        for jobs in [2, 8] {
            let several = reduce_with(options, EDITED, edited_works, edited_fails, jobs);
            assert_eq!(
                (&several.seed, &several.variant),
                (&one.seed, &one.variant),
                "{} with {jobs} workers",
                strategy.name
            );
        }
        assert_eq!(
            one.difference, 2,
            "{}: {} / {}",
            strategy.name, one.seed, one.variant
        );
        (one.seed, one.variant)
    });
    let ends: Vec<_> = ends.collect();
    assert_eq!(
        ends[0],
        ("return a + b;".to_owned(), "return a - b;".to_owned())
    );
    assert!(ends.iter().all(|end| *end == ends[0]), "{ends:?}");
}

#[test]
fn a_pinned_difference_stays_as_it_is_while_what_both_have_goes() {
    let pair = ("int x; int y; int z;", "int x; int B; int z;");
    let is_valid = |text: &str| {
        let text = words(text);
        let mut parts = text.split_inclusive(';').map(str::trim);
        parts.all(|part| {
            part.is_empty() || part.split_whitespace().count() == 2 && part.starts_with("int ")
        }) && text.contains("int z;")
    };
    for (commands, left) in [
        (&["resume"][..], ("int z;", "int z;", 0)),
        (
            &["pin difference", "resume"],
            ("int y; int z;", "int B; int z;", 2),
        ),
    ] {
        let runner = ScriptedRunner::new(move |files| {
            let text = |at: usize| String::from_utf8(files[at].1.to_vec()).expect("UTF-8");
            verdict(is_valid(&text(0)) && is_valid(&text(1)))
        });
        let run = reduce::start_run(RunSetup {
            options: PassOptions::from_strategy(&PAIR_STRATEGIES[0]),
            paused: true,
            ..setup(read_pair(pair.0, pair.1), runner)
        });
        let run = run.expect("a run");
        for line in commands {
            let command = EngineCommand::parse_line(line).expect("a command");
            run.commands.send(command).expect("it listens");
        }
        let events: Vec<RunEvent> = run.events.iter().collect();
        came_to_its_end(&events);
        let last = run.wait_for_end().expect("a snapshot");
        let text = |at: usize| walk::render_text(&last.version.documents()[at].root);
        let [seed, variant] = [0, 1].map(|at| words(&String::from_utf8_lossy(&text(at))));
        let size = last.version.size().primary();
        assert_eq!((&*seed, &*variant, size), left, "{commands:?}");
    }
}
