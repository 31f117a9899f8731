//! Projects of Kotlin as build tools have them.

use crate::project::{files, project, read_all, reduce};

/// A class that the test names, one that it needs, and one that nothing needs.
const GRADLE: [(&str, &str); 3] = [
    (
        "src/main/kotlin/app/Main.kt",
        "package app\nimport lib.Used\nimport lib.Other\nfun main() { println(Used()) }\n",
    ),
    (
        "src/main/kotlin/lib/Used.kt",
        "package lib\nclass Used\nclass Other\n",
    ),
    (
        "src/main/kotlin/web/Unused.kt",
        "package web\nclass Unused { fun f() = 1 }\n",
    ),
];

/// What a compiler would say: a name of another package needs its import.
const COMPILES: &str = "cd src/main/kotlin && grep -q 'println(Used())' app/Main.kt && grep -q 'import lib.Used' app/Main.kt && grep -q 'class Used' lib/Used.kt\n";

const NO_PLACE: &str = "the test prints no place of the project";

#[test]
fn a_class_that_the_test_names_is_found_below_the_source_directory() {
    let stage = project(&GRADLE);
    let end = reduce(
        &stage,
        &format!("# kotlin -cp out app.MainKt\n{COMPILES}"),
        &[],
    );
    let script = stage.lop(&["history"]);
    assert!(!end.err.contains(NO_PLACE), "{end}{script}");
    let first = stage.lop(&["diff", "0", "1"]);
    assert!(first.out.contains("class Unused"), "{first}");
    let left = read_all(&stage.path("src.lop"));
    let left: Vec<&String> = left.keys().collect();
    let both = [GRADLE[0].0, GRADLE[1].0];
    assert_eq!(left, both, "{end}");
}

#[test]
#[ignore = "long"]
fn a_test_that_prints_no_place_is_told_what_that_costs() {
    let stage = project(&GRADLE);
    let silent = "grep -rq 'println(Used())' . && grep -rq 'class Used' .\n";
    let end = reduce(&stage, silent, &[]);
    assert_eq!(end.to_string().matches(NO_PLACE).count(), 1, "{end}");
    let printing = format!("echo src/main/kotlin/app/Main.kt:4\n{silent}");
    let end = reduce(&stage, &printing, &[]);
    assert!(!end.to_string().contains(NO_PLACE), "{end}");
    let place = ["--place", "src/main/kotlin/app/Main.kt:4"];
    let end = reduce(&stage, silent, &place);
    assert!(!end.to_string().contains(NO_PLACE), "{end}");
}

#[test]
fn an_import_is_not_asked_about_while_its_name_is_used() {
    let stage = project(&GRADLE);
    let end = reduce(&stage, COMPILES, &["--verbose"]);
    let asked = |name: &str| {
        let lines = end.out.lines().chain(end.err.lines());
        let import = format!("Can `import lib.{name}` go?");
        lines.filter(|line| line.contains(&import)).count()
    };
    // The certificate asks once.
    assert!(asked("Used") <= 1, "{end}");
    assert_eq!(
        read_all(&stage.path("src.lop"))["src/main/kotlin/app/Main.kt"]
            .matches("import")
            .count(),
        1,
        "{end}"
    );
}

#[test]
fn directories_of_build_tools_and_editors_do_not_belong_to_a_project() {
    let with = [
        ".gradle/x.bin",
        ".idea/misc.xml",
        ".kotlin/s",
        "core/.venv/a.py",
        ".mypy_cache/b",
    ];
    let mut all = vec![("a.kt", "class A\n")];
    all.extend(with.map(|path| (path, "x\n")));
    let stage = project(&all);
    reduce(
        &stage,
        "for d in .gradle .idea .kotlin core .mypy_cache; do ! test -e $d || exit 1; done\ngrep -q A a.kt\n",
        &[],
    );
    assert_eq!(read_all(&stage.path("src.lop")), files(&[("a.kt", "A\n")]));
}

#[test]
fn a_test_that_does_not_pass_is_told_where_the_files_lie() {
    let stage = project(&GRADLE);
    stage.test("find.sh", "test -d src/src\n");
    let end = stage.lop(&["src", "./find.sh"]);
    for part in [
        "copies of the files, which lie there without src/, one as src/main/kotlin/",
        "let the test print what its commands say",
    ] {
        assert!(end.err.contains(part), "{part}: {end}");
    }
}
