//! `--canonical`: programs in one form; and a whole recorded run of bp-reduce, repeated without a test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{End, Stage};

const PROGRAM: &str = "// a comment\ndecl a,b;\nvoid main()begin\n  decl c;\n  l: k:\n  a,b:=1,((!b)|(c&0));  /* another */\n  if(a)then goto l;skip;fi;\n  f(a,b);\n  assert(0);end\nvoid f(x, y) begin end\n";

/// The program as a test sees it.
const CANONICAL: &str = "decl a, b;\nvoid main() begin\n\tdecl c;\nl: k:\ta, b := T, ((!b) | (c & F));\n\tif (a) then goto l; skip; fi;\n\tf(a, b);\n\tassert (F);\nend\nvoid f(x, y) begin\nend\n";

fn stage(test: &str) -> Stage {
    let stage = Stage::new();
    stage.write("a.bp", PROGRAM);
    stage.test("test.sh", test);
    stage
}

#[test]
fn the_test_and_the_output_have_the_program_in_canonical_form() {
    let keep = stage("");
    let seen = keep.path("seen");
    let line = format!("cp a.bp {}.$$; grep -q assert a.bp", seen.display());
    keep.test("test.sh", &line);
    let end = keep.lop(&[
        "a.bp",
        "test.sh",
        "--canonical",
        "--strategy",
        "bp",
        "--jobs",
        "1",
    ]);
    assert_eq!(end.status, 0, "{end}");
    assert!(
        end.out.contains("the test sees a.bp in canonical form"),
        "{end}"
    );
    assert_eq!(
        keep.read("a.lop.bp"),
        "void main() begin\n\tassert F;\nend\n"
    );
    assert_eq!(keep.read("a.bp"), PROGRAM);
    let names = keep.names().into_iter();
    let texts: Vec<String> = names
        .filter(|name| name.starts_with("seen."))
        .map(|name| keep.read(&name))
        .collect();
    assert!(texts.iter().any(|text| text == CANONICAL), "{texts:?}");
    // The simplified program, and one with a statement that nothing but a jump needs.
    for wanted in [
        "decl a, b;\nvoid main() begin\n\tdecl c;\nl: k:\ta, b := T, !b;\n\tif a then goto l; fi;\n\tf(a, b);\n\tassert F;\nend\nvoid f(x, y) begin\nend\n",
        "decl a, b;\nvoid main() begin\n\tdecl c;\nl: k:\tskip;\n\tif a then goto l; fi;\n\tf(a, b);\n\tassert F;\nend\nvoid f(x, y) begin\nend\n",
    ] {
        assert!(
            texts.iter().any(|text| text == wanted),
            "{wanted}: {texts:?}"
        );
    }
    for text in &texts {
        assert!(!text.contains("  ") && !text.contains("//"), "{text}");
    }
}

#[test]
fn a_language_without_a_layout_is_refused() {
    let stage = Stage::new();
    let end = stage.lop(&["bug.c", "test.sh", "--canonical"]);
    assert_eq!(end.status, 2, "{end}");
    assert!(
        end.err.contains(
            "--canonical is for languages that say how their programs are laid out, such as Boolean programs, and bug.c is in none; leave out --canonical (a grammar in BNF says so with %new-line and its like: docs/GRAMMARS.md, Layout)"
        ),
        "{end}"
    );
    stage.write("bad.bp", "void main() begin goto ; end\n");
    let end = stage.lop(&["bad.bp", "test.sh", "--canonical"]);
    assert_eq!(end.status, 2, "{end}");
    assert!(end.err.contains("line 1, column 24"), "{end}");
}

#[test]
fn a_grammar_of_the_user_has_a_layout_of_its_own() {
    let stage = Stage::new();
    stage.write(
        "list.bnf",
        "%name list %extensions ls\nlist ::= item*\nitem ::= word \"=\" word \";\"\n%token word ::= [a-z]+\n%new-line item\n%no-blank-before \";\"\n",
    );
    stage.write("a.ls", "x=y ;   bug=here; z\n=\nx;");
    stage.test("test.sh", "grep -q 'bug = here;' a.ls");
    let end = stage.lop(&[
        "a.ls",
        "test.sh",
        "--grammar",
        "list.bnf",
        "--canonical",
        "--allow-empty",
    ]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("a.lop.ls"), "bug = here;\n");
    let end = stage.lop(&["grammar", "list.bnf"]);
    assert!(
        end.out.contains("how its programs are laid out (--canonical)\n  %new-line item\n  %no-blank-before \";\"\n"),
        "{end}"
    );
}

#[test]
fn a_resumed_run_goes_on_in_canonical_form() {
    let test = "grep -q ':=' a.bp && grep -q assert a.bp";
    let line = [
        "a.bp",
        "test.sh",
        "--canonical",
        "--strategy",
        "bp",
        "--jobs",
        "1",
    ];
    let whole = stage(test);
    let end = whole.lop(&line);
    assert_eq!(end.status, 0, "{end}");
    let cut = stage(test);
    cut.write("stop.txt", "at decision 3: stop\n");
    let end = cut.lop(&[&line[..], &["--commands", "stop.txt"]].concat());
    assert_eq!(end.status, 130, "{end}");
    assert_ne!(cut.read("a.lop.bp"), whole.read("a.lop.bp"));
    let end = cut.lop(&["resume", "--plain", "--jobs", "1"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(cut.read("a.lop.bp"), whole.read("a.lop.bp"));
    let end = cut.lop(&["replay", "--check"]);
    assert_eq!(end.status, 0, "{end}");
    let end = cut.lop(&["show", "0"]);
    assert_eq!(end.out, CANONICAL, "{end}");
}

/// bp-reduce's program, its result and the run that it recorded, unpacked into the stage; none without them.
fn recorded_run(stage: &Stage) -> Option<String> {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/bench/boolean");
    let skipped = |what: &str| println!("SKIPPED: {what} {}", bench.display());
    let (program, result) = ["main.bp", "reduced.bp"]
        .map(|name| fs::read_to_string(bench.join("trace_WP_bug2").join(name)).ok())
        .into();
    let Some((program, result)) = program.zip(result) else {
        skipped("no recorded run of bp-reduce in");
        return None;
    };
    stage.write("main.bp", &program);
    let unpacked = Command::new("tar")
        .arg("xJf")
        .arg(bench.join("replays.tar.xz"))
        .current_dir(stage.path("."))
        .output();
    if !unpacked.is_ok_and(|end| end.status.success()) {
        skipped("tar unpacks no replays.tar.xz in");
        return None;
    }
    Some(result)
}

const REPLAY: [&str; 12] = [
    "main.bp",
    "--strategy",
    "bp",
    "--canonical",
    "--verdicts",
    "replays",
    "--offline",
    "--grep",
    "Assertion failed",
    "--no-session",
    "--jobs",
    "1",
];

fn replay(stage: &Stage, without: &str) -> End {
    stage.lop(&[&REPLAY[..], &["--without", without]].concat())
}

/// What the record lacks: the original and its simplified form, which bp-reduce began with. Both are interesting.
fn add_beginning(stage: &Stage, without: &str) {
    let as_written: Vec<_> = REPLAY
        .iter()
        .copied()
        .filter(|word| *word != "--canonical")
        .collect();
    let end = stage.lop(&as_written);
    let hint = "the original main.bp as it is written, without --canonical";
    assert!(end.status == 3 && end.err.contains(hint), "{end}");
    for number in 0..2 {
        let end = replay(stage, without);
        assert_eq!(end.status, 3, "{end}");
        let said = match number {
            0 => "no verdict is known of the original main.bp in canonical form",
            _ => "no verdict is known of this candidate",
        };
        let all = format!("{}{}", end.out, end.err);
        assert!(
            all.contains(said)
                && all.contains("the candidate without a verdict is in missing-in-action.bp"),
            "{end}"
        );
        let kept: PathBuf = stage.path(&format!("replays/added.{number}.bp"));
        fs::rename(stage.path("missing-in-action.bp"), kept).expect("it is kept");
        stage.write(&format!("replays/added.{number}.log"), "Assertion failed\n");
    }
}

#[test]
#[ignore = "long"]
fn the_recorded_run_of_bp_reduce_ends_as_it_ended_there() {
    let stage = Stage::new();
    let Some(result) = recorded_run(&stage) else {
        return;
    };
    let without = "inner,unused,rename";
    add_beginning(&stage, without);
    let end = replay(&stage, without);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("main.lop.bp"), result);
    // bp-reduce asked 269 times, 30 times about a program that it had asked about, and 58 were interesting. To these comes the simplified
    // form of the original.
    for said in [
        "have verdicts on 241 programs, 60 of them interesting",
        "240 tests in ",
        "240 of them recalled from",
        ": 59 interesting, 181 uninteresting,",
        "30 verdicts more known from this run",
    ] {
        assert!(end.out.contains(said), "{said}: {end}");
    }
}

#[test]
fn the_recorded_run_has_no_verdict_on_statements_inside_of_others() {
    let stage = Stage::new();
    if recorded_run(&stage).is_none() {
        return;
    }
    let without = "unused,rename";
    add_beginning(&stage, without);
    let end = replay(&stage, without);
    assert_eq!(end.status, 3, "{end}");
    let missing = stage.read("missing-in-action.bp");
    assert!(missing.contains("\nPC18:\tif !b1 then fi;\n"), "{missing}");
}
