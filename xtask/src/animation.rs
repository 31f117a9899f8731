//! The demo, steered: the frames of the moving picture in the README. Real keys on the real screen, and a real run that hears them.

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
/// The program is shown at its first question, and when it has at most so many tokens; at the last of these sizes the run is paused.
const SHOWN: [u32; 3] = [1500, 500, 120];
/// It is shown again when it has fewer than where it was paused.
const AGAIN: u32 = 76;
/// What is looked for and pinned then.
const PINNED: &str = "bought";
/// How long a frame is looked at: one of a run at work, and one in which something is to be read.
const GLANCE: Duration = Duration::from_millis(1100);
const READ: Duration = Duration::from_millis(2400);

/// The screen, and what was seen of it.
struct DemoCamera {
    app: App,
    frames: Vec<(Buffer, Duration)>,
}

impl DemoCamera {
    /// The screen shows a run from here on.
    fn show_run(&mut self, run: &RunSnapshot, at_work: bool) {
        self.app.apply_snapshot(with_uniform_times(run, at_work));
        while self.app.run_idle_work() {}
    }

    /// A frame is looked at for so long.
    fn add_frame(&mut self, time: Duration) {
        let mut frame = Buffer::empty(SIZE);
        let now = self.app.view.snapshot.as_ref().map(|snapshot| snapshot.now);
        if let Some(now) = now {
            self.app.draw_frame(&mut frame, now);
        }
        self.frames.push((frame, time));
    }

    /// Keys are pressed; what the run is told by the last of them.
    fn press_keys(&mut self, keys: &[&str]) -> anyhow::Result<Option<EngineCommand>> {
        let mut told = None;
        for name in keys {
            let key = KeyPress::parse_name(name).map_err(|reason| anyhow!("{reason}"))?;
            told = match self.app.handle_key(key) {
                KeyEffect::Send(command) => Some(command),
                _ => None,
            };
            while self.app.run_idle_work() {}
        }
        Ok(told)
    }
}

/// The moving picture: a run that is paused, in which something is pinned, a step taken and undone, and which then goes on to its end.
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

/// The run goes on until so many tokens are left; its question there waits for its answer.
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

/// The user tells the run something, which it obeys.
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

/// Steps until one makes the program smaller: that one is shown, and what comes of it.
fn record_step(studio: &DemoStudio, camera: &mut DemoCamera) -> anyhow::Result<()> {
    loop {
        let command = camera.press_keys(&["."])?.ok_or_else(demo_diverged)?;
        let before = studio.decision_count();
        studio.send_command(command)?;
        let asked = camera.frames.len();
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
        camera.frames.truncate(asked);
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
