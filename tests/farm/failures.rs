//! What is no verdict: it is asked again, and then of this machine.

use std::path::Path;

use lop::oracle::remote::{HybridOptions, HybridRunner};
use lop::oracle::{FarmState, JobId, LocalRunner, NoVerdict, Runner, TestOutcome, Verdict};
use tonic::Code;

use crate::fake_farm::{Conduct, FakeFarm};
use crate::runners::{FarmPlace, job, next};

const FINDS_BUG: &str = "grep -q bug bug.c";

fn verdict_of(conduct: Conduct) -> (Option<Verdict>, usize) {
    let farm = FakeFarm::start(conduct);
    let place = FarmPlace::new(&farm.address, FINDS_BUG);
    let mut runner = place.runner();
    runner.submit(job(1, "a bug"));
    let outcome = next(&runner).outcome;
    if let TestOutcome::NoVerdict(reason) = &outcome {
        assert!(matches!(reason, NoVerdict::FarmFailed { .. }), "{reason:?}");
    }
    (outcome.verdict(), farm.seen().asked.len())
}

#[test]
#[ignore = "long"]
fn a_farm_that_is_short_of_something_is_asked_again() {
    for code in [Code::Unavailable, Code::ResourceExhausted, Code::Aborted] {
        let (verdict, asked) = verdict_of(Conduct::Refuses(code, 2));
        assert_eq!(
            (verdict, asked),
            (Some(Verdict::Interesting), 3),
            "{code:?}"
        );
    }
}

#[test]
fn a_farm_that_goes_on_so_gives_no_verdict() {
    let (verdict, asked) = verdict_of(Conduct::Refuses(Code::DeadlineExceeded, usize::MAX));
    assert_eq!((verdict, asked), (None, 2));
    let (verdict, asked) = verdict_of(Conduct::Refuses(Code::PermissionDenied, usize::MAX));
    assert_eq!((verdict, asked), (None, 1), "it will say so again");
}

#[test]
fn a_stream_that_is_cut_and_another_text_are_no_verdict() {
    assert_eq!(verdict_of(Conduct::Cuts), (None, 4));
    assert_eq!(verdict_of(Conduct::Garbles), (None, 2));
}

#[test]
fn a_notice_has_the_beginning_of_what_the_farm_says() {
    let farm = FakeFarm::start(Conduct::Chats);
    let place = FarmPlace::new(&farm.address, FINDS_BUG);
    let mut runner = place.runner();
    runner.submit(job(1, "a bug"));
    let outcome = next(&runner).outcome;
    let TestOutcome::NoVerdict(NoVerdict::FarmFailed { reason, .. }) = outcome else {
        panic!("{outcome:?}");
    };
    assert!(reason.starts_with("a word "), "{reason}");
    assert!(reason.ends_with('…') && reason.len() < 2000, "{reason}");
}

#[test]
fn a_server_that_is_not_there_gives_no_verdict() {
    let address = FakeFarm::start(Conduct::Works).address.clone();
    let place = FarmPlace::new(&address, FINDS_BUG);
    let mut runner = place.runner();
    runner.submit(job(1, "a bug"));
    let outcome = next(&runner).outcome;
    let TestOutcome::NoVerdict(NoVerdict::FarmFailed { refuses: false, .. }) = outcome else {
        panic!("{outcome:?}");
    };
}

/// A runner of this machine and a farm, which seems to be faster.
fn hybrid(place: &FarmPlace, options: HybridOptions) -> HybridRunner {
    let helper = Path::new(env!("CARGO_BIN_EXE_lop"));
    let local = LocalRunner::new(place.test(), place.scratch(), 1, Some(helper));
    let local = Box::new(local.expect("a runner"));
    let farm = Box::new(place.runner());
    HybridRunner::start(local, farm, options, place.monitor.clone()).expect("a thread")
}

const OPTIONS: HybridOptions = HybridOptions {
    local_jobs: 1,
    farm_jobs: 4,
    trusts_farm: false,
    first_times: [
        Some(std::time::Duration::from_secs(1000)),
        Some(std::time::Duration::from_millis(1)),
    ],
};

/// What becomes of ten candidates, every second of which has the bug.
fn run_ten(
    farm: &FakeFarm,
    options: HybridOptions,
) -> (Vec<Option<Verdict>>, lop::oracle::FarmStatus) {
    let place = FarmPlace::new(&farm.address, FINDS_BUG);
    let mut runner = hybrid(&place, options);
    let texts = ["a bug", "nothing"];
    (0..10).for_each(|id| runner.submit(job(id, &format!("{}{id}", texts[id as usize % 2]))));
    let mut results: Vec<_> = (0..10).map(|_| next(&runner)).collect();
    results.sort_by_key(|result| result.id);
    assert_eq!(results[9].id, JobId(9));
    let verdicts = results
        .iter()
        .map(|result| result.outcome.verdict())
        .collect();
    (verdicts, place.monitor.current_status())
}

fn truth() -> Vec<Option<Verdict>> {
    [Some(Verdict::Interesting), Some(Verdict::Uninteresting)].repeat(5)
}

#[test]
#[ignore = "long"]
fn this_machine_answers_what_the_farm_does_not() {
    for conduct in [
        Conduct::Refuses(Code::Unavailable, usize::MAX),
        Conduct::Refuses(Code::Unauthenticated, usize::MAX),
        Conduct::Garbles,
        Conduct::Cuts,
        Conduct::Hangs,
    ] {
        let farm = FakeFarm::start(conduct);
        let (verdicts, status) = run_ten(&farm, OPTIONS);
        assert_eq!(verdicts, truth(), "{conduct:?}");
        assert!(status.local_tests >= 10, "{conduct:?}: {status:?}");
    }
}

#[test]
fn what_only_the_farm_finds_interesting_does_not_count() {
    let farm = FakeFarm::start(Conduct::Claims(0));
    let (verdicts, status) = run_ten(&farm, OPTIONS);
    assert_eq!(verdicts, truth());
    assert!(status.disputes > 0, "{status:?}");
    let farm = FakeFarm::start(Conduct::Claims(0));
    let trusting = HybridOptions {
        trusts_farm: true,
        ..OPTIONS
    };
    let (verdicts, _) = run_ten(&farm, trusting);
    assert_ne!(verdicts, truth(), "who trusts it gets what it says");
}

#[test]
fn a_farm_without_the_compiler_is_not_asked_for_long() {
    let farm = FakeFarm::start(Conduct::Claims(127));
    let place = FarmPlace::new(&farm.address, FINDS_BUG);
    let mut runner = hybrid(&place, OPTIONS);
    (0..4).for_each(|id| runner.submit(job(id, "nothing")));
    let notices: Vec<_> = (0..4).filter_map(|_| next(&runner).notice).collect();
    assert!(notices[0].contains("something is missing"), "{notices:?}");
    assert_eq!(place.monitor.current_status().state, FarmState::Dropped);
}

#[test]
fn a_server_that_is_killed_in_the_middle_loses_nothing() {
    let mut farm = FakeFarm::start(Conduct::Hangs);
    let place = FarmPlace::new(&farm.address, FINDS_BUG);
    let mut runner = hybrid(&place, OPTIONS);
    (0..4).for_each(|id| runner.submit(job(id, "a bug")));
    farm.await_seen("four tests run there", |seen| seen.asked.len() == 4);
    farm.kill();
    for _ in 0..4 {
        assert_eq!(next(&runner).outcome.verdict(), Some(Verdict::Interesting));
    }
}
