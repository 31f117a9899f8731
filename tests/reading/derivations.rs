//! Derivation trees that are given: `--tree`.

use std::path::Path;
use std::sync::Arc;

use crate::common::{EXPRESSIONS, read_as};
use crate::shell::Stage;
use lop::language::{self, Language};
use lop::program::{self, Version, walk};

/// The program with the tree that `json` says.
fn read_with(language: &'static Language, text: &str, json: &str) -> Version {
    let tree = language.read_derivation(json, text.as_bytes());
    let tree = tree.expect("BNF").expect("its tree");
    let (path, bytes) = (Arc::from(Path::new("a.txt")), Arc::from(text.as_bytes()));
    program::read_parsed(language, path, bytes, tree)
}

/// Its nodes, parents first: what each is, and how many leaves it has; and the text of each leaf.
fn outline(version: &Version) -> String {
    let document = &version.documents()[0];
    let grammar = document.language.expect("a language").grammar();
    let nodes = walk::preorder(&document.root).map(|node| {
        let kind = node.class.map_or("-", |class| grammar.class_name(class));
        let text = if node.shape.is_leaf() {
            node.text()
        } else {
            b""
        };
        let text = String::from_utf8_lossy(text);
        format!("{:?} {kind} {} {text}\n", node.shape, node.sums().leaves)
    });
    nodes.collect()
}

#[test]
fn a_tree_that_is_printed_and_read_is_that_of_the_parser() {
    let bnf = |name, text| language::load_bnf(name, text).expect("a grammar");
    let dictionary = language::convert_dictionary(EXPRESSIONS).expect("a dictionary");
    let bp = include_str!("../samples/locks.bp");
    let json = "{\"a\": [1, -2.5e3, {}],\n  \"\\\"b\": [], \"c\": [[true], null, \"d\"]}\n";
    for (language, text) in [
        (bnf("expr", &dictionary), "1+((2*3/4))-+10.25\n"),
        (bnf("json", include_str!("../../grammars/json.bnf")), json),
        (language::by_name("boolean-program").expect("built in"), bp),
    ] {
        let tree = language.write_derivation(text.as_bytes()).expect("a tree");
        let given = read_with(language, text, &tree);
        let parsed = read_as(language, text);
        assert_eq!(outline(&given), outline(&parsed), "{}", language.name);
        assert!(given.token_count() > 10);
    }
}

/// Statements that may belong to either `if`.
const DANGLING: &str = "s ::= 'if' c s | 'if' c s 'else' s | w\n%token c ::= '(' [a-z]+ ')'\n%token w ::= [a-z]+ ';'\n%comment note ::= '#' [^\\n]*";

#[test]
fn the_tree_says_which_reading_is_meant() {
    let stage = Stage::new();
    stage.write("if.bnf", DANGLING);
    stage.write("input", "if (a) # why\nif (b) x; else y;\n");
    stage.test("test.sh", "grep -q 'x;' input && grep -q 'y;' input");
    let (x, y) = (
        r#"["s", [["<w>", [["x;", []]]]]]"#,
        r#"["s", [["w", [["y", []], [";", []]]]]]"#,
    );
    let inner = format!(r#"["s", [["if", []], ["(b)", []], {x}]]"#);
    let outer = format!(r#"["s", [["if", []], ["c", [["(a)", []]]], {inner}, ["else", []], {y}]]"#);
    stage.write("outer.json", &outer);
    let inner = format!(r#"["s", [["if", []], ["(b)", []], {x}, ["else", []], {y}]]"#);
    stage.write(
        "inner.json",
        &format!(r##"["s", [["if", []], ["(a)", []], ["# why", []], {inner}]]"##),
    );
    // The comment goes first, and then the text is parsed again: the tree still says where `else` belongs.
    for (tree, result) in [
        ("inner.json", "if (b) x; else y;\n"),
        ("outer.json", "if (a)\nx; else y;\n"),
    ] {
        let line = ["input", "test.sh", "--grammar", "if.bnf", "--tree", tree];
        let end = stage.lop(&[&line[..], &["--strategy", "perses"]].concat());
        assert_eq!(end.status, 0, "{end}");
        assert_eq!(stage.read("input.lop"), result, "{end}");
    }
    let end = stage.lop(&[
        "input",
        "test.sh",
        "--grammar",
        "if.bnf",
        "--strategy",
        "perses",
    ]);
    assert_eq!(stage.read("input.lop"), "if (b) x; else y;\n", "{end}");
}

#[test]
fn the_choices_are_those_of_the_tree() {
    let bnf = "%lexer none\ns ::= s '+' s | 'x'";
    let language = language::load_bnf("sums", bnf).expect("a grammar");
    let (text, x) = ("x+x+x", r#"["s", [["x", []]]]"#);
    let left = format!(r#"["s", [["s", [{x}, ["+", []], {x}]], ["+", []], {x}]]"#);
    let right = format!(r#"["s", [{x}, ["+", []], ["s", [{x}, ["+", []], {x}]]]]"#);
    let choices = |tree: &str| {
        let version = read_with(language, text, tree);
        let tree = version.parse_tree(0);
        let made = language.encode_choices(text.as_bytes(), tree);
        made.expect("choices").choices
    };
    assert_eq!(choices(&left), [1, 1, 0, 0, 0]);
    assert_eq!(choices(&right), [1, 0, 1, 0, 0]);
    let parsed = language.encode_choices(text.as_bytes(), None);
    assert_eq!(parsed.expect("choices").choices, [1, 1, 0, 0, 0]);
}

#[test]
fn a_session_has_the_tree_with_it() {
    let stage = Stage::new();
    stage.write("if.bnf", DANGLING);
    stage.write("input", "if (a) if (b) x; else y;\n");
    stage.test("test.sh", "grep -q 'x;' input && grep -q 'y;' input");
    let (x, y) = (r#"["s", [["x;", []]]]"#, r#"["s", [["y;", []]]]"#);
    let inner = format!(r#"["s", [["if", []], ["(b)", []], {x}]]"#);
    let outer = format!(r#"["s", [["if", []], ["(a)", []], {inner}, ["else", []], {y}]]"#);
    stage.write("tree.json", &outer);
    let line = [
        "input",
        "test.sh",
        "--grammar",
        "if.bnf",
        "--tree",
        "tree.json",
    ];
    let end = stage.lop(
        &[
            &line[..],
            &["--strategy", "perses", "--journal", "j", "--session", "d"],
        ]
        .concat(),
    );
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("input.lop"), "if (a) x; else y;\n");
    stage.write("tree.json", "no tree");
    let end = stage.lop(&["replay", "--check", "j"]);
    assert!(end.status == 0 && end.out.contains("the same"), "{end}");
    let end = stage.lop(&["resume", "d"]);
    assert!(end.status != 2, "{end}");
    let end = stage.lop(&line);
    let told = "the tree of input: line 1, column 1: `[` is missing";
    assert!(end.status == 2 && end.err.contains(told), "{end}");
}

#[test]
fn a_tree_is_printed_as_it_is_read() {
    let stage = Stage::new();
    stage.write("expr.json", EXPRESSIONS);
    stage.write("input", "1+((2*3/4))");
    stage.test("test.sh", "grep -q '((.*))' input");
    let end = stage.lop(&["grammar", "expr.json", "--parse", "input"]);
    let begin = r#"["<start>", [["<expr>", [["<term>", [["<factor>", [["<integer>", [["<digit>", [["1", []]]]]]]]]], ["+", []], ["<expr>", "#;
    assert!(end.status == 0 && end.out.starts_with(begin), "{end}");
    stage.write("tree.json", &end.out);
    let line = [
        "input",
        "test.sh",
        "--grammar",
        "expr.json",
        "--tree",
        "tree.json",
    ];
    let end = stage.lop(&line);
    assert_eq!(
        (end.status, stage.read("input.lop")),
        (0, "((2))".to_owned()),
        "{end}"
    );
    stage.write("other", "1+((2*3/5))");
    let end = stage.lop(&[
        "other",
        "test.sh",
        "--grammar",
        "expr.json",
        "--tree",
        "tree.json",
    ]);
    let told = "factor[0].integer[0].digit[0]: the leaf is \"4\", and line 1, column 9 of the program has \"5\"";
    assert!(end.status == 2 && end.err.contains(told), "{end}");
    let end = stage.lop(&["grammar", "expr.json", "--parse", "test.sh"]);
    assert!(
        end.status == 2 && end.err.contains("line 1, column 1"),
        "{end}"
    );
}
