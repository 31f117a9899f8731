//! Large programs of which nothing goes at first: the last declarations are reduced before the others, and then all goes but what they need.

use std::sync::{Arc, Mutex};

use super::words;
use crate::common::{oracle, read, run, setup, verdict};

/// So many functions of a library have over 20,000 tokens.
const FUNCTIONS: usize = 1_600;

fn library() -> String {
    let functions = 0..FUNCTIONS;
    let text = functions.map(|at| format!("int lib{at}(int n) {{ return n * {at} + n; }}\n"));
    text.collect()
}

/// The texts that a run with quick effort tests, and its result.
fn reduce_by(
    program: &str,
    is_interesting: impl Fn(&str) -> bool + Send + Sync + 'static,
) -> (Vec<String>, String) {
    let tested: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = tested.clone();
    let runner = oracle(move |text| {
        log.lock().expect("unpoisoned").push(words(text));
        verdict(is_interesting(text))
    });
    let (last, _) = run(setup(read("a.c", program), runner));
    let tested = tested.lock().expect("unpoisoned").clone();
    (tested, words(&last))
}

fn library_is_whole(text: &str) -> bool {
    text.matches("int lib").count() == FUNCTIONS && text.matches("(int n)").count() >= FUNCTIONS
}

/// The number of the first test of which this holds.
fn first_test(tested: &[String], is_meant: impl Fn(&str) -> bool) -> usize {
    let first = tested.iter().position(|text| is_meant(text));
    first.expect("it is asked")
}

/// The same if `demo` needs the whole library and the bug needs what `needs` says.
fn reduce_beside_library(author: &str, needs: &'static [&str]) -> (Vec<String>, String) {
    reduce_by(&(library() + author), move |text| {
        let has_bug = needs.iter().all(|need| text.contains(need));
        has_bug && (!text.contains("demo();") || library_is_whole(text))
    })
}

#[test]
fn a_library_goes_when_the_last_function_no_longer_needs_it() {
    let author = "int main(void) {\n  bug();\n  demo();\n}\n";
    let (tested, result) = reduce_beside_library(author, &["bug();"]);
    let without = words("int main(void) { bug(); }");
    let first = first_test(&tested, |text| text.ends_with(&without));
    assert!(first < 20, "it is test {first}");
    assert!(tested.len() < 60, "{} tests", tested.len());
    assert_eq!(result, "{ bug(); }");
}

#[test]
#[ignore = "long"]
fn all_goes_but_what_the_last_declarations_need() {
    let author = "struct s { int a; };\nint inner(struct s *p) { return lib7(p->a) + lib9(p->a) + lib7(p->a); }\n\
        int main(void) {\n  struct s x;\n  bug(inner(&x), lib8(2), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);\n  demo();\n}\n";
    let needs = &[
        "bug(inner(&x), lib8(2), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)",
        "int lib8(int n)",
        "struct s {",
        "return lib7(p->a) + lib9(p->a) + lib7(p->a);",
    ];
    let (tested, _) = reduce_beside_library(author, needs);
    // What they need stays, without the bodies of functions; the last tokens of the library are beside the last declarations, and stay with them.
    let needed = "int lib7(int n) { } int lib8(int n) { } int lib9(int n) { } int lib15";
    let first = first_test(&tested, |text| text.starts_with(needed));
    assert!(first < 40, "it is test {first}");
}

#[test]
fn the_bodies_of_near_functions_stay_where_the_bug_needs_them() {
    let near = "int inner(int n) { lib7(n) + MARK; }\nint outer(int n) { inner(n); }\n";
    let author = "int main(void) {\n  bug(outer(1));\n}\n";
    let (tested, _) = reduce_by(&(near.to_string() + &library() + author), |text| {
        let needs = ["bug(outer(1));", "{ inner(n); }", "lib7(n) + MARK"];
        let is_small = text.matches("int lib").count() < 100;
        needs.iter().all(|need| text.contains(need)) && (is_small || library_is_whole(text))
    });
    let needed = "int inner(int n) { lib7(n) + MARK; } int outer(int n) { inner(n); } int lib7(int n) { } int lib15";
    let first = first_test(&tested, |text| text.starts_with(needed));
    assert!(first < 40, "it is test {first}");
}

#[test]
#[ignore = "long"]
fn what_the_last_declarations_name_of_others_becomes_the_simplest() {
    let author = "int bug(lib_type x, lib_type y, char *z) {\n  return 1 + 1 + 1 + 1 + 1 + 1 + lib7(1);\n}\n\
        int main(void) {\n  bug(1, 2, \"text\");\n}\n";
    let program = "typedef struct { int a; } lib_type;\n".to_string() + &library() + author;
    let (tested, _) = reduce_by(&program, |text| {
        let bug = [
            " x, ",
            " y, char *z)",
            "1 + 1 + 1 + 1 + 1 + 1 +",
            "bug(1, 2, ",
        ];
        let names = ["lib_type x", "lib_type y", "lib7(1)", "\"text\""];
        let compiles = !text.contains(" 0(");
        let named = names.iter().any(|name| text.contains(name));
        compiles && bug.iter().all(|part| text.contains(part)) && (!named || library_is_whole(text))
    });
    let simple = words(
        "int bug(int x, int y, char *z) { return 1 + 1 + 1 + 1 + 1 + 1 + 0; } int main(void) { bug(1, 2, 0); }",
    );
    let first = first_test(&tested, |text| text.contains(&simple));
    assert!(first < 60, "it is test {first}");
}
