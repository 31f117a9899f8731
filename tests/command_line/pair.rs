//! `lop pair`: (seed, variant, what the C compiler says of each, what is left).

use std::fs;

use crate::shell::Stage;

const SEED: &str = "int f(int x) { return x; }\nint unused(int q) { return q * 2; }\nint main(void) {\n  int a = 3;\n  int b = 4;\n  return f(a) + b;\n}\n";

/// The seed compiles without the warning; the variant, which divides by zero, with it.
fn divided_by_zero() -> Stage {
    let stage = Stage::new();
    stage.write("seed.c", SEED);
    stage.write("variant.c", &SEED.replace("+ b", "+ b / 0"));
    let warns = |file: &str| format!("cc -Wall -c {file} -o /dev/null 2>err || exit 1\n");
    stage.test(
        "works.sh",
        &(warns("seed.c") + "! grep -q 'division by zero' err"),
    );
    stage.test(
        "fails.sh",
        &(warns("variant.c") + "grep -q 'division by zero' err"),
    );
    stage
}

const PAIR: [&str; 5] = ["pair", "seed.c", "variant.c", "./works.sh", "./fails.sh"];

#[test]
#[ignore = "long"]
fn a_pair_is_reduced_to_what_makes_the_difference() {
    let stage = divided_by_zero();
    let end = stage.lop(&PAIR);
    assert_eq!(end.status, 0, "{end}");
    let result =
        |name: &str| fs::read_to_string(stage.path("variant.lop").join(name)).expect("a result");
    assert!(
        !result("seed.c").contains("/ 0") && result("variant.c").contains("/ 0"),
        "{end}"
    );
    assert!(
        !result("variant.c").contains("unused"),
        "{}",
        result("variant.c")
    );
    let difference = result("difference.diff");
    assert!(
        difference.starts_with("--- seed.c\n+++ variant.c\n"),
        "{difference}"
    );
    assert!(
        end.out
            .contains("the difference from 2 tokens to 2 (100.0 %), the variant from 51 tokens to"),
        "{end}"
    );
    assert!(end.out.contains("tests of the seed and"), "{end}");
    // Both files of the result pass their tests.
    let again = Stage::new();
    for name in ["seed.c", "variant.c"] {
        again.write(name, &result(name));
    }
    for name in ["works.sh", "fails.sh"] {
        fs::copy(stage.path(name), again.path(name)).expect("copied");
    }
    let end = again.lop(&PAIR);
    assert_eq!(
        end.status, 0,
        "the tests hold on the result, or lop would refuse it: {end}"
    );
}

/// The programs of a result.
fn programs(stage: &Stage, directory: &str) -> [String; 2] {
    ["seed.c", "variant.c"].map(|name| stage.read(&format!("{directory}/{name}")))
}

#[test]
#[ignore = "long"]
fn a_pair_that_was_killed_is_resumed_to_the_same_end() {
    let stage = divided_by_zero();
    let whole = stage.lop(&[&PAIR[..], &["--output", "whole", "--no-session"]].concat());
    assert_eq!(whole.status, 0, "{whole}");
    let mut run = stage.start(&[&PAIR[..], &["--json"]].concat());
    run.until_taken();
    run.kill();
    run.wait();
    // Both files are of one version of the journal, and their difference is beside them.
    let [seed, variant] = programs(&stage, "variant.lop");
    assert!(!seed.contains("/ 0") && variant.contains("/ 0"));
    assert!(stage.path("variant.lop/difference.diff").exists());
    let told = stage.lop(&[&PAIR[..], &["--output", "other"]].concat());
    assert!(
        told.err.contains("`lop resume variant.c-1` resumes it"),
        "{told}"
    );
    let end = stage.lop(&["resume", "variant.c-1"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(programs(&stage, "variant.lop"), programs(&stage, "whole"));
    let names = stage.names();
    let left = names.iter().find(|name| name.starts_with('.'));
    assert_eq!(left, None, "no lock and no temporary directory is left");
    let end = stage.lop(&["resume", "variant.c-1"]);
    assert!(end.status == 1 && end.err.contains("is finished"), "{end}");
}

#[test]
fn the_session_of_a_pair_shows_both_programs() {
    let stage = divided_by_zero();
    assert_eq!(stage.lop(&PAIR).status, 0);
    let [seed, variant] = programs(&stage, "variant.lop");
    let history = stage.lop(&["history"]);
    let kept = history.out.lines().find(|line| line.contains("<- kept"));
    let mut kept = kept.expect("a version").split_whitespace();
    let number = kept.next().expect("a number");
    assert_eq!(
        kept.nth(1),
        Some("2"),
        "tokens of the difference: {history}"
    );
    let shown = stage.lop(&["show", number]);
    assert_eq!(
        shown.out,
        format!("==> the seed seed.c <==\n{seed}==> the variant variant.c <==\n{variant}")
    );
    let diff = stage.lop(&["diff", "0", number]);
    assert_eq!(diff.status, 1, "{diff}");
    for name in ["the seed seed.c", "the variant variant.c"] {
        let heading = format!("--- version 0, {name}\n+++ version {number}, {name}\n");
        assert!(diff.out.contains(&heading), "{diff}");
    }
    assert_eq!(stage.lop(&["diff", "0", "0"]).status, 0);
    let trace = stage.lop(&["export", "--jsonl"]);
    let last = trace.out.lines().last().expect("a version");
    let last: serde_json::Value = serde_json::from_str(last).expect("an object");
    assert_eq!(
        (&last["content"], &last["seed"], &last["difference"]),
        (&variant.into(), &seed.into(), &2.into())
    );
    let check = stage.lop(&["replay", "--check"]);
    assert!(
        check.status == 0 && check.out.contains("to its end"),
        "{check}"
    );
    let replay = stage.lop(&["replay", "--plain"]);
    assert!(replay.out.contains("list difference"), "{replay}");
}

#[test]
#[ignore = "long"]
fn a_pair_that_is_resumed_with_another_test_says_so() {
    for changed in ["works.sh", "fails.sh"] {
        let stage = divided_by_zero();
        let mut run = stage.start(&[&PAIR[..], &["--json"]].concat());
        run.until_taken();
        run.kill();
        run.wait();
        let test = stage.read(changed);
        stage.write(changed, &format!("{test}# mended\n"));
        let end = stage.lop(&["resume"]);
        assert_eq!(end.status, 0, "{end}");
        assert!(end.out.contains("the test has changed"), "{changed}: {end}");
    }
}

#[test]
#[ignore = "long"]
fn the_options_of_one_program_hold_for_a_pair() {
    let stage = divided_by_zero();
    let pinned = stage.lop(&[&PAIR[..], &["--pin", "unused", "--output", "pinned"]].concat());
    assert_eq!(pinned.status, 0, "{pinned}");
    let [seed, variant] = programs(&stage, "pinned");
    assert!(
        seed.contains("unused") && variant.contains("unused"),
        "{pinned}"
    );
    let other = [
        "--strategy",
        "pair",
        "--minimizer",
        "ddmin",
        "--output",
        "o",
    ];
    let end = stage.lop(&[&PAIR[..], &other, &["--journal", "j", "--no-session"]].concat());
    assert_eq!(end.status, 0, "{end}");
    let header = header_of(&stage.read("j"));
    assert_eq!(header["minimizer"], "ddmin");
    assert_eq!(header["objective"], "difference");
    assert_eq!(header["files"].as_array().map(Vec::len), Some(2));
    let json = stage.lop(&[&PAIR[..], &["--json", "--output", "json"]].concat());
    let lines: Vec<serde_json::Value> = json
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object"))
        .collect();
    assert_eq!(lines[0]["pair"]["difference"], 2);
    assert_eq!(lines[0]["pair"]["variant"], 51);
    let taken = lines.iter().find(|line| line["event"] == "taken");
    assert_eq!(
        taken.expect("an accepted candidate")["pair"]["difference"],
        2
    );
    let totals = lines.last().expect("a line");
    assert_eq!(totals["pair"]["seed"][0], 49);
    assert_eq!(totals["pair"]["difference"], serde_json::json!([2, 2]));
}

/// The header of a journal.
fn header_of(journal: &str) -> serde_json::Value {
    serde_json::from_str(journal.lines().next().expect("a header")).expect("an object")
}

#[test]
#[ignore = "long"]
fn a_pair_has_parts_of_its_own_and_is_mirrored_on_request() {
    let stage = divided_by_zero();
    for part in ["tdiff", "ldiff", "common"] {
        let without = ["--without", part, "--output", part, "--journal", "j"];
        let end = stage.lop(&[&PAIR[..], &without, &["--no-session"]].concat());
        assert_eq!(end.status, 0, "{part}: {end}");
        assert_eq!(header_of(&stage.read("j"))["without"][0], part);
        let is_small = !stage.read(&format!("{part}/variant.c")).contains("unused");
        assert_eq!(
            is_small,
            part != "common",
            "what is common is reduced: {end}"
        );
        let one = stage.lop(&["variant.c", "./fails.sh", "--without", part]);
        let refusal = format!("invalid value '{part}'");
        assert!(one.status == 2 && one.err.contains(&refusal), "{one}");
    }
    let other = ["--strategy", "pair-once", "--without", "tdiff,common,gc"];
    let end = stage.lop(&[&PAIR[..], &other, &["--journal", "j", "--no-session"]].concat());
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("tdiff (switched off)"), "{end}");
    let parts = serde_json::json!(["gc", "tdiff", "common"]);
    assert_eq!(header_of(&stage.read("j"))["without"], parts);
}

#[test]
#[ignore = "long"]
fn a_mirrored_pair_that_was_killed_is_resumed_mirrored() {
    let mirrored = "mirrored difference";
    let stage = divided_by_zero();
    let plain = stage.lop(&[&PAIR[..], &["--plain", "--no-session", "--journal", "j"]].concat());
    assert!(
        plain.status == 0 && !plain.out.contains(mirrored),
        "{plain}"
    );
    assert_eq!(header_of(&stage.read("j")).get("mirror"), None);
    let mirror = ["--mirror", "--json", "--journal", "j"];
    let mut run = stage.start(&[&PAIR[..], &mirror].concat());
    run.until_taken();
    run.kill();
    run.wait();
    assert_eq!(header_of(&stage.read("j"))["mirror"], true);
    let end = stage.lop(&["resume", "--json"]);
    assert!(end.status == 0 && end.out.contains(mirrored), "{end}");
    let check = stage.lop(&["replay", "--check"]);
    assert!(
        check.status == 0 && check.out.contains("to its end"),
        "{check}"
    );
}

#[test]
#[ignore = "long"]
fn a_result_that_is_there_is_kept_and_a_second_run_waits_for_the_first() {
    let stage = divided_by_zero();
    assert_eq!(stage.lop(&PAIR).status, 0);
    let first = programs(&stage, "variant.lop");
    let again = stage.lop(&PAIR);
    assert!(again.out.contains("it is kept as variant.1.lop"), "{again}");
    assert_eq!(programs(&stage, "variant.1.lop"), first);
    // The same result is kept once, and another one beside it.
    let third = stage.lop(&PAIR);
    let said = "it is kept as variant.1.lop, which holds the same";
    assert!(third.out.contains(said), "{third}");
    assert!(!stage.path("variant.2.lop").exists());
    stage.write("variant.lop/seed.c", "int mine;\n");
    assert_eq!(stage.lop(&PAIR).status, 0);
    assert_eq!(stage.read("variant.2.lop/seed.c"), "int mine;\n");
    assert_eq!(programs(&stage, "variant.lop"), first);
    stage.test("hang.sh", "grep -q unused seed.c || exec tail -f /dev/null");
    let line = [
        "pair",
        "seed.c",
        "variant.c",
        "./hang.sh",
        "./fails.sh",
        "--timeout",
        "0",
    ];
    let mut run = stage.start(&[&line[..], &["--json", "--output", "busy"]].concat());
    while !run.line().contains("\"started\"") {}
    let busy = stage.lop(&[&PAIR[..], &["--output", "busy"]].concat());
    assert!(
        busy.status == 2 && busy.err.contains("another lop is writing to busy"),
        "{busy}"
    );
    run.kill();
    run.wait();
    // What a killed run left of its own is swept.
    let held: Vec<String> = stage.names();
    let end = stage.lop(&[&PAIR[..], &["--output", "busy"]].concat());
    assert_eq!(end.status, 0, "{held:?} {end}");
    assert!(stage.names().iter().all(|name| !name.starts_with('.')));
}

#[test]
fn an_empty_variant_is_refused_and_tests_that_hold_for_both_are_told() {
    let stage = divided_by_zero();
    stage.test("anything.sh", "true");
    let line = ["pair", "seed.c", "variant.c", "./works.sh", "./anything.sh"];
    let empty = stage.lop(&line);
    assert_eq!(empty.status, 1, "{empty}");
    assert!(
        empty
            .err
            .contains("the test of the variant finds an empty file interesting"),
        "{empty}"
    );
    stage.test(
        "compiles.sh",
        "grep -q main \"$1\" && cc -c \"$1\" -o /dev/null 2>err",
    );
    let line = [
        "pair",
        "seed.c",
        "variant.c",
        "./compiles.sh",
        "./compiles.sh",
    ];
    let same = stage.lop(&line);
    for notice in [
        "the test of the variant finds the seed interesting too",
        "the test of the seed finds the variant interesting too",
    ] {
        assert!(same.out.contains(notice), "{same}");
    }
}

#[test]
fn one_test_may_see_both_programs() {
    let stage = divided_by_zero();
    stage.test(
        "both.sh",
        "grep -q 'b / 0' \"$2\" && ! grep -q 'b / 0' \"$1\" && grep -q b \"$1\"",
    );
    let end = stage.lop(&["pair", "seed.c", "variant.c", "--both", "./both.sh"]);
    assert_eq!(end.status, 0, "{end}");
    let [seed, variant] = programs(&stage, "variant.lop");
    assert!(!seed.contains("/ 0") && variant.contains("/ 0"), "{end}");
    let check = stage.lop(&["replay", "--check"]);
    assert_eq!(check.status, 0, "{check}");
}

#[test]
fn programs_that_make_no_pair_are_refused_with_a_reason() {
    let stage = divided_by_zero();
    stage.write("respaced.c", &SEED.replace(' ', "  "));
    let same = stage.lop(&["pair", "seed.c", "respaced.c", "./works.sh", "./fails.sh"]);
    assert_eq!(same.status, 1, "{same}");
    assert!(
        same.err.contains("the same tokens: there is no difference"),
        "{same}"
    );
    let equal = stage.lop(&["pair", "seed.c", "seed.c", "./works.sh", "./works.sh"]);
    assert_eq!(equal.status, 1, "{equal}");
    assert!(equal.err.contains("the same tokens"), "{equal}");
    stage.write("nothing.c", "");
    let empty = stage.lop(&["pair", "nothing.c", "variant.c", "./works.sh", "./fails.sh"]);
    assert_eq!(empty.status, 1, "{empty}");
    assert!(empty.err.contains("nothing.c is empty"), "{empty}");
    let exchanged = stage.lop(&["pair", "seed.c", "variant.c", "./fails.sh", "./works.sh"]);
    assert_eq!(exchanged.status, 1, "{exchanged}");
    assert!(
        exchanged
            .err
            .contains("the seed must pass its test, and the variant its own"),
        "{exchanged}"
    );
    let one = stage.lop(&["pair", "seed.c", "variant.c", "./works.sh"]);
    assert_eq!(one.status, 2, "{one}");
    fs::create_dir(stage.path("variant.lop")).expect("a directory");
    stage.write("variant.lop/precious", "");
    stage.write("variant.lop/difference.diff", "--- seed.c\n+++ variant.c\n");
    let foreign = stage.lop(&PAIR);
    assert_eq!(foreign.status, 2, "{foreign}");
    assert!(
        foreign
            .err
            .contains("precious, which is no file of this result"),
        "{foreign}"
    );
    assert!(stage.path("variant.lop/precious").exists());
}

#[test]
fn the_result_of_another_pair_is_kept_beside_the_new_one() {
    let stage = divided_by_zero();
    stage.write("other.c", SEED);
    let lop = |seed| stage.lop(&["pair", seed, "variant.c", "--both", "./both.sh"]);
    stage.test(
        "both.sh",
        "cat \"$1\" \"$2\" | grep -q '/ 0' && ! grep -q '/ 0' \"$1\"",
    );
    for seed in ["other.c", "seed.c"] {
        let run = lop(seed);
        assert_eq!(run.status, 0, "{run}");
    }
    assert!(stage.path("variant.1.lop/other.c").exists());
    assert!(stage.path("variant.lop/seed.c").exists());
    assert!(!stage.path("variant.lop/other.c").exists());
}

#[test]
fn of_another_failure_both_programs_are_kept() {
    let stage = Stage::new();
    stage.write("seed.c", "int a;\nint b;\nint ok;\n");
    stage.write("variant.c", "int a;\nint b;\nint bad;\n");
    stage.test("works.sh", "grep -q ok seed.c");
    // Without `b` the compiler would crash.
    stage.test(
        "fails.sh",
        "grep -q 'int b;' variant.c || exit 101\ngrep -q bad variant.c",
    );
    let end = stage.lop(&[&PAIR[..], &["--also-interesting", "101"]].concat());
    assert_eq!(end.status, 0, "{end}");
    let said = "another failure (exit 101) is kept in variant.lop.also/exit-101-";
    assert!(end.out.contains(said), "{end}");
    let advice = "reduce it by lop pair with its two programs and tests for them";
    assert!(end.out.contains(advice), "{end}");
    let kept = fs::read_dir(stage.path("variant.lop.also")).expect("a directory");
    let kept: Vec<_> = kept.map(|entry| entry.expect("an entry").path()).collect();
    let [pair] = &kept[..] else {
        panic!("{kept:?}");
    };
    let read = |name: &str| fs::read_to_string(pair.join(name)).expect("a file");
    assert!(
        !read("variant.c").contains("int b;"),
        "{}",
        read("variant.c")
    );
    assert!(!read("seed.c").contains("int b;"), "{}", read("seed.c"));
    read("difference.diff");
    // The result is as without.
    let result = fs::read_to_string(stage.path("variant.lop/variant.c")).expect("a result");
    assert!(result.contains("int b;") && result.contains("bad"), "{end}");
}
