//! The demo, steered: the frames of the moving picture in the README. Real keys on the real screen, and a real run that hears them.

use std::sync::Arc;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::failure::{FAILED, Failure};
use super::studio::{Studio, by_the_metronome, context};
use crate::reduce::{Command, Ending, Snapshot};
use crate::tui::app::{App, Effect};
use crate::tui::film;
use crate::tui::keys::Key;
use crate::tui::palette::Palette;
use crate::tui::setup::Setup;

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
struct Camera {
    app: App,
    frames: Vec<(Buffer, Duration)>,
}

impl Camera {
    /// The screen shows a run from here on.
    fn show(&mut self, run: &Snapshot, at_work: bool) {
        self.app.take(by_the_metronome(run, at_work));
        while self.app.work() {}
    }

    /// A frame is looked at for so long.
    fn shoot(&mut self, time: Duration) {
        let mut frame = Buffer::empty(SIZE);
        let now = self.app.snapshot.as_ref().map(|snapshot| snapshot.now);
        if let Some(now) = now {
            self.app.draw(&mut frame, now);
        }
        self.frames.push((frame, time));
    }

    /// Keys are pressed; what the run is told by the last of them.
    fn press(&mut self, keys: &[&str]) -> Result<Option<Command>, Failure> {
        let mut told = None;
        for name in keys {
            let key = Key::read(name).map_err(|reason| Failure::new(FAILED, &reason))?;
            told = match self.app.key(key) {
                Effect::Send(command) => Some(command),
                _ => None,
            };
            while self.app.work() {}
        }
        Ok(told)
    }
}

/// The moving picture: a run that is paused, in which something is pinned, a step taken and undone, and which then goes on to its end.
pub(super) fn picture() -> Result<String, Failure> {
    let studio = Studio::open()?;
    let mut camera = Camera {
        app: App::new(context(), Setup::usual(Palette::FULL)),
        frames: Vec::new(),
    };
    studio.play()?;
    watch(&studio, &mut camera, u32::MAX)?;
    for size in SHOWN {
        studio.answer()?;
        watch(&studio, &mut camera, size)?;
    }
    pause(&studio, &mut camera)?;
    pin(&studio, &mut camera)?;
    step(&studio, &mut camera)?;
    undo(&studio, &mut camera)?;
    camera.press(&["F", "space"])?;
    studio.play()?;
    watch(&studio, &mut camera, AGAIN)?;
    studio.answer()?;
    while studio.question()?.is_some() {
        studio.answer()?;
    }
    let last = studio.end()?;
    camera.show(&last, false);
    camera.shoot(2 * READ);
    Ok(film(&camera.frames))
}

fn missed() -> Failure {
    Failure::new(FAILED, "the demo went another way than its picture")
}

/// The run goes on until so many tokens are left; its question there waits for its answer.
fn watch(studio: &Studio, camera: &mut Camera, size: u32) -> Result<(), Failure> {
    loop {
        let run = studio.question()?.ok_or_else(missed)?;
        if run.version.tokens() <= size {
            camera.show(&run, true);
            camera.shoot(GLANCE);
            return Ok(());
        }
        studio.answer()?;
    }
}

/// The user tells the run something, which it obeys.
fn tell(studio: &Studio, camera: &mut Camera, keys: &[&str]) -> Result<Arc<Snapshot>, Failure> {
    let command = camera.press(keys)?.ok_or_else(missed)?;
    let said = command.to_string();
    studio.tell(command)?;
    let is_last = |run: &Snapshot| {
        run.obeyed
            .1
            .as_ref()
            .is_some_and(|last| last.command == said)
    };
    studio.until(is_last)
}

fn pause(studio: &Studio, camera: &mut Camera) -> Result<(), Failure> {
    let before = tell(studio, camera, &["space"])?.counts.decisions;
    studio.answer()?;
    let run = studio.until(|run| run.counts.decisions > before && run.trying.is_none())?;
    camera.show(&run, false);
    camera.shoot(READ);
    Ok(())
}

fn pin(studio: &Studio, camera: &mut Camera) -> Result<(), Failure> {
    let typed: Vec<String> = PINNED.chars().map(String::from).collect();
    let mut keys = vec!["/"];
    keys.extend(typed.iter().map(String::as_str));
    keys.push("enter");
    camera.press(&keys)?;
    let run = tell(studio, camera, &["p"])?;
    camera.show(&run, false);
    camera.shoot(READ);
    Ok(())
}

/// Steps until one makes the program smaller: that one is shown, and what comes of it.
fn step(studio: &Studio, camera: &mut Camera) -> Result<(), Failure> {
    loop {
        let command = camera.press(&["."])?.ok_or_else(missed)?;
        let before = studio.decisions();
        studio.tell(command)?;
        let asked = camera.frames.len();
        if let Some(run) = studio.step(before)? {
            camera.show(&run, false);
            camera.shoot(GLANCE);
            studio.answer()?;
        }
        let run = studio.until(|run| run.counts.decisions > before && run.trying.is_none())?;
        camera.show(&run, false);
        let last = run.decided.last().ok_or_else(missed)?;
        if last.ending == Ending::Interesting {
            camera.shoot(READ);
            return Ok(());
        }
        camera.frames.truncate(asked);
    }
}

fn undo(studio: &Studio, camera: &mut Camera) -> Result<(), Failure> {
    camera.press(&["u"])?;
    camera.shoot(READ);
    let run = tell(studio, camera, &["down", "enter"])?;
    camera.show(&run, false);
    camera.shoot(READ);
    Ok(())
}
