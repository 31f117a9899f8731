//! A store of verdicts that runs share: none tests again what another one has tested, and the counts of each are as if it ran alone.

use std::sync::Arc;
use std::time::Duration;

use crate::common::{oracle, read, setup, text, verdict};
use lop::oracle::{LimitKind, LimitPolicy, TestExit, TestOutcome, TestRun, Verdict};
use lop::pass;
use lop::reduce::{
    self, HintStore, MemoryStore, ResultOrigin, RunSetup, RunSnapshot, TestResult, VerdictStore,
};

const PROGRAM: &str =
    "int spare;\nint f(int a) { return a; }\nint main(void) { bug(1); return 0; }\n";

/// A run with this store and a test that reports a second as its time; its last snapshot, and the number of tests that really ran.
fn reduce(store: Option<Arc<MemoryStore>>) -> (Arc<RunSnapshot>, usize) {
    reduce_by("lop", store)
}

/// The same with another strategy.
fn reduce_by(strategy: &str, store: Option<Arc<MemoryStore>>) -> (Arc<RunSnapshot>, usize) {
    let runner = oracle(|text| match verdict(text.contains("bug(")) {
        TestOutcome::Verdict(verdict, run) => TestOutcome::Verdict(
            verdict,
            TestRun {
                time: Duration::from_secs(1),
                ..run
            },
        ),
        other => other,
    });
    let script = runner.script_handle();
    let setup = RunSetup {
        property: None,
        store: store.map(|store| store as Arc<dyn VerdictStore>),
        options: pass::PassOptions::from_strategy(
            pass::find_strategy(strategy).expect("a strategy"),
        ),
        ..setup(read("a.c", PROGRAM), runner)
    };
    let run = reduce::start_run(setup).expect("a run");
    run.events.iter().for_each(drop);
    (
        run.wait_for_end().expect("a snapshot"),
        script.submitted_jobs().len(),
    )
}

#[test]
fn a_second_run_tests_nothing_again_and_counts_as_the_first() {
    let (alone, ran) = reduce(None);
    let store = Arc::new(MemoryStore::default());
    let (first, first_ran) = reduce(Some(store.clone()));
    let (second, second_ran) = reduce(Some(store));
    assert_eq!(
        (first_ran, second_ran),
        (ran, 0),
        "the second one starts no test"
    );
    assert_eq!(alone.counts, first.counts);
    assert_eq!(
        first.counts,
        reduce::RunCounts {
            from_store: 0,
            started: second.counts.from_store,
            ..second.counts
        }
    );
    assert_eq!(
        (second.counts.from_store, second.counts.started),
        (second.counts.tests, 0)
    );
    assert_eq!(text(&first.version), text(&second.version));
    assert_eq!(
        second.time_saved,
        Duration::from_secs(ran as u64),
        "the time that the tests would have taken"
    );
    let (last, point) = (second.curve.last(), first.curve.last());
    assert_eq!(
        last.map(|point| (point.tests, point.size.primary())),
        point.map(|point| (point.tests, point.size.primary()))
    );
    assert!(last.is_some_and(|point| point.time > Duration::from_secs(1)));
}

#[test]
fn a_run_that_a_store_knows_in_part_comes_to_its_end() {
    let store = Arc::new(MemoryStore::default());
    reduce_by("hdd", Some(store.clone()));
    for strategy in ["pardis", "perses", "lop"] {
        let (last, _) = reduce_by(strategy, Some(store.clone()));
        assert!(last.counts.from_store > 0, "{strategy}");
    }
}

#[test]
fn a_verdict_of_a_test_that_was_too_slow_dies_when_the_limit_grows() {
    let limit = |seconds| LimitPolicy::fixed(Duration::from_secs(seconds)).current_limits();
    let fact = |verdict| {
        let exit = Some(TestExit::Killed(LimitKind::Wall));
        let times = (Duration::from_secs(2), None);
        TestResult::from_record(ResultOrigin::Store, verdict, exit, times, limit(2))
    };
    let slow = fact(Verdict::TimedOut);
    assert!(slow.is_valid_under(limit(2)));
    assert!(!slow.is_valid_under(limit(3)) && !slow.is_valid_under(limit(0)));
    assert!(fact(Verdict::Uninteresting).is_valid_under(limit(0)));
}

#[test]
fn hints_of_another_test_decide_nothing() {
    let run = |test: fn(&str) -> bool, store: Option<Arc<dyn VerdictStore>>| {
        let runner = oracle(move |text| verdict(test(text)));
        let setup = RunSetup {
            store,
            jobs: 3,
            ..setup(read("a.c", PROGRAM), runner)
        };
        let run = reduce::start_run(setup).expect("a run");
        run.events.iter().for_each(drop);
        run.wait_for_end().expect("a snapshot")
    };
    let old = |text: &str| text.contains("bug(");
    let new = |text: &str| text.contains("spare");
    let said = Arc::new(MemoryStore::default());
    run(old, Some(said.clone()));
    let said = Arc::into_inner(said).expect("the run is over");
    let alone = run(new, None);
    let hinted = run(new, Some(Arc::new(HintStore(said))));
    assert_eq!(text(&hinted.version), text(&alone.version));
    let decided = |last: &RunSnapshot| {
        let all = last.decided.iter();
        all.map(|decided| (decided.edit.clone(), decided.verdict))
            .collect::<Vec<_>>()
    };
    assert_eq!(decided(&hinted), decided(&alone));
    assert_eq!(hinted.counts.from_store, 0);
}

#[test]
fn a_run_with_more_time_for_its_tests_does_not_believe_that_they_were_too_slow() {
    let run = |seconds: u64, store: Option<Arc<MemoryStore>>| {
        // Takes three seconds, whatever it says.
        let runner = oracle(move |text| match verdict(text.contains("bug(")) {
            TestOutcome::Verdict(_, run) if seconds < 3 => {
                let exit = TestExit::Killed(LimitKind::Wall);
                TestOutcome::Verdict(Verdict::TimedOut, TestRun { exit, ..run })
            }
            other => other,
        });
        let setup = RunSetup {
            store: store.map(|store| store as Arc<dyn VerdictStore>),
            limit: LimitPolicy::fixed(Duration::from_secs(seconds)),
            ..setup(read("a.c", PROGRAM), runner)
        };
        let run = reduce::start_run(setup).expect("a run");
        run.events.iter().for_each(drop);
        run.wait_for_end().expect("a snapshot")
    };
    let store = Arc::new(MemoryStore::default());
    let slow = run(2, Some(store.clone()));
    assert!(slow.counts.timed_out > 0 && slow.counts.accepted == 0);
    let (patient, alone) = (run(5, Some(store)), run(5, None));
    assert_eq!(text(&patient.version), text(&alone.version));
    assert_eq!(patient.counts, alone.counts);
}
