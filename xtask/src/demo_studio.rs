//! A run of the demo that waits at each candidate: a closure replaces the test, and fixed times replace the clock.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::anyhow;
use crossbeam_channel::{Receiver, Sender, bounded, select};

use lop::cli::{DEMO_PROGRAM, demo_next_step};
use lop::language;
use lop::oracle::{
    LimitPolicy, ScriptedRunner, TestExit, TestOutcome, TestOutput, TestRun, Verdict,
};
use lop::pass::{self, Effort, PAIR_STRATEGIES, PassOptions};
use lop::program::{self, apply_edit, walk};
use lop::reduce::{
    self, CurvePoint, EngineCommand, RunAudience, RunSetup, RunSnapshot, RunState, StepUnit,
};
use lop::tui::ScreenContext;

/// How long each test takes.
const TEST: Duration = Duration::from_millis(20);
/// More candidates than the demo has.
const QUESTIONS: usize = 100_000;

/// The texts that replace the test of the demo, without blanks: the warning needs a function with a `switch` over the enumeration of
/// the items' kinds.
const NEEDED: [&str; 6] = [
    "enum{GRAIN",
    "}Kind;",
    "Kindkind;",
    "}Item;",
    "days_good(constItem*item){",
    "switch(item->kind){",
];

/// The seed and the variant of the picture of a pair.
const SEED: &str = include_str!("pair/seed.c");
/// See `SEED`.
const VARIANT: &str = include_str!("pair/variant.c");
/// What the variant has and the seed has not, without blanks: a statement expression of a struct.
const PAIR_BUG: &str = "({structLena";

/// A file of a candidate: its path and its text.
pub type TestFile = (PathBuf, Arc<[u8]>);

/// The run.
pub struct DemoStudio {
    run: reduce::RunHandle,
    snapshot_ready: Receiver<()>,
    tested: Receiver<Vec<u8>>,
    release: Sender<()>,
}

impl DemoStudio {
    /// Starts the run, paused before the first candidate.
    pub fn start_paused() -> anyhow::Result<DemoStudio> {
        let document = (
            Path::new("program.c").into(),
            DEMO_PROGRAM.as_bytes().into(),
        );
        let version = program::read_program(vec![document])?;
        // As on the screen of a terminal.
        let options = PassOptions {
            keeps_text: true,
            ..PassOptions::default()
        };
        DemoStudio::start_run(version, options, |files| is_interesting(&files[0].1))
    }

    /// Starts a run on the lines of a program by ddmin, paused before the first candidate.
    pub fn start_paused_lines(
        name: &str,
        text: &str,
        is_interesting: fn(&[TestFile]) -> bool,
    ) -> anyhow::Result<DemoStudio> {
        let document = (Path::new(name).into(), text.as_bytes().into());
        let version = program::read_program(vec![document])?;
        let named = pass::parse_strategy("lines+ddmin").map_err(|problem| anyhow!("{problem}"))?;
        let options = PassOptions {
            effort: Effort::Quick,
            ..named.options
        };
        DemoStudio::start_run(version, options, is_interesting)
    }

    /// Starts a run on a pair, paused before the first candidate.
    pub fn start_paused_pair() -> anyhow::Result<DemoStudio> {
        let source = |name: &str, text: &str| {
            let path = Path::new(name).into();
            (language::by_name("c"), path, text.as_bytes().into())
        };
        let version = program::read_pair(source("seed.c", SEED), source("variant.c", VARIANT))?;
        let options = PassOptions::from_strategy(&PAIR_STRATEGIES[0]);
        DemoStudio::start_run(version, options, |files| {
            let [seed, variant] = [0, 1].map(|at| bare_text(&files[at].1));
            let whole = [&seed, &variant].iter().all(|text| is_balanced(text));
            whole && !seed.contains(PAIR_BUG) && variant.contains(PAIR_BUG)
        })
    }

    fn start_run(
        version: program::Version,
        options: PassOptions,
        is_interesting: fn(&[TestFile]) -> bool,
    ) -> anyhow::Result<DemoStudio> {
        let (test, asked, go) = gated_test(is_interesting);
        let setup = RunSetup {
            // A paused run does not speculate: it tests only the current candidate.
            paused: true,
            audience: RunAudience::resident(),
            options,
            ..RunSetup::new(version, test, LimitPolicy::fixed(Duration::from_secs(2)))
        };
        let run = reduce::start_run(setup)?;
        let bell = run.board.subscribe_updates();
        Ok(DemoStudio {
            run,
            snapshot_ready: bell,
            tested: asked,
            release: go,
        })
    }

    /// Queues steps of one candidate each, enough to reach the end of the run.
    pub fn queue_steps(&self) -> anyhow::Result<()> {
        for _ in 0..QUESTIONS {
            self.send_command(EngineCommand::Step(StepUnit::Question))?;
        }
        Ok(())
    }

    /// Sends a command to the run.
    pub fn send_command(&self, command: EngineCommand) -> anyhow::Result<()> {
        Ok(self.run.commands.send(command)?)
    }

    /// The run at its next candidate, whose test is waiting; none at the end of the run.
    pub fn next_candidate(&self) -> anyhow::Result<Option<Arc<RunSnapshot>>> {
        match self.tested.recv() {
            Ok(candidate) => self.wait_until(|run| is_testing(run, &candidate)).map(Some),
            Err(_) => Ok(None),
        }
    }

    /// The run at the candidate of a step, whose test is waiting; none if the verdict was known, so that there are more than `before`
    /// decisions.
    pub fn step_to_candidate(&self, before: u64) -> anyhow::Result<Option<Arc<RunSnapshot>>> {
        loop {
            select! {
                recv(self.tested) -> candidate => {
                    let candidate = candidate?;
                    return self.wait_until(|run| is_testing(run, &candidate)).map(Some);
                }
                recv(self.snapshot_ready) -> _ => if self.decision_count() > before {
                    return Ok(None);
                }
            }
        }
    }

    /// How many decisions there are.
    pub fn decision_count(&self) -> u64 {
        let newest = self.run.board.newest_snapshot();
        newest.map_or(0, |newest| newest.counts.decisions)
    }

    /// Lets the waiting test end.
    pub fn release_test(&self) -> anyhow::Result<()> {
        Ok(self.release.send(())?)
    }

    /// Waits for a state of the run.
    pub fn wait_until(
        &self,
        so: impl Fn(&RunSnapshot) -> bool,
    ) -> anyhow::Result<Arc<RunSnapshot>> {
        loop {
            let newest = self.run.board.newest_snapshot();
            match newest.filter(|snapshot| so(snapshot)) {
                Some(snapshot) => return Ok(snapshot),
                None => self.snapshot_ready.recv()?,
            }
        }
    }

    /// The end of the run.
    pub fn wait_for_end(self) -> anyhow::Result<Arc<RunSnapshot>> {
        let last = self.run.wait_for_end();
        last.ok_or_else(|| anyhow!("the demo ended before there was anything to draw"))
    }
}

/// The titles of the screen.
pub fn demo_context() -> ScreenContext {
    ScreenContext {
        title: "program.c".into(),
        test: "./test.sh".into(),
        output: "program.lop.c".into(),
        next_steps: vec![demo_next_step("lop")],
        can_contrast: true,
        ..ScreenContext::default()
    }
}

/// The titles of the screen of the pair.
pub fn pair_context() -> ScreenContext {
    ScreenContext {
        title: "variant.c".into(),
        test: "./works.sh ./fails.sh".into(),
        output: "variant.lop".into(),
        ..ScreenContext::default()
    }
}

/// A test that reports its candidate, and waits until it may end.
fn gated_test(
    is_interesting: fn(&[TestFile]) -> bool,
) -> (ScriptedRunner, Receiver<Vec<u8>>, Sender<()>) {
    let (ask, asked) = bounded(1);
    let (go, may_go) = bounded(1);
    let ends = Mutex::new((ask, may_go));
    let says = move |files: &[TestFile]| {
        let texts: Vec<&[u8]> = files.iter().map(|(_, text)| &**text).collect();
        let bytes = texts.concat();
        let interesting = is_interesting(files);
        if let Ok(ends) = ends.lock() {
            // The run may have ended, so the verdict is no longer needed.
            let _ = ends.0.send(bytes).map(|()| ends.1.recv());
        }
        let (verdict, code) = match interesting {
            true => (Verdict::Interesting, 0),
            false => (Verdict::Uninteresting, 1),
        };
        let run = TestRun {
            exit: TestExit::Code(code),
            time: TEST,
            cpu: None,
            output: TestOutput::default(),
        };
        TestOutcome::Verdict(verdict, run)
    };
    (ScriptedRunner::new(says), asked, go)
}

fn is_interesting(bytes: &[u8]) -> bool {
    let bare = bare_text(bytes);
    NEEDED.iter().all(|needed| bare.contains(needed))
}

/// A text without comments and blanks: then its layout does not matter.
fn bare_text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut bare = String::with_capacity(text.len());
    for (at, part) in text.split("/*").enumerate() {
        let code = match at {
            0 => part,
            _ => part.split_once("*/").map_or("", |(_, code)| code),
        };
        bare.extend(code.chars().filter(|c| !c.is_whitespace()));
    }
    bare
}

/// Whether the brackets of a text match in number.
fn is_balanced(text: &str) -> bool {
    let count = |bracket| text.matches(bracket).count();
    [('(', ')'), ('{', '}')]
        .iter()
        .all(|(open, close)| count(*open) == count(*close))
}

/// Whether the current test is of this candidate.
fn is_testing(snapshot: &RunSnapshot, candidate: &[u8]) -> bool {
    let made = |trying: &reduce::CurrentTest| apply_edit(&snapshot.version, &trying.edit).ok();
    let made = snapshot.current_test.as_ref().and_then(made);
    made.is_some_and(|(version, _)| {
        let documents = version.documents().iter();
        let texts: Vec<Vec<u8>> = documents
            .map(|document| walk::render_text(&document.root))
            .collect();
        texts.concat() == candidate
    })
}

/// The same state with equal times of all tests, and no other time. With `at_work`, a run that is paused between steps counts as running.
pub fn with_uniform_times(snapshot: &RunSnapshot, at_work: bool) -> Arc<RunSnapshot> {
    let after = |tests: u64| TEST * tests.min(u32::MAX.into()) as u32;
    let now = snapshot.started + after(snapshot.counts.tests);
    let mut run = snapshot.clone();
    run.now = now;
    run.workers = (usize::from(run.current_test.is_some() || at_work), 1);
    if run.state == RunState::Paused(None) && at_work {
        run.state = RunState::Running;
    }
    if let Some(trying) = &mut run.current_test {
        trying.since = now;
    }
    let point = |point: &CurvePoint| CurvePoint {
        time: after(point.tests),
        ..*point
    };
    run.curve = run.curve.iter().map(point).collect();
    Arc::new(run)
}
