//! Fillers: the text in place of a body of which nothing is needed. Tested by reductions; the test is a closure or a script, the parser is
//! real.

use crate::common::{oracle, read, run, setup, verdict};
use crate::shell::Stage;
use lop::oracle::Verdict;
use lop::reduce::RunEvent;

const PYTHON: &str = "def load(path, mode):\n    text = open(path, mode)\n    return text\n\n\nclass Shape:\n    sides = 4\n\n    def area(self, scale):\n        size = self.sides * scale\n        return size\n\n\ndef kept(): return 1\n";

const RUST: &str = "fn load(path: &str) -> usize {\n    let text = read(path);\n    log(text);\n    text.len()\n}\n\nfn main() {\n    let n = load(\"x\");\n    log(n);\n}\n";

/// What is left of a program, and what was asked: yes or no, and the sentence.
fn story(
    name: &str,
    program: &str,
    says: impl Fn(&str) -> bool + Send + Sync + 'static,
) -> (String, Vec<String>) {
    let runner = oracle(move |text| verdict(says(text)));
    let (left, events) = run(setup(read(name, program), runner));
    let asked = events.into_iter().filter_map(|event| match event {
        RunEvent::Decided(decided) if decided.verdict == Verdict::Interesting => {
            Some(format!("yes: {}", decided.sentence))
        }
        RunEvent::Decided(decided) => Some(format!("no: {}", decided.sentence)),
        _ => None,
    });
    (left, asked.collect())
}

/// The questions that begin so.
fn those<'a>(asked: &'a [String], start: &str) -> Vec<&'a str> {
    let all = asked.iter().map(String::as_str);
    all.filter(|asked| asked.contains(start)).collect()
}

/// The bug is in how functions begin; as to a checker, `return` needs the name that it returns.
fn python_heads(text: &str) -> bool {
    let heads = ["def load(path", "class Shape", "def area(", "def kept"];
    let sound = |name: &str| {
        !text.contains(&format!("return {name}")) || text.contains(&format!("{name} = "))
    };
    heads.iter().all(|head| text.contains(head)) && sound("text") && sound("size")
}

#[test]
fn all_bodies_of_a_python_program_become_pass_in_one_question() {
    let (left, asked) = story("a.py", PYTHON, python_heads);
    let filled = those(&asked, "bodies of 3 functions become `pass`?");
    assert_eq!(filled.len(), 1, "{}", asked.join("\n"));
    assert!(filled[0].starts_with("yes: "), "{}", filled[0]);
    assert_eq!(
        left,
        "def load(path):\n    pass\n\n\nclass Shape:\n\n    def area():\n        pass\n\n\ndef kept(): pass\n"
    );
}

#[test]
fn a_python_class_is_pass_too_where_none_of_it_is_needed() {
    let needs = |text: &str| text.contains("class Shape") && text.contains("def load(path, mode)");
    let (left, asked) = story("a.py", PYTHON, needs);
    assert!(asked[0].starts_with("yes: "), "{}", asked.join("\n"));
    assert_eq!(
        left,
        "def load(path, mode):\n    pass\n\n\nclass Shape:\n    pass\n"
    );
}

/// A class whose members are used where nothing may go.
const USED: &str = "class Shape:\n    sides = 4\n    color = 7 + 8\n\n    def area(self, scale):\n        size = self.sides * scale\n        return size\n\n\ns = Shape()\nprint(s.sides, s.area(3))\n";

#[test]
fn members_that_are_still_used_stay_in_a_python_class_and_nothing_else_is_said_of_them() {
    let needs = |text: &str| text.contains("print(s.sides, s.area(3))");
    let (_, asked) = story("a.py", USED, needs);
    let fields = those(&asked, "the fields of 1 structure");
    assert!(fields[0].contains("is still used"), "{}", asked.join("\n"));
    let uses = |name: &&String| name.contains("nothing else uses");
    let said = asked.iter().filter(uses);
    let wrong = said.filter(|asked| asked.contains("`sides`") || asked.contains("`area`"));
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn the_question_names_the_filler_of_a_class_and_counts_its_methods() {
    let (_, asked) = story("a.py", PYTHON, |text| text == PYTHON);
    let said = |what: &str| those(&asked, what).len();
    let both = said("Can the bodies of 3 functions and the fields of 1 structure become `pass`?");
    let fields = said("Can the bodies of 2 functions and the fields of 1 structure become `pass`?");
    assert_eq!((both, fields), (1, 0), "{}", asked.join("\n"));
    assert_eq!(
        said("Can the fields of 1 structure become `pass`?"),
        1,
        "{}",
        asked.join("\n")
    );
}

const GO: &str = "package main\n\ntype Pair struct {\n\tleft int\n\tright int\n}\n\nfunc one(a int) {\n\ttype inner struct {\n\t\tx int\n\t}\n\tb := a + 1\n\tprintln(b)\n}\n\nfunc two() int {\n\tprintln(3)\n\treturn 4\n}\n";

#[test]
fn bodies_of_go_are_emptied_though_their_lists_lie_deep_and_a_last_return_stays() {
    let heads = ["type Pair struct", "func one(a int)", "func two() int"];
    let needs =
        move |text: &str| heads.iter().all(|head| text.contains(head)) && text.contains("return");
    let (left, asked) = story("a.go", GO, needs);
    assert!(
        asked[0].starts_with(
            "yes: Can the bodies of 2 functions be emptied, and the fields of 1 structure go?"
        ),
        "{}",
        asked.join("\n")
    );
    let words = left.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(
        words,
        "type Pair struct { } func one(a int) func two() int { return }"
    );
}

#[test]
fn a_rust_body_that_must_have_a_value_ends_in_no_value() {
    // To the compiler a function with a value has one, of names that are there; the lines of a body stand for all that it may object to.
    let compiles = |text: &str| {
        let whole = ["let text", "log(text)", "text.len()"];
        let whole = whole.iter().filter(|part| text.contains(*part)).count();
        let head = "fn load(path: &str) -> usize";
        text.contains(head) && (whole == 3 || whole == 0 && text.contains("loop"))
    };
    let (left, asked) = story("a.rs", RUST, compiles);
    let filled = those(&asked, "become `{loop{}}`?");
    assert!(filled[0].starts_with("yes: "), "{}", asked.join("\n"));
    assert_eq!(left, "fn load(path: &str) -> usize {loop{}}\n");
}

#[test]
fn a_filler_that_is_refused_costs_a_question_and_changes_nothing() {
    let bug = |text: &str| text.contains("fn load") && text.contains("log(text)");
    let (left, asked) = story("a.rs", RUST, bug);
    let filled = those(&asked, "loop");
    assert!(!filled.is_empty(), "{}", asked.join("\n"));
    assert!(
        filled.iter().all(|asked| asked.starts_with("no: ")),
        "{filled:?}"
    );
    assert!(left.contains("fn load") && !left.contains("loop"), "{left}");
}

#[test]
fn a_body_that_is_no_larger_than_its_filler_stays() {
    let program = "def one(): pass\ndef two(): return\ndef three():\n    four\n";
    let all = |text: &str| {
        ["one", "two", "three", "four"]
            .iter()
            .all(|name| text.contains(name))
    };
    let (_, asked) = story("a.py", program, all);
    assert!(
        those(&asked, "the bodies of").is_empty(),
        "{}",
        asked.join("\n")
    );
    let program = "fn one() -> u8 { f() }\n";
    let (_, asked) = story("a.rs", program, |text| text.contains("f()"));
    assert!(those(&asked, "loop").is_empty(), "{}", asked.join("\n"));
}

#[test]
fn what_is_in_a_body_goes_with_it() {
    const PROGRAM: &str = "fn outer() -> u8 {\n    fn inner() -> u8 {\n        let x = 1; x + 2\n    }\n    inner()\n}\n";
    let sound = |text: &str| {
        text.contains("fn outer() -> u8") && (text.contains("loop") || text == PROGRAM)
    };
    let (left, asked) = story("a.rs", PROGRAM, sound);
    assert_eq!(left, "fn outer() -> u8 {loop{}}\n");
    assert!(
        those(&asked, "yes: Can the body of `outer` become `{loop{}}`?").len() == 1,
        "{}",
        asked.join("\n")
    );
}

/// The checker of `python_heads` as a script, which knows besides that a block is not empty.
const SCRIPT: &str = r#"for head in 'def load(path' 'class Shape' 'def area(' 'def kept'; do grep -qF "$head" a.py || exit 1; done
for name in text size; do if grep -q "return $name" a.py; then grep -q "$name = " a.py || exit 1; fi; done
awk 'NF { if (open && !/^ /) exit 1; open = /: *$/ } END { exit open }' a.py"#;

#[test]
#[ignore = "long"]
fn a_run_that_took_a_filler_goes_on_and_replays_byte_for_byte() {
    let stage = Stage::new();
    stage.write("a.py", PYTHON);
    stage.test("names.sh", SCRIPT);
    let whole = [
        "a.py",
        "names.sh",
        "--output",
        "whole.py",
        "--session",
        "whole",
        "--jobs",
        "4",
        "--json",
    ];
    let end = stage.lop(&whole);
    assert_eq!(end.status, 0, "{end}");
    let decided = |line: &&str| line.contains("\"event\":\"decided\"");
    let lines: Vec<&str> = end.out.lines().filter(decided).collect();
    let filled = lines
        .iter()
        .position(|line| line.contains("`pass`?") && line.contains("\"interesting\""));
    let filled = filled.unwrap_or_else(|| panic!("no filler was taken\n{end}"));
    for (at, stop) in [filled + 1, filled + 2, filled + 4].into_iter().enumerate() {
        let (session, output) = (format!("s{at}"), format!("{at}.py"));
        let place = stage.path(&session).display().to_string();
        stage.write("stop.txt", &format!("at decision {stop}: stop\n"));
        let line = [
            "a.py",
            "names.sh",
            "--output",
            &output,
            "--session",
            &session,
            "--commands",
            "stop.txt",
        ];
        let end = stage.lop(&line);
        assert!(end.status != 0, "{end}");
        let end = stage.lop(&["resume", &place, "--plain", "--trust"]);
        assert_eq!(end.status, 0, "{end}");
        assert_eq!(
            stage.read(&output),
            stage.read("whole.py"),
            "stopped at {stop}"
        );
        let end = stage.lop(&["replay", &place, "--check"]);
        assert!(end.status == 0 && end.out.contains("to its end"), "{end}");
    }
    stage.write("left.py", &stage.read("whole.py"));
    stage.test("left.sh", &SCRIPT.replace("a.py", "left.py"));
    let end = stage.lop(&["verify", "left.py", "left.sh"]);
    assert_eq!(end.status, 0, "{end}");
}
