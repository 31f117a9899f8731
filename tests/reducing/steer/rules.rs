//! Rules that the user adds while a run goes on.

use lop::pass::PassOptions;

use crate::common::quick;
use crate::steer::{steer, words};

const PROGRAM: &str = "int a[3];\nint f(int x) { return a[x] + a[2]; }\n";

#[test]
fn a_rule_is_asked_about_at_once_although_no_rewrite_would_run() {
    let went = steer(
        PROGRAM,
        "rule '$a[$i] + $a[$j]' '$a[$i] - $a'\nat decision 3: stop",
        quick(),
        |text| text.contains("a[x] - a"),
    );
    let obeyed = went.obeyed();
    assert_eq!(obeyed[0].2, Ok(Some("1 place".into())));
    assert_eq!(
        words(&went.text),
        "int a[3]; int f(int x) { return a[x] - a; }"
    );
    // The language's own rules belong to the stratum, which is off.
    let own = went.tested.iter().filter(|text| text.contains("*a"));
    assert_eq!(own.count(), 0, "{:?}", went.tested);
}

#[test]
fn a_rule_that_is_added_waits_for_its_pass() {
    let went = steer(
        PROGRAM,
        "add-rule '$a + $b' '-$a'",
        PassOptions::default(),
        |text| text.contains("return -a[x]") || text.contains("return a[x] +"),
    );
    assert_eq!(went.obeyed()[0].2, Ok(Some("1 place".into())));
    assert!(words(&went.text).contains("return -a[x]"), "{}", went.text);
}

#[test]
fn what_a_rule_keeps_stays_the_same_for_pins() {
    let program = "int x = f(1, 2);\n";
    let went = steer(
        program,
        "pin (number_literal) @keep\nrule 'f($a, $b)' '$b - $a'\nrule 'f($a, $b)' '$a - $b'",
        quick(),
        |text| text.contains("int x ="),
    );
    assert_eq!(
        words(&went.text),
        "int x = 1 - 2;",
        "{:?} {:?}",
        went.tested,
        went.obeyed()
    );
    // What changes its order is new text, and a pin holds the old one.
    let turned = went.tested.iter().filter(|text| text.contains("2 - 1"));
    assert_eq!(turned.count(), 0, "{:?}", went.tested);
    let pinned = went.last.constraints.pinned_tokens().len();
    assert_eq!((pinned, went.last.version.pinned_count()), (2, 2));
}

#[test]
fn a_rule_that_swaps_makes_nothing_smaller_and_is_not_tested() {
    let program = "int x = 1 + 2;";
    let swapped = "int x = 2 + 1;";
    let went = steer(program, "rule '$a + $b' '$b + $a'", quick(), move |text| {
        [program, swapped].contains(&words(text).as_str())
    });
    assert_eq!(words(&went.text), program, "{:?}", went.obeyed());
    let swapped = went.tested.iter().filter(|text| text.contains("2 + 1"));
    assert_eq!(swapped.count(), 0, "{:?}", went.tested);
}

#[test]
fn what_is_no_rule_of_the_program_is_refused() {
    for (line, said) in [
        (
            "rule 'if $a then' '$a'",
            "`if $a then`: c has nothing like that; write a whole statement, declaration or expression",
        ),
        ("rule '$a + $b' '$c'", "`$c`: nothing in `$a + $b` is $c"),
        ("rule '$a + $b' '$a + $b'", "both sides are the same"),
        (
            "rule '$$a' ''",
            "`$$a`: a list of neighbours cannot stand first",
        ),
        (
            "rule '$a + $$a' ''",
            "`$a + $$a`: $$a and $a cannot both be there",
        ),
        (
            "rule 'f(\"$a\")' ''",
            "`f(\"$a\")`: a hole cannot stand inside of the token \"lop_0\"",
        ),
        (
            "rule '$a + $b' '$a' where same_type($a)",
            "the condition `same_type($a)`: it is about 2 holes",
        ),
    ] {
        let went = steer(
            PROGRAM,
            &format!("{line}\nat decision 1: stop"),
            quick(),
            |_| false,
        );
        assert_eq!(went.obeyed()[0].2, Err(said.into()), "{line}");
    }
}
