//! What the checker refuses, with the line and the reason.

use crate::command::{Check, run_command};

#[test]
fn wrong_programs_are_refused() {
    let rows = [
        ("void main() begin\nx := T;\nend", 2, "nothing declares x"),
        (
            "decl a;\nvoid main() begin\na$ := T;\nend",
            3,
            "a is a global: it has no $",
        ),
        (
            "decl a;\ndecl a;\nvoid main() begin end",
            2,
            "there are two variables a",
        ),
        (
            "decl a;\nvoid main() begin decl a; end",
            2,
            "there are two variables a",
        ),
        (
            "void f() begin end\nvoid f() begin end\nvoid main() begin end",
            2,
            "there are two functions f",
        ),
        (
            "void main() begin\nl: skip;\nl: skip;\nend",
            3,
            "there are two labels l",
        ),
        ("void main() begin\ngoto l;\nend", 2, "there is no label l"),
        (
            "void main() begin\nstart_thread goto l;\nend",
            2,
            "there is no label l",
        ),
        (
            "void f() begin l: skip; end\nvoid main() begin goto l; end",
            2,
            "there is no label l",
        ),
        (
            "decl a;\nvoid main() begin\na := T, F;\nend",
            3,
            "2 values for 1 variables",
        ),
        (
            "decl a;\nvoid main() begin\na, a := T, F;\nend",
            3,
            "a is assigned twice",
        ),
        (
            "void f(x) begin end\nvoid main() begin f(); end",
            2,
            "0 arguments for 1 parameters",
        ),
        (
            "bool f() begin return T; end\nvoid main() begin f(); end",
            2,
            "1 results for 0 variables",
        ),
        (
            "bool f() begin return; end\nvoid main() begin end",
            1,
            "0 values where the function returns 1",
        ),
        ("void main() begin g(); end", 1, "there is no function g"),
        ("void f() begin end", 1, "there is no function main"),
        (
            "void main() begin l: end",
            1,
            "\"end\" where a statement should be",
        ),
        (
            "void main() begin skip end",
            1,
            "\"end\" where \";\" should be",
        ),
        (
            "void main() begin\nassert (T;\nend",
            2,
            "\";\" where \")\" should be",
        ),
        (
            "void main() begin if T then skip; end",
            1,
            "\"end\" where a statement should be",
        ),
        ("void main() begin assert 2; end", 1, "nothing declares 2"),
        ("decl goto;", 1, "\"goto\" where a name should be"),
        (
            "void main() begin",
            1,
            "\"the end\" where a statement should be",
        ),
        ("decl a;\n/* and", 2, "a comment has no end"),
        ("decl a%;", 1, "'%' starts no word"),
    ];
    for (text, line, reason) in rows {
        let refusal = Check::with_threads(1).run(text).expect_err(text);
        assert_eq!(
            (refusal.line, refusal.reason.as_str()),
            (line, reason),
            "{text}"
        );
    }
}

#[test]
fn a_deeply_nested_program_is_refused() {
    let text = format!(
        "void main() begin assert {}T{}; end",
        "(".repeat(9_000),
        ")".repeat(9_000)
    );
    let refusal = Check::with_threads(1).run(&text).expect_err("too deep");
    assert_eq!(refusal.reason, "nested too deep");
}

#[test]
fn the_command_says_how_it_ended() {
    let folder = tempfile::tempdir().expect("a directory");
    let file = folder.path().join("p.bp").display().to_string();
    let run = |text: &str, more: &[&str]| {
        std::fs::write(&file, text).expect("a file");
        let line = [&[file.as_str()], more].concat();
        run_command(
            &line
                .iter()
                .map(|word| (*word).to_owned())
                .collect::<Vec<_>>(),
        )
    };
    let race = "decl g; void main() begin g := F; start_thread goto l; assert !g; end_thread; l: g := T; end";
    let silent = String::new;
    assert_eq!(
        run(race, &["--threads", "2"]),
        ("fails\n".to_owned(), silent(), 0)
    );
    assert_eq!(
        run(race, &["--threads", "1"]),
        ("safe\n".to_owned(), silent(), 1)
    );
    assert_eq!(
        run(race, &["--states", "2"]),
        ("unknown\n".to_owned(), silent(), 3)
    );
    let crash =
        "decl g; void main() begin decl m; start_thread goto l; l: g := * constrain m$ | 'g; end";
    let (_, said, status) = run(crash, &["--defect", "crash"]);
    assert_eq!(status, 134);
    assert!(said.contains("Assertion failed"), "{said}");
    let (_, said, status) = run("void main() begin goto l; end", &[]);
    assert_eq!(status, 125);
    assert!(said.ends_with("p.bp:1: there is no label l\n"), "{said}");
    assert_eq!(run(race, &["--defect", "all"]).2, 2);
}
