//! Functions whose returns leave them early, first assignments, and rules that change several forms: a program, what is asked about it, the result.

use super::rewrites::check_rows;

#[test]
fn a_body_with_early_returns_stands_before_its_only_call() {
    check_rows(
        "unfold",
        &[
            // What it returns early does not matter: there the caller ends.
            (
                "a.c",
                "int f(int a) { if (a) return k(a); h(); return 2; } int main() { p(f(b)); }",
                "if (b) return 0; h(); p(2);",
                "Can `f` be unfolded? what it does stands before the statement with its only call, where it returns the simplest value early",
                "int main() { if (b) return 0; h(); p(2); }",
            ),
            (
                "a.java",
                "class A { int f(int a) { if (a > 1) return k(a); h(); return 2; } void g(int b) { p(f(b)); } }",
                "if (b > 1) return; h(); p(2);",
                "Can `f` be unfolded? what it does stands before the statement with its only call, where it returns nothing early",
                "class A { void g(int b) { if (b > 1) return; h(); p(2); } }",
            ),
            // What is around the call is around what it returns.
            (
                "a.c",
                "int f(int a) { if (a) return a + 1; h(); return 2; } int main() { p(1, f(b)); }",
                "return p(1, b + 1); h(); p(1, 2);",
                "Can `f` be unfolded? what it does stands before the statement with its only call, what is around that also around what it returns early",
                "int main() { if (b) return p(1, b + 1); h(); p(1, 2); }",
            ),
            (
                "a.cpp",
                "int f(int a) { if (a) return a; h(); return 2; } int main() { p(f(b)); }",
                "return p(b); h(); p(2);",
                "Can `f` be unfolded? what it does stands before the statement with its only call, what is around that also around what it returns early",
                "int main() { if (b) return p(b); h(); p(2); }",
            ),
            (
                "a.js",
                "function f(a) { if (a) return a + 1; h(); return 2; }\nfunction g(b) { p(f(b)); }\n",
                "return p(b + 1); h(); p(2);",
                "Can `f` be unfolded? what it does stands before the statement with its only call, what is around that also around what it returns early",
                "function g(b) { if (b) return p(b + 1); h(); p(2); }",
            ),
        ],
    );
}

#[test]
fn what_is_around_a_call_moves_into_the_function() {
    check_rows(
        "unfold",
        &[
            (
                "a.c",
                "int f(int a) { if (a) return a + 1; return 2; } int main() { p(1, f(b)); }",
                "int f(int a)",
                "Can `f` be unfolded? what is around its only call stands around what it returns",
                "int f(int a) { if (a) return p(1, a + 1); return p(1, 2); } int main() { f(b); }",
            ),
            // With a single value that would be the same program.
            (
                "a.c",
                "int f(int a) { h(); return 2; } int main() { p(f(b)); }",
                "int f(int a)",
                "",
                "int f(int a) { h(); return 2; } int main() { p(f(b)); }",
            ),
        ],
    );
}

#[test]
fn a_declaration_and_the_first_assignment_become_one() {
    check_rows(
        "unfold",
        &[
            (
                "a.c",
                "unsigned b, c; int main() { for (b = 0; b < 2; b++) g(b, c); }",
                "for (unsigned b = 0;",
                "Can `b` be unfolded? `unsigned` stands before its first assignment",
                "unsigned c; int main() { for (unsigned b = 0; b < 2; b++) g(b, c); }",
            ),
            (
                "a.c",
                "int main() { unsigned b; g(); b = f(1); g(b); b = 2; }",
                "unsigned b = f(1); g();",
                "Can `b` be unfolded? `f(1)`, its first value, stands in its declaration",
                "int main() { unsigned b = f(1); g(); g(b); b = 2; }",
            ),
            (
                "a.c",
                "int main() { unsigned b, c; for (b = 0; b < 2; b++) g(b, c); }",
                "b = 0, c; for (;",
                "Can `b` be unfolded? `0`, its first value, stands in its declaration",
                "int main() { unsigned b = 0, c; for (; b < 2; b++) g(b, c); }",
            ),
            (
                "a.c",
                "struct S { int a; } *p; int main() { struct S s; s.a = 7; g(&s); }",
                "s = {7}",
                "Can `s` be unfolded? `7`, its first value, stands in its declaration",
                "struct S { int a; } *p; int main() { struct S s = {7}; g(&s); }",
            ),
            (
                "a.cpp",
                "int main() { int b; g(); b = 1; b++; }",
                "int b = 1; b++",
                "Can `b` be unfolded? `int` stands before its first assignment",
                "int main() { g(); int b = 1; b++; }",
            ),
            (
                "a.java",
                "class A { void f() { int b; g(); b = 1; b++; } }",
                "int b = 1; b++",
                "Can `b` be unfolded? `int` stands before its first assignment",
                "class A { void f() { g(); int b = 1; b++; } }",
            ),
            (
                "a.js",
                "let b;\ng();\nb = 1;\nb++;\n",
                "let b = 1; b++",
                "Can `b` be unfolded? `let` stands before its first assignment",
                "g(); let b = 1; b++;",
            ),
            // One that has a value, or is a part of a type, stays.
            (
                "a.c",
                "int main() { int *c; c = 0; }",
                "c = 0",
                "",
                "int main() { int *c; c = 0; }",
            ),
        ],
    );
}

#[test]
fn a_local_variable_with_a_value_that_changes_goes_to_the_top_level() {
    check_rows(
        "unfold",
        &[(
            "a.c",
            "void main() { struct S s = {7}; g(&s); }",
            "struct S s = {7}; void main() { g(&s);",
            "Can `s` be unfolded? `struct S s = {7};` goes to the top level",
            "struct S s = {7}; void main() { g(&s); }",
        )],
    );
}

#[test]
fn a_rule_may_change_several_forms_in_all_of_their_places() {
    check_rows(
        "rules",
        &[
            (
                "a.c",
                "int printf(const char *, ...); int main() { printf(\"%d\", f(1)); printf(\"%x\", 2); }",
                "int putchar(int)",
                "Can `printf(\"%d\", f(1))` become `putchar(f(1))`? rule `printf and its declaration`, and 2 other places with it",
                "int putchar(int); int main() { putchar(f(1)); putchar(2); }",
            ),
            (
                "a.cpp",
                "int printf(const char *, ...); int main() { printf(\"%d\", f(1)); }",
                "f(1) < 0",
                "Can `printf(\"%d\", f(1))` become `putchar(f(1) < 0)`? rule `printf to putchar of a sign`, and 1 other place with it",
                "int putchar(int); int main() { putchar(f(1) < 0); }",
            ),
            // Without one of its forms there is nothing to ask.
            (
                "a.c",
                "int main() { printf(\"%d\", f(1)); }",
                "f(1) < 0",
                "",
                "int main() { printf(\"%d\", f(1)); }",
            ),
            (
                "a.c",
                "int main() { for (int i = 0; i < n; i++) f(); }",
                "int i = n",
                "Can `for (int i = 0; i < n; i++) f();` become `for (int i = n; i--;) f();`? rule `loop that counts down`",
                "int main() { for (int i = n; i--;) f(); }",
            ),
            (
                "a.c",
                "int main() { (&s)->b = 1; }",
                "s.b",
                "Can `(&s)->b` become `s.b`? rule `member of an address`",
                "int main() { s.b = 1; }",
            ),
        ],
    );
}
