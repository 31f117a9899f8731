//! The pass that unfolds: names, functions, parameters and assignments, as rows like those of the other rewrites.

use lop::pass::{Effort, PassOptions};
use lop::program::{self, TokenChange, View};
use lop::protocol::{Feedback, ProposerStep};

use super::rewrites::{check_rows, named};
use super::words;
use crate::common::{read, text};

#[test]
fn a_structure_is_defined_where_it_is_used() {
    check_rows(
        "unfold",
        &[
            (
                "a.c",
                "struct S { int a; }; void f() { struct S x; }",
                "struct S{ int a; } x",
                "Can `S` be unfolded? `{ int a; }` stands in its only place",
                "void f() { struct S{ int a; } x; }",
            ),
            // Where it is used twice it stands in the first place, if that is in a body, and is known in the second.
            (
                "a.c",
                "struct S { int a; struct S *n; }; struct T { struct S x; }; struct S y;",
                "struct S y",
                "Can `S` be unfolded? `{ int a; struct S *n; }` stands in its first place",
                "struct T { struct S{ int a; struct S *n; } x; }; struct S y;",
            ),
            (
                "a.c",
                "struct S { int a; }; struct S f() { struct S y; }",
                "struct S{ int a; } f",
                "",
                "struct S { int a; }; struct S f() { struct S y; }",
            ),
            (
                "a.cpp",
                "class S { int a; }; class S x;",
                "class S{ int a; } x",
                "Can `S` be unfolded? `{ int a; }` stands in its only place",
                "class S{ int a; } x;",
            ),
        ],
    );
}

#[test]
fn a_pointer_or_a_reference_becomes_its_first_value() {
    check_rows(
        "unfold",
        &[
            (
                "a.c",
                "struct S { int a; } s; void f() { struct S *p = &s; g(p->a); }",
                "g((&s)->a)",
                "Can `p` be unfolded? `(&s)` stands in its only place",
                "struct S { int a; } s; void f() { g((&s)->a); }",
            ),
            (
                "a.cpp",
                "struct S { int a; } s; void f() { S &r = s; g(r.a, r); }",
                "g(s.a, s)",
                "Can `r` be unfolded? `s` stands in its 2 places",
                "struct S { int a; } s; void f() { g(s.a, s); }",
            ),
            (
                "a.cpp",
                "void f(char *s) { char *p = s; g(p, *p); }",
                "g(s, *s)",
                "Can `p` be unfolded? `s` stands in its 2 places",
                "void f(char *s) { g(s, *s); }",
            ),
            // One that changes has no value of its own.
            (
                "a.c",
                "void f(char *s) { char *p = s; g(*p++); }",
                "g(*s++)",
                "",
                "void f(char *s) { char *p = s; g(*p++); }",
            ),
        ],
    );
}

#[test]
fn what_a_function_returns_stands_in_the_place_of_its_calls() {
    check_rows(
        "unfold",
        &[
            (
                "a.c",
                "int f(int a) { return a + 1; } int g(int b) { return h(f(b)); }",
                "h(b + 1)",
                "Can `f` be unfolded? `a + 1` stands in the place of its only call",
                "int g(int b) { return h(b + 1); }",
            ),
            // In parentheses, with an argument of several tokens in parentheses too.
            (
                "a.c",
                "int f(int a) { return a * 2; } int g(int b) { return h(f(b + 1)); }",
                "h(((b + 1) * 2))",
                "Can `f` be unfolded? `a * 2` stands in the place of its only call",
                "int g(int b) { return h(((b + 1) * 2)); }",
            ),
            (
                "a.c",
                "int f(int a) { return k; } int g() { return h(f(1), f(2)); }",
                "h(k, k)",
                "Can `f` be unfolded? `k` stands in the place of its 2 calls",
                "int g() { return h(k, k); }",
            ),
            // A function that does nothing.
            (
                "a.c",
                "int f() { } int g() { return h(f()); }",
                "h(0)",
                "Can `f` be unfolded? the simplest value stands in the place of its only call",
                "int g() { return h(0); }",
            ),
            (
                "a.cpp",
                "int f(int a) { return a + 1; } int g(int b) { return h(f(b)); }",
                "h(b + 1)",
                "Can `f` be unfolded? `a + 1` stands in the place of its only call",
                "int g(int b) { return h(b + 1); }",
            ),
            (
                "a.java",
                "class A { int f(int a) { return a + 1; } int g(int b) { return h(f(b)); } }",
                "h(b + 1)",
                "Can `f` be unfolded? `a + 1` stands in the place of its only call",
                "class A { int g(int b) { return h(b + 1); } }",
            ),
            (
                "a.rs",
                "fn f(a: u8) -> u8 { a + 1 } fn g(b: u8) { h(f(b)); }",
                "h(b + 1)",
                "Can `f` be unfolded? `a + 1` stands in the place of its only call",
                "fn g(b: u8) { h(b + 1); }",
            ),
            (
                "a.kt",
                "fun f(a: Int): Int = a + 1\nfun g(b: Int) { h(f(b)) }\n",
                "h(b + 1)",
                "Can `f` be unfolded? `a + 1` stands in the place of its only call",
                "fun g(b: Int) { h(b + 1) }",
            ),
            (
                "a.js",
                "function f(a) { return a + 1; }\nfunction g(b) { return h(f(b)); }\n",
                "h(b + 1)",
                "Can `f` be unfolded? `a + 1` stands in the place of its only call",
                "function g(b) { return h(b + 1); }",
            ),
            (
                "a.ts",
                "const f = (a: number) => a + 1;\nh(f(2));\n",
                "h(2 + 1)",
                "Can `f` be unfolded? `a + 1` stands in the place of its only call",
                "h(2 + 1);",
            ),
            (
                "a.py",
                "def f(a):\n    return a + 1\nh(f(2))\n",
                "h(2 + 1)",
                "Can `f` be unfolded? `a + 1` stands in the place of its only call",
                "h(2 + 1)",
            ),
            (
                "a.go",
                "package a\n\nfunc f(a int) int { return a + 1 }\nfunc g(b int) int { return h(f(b)) }\n",
                "h(b + 1)",
                "Can `f` be unfolded? `a + 1` stands in the place of its only call",
                "package a func g(b int) int { return h(b + 1) }",
            ),
        ],
    );
}

#[test]
fn what_a_function_does_stands_before_its_only_call() {
    check_rows(
        "unfold",
        &[
            (
                "a.c",
                "int f(int a) { k(a); return a; } int g(int b) { if (f(b)) h(); }",
                "int g(int b) { k(b); if (b) h(); }",
                "Can `f` be unfolded? what it does stands before the statement with its only call",
                "int g(int b) { k(b); if (b) h(); }",
            ),
            // The statement is the call.
            (
                "a.c",
                "void f(int a) { k(a); k(2); } int g(int b) { f(b); h(); }",
                "{ k(b); k(2); h(); }",
                "Can `f` be unfolded? what it does stands before the statement with its only call",
                "int g(int b) { k(b); k(2); h(); }",
            ),
            (
                "a.java",
                "class A { void f(int a) { k(a); } void g(int b) { f(b); h(); } }",
                "{ k(b); h(); }",
                "Can `f` be unfolded? what it does stands before the statement with its only call",
                "class A { void g(int b) { k(b); h(); } }",
            ),
            (
                "a.js",
                "function f(a) { k(a); return a; }\nfunction g(b) { h(f(b)); }\n",
                "{ k(b); h(b); }",
                "Can `f` be unfolded? what it does stands before the statement with its only call",
                "function g(b) { k(b); h(b); }",
            ),
            (
                "a.rs",
                "fn f(a: u8) -> u8 { k(a); a } fn g(b: u8) { h(f(b)); }",
                "{ k(b); h(b); }",
                "Can `f` be unfolded? what it does stands before the statement with its only call",
                "fn g(b: u8) { k(b); h(b); }",
            ),
            (
                "a.go",
                "package a\n\nfunc f(a int) {\n\tk(a)\n\tk(2)\n}\nfunc g(b int) {\n\tf(b)\n\th()\n}\n",
                "{ k(b) k(2) h() }",
                "Can `f` be unfolded? what it does stands before the statement with its only call",
                "package a func g(b int) { k(b) k(2) h() }",
            ),
            (
                "a.kt",
                "fun f(a: Int) {\n    k(a)\n    k(2)\n}\nfun g(b: Int) {\n    f(b)\n    h()\n}\n",
                "{ k(b) k(2) h() }",
                "Can `f` be unfolded? what it does stands before the statement with its only call",
                "fun g(b: Int) { k(b) k(2) h() }",
            ),
        ],
    );
}

#[test]
fn what_a_function_does_stands_before_its_only_call_with_its_parameters_as_variables() {
    check_rows(
        "unfold",
        &[
            // What is not used is no variable.
            (
                "a.c",
                "int f(long a, int b) { k(a); return 3; } int g() { h(f(m(), 2)); }",
                "long a = m(); k(a); h(3);",
                "Can `f` be unfolded? what it does stands before the statement with its only call, with its parameters as variables",
                "int g() { long a = m(); k(a); h(3); }",
            ),
            // A variable of the name of the parameter is the argument.
            (
                "a.c",
                "void f(int a, int b) { k(a, b); } void g(int a) { f(a, m()); }",
                "int b = m(); k(a, b);",
                "Can `f` be unfolded? what it does stands before the statement with its only call, with its parameters as variables",
                "void g(int a) { int b = m(); k(a, b); }",
            ),
            // A parameter with a value of its own, or of which there may be several, is no variable.
            (
                "a.cpp",
                "void f(int a = 1) { k(a, a); } void g() { f(m()); }",
                "= m()",
                "",
                "void f(int a = 1) { k(a, a); } void g() { f(m()); }",
            ),
            (
                "a.go",
                "package a\n\nfunc f(a, b int) {\n\tk(a, a)\n}\nfunc g() {\n\tf(m(), 2)\n}\n",
                "= m()",
                "",
                "package a func f(a, b int) { k(a, a) } func g() { f(m(), 2) }",
            ),
            // Arguments in the places of the parameters come first, even where that is larger.
            (
                "a.c",
                "void f(struct S *p) { k(p->a, p->a, p->a); k(2); } void g() { f(&s[1].b); h(); }",
                "k(2); h(); }",
                "Can `f` be unfolded? what it does stands before the statement with its only call",
                "void g() { k(&s[1].b->a, &s[1].b->a, &s[1].b->a); k(2); h(); }",
            ),
            // The type of a variable stays.
            (
                "a.cpp",
                "struct S { }; int f(S a, int b) { k(a, b); return b; } int g() { f(m(), 2); }",
                "S a = m(); int b = 2; k(a, b);",
                "Can `f` be unfolded? what it does stands before the statement with its only call, with its parameters as variables",
                "struct S { }; int g() { S a = m(); int b = 2; k(a, b); }",
            ),
            (
                "a.java",
                "class A { void f(int a) { k(a, a); } void g() { f(m()); } }",
                "int a = m(); k(a, a);",
                "Can `f` be unfolded? what it does stands before the statement with its only call, with its parameters as variables",
                "class A { void g() { int a = m(); k(a, a); } }",
            ),
            (
                "a.js",
                "function f(a) { k(a, a); }\nfunction g() { f(m()); }\n",
                "let a = m(); k(a, a);",
                "Can `f` be unfolded? what it does stands before the statement with its only call, with its parameters as variables",
                "function g() { let a = m(); k(a, a); }",
            ),
            (
                "a.ts",
                "function f(a: A) { k(a, a); }\nfunction g() { f(m()); }\n",
                "let a: A = m(); k(a, a);",
                "Can `f` be unfolded? what it does stands before the statement with its only call, with its parameters as variables",
                "function g() { let a: A = m(); k(a, a); }",
            ),
            (
                "a.rs",
                "fn f(a: u8) { k(a, a); } fn g() { f(m()); }",
                "let a: u8 = m(); k(a, a);",
                "Can `f` be unfolded? what it does stands before the statement with its only call, with its parameters as variables",
                "fn g() { let a: u8 = m(); k(a, a); }",
            ),
            (
                "a.go",
                "package a\n\nfunc f(a int) {\n\tk(a, a)\n}\nfunc g() {\n\tf(m())\n}\n",
                "var a int = m() k(a, a)",
                "Can `f` be unfolded? what it does stands before the statement with its only call, with its parameters as variables",
                "package a func g() { var a int = m() k(a, a) }",
            ),
            (
                "a.kt",
                "fun f(a: Int) {\n    k(a, a)\n}\nfun g() {\n    f(m())\n}\n",
                "val a: Int = m() k(a, a)",
                "Can `f` be unfolded? what it does stands before the statement with its only call, with its parameters as variables",
                "fun g() { val a: Int = m() k(a, a) }",
            ),
        ],
    );
}

#[test]
fn a_function_that_calls_itself_or_is_named_otherwise_stays() {
    for program in [
        "int f(int a) { return f(a); } int g() { return f(1); }",
        "int f(int a) { return a; } int g() { return h(f); }",
        "int f(int a) { return a; } int g() { return f(f(1)); }",
    ] {
        check_rows("unfold", &[("a.c", program, "nothing", "", program)]);
    }
}

#[test]
fn a_parameter_becomes_the_argument_of_all_calls() {
    check_rows(
        "unfold",
        &[
            (
                "a.c",
                "int f(int a, int b) { return k(a, b); } int g() { return f(1, 7) + f(2, 7); }",
                "k(a, 7)",
                "Can `b` be unfolded? `7` stands in its only place, as in 2 calls",
                "int f(int a) { return k(a, 7); } int g() { return f(1) + f(2); }",
            ),
            (
                "a.js",
                "function f(a, b) { k(a, b); }\nf(1, 7);\nf(2, 7);\n",
                "k(a, 7)",
                "Can `b` be unfolded? `7` stands in its only place, as in 2 calls",
                "function f(a) { k(a, 7); } f(1); f(2);",
            ),
        ],
    );
}

#[test]
fn an_assignment_goes_to_the_next_use() {
    check_rows(
        "unfold",
        &[
            (
                "a.c",
                "int f(int a) { a += 2; g(a); }",
                "g(a += 2)",
                "Can `a` be unfolded? `a += 2` stands in a use after it",
                "int f(int a) { g(a += 2); }",
            ),
            // Or to one before it. In parentheses no token is saved, so only hard effort asks that.
            (
                "a.c",
                "int f(int a, int b) { b = a; a *= 2; }",
                "b = a *= 2",
                "Can `a` be unfolded? `a *= 2` stands in a use before it",
                "int f(int a, int b) { b = a *= 2; }",
            ),
            (
                "a.java",
                "class A { int f(int a) { a++; return a; } }",
                "return a++",
                "Can `a` be unfolded? `a++` stands in a use after it",
                "class A { int f(int a) { return a++; } }",
            ),
            (
                "a.js",
                "let a = 1;\na += 2;\ng(a);\n",
                "g(a += 2)",
                "Can `a` be unfolded? `a += 2` stands in a use after it",
                "let a = 1; g(a += 2);",
            ),
        ],
    );
}

#[test]
fn with_hard_effort_a_local_declaration_goes_to_the_top_level() {
    for (file, program, sentence, expected) in [
        (
            "a.c",
            "int f() { if (k) { int x; g(&x); } }",
            "Can `x` be unfolded? `int x;` goes to the top level",
            "int x; int f() { if (k) { g(&x); } }",
        ),
        (
            "a.js",
            "function f() { let x; x = 1; g(x); }\n",
            "Can `x` be unfolded? `let x;` goes to the top level",
            "let x; function f() { x = 1; g(x); }",
        ),
    ] {
        let said = |effort| {
            let options = PassOptions {
                effort,
                ..PassOptions::default()
            };
            let view = View::new(read(file, program));
            let mut state = named("unfold").start_filtered(&view, &options);
            let mut said = Vec::new();
            while let ProposerStep::Test(edit, why) = state.propose(&view) {
                state.on_verdict(&view, &edit, Feedback::Uninteresting);
                let made = program::apply_edit(&view.version, &edit).ok();
                let left = made.map(|(made, _)| words(&text(&made)));
                let sentence = why
                    .to_sentence(&view.version, &edit, TokenChange::default())
                    .to_string();
                said.push((sentence, left.unwrap_or_default()));
            }
            said
        };
        let moved = (sentence.to_string(), expected.to_string());
        assert!(
            said(Effort::Hard).contains(&moved),
            "{:?}",
            said(Effort::Hard)
        );
        assert!(!said(Effort::Normal).contains(&moved));
    }
}
