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
use crate::reduce::{self, NoJournal, Run, Setup, Snapshot, State};
use crate::tui::palette::Palette;
use crate::tui::{self, Context};

/// Columns and lines of a picture.
const SIZE: (u16, u16) = (140, 40);
/// The run is drawn when the program has between these parts of its tokens left, one in so many: much is done, and much is left.
const LEFT: (u32, u32) = (50, 5);

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
    let runner =
        Box::new(LocalRunner::new(test, scratch, 1, super::helper().as_deref()).or_fail(FAILED)?);
    let setup = Setup {
        version,
        runner,
        limit: Limit::adaptive(),
        paused: false,
        script: Vec::new(),
        fail: true,
        jobs: 1,
        journal: Box::new(NoJournal),
        options: pass::Options::default(),
        store: None,
        resume: None,
    };
    let run = reduce::start(setup).or_fail(FAILED)?;
    let at_work = wait_for_work(&run);
    let missed = || Failure::new(FAILED, "the demo ended before there was anything to draw");
    let last = run.finish().ok_or_else(missed)?;
    Ok((at_work.ok_or_else(missed)?, last))
}

/// The snapshot in whose question the way to the node is longest, since the tree unfolds what is asked about; none if the run ends
/// before there is one.
fn wait_for_work(run: &Run) -> Option<Arc<Snapshot>> {
    let mut best: Option<(usize, Arc<Snapshot>)> = None;
    // An event is no more than the occasion to look; they end with the run.
    for _ in run.events.iter() {
        let Some(snapshot) = run.board.newest() else {
            continue;
        };
        if let Some(depth) = depth(&snapshot)
            && best.as_ref().is_none_or(|(most, _)| depth > *most)
        {
            best = Some((depth, snapshot));
        }
    }
    best.map(|(_, snapshot)| snapshot)
}

/// How deep in the tree the question is, if the moment is worth a picture.
fn depth(snapshot: &Snapshot) -> Option<usize> {
    let (original, left) = (snapshot.original.0, snapshot.version.tokens());
    let moment = original / LEFT.0 <= left && left <= original / LEFT.1;
    let trying = snapshot
        .trying
        .as_ref()
        .filter(|_| moment && snapshot.state == State::Running)?;
    Some(snapshot.version.trail(trying.why.node?)?.nodes.len())
}
