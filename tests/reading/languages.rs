//! What lop knows of its languages, tested by reductions that would fail without it: a program, what it must keep, and the result. The
//! test is a closure; the parser is real.

use std::process::Command;
use std::sync::{Arc, Mutex};

use crate::common::{oracle, read, run, setup, verdict};
use lop::language;

/// What is left of a program that must have these pieces, in this order, and all that was asked about.
fn reduced(name: &str, program: &str, needs: &'static [&'static str]) -> (String, Vec<String>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let said = asked.clone();
    let runner = oracle(move |text| {
        said.lock().expect("one at a time").push(text.to_owned());
        let mut rest = text;
        let has = |need: &&str| match rest.split_once(*need) {
            Some((_, behind)) => {
                rest = behind;
                true
            }
            None => false,
        };
        verdict(needs.iter().all(has))
    });
    let (left, _) = run(setup(read(name, program), runner));
    let asked = std::mem::take(&mut *asked.lock().expect("the run is over"));
    (left, asked)
}

fn left(name: &str, program: &str, needs: &'static [&'static str]) -> String {
    reduced(name, program, needs).0
}

#[test]
fn a_python_loop_leaves_its_block_with_its_else() {
    let program = "if ready:\n    for x in xs:\n        bug(x)\n    else:\n        end(x)\n";
    assert_eq!(
        left("a.py", program, &["for", "bug(x)", "else", "end(x)"]),
        "for x in xs:\n    bug(x)\nelse:\n    end(x)\n"
    );
}

#[test]
fn the_statements_of_a_python_block_take_its_place() {
    let program = "def f():\n    with lock:\n        one()\n        if two:\n            three(); four()\n        five()\n";
    assert_eq!(left("b.py", "if x:\n    a()\n", &["a()"]), "a()\n");
    assert_eq!(
        left(
            "a.py",
            program,
            &["def", "one()", "three()", "four()", "five()"]
        ),
        "def f():\n    one()\n    three(); four()\n    five()\n"
    );
}

#[test]
fn a_python_block_is_never_asked_about_empty() {
    let program = "def f():\n    a()\n    b()\n\nclass C:\n    x = 1\n    y = 2\n";
    let (left, asked) = reduced("a.py", program, &["def f", "class C"]);
    assert_eq!(left, "def f():\n    pass\n\nclass C:\n    pass\n");
    for text in asked {
        let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
        for (at, line) in lines.iter().enumerate() {
            let block = lines.get(at + 1).is_some_and(|next| next.starts_with(' '));
            assert!(block || !line.ends_with(':'), "{text}");
        }
    }
}

#[test]
fn a_newline_ends_a_javascript_statement_that_left_its_braces() {
    let program = "if (a) { l = mid } else { r() }\n";
    assert_eq!(
        left("a.js", program, &["if (a)", "l = mid", "else"]),
        "if (a) l = mid\nelse r()\n"
    );
    assert_eq!(
        left("a.js", "a()\nb()\nc()\n", &["a()", "c()"]),
        "a()\nc()\n"
    );
}

#[test]
fn go_statements_stay_on_their_lines() {
    let program = "package p\n\nfunc f() {\n\ta(); b()\n\tdefer func() {\n\t\tif x {\n\t\t\tc()\n\t\t}\n\t}()\n}\n";
    assert_eq!(
        left(
            "a.go",
            program,
            &["package", "func f", "a()", "defer func", "c()", "()"]
        ),
        "package p\n\nfunc f() {\n\ta()\n\tdefer func() {\n\t\t\tc()\n\t\t}()\n}\n"
    );
}

#[test]
fn kotlin_names_in_strings_do_not_grow() {
    let program = "val s = \"$a${b}c and $d\"\n";
    assert_eq!(
        left("a.kt", program, &["$a", "c"]),
        "val s = \"$a c and \"\n"
    );
    // White space in a string is text: it goes with nothing else.
    let program = "val s = \"${a} ${b} c\"\n";
    assert_eq!(left("a.kt", program, &["\" ${b}"]), "val s = \" ${b}\"\n");
    let program = "fun f() {\n    if (x) { l = 1 } else { r() }\n}\n";
    assert_eq!(
        left("a.kt", program, &["if (x)", "l = 1", "else"]),
        "fun f() {\n    if (x) l = 1 else r\n}\n"
    );
    let program = "fun f() { a(); b(); c() }\n";
    assert_eq!(
        left("a.kt", program, &["fun", "a()", "c()"]),
        "fun f() { a(); c() }\n"
    );
}

#[test]
fn rust_token_trees_are_lists_whose_words_stay_apart() {
    let program = "fn main() {\n    say!(one, 2 + bug, \"x\", [three]);\n}\n";
    assert_eq!(
        left("a.rs", program, &["fn", "say!", "bug", "\"x\""]),
        "fn main() {\n    say!(bug \"x\")\n}\n"
    );
}

#[test]
fn directives_keep_their_lines() {
    let program = "int a; /* x */ int b;\n#ifdef X\nint c;\n#else\nint d;\n#endif\nint e;\n";
    assert_eq!(
        left("a.c", program, &["#ifdef X", "#else", "#endif"]),
        "#ifdef X\n#else\n#endif\n"
    );
}

#[test]
fn the_ends_of_cpp_templates_stay_apart() {
    let program = "template <class T = Box<int> , int N> struct S;\n";
    assert_eq!(
        left(
            "a.cpp",
            program,
            &["template", "class T", "Box<int", "struct S"]
        ),
        "template <class T = Box<int> > struct S;\n"
    );
}

#[test]
#[ignore = "long"]
fn every_language_keeps_its_contract() {
    let output = Command::new(env!("CARGO_BIN_EXE_lop"))
        .args(["languages", "check", "--all"])
        .output()
        .expect("lop runs");
    let page = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{page}");
    // Where newlines are syntax, not one candidate is lost by them.
    for name in ["python", "go", "javascript", "typescript", "kotlin", "bash"] {
        let clean = |line: &str| line.starts_with(name) && line.contains(" 0 faulty");
        assert!(page.lines().any(clean), "{name}: {page}");
    }
    for name in ["java", "rust", "python", "go", "kotlin"] {
        let tried = |line: &str| line.starts_with(name) && line.contains("fillers tried in");
        assert!(page.lines().any(tried), "{name}: {page}");
    }
    assert_eq!(
        page.matches(" ok ").count(),
        language::all_languages().len(),
        "{page}"
    );
}
