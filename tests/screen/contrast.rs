//! The result is compared with its neighbours: (result, keys and news, screen).

use std::sync::Arc;

use lop::reduce::FinishReason;
use lop::tui::app::{KeyEffect, PageKind};
use lop::tui::contrast::{
    ContrastFinding, ContrastSummary, ContrastUpdate, PurposePiece, TokenPurpose,
};
use lop::tui::keys::KeyPress;
use lop::tui::palette::{TerminalColourDepth, TerminalPalette};
use ratatui::style::Modifier;

use crate::cells;
use crate::stage::{Stage, read, run};

/// A finished run whose screen can compare the result. The stories say what is found: the text of the panes is another one.
fn finished(palette: TerminalPalette) -> Stage {
    let mut stage = Stage::of(run(read("bug.c", "static int a, b;\n")), palette);
    stage.app.view.context.can_contrast = true;
    stage.finish(FinishReason::Complete);
    stage
}

/// What the neighbours of `static int a;` say.
fn summary() -> ContrastSummary {
    let piece = |text: &str, purpose| PurposePiece {
        text: text.into(),
        purpose,
    };
    ContrastSummary {
        lines: vec![vec![
            piece("static", Some(TokenPurpose::Essential)),
            piece(" ", None),
            piece("int", Some(TokenPurpose::Undecided)),
            piece(" ", None),
            piece("a", Some(TokenPurpose::Free)),
            piece(";", Some(TokenPurpose::CompileOnly)),
        ]],
        findings: vec![ContrastFinding {
            sentence: "without `static` it works (line 1)".into(),
            old_lines: vec!["static int a;".into()],
            new_lines: vec!["int a;".into()],
        }],
        counts: vec![
            (TokenPurpose::Essential, 1),
            (TokenPurpose::Free, 1),
            (TokenPurpose::CompileOnly, 1),
            (TokenPurpose::Undecided, 1),
        ],
        remarks: vec!["9 tests, 3 known verdicts and 5 checks".into()],
    }
}

/// What a key asks of the driver.
fn effect(stage: &mut Stage, key: &str) -> KeyEffect {
    stage
        .app
        .handle_key(KeyPress::parse_name(key).expect("a key"))
}

#[test]
fn a_key_on_the_result_explains_it() {
    let mut stage = finished(TerminalPalette::FULL);
    assert!(stage.screen(120, 30).contains("c explains, esc closes"));
    assert_eq!(effect(&mut stage, "c"), KeyEffect::Contrast);
    assert!(
        stage
            .screen(120, 30)
            .contains("neighbours of the result are listed")
    );
    stage
        .app
        .apply_contrast_update(ContrastUpdate::Tested(37, 120));
    let screen = stage.screen(120, 30);
    assert!(screen.contains("37 of 120 neighbours tested"), "{screen}");
    assert!(screen.contains("esc cancels"), "{screen}");
    stage
        .app
        .apply_contrast_update(ContrastUpdate::Checked(2, 40));
    let screen = stage.screen(120, 30);
    assert!(
        screen.contains("2 of 40 that lost the bug checked"),
        "{screen}"
    );
    stage
        .app
        .apply_contrast_update(ContrastUpdate::Found(Arc::new(summary())));
    insta::assert_snapshot!("contrast", stage.screen(120, 30));
    stage.keys("esc");
    assert_eq!(stage.pages(), [PageKind::Result]);
    assert_eq!(effect(&mut stage, "c"), KeyEffect::Redraw, "it is known");
    assert_eq!(stage.pages(), [PageKind::Result, PageKind::Contrast]);
    assert!(stage.screen(120, 30).contains("without `static` it works"));
}

#[test]
fn closing_the_page_cancels_the_comparison() {
    let mut stage = finished(TerminalPalette::FULL);
    assert_eq!(effect(&mut stage, "c"), KeyEffect::Contrast);
    // The help on top of it does not.
    stage.keys("? esc");
    assert!(stage.app.view.contrast.is_running());
    stage.keys("esc");
    assert!(!stage.app.view.contrast.is_running());
    assert!(
        stage
            .screen(120, 30)
            .contains("the comparison was cancelled")
    );
    // What was on its way is not shown, and another begins anew.
    stage
        .app
        .apply_contrast_update(ContrastUpdate::Found(Arc::new(summary())));
    assert_eq!(effect(&mut stage, "c"), KeyEffect::Contrast);
    assert!(!stage.screen(120, 30).contains("it works"));
}

#[test]
fn a_comparison_that_fails_says_why_and_can_be_started_again() {
    let mut stage = finished(TerminalPalette::FULL);
    stage.keys("c");
    let why = "the test failed: it cannot be started: no such file";
    stage
        .app
        .apply_contrast_update(ContrastUpdate::Failed(why.into()));
    assert!(stage.screen(120, 30).contains(why));
    stage.keys("esc");
    assert_eq!(effect(&mut stage, "c"), KeyEffect::Contrast);
}

#[test]
fn purposes_are_told_apart_without_colours() {
    let depths = [
        TerminalColourDepth::Monochrome,
        TerminalColourDepth::Ansi16,
        TerminalColourDepth::TrueColour,
    ];
    for depth in depths {
        let unicode = true;
        let mut stage = finished(TerminalPalette { depth, unicode });
        stage.keys("c");
        let found = ContrastUpdate::Found(Arc::new(summary()));
        stage.app.apply_contrast_update(found);
        let frame = stage.frame(120, 30);
        let line = cells(&frame, "1  static int a;");
        // `static`, `int`, `a` and `;`.
        let styles = [3, 10, 14, 15].map(|at: usize| (line[at].fg, line[at].modifier));
        for (at, style) in styles.iter().enumerate() {
            assert!(!styles[..at].contains(style), "{depth:?} {at}: {styles:?}");
        }
        if depth == TerminalColourDepth::Monochrome {
            assert_eq!(styles[0].1, Modifier::BOLD);
            assert_eq!(styles[2].1, Modifier::UNDERLINED);
        }
    }
}

#[test]
fn a_long_report_scrolls_and_fits_a_small_terminal() {
    let mut stage = finished(TerminalPalette::FULL);
    stage.keys("c");
    let mut long = summary();
    let line = long.lines[0].clone();
    long.lines = vec![line; 60];
    let found = ContrastUpdate::Found(Arc::new(long));
    stage.app.apply_contrast_update(found);
    assert!(!stage.screen(50, 20).contains("it works"));
    stage.keys("G");
    assert!(stage.screen(50, 20).contains("3 known verdicts"));
}

#[test]
fn a_recording_cannot_be_compared() {
    let mut stage = finished(TerminalPalette::FULL);
    stage.app.view.context.can_contrast = false;
    assert!(!stage.screen(120, 30).contains("c explains"));
    stage.keys("c");
    assert_eq!(stage.pages(), [PageKind::Result]);
    let screen = stage.screen(120, 30);
    assert!(
        screen.contains("lop contrast FILE TEST does it"),
        "{screen}"
    );
}
