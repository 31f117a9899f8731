//! The guesses for lop's own languages, compared with their written data.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use toml::{Table, Value as Entry};

use super::guess;

/// The guess, and the language's own data.
macro_rules! both {
    ($name:literal, $inside:literal) => {{
        let home = include_str!(concat!(env!("OUT_DIR"), "/", $name, ".home"));
        let path = format!("{home}/{}src/grammar.json", $inside);
        let text = std::fs::read_to_string(&path).expect("the crate has its grammar");
        let json: Value = serde_json::from_str(&text).expect("JSON");
        let own = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/grammars/",
            $name,
            "/language.toml"
        );
        let own = std::fs::read_to_string(own).expect("its data");
        (
            $name,
            guess::guess_language_data(&json),
            own.parse::<Table>().expect("TOML"),
        )
    }};
}

fn guessed_languages() -> Vec<(&'static str, Table, Table)> {
    vec![
        both!("bash", ""),
        both!("c", ""),
        both!("cpp", ""),
        both!("css", ""),
        both!("go", ""),
        both!("html", ""),
        both!("java", ""),
        both!("javascript", ""),
        both!("json", ""),
        both!("kotlin", ""),
        both!("python", ""),
        both!("rust", ""),
        both!("tsx", "tsx/"),
        both!("typescript", "typescript/"),
        both!("xml", "xml/"),
    ]
}

/// Where the guess differs. Each is the careful one: it costs tests, or blanks.
const CAREFUL: &[&str] = &[
    // Directives end with their lines, which only a written entry can say.
    "c: newlines = \"text\"",
    "cpp: newlines = \"text\"",
    // Its scanner reads comments, so nothing is known about them; and no pattern has the content of tokens in macros.
    "rust: newlines = \"text\"",
    "rust: line_comment = none",
];

#[test]
fn newlines_and_comments_are_guessed_as_they_are() {
    let mut others = Vec::new();
    for (name, guess, own) in guessed_languages() {
        for key in ["newlines", "line_comment", "continuation"] {
            if guess.get(key) != own.get(key) {
                let guess = guess.get(key).map_or("none".to_owned(), Entry::to_string);
                others.push(format!("{name}: {key} = {guess}"));
            }
        }
        let guessed = listed_kinds(&guess, "comments");
        assert!(
            listed_kinds(&own, "comments").is_subset(&guessed),
            "{name}: {guessed:?}"
        );
    }
    assert_eq!(others, CAREFUL);
}

#[test]
fn texts_with_holes_are_told_from_those_without() {
    let whole = |name: &str| {
        let all = guessed_languages();
        let found = all.into_iter().find(|language| language.0 == name);
        let (_, guess, _) = found.expect("a language");
        let templates = guess["templates"].as_table().expect("a table").clone();
        (listed_kinds(&guess, "opaque"), templates)
    };
    let (opaque, templates) = whole("json");
    assert!(opaque.contains("string") && templates.is_empty());
    let (opaque, templates) = whole("c");
    assert!(
        opaque.contains("string_literal")
            && opaque.contains("char_literal")
            && !opaque.contains("concatenated_string")
    );
    assert!(templates.is_empty());
    // An escape that is written like a hole is not one.
    let (opaque, templates) = whole("python");
    assert!(opaque.contains("string_content") && templates.keys().eq(["string"]));
    let (opaque, templates) = whole("bash");
    assert!(opaque.contains("heredoc_body") && templates.keys().eq(["string"]));
    let (_, templates) = whole("kotlin");
    assert!(
        templates
            .keys()
            .eq(["multiline_string_literal", "string_literal"])
    );
}

/// The names in a list.
fn listed_kinds(table: &Table, key: &str) -> BTreeSet<String> {
    let list = table
        .get(key)
        .and_then(Entry::as_array)
        .into_iter()
        .flatten();
    list.filter_map(Entry::as_str).map(str::to_owned).collect()
}

#[test]
fn rules_in_rules_that_nobody_sees_may_be_many() {
    let symbol = |name: String| json!({"type": "SYMBOL", "name": name});
    let hidden = (0..50_000).map(|at| (format!("_x{at}"), symbol(format!("_x{}", at + 1))));
    let mut rules: serde_json::Map<String, Value> = hidden.collect();
    rules.insert("_x50000".into(), symbol("string_content".into()));
    rules.insert("string".into(), symbol("_x0".into()));
    let guess = guess::guess_language_data(&json!({"rules": rules}));
    assert!(listed_kinds(&guess, "opaque").contains("string"));
}
