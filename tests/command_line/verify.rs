//! `lop verify` on the command line, and what it checks.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use crate::shell::Stage;
use lop::verify::{
    CheckedFile, MinimalityCandidate, MinimalityReport, check_minimality, check_minimality_as_text,
};
use rustix::process::Signal;

/// Checks a file with a test of its text; the report, and every text that the test saw.
fn checked(name: &str, text: &str, test: impl Fn(&str) -> bool) -> (MinimalityReport, Vec<String>) {
    let source =
        CheckedFile::from_text(Path::new(name), Arc::from(text.as_bytes())).expect("a file");
    let mut seen = Vec::new();
    let report = check_minimality(&source, |bytes| {
        let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
        let interesting = test(&text);
        seen.push(text);
        Ok::<_, Infallible>(interesting)
    });
    (report.expect("no error"), seen)
}

fn steps(all: &[MinimalityCandidate]) -> Vec<&str> {
    all.iter().map(|one| one.step.as_str()).collect()
}

#[test]
fn a_result_of_lop_is_minimal() {
    let stage = Stage::new();
    stage.write(
        "bug.c",
        "int spare;\nint main(void) { bug(1); return 0; }\n",
    );
    stage.test("any.sh", "grep -q 'bug(' \"$1\"");
    stage.lop(&["bug.c", "any.sh"]);
    let end = stage.lop(&["verify", "bug.lop.c", "any.sh"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("bug.lop.c is minimal"), "{end}");
    assert!(!end.out.contains("can go, which"), "{end}");
}

#[test]
fn what_can_still_go_is_named_with_its_line_and_what_is_left() {
    let stage = Stage::new();
    stage.write("bug.c", "int bug;\nint f(void) { return 1; }\n");
    let end = stage.lop(&["verify", "bug.c", "test.sh"]);
    assert_eq!(end.status, 1, "{end}");
    for line in [
        "bug.c:2: `void` can go, which leaves `int f() { return 1; }`",
        "bug.c:2: `int f(void) { return 1; }` can go, which leaves nothing of the line",
        "bug.c:2: `int f(void) { return 1; }` can be `{ return 1; }`, which leaves `{ return 1; }`",
        "not counted, as they have new syntax errors: 6 other candidates, of which 6 are interesting",
        "bug.c is not minimal",
    ] {
        assert!(end.out.lines().any(|said| said == line), "{line}: {end}");
    }
    assert!(
        !end.out.contains("bug.c:1: the token `bug`"),
        "it is needed: {end}"
    );
}

#[test]
fn a_statement_in_place_of_the_one_around_it_is_tried_in_python_too() {
    // There a simple statement stands in a list of its own, with its semicolons and the end of the line.
    let text = "def f(a):\n    print(a)\n    if a == 1: a\n    else: a // b\n";
    let needs = |text: &str| text.contains("print(a)\n") && text.contains("a // b");
    let (report, _) = checked("a.py", text, needs);
    let smaller = "`if a == 1: a else: a // b` can be `a // b`";
    assert!(
        steps(&report.violations).contains(&smaller),
        "{:?}",
        steps(&report.violations)
    );
}

#[test]
fn a_file_that_is_not_interesting_is_not_checked() {
    let stage = Stage::new();
    stage.write("bug.c", "int other;\n");
    let end = stage.lop(&["verify", "bug.c", "test.sh"]);
    assert_eq!(end.status, 1, "{end}");
    assert!(end.err.contains("does not find bug.c interesting"), "{end}");
}

#[test]
fn a_test_that_fails_ends_the_check() {
    let stage = Stage::new();
    stage.test("fails.sh", "grep -q 'int stay' bug.c && exit 0; exit 127");
    let end = stage.lop(&["verify", "bug.c", "fails.sh"]);
    assert_eq!(end.status, 3, "{end}");
    assert!(end.err.contains("127"), "{end}");
}

#[test]
fn a_signal_ends_the_check() {
    let stage = Stage::new();
    stage.pipe("here");
    stage.test(
        "hangs.sh",
        &format!(
            "grep -q stay bug.c && exit 0\necho >'{}'\nexec tail -f /dev/null",
            stage.path("here").display()
        ),
    );
    let mut run = stage.start(&["verify", "bug.c", "hangs.sh"]);
    stage.read("here");
    run.signal(Signal::TERM);
    let page = run.rest();
    assert_eq!((run.wait(), page.as_str()), (143, ""));
}

#[test]
fn each_token_is_deleted_once_and_nothing_grows_together() {
    let (report, seen) = checked("a.c", "int a;", |_| false);
    assert!(report.is_minimal());
    assert_eq!(report.tokens.tried + report.broken_tokens.tried, 3);
    for text in [" a;", "int ;", "int a"] {
        assert!(seen.iter().any(|seen| seen == text), "{text}: {seen:?}");
    }
    let (_, seen) = checked("a.c", "int x = a+(b);", |_| false);
    assert!(seen.contains(&"int x = a+ b);".into()) || seen.contains(&"int x = a+b);".into()));
    let (_, seen) = checked("a.c", "int x = a-(-b);", |_| false);
    assert!(
        seen.iter().all(|text| !text.contains("--")),
        "a new token: {seen:?}"
    );
}

#[test]
fn candidates_with_more_syntax_errors_do_not_make_a_file_less_minimal() {
    let (report, _) = checked("a.c", "{ bug(); }\n", |text| text.contains("bug("));
    assert_eq!(report.tokens.tried, 0, "each token is needed: {report:?}");
    assert_eq!(
        (report.broken_tokens.tried, report.broken_tokens.interesting),
        (6, 4),
        "without a brace, `)` or `;`: {report:?}"
    );
    assert!(report.is_minimal(), "{report:?}");
    assert!(report.parts.interesting == 0 && report.parts.tried > 0);
}

#[test]
fn a_token_may_go_where_no_part_of_the_tree_can() {
    let (report, _) = checked("a.c", "int bug;", |text| text.contains("bug"));
    assert_eq!(
        report.parts.interesting, 0,
        "the tree has nothing to let go: {report:?}"
    );
    assert!(report.is_minimal(), "{report:?}");
    assert_eq!(steps(&report.loose_tokens), ["the token `int` can go"]);

    let stage = Stage::new();
    stage.write("a.c", "int bug;\n");
    stage.test("any.sh", "grep -q bug \"$1\"");
    let end = stage.lop(&["verify", "a.c", "any.sh"]);
    assert_eq!(end.status, 0, "{end}");
    for line in [
        "a.c:1: the token `int` can go, which leaves `bug;` (also interesting, though no edit of the tree)",
        "a.c is minimal: no single part of the tree can go; 1 single token could, but no edit of the tree does that",
    ] {
        assert!(end.out.lines().any(|said| said == line), "{line}: {end}");
    }
}

#[test]
fn as_text_what_the_parser_misreads_can_go() {
    // It reads the function as a call and a block: neither can go alone.
    let text = "f(){}\nbug;\n";
    let test = |text: &str| text.contains("bug") && text.contains("f()") == text.contains("{}");
    let (report, _) = checked("a.c", text, test);
    assert!(report.is_minimal(), "by its tree: {report:?}");

    let stage = Stage::new();
    stage.write("a.c", text);
    stage.test(
        "any.sh",
        "grep -q bug \"$1\" && test $(grep -c 'f()' \"$1\") = $(grep -c '{}' \"$1\")",
    );
    let end = stage.lop(&["verify", "--text", "a.c", "any.sh"]);
    assert_eq!(end.status, 1, "{end}");
    for line in [
        "a.c:1: the tokens `f(){}` can go, which leaves nothing of the line",
        "a.c is not minimal",
    ] {
        assert!(end.out.lines().any(|said| said == line), "{line}: {end}");
    }
}

#[test]
fn as_text_only_what_the_language_reads_counts() {
    let check = |name: &str, text: &str, needs: &'static str| {
        let source =
            CheckedFile::from_text(Path::new(name), Arc::from(text.as_bytes())).expect("a file");
        let report = check_minimality_as_text(&source, |bytes| {
            Ok::<_, Infallible>(String::from_utf8_lossy(bytes).contains(needs))
        });
        let report = report.expect("no error");
        let steps = steps(&report.violations).into_iter();
        steps.map(str::to_owned).collect::<Vec<_>>()
    };
    // Both brackets of a pair; from one body to the next.
    let of_c = check("a.c", "f(bug);", "bug");
    assert!(
        of_c.contains(&"the brackets `(` and `)` can go".into()),
        "{of_c:?}"
    );
    let of_c = check("a.c", "f(int) { } g() { bug; }", "bug");
    assert!(
        of_c.contains(&"the tokens `} g() {` can go".into()),
        "{of_c:?}"
    );
    // Without its body the `if` is an error, in the parser of a language that is not misread.
    assert!(
        check("a.js", "if (bug) ;", "bug)")
            .iter()
            .all(|step| step != "the token `;` can go")
    );
    assert!(check("a.c", "if (bug) ;", "bug)").contains(&"the token `;` can go".into()));
}

#[test]
fn a_block_of_python_keeps_a_statement() {
    let program = "def bug():\n    pass\n";
    let (report, _) = checked("a.py", program, |text| text.contains("def bug("));
    assert!(report.is_minimal(), "{report:?}");
    assert_eq!(steps(&report.loose_tokens), ["the token `pass` can go"]);
    // One of two may go, whichever.
    let program = "def bug():\n    one\n    two\n";
    let (report, _) = checked("a.py", program, |text| text.contains("def bug("));
    let gone = ["`one` can go", "`two` can go"];
    assert!(
        gone.iter()
            .all(|step| steps(&report.violations).contains(step)),
        "{report:?}"
    );
}

#[test]
fn lines_of_python_move_with_their_block() {
    let program =
        "if a:\n    if b:\n        bug()\n        while c:\n            s = '''\n        d'''\n";
    let moved = [
        "if a:\n    while c:\n        s = '''\n        d'''\n",
        "if b:\n    bug()\n    while c:\n        s = '''\n        d'''\n",
    ];
    let (report, seen) = checked("a.py", program, |text| moved.contains(&text));
    for text in moved {
        assert!(seen.iter().any(|seen| seen == text), "{text}: {seen:#?}");
    }
    assert_eq!(report.violations.len(), 2, "{report:?}");
}

#[test]
fn elements_of_a_separated_list_go_with_a_separator() {
    let (report, seen) = checked("a.c", "int x = f(one, two, three);\n", |_| false);
    assert!(report.is_minimal());
    for list in ["f(two, three)", "f(one, three)", "f(one, two)"] {
        assert!(
            seen.iter().any(|text| text.contains(list)),
            "{list}: {seen:#?}"
        );
    }
}

#[test]
fn a_node_is_replaced_by_descendants_of_at_most_four_levels() {
    let (_, seen) = checked(
        "a.c",
        "void f(void) { if (a) { while (b) g(); } }\n",
        |_| false,
    );
    for body in ["{ { while (b) g(); } }", "{ while (b) g(); }", "{ g(); }"] {
        assert!(
            seen.iter().any(|text| text.contains(body)),
            "{body}: {seen:#?}"
        );
    }
    let deep = "void f(void) { {{{{{{ g(); }}}}}} }\n";
    let (_, seen) = checked("a.c", deep, |_| false);
    let statement = |text: &String| text.contains("void f(void) { g(); }");
    assert!(!seen.iter().any(statement), "six levels below: {seen:#?}");
}

#[test]
fn same_bytes_are_tested_once() {
    let (report, seen) = checked("a.c", "int a;\n;\n", |_| false);
    let mut once = seen.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), seen.len(), "{seen:?}");
    assert_eq!(report.tests as usize, seen.len());
    assert!(
        report.tests < report.tokens.tried + report.broken_tokens.tried + report.parts.tried,
        "the `;` is a token and a statement: {report:?}"
    );
}

#[test]
fn text_of_an_unknown_language_is_checked_by_tokens_and_lines() {
    let (report, seen) = checked("a.txt", "spare words\nbug\n", |text| text.contains("bug"));
    assert_eq!(report.tokens.tried, 3);
    assert!(seen.contains(&"bug\n".into()), "{seen:?}");
    assert_eq!(report.parts.interesting, 1);
    assert!(!report.is_minimal());
}

#[test]
fn what_does_not_parse_may_lose_any_child() {
    let (report, seen) = checked("a.c", "int a; @ @ int b;\n", |_| false);
    assert!(report.is_minimal());
    assert!(seen.iter().any(|text| !text.contains("int a;")), "{seen:?}");
    assert!(
        report.tokens.tried > 0,
        "an error less is no error more: {report:?}"
    );
}
