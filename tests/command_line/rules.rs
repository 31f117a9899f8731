//! Rules with holes on the command line.

use crate::shell::Stage;

const RULES: &str =
    "[[rules]]\nname = \"sum to difference\"\nfrom = \"$a + $b + $c\"\nto = \"$a - $c\"\n";

fn stage() -> Stage {
    let stage = Stage::new();
    stage.write("sum.c", "int f(int x) { return x + 2 + x; }\n");
    stage.test(
        "keeps.sh",
        "grep -q -e 'return x + 2 + x;' -e 'return x - x;' sum.c",
    );
    stage.write("rules.toml", RULES);
    stage
}

#[test]
fn the_rules_of_a_file_are_used_and_told_of_in_the_session() {
    let stage = stage();
    let line = ["sum.c", "keeps.sh", "--jobs", "1", "--plain"];
    let end = stage.lop(&[&line[..], &["--rules", "rules.toml"]].concat());
    assert_eq!(end.status, 0, "{end}");
    assert!(stage.read("sum.lop.c").contains("return x - x;"), "{end}");
    let end = stage.lop(&["history"]);
    assert!(end.out.contains("rule `sum to difference`"), "{end}");
    let end = stage.lop(&["rules", "c"]);
    assert!(
        end.out.contains("index to pointer") && end.out.contains("$a[$i]  ->  *$a"),
        "{end}"
    );
    let gained = end
        .out
        .lines()
        .find(|line| line.contains("sum to difference"));
    assert!(
        gained.is_some_and(|line| line.contains("1 time, 2 tokens")),
        "{end}"
    );
}

#[test]
fn a_run_that_goes_on_has_the_rules_that_it_began_with() {
    let stage = stage();
    stage.write("script", "at decision 2: stop\n");
    let line = ["sum.c", "keeps.sh", "--jobs", "1", "--plain"];
    let end = stage.lop(
        &[
            &line[..],
            &["--rules", "rules.toml", "--commands", "script"],
        ]
        .concat(),
    );
    assert_eq!(end.status, 130, "{end}");
    std::fs::remove_file(stage.path("rules.toml")).expect("it is there");
    let end = stage.lop(&["resume", "--plain"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(stage.read("sum.lop.c").contains("return x - x;"), "{end}");
}
