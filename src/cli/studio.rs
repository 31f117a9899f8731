//! A run of the demo that stands still whenever it is looked at: a closure stands in for the test, and a metronome for the clock.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, select};

use super::demo;
use super::failure::{FAILED, Failure, OrFail};
use crate::oracle::{Exit, Limit, Outcome, Output, Run, ScriptedRunner, Verdict};
use crate::program::{self, apply, walk};
use crate::reduce::{self, Command, Point, Setup, Snapshot, State, Stride};
use crate::tui::Context;

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

/// The run.
pub(super) struct Studio {
    run: reduce::Run,
    bell: Receiver<()>,
    asked: Receiver<Vec<u8>>,
    go: Sender<()>,
}

impl Studio {
    /// Opens it before the first question.
    pub(super) fn open() -> Result<Studio, Failure> {
        let document = (
            Path::new("program.c").into(),
            demo::PROGRAM.as_bytes().into(),
        );
        let version = program::read(vec![document]).or_fail(FAILED)?;
        let (test, asked, go) = test();
        let setup = Setup {
            // A paused run tests nothing ahead: what is tested is what is asked.
            paused: true,
            fail: false,
            ..Setup::new(version, test, Limit::fixed(Duration::from_secs(2)))
        };
        let run = reduce::start(setup).or_fail(FAILED)?;
        let bell = run.board.bell();
        Ok(Studio {
            run,
            bell,
            asked,
            go,
        })
    }

    /// The run goes on, a step a question, to its end or until it is paused.
    pub(super) fn play(&self) -> Result<(), Failure> {
        for _ in 0..QUESTIONS {
            self.tell(Command::Step(Stride::Question))?;
        }
        Ok(())
    }

    /// The run is told something.
    pub(super) fn tell(&self, command: Command) -> Result<(), Failure> {
        self.run.commands.send(command).or_fail(FAILED)
    }

    /// The run at its next question, which waits for its answer; none at its end.
    pub(super) fn question(&self) -> Result<Option<Arc<Snapshot>>, Failure> {
        match self.asked.recv() {
            Ok(candidate) => self.until(|run| asks_about(run, &candidate)).map(Some),
            Err(_) => Ok(None),
        }
    }

    /// After a step: the run at its question, which waits for its answer; none where what is known has answered it, so that there is
    /// a decision more than `before`.
    pub(super) fn step(&self, before: u64) -> Result<Option<Arc<Snapshot>>, Failure> {
        loop {
            select! {
                recv(self.asked) -> candidate => {
                    let candidate = candidate.or_fail(FAILED)?;
                    return self.until(|run| asks_about(run, &candidate)).map(Some);
                }
                recv(self.bell) -> _ => if self.decisions() > before {
                    return Ok(None);
                }
            }
        }
    }

    /// How many decisions there are.
    pub(super) fn decisions(&self) -> u64 {
        let newest = self.run.board.newest();
        newest.map_or(0, |newest| newest.counts.decisions)
    }

    /// The question is answered.
    pub(super) fn answer(&self) -> Result<(), Failure> {
        self.go.send(()).or_fail(FAILED)
    }

    /// The run as soon as it is so.
    pub(super) fn until(&self, so: impl Fn(&Snapshot) -> bool) -> Result<Arc<Snapshot>, Failure> {
        loop {
            let newest = self.run.board.newest();
            match newest.filter(|snapshot| so(snapshot)) {
                Some(snapshot) => return Ok(snapshot),
                None => self.bell.recv().or_fail(FAILED)?,
            }
        }
    }

    /// The end of the run.
    pub(super) fn end(self) -> Result<Arc<Snapshot>, Failure> {
        let last = self.run.finish();
        last.ok_or_else(|| Failure::new(FAILED, "the demo ended before there was anything to draw"))
    }
}

/// What the screen says besides the run.
pub(super) fn context() -> Context {
    Context {
        title: "program.c".into(),
        test: "./test.sh".into(),
        output: "program.lop.c".into(),
        next: demo::next(),
        ..Context::default()
    }
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

/// The same run, but every test took as long as every other, and nothing else took any time. One that is `at_work` is so from step to
/// step.
pub(super) fn by_the_metronome(snapshot: &Snapshot, at_work: bool) -> Arc<Snapshot> {
    let after = |tests: u64| TEST * tests.min(u32::MAX.into()) as u32;
    let now = snapshot.started + after(snapshot.counts.tests);
    let mut run = snapshot.clone();
    run.now = now;
    run.workers = (usize::from(run.trying.is_some() || at_work), 1);
    if run.state == State::Paused(None) && at_work {
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
    Arc::new(run)
}
