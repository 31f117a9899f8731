//! Grammars as dictionaries, and programs that no lexer divides.

use crate::common::{EXPRESSIONS, read_as, reduced_as, text};
use crate::shell::Stage;
use lop::language::{self, Language};
use lop::program::{Version, walk};

fn language_of(dictionary: &str) -> &'static Language {
    let bnf = language::convert_dictionary(dictionary).expect("a dictionary");
    language::load_bnf("toy", &bnf).expect("a grammar")
}

/// The leaves of a program, with `|` between them.
fn leaves(version: &Version) -> String {
    let leaves = walk::iter_leaves(&version.documents()[0].root);
    let tokens = leaves.filter(|leaf| !leaf.text().is_empty());
    let texts = tokens.map(|leaf| String::from_utf8_lossy(leaf.text()).into_owned());
    texts.collect::<Vec<_>>().join("|")
}

#[test]
fn two_parentheses_in_a_row() {
    let stage = Stage::new();
    stage.write("expr.json", EXPRESSIONS);
    stage.write("input", "1+((2*3/4))");
    stage.test("test.sh", "grep -q '((.*))' input");
    let end = stage.lop(&["input", "test.sh", "--grammar", "expr.json"]);
    assert!(end.status == 0 && end.out.contains("as expr"), "{end}");
    assert_eq!(stage.read("input.lop"), "((2))");
    let end = stage.lop(&["grammar", "expr.json", "integer"]);
    assert!(end.out.starts_with("integer ::= digit+\n"), "{end}");
    let end = stage.lop(&["grammar", "expr.json", "--steps"]);
    assert!(
        end.out.contains("\ninteger ::= digit integer | digit\n"),
        "{end}"
    );
}

#[test]
fn texts_are_tokens_whatever_stands_beside_them() {
    let let_in = r#"{"<start>": ["<e>"], "<e>": ["let <x>=<e> in <e>", "<x>", "<e>;<e>"], "<x>": ["let", "x", "lets", "s"]}"#;
    let language = language_of(let_in);
    let program = "let let=lets in lets;x";
    let version = read_as(language, program);
    assert_eq!(leaves(&version), "let |let|=|lets| in |lets|;|x");
    assert_eq!(text(&version), program);
    let small = reduced_as(language, program, |text| text.contains("in l"));
    assert_eq!(small, "let let=lets in lets");
}

#[test]
fn a_name_with_a_capital_is_one_leaf() {
    let words = r#"{"<start>": ["<list>"], "<list>": ["<ID>,<list>", "<ID>"], "<ID>": ["<word>"], "<word>": ["<letter><word>", "<letter>"],
        "<letter>": ["a", "b", "c"]}"#;
    let language = language_of(words);
    let version = read_as(language, "abc,b,cab");
    assert_eq!(leaves(&version), "abc|,|b|,|cab");
    // Nothing inside a leaf is tried: with a small letter the result would be `ab`.
    let wanted = |text: &str| text.contains("ab");
    assert_eq!(reduced_as(language, "abc,b,cab", wanted), "abc");
    let inside = language_of(&words.replace("ID", "id"));
    assert_eq!(reduced_as(inside, "abc,b,cab", wanted), "ab");
}

#[test]
fn blanks_are_text_and_only_the_end_of_the_last_line_is_not() {
    let language = language_of(EXPRESSIONS);
    assert!(language.find_syntax_error(b"1+2\n").is_none());
    let version = read_as(language, "1+2\n");
    assert_eq!(leaves(&version), "1|+|2");
    assert_eq!(text(&version), "1+2\n");
    let complaint = |text: &str| {
        let error = language.find_syntax_error(text.as_bytes());
        error.expect("it is wrong").to_string()
    };
    let wants = |end| {
        let digits = "\"0\", \"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\"";
        format!("where the grammar wants \"+\", \"-\", {end}{digits}")
    };
    assert_eq!(
        complaint("1+ 2"),
        format!("line 1, column 3: \" \", {} or \"9\"", wants("\"(\", "))
    );
    assert_eq!(
        complaint("1\u{e9}"),
        format!(
            "line 1, column 2: \"\u{e9}\", {}, \"9\" or the end of the file",
            wants("\"*\", \"/\", \".\", ")
        )
    );
    assert!(complaint("1+").starts_with("line 1, column 3: the end of the file, where"));
}

#[test]
fn a_session_has_the_dictionary_with_it() {
    let stage = Stage::new();
    stage.write("expr.py", &format!("EXPRESSIONS = {EXPRESSIONS}\n"));
    stage.write("input", "1+((2*3/4))\n");
    stage.test("test.sh", "grep -q '((.*))' input");
    let end = stage.lop(&[
        "input",
        "test.sh",
        "--grammar",
        "expr.py",
        "--journal",
        "j",
        "--no-session",
    ]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("input.lop"), "((2))\n");
    stage.write("expr.py", "{}");
    let end = stage.lop(&["replay", "--check", "j"]);
    assert!(end.status == 0 && end.out.contains("the same"), "{end}");
    let end = stage.lop(&["input", "test.sh", "--grammar", "expr.py"]);
    let told = "the grammar expr.py: line 1, column 1: there is no key \"<start>\"";
    assert!(end.status == 2 && end.err.contains(told), "{end}");
}

#[test]
fn a_grammar_in_bnf_has_no_lexer_if_it_says_so() {
    let keyword = "%lexer none\ns ::= (word | 'if' | ' ')+\n%token word ::= [a-z]+";
    let language = language::load_bnf("toy", keyword).expect("a grammar");
    let program = "iffy if";
    let version = read_as(language, program);
    assert_eq!(text(&version), program);
    assert!(!language.needs_separator(b"if", b"fy"));
    let told = |text: &str| {
        language::load_bnf("toy", text)
            .expect_err("no grammar")
            .to_string()
    };
    assert_eq!(
        told("%lexer some\ns ::= 'a'"),
        "line 1, column 8: there is no lexer some; there is  %lexer none"
    );
    assert_eq!(
        told("%lexer none\ns ::= 'a'\n%skip blank ::= ' '"),
        "line 3, column 7: with  %lexer none  nothing is skipped; have it in the rules"
    );
}
