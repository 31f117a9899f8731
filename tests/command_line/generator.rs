//! `lop FILE TEST --generator COMMAND --as NAME`: a real generator of C programs, and a real compiler.

use std::fs;

use crate::shell::{End, Stage};

/// Makes a function in C out of bytes; it exits with 125 where it wants more of them than there are.
const GENERATOR: &str = r#"#include <stdio.h>
#include <stdlib.h>
static FILE *in;
static int next(int n) { int c = getc(in); if (c == EOF) exit(125); return c % n; }
static void expression(void) {
  switch (next(6)) {
  case 0: printf("1"); break;
  case 1: printf("x"); break;
  case 2: expression(); printf(" + "); expression(); break;
  case 3: printf("("); expression(); printf(")"); break;
  case 4: printf("f("); expression(); printf(")"); break;
  default: printf("y%d", next(3)); break;
  }
}
static void statements(void) {
  while (next(4)) {
    switch (next(3)) {
    case 0: printf("x = "); expression(); printf(";\n"); break;
    case 1: printf("if ("); expression(); printf(") {\n"); statements(); printf("}\n"); break;
    default: printf("f("); expression(); printf(");\n"); break;
    }
  }
}
int main(int argc, char **argv) {
  in = fopen(argv[1], "rb");
  printf("int f(int x) {\n"); statements(); printf("return x;\n}\n");
  return 0;
}
"#;

/// `x = y0; if ((1 + x)) { f(f(y1)); } x = 1;`, and bytes that nobody reads.
const CHOICES: &[u8] = &[
    9, 3, 5, 3, // x = y0;
    2, 4, 9, 8, 0, 7, // if ((1 + x)) {
    255, 254, 250, 16, 11, 4, // f(f(y1));
    0, // }
    1, 6, 0, 0, // x = 1;
    0, 10, 13, 255, 0, 200, 1, 2, 3, 4, 5, 6, 7, 8, 9, // unread
];

const LINE: [&str; 6] = [
    "c.bin",
    "undeclared.sh",
    "--generator",
    "./gen {}",
    "--as",
    "bug.c",
];

/// With the generator, a sequence, and a test that wants an error of the compiler.
fn stage() -> Stage {
    let stage = Stage::new();
    stage.write("gen.c", GENERATOR);
    let built = stage.program("cc", &["-o", "gen", "gen.c"]).status();
    assert!(built.expect("a compiler").success());
    fs::write(stage.path("c.bin"), CHOICES).expect("a sequence");
    stage.test(
        "undeclared.sh",
        "LC_ALL=C cc -fsyntax-only bug.c 2>&1 | grep -q \"'y1' undeclared\"",
    );
    stage
}

fn lop(stage: &Stage, more: &[&str]) -> End {
    stage.lop(&[&LINE[..], more].concat())
}

/// The result, and the program that it makes.
#[track_caller]
fn assert_reduced(stage: &Stage) {
    assert_eq!(
        fs::read(stage.path("c.lop.bin")).expect("a result"),
        [1, 0, 5, 1, 0]
    );
    assert_eq!(
        stage.read("bug.lop.c"),
        "int f(int x) {\nx = y1;\nreturn x;\n}\n"
    );
}

#[test]
#[ignore = "long"]
fn a_sequence_becomes_small_and_its_program_lies_beside_it() {
    let stage = stage();
    let end = lop(&stage, &["--plain"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("c.bin: 36 choices, of which /"), "{end}");
    assert!(
        end.out
            .contains("the result is in c.lop.bin, and the program that it makes in bug.lop.c"),
        "{end}"
    );
    assert!(end.out.contains("choices from 36 to 5 (13.9 %)\n"), "{end}");
    assert_reduced(&stage);
    assert_eq!(fs::read(stage.path("c.bin")).expect("the input"), CHOICES);
    for jobs in ["1", "5"] {
        let end = lop(&stage, &["--jobs", jobs, "--json"]);
        assert!(end.out.contains("\"bytes_after\":5"), "{end}");
        assert_reduced(&stage);
    }
    // What was there is kept.
    assert!(
        stage.names().contains(&"bug.lop.1.c".to_owned()),
        "{:?}",
        stage.names()
    );
}

#[test]
fn a_command_sees_the_program_too() {
    let stage = stage();
    let line = ["--generator", "./gen", "--as", "bug.c", "-o", "out.bin"];
    let line = [
        &["c.bin"][..],
        &line,
        &["--grep", "y1", "--", "cc", "-fsyntax-only", "bug.c"],
    ]
    .concat();
    let end = stage.lop_with(&line, &[("LC_ALL", "C")]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(
        fs::read(stage.path("out.bin")).expect("a result"),
        [1, 0, 5, 1, 0]
    );
    assert!(stage.read("bug.lop.c").contains("x = y1"));
}

#[test]
fn in_place_keeps_the_original_sequence() {
    let stage = stage();
    let end = lop(&stage, &["--in-place"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(
        fs::read(stage.path("c.bin")).expect("a result"),
        [1, 0, 5, 1, 0]
    );
    assert_eq!(
        fs::read(stage.path("c.bin.orig")).expect("the original"),
        CHOICES
    );
    assert!(stage.read("bug.lop.c").contains("x = y1"));
}

#[test]
fn a_killed_run_resumes_without_its_options() {
    let stage = stage();
    // Until there is a file `go`, it has no end where the result is near.
    let here = stage.path(".").canonicalize().expect("a directory");
    let slow = "HERE/undeclared.sh || exit 1; [ $(wc -l <bug.c) -gt 4 ] || [ -e HERE/go ] || exec tail -f /dev/null";
    stage.test(
        "slow.sh",
        &slow.replace("HERE", &here.display().to_string()),
    );
    let line = [
        &LINE[..1],
        &["slow.sh"],
        &LINE[2..],
        &["--json", "--timeout", "0", "--jobs", "1"],
    ];
    let mut run = stage.start(&line.concat());
    run.until_taken();
    // The program is written first. When it waits, both files hold its newest version: they belong together.
    let settled = || fs::read(stage.path("c.lop.bin")).is_ok_and(|bytes| bytes.len() == 12);
    while !settled() {
        std::thread::yield_now();
    }
    run.kill();
    let made = stage.program("./gen", &["c.lop.bin"]).output();
    let made = made.expect("a program").stdout;
    assert_eq!(String::from_utf8_lossy(&made), stage.read("bug.lop.c"));
    stage.write("go", "");
    let end = stage.lop(&["resume", "--plain"]);
    assert_eq!(end.status, 0, "{end}");
    assert_reduced(&stage);
    let names = stage.names().into_iter();
    let kept: Vec<String> = names.filter(|name| name.contains(".lop.")).collect();
    assert_eq!(kept, ["bug.lop.c", "c.lop.bin"]);
    let end = stage.lop(&["replay", "--check"]);
    assert_eq!(end.status, 0, "{end}");
}

#[test]
fn a_version_is_shown_as_the_file_that_it_is() {
    let stage = stage();
    assert_eq!(lop(&stage, &[]).status, 0);
    let shown = stage
        .program(env!("CARGO_BIN_EXE_lop"), &["show", "0"])
        .output();
    assert_eq!(shown.expect("a version").stdout, CHOICES);
    let history = stage.lop(&["history"]);
    assert!(
        history.out.contains("      0             36       36 "),
        "{history}"
    );
}

#[test]
#[ignore = "long"]
fn verdicts_of_the_same_generator_are_reused() {
    let stage = stage();
    assert_eq!(lop(&stage, &["--cache", "known"]).status, 0);
    let again = lop(&stage, &["--cache", "known"]);
    assert!(again.out.contains("of them recalled from known"), "{again}");
    // Another generator of that name may make other programs.
    stage.write(
        "gen.c",
        &GENERATOR.replace("int f(int x)", "long f(long x)"),
    );
    let built = stage.program("cc", &["-o", "gen", "gen.c"]).status();
    assert!(built.expect("a compiler").success());
    let other = lop(&stage, &["--cache", "known"]);
    assert!(!other.out.contains("recalled"), "{other}");
    assert!(stage.read("bug.lop.c").starts_with("long"));
}
