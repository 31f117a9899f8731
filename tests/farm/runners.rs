//! The runner of a farm alone: what is sent, what is asked, what is recalled.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lop::oracle::remote::{FarmOptions, FarmRunner};
use lop::oracle::{
    FarmMonitor, InterestingnessTest, JobId, JobResult, NoVerdict, Runner, ScratchSpace, TestJob,
    TestOutcome, TimeLimits, Verdict,
};

use crate::fake_farm::{Conduct, FakeFarm};
use crate::shell::Stage;

pub const PATIENCE: Duration = Duration::from_secs(60);

/// A test with this body, in a directory of its own, and the runner that asks a farm.
pub struct FarmPlace {
    stage: Stage,
    pub options: FarmOptions,
    pub monitor: FarmMonitor,
}

impl FarmPlace {
    pub fn new(address: &str, body: &str) -> FarmPlace {
        let stage = Stage::new();
        stage.test("test.sh", body);
        FarmPlace {
            stage,
            options: FarmOptions {
                address: address.to_owned(),
                ..FarmOptions::default()
            },
            monitor: FarmMonitor::default(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.stage.path(name)
    }

    pub fn test(&self) -> InterestingnessTest {
        InterestingnessTest::from_path(&self.path("test.sh")).expect("a test")
    }

    pub fn scratch(&self) -> ScratchSpace {
        ScratchSpace::choose_base(Some(&self.path("")), 0, 1).expect("a place")
    }

    pub fn runner(&self) -> FarmRunner {
        FarmRunner::new(
            self.test(),
            &self.options,
            self.scratch(),
            self.monitor.clone(),
        )
        .expect("a runner")
    }
}

pub fn job(id: u64, text: &str) -> TestJob {
    TestJob {
        id: JobId(id),
        files: vec![(PathBuf::from("bug.c"), text.as_bytes().into())],
        limits: TimeLimits::wall_only(Duration::from_secs(7)),
        alone: false,
        fresh: false,
    }
}

pub fn next(runner: &impl Runner) -> JobResult {
    let result = runner.result_receiver().recv_timeout(PATIENCE);
    result.expect("an answer")
}

fn ask(runner: &mut FarmRunner, id: u64, text: &str) -> Option<Verdict> {
    runner.submit(job(id, text));
    next(runner).outcome.verdict()
}

#[test]
fn a_test_says_on_the_farm_what_it_says_here() {
    let farm = FakeFarm::start(Conduct::Works);
    let place = FarmPlace::new(&farm.address, "grep -q bug \"$1\"");
    let mut runner = place.runner();
    assert_eq!(ask(&mut runner, 1, "a bug"), Some(Verdict::Interesting));
    assert_eq!(ask(&mut runner, 2, "nothing"), Some(Verdict::Uninteresting));
    let status = place.monitor.current_status();
    assert_eq!((status.verdicts, status.workers), (2, 1));
    assert_eq!(status.worker_time, Duration::from_secs(2));
}

#[test]
fn every_action_has_a_timeout_and_the_salt_of_its_run() {
    let farm = FakeFarm::start(Conduct::Works);
    let mut place = FarmPlace::new(&farm.address, "grep -q bug bug.c");
    place.options.instance = "main".into();
    place.options.headers = vec![("Authorization".into(), "Bearer abc".into())];
    place.options.platform = ["os=linux", "image=gcc"]
        .map(|pair| pair.split_once('=').expect("a pair"))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .into();
    ask(&mut place.runner(), 1, "a bug");
    ask(&mut place.runner(), 1, "a bug");
    let asked = farm.seen().asked.clone();
    assert_ne!(asked[0].salt, asked[1].salt, "two runs share no answers");
    for action in asked {
        assert!(action.timeout >= 7 && action.timeout < 60, "{action:?}");
        assert!(action.skips_cache);
        assert_eq!(action.instance, "main");
        assert_eq!(action.token.as_deref(), Some("Bearer abc"));
        let image = ("image".to_owned(), "gcc".to_owned());
        assert_eq!(
            action.platform,
            [image, ("os".to_owned(), "linux".to_owned())]
        );
    }
}

#[test]
fn what_is_not_interesting_is_recalled_and_what_is_runs_again() {
    let farm = FakeFarm::start(Conduct::Works);
    let place = FarmPlace::new(&farm.address, "grep -q bug bug.c");
    let mut runner = place.runner();
    ask(&mut runner, 1, "nothing");
    assert_eq!(farm.seen().looked_up, 0, "no answer can be there");
    assert_eq!(ask(&mut runner, 2, "nothing"), Some(Verdict::Uninteresting));
    assert_eq!(
        farm.seen().asked.len(),
        1,
        "the second answer was in the cache"
    );
    assert_eq!(farm.seen().looked_up, 1);
    assert_eq!(farm.seen().recalled, 1);
    assert_eq!(place.monitor.current_status().cached, 1);
    ask(&mut runner, 3, "a bug");
    assert_eq!(ask(&mut runner, 4, "a bug"), Some(Verdict::Interesting));
    assert_eq!(farm.seen().asked.len(), 3, "both were run");
    let again = TestJob {
        fresh: true,
        ..job(5, "nothing")
    };
    runner.submit(again);
    next(&runner);
    assert_eq!(
        farm.seen().asked.len(),
        4,
        "who wants a fresh answer has one"
    );
}

#[test]
fn a_test_that_has_changed_is_sent_anew() {
    let farm = FakeFarm::start(Conduct::Works);
    let mut place = FarmPlace::new(&farm.address, "grep -qf \"$(dirname \"$0\")/words\" bug.c");
    fs::write(place.path("words"), "bug\n").expect("a file");
    place.options.files = vec![place.path("words")];
    let mut runner = place.runner();
    assert_eq!(ask(&mut runner, 1, "a fault"), Some(Verdict::Uninteresting));
    fs::write(place.path("words"), "fault\n").expect("a file");
    runner.renew_test();
    assert_eq!(ask(&mut runner, 2, "a fault"), Some(Verdict::Interesting));
    let asked = farm.seen().asked.clone();
    assert_ne!(asked[0].salt, asked[1].salt, "the cache has no old answer");
    fs::remove_file(place.path("words")).expect("it was there");
    runner.renew_test();
    runner.submit(job(3, "a fault"));
    let outcome = next(&runner).outcome;
    let TestOutcome::NoVerdict(NoVerdict::FarmFailed { reason, refuses }) = outcome else {
        panic!("{outcome:?}");
    };
    assert!(
        reason.contains("words cannot be sent to the farm"),
        "{reason}"
    );
    assert!(refuses, "the farm is not asked any more");
}

#[test]
fn what_only_the_farm_says_is_good_for_this_run_alone() {
    let farm = FakeFarm::start(Conduct::Works);
    let place = FarmPlace::new(&farm.address, "grep -q bug bug.c");
    let mut runner = place.runner();
    runner.submit(job(1, "nothing"));
    assert!(next(&runner).is_unconfirmed);
}

#[test]
fn a_large_program_is_sent_in_pieces() {
    let farm = FakeFarm::start(Conduct::Works);
    let place = FarmPlace::new(&farm.address, "grep -q bug bug.c");
    let text = format!("{}bug\n", "int a;\n".repeat(700_000));
    assert_eq!(
        ask(&mut place.runner(), 1, &text),
        Some(Verdict::Interesting)
    );
    assert_eq!(farm.seen().streamed, 1);
}

#[test]
fn a_file_beside_the_test_is_found_from_its_place() {
    let farm = FakeFarm::start(Conduct::Works);
    let mut place = FarmPlace::new(
        &farm.address,
        "grep -qf \"$(dirname \"$0\")/lib/words\" bug.c",
    );
    fs::create_dir(place.path("lib")).expect("a directory");
    fs::write(place.path("lib/words"), "bug\n").expect("a file");
    place.options.files = vec![place.path("lib")];
    assert_eq!(
        ask(&mut place.runner(), 1, "a bug"),
        Some(Verdict::Interesting)
    );
}

#[test]
fn a_test_without_a_first_line_and_a_name_with_spaces_run_too() {
    let farm = FakeFarm::start(Conduct::Works);
    let place = FarmPlace::new(&farm.address, "");
    fs::write(place.path("test.sh"), "grep -q bug \"$1\"").expect("a test");
    let mut runner = place.runner();
    let mut spaced = job(1, "a bug");
    spaced.files[0].0 = Path::new("a dir/it's $1.c").into();
    runner.submit(spaced);
    assert_eq!(next(&runner).outcome.verdict(), Some(Verdict::Interesting));
}

#[test]
fn a_test_whose_tool_is_missing_there_has_no_verdict() {
    let farm = FakeFarm::start(Conduct::Works);
    let place = FarmPlace::new(&farm.address, "no-such-compiler bug.c");
    let mut runner = place.runner();
    runner.submit(job(1, "a bug"));
    let outcome = next(&runner).outcome;
    assert!(matches!(outcome, TestOutcome::NoVerdict(_)), "{outcome:?}");
}
