//! Passes over text: tokens and brackets go, whatever the tree says of them. (file, program, test, what the first interesting candidate says,
//! what it leaves.)

use lop::pass::{Effort, FeatureSet, PassOptions};
use lop::program::View;
use lop::protocol::ProposerStep;
use lop::reduce::{self, RunEvent, RunSetup};
use lop::verify::{CheckedFile, MinimalityReport, check_minimality_as_text};
use proptest::prelude::*;
use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use super::rewrites::{check_rows, named};
use crate::common::candidates_of_pass::pass;
use crate::common::{oracle, read, run, setup, verdict};

#[test]
fn tokens_in_a_row_go_across_the_borders_of_the_tree() {
    check_rows(
        "balanced-windows",
        &[
            (
                "a.c",
                "union U { }; union U g = { };",
                "union U { }g = { }",
                "Can `; union U` go?",
                "union U { }g = { };",
            ),
            ("a.js", "f(a, b);", "f(b)", "Can `a ,` go?", "f(b);"),
            (
                "a.java",
                "class A { int x; int y; }",
                "class A { int y",
                "Can `int x ;` go?",
                "class A { int y; }",
            ),
            (
                "a.rs",
                "fn f() -> u8 { 1 }",
                "fn f() { 1 }",
                "Can `-> u8` go?",
                "fn f() { 1 }",
            ),
            // In the arguments of a macro `>>` is one token.
            (
                "a.rs",
                "fn f() { p!(g::<S<>>()); }",
                "fn f() { p!(g::<S>()); }",
                "Can `< >>` become `>`?",
                "fn f() { p!(g::<S>()); }",
            ),
            (
                "a.py",
                "def f() -> int: pass\n",
                "def f(): pass",
                "Can `-> int` go?",
                "def f(): pass",
            ),
        ],
    );
}

#[test]
fn each_token_goes_by_itself() {
    check_rows(
        "single-tokens",
        &[
            (
                "a.c",
                "static int x;",
                "x;",
                "Can the token `static` go?",
                "x;",
            ),
            (
                "a.js",
                "let x = 1;",
                "x = 1",
                "Can the token `let` go?",
                "x = 1",
            ),
            (
                "a.java",
                "class A { public int x; }",
                "class A { int x; }",
                "Can the token `public` go?",
                "class A { int x; }",
            ),
            (
                "a.rs",
                "pub fn f() { }",
                "fn f() { }",
                "Can the token `pub` go?",
                "fn f() { }",
            ),
            (
                "a.py",
                "async def f(): pass\n",
                "def f(): pass",
                "Can the token `async` go?",
                "def f(): pass",
            ),
            // A line end is no token, and what a token leaves of its line stays on it.
            (
                "a.kt",
                "val a = 1\nprivate val b = 2\n",
                "val a = 1 val b = 2",
                "Can the token `private` go?",
                "val a = 1 val b = 2",
            ),
        ],
    );
}

#[test]
fn brackets_and_what_is_between_them_go() {
    check_rows(
        "windows",
        &[
            // What is in two bodies is in one.
            (
                "a.c",
                "f(int) { } g() { f(0); }",
                "f(int) { f(0); }",
                "Can `) { } g (` go?",
                "f(int) { f(0); }",
            ),
            // The parser reads a function without a type as a call and a block.
            (
                "a.c",
                "f(int a, int b) { } x;",
                "x;",
                "Can `f ( int a , int b ) { }` go?",
                "x;",
            ),
            (
                "a.js",
                "if (a) { b(); }",
                "if (a) b();",
                "Can `{` and `}` go? what is between them stays",
                "if (a) b();",
            ),
            (
                "a.java",
                "class A { void f() { } void g() { f(); } }",
                "class A { void f() { f(); } }",
                "Can `) { } void g (` go?",
                "class A { void f() { f(); } }",
            ),
            (
                "a.rs",
                "fn f() { } fn main() { f() }",
                "fn f() { f() }",
                "Can `) { } fn main (` go?",
                "fn f() { f() }",
            ),
            (
                "a.py",
                "f((a))\n",
                "f(a)",
                "Can `(` and `)` go? what is between them stays",
                "f(a)",
            ),
        ],
    );
}

#[test]
fn a_token_stands_in_the_place_of_a_window() {
    check_rows(
        "window-token",
        &[
            (
                "a.c",
                "int x = a - b;",
                "int x = 0;",
                "Can `a - b` become `0`?",
                "int x = 0;",
            ),
            (
                "a.js",
                "{ }\nf();",
                "; f()",
                "Can `{ }` become `;`?",
                "; f();",
            ),
            (
                "a.java",
                "class A { int x = a.b; }",
                "class A { int x = 0;",
                "Can `a . b` become `0`?",
                "class A { int x = 0; }",
            ),
            (
                "a.rs",
                "struct S { } struct T;",
                "struct S ; struct T;",
                "Can `{ }` become `;`?",
                "struct S ; struct T;",
            ),
            (
                "a.py",
                "x = a + b\n",
                "x = 0",
                "Can `a + b` become `0`?",
                "x = 0",
            ),
        ],
    );
}

#[test]
fn what_leaves_brackets_open_is_not_asked_about() {
    for kind in [
        "balanced-windows",
        "single-tokens",
        "windows",
        "window-token",
    ] {
        let program = ("a.c", "int f(int a[2]) { return a[0]; } int g;");
        let (asked, _) = pass(named(kind), program, FeatureSet::default(), |_| false);
        assert!(!asked.is_empty(), "{kind}");
        for asked in asked {
            let mut depth = 0;
            for byte in asked.candidate.bytes() {
                depth += i32::from(b"([{".contains(&byte)) - i32::from(b")]}".contains(&byte));
                assert!(depth >= 0, "{kind}: {asked:?}");
            }
            assert_eq!(depth, 0, "{kind}: {asked:?}");
        }
    }
}

/// The end of a run of the default strategy, but for shorter names and literals, with this script.
fn end_of(
    name: &str,
    program: &str,
    script: &str,
    test: impl Fn(&str) -> bool + Send + Sync + 'static,
) -> (String, Vec<RunEvent>) {
    let without = FeatureSet::default().with_named("bytes");
    run(RunSetup {
        options: PassOptions {
            disabled_features: without.expect("a stratum"),
            ..PassOptions::default()
        },
        script: reduce::parse_script(script).expect("a script"),
        ..setup(read(name, program), oracle(move |text| verdict(test(text))))
    })
}

#[test]
fn where_the_parser_misreads_much_it_is_not_asked() {
    // A compiler of C may take a parameter list of anything. JavaScript has no `if` without a body.
    for (name, program, needs, expected) in [
        ("a.c", "int f(int a) { return a; }\nint x;\n", "f(", "f()"),
        ("a.js", "if (a) { b(); }\n", "if (a", "if(a);"),
        (
            "a.rs",
            "struct S { a: u8 }\nfn f() { S }\n",
            "struct S",
            "structS;",
        ),
    ] {
        let (last, _) = end_of(name, program, "", move |text| text.contains(needs));
        let joined: String = last.split_whitespace().collect();
        assert_eq!(joined, expected, "{name}");
    }
}

#[test]
fn a_pinned_token_stays_with_all_that_would_go_with_it() {
    let (last, events) = end_of("a.c", "int f(int a) { } int x;\n", "pin f", |text| {
        text.contains('x')
    });
    assert!(last.contains("f(int a)") && last.contains('x'), "{last}");
    let goes = |event: &RunEvent| match event {
        RunEvent::Decided(decided) => decided.sentence.question.contains("(` and `)`"),
        _ => false,
    };
    assert!(!events.iter().any(goes), "they are pinned: {last}");
}

#[test]
fn a_larger_program_is_asked_about_only_with_hard_effort() {
    let program: String = (0..60).map(|at| format!("int x{at} = 0;\n")).collect();
    let asks = |effort: Effort| {
        let options = PassOptions {
            effort,
            ..PassOptions::default()
        };
        let view = View::new(read("a.c", &program));
        let mut state = named("single-tokens").start_filtered(&view, &options);
        matches!(state.propose(&view), ProposerStep::Test(..))
    };
    assert_eq!([Effort::Normal, Effort::Hard].map(asks), [false, true]);
}

/// What the default strategy leaves, and what a check of that as text says.
fn verified(
    name: &str,
    program: &str,
    test: impl Fn(&str) -> bool + Send + Sync + Clone + 'static,
) -> (String, MinimalityReport) {
    let (last, _) = end_of(name, program, "", test.clone());
    let file = CheckedFile::from_text(Path::new(name), Arc::from(last.as_bytes())).expect("a file");
    let report = check_minimality_as_text(&file, |bytes| {
        Ok::<_, Infallible>(test(std::str::from_utf8(bytes).expect("UTF-8")))
    });
    (last, report.expect("no error"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    // Words must stay, some only while others do: what the passes leave is minimal as text, in every language.
    #[test]
    #[ignore = "long"]
    fn what_is_left_is_minimal_as_text(
        file in 0usize..6,
        needs in proptest::collection::vec(0usize..12, 1..4),
        holds in proptest::collection::vec((0usize..12, 0usize..12), 0..8),
    ) {
        let (name, program) = [
            ("a.c", "int a; struct b { int c; }; int d(int e) { return e + a; } int f() { d(1); if (g) { h[i] = 2; } return j(k, l); }"),
            ("a.js", "let a = b;\nfunction d(e, c) { return e + a; }\nif (g) { h[i] = 2 }\nelse f();\nj(k, l);\n"),
            ("a.java", "class a { int b; int d(int e, int c) { return e + b; } void f() { if (g) { h[i] = 2; } j(k, l); } }"),
            ("a.rs", "struct a { b: u8 } fn d(e: u8, c: u8) -> u8 { e + c } fn f() { if g { h[i] = 2; } j(k, l); }"),
            ("a.py", "a = b\ndef d(e, c):\n    return e + a\nif g:\n    h[i] = 2\nelse:\n    f()\nj(k, l)\n"),
            ("a.go", "package a\n\nvar b int\n\nfunc d(e int, c int) int { return e + b }\n\nfunc f() {\n\tif g {\n\t\th[i] = 2\n\t}\n\tj(k, l)\n}\n"),
        ][file];
        let word = |at: usize| (b'a' + at as u8) as char;
        let has = move |text: &str, at: usize| {
            text.split(|c: char| !c.is_ascii_alphanumeric()).any(|own| own.len() == 1 && own.starts_with(word(at)))
        };
        let test = move |text: &str| {
            needs.iter().all(|&need| has(text, need))
                && holds.iter().all(|&(held, holder)| !has(text, holder) || has(text, held))
        };
        prop_assume!(test(program));
        let (last, report) = verified(name, program, test);
        prop_assert!(report.is_minimal(), "{:?} of\n{last}\nof\n{program}", report.violations);
    }
}
