//! `lop pair` with commands in place of tests: (seed, variant, command, what is left).

use std::fs;

use crate::shell::Stage;

const SEED: &str = "int f(int x) { return x; }\nint unused(int q) { return q * 2; }\nint main(void) {\n  int a = 3;\n  int b = 4;\n  return f(a) + b - 7;\n}\n";

/// A seed, and the variant that has the second text in the place of the first.
fn pair(old: &str, new: &str) -> Stage {
    let stage = Stage::new();
    stage.write("seed.c", SEED);
    assert!(SEED.contains(old));
    stage.write("variant.c", &SEED.replace(old, new));
    stage
}

/// A file of the result.
fn result(stage: &Stage, name: &str) -> String {
    fs::read_to_string(stage.path("variant.lop").join(name)).expect("a result")
}

/// `lop pair seed.c variant.c`, then these words.
fn lop_pair(stage: &Stage, words: &[&str]) -> crate::shell::End {
    let line = ["pair", "seed.c", "variant.c"];
    stage.lop(&[&line[..], words].concat())
}

#[test]
#[ignore = "long"]
fn what_a_command_fails_with_on_the_variant_is_kept_and_on_the_seed_it_succeeds() {
    let stage = pair("+ b", "+ missing");
    let end = lop_pair(&stage, &["--", "cc", "-c", "{}", "-o", "out.o"]);
    assert_eq!(end.status, 0, "{end}");
    let (seed, variant) = (result(&stage, "seed.c"), result(&stage, "variant.c"));
    assert!(variant.contains("missing"), "{variant}");
    assert!(!seed.contains("missing"), "{seed}");
    assert!(!variant.contains("unused"), "{variant}");
    // The result is a pair of the same kind.
    for name in ["seed.c", "variant.c"] {
        stage.write(name, &result(&stage, name));
    }
    fs::remove_dir_all(stage.path("variant.lop")).expect("removed");
    let again = lop_pair(&stage, &["--", "cc", "-c", "variant.c", "-o", "out.o"]);
    assert_eq!(again.status, 0, "{again}");
}

#[test]
fn a_command_that_succeeds_on_both_tells_them_apart_by_what_it_prints() {
    let stage = pair("+ b", "+ b / 0");
    let words = ["--grep", "division by zero", "--", "cc", "-Wall", "-c"];
    let end = lop_pair(&stage, &words);
    assert_eq!(end.status, 0, "{end}");
    let (seed, variant) = (result(&stage, "seed.c"), result(&stage, "variant.c"));
    assert!(variant.contains("/ 0"), "{variant}");
    assert!(!seed.contains("/ 0"), "{seed}");
    // Without it there is nothing to tell them apart by.
    let refused = lop_pair(&stage, &["--grep", "unused", "--", "cc", "-Wall", "-c"]);
    assert_eq!(refused.status, 1, "{refused}");
}

#[test]
#[ignore = "long"]
fn two_commands_differ_on_the_variant_and_agree_on_the_seed() {
    let wrong = "+ b\n#ifdef WRONG\n + 1\n#endif\n";
    let stage = pair("+ b", wrong);
    let words = [
        "--differs",
        "cc {} -o right && ./right",
        "cc -DWRONG {} -o wrong && ./wrong",
        "--ub-guard",
    ];
    let end = lop_pair(&stage, &words);
    assert_eq!(end.status, 0, "{end}");
    let (seed, variant) = (result(&stage, "seed.c"), result(&stage, "variant.c"));
    assert!(variant.contains("WRONG"), "{variant}");
    assert!(!seed.contains("WRONG"), "{seed}");
    assert!(seed.contains("main"), "the seed is a program: {seed}");
}

#[test]
fn checks_hold_for_both_programs() {
    let stage = pair("+ b", "+ b / 0");
    stage.test("works.sh", "! grep -q '/ 0' seed.c");
    stage.test("fails.sh", "grep -q '/ 0' variant.c");
    let line = [
        "./works.sh",
        "./fails.sh",
        "--check",
        "cc -fsyntax-only -w {}",
    ];
    let end = lop_pair(&stage, &line);
    assert_eq!(end.status, 0, "{end}");
    for name in ["seed.c", "variant.c"] {
        let path = stage.path("variant.lop").join(name);
        let mut cc = std::process::Command::new("cc");
        let status = cc.args(["-fsyntax-only", "-w"]).arg(&path).status();
        assert!(
            status.expect("cc").success(),
            "{name}: {}",
            result(&stage, name)
        );
    }
}

#[test]
fn who_confuses_the_two_is_told_what_is_wrong() {
    let stage = pair("+ b", "+ missing");
    for (words, said) in [
        // The seed fails, too.
        (&["--", "false"][..], "the command must succeed on the seed"),
        (&["--", "true"], "the command does not fail on"),
        (
            &["--differs", "cat {}", "wc {}"],
            "with the seed it does not do the same as the first command",
        ),
        (
            &["--differs", "cat {}", "cat {}"],
            "the two commands do the same with",
        ),
    ] {
        let end = lop_pair(&stage, words);
        assert_eq!(end.status, 1, "{words:?}: {end}");
        assert!(end.err.contains(said), "{words:?}: {said}: {end}");
    }
}

/// The numbers of the rows of `lop compare pair` by their strategies: tokens of the seed, of the variant and of their difference, and the
/// tests of either.
fn compared(stage: &Stage, words: &[&str]) -> Vec<(String, [u64; 5])> {
    let line = ["compare", "pair", "seed.c", "variant.c", "--json"];
    let end = stage.lop(&[&line[..], words].concat());
    assert_eq!(end.status, 0, "{end}");
    let row = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let left = &row["after"];
        let sizes = ["seed", "variant", "difference"].map(|of| &left[of]);
        let tests = ["tests_of_seed", "tests_of_variant"].map(|of| &row[of]);
        let numbers = sizes.into_iter().chain(tests);
        let numbers: Vec<u64> = numbers.map(|number| number.as_u64().unwrap_or(0)).collect();
        let numbers = numbers.try_into().expect("five");
        (
            row["strategy"].as_str().expect("a name").to_owned(),
            numbers,
        )
    };
    end.out.lines().map(row).collect()
}

#[test]
#[ignore = "long"]
fn strategies_are_compared_by_any_test_that_a_pair_may_have() {
    let stage = pair("+ b", "+ b / 0");
    stage.test(
        "works.sh",
        "cc -Werror -Wall -c $1 -o out.o && grep -q return $1",
    );
    stage.test(
        "fails.sh",
        "cc -Wall -c $1 -o out.o 2>&1 | grep -q 'division by zero'",
    );
    let here = stage.path("");
    let both = format!("{0}/works.sh $1 && {0}/fails.sh $2", here.display());
    stage.test("both.sh", &both);
    let pair_alone = ["--strategies", "pair,alone"];
    let scripts = compared(
        &stage,
        &[&["works.sh", "fails.sh"], &pair_alone[..]].concat(),
    );
    let [(_, pair), (_, alone)] = &scripts[..] else {
        panic!("{scripts:?}");
    };
    assert!(
        pair[2] == 2 && alone[1] <= pair[1] && alone[0] == 0,
        "{scripts:?}"
    );
    let command = [
        "--grep",
        "division by zero",
        "--",
        "cc",
        "-Wall",
        "-c",
        "variant.c",
    ];
    let commands = compared(&stage, &[&pair_alone[..], &command].concat());
    assert_eq!(commands[1].1, *alone, "alone by the same command");
    assert_eq!(commands[0].1[2], 2, "{commands:?}");
    let zero = |option| format!("cc {option} {{}} -c -o out.o 2>&1 | grep -c 'division by zero'");
    let differs = ["--differs", &zero("-w"), &zero("-Wall")];
    let differing = compared(&stage, &[&pair_alone[..], &differs].concat());
    assert_eq!(differing[0].1[2], 2, "{differing:?}");
    // One test of both counts for both, and the variant has none of its own.
    let joined = compared(&stage, &["--both", "both.sh"]);
    let names: Vec<&str> = joined.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["pair", "pair-once", "isolate-elements"]);
    assert_eq!(joined[0].1[..3], pair[..3]);
    assert!(
        joined[0].1[3] > 0 && joined[0].1[3] == joined[0].1[4],
        "{joined:?}"
    );
}
