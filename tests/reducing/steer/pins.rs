//! Constraints of the user: pinned, frozen and required parts.

use lop::pass::{self, Effort, PassOptions, STRATEGIES};
use lop::program::{NodeTarget, walk};
use lop::reduce;
use proptest::prelude::*;

use crate::common::{quick, read, small_program};
use crate::steer::{default, steer, words};

#[test]
fn what_is_pinned_stays_whatever_the_test_says() {
    let went = default("pin other\npin (call_expression) @keep", |_| true);
    assert_eq!(
        words(&went.text),
        "int other = 2; int x = f(1, 2);",
        "{}",
        went.text
    );
    for tested in &went.tested {
        assert!(
            tested.contains("int other = 2;") && tested.contains("f(1, 2)"),
            "{tested}"
        );
    }
}

#[test]
fn a_pinned_call_leaves_its_if_but_a_frozen_region_stays_word_for_word() {
    let program =
        "int g(void);\nint main(void) {\n  if (1) {\n    g( /* why */  );\n  }\n  return 0;\n}\n";
    let pinned = steer(program, "pin (call_expression) @keep", quick(), |_| true);
    assert!(
        !pinned.text.contains("if") && pinned.text.contains("g("),
        "{}",
        pinned.text
    );
    let frozen = steer(program, "freeze 3-5", quick(), |_| true);
    assert!(
        frozen.text.contains("if (1) {\n    g( /* why */  );\n  }"),
        "{}",
        frozen.text
    );
    assert!(!frozen.text.contains("return"), "{}", frozen.text);
}

#[test]
fn a_pinned_head_keeps_the_definition_and_lets_its_contents_go() {
    let went = default("pin-head main", |_| true);
    assert_eq!(words(&went.text), "int main() { }", "{}", went.text);
    let kept = default("pin main", |_| true);
    assert!(
        kept.text.contains("needed = x;") && !kept.text.contains("int f("),
        "{}",
        kept.text
    );
}

#[test]
fn a_required_query_has_a_match_in_every_candidate() {
    let went = default("require (binary_expression)", |_| true);
    assert!(
        went.text.contains('+') || went.text.contains('>'),
        "{}",
        went.text
    );
    for tested in &went.tested {
        assert!(tested.contains('+') || tested.contains('>'), "{tested}");
    }
}

#[test]
fn under_a_focus_nothing_outside_of_it_is_asked_about() {
    let outside = [
        "int g(int p, int q);",
        "int g(int p, int q) { return p; }",
        "int h(int f, int r) { int s = f; return s; }",
        "int main(void) { return f(1, 2) + g(3, 4) + h(5, 6); }",
    ];
    let inside =
        "int f(int a, int b) { int t = g(a, b); int u = h(a, 1); if (t) { return u; } return t; }";
    let program = format!(
        "{}\nint f(int a, int b);\n{inside}\n{}\n",
        outside[0],
        outside[1..].join("\n")
    );
    for strategy in ["lop", "perses", "pardis", "hdd", "reduktor", "lines"] {
        let strategy = pass::find_strategy(strategy).expect("known");
        for effort in [Effort::Quick, Effort::Hard] {
            for calls in [false, true] {
                let options = PassOptions {
                    effort,
                    ..PassOptions::from_strategy(strategy)
                };
                let says = move |text: &str| !calls || text.contains("g(");
                let went = steer(&program, "focus f", options, says);
                for tested in &went.tested {
                    for kept in outside {
                        assert!(
                            words(tested).contains(kept),
                            "{} {effort:?}: `{kept}` stays\n{tested}",
                            strategy.name
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_locked_place_is_not_touched_inside_but_may_go_and_a_focus_leaves_all_else_alone() {
    let locked = default("lock main", |text| text.contains("needed = x"));
    assert!(
        locked.text.contains("other = 3;") && !locked.text.contains("int f"),
        "{}",
        locked.text
    );
    let gone = default("lock main", |_| true);
    assert!(!gone.text.contains("main"), "{}", gone.text);
    let focused = default("focus 7-10", |_| true);
    assert!(
        focused.text.contains("int f(int a, int b)") && !focused.text.contains("other = 3"),
        "{}",
        focused.text
    );
}

#[test]
fn what_closes_the_rest_is_told_at_the_end() {
    let went = default("pin main", |_| true);
    let constraints = went.last.constraints.clone();
    let closed = reduce::count_closed_parts(&went.last.version, &constraints);
    assert!(
        matches!(closed[..], [(lop::program::ExclusionReason::Pinned, count)] if count > 0),
        "{closed:?}"
    );
}

#[test]
fn comments_that_a_test_needs_can_be_kept_and_a_program_can_mark_what_stays() {
    let went = default("pin /RUN:/", |_| true);
    assert_eq!(words(&went.text), "// RUN: this");
    let marked = "int a;\n// lop-keep\nint b = 1 + 2;\nint c;\n/* lop-keep-begin */ int d; int e; /* lop-keep-end */\nint f;\n";
    let went = steer(marked, "pin lop-keep", quick(), |_| true);
    assert_eq!(words(&went.text), "int b = 1 + 2; int d; int e;");
}

/// A piece of these strategies is many tokens: where one of them is pinned, none goes.
#[test]
fn a_line_with_a_pinned_token_stays_whole() {
    let program = "int a;\nint b = f(1);\nint c;\nint d;\n";
    for strategy in ["lines", "levels"] {
        let options =
            PassOptions::from_strategy(pass::find_strategy(strategy).expect("a strategy"));
        let script = "pin (call_expression) @keep";
        let went = steer(program, script, options, |text| !text.is_empty());
        assert_eq!(words(&went.text), "int b = f(1);", "{strategy}");
        for tested in &went.tested {
            let whole = tested.contains("int b = f(1);");
            assert!(whole, "{strategy} cuts a line: {tested}");
        }
    }
}

#[test]
fn places_apart_are_constraints_apart() {
    let program = "int f(void);\nint between;\nint f(void) { return 1; }\nint other;\n";
    let locked = steer(program, "lock f", quick(), |text| text.contains("return 1"));
    assert!(
        !locked.text.contains("between") && locked.text.contains("int f(void) { return 1; }"),
        "{}",
        locked.text
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Random programs, pins and passes: nothing without its pinned tokens ever reaches a runner.
    #[test]
    #[ignore = "long"]
    fn no_candidate_that_breaks_a_pin_is_tested(
        choices in proptest::collection::vec(any::<u8>(), 1..40),
        lines in proptest::collection::vec((0usize..60, 0usize..4), 1..4),
        strategy in 0..STRATEGIES.len(),
        salt in any::<u64>(),
    ) {
        let program = small_program(&choices);
        let version = read("a.c", &program);
        let count = program.lines().count();
        let mut script = String::new();
        let mut kept: Vec<Vec<String>> = Vec::new();
        for (line, verb) in lines {
            let line = line % count + 1;
            let target: NodeTarget = line.to_string().parse().expect("a line");
            let Ok(nodes) = target.find_nodes(&version) else { continue };
            let verb = ["pin", "pin-head", "freeze", "pin"][verb];
            script += &format!("{verb} {line}\n");
            if verb != "pin-head" {
                let leaves = nodes.iter().flat_map(walk::iter_leaves).map(|leaf| String::from_utf8_lossy(leaf.text()).into_owned());
                kept.push(leaves.filter(|text| !text.is_empty()).collect());
            }
        }
        let says = move |text: &str| {
            let hash = text.bytes().fold(salt, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
            !(hash >> 20).is_multiple_of(3)
        };
        let went = steer(&program, &script, PassOptions::from_strategy(&STRATEGIES[strategy]), says);
        for text in went.tested.iter().chain([&went.text]) {
            let leaves: Vec<String> = walk::iter_leaves(&read("a.c", text).documents()[0].root)
                .map(|leaf| String::from_utf8_lossy(leaf.text()).into_owned())
                .collect();
            for wanted in &kept {
                let mut left = leaves.iter();
                let all = wanted.iter().all(|word| left.any(|leaf| leaf == word));
                prop_assert!(all, "{wanted:?} are not in {text}\nwith {script} on {program}");
            }
        }
    }
}
