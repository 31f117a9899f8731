//! Supertypes go with what overrides, and results with their returns: (file, program, test, what the first interesting candidate says, what it leaves).

use super::rewrites::check_rows;

#[test]
fn supertypes_go_with_the_words_that_say_what_members_override() {
    check_rows(
        "overrides",
        &[
            (
                "a.kt",
                "interface I {\nval x: Int\n}\nclass A : I { override val x = 1 }\n",
                "class A { val x",
                "Can all supertypes of `A` go? with the `override` of 1 member",
                "interface I { val x: Int } class A { val x = 1 }",
            ),
            (
                "a.kt",
                "class A(override val x: Int) : I {\npublic override fun k() { }\n}\n",
                "class A(val x: Int) { public fun k()",
                "Can all supertypes of `A` go? with the `override` of 2 members",
                "class A(val x: Int) { public fun k() { } }",
            ),
            // A class inside of another one has words of its own.
            (
                "a.kt",
                "class A : I {\noverride fun k() { }\nclass B : J { override fun l() { } }\n}\n",
                "override fun k() { } class B { fun l()",
                "Can all supertypes of `B` go? with the `override` of 1 member",
                "class A : I { override fun k() { } class B { fun l() { } } }",
            ),
            // Of several each by itself, with what no other of them declares.
            (
                "a.kt",
                "interface J {\nfun l()\n}\nclass A : I(), J { override fun k() { }\noverride fun l() { } }\n",
                "class A : J { fun k()",
                "Can a supertype of `A` go? with the `override` of 1 member",
                "interface J { fun l() } class A : J { fun k() { } override fun l() { } }",
            ),
            (
                "a.ts",
                "class I { k() {} }\nclass A extends I { override k() { } }\n",
                "class A { k()",
                "Can all supertypes of `A` go? with the `override` of 1 member",
                "class I { k() {} } class A { k() { } }",
            ),
            (
                "a.java",
                "class A extends I implements J { @Override public void k() { } }",
                "class A { public void k()",
                "Can all supertypes of `A` go? with the `override` of 1 member",
                "class A { public void k() { } }",
            ),
            (
                "a.cpp",
                "struct A : public I, J<int> { void k() const override; };",
                "struct A { void k() const;",
                "Can all supertypes of `A` go? with the `override` of 1 member",
                "struct A { void k() const; };",
            ),
            // Without a word that goes too, the main loop asks.
            (
                "a.kt",
                "class A : I { fun k() { } }\n",
                "class A",
                "",
                "class A : I { fun k() { } }",
            ),
        ],
    );
}

#[test]
fn a_member_goes_from_all_types_that_declare_it() {
    check_rows(
        "overrides",
        &[
            (
                "a.java",
                "interface I { void k(); } interface J extends I { void k(); } class A implements J { public void k() { } }",
                "A implements J { }",
                "Can all 3 declarations of the member `k` go?",
                "interface I { } interface J extends I { } class A implements J { }",
            ),
            // Something uses it, or there are no supertypes.
            (
                "a.java",
                "interface I { void k(); } class A implements I { public void k() { } void l() { k(); } }",
                "A implements I",
                "",
                "interface I { void k(); } class A implements I { public void k() { } void l() { k(); } }",
            ),
            (
                "a.java",
                "class A { void k() { } } class B { void k() { } }",
                "class A",
                "",
                "class A { void k() { } } class B { void k() { } }",
            ),
        ],
    );
}

#[test]
fn the_type_of_a_result_goes_with_all_returns() {
    check_rows(
        "results",
        &[
            (
                "a.kt",
                "fun f(a: Int): Int {\nif (a > 1) return g(1)\nreturn 2\n}\n",
                "if (a > 1) g(1) 2",
                "Can `f` return no `Int`? each of its 2 returns becomes its value",
                "fun f(a: Int){ if (a > 1) g(1) 2 }",
            ),
            (
                "a.kt",
                "fun f(a: Int): Int {\nif (a > 1) return g(1)\nreturn 2\n}\n",
                "if (a > 1) return return",
                "Can `f` return no `Int`? each of its 2 returns loses its value",
                "fun f(a: Int){ if (a > 1) return return }",
            ),
            // All types that declare a member.
            (
                "a.java",
                "interface I { Foo f(); } class A implements I { public Foo f() { return g(1); } }",
                "{ g(1); }",
                "Can `f` return no `Foo`? its only return becomes its value",
                "interface I { void f(); } class A implements I { public void f() { g(1); } }",
            ),
            (
                "a.ts",
                "function f(): number { return 1 }\n",
                "function f(){ return",
                "Can `f` return no `number`? its only return loses its value",
                "function f(){ return }",
            ),
            (
                "a.go",
                "package a\n\nfunc f() int {\nreturn g(1)\n}\n",
                "func f() { g(1) }",
                "Can `f` return no `int`? its only return becomes its value",
                "package a func f() { g(1) }",
            ),
            (
                "a.java",
                "class A { void f() { return; } int g() { throw null; } }",
                "class A",
                "",
                "class A { void f() { return; } int g() { throw null; } }",
            ),
        ],
    );
}
