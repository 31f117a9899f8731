//! Constants are folded, and aggregates become scalars: (file, program, test, what the first interesting candidate says, what it leaves).

use super::rewrites::check_rows;

#[test]
fn an_operation_of_numbers_becomes_its_value() {
    check_rows(
        "constants",
        &[
            (
                "a.c",
                "int a = 200 - 55;",
                "= 145;",
                "Can `200 - 55` become `145`? this is its value",
                "int a = 145;",
            ),
            // One after the other, from the inside.
            (
                "a.c",
                "int a = 2 * (3 - 1) + 1;",
                "int a = 2 * (2) + 1;",
                "Can `3 - 1` become `2`? this is its value",
                "int a = 2 * (2) + 1;",
            ),
            (
                "a.c",
                "int a = 1 - 2;",
                "int a",
                "Can `1 - 2` become `-1`? this is its value",
                "int a = - 1;",
            ),
            (
                "a.c",
                "int a = 1u << 4u;",
                "int a",
                "Can `1u << 4u` become `16u`? this is its value",
                "int a = 16u;",
            ),
            (
                "a.c",
                "int a = !0;",
                "int a",
                "Can `!0` become `1`? this is its value",
                "int a = 1;",
            ),
            (
                "a.c",
                "int a = 3 < 4;",
                "int a",
                "Can `3 < 4` become `1`? this is its value",
                "int a = 1;",
            ),
            (
                "a.c",
                "int a = b - 55, c = 1 / 0, d = 1.5 + 2;",
                "int a",
                "",
                "int a = b - 55, c = 1 / 0, d = 1.5 + 2;",
            ),
            (
                "a.rs",
                "fn f() -> u8 { 3u8 + 0x10u8 }",
                "fn f",
                "Can `3u8 + 0x10u8` become `19u8`? this is its value",
                "fn f() -> u8 { 19u8 }",
            ),
            // Neither patterns and types nor strings are operations of numbers.
            (
                "a.rs",
                "fn f(x: u8) { match x { 1 | 2 => {} _ => {} } }",
                "fn f",
                "",
                "fn f(x: u8) { match x { 1 | 2 => {} _ => {} } }",
            ),
            ("a.py", "a = '1' + '2'\n", "a =", "", "a = '1' + '2'"),
            (
                "a.kt",
                "val a = 6 * 7\n",
                "val a",
                "Can `6 * 7` become `42`? this is its value",
                "val a = 42",
            ),
            (
                "a.go",
                "package a\n\nvar a = 6 &^ 1 + 7 | 8\n",
                "var a",
                "",
                "package a var a = 6 &^ 1 + 7 | 8",
            ),
            // Where a comparison is no number it is left alone.
            (
                "a.java",
                "class A { int a = 6 * 7; boolean b = 1 < 2; }",
                "class A",
                "Can `6 * 7` become `42`? this is its value",
                "class A { int a = 42; boolean b = 1 < 2; }",
            ),
            (
                "a.py",
                "a = 7 // 7\n",
                "a =",
                "Can `7 // 7` become `1`? this is its value",
                "a = 1",
            ),
        ],
    );
}

#[test]
fn a_structure_becomes_its_only_used_member() {
    check_rows(
        "aggregates",
        &[
            (
                "a.c",
                "struct S { int a; char b; }; struct S s; int f(struct S *p) { return p->a + s.a; }",
                "int f(int *p)",
                "Can `struct S { int a; char b; }` become `int`? the type of its member `a`, in 2 uses",
                "int s; int f(int *p) { return (*p) + s; }",
            ),
            // Without a tag, and where the structure is defined.
            (
                "a.c",
                "struct { unsigned a : 3; } s; int f() { return s.a++; }",
                "s++",
                "Can `struct { unsigned a : 3; }` become `unsigned`? the type of its member `a`, in 1 use",
                "unsigned s; int f() { return s++; }",
            ),
            // Another member is used, or the member is no member of an object.
            (
                "a.c",
                "struct S { int a, b; } s; int f() { return s.a + s.b; }",
                "int",
                "",
                "struct S { int a, b; } s; int f() { return s.a + s.b; }",
            ),
            (
                "a.c",
                "struct S { int a; } s = { .a = 1 };",
                "int",
                "",
                "struct S { int a; } s = { .a = 1 };",
            ),
            (
                "a.cpp",
                "struct S { long a; }; S s; long f(S x) { return x.a; }",
                "long f",
                "Can `struct S { long a; }` become `long`? the type of its member `a`, in 1 use",
                "long s; long f(long x) { return x; }",
            ),
        ],
    );
}

#[test]
fn an_array_becomes_one_element() {
    check_rows(
        "aggregates",
        &[
            (
                "a.c",
                "int a[3]; int f(int i) { return a[i] + a[0]; }",
                "int a",
                "Can the array `a` become one element? in 2 uses",
                "int a; int f(int i) { return a + a; }",
            ),
            (
                "a.c",
                "int a[3];",
                "int a;",
                "Can the array `a` become one element?",
                "int a;",
            ),
            (
                "a.c",
                "int a[3]; int *f() { return a; }",
                "int",
                "",
                "int a[3]; int *f() { return a; }",
            ),
            (
                "a.c",
                "int a[3][2]; int f() { return a[0][1]; }",
                "int a[2]",
                "Can the array `a` become one element? in 1 use",
                "int a[2]; int f() { return a[1]; }",
            ),
            // The first element without an index.
            (
                "a.c",
                "int a[3]; int f() { return a[1] + *a; }",
                "int a;",
                "Can the array `a` become one element? in 2 uses",
                "int a; int f() { return a + a; }",
            ),
        ],
    );
}

#[test]
fn a_pointer_becomes_what_it_points_to() {
    check_rows(
        "aggregates",
        &[
            (
                "a.c",
                "int f(int *p, int i) { return p[i] + ++*p; }",
                "int p",
                "Can the pointer `p` become one element? in 2 uses",
                "int f(int p, int i) { return p + ++p; }",
            ),
            // One level at a time.
            (
                "a.cc",
                "char **p; char f() { return **p; }",
                "char *p",
                "Can the pointer `p` become one element? in 1 use",
                "char *p; char f() { return *p; }",
            ),
            // No use, nothing to ask.
            ("a.c", "int *p;", "int p;", "", "int *p;"),
            // A product is no element, and a pointer may be used itself.
            (
                "a.c",
                "int *p; int f(int a) { return a * p; }",
                "int",
                "",
                "int *p; int f(int a) { return a * p; }",
            ),
            (
                "a.c",
                "int *p; int *f() { *p = 1; return p; }",
                "int",
                "",
                "int *p; int *f() { *p = 1; return p; }",
            ),
        ],
    );
}
