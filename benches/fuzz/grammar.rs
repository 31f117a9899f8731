//! Repositories of external tree-sitter grammars. Their parsers are real: hostile is the data beside them.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use lop::language::{ExternalLanguage, GrammarRepository, GrammarSelector, RepositoryError};
use serde_json::{Value, json};

use super::Target;
use super::exercise::{hash, read, reduce, text};
use super::mutate::{Mutator, NUMBERS};
use super::random::Random;

pub const TARGET: Target = Target {
    name: "grammar",
    what: "grammar.json, parser.c and language.toml of a grammar that is brought: read, guessed from; programs read and reduced by it",
    input,
    run,
};

/// A language: its name, where its grammar is, and a program.
struct Base {
    name: &'static str,
    home: &'static str,
    sample: &'static str,
    data: &'static str,
}

const BASES: &[Base] = &[
    Base {
        name: "json",
        home: include_str!(concat!(env!("OUT_DIR"), "/json.home")),
        sample: "{\"x\": [1, {\"a\": null, \"b\": \"null\\n\"}], // why\n \"y\": [true, -1.5e3, [0, 1, 2]]}\n",
        data: include_str!("../../grammars/json/language.toml"),
    },
    Base {
        name: "css",
        home: include_str!(concat!(env!("OUT_DIR"), "/css.home")),
        sample: "@media screen { a > b, .c:hover { color: #fff; margin: 1px 2em } }\n/* x */ #d::before { content: \"x\" }\n",
        data: include_str!("../../grammars/css/language.toml"),
    },
];

/// The files that may be hostile.
const FILES: &[&str] = &[
    "src/grammar.json",
    "src/parser.c",
    "language.toml",
    "tree-sitter.json",
    "reduce.scm",
];

const WORDS: &[&str] = &[
    "\"type\"",
    "\"SYMBOL\"",
    "\"CHOICE\"",
    "\"SEQ\"",
    "\"REPEAT\"",
    "\"BLANK\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "_value",
    "document",
    "sym_",
    "anon_sym_",
    "aux_sym_",
    "alias_sym_",
    "ts_builtin_sym_end",
    "[",
    "] = {",
    ".visible = true",
    ".named = false",
    "= 65535",
    "newlines = \"text\"\n",
    "opaque = [\"document\", \"object\", \"stylesheet\"]\n",
    "comments = [\"pair\"]\n",
    "line_comment = \"\"\n",
    "statement = \"pair\"\n",
    "[templates]\nobject = [\"pair\"]\n",
    "continuation = \"é\"\n",
    "nonempty = [\"object\"]\n",
    "indent",
    "(pair) @definition",
    "(_) @scope",
    "@reference",
    "(#eq? @x \"y\")",
    "é",
];

fn original(base: &Base, file: &str) -> String {
    match file {
        "language.toml" => base.data.to_owned(),
        "tree-sitter.json" => json!({"grammars": [{"name": base.name, "path": ".", "file-types": ["x"], "highlights": ["queries/highlights.scm"]}]}).to_string(),
        "reduce.scm" => "(pair) @definition\n".to_owned(),
        file => fs::read_to_string(Path::new(base.home).join(file)).expect("the crate has it"),
    }
}

/// The base, the hostile file and its text.
fn input(random: &mut Random) -> Vec<u8> {
    let base = random.pick(BASES);
    let file = if random.one_in(3) {
        random.pick(FILES)
    } else {
        FILES[0]
    };
    let before = original(base, file);
    let mut after = before.into_bytes();
    if file == FILES[0] && !random.one_in(4) {
        let mut grammar: Value = serde_json::from_slice(&after).expect("JSON");
        for _ in 0..random.length(6) {
            twist(random, &mut grammar);
        }
        after = grammar.to_string().into_bytes();
    } else {
        let mutator = Mutator {
            words: WORDS,
            pairs: &[
                ("[", "]"),
                ("{\"a\":", "}"),
                ("{\"type\":\"REPEAT\",\"content\":", "}"),
                ("(a ", ")"),
                ("a.", ""),
            ],
            depth: 20_000,
            others: &[],
        };
        mutator.mutate(random, &mut after);
    }
    let mut all = format!("{} {file}\n", base.name).into_bytes();
    all.extend(after);
    all
}

/// Changes the rules of a grammar in one way.
fn twist(random: &mut Random, grammar: &mut Value) {
    let names: Vec<String> = grammar["rules"]
        .as_object()
        .into_iter()
        .flat_map(|rules| rules.keys().cloned())
        .collect();
    if names.is_empty() {
        return;
    }
    let mut places = Vec::new();
    parts(grammar, String::new(), &mut places);
    let (one, other) = (random.pick(&places).clone(), random.pick(&places).clone());
    let copy = grammar.pointer(&other).cloned().unwrap_or_default();
    let name = random.pick(&names).clone();
    let Some(part) = grammar.pointer_mut(&one) else {
        return;
    };
    let old = part.take();
    *part = match random.below(12) {
        0 => Value::Null,
        1 => serde_json::from_str::<Value>(random.pick::<&str>(NUMBERS)).unwrap_or_default(),
        2 | 3 => copy,
        4 => json!({"type": "SYMBOL", "name": name}),
        5 => json!({"type": random.pick(&["SEQ", "CHOICE"]), "members": [old, copy]}),
        6 => {
            json!({"type": random.pick(&["REPEAT", "REPEAT1", "TOKEN", "PREC", "FIELD", "RESERVED"]), "name": "f", "value": 1, "content": old})
        }
        7 => json!({"type": "ALIAS", "named": random.one_in(2), "value": name, "content": old}),
        8 => json!({"type": "CHOICE", "members": [{"type": "BLANK"}, old]}),
        9 => {
            json!({"type": "PATTERN", "value": random.pick(&["(", "a{1000}{1000}", "\\p{L}+", "(?<x>a)", ""])})
        }
        10 => {
            *part = old;
            return hide(random, grammar, &names);
        }
        _ => {
            *part = old;
            let (key, list) = (
                *random.pick(&["externals", "supertypes", "inline", "extras"]),
                json!([name, {"type": "SYMBOL", "name": name}]),
            );
            grammar[key] = list;
            return;
        }
    };
}

/// Rules that make no nodes, and need each other.
fn hide(random: &mut Random, grammar: &mut Value, names: &[String]) {
    let many = random.one_in(10);
    let count = random.length(if many { 20_000 } else { 30 });
    let symbol = |at: usize| json!({"type": "SYMBOL", "name": format!("_h{}", at % count)});
    for at in 0..count {
        let members = match many {
            true => json!([symbol(at + 1)]),
            false => (0..random.length(4))
                .map(|_| json!({"type": "SEQ", "members": [symbol(random.below(count)), symbol(random.below(count)), {"type": "SYMBOL", "name": names[0]}]}))
                .collect(),
        };
        grammar["rules"][format!("_h{at}")] = json!({"type": "CHOICE", "members": members});
    }
    let name = random.pick(names).clone();
    grammar["rules"][name] = symbol(0);
}

fn parts(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => map
            .iter()
            .for_each(|(key, value)| parts(value, format!("{at}/{key}"), found)),
        Value::Array(list) => list
            .iter()
            .enumerate()
            .for_each(|(key, value)| parts(value, format!("{at}/{key}"), found)),
        _ => {}
    }
    found.push(at);
}

/// Where the built parsers are.
fn cache() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("fuzz")
        .join("parsers")
}

/// What is thrown where a parser would have to be built: it is another one then.
struct Unbuilt;

fn brought(directory: &Path, build: bool) -> Result<Option<ExternalLanguage>, RepositoryError> {
    let repository = GrammarRepository::find_grammar(directory, GrammarSelector::Only)?;
    repository.read_sources()?;
    let building = || {
        if !build {
            resume_unwind(Box::new(Unbuilt));
        }
    };
    match catch_unwind(AssertUnwindSafe(|| {
        repository.load_language(&cache(), "fuzz".into(), &|_, _| Ok(()), building)
    })) {
        Ok(loaded) => loaded.map(Some),
        Err(thrown) if thrown.is::<Unbuilt>() => Ok(None),
        Err(thrown) => resume_unwind(thrown),
    }
}

fn run(input: &[u8]) {
    static BUILT: OnceLock<()> = OnceLock::new();
    BUILT.get_or_init(|| {
        fs::create_dir_all(cache()).expect("a directory");
        for base in BASES {
            brought(Path::new(base.home), true).expect("the crate's grammar can be brought");
        }
    });
    let end = input
        .iter()
        .position(|&byte| byte == b'\n')
        .unwrap_or(input.len());
    let head = String::from_utf8_lossy(&input[..end]);
    let (name, file) = head.split_once(' ').expect("a base and a file");
    let base = BASES.iter().find(|base| base.name == name).expect("a base");
    let dir = tempfile::tempdir().expect("a directory");
    for part in ["src", "queries"] {
        fs::create_dir(dir.path().join(part)).expect("a directory");
    }
    for part in ["src/grammar.json", "src/parser.c", "queries/highlights.scm"] {
        fs::copy(Path::new(base.home).join(part), dir.path().join(part)).expect("copied");
    }
    fs::write(
        dir.path().join(file),
        input.get(end + 1..).unwrap_or_default(),
    )
    .expect("written");
    let language = match brought(dir.path(), false) {
        Ok(Some(brought)) => brought.language,
        Ok(None) => return,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let known = language.grammar();
    for rule in known.all_rules() {
        known.describe_expr(known.rule_body(rule));
    }
    let Some(version) = read(Some(language), base.sample.as_bytes()) else {
        return;
    };
    assert!(
        text(&version) == base.sample.as_bytes(),
        "it is printed otherwise"
    );
    let salt = hash(input, 4);
    reduce(version, (salt, 2 + salt % 3), 1);
}
