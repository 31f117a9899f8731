//! The colours of programs whose language has no highlight query.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use lop::language::{self, Language};
use lop::program::{self, EditAction, EditOp, IndexRanges, Version, walk};
use lop::tui::app::PaneKind;
use lop::tui::highlighting::{HighlightStep, HighlightUpdate, check_syntax_file};
use lop::tui::palette::{TerminalColourDepth, TerminalPalette};
use ratatui::buffer::Buffer;
use ratatui::style::Color;

use crate::stage::{Stage, read, run};

/// A grammar of the user's, and the file of colours beside it.
const SUMS: &str = r#"
%name sums
program ::= (assignment ";")*
assignment ::= name "=" sum
sum     ::= sum "+" operand | operand
operand ::= number | name | text
%token name   ::= [a-z]+
%token number ::= [0-9]+
%token text   ::= "<<" [^>]* ">>"
"#;
const SUMS_SYNTAX: &str = r#"%YAML 1.2
---
name: Sums
scope: source.sums
contexts:
  main:
    - match: '[a-z]+(?=\s*=)'
      scope: entity.name.function
    - match: '[0-9]+'
      scope: constant.numeric
    - match: '<<'
      push:
        - meta_scope: string.quoted
        - match: '>>'
          pop: true
"#;

/// A text in a language, or without one.
fn read_as(name: &str, text: &str, language: Option<&'static Language>) -> Version {
    let source = (
        language,
        Arc::from(Path::new(name)),
        Arc::from(text.as_bytes()),
    );
    program::read_documents(vec![source]).expect("the program can be read")
}

/// The grammar in a directory, with this file of colours beside it.
fn sums_beside(name: &str, syntax: &str) -> (tempfile::TempDir, &'static Language) {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join(name), syntax).expect("a file");
    let language = language::load_bnf_beside("calc", SUMS, Some(directory.path()));
    (directory, language.expect("a grammar"))
}

fn stage_of(version: Version) -> Stage {
    let mut stage = Stage::of(run(version), TerminalPalette::FULL);
    stage.frame_before_highlights(140, 40);
    stage.keys("tab");
    assert_eq!(stage.app.focused_pane(), PaneKind::Program);
    stage
}

/// The rows of the program, below each of them a letter for each cell that has the colour of a capture.
fn coloured_rows(stage: &Stage, frame: &Buffer) -> String {
    const LETTERS: &[(&str, char)] = &[
        ("comment", 'c'),
        ("number", 'n'),
        ("string", 's'),
        ("keyword", 'k'),
        ("function", 'f'),
        ("operator", 'o'),
        ("property", 'p'),
        ("type", 't'),
        ("type.builtin", 't'),
        ("tag", 'a'),
    ];
    let syntax = &stage.app.view.theme.syntax;
    let area = stage.app.arrangement.areas.pane_area(PaneKind::Program);
    let mut rows = String::new();
    for y in area.y + 1..area.bottom() {
        let (mut text, mut letters) = (String::new(), String::new());
        // The minimap stands at the right edge.
        for x in area.x + 6..area.right().saturating_sub(3) {
            let cell = &frame[(x, y)];
            let has_colour = |(name, _): &&(&str, char)| {
                let style = syntax.capture_style(name);
                style.fg.is_some_and(|colour| colour == cell.fg) && cell.symbol() != " "
            };
            text.push_str(cell.symbol());
            letters.push(
                LETTERS
                    .iter()
                    .find(has_colour)
                    .map_or(' ', |(_, letter)| *letter),
            );
        }
        for line in [text, letters] {
            rows.push_str(line.trim_end());
            rows.push('\n');
        }
    }
    rows
}

fn colours(stage: &mut Stage) -> String {
    let frame = stage.frame(140, 40);
    coloured_rows(stage, &frame)
}

#[test]
fn a_boolean_program_has_the_colours_of_its_syntax_file() {
    let text = include_str!("../samples/locks.bp");
    let mut stage = stage_of(read("locks.bp", text));
    insta::assert_snapshot!("boolean_program", colours(&mut stage));
}

#[test]
fn a_text_without_a_tree_has_colours_by_its_extension() {
    let text = "# what is built\nall: main.o\n\tcc -o $@ main.o \"a b\"\n\nifdef DEBUG\nCFLAGS = -g\nendif\n";
    let mut stage = stage_of(read_as("Makefile", text, None));
    insta::assert_snapshot!("text_by_name", colours(&mut stage));
    let text = "key: \"text\" # a comment\nlist:\n  - 12\n  - true\n";
    let mut stage = stage_of(read_as("bug.yaml", text, None));
    insta::assert_snapshot!("text_by_extension", colours(&mut stage));
    // A C program that is reduced as a text is a C program all the same; nobody knows what the other one is.
    let mut stage = stage_of(read_as("bug.c", "int main(void) { return 0; }\n", None));
    assert!(colours(&mut stage).contains('n'));
    let mut stage = stage_of(read_as(
        "bug.unknown",
        "int main(void) { return 0; }\n",
        None,
    ));
    let rows = colours(&mut stage);
    assert!(rows.lines().skip(1).step_by(2).all(str::is_empty), "{rows}");
}

#[test]
fn a_grammar_of_the_user_has_the_colours_of_the_file_beside_it() {
    let text = "a = 1 + <<two\nlines = 2>> + b;\nb = 22;\n";
    for name in ["sums.sublime-syntax", "calc.sublime-syntax"] {
        let (_directory, language) = sums_beside(name, SUMS_SYNTAX);
        let mut stage = stage_of(read_as("bug.sum", text, Some(language)));
        insta::assert_snapshot!("users_grammar", colours(&mut stage));
    }
    // A session keeps the text of the file.
    let recorded = language::load_recorded_bnf("calc", SUMS, Some(SUMS_SYNTAX));
    let mut stage = stage_of(read_as("bug.sum", text, recorded.ok()));
    insta::assert_snapshot!("users_grammar", colours(&mut stage));
    // Without a file of its name it has the colours of its tokens.
    let (_directory, language) = sums_beside("other.sublime-syntax", SUMS_SYNTAX);
    assert_eq!(language.syntax_file(), None);
    let mut stage = stage_of(read_as("bug.sum", text, Some(language)));
    insta::assert_snapshot!("users_grammar_by_tokens", colours(&mut stage));
}

#[test]
fn colours_follow_the_depth_of_the_terminal() {
    let text = "key: \"text\" # a comment\n";
    let programs = |depth| {
        let palette = TerminalPalette {
            depth,
            ..TerminalPalette::FULL
        };
        let version = read_as("bug.yaml", text, None);
        let mut stage = Stage::of(run(version), palette);
        let frame = stage.frame(140, 40);
        let area = stage.app.arrangement.areas.pane_area(PaneKind::Program);
        let cells = (area.x + 7..area.x + 30).map(|x| frame[(x, area.y + 1)].fg);
        cells.collect::<Vec<Color>>()
    };
    let full = programs(TerminalColourDepth::TrueColour);
    assert!(
        full.iter().any(|colour| matches!(colour, Color::Rgb(..))),
        "{full:?}"
    );
    let few = programs(TerminalColourDepth::Ansi16);
    let basic = |colour: &Color| !matches!(colour, Color::Rgb(..) | Color::Indexed(16..));
    assert!(few.iter().all(basic), "{few:?}");
    assert!(few.windows(2).any(|pair| pair[0] != pair[1]), "{few:?}");
    let none = programs(TerminalColourDepth::Monochrome);
    assert!(
        none.iter().all(|colour| *colour == Color::Reset),
        "{none:?}"
    );
}

#[test]
fn keys_are_handled_and_frames_drawn_while_a_long_text_is_highlighted() {
    let text = "key: 12\n".repeat(20_000);
    let mut stage = stage_of(read_as("bug.yaml", &text, None));
    let plain = stage.frame_before_highlights(140, 40);
    let rows = coloured_rows(&stage, &plain);
    assert!(rows.contains("key: 12") && !rows.contains("nn"), "{rows}");
    let request = stage.app.take_highlight_request().expect("it is asked");
    assert!(stage.app.take_highlight_request().is_none(), "once");
    let mut highlighter = std::mem::take(&mut stage.highlighter);
    highlighter.take_request(request);
    // The visible lines come first.
    let HighlightStep::Update(update) = highlighter.advance() else {
        panic!("no lines");
    };
    stage.app.apply_highlights(update);
    let frame = stage.frame_before_highlights(140, 40);
    assert!(coloured_rows(&stage, &frame).contains("nn"));
    // The rest has hardly begun: a key works, the lines that it shows have no colours yet, and the work turns to them.
    assert!(matches!(highlighter.advance(), HighlightStep::Working));
    stage.keys("G");
    let frame = stage.frame_before_highlights(140, 40);
    let rows = coloured_rows(&stage, &frame);
    assert!(rows.contains("key: 12"), "{rows}");
    highlighter.take_request(stage.app.take_highlight_request().expect("it is asked"));
    let HighlightStep::Update(HighlightUpdate::Lines(lines)) = highlighter.advance() else {
        panic!("no lines");
    };
    assert!(lines.first > 19_000, "{}", lines.first);
    // In the end all is certain, and what was guessed was right: there is nothing more to tell.
    let mut slices = 0;
    while let HighlightStep::Working = highlighter.advance() {
        slices += 1;
    }
    assert!(slices >= 190, "{slices}");
    assert!(matches!(highlighter.advance(), HighlightStep::Idle));
}

#[test]
fn a_long_text_is_read_about_as_far_as_it_is_looked_at() {
    let text = "key: 12\n".repeat(60_000);
    let mut stage = stage_of(read_as("bug.yaml", &text, None));
    let mut highlighter = std::mem::take(&mut stage.highlighter);
    for (key, most) in [("", 15), ("G", 0), ("g", 0)] {
        stage.keys(key);
        stage.frame_before_highlights(140, 40);
        highlighter.take_request(stage.app.take_highlight_request().expect("it is asked"));
        let told = matches!(highlighter.advance(), HighlightStep::Update(_));
        assert!(told, "after {key}");
        let mut slices = 0;
        while let HighlightStep::Working = highlighter.advance() {
            slices += 1;
        }
        assert!(slices <= most, "after {key}: {slices}");
    }
}

#[test]
fn a_guess_that_was_wrong_is_mended() {
    let (_directory, language) = sums_beside("sums.sublime-syntax", SUMS_SYNTAX);
    // A text of a thousand lines, in which 12 is no number.
    let text = format!("a = <<\n{}>>;\n", "b = 12\n".repeat(1000));
    let mut stage = stage_of(read_as("bug.sum", &text, Some(language)));
    stage.frame_before_highlights(140, 40);
    stage.app.take_highlight_request();
    stage.keys("G");
    stage.frame_before_highlights(140, 40);
    let mut highlighter = std::mem::take(&mut stage.highlighter);
    highlighter.take_request(stage.app.take_highlight_request().expect("it is asked"));
    let mut told = Vec::new();
    loop {
        match highlighter.advance() {
            HighlightStep::Update(HighlightUpdate::Lines(lines)) => told.push(lines),
            HighlightStep::Update(HighlightUpdate::Problem(problem)) => panic!("{problem}"),
            HighlightStep::Working => {}
            HighlightStep::Idle => break,
        }
    }
    let captures = |at: usize| told[at].lines[0].runs.iter().map(|run| run.capture);
    assert_eq!(told.len(), 2);
    assert_eq!(captures(0).collect::<Vec<_>>(), ["function", "number"]);
    assert_eq!(captures(1).collect::<Vec<_>>(), ["string"]);
}

#[test]
fn what_is_outside_of_a_change_keeps_its_colours() {
    let text = include_str!("../samples/locks.bp");
    let mut stage = stage_of(read("locks.bp", text));
    let before = colours(&mut stage);
    // The list of global declarations loses its first element.
    let version = &stage.run.version;
    let list = walk::preorder(&version.documents()[0].root);
    let list = list
        .into_iter()
        .find(|node| node.shape.is_list() && node.len() > 2);
    let list = list.expect("a list");
    let (list, first, of) = (list.id, list.children()[0].id, list.len() as u32);
    let action = EditAction::DropItems {
        go: 1,
        of,
        first: Some(first),
    };
    let items = IndexRanges::from_range(0..1);
    stage.try_edit(EditOp::DeleteItems { list, items }, action, first);
    stage.answer(lop::oracle::Verdict::Interesting);
    let frame = stage.frame_before_highlights(140, 40);
    let after = coloured_rows(&stage, &frame);
    let pair = |rows: &str, part: &str| {
        let lines: Vec<&str> = rows.lines().collect();
        let at = lines
            .iter()
            .position(|line| line.contains(part))
            .expect("it is shown");
        lines[at + 1].to_owned()
    };
    for part in ["irq_on, queued", "assume !locked", "bool<2> status"] {
        assert_eq!(pair(&before, part), pair(&after, part), "{part}");
        assert!(!pair(&after, part).is_empty(), "{part}");
    }
}

#[test]
fn a_syntax_file_that_is_none_is_told_once_and_costs_only_the_colours() {
    let (directory, language) = sums_beside("sums.sublime-syntax", "name: Sums\ncontexts: [\n");
    let file = language.syntax_file().expect("it is there");
    let error = check_syntax_file(file).expect_err("it is none");
    assert!(error.line.is_some(), "{error}");
    let mut stage = stage_of(read_as("bug.sum", "a = 1;\n", Some(language)));
    let screen = stage.screen(140, 40);
    assert!(screen.contains("a = 1;"), "{screen}");
    stage.keys("G");
    stage.screen(140, 40);
    let notes: Vec<&String> = stage.app.view.notes.iter().collect();
    let path = directory.path().join("sums.sublime-syntax");
    let told = format!("{}, line 3: it is not YAML: ", path.display());
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].starts_with(&told), "{notes:?}");
    for (text, what) in [
        ("", "it is empty"),
        ("name: a\nscope: source.a\n", "`contexts` is missing"),
        (
            "name: a\nscope: source.a\ncontexts:\n  other: []\n",
            "the context `main` is missing",
        ),
        (
            "name: a\nscope: source.a\ncontexts:\n  main:\n    - match: 'a('\n",
            "line 5: the pattern `a(` cannot be read",
        ),
        (
            "name: a\nscope: source.a\ncontexts:\n  main:\n    - include: other\n  other:\n    - include: main\n",
            "line 4: the context `main` includes itself",
        ),
        (
            "name: a\nscope: source.a\ncontexts:\n  main:\n    - match: a\n      push: nowhere\n",
            "something that it refers to is not there",
        ),
    ] {
        let (_directory, language) = sums_beside("sums.sublime-syntax", text);
        let file = language.syntax_file().expect("it is there");
        let error = check_syntax_file(file).expect_err("it is none").to_string();
        assert!(error.contains(what), "{error}");
    }
}
