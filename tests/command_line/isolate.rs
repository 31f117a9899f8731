//! `lop isolate`: (program, what the C compiler says of it, what is left between a program that passes and one that fails).

use std::fs;

use crate::shell::Stage;

const PROGRAM: &str = "int f(int x) { return x; }\nint unused(int q) { return q * 2; }\nint main(void) {\n  int a = 3;\n  int b = 4;\n  return f(a) + b / 0;\n}\n";

/// The program divides by zero, of which the compiler warns; the empty program compiles without that.
fn divides_by_zero() -> Stage {
    let stage = Stage::new();
    stage.write("bug.c", PROGRAM);
    let compiled = "cc -Wall -c \"$1\" -o /dev/null 2>err || exit 1\n";
    stage.test(
        "works.sh",
        &(compiled.to_owned() + "! grep -q 'division by zero' err"),
    );
    stage.test(
        "fails.sh",
        &(compiled.to_owned() + "grep -q 'division by zero' err"),
    );
    stage
}

/// The programs of a result.
fn result(stage: &Stage, names: [&str; 2]) -> [String; 2] {
    let read = |name| fs::read_to_string(stage.path("bug.lop").join(name)).expect("a result");
    names.map(read)
}

#[test]
#[ignore = "long"]
fn from_the_empty_program_dd_finds_two_programs_that_differ_by_little() {
    for by in ["elements", "lines", "tokens"] {
        let stage = divides_by_zero();
        let end = stage.lop(&["isolate", "bug.c", "./works.sh", "./fails.sh", "--by", by]);
        assert_eq!(end.status, 0, "{by}: {end}");
        let [passes, fails] = result(&stage, ["seed-bug.c", "variant-bug.c"]);
        assert!(
            fails.contains("/ 0") && !passes.contains("/ 0"),
            "{by}: {passes}\n{fails}"
        );
        assert!(
            end.out.contains("the result is a minimal difference"),
            "{by}: {end}"
        );
        let difference =
            fs::read_to_string(stage.path("bug.lop/difference.diff")).expect("a result");
        assert!(difference.contains("/ 0"), "{by}: {difference}");
        // Both pass their tests, and dd begun there moves nothing.
        let again = divides_by_zero();
        again.write("from.c", &passes);
        again.write("bug.c", &fails);
        let end = again.lop(&[
            "isolate",
            "bug.c",
            "./works.sh",
            "./fails.sh",
            "--from",
            "from.c",
        ]);
        assert_eq!(end.status, 0, "{by}: {end}");
        assert_eq!(
            result(&again, ["from.c", "bug.c"]),
            [passes, fails],
            "{by}: {end}"
        );
    }
}

#[test]
#[ignore = "long"]
fn from_a_seed_both_programs_stay_as_large_as_they_are() {
    let stage = divides_by_zero();
    let seed = PROGRAM
        .replace(" / 0", "")
        .replace("int a = 3", "int a = 5")
        .replace("x;", "x + 1;");
    stage.write("seed.c", &seed);
    let line = [
        "isolate",
        "bug.c",
        "./works.sh",
        "./fails.sh",
        "--from",
        "seed.c",
    ];
    let end = stage.lop(&line);
    assert_eq!(end.status, 0, "{end}");
    let [passes, fails] = result(&stage, ["seed.c", "bug.c"]);
    assert!(
        passes.contains("unused") && fails.contains("unused"),
        "{passes}\n{fails}"
    );
    assert_eq!(fails.replace(" / 0", ""), passes, "{end}");
    // One test for both.
    stage.test("both.sh", "./works.sh \"$1\" && ./fails.sh \"$2\"");
    let both = stage.lop(&["isolate", "bug.c", "--both", "./both.sh"]);
    assert_ne!(
        both.status, 0,
        "the scripts are not where the test runs: {both}"
    );
    let here = |name: &str| stage.path(name).display().to_string();
    stage.test(
        "both.sh",
        &format!("{} \"$1\" && {} \"$2\"", here("works.sh"), here("fails.sh")),
    );
    let both = stage.lop(&[
        "isolate",
        "bug.c",
        "--both",
        "./both.sh",
        "--output",
        "both.lop",
    ]);
    assert_eq!(both.status, 0, "{both}");
    assert!(stage.path("both.lop/seed-bug.c").exists());
}

#[test]
#[ignore = "long"]
fn an_unfinished_session_of_isolate_is_told_of_to_isolate_and_not_to_pair() {
    let stage = divides_by_zero();
    stage.write("seed.c", &PROGRAM.replace(" / 0", ""));
    let isolate = [
        "isolate",
        "bug.c",
        "./works.sh",
        "./fails.sh",
        "--from",
        "seed.c",
    ];
    let end = stage.lop(&isolate);
    assert_eq!(end.status, 0, "{end}");
    fs::remove_file(stage.sessions().join("bug.c-1/done")).expect("it was finished");
    let told = "`lop resume bug.c-1` resumes it";
    let end = stage.lop(&["pair", "seed.c", "bug.c", "./works.sh", "./fails.sh"]);
    assert!(end.status == 0 && !end.err.contains(told), "{end}");
    let end = stage.lop(&isolate);
    assert!(end.status == 0 && end.err.contains(told), "{end}");
}

#[test]
fn an_empty_program_that_fails_or_does_not_pass_is_refused() {
    let stage = divides_by_zero();
    let exchanged = stage.lop(&["isolate", "bug.c", "./fails.sh", "./works.sh"]);
    assert_eq!(exchanged.status, 1, "{exchanged}");
    stage.write("none.c", "");
    let empty = stage.lop(&[
        "isolate",
        "bug.c",
        "./works.sh",
        "./fails.sh",
        "--from",
        "none.c",
    ]);
    assert_eq!(empty.status, 0, "an empty seed is as none: {empty}");
    stage.write("blank.c", "/* nothing */\n");
    let blank = stage.lop(&[
        "isolate",
        "bug.c",
        "./works.sh",
        "./fails.sh",
        "--from",
        "blank.c",
        "--output",
        "blank.lop",
    ]);
    assert_eq!(blank.status, 1, "{blank}");
    assert!(blank.err.contains("blank.c has no tokens"), "{blank}");
}
