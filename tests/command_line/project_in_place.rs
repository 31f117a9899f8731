//! `--in-place` for projects: (files, what happens meanwhile, the files that are there at the end).

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::project::{THREE, files, project, read_all, reduce, write};
use crate::shell::Stage;

#[test]
fn in_place_the_files_change_at_the_end_and_the_originals_are_kept() {
    let stage = project(&[
        (
            "a.c",
            "int f(void) { return 1; }\nint g(void) { return 2; }\n",
        ),
        ("lib/b.c", "int b(void);\n"),
        (".gitignore", "*.o\n"),
        ("lib/b.o", "built"),
        ("tools/c.c", "int c(void);\n"),
    ]);
    let log = stage.path("log").display().to_string();
    let src = stage.path("src").display().to_string();
    // The user's files are the same as long as tests run.
    let test =
        format!("cat {src}/a.c {src}/lib/b.c {src}/tools/c.c | cksum >>{log}\ngrep -q f a.c\n");
    let before = read_all(&stage.path("src"));
    let end = reduce(&stage, &test, &["--in-place"]);
    let seen = fs::read_to_string(&log).expect("a log");
    let first = seen.lines().next().expect("a test");
    assert!(seen.lines().all(|line| line == first), "{seen}");
    // What says which files belong to it stays, or a later run would take more of them.
    let left = files(&[
        (".gitignore", "*.o\n"),
        ("a.c", "f\n"),
        ("lib/b.o", "built"),
    ]);
    assert_eq!(read_all(&stage.path("src")), left, "{end}");
    assert!(!stage.path("src/tools").exists(), "empty directories go");
    let mut originals = before;
    originals.remove("lib/b.o");
    assert_eq!(read_all(&stage.path("src.orig")), originals);
    assert!(
        end.out.contains(
            "src is the result now: 1 file changed, 2 removed; src.orig holds the originals"
        ),
        "{end}"
    );
    // What is there now is another project, whose originals have another place.
    write(&stage, "src/d.c", "int d(void);\n");
    let again = stage.lop(&["src", "./find.sh", "--in-place"]);
    assert_eq!(again.status, 0, "{again}");
    assert!(
        again.out.contains("src.orig.1 holds the originals"),
        "{again}"
    );
    let kept = files(&[
        (".gitignore", "*.o\n"),
        ("a.c", "f\n"),
        ("d.c", "int d(void);\n"),
    ]);
    assert_eq!(read_all(&stage.path("src.orig.1")), kept);
    assert_eq!(read_all(&stage.path("src.orig")), originals);
}

#[test]
fn in_place_nothing_changes_where_somebody_has_changed_a_file() {
    let stage = project(&[
        ("a.c", "int f(void);\nint g(void);\n"),
        ("b.c", "int b(void);\n"),
    ]);
    let b = stage.path("src/b.c").display().to_string();
    let once = format!("[ $(wc -c <a.c) = 2 ] && ! [ -e {b}.seen ]");
    let test = format!("{once} && echo mine >{b} && echo >{b}.seen\ngrep -q f a.c\n");
    stage.test("find.sh", &test);
    let end = stage.lop(&["src", "./find.sh", "--in-place"]);
    assert_eq!(end.status, 3, "{end}");
    assert_eq!(stage.read("src/a.c"), "int f(void);\nint g(void);\n");
    assert_eq!(stage.read("src/b.c"), "mine\n");
    assert!(end.err.contains("src/b.c changed during the run"), "{end}");
    assert_eq!(read_all(&stage.path("src.lop")), files(&[("a.c", "f\n")]));
    // The file is as it was: the run comes to its end.
    write(&stage, "src/b.c", "int b(void);\n");
    let resumed = stage.lop(&["resume"]);
    assert_eq!(resumed.status, 0, "{resumed}");
    assert_eq!(stage.read("src/a.c"), "f\n");
    assert!(!stage.path("src/b.c").exists(), "{resumed}");
}

#[test]
fn in_place_a_run_that_goes_on_changes_the_files_again() {
    let stage = project(&THREE);
    stage.test("find.sh", "grep -q f a.c\n");
    stage.write("stop.txt", "at decision 2: stop\n");
    let stopped = stage.lop(&["src", "./find.sh", "--in-place", "--commands", "stop.txt"]);
    let between = read_all(&stage.path("src"));
    assert_eq!(between, read_all(&stage.path("src.lop")), "{stopped}");
    assert_ne!(between, files(&THREE), "{stopped}");
    let resumed = stage.lop(&["resume"]);
    assert_eq!(resumed.status, 0, "{resumed}");
    let left = files(&[("a.c", "f\n")]);
    assert_eq!(read_all(&stage.path("src")), left, "{resumed}");
    assert_eq!(read_all(&stage.path("src.orig")), files(&THREE));
}

#[test]
fn in_place_a_link_is_a_link_for_a_resumed_run_too() {
    let stage = project(&[
        ("a.c", "int f(void) { return 1; }\nint g(void);\n"),
        ("lib/c.c", "int c(void);\n"),
    ]);
    symlink("lib/c.c", stage.path("src/kept")).expect("a link");
    symlink("a.c", stage.path("src/gone")).expect("a link");
    stage.test(
        "find.sh",
        "[ -L kept ] && grep -q c kept && grep -q f a.c\n",
    );
    stage.write("stop.txt", "at decision 2: stop\n");
    let stopped = stage.lop(&["src", "./find.sh", "--in-place", "--commands", "stop.txt"]);
    // A kill in the middle of an end leaves files of two versions.
    write(
        &stage,
        "src/a.c",
        "int f(void) { return 1; }\nint g(void);\n",
    );
    let resumed = stage.lop(&["resume"]);
    assert_eq!(resumed.status, 0, "{stopped}\n{resumed}");
    let left = files(&[("a.c", "f\n"), ("kept", "c\n"), ("lib/c.c", "c\n")]);
    assert_eq!(read_all(&stage.path("src")), left, "{resumed}");
    assert!(
        fs::symlink_metadata(stage.path("src/gone")).is_err(),
        "{resumed}"
    );
    let link = fs::read_link(stage.path("src/kept"));
    assert_eq!(link.expect("a link"), Path::new("lib/c.c"));
    let original = fs::read_link(stage.path("src.orig/gone"));
    assert_eq!(original.expect("a link"), Path::new("a.c"));
}

#[test]
fn in_place_several_files_change_and_those_that_are_gone_go() {
    let stage = Stage::new();
    write(
        &stage,
        "a.c",
        "#include \"include/b.h\"\nint main(void) { return f(); }\n",
    );
    write(&stage, "include/b.h", "int f(void);\n");
    stage.test("find.sh", "grep -q f a.c\n");
    let end = stage.lop(&["a.c", "include/b.h", "./find.sh", "--in-place"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(
        fs::read_to_string(stage.path("a.c")).expect("it"),
        "return f;\n"
    );
    assert!(!stage.path("include/b.h").exists(), "{end}");
    let kept = fs::read_to_string(stage.path("lop.orig/include/b.h"));
    assert_eq!(kept.expect("an original"), "int f(void);\n");
}
