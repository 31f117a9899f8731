//! What the engine waits for, and what it never waits for.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use lop::reduce::{
    self, AcceptedVersion, CommandPosition, EngineCommand, FinishReason, Journal, JournalDecision,
    JournalResult, MinimalityClaim, PassLine, RunCounts, RunEvent, RunSetup, RunState,
    VersionRecord,
};
use lop::session::journal::{HeaderFile, HeaderLimit, JournalFile, JournalHeader};

use crate::common::{oracle, read, setup};
use crate::engine::{PROGRAM, assigns};

/// The timeout for something quick, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn the_engine_waits_neither_for_who_never_looks_nor_for_who_never_listens() {
    let run = reduce::start_run(setup(read("a.c", PROGRAM), oracle(assigns))).expect("a run");
    // A screen that hangs, and events that nobody receives.
    let _bell = run.board.subscribe_updates();
    let (tell, told) = bounded(1);
    std::thread::spawn(move || tell.send(run.wait_for_end().map(|last| last.state.clone())));
    let state = told
        .recv_timeout(PATIENCE)
        .expect("the engine waits for somebody");
    assert_eq!(state, Some(RunState::Finished(FinishReason::Complete)));
}

/// A journal that says which version it is to write down, and has done so when it is let go on.
struct Slow {
    asked: Sender<u64>,
    written: Receiver<()>,
}

impl Journal for Slow {
    fn record_accept(&mut self, taken: &AcceptedVersion, _: &VersionRecord) {
        self.asked.send(taken.version).expect("somebody listens");
        self.written.recv().expect("somebody writes");
    }
    fn record_result(&mut self, _: &JournalResult) {}
    fn record_decision(&mut self, _: &JournalDecision) {}
    fn record_switch(&mut self, _: u64, _: u64) {}
    fn record_command(&mut self, _: CommandPosition, _: &EngineCommand) {}
    fn record_pass(&mut self, _: &PassLine) {}
    fn record_resume(&mut self, _: bool) {}
    fn record_finish(&mut self, _: &FinishReason, _: &RunCounts, _: &MinimalityClaim) {}
}

#[test]
fn nobody_sees_a_version_before_it_is_in_the_journal() {
    let (asked, versions) = unbounded();
    let (write, written) = unbounded();
    let run = reduce::start_run(RunSetup {
        journal: Box::new(Slow { asked, written }),
        ..setup(read("a.c", PROGRAM), oracle(assigns))
    })
    .expect("a run");
    let mut count = 0;
    for version in versions {
        let told = |event: &RunEvent| matches!(event, RunEvent::Accepted { version: told, .. } if *told >= version);
        assert!(
            !run.events.try_iter().any(|event| told(&event)),
            "version {version} is told"
        );
        let seen = run.board.newest_snapshot().expect("a snapshot").number;
        assert!(seen < version, "version {version} is shown");
        write.send(()).expect("the journal waits for it");
        count += 1;
    }
    assert!(count > 3, "{count} versions");
}

/// A journal's file, looked at in passing: what it did not hold when it should have.
struct Watched {
    file: JournalFile,
    path: PathBuf,
    decided: usize,
    missing: Sender<String>,
}

impl Watched {
    /// How many lines of a kind the file holds.
    fn lines(&self, begins: &str) -> usize {
        let text = fs::read_to_string(&self.path).expect("the journal");
        text.lines().filter(|line| line.starts_with(begins)).count()
    }
}

impl Journal for Watched {
    fn record_result(&mut self, fact: &JournalResult) {
        if self.lines("{\"decision\"") < self.decided {
            let _ = self.missing.send(format!("decision {}", self.decided));
        }
        self.file.record_result(fact);
    }
    fn record_decision(&mut self, decided: &JournalDecision) {
        self.file.record_decision(decided);
        self.decided += 1;
    }
    fn record_accept(&mut self, taken: &AcceptedVersion, past: &VersionRecord) {
        self.file.record_accept(taken, past);
        if self.lines("{\"accept\"") < taken.version as usize {
            let _ = self.missing.send(format!("version {}", taken.version));
        }
    }
    fn on_idle(&mut self) {
        self.file.on_idle();
    }
    fn record_switch(&mut self, _: u64, _: u64) {}
    fn record_command(&mut self, _: CommandPosition, _: &EngineCommand) {}
    fn record_pass(&mut self, _: &PassLine) {}
    fn record_resume(&mut self, _: bool) {}
    fn record_finish(&mut self, _: &FinishReason, _: &RunCounts, _: &MinimalityClaim) {}
}

#[test]
fn what_was_decided_is_in_the_file_while_the_next_test_runs_and_a_version_at_once() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("journal.jsonl");
    let file = HeaderFile::new(Path::new("a.c"), Some("c"), PROGRAM.as_bytes());
    let limit = HeaderLimit::Fixed(60_000_000_000);
    let header = JournalHeader::new(vec![file], "lop", "galloping", limit);
    let (missing, missed) = unbounded();
    let watched = Watched {
        file: JournalFile::create(&path, &header).expect("a journal"),
        path,
        decided: 0,
        missing,
    };
    let run = reduce::start_run(RunSetup {
        journal: Box::new(watched),
        ..setup(read("a.c", PROGRAM), oracle(assigns))
    });
    let last = run.expect("a run").wait_for_end().expect("a snapshot");
    assert!(last.counts.accepted > 3 && last.counts.decisions > 10);
    let missed: Vec<String> = missed.iter().collect();
    assert_eq!(missed, [""; 0]);
}

#[test]
fn the_engine_does_not_wait_for_a_screen_that_looks_all_the_time() {
    let run = reduce::start_run(setup(read("a.c", PROGRAM), oracle(assigns))).expect("a run");
    let (board, bell) = (run.board.clone(), run.board.subscribe_updates());
    let screen = std::thread::spawn(move || {
        let mut seen = 0;
        while !board
            .newest_snapshot()
            .is_some_and(|snapshot| matches!(snapshot.state, RunState::Finished(_)))
        {
            let _ = bell.recv();
            seen += 1;
        }
        (seen, board.publish_wait())
    });
    assert!(
        run.events
            .iter()
            .any(|event| matches!(event, RunEvent::Finished(FinishReason::Complete)))
    );
    let (seen, waited) = screen.join().expect("the screen");
    assert!(seen > 0);
    assert!(
        waited < Duration::from_millis(100),
        "the engine waited {waited:?} for the screen"
    );
}
