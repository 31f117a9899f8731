//! Detours that a pass begins.

use lop::oracle::{TestOutcome, Verdict};
use lop::pass::{DetourBounds, PassOptions};
use lop::program::Objective;
use lop::reduce::{self, ClaimSubject, MinimalityClaim, RunSetup};

use super::{Went, steer, words};
use crate::common::detours::{SUM, takes_difference, takes_sums, unfolding, unfolding_within};
use crate::common::{ended, oracle, quick, read, setup, text, verdict};

const WHERE_IT_BEGAN: &str = "int x = a + b; return x - x;";
const INSIDE: &str = "return (a + b) - (a + b);";

fn unfold(script: &str, says: impl Fn(&str) -> bool + Send + Sync + 'static) -> Went {
    let strategy = unfolding(400);
    steer(SUM, script, PassOptions::from_strategy(strategy), says)
}

/// The versions: whether each is inside a detour, and its text.
fn versions(went: &Went) -> Vec<(bool, String)> {
    let all = went.last.history.iter();
    all.map(|past| (past.in_detour, words(&text(&past.version))))
        .collect()
}

/// How often the pass said this of a candidate that was tested.
fn unfoldings(went: &Went) -> Vec<String> {
    let decided = went.last.decided.iter();
    let of_pass = decided.filter(|decided| decided.why.pass == "unfold");
    of_pass
        .map(|decided| decided.sentence.to_string())
        .collect()
}

fn claim(went: &Went) -> MinimalityClaim {
    went.last.claim.clone().expect("it has ended")
}

#[test]
fn a_detour_of_a_pass_counts_where_it_ends_smaller() {
    let went = unfold("", takes_difference);
    assert_eq!(words(&went.text), "int f(int a, int b) { return a- b; }");
    assert_eq!(
        unfoldings(&went),
        ["Can `x` be unfolded? 1 token more: `(a + b)` stands in its 2 places"]
    );
    let all = versions(&went);
    assert_eq!(
        all[1].1,
        "int f(int a, int b) { return (a + b) - (a + b); }"
    );
    assert!(all.iter().all(|(in_detour, _)| !in_detour), "{all:?}");
    let unknown = went
        .last
        .history
        .iter()
        .find(|past| past.sentence.question.contains("something"));
    assert!(unknown.is_none(), "{unknown:?}");
    let notes: Vec<&str> = went.last.notes.iter().map(String::as_str).collect();
    assert_eq!(
        notes,
        [
            "a detour begins: version 1 has +1 tokens against version 0, and counts only if the detour ends smaller than it began",
            "the detour ended smaller than it began: version 2 counts, -1 tokens against version 0",
        ]
    );
    assert_eq!(went.last.history[2].ended_detour, Some(0));
    assert!(claim(&went).minimal, "{}", claim(&went));
}

#[test]
fn a_detour_of_a_pass_that_leads_nowhere_is_dropped_and_does_not_begin_again() {
    let went = unfold("", takes_sums);
    assert_eq!(words(&went.text), WHERE_IT_BEGAN);
    assert_eq!(versions(&went).last(), Some(&(true, INSIDE.into())));
    assert_eq!(unfoldings(&went).len(), 1);
    let notes: Vec<&str> = went.last.notes.iter().map(String::as_str).collect();
    assert_eq!(
        notes,
        [
            "a detour begins: version 2 has +1 tokens against version 1, and counts only if the detour ends smaller than it began",
            "the detour did not end smaller than it began: back to version 1",
        ]
    );
    assert_eq!(went.last.detour_base, None);
    let lop = steer(SUM, "", quick(), takes_sums);
    assert_eq!(went.text, lop.text);
    // What the result proves is what was proven before the detour.
    let proven = MinimalityClaim {
        subject: ClaimSubject::Program,
        ..claim(&lop)
    };
    assert_eq!(claim(&went), proven);
}

#[test]
fn with_nodes_as_the_objective_nothing_is_unfolded() {
    // A copy has no nodes yet when it is tested, so it would pass for smaller.
    let strategy = unfolding(400);
    let version = read("a.c", SUM).with_objective(Objective::Nodes);
    let runner = oracle(|text| verdict(takes_difference(text)));
    let run = reduce::start_run(RunSetup {
        options: PassOptions::from_strategy(strategy),
        ..setup(version.clone(), runner)
    });
    let last = run.expect("a run").wait_for_end().expect("a snapshot");
    assert!(last.version.size() <= version.size());
    let mut decided = last.decided.iter();
    assert!(decided.all(|decided| decided.why.pass != "unfold"));
}

#[test]
fn what_a_dropped_detour_did_not_test_is_no_gap_in_the_proof() {
    // All that is not interesting inside the detour is cut short at its limit.
    let runner = oracle(|text| match (takes_sums(text), text.contains('(')) {
        (false, true) => TestOutcome::Verdict(Verdict::TimedOut, ended(1)),
        (says, _) => verdict(says),
    });
    let strategy = unfolding(400);
    let run = reduce::start_run(RunSetup {
        options: PassOptions::from_strategy(strategy),
        ..setup(read("a.c", "int x = a + b; return x - x;"), runner)
    });
    let last = run.expect("a run").wait_for_end().expect("a snapshot");
    assert!(last.counts.timed_out > 0, "{:?}", last.counts);
    let claim = last.claim.clone().expect("it has ended");
    assert!(claim.minimal && claim.left_out.is_empty(), "{claim}");
}

#[test]
fn a_detour_of_a_pass_has_no_more_decisions_than_its_bound() {
    let inside = |decisions: u32, says: fn(&str) -> bool| {
        let bounded = unfolding(decisions);
        let went = steer(SUM, "", PassOptions::from_strategy(bounded), says);
        let began = went.last.history.iter().find(|past| past.pass == "unfold");
        let began = began.expect("a detour").decision;
        (words(&went.text), went.last.counts.decisions - began)
    };
    assert_eq!(inside(3, takes_sums), (WHERE_IT_BEGAN.into(), 3));
    // The decision that makes it smaller is within the bound, or the detour is dropped.
    let needed = (1..).find(|&most| inside(most, takes_difference).0.contains("return a- b"));
    let needed = needed.expect("some bound is enough");
    assert!(needed > 1);
    let too_few = inside(needed - 1, takes_difference);
    assert_eq!(too_few, (words(SUM), u64::from(needed - 1)));
}

#[test]
fn a_detour_begins_only_within_the_growth_and_the_failures_of_its_plan() {
    // The detour of this program begins with 1 token more.
    let bounds = [(0, u32::MAX), (1, u32::MAX), (1, 0)];
    let begun = bounds.map(|(growth, failures)| {
        let plan = unfolding_within(DetourBounds {
            decisions: 400,
            growth,
            failures,
        });
        let went = steer(SUM, "", PassOptions::from_strategy(plan), takes_difference);
        unfoldings(&went).len()
    });
    assert_eq!(begun, [0, 1, 0]);
}

#[test]
fn more_effort_inside_a_detour_of_a_pass_gives_it_the_decisions_of_that_effort() {
    let end = |decisions: u32, script: &str, says: fn(&str) -> bool| {
        let bounded = unfolding(decisions);
        let went = steer(SUM, script, PassOptions::from_strategy(bounded), says);
        let began = went
            .last
            .history
            .iter()
            .filter(|past| past.pass == "unfold");
        (words(&went.text), began.count())
    };
    let raise = "at commit 1: effort hard";
    assert_eq!(end(1, "", takes_difference), (words(SUM), 1));
    let raised = end(1, raise, takes_difference).0;
    assert!(raised.contains("return a- b"), "{raised}");
    // Less effort takes them away again.
    let lowered = format!("{raise}\nat commit 1: effort normal");
    assert_eq!(end(1, &lowered, takes_difference).0, words(SUM));
}

#[test]
fn a_pass_goes_on_with_the_bounds_of_an_effort_that_was_raised_inside_its_detour() {
    // Only with hard effort a declaration goes to the top level.
    let program = "int g(int);\nint f(int a, int b) {\n  int x = a + b;\n  return x - x;\n}\n";
    let takes_function = |text: &str| takes_sums(text) && text.contains("int f(int a, int b)");
    let asks = |script: &str| {
        let options = PassOptions::from_strategy(unfolding(3));
        let went = steer(program, script, options, takes_function);
        let moves = |said: &String| said.contains("goes to the top level");
        unfoldings(&went).iter().any(moves)
    };
    assert!(!asks(""));
    assert!(asks("at commit 2: effort hard"));
}

#[test]
fn a_pass_begins_no_detour_inside_a_detour_of_the_user() {
    let larger = "edit! \"int x = a + b; return x - x; int more; int again;\"";
    let says = |text: &str| text.contains("more") || takes_sums(text);
    let strategy = unfolding(400);
    let went = steer(
        "int x = a + b; return x - x;",
        larger,
        PassOptions::from_strategy(strategy),
        says,
    );
    let began = went.last.history.iter().filter(|past| {
        let before = past
            .parent
            .and_then(|parent| went.last.history.get(parent as usize));
        before.is_some_and(|before| before.version.size() < past.version.size())
    });
    let began: Vec<_> = began.map(|past| (past.pass, past.parent)).collect();
    // Inside, version 3 has the same text, and nothing began there: only after it, where the user's detour had begun.
    assert_eq!(versions(&went)[3].1, words("int x = a + b; return x - x;"));
    assert_eq!(began, [("you", Some(0)), ("unfold", Some(0))]);
}

#[test]
fn inside_a_detour_of_a_pass_the_file_on_the_disk_is_the_version_that_it_left() {
    let went = unfold("at commit 2: pause", takes_sums);
    assert_eq!(words(&went.text), INSIDE, "one stands inside of it");
    let (number, kept) = went.last.kept_version();
    assert_eq!((number, words(&text(kept)).as_str()), (1, WHERE_IT_BEGAN));
}

#[test]
fn an_undo_inside_a_detour_of_a_pass_ends_it() {
    for undo in ["undo keep", "undo ban", "undo disable", "goto 1"] {
        let went = unfold(&format!("at commit 2: {undo}"), takes_sums);
        assert_eq!(words(&went.text), WHERE_IT_BEGAN, "{undo}");
        assert_eq!(went.last.detour_base, None, "{undo}");
        assert_eq!(unfoldings(&went).len(), 1, "{undo}");
        let told = went.last.notes.last().map(String::as_str);
        let left =
            "the detour was left: version 1 is current, and what the detour found does not count";
        assert_eq!(told, Some(left), "{undo}");
    }
    // On an older version the passes before it have their turn again, and then it.
    let older = unfold("at commit 2: goto 0", takes_sums);
    assert_eq!(words(&older.text), WHERE_IT_BEGAN);
    assert!(claim(&older).minimal, "{}", claim(&older));
}

#[test]
fn what_the_user_says_inside_a_detour_of_a_pass_holds_after_it() {
    let pinned = unfold("at commit 2: pin 1", takes_sums);
    assert!(pinned.last.constraints.iter().count() > 0);
    assert_eq!(words(&pinned.text), WHERE_IT_BEGAN);
    let disabled = unfold("at commit 2: disable certificate", takes_sums);
    assert!(!claim(&disabled).minimal, "{}", claim(&disabled));
    // A pass that is cut short inside it is not cut short of the version that it left.
    let skipped = unfold("at commit 2: skip pass", takes_sums);
    assert_eq!(claim(&skipped), claim(&unfold("", takes_sums)));
    // Detours do not nest.
    let larger = "edit! \"return (a + b) - (a + b) + 0;\"";
    let nested = unfold(&format!("at commit 2: {larger}"), takes_sums);
    assert_eq!(
        nested.obeyed()[0].2,
        Err("a detour inside a detour".to_string())
    );
}

#[test]
fn what_is_pinned_is_not_unfolded() {
    for place in ["1", "2"] {
        let program = "int x = a + b;\nreturn x - x;\n";
        let strategy = unfolding(400);
        let options = PassOptions::from_strategy(strategy);
        let went = steer(program, &format!("pin {place}"), options, takes_sums);
        assert_eq!(unfoldings(&went), [""; 0], "line {place}");
    }
}

#[test]
fn what_a_copy_uses_stays_where_the_same_declaration_declares_it() {
    let result = |program: &'static str, smaller: &'static str| {
        let strategy = unfolding(400);
        let options = PassOptions::from_strategy(strategy);
        let says = move |text: &str| [words(program), words(smaller)].contains(&words(text));
        words(&steer(program, "", options, says).text)
    };
    // The only use of `a` is in what `b` stands for.
    let (program, smaller) = (
        "int f() { int a = g(), b = a; return b; }",
        "int f() { int a = g(); return a; }",
    );
    assert_eq!(result(program, smaller), words(smaller));
    // It has other uses too.
    let (program, smaller) = (
        "int f() { int a = g(), b = a; return b - a; }",
        "int f() { int a = g(); return a - a; }",
    );
    assert_eq!(result(program, smaller), words(smaller));
}
