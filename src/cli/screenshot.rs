//! `lop screenshot`: the pictures in `screenshots/`, drawn from a run of the demo in which a closure stands in for the test, and a
//! metronome for the clock: the same pictures on every machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};

use super::demo;
use super::failure::{FAILED, Failure, OrFail};
use crate::oracle::{Exit, Limit, Outcome, Output, Run, ScriptedRunner, Verdict};
use crate::pass;
use crate::plain::Out;
use crate::program::{self, apply, walk};
use crate::reduce::{self, Command, NoJournal, Point, Setup, Snapshot, State, Stride};
use crate::tui::palette::Palette;
use crate::tui::{self, Context};

/// Columns and lines of a picture.
const SIZE: (u16, u16) = (140, 40);
/// The run is drawn when the program has between these parts of its tokens left, one in so many: much is done, and much is left.
const LEFT: (u32, u32) = (50, 5);
/// How long each test takes.
const TEST: Duration = Duration::from_millis(20);
/// More questions than the demo has.
const QUESTIONS: usize = 100_000;

/// What stands in for a test of the demo, without blanks: the warning needs a function with a `switch` over the enumeration of the
/// items' kinds.
const NEEDED: [&str; 6] = [
    "enum{GRAIN",
    "}Kind;",
    "Kindkind;",
    "}Item;",
    "days_good(constItem*item){",
    "switch(item->kind){",
];

/// Draws a run at work and its result.
pub(super) fn run(to: &Path) -> Result<u8, Failure> {
    fs::create_dir_all(to).or_fail(FAILED)?;
    for (name, picture) in pictures()? {
        let path = to.join(name);
        fs::write(&path, picture).or_fail(FAILED)?;
        Out::stdout().line(&format!("lop: drew {}", path.display()));
    }
    Ok(0)
}

/// The pictures, with the names of their files.
fn pictures() -> Result<[(&'static str, String); 2], Failure> {
    let (at_work, last) = snapshots()?;
    let draw = |snapshot: &Snapshot| {
        let context = Context {
            title: "program.c".into(),
            test: "./test.sh".into(),
            output: "program.lop.c".into(),
            next: demo::next(),
            ..Context::default()
        };
        let snapshot = Arc::new(by_the_metronome(snapshot));
        tui::picture(&tui::frame(&snapshot, SIZE, context, Palette::FULL))
    };
    Ok([("run.svg", draw(&at_work)), ("result.svg", draw(&last))])
}

/// The demo at work, and at its end.
fn snapshots() -> Result<(Arc<Snapshot>, Arc<Snapshot>), Failure> {
    let document = (
        Path::new("program.c").into(),
        demo::PROGRAM.as_bytes().into(),
    );
    let version = program::read(vec![document]).or_fail(FAILED)?;
    let (test, asked, go) = test();
    let setup = Setup {
        version,
        runner: Box::new(test),
        limit: Limit::fixed(Duration::from_secs(2)),
        // A paused run tests nothing ahead: what is tested is what is asked.
        paused: true,
        script: Vec::new(),
        fail: true,
        jobs: 1,
        journal: Box::new(NoJournal),
        options: pass::Options::default(),
        store: None,
        resume: None,
    };
    let run = reduce::start(setup).or_fail(FAILED)?;
    for _ in 0..QUESTIONS {
        run.commands
            .send(Command::Step(Stride::Question))
            .or_fail(FAILED)?;
    }
    let bell = run.board.bell();
    let mut best: Option<(usize, Arc<Snapshot>)> = None;
    for candidate in asked.iter() {
        let snapshot = loop {
            let newest = run.board.newest();
            match newest.filter(|snapshot| asks_about(snapshot, &candidate)) {
                Some(snapshot) => break snapshot,
                // An end would close the channel of questions, but there is one in the air.
                None => bell.recv().or_fail(FAILED)?,
            }
        };
        if let Some(depth) = depth(&snapshot)
            && best.as_ref().is_none_or(|(most, _)| depth > *most)
        {
            best = Some((depth, snapshot));
        }
        if go.send(()).is_err() {
            break;
        }
    }
    let missed = || Failure::new(FAILED, "the demo ended before there was anything to draw");
    let last = run.finish().ok_or_else(missed)?;
    let (_, at_work) = best.ok_or_else(missed)?;
    Ok((at_work, last))
}

/// A test that says what it is asked about, and waits until it may answer.
fn test() -> (ScriptedRunner, Receiver<Vec<u8>>, Sender<()>) {
    let (ask, asked) = bounded(1);
    let (go, may_go) = bounded(1);
    let ends = Mutex::new((ask, may_go));
    let says = move |files: &[(PathBuf, Arc<[u8]>)]| {
        let bytes = files[0].1.to_vec();
        let interesting = is_interesting(&bytes);
        if let Ok(ends) = ends.lock() {
            // Nobody asks any more: so nobody needs the answer.
            let _ = ends.0.send(bytes).map(|()| ends.1.recv());
        }
        let (verdict, code) = match interesting {
            true => (Verdict::Interesting, 0),
            false => (Verdict::Boring, 1),
        };
        let run = Run {
            exit: Exit::Code(code),
            time: TEST,
            cpu: None,
            output: Output::default(),
        };
        Outcome::Verdict(verdict, run)
    };
    (ScriptedRunner::new(says), asked, go)
}

fn is_interesting(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    // Without comments and blanks a text is the same however it is laid out.
    let mut bare = String::with_capacity(text.len());
    for (at, part) in text.split("/*").enumerate() {
        let code = match at {
            0 => part,
            _ => part.split_once("*/").map_or("", |(_, code)| code),
        };
        bare.extend(code.chars().filter(|c| !c.is_whitespace()));
    }
    NEEDED.iter().all(|needed| bare.contains(needed))
}

/// Whether the question in the air is about this candidate.
fn asks_about(snapshot: &Snapshot, candidate: &[u8]) -> bool {
    let made = |trying: &reduce::Trying| apply(&snapshot.version, &trying.edit).ok();
    let made = snapshot.trying.as_ref().and_then(made);
    made.is_some_and(|(version, _)| walk::render(&version.documents()[0].root) == candidate)
}

/// How deep in the tree the question is, if the moment is worth a picture: the tree unfolds what is asked about.
fn depth(snapshot: &Snapshot) -> Option<usize> {
    let (original, left) = (snapshot.original.0, snapshot.version.tokens());
    let moment = original / LEFT.0 <= left && left <= original / LEFT.1;
    let trying = snapshot.trying.as_ref().filter(|_| moment)?;
    Some(snapshot.version.trail(trying.why.node?)?.nodes.len())
}

/// The same run, but every test took as long as every other, and nothing else took any time.
fn by_the_metronome(snapshot: &Snapshot) -> Snapshot {
    let after = |tests: u64| TEST * tests.min(u32::MAX.into()) as u32;
    let now = snapshot.started + after(snapshot.counts.tests);
    let mut run = snapshot.clone();
    run.now = now;
    run.workers = (1, 1);
    if run.state == State::Paused(None) {
        run.state = State::Running;
    }
    if let Some(trying) = &mut run.trying {
        trying.since = now;
    }
    let point = |point: &Point| Point {
        time: after(point.tests),
        ..*point
    };
    run.curve = run.curve.iter().map(point).collect();
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pictures_are_those_of_the_program() {
        let pictures = pictures().unwrap_or_else(|failure| panic!("{}", failure.error));
        for (name, picture) in pictures {
            let path = Path::new("screenshots").join(name);
            let drawn = fs::read_to_string(&path).unwrap_or_default();
            assert!(
                drawn == picture,
                "{} shows another screen: draw it anew with `cargo run -- screenshot`",
                path.display()
            );
        }
    }
}
