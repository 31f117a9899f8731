//! What another rule of the grammar derives: tokens that go although their own rule requires them, the members of a namespace in its place.

use lop::program::Version;

use super::rewrites::check_rows;
use super::words;
use crate::common::{oracle, read, run, setup, verdict};

#[test]
fn a_token_goes_where_another_rule_does_without_it() {
    check_rows(
        "spare tokens",
        &[
            // Behind the last enumerator the grammar wants no comma, behind the others it does.
            (
                "a.c",
                "enum E { a, };",
                "enum E { a",
                "Can `,` go? another rule of the grammar does without it",
                "enum E { a};",
            ),
            (
                "a.cpp",
                "enum E { a, b, };",
                "enum E { a, b",
                "Can `,` go? another rule of the grammar does without it",
                "enum E { a, b};",
            ),
            // A declarator without a name is an abstract one, at any depth.
            (
                "a.c",
                "void f(char *s);",
                "void f(char *",
                "Can `s` go? another rule of the grammar does without it",
                "void f(char *);",
            ),
            (
                "a.cpp",
                "void f(char **s);",
                "void f(char **",
                "Can `s` go? another rule of the grammar does without it",
                "void f(char **);",
            ),
        ],
    );
}

/// The result of quick effort.
fn reduce_quick(file: &str, program: &str, needs: &'static str) -> String {
    let version: Version = read(file, program);
    let runner = oracle(move |text| verdict(words(text).contains(needs)));
    let (last, _) = run(setup(version, runner));
    words(&last)
}

#[test]
fn what_a_namespace_declares_stands_in_its_place() {
    // `struct S;` is no node of its own for the parser, and another rule derives it outside of the namespace.
    for program in [
        "namespace n { struct S; S *p; }",
        "namespace { struct S; S *p; }",
        "extern \"C\" { struct S; S *p; }",
    ] {
        let left = reduce_quick("a.cpp", program, "struct S; S *p;");
        assert_eq!(left, "struct S; S *p;", "{program}");
    }
}

#[test]
fn a_namespace_goes_with_its_qualifiers() {
    check_rows(
        "namespaces",
        &[
            (
                "a.cpp",
                "namespace n { struct S; } n::S *p; n::S *q;",
                "struct S;S *p;S *q;",
                "Can `n` become its members? they stand in its place, and 2 qualifiers with it",
                "struct S;S *p;S *q;",
            ),
            // Opened twice, and by a statement.
            (
                "a.cpp",
                "namespace n { struct S; } namespace n { struct T; } using namespace n; S *p; T *q;",
                "struct S; struct T; S *p; T *q;",
                "Can `n` become its members? they stand in its place",
                "struct S; struct T; S *p; T *q;",
            ),
            (
                "a.rs",
                "mod m { pub fn g() {} } fn f() { m::g() }",
                "pub fn g() {} fn f() {g() }",
                "Can `m` become its members? they stand in its place, and 1 qualifier with it",
                "pub fn g() {} fn f() {g() }",
            ),
            (
                "a.ts",
                "namespace n { const a = 1; } f(n.a);",
                "const a = 1; f(a);",
                "Can `n` become its members? they stand in its place, and 1 qualifier with it",
                "const a = 1; f(a);",
            ),
        ],
    );
}

#[test]
fn a_tag_that_is_only_declared_goes_where_it_was_an_argument() {
    check_rows(
        "type",
        &[(
            "a.cpp",
            "struct S; template<class> struct P {}; P<S> p;",
            "P<int> p",
            "Can `S` become `int`? in 1 place, its definition goes",
            "template<class> struct P {}; P<int> p;",
        )],
    );
}
