//! A test that nobody wants any more is cancelled on the farm: to leave its stream would not end it.

use lop::oracle::{JobId, Runner, TestOutcome};

use crate::fake_farm::{Conduct, FakeFarm};
use crate::runners::{FarmPlace, job, next};

#[test]
fn a_running_test_is_cancelled_by_its_operation() {
    let farm = FakeFarm::start(Conduct::Hangs);
    let place = FarmPlace::new(&farm.address, "exit 0");
    let mut runner = place.runner();
    runner.submit(job(1, "a"));
    farm.await_seen("the test runs", |seen| seen.asked.len() == 1);
    runner.cancel(JobId(1));
    farm.await_seen("it was cancelled", |seen| seen.cancelled == ["operation 1"]);
    let result = next(&runner);
    assert_eq!(result.id, JobId(1));
    assert!(matches!(result.outcome, TestOutcome::Cancelled));
}

#[test]
fn the_end_of_a_run_waits_until_the_farm_has_heard_what_was_cancelled_before() {
    let farm = FakeFarm::start(Conduct::Hangs);
    let place = FarmPlace::new(&farm.address, "exit 0");
    let mut runner = place.runner();
    (1..=3).for_each(|id| runner.submit(job(id, "a")));
    farm.await_seen("all run", |seen| seen.asked.len() == 3);
    (1..=3).for_each(|id| runner.cancel(JobId(id)));
    drop(runner);
    assert_eq!(farm.seen().cancelled.len(), 3);
}

#[test]
fn the_end_of_a_run_cancels_what_runs() {
    let farm = FakeFarm::start(Conduct::Hangs);
    let place = FarmPlace::new(&farm.address, "exit 0");
    let mut runner = place.runner();
    (1..=3).for_each(|id| runner.submit(job(id, "a")));
    farm.await_seen("all run", |seen| seen.asked.len() == 3);
    drop(runner);
    farm.await_seen("all were cancelled", |seen| seen.cancelled.len() == 3);
}
