//! `lop mutate`: (program, test, what it becomes).

use std::fs;

use crate::shell::Stage;

const SEED: &str = "int f(int x, int y) {\n  if (x > 1) return y;\n  return x - y;\n}\nint main(void) { return f(1, 1); }\n";

/// The C compiler warns of the variant that a variable is compared with itself.
fn compared_with_itself() -> Stage {
    let stage = Stage::new();
    stage.write("seed.c", SEED);
    let compiled =
        "cc -Wall -Wextra -Wtautological-compare -c variant.c -o /dev/null 2>err || exit 1\n";
    stage.test(
        "warns.sh",
        &(compiled.to_owned() + "grep -q 'unused parameter' err"),
    );
    stage
}

const MUTATE: [&str; 3] = ["mutate", "seed.c", "./warns.sh"];

#[test]
#[ignore = "long"]
fn a_program_is_changed_until_its_test_says_yes() {
    let stage = compared_with_itself();
    let end = stage.lop(&MUTATE);
    assert_eq!(end.status, 0, "{end}");
    assert!(
        end.out.contains("the test says yes to variant.c, after"),
        "{end}"
    );
    assert!(
        end.out.contains("lop: next: lop pair seed.c variant.c"),
        "{end}"
    );
    assert_eq!(stage.read("seed.c"), SEED, "the seed stays as it is");
    let variant = stage.read("variant.c");
    // The same number gives the same program, another one another.
    fs::remove_file(stage.path("variant.c")).expect("removed");
    assert_eq!(stage.lop(&MUTATE).status, 0);
    assert_eq!(stage.read("variant.c"), variant);
    let there = stage.lop(&MUTATE);
    assert_eq!(there.status, 2, "{there}");
    assert!(
        there.err.contains("variant.c exists; choose another place"),
        "{there}"
    );
    // The seed and the variant are a pair.
    stage.test(
        "works.sh",
        "cc -Wall -Wextra -c seed.c -o /dev/null 2>err && ! grep -q unused err",
    );
    let pair = stage.lop(&["pair", "seed.c", "variant.c", "./works.sh", "./warns.sh"]);
    assert_eq!(pair.status, 0, "{pair}");
}

#[test]
fn a_test_that_says_yes_at_once_or_never_writes_nothing() {
    let stage = compared_with_itself();
    stage.test("never.sh", "exit 1");
    let never = stage.lop(&["mutate", "seed.c", "./never.sh", "--tests", "3"]);
    assert_eq!(never.status, 1, "{never}");
    assert!(
        never
            .err
            .contains("the test says no to all that seed.c became"),
        "{never}"
    );
    stage.test("always.sh", "exit 0");
    let always = stage.lop(&["mutate", "seed.c", "./always.sh"]);
    assert_eq!(always.status, 1, "{always}");
    assert!(
        always.err.contains("the test says yes to seed.c as it is"),
        "{always}"
    );
    assert!(!stage.path("variant.c").exists());
}
