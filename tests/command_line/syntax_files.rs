//! The file `.sublime-syntax` beside a grammar, as `lop languages check` sees it.

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
