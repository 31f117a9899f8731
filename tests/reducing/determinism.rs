//! The same input, test and options give the same decisions and bytes, whatever the number of workers and their timing.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::common::detours::{SUM, takes_difference, takes_sums, unfolding};
use crate::common::{read, run, setup, verdict};
use crossbeam_channel::{Receiver, Sender, unbounded};
use lop::oracle::{JobId, JobResult, Runner, TestJob, TestOutcome, Verdict};
use lop::pass;
use lop::reduce::{
    AcceptedVersion, BACKGROUND_THRESHOLD, CommandPosition, EngineCommand, FinishReason, Journal,
    JournalDecision, JournalResult, MinimalityClaim, PassLine, RunCounts, RunSetup, VersionRecord,
};
use proptest::prelude::*;

const SMALL: &str = include_str!("../samples/small.c");

/// A runner with many workers that answers in a random order, each answer late by a random number of others.
struct Shuffled {
    jobs: Option<Sender<Word>>,
    answers: Receiver<JobResult>,
    thread: Option<JoinHandle<()>>,
}

enum Word {
    Submit(TestJob),
    Cancel(JobId),
}

impl Shuffled {
    fn new(seed: u64, says: impl Fn(&str) -> TestOutcome + Send + 'static) -> Shuffled {
        let (jobs, inbox) = unbounded();
        let (outbox, answers) = unbounded();
        let thread = std::thread::spawn(move || shuffle(seed, &inbox, &outbox, says));
        Shuffled {
            jobs: Some(jobs),
            answers,
            thread: Some(thread),
        }
    }

    fn say(&self, word: Word) {
        let jobs = self.jobs.as_ref().expect("it lives until it is dropped");
        jobs.send(word).expect("the thread lives as long");
    }
}

fn shuffle(
    mut seed: u64,
    inbox: &Receiver<Word>,
    outbox: &Sender<JobResult>,
    says: impl Fn(&str) -> TestOutcome,
) {
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as usize % below.max(1)
    };
    let mut held: VecDeque<TestJob> = VecDeque::new();
    loop {
        // Now and then more jobs are let come in before the next answer.
        let patience = Duration::from_micros(random(400) as u64);
        match inbox.recv_timeout(patience) {
            Ok(Word::Submit(job)) => held.push_back(job),
            Ok(Word::Cancel(id)) => {
                if let Some(at) = held.iter().position(|job| job.id == id) {
                    held.remove(at);
                    let _ = outbox.send(JobResult::new(id, TestOutcome::Cancelled));
                }
            }
            Err(error) if error.is_disconnected() => return,
            Err(_) => {
                let at = random(held.len());
                if let Some(job) = held.remove(at) {
                    let text = std::str::from_utf8(&job.files[0].1).expect("UTF-8");
                    let outcome = says(text);
                    let _ = outbox.send(JobResult::new(job.id, outcome));
                }
            }
        }
    }
}

impl Runner for Shuffled {
    fn submit(&mut self, job: TestJob) {
        self.say(Word::Submit(job));
    }

    fn cancel(&mut self, id: JobId) {
        self.say(Word::Cancel(id));
    }

    fn result_receiver(&self) -> &Receiver<JobResult> {
        &self.answers
    }
}

impl Drop for Shuffled {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Decisions and accepted versions, in their order.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    fn add(&self, note: String) {
        self.0.lock().expect("unpoisoned").push(note);
    }
}

impl Journal for Notes {
    fn record_result(&mut self, _: &JournalResult) {}
    fn record_decision(&mut self, decided: &JournalDecision) {
        self.add(format!("{decided:?}"));
    }
    fn record_accept(&mut self, taken: &AcceptedVersion, _: &VersionRecord) {
        self.add(format!("{taken:?}"));
    }
    fn record_command(&mut self, _: CommandPosition, _: &EngineCommand) {}
    fn record_switch(&mut self, _: u64, _: u64) {}
    fn record_pass(&mut self, _: &PassLine) {}
    fn record_resume(&mut self, _: bool) {}
    fn record_finish(&mut self, finish: &FinishReason, _: &RunCounts, _: &MinimalityClaim) {
        self.add(format!("{finish:?}"));
    }
}

/// The result, and all decisions and accepted versions.
fn reduce(
    text: &str,
    options: pass::PassOptions,
    (jobs, aside): (usize, u32),
    seed: u64,
    says: impl Fn(&str) -> bool + Send + 'static,
) -> (String, Vec<String>) {
    reduce_by(text, options, (jobs, aside), seed, move |text| {
        verdict(says(text))
    })
}

/// The same with a test that says more than yes and no.
fn reduce_by(
    text: &str,
    options: pass::PassOptions,
    (jobs, aside): (usize, u32),
    seed: u64,
    says: impl Fn(&str) -> TestOutcome + Send + 'static,
) -> (String, Vec<String>) {
    let notes = Notes::default();
    let runner = Shuffled::new(seed | 1, says);
    let (last, _) = run(RunSetup {
        jobs,
        background_threshold: aside,
        options,
        journal: Box::new(notes.clone()),
        ..setup(read("small.c", text), runner)
    });
    let notes = notes.0.lock().expect("unpoisoned").clone();
    (last, notes)
}

/// The texts that a candidate must have, picked by number from the words of the program.
fn words(picks: &[usize]) -> Vec<&'static str> {
    let all: Vec<_> = SMALL
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.len() > 2)
        .collect();
    picks.iter().map(|&pick| all[pick % all.len()]).collect()
}

/// Perses by the smart schedule.
fn smart() -> pass::PassOptions {
    let perses = pass::find_strategy("perses").expect("known");
    pass::PassOptions {
        schedule: pass::ScheduleKind::Smart,
        ..pass::PassOptions::from_strategy(perses)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "long"]
    fn any_number_of_workers_decides_the_same(picks in proptest::collection::vec(0usize..1000, 1..4), which in 0usize..3, seed: u64) {
        // Now and then one times out.
        let says = |picks: &[usize]| {
            let words = words(picks);
            move |text: &str| match words.iter().all(|word| text.contains(word)) {
                false if text.len().is_multiple_of(3) => Verdict::TimedOut.into(),
                interesting => verdict(interesting),
            }
        };
        let options = [pass::PassOptions::default(), crate::common::rows::batch(), smart()][which];
        let one = reduce_by(SMALL, options, (1, BACKGROUND_THRESHOLD), seed, says(&picks));
        prop_assert!(one.1.len() > 2);
        // Whether it is planned aside makes no difference either.
        for (jobs, aside) in [(1, 0), (2, BACKGROUND_THRESHOLD), (3, 0), (8, BACKGROUND_THRESHOLD), (64, 0)] {
            let many = reduce_by(SMALL, options, (jobs, aside), seed.wrapping_mul(jobs as u64 + 1), says(&picks));
            prop_assert_eq!(&many.0, &one.0, "{} workers", jobs);
            prop_assert_eq!(&many.1, &one.1, "{} workers", jobs);
        }
    }
}

#[test]
#[ignore = "long"]
fn detours_of_a_pass_are_the_same_with_any_number_of_workers() {
    let options = pass::PassOptions::from_strategy(unfolding(400));
    for says in [takes_difference, takes_sums] {
        let one = reduce(SUM, options, (1, BACKGROUND_THRESHOLD), 1, says);
        assert!(one.1.len() > 20, "{:?}", one.1);
        for (jobs, aside) in [
            (1, 0),
            (2, BACKGROUND_THRESHOLD),
            (3, 0),
            (8, BACKGROUND_THRESHOLD),
            (64, 0),
        ] {
            let many = reduce(SUM, options, (jobs, aside), 7 * jobs as u64, says);
            assert_eq!(many, one, "{jobs} workers");
        }
    }
}

/// A program with a function that keeps its name through the compiler, and much that it does not need.
const COMPILED: &str = "\
typedef int number;
static number spare[4];
struct pair { number first, second; };
static number add(number a, number b) { return a + b; }
number unneeded(struct pair *pair) { return add(pair->first, pair->second) + spare[0]; }
int witness(int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sum += add(i, 2);
    }
    return sum;
}
int main(void) { return witness(3); }
";

/// The lines of the journal that must not depend on workers and time: decisions without limits, and accepted versions.
fn decisions(journal: &str) -> Vec<String> {
    let lines = journal.lines().map(|line| {
        let mut line: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        if let Some(fields) = line.as_object_mut() {
            fields.retain(|name, _| name != "ms" && name != "sum");
        }
        line
    });
    lines
        .filter(|line| line.get("decision").is_some() || line.get("accept").is_some())
        .map(|line| line.to_string())
        .collect()
}

#[test]
#[ignore = "long"]
fn a_real_compiler_gives_the_same_with_any_number_of_workers() {
    let runs = ["1", "2", "3", "8", "64"].map(|jobs| {
        let stage = crate::shell::Stage::new();
        stage.write("bug.c", COMPILED);
        // Answers come after a random time, up to 7 ms: of the test, not of ours.
        stage.test(
            "cc.sh",
            "sleep 0.00$(( $(od -An -N1 -tu1 /dev/urandom) % 8 ))\n\
             cc -w -c -o bug.o bug.c 2>/dev/null || exit 1\n\
             grep -q witness bug.o && grep -q 'return sum' bug.c",
        );
        let line = [
            "bug.c",
            "cc.sh",
            "--jobs",
            jobs,
            "--timeout",
            "60",
            "--journal",
            "j",
        ];
        let end = stage.lop(&line);
        assert_eq!(end.status, 0, "{end}");
        (stage.read("bug.lop.c"), decisions(&stage.read("j")))
    });
    assert!(runs[0].1.len() > 10 && runs[0].0.len() < COMPILED.len() / 4);
    for run in &runs[1..] {
        assert_eq!(run, &runs[0]);
    }
}
