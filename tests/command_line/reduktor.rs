//! The strategy `reduktor` with its configurations: (parts that are left out, the program that is left).

use crate::shell::Stage;

const PROGRAM: &str = "int other(void) { return 3; }\n\
                       int used(int n) { return n + 1000; }\n\
                       int main(void) { int k = 5; return used(k) - other(); }\n";

/// What is left of the program, which must compile, and call a function in the line of `main`.
fn reduce(options: &[&str]) -> String {
    let stage = Stage::new();
    stage.write("a.c", PROGRAM);
    let test = "cc -fsyntax-only a.c && grep -q 'main.*used(' a.c\n";
    stage.test("compiles.sh", test);
    let end = stage.lop(&[&["a.c", "./compiles.sh", "--strategy", "reduktor"], options].concat());
    assert_eq!(end.status, 0, "{end}");
    stage.read("a.lop.c")
}

#[test]
#[ignore = "long"]
fn transformations_and_hdd_together_leave_less_than_each() {
    let both = reduce(&[]);
    assert_eq!(both, "int main() { used(); }\n");
    let hdd = reduce(&["--without", "slice,transform"]);
    assert_eq!(hdd, "int main() { return used() - other(); }\n");
    // A parameter went with its argument, and nothing removes whole declarations.
    let transformations = reduce(&["--without", "slice,hdd"]);
    assert!(
        transformations.contains("int used() ;\n"),
        "{transformations}"
    );
}

#[test]
fn slices_alone_leave_whole_statements_of_the_line() {
    let left = reduce(&["--without", "transform,hdd", "--place", "3"]);
    assert!(left.contains("return used(k) - other();"), "{left}");
    let stage = Stage::new();
    let unneeded = PROGRAM.replace("int k = 5;", "int k = 5;\n int j = 6;\n j = k;\n");
    stage.write("a.c", &unneeded);
    stage.test(
        "compiles.sh",
        "cc -fsyntax-only a.c && grep -q 'used(k)' a.c\n",
    );
    let line = [
        "--slice",
        "6",
        "--strategy",
        "reduktor",
        "--without",
        "transform,hdd",
    ];
    let end = stage.lop(&[&["a.c", "./compiles.sh"][..], &line].concat());
    let left = stage.read("a.lop.c");
    assert!(
        left.contains("int k = 5;") && !left.contains('j'),
        "{left}\n{end}"
    );
}

#[test]
fn pardis_is_the_last_step_where_the_user_says_so() {
    assert_eq!(reduce(&["--finish", "pardis"]), "int main() { used(); }\n");
    let nothing = reduce(&["--finish", "pardis", "--without", "slice,transform,hdd"]);
    assert_eq!(nothing, PROGRAM);
}

#[test]
fn its_parts_and_its_last_step_are_for_it_alone() {
    let stage = Stage::new();
    stage.write("a.c", PROGRAM);
    stage.test("compiles.sh", "cc -fsyntax-only a.c\n");
    for (options, says) in [
        (
            &["--finish", "pardis"][..],
            "--finish pardis is for the strategy reduktor",
        ),
        (
            &["--without", "transform"],
            "--without transform is for the strategy reduktor",
        ),
        (
            &["--strategy", "reduktor", "--without", "hollow"],
            "--without hollow is for the strategy lop",
        ),
        (
            &["--strategy", "reduktor", "--finish", "perses"],
            "possible values: hdd-star, pardis",
        ),
    ] {
        let end = stage.lop(&[&["a.c", "./compiles.sh"], options].concat());
        assert_eq!(end.status, 2, "{end}");
        assert!(end.err.contains(says), "{says}: {end}");
    }
}
