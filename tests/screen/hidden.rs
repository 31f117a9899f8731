//! Characters that control the terminal, reorder a row or are invisible are shown escaped, everywhere on the screen.

use std::path::Path;
use std::sync::Arc;

use lop::display::is_hidden;
use lop::oracle::{TestOutput, Verdict};
use lop::program::{self, NodeShape};
use lop::reduce::{FinishReason, RunState};
use lop::tui::ScreenContext;
use lop::tui::app::{App, PageKind};
use lop::tui::palette::TerminalPalette;
use lop::tui::setup::ScreenSetup;
use lop::tui::theme::Role;
use ratatui::buffer::Buffer;

use crate::ask_for;
use crate::stage::{Stage, find, run, text};

/// An escape, a control sequence of one character, an override and nothing at all.
const HOSTILE: &str = "\x1b]0;t\x07\u{9b}2J\u{202e}\u{200b}";
const SHOWN: &str = "<U+001B>]0;t<U+0007><U+009B>2J<U+202E><U+200B>";

/// A screen on which all that others can choose is hostile.
fn stage(palette: TerminalPalette) -> Stage {
    let program = format!(
        "\u{feff}int a;\r\n// {HOSTILE}\r\nint main(void) {{\r\n\tf(\"{HOSTILE}\");\r\n\treturn 0;\r\n}}\r\n"
    );
    let bytes = [program.as_bytes(), b"char *s = \"\xff<\\xFF> <U+202E>\";\n"].concat();
    let files = vec![(Arc::from(Path::new("bug.c")), Arc::from(&bytes[..]))];
    let mut run = run(program::read_program(files).expect("it can be read"));
    run.notes.push_back(format!("a note: {HOSTILE}"));
    let context = ScreenContext {
        title: HOSTILE.into(),
        test: HOSTILE.into(),
        output: HOSTILE.into(),
        next_steps: vec![HOSTILE.into()],
        ..ScreenContext::default()
    };
    let app = App::new(context, ScreenSetup::with_defaults(palette));
    let (sent, left) = (Vec::new(), false);
    let mut stage = Stage {
        app,
        run,
        sent,
        left,
        highlighter: Default::default(),
        prints: String::new(),
    };
    stage.show();
    ask_for(&mut stage, "f(\"");
    stage
}

/// What of a frame is hidden, or was lost on its way: cells hold what is to be seen.
fn hidden(frame: &Buffer) -> String {
    let symbols = frame.content.iter().map(|cell| cell.symbol());
    symbols
        .flat_map(str::chars)
        .filter(|c| is_hidden(*c))
        .collect()
}

#[test]
fn a_row_of_the_program_is_the_line_with_what_is_hidden_shown() {
    let mut stage = stage(TerminalPalette::FULL);
    let screen = stage.screen(240, 40);
    for row in [
        "1  <U+FEFF>int a; ",
        &format!("2  // {SHOWN} "),
        &format!("4      f(\"{SHOWN}\"); "),
        "7  char *s = \"<\\xFF><U+003C>\\xFF> <U+003C>U+202E>\"; ",
    ] {
        assert!(screen.contains(row), "{row}: {screen}");
    }
    assert!(
        !screen.contains("<U+000D>"),
        "CR LF is a line end: {screen}"
    );
}

#[test]
fn what_is_half_left_of_the_pane_is_shown_from_there_on() {
    let mut stage = stage(TerminalPalette::FULL);
    for (left, row) in [
        (0, "1  <U+FEFF>int a; "),
        (1, "1 …U+FEFF>int a; "),
        (5, "1 …FF>int a; "),
        (8, "1 …int a; "),
    ] {
        stage.app.selection.follow = false;
        stage.app.panes.program.column_offset = left;
        let screen = stage.screen(240, 40);
        let row = row.replace('…', stage.app.view.theme.glyphs.before);
        assert!(screen.contains(&row), "{left}: {row}: {screen}");
    }
}

#[test]
fn nothing_on_the_screen_is_hidden() {
    let ascii = TerminalPalette {
        unicode: false,
        ..TerminalPalette::FULL
    };
    for palette in [TerminalPalette::FULL, ascii] {
        let mut stage = stage(palette);
        stage
            .app
            .toasts
            .push_toast(format!("a toast: {HOSTILE}"), Role::Note);
        let look = |stage: &mut Stage, what: &str, shown: &str| {
            for (width, height) in [(200, 60), (100, 30), (60, 20), (30, 10)] {
                let frame = stage.frame(width, height);
                assert_eq!(
                    hidden(&frame),
                    "",
                    "{what} at {width}x{height}: {}",
                    text(&frame)
                );
                if width == 200 {
                    assert!(text(&frame).contains(shown), "{what}: {}", text(&frame));
                }
            }
        };
        look(&mut stage, "panes", "a toast: <U+001B>");
        stage.keys("d");
        look(&mut stage, "candidate", &format!("f(\"{SHOWN}\");"));
        stage.keys("esc");
        stage.answer(Verdict::Uninteresting);
        let mut decided = (**stage.run.decided.last().expect("a decision")).clone();
        decided.output = TestOutput::from_text([HOSTILE.as_bytes(), b"\tend \xff\n"].concat());
        stage.run.decided.set(0, Arc::new(decided));
        stage.show();
        stage.frame(200, 60);
        stage.keys("tab tab enter");
        assert_eq!(stage.pages(), [PageKind::Verdict]);
        look(&mut stage, "verdict", &format!("{SHOWN}    end <\\xFF>"));
        stage.keys("esc");
        stage.app.selection.node = Some(find(&stage.run.version, "f(\"", |shape| {
            shape == NodeShape::Regular
        }));
        stage.types("/");
        stage.types(HOSTILE);
        look(&mut stage, "prompt", &format!("/{SHOWN}"));
        stage.keys("esc");
        stage.run.state = RunState::Stalled(format!("the test failed: {HOSTILE}"));
        stage.show();
        look(&mut stage, "trouble", &format!("the test failed: {SHOWN}"));
        stage.finish(FinishReason::Failed(HOSTILE.into()));
        look(&mut stage, "result", &format!("The result is in {SHOWN}"));
    }
}
