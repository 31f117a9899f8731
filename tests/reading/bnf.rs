//! Programs in languages whose grammars are written in BNF.

use std::path::Path;
use std::sync::Arc;

use crate::common::{read_as, reduced_as, text};
use crate::shell::Stage;
use lop::language::{self, Language};
use lop::program::{self, NodeShape, walk};
use proptest::prelude::*;

const JSON: &str = include_str!("../../grammars/json.bnf");
const LOCKS: &str = include_str!("../samples/locks.bp");

fn json() -> &'static Language {
    language::load_bnf("json", JSON).expect("a grammar")
}

#[test]
fn a_null_that_the_test_needs_is_left_in_what_the_grammar_wants_around_it() {
    let program = r#"{"x": [1, {"a": null, "b": "null"}, [true, {}]], "y": -1.5e3}"#;
    // The example of "Perses explained": an error because a key's value is null.
    let in_object = |text: &str| text.contains("\"a\": null");
    assert_eq!(
        reduced_as(json(), "[{\"a\": null}]", in_object),
        "{\"a\": null}"
    );
    assert_eq!(
        reduced_as(json(), "[{\"a\": null}]", |text| text.contains("null")),
        "null"
    );
    let in_list = |text: &str| text.starts_with("[{") && text.contains("null");
    let longer = "[{\"b\": 1, \"a\": null, \"c\": [null]}, {}, 3]";
    assert_eq!(reduced_as(json(), longer, in_list), "[{\"a\": null}]");
    assert_eq!(
        reduced_as(json(), program, |text| text.contains("null,")
            || text.ends_with("null")),
        "null"
    );
    assert_eq!(
        reduced_as(json(), program, |text| text.contains("\"b\": \"null\"")),
        "{\"b\": \"null\"}"
    );
}

/// Whether a text is one JSON value.
fn json_text(text: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(text).is_ok()
}

/// JSON texts, each with words that are needed.
const TEXTS: &[(&str, &[&str])] = &[
    (
        "[1, [2, {\"a\": [3, 4, {\"b\": null}], \"c\": 5}], 6]",
        &["3", "null"],
    ),
    (
        "{\"x\": [1, {\"a\": null}], \"y\": [true, false, [0, 1, 2, 3]]}",
        &["\"y\"", "2"],
    ),
    (
        "[[[[[[\"deep\"]]]]], {\"k\": {\"k\": {\"k\": -1.5e3}}}]",
        &["deep", "-1.5e3"],
    ),
    (
        "{\"list\": [{\"id\": 1, \"on\": true}, {\"id\": 2, \"on\": false}, {\"id\": 3}]}",
        &["\"id\": 2", "false"],
    ),
    (
        "{\"a\": {\"b\": {\"c\": [[], {}, \"\", \"\\n\\u00e9\"]}}}",
        &["{", "\\u00e9"],
    ),
    ("[\"one\", \"two\", \"three\", \"four\"]", &["two", "four"]),
    ("[[1, 2], [3, 4], [5, 6]]", &["1", "4", "5"]),
    ("{\"a\": 1, \"b\": 2, \"c\": 3}", &["\"b\"", "3"]),
    ("[{\"a\": null}]", &["null"]),
];

#[test]
fn json_in_bnf_and_the_parser_that_is_built_in_reduce_to_the_same_size() {
    let built_in = language::by_name("json").expect("it is built in");
    for &(program, needs) in TEXTS {
        let wanted = move |text: &str| {
            // As every reader of JSON does; tree-sitter's grammar accepts several values in a row.
            let is_json = json_text(text);
            // In this order.
            let mut rest = Some(text);
            for need in needs {
                rest = rest
                    .and_then(|rest| rest.split_once(need))
                    .map(|(_, rest)| rest);
            }
            is_json && rest.is_some()
        };
        assert!(wanted(program), "{program}");
        let (own, brought) = (
            reduced_as(built_in, program, wanted),
            reduced_as(json(), program, wanted),
        );
        let tokens = |language, text: &str| read_as(language, text).token_count();
        assert_eq!(
            tokens(built_in, &own),
            tokens(json(), &brought),
            "{program}: {own} and {brought}"
        );
        assert!(
            tokens(json(), &brought) < tokens(json(), program) || needs == ["null"],
            "{brought}"
        );
    }
}

/// What a checker would say: a thread that lets a lock go which it does not hold, and main starts it. Every goto has its label.
fn checker(text: &str) -> bool {
    let words: Vec<&str> = text
        .split(|c: char| !(c.is_alphanumeric() || "_:=!$'".contains(c)))
        .filter(|word| !word.is_empty())
        .collect();
    let has = |row: &[&str]| words.windows(row.len()).any(|at| at == row);
    has(&["void", "main", "begin"])
        && has(&["start_thread", "goto", "T2"])
        && words.contains(&"T2:")
        && has(&["handler", "begin"])
        && (has(&["locked", ":=", "F"]) || has(&["locked:=F"]))
        && text.contains("assert !(locked")
}

#[test]
fn a_boolean_program_of_two_hundred_lines() {
    assert!(LOCKS.lines().count() >= 200 && checker(LOCKS));
    let language = language::by_name("boolean-program").expect("it is built in");
    assert_eq!(
        language::by_path(Path::new("x.bp")).map(|l| l.name),
        Some(language.name)
    );
    let version = read_as(language, LOCKS);
    let faulty = version
        .parse_trees()
        .iter()
        .flatten()
        .any(|tree| tree.count_faults() > 0);
    assert!(
        !faulty,
        "{:?}",
        language
            .find_syntax_error(LOCKS.as_bytes())
            .map(|error| error.to_string())
    );
    let small = reduced_as(language, LOCKS, checker);
    assert!(
        language.find_syntax_error(small.as_bytes()).is_none(),
        "{small}"
    );
    let left = read_as(language, &small);
    assert!(
        left.token_count() <= 40,
        "{} tokens\n{small}",
        left.token_count()
    );
    assert!(version.token_count() > 1000, "{}", version.token_count());
}

#[test]
fn lists_and_options_are_found_in_the_text() {
    let version = read_as(json(), "[1, [2, 3], {\"a\": 4}]");
    let shapes: Vec<_> = walk::preorder(&version.documents()[0].root)
        .filter(|node| node.shape == NodeShape::Sep)
        .map(|node| node.children().len())
        .collect();
    assert_eq!(shapes, [3, 2, 1]);
}

#[test]
fn tokens_that_would_be_read_as_one_are_kept_apart() {
    let toy = "%name toy\nr ::= (word | '+' | '++' | '<' | number)+\n%token word ::= [a-z] [a-z0-9]*\n%token number ::= [0-9]+";
    let toy = language::load_bnf("toy", toy).expect("a grammar");
    assert!(
        toy.needs_separator(b"a", b"b")
            && toy.needs_separator(b"a", b"1")
            && toy.needs_separator(b"+", b"+")
    );
    assert!(
        !toy.needs_separator(b"1", b"a")
            && !toy.needs_separator(b"<", b"+")
            && !toy.needs_separator(b"+", b"a")
    );
    // With the middle gone, what is left stays two tokens.
    let left = reduced_as(toy, "a+b < + + <+", |text| {
        let tokens: Vec<_> = text.split_whitespace().collect();
        tokens.concat().contains("ab") && !text.contains("ab")
    });
    assert_eq!(left, "a b");
}

#[test]
fn comments_stay_comments() {
    let language = language::by_name("boolean-program").expect("it is built in");
    let program = "decl a; // one\ndecl /* two */ b;\n// three\nvoid main() begin skip; end\n";
    assert_eq!(text(&read_as(language, program)), program);
    let left = reduced_as(language, program, |text| {
        text.contains("// one") && text.contains("b;")
    });
    assert!(
        left.starts_with("decl a; // one\n") || left.starts_with("// one\n"),
        "{left}"
    );
}

#[test]
fn a_program_that_does_not_follow_its_grammar_is_told_where() {
    let complaint = |text: &str| {
        json()
            .find_syntax_error(text.as_bytes())
            .expect("it is wrong")
            .to_string()
    };
    assert_eq!(
        complaint("[1,\n  2, }"),
        "line 2, column 6: \"}\", where the grammar wants \"true\", \"false\", \"null\", \"{\", \"[\", string or number"
    );
    assert_eq!(
        complaint("[1"),
        "line 1, column 3: the end of the file, where the grammar wants \",\" or \"]\""
    );
    assert_eq!(
        complaint("[1] 2"),
        "line 1, column 5: \"2\", where the grammar wants nothing more"
    );
    assert_eq!(
        complaint("[\u{e9}]"),
        "line 1, column 2: \"\u{fffd}\", where the grammar wants \"true\", \"false\", \"null\", \"{\", \"[\", \"]\", string or number"
    );
    assert!(json().find_syntax_error(b"[1, null]").is_none());
}

#[test]
fn of_two_derivations_it_is_always_the_same_one() {
    let toy = "%name toy\ns ::= 'if' 'e' s | 'if' 'e' s 'else' s | 'x' | s s";
    let toy = language::load_bnf("toy", toy).expect("a grammar");
    let program = "if e if e x else x x if e x x";
    let shape = || {
        let version = read_as(toy, program);
        let nodes: Vec<_> = walk::preorder(&version.documents()[0].root)
            .map(|node| (node.shape, node.class, node.sums().tokens))
            .collect();
        nodes
    };
    assert_eq!(shape(), shape());
    assert_eq!(text(&read_as(toy, program)), program);
}

fn brought(stage: &Stage) {
    stage.write("json.bnf", JSON);
    stage.write(
        "a.json",
        "{\"x\": [1, {\"a\": null}], \"y\": [true, false, [0, 1, 2, 3]]}\n",
    );
    stage.test("null.sh", "grep -q '\"a\": null' a.json");
}

#[test]
fn a_grammar_is_brought_on_the_command_line() {
    let stage = Stage::new();
    brought(&stage);
    let end = stage.lop(&["a.json", "null.sh", "--grammar", "json.bnf"]);
    assert!(end.status == 0 && end.out.contains("as json"), "{end}");
    assert_eq!(stage.read("a.lop.json").trim(), "{\"a\": null}");
    let end = stage.lop(&["verify", "a.lop.json", "any.sh", "--grammar", "json.bnf"]);
    assert_eq!(end.status, 2, "{end}");
    stage.test("any.sh", "grep -q '\"a\": null' a.lop.json");
    let end = stage.lop(&["verify", "a.lop.json", "any.sh", "--grammar", "json.bnf"]);
    assert_eq!(end.status, 0, "{end}");
}

#[test]
fn a_session_has_the_grammar_with_it() {
    let stage = Stage::new();
    brought(&stage);
    let end = stage.lop(&[
        "a.json",
        "null.sh",
        "--grammar",
        "json.bnf",
        "--journal",
        "j",
        "--no-session",
    ]);
    assert_eq!(end.status, 0, "{end}");
    // Another grammar, and then none: the journal has its own.
    stage.write("json.bnf", "a ::= 'a'");
    let end = stage.lop(&["replay", "--check", "j"]);
    assert!(end.status == 0 && end.out.contains("the same"), "{end}");
}

#[test]
fn a_grammar_that_is_none_is_told_where() {
    let stage = Stage::new();
    stage.write("bad.bnf", "a ::= 'x'\n  | b c\n");
    let end = stage.lop(&["bug.c", "test.sh", "--grammar", "bad.bnf"]);
    assert_eq!(end.status, 2, "{end}");
    let said =
        "the grammar bad.bnf: line 2, column 5: there is neither a rule nor a %token called b";
    assert!(end.err.contains(said), "{end}");
    let end = stage.lop(&["bug.c", "test.sh", "--grammar", "none.bnf"]);
    assert!(
        end.status == 2 && end.err.contains("the grammar none.bnf cannot be read"),
        "{end}"
    );
    stage.write("json.bnf", JSON);
    let end = stage.lop(&["bug.c", "test.sh", "--grammar", "json.bnf"]);
    let said = "bug.c, line 1, column 1: \"i\", where the grammar wants \"true\", ";
    assert!(end.status == 2 && end.err.contains(said), "{end}");
    let end = stage.lop(&["grammar", "json.bnf", "array"]);
    assert!(
        end.out
            .starts_with("array ::= \"[\" (value % \",\")? \"]\"\n"),
        "{end}"
    );
    let end = stage.lop(&["grammar", "json.bnf", "--steps"]);
    assert!(
        end.out.starts_with("as written\n\ndocument ::= value\n"),
        "{end}"
    );
}

proptest! {
    /// Whatever bytes a grammar meets, they are printed as they were.
    #[test]
    fn any_bytes_are_printed_as_they_were(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let (path, text): (Arc<Path>, Arc<[u8]>) = (Path::new("a.json").into(), bytes.clone().into());
        let version = program::read_documents(vec![(Some(json()), path, text)]).expect("it is read");
        prop_assert_eq!(walk::render_text(&version.documents()[0].root), bytes);
    }
}
