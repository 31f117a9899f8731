//! Untrusted text reaches a terminal through two places only: `display` writes to standard output and standard error,
//! `ClippedCanvas::draw_styled` to the cells of the screen.

use super::source::{Source, modules, sources};
use super::words::{Word, words};

/// Who else may write, each with the reason.
const EXCUSED: &[(&str, &str)] = &[
    (
        "src/tui/driver/terminal.rs",
        "the cells of the screen, which are filled through ClippedCanvas::draw_styled",
    ),
    ("src/tui/drawing/canvas.rs", "ClippedCanvas::draw_styled"),
    (
        "src/oracle/helper/serve.rs",
        "the answers of a helper, which lop reads",
    ),
    (
        "src/cli/args/usage_error.rs",
        "what clap says, which was looked at",
    ),
];

/// Macros that write.
const MACROS: &[&str] = &["print", "println", "eprint", "eprintln", "dbg"];
/// Places to write to.
const STREAMS: &[&str] = &["stdout", "stderr"];
/// Methods that put text of others where it is seen: into cells, from clap, and the path that is shown with what is hidden in it.
const METHODS: &[&str] = &[
    "set_string",
    "set_stringn",
    "set_symbol",
    "set_char",
    "set_line",
    "set_span",
    "print",
    "display",
];

#[test]
fn text_of_others_comes_to_a_terminal_through_one_place() {
    let faults: Vec<String> = sources("src").iter().flat_map(faults).collect();
    assert!(
        faults.is_empty(),
        "write it by display::ConsoleWriter, and show a path by EscapeHidden::escape_hidden:\n{}",
        faults.join("\n")
    );
    for (path, _) in EXCUSED {
        let all = sources("src");
        let source = all.iter().find(|source| source.path == *path).expect(path);
        assert!(
            !places(source).is_empty(),
            "{path} needs its exception no longer"
        );
    }
}

#[test]
fn the_check_sees_other_ways_to_a_terminal() {
    let count = |text| faults(&Source::new("src/cli/story.rs", text)).len();
    for text in [
        "fn f() { println!(\"{name}\"); }",
        "fn f() { eprint!(\"{name}\") }",
        "fn f() { writeln!(io::stderr(), \"{name}\"); }",
        "fn f() { let mut out = std::io::stdout().lock(); }",
        "fn f() { format!(\"{}\", path.display()) }",
        "fn f() { buffer.set_string(0, 0, name, style); error.print(); }",
        "#[error(\"{path} cannot be read\")]\nstruct E { path: PathBuf }",
    ] {
        assert!(count(text) > 0, "{text}");
    }
    for text in [
        "fn f() { ConsoleWriter::stdout().write_line(\"\"); display::ConsoleWriter::stderr().write_line(\"\"); }",
        "fn f() { command.stdout(Stdio::null()).stderr(Stdio::null()); }",
        "fn f() { print(&story); crate::display::escape_page(b\"\"); }",
        "mod tests { fn f() { println!(\"SKIPPED\"); } }",
        "#[error(\"{} cannot be read\", path.escape_hidden())]\nstruct E { path: PathBuf }",
    ] {
        assert_eq!(count(text), 0, "{text}");
    }
}

fn faults(source: &Source) -> Vec<String> {
    let excused = EXCUSED.iter().any(|(path, _)| *path == source.path)
        || source.path.starts_with("src/display/");
    if excused { Vec::new() } else { places(source) }
}

/// The places where something of a file is written past `display`.
fn places(source: &Source) -> Vec<String> {
    let words = words(&source.text);
    let in_test = |module: &[String]| module.iter().any(|part| part == "tests");
    let written = modules(source, &words)
        .into_iter()
        .filter(|(module, at)| !in_test(module) && writes(&words, *at))
        .map(|(_, at)| (words[at].line, words[at].text.clone()));
    // thiserror shows a field that is a path by its `display` method.
    let attributes = source.text.match_indices("#[error(").filter_map(|(at, _)| {
        let attribute = source.text[at..].split(")]").next()?;
        let line = source.text[..at].matches('\n').count() + 1;
        attribute
            .contains("{path")
            .then(|| (line, "{path}".to_owned()))
    });
    written
        .chain(attributes)
        .map(|(line, what)| format!("{}:{line}: {what}", source.path))
        .collect()
}

fn writes(words: &[Word], at: usize) -> bool {
    let text = |at: Option<usize>| {
        at.and_then(|at| words.get(at))
            .map_or("", |word| word.text.as_str())
    };
    let (word, next) = (words[at].text.as_str(), text(Some(at + 1)));
    let (before, owner) = (text(at.checked_sub(1)), text(at.checked_sub(2)));
    match next {
        "!" => MACROS.contains(&word),
        "(" if before == "." => METHODS.contains(&word),
        "(" => STREAMS.contains(&word) && owner != "ConsoleWriter" && before != "fn",
        _ => false,
    }
}
