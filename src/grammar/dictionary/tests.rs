//! Tests of grammars as dictionaries.

use super::super::bnf::BnfGrammar;
use super::convert_dictionary;

const POST: &str = r#"{
    "<start>": [["<expr>"]],
    "<expr>": [["<term>", "+", "<expr>"], ["<term>"]],
    "<term>": [["(", "<expr>", ")"], ["<DIGIT>"], []],
    "<DIGIT>": [["0"], ["1"]]
}"#;

#[test]
fn both_ways_of_writing_alternatives_say_the_same() {
    let book = "# As in the book.\nEXPR: Grammar = {\n  '<expr>': ['<term>+<expr>', '<term>',],\n  '<start>': ('<expr>',),\n  \
                '<term>': ['(' '<expr>' ')', '<DIGIT>', ''], '<DIGIT>': [\"0\", '\\x31'] }\n";
    let grammar = "%lexer none\nstart ::= expr\nexpr ::= term \"+\" expr | term\nterm ::= \"(\" expr \")\" | DIGIT |\nDIGIT ::= \"0\" | \"1\"\n";
    assert_eq!(convert_dictionary(POST).as_deref(), Ok(grammar));
    assert_eq!(convert_dictionary(book).as_deref(), Ok(grammar));
    assert!(BnfGrammar::from_text(grammar).is_ok_and(|bnf| bnf.scannerless));
}

#[test]
fn what_is_no_key_is_text() {
    let html = r#"{"<start>": ["<b><the text></b> \"\\\n\t\u0001", "1 < 2 <", "<"], "<the text>": ["\u00e9", "\ud83d\ude00"]}"#;
    let grammar = "%lexer none\nstart ::= \"<b>\" <the text> \"</b> \\\"\\\\\\n\\t\\x01\" | \"1 < 2 <\" | \"<\"\n<the text> ::= \"é\" | \"😀\"\n";
    assert_eq!(convert_dictionary(html).as_deref(), Ok(grammar));
    assert!(BnfGrammar::from_text(grammar).is_ok());
}

#[test]
fn garbage_is_told_with_its_place() {
    for (garbage, told) in [
        (
            "",
            "line 1, column 1: a string, a list or a dictionary is missing; here is the end of the file",
        ),
        (
            "[1]",
            "line 1, column 2: a string, a list or a dictionary is missing; here is `1`",
        ),
        (
            "[]",
            "line 1, column 1: a grammar is a dictionary from nonterminals to lists of alternatives",
        ),
        (
            "{}",
            "line 1, column 1: there is no key \"<start>\", where every derivation begins",
        ),
        (
            "{\n 1: 2}",
            "line 2, column 2: a key is missing, as \"<start>\"; here is `1`",
        ),
        (
            "{\"start\": []}",
            "line 1, column 2: the key \"start\" is no nonterminal; write <start>",
        ),
        (
            "{\"<start>\" []}",
            "line 1, column 12: `:` is missing behind <start>; here is `[`",
        ),
        (
            "{\"<start>\": \"a\"}",
            "line 1, column 13: <start> needs a list of alternatives; a single one is a list too",
        ),
        (
            "{\"<start>\": []}",
            "line 1, column 13: <start> has no alternative; one that is empty is \"\" or []",
        ),
        (
            "{\"<start>\": [{}]}",
            "line 1, column 14: an alternative is a string, or a list of strings",
        ),
        (
            "{\"<start>\": [[[]]]}",
            "line 1, column 15: an alternative is a string, or a list of strings",
        ),
        (
            "{\"<start>\": [\"a\"",
            "line 1, column 13: this `[` is not closed",
        ),
        (
            "{\"<start>\": [\"a\" 1]}",
            "line 1, column 18: `,` or `]` is missing; here is `1`",
        ),
        (
            "{\"<start>\": [\"a",
            "line 1, column 14: this string is not closed on its line",
        ),
        (
            "{\"<start>\": [\"\\q\"]}",
            "line 1, column 15: no escape of JSON or Python begins so",
        ),
        (
            "{\"<start>\": [\"a\"], \"<start>\": [\"b\"]}",
            "line 1, column 20: <start> is defined twice",
        ),
        (
            "{\"<start>\": [\"a\"]}\nprint()",
            "line 2, column 1: the grammar is one literal, and here stands more",
        ),
        (
            &format!("{{\"<start>\": {}", "[".repeat(1000)),
            "line 1, column 29: the lists are too deep in each other",
        ),
        (
            "import re\n{}",
            "line 1, column 1: a string, a list or a dictionary is missing; here is `i`",
        ),
    ] {
        let error = convert_dictionary(garbage).expect_err(garbage);
        assert_eq!(error.to_string(), told, "{garbage}");
    }
}
