//! Where a command fails, as its message says: the first question keeps what that place needs.

use crate::shell::Stage;

const PROGRAM: &str = "int far(void) { return 1; }\nint used(void) { return 2; }\nint f(void) {\n  int x = used();\n  return missing_name + x;\n}\nint last(void) { return far(); }\n";

/// The first candidate's question.
fn first_question(out: &str) -> &str {
    let found = out.lines().find(|line| line.starts_with("1: "));
    found.unwrap_or_else(|| panic!("no question: {out}"))
}

#[test]
fn the_message_of_a_compiler_names_the_place() {
    let stage = Stage::new();
    stage.write("bug.c", PROGRAM);
    let end = stage.lop(&["bug.c", "--verbose", "--", "cc", "-c", "{}", "-o", "out.o"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("place 5:10"), "{end}");
    let first = first_question(&end.out);
    let question = "Can all go but what the place of the failure needs?";
    assert!(first.contains(question), "{end}");
    assert!(first.contains("2 of 4 declarations stay"), "{end}");
}

#[test]
fn a_line_of_the_message_may_be_that_of_a_line_marker() {
    let stage = Stage::new();
    let program = format!("# 1 \"other.h\"\nint other;\n# 40 \"src.c\"\n{PROGRAM}");
    stage.write("bug.c", &program);
    let end = stage.lop(&["bug.c", "--verbose", "--", "cc", "-c", "{}", "-o", "out.o"]);
    assert!(end.out.contains("place 8:10"), "{end}");
    assert!(
        first_question(&end.out).contains("2 of 5 declarations stay"),
        "{end}"
    );
}

#[test]
fn with_a_script_the_user_names_the_place_and_a_resumed_run_knows_it() {
    let stage = Stage::new();
    stage.write("bug.c", PROGRAM);
    stage.test("find.sh", "grep -q missing_name bug.c");
    let line = [
        "bug.c",
        "./find.sh",
        "--verbose",
        "--place",
        "bug.c:5",
        "--session",
        "kept",
    ];
    let end = stage.lop(&[&line[..], &["--command", "until size 20"]].concat());
    assert!(end.out.contains("place 5:3"), "{end}");
    assert!(
        first_question(&end.out).contains("2 of 4 declarations stay"),
        "{end}"
    );
    let header = stage.read("kept/journal.jsonl");
    assert!(header.contains("place 5:3"), "{header}");
    let plain = stage.lop(&[
        "bug.c",
        "./find.sh",
        "--verbose",
        "--no-session",
        "-o",
        "plain.c",
    ]);
    assert!(!plain.out.contains("the place of the failure"), "{plain}");
}
