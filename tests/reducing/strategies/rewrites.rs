//! The passes of the strategy `rewrites`: (file, program, test, what the first interesting candidate says, what it leaves).

use lop::language;
use lop::pass::{self, FeatureSet, PassKind, PassOptions};
use lop::program::{self, Version, View, walk};
use lop::protocol::{Feedback, ProposerStep};
use lop::reduce::RunSetup;
use proptest::prelude::*;

use super::words;
use crate::common::candidates_of_pass::pass;
use crate::common::{oracle, read, run, setup, text as text_of, verdict};

/// A program, a text that its test wants, what the pass says and what is left.
pub(super) type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

pub(super) fn named(name: &str) -> &'static PassKind {
    let all = pass::all_passes();
    all.into_iter()
        .find(|kind| kind.name == name)
        .expect("a pass")
}

/// The test is about words, since a pass leaves white space as it is.
pub(super) fn check_rows(kind: &str, rows: &[Row]) {
    for (file, program, needs, sentence, expected) in rows {
        let wanted = |text: &str| words(text).contains(needs);
        let (asked, left) = pass(named(kind), (file, program), FeatureSet::default(), wanted);
        let yes = asked.iter().find(|asked| asked.yes);
        let said = yes.map_or("", |asked| &asked.sentence);
        assert_eq!(
            (said, &*words(&left)),
            (*sentence, *expected),
            "{file}: {program}\n{asked:?}"
        );
    }
}

#[test]
fn parts_that_compilers_do_without_go() {
    check_rows(
        "dispensable",
        &[
            (
                "a.c",
                "typedef int T; static T x; int f(int a, T b) { return a; }",
                "f(a, b) { return a; }",
                "Can all 5 parts that compilers do without go? `int` ×3, `T` ×2",
                "typedef T; static x; f(a, b) { return a; }",
            ),
            // What stands in a type goes with it.
            (
                "a.c",
                "struct { int (*f)(int a); } x; long y;",
                "y;",
                "Can all 3 parts that compilers do without go? `struct { int (*f)(int a); }`, `long`",
                "x; y;",
            ),
            // Each by itself where not all can go; a parameter is not empty.
            (
                "a.c",
                "int x; long f(char);",
                "long f(char);",
                "Can the primitive type `int` go? one of 2 parts that compilers do without",
                "x; long f(char);",
            ),
            // No compiler of C++ takes them.
            ("a.cpp", "int x;", "x;", "", "int x;"),
        ],
    );
}

#[test]
fn they_are_asked_about_only_with_more_than_quick_effort() {
    let asked = |effort| {
        let options = PassOptions {
            effort,
            ..PassOptions::default()
        };
        let runner = oracle(|text| verdict(text.contains('x')));
        let setup = RunSetup {
            options,
            ..setup(read("a.c", "int x;\n"), runner)
        };
        run(setup).0
    };
    assert_eq!(asked(pass::Effort::Quick), "int x;\n");
    assert!(!asked(pass::Effort::Normal).contains("int"));
}

#[test]
fn types_stand_in_place_of_their_names() {
    check_rows(
        "alias",
        &[
            (
                "a.c",
                "typedef int T; T x; T f(T a) { return a; }",
                "int f(int a)",
                "Can `T` become `int`? in its 3 places; `typedef int T;` goes",
                "int x; int f(int a) { return a; }",
            ),
            // A chain is closed, all at once.
            (
                "a.c",
                "typedef unsigned T; typedef T U; U x; T y;",
                "unsigned x; unsigned y;",
                "Can 2 definitions go? `T`, `U`: their types stand in 2 places",
                "unsigned x; unsigned y;",
            ),
            // Each by itself where not all can go.
            (
                "a.c",
                "typedef int T; typedef char U; T x; U y;",
                "typedef int T; T x; char y",
                "Can `U` become `char`? in its only place; `typedef char U;` goes",
                "typedef int T; T x; char y;",
            ),
            // A structure with one use stands there.
            (
                "a.c",
                "typedef struct { int a; } T; T x;",
                "struct { int a; } x;",
                "Can `T` become `struct { int a; }`? in its only place; `typedef struct { int a; } T;` goes",
                "struct { int a; } x;",
            ),
            (
                "a.cpp",
                "using T = int; T f(T a);",
                "int f(int a)",
                "Can `T` become `int`? in its 2 places; `using T = int;` goes",
                "int f(int a);",
            ),
            (
                "a.rs",
                "type T = u8; fn f(a: T) -> T { a }",
                "fn f(a: u8) -> u8",
                "Can `T` become `u8`? in its 2 places; `type T = u8;` goes",
                "fn f(a: u8) -> u8 { a }",
            ),
            (
                "a.go",
                "package a\n\ntype T = int\n\nfunc f(a T) T { return a }\n",
                "func f(a int) int",
                "Can `T` become `int`? in its 2 places; `T = int` goes",
                "package a func f(a int) int { return a }",
            ),
            (
                "a.kt",
                "typealias T = Int\nfun f(a: T): T = a\n",
                "fun f(a: Int): Int",
                "Can `T` become `Int`? in its 2 places; `typealias T = Int` goes",
                "fun f(a: Int): Int = a",
            ),
            (
                "a.ts",
                "type T = number;\nfunction f(a: T): T { return a; }\n",
                "f(a: number): number",
                "Can `T` become `number`? in its 2 places; `type T = number;` goes",
                "function f(a: number): number { return a; }",
            ),
        ],
    );
}

#[test]
fn paths_stand_in_place_of_imported_names() {
    check_rows(
        "alias",
        &[
            (
                "a.rs",
                "use std::mem::size_of; fn f() { println!(\"{}\", size_of::<u8>()) }",
                "std::mem::size_of::<u8>()",
                "Can `size_of` become `std::mem::size_of`? in its only place; `use std::mem::size_of;` goes",
                "fn f() { println!(\"{}\", std::mem::size_of::<u8>()) }",
            ),
            (
                "a.kt",
                "import a.b.C\nfun f() { C.d() }\n",
                "{ a.b.C.d() }",
                "Can `C` become `a.b.C`? in its only place; `import a.b.C` goes",
                "fun f() { a.b.C.d() }",
            ),
            (
                "a.java",
                "import java.util.List; class A { List<A> a; }",
                "java.util.List<A> a",
                "Can `List` become `java.util.List`? in its only place; `import java.util.List;` goes",
                "class A { java.util.List<A> a; }",
            ),
            (
                "a.cpp",
                "using std::string; string a;",
                "std::string a",
                "Can `string` become `std::string`? in its only place; `using std::string;` goes",
                "std::string a;",
            ),
            // An import of what is imported is a chain.
            (
                "a.rs",
                "use a::b; use b::c; fn f() { c() }",
                "{ a::b::c() }",
                "Can 2 definitions go? `b`, `c`: what they stand for is in 1 place",
                "fn f() { a::b::c() }",
            ),
        ],
    );
    // With more uses the paths would be longer than the import.
    let java = "import java.util.List; class A { List a; List b; List c; }";
    let wanted = |_: &str| true;
    let (asked, _) = pass(
        named("alias"),
        ("a.java", java),
        FeatureSet::default(),
        wanted,
    );
    assert!(asked.is_empty(), "{asked:?}");
}

#[test]
fn what_a_statement_has_stands_elsewhere() {
    check_rows(
        "transplant",
        &[
            (
                "a.rs",
                "struct S<const N: u8>; fn f() -> S { }",
                "const N: S",
                "Can `u8` become `S`? it is a part of `fn f() -> S { }`, which goes",
                "struct S<const N: S>;",
            ),
            (
                "a.c",
                "int a; int f(void) { g(1); return a + 2; }",
                "g(a + 2);",
                "Can `1` become `a + 2`? it is a part of `return a + 2;`, which goes",
                "int a; int f(void) { g(a + 2); }",
            ),
            (
                "a.java",
                "class A { int a; void f() { g(1); A b = h(a); } }",
                "g(h(a))",
                "Can `1` become `h(a)`? it is a part of `A b = h(a);`, which goes",
                "class A { int a; void f() { g(h(a)); } }",
            ),
            (
                "a.js",
                "let a = 1; f(2); g(a);\n",
                "f(a)",
                "Can `2` become `a`? it is a part of `g(a);`, which goes",
                "let a = 1; f(a);",
            ),
        ],
    );
    // What is used elsewhere stays, and what goes with its statement cannot be used elsewhere.
    let c = "int f(void) { int a; int b = a; return b; }";
    let (asked, _) = pass(
        named("transplant"),
        ("a.c", c),
        FeatureSet::default(),
        |_: &str| false,
    );
    let moved: Vec<&str> = asked.iter().map(|asked| &*asked.sentence).collect();
    assert_eq!(
        moved,
        ["Can `a` become `b`? it is a part of `return b;`, which goes"]
    );
}

#[test]
fn a_name_takes_the_place_of_another() {
    check_rows(
        "merge",
        &[
            (
                "a.c",
                "int x; int f() { return x; }",
                "return 0",
                "Can `x` become `0`? in 1 use, and its declaration goes",
                "int f() { return 0; }",
            ),
            (
                "a.c",
                "int x; int y; int f() { return x - y; }",
                "return x - x",
                "Can `y` become `x`? in 1 use, and its declaration goes",
                "int x; int f() { return x - x; }",
            ),
            // A parameter goes with its arguments.
            (
                "a.c",
                "int f(int a, int b) { return a + b; } int g() { return f(1, 2); }",
                "return a + a",
                "Can `b` become `a`? in 1 use, and the parameter goes with its argument in 1 call",
                "int f(int a) { return a + a; } int g() { return f(1); }",
            ),
            (
                "a.c",
                "int f() { return 1; } int g() { return 2; } int h() { return f() - g(); }",
                "f() - f()",
                "Can `g` become `f`? in 1 use, and its declaration goes",
                "int f() { return 1; } int h() { return f() - f(); }",
            ),
            (
                "a.c",
                "struct S { int a; }; struct T { int b; }; struct S x; struct T y;",
                "struct S x; struct S y;",
                "Can `T` become `S`? in 1 use, and its declaration goes",
                "struct S { int a; }; struct S x; struct S y;",
            ),
            (
                "a.c",
                "struct S { int a; int b; } x; int f() { return x.a - x.b; }",
                "x.a - x.a",
                "Can `b` become `a`? in 1 use, and its declaration goes",
                "struct S { int a; } x; int f() { return x.a - x.a; }",
            ),
            (
                "a.cpp",
                "int x; int y; int f() { return x - y; }",
                "return x - x",
                "Can `y` become `x`? in 1 use, and its declaration goes",
                "int x; int f() { return x - x; }",
            ),
            (
                "a.java",
                "class A { int x; int y; int f() { return x - y; } }",
                "return x - x",
                "Can `y` become `x`? in 1 use, and its declaration goes",
                "class A { int x; int f() { return x - x; } }",
            ),
            (
                "a.rs",
                "fn f() -> u8 { let x = 1; let y = 2; x - y }",
                "x - x",
                "Can `y` become `x`? in 1 use, and its declaration goes",
                "fn f() -> u8 { let x = 1; x - x }",
            ),
            (
                "a.py",
                "x = 1\ny = 2\nprint(x - y)\n",
                "x - x",
                "Can `y` become `x`? in 1 use, and its declaration goes",
                "x = 1 print(x - x)",
            ),
            (
                "a.js",
                "function f(a, b) { return a - b; }\nf(1, 2);\n",
                "a - a",
                "Can `b` become `a`? in 1 use, and the parameter goes with its argument in 1 call",
                "function f(a) { return a - a; } f(1);",
            ),
            (
                "a.kt",
                "fun f(a: Int, b: Int): Int = a - b\nval x = f(1, 2)\n",
                "a - a",
                "Can `b` become `a`? in 1 use, and the parameter goes with its argument in 1 call",
                "fun f(a: Int): Int = a - a val x = f(1)",
            ),
            (
                "a.go",
                "package a\n\nfunc f() int { return 1 }\nfunc g() int { return 2 }\nvar x = f() - g()\n",
                "f() - f()",
                "Can `g` become `f`? in 1 use, and its declaration goes",
                "package a func f() int { return 1 } var x = f() - f()",
            ),
            (
                "a.ts",
                "let x: number = 1;\nlet y: number = 2;\nf(x - y);\n",
                "x - x",
                "Can `y` become `x`? in 1 use, and its declaration goes",
                "let x: number = 1; f(x - x);",
            ),
        ],
    );
}

#[test]
fn a_name_is_asked_about_a_few_times_the_likeliest_first() {
    let program = "int a; int b; int c; int d; int e; char s; int f() { b; return a - s; }";
    let (asked, _) = pass(
        named("merge"),
        ("a.c", program),
        FeatureSet::default(),
        |_| false,
    );
    let of_a: Vec<&str> = asked
        .iter()
        .filter_map(|asked| {
            asked
                .sentence
                .strip_prefix("Can `a` become ")?
                .strip_suffix("? in 1 use, and its declaration goes")
        })
        .collect();
    // The simplest value; then the statement, the function, the type.
    assert_eq!(of_a, ["`0`", "`s`", "`b`", "`c`", "`d`", "`e`"]);
}

#[test]
fn parameters_go_with_the_arguments_that_there_are() {
    check_rows(
        "parameters",
        &[
            (
                "a.c",
                "int f(); int g() { return f(1, 2) + f(3, 4); }",
                "f(1) + f(3)",
                "Can argument 2 of `f` go? in 2 calls; the parameter stays",
                "int f(); int g() { return f(1) + f(3); }",
            ),
            (
                "a.c",
                "int f(int a, int b); int g() { return f(1, 2) + f(3); }",
                "f(int a); int g() { return f(1)",
                "Can parameter 2 of `f` go? with its argument in 1 call",
                "int f(int a); int g() { return f(1) + f(3); }",
            ),
            (
                "a.c",
                "void f(int a, int b); void f(int a, int b) { } void g() { f(1, 2); }",
                "f(int a) { } void g() { f(1, 2)",
                "Can parameter 2 of `f` go? the arguments stay",
                "void f(int a); void f(int a) { } void g() { f(1, 2); }",
            ),
            (
                "a.java",
                "class A { void f(int a, int b) { } void g() { f(1, 2); } }",
                "f() { } void g() { f()",
                "Can all parameters of `f` go? with the arguments in 1 call",
                "class A { void f() { } void g() { f(); } }",
            ),
            (
                "a.js",
                "function f(a, b) { return a; }\nf(1, 2); f(3);\n",
                "f(a) { return a; } f(1);",
                "Can parameter 2 of `f` go? with its argument in 1 call",
                "function f(a) { return a; } f(1); f(3);",
            ),
            (
                "a.py",
                "def f(a, b=1):\n    return a\nf(1, 2)\nf(3)\n",
                "def f(a): return a f(1)",
                "Can parameter 2 of `f` go? with its argument in 1 call",
                "def f(a): return a f(1) f(3)",
            ),
            (
                "a.rs",
                "fn f(a: u8, b: u8) -> u8 { a } fn g() { f(1, 2); f(3, 4); }",
                "f(a: u8) -> u8 { a } fn g() { f(1); f(3)",
                "Can parameter 2 of `f` go? with its argument in 2 calls",
                "fn f(a: u8) -> u8 { a } fn g() { f(1); f(3); }",
            ),
            (
                "a.cpp",
                "template <class T, class U = int> struct A { U a; }; A<int> x; A<long, char> y;",
                "<class U = int> struct A { U a; }; A<> x; A<char> y;",
                "Can type parameter 1 of `A` go? with its argument in 2 uses",
                "template <class U = int> struct A { U a; }; A<> x; A<char> y;",
            ),
            (
                "a.cpp",
                "template <class T, class U> void f(U); void g() { f<int, char>(1); f<long>(2); }",
                "<class U> void f(U); void g() { f<char>(1); f<>(2);",
                "Can type parameter 1 of `f` go? with its argument in 2 uses",
                "template <class U> void f(U); void g() { f<char>(1); f<>(2); }",
            ),
            (
                "a.java",
                "class A<T, U> { U a; } class B { A<String, Long> a; A<Long, String> b; }",
                "A<U> { U a; } class B { A<Long> a; A<String> b;",
                "Can type parameter 1 of `A` go? with its argument in 2 uses",
                "class A<U> { U a; } class B { A<Long> a; A<String> b; }",
            ),
            (
                "a.kt",
                "class A<T, U>(val a: U)\nval b: A<Int, Long>? = null\nval c: A<Long, Int>? = null\n",
                "A<U>(val a: U) val b: A<Long>? = null val c: A<Int>",
                "Can type parameter 1 of `A` go? with its argument in 2 uses",
                "class A<U>(val a: U) val b: A<Long>? = null val c: A<Int>? = null",
            ),
            (
                "a.kt",
                "class A<T, U> { class B<T> }\nval b: A.B<Int>? = null\nval c: A<Long, Int>? = null\n",
                "class A<U> { class B<T> } val b: A.B<Int>? = null val c: A<Int>",
                "Can type parameter 1 of `A` go? with its argument in 1 use",
                "class A<U> { class B<T> } val b: A.B<Int>? = null val c: A<Int>? = null",
            ),
            (
                "a.rs",
                "enum A<T, U> { B(U) } fn f(a: A<u8, u16>, b: A<u16, u8>) { }",
                "A<U> { B(U) } fn f(a: A<u16>, b: A<u8>)",
                "Can type parameter 1 of `A` go? with its argument in 2 uses",
                "enum A<U> { B(U) } fn f(a: A<u16>, b: A<u8>) { }",
            ),
            (
                "a.ts",
                "interface A<T, U> { a: U; }\nlet b: A<number, string>; let c: A<string, number>;\n",
                "A<U> { a: U; } let b: A<string>; let c: A<number>;",
                "Can type parameter 1 of `A` go? with its argument in 2 uses",
                "interface A<U> { a: U; } let b: A<string>; let c: A<number>;",
            ),
        ],
    );
}

#[test]
fn all_uses_of_a_type_become_the_simplest_type() {
    check_rows(
        "type",
        &[
            (
                "a.c",
                "struct S { char a; }; struct S f(struct S x);",
                "int f(int x)",
                "Can `struct S` become `int`? in 2 places, its definition goes",
                "int f(int x);",
            ),
            (
                "a.c",
                "unsigned long x; unsigned long y; char z;",
                "int x; int y; char z",
                "Can `unsigned long` become `int`? in 2 places",
                "int x; int y; char z;",
            ),
            (
                "a.cpp",
                "struct S { char a; }; S f(S x);",
                "int f(int x)",
                "Can `S` become `int`? in 2 places, its definition goes",
                "int f(int x);",
            ),
            (
                "a.java",
                "class A { String x; String f(String a) { return a; } }",
                "int x; int f(int a)",
                "Can `String` become `int`? in 3 places",
                "class A { int x; int f(int a) { return a; } }",
            ),
            (
                "a.rs",
                "struct S { a: u16 } fn f(a: &S) -> &S { a }",
                "fn f(a: u8) -> u8 { a }",
                "Can `&S` become `u8`? in 2 places, its definition goes",
                "fn f(a: u8) -> u8 { a }",
            ),
            (
                "a.go",
                "package a\n\nfunc f(a []string, b []string) {}\n",
                "a int, b int",
                "Can `[]string` become `int`? in 2 places",
                "package a func f(a int, b int) {}",
            ),
            (
                "a.kt",
                "fun f(a: String): String = a\n",
                "a: Int): Int",
                "Can `String` become `Int`? in 2 places",
                "fun f(a: Int): Int = a",
            ),
            (
                "a.ts",
                "function f(a: number): number { return a; }\n",
                "a: any): any",
                "Can `number` become `any`? in 2 places",
                "function f(a: any): any { return a; }",
            ),
        ],
    );
}

#[test]
fn something_of_its_kind_stands_in_the_place_of_a_node() {
    check_rows(
        "substitute",
        &[
            // The simplest value.
            (
                "a.c",
                "int f(int a) { return g(a + 1, a); }",
                "return g(0, a)",
                "Can `a + 1` become `0`?",
                "int f(int a) { return g(0, a); }",
            ),
            // A node deep below, through others that fit too.
            (
                "a.c",
                "int f(int a) { return -g(h(i(j(k(a, b(2)))))); }",
                "return b(2)",
                "Can `-g(h(i(j(k(a, b(2))))))` become `b(2)`? the grammar allows it here",
                "int f(int a) { return b(2); }",
            ),
            // A copy.
            (
                "a.c",
                "int f(int a, int b) { return g(a + 1) - h(b); }",
                "return g(b)",
                "Can `a + 1` become `b`?",
                "int f(int a, int b) { return g(b) - h(b); }",
            ),
            (
                "a.rs",
                "fn f(a: Vec<u16>) -> u32 { g(a) }",
                "a: u8)",
                "Can `Vec<u16>` become `u8`?",
                "fn f(a: u8) -> u32 { g(a) }",
            ),
            // The parser sees no nodes in the arguments of a macro.
            (
                "a.rs",
                "fn f() { println!(\"{}\", size_of::<u8>()) }",
                "fn f() { size_of::<u8>() }",
                "Can `println!(\"{}\", size_of::<u8>())` become `size_of::<u8>()`?",
                "fn f() { size_of::<u8>() }",
            ),
            (
                "a.js",
                "f(a.b.c, d);\n",
                "f(d, d)",
                "Can `a.b.c` become `d`?",
                "f(d, d);",
            ),
            (
                "a.py",
                "f(g(h(1)), x)\n",
                "f(x, x)",
                "Can `g(h(1))` become `x`?",
                "f(x, x)",
            ),
            (
                "a.java",
                "class A { int f(int a) { return g(b + 1, a); } }",
                "g(a, a)",
                "Can `b + 1` become `a`?",
                "class A { int f(int a) { return g(a, a); } }",
            ),
        ],
    );
}

#[test]
fn the_certificate_asks_about_what_is_below_a_node_that_fits() {
    check_rows(
        "certificate",
        &[
            (
                "a.c",
                "int *f() { return &a[i][j]; }",
                "int *f() { return a[i];",
                "Can `&a[i][j]` become `a[i]`? the grammar allows it here",
                "int *f() { return a[i]; }",
            ),
            // The elements of a list in a block that could stand there itself.
            (
                "a.c",
                "int f() { k(); if (a) { x(); y(); } }",
                "f() { k(); x(); y(); }",
                "Can `if (a) { x(); y(); }` become the 2 statements inside it? what stays: `x();`, `y();`",
                "int f() { k(); x(); y(); }",
            ),
        ],
    );
}

#[test]
fn the_main_loop_goes_on_where_a_rewrite_succeeded() {
    // The definition holds what is unused now.
    let program = "typedef int T;\nT f(T a) { return a; }\nint x = 1;\n";
    let runner = oracle(|text| verdict(text.contains("int f(int")));
    let without = FeatureSet::default().with_named("text").expect("a stratum");
    let (last, _) = run(RunSetup {
        options: PassOptions {
            disabled_features: without,
            ..PassOptions::default()
        },
        ..setup(read("a.c", program), runner)
    });
    assert_eq!(words(&last), "int f(int);");
}

/// The candidates of a pass that parse: each the text that it makes, and what is read of that. After a yes the pass goes on from there.
fn parsed_candidates(
    kind: &'static PassKind,
    name: &str,
    text: &str,
    mut yes: u32,
) -> Vec<(String, String)> {
    let mut view = View::new(read(name, text));
    let mut state = kind.start_filtered(&view, &PassOptions::default());
    let mut wrong = Vec::new();
    for _ in 0..300 {
        match state.propose(&view) {
            ProposerStep::Test(edit, _) => {
                let made = program::apply_edit(&view.version, &edit).ok();
                let made = made.map(|(made, _)| made);
                let smaller = made.filter(|made| made.size() < view.version.size());
                yes = yes.rotate_right(1);
                let answer = match smaller.map(|made| (read(name, &text_of(&made)), made)) {
                    Some((again, made)) if faults(&again) == 0 => {
                        if tokens(&again) != tokens(&made) {
                            let (made, again) = (tokens(&made), tokens(&again));
                            let both = made.iter().zip(&again);
                            let at = both.take_while(|(made, again)| made == again).count();
                            let near = |tokens: &[Vec<u8>]| {
                                let near = &tokens[at.saturating_sub(2)..tokens.len().min(at + 2)];
                                String::from_utf8_lossy(&near.join(&b' ')).into_owned()
                            };
                            wrong.push((near(&made), near(&again)));
                        }
                        [Feedback::Uninteresting, Feedback::Interesting][yes as usize & 1]
                    }
                    _ => Feedback::Rejected,
                };
                state.on_verdict(&view, &edit, answer);
            }
            ProposerStep::Accept(edit) => {
                let (version, change) =
                    program::apply_edit(&view.version, &edit).expect("it was asked about");
                view.version = version;
                state.on_accept(&view, &change);
            }
            ProposerStep::Reparse => {
                let read = program::reparse_version(&view.version).expect("it parses");
                view.set_version(&read);
            }
            ProposerStep::Done => break,
        }
    }
    wrong
}

fn faults(version: &Version) -> u32 {
    let trees = version.parse_trees().iter().flatten();
    trees.map(|tree| tree.count_faults()).sum()
}

fn tokens(version: &Version) -> Vec<Vec<u8>> {
    let leaves = walk::iter_leaves(&version.documents()[0].root);
    let texts = leaves.map(|leaf| leaf.text().to_vec());
    texts.filter(|text| !text.is_empty()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Whatever the answers, a candidate that parses, as all do that are tested, has the tokens that its edit made, and no other.
    #[test]
    #[ignore = "long"]
    fn what_a_rewrite_makes_is_read_as_it_was_made(which in 0usize..8, yes in any::<u32>()) {
        let name = ["c", "cpp", "java", "rust", "kotlin", "go", "typescript", "python"][which];
        let language = language::by_name(name).expect("it is known");
        let (file, sample) = language.sample_program();
        for kind in pass::STRATA[0].passes {
            let wrong = parsed_candidates(kind, file, sample, yes);
            prop_assert!(wrong.is_empty(), "{} {name}: {wrong:?}", kind.name);
        }
    }
}
