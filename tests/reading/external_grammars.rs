//! External tree-sitter grammars: `--grammar DIR`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::{End, Stage};
use rustix::process::Signal;

/// Where the sources of the JSON grammar are: in the crate that the built-in language is made of.
const JSON: &str = include_str!(concat!(env!("OUT_DIR"), "/json.home"));
/// One with a scanner.
const CSS: &str = include_str!(concat!(env!("OUT_DIR"), "/css.home"));
/// Two grammars.
const XML: &str = include_str!(concat!(env!("OUT_DIR"), "/xml.home"));

/// A compiler that is not there.
const NONE: &str = "/nonexistent/cc";

const PROGRAM: &str =
    "{\"x\": [1, {\"a\": null, \"b\": \"null\"}], // why\n \"y\": [true, -1.5e3, [0, 1, 2]]}\n";

fn staged() -> Stage {
    let stage = Stage::new();
    stage.write("a.json", PROGRAM);
    stage.test("null.sh", "grep -q '\"a\": null' a.json");
    stage
}

/// lop with a cache of its own, and with this compiler.
fn lop_by(stage: &Stage, line: &[&str], compiler: Option<&str>) -> End {
    let cache = stage.path("cache");
    let mut environment = vec![("XDG_CACHE_HOME", cache.to_str().expect("a path"))];
    environment.extend(compiler.map(|compiler| ("CC", compiler)));
    stage.lop_with(line, &environment)
}

fn lop(stage: &Stage, line: &[&str]) -> End {
    lop_by(stage, line, None)
}

/// The grammar in a directory of one's own, with the files of it that are wanted.
fn copied(stage: &Stage, name: &str, from: &str, wanted: impl Fn(&Path) -> bool) -> PathBuf {
    let to = stage.path(name);
    let mut open = vec![PathBuf::new()];
    while let Some(inside) = open.pop() {
        fs::create_dir_all(to.join(&inside)).expect("a directory");
        for entry in fs::read_dir(Path::new(from).join(&inside)).expect("the crate") {
            let path = inside.join(entry.expect("an entry").file_name());
            let source = Path::new(from).join(&path);
            match source.is_dir() {
                true => open.push(path),
                false if wanted(&path) => {
                    drop(fs::write(to.join(&path), fs::read(source).expect("a file")))
                }
                false => {}
            }
        }
    }
    to
}

fn json(stage: &Stage) -> PathBuf {
    copied(stage, "grammar", JSON, |path| !path.starts_with("bindings"))
}

/// Puts something in the place of something in a file.
fn changed(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).expect("a file");
    assert!(text.contains(from), "{from} is not in {}", path.display());
    fs::write(path, text.replacen(from, to, 1)).expect("a file");
}

#[test]
fn a_brought_grammar_reduces_as_the_one_that_is_built_in() {
    let stage = staged();
    let end = lop(
        &stage,
        &[
            "a.json",
            "null.sh",
            "--grammar",
            JSON,
            "--output",
            "brought.json",
        ],
    );
    assert!(end.status == 0 && end.out.contains("as json"), "{end}");
    assert!(end.err.contains("building the parser of json"), "{end}");
    let own = lop(&stage, &["a.json", "null.sh", "--output", "own.json"]);
    assert_eq!(own.status, 0, "{own}");
    assert_eq!(stage.read("brought.json").trim(), "{\"a\": null}");
    assert_eq!(stage.read("brought.json"), stage.read("own.json"));
    // The extension does not matter, and `verify` and `grammar` read it too.
    stage.write("a.txt", PROGRAM);
    stage.test("text.sh", "grep -q '\"a\": null' a.txt");
    let end = lop(&stage, &["a.txt", "text.sh", "--grammar", JSON]);
    assert_eq!(
        (end.status, stage.read("a.lop.txt").trim()),
        (0, "{\"a\": null}"),
        "{end}"
    );
    stage.test("left.sh", "grep -q '\"a\": null' a.lop.txt");
    let end = lop(
        &stage,
        &["verify", "a.lop.txt", "left.sh", "--grammar", JSON],
    );
    assert_eq!(end.status, 0, "{end}");
    let end = lop(&stage, &["grammar", JSON, "array"]);
    assert!(
        end.out
            .starts_with("array ::= \"[\" (_value % \",\")? \"]\"\n"),
        "{end}"
    );
}

#[test]
fn what_a_killed_build_left_goes_with_the_next_and_what_is_being_built_stays() {
    let stage = staged();
    let kept = stage.path("cache/lop/grammars");
    let [dead, live] = [".building-dead", ".building-live"].map(|name| kept.join(name));
    for directory in [&dead, &live] {
        fs::create_dir_all(directory).expect("a directory");
        fs::write(directory.join("parser.lock"), "").expect("a file");
    }
    let held = fs::File::open(&live).expect("the directory");
    held.lock().expect("a lock");
    let end = lop(&stage, &["grammar", JSON]);
    assert_eq!(end.status, 0, "{end}");
    assert!(!dead.exists() && live.exists(), "{end}");
    let left = fs::read_dir(&kept).expect("the cache").count();
    assert_eq!(left, 2, "the parser, and what is being built");
}

#[test]
fn a_parser_is_built_once_and_again_when_its_sources_are_others() {
    let stage = staged();
    let grammar = json(&stage);
    let line = ["grammar", grammar.to_str().expect("a path")];
    let end = lop_by(&stage, &line, Some(NONE));
    assert_eq!(end.status, 2, "{end}");
    let said = format!("there is no C compiler: `{NONE}` cannot be started");
    assert!(end.err.contains(&said), "{end}");
    assert_eq!(lop(&stage, &line).status, 0);
    let end = lop_by(&stage, &line, Some(NONE));
    assert!(end.status == 0 && end.err.is_empty(), "{end}");
    // What was half written at a power failure is built again.
    let kept = fs::read_dir(stage.path("cache/lop/grammars")).expect("the cache");
    let kept: Vec<PathBuf> = kept.map(|entry| entry.expect("an entry").path()).collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    fs::write(&kept[0], "not a parser").expect("a file");
    assert_eq!(lop_by(&stage, &line, Some(NONE)).status, 2);
    assert_eq!(lop(&stage, &line).status, 0);
    changed(&grammar.join("src/parser.c"), "\n", "\n/* another */\n");
    assert_eq!(lop_by(&stage, &line, Some(NONE)).status, 2);
    assert_eq!(lop(&stage, &line).status, 0);
}

#[test]
fn a_directory_that_is_no_grammar_is_explained() {
    let stage = staged();
    let told = |grammar: &Path, what: &str| {
        let grammar = grammar.to_str().expect("a path");
        let end = lop(&stage, &["a.json", "null.sh", "--grammar", grammar]);
        assert_eq!(end.status, 2, "{end}");
        assert!(
            end.err.contains(&format!("the grammar in {grammar}: ")),
            "{end}"
        );
        assert!(end.err.contains(what), "{what}\n{end}");
    };
    told(stage.state(), "there is no src/grammar.json in it");
    let grammar = copied(&stage, "script", JSON, |path| {
        path == Path::new("grammar.js")
    });
    told(
        &grammar,
        "; `tree-sitter generate` makes it from grammar.js",
    );
    let grammar = json(&stage);
    let (rules, parser) = (
        grammar.join("src/grammar.json"),
        grammar.join("src/parser.c"),
    );
    changed(
        &parser,
        "#define LANGUAGE_VERSION 14",
        "#define LANGUAGE_VERSION 99",
    );
    told(
        &grammar,
        "its parser has ABI 99, and this lop reads 13 to 15: `tree-sitter generate --abi 15`",
    );
    changed(&parser, "LANGUAGE_VERSION 99", "LANGUAGE_VERSION 9");
    told(
        &grammar,
        "its parser has ABI 9, and this lop reads 13 to 15",
    );
    changed(&parser, "LANGUAGE_VERSION 9", "LANGUAGE_VERSION 14");
    changed(&parser, "static const ", "static konst ");
    told(&grammar, "the C compiler refuses its parser:");
    changed(&parser, "static konst ", "static const ");
    changed(&parser, "tree_sitter_json", "tree_sitter_other");
    told(&grammar, "its parser was built and cannot be loaded");
    stage.write("grammar/src/scanner.cc", "");
    told(
        &grammar,
        "in C++, and tree-sitter accepts scanners in C only",
    );
    changed(&rules, "\"SYMBOL\"", "\"SYMBOL");
    told(&grammar, "grammar.json is not JSON: ");
    fs::remove_file(parser).expect("a file");
    changed(&rules, "\"SYMBOL", "\"SYMBOL\"");
    told(&grammar, "parser.c; `tree-sitter generate` makes it");
}

#[test]
fn rules_and_parser_of_two_grammars_do_not_go_together() {
    let stage = staged();
    let grammar = json(&stage);
    fs::copy(
        Path::new(CSS).join("src/grammar.json"),
        grammar.join("src/grammar.json"),
    )
    .expect("a file");
    let end = lop(&stage, &["a.json", "null.sh", "--grammar", "grammar"]);
    assert_eq!(end.status, 2, "{end}");
}

#[test]
fn of_several_grammars_it_is_the_one_for_the_file() {
    let stage = staged();
    stage.write("a.xml", "<a><b>bug</b><c/><!-- why --></a>\n");
    stage.test("xml.sh", "grep -q bug a.xml");
    let end = lop(&stage, &["a.xml", "xml.sh", "--grammar", XML]);
    assert!(end.status == 0 && end.out.contains("as xml"), "{end}");
    let end = lop(&stage, &["a.json", "null.sh", "--grammar", XML]);
    assert_eq!(end.status, 2, "{end}");
    let said = "there are several grammars in it, xml (.xml ";
    assert!(
        end.err.contains(said) && end.err.contains("none says that it is for files .json"),
        "{end}"
    );
}

#[test]
fn a_grammar_with_a_scanner() {
    let stage = staged();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/grammars/css/sample.css");
    let end = lop(&stage, &["languages", "check", CSS, sample]);
    // As with the language's own data: the grammar allows a little more than the parser.
    assert!(end.status == 0 && end.out.contains("371 tokens"), "{end}");
}

#[test]
fn what_the_user_says_of_a_language_goes_before_what_is_guessed() {
    let stage = staged();
    let grammar = json(&stage);
    let line = ["a.json", "null.sh", "--no-session", "--grammar", "grammar"];
    fs::create_dir(grammar.join("lop")).expect("a directory");
    stage.write(
        "grammar/lop/language.toml",
        "name = \"notes\"\nnewlines = \"none\"\n",
    );
    let end = lop(&stage, &line);
    let said = "grammar/lop/language.toml: ";
    assert!(
        end.status == 2 && end.err.contains(said) && end.err.contains("`none`"),
        "{end}"
    );
    stage.write(
        "grammar/lop/language.toml",
        "name = \"notes\"\nopaque = [\"object\"]\n",
    );
    let end = lop(&stage, &line);
    assert!(end.status == 0 && end.out.contains("as notes"), "{end}");
    // An object is one token now.
    assert_eq!(stage.read("a.lop.json").trim(), PROGRAM.trim(), "{end}");
    stage.write("grammar/lop/reduce.scm", "(objekt) @name\n");
    let end = lop(&stage, &line);
    assert!(
        end.status == 2
            && end.err.contains(
                "lop/reduce.scm, line 1, column 2: there is no kind of node called `objekt`"
            ),
        "{end}"
    );
    stage.write(
        "grammar/lop/reduce.scm",
        "(pair key: (string) @definition)\n",
    );
    assert_eq!(lop(&stage, &line).status, 0);
    // Colours are not worth a refusal.
    stage.write("grammar/queries/highlights.scm", "(objekt) @name\n");
    let end = lop(&stage, &line);
    assert!(
        end.status == 0 && end.err.contains("it is shown without colours"),
        "{end}"
    );
}

#[test]
fn a_session_goes_on_with_the_same_grammar_only() {
    let stage = staged();
    let grammar = json(&stage);
    let end = lop(&stage, &["a.json", "null.sh", "--grammar", "grammar"]);
    assert_eq!(end.status, 0, "{end}");
    let end = lop(&stage, &["replay", "--check"]);
    assert!(end.status == 0 && end.out.contains("the same"), "{end}");
    let parser = grammar.join("src/parser.c");
    changed(&parser, "\n", "\n/* another */\n");
    let end = lop(&stage, &["replay", "--check"]);
    let said = "is not the one of the session";
    assert!(end.status == 2 && end.err.contains(said), "{end}");
    changed(&parser, "\n/* another */\n", "\n");
    fs::rename(&grammar, stage.path("elsewhere")).expect("a directory");
    let end = lop(&stage, &["replay", "--check"]);
    assert!(end.status == 2 && end.err.contains("/grammar: "), "{end}");
}

#[test]
fn a_run_that_was_stopped_is_gone_on_with_in_its_grammar() {
    let stage = staged();
    json(&stage);
    assert_eq!(lop(&stage, &["grammar", "./grammar"]).status, 0);
    stage.test(
        "hang.sh",
        "grep -q '\"a\": null' a.json || exit 1; grep -q why a.json || exec tail -f /dev/null",
    );
    let line = [
        "a.json",
        "hang.sh",
        "--grammar",
        "grammar",
        "--json",
        "--timeout",
        "0",
        // Nothing is decided before it is stopped, but this was said: so there is a session.
        "--command",
        "jobs 1",
    ];
    let mut command = stage.program(env!("CARGO_BIN_EXE_lop"), &line);
    command.env("XDG_CACHE_HOME", stage.path("cache"));
    let mut run = Stage::follow(command);
    // It speaks when the run has begun.
    run.line();
    run.signal(Signal::INT);
    run.rest();
    assert_eq!(run.wait(), 130);
    let parser = stage.path("grammar/src/parser.c");
    changed(&parser, "\n", "\n/* another */\n");
    let end = lop(&stage, &["resume"]);
    assert!(
        end.status == 2 && end.err.contains("restore that one, or start a new run"),
        "{end}"
    );
    changed(&parser, "\n/* another */\n", "\n");
    stage.test("hang.sh", "grep -q '\"a\": null' a.json");
    let end = lop(&stage, &["resume"]);
    assert_eq!(
        (end.status, stage.read("a.lop.json").trim()),
        (0, "{\"a\": null}"),
        "{end}"
    );
}

#[test]
fn fillers_of_ones_own_are_tried_by_check_and_never_end_a_run() {
    let stage = staged();
    let grammar = json(&stage);
    let place = grammar.to_str().expect("a path");
    stage.write("grammar/reduce.scm", "(array) @def.function.body\n");
    let said = |filler: &str| {
        stage.write("grammar/language.toml", &format!("{filler}\n"));
        let checked = lop(&stage, &["languages", "check", place, "a.json"]);
        let ran = lop(&stage, &["a.json", "null.sh", "--grammar", place]);
        (checked, ran)
    };
    // What can be seen without a file is not a grammar to run with.
    for (filler, what) in [
        (
            "fillers.arrray = \"[ ]\"",
            "fillers: there is no kind of node called `arrray`; near it: array",
        ),
        (
            "fillers.array = \" \"",
            "fillers: the filler of array has no tokens",
        ),
        (
            "parameter_statement = \"final var $p = $e;\"",
            "fillers: parameter_statement is not $p and $e with at most one token before, between and behind them",
        ),
    ] {
        let (checked, ran) = said(filler);
        assert!(
            checked.status != 0 && checked.to_string().contains(what),
            "{what}\n{checked}"
        );
        assert!(
            ran.status == 2 && ran.err.contains("language.toml") && ran.err.contains(what),
            "{what}\n{ran}"
        );
    }
    // Where it stands the parser says, and then no test is asked about it.
    for (filler, what) in [
        (
            "fillers.array = \"[ 0\"",
            "`[0` cannot stand for array: the parser finds an error there",
        ),
        (
            "fillers.array = \"[0]\"",
            "`[0]` cannot stand for array: `[0]` is not a token there, but `[` is",
        ),
    ] {
        let (checked, ran) = said(filler);
        assert!(
            checked.status != 0 && checked.to_string().contains(what),
            "{what}\n{checked}"
        );
        let left = stage.read("a.lop.json");
        assert_eq!((ran.status, left.trim()), (0, "{\"a\": null}"), "{ran}");
    }
    let (checked, ran) = said("fillers.array = \"[ 0 ]\"");
    assert!(
        checked.out.contains("ok") && checked.out.contains("fillers tried"),
        "{checked}"
    );
    let left = stage.read("a.lop.json");
    assert_eq!((ran.status, left.trim()), (0, "{\"a\": null}"), "{ran}");
}

#[test]
fn a_pattern_of_an_import_that_is_none_is_refused() {
    let stage = staged();
    let grammar = json(&stage);
    let place = grammar.to_str().expect("a path");
    let imports = "[imports]\nlookup = 'path'\nkinds = { pair = 'use (' }\n";
    stage.write("grammar/language.toml", imports);
    let ran = lop(&stage, &["a.json", "null.sh", "--grammar", place]);
    let says = ran.err.contains("imports: ") && ran.err.contains("unclosed group");
    assert!(ran.status == 2 && says, "{ran}");
}

#[test]
fn a_rule_that_hides_no_token_is_refused() {
    let stage = staged();
    let grammar = json(&stage);
    let place = grammar.to_str().expect("a path");
    for (tokens, what) in [
        (
            "[ ^  @ 1",
            "hidden: `[ ^  @ 1` names no token that is hidden",
        ),
        (
            "0 @ ,",
            "hidden: `0 @ ,` begins with any number; name a token",
        ),
    ] {
        stage.write(
            "grammar/language.toml",
            &format!("[[hidden]]\ntokens = \"{tokens}\"\n"),
        );
        let ran = lop(&stage, &["a.json", "null.sh", "--grammar", place]);
        assert!(ran.status == 2 && ran.err.contains(what), "{what}\n{ran}");
    }
}

#[test]
fn places_of_islands_are_data_of_ones_own_grammar() {
    let stage = staged();
    let grammar = json(&stage);
    let place = grammar.to_str().expect("a path");
    for (table, what) in [
        ("'<' = ['$']", "islands: `<` is no opening bracket"),
        (
            "'[' = ['$', '{\"a\": 1}']",
            "islands: `{\"a\": 1}` has no `$`",
        ),
    ] {
        stage.write("grammar/language.toml", &format!("[islands]\n{table}\n"));
        let ran = lop(&stage, &["a.json", "null.sh", "--grammar", place]);
        assert!(ran.status == 2 && ran.err.contains(what), "{what}\n{ran}");
    }
    stage.write("grammar/language.toml", "[islands]\n'[' = ['$']\n");
    stage.write("b.json", "{ @ = [0, {\"a\": null}, 2] = }");
    stage.test("null-b.sh", "grep -q '\"a\": null' b.json");
    let ran = lop(&stage, &["b.json", "null-b.sh", "--grammar", place]);
    assert_eq!(ran.status, 0, "{ran}");
    assert_eq!(stage.read("b.lop.json").trim(), "{\"a\": null}", "{ran}");
}

#[test]
fn a_part_that_compilers_do_without_is_data_of_ones_own_grammar() {
    let stage = staged();
    let grammar = json(&stage);
    let place = grammar.to_str().expect("a path");
    let with =
        |table: &str| stage.write("grammar/language.toml", &format!("[optional]\n{table}\n"));
    for (table, what) in [
        (
            "arrray = { \"[\" = \"[\" }",
            "optional: there is no kind of node called `arrray`",
        ),
        (
            "pair = { colon = \":\" }",
            "optional: `pair` has no part called `colon`; it has ",
        ),
        (
            "pair = { \":\" = \"\" }",
            "optional: `:` of `pair` has nothing that stands in for it",
        ),
    ] {
        with(table);
        let checked = lop(&stage, &["languages", "check", place, "a.json"]);
        let ran = lop(&stage, &["a.json", "null.sh", "--grammar", place]);
        for end in [&checked, &ran] {
            assert!(end.status == 2 && end.err.contains(what), "{what}\n{end}");
        }
    }
    // A reader of JSON that takes a value alone.
    with("pair = { key = '\"\"' }");
    let checked = lop(&stage, &["languages", "check", place, "a.json"]);
    assert!(
        checked.out.contains("optional parts: 1 of 1 tried"),
        "{checked}"
    );
    stage.test("value.sh", "grep -q ': *null' a.json");
    let line = ["a.json", "value.sh", "--grammar", place];
    let quick = lop(&stage, &line);
    assert_eq!(stage.read("a.lop.json").trim(), "{\"a\": null}", "{quick}");
    let ran = lop(&stage, &[&line[..], &["--effort", "normal"]].concat());
    assert_eq!(
        (ran.status, stage.read("a.lop.json").trim()),
        (0, "{: null}"),
        "{ran}"
    );
}
