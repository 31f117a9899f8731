//! Rules with holes, and statements that become expressions.

use lop::language::RuleText;
use lop::pass;
use lop::program::rules::read_rule;
use lop::program::{TokenChange, View};

use super::rewrites::check_rows;
use crate::common::read;

/// What a rule would do in a program, place by place.
fn places(rule: &str, (file, program): (&str, &str)) -> Vec<String> {
    let version = read(file, program);
    let rule = RuleText::from_line(rule).expect("a rule");
    let rules = read_rule(&version, &rule).expect("a rule of the language");
    let view = View::new(version);
    let found = pass::find_rule_places(&view, &rules[0].1).into_iter();
    found
        .map(|(edit, why)| {
            let sentence = why.to_sentence(&view.version, &edit, TokenChange::default());
            sentence.question.to_string()
        })
        .collect()
}

#[test]
fn a_rule_may_ask_for_facts_of_names() {
    let c = "int a = 1; int b; int c; char d; int f() { b = 2; return a + b + 0 * (a - b) + (c - d) + (b - c); }";
    for (conditions, expected) in [
        (
            "",
            &[
                "Can `a - b` become `a`?",
                "Can `c - d` become `c`?",
                "Can `b - c` become `b`?",
            ][..],
        ),
        ("one_value($x)", &["Can `a - b` become `a`?"]),
        ("used_once($y)", &["Can `c - d` become `c`?"]),
        ("unused($x)", &[]),
        (
            "not_assigned($x)",
            &["Can `a - b` become `a`?", "Can `c - d` become `c`?"],
        ),
        (
            "same_type($x, $y)",
            &["Can `a - b` become `a`?", "Can `b - c` become `b`?"],
        ),
        (
            "same_type($x, $y), not_assigned($x)",
            &["Can `a - b` become `a`?"],
        ),
    ] {
        let rule = match conditions {
            "" => "r: '$x - $y' '$x'".to_string(),
            conditions => format!("r: '$x - $y' '$x' where {conditions}"),
        };
        assert_eq!(places(&rule, ("a.c", c)), expected, "{conditions}");
    }
    // The type may stand behind the name.
    let rust = "fn f(a: u8, b: u16, c: u8) { a - b; a - c; }";
    let same = "r: '$x - $y' '$x' where same_type($x, $y)";
    assert_eq!(places(same, ("a.rs", rust)), ["Can `a - c` become `a`?"]);
}

#[test]
fn holes_hold_nodes_and_lists_of_neighbours() {
    for (rule, program, expected) in [
        // The same hole twice wants the same tokens twice.
        (
            "'$a + $a' '$a'",
            "int x = (a + b) + (f(1) + f(1));",
            &["Can `f(1) + f(1)` become `f(1)`?"][..],
        ),
        // Neighbours: none, one, several.
        (
            "'f($$a)' '$$a'",
            "int x = f(g(f(1)), 2);",
            &[
                "Can `f(g(f(1)), 2)` become `g(f(1)), 2`?",
                "Can `f(1)` become `1`?",
            ],
        ),
        (
            "'f($a, $$b)' 'f($$b)'",
            "int x = f(1, 2, 3) + f(1);",
            &["Can `f(1, 2, 3)` become `f(2, 3)`?"],
        ),
        (
            "'{ $$s return $e; }' '{ $e; $$s }'",
            "int f() { g(); h(); return 1; }",
            &["Can `{ g(); h(); return 1; }` become `{ 1; g(); h(); }`?"],
        ),
        ("'f();' ''", "void g() { f(); }", &["Can `f();` go?"]),
        // Not in a comment, not a part of a node.
        (
            "'$a + $b' '$a'",
            "int x = 1 * 2 + 3; /* 1 + 2 */",
            &["Can `1 * 2 + 3` become `1 * 2`?"],
        ),
    ] {
        assert_eq!(places(rule, ("a.c", program)), expected, "{rule}");
    }
}

#[test]
fn what_has_one_form_takes_another() {
    check_rows(
        "rules",
        &[
            (
                "a.c",
                "int f(int *a) { return a[2]; }",
                "return *a;",
                "Can `a[2]` become `*a`? rule `index to pointer`",
                "int f(int *a) { return *a; }",
            ),
            (
                "a.c",
                "int f(struct S *a) { return a[1 + 2].b; }",
                "return a->b;",
                "Can `a[1 + 2].b` become `a->b`? rule `element to arrow`",
                "int f(struct S *a) { return a->b; }",
            ),
            // Operators of one kind are one list.
            (
                "a.c",
                "int f(int a) { return a && g() && h(); }",
                "return !a;",
                "Can `a && g() && h()` become `!a`? rule `and to not`",
                "int f(int a) { return !a; }",
            ),
            (
                "a.c",
                "void f() { printf(\"%d%d\", a, g(b)); }",
                "putchar(g(b));",
                "Can `printf(\"%d%d\", a, g(b))` become `putchar(g(b))`? rule `printf to putchar`",
                "void f() { putchar(g(b)); }",
            ),
            (
                "a.c",
                "void f() { for (i = 0; i < 3; i++) g(i); }",
                "{ i = 0; g(i); }",
                "Can `for (i = 0; i < 3; i++) g(i);` become `i = 0; g(i);`? rule `loop with a start`",
                "void f() { i = 0; g(i); }",
            ),
            (
                "a.cpp",
                "class X : Y { public: int a; void f(); };",
                "struct X : Y { int a; void f(); };",
                "Can `class X : Y { public: int a; void f(); }` become `struct X : Y { int a; void f(); }`? rule `class with a base to structure`",
                "struct X : Y { int a; void f(); };",
            ),
            (
                "a.java",
                "class A { static int d() { return 1 + 2; } }",
                "int d = 1 + 2;",
                "Can `static int d() { return 1 + 2; }` become `static int d = 1 + 2;`? rule `method with modifiers to field`",
                "class A { static int d = 1 + 2; }",
            ),
            (
                "a.rs",
                "fn f() { println!(\"{}\", g(1)); }",
                "{ g(1); }",
                "Can `println!(\"{}\", g(1))` become `g(1)`? rule `macro to its later arguments`",
                "fn f() { g(1); }",
            ),
            (
                "a.kt",
                "fun f(): Int { return g(1) }\n",
                "fun f(): Int = g(1)",
                "Can `{ return g(1) }` become `= g(1)`? rule `block to its value`",
                "fun f(): Int = g(1)",
            ),
            (
                "a.kt",
                "fun f() { g(1) }\n",
                "val f = g(1)",
                "Can `fun f() { g(1) }` become `val f = g(1)`? rule `function to its only value`",
                "val f = g(1)",
            ),
            (
                "a.go",
                "package a\n\nfunc f() { g(1) }\n",
                "var f = g(1)",
                "Can `func f() { g(1) }` become `var f = g(1)`? rule `function to its only value`",
                "package a var f = g(1)",
            ),
            (
                "a.cpp",
                "void f() { g(1); }",
                "auto f = g(1);",
                "Can `void f() { g(1); }` become `auto f = g(1);`? rule `function to its only value`",
                "auto f = g(1);",
            ),
            (
                "a.cpp",
                "int f() { return g(1); }",
                "int f = g(1);",
                "Can `int f() { return g(1); }` become `int f = g(1);`? rule `function to variable`",
                "int f = g(1);",
            ),
            (
                "a.kt",
                "fun f() { g(1) }\n",
                "val f = { g(1) }",
                "Can `fun f() { g(1) }` become `val f = { g(1) }`? rule `function to lambda`",
                "val f = { g(1) }",
            ),
            (
                "a.rs",
                "fn f<const N: usize>() -> [u8; N + 1] { }",
                "[u8; !N]",
                "Can `N + 1` become `!N`? rule `sum to not`",
                "fn f<const N: usize>() -> [u8; !N] { }",
            ),
            (
                "a.js",
                "(function () { f(1); g(2); })();\n",
                "f(1); g(2);",
                "Can `(function () { f(1); g(2); })();` become `f(1); g(2);`? rule `called function to its body`",
                "f(1); g(2);",
            ),
            // The end of a line stands for the semicolon.
            (
                "a.ts",
                "const x = f(1)\ng(x)\n",
                "x = f(1) g(x)",
                "Can `const x = f(1)` become `x = f(1)`? rule `constant to assignment`",
                "x = f(1) g(x)",
            ),
            (
                "a.py",
                "def f(a):\n    return a + 1\nf(2)\n",
                "f = lambda a: a + 1",
                "Can `def f(a): return a + 1` become `f = lambda a: a + 1`? rule `function to lambda`",
                "f = lambda a: a + 1 f(2)",
            ),
            (
                "a.go",
                "package a\n\nfunc f() { fmt.Printf(\"%d\", g(1), 2) }\n",
                "println(g(1), 2)",
                "Can `fmt.Printf(\"%d\", g(1), 2)` become `println(g(1), 2)`? rule `Printf to println`",
                "package a func f() { println(g(1), 2) }",
            ),
        ],
    );
}

#[test]
fn a_statement_becomes_an_expression_inside_of_it() {
    check_rows(
        "statements",
        &[
            (
                "a.c",
                "int f() { if (a) return g(1, 2) + b; }",
                "{ g(1, 2) + b; }",
                "Can `if (a) return g(1, 2) + b;` become `g(1, 2) + b;`?",
                "int f() { g(1, 2) + b; }",
            ),
            (
                "a.java",
                "class A { void f() { int x = g(1); } }",
                "{ g(1); }",
                "Can `int x = g(1);` become `g(1);`?",
                "class A { void f() { g(1); } }",
            ),
            (
                "a.rs",
                "fn f() { let x = g(1); }",
                "{ g(1); }",
                "Can `let x = g(1);` become `g(1);`?",
                "fn f() { g(1); }",
            ),
            // The shortest statement with a type that names something of the program; the structure itself is used, and stays.
            (
                "a.rs",
                "struct S<T>(T); fn f() { g(h::<S<u8>>()); }",
                "impl S<u8> {}",
                "Can `fn f() { g(h::<S<u8>>()); }` become `impl S<u8> {}`?",
                "struct S<T>(T); impl S<u8> {}",
            ),
            (
                "a.js",
                "for (const x of f(1)) g(x);\n",
                "f(1);",
                "Can `for (const x of f(1)) g(x);` become `f(1);`?",
                "f(1);",
            ),
            (
                "a.py",
                "def f():\n    return g(1)\n",
                "def f(): g(1)",
                "Can `return g(1)` become `g(1)`?",
                "def f(): g(1)",
            ),
            (
                "a.go",
                "package a\n\nfunc f() int { return g(1) }\n",
                "{ g(1) }",
                "Can `return g(1)` become `g(1)`?",
                "package a func f() int { g(1) }",
            ),
        ],
    );
}
