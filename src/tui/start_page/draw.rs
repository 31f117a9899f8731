//! Drawing the page: the file and how it begins, and below it what is asked.
//!
//! ```text
//!  lop  bug.c                                     c, 57 lines, 1,234 bytes
//!    1  int a;
//!    …
//!  ────────────────────────────────────────────────────────────────────────
//!  What shows the bug?
//!  ▶ Use the test test.sh beside it
//!    A command   gcc -O2 -c {}
//!    A test
//!
//!  up/down choose  enter go on  esc leave
//! ```

use std::time::Instant;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::choice::{ChoiceRow, FailureChoice};
use super::helper::CommandRun;
use super::start_keys::SWITCH_KEY;
use super::{RunningCommand, StartPage, StartStage};
use crate::program::Version;
use crate::tui::commands::bindings::KeyBindings;
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::panes::program_highlights::{ProgramHighlights, ShownText};
use crate::tui::panes::text_line::draw_text_line;
use crate::tui::program_view::edit_marks::EditMarks;
use crate::tui::program_view::lines;
use crate::tui::prompt::draw::draw_typed_text;
use crate::tui::prompt::line::PromptLine;
use crate::tui::setup::ScreenSetup;
use crate::tui::theme::Role;

/// Fewer lines of the file are not worth their place.
const FEWEST_LINES: usize = 3;
/// The cells before what is typed.
const LABEL: usize = 24;

/// A line of what is asked.
enum AskedLine<'a> {
    /// A text.
    Text(String, Role),
    /// A row that can be selected; whether it is.
    Row(String, bool),
    /// A line that is typed, behind its name; whether it is selected.
    Typed(&'static str, &'a PromptLine, bool),
}

/// Draws the page.
pub fn draw_start_page(
    page: &mut StartPage,
    highlights: &mut ProgramHighlights,
    buffer: &mut Buffer,
    setup: &ScreenSetup,
    now: Instant,
) {
    let canvas = &mut ClippedCanvas::new(buffer, &setup.theme);
    canvas.clear();
    let (width, height) = (canvas.width(), canvas.height());
    let glyphs = canvas.theme.glyphs;
    let style = canvas.theme.role_style(Role::Header);
    canvas.set_line_style(0, 0, width, style);
    let x = canvas.draw_styled(1, 0, "lop  ", style);
    let facts = text::text_width(&page.subject.facts) + 2;
    let title = text::displayable_line(&page.subject.title, glyphs.braille);
    let title = text::truncate_middle(&title, width.saturating_sub(x + facts), glyphs.cut);
    canvas.draw_styled(x, 0, &title, style);
    canvas.draw_text_before(
        width.saturating_sub(1),
        0,
        &page.subject.facts,
        Role::Header,
    );
    let mut asked = asked_lines(page, height / 3, now);
    if let Some(message) = &page.message {
        let message = text::displayable_line(message, glyphs.braille);
        let lines = text::wrap_text(&message, width.saturating_sub(2), 4, glyphs.cut);
        asked.push(AskedLine::Text(String::new(), Role::Text));
        asked.extend(
            lines
                .into_iter()
                .map(|line| AskedLine::Text(line, Role::Note)),
        );
    }
    let below = height.saturating_sub(asked.len() + 2);
    let first = match below.checked_sub(2 + FEWEST_LINES) {
        Some(more) => {
            let count = more + FEWEST_LINES;
            let area = Rect {
                y: canvas.area.y + 1,
                height: count as u16,
                ..canvas.area
            };
            if let Some(version) = &page.subject.beginning {
                draw_beginning(version, highlights, &mut canvas.sub_canvas(area));
            }
            let rule = glyphs.frame[0].repeat(width);
            canvas.draw_text(0, count + 1, &rule, Role::Border);
            count + 2
        }
        None => 1,
    };
    let room = height.saturating_sub(first + 1);
    let skipped = first_asked_line(&asked, room, page.message.is_some());
    let is_row = |line: &&AskedLine| !matches!(line, AskedLine::Text(..));
    let mut rows = asked.iter().take(skipped).filter(is_row).count()..;
    let mut shown_rows = Vec::new();
    for (line, y) in asked.iter().skip(skipped).zip(first..first + room) {
        draw_asked_line(line, y, canvas);
        if !matches!(line, AskedLine::Text(..)) {
            let line = canvas.area.y + y as u16;
            shown_rows.extend(rows.next().map(|row| (line, row)));
        }
    }
    page.shown_rows = shown_rows;
    draw_hints(page, &setup.keys, height.saturating_sub(1), canvas);
}

/// The first line that is shown where there is room for so many: the selected one is visible, and a message at the end if that is possible.
fn first_asked_line(asked: &[AskedLine], room: usize, has_message: bool) -> usize {
    let is_selected =
        |line: &AskedLine| matches!(line, AskedLine::Row(_, true) | AskedLine::Typed(_, _, true));
    let Some(selected) = asked.iter().position(is_selected) else {
        return 0;
    };
    let least = (selected + 1).saturating_sub(room);
    match has_message {
        true => asked.len().saturating_sub(room).clamp(least, selected),
        false => least,
    }
}

fn draw_asked_line(line: &AskedLine, y: usize, canvas: &mut ClippedCanvas) {
    let width = canvas.width();
    let glyphs = canvas.theme.glyphs;
    let mark = |selected: bool| if selected { glyphs.forwards } else { " " };
    match line {
        AskedLine::Text(line, role) => {
            let line = text::truncate_end(line, width.saturating_sub(2), glyphs.cut);
            canvas.draw_text(1, y, &line, *role);
        }
        AskedLine::Row(line, selected) => {
            let line = text::displayable_line(line, glyphs.braille);
            let line = text::truncate_end(&line, width.saturating_sub(5), glyphs.cut);
            canvas.draw_text(1, y, mark(*selected), Role::Key);
            canvas.draw_text(3, y, &line, Role::Text);
            if *selected {
                canvas.mark_selected_line(y, true);
            }
        }
        AskedLine::Typed(name, typed, selected) => {
            let role = if *selected { Role::Key } else { Role::Text };
            canvas.draw_text(1, y, mark(*selected), Role::Key);
            canvas.draw_text(3, y, name, role);
            match selected {
                true => draw_typed_text(typed, (LABEL, y), canvas),
                false => {
                    let shown = text::displayable_line(&typed.line, glyphs.braille);
                    canvas.draw_text(LABEL, y, &shown, Role::Text);
                }
            }
        }
    }
}

/// The lines of the file from its beginning.
fn draw_beginning(
    version: &Version,
    highlights: &mut ProgramHighlights,
    canvas: &mut ClippedCanvas,
) {
    let Some(document) = version.documents().first() else {
        return;
    };
    let bytes = 4 * canvas.width() + 16;
    let marks = EditMarks::default();
    let shown = lines::visible_lines(&document.root, &marks, None, 0, canvas.height(), bytes);
    let end = shown.iter().flat_map(|line| line.segments.last()).last();
    let end = end.map_or(0, |segment| segment.byte as usize + segment.bytes.len());
    let text = ShownText {
        number: 0,
        version,
        document: 0,
        first_line: 0,
        lines: &shown,
        cut: bytes,
        range: 0..end,
    };
    highlights.update_highlights(canvas.theme, &text, false);
    let text = canvas.theme.role_style(Role::Text);
    for (row, line) in shown.iter().enumerate() {
        // An empty text after the last line end is not a line.
        if row + 1 == shown.len() && row > 0 && line.segments.is_empty() {
            break;
        }
        canvas.draw_text(1, row, &format!("{:>4}", row + 1), Role::Dim);
        draw_text_line(
            canvas,
            (7, row),
            line,
            0,
            |byte| text.patch(highlights.style_at(byte)),
            |_| Style::new(),
        );
    }
}

/// What is asked. At most so many lines are of what the command printed.
fn asked_lines(page: &StartPage, most: usize, now: Instant) -> Vec<AskedLine<'_>> {
    match &page.stage {
        StartStage::Asking => question_lines(page),
        StartStage::Running(running) => running_lines(running, most, now),
        StartStage::Choosing(choice) => choice_lines(choice, most),
    }
}

fn question_lines(page: &StartPage) -> Vec<AskedLine<'_>> {
    let mut asked = vec![AskedLine::Text(
        "What shows the bug? lop makes the file smaller as long as that still does.".into(),
        Role::Title,
    )];
    let offers = page.offers.iter().enumerate();
    asked.extend(offers.map(|(at, offer)| AskedLine::Row(offer.clone(), at == page.row)));
    let typed = |at: usize| page.row == page.offers.len() + at;
    asked.push(AskedLine::Typed(
        "A command that fails",
        &page.command,
        typed(0),
    ));
    asked.push(AskedLine::Typed(
        "A test, by its path",
        &page.test,
        typed(1),
    ));
    asked.push(AskedLine::Text(String::new(), Role::Text));
    let help = match page.row.checked_sub(page.offers.len()) {
        None => "nothing runs before you press enter",
        Some(0) => "such as gcc -O2 -c {}, where {} is the file; lop finds out how it fails",
        Some(_) => "an executable that exits with 0 if the file, which is $1, still shows the bug",
    };
    asked.push(AskedLine::Text(help.into(), Role::Dim));
    asked
}

fn running_lines(running: &RunningCommand, most: usize, now: Instant) -> Vec<AskedLine<'_>> {
    let time = text::format_duration(now.saturating_duration_since(running.since));
    let what = match running.first {
        None => format!("Running {} ({time})", running.line),
        Some(_) => format!(
            "Running {} again: does it always do the same? ({time})",
            running.line
        ),
    };
    let mut asked = vec![AskedLine::Text(what, Role::Running)];
    if let Some(run) = &running.first {
        asked.extend(run_lines(run, most));
    }
    asked
}

fn choice_lines(choice: &FailureChoice, most: usize) -> Vec<AskedLine<'_>> {
    let mut asked = vec![AskedLine::Text(choice.line.clone(), Role::Title)];
    asked.extend(run_lines(&choice.run, most));
    asked.extend(
        choice
            .note
            .iter()
            .map(|note| AskedLine::Text(note.clone(), Role::Note)),
    );
    let question = match choice.property {
        Some(_) => "This must stay:",
        None => "The command succeeds, so there is nothing to look for but what it prints.",
    };
    asked.push(AskedLine::Text(question.into(), Role::Title));
    let parts = choice.property.iter().flat_map(|all| all.named_parts());
    let parts: Vec<_> = parts
        .map(|(name, part)| {
            let switch = if part.on { "[x]" } else { "[ ]" };
            format!("{switch} {name:<10}{}", part.criterion)
        })
        .collect();
    for (at, row) in choice.rows().into_iter().enumerate() {
        let selected = at == choice.row;
        asked.push(match row {
            ChoiceRow::Part(part) => {
                AskedLine::Row(parts.get(part).cloned().unwrap_or_default(), selected)
            }
            ChoiceRow::Word => AskedLine::Typed("The output contains", &choice.word, selected),
            ChoiceRow::Place => AskedLine::Typed("The test goes to", &choice.place, selected),
            ChoiceRow::Start => {
                AskedLine::Row("Write the test, and reduce the file".into(), selected)
            }
        });
    }
    asked
}

/// How a run ended, and the beginning of what it printed.
fn run_lines<'a>(run: &CommandRun, most: usize) -> Vec<AskedLine<'a>> {
    let mut shown = vec![AskedLine::Text(
        format!("It ended with {}.", run.end),
        Role::Text,
    )];
    let more = run.printed.len().saturating_sub(most);
    let printed = run.printed.iter().take(most);
    shown.extend(printed.map(|line| AskedLine::Text(format!("  | {line}"), Role::Dim)));
    if more > 0 {
        let more = text::format_count(more as u64, "more line");
        shown.push(AskedLine::Text(format!("    ({more})"), Role::Dim));
    }
    shown
}

/// The keys that mean something now.
fn draw_hints(page: &StartPage, keys: &KeyBindings, y: usize, canvas: &mut ClippedCanvas) {
    let choose = ["previous-proposal", "next-proposal"].map(|name| keys.first_key_name(name));
    let choose = (choose.join("/"), "choose");
    let accept = |what| (keys.first_key_name("accept"), what);
    let close = |what| (keys.first_key_name("close"), what);
    let hints = match &page.stage {
        StartStage::Asking => vec![choose, accept("go on"), close("leave, nothing is written")],
        StartStage::Running(_) => vec![close("stop it")],
        StartStage::Choosing(choice) => match choice.selected_row() {
            ChoiceRow::Part(_) => vec![choose, (SWITCH_KEY.name(), "switch"), close("back")],
            ChoiceRow::Word | ChoiceRow::Place => vec![choose, accept("next"), close("back")],
            ChoiceRow::Start => vec![choose, accept("write it and start"), close("back")],
        },
    };
    let mut x = 1;
    for (key, what) in hints {
        x = canvas.draw_text(x, y, &key, Role::Key) + 1;
        x = canvas.draw_text(x, y, what, Role::Dim) + 2;
    }
}
