//! Dependencies between rooms: the map in `ARCHITECTURE.md`, checked.
//!
//! A room is a folder of `src/`. The check reads every path that starts at the crate's root or leads up to it. Test modules follow the
//! same rules as the code beside them.

use super::source::{Source, modules, sources};
use super::words::{Word, words};

/// The rooms, and the rooms that each may name. `protocol` and `display` are open to all; the front door, `main.rs`, counts as `cli`.
const ROOMS: &[(&str, &[&str])] = &[
    ("config", &[]),
    ("contrast", &["oracle", "program", "language", "grammar"]),
    ("protocol", &[]),
    ("display", &[]),
    ("doctor", &["oracle", "program", "language"]),
    (
        "external",
        &["reduce", "pass", "oracle", "program", "language"],
    ),
    ("grammar", &[]),
    ("language", &["grammar"]),
    ("lesson", &["reduce", "oracle"]),
    ("minimize", &[]),
    ("oracle", &[]),
    ("pass", &["program", "grammar", "language", "minimize"]),
    ("plain", FRONT_END),
    ("program", &["grammar", "language"]),
    (
        "reduce",
        &["pass", "minimize", "oracle", "program", "language"],
    ),
    (
        "reduction",
        &["reduce", "pass", "oracle", "program", "language"],
    ),
    ("session", &["reduce", "oracle", "program"]),
    ("tui", FRONT_END),
    ("verify", &["oracle", "program", "language", "grammar"]),
    ("cli", &[]),
];

/// The rooms inside `cli`, and those of them that each may name: a command line goes one way, from its arguments to the launched run.
const CLI_ROOMS: &[(&str, &[&str])] = &[
    ("args", &[]),
    ("launch", &["args"]),
    ("commands", &["args", "launch"]),
];

/// The rooms that all may name.
const OPEN: &[&str] = &["protocol", "display"];

/// What a front end may name.
const FRONT_END: &[&str] = &[
    "reduce", "session", "oracle", "program", "language", "grammar", "config", "lesson",
];

/// Crates that only some rooms may name, so that a new release of one is a change in one place.
const CRATES: &[(&str, &[&str])] = &[
    ("tree_sitter", &["language"]),
    ("ratatui", &["tui"]),
    ("crossterm", &["tui"]),
    ("bazel_remote_apis", &["oracle"]),
    ("prost", &["oracle"]),
    ("tokio", &["oracle"]),
    ("tonic", &["oracle"]),
];

#[test]
fn every_file_keeps_to_the_map() {
    let sources = sources("src");
    assert!(sources.len() > 2, "no sources found");
    let faults: Vec<String> = sources.iter().flat_map(faults).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn a_command_line_goes_one_way() {
    for (room, may) in CLI_ROOMS {
        let forbidden = CLI_ROOMS.iter().map(|(other, _)| other);
        let forbidden = forbidden.filter(|other| *other != room && !may.contains(other));
        for other in forbidden {
            for source in sources(&format!("src/cli/{room}")) {
                let named = source.text.contains(&format!("cli::{other}"));
                assert!(
                    !named,
                    "{}: cli/{room} may not know cli/{other}",
                    source.path
                );
            }
        }
    }
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
            "src/protocol/mod.rs",
            "use crate::program::Version;",
            "program",
        ),
        (
            "src/display/console.rs",
            "use crate::plain::Lines;",
            "plain",
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
            "use crate::program::{Edit, View};\nuse crate::{protocol::Step, minimize::{self, Ddmin}};",
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
            && !OPEN.contains(&named.as_str())
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
