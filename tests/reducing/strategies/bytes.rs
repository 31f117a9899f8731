//! The stratum of bytes: literals, names and white space become shorter (pass, file, program, what its test needs, result).

use lop::pass::{self, FeatureSet, PassKind, PassOptions};
use lop::program::{Constraint, ConstraintRule, ConstraintSet, Objective, View, tokens_of};
use lop::protocol::{Feedback, ProposerStep};
use lop::reduce::{self, RunEvent, RunSetup};

use crate::common::candidates_of_pass::{Asked, pass};
use crate::common::{oracle, read, run, setup, text as text_of, verdict};

/// A file, its text, texts that its test wants, and what is left.
type Row = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static str,
);

fn named(name: &str) -> &'static PassKind {
    let all = pass::all_passes();
    let mut all = all.into_iter();
    all.find(|kind| kind.name == name).expect("a pass")
}

/// What a pass asks while its test says yes, and what it leaves.
fn leave(kind: &str, program: (&str, &str), wanted: impl Fn(&str) -> bool) -> (Vec<Asked>, String) {
    pass(named(kind), program, FeatureSet::default(), wanted)
}

fn check_rows(kind: &str, rows: &[Row]) {
    for (file, program, needs, expected) in rows {
        let wanted = |text: &str| needs.iter().all(|need| text.contains(need));
        let (asked, left) = leave(kind, (file, program), wanted);
        assert_eq!(left, *expected, "{file}: {program}\n{asked:#?}");
    }
}

#[test]
fn literals_become_the_simplest_of_their_kind() {
    check_rows(
        "literals",
        &[
            (
                "a.c",
                "int x = 0x10UL + 'a' + sizeof \"text\";",
                &["int x"],
                "int x = 0 + 0 + sizeof \"\";",
            ),
            ("a.c", "int x = 12 / 34;", &["/ 1"], "int x = 1 / 1;"),
            // In one of two places only.
            (
                "a.c",
                "int x = 12, y = 12;",
                &["y = 12"],
                "int x = 0, y = 12;",
            ),
            (
                "a.js",
                "f(100n, 'text', `text`)",
                &["f("],
                "f(0, \"\", \"\")",
            ),
            (
                "A.java",
                "class A { long x = 100L; String s = \"text\"; }",
                &["class A"],
                "class A { long x = 0; String s = \"\"; }",
            ),
            (
                "a.rs",
                "fn f() { g(10u8, 1.5f32, r#\"text\"#) }",
                &["g(0"],
                "fn f() { g(0, 0, \"\") }",
            ),
            ("a.py", "f(100, 1.5, b'text')\n", &["f("], "f(0, 0, \"\")\n"),
            (
                "a.go",
                "package a\n\nfunc f() { g(100, 1.5, `text`) }\n",
                &["g("],
                "package a\n\nfunc f() { g(0, 0, \"\") }\n",
            ),
            (
                "a.kt",
                "val x = g(100L, \"text\")\n",
                &["g("],
                "val x = g(0, \"\")\n",
            ),
        ],
    );
}

#[test]
fn a_literal_that_must_stay_loses_suffix_prefix_digits_and_text() {
    check_rows(
        "characters",
        &[
            ("a.c", "int x = 1234ULL;", &["12"], "int x = 12;"),
            ("a.c", "int x = 0xff00ull;", &["0x", "u"], "int x = 0xfu;"),
            (
                "a.c",
                "char *s = \"some text\";",
                &["\"", "x"],
                "char *s = \"x\";",
            ),
            // What is left must be a literal.
            (
                "a.c",
                "char *s = \"a\\\"b\";",
                &["\\"],
                "char *s = \"\\\"\";",
            ),
            ("a.js", "/[abc]+d/g.test(s)", &["]"], "/]/.test(s)"),
            (
                "A.java",
                "class A { float x = 1.25f; }",
                &["f;"],
                "class A { float x = 5f; }",
            ),
            (
                "a.rs",
                "fn f() { g(100u64) }",
                &["u64"],
                "fn f() { g(0u64) }",
            ),
            ("a.py", "f(b'some text')\n", &["b'"], "f(b'')\n"),
            (
                "a.go",
                "package a\n\nvar x = \"text\"\n",
                &["x\""],
                "package a\n\nvar x = \"x\"\n",
            ),
        ],
    );
}

#[test]
fn names_become_one_letter() {
    check_rows(
        "names",
        &[
            (
                "a.c",
                "int count; int main() { return count + other(); }",
                &["int"],
                "int a; int b() { return a + c(); }",
            ),
            // One text stays one text, whatever it names.
            (
                "a.c",
                "struct node { int node; }; int f(struct node *node) { return node->node; }",
                &["f("],
                "struct a { int a; }; int f(struct a *a) { return a->a; }",
            ),
            // What must stay is found by halves; letters that the program has are not taken.
            (
                "a.c",
                "int one, two, three, four, a;",
                &["three", "a;"],
                "int b, c, three, e, a;",
            ),
            (
                "a.js",
                "function first(value) { return { value }; } console.log(first(1));",
                &["console.log"],
                "function a(b) { return { b }; } console.log(a(1));",
            ),
            (
                "A.java",
                "class Outer { String value; void call() { call(); } }",
                &["String"],
                "class a { String b; void c() { c(); } }",
            ),
            (
                "a.rs",
                "struct Point { left: u8 } fn main() { let _point = Point { left: 0 }; }",
                &["main"],
                "struct a { b: u8 } fn main() { let c = a { b: 0 }; }",
            ),
            (
                "a.py",
                "def call(first):\n    return print(first)\n",
                &["print"],
                "def a(b):\n    return print(b)\n",
            ),
            (
                "a.go",
                "package thing\n\nfunc call(first int) int { return call(first) }\n",
                &["int", "package thing"],
                "package thing\n\nfunc a(b int) int { return a(b) }\n",
            ),
            (
                "a.kt",
                "fun call(first: Int) = call(first)\n",
                &["Int"],
                "fun a(b: Int) = a(b)\n",
            ),
        ],
    );
}

#[test]
fn only_the_white_space_stays_that_keeps_tokens_apart() {
    check_rows(
        "spaces",
        &[
            (
                "a.c",
                "int  f ( int a )\n{\n  return - - a + 1 ;\n}\n",
                &["f"],
                "int f(int a){return- -a+1;}\n",
            ),
            // Directives keep their lines, and a macro's value is no list of parameters.
            (
                "a.c",
                "#include <a.h>\n\n#define A   (1)\n  int a ;\n# if A\nint b ;\n#endif\n",
                &["a"],
                "#include<a.h>\n#define A (1)\nint a;\n# if A\nint b;\n#endif\n",
            ),
            (
                "a.js",
                "let a = 1\nlet b = { c : [ 1, 2 ] }\n\nif (a) {\n  b ;\n  a = + + b\n}\n",
                &["b"],
                "let a=1\nlet b={c:[1,2]}\nif(a){b;a=+ +b}\n",
            ),
            (
                "A.java",
                "class A {\n    int f ( ) {\n        return 1 ;\n    }\n}\n",
                &["A"],
                "class A{int f(){return 1;}}\n",
            ),
            (
                "a.rs",
                "fn f<'a>( x : &'a u8 ) -> u8 {\n    match x { _ => 1 }\n}\n",
                &["f"],
                "fn f<'a>(x:&'a u8)->u8{match x{_=>1}}\n",
            ),
            (
                "a.py",
                "def f( a ) :\n    if a :\n\n        return [\n            a ,\n        ]\n    return 1\n",
                &["f"],
                "def f(a):\n if a:\n  return[a,]\n return 1\n",
            ),
            (
                "a.go",
                "package a\n\nfunc f() int {\n\tx := 1\n\treturn x + 1\n}\n",
                &["f"],
                "package a\nfunc f()int{x:=1\nreturn x+1}\n",
            ),
            // A template's text is text.
            (
                "a.js",
                "f ( `a  ${ b + c }  d` ) ;\n",
                &["f"],
                "f(`a  ${ b + c }  d`);\n",
            ),
            // Where it must stay is found by halves.
            (
                "a.c",
                "int a ; int b ; int c ;",
                &["b ;"],
                "int a;int b ;int c;",
            ),
        ],
    );
}

#[test]
fn what_is_kept_keeps_its_name_and_its_white_space() {
    let version = read("a.c", "int  kept ; int  other ;");
    let tokens: Vec<_> = tokens_of(&version.documents()[0].root, false);
    let pinned = Constraint {
        rule: ConstraintRule::Pin,
        tokens: tokens[..3].into(),
        name: "kept".into(),
        line: None,
    };
    let mut view = View::new(version);
    let mut constraints = ConstraintSet::default();
    constraints.add_constraint(pinned);
    view.set_constraints(constraints, &[view.version.documents()[0].root.id]);
    for kind in ["names", "spaces"] {
        let mut pass = named(kind).start_filtered(&view, &PassOptions::default());
        while let ProposerStep::Test(edit, _) = pass.propose(&view) {
            pass.on_verdict(&view, &edit, Feedback::Interesting);
            let ProposerStep::Accept(edit) = pass.propose(&view) else {
                panic!("what is interesting is accepted");
            };
            let (version, change) =
                lop::program::apply_edit(&view.version, &edit).expect("an edit");
            view.version = version;
            pass.on_accept(&view, &change);
        }
    }
    assert_eq!(text_of(&view.version), "int  kept ;int a;");
}

const WHOLE: &str = "int count ;\nint main ( ) { return count + 1234 ; }\n";

/// What a run leaves, steered by a script, and the versions that the pass of names made, by their numbers.
fn reduce(
    script: &str,
    options: PassOptions,
    objective: Objective,
    wanted: fn(&str) -> bool,
) -> (String, Vec<u64>) {
    let runner = oracle(move |text| verdict(wanted(text)));
    let setup = setup(read("a.c", WHOLE).with_objective(objective), runner);
    let (last, events) = run(RunSetup {
        script: reduce::parse_script(script).expect("a script"),
        options,
        ..setup
    });
    let (mut renamed, mut made_by) = (Vec::new(), "");
    for event in &events {
        match event {
            RunEvent::Decided(decided) => made_by = decided.why.pass,
            RunEvent::Accepted { version, .. } if made_by == "names" => renamed.push(*version),
            _ => {}
        }
    }
    (last, renamed)
}

#[test]
fn an_undo_brings_the_names_back_and_they_can_be_kept_from_the_start() {
    // No word can go, and no list of parameters.
    let wanted = |text: &str| {
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        words.filter(|word| !word.is_empty()).count() == 7 && text.contains(')')
    };
    let without = |parts: &[&str]| PassOptions {
        disabled_features: FeatureSet::from_names(
            &parts
                .iter()
                .map(|part| part.to_string())
                .collect::<Vec<_>>(),
        ),
        ..PassOptions::default()
    };
    let tree_only = without(&["rewrites", "text"]);
    let (last, renamed) = reduce("", tree_only, Objective::Tokens, wanted);
    assert_eq!((&*last, renamed.len()), ("int a;int b(){return a+0;}\n", 1));
    let undo = format!("at commit {}: undo disable", renamed[0]);
    let (last, _) = reduce(&undo, tree_only, Objective::Tokens, wanted);
    assert_eq!(last, "int count;int main(){return count+0;}\n");
    let kept = without(&["rewrites", "text", "names"]);
    let (last, renamed) = reduce("", kept, Objective::Tokens, wanted);
    assert_eq!(
        (&*last, renamed.len()),
        ("int count;int main(){return count+0;}\n", 0)
    );
}

#[test]
fn bytes_fall_by_each_objective() {
    let c = lop::language::by_name("c");
    for name in [
        "tokens",
        "bytes",
        "lines",
        "nodes",
        "count((identifier) @x)",
    ] {
        let objective = Objective::parse_name(name, c).expect("an objective");
        let wanted = |text: &str| {
            ["int ", "(", "return ", "+"]
                .iter()
                .all(|need| text.contains(need))
        };
        let (last, _) = reduce("", PassOptions::default(), objective, wanted);
        assert!(last.len() < 24, "{name}: {last}");
        assert!(
            !last.contains("main") && !last.contains("1234"),
            "{name}: {last}"
        );
    }
}
