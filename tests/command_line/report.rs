//! `lop report`: (a session, what is in the report of it, what is not).

use std::fs;
use std::process::Command;

use crate::project::{Files, read_all};
use crate::shell::{End, Stage};

const WARNS: &str = "# It looks for: a warning about division\ncc -Wall -c \"$1\" -o bug.o 2>&1 | grep 'division by zero'";
const DIVIDES: &str = "int spare;\nint divide(int a)\n{\n    return a / 0;\n}\n";

/// A stage with a program, a test with these commands, and the reduction.
fn reduced(program: &str, commands: &str) -> Stage {
    let stage = Stage::new();
    stage.write("bug.c", program);
    stage.test("warns.sh", commands);
    let end = stage.lop(&["bug.c", "warns.sh"]);
    assert_eq!(end.status, 0, "{end}");
    stage
}

/// `lop report` for the user `zorba`, whose home directory is that of the stage.
fn report(stage: &Stage, more: &[&str]) -> End {
    let home = stage.path("").display().to_string();
    let user = [("HOME", home.trim_end_matches('/')), ("USER", "zorba")];
    stage.lop_with(&[&["report", "--output", "out"], more].concat(), &user)
}

fn files_of(stage: &Stage) -> Files {
    read_all(&stage.path("out"))
}

#[test]
fn a_stranger_can_run_the_test_of_a_report_on_its_result() {
    let stage = reduced(DIVIDES, WARNS);
    let end = report(&stage, &[]);
    assert_eq!(end.status, 0, "{end}");
    let files = files_of(&stage);
    let names: Vec<&String> = files.keys().collect();
    assert_eq!(
        names,
        ["replay.html", "report.md", "result/bug.c", "test.sh"]
    );
    assert_eq!(files["result/bug.c"], stage.read("bug.lop.c"));
    let page = &files["report.md"];
    for said in [
        "# a warning about division\n",
        "`bug.c`:\n\n```c\n",
        "\n```sh\n#!/bin/sh\n",
        "[-Wdiv-by-zero]",
        "\n- `cc`: cc (",
        "What is proven of the result: 1-tree-minimal",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    // Tests run below a directory that is no stranger's business.
    assert!(page.contains("\nbug.c:"), "{page}");
    assert!(!page.contains("What was replaced"), "{page}");
    let ran = Command::new("../test.sh")
        .arg("bug.c")
        .current_dir(stage.path("out/result"))
        .status();
    assert!(ran.expect("it runs").success());
}

#[test]
fn commands_become_a_script_for_a_stranger() {
    let stage = Stage::new();
    stage.write("bug.c", "int spare;\nint f(void) { return missing; }\n");
    let end = stage.lop(&["bug.c", "--", "cc", "-c", "{}"]);
    assert_eq!(end.status, 0, "{end}");
    let end = report(&stage, &["--contrast"]);
    assert_eq!(end.status, 0, "{end}");
    let page = &files_of(&stage)["report.md"];
    assert!(page.starts_with("# error: "), "{page}");
    assert!(page.contains("### What the bug needs"), "{page}");
    let ran = Command::new("../test.sh")
        .arg("bug.c")
        .current_dir(stage.path("out/result"))
        .output();
    assert!(ran.expect("it runs").status.success());
}

#[test]
fn no_file_of_a_report_names_the_home_directory_or_the_user() {
    let stage = Stage::new();
    let home = stage.path("").display().to_string();
    let home = home.trim_end_matches('/');
    let program = format!("/* zorba */\nchar *log = \"{home}/log\";\nint zorba2 = 1 / 0;\n");
    stage.write("bug.c", &program);
    let test = format!(
        "# zorba\ncd {home} && cd - >/dev/null\n{WARNS} && grep '/log' bug.c && grep -q zorba2 bug.c && echo at {home}/x"
    );
    stage.test("warns.sh", &test);
    let end = stage.lop(&["bug.c", "warns.sh"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(stage.read("bug.lop.c").contains("/log"), "{end}");
    let end = report(&stage, &[]);
    assert_eq!(end.status, 0, "{end}");
    let files = files_of(&stage);
    for (name, text) in &files {
        assert!(!text.contains(home), "{name}: {text}");
        let without = text.replace("zorba2", "");
        assert!(!without.contains("zorba"), "{name}: {text}");
    }
    assert!(files["replay.html"].contains("/home/USER/log"));
    // It is told where, and a program that would not show the bug any more is none.
    assert!(files["report.md"].contains("\n- test.sh, line 2: the name of the user, now `USER`\n"));
    assert!(end.err.contains("lop: test.sh, line 2: "), "{end}");
}

#[test]
fn a_program_that_needs_a_name_is_reported_as_it_is_or_not_at_all() {
    let stage = reduced(
        &DIVIDES.replace("spare", "zorba"),
        &format!("{WARNS} && grep -q zorba bug.c"),
    );
    let refused = report(&stage, &[]);
    assert_eq!(refused.status, 1, "{refused}");
    for said in ["bug.c, line 1: the name of the user", "--keep-names"] {
        assert!(refused.err.contains(said), "{said}: {refused}");
    }
    assert!(!stage.path("out").exists());
    let kept = report(&stage, &["--keep-names"]);
    assert_eq!(kept.status, 0, "{kept}");
    let files = files_of(&stage);
    assert_eq!(files["result/bug.c"], stage.read("bug.lop.c"));
    assert!(files["test.sh"].contains("grep -q zorba"));
    assert!(kept.err.contains("look before you send it"), "{kept}");
    // Without a test nobody knows, and the page says so.
    let untested = report(&stage, &["--no-run", "--markdown"]);
    let untested = match untested.status {
        2 => stage.lop_with(&["report", "--no-run", "--markdown"], &[("USER", "zorba")]),
        _ => untested,
    };
    assert_eq!(untested.status, 0, "{untested}");
    assert!(untested.out.contains("USER"), "{untested}");
    assert!(
        untested.out.contains("The program was not tested since."),
        "{untested}"
    );
}

#[test]
fn a_session_needs_neither_its_end_nor_its_file() {
    let stage = Stage::new();
    stage.write("bug.c", DIVIDES);
    stage.test("warns.sh", WARNS);
    let end = stage.lop(&["bug.c", "warns.sh", "--command", "until size 15"]);
    assert_eq!(end.status, 130, "{end}");
    fs::remove_file(stage.path("bug.c")).expect("removed");
    let end = report(&stage, &[]);
    assert_eq!(end.status, 0, "{end}");
    let page = &files_of(&stage)["report.md"];
    assert!(
        page.contains("What is proven of the result: not proven minimal"),
        "{page}"
    );
    // A report is of what was tested.
    stage.replace_test("warns.sh", "true");
    fs::remove_dir_all(stage.path("out")).expect("removed");
    let changed = report(&stage, &[]);
    assert_eq!(changed.status, 2, "{changed}");
    assert!(changed.err.contains("the test has changed"), "{changed}");
}

#[test]
fn a_pair_is_reported_with_both_programs_and_both_tests() {
    let stage = Stage::new();
    stage.write("seed.c", "int f(int x) { return x; }\nint g;\n");
    stage.write("variant.c", "int f(int x) { return x / 0; }\nint g;\n");
    stage.test("good.sh", "cc -c seed.c");
    stage.test("bad.sh", "cc -c variant.c 2>&1 | grep 'division by zero'");
    let end = stage.lop(&["pair", "seed.c", "variant.c", "good.sh", "bad.sh"]);
    assert_eq!(end.status, 0, "{end}");
    let refused = report(&stage, &["--contrast"]);
    assert_eq!(refused.status, 2, "{refused}");
    assert!(
        refused.err.contains("--contrast explains one program"),
        "{refused}"
    );
    let end = report(&stage, &[]);
    assert_eq!(end.status, 0, "{end}");
    let files = files_of(&stage);
    let names: Vec<&String> = files.keys().collect();
    let result = [
        "result/difference.diff",
        "result/seed.c",
        "result/variant.c",
    ];
    let all = [
        &["replay.html", "report.md"][..],
        &result,
        &["test-seed.sh", "test-variant.sh"],
    ];
    assert_eq!(names, all.concat());
}

#[test]
fn a_project_is_reported_with_the_files_that_are_left() {
    let stage = Stage::new();
    fs::create_dir(stage.path("src")).expect("a directory");
    stage.write("src/a.c", "#include \"b.h\"\nint x = 1 / 0;\n");
    stage.write("src/b.h", "int f(int);\n");
    stage.test("warns.sh", "cc -c a.c 2>&1 | grep 'division by zero'");
    let end = stage.lop(&["src", "./warns.sh"]);
    assert_eq!(end.status, 0, "{end}");
    let end = report(&stage, &[]);
    assert_eq!(end.status, 0, "{end}");
    let names: Vec<String> = files_of(&stage).into_keys().collect();
    assert_eq!(names, ["replay.html", "report.md", "result/a.c", "test.sh"]);
}

#[test]
fn choices_are_reported_with_the_program_that_the_generator_makes() {
    let stage = Stage::new();
    fs::write(stage.path("c.bin"), [7, 200, 3, 9]).expect("a file");
    stage.test(
        "make.sh",
        "test -s \"$1\" || exit 125; printf 'int x = %d / 0;\\n' $(wc -c <\"$1\")",
    );
    stage.test("warns.sh", "cc -c bug.c 2>&1 | grep 'division by zero'");
    let line = [
        "c.bin",
        "warns.sh",
        "--generator",
        "./make.sh {}",
        "--as",
        "bug.c",
    ];
    let end = stage.lop(&line);
    assert_eq!(end.status, 0, "{end}");
    let end = report(&stage, &[]);
    assert_eq!(end.status, 0, "{end}");
    let result = read_all(&stage.path("out/result"));
    assert_eq!(result.keys().collect::<Vec<_>>(), ["bug.c", "c.bin"]);
    assert_eq!(result["bug.c"], stage.read("bug.lop.c"));
    let page = stage.read("out/report.md");
    assert!(page.contains("```c\nint x = "), "{page}");
}
