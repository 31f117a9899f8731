//! Backward slices of the line where it fails: (program, line, test, what is asked and what is left).

use std::fs;

use crate::shell::{End, Stage};

/// The example of ReduKtor (figure 6).
const SHAPES: &str = "class Square {
    private val a = 1.0
    fun getPerimeter(): Double { return a * 4 }
    fun getSquare(): Double { return a * a }
}
class Triangle {
    private val a = 3.0
    private val b = 4.0
    private val c = 5.0
    fun getPerimeter(): Double { return a + b + c }
    fun getSquare(): Double {
        var square = 0.0
        if (a * a + b * b == c * c) {
            square = a * b
        } else {
            val p = getPerimeter() / 2
            square = Math.sqrt(p * (p - a) * (p - b) * (p - c))
        }
        return square
    }
}
";

const PROGRAM: &str = "int printf(const char *, ...);
struct point { int x; int y; };
struct other { long z; };
int counter = 1;
int unused_global = 2;
int twice(int n) { return n + n; }
int far(int n) { return n - 1; }
int farther(int n) { return far(n); }
int f(int n, int *out) {
  int a = n, b = 0, i;
  int sum = 0;
  struct point p = { 1, 2 };
  printf(\"hello\\n\");
  for (i = 0; i < n; i++) {
    b += i;
    sum += twice(i) + counter;
    printf(\"%d\\n\", b);
  }
  if (b > 3) {
    b = far(b);
    return 4;
  }
  a = sum / p.x;
  *out = a;
  printf(\"bye\\n\");
  return b;
}
int main(void) { int r; f(3, &r); return r; }
";

/// The questions of passes over slices, in their order, without what follows the sentence.
fn slice_questions(end: &End) -> Vec<&str> {
    let asked = end
        .out
        .lines()
        .filter(|line| line.contains("the slice of "));
    let sentences = asked.filter_map(|line| Some(line.split_once(": ")?.1));
    sentences
        .map(|line| line.split_inclusive('?').next().unwrap_or(line))
        .collect()
}

/// The number of tests of a run.
fn test_count(end: &End) -> u32 {
    let line = end.out.lines().find(|line| line.contains(" tests in "));
    let count = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
    count.unwrap_or_else(|| panic!("no number of tests: {end}"))
}

#[test]
fn of_the_paper_s_classes_one_branch_is_left() {
    let stage = Stage::new();
    stage.write("shapes.kt", SHAPES);
    stage.test(
        "find.sh",
        "grep -q 'square = a \\* b' shapes.kt && grep -q 'return square' shapes.kt",
    );
    let line = [
        "shapes.kt",
        "./find.sh",
        "--verbose",
        "--slice",
        "shapes.kt:14",
    ];
    stage.write("stop.txt", "at decision 8: stop\n");
    let end = stage.lop(&[&line[..], &["--commands", "stop.txt"]].concat());
    assert_eq!(
        slice_questions(&end),
        [
            "Can all go but the slice of line 14?",
            "Can 1 statement outside of the slice of line 14 go?",
            "Can 2 statements outside of the slice of line 14 go?",
            "Can 1 statement outside of the slice of line 14 go?",
            "Can all go but the slice of the line where it fails?",
        ],
        "{end}"
    );
    // What nothing calls any more went with the other branch.
    let left = stage.read("shapes.lop.kt");
    assert_eq!(
        left.split_whitespace().collect::<Vec<_>>().join(" "),
        "class Triangle { private val a = 3.0 private val b = 4.0 private val c = 5.0 fun getSquare(): Double { var square = 0.0 if (a * a + b * b == c * c) { square = a * b } else { } return square } }"
    );
}

#[test]
fn of_the_paper_s_project_one_function_is_left() {
    let stage = Stage::new();
    fs::create_dir(stage.path("src")).expect("a directory");
    for (name, text) in [
        (
            "A.kt",
            "class A {\n  fun funWithBug() { bug() }\n  fun f() { }\n}\n",
        ),
        ("B.kt", "class B {\n  val a = A()\n  fun f() { a.f() }\n}\n"),
        ("C.kt", "class C {\n  val a = A()\n}\n"),
        ("D.kt", "class D {\n  val b = B()\n  fun f() { b.f() }\n}\n"),
    ] {
        stage.write(&format!("src/{name}"), text);
    }
    stage.test("find.sh", "grep -q 'fun funWithBug() { bug() }' A.kt");
    let line = ["src", "./find.sh", "--verbose", "--slice", "A.kt:2"];
    let end = stage.lop(&line);
    assert_eq!(
        slice_questions(&end),
        ["Can all go but the slice of line 2 in A.kt?"],
        "{end}"
    );
    assert!(end.out.contains("slice (line 2 in A.kt)"), "{end}");
    assert!(end.out.contains("Can 3 files go?"), "{end}");
    assert_eq!(
        stage.read("src.lop/A.kt"),
        "fun funWithBug() { bug() }\n",
        "{end}"
    );
    assert!(!stage.path("src.lop/B.kt").exists(), "{end}");
}

#[test]
fn a_function_of_c_keeps_what_the_line_needs_in_one_question() {
    let stage = Stage::new();
    stage.write("bug.c", PROGRAM);
    stage.test(
        "find.sh",
        "grep -q '[*]out = a;' bug.c && cc -w -c bug.c -o out.o",
    );
    let line = ["bug.c", "./find.sh", "--verbose", "--slice", "24"];
    let end = stage.lop(&[&line[..], &["--command", "until pass place"]].concat());
    assert_eq!(
        slice_questions(&end),
        [
            "Can all go but the slice of line 24?",
            "Can all go but the slice of the line where it fails?",
            "Can all go but the slice of the line where it fails?",
        ],
        "{end}"
    );
    assert_eq!(
        stage.read("bug.lop.c"),
        "struct point { int x; int y; };
int counter = 1;
int twice(int n) { return n + n; }
int f(int n, int *out) {
  int a = n, i;
  int sum = 0;
  struct point p = { 1, 2 };
  for (i = 0; i < n; i++) {
    sum += twice(i) + counter;
  }
  a = sum / p.x;
  *out = a;
}
int main(void) { int r; f(3, &r); return r; }
"
    );
}

#[test]
fn a_declaration_of_several_functions_does_not_keep_a_good_candidate_from_being_taken() {
    let stage = Stage::new();
    stage.write(
        "bug.c",
        "int used(int), unused(int), other(int);
int unused(int n) { return n + 1; }
int other(int n) { return n + 2; }
int used(int n) { return n; }
int f(int n) {
  return used(n);
}
",
    );
    stage.test(
        "find.sh",
        "grep -q 'return used(n);' bug.c && cc -w -c bug.c -o out.o",
    );
    let line = ["bug.c", "./find.sh", "--verbose", "--slice", "6"];
    let end = stage.lop(&[&line[..], &["--command", "until pass place"]].concat());
    assert_eq!(
        slice_questions(&end),
        ["Can all go but the slice of line 6?"],
        "{end}"
    );
    assert!(!stage.read("bug.lop.c").contains("return n + "), "{end}");
}

#[test]
fn without_a_line_likely_ones_are_asked_about_the_shortest_slice_first() {
    let stage = Stage::new();
    stage.write("bug.c", PROGRAM);
    stage.test(
        "find.sh",
        "grep -q 'twice(i)' bug.c && cc -w -c bug.c -o out.o",
    );
    let line = ["bug.c", "./find.sh", "--verbose", "--with", "slices"];
    let end = stage.lop(&[&line[..], &["--command", "until pass hollow"]].concat());
    let questions = slice_questions(&end);
    assert!(!questions.is_empty() && questions.len() <= 16 + 2, "{end}");
    let sizes: Vec<u32> = end
        .out
        .lines()
        .filter(|line| line.contains("the slice of "))
        .filter_map(|line| {
            let (before, _) = line.split_once(" tokens fewer")?;
            before.rsplit(' ').next()?.parse().ok()
        })
        .collect();
    let guesses = questions
        .iter()
        .filter(|question| question.contains("statement"));
    assert!(
        sizes[..guesses.count()].is_sorted_by(|a, b| a >= b),
        "{end}"
    );
    let left = stage.read("bug.lop.c");
    assert!(
        left.contains("twice(i)") && !left.contains("*out = a"),
        "{left}"
    );
}

#[test]
#[ignore = "long"]
fn a_wrong_line_costs_a_few_tests() {
    let stage = Stage::new();
    stage.write("bug.c", PROGRAM);
    stage.test(
        "find.sh",
        "grep -q '[*]out = a;' bug.c && cc -w -c bug.c -o out.o",
    );
    let plain = stage.lop(&["bug.c", "./find.sh", "--effort", "quick", "-o", "plain.c"]);
    let line = ["bug.c", "./find.sh", "--effort", "quick", "-o", "wrong.c"];
    let wrong = stage.lop(&[&line[..], &["--slice", "bug.c:8"]].concat());
    assert_eq!(stage.read("wrong.c"), stage.read("plain.c"), "{wrong}");
    assert!(
        test_count(&wrong) <= test_count(&plain) + 12,
        "{plain}\n{wrong}"
    );
}

#[test]
fn a_line_that_is_not_there_is_refused() {
    let stage = Stage::new();
    stage.write("bug.c", PROGRAM);
    stage.test("find.sh", "true");
    let end = stage.lop(&[
        "bug.c",
        "./find.sh",
        "--slice",
        "bug.c:1000",
        "--allow-empty",
    ]);
    assert_eq!(end.status, 2, "{end}");
    assert!(
        end.err
            .contains("--slice bug.c:1000: the program has nothing there"),
        "{end}"
    );
}

#[test]
#[ignore = "long"]
fn in_the_middle_of_a_run_a_slice_is_asked_about_now_and_a_resumed_run_and_a_replay_know_it() {
    let stage = Stage::new();
    stage.write("bug.c", PROGRAM);
    stage.test(
        "find.sh",
        "grep -q '[*]out = a;' bug.c && cc -w -c bug.c -o out.o",
    );
    let script = "at decision 3: slice 24\n";
    stage.write("slice.txt", script);
    stage.write("stop.txt", &format!("{script}at decision 5: stop\n"));
    let run = |output: &str, more: &[&str]| {
        let line = ["bug.c", "./find.sh", "--verbose", "-o", output];
        stage.lop(&[&line[..], more].concat())
    };
    let one = run(
        "one.c",
        &["-j", "1", "--commands", "slice.txt", "--session", "kept"],
    );
    assert!(
        one.out.contains("slice 24 (line 24), before decision 3"),
        "{one}"
    );
    let next = one.out.lines().find(|line| line.starts_with("3: "));
    assert!(
        next.is_some_and(|line| line.contains("Can all go but the slice of line 24?")),
        "{one}"
    );
    let check = stage.lop(&["replay", "--check", "kept"]);
    assert_eq!(check.status, 0, "{check}");
    run("eight.c", &["-j", "8", "--commands", "slice.txt"]);
    assert_eq!(stage.read("one.c"), stage.read("eight.c"));
    let part = ["--commands", "stop.txt", "--session", "part"];
    let stopped = run("part.c", &part);
    let resumed = stage.lop(&["resume", "part", "--trust"]);
    assert_eq!(resumed.status, 0, "{stopped}\n{resumed}");
    assert_eq!(stage.read("part.c"), stage.read("one.c"), "{resumed}");
}

#[test]
fn a_strategy_without_the_pass_says_so() {
    let stage = Stage::new();
    stage.write("bug.c", "int f(void) { return 1; }\n");
    stage.test("find.sh", "grep -q return bug.c");
    let line = ["bug.c", "./find.sh", "--verbose", "--strategy", "perses"];
    let end = stage.lop(&[&line[..], &["--command", "slice 1"]].concat());
    assert_eq!(end.status, 0, "{end}");
    assert!(
        end.out
            .contains("there is no pass `slices` (there is with --strategy lop")
            || end
                .err
                .contains("there is no pass `slices` (there is with --strategy lop"),
        "{end}"
    );
}
