//! What lop knows of the tokens of its languages.

use std::path::Path;

use lop::language::parser::{ParseLimit, ParseTree};
use lop::language::{self, Language};

fn c() -> &'static Language {
    language::by_name("c").expect("C is known")
}

fn parse(text: &[u8]) -> ParseTree {
    let limit = ParseLimit::for_length(text.len());
    c().new_parser().parse(text, None, limit).expect("it ends")
}

#[test]
fn a_language_is_known_by_its_files() {
    let name = |path: &str| language::by_path(Path::new(path)).map(|l| l.name);
    assert_eq!(name("dir/a.c"), Some("c"));
    assert_eq!(name("a.i"), Some("c"));
    assert_eq!(name("a.C"), Some("cpp"), "C++ to compilers");
    assert_eq!(name("a.JAVA"), None);
    assert_eq!(name("a.txt"), None);
    assert_eq!(name("Makefile"), None);
}

#[test]
fn every_language_can_do_all_it_says() {
    for language in language::all_languages() {
        assert!(language.grammar().visible_rules().count() > 3);
        assert!(!language.highlighter().capture_names().is_empty());
        language.has_names();
        assert!(std::ptr::eq(
            language::by_name(language.name).expect("by its name"),
            language
        ));
        language
            .new_parser()
            .parse(b"", None, ParseLimit(10))
            .expect("nothing is easy to parse");
    }
}

#[test]
fn tokens_that_would_become_one_join() {
    let joins =
        |before: &str, after: &str| c().needs_separator(before.as_bytes(), after.as_bytes());
    for (before, after) in [
        ("int", "x"),
        ("return", "0"),
        ("x", "1"),
        ("é", "x"),
        ("+", "+"),
        ("-", "-"),
        ("-", ">"),
        ("/", "*"),
        ("/", "/"),
        ("<", ":"),
        ("&", "&"),
        ("=", "="),
        ("<", "<="),
        ("<<", "="),
        ("!", "="),
        ("1", ".5"),
        ("1", "."),
        (".", "5"),
        ("1e", "+"),
        ("0x1p", "-"),
        ("1", "'a'"),
        ("L", "\"s\""),
        ("u8", "'c'"),
        (".", "..."),
        ("#", "#"),
        ("+", "="),
        ("+", "+b"),
        ("a+", "+"),
        ("1.", "e"),
        ("1.5", "f"),
    ] {
        assert!(joins(before, after), "{before} {after}");
    }
    for (before, after) in [
        ("x", "+"),
        ("(", ")"),
        ("f", "("),
        (")", "x"),
        ("x", ";"),
        (";", "}"),
        ("*", "p"),
        ("+", "-"),
        ("1", "+"),
        ("x", "\"s\""),
        ("xL", "\"s\""),
        ("\"s\"", "\"t\""),
        ("!", "!"),
        ("*", "*"),
        ("", "x"),
        ("x", ""),
        ("a", "."),
        ("a.b", ".c"),
        ("e", "+"),
        ("]", "."),
    ] {
        assert!(!joins(before, after), "{before} {after}");
    }
}

/// Two tokens that do not join must be read as the same two tokens without a blank.
#[test]
fn what_does_not_join_is_read_as_it_was() {
    let tokens = [
        "int", "x", "u8", "L", "0", "1", "1e", "0x1p", "1.", ".5", "1.5f", "'a'", "\"s\"",
        "L\"s\"", "+", "-", "*", "/", "%", "=", "==", "!", "<", ">", "<<", ">>", "&", "|", "^",
        "~", "?", ":", ",", ".", "...", "->", "++", "--", "(", ")", "[", "]", "{", "}", ";", "&&",
        "||",
    ];
    let leaves = |text: String| {
        let tree = parse(text.as_bytes());
        let mut cursor = tree.walk();
        let mut leaves = Vec::new();
        loop {
            if cursor.goto_first_child() {
                continue;
            }
            let range = cursor.node().range();
            if !range.is_empty() {
                leaves.push(text[range].trim().to_owned());
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    leaves.retain(|leaf| !leaf.is_empty());
                    return leaves.concat().len() + 1000 * leaves.len();
                }
            }
        }
    };
    for before in tokens {
        for after in tokens {
            if !c().needs_separator(before.as_bytes(), after.as_bytes()) {
                let apart = leaves(format!("{before} {after}"));
                let together = leaves(format!("{before}{after}"));
                assert_eq!(together, apart, "{before} {after}");
            }
        }
    }
}

#[test]
fn line_markers_are_blanked_out_and_nothing_else() {
    let text = b"# 1 \"a.c\" 1\r\nint a;\n  #line 3\n#define x\n# pragma y\n#  12 \"b\"";
    let masked = c().mask_text(text);
    assert_eq!(masked.len(), text.len());
    assert_eq!(
        &*masked,
        b"           \r\nint a;\n         \n#define x\n# pragma y\n         "
    );
    assert!(matches!(
        c().mask_text(b"int a; // # 1 \"x\"\n"),
        std::borrow::Cow::Borrowed(_)
    ));
    assert_eq!(parse(&masked).count_faults(), 0);

    assert!(c().has_markers(b"\n# 1 \"a.c\"\n  "));
    assert!(!c().has_markers(b"\n  \n"));
    assert_eq!(c().strip_markers(b" \n# 1 \"a.c\"\n  "), b" \n  ");
}

#[test]
fn what_the_parser_must_not_see_is_masked_and_nothing_else() {
    let cpp = language::by_name("cpp").expect("C++ is known");
    for (text, masked) in [
        (
            "namespace a __attribute__((b(\"c\"))) { }",
            "namespace a                         { }",
        ),
        (
            "extern template class A<int>;",
            "                class A<int>;",
        ),
        ("extern int x;", "extern int x;"),
        ("void f() = delete;", "void f()         ;"),
        ("delete x;", "delete x;"),
        (
            "enum A : unsigned char { b };",
            "enum A : unsigned char { b };",
        ),
        (
            "unsigned a = b - unsigned{1};",
            "unsigned a = b - ________{1};",
        ),
        ("void f(A & __restrict a);", "void f(A &            a);"),
        ("int S::*p = &S::x;", "int    *p = &S::x;"),
        ("a.operator->();", "a.__________();"),
        (
            "struct A { [[nodiscard]] friend bool f(A); };",
            "struct A {               friend bool f(A); };",
        ),
        (
            "struct A : B { using B::operator T; };",
            "struct A : B { using B::         T; };",
        ),
        (
            "template<class T = const int> void f();",
            "template<class T =       int> void f();",
        ),
        (
            "void f(A a) { int *b(a.x); }",
            "void f(A a) { int *b(a  ); }",
        ),
        (
            "auto &f() { return typeid(void); }",
            "auto &f() { return typeid(____); }",
        ),
        (
            "struct A { template <typename T, typename E<T>::type = true> explicit constexpr A() : x() { } };",
            "struct A { template <typename T                            > explicit           A() : x() { } };",
        ),
        (
            "const char *s = \"__attribute__((a))\"; // __attribute__((b))\n#define A __attribute__((c))\n",
            "const char *s = \"__attribute__((a))\"; // __attribute__((b))\n#define A __attribute__((c))\n",
        ),
        (
            "# 1 \"a\"\nint a __attribute__\n((b));",
            "       \nint a              \n     ;",
        ),
    ] {
        let own = cpp.mask_text(text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&own), masked, "{text}");
        let parsed = cpp.new_parser().parse(&own, None, ParseLimit(1000));
        let faults = parsed.expect("it ends").count_faults();
        assert!(faults == 0 || text.starts_with("a."), "{text}");
    }
}

#[test]
fn what_only_compilers_know_is_hidden_in_each_language() {
    for (name, text, masked) in [
        (
            "cpp",
            "struct A { inline friend int f(A) { return 1; } };",
            "struct A {        friend int f(A) { return 1; } };",
        ),
        (
            "cpp",
            "struct A { inline __attribute__((a)) friend int f(A) { return 1; } };",
            "struct A {                           friend int f(A) { return 1; } };",
        ),
        (
            "cpp",
            "struct A { friend typename B::c; };",
            "struct A { friend          B::c; };",
        ),
        (
            "cpp",
            "extern template A<char>::A(const char *);",
            "_______________ A<char>::A(const char *);",
        ),
        (
            "cpp",
            "void f(A a) { a.~B<int, C>(); }",
            "void f(A a) { a. B<int, C>(); }",
        ),
        (
            "cpp",
            "template<class T, int = typename std::enable_if<b>::type> void f();",
            "template<class T, int =          std::enable_if<b>::type> void f();",
        ),
        (
            "cpp",
            "template<class T, class P = T*, class R = T&> struct A;",
            "template<class T, class P = T , class R = T > struct A;",
        ),
        (
            "cpp",
            "auto f() -> decltype(g<A>() <=> g<B>(), void()) { }",
            "auto f() -> decltype(g<A>() <=> g<B>()        ) { }",
        ),
        (
            "cpp",
            "auto f() -> decltype(g<A>() << g<B>(), void()) { }",
            "auto f() -> decltype(g<A>() << g<B>()        ) { }",
        ),
        (
            "cpp",
            "auto f() -> decltype(g<A>() >> g<B>(), void()) { }",
            "auto f() -> decltype(g<A>() >> g<B>()        ) { }",
        ),
        (
            "cpp",
            "decltype(g<A>().h(), B()) f();",
            "decltype(g<A>().h()     ) f();",
        ),
        (
            "cpp",
            "decltype(A{g<B>()}, true) f();",
            "decltype(A{g<B>()}      ) f();",
        ),
        (
            "cpp",
            "typedef __underlying_type(A) type;",
            "typedef ____________________ type;",
        ),
        (
            "cpp",
            "template<class... T, class = typename A<B, C<sizeof...(T) >= 1>, int>::type> void f();",
            "template<class... T, class = typename A<B, C<_________________>, int>::type> void f();",
        ),
        (
            "cpp",
            "A<x, unsigned(~0), true> b;",
            "A<x, ____________, true> b;",
        ),
        (
            "cpp",
            "void f() { g<void>(((a = b::c(d, e), a != 0) || ...)); }",
            "void f() { g<void>((________________________ || ...)); }",
        ),
        (
            "cpp",
            "auto f() -> A<typename B<C::D, bool>::type{true}...>;",
            "auto f() -> A<typename B<C::D, bool>::__________...>;",
        ),
        (
            "cpp",
            "void f() noexcept((A< B<C<D...>&, E>, F<G<D...>&, H> >::value));",
            "void f() noexcept((___________________________________::value));",
        ),
        (
            "cpp",
            "struct A : decltype(f<B>()) { };",
            "struct A : ________________ { };",
        ),
        (
            "cpp",
            "struct A : public decltype((f<B>(0))) { };",
            "struct A : public ___________________ { };",
        ),
        (
            "cpp",
            "struct A { friend A operator+<>(const A&, int); };",
            "struct A { friend A ___________(const A&, int); };",
        ),
        (
            "cpp",
            "template A operator+<char, B<char> >(char const*, A const&);",
            "template A _________________________(char const*, A const&);",
        ),
        (
            "c",
            "int f(void) { return __real__ z + __imag z; }",
            "int f(void) { return          z +        z; }",
        ),
        ("c", "int f(__const char *a);", "int f(        char *a);"),
        (
            "c",
            "typedef __signed__ int a;",
            "typedef            int a;",
        ),
        (
            "c",
            "void f(void) { __asm __volatile (\"\" : : \"r\" (a) : \"memory\"); }",
            "void f(void) { __asm            (\"\" : : \"r\" (a) : \"memory\"); }",
        ),
        (
            "c",
            "extern void *__attribute__((a(1))) f(void);",
            "extern void *                      f(void);",
        ),
        (
            "c",
            "typedef int __attribute__((mode(SI))) a;",
            "typedef int                           a;",
        ),
        (
            "c",
            "typedef unsigned long __attribute__((mode(SI))) a;",
            "typedef unsigned long                           a;",
        ),
        (
            "c",
            "void f(void), __attribute__((noreturn)) g(void);",
            "void f(void),                           g(void);",
        ),
        (
            "c",
            "void f(void) { g((__attribute__((__vector_size__(16))) int) { 1 }); }",
            "void f(void) { g((                                     int) { 1 }); }",
        ),
        (
            "c",
            "extern int a __attribute__((weak));",
            "extern int a                      ;",
        ),
        (
            "c",
            "static int a[2] __attribute__((aligned(8))) = { 1 };",
            "static int a[2]                             = { 1 };",
        ),
        (
            "c",
            "union __attribute__((aligned(8))) A { int a; } b;",
            "union                             A { int a; } b;",
        ),
        (
            "c",
            "union __attribute__((aligned(8), packed)) A { int a; } b;",
            "union                                     A { int a; } b;",
        ),
        (
            "c",
            "void f(void *p) { goto *p; }",
            "void f(void *p) {       p; }",
        ),
        (
            "c",
            "void f(int n, int a[__restrict n]);",
            "void f(int n, int a[           n]);",
        ),
        (
            "c",
            "void f(int a) { switch (a) { case 1 ... 2: ; case -3 ... 0: ; case A ... B: ; } }",
            "void f(int a) { switch (a) { case 1      : ; case -3      : ; case A      : ; } }",
        ),
        (
            "c",
            "struct A { long : 3; uint8_t : 2; };",
            "struct A { long    ; uint8_t    ; };",
        ),
        (
            "c",
            "void f(int *p) { typeof(*p) a = 1; }",
            "void f(int *p) { __________ a = 1; }",
        ),
        (
            "c",
            "void f(struct A *p) { __typeof__(p->a) b = 1; }",
            "void f(struct A *p) { ________________ b = 1; }",
        ),
        (
            "c",
            "void f(va_list a) { b = __builtin_va_arg(a, struct A); }",
            "void f(va_list a) { b = __builtin_va_arg(a, ________); }",
        ),
        (
            "c",
            "void f(va_list a) { b = __builtin_va_arg(a, char *); }",
            "void f(va_list a) { b = __builtin_va_arg(a, ______); }",
        ),
        (
            "c",
            "int a = __builtin_offsetof(struct A, b.c);",
            "int a = __builtin_offsetof(________, b.c);",
        ),
        (
            "rust",
            "fn f<T: ~const A + B>() { }",
            "fn f<T:        A + B>() { }",
        ),
        ("rust", "impl const A for B { }", "impl       A for B { }"),
        (
            "rust",
            "impl<'a, T: ~const A> const B for &'a T { }",
            "impl<'a, T:        A>       B for &'a T { }",
        ),
        (
            "rust",
            "impl<T> const A for [T] { }",
            "impl<T>       A for [T] { }",
        ),
        ("rust", "const trait A { }", "      trait A { }"),
        (
            "rust",
            "const unsafe trait A { }",
            "      unsafe trait A { }",
        ),
        (
            "rust",
            "fn f(a: impl [const] A) where B: C + [const] D { }",
            "fn f(a: impl         A) where B: C +         D { }",
        ),
        (
            "rust",
            "pub unsafe auto trait A { }",
            "pub unsafe      trait A { }",
        ),
        (
            "rust",
            "pub macro m($a:expr) { $a }",
            "                           ",
        ),
        (
            "rust",
            "pub(crate) macro m { ($a:expr) => { $a } }",
            "                                          ",
        ),
        (
            "rust",
            "pub macro m($a:expr) { /* built in */ }",
            "                     { /* built in */ }",
        ),
        (
            "rust",
            "static A: &[fn(&u8)] = &[f as fn(&_)];",
            "static A: &[fn(&u8)] = &[f as fn( _)];",
        ),
        (
            "kotlin",
            "annotation class A(val a: IntArray = [], val b: IntArray = [])",
            "annotation class A(val a: IntArray = __, val b: IntArray = __)",
        ),
        (
            "kotlin",
            "class A { var a = 0; private set }",
            "class A { var a = 0  private set }",
        ),
        (
            "kotlin",
            "class A constructor(internal: Boolean)",
            "class A constructor(________: Boolean)",
        ),
    ] {
        let own = language::by_name(name).expect("it is known");
        let faults = |text: &[u8]| {
            let parsed = own.new_parser().parse(text, None, ParseLimit(1000));
            parsed.expect("it ends").count_faults()
        };
        let seen = own.mask_text(text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&seen), masked, "{text}");
        assert_eq!(faults(&seen), 0, "{text}");
        assert!(
            faults(text.as_bytes()) > 0,
            "{text}: nothing is wrong with it"
        );
    }
}

#[test]
fn strings_and_names_of_rust_are_not_those_of_c() {
    let rust = language::by_name("rust").expect("Rust is known");
    for text in [
        "const A: &str = \"a\n~const b\";",
        "const A: &str = r#\"\" ~const b\"#;",
        "fn f<'a>(a: &'a str, b: char) { b == '\\'' || \"~const\" == a; }",
        "fn f() { /* ~const */ } // ~const",
        "fn f(a: *const A) { g(a as *const B, 1 > const { 1 }); }",
    ] {
        let seen = rust.mask_text(text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&seen), text);
    }
}

#[test]
fn white_space_is_what_the_parser_skips() {
    assert!(c().is_blank(b" \t\r\n\x0b\x0c"));
    assert!(c().is_blank(b" \\\n "));
    assert!(c().is_blank(b" \\\r\n "));
    assert!(!c().is_blank(b" \\ "));
    assert!(!c().is_blank(b" x"));
}

#[test]
fn kinds_of_nodes_have_their_roles() {
    let grammar = c().grammar();
    let class = |name: &str| {
        let mut named = grammar
            .classes()
            .filter(|&class| grammar.class_name(class) == name);
        named.next().unwrap_or_else(|| panic!("{name} is a kind"))
    };
    assert!(c().is_comment(class("comment")) && !c().is_comment(class("identifier")));
    assert!(c().starts_line(class("#define")) && c().starts_line(class("preproc_directive")));
    assert!(c().ends_line(class("preproc_include"), b"#include <a>\n"));
    assert!(c().ends_line(class("comment"), b"// to the end"));
    assert!(!c().ends_line(class("comment"), b"/* not to the end */"));
}

/// A kind that is misspelt in a `language.toml` would be no kind at all.
#[test]
fn the_kinds_in_the_data_exist() {
    let with_data = |language: &&Language| language.bnf_grammar().is_none();
    for language in language::all_languages().iter().filter(with_data) {
        let path = format!(
            "{}/grammars/{}/language.toml",
            env!("CARGO_MANIFEST_DIR"),
            language.name
        );
        let data: toml::Table = std::fs::read_to_string(&path)
            .expect("readable")
            .parse()
            .expect("TOML");
        let lists = [
            data.get("opaque"),
            data.get("comments"),
            data.get("nonempty"),
            data.get("jumps"),
            data.get("lines").and_then(|lines| lines.get("start")),
            data.get("lines").and_then(|lines| lines.get("end")),
        ];
        let templates = data.get("templates").and_then(toml::Value::as_table);
        let holes = templates.into_iter().flatten().map(|(_, holes)| holes);
        let kinds = lists
            .into_iter()
            .flatten()
            .chain(holes)
            .flat_map(|list| list.as_array().expect("a list"))
            .chain(data.get("statement"))
            .map(|kind| kind.as_str().expect("a name"))
            .chain(
                templates
                    .into_iter()
                    .flatten()
                    .map(|(kind, _)| kind.as_str()),
            );
        for kind in kinds {
            let grammar = language.grammar();
            assert!(
                grammar
                    .classes()
                    .any(|class| grammar.class_name(class) == kind),
                "{path}: {kind}"
            );
        }
    }
}

#[test]
fn what_is_visible_is_highlighted() {
    let text = b"int old;\nint main(void) { return MAX + f(\"s\"); } // end\n";
    let tree = parse(text);
    let shown = |range: std::ops::Range<usize>| -> Vec<(String, &str)> {
        let runs = c().highlight_range(&tree, &|range| text[range].to_vec(), range);
        let piece =
            |r: &std::ops::Range<usize>| String::from_utf8_lossy(&text[r.clone()]).into_owned();
        runs.iter()
            .map(|(range, name)| (piece(range), *name))
            .collect()
    };
    let all = shown(0..text.len());
    for expected in [
        ("old", "variable"),
        ("main", "function"),
        ("return", "keyword"),
        ("MAX", "constant"),
        ("+", "operator"),
        ("f", "function"),
        ("\"s\"", "string"),
        ("// end", "comment"),
        ("int", "type"),
    ] {
        assert!(
            all.contains(&(expected.0.to_owned(), expected.1)),
            "{expected:?} in {all:?}"
        );
    }
    // Only what is asked for, cut at its ends.
    assert_eq!(shown(4..6), [("ol".to_owned(), "variable")]);
    assert_eq!(shown(1000..2000), []);
}

#[test]
fn what_is_visible_is_highlighted_without_a_tree_of_the_text() {
    let text = b"int old;\nint main(void) { return MAX + f(\"s\"); } // end\n";
    let tree = parse(text);
    let start = b"int old;\n".len();
    for range in [start..text.len(), 26..40] {
        let whole = c().highlight_range(&tree, &|part| text[part].to_vec(), range.clone());
        let excerpt = c().highlight_excerpt(&text[start..range.end], start, range);
        assert!(whole.len() > 2);
        // What is cut off at the end may be misread; what is before has its colours.
        assert_eq!(excerpt[..2], whole[..2]);
    }
    assert_eq!(c().highlight_excerpt(b"", 9, 9..20), []);
}
