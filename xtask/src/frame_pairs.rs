//! Pictures of frames before and after: text captures of an earlier screen, and the screen of today in the same situation.

use std::sync::Arc;

use anyhow::anyhow;
use lop::config::{ColourDepth, GlyphSet};
use lop::reduce::RunSnapshot;
use lop::tui;
use lop::tui::ScreenContext;
use lop::tui::app::App;
use lop::tui::keys::KeyPress;
use lop::tui::layout::LayoutScope;
use lop::tui::palette::TerminalPalette;
use lop::tui::setup::ScreenSetup;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use crate::demo_studio::{DemoStudio, TestFile, demo_context, with_uniform_times};

/// The text of the captures, in the colour of the screen's own text.
const INK: Color = Color::Rgb(0xc8, 0xcc, 0xd4);
/// The program of the capture `ddmin-diff`.
const TINY: &str = "int a;\nint b;\nint c;\nint main(void)\n{\n    int x = 1;\n    int y = 2;\n    if (x < y) {\n        while (x < 10) {\n            \
                    x = x + y;\n        }\n        return x / 0;\n    }\n    return y;\n}\n";
/// The candidate of it that is shown.
const CANDIDATE: usize = 6;

/// A picture: its name below `screenshots/`, and itself.
pub type Picture = (String, String);

/// A frame of today: its size, its state, and what was done on the screen.
struct FrameScene {
    name: &'static str,
    /// The capture.
    before: &'static str,
    width: u16,
    height: u16,
    palette: TerminalPalette,
    layout: Option<&'static str>,
    keys: &'static [&'static str],
}

const SCENE: FrameScene = FrameScene {
    name: "",
    before: "",
    width: 120,
    height: 40,
    palette: TerminalPalette::FULL,
    layout: None,
    keys: &[],
};

/// All pictures, the one before and the one after of each pair.
pub fn draw_frame_pairs() -> anyhow::Result<Vec<Picture>> {
    let studio = DemoStudio::start_paused()?;
    studio.queue_steps()?;
    let first = studio.next_candidate()?.ok_or_else(nothing_to_draw)?;
    let below = |size: u32| {
        loop {
            studio.release_test()?;
            let run = studio.next_candidate()?.ok_or_else(nothing_to_draw)?;
            if run.version.token_count() < size {
                return anyhow::Ok(run);
            }
        }
    };
    let (top_level, late) = (below(3000)?, below(200)?);
    let sixteen = TerminalPalette::FULL.with_config(ColourDepth::Ansi16, GlyphSet::Auto);
    let scenes = [
        (
            &first,
            FrameScene {
                name: "space",
                before: include_str!("frames/space.txt"),
                width: 200,
                height: 60,
                ..SCENE
            },
        ),
        (
            &top_level,
            FrameScene {
                name: "sentence",
                before: include_str!("frames/sentence.txt"),
                ..SCENE
            },
        ),
        (
            &top_level,
            FrameScene {
                name: "small-terminal",
                before: include_str!("frames/small-terminal.txt"),
                width: 80,
                height: 24,
                palette: sixteen,
                ..SCENE
            },
        ),
        (
            &late,
            FrameScene {
                name: "undo-menu",
                before: include_str!("frames/undo-menu.txt"),
                keys: &["u"],
                ..SCENE
            },
        ),
    ];
    let mut pictures = Vec::new();
    for (run, scene) in scenes {
        scene.draw_pair(run, demo_context(), &mut pictures)?;
    }
    let scene = FrameScene {
        name: "ddmin-diff",
        before: include_str!("frames/ddmin-diff.txt"),
        layout: Some("steps"),
        ..SCENE
    };
    let context = ScreenContext {
        title: "tiny.c".into(),
        test: "./tiny.sh".into(),
        ..ScreenContext::default()
    };
    scene.draw_pair(&*tiny_candidate()?, context, &mut pictures)?;
    Ok(pictures)
}

fn nothing_to_draw() -> anyhow::Error {
    anyhow!("the run ended before there was anything to draw")
}

/// The small program with ddmin over its lines, at a candidate.
fn tiny_candidate() -> anyhow::Result<Arc<RunSnapshot>> {
    let is_interesting = |files: &[TestFile]| {
        let text = String::from_utf8_lossy(&files[0].1);
        text.contains("x / 0") && text.contains("int main(void)")
    };
    let studio = DemoStudio::start_paused_lines("tiny.c", TINY, is_interesting)?;
    studio.queue_steps()?;
    for _ in 1..CANDIDATE {
        studio.next_candidate()?.ok_or_else(nothing_to_draw)?;
        studio.release_test()?;
    }
    studio.next_candidate()?.ok_or_else(nothing_to_draw)
}

impl FrameScene {
    /// Draws the frame of the capture, and that of today with this run.
    fn draw_pair(
        &self,
        run: &RunSnapshot,
        context: ScreenContext,
        pictures: &mut Vec<Picture>,
    ) -> anyhow::Result<()> {
        let after = self.draw_today(run, context)?;
        for (when, frame) in [("before", self.draw_capture()), ("after", after)] {
            let name = format!("frames/{}-{when}.svg", self.name);
            pictures.push((name, tui::render_svg(&frame)));
        }
        Ok(())
    }

    fn area(&self) -> Rect {
        Rect::new(0, 0, self.width, self.height)
    }

    fn draw_capture(&self) -> Buffer {
        let mut frame = Buffer::empty(self.area());
        let lines = self.before.lines().take(self.height.into());
        for (y, line) in (0..).zip(lines) {
            frame.set_stringn(0, y, line, self.width.into(), Style::new().fg(INK));
        }
        frame
    }

    fn draw_today(&self, run: &RunSnapshot, context: ScreenContext) -> anyhow::Result<Buffer> {
        let run = with_uniform_times(run, true);
        let mut app = App::new(context, ScreenSetup::with_defaults(self.palette));
        app.apply_snapshot(run.clone());
        if let Some(layout) = self.layout {
            let switched = app
                .arrangement
                .switch_layout(Some(layout), LayoutScope::Program);
            switched.map_err(|reason| anyhow!("{reason}"))?;
        }
        for name in self.keys {
            let key = KeyPress::parse_name(name).map_err(|reason| anyhow!("{reason}"))?;
            app.handle_key(key);
        }
        while app.run_idle_work() {}
        let mut frame = Buffer::empty(self.area());
        app.draw_frame(&mut frame, run.now);
        Ok(frame)
    }
}
