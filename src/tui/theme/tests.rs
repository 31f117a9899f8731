//! What holds of every theme.

use super::palette::{TerminalColourDepth, TerminalPalette, to_rgb};
use super::*;
use crate::config::{ConfigValue, SettingOrigin};
use ratatui::style::Color;

const DEPTHS: [TerminalColourDepth; 4] = [
    TerminalColourDepth::Monochrome,
    TerminalColourDepth::Ansi16,
    TerminalColourDepth::Ansi256,
    TerminalColourDepth::TrueColour,
];

fn test_palette(depth: TerminalColourDepth) -> TerminalPalette {
    TerminalPalette {
        depth,
        unicode: true,
    }
}

fn find_theme(name: &str) -> ColourTheme {
    let named = ConfigValue {
        value: name.to_owned(),
        from: SettingOrigin::Default,
    };
    ThemeCatalog::default()
        .find_theme(&named, |_| None)
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_theme_is_whole_at_every_depth() {
    for (name, _) in BUILT_IN {
        let theme = find_theme(name);
        assert_eq!(theme.name, *name);
        for depth in DEPTHS {
            let look = ResolvedTheme::new(&theme, test_palette(depth));
            for (role, role_name) in Role::ALL {
                let style = look.role_style(*role);
                let bare = style.fg.is_none() && style.bg.is_none();
                assert!(
                    depth != TerminalColourDepth::Monochrome || bare,
                    "{name}: {role_name} has a colour where there are none"
                );
            }
            // These are told apart on every terminal.
            for role in [Role::Selection, Role::Paused, Role::Deleted, Role::Match] {
                assert_ne!(
                    look.role_style(role),
                    look.role_style(Role::Text),
                    "{name} {role:?}"
                );
            }
            let purposes = [
                Role::Essential,
                Role::Free,
                Role::CompileOnly,
                Role::Undecided,
                Role::Text,
            ];
            for (at, role) in purposes.iter().enumerate() {
                let style = look.role_style(*role);
                let others = purposes[..at].iter();
                let same = others.filter(|other| look.role_style(**other) == style);
                assert_eq!(same.count(), 0, "{name} {depth:?} {role:?}");
            }
            assert_ne!(
                look.role_style(Role::Selection),
                look.role_style(Role::Match),
                "{name}"
            );
        }
    }
}

/// How light a colour is, from 0 to 1 (WCAG 2.2, relative luminance).
fn relative_luminance((r, g, b): (u8, u8, u8)) -> f64 {
    let linear = |channel: u8| {
        let share = f64::from(channel) / 255.0;
        if share <= 0.04045 {
            share / 12.92
        } else {
            ((share + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/// How well a colour can be seen on another, from 1 to 21 (WCAG 2.2, contrast ratio).
fn contrast_ratio(one: Color, other: Color) -> f64 {
    let light = |colour| relative_luminance(to_rgb(colour).expect("a colour with a value"));
    let (one, other) = (light(one), light(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// The roles that are no text: lines, curves and bars.
const LINES: [Role; 6] = [
    Role::Border,
    Role::Chart,
    Role::Cool,
    Role::Warm,
    Role::Hot,
    Role::Blazing,
];

/// The roles whose text stands in the line at the top, too.
const ON_TOP: [Role; 5] = [
    Role::Dim,
    Role::Running,
    Role::Interesting,
    Role::Note,
    Role::Failed,
];

#[test]
fn everything_can_be_read_in_every_theme() {
    let mut faults = Vec::new();
    for (name, _) in BUILT_IN {
        let theme = find_theme(name);
        for depth in [
            TerminalColourDepth::TrueColour,
            TerminalColourDepth::Ansi256,
        ] {
            let look = ResolvedTheme::new(&theme, test_palette(depth));
            let Some(paper) = look.role_style(Role::Text).bg else {
                assert_eq!(*name, "monochrome", "{name} has no background");
                continue;
            };
            let mut check = |what: &str, ink: Color, paper: Color, least: f64| {
                let ratio = contrast_ratio(ink, paper);
                if ratio < least {
                    faults.push(format!("{name} {depth:?} {what}: {ratio:.2} < {least}"));
                }
            };
            let ink = look.role_style(Role::Text).fg.expect("text has a colour");
            let linked = look
                .role_style(Role::Linked)
                .bg
                .expect("linked is a background");
            for (role, role_name) in Role::ALL {
                let style = look.role_style(*role);
                let ink = style.fg.unwrap_or(ink);
                if LINES.contains(role) {
                    check(role_name, ink, paper, 3.0);
                    continue;
                }
                check(role_name, ink, style.bg.unwrap_or(paper), 4.5);
                if style.bg.is_none() {
                    check(&format!("{role_name} where linked"), ink, linked, 4.5);
                }
                if ON_TOP.contains(role) {
                    let top = look.role_style(Role::Header).bg.unwrap_or(paper);
                    check(&format!("{role_name} on top"), ink, top, 4.5);
                }
            }
            for (capture, _) in syntax::CAPTURES {
                let ink = look.syntax.capture_style(capture).fg.unwrap_or(ink);
                check(capture, ink, paper, 4.5);
                check(&format!("{capture} where linked"), ink, linked, 4.5);
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// A colour as someone sees it who has no cones for green (Viénot, Brettel and Mollon, Color Research & Application 24, 1999).
fn without_green((r, g, b): (u8, u8, u8)) -> (f64, f64) {
    let linear = |channel: u8| (f64::from(channel) / 255.0).powf(2.2);
    let (r, g, b) = (linear(r), linear(g), linear(b));
    // Red and green are one: what is left is how yellow and how blue it is.
    (0.29275 * r + 0.70725 * g, -0.02234 * r + 0.02234 * g + b)
}

#[test]
fn who_sees_no_green_tells_verdicts_apart_in_the_theme_for_them() {
    let look = ResolvedTheme::new(&find_theme("colour-blind"), TerminalPalette::FULL);
    let roles = [Role::Interesting, Role::Deleted, Role::Uninteresting];
    for (at, one) in roles.iter().enumerate() {
        for other in &roles[..at] {
            let seen = |role| {
                let colour = look.role_style(role).fg.and_then(to_rgb).expect("a colour");
                without_green(colour)
            };
            let ((y1, b1), (y2, b2)) = (seen(*one), seen(*other));
            let apart = ((y1 - y2).powi(2) + (b1 - b2).powi(2)).sqrt();
            assert!(apart > 0.12, "{one:?} and {other:?}: {apart:.2}");
        }
    }
}

#[test]
fn a_bad_theme_is_a_message_with_its_line() {
    let read = |text: &str| {
        let dark = |name: &str| (name == "dark").then(|| find_theme("dark"));
        let read = ColourTheme::parse("mine.toml".as_ref(), text, &dark);
        read.map(|_| ()).unwrap_err().to_string()
    };
    for (text, said) in [
        (
            "base = 3",
            "mine.toml:1: base must be the name of another theme",
        ),
        ("base = 'drak'", "mine.toml:1: base must be"),
        ("bsae = 'dark'", "mine.toml:1: a theme has no `bsae`"),
        ("[roles", "mine.toml:1: "),
        (
            "[roles]\nborder = { fg = '#fff' }",
            "mine.toml:2: `#fff` is not a colour: write \"#rrggbb\"",
        ),
        ("[roles]\nborder = { fg = '#+fffff' }", "is not a colour"),
        ("[roles]\nborder = { fg = '日本' }", "is not a colour"),
        (
            "[roles]\nbordre = {}",
            "mine.toml:2: there is no role `bordre`; there are text, dim,",
        ),
        ("[roles]\nborder = 3", "mine.toml:2: this must be a table"),
        (
            "[roles]\nborder = { gf = '#ffffff' }",
            "mine.toml:2: a paint has no `gf`",
        ),
        (
            "[roles]\nborder = { style = ['blink'] }",
            "mine.toml:2: `blink` is not a style: write a list of bold,",
        ),
        ("[roles]\nborder = { style = 'bold' }", "is not a style"),
        (
            "[syntax]\ncoment = {}",
            "mine.toml:2: there is no capture `coment`",
        ),
        ("tm_theme = 'none.tmTheme'", "mine.toml:1: none.tmTheme: "),
        (
            "[roles]\nborder = {}",
            "mine.toml: the theme has no paint for `text`; build it on another one",
        ),
    ] {
        let message = read(text);
        assert!(message.contains(said), "{text}: {message}");
    }
}

#[test]
fn a_theme_of_the_users_own_needs_to_say_only_what_is_different() {
    let directory = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| {
        std::fs::write(directory.path().join(name), text).expect("written");
    };
    write(
        "mine.toml",
        "base = 'light'\ntm_theme = 'my.tmTheme'\n[roles]\npaused = { fg = '#010203' }\n",
    );
    write("my.tmTheme", TM_THEME);
    write(
        "dark.toml",
        "base = 'dark'\n[roles]\ntext = { bg = '#000000' }\n",
    );
    write("loop.toml", "base = 'loop'\n");
    let themes = crate::tui::driver::read_themes(Some(directory.path().into()));
    assert!(themes.names().contains(&"mine".into()));
    let find = |name: &str| {
        let value = name.to_owned();
        let from = SettingOrigin::Default;
        themes.find_theme(&ConfigValue { value, from }, |_| None)
    };
    let mine = ResolvedTheme::new(&find("mine").expect("a theme"), TerminalPalette::FULL);
    let light = ResolvedTheme::new(&self::find_theme("light"), TerminalPalette::FULL);
    assert_eq!(mine.role_style(Role::Paused).fg, Some(Color::Rgb(1, 2, 3)));
    assert_eq!(
        mine.role_style(Role::Paused).bg,
        light.role_style(Role::Paused).bg
    );
    assert_eq!(mine.role_style(Role::Kind), light.role_style(Role::Kind));
    assert_eq!(
        mine.syntax.capture_style("comment").fg,
        Some(Color::Rgb(9, 8, 7))
    );
    assert_eq!(mine.syntax.capture_style("keyword").fg, None, "as any text");
    let dark = ResolvedTheme::new(&find("dark").expect("a theme"), TerminalPalette::FULL);
    assert_eq!(dark.role_style(Role::Text).bg, Some(Color::Rgb(0, 0, 0)));
    assert!(find("loop").is_err());
    let message = find("no").expect_err("none").to_string();
    assert!(
        message.contains("there is no theme `no`; there are auto, dark, light,"),
        "{message}"
    );
}

const TM_THEME: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>name</key><string>my</string><key>settings</key><array>
<dict><key>settings</key><dict><key>foreground</key><string>#aaaaaa</string></dict></dict>
<dict><key>scope</key><string>comment</string><key>settings</key><dict><key>foreground</key><string>#090807</string></dict></dict>
</array></dict></plist>"#;

#[test]
fn a_role_is_known_by_its_former_name_too() {
    let dark = |name: &str| (name == "dark").then(|| find_theme("dark"));
    for role in ["boring", "uninteresting"] {
        let text = format!("base = 'dark'\n[roles]\n{role} = {{ fg = '#010203' }}\n");
        let theme = ColourTheme::parse("mine.toml".as_ref(), &text, &dark).expect("a theme");
        let theme = ResolvedTheme::new(&theme, TerminalPalette::FULL);
        let style = theme.role_style(Role::Uninteresting);
        assert_eq!(style.fg, Some(Color::Rgb(1, 2, 3)), "{role}");
    }
}

#[test]
fn the_terminal_says_whether_it_is_light() {
    let auto = ConfigValue {
        value: "auto".to_owned(),
        from: SettingOrigin::Default,
    };
    for (colours, name) in [
        (None, "dark"),
        (Some("15;0"), "dark"),
        (Some("0;default;15"), "light"),
    ] {
        let found = ThemeCatalog::default().find_theme(&auto, |_| colours.map(str::to_owned));
        assert_eq!(found.expect("a theme").name, name);
    }
}
