//! The place of the failure: all goes first but what it needs.

use crate::common::{quick, read, text};
use crate::steer::{Went, steer, words};
use lop::program::NodeTarget;
use lop::reduce::EngineCommand;

const PROGRAM: &str = "struct s { int a; };\n\
    typedef struct s t;\n\
    enum e { one, two };\n\
    int unrelated(int n) { return n + two; }\n\
    int inner(t *p) { p->a = 2; p->a += 3; return p->a; }\n\
    int f(t *p) {\n  p->a = 1;\n  return inner(p);\n}\n\
    int other;\n\
    int main(void) { t x; other = unrelated(2); return f(&x); }\n";

/// What `f` needs, whole.
const NEEDED: &str = "struct s { int a; }; typedef struct s t; int inner(t *p) { p->a = 2; p->a += 3; return p->a; } \
    int f(t *p) { p->a = 1; return inner(p); }";

/// The first candidates of a run that begins with these commands, of a test that says this.
fn first_candidates(
    script: &str,
    count: u64,
    says: impl Fn(&str) -> bool + Send + Sync + 'static,
) -> (Vec<String>, Went) {
    let script = format!("{script}\nat decision {count}: stop");
    let went = steer(PROGRAM, &script, quick(), says);
    let tested = went.tested.iter().map(|text| words(text)).collect();
    (tested, went)
}

#[test]
fn all_goes_but_what_the_place_needs_and_then_the_bodies_of_that() {
    let (tested, _) = first_candidates("place 7:3", 3, |text| text.contains("return inner(p)"));
    assert_eq!(tested[0], NEEDED);
    assert_eq!(
        tested[1],
        NEEDED.replace("p->a = 2; p->a += 3; return p->a; ", ""),
    );
}

#[test]
fn a_body_keeps_its_last_return_where_it_must() {
    let (tested, _) = first_candidates("place 7:3", 4, |text| text.contains("return p->a"));
    assert_eq!(tested[0], NEEDED);
    assert_eq!(tested[2], NEEDED.replace("p->a = 2; p->a += 3; ", ""));
}

#[test]
fn what_the_message_mentions_stays_where_the_place_is_not_enough() {
    let (tested, went) = first_candidates("place 7:3\nmention main", 9, |text| {
        text.contains("int main") && text.contains("p->a = 1")
    });
    assert_eq!(tested[0], NEEDED);
    let of_main = tested.iter().find(|text| text.contains("int main"));
    let of_main = of_main.expect("it is asked");
    let emptied = words(PROGRAM)
        .replace("p->a = 2; p->a += 3; return p->a; ", "")
        .replace("return n + two; ", "")
        .replace("enum e { one, two }; ", "");
    assert_eq!(*of_main, emptied);
    assert!(went.obeyed().iter().all(|(.., outcome)| outcome.is_ok()));
}

#[test]
fn a_mentioned_name_brings_what_it_needs() {
    let (tested, _) = first_candidates("place 10\nmention unrelated", 9, |text| {
        text.contains("unrelated")
    });
    assert_eq!(tested[0], "int other;");
    let mentioned = "enum e { one, two }; int unrelated(int n) { return n + two; } int other;";
    assert_eq!(tested[1], mentioned);
}

#[test]
fn without_a_place_nothing_is_asked_and_a_place_that_was_taken_back_is_none() {
    let plain = steer(PROGRAM, "", quick(), |text| text.contains("p->a"));
    let gone = steer(PROGRAM, "place 7:3\nunhint", quick(), |text| {
        text.contains("p->a")
    });
    assert_eq!(plain.tested, gone.tested);
    assert!(!plain.tested.iter().any(|text| words(text) == NEEDED));
}

#[test]
fn a_place_changes_the_order_and_never_the_result() {
    let says = |text: &str| text.contains("p->a = 1") && text.contains("int main");
    let plain = steer(PROGRAM, "", quick(), says);
    for script in ["place 7:3", "place other", "place 7:3\nmention main"] {
        let placed = steer(PROGRAM, script, quick(), says);
        assert_eq!(words(&placed.text), words(&plain.text), "{script}");
    }
}

#[test]
fn all_specialisations_of_what_stays_stay_where_fewer_are_not_enough() {
    let program = "struct u {};\ntemplate <class T> struct w;\ntemplate <> struct w<u> {};\nstruct v {};\ntemplate <> struct w<v> {};\nstruct o {};\nw<u> x;\n";
    let asked = candidates_in_cpp(program, "7", 6);
    let narrow = "struct u {}; template <class T> struct w; template <> struct w<u> {}; w<u> x;";
    let wide = program.replace("struct o {};\n", "");
    assert_eq!(asked, [narrow, &words(&wide)]);
}

#[test]
fn what_the_compiler_evaluates_keeps_its_body() {
    let program = "constexpr int two() { int n = 2; return n; }\nint one() { int n = 1; return n; }\nint f() { return one() + two(); }\n";
    let asked = candidates_in_cpp(program, "3", 3);
    let emptied = "constexpr int two() { int n = 2; return n; } int one() { } int f() { return one() + two(); }";
    assert_eq!(asked[0], emptied);
}

#[test]
fn a_name_in_cpp_is_the_whole_class_or_namespace_that_it_declares() {
    let program = "namespace notify {\nvoid sink(...);\ntemplate <class P> class Fanout { public: P p; };\nstruct S { int y; };\nclass { int z; } plain;\nenum E { A, B };\n}\nint main() { notify::Fanout<int> f; }\n";
    let version = read("a.cc", program);
    for (name, whole) in [
        (
            "Fanout",
            "template <class P> class Fanout { public: P p; };",
        ),
        ("S", "struct S { int y; };"),
        ("plain", "plain"),
        ("E", "enum E { A, B };"),
        ("A", "A,"),
        ("main", "int main() { notify::Fanout<int> f; }"),
        ("notify", program.split("\nint main").next().expect("it")),
    ] {
        let target: NodeTarget = name.parse().expect("a name");
        let found = target.find_nodes(&version).expect("it is declared");
        let text =
            String::from_utf8_lossy(&lop::program::walk::render_text(&found[0])).into_owned();
        let text = words(&text);
        assert!(
            [words(whole), words(whole.trim_end_matches(';'))].contains(&text),
            "{name}: {text}"
        );
    }
}

#[test]
fn a_namespace_is_called_one() {
    let version = read("a.cc", "namespace notify { int a; }\nusing std::max;\n");
    for (name, words) in [
        ("notify", "the namespace `notify`"),
        ("max", "the import `max`"),
    ] {
        let target: NodeTarget = name.parse().expect("a name");
        let found = target.find_nodes(&version).expect("it is declared");
        assert_eq!(lop::program::describe_object(&version, found[0].id), words);
    }
}

/// The first candidate that the pass makes of a program in C++.
fn first_in_cpp(program: &str, place: &str) -> String {
    let mut asked = candidates_in_cpp(program, place, 1);
    asked.pop().unwrap_or_else(|| words(program))
}

/// The first candidates that the pass makes of a program in C++, none twice, if none is interesting.
fn candidates_in_cpp(program: &str, place: &str, count: usize) -> Vec<String> {
    let mut view = lop::program::View::new(read("a.cc", program));
    let target: NodeTarget = place.parse().expect("a place");
    let command = EngineCommand::parse_line(&format!("place {place}")).expect("a command");
    let EngineCommand::Constrain(rule, _) = command else {
        panic!("{command}");
    };
    let found = lop::reduce::resolve_constraints(&view.version, rule, &target);
    let mut constraints = (*view.constraints).clone();
    for constraint in found.expect("it is there") {
        constraints.add_constraint(constraint);
    }
    view.set_constraints(constraints, &[]);
    let options = lop::pass::PassOptions::default();
    let mut pass = lop::pass::PLACE.start_filtered(&view, &options);
    let mut asked = Vec::new();
    for _ in 0..count {
        let lop::protocol::ProposerStep::Test(edit, _) = pass.propose(&view) else {
            break;
        };
        let (candidate, _) = lop::program::apply_edit(&view.version, &edit).expect("an edit");
        asked.push(words(&text(&candidate)));
        pass.on_verdict(&view, &edit, lop::protocol::Feedback::Uninteresting);
    }
    asked.dedup();
    asked
}

#[test]
fn in_cpp_namespaces_lose_what_is_not_needed_and_templates_keep_what_belongs_to_them() {
    for (program, place, left) in [
        (
            "namespace n { struct a {}; struct b {}; }\nnamespace m { struct c {}; }\nn::a f() { return n::a(); }\n",
            "3:12",
            "namespace n { struct a {}; } n::a f() { return n::a(); }",
        ),
        // A declaration in advance, and a specialisation of which all names stay; not that for a type that goes.
        (
            "struct u {};\nstruct v {};\nstruct base {};\ntemplate <class T, class U = v> struct w;\ntemplate <> struct w<u> {};\ntemplate <class T> struct w<T, int> : base {};\nw<int> x;\n",
            "7",
            "struct v {}; struct base {}; template <class T, class U = v> struct w; template <class T> struct w<T, int> : base {}; w<int> x;",
        ),
        // A path may lead through a using-declaration.
        (
            "void g();\nvoid h();\nnamespace n { struct s {}; using ::g; using ::h; }\nvoid f() { n::g(); }\n",
            "4",
            "void g(); namespace n { using ::g; } void f() { n::g(); }",
        ),
        // A name behind that of a namespace is one of the namespace.
        (
            "namespace a { void g(); }\nnamespace b { struct t {}; void g(); }\nvoid f() { a::g(); }\n",
            "3",
            "namespace a { void g(); } void f() { a::g(); }",
        ),
        // A name behind a point is a member: a function of that name is not needed.
        (
            "struct s { int size(); };\nint size(int n);\nint f(s &x) { return x.size(); }\n",
            "3",
            "struct s { int size(); }; int f(s &x) { return x.size(); }",
        ),
        // Of several functions those are meant whose parameters have types that stay.
        (
            "struct u {};\nstruct v {};\nvoid swap(u &a, u &b) { }\nvoid swap(v &a, v &b) { }\nvoid f(u &x) { swap(x, x); }\n",
            "5",
            "struct u {}; void swap(u &a, u &b) { } void f(u &x) { swap(x, x); }",
        ),
        // A template that is declared in advance, with names of its parameters.
        (
            "struct o {};\ntemplate <bool, class T> struct w;\ntemplate <class T> using v = w<true, T>;\nv<int> *x;\n",
            "4",
            "template <bool, class T> struct w; template <class T> using v = w<true, T>; v<int> *x;",
        ),
        // A member outside of its class stays where something uses it.
        (
            "struct s { void g(); void h(); };\nvoid s::g() { }\nvoid s::h() { }\nvoid f() { s x; x.g(); }\n",
            "4",
            "struct s { void g(); void h(); }; void s::g() { } void f() { s x; x.g(); }",
        ),
    ] {
        assert_eq!(first_in_cpp(program, place), left, "{program}");
    }
}
