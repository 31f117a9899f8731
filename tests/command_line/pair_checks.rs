//! `lop doctor pair` and `lop verify pair`: (seed, variant, tests, what is said).

use std::fs;

use crate::shell::{End, Stage};

/// A seed, a variant with a division by zero, and a test of each, in this shell.
fn stage(works: &str, fails: &str) -> Stage {
    let stage = Stage::new();
    stage.write("seed.c", "int spare;\nint f(int x) { return x; }\n");
    stage.write("variant.c", "int spare;\nint f(int x) { return x / 0; }\n");
    stage.test("works.sh", works);
    stage.test("fails.sh", fails);
    stage
}

const WORKS: &str = "cc -Wall -Werror -c \"$1\" -o seed.o && grep -q return \"$1\"";
const FAILS: &str = "cc -Wall -c \"$1\" -o variant.o 2>&1 | grep -q 'division by zero'";

fn doctor(stage: &Stage) -> End {
    stage.lop(&[
        "doctor",
        "pair",
        "seed.c",
        "variant.c",
        "works.sh",
        "fails.sh",
    ])
}

/// The findings about both tests, as JSON names them.
fn crossed(stage: &Stage) -> Vec<String> {
    let line = [
        "doctor",
        "pair",
        "seed.c",
        "variant.c",
        "works.sh",
        "fails.sh",
    ];
    let end = stage.lop(&[&line[..], &["--json"]].concat());
    let objects = end.out.lines().map(|line| {
        let object: serde_json::Value = serde_json::from_str(line).expect("JSON");
        object
    });
    let of_pair = objects.filter(|object| object["of"] == "pair");
    of_pair
        .map(|object| object["name"].as_str().expect("a name").to_owned())
        .collect()
}

#[test]
#[ignore = "long"]
fn two_sound_tests_are_sound_together() {
    let stage = stage(WORKS, FAILS);
    let end = doctor(&stage);
    assert_eq!(end.status, 0, "{end}");
    for said in [
        "The test of the seed, works.sh:",
        "The test of the variant, fails.sh:",
        "nothing was found that hurts",
        "`lop pair seed.c variant.c works.sh fails.sh` reduces",
    ] {
        assert!(end.out.contains(said), "{said}: {end}");
    }
    assert_eq!(crossed(&stage), Vec::<String>::new());
}

#[test]
#[ignore = "long"]
fn a_test_that_passes_on_both_programs_is_mended_by_the_lines_that_the_doctor_says() {
    // That the seed compiles says nothing about the warning.
    let loose = "cc -c \"$1\" -o seed.o && grep -q return \"$1\"";
    let stage = stage(loose, FAILS);
    assert_eq!(crossed(&stage), ["seed-test-accepts-variant"]);
    let end = doctor(&stage);
    assert_eq!(end.status, 1, "{end}");
    assert!(
        end.out
            .contains("works.sh, the test of the seed, passes on the variant"),
        "{end}"
    );
    let crosswise = "Each test on the program of the other:";
    let (_, after) = end.out.split_once(crosswise).expect("a heading");
    let (_, after) = after.split_once("as line 2 of works.sh:\n").expect("lines");
    let lines = after.lines().take_while(|line| !line.trim().is_empty());
    let lines: Vec<&str> = lines.map(str::trim).collect();
    stage.test("works.sh", &format!("{}\n{loose}", lines.join("\n")));
    assert_eq!(crossed(&stage), Vec::<String>::new(), "{lines:?}");
}

#[test]
#[ignore = "long"]
fn a_test_of_the_variant_that_passes_on_the_seed_is_said() {
    let stage = stage(WORKS, "grep -q return variant.c");
    assert_eq!(crossed(&stage), ["variant-test-accepts-seed"]);
}

#[test]
fn a_result_of_lop_pair_is_minimal() {
    let stage = stage(WORKS, FAILS);
    let line = ["pair", "seed.c", "variant.c", "works.sh", "fails.sh"];
    let end = stage.lop(&line);
    assert_eq!(end.status, 0, "{end}");
    let end = stage.lop(&["verify", "pair", "variant.lop", "works.sh", "fails.sh"]);
    assert_eq!(end.status, 0, "{end}");
    for said in [
        "without one hunk of the difference: 0 of 1 candidate",
        "without one token of a hunk: 0 of 2 candidates",
        "the pair is minimal",
    ] {
        assert!(end.out.contains(said), "{said}: {end}");
    }
}

#[test]
fn programs_of_one_name_are_tested_under_that_name() {
    let stage = Stage::new();
    for (directory, text) in [("works", "int ok;\n"), ("fails", "int bad;\n")] {
        fs::create_dir(stage.path(directory)).expect("a directory");
        stage.write(&format!("{directory}/a.c"), &format!("int spare;\n{text}"));
    }
    stage.test("works.sh", "grep -q int a.c && ! grep -q bad a.c");
    stage.test("fails.sh", "grep -q bad a.c");
    let tests = ["./works.sh", "./fails.sh"];
    let line = ["pair", "works/a.c", "fails/a.c", "--output", "result"];
    let end = stage.lop(&[&line[..], &tests].concat());
    assert_eq!(end.status, 0, "{end}");
    let end = stage.lop(&[&["verify", "pair", "result"][..], &tests].concat());
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("result/variant-a.c: "), "{end}");
    // What stands in the difference is still applied by others.
    let mut patch = std::process::Command::new("patch");
    patch.args(["seed-a.c", "difference.diff"]);
    patch.current_dir(stage.path("result"));
    if patch.output().is_ok_and(|done| done.status.success()) {
        let [seed, variant] =
            ["seed-a.c", "variant-a.c"].map(|name| stage.read(&format!("result/{name}")));
        assert_eq!(seed, variant);
    } else {
        eprintln!("there is no patch here: what it makes is not checked");
    }
}

#[test]
fn what_could_still_go_is_named_with_its_line() {
    // `, more` is a difference that the bug does not need.
    let stage = stage(WORKS, FAILS);
    stage.write(
        "variant.c",
        "int spare, more;\nint f(int x) { return x / 0; }\n",
    );
    let end = stage.lop(&[
        "verify",
        "pair",
        "seed.c",
        "variant.c",
        "works.sh",
        "fails.sh",
    ]);
    assert_eq!(end.status, 1, "{end}");
    assert!(end.out.contains("the pair is not minimal"), "{end}");
    assert!(
        end.out
            .contains("variant.c:1: `, more`, which the seed has not, can go"),
        "{end}"
    );
}

#[test]
fn what_is_no_result_is_refused() {
    let stage = stage(WORKS, FAILS);
    fs::create_dir(stage.path("there")).expect("a directory");
    let end = stage.lop(&["verify", "pair", "there", "works.sh", "fails.sh"]);
    assert_eq!(end.status, 2, "{end}");
    assert!(end.err.contains("there is no result of lop pair"), "{end}");
    let end = stage.lop(&["verify", "pair", "seed.c", "works.sh"]);
    assert_eq!(end.status, 2, "{end}");
}
