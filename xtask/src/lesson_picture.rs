//! The picture of a lesson: the lesson `ddmin` on the real screen, at a question to the audience.

use std::sync::Arc;

use anyhow::anyhow;
use lop::lesson::{Lesson, find_lesson};
use lop::tui;
use lop::tui::ScreenContext;
use lop::tui::app::App;
use lop::tui::keys::KeyPress;
use lop::tui::palette::TerminalPalette;
use lop::tui::setup::ScreenSetup;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::demo_studio::{DemoStudio, TestFile, with_uniform_times};

/// The picture.
const SIZE: Rect = Rect {
    x: 0,
    y: 0,
    width: 120,
    height: 40,
};
/// The step that is shown asks about the first complement. Each command before it is one test.
const STEP: usize = 6;
/// What the test of the lesson looks for. No candidate that is decided before has both.
const NEEDED: [&str; 2] = ["resize(2, 0, 0);", "raise_window(2);"];

/// Plays the lesson up to its question, and draws that.
pub fn draw_lesson() -> anyhow::Result<String> {
    let lesson = find_lesson("ddmin").ok_or_else(|| anyhow!("there is no lesson ddmin"))?;
    let studio = start_lesson(&lesson)?;
    let context = ScreenContext {
        title: lesson.program.texts()[0].file.clone(),
        test: lesson.describe_test(),
        lesson: Some(Arc::new(lesson)),
        ..ScreenContext::default()
    };
    let mut app = App::new(context, ScreenSetup::with_defaults(TerminalPalette::FULL));
    let key = KeyPress::parse_name("space").map_err(|reason| anyhow!("{reason}"))?;
    let start = studio.wait_until(|_| true)?;
    app.apply_snapshot(with_uniform_times(&start, false));
    while shown_step(&app) < Some(STEP) {
        app.handle_key(key);
        run_commands(&studio, &mut app)?;
    }
    while app.run_idle_work() {}
    let mut frame = Buffer::empty(SIZE);
    if let Some(shown) = app.view.snapshot.clone() {
        app.draw_frame(&mut frame, shown.now);
    }
    Ok(tui::render_svg(&frame))
}

/// The run of the lesson, paused.
fn start_lesson(lesson: &Lesson) -> anyhow::Result<DemoStudio> {
    let text = &lesson.program.texts()[0];
    let is_interesting = |files: &[TestFile]| {
        let text = String::from_utf8_lossy(&files[0].1);
        NEEDED.iter().all(|needed| text.contains(needed))
    };
    DemoStudio::start_paused_lines(&text.file, &text.text, is_interesting)
}

fn shown_step(app: &App) -> Option<usize> {
    let (number, _) = app.lesson.as_ref()?.place().shown_step()?;
    Some(number)
}

/// Has the run do what the lesson tells it: one candidate after the other is shown, then its verdict unless that is hidden.
fn run_commands(studio: &DemoStudio, app: &mut App) -> anyhow::Result<()> {
    while let Some(command) = app.take_lesson_command() {
        let before = studio.decision_count();
        studio.send_command(command)?;
        if let Some(run) = studio.step_to_candidate(before)? {
            app.apply_snapshot(with_uniform_times(&run, false));
            studio.release_test()?;
        }
        let run =
            studio.wait_until(|run| run.counts.decisions > before && run.current_test.is_none())?;
        app.apply_snapshot(with_uniform_times(&run, false));
    }
    Ok(())
}
