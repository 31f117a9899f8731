//! The test changes during a run: what the old one said decides nothing from then on.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lop::pass;
use lop::program::ContentHash;
use lop::reduce::{
    self, EngineCommand, FinishReason, RunAudience, RunEvent, RunHandle, RunSetup, RunState,
    VerdictStore,
};
use lop::session::history::SessionHistory;
use lop::session::journal::{HeaderFile, HeaderLimit, JournalFile, JournalHeader};
use lop::session::replay::JournalRecording;

use crate::common::{oracle, read, run, setup, text, verdict};
use crate::engine::PROGRAM;

/// A decision at which nothing of the program has gone for a while: what is asked then was asked before.
const LATE: u64 = 30;

/// What a test wants of a program.
type Wants = fn(&str) -> bool;

fn assigns(text: &str) -> bool {
    text.contains("needed = x")
}

fn needs(text: &str) -> bool {
    text.contains("needed")
}

fn counts(text: &str) -> bool {
    text.contains("a comment")
}

/// A run whose test wants something else as soon as it is changed.
struct ChangingRun {
    directory: tempfile::TempDir,
    is_changed: Arc<AtomicBool>,
    wants: [Wants; 2],
}

impl ChangingRun {
    fn new(before: Wants, after: Wants) -> ChangingRun {
        ChangingRun {
            directory: tempfile::tempdir().expect("a directory"),
            is_changed: Arc::default(),
            wants: [before, after],
        }
    }

    fn hash(is_changed: bool) -> String {
        format!("{:032x}", u8::from(is_changed))
    }

    fn journal(&self) -> std::path::PathBuf {
        self.directory.path().join("journal.jsonl")
    }

    fn setup(&self, mut journal: JournalFile, commands: &str, jobs: usize) -> RunSetup {
        let (wants, is_changed) = (self.wants, self.is_changed.clone());
        let now = is_changed.clone();
        let runner = oracle(move |text| {
            verdict(wants[usize::from(is_changed.load(Ordering::SeqCst))](text))
        });
        journal.set_test_hash(Arc::new(move || {
            ChangingRun::hash(now.load(Ordering::SeqCst))
        }));
        RunSetup {
            journal: Box::new(journal),
            script: reduce::parse_script(commands).expect("a script"),
            jobs,
            ..setup(read("a.c", PROGRAM), runner)
        }
    }

    /// Begins; the run pauses at this decision.
    fn start(&self, decision: u64, jobs: usize) -> RunHandle {
        let file = HeaderFile::new(Path::new("a.c"), Some("c"), PROGRAM.as_bytes());
        let strategy = pass::STRATEGIES[0].name;
        let minimizer = pass::PassOptions::default().minimizer.name;
        let limit = HeaderLimit::Fixed(60_000_000_000);
        let header = JournalHeader::new(vec![file], strategy, minimizer, limit);
        let journal = JournalFile::create(&self.journal(), &header).expect("a journal");
        let pause = format!("at decision {decision}: pause");
        let run = reduce::start_run(self.setup(journal, &pause, jobs)).expect("a run");
        wait_for(&run, |event| matches!(event, RunEvent::Paused { .. }));
        run
    }

    /// Changes the test, and says so.
    fn change_test(&self, run: &RunHandle) {
        self.is_changed.fetch_not(Ordering::SeqCst);
        send(run, "new-test");
    }

    /// Begins, and changes the test late: the mark is in the journal, and the run still stands.
    fn start_with_new_test(&self, jobs: usize) -> RunHandle {
        let run = self.start(LATE, jobs);
        self.change_test(&run);
        wait_for(&run, |event| applies(event, "new-test!"));
        run
    }

    fn history(&self) -> SessionHistory {
        SessionHistory::read_from(&self.journal()).expect("a history")
    }

    /// Goes on with what the journal says, to the end: the last text, and what happened.
    fn resume(&self) -> (String, Vec<RunEvent>) {
        let history = self.history();
        let journal = JournalFile::open_to_append(&self.journal(), &history.journal);
        let fingerprint = history.last_fingerprint().1;
        let journal = journal.expect("a journal").with_fingerprint(fingerprint);
        run(RunSetup {
            resume: Some(history.build_resume(None)),
            store: Some(Arc::new(history.current_verdicts()) as Arc<dyn VerdictStore>),
            ..self.setup(journal, "resume", 1)
        })
    }

    /// The lines of the journal that depend on the dialogue alone, without their times and checksums.
    fn dialogue(&self) -> Vec<String> {
        let journal = std::fs::read_to_string(self.journal()).expect("a journal");
        let lines = journal.lines().filter(|line| {
            ["{\"decision\"", "{\"accept\"", "{\"current\""]
                .iter()
                .any(|kind| line.starts_with(kind))
                || line.contains("new-test!")
        });
        let cut = |line: &str| line.split(",\"ms\"").next().map(str::to_owned);
        lines.filter_map(cut).collect()
    }
}

fn send(run: &RunHandle, line: &str) {
    let command = EngineCommand::parse_line(line).expect("a command");
    run.commands.send(command).expect("it listens");
}

fn wait_for(run: &RunHandle, is_it: impl Fn(&RunEvent) -> bool) {
    assert!(run.events.iter().any(|event| is_it(&event)));
}

fn applies(event: &RunEvent, line: &str) -> bool {
    matches!(event, RunEvent::CommandApplied { command, .. } if command == line)
}

fn finish(run: RunHandle) -> String {
    let last = run.wait_for_end().expect("a snapshot");
    assert_eq!(last.state, RunState::Finished(FinishReason::Complete));
    text(&last.version)
}

#[test]
fn what_the_old_test_refused_is_asked_anew_at_any_number_of_workers() {
    let dialogues = [1, 4].map(|jobs| {
        let changing = ChangingRun::new(assigns, needs);
        let run = changing.start_with_new_test(jobs);
        send(&run, "resume");
        let last = finish(run);
        // The old test wanted the assignment, and the new one does not.
        assert!(needs(&last) && !assigns(&last), "{last}");
        changing.dialogue()
    });
    assert_eq!(dialogues[0], dialogues[1]);
    let mark = dialogues[0]
        .iter()
        .position(|line| line.contains("new-test!"))
        .expect("a mark");
    let hash_of = |line: &String| line.split('"').nth(5).map(str::to_owned);
    let before: Vec<_> = dialogues[0][..mark].iter().filter_map(hash_of).collect();
    let asked_again = dialogues[0][mark..]
        .iter()
        .filter(|line| hash_of(line).is_some_and(|hash| before.contains(&hash)))
        .filter(|line| line.starts_with("{\"decision\"") && !line.contains("origin"));
    assert!(asked_again.count() > 0, "{:#?}", dialogues[0]);
}

#[test]
fn a_run_that_was_killed_after_the_change_is_resumed_without_the_old_answers() {
    let changing = ChangingRun::new(assigns, needs);
    let run = changing.start_with_new_test(1);
    send(&run, "step");
    wait_for(&run, |event| matches!(event, RunEvent::Decided(_)));
    send(&run, "stop");
    run.wait_for_end().expect("a snapshot");
    let history = changing.history();
    assert_eq!(
        history.last_fingerprint().1.test_hash,
        ChangingRun::hash(true)
    );
    let known = history.current_verdicts();
    let journal = std::fs::read_to_string(changing.journal()).expect("a journal");
    let (before, after) = journal.split_once("new-test!").expect("a mark");
    let results = before.lines().filter_map(|line| line.split('"').nth(3));
    let old: Vec<&str> = results.filter(|hash| !after.contains(hash)).collect();
    assert!(old.len() > 10);
    for hash in old {
        let is_known = |hash| known.get(hash).is_some();
        assert!(
            !ContentHash::parse_hex(hash).is_some_and(is_known),
            "{hash}"
        );
    }
    // The journal is repeated, mark and all, and its rest is the new test's.
    let (last, events) = changing.resume();
    assert!(needs(&last) && !assigns(&last), "{last}");
    let differs =
        |event: &RunEvent| matches!(event, RunEvent::Note(note) if note.contains("differs"));
    assert!(!events.iter().any(differs));
    let recording = JournalRecording::read_from(&changing.journal()).expect("a recording");
    assert!(recording.exactly);
    let script = recording.commands.clone();
    let (runner, journal, comparison) = recording.into_replay();
    run_again(runner, journal, script);
    assert_eq!(comparison.first_difference(), None);
}

fn run_again(
    runner: lop::session::replay::RecordedRunner,
    journal: lop::session::replay::CheckingJournal,
    script: Vec<(reduce::ScriptTrigger, EngineCommand)>,
) {
    run(RunSetup {
        journal: Box::new(journal),
        script,
        audience: RunAudience::default(),
        ..setup(read("a.c", PROGRAM), runner)
    });
}

#[test]
fn a_run_whose_program_the_new_test_refuses_pauses_until_the_test_is_mended() {
    let changing = ChangingRun::new(assigns, counts);
    let run = changing.start(LATE, 1);
    send(&run, "resume");
    changing.change_test(&run);
    wait_for(
        &run,
        |event| matches!(event, RunEvent::Paused { reason: Some(reason), .. } if reason.contains("does not find version")),
    );
    // The snapshot may come a moment after the event.
    let bell = run.board.subscribe_updates();
    while !run
        .board
        .newest_snapshot()
        .is_some_and(|paused| matches!(paused.state, RunState::Paused(Some(_))))
    {
        bell.recv().expect("the run shows that it waits");
    }
    // What is resumed is tried again, and pauses again.
    send(&run, "resume");
    wait_for(&run, |event| matches!(event, RunEvent::Paused { .. }));
    changing.change_test(&run);
    wait_for(&run, |event| applies(event, "new-test!"));
    assert!(assigns(&finish(run)));
}

#[test]
fn a_version_that_only_the_old_test_found_is_not_entered() {
    let changing = ChangingRun::new(assigns, needs);
    let run = changing.start_with_new_test(1);
    send(&run, "goto 1");
    let refused = |event: &RunEvent| matches!(event, RunEvent::CommandApplied { outcome: Err(why), .. } if why.contains("another property or test"));
    wait_for(&run, refused);
    send(&run, "stop");
    run.wait_for_end().expect("a snapshot");
}

#[test]
fn without_a_screen_a_run_whose_program_the_new_test_refuses_ends() {
    let seen = AtomicBool::new(false);
    // The second test of a program is that of the changed test.
    let asked = std::sync::Mutex::new(std::collections::HashSet::new());
    let runner = oracle(move |text| {
        let is_new = asked.lock().expect("unpoisoned").insert(text.to_owned());
        seen.fetch_or(!is_new, Ordering::SeqCst);
        verdict(assigns(text) && !seen.load(Ordering::SeqCst))
    });
    let run = reduce::start_run(RunSetup {
        audience: RunAudience::default(),
        script: reduce::parse_script("at commit 2: new-test").expect("a script"),
        ..setup(read("a.c", PROGRAM), runner)
    })
    .expect("a run");
    let last = run.wait_for_end().expect("a snapshot");
    let RunState::Finished(FinishReason::Failed(reason)) = &last.state else {
        panic!("{:?}", last.state);
    };
    assert!(
        reason.contains("The result is what the old test found"),
        "{reason}"
    );
}
