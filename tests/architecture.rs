//! Who may know whom: the map of rooms in `ARCHITECTURE.md`, checked.
//!
//! A room is a folder of `src/`. The check reads the source as text, without comments and strings, and looks at every path that
//! starts at the crate's root or climbs up to it. Test modules follow the same rules as the code beside them.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms, and the rooms that each may name. `dialogue` is open to all; the front door, `main.rs`, counts as `cli`.
const ROOMS: &[(&str, &[&str])] = &[
    ("config", &[]),
    ("dialogue", &[]),
    ("doctor", &["oracle", "program", "language"]),
    ("grammar", &[]),
    ("language", &["grammar"]),
    ("minimize", &[]),
    ("oracle", &[]),
    ("pass", &["program", "grammar", "language", "minimize"]),
    ("plain", FRONT_END),
    ("program", &["grammar", "language"]),
    (
        "reduce",
        &["pass", "minimize", "oracle", "program", "language"],
    ),
    ("session", &["reduce", "oracle", "program"]),
    ("tui", FRONT_END),
    ("verify", &["oracle", "program", "language", "grammar"]),
    ("cli", &[]),
];

/// What a front end may name.
const FRONT_END: &[&str] = &[
    "reduce", "session", "oracle", "program", "language", "grammar", "config",
];

/// Crates that only some rooms may name, so that a new release of one is a change in one place.
const CRATES: &[(&str, &[&str])] = &[
    ("tree_sitter", &["language"]),
    ("ratatui", &["tui", "cli"]),
    ("crossterm", &["tui", "cli"]),
];

/// The longest file, in lines.
const LONGEST: usize = 500;

/// Files that may be longer, each with the reason: `("src/room/file.rs", "why it is one subject that cannot be split")`.
const LONGER: &[(&str, &str)] = &[];

#[test]
fn every_file_keeps_to_the_map() {
    let sources = sources("src");
    assert!(sources.len() > 2, "no sources found");
    let faults: Vec<String> = sources.iter().flat_map(faults).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn unsafe_code_is_allowed_in_one_place_at_most() {
    let places: Vec<String> = sources("src").iter().flat_map(unsafe_permits).collect();
    assert!(
        places.len() <= 1,
        "unsafe code is allowed in more than one place:\n{}",
        places.join("\n")
    );
}

#[test]
fn files_are_short() {
    for source in sources("src") {
        let lines = source.text.lines().count();
        let excused = LONGER.iter().any(|(path, _)| *path == source.path);
        assert!(
            lines <= LONGEST || excused,
            "{} has {lines} lines, more than {LONGEST}",
            source.path
        );
        assert!(
            lines > LONGEST || !excused,
            "{} needs its exception no longer",
            source.path
        );
    }
    for (path, _) in LONGER {
        assert!(
            Path::new(path).exists(),
            "{path} has an exception and does not exist"
        );
    }
}

#[test]
fn no_test_sleeps() {
    let faults: Vec<String> = sources("tests")
        .iter()
        .chain(&sources("src"))
        .flat_map(sleeps)
        .collect();
    assert!(
        faults.is_empty(),
        "wait for what happens, or script it:\n{}",
        faults.join("\n")
    );
}

#[test]
fn the_check_sees_a_forbidden_room() {
    let forbidden = [
        ("src/pass/spans.rs", "use crate::reduce::Engine;", "reduce"),
        (
            "src/pass/spans.rs",
            "use crate::{\n    program::Edit,\n    tui::Theme,\n};",
            "tui",
        ),
        (
            "src/pass/spans.rs",
            "fn f() -> crate::session::Journal { todo!() }",
            "session",
        ),
        (
            "src/minimize/ddmin.rs",
            "use super::super::program::Edit;",
            "program",
        ),
        (
            "src/minimize/mod.rs",
            "use super::program::Edit;",
            "program",
        ),
        (
            "src/minimize/mod.rs",
            "mod tests { use super::super::oracle::Verdict; }",
            "oracle",
        ),
        (
            "src/oracle/local/limits.rs",
            "use super::{Limits, super::super::language::Language};",
            "language",
        ),
        (
            "src/dialogue/mod.rs",
            "use crate::program::Version;",
            "program",
        ),
        ("src/tui/mod.rs", "use crate::pass::Pass;", "pass"),
        (
            "src/grammar/mod.rs",
            "let a = '\"'; use crate::language::Language; let b = '\"';",
            "language",
        ),
        ("src/plain/mod.rs", "use crate::Engine;", "Engine"),
        ("src/tool/mod.rs", "", "tool"),
        ("src/tool.rs", "", "tool"),
        (
            "src/reduce/mod.rs",
            "use tree_sitter::Parser;",
            "tree_sitter",
        ),
        (
            "src/program/parse.rs",
            "let language = tree_sitter_c::LANGUAGE;",
            "tree_sitter",
        ),
        (
            "src/plain/mod.rs",
            "crossterm::terminal::size()",
            "crossterm",
        ),
    ];
    for (path, text, named) in forbidden {
        let found = faults(&Source::new(path, text));
        assert_eq!(found.len(), 1, "{path}: {text}: {found:?}");
        assert!(
            found[0].contains(&format!("`{named}`")),
            "{path}: {text}: {found:?}"
        );
    }
}

#[test]
fn the_check_lets_the_rest_pass() {
    let allowed = [
        (
            "src/pass/spans.rs",
            "use crate::program::{Edit, View};\nuse crate::{dialogue::Step, minimize::{self, Ddmin}};",
        ),
        (
            "src/pass/spans.rs",
            "use super::other::Thing;\nuse self::inner::Thing;\nuse crate::pass::Pass;",
        ),
        (
            "src/pass/mod.rs",
            "mod tests { use super::*; mod deep { use super::super::Pass; } }",
        ),
        (
            "src/minimize/mod.rs",
            "pub(crate) fn f() {}\npub(super) fn g() {}\npub(in crate::minimize) fn h() {}",
        ),
        (
            "src/minimize/mod.rs",
            "// use crate::reduce\n/* crate::tui /* crate::tui */ crate::tui */\n",
        ),
        (
            "src/minimize/mod.rs",
            "let text = \"crate::tui\"; let raw = r#\"\"crate::tui\"\"#; let c = b'\\''; let d: &'a str;",
        ),
        (
            "src/reduce/mod.rs",
            "use crate::{pass::Pass, oracle::Runner};",
        ),
        (
            "src/main.rs",
            "use lop::{cli, pass::Pass};\nmod tests { use super::*; }",
        ),
        (
            "src/lib.rs",
            "pub mod grammar;\npub use crate::grammar::Grammar;",
        ),
        ("src/cli/mod.rs", "use crate::{verify, tui, session};"),
        (
            "src/language/parser.rs",
            "use tree_sitter::Parser; use tree_sitter_c::LANGUAGE;",
        ),
    ];
    for (path, text) in allowed {
        assert_eq!(
            faults(&Source::new(path, text)),
            Vec::<String>::new(),
            "{path}: {text}"
        );
    }
}

#[test]
fn the_check_sees_permits_and_sleeps() {
    let permits = |text| unsafe_permits(&Source::new("src/oracle/local.rs", text)).len();
    assert_eq!(
        permits("#![deny(unsafe_code)] #[forbid(unsafe_code)] mod a {}"),
        0
    );
    assert_eq!(
        permits("#[allow(unsafe_code)] mod a {}\n#[expect(missing_docs, unsafe_code)] mod b {}"),
        2
    );

    let slept = |path, text| sleeps(&Source::new(path, text)).len();
    assert_eq!(slept("tests/story.rs", "std::thread::sleep(LONG);"), 1);
    assert_eq!(slept("tests/story.rs", "let script = \"sleep 10\";"), 0);
    assert_eq!(
        slept("src/oracle/local.rs", "fn wait() { thread::sleep(SHORT); }"),
        0
    );
    assert_eq!(
        slept(
            "src/oracle/local.rs",
            "mod tests { fn wait() { thread::sleep(SHORT); } } "
        ),
        1
    );
    assert_eq!(
        slept("src/oracle/tests.rs", "use std::thread::{self, sleep};"),
        1
    );
}

/// A source file: its path from the crate's folder, with `/`, and its text.
struct Source {
    path: String,
    text: String,
}

impl Source {
    fn new(path: &str, text: &str) -> Source {
        Source {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    /// The module that the file is, from the crate's root: `src/oracle/local.rs` is `["oracle", "local"]`.
    fn module(&self) -> Vec<String> {
        let path = self.path.trim_start_matches("src/").trim_end_matches(".rs");
        let mut parts: Vec<String> = path.split('/').map(str::to_owned).collect();
        if parts
            .last()
            .is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main"))
        {
            parts.pop();
        }
        parts
    }
}

/// All Rust files below `folder`, a folder of the crate.
fn sources(folder: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = vec![root.join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let parts: Vec<_> = path
                    .strip_prefix(root)
                    .unwrap()
                    .iter()
                    .map(|part| part.to_str().unwrap())
                    .collect();
                found.push(Source::new(
                    &parts.join("/"),
                    &fs::read_to_string(&path).unwrap(),
                ));
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// What in one file is against the map, a sentence each.
fn faults(source: &Source) -> Vec<String> {
    let path = &source.path;
    let room = match path.as_str() {
        "src/lib.rs" => return Vec::new(),
        "src/main.rs" => "cli".to_owned(),
        _ => source.module().swap_remove(0),
    };
    // The front door is a crate of its own: its root is not ours.
    let same_crate = path != "src/main.rs";
    let Some((_, may)) = ROOMS.iter().find(|(name, _)| *name == room) else {
        return vec![format!("{path}: `{room}` is not a room of the map")];
    };
    let words = words(&source.text);
    let mut faults = Vec::new();
    for (line, named) in rooms_named(source, &words)
        .into_iter()
        .filter(|_| same_crate)
    {
        if !ROOMS.iter().any(|(name, _)| *name == named) {
            faults.push(format!(
                "{path}:{line}: `{named}` is not a room: name it by the room that it lives in"
            ));
        } else if room != "cli"
            && named != room
            && named != "dialogue"
            && !may.contains(&named.as_str())
        {
            faults.push(format!("{path}:{line}: `{room}` may not know `{named}`"));
        }
    }
    for (name, rooms) in CRATES {
        let extension = format!("{name}_");
        let found = words
            .iter()
            .find(|word| word.text == *name || word.text.starts_with(&extension));
        if let Some(word) = found.filter(|_| !rooms.contains(&room.as_str())) {
            faults.push(format!(
                "{path}:{}: `{name}` is for {} only",
                word.line,
                rooms.join(", ")
            ));
        }
    }
    faults
}

/// The first part of every path in the file that leads to the crate's root and on, with its line.
fn rooms_named(source: &Source, words: &[Word]) -> Vec<(usize, String)> {
    let mut named = Vec::new();
    for (module, at) in modules(source, words) {
        let starts = matches!(words[at].text.as_str(), "crate" | "super" | "self");
        if starts && (at == 0 || words[at - 1].text != "::") {
            follow(words, at, module, &mut named);
        }
    }
    named
}

/// Follows the path, or the tree of paths, that starts at `at` in `module`; returns where it ends.
fn follow(
    words: &[Word],
    mut at: usize,
    mut module: Vec<String>,
    named: &mut Vec<(usize, String)>,
) -> usize {
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let line = words.get(at).map_or(0, |word| word.line);
    loop {
        match text(at) {
            "{" => {
                at += 1;
                while !matches!(text(at), "}" | "") {
                    // A part of a group is a path of its own; what follows it, as in `a as b`, belongs to it.
                    at = follow(words, at, module.clone(), named);
                    while !matches!(text(at), "," | "}" | "") {
                        at += 1;
                    }
                    at += usize::from(text(at) == ",");
                }
                return at + 1;
            }
            "super" => drop(module.pop()),
            "self" => {}
            "crate" => module.clear(),
            word => module.push(word.to_owned()),
        }
        at += 1;
        if text(at) != "::" {
            break;
        }
        at += 1;
    }
    if let Some(room) = module.first() {
        named.push((line, room.clone()));
    }
    at
}

/// Every word's place, with the module it stands in: the file's, and the modules written out inside the file.
fn modules(source: &Source, words: &[Word]) -> Vec<(Vec<String>, usize)> {
    let mut module = source.module();
    let mut depth = 0;
    let mut open = Vec::new();
    let mut all = Vec::new();
    for (at, word) in words.iter().enumerate() {
        match word.text.as_str() {
            "{" => {
                depth += 1;
                if at >= 2 && words[at - 2].text == "mod" {
                    module.push(words[at - 1].text.clone());
                    open.push(depth);
                }
            }
            "}" => {
                if open.last() == Some(&depth) {
                    open.pop();
                    module.pop();
                }
                depth -= 1;
            }
            _ => {}
        }
        all.push((module.clone(), at));
    }
    all
}

/// The places in a file that allow unsafe code.
fn unsafe_permits(source: &Source) -> Vec<String> {
    let words = words(&source.text);
    let permits = words.iter().enumerate().filter(|(at, word)| {
        let attribute = words[..*at]
            .iter()
            .rev()
            .find(|word| matches!(word.text.as_str(), "allow" | "expect" | "deny" | "forbid"));
        word.text == "unsafe_code"
            && attribute.is_some_and(|word| matches!(word.text.as_str(), "allow" | "expect"))
    });
    permits
        .map(|(_, word)| format!("{}:{}", source.path, word.line))
        .collect()
}

/// The places where a test sleeps.
fn sleeps(source: &Source) -> Vec<String> {
    let words = words(&source.text);
    let in_test = |module: &[String]| {
        source.path.starts_with("tests/") || module.iter().any(|part| part == "tests")
    };
    let places = modules(source, &words)
        .into_iter()
        .filter(|(module, at)| in_test(module) && words[*at].text == "sleep");
    places
        .map(|(_, at)| format!("{}:{}", source.path, words[at].line))
        .collect()
}

/// A name, `::`, or any other single character of the source.
struct Word {
    text: String,
    line: usize,
}

/// Cuts Rust source into words. Comments, strings, characters and lifetimes are left out.
fn words(source: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = source;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let skipped = comment(rest).or_else(|| quoted(rest));
        let length = if let Some(length) = skipped {
            length
        } else if is_name(first) {
            rest.find(|next| !is_name(next)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(length);
        if skipped.is_none() && !first.is_whitespace() {
            words.push(Word {
                text: word.to_owned(),
                line,
            });
        }
        line += word.matches('\n').count();
        rest = after;
    }
    words
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The length of the comment that the text starts with.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if !text.starts_with("/*") {
        return None;
    }
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        let step = if text[at..].starts_with("/*") {
            depth += 1;
            2
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            2
        } else {
            text[at..].chars().next().map_or(1, char::len_utf8)
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    Some(at)
}

/// The length of the string, character or lifetime that the text starts with, its prefix included.
fn quoted(text: &str) -> Option<usize> {
    let prefix = ["br", "cr", "b", "c", "r", ""].into_iter().find(|prefix| {
        let after = text.strip_prefix(prefix).unwrap_or("");
        let raw = prefix.ends_with('r') && after.trim_start_matches('#').starts_with('"');
        raw || after.starts_with('"') || (after.starts_with('\'') && matches!(*prefix, "" | "b"))
    })?;
    let body = &text[prefix.len()..];
    if prefix.ends_with('r') {
        let hashes = body.len() - body.trim_start_matches('#').len();
        let end = format!("\"{}", "#".repeat(hashes));
        let start = hashes + 1;
        return Some(
            prefix.len()
                + body[start..]
                    .find(&end)
                    .map_or(body.len(), |found| start + found + end.len()),
        );
    }
    let quote = body.chars().next()?;
    let mut inside = body.char_indices().skip(1);
    let second = inside.next().map_or('\n', |(_, character)| character);
    let third = inside.next().map_or('\n', |(_, character)| character);
    if quote == '\'' && second != '\\' && third != '\'' {
        let name = &body[1..];
        return Some(1 + name.find(|next| !is_name(next)).unwrap_or(name.len()));
    }
    let mut escaped = false;
    for (at, character) in body.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return Some(prefix.len() + at + 1),
            _ => {}
        }
    }
    Some(text.len())
}
