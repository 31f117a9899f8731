//! The frames of the animation in the README: the demo, steered with real keys on the real screen of a real run.

use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use lop::oracle::Verdict;
use lop::reduce::{EngineCommand, RunSnapshot};
use lop::tui::app::{App, KeyEffect};
use lop::tui::keys::KeyPress;
use lop::tui::palette::TerminalPalette;
use lop::tui::render_animation;
use lop::tui::setup::ScreenSetup;

use crate::demo_studio::{DemoStudio, demo_context, with_uniform_times};

/// Columns and lines of the picture.
const SIZE: Rect = Rect {
    x: 0,
    y: 0,
    width: 130,
    height: 38,
};
/// The program is shown at its first candidate, and when it has at most these numbers of tokens. At the last size the run is paused.
const SHOWN: [u32; 3] = [1500, 500, 120];
/// After the pause the program is shown again at this size.
const AGAIN: u32 = 76;
/// The text that is searched and pinned in the pause.
const PINNED: &str = "bought";
/// How long a frame is shown: one of a running run, and one with text to read.
const GLANCE: Duration = Duration::from_millis(1100);
const READ: Duration = Duration::from_millis(2400);

/// The screen, and its recorded frames.
struct DemoCamera {
    app: App,
    frames: Vec<(Buffer, Duration)>,
}

impl DemoCamera {
    /// Shows this state of the run.
    fn show_run(&mut self, run: &RunSnapshot, at_work: bool) {
        self.app.apply_snapshot(with_uniform_times(run, at_work));
        while self.app.run_idle_work() {}
    }

    /// Records a frame that is shown for this time.
    fn add_frame(&mut self, time: Duration) {
        let mut frame = Buffer::empty(SIZE);
        let now = self.app.view.snapshot.as_ref().map(|snapshot| snapshot.now);
        if let Some(now) = now {
            self.app.draw_frame(&mut frame, now);
        }
        self.frames.push((frame, time));
    }

    /// Presses keys; the command that the last one sends.
    fn press_keys(&mut self, keys: &[&str]) -> anyhow::Result<Option<EngineCommand>> {
        let mut sent = None;
        for name in keys {
            let key = KeyPress::parse_name(name).map_err(|reason| anyhow!("{reason}"))?;
            sent = match self.app.handle_key(key) {
                KeyEffect::Send(mut commands) => commands.pop(),
                _ => None,
            };
            while self.app.run_idle_work() {}
        }
        Ok(sent)
    }
}

/// The animation: a run is paused, a node is pinned, a step is made and undone, and the run continues to its end.
pub fn draw_animation() -> anyhow::Result<String> {
    let studio = DemoStudio::start_paused()?;
    let mut camera = DemoCamera {
        app: App::new(
            demo_context(),
            ScreenSetup::with_defaults(TerminalPalette::FULL),
        ),
        frames: Vec::new(),
    };
    studio.queue_steps()?;
    play_to_size(&studio, &mut camera, u32::MAX)?;
    for size in SHOWN {
        studio.release_test()?;
        play_to_size(&studio, &mut camera, size)?;
    }
    record_pause(&studio, &mut camera)?;
    record_pin(&studio, &mut camera)?;
    record_step(&studio, &mut camera)?;
    record_undo(&studio, &mut camera)?;
    camera.press_keys(&["F", "space"])?;
    studio.queue_steps()?;
    play_to_size(&studio, &mut camera, AGAIN)?;
    studio.release_test()?;
    while studio.next_candidate()?.is_some() {
        studio.release_test()?;
    }
    let last = studio.wait_for_end()?;
    camera.show_run(&last, false);
    camera.add_frame(2 * READ);
    Ok(render_animation(&camera.frames))
}

fn demo_diverged() -> anyhow::Error {
    anyhow!("the demo went another way than its picture")
}

/// Runs until at most `size` tokens are left. The test of the candidate there is still waiting.
fn play_to_size(studio: &DemoStudio, camera: &mut DemoCamera, size: u32) -> anyhow::Result<()> {
    loop {
        let run = studio.next_candidate()?.ok_or_else(demo_diverged)?;
        if run.version.token_count() <= size {
            camera.show_run(&run, true);
            camera.add_frame(GLANCE);
            return Ok(());
        }
        studio.release_test()?;
    }
}

/// Sends a command by keys, and waits until the run has executed it.
fn send_by_keys(
    studio: &DemoStudio,
    camera: &mut DemoCamera,
    keys: &[&str],
) -> anyhow::Result<Arc<RunSnapshot>> {
    let command = camera.press_keys(keys)?.ok_or_else(demo_diverged)?;
    let said = command.to_string();
    studio.send_command(command)?;
    let is_last = |run: &RunSnapshot| {
        run.last_command
            .1
            .as_ref()
            .is_some_and(|last| last.command == said)
    };
    studio.wait_until(is_last)
}

fn record_pause(studio: &DemoStudio, camera: &mut DemoCamera) -> anyhow::Result<()> {
    let before = send_by_keys(studio, camera, &["space"])?.counts.decisions;
    studio.release_test()?;
    let run =
        studio.wait_until(|run| run.counts.decisions > before && run.current_test.is_none())?;
    camera.show_run(&run, false);
    camera.add_frame(READ);
    Ok(())
}

fn record_pin(studio: &DemoStudio, camera: &mut DemoCamera) -> anyhow::Result<()> {
    let typed: Vec<String> = PINNED.chars().map(String::from).collect();
    let mut keys = vec!["/"];
    keys.extend(typed.iter().map(String::as_str));
    keys.push("enter");
    camera.press_keys(&keys)?;
    let run = send_by_keys(studio, camera, &["p"])?;
    camera.show_run(&run, false);
    camera.add_frame(READ);
    Ok(())
}

/// Steps until a candidate is accepted; shows that candidate and the result.
fn record_step(studio: &DemoStudio, camera: &mut DemoCamera) -> anyhow::Result<()> {
    loop {
        let command = camera.press_keys(&["."])?.ok_or_else(demo_diverged)?;
        let before = studio.decision_count();
        studio.send_command(command)?;
        let frame_count = camera.frames.len();
        if let Some(run) = studio.step_to_candidate(before)? {
            camera.show_run(&run, false);
            camera.add_frame(GLANCE);
            studio.release_test()?;
        }
        let run =
            studio.wait_until(|run| run.counts.decisions > before && run.current_test.is_none())?;
        camera.show_run(&run, false);
        let last = run.decided.last().ok_or_else(demo_diverged)?;
        if last.verdict == Verdict::Interesting {
            camera.add_frame(READ);
            return Ok(());
        }
        camera.frames.truncate(frame_count);
    }
}

fn record_undo(studio: &DemoStudio, camera: &mut DemoCamera) -> anyhow::Result<()> {
    camera.press_keys(&["u"])?;
    camera.add_frame(READ);
    let run = send_by_keys(studio, camera, &["down", "enter"])?;
    camera.show_run(&run, false);
    camera.add_frame(READ);
    Ok(())
}
