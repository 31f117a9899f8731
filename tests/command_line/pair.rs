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
    let foreign = stage.lop(&PAIR);
    assert_eq!(foreign.status, 2, "{foreign}");
    assert!(
        foreign
            .err
            .contains("precious, which is no result of lop pair"),
        "{foreign}"
    );
    assert!(stage.path("variant.lop/precious").exists());
}
