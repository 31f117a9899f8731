//! The file `.sublime-syntax` beside a grammar, as `lop languages check` sees it.

use crate::restore::Terminal;
use crate::shell::Stage;

const GRAMMAR: &str = "%name sums\nsum ::= number (\"+\" number)*\n%token number ::= [0-9]+\n";
const SYNTAX: &str = "name: Sums\nscope: source.sums\ncontexts:\n  main:\n    - match: '[0-9]+'\n      scope: constant.numeric\n";

#[test]
fn a_syntax_file_is_checked_with_its_language() {
    let stage = Stage::new();
    stage.write("sums.bnf", GRAMMAR);
    stage.write("a.sum", "1 + 2 + 3\n");
    let line = ["languages", "check", "./sums.bnf", "a.sum"];
    stage.write("sums.sublime-syntax", SYNTAX);
    let end = stage.lop(&line);
    assert_eq!(end.status, 0, "{end}");
    stage.write("sums.sublime-syntax", &SYNTAX.replace("[0-9]+", "[0-9"));
    let end = stage.lop(&line);
    assert_eq!(end.status, 1, "{end}");
    let told = "sums.sublime-syntax, line 5: the pattern `[0-9` cannot be read: ";
    assert!(end.out.contains(told), "{end}");
    // A run without the screen has no colours, and nothing to say about them.
    let end = stage.lop(&["a.sum", "test.sh", "--grammar", "sums.bnf"]);
    assert!(!end.err.contains("sublime"), "{end}");
}

/// The colour of the only token that is left, in the pane of the program.
fn colour_of_result(
    stage: &Stage,
    line: &[&str],
    is: impl Fn(vt100::Color) -> bool,
) -> vt100::Color {
    let lop = env!("CARGO_BIN_EXE_lop");
    let mut terminal = Terminal::run(lop, line, &stage.path(""), &[]);
    terminal.wait_for("othing is left to try");
    // The colours of a file come behind those of the tree.
    let colour = terminal.colour_that("│   1  3", |colour| {
        colour != vt100::Color::Default && is(colour)
    });
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    colour
}

#[test]
fn a_session_keeps_the_colours_of_its_grammar() {
    let stage = Stage::new();
    stage.write("sums.bnf", GRAMMAR);
    stage.write("a.sum", "1 + 2 + 3\n");
    stage.test("test.sh", "grep -q 3 a.sum");
    let line = |session| {
        let options = ["--grammar", "sums.bnf", "--session", session];
        [&["a.sum", "test.sh"][..], &options].concat()
    };
    let by_role = colour_of_result(&stage, &line("without"), |_| true);
    // This file gives numbers no scope. A number has this colour too before the colours of a file arrive: it must not be taken for the new one below.
    let nothing = SYNTAX.replace("[0-9]+", "[a-z]+");
    stage.write("sums.sublime-syntax", &nothing);
    let plain = colour_of_result(&stage, &line("plain"), |colour| colour != by_role);
    // Other colours than a number has by its role.
    let comment = SYNTAX.replace("constant.numeric", "comment");
    stage.write("sums.sublime-syntax", &comment);
    let is_new = |colour| colour != by_role && colour != plain;
    let by_file = colour_of_result(&stage, &line("with"), is_new);
    // Neither file is needed any more.
    for name in ["sums.bnf", "sums.sublime-syntax"] {
        std::fs::remove_file(stage.path(name)).expect("it is there");
    }
    for (session, colour) in [("with", by_file), ("without", by_role)] {
        let resumed = colour_of_result(&stage, &["resume", session, "--trust"], |seen| {
            seen == colour
        });
        assert_eq!(resumed, colour, "{session}");
    }
}
