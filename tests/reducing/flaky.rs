//! Flaky tests: an accepted candidate meets the quorum, and a repeated run makes the same decisions.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{oracle, read, setup, text, verdict};
use crate::shell::Stage;
use lop::oracle::{NoVerdict, TestOutcome};
use lop::reduce::{
    self, CommandPosition, EngineCommand, FinishReason, JournalResult, NoJournal, Quorum,
    RunAudience, RunEvent, RunSetup, RunSnapshot, RunState, RunTally,
};
use lop::session::history::SessionHistory;
use lop::session::journal::{HeaderFile, HeaderLimit, JournalFile, JournalHeader};
use lop::session::replay::JournalRecording;
use proptest::prelude::*;

const PROGRAM: &str = "// a comment\nint needed = 1;\nint f(int a, int b) { return a + b; }\nint main(void) {\n  int x = f(1, 2);\n  if (x > 2) {\n    needed = x;\n  }\n  return needed;\n}\n";

/// A test that counts how often it was asked about each text.
fn counting(
    says: impl Fn(&str, u32) -> bool + Send + Sync + 'static,
) -> impl Fn(&str) -> TestOutcome {
    let asked: Mutex<HashMap<String, u32>> = Mutex::default();
    move |text| {
        let mut asked = asked.lock().expect("unpoisoned");
        let times = asked.entry(text.to_owned()).or_default();
        *times += 1;
        verdict(says(text, *times))
    }
}

/// Without its `if` the program shows the bug once, and then never again.
fn once_without_if(text: &str, times: u32) -> bool {
    text.contains("needed = x") && (text.contains("if") || times == 1)
}

/// Facts as they are written down.
#[derive(Clone, Default)]
struct Facts(Arc<Mutex<Vec<JournalResult>>>);

impl reduce::Journal for Facts {
    fn record_result(&mut self, fact: &JournalResult) {
        self.0.lock().expect("unpoisoned").push(fact.clone());
    }
    fn record_decision(&mut self, _: &reduce::JournalDecision) {}
    fn record_accept(&mut self, _: &reduce::AcceptedVersion, _: &reduce::VersionRecord) {}
    fn record_switch(&mut self, _: u64, _: u64) {}
    fn record_command(&mut self, _: CommandPosition, _: &EngineCommand) {}
    fn record_pass(&mut self, _: &reduce::PassLine) {}
    fn record_resume(&mut self, _: bool) {}
    fn record_finish(
        &mut self,
        _: &FinishReason,
        _: &reduce::RunCounts,
        _: &reduce::MinimalityClaim,
    ) {
    }
}

struct Went {
    last: Arc<RunSnapshot>,
    events: Vec<RunEvent>,
}

impl Went {
    fn text(&self) -> String {
        text(&self.last.version)
    }

    fn commands(&self) -> Vec<&str> {
        let commands = self.events.iter().filter_map(|event| match event {
            RunEvent::CommandApplied { command, .. } => Some(&command[..]),
            _ => None,
        });
        commands.collect()
    }

    fn said(&self, words: &str) -> bool {
        let mut events = self.events.iter();
        events.any(|event| matches!(event, RunEvent::Note(note) if note.contains(words)))
    }
}

fn go(setup: RunSetup) -> Went {
    let run = reduce::start_run(setup).expect("a run");
    let events = run.events.iter().collect();
    let last = run.wait_for_end().expect("a snapshot");
    Went { last, events }
}

/// A run whose result is confirmed.
fn confirmed(
    commands: &str,
    journal: impl reduce::Journal + 'static,
    says: impl Fn(&str, u32) -> bool + Send + Sync + 'static,
) -> Went {
    go(RunSetup {
        confirm: true,
        journal: Box::new(journal),
        script: reduce::parse_script(commands).expect("a script"),
        ..setup(read("a.c", PROGRAM), oracle(counting(says)))
    })
}

#[test]
fn a_test_that_never_changes_is_asked_once_more_and_that_is_all() {
    let facts = Facts::default();
    let went = confirmed("", facts.clone(), |text, _| text.contains("needed = x"));
    assert_eq!(went.commands(), [""; 0]);
    assert_eq!(
        (went.last.counts.repeated, went.last.counts.changed),
        (1, 0)
    );
    assert_eq!(went.last.version_tally, RunTally { yes: 2, runs: 2 });
    let facts = facts.0.lock().expect("unpoisoned");
    let last = facts.last().expect("facts");
    assert!(last.is_recheck && last.hash == went.last.version.content_hash());
}

#[test]
fn a_result_that_does_not_hold_is_left_for_the_newest_version_that_does() {
    let went = confirmed("", NoJournal, once_without_if);
    assert_eq!(went.last.state, RunState::Finished(FinishReason::Complete));
    assert!(
        went.said("asked about the result once more and does not find it interesting (exit 1)")
    );
    assert!(went.said("the test is flaky"));
    let commands = went.commands();
    assert_eq!(commands[..2], ["confirm 3/3", "undo fails"], "{commands:?}");
    let last = went.text();
    assert!(last.contains("if") && last.contains("needed = x"), "{last}");
    assert!(last.len() < 60, "the run went on from there: {last}");
    assert_eq!(went.last.version_tally.yes, went.last.version_tally.runs);
    assert!(went.last.counts.changed > 0);
    assert!(
        went.last.smaller_version().is_none(),
        "what does not hold is not kept"
    );
}

#[test]
fn a_test_that_says_no_to_the_original_too_has_changed_and_undoes_nothing() {
    let says =
        |text: &str, times: u32| text != PROGRAM && text.contains("needed = x") && times == 1;
    let went = confirmed("", NoJournal, says);
    let RunState::Finished(FinishReason::Failed(reason)) = &went.last.state else {
        panic!("{:?}", went.last.state);
    };
    assert!(
        reason.contains("the original interesting any more either"),
        "{reason}"
    );
    assert_eq!(went.commands(), [""; 0]);
    let squeezed: String = went.text().split_whitespace().collect();
    assert_eq!(squeezed, "{needed=x;}");
}

#[test]
fn what_says_yes_in_one_of_two_runs_is_reduced_if_that_is_enough() {
    // Every second run says no, the first among them.
    let says = |text: &str, times: u32| text.contains("needed = x") && times.is_multiple_of(2);
    let went = confirmed("confirm 1/2", NoJournal, says);
    let squeezed: String = went.text().split_whitespace().collect();
    assert_eq!(squeezed, "{needed=x;}");
    assert_eq!(went.commands(), ["confirm 1/2"]);
    let strict = confirmed("confirm 2/2", NoJournal, says);
    assert_eq!(
        strict.last.counts.accepted, 0,
        "nothing says yes twice in a row"
    );
}

#[test]
fn a_check_that_fails_asks_more_of_what_follows() {
    // The program without its comment is interesting once.
    let says = |text: &str, times: u32| {
        text.contains("needed = x") && (text.contains("comment") || times == 1)
    };
    let went = go(RunSetup {
        // The check pauses the run, and nobody resumes it.
        audience: RunAudience::default(),
        script: reduce::parse_script("at commit 1: recheck").expect("a script"),
        ..setup(read("a.c", PROGRAM), oracle(counting(says)))
    });
    assert!(
        went.commands().contains(&"confirm 3/3"),
        "{:?}",
        went.commands()
    );
    assert!(went.said("no longer finds it interesting"));
    assert_eq!(went.last.quorum, Quorum::SURE);
}

#[test]
fn a_test_that_never_repeats_itself_leaves_no_version() {
    let went = confirmed("", NoJournal, |_, times| times == 1);
    let RunState::Finished(FinishReason::Failed(reason)) = &went.last.state else {
        panic!("{:?}", went.last.state);
    };
    assert!(reason.contains("no version holds"), "{reason}");
    assert_eq!(went.text(), PROGRAM, "the original is what is left");
}

#[test]
fn what_the_system_kept_from_being_asked_is_asked_again_before_the_run_goes_on() {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = asked.clone();
    // The disk is full when the version before is asked about for the first time.
    let says = counting(once_without_if);
    let runner = oracle(move |text| {
        let mut asked = log.lock().expect("unpoisoned");
        let again = text.contains("if") && asked.iter().any(|before| before == text);
        let fails = again && asked.last().is_none_or(|last| last != text);
        asked.push(text.to_owned());
        match fails {
            true => TestOutcome::NoVerdict(NoVerdict::System {
                doing: "writing the candidate",
                reason: "No space left on device".into(),
                errno: Some(28),
            }),
            false => says(text),
        }
    });
    let went = go(RunSetup {
        confirm: true,
        ..setup(read("a.c", PROGRAM), runner)
    });
    assert!(went.said("No space left"));
    assert!(went.said("holds, in 3 of 3 runs"), "{:?}", went.events);
    assert_eq!(went.last.state, RunState::Finished(FinishReason::Complete));
    let asked = asked.lock().expect("unpoisoned");
    let again = |at: &usize| asked[..*at].contains(&asked[*at]) && asked[*at].contains("if");
    let first = (1..asked.len()).find(again).expect("it was asked about");
    let four = &asked[first..first + 4];
    assert!(four.iter().all(|text| *text == four[0]), "{four:?}");
}

#[test]
fn a_check_has_the_limit_that_its_test_had() {
    let facts = Facts::default();
    let runner = oracle(|text| verdict(text.contains("needed = x")));
    let script = runner.script_handle();
    script.hold_jobs();
    let run = reduce::start_run(RunSetup {
        paused: true,
        journal: Box::new(facts.clone()),
        ..setup(read("a.c", PROGRAM), runner)
    })
    .expect("a run");
    let say = |command| {
        run.commands.send(command).expect("it listens");
        let obeyed = |event: &RunEvent| matches!(event, RunEvent::CommandApplied { .. });
        assert!(run.events.iter().any(|event| obeyed(&event)));
    };
    say(EngineCommand::Recheck);
    let check = script.wait_for_held(1);
    say(EngineCommand::Timeout(Some(Duration::from_secs(5))));
    script.release_job(check[0]);
    let told = |event: &RunEvent| matches!(event, RunEvent::Note(note) if note.contains("finds it interesting"));
    assert!(run.events.iter().any(|event| told(&event)));
    let facts = facts.0.lock().expect("unpoisoned");
    assert!(facts[0].is_recheck);
    assert_eq!(facts[0].result.limits.wall, Some(Duration::from_secs(60)));
}

/// The session of a run, and how the run went.
fn session(dir: &Path, says: fn(&str, u32) -> bool) -> Went {
    let file = HeaderFile::new(Path::new("a.c"), Some("c"), PROGRAM.as_bytes());
    let limit = HeaderLimit::Fixed(60_000_000_000);
    let header = JournalHeader::new(vec![file], "lop", "galloping", limit);
    let journal = JournalFile::create(&dir.join("journal.jsonl"), &header).expect("a journal");
    confirmed(
        "at decision 5: confirm 2/3\nat decision 9: confirm 3/3",
        journal,
        says,
    )
}

#[test]
fn a_run_whose_rule_changed_is_the_same_when_it_is_done_again() {
    let dir = tempfile::tempdir().expect("a directory");
    let went = session(dir.path(), |text, times| {
        text.contains("needed = x") && (text.contains("if") || times <= 3)
    });
    let commands = went.commands();
    assert!(commands.contains(&"undo fails"), "{commands:?}");
    let path = dir.path().join("journal.jsonl");
    let recording = JournalRecording::read_from(&path).expect("a journal");
    assert!(recording.complete && recording.exactly);
    let script = recording.commands.clone();
    let (runner, journal, comparison) = recording.into_replay();
    let again = go(RunSetup {
        script,
        journal: Box::new(journal),
        ..setup(read("a.c", PROGRAM), runner)
    });
    assert_eq!(comparison.first_difference(), None);
    assert_eq!(again.text(), went.text());

    let story = SessionHistory::read_from(&path).expect("a story");
    let resumed = go(RunSetup {
        resume: Some(story.build_resume(None)),
        ..setup(read("a.c", PROGRAM), oracle(|_| panic!("nothing is asked")))
    });
    assert_eq!(resumed.text(), went.text());
    assert_eq!(resumed.last.quorum, Quorum::SURE);
}

/// A number that hangs on all of this and on nothing else.
fn chance(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish() % 100
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Each text has its own probability, and each run draws again.
    #[test]
    #[ignore = "long"]
    fn the_last_version_holds_by_the_rule_in_force(seed: u64, yes in 1u16..4, more in 0u16..3) {
        let quorum = Quorum::new(yes, yes + more).expect("a quorum");
        let says = move |text: &str, times: u32| {
            let odds = match text {
                PROGRAM => 100,
                text if !text.contains("needed") => 0,
                text => [10, 60, 95, 100][(chance((seed, text)) % 4) as usize],
            };
            chance((seed, text, times)) < odds
        };
        for commands in [String::new(), format!("confirm {quorum}")] {
            let facts = Facts::default();
            let went = confirmed(&commands, facts.clone(), says);
            prop_assert_eq!(&went.last.state, &RunState::Finished(FinishReason::Complete));
            let facts = facts.0.lock().expect("unpoisoned");
            let hash = went.last.version.content_hash();
            let about: Vec<_> = facts.iter().filter(|fact| fact.hash == hash).collect();
            let rule = went.last.quorum;
            // The last word is that it holds; and the rule in force was met, when it was found or since.
            let last = about.last().expect("it was asked about");
            prop_assert!(last.is_recheck && last.result.quorum.evaluate_tally(last.result.tally) == Some(true));
            let met = about.iter().any(|fact| rule.evaluate_tally(fact.result.tally) == Some(true));
            prop_assert!(met, "{} {:?}", rule, about);
        }
    }
}

#[test]
fn a_script_that_says_yes_once_does_not_decide_the_result() {
    let stage = Stage::new();
    // A program without `stay` is interesting the first time that it is seen.
    let seen = stage.path("seen");
    std::fs::create_dir(&seen).expect("a directory");
    let mark = format!("{}/$(cksum < bug.c | cut -d' ' -f1)", seen.display());
    stage.test(
        "flaky.sh",
        &format!("grep -q bug bug.c || exit 1\ngrep -q stay bug.c && exit 0\n[ -e {mark} ] && exit 1\n: > {mark}"),
    );
    let end = stage.lop(&["bug.c", "./flaky.sh", "--plain", "--jobs", "1"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("does not find it interesting"), "{end}");
    assert!(end.out.contains("back to the version before"), "{end}");
    let result = stage.read("bug.lop.c");
    assert!(
        result.contains("stay") && result.contains("bug"),
        "{result}"
    );
    assert!(end.out.contains("repeated"), "{end}");
    let check = stage.lop(&["replay", "--check"]);
    assert_eq!(check.status, 0, "{check}");
}

#[test]
fn a_compiler_that_is_gone_in_the_middle_of_a_run_costs_no_version() {
    let stage = Stage::new();
    stage.write(
        "bug.c",
        "int a;\nint b;\nint bug;\nint c;\nint d;\nint f(void) { return 1; }\n",
    );
    let asked = stage.path("asked");
    stage.test(
        "compile.sh",
        &format!(
            "echo >> {0}\n[ $(wc -l < {0}) -le 6 ] || exit 1\ngrep -q bug \"$1\"",
            asked.display()
        ),
    );
    let end = stage.lop(&["bug.c", "./compile.sh", "--plain", "--jobs", "1"]);
    assert_eq!(end.status, 3, "{end}");
    assert!(
        end.err
            .contains("the test does not find the original interesting any more either")
            || end.out.contains("interesting any more either"),
        "{end}"
    );
    assert!(
        !end.out.contains("flaky") && !end.out.contains("undo"),
        "{end}"
    );
    let left = stage.read("bug.lop.c");
    assert!(left.contains("bug") && left.len() < 40, "{left}");
    // The compiler is back.
    std::fs::write(&asked, "").expect("the count");
    let end = stage.lop(&[
        "bug.lop.c",
        "./compile.sh",
        "-o",
        "again.c",
        "--plain",
        "--jobs",
        "1",
    ]);
    assert!(stage.read("again.c").contains("bug"), "{end}");
}

#[test]
fn an_original_that_is_flaky_is_told_from_one_that_is_not_interesting() {
    let stage = Stage::new();
    let count = stage.path("count");
    let script = format!(
        "grep -q bug bug.c || exit 1\necho >> {0}\n[ $(($(wc -l < {0}) % 3)) = 0 ]",
        count.display()
    );
    stage.test("flaky.sh", &script);
    let end = stage.lop(&["bug.c", "./flaky.sh", "--plain"]);
    assert_eq!(end.status, 1, "{end}");
    assert!(end.err.contains("interesting in 1 of 3 runs"), "{end}");
    let end = stage.lop(&[
        "bug.c",
        "./flaky.sh",
        "--plain",
        "--jobs",
        "1",
        "--confirm",
        "1/3",
    ]);
    assert_eq!(end.status, 0, "{end}");
    let result: String = stage.read("bug.lop.c").split_whitespace().collect();
    assert!(result.len() < "intbug;intstay;".len(), "{result}");
    let bad = stage.lop(&["bug.c", "./flaky.sh", "--confirm", "3/2"]);
    assert!(
        bad.status == 2 && bad.err.contains("as 3/3 or 2/5"),
        "{bad}"
    );
}

#[test]
fn another_failure_is_kept_in_its_smallest_program() {
    let stage = Stage::new();
    stage.test(
        "test.sh",
        "grep -q bug bug.c && exit 0\ngrep -q stay bug.c || exit 1\necho \"panicked at line 7\"\nexit 101",
    );
    let line = ["bug.c", "./test.sh", "--plain", "--also-interesting", "101"];
    let end = stage.lop(&line);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("bug.lop.also/exit-101-"), "{end}");
    let kept: Vec<_> = std::fs::read_dir(stage.path("bug.lop.also"))
        .expect("it is there")
        .collect();
    assert_eq!(kept.len(), 1);
    let kept = std::fs::read_to_string(kept[0].as_ref().expect("an entry").path()).expect("text");
    assert!(kept.contains("stay") && !kept.contains("bug"), "{kept}");
    for (status, said) in [("0", "has a meaning already"), ("300", "from 1 to 255")] {
        let end = stage.lop(&["bug.c", "./test.sh", "--also-interesting", status]);
        assert!(end.status == 2 && end.err.contains(said), "{end}");
    }
}

#[test]
fn the_failure_that_is_looked_for_is_no_other_one_whatever_its_status() {
    let stage = Stage::new();
    stage.test(
        "tool",
        "grep -q bug \"$1\" || exit 1\necho \"internal error: in lower, at lower.c:7\"\nexit 101",
    );
    let line = ["bug.c", "--plain", "--also-interesting", "101", "--"];
    let end = stage.lop(&[&line[..], &["./tool", "{}"]].concat());
    assert_eq!(end.status, 0, "{end}");
    assert!(!stage.path("bug.lop.also").exists(), "{end}");
}
