//! `lop screenshot`: the pictures in `screenshots/`, drawn from a real run of the demo.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::demo;
use super::failure::{FAILED, Failure, OrFail};
use crate::oracle::{Limit, LocalRunner, Scratch, Test};
use crate::pass;
use crate::plain::Out;
use crate::program;
use crate::reduce::{self, Run, Setup, Snapshot, State};
use crate::tui::palette::Palette;
use crate::tui::{self, Context};

/// Columns and lines of a picture.
const SIZE: (u16, u16) = (140, 40);
/// The run is drawn at the first question about a version with at most this part of the tokens: one in so many.
const PART: u32 = 20;

/// Draws a run at work and its result.
pub(super) fn run(to: &Path) -> Result<u8, Failure> {
    let (at_work, last) = snapshots()?;
    fs::create_dir_all(to).or_fail(FAILED)?;
    for (name, snapshot) in [("run.svg", at_work), ("result.svg", last)] {
        let path = to.join(name);
        let context = Context {
            title: "program.c".into(),
            test: "./test.sh".into(),
            output: "program.lop.c".into(),
            next: demo::next(),
        };
        fs::write(
            &path,
            tui::picture(&tui::frame(&snapshot, SIZE, context, Palette::FULL)),
        )
        .or_fail(FAILED)?;
        Out::stdout().line(&format!("lop: drew {}", path.display()));
    }
    Ok(0)
}

/// The demo at work, and at its end.
fn snapshots() -> Result<(Arc<Snapshot>, Arc<Snapshot>), Failure> {
    let directory = tempfile::tempdir().or_fail(FAILED)?;
    demo::write(directory.path()).or_fail(FAILED)?;
    let test = Test::find(&directory.path().join("test.sh")).or_fail(FAILED)?;
    let scratch = Scratch::choose(None, demo::PROGRAM.len() as u64, 1).or_fail(FAILED)?;
    let version = program::read(vec![(
        Path::new("program.c").into(),
        demo::PROGRAM.as_bytes().into(),
    )])
    .or_fail(FAILED)?;
    let runner = Box::new(LocalRunner::new(test, scratch, 1).or_fail(FAILED)?);
    let setup = Setup {
        version,
        runner,
        limit: Limit::adaptive(),
        paused: false,
        fail: true,
        options: pass::Options::default(),
        store: None,
    };
    let run = reduce::start(setup).or_fail(FAILED)?;
    let at_work = wait_for_work(&run);
    let missed = || Failure::new(FAILED, "the demo ended before there was anything to draw");
    let last = run.finish().ok_or_else(missed)?;
    Ok((at_work.ok_or_else(missed)?, last))
}

/// The first snapshot that is worth a picture; none if the run ends before.
fn wait_for_work(run: &Run) -> Option<Arc<Snapshot>> {
    let mut best = None;
    // An event is no more than the occasion to look; they end with the run.
    for _ in run.events.iter() {
        let Some(snapshot) = run.board.newest() else {
            continue;
        };
        let small = snapshot.version.tokens() <= snapshot.original.0 / PART;
        if best.is_none() && small && snapshot.trying.is_some() && snapshot.state == State::Running
        {
            best = Some(snapshot);
        }
    }
    best
}
