//! Only the driver of the screen uses the terminal, the clock and files. All else in `src/tui/` is a function of snapshots and keys, so
//! tests can draw a frame and press a key without any of them.

use super::source::{Source, modules, sources};
use super::words::words;

/// Who may do what, each with the reason. A name that ends with `/` stands for all files in it.
const ALLOWED: &[(&str, &[Effect], &str)] = &[
    (
        "src/tui/driver/",
        &[
            Effect::Clock,
            Effect::Files,
            Effect::Processes,
            Effect::Terminal,
        ],
        "it carries out what the rest of the screen asks for",
    ),
    (
        "src/tui/theme/syntax.rs",
        &[Effect::Files],
        "a theme names a .tmTheme file; it is read when the driver reads the themes",
    ),
];

/// The effects that a file may have, and the inputs that it may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Clock,
    Files,
    Processes,
    Terminal,
}

/// What shows that a file does it: these words, one after the other.
const SIGNS: &[(&[&str], Effect)] = &[
    (&["Instant", "::", "now"], Effect::Clock),
    (&["SystemTime"], Effect::Clock),
    (&["UnixTime", "::", "now"], Effect::Clock),
    (&["elapsed"], Effect::Clock),
    (&["std", "::", "fs"], Effect::Files),
    (&["fs", "::"], Effect::Files),
    (&["File", "::", "open"], Effect::Files),
    (&["File", "::", "create"], Effect::Files),
    (&["read_dir"], Effect::Files),
    (&["metadata"], Effect::Files),
    (&["canonicalize"], Effect::Files),
    (&["tempfile"], Effect::Files),
    (&["std", "::", "process"], Effect::Processes),
    (&["std", "::", "env"], Effect::Processes),
    (&["thread"], Effect::Processes),
    (&["Command", "::", "new"], Effect::Processes),
    (&["rustix"], Effect::Processes),
    (&["libc"], Effect::Processes),
    (&["signal_hook"], Effect::Processes),
    (&["crossterm", "::", "terminal"], Effect::Terminal),
    (&["crossterm", "::", "cursor"], Effect::Terminal),
    (&["crossterm", "::", "execute"], Effect::Terminal),
    (&["crossterm", "::", "queue"], Effect::Terminal),
    (&["crossterm", "::", "style"], Effect::Terminal),
    (&["crossterm", "::", "{"], Effect::Terminal),
    (&["event", "::", "read"], Effect::Terminal),
    (&["event", "::", "poll"], Effect::Terminal),
    (&["CrosstermBackend"], Effect::Terminal),
    (&["stdout"], Effect::Terminal),
];

/// What a file does though it may not, a sentence each. Tests may do what they like.
fn forbidden_effects(source: &Source) -> Vec<String> {
    let all = words(&source.text);
    let places = modules(source, &all);
    let in_test = |at: usize| places[at].0.iter().any(|part| part == "tests");
    let may = |effect: Effect| {
        ALLOWED.iter().any(|(path, effects, _)| {
            let is_there = match path.strip_suffix('/') {
                Some(_) => source.path.starts_with(path),
                None => source.path == *path,
            };
            is_there && effects.contains(&effect)
        })
    };
    let mut faults = Vec::new();
    for (sign, effect) in SIGNS {
        for (at, found) in all.windows(sign.len()).enumerate() {
            let is_sign = found
                .iter()
                .zip(*sign)
                .all(|(word, sign)| word.text == *sign);
            if is_sign && !in_test(at) && !may(*effect) {
                faults.push(format!(
                    "{}:{}: `{}` is for the driver: {effect:?}",
                    source.path,
                    found[0].line,
                    sign.concat()
                ));
            }
        }
    }
    faults
}

#[test]
fn only_the_driver_of_the_screen_knows_the_terminal_the_clock_and_files() {
    let sources = sources("src/tui");
    assert!(sources.len() > 20, "no sources found");
    let faults: Vec<String> = sources.iter().flat_map(forbidden_effects).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn a_file_that_has_an_effect_is_found() {
    let faults = |path: &str, text: &str| forbidden_effects(&Source::new(path, text)).len();
    for text in [
        "fn f() { let now = Instant::now(); }",
        "use std::fs;",
        "fn f() { fs::read(path); }",
        "fn f() { Command::new(\"vi\"); }",
        "use crossterm::terminal::size;",
        "fn f() { thread::spawn(g); }",
    ] {
        assert!(faults("src/tui/panes/tree.rs", text) > 0, "{text}");
        assert_eq!(faults("src/tui/driver/screen_loop.rs", text), 0, "{text}");
    }
    let pure = "use std::time::Instant; use crossterm::event::KeyCode; mod tests { use std::fs; }";
    assert_eq!(faults("src/tui/panes/tree.rs", pure), 0);
}

#[test]
fn every_exception_is_needed() {
    for (path, effects, _) in ALLOWED {
        let folder = path.strip_suffix('/');
        let there = sources("src/tui")
            .into_iter()
            .filter(|source| match folder {
                Some(_) => source.path.starts_with(path),
                None => source.path == *path,
            });
        let mut found = Vec::new();
        for source in there {
            // As a file that may do nothing.
            let bare = Source::new("src/tui/bare.rs", &source.text);
            found.extend(forbidden_effects(&bare));
        }
        for effect in *effects {
            let name = format!("{effect:?}");
            assert!(
                found.iter().any(|fault| fault.ends_with(&name)),
                "{path} needs its exception no longer: {name}"
            );
        }
    }
}
