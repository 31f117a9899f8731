//! `lop contrast` on the command line, with a real compiler.

use crate::shell::Stage;
use crate::shell::terminal::Session;

/// What a compiler says of the program.
const WARNS: &str = "cc -Wall -c bug.c -o bug.o 2>&1 | grep -q 'division by zero'";
const DIVIDES: &str = "int spare;\nint divide(int a)\n{\n    return a / 0;\n}\n";

/// A directory with a program that the compiler warns of, its test and its reduction.
fn reduced() -> Stage {
    let stage = Stage::new();
    stage.write("bug.c", DIVIDES);
    stage.test("warns.sh", WARNS);
    let end = stage.lop(&["bug.c", "warns.sh"]);
    assert_eq!(end.status, 0, "{end}");
    stage
}

#[test]
fn a_reduced_program_is_explained_by_its_neighbours() {
    let stage = reduced();
    let end = stage.lop(&["contrast", "bug.lop.c", "warns.sh"]);
    assert_eq!(end.status, 0, "{end}");
    // The compiler agrees: with 1 there is no warning, and with another name there is.
    for said in [
        "with `1` for `0` it works",
        "identifier for `divide` also fails (tried: `x`, ",
        "valid is what this command accepts: cc -fsyntax-only -w {}",
        "E essential, F free in its kind, C only needed to compile, ? unknown",
    ] {
        assert!(end.out.contains(said), "{said}: {end}");
    }
    // The test knows the program as bug.c, and the session some of the verdicts.
    assert!(!end.out.contains(", 0 known verdicts"), "{end}");
    assert!(!end.out.contains('\x1b'), "no colours in a file: {end}");
    let letters = letters_below(&end.out, "/ 0;");
    assert!(letters.ends_with("EC"), "{letters}: {end}");
}

/// The letters below the first line that contains this text, from there on, without blanks.
fn letters_below(page: &str, text: &str) -> String {
    let lines: Vec<&str> = page.lines().collect();
    let at = lines
        .iter()
        .position(|line| line.contains(text))
        .expect(text);
    let column = lines[at].find(text).expect(text);
    lines[at + 1][column..].split_whitespace().collect()
}

#[test]
#[ignore = "long"]
fn the_report_does_not_depend_on_the_number_of_jobs() {
    let stage = reduced();
    let page = |jobs| {
        stage
            .lop(&["contrast", "bug.lop.c", "warns.sh", "--jobs", jobs])
            .out
    };
    assert_eq!(page("1"), page("3"));
}

#[test]
fn a_section_for_a_bug_report_is_markdown() {
    let stage = reduced();
    let end = stage.lop(&["contrast", "bug.lop.c", "warns.sh", "--markdown"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.starts_with("### What the bug needs\n\n- "), "{end}");
    for line in ["  ```diff", "  ```", "```"] {
        assert!(end.out.lines().any(|said| said == line), "{line}: {end}");
    }
    assert_eq!(end.out.matches("```").count() % 2, 0, "{end}");
}

#[test]
fn a_program_reads_one_object() {
    let stage = reduced();
    let end = stage.lop(&["contrast", "bug.lop.c", "warns.sh", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&end.out).expect("JSON");
    let tokens = object["tokens"].as_array().expect("tokens");
    let role = |text: &str| {
        let token = tokens.iter().find(|token| token["text"] == text);
        token.expect(text)["role"]
            .as_str()
            .expect("a role")
            .to_owned()
    };
    assert_eq!(
        (&*role("0"), &*role("divide"), &*role(";")),
        ("essential", "free", "compile"),
        "{end}"
    );
    let outcome = |new: &str| {
        let mut neighbours = object["neighbours"].as_array().expect("neighbours").iter();
        let neighbour = neighbours.find(|one| one["old"] == "0" && one["new"] == new);
        neighbour.expect(new)["outcome"].clone()
    };
    assert_eq!(outcome("1"), "works", "{end}");
}

#[test]
fn a_command_says_what_is_valid_and_a_check_too() {
    let stage = Stage::new();
    stage.write("bug.c", "static int a;\n");
    stage.test("static.sh", "grep -q static bug.c");
    // A command that accepts nothing else: all is needed for it alone.
    let end = stage.lop(&[
        "contrast",
        "bug.c",
        "static.sh",
        "--",
        "grep",
        "static",
        "{}",
    ]);
    assert!(
        end.out
            .contains("valid is what this command accepts: grep static {}"),
        "{end}"
    );
    assert!(end.out.contains(" 0 essential"), "{end}");
    let end = stage.lop(&[
        "contrast",
        "bug.c",
        "static.sh",
        "--check",
        "cc -c {} -o a.o",
    ]);
    assert!(end.out.contains("without `static` it works"), "{end}");
    assert!(
        end.out.contains("and 0 checks"),
        "the test has the check: {end}"
    );
}

#[test]
fn the_failure_of_a_command_is_explained_by_when_it_succeeds() {
    let stage = Stage::new();
    stage.write("bug.c", "int main(void) { return undeclared; }\n");
    let end = stage.lop(&["contrast", "bug.c", "--", "cc", "-c", "{}", "-o", "a.o"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("without `undeclared` it works"), "{end}");
}

#[test]
fn where_nobody_knows_what_is_valid_the_report_says_so() {
    let stage = Stage::new();
    stage.write("notes.txt", "keep this\n");
    stage.test("keeps.sh", "grep -q keep \"$1\"");
    let end = stage.lop(&["contrast", "notes.txt", "keeps.sh"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("without `keep` the bug is gone"), "{end}");
    assert!(
        end.out
            .contains("it is not known which neighbours are valid"),
        "{end}"
    );
}

#[test]
fn a_file_that_is_not_interesting_has_no_contrast() {
    let stage = Stage::new();
    stage.write("bug.c", "int other;\n");
    let end = stage.lop(&["contrast", "bug.c", "test.sh"]);
    assert_eq!(end.status, 1, "{end}");
    assert!(end.err.contains("does not find bug.c interesting"), "{end}");
}

#[test]
fn a_terminal_shows_essential_tokens_in_inverse_unless_colours_are_unwanted() {
    let stage = Stage::new();
    stage.write("bug.c", "static int a;\n");
    stage.test("static.sh", "grep -q static bug.c");
    let shown = || {
        let mut session = Session::start(&stage, &["contrast", "bug.c", "static.sh"]);
        while session.read() {}
        String::from_utf8_lossy(&session.all).into_owned()
    };
    assert!(shown().contains("\x1b[1;7mstatic\x1b[0m"), "{}", shown());
    stage.write("no-colour", "1");
    assert!(!shown().contains("\x1b[1;7m"), "{}", shown());
}

#[test]
fn a_program_that_is_not_reduced_is_too_large() {
    let stage = Stage::new();
    stage.write("bug.c", &format!("int bug;\n{}", "int more;\n".repeat(400)));
    let end = stage.lop(&["contrast", "bug.c", "test.sh"]);
    assert_eq!(end.status, 2, "{end}");
    assert!(end.err.contains("bug.c has 1,203 tokens"), "{end}");
    assert!(end.err.contains("reduce it first"), "{end}");
}

#[test]
#[ignore = "long"]
fn the_screen_explains_the_result_with_what_the_run_has_tested() {
    let stage = Stage::new();
    stage.write("bug.c", DIVIDES);
    let log = stage.path("log");
    stage.test("warns.sh", &format!("echo >>{}\n{WARNS}", log.display()));
    let mut lop = Session::start(&stage, &["bug.c", "warns.sh"]);
    lop.wait_for("othing is left to try");
    let before = stage.read("log").len();
    lop.send("c");
    lop.wait_for("with `1` for `0` it works");
    let asked = stage.read("log").len() - before;
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 0, "{text}");
    // The command, which knows the same, asks as much.
    let end = stage.lop(&["contrast", "bug.lop.c", "warns.sh"]);
    let counts = format!("\n{asked} tests, ");
    assert!(end.out.contains(&counts), "{counts}: {end}");
    assert!(!end.out.contains(", 0 known verdicts"), "{end}");
}

#[test]
fn who_leaves_the_screen_ends_the_comparison() {
    let stage = Stage::new();
    stage.write("bug.c", DIVIDES);
    let hang = stage.path("hang");
    let line = format!("[ ! -e {} ] || sleep 1000\n{WARNS}", hang.display());
    stage.test("warns.sh", &line);
    std::fs::create_dir(stage.path("scratch")).expect("a directory");
    let line = [
        "bug.c",
        "warns.sh",
        "--scratch",
        "scratch",
        "--timeout",
        "0",
    ];
    let mut lop = Session::start(&stage, &line);
    lop.wait_for("othing is left to try");
    stage.write("hang", "");
    lop.send("c");
    lop.wait_for("neighbours tested");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 0, "{text}");
    let left: Vec<_> = std::fs::read_dir(stage.path("scratch"))
        .expect("a directory")
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
