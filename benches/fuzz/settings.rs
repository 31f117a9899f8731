//! Configurations, themes and themes of editors.

use std::path::{Path, PathBuf};

use lop::config::{ConfigLayer, ConfigSources};
use lop::tui::palette::TerminalPalette;
use lop::tui::setup::ScreenSetup;
use lop::tui::theme::{BUILT_IN, ColourTheme, ResolvedTheme, Role};

use super::Target;
use super::mutate::Mutator;
use super::random::Random;

pub const TARGET: Target = Target {
    name: "settings",
    what: "configurations and themes: read, or refused in one sentence",
    input,
    run,
};

const CONFIGS: &[&str] = &[
    "theme = 'light'\ncolour = '256'\nmouse = false\nglyphs = 'ascii'\nlayout = 'wide'\n",
    "[keys]\npause = 'p'\nquit = ['q', 'ctrl-c']\nhelp = []\n'go down' = ['j', 'down']\n",
    "theme = \"own\"\n[keys]\nstep = 'shift-tab'\n\"undo ban\" = \"alt-é\"\n",
];

const TM: &str = r##"<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>name</key><string>x</string><key>settings</key><array>
<dict><key>settings</key><dict><key>background</key><string>#1e1e2e</string><key>foreground</key><string>#cdd6f4</string></dict></dict>
<dict><key>scope</key><string>comment, string.quoted</string><key>settings</key><dict><key>foreground</key><string>#6c7086</string><key>fontStyle</key><string>italic bold</string></dict></dict>
<dict><key>scope</key><string>keyword - keyword.operator</string><key>settings</key><dict><key>foreground</key><string>#cba6f780</string></dict></dict>
</array></dict></plist>
"##;

const WORDS: &[&str] = &[
    "=",
    "'",
    "\"",
    "[",
    "]",
    "{",
    "}",
    "[keys]",
    "[roles]",
    "[syntax]",
    "base = 'dark'",
    "base = 'own'",
    "base = 'theme'",
    "tm_theme",
    ".",
    "\"\"\"",
    "#ffffff",
    "#é1234",
    "#+12345",
    "fg",
    "bg",
    "style",
    "mono",
    "bold",
    "theme",
    "colour",
    "none",
    "true",
    "1",
    "1e400",
    "1979-05-27T07:32:00Z",
    "0xdeadbeef",
    "\\uD800",
    "\\U00110000",
    "ctrl-",
    "ctrl-ctrl-c",
    "-",
    "f1",
    "f999999999999",
    "space",
    "é",
    "<dict>",
    "</dict>",
    "<key>",
    "<string>",
    "<data>",
    "<integer>",
    "&amp;",
    "&#0;",
    "<!ENTITY x \"y\">",
    "bplist00",
];

/// What it is in a line, and its text.
fn input(random: &mut Random) -> Vec<u8> {
    let themes: Vec<&[u8]> = BUILT_IN.iter().map(|(_, text)| text.as_bytes()).collect();
    let configs: Vec<&[u8]> = CONFIGS.iter().map(|text| text.as_bytes()).collect();
    let (kind, others) = match random.below(5) {
        0 => ("own.tmTheme", vec![TM.as_bytes()]),
        1 | 2 => ("config.toml", configs),
        _ => ("themes/own.toml", themes),
    };
    let mutator = Mutator {
        words: WORDS,
        pairs: &[
            ("[", "]"),
            ("{", "}"),
            ("{a=", "}"),
            ("a.", ""),
            ("<dict>", "</dict>"),
            ("<array>", "</array>"),
            ("[[a]]\n", ""),
        ],
        depth: 20_000,
        others: &others,
    };
    let mut text = random.pick(&others).to_vec();
    mutator.mutate(random, &mut text);
    let mut all = format!("{kind}\n").into_bytes();
    all.extend(text);
    all
}

fn run(input: &[u8]) {
    let end = input
        .iter()
        .position(|&byte| byte == b'\n')
        .unwrap_or(input.len());
    let (name, text) = (
        String::from_utf8_lossy(&input[..end]),
        input.get(end + 1..).unwrap_or_default(),
    );
    let dir = tempfile::tempdir().expect("a directory");
    let at = |name: &str| -> PathBuf { dir.path().join(name) };
    std::fs::create_dir(at("themes")).expect("a directory");
    std::fs::write(at("config.toml"), "theme = 'own'\n").expect("written");
    std::fs::write(at("themes/own.toml"), "base = 'dark'\n").expect("written");
    if name == "own.tmTheme" {
        std::fs::write(
            at("themes/own.toml"),
            "base = 'dark'\ntm_theme = '../own.tmTheme'\n",
        )
        .expect("written");
    }
    std::fs::write(at(&name), text).expect("written");
    let sources = ConfigSources::new(Some(at("config.toml")), ConfigLayer::default(), |_| None)
        .expect("no environment");
    let setup = ScreenSetup::new(sources, |name| {
        (name == "TERM").then(|| "xterm-256color".to_owned())
    });
    if let Err(error) = &setup {
        let said = error.to_string();
        // A line for each mistake, which says where.
        let whole = |line: &str| line.starts_with('/') && line.contains(": ");
        assert!(
            !said.is_empty() && said.lines().all(whole),
            "a line says too little: {said:?}"
        );
    }
    if let Ok(text) = std::str::from_utf8(text)
        && let Ok(theme) = ColourTheme::parse(Path::new("own.toml"), text, &|_| None)
    {
        assert_eq!(theme.paints.len(), Role::ALL.len());
        ResolvedTheme::new(&theme, TerminalPalette::FULL);
    }
}
