//! For whom the engine waits, and for whom not.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use lop::reduce::{
    self, Claim, Command, CommandPlace, Counts, Event, Fact, Finish, Journal, JournalDecided,
    PassLine, Past, Setup, State, Taken,
};
use lop::session::journal::{Header, HeaderFile, HeaderLimit, JournalFile};

use crate::common::{oracle, read, setup};
use crate::{PROGRAM, assigns};

/// For what takes a moment, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn the_engine_waits_neither_for_who_never_looks_nor_for_who_never_listens() {
    let run = reduce::start(setup(read("a.c", PROGRAM), oracle(assigns))).expect("a run");
    // A screen that has a bell and hangs; and nobody takes an event.
    let _bell = run.board.bell();
    let (tell, told) = bounded(1);
    std::thread::spawn(move || tell.send(run.finish().map(|last| last.state.clone())));
    let state = told
        .recv_timeout(PATIENCE)
        .expect("the engine waits for somebody");
    assert_eq!(state, Some(State::Finished(Finish::Complete)));
}

/// A journal that says which version it is to write down, and has done so when it is let go on.
struct Slow {
    asked: Sender<u64>,
    written: Receiver<()>,
}

impl Journal for Slow {
    fn taken(&mut self, taken: &Taken, _: &Past) {
        self.asked.send(taken.version).expect("somebody listens");
        self.written.recv().expect("somebody writes");
    }
    fn fact(&mut self, _: &Fact) {}
    fn decided(&mut self, _: &JournalDecided) {}
    fn moved(&mut self, _: u64, _: u64) {}
    fn command(&mut self, _: CommandPlace, _: &Command) {}
    fn passed(&mut self, _: &PassLine) {}
    fn resumed(&mut self, _: bool) {}
    fn finished(&mut self, _: &Finish, _: &Counts, _: &Claim) {}
}

#[test]
fn nobody_sees_a_version_before_it_is_in_the_journal() {
    let (asked, versions) = unbounded();
    let (write, written) = unbounded();
    let run = reduce::start(Setup {
        journal: Box::new(Slow { asked, written }),
        ..setup(read("a.c", PROGRAM), oracle(assigns))
    })
    .expect("a run");
    let mut count = 0;
    for version in versions {
        let told =
            |event: &Event| matches!(event, Event::Taken { version: told, .. } if *told >= version);
        assert!(
            !run.events.try_iter().any(|event| told(&event)),
            "version {version} is told"
        );
        let seen = run.board.newest().expect("a snapshot").number;
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
    fn fact(&mut self, fact: &Fact) {
        if self.lines("{\"decision\"") < self.decided {
            let _ = self.missing.send(format!("decision {}", self.decided));
        }
        self.file.fact(fact);
    }
    fn decided(&mut self, decided: &JournalDecided) {
        self.file.decided(decided);
        self.decided += 1;
    }
    fn taken(&mut self, taken: &Taken, past: &Past) {
        self.file.taken(taken, past);
        if self.lines("{\"take\"") < taken.version as usize {
            let _ = self.missing.send(format!("version {}", taken.version));
        }
    }
    fn rest(&mut self) {
        self.file.rest();
    }
    fn moved(&mut self, _: u64, _: u64) {}
    fn command(&mut self, _: CommandPlace, _: &Command) {}
    fn passed(&mut self, _: &PassLine) {}
    fn resumed(&mut self, _: bool) {}
    fn finished(&mut self, _: &Finish, _: &Counts, _: &Claim) {}
}

#[test]
fn what_was_decided_is_in_the_file_while_the_next_test_runs_and_a_version_at_once() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("journal.jsonl");
    let file = HeaderFile::new(Path::new("a.c"), Some("c"), PROGRAM.as_bytes());
    let limit = HeaderLimit::Fixed(60_000_000_000);
    let header = Header::new(vec![file], "lop", "galloping", limit);
    let (missing, missed) = unbounded();
    let watched = Watched {
        file: JournalFile::create(&path, &header).expect("a journal"),
        path,
        decided: 0,
        missing,
    };
    let run = reduce::start(Setup {
        journal: Box::new(watched),
        ..setup(read("a.c", PROGRAM), oracle(assigns))
    });
    let last = run.expect("a run").finish().expect("a snapshot");
    assert!(last.counts.taken > 3 && last.counts.decisions > 10);
    let missed: Vec<String> = missed.iter().collect();
    assert_eq!(missed, [""; 0]);
}

#[test]
fn the_engine_does_not_wait_for_a_screen_that_looks_all_the_time() {
    let run = reduce::start(setup(read("a.c", PROGRAM), oracle(assigns))).expect("a run");
    let (board, bell) = (run.board.clone(), run.board.bell());
    let screen = std::thread::spawn(move || {
        let mut seen = 0;
        while !board
            .newest()
            .is_some_and(|snapshot| matches!(snapshot.state, State::Finished(_)))
        {
            let _ = bell.recv();
            seen += 1;
        }
        (seen, board.waited())
    });
    assert!(
        run.events
            .iter()
            .any(|event| matches!(event, Event::Finished(Finish::Complete)))
    );
    let (seen, waited) = screen.join().expect("the screen");
    assert!(seen > 0);
    assert!(
        waited < Duration::from_millis(100),
        "the engine waited {waited:?} for the screen"
    );
}
