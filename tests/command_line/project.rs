//! `lop DIRECTORY TEST` and `lop FILE FILE... TEST`: (files, what the test looks for, the files that are left).

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::page::{page_scripts, run_page};
use crate::shell::{End, Stage};

/// Paths and texts.
pub type Files = BTreeMap<String, String>;

pub fn files(of: &[(&str, &str)]) -> Files {
    let files = of.iter();
    files
        .map(|(path, text)| (path.to_string(), text.to_string()))
        .collect()
}

/// A stage with these files in `src`.
pub fn project(of: &[(&str, &str)]) -> Stage {
    let stage = Stage::new();
    for (path, text) in of {
        write(&stage, &format!("src/{path}"), text);
    }
    stage
}

pub fn write(stage: &Stage, path: &str, text: &str) {
    let path = stage.path(path);
    fs::create_dir_all(path.parent().expect("a directory")).expect("directories");
    fs::write(path, text).expect("a file");
}

/// All files below a directory.
pub fn read_all(directory: &Path) -> Files {
    let (mut found, mut open) = (Files::new(), vec![directory.to_path_buf()]);
    while let Some(path) = open.pop() {
        for entry in fs::read_dir(path).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path.strip_prefix(directory).expect("it is below");
            let text = String::from_utf8_lossy(&fs::read(&path).expect("a file")).into_owned();
            found.insert(name.display().to_string(), text);
        }
    }
    found
}

/// Reduces `src` with a test of these commands.
pub fn reduce(stage: &Stage, test: &str, more: &[&str]) -> End {
    stage.test("find.sh", test);
    let end = stage.lop(&[&["src", "./find.sh"], more].concat());
    assert_eq!(end.status, 0, "{end}");
    end
}

/// What was asked about whole files, in the lines of `--json`.
fn file_questions(end: &End) -> Vec<String> {
    let lines = end.out.lines().filter(|line| {
        line.contains("\"event\":\"decided\"") && line.contains("\"pass\":\"files\"")
    });
    lines.map(str::to_owned).collect()
}

pub const THREE: [(&str, &str); 3] = [
    (
        "a.c",
        "#include \"b.h\"\nint main(void) { return f() + 1; }\n",
    ),
    ("b.h", "int f(void);\n"),
    (
        "c.c",
        "int g(void) { return 2; }\nint h(void) { return g(); }\n",
    ),
];

#[test]
fn a_header_goes_with_its_include_in_one_question() {
    let stage = project(&THREE);
    // A candidate that includes what is not there is not even looked at.
    let test =
        "grep -q b.h a.c && ! test -f b.h && touch ALARM\ntest -f ALARM && exit 1\ngrep -q f a.c\n";
    let end = reduce(
        &stage,
        &test.replace("ALARM", &stage.path("alarm").display().to_string()),
        &[],
    );
    assert!(!stage.path("alarm").exists(), "{end}");
    assert_eq!(
        read_all(&stage.path("src.lop")),
        files(&[("a.c", "f\n")]),
        "{end}"
    );
    assert_eq!(
        read_all(&stage.path("src")).len(),
        3,
        "the input stays as it is"
    );
}

#[test]
fn a_file_that_must_exist_ends_empty() {
    let stage = project(&THREE);
    let end = reduce(&stage, "test -f b.h && grep -q f a.c\n", &[]);
    let left = read_all(&stage.path("src.lop"));
    assert_eq!(left.keys().collect::<Vec<_>>(), ["a.c", "b.h"], "{end}");
    assert_eq!(left["b.h"].trim(), "", "{end}");
}

#[test]
fn two_files_that_need_each_other_go_together() {
    let stage = project(&[
        ("main.py", "print(4711)\n"),
        ("one.py", "import two\ndef f(): return two.g()\n"),
        ("two.py", "import one\ndef g(): return one.f()\n"),
    ]);
    let test = "if test -f one.py; then test -f two.py; else ! test -f two.py; fi || exit 1\ngrep -q 4711 main.py\n";
    let end = reduce(&stage, test, &[]);
    assert_eq!(
        read_all(&stage.path("src.lop")),
        files(&[("main.py", "4711\n")]),
        "{end}"
    );
}

#[test]
fn a_module_of_rust_goes_with_its_declaration() {
    let stage = project(&[
        ("lib.rs", "mod a;\nmod b;\npub fn f() -> i32 { a::one() }\n"),
        ("a.rs", "pub fn one() -> i32 { 4711 }\n"),
        ("b.rs", "pub fn two() -> i32 { 2 }\n"),
    ]);
    // What a compiler would say: each module that is declared has its file, and `f` needs `a`.
    let test = "for m in a b; do grep -q \"mod $m;\" lib.rs && ! test -f $m.rs && exit 1; done\ngrep -q 'mod a;' lib.rs && grep -q 4711 a.rs\n";
    reduce(&stage, test, &[]);
    let left = read_all(&stage.path("src.lop"));
    assert_eq!(left.keys().collect::<Vec<_>>(), ["a.rs", "lib.rs"]);
    assert_eq!(left["lib.rs"].trim(), "mod a;");
}

#[test]
fn of_a_package_of_kotlin_the_file_without_a_used_name_goes() {
    let stage = project(&[
        (
            "app/Main.kt",
            "package app\nimport lib.*\nfun main() { println(Used()) }\n",
        ),
        ("lib/Used.kt", "package lib\nclass Used\n"),
        ("lib/Unused.kt", "package lib\nclass Unused\n"),
    ]);
    let end = reduce(
        &stage,
        "# app.MainKt\ngrep -q Used app/Main.kt && grep -q 'class Used' lib/Used.kt\n",
        &["--json"],
    );
    let left = read_all(&stage.path("src.lop"));
    assert_eq!(
        left.keys().collect::<Vec<_>>(),
        ["app/Main.kt", "lib/Used.kt"],
        "{end}"
    );
}

#[test]
fn what_nothing_needs_goes_in_the_first_question() {
    let mut all: Vec<(String, String)> = vec![
        (
            "app/main.c".into(),
            "#include \"../lib/a.h\"\nint main(void) { return a(); }\n".into(),
        ),
        ("lib/a.h".into(), "int a(void);\n".into()),
    ];
    for at in 0..50 {
        all.push((
            format!("lib/other{at}.c"),
            format!("int other{at}(int x) {{ return x * {at}; }}\n"),
        ));
    }
    let all: Vec<(&str, &str)> = all.iter().map(|(path, text)| (&**path, &**text)).collect();
    let stage = project(&all);
    // The message names the file and the line, as that of a compiler does.
    let test = "grep -q 'int a' lib/a.h && grep -q 'a()' app/main.c || exit 1\necho \"app/main.c:2:24: error: internal compiler error\"\n";
    let end = reduce(&stage, test, &["--json"]);
    let questions = file_questions(&end);
    assert!(
        questions[0].contains("\"ending\":\"interesting\""),
        "{questions:?}"
    );
    let left = read_all(&stage.path("src.lop"));
    assert_eq!(left.keys().collect::<Vec<_>>(), ["app/main.c", "lib/a.h"]);
}

#[test]
fn what_is_no_program_goes_as_a_whole() {
    let stage = project(&[("a.c", "int f(void) { return 1; }\n")]);
    let words = "word ".repeat(10_000);
    write(&stage, "src/README.md", &words);
    fs::write(stage.path("src/data.bin"), [0, 159, 146, 150]).expect("a file");
    fs::create_dir(stage.path("src/empty")).expect("a directory");
    symlink("a.c", stage.path("src/link.c")).expect("a link");
    let end = reduce(&stage, "grep -q f a.c\n", &[]);
    assert_eq!(
        read_all(&stage.path("src.lop")),
        files(&[("a.c", "f\n")]),
        "{end}"
    );
}

#[test]
fn a_module_of_javascript_goes_with_what_requires_it() {
    let stage = project(&[
        ("a.js", "const { b } = require('./lib/b');\nconst f = 1;\n"),
        ("lib/b.js", "exports.b = 2;\n"),
    ]);
    // A file that is required must exist.
    let test = "! grep -q require a.js || test -f lib/b.js || exit 1\ngrep -q f a.js\n";
    let end = reduce(&stage, test, &["--json"]);
    let questions = file_questions(&end);
    assert!(
        questions[0].contains("Can the file lib/b.js go?"),
        "{questions:?}"
    );
    assert!(
        questions[0].contains("\"ending\":\"interesting\""),
        "{questions:?}"
    );
}

#[test]
#[ignore = "long"]
fn files_of_several_languages_are_reduced_each_by_its_own() {
    let others = [
        ("o.json", "{ \"a\": [1, 2, { \"b\": true }] }\n"),
        ("o.py", "def f(x):\n    return [x, x + 1]\n"),
        ("o.java", "class A { int f(int x) { return x * 2 + 1; } }\n"),
        ("o.sh", "for i in 1 2 3; do echo \"$i\"; done\n"),
        ("o.html", "<p>one <b>two</b></p>\n"),
        ("o.kt", "fun f(x: Int): Int { return x * 2 + 1 }\n"),
        (
            "o.go",
            "package a\nfunc f(x int) int { return x * 2 + 1 }\n",
        ),
        ("o.css", "p { color: red; margin: 0 1px }\n"),
    ];
    for other in others {
        let stage = project(&[
            ("a.c", "int f(int x) { return g(x * 2 + 1) + x; }\n"),
            other,
        ]);
        // Both stay, and some of each.
        let test = format!(
            "grep -q 'x' a.c && grep -q '(' a.c && test -s {}\n",
            other.0
        );
        let end = reduce(&stage, &test, &["--keep", other.0]);
        assert!(stage.read("src.lop/a.c").len() < 12, "{}: {end}", other.0);
        let end = stage.lop(&["src", "./find.sh", "--output", "free"]);
        assert_eq!(end.status, 0, "{}: {end}", other.0);
    }
}

#[test]
#[ignore = "long"]
fn an_included_file_goes_into_the_one_that_includes_it() {
    let stage = project(&[
        (
            "a.c",
            "#include \"b.h\"\nint main(void) { return ONE + f(); }\n",
        ),
        ("b.h", "#define ONE 1\n#include \"lib/c.h\"\n"),
        ("lib/c.h", "static int f(void) { return 2; }\n"),
    ]);
    // All three are needed, but not as files.
    let test = "cc a.c -o a || exit 1\n./a\n[ $? = 3 ]\n";
    let end = reduce(
        &stage,
        test,
        &["--json", "--effort", "quick", "--command", "disable files"],
    );
    let left = read_all(&stage.path("src.lop"));
    assert_eq!(left.keys().collect::<Vec<_>>(), ["a.c"], "{end}");
    assert!(!left["a.c"].contains("include"), "{left:?}");
    let asked = "Can the files b.h and lib/c.h go into those that include them?";
    assert!(end.out.contains(asked), "{end}");
}

#[test]
#[ignore = "long"]
fn an_included_file_stays_where_the_test_wants_it() {
    let stage = project(&[
        ("a.c", "#include \"b.h\"\nint main(void) { return f(); }\n"),
        ("b.h", "static int f(void) { return 3; }\n"),
    ]);
    let test = "grep -q f b.h && cc a.c -o a || exit 1\n./a\n[ $? = 3 ]\n";
    let end = reduce(&stage, test, &[]);
    let left = read_all(&stage.path("src.lop"));
    assert_eq!(left.keys().collect::<Vec<_>>(), ["a.c", "b.h"], "{end}");
    // A file that two include is not copied into one of them.
    let stage = project(&[
        (
            "a.c",
            "#include \"b.h\"\nint main(void) { return f() + N; }\n",
        ),
        ("b.h", "#define N 2\nint f(void);\n"),
        ("f.c", "#include \"b.h\"\nint f(void) { return N - 1; }\n"),
    ]);
    let test = "cc a.c f.c -o a || exit 1\n./a\n[ $? = 3 ] && grep -q N a.c && grep -q N f.c\n";
    let end = reduce(&stage, test, &[]);
    let left = read_all(&stage.path("src.lop"));
    assert_eq!(
        left.keys().collect::<Vec<_>>(),
        ["a.c", "b.h", "f.c"],
        "{end}"
    );
}

#[test]
fn a_link_goes_or_stays_a_link() {
    let stage = project(&[
        (
            "a.c",
            "int f(void) { return 1; }\nint g(void) { return 2; }\n",
        ),
        ("include/v2.h", "two\nthree\n"),
    ]);
    symlink("v2.h", stage.path("src/include/now.h")).expect("a link");
    symlink("/nowhere", stage.path("src/dangling")).expect("a link");
    symlink("include", stage.path("src/directory")).expect("a link");
    let test = "[ -L include/now.h ] && grep -q f a.c && grep -q two include/now.h\n";
    let end = reduce(&stage, test, &[]);
    let left = [
        ("a.c", "f\n"),
        ("include/now.h", "two\n"),
        ("include/v2.h", "two\n"),
    ];
    assert_eq!(read_all(&stage.path("src.lop")), files(&left), "{end}");
    let link = fs::read_link(stage.path("src.lop/include/now.h"));
    assert_eq!(link.expect("a link"), Path::new("v2.h"));
    for gone in ["src.lop/dangling", "src.lop/directory"] {
        assert!(fs::symlink_metadata(stage.path(gone)).is_err(), "{gone}");
    }
}

#[test]
fn a_link_leads_no_file_out_of_the_directory_of_a_test() {
    let stage = project(&[("a.c", "int f(void);\n"), ("b/c.c", "int g(void);\n")]);
    symlink("..", stage.path("src/up")).expect("a link");
    let log = stage.path("log").display().to_string();
    let test = format!("readlink up >>{log}\ngrep -q f a.c\n");
    reduce(&stage, &test, &["--keep", "up"]);
    let seen = fs::read_to_string(&log).expect("a log");
    assert!(seen.lines().all(|line| line == ".."), "{seen}");
    let kept = fs::read_link(stage.path("src.lop/up"));
    assert_eq!(kept.expect("a link"), Path::new(".."));
    let history = stage.lop(&["history"]);
    assert_eq!(history.status, 0, "{history}");
}

#[test]
fn what_is_kept_is_the_same_in_every_candidate() {
    let stage = project(&THREE);
    let log = stage.path("log").display().to_string();
    let test = format!("cat b.h >>{log}\ngrep -q f a.c\n");
    reduce(&stage, &test, &["--keep", "b.h"]);
    let left = read_all(&stage.path("src.lop"));
    assert_eq!(left["b.h"], "int f(void);\n");
    let seen = fs::read_to_string(log).expect("a log");
    assert!(seen.lines().all(|line| line == "int f(void);"), "{seen}");
}

#[test]
fn other_files_than_those_that_may_change_go_or_stay_as_they_are() {
    let stage = project(&[
        ("a.c", "int f(void) { return 1; }\nint unused;\n"),
        ("build.txt", "needed: yes\nnothing: no\n"),
        ("notes.txt", "nothing at all\n"),
    ]);
    let end = reduce(
        &stage,
        "grep -q needed build.txt && grep -q f a.c\n",
        &["--only", "*.c"],
    );
    let expected = [("a.c", "f\n"), ("build.txt", "needed: yes\nnothing: no\n")];
    assert_eq!(read_all(&stage.path("src.lop")), files(&expected), "{end}");
}

#[test]
fn a_test_that_spoils_its_files_spoils_no_other_candidate() {
    let stage = project(&THREE);
    let end = reduce(
        &stage,
        "grep -q f a.c || exit 1\nrm -f b.h c.c\necho spoilt >a.c\n",
        &[],
    );
    assert_eq!(
        read_all(&stage.path("src.lop")),
        files(&[("a.c", "f\n")]),
        "{end}"
    );
}

#[test]
fn files_that_may_be_executed_stay_so() {
    let stage = project(&[("a.c", "int f(void);\nint g(void);\n")]);
    write(&stage, "src/look.sh", "#!/bin/sh\ngrep -q f \"$1\"\n");
    let look = stage.path("src/look.sh");
    fs::set_permissions(look, PermissionsExt::from_mode(0o755)).expect("permissions");
    reduce(&stage, "./look.sh a.c\n", &["--keep", "look.sh"]);
    let mode = fs::metadata(stage.path("src.lop/look.sh")).expect("it is there");
    assert_eq!(mode.permissions().mode() & 0o777, 0o755);
    assert!(!read_all(&stage.path("src.lop"))["a.c"].contains('g'));
}

#[test]
fn what_an_ignore_file_names_does_not_belong_to_it() {
    let stage = project(&[
        ("a.c", "int f(void);\n"),
        (".gitignore", "*.o\n"),
        ("a.o", "object"),
    ]);
    write(&stage, "src/.git/config", "f\n");
    let end = reduce(&stage, "test -f a.o && exit 1\ngrep -q f a.c\n", &[]);
    assert_eq!(
        read_all(&stage.path("src.lop")),
        files(&[("a.c", "f\n")]),
        "{end}"
    );
}

/// A test as C-Reduce's users write it: it names its files by relative paths.
#[test]
fn several_files_are_reduced_where_the_test_names_them() {
    let stage = Stage::new();
    write(
        &stage,
        "a.c",
        "#include \"include/b.h\"\nint main(void) { return f(2) + unused; }\nint other;\n",
    );
    write(
        &stage,
        "include/b.h",
        "static int unused = 3;\nstatic int f(int x) { return x / 0; }\n",
    );
    stage.test(
        "warns.sh",
        "cc -Wall -c a.c -o a.o 2>err || exit 1\ngrep -q 'division by zero' err\n",
    );
    let end = stage.lop(&["a.c", "include/b.h", "./warns.sh"]);
    assert_eq!(end.status, 0, "{end}");
    let left = read_all(&stage.path("lop.out"));
    let all: String = left.values().map(String::as_str).collect();
    assert!(all.contains("/ 0") || all.contains("/0"), "{left:?}");
    assert!(
        !all.contains("unused") && !all.contains("other"),
        "{left:?}"
    );
}

#[test]
fn a_command_gets_the_directory_or_all_files() {
    let stage = project(&[("a.txt", "needle\nhay\n"), ("b.txt", "hay\n")]);
    let end = stage.lop(&[
        "src", "--grep", "needle", "--", "grep", "-r", "needle", "{}",
    ]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(
        read_all(&stage.path("src.lop")),
        files(&[("a.txt", "needle\n")]),
        "{end}"
    );
    write(&stage, "one.txt", "hay\n");
    write(&stage, "two.txt", "hay\nneedle\n");
    let end = stage.lop(&["one.txt", "two.txt", "--grep", "needle", "--", "cat", "{}"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(
        read_all(&stage.path("lop.out")),
        files(&[("two.txt", "needle\n")]),
        "{end}"
    );
}

#[test]
#[ignore = "long"]
fn one_worker_and_eight_leave_the_same_bytes() {
    let results = ["1", "8"].map(|jobs| {
        let stage = project(&THREE);
        reduce(
            &stage,
            "test -f b.h && grep -q 'g()' c.c && grep -q f a.c\n",
            &["-j", jobs],
        );
        read_all(&stage.path("src.lop"))
    });
    assert_eq!(results[0], results[1]);
}

#[test]
#[ignore = "long"]
fn a_run_that_was_stopped_goes_on() {
    let stage = project(&THREE);
    stage.test("find.sh", "grep -q 'g()' c.c && grep -q f a.c\n");
    let whole = stage.lop(&["src", "./find.sh", "-o", "whole"]);
    assert_eq!(whole.status, 0, "{whole}");
    stage.write("stop.txt", "at decision 4: stop\n");
    let stopped = stage.lop(&["src", "./find.sh", "-o", "part", "--commands", "stop.txt"]);
    let resumed = stage.lop(&["resume"]);
    assert_eq!(resumed.status, 0, "{stopped}\n{resumed}");
    assert_eq!(
        read_all(&stage.path("part")),
        read_all(&stage.path("whole")),
        "{resumed}"
    );
    // Its versions are there for people: each file below a line with its name.
    let shown = stage.lop(&["show", "0"]);
    assert!(
        shown.out.contains("==> a.c <==") && shown.out.contains("==> c.c <=="),
        "{shown}"
    );
}

#[test]
fn what_cannot_be_a_project_is_refused() {
    let stage = project(&THREE);
    stage.test("find.sh", "grep -q f a.c\n");
    fs::create_dir(stage.path("nothing")).expect("a directory");
    for (line, says) in [
        (&["nothing", "./find.sh"][..], "has no file to reduce"),
        (
            &["src", "./find.sh", "--keep", "*"],
            "no file of src may change or go",
        ),
        (
            &["src", "./find.sh", "--only", "a[.c"],
            "is no pattern for files",
        ),
        (&["src/a.c", "./src/a.c", "./find.sh"], "is named twice"),
        (
            &["src/a.c", "./find.sh", "--", "cat", "{}"],
            "looks like a test",
        ),
        (
            &["bug.c", "./find.sh", "--keep", "x"],
            "--only and --keep are for several files",
        ),
    ] {
        let end = stage.lop(line);
        assert_eq!(end.status, 2, "{end}");
        assert!(end.err.contains(says), "{says}: {end}");
    }
}

/// Whatever a file is called, and whatever may happen to it: a replay and a resumed run know it.
#[test]
fn a_replay_makes_the_same_decisions() {
    let stage = project(&[
        ("3rd party/a b.c", "int f(void);\nint g(void);\n"),
        ("kept.c", "int k(void);\n"),
        ("gone.c", "int n(void);\n"),
    ]);
    fs::write(stage.path("src/data.bin"), [0, 1, 2, 0, 159]).expect("a file");
    let test = "grep -q f '3rd party/a b.c' && test -f data.bin || exit 1\necho '3rd party/a b.c:1: error'\n";
    let end = reduce(&stage, test, &["--keep", "kept.c"]);
    let left = read_all(&stage.path("src.lop"));
    assert_eq!(
        left.keys().collect::<Vec<_>>(),
        ["3rd party/a b.c", "data.bin", "kept.c"],
        "{end}"
    );
    let check = stage.lop(&["replay", "--check"]);
    assert_eq!(check.status, 0, "{check}");
}

#[test]
fn with_a_cache_a_second_run_tests_nothing_anew_but_what_it_keeps() {
    let stage = project(&THREE);
    let cached = ["--cache", "kept", "-j", "1"];
    let first = reduce(&stage, "grep -q f a.c\n", &cached);
    let second = reduce(&stage, "grep -q f a.c\n", &cached);
    assert!(
        second.out.contains("recalled from kept"),
        "{first}\n{second}"
    );
    assert_eq!(
        read_all(&stage.path("src.lop")),
        files(&[("a.c", "f\n")]),
        "{second}"
    );
}

#[test]
fn an_import_goes_only_when_all_goes_that_it_names() {
    let stage = project(&[
        ("main.py", "import a, b\nprint(b.x)\n"),
        ("a.py", "y = 1\n"),
        ("b.py", "x = 2\n"),
    ]);
    // What Python would say of a module that is not there.
    let test = "for m in a b; do grep -q \"import.*$m\" main.py && ! test -f $m.py && exit 1; done\ngrep -q 'import.*b' main.py && grep -q 'x = 2' b.py\n";
    let end = reduce(&stage, test, &[]);
    let left = read_all(&stage.path("src.lop"));
    assert_eq!(
        left.keys().collect::<Vec<_>>(),
        ["b.py", "main.py"],
        "{end}"
    );
}

#[test]
fn a_file_goes_by_hand_with_what_mentions_it() {
    let stage = project(&THREE);
    stage.write("stop.txt", "pause\ntry delete b.h\nstep\n");
    stage.test(
        "find.sh",
        "grep -q b.h a.c && ! test -f b.h && exit 1\ngrep -q main a.c\n",
    );
    let end = stage.lop(&[
        "src",
        "./find.sh",
        "--json",
        "-j",
        "1",
        "--commands",
        "stop.txt",
    ]);
    let first = end
        .out
        .lines()
        .find(|line| line.contains("\"event\":\"decided\""));
    assert!(
        first.is_some_and(|line| line.contains("interesting") && line.contains("\"saved\":8")),
        "{end}"
    );
}

#[test]
fn a_run_pauses_when_a_file_is_gone() {
    let stage = project(&THREE);
    stage.test("find.sh", "grep -q f a.c\n");
    let end = stage.lop(&["src", "./find.sh", "--command", "break gone c.c"]);
    assert_eq!(end.status, 130, "{end}");
    assert!(!stage.path("src.lop/c.c").exists(), "{end}");
}

#[test]
fn questions_name_the_files() {
    let stage = project(&THREE);
    let end = reduce(
        &stage,
        "grep -q f a.c && test -f b.h\n",
        &["--json", "-j", "1"],
    );
    let questions = file_questions(&end).concat();
    assert!(questions.contains("c.c"), "{questions}");
    let changed = stage.lop(&["diff", "0", "1"]);
    assert!(changed.out.contains("--- version 0, c.c"), "{changed}");
}

#[test]
fn a_directory_is_a_place_for_every_command_and_goes_in_one_question() {
    let stage = project(&[
        ("main.c", "int main(void) { return 4711; }\n"),
        ("lib/in/a.c", "int a;\n"),
        ("lib/b.c", "int b;\n"),
        ("kept/c.c", "int c;\n"),
    ]);
    stage.test("find.sh", "grep -q 4711 main.c\n");
    let commands = ["--command", "pin kept", "--command", "try delete lib"];
    let end = stage.lop(&[&["src", "./find.sh", "--json", "-j", "1"], &commands[..]].concat());
    assert_eq!(end.status, 0, "{end}");
    let mut decided = end
        .out
        .lines()
        .filter(|line| line.contains("\"event\":\"decided\""));
    let first = decided.next().expect("a decision");
    assert!(first.contains("\"pass\":\"you\""), "{first}");
    assert!(
        first.contains("Can the files lib/b.c and lib/in/a.c go?"),
        "{first}"
    );
    let left = read_all(&stage.path("src.lop"));
    assert_eq!(
        left.keys().collect::<Vec<_>>(),
        ["kept/c.c", "main.c"],
        "{end}"
    );
    assert_eq!(left["kept/c.c"], "int c;\n", "{end}");
}

/// The page's own program knows the files of a version, where there is something to run it.
#[test]
fn the_page_of_a_run_has_the_files_of_each_version() {
    let stage = project(&[
        ("a.c", "int f(void);\n"),
        ("lib/b.c", "int b;"),
        ("lib/c.c", "int c;\n"),
    ]);
    reduce(&stage, "grep -q f a.c\n", &[]);
    let end = stage.lop(&["export", "--html", "page.html"]);
    assert_eq!(end.status, 0, "{end}");
    let page = fs::read_to_string(stage.path("page.html")).expect("a page");
    let (data, _) = page_scripts(&page);
    assert!(
        data.contains("\"files\":[\"a.c\",\"lib/b.c\",\"lib/c.c\"]"),
        "{data}"
    );
    let lines = "const { data, textOf, filesIn } = page;\n\
         console.log(JSON.stringify([...filesIn(textOf(0))]));\n\
         console.log([...filesIn(textOf(data.versions.at(-1).number)).keys()].join());\n";
    let Some(said) = run_page(&stage, &page, lines) else {
        return;
    };
    assert_eq!(
        said,
        "[[\"a.c\",\"int f(void);\\n\"],[\"lib/b.c\",\"int b;\\n\"],[\"lib/c.c\",\"int c;\\n\"]]\na.c\n"
    );
}

#[test]
fn a_line_alone_is_no_place_in_a_project() {
    let stage = project(&[("a.c", "int a;\n"), ("b.c", "int b;\n")]);
    stage.test("find.sh", "grep -q b src/b.c || grep -q b b.c");
    let end = stage.lop(&["src", "./find.sh", "--place", "7"]);
    assert_eq!(end.status, 2, "{end}");
    let said = "--place 7: line 7 of which file? The program has 2; name one, as in --place a.c:7";
    assert!(end.err.contains(said), "{end}");
}
