//! Who runs which test, as a pure state: what comes in, and what is to be done about it. No clock, no thread, no network.
//!
//! * A job begins where it is likely to end first (`placement.rs`), or waits.
//! * A job that wants nothing beside it runs on this machine.
//! * What the farm finds interesting is confirmed on this machine, unless the user trusts the farm; what it has no verdict on is asked here.
//! * A test that the farm has had for much longer than usual is also run here when a slot is free. Who answers first decides, and an answer of this
//!   machine is final.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use super::farm_health::FarmHealth;
use super::placement::{PlaceQuery, RecentTime, TestPlace};
use crate::oracle::{FarmStatus, JobId, JobResult, NoVerdict, TestJob, TestOutcome, Verdict};

/// A test runs here too when the farm has had it for this multiple of its usual time.
const STRAGGLER_FACTOR: u32 = 3;
const LEAST_STRAGGLE: Duration = Duration::from_secs(1);
/// A farm is away when it answers nothing for this multiple of the time between two answers, or of a test on this machine.
const SILENCE_FACTOR: u32 = 3;
const LEAST_SILENCE: Duration = Duration::from_secs(5);

/// How a hybrid runner works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HybridOptions {
    /// How many tests run on this machine at a time.
    pub local_jobs: usize,
    /// How many the farm has at a time.
    pub farm_jobs: usize,
    /// Whether what the farm finds interesting counts without a test on this machine.
    pub trusts_farm: bool,
    /// The time of a test on this machine and on the farm, as far as they were measured before.
    pub first_times: [Option<Duration>; 2],
}

/// What is to be done.
#[derive(Clone, Debug)]
pub(super) enum HybridStep {
    RunHere(TestJob),
    RunOnFarm(TestJob),
    CancelHere(JobId),
    CancelOnFarm(JobId),
    Report(JobResult),
}

/// What the farm has said of a candidate that this machine is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FarmWord {
    /// Nothing that counts.
    Nothing,
    Interesting,
    /// Its worker lacks something that the test needs.
    TestFailed,
}

/// A job that waits for this machine, or runs on it.
#[derive(Clone, Debug)]
struct LocalTest {
    job: TestJob,
    word: FarmWord,
}

#[derive(Clone, Debug)]
struct FarmTest {
    job: TestJob,
    since: Instant,
}

/// See the top of the file.
#[derive(Debug)]
pub(super) struct HybridState {
    options: HybridOptions,
    local_time: RecentTime,
    farm_time: RecentTime,
    health: FarmHealth,
    /// What only this machine may run, in order.
    here: VecDeque<LocalTest>,
    /// What either may run, in order.
    open: VecDeque<TestJob>,
    running_here: HashMap<JobId, (LocalTest, Instant)>,
    on_farm: HashMap<JobId, FarmTest>,
    local_tests: u64,
    /// When the farm said anything last.
    heard_at: Option<Instant>,
    /// A sentence for the user, which goes with the next result.
    notice: Option<String>,
}

impl HybridState {
    /// Nothing runs yet.
    pub fn new(options: HybridOptions) -> HybridState {
        let [local, farm] = options.first_times;
        HybridState {
            options,
            local_time: RecentTime::from_first(local),
            farm_time: RecentTime::from_first(farm),
            health: FarmHealth::default(),
            here: VecDeque::new(),
            open: VecDeque::new(),
            running_here: HashMap::new(),
            on_farm: HashMap::new(),
            local_tests: 0,
            heard_at: None,
            notice: None,
        }
    }

    /// Puts into a status what is known here.
    pub fn describe_status(&self, status: &mut FarmStatus, now: Instant) {
        status.state = self.health.state(now);
        status.in_flight = self.on_farm.len();
        status.slots = self.options.farm_jobs;
        status.latency = self.farm_time.mean();
        status.local_time = self.local_time.mean();
        status.local_tests = self.local_tests;
        status.disputes = self.health.disputes();
    }

    /// Sets how many may run at a time, here and on the farm together. This machine has its number first.
    pub fn set_max_jobs(
        &mut self,
        jobs: usize,
        most_local: usize,
        now: Instant,
    ) -> Vec<HybridStep> {
        self.options.local_jobs = jobs.clamp(1, most_local.max(1));
        self.options.farm_jobs = jobs.saturating_sub(self.options.local_jobs);
        self.place_jobs(now)
    }

    /// How many run on this machine at a time.
    pub fn local_jobs(&self) -> usize {
        self.options.local_jobs
    }

    /// Whether anything may become late.
    pub fn has_farm_tests(&self) -> bool {
        !self.on_farm.is_empty() || !self.open.is_empty()
    }

    /// A new job.
    pub fn submit_job(&mut self, job: TestJob, now: Instant) -> Vec<HybridStep> {
        match job.alone {
            true => self.here.push_back(LocalTest {
                job,
                word: FarmWord::Nothing,
            }),
            false => self.open.push_back(job),
        }
        self.place_jobs(now)
    }

    /// A job that nobody wants any more.
    pub fn cancel_job(&mut self, id: JobId, now: Instant) -> Vec<HybridStep> {
        let waiting = self.open.len() + self.here.len();
        self.open.retain(|job| job.id != id);
        self.here.retain(|test| test.job.id != id);
        let was_waiting = self.open.len() + self.here.len() < waiting;
        let was_here = self.running_here.remove(&id).is_some();
        let was_on_farm = self.on_farm.remove(&id).is_some();
        let mut steps = Vec::new();
        steps.extend(was_here.then_some(HybridStep::CancelHere(id)));
        steps.extend(was_on_farm.then_some(HybridStep::CancelOnFarm(id)));
        if was_waiting || was_here || was_on_farm {
            let result = JobResult::new(id, TestOutcome::Cancelled);
            steps.push(HybridStep::Report(result));
        }
        steps.extend(self.place_jobs(now));
        steps
    }

    /// The test has changed: what the farm has said, and what it will say of the tests that it has, says nothing about the new one.
    pub fn renew_test(&mut self, now: Instant) -> Vec<HybridStep> {
        let waiting = self.here.iter_mut();
        let running = self.running_here.values_mut().map(|(test, _)| test);
        for test in waiting.chain(running) {
            test.word = FarmWord::Nothing;
        }
        let mut steps = self.recall_farm_tests();
        steps.extend(self.place_jobs(now));
        steps
    }

    /// What the farm has is asked here, the oldest first.
    fn recall_farm_tests(&mut self) -> Vec<HybridStep> {
        let mut left: Vec<FarmTest> = self.on_farm.drain().map(|(_, test)| test).collect();
        left.sort_by_key(|test| (test.since, test.job.id));
        let mut steps = Vec::new();
        for test in left {
            steps.push(HybridStep::CancelOnFarm(test.job.id));
            self.ask_here(test.job, FarmWord::Nothing);
        }
        steps
    }

    /// Keeps a sentence for the user; the newest counts.
    fn keep_notice(&mut self, notice: Option<String>) {
        self.notice = notice.or(self.notice.take());
    }

    /// A test has ended on this machine.
    pub fn take_local_result(&mut self, result: JobResult, now: Instant) -> Vec<HybridStep> {
        let Some((test, since)) = self.running_here.remove(&result.id) else {
            // It was cancelled.
            return self.place_jobs(now);
        };
        let mut steps = Vec::new();
        if let Some(verdict) = result.outcome.verdict() {
            self.local_time
                .note_time(now.saturating_duration_since(since));
            let dispute = match test.word {
                // The load of this machine says nothing about the farm.
                _ if verdict == Verdict::TimedOut => None,
                FarmWord::Interesting if !verdict.is_interesting() => {
                    Some("the farm finds a candidate interesting that this machine does not")
                }
                FarmWord::TestFailed => {
                    Some("the test fails on the farm, where something is missing that it runs")
                }
                _ => None,
            };
            let notice = dispute.and_then(|what| self.health.note_dispute(what));
            self.keep_notice(notice);
        }
        if self.on_farm.remove(&result.id).is_some() {
            steps.push(HybridStep::CancelOnFarm(result.id));
        }
        steps.push(self.report_result(result));
        steps.extend(self.place_jobs(now));
        steps
    }

    /// The farm has answered, or will not.
    pub fn take_farm_result(&mut self, result: JobResult, now: Instant) -> Vec<HybridStep> {
        let Some(test) = self.on_farm.remove(&result.id) else {
            // It was cancelled, or this machine was faster.
            return self.place_jobs(now);
        };
        self.heard_at = Some(now);
        let mut steps = Vec::new();
        match &result.outcome {
            TestOutcome::Verdict(verdict, _) => {
                self.farm_time
                    .note_time(now.saturating_duration_since(test.since));
                let notice = self.health.note_answer();
                self.keep_notice(notice);
                match verdict.is_interesting() && !self.options.trusts_farm {
                    true => self.ask_here(test.job, FarmWord::Interesting),
                    false => {
                        if self.running_here.remove(&result.id).is_some() {
                            steps.push(HybridStep::CancelHere(result.id));
                        }
                        steps.push(self.report_result(result));
                    }
                }
            }
            TestOutcome::NoVerdict(NoVerdict::TestFailed { .. }) => {
                self.ask_here(test.job, FarmWord::TestFailed);
            }
            TestOutcome::NoVerdict(failure) => {
                let refuses = matches!(failure, NoVerdict::FarmFailed { refuses: true, .. });
                let reason = match failure {
                    NoVerdict::FarmFailed { reason, .. } => reason.clone(),
                    other => other.to_string(),
                };
                let notice = self.health.note_failure(&reason, refuses, now);
                self.keep_notice(notice);
                self.ask_here(test.job, FarmWord::Nothing);
            }
            // Nobody here has cancelled it.
            TestOutcome::Cancelled => self.ask_here(test.job, FarmWord::Nothing),
        }
        steps.extend(self.place_jobs(now));
        steps
    }

    /// Time has passed: what the farm has had for too long is run here too, if a slot is free.
    pub fn check_stragglers(&mut self, now: Instant) -> Vec<HybridStep> {
        let mut steps = self.check_silence(now);
        steps.extend(self.place_jobs(now));
        let usual = self.farm_time.mean().unwrap_or_default();
        let patience = match self.health.is_on_trial() {
            // What shows whether the farm is back is no question that waits for it.
            true => Duration::ZERO,
            false => (usual * STRAGGLER_FACTOR).max(LEAST_STRAGGLE),
        };
        while self.here.is_empty() && self.can_start_here(false) {
            let late = self.on_farm.values().filter(|test| {
                now.saturating_duration_since(test.since) > patience
                    && !self.running_here.contains_key(&test.job.id)
            });
            let Some(oldest) = late.min_by_key(|test| (test.since, test.job.id)) else {
                break;
            };
            let test = LocalTest {
                job: oldest.job.clone(),
                word: FarmWord::Nothing,
            };
            steps.push(self.start_here(test, now));
        }
        steps
    }

    /// A farm that is frozen, or cut off, refuses nothing. Where it answers nothing for long, it is away, and all that it has is run here.
    fn check_silence(&mut self, now: Instant) -> Vec<HybridStep> {
        let Some(asked) = self.on_farm.values().map(|test| test.since).min() else {
            return Vec::new();
        };
        let since = self.heard_at.map_or(asked, |heard| heard.max(asked));
        let silence = now.saturating_duration_since(since);
        let interval = self.farm_time.mean().unwrap_or_default() / self.on_farm.len() as u32;
        let usual = self.local_time.mean().unwrap_or_default().max(interval);
        if silence <= (usual * SILENCE_FACTOR).max(LEAST_SILENCE) {
            return Vec::new();
        }
        let reason = format!("it has said nothing for {} s", silence.as_secs());
        let notice = self.health.note_failure(&reason, false, now);
        self.keep_notice(notice);
        // What it takes while it is away says nothing of how fast it is.
        self.farm_time = RecentTime::from_first(self.options.first_times[1]);
        self.recall_farm_tests()
    }

    /// The result of a job, with what the user should know.
    fn report_result(&mut self, mut result: JobResult) -> HybridStep {
        result.notice = result.notice.take().or_else(|| self.notice.take());
        HybridStep::Report(result)
    }

    /// This machine is asked, about what may be interesting before all that waits: the run waits for that answer. If it runs the test already,
    /// that is the answer.
    fn ask_here(&mut self, job: TestJob, word: FarmWord) {
        if let Some((test, _)) = self.running_here.get_mut(&job.id) {
            test.word = word;
            return;
        }
        let is_urgent = |test: &&LocalTest| test.word == FarmWord::Interesting;
        let at = match word {
            FarmWord::Interesting => self.here.iter().take_while(is_urgent).count(),
            FarmWord::Nothing | FarmWord::TestFailed => self.here.len(),
        };
        self.here.insert(at, LocalTest { job, word });
    }

    /// Begins what can begin.
    fn place_jobs(&mut self, now: Instant) -> Vec<HybridStep> {
        let mut steps = Vec::new();
        while let Some(first) = self.here.front() {
            if !self.can_start_here(first.job.alone) {
                break;
            }
            if let Some(test) = self.here.pop_front() {
                steps.push(self.start_here(test, now));
            }
        }
        let mut at = 0;
        while at < self.open.len() {
            let query = PlaceQuery {
                local_time: self.local_time.mean(),
                farm_time: self.farm_time.mean(),
                is_local_free: self.here.is_empty() && self.can_start_here(false),
                is_farm_free: self.is_farm_free(now),
                ahead: self.here.len() + at,
                local_slots: self.options.local_jobs,
            };
            match query.choose_place() {
                TestPlace::Here => {
                    if let Some(job) = self.open.remove(at) {
                        let word = FarmWord::Nothing;
                        steps.push(self.start_here(LocalTest { job, word }, now));
                    }
                }
                TestPlace::Farm => {
                    if let Some(job) = self.open.remove(at) {
                        let kept = FarmTest {
                            job: job.clone(),
                            since: now,
                        };
                        self.on_farm.insert(job.id, kept);
                        steps.push(HybridStep::RunOnFarm(job));
                    }
                }
                TestPlace::Wait if !query.is_farm_free => break,
                TestPlace::Wait => at += 1,
            }
        }
        steps
    }

    fn start_here(&mut self, test: LocalTest, now: Instant) -> HybridStep {
        let job = test.job.clone();
        self.local_tests += 1;
        self.running_here.insert(job.id, (test, now));
        HybridStep::RunHere(job)
    }

    /// Whether this machine may begin a test, or one that wants nothing beside it.
    fn can_start_here(&self, alone: bool) -> bool {
        let mut running = self.running_here.values();
        match alone {
            true => self.running_here.is_empty(),
            false => {
                self.running_here.len() < self.options.local_jobs
                    && !running.any(|(test, _)| test.job.alone)
            }
        }
    }

    fn is_farm_free(&self, now: Instant) -> bool {
        self.on_farm.len() < self.health.limit_slots(self.options.farm_jobs, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{FarmState, TimeLimits};

    /// A state, its clock, and what it has done in words: `h1` runs job 1 here, `f1` on the farm, `-h1` and `-f1` cancel it, `=1+` reports interesting,
    /// `=1-` another verdict, `=1?` none.
    struct Story {
        state: HybridState,
        now: Instant,
        notices: Vec<String>,
    }

    impl Story {
        /// Two slots here, three on the farm, with these times of a test in milliseconds.
        fn begin(here: u64, there: u64) -> Story {
            Story::with_trust(here, there, false)
        }

        fn with_trust(here: u64, there: u64, trusts_farm: bool) -> Story {
            let times = [here, there].map(|time| Some(Duration::from_millis(time)));
            Story {
                state: HybridState::new(HybridOptions {
                    local_jobs: 2,
                    farm_jobs: 3,
                    trusts_farm,
                    first_times: times,
                }),
                now: Instant::now(),
                notices: Vec::new(),
            }
        }

        fn tell(&mut self, steps: Vec<HybridStep>) -> String {
            let words = steps.into_iter().map(|step| match step {
                HybridStep::RunHere(job) => format!("h{}", job.id.0),
                HybridStep::RunOnFarm(job) => format!("f{}", job.id.0),
                HybridStep::CancelHere(id) => format!("-h{}", id.0),
                HybridStep::CancelOnFarm(id) => format!("-f{}", id.0),
                HybridStep::Report(result) => {
                    self.notices.extend(result.notice);
                    let sign = match result.outcome.verdict() {
                        Some(Verdict::Interesting) => "+",
                        Some(_) => "-",
                        None => "?",
                    };
                    format!("={}{sign}", result.id.0)
                }
            });
            words.collect::<Vec<_>>().join(" ")
        }

        fn submit(&mut self, id: u64) -> String {
            let steps = self.state.submit_job(job(id, false), self.now);
            self.tell(steps)
        }

        fn here(&mut self, id: u64, verdict: Verdict) -> String {
            let result = JobResult::new(JobId(id), verdict.into());
            let steps = self.state.take_local_result(result, self.now);
            self.tell(steps)
        }

        fn farm(&mut self, id: u64, verdict: Verdict) -> String {
            let result = JobResult::new(JobId(id), verdict.into());
            let steps = self.state.take_farm_result(result, self.now);
            self.tell(steps)
        }

        fn farm_fails(&mut self, id: u64) -> String {
            let failure = NoVerdict::FarmFailed {
                reason: "connection refused".into(),
                refuses: false,
            };
            let result = JobResult::new(JobId(id), TestOutcome::NoVerdict(failure));
            let steps = self.state.take_farm_result(result, self.now);
            self.tell(steps)
        }
    }

    fn job(id: u64, alone: bool) -> TestJob {
        TestJob {
            id: JobId(id),
            files: Vec::new(),
            limits: TimeLimits::default(),
            alone,
            fresh: false,
        }
    }

    use Verdict::{Interesting, Uninteresting};

    #[test]
    fn long_tests_fill_this_machine_and_then_the_farm() {
        let mut story = Story::begin(5000, 5200);
        let begun: Vec<String> = (1..=6).map(|id| story.submit(id)).collect();
        assert_eq!(begun, ["h1", "h2", "f3", "f4", "f5", ""]);
        assert_eq!(story.farm(3, Uninteresting), "=3- f6");
        assert_eq!(story.here(1, Interesting), "=1+");
    }

    #[test]
    fn short_tests_stay_here() {
        let mut story = Story::begin(20, 200);
        let begun: Vec<String> = (1..=6).map(|id| story.submit(id)).collect();
        assert_eq!(begun, ["h1", "h2", "", "", "", ""]);
        assert_eq!(story.here(1, Uninteresting), "=1- h3");
    }

    #[test]
    fn what_the_farm_finds_interesting_is_confirmed_here_before_all_that_waits() {
        let mut story = Story::begin(5000, 5200);
        (1..=6).for_each(|id| drop(story.submit(id)));
        assert_eq!(
            story.farm(3, Interesting),
            "f6",
            "both slots here are taken"
        );
        assert_eq!(story.submit(7), "");
        assert_eq!(story.here(1, Uninteresting), "=1- h3");
        assert_eq!(story.here(3, Interesting), "=3+ h7");
        assert!(story.notices.is_empty());
    }

    #[test]
    fn a_farm_that_lies_is_contradicted_and_dropped() {
        let mut story = Story::begin(5000, 5200);
        (1..=6).for_each(|id| drop(story.submit(id)));
        for id in 3..=5 {
            story.here(id - 2, Uninteresting);
            story.farm(id, Interesting);
        }
        story.here(3, Uninteresting);
        story.here(4, Uninteresting);
        assert_eq!(story.here(5, Uninteresting), "=5-");
        assert_eq!(story.notices.len(), 2, "{:?}", story.notices);
        assert!(story.notices[1].contains("third time"));
        let mut status = FarmStatus::default();
        story.state.describe_status(&mut status, story.now);
        assert_eq!(status.state, FarmState::Dropped);
        assert_eq!(story.submit(8), "h8");
        assert_eq!(story.submit(9), "", "it waits for this machine");
    }

    #[test]
    fn a_machine_that_is_too_slow_does_not_contradict_the_farm() {
        let mut story = Story::begin(5000, 5200);
        (1..=5).for_each(|id| drop(story.submit(id)));
        (3..=5).for_each(|id| drop(story.farm(id, Interesting)));
        (1..=2).for_each(|id| drop(story.here(id, Uninteresting)));
        (3..=5).for_each(|id| drop(story.here(id, Verdict::TimedOut)));
        assert!(story.notices.is_empty(), "{:?}", story.notices);
        let mut status = FarmStatus::default();
        story.state.describe_status(&mut status, story.now);
        assert_eq!((status.state, status.disputes), (FarmState::Up, 0));
    }

    #[test]
    fn who_trusts_the_farm_does_not_ask_here() {
        let mut story = Story::with_trust(5000, 5200, true);
        (1..=3).for_each(|id| drop(story.submit(id)));
        assert_eq!(story.farm(3, Interesting), "=3+");
    }

    #[test]
    fn a_farm_that_goes_away_loses_nothing() {
        let mut story = Story::begin(5000, 5200);
        (1..=5).for_each(|id| drop(story.submit(id)));
        (3..=5).for_each(|id| assert_eq!(story.farm_fails(id), ""));
        assert_eq!(story.here(1, Uninteresting), "=1- h3");
        assert_eq!(story.notices.len(), 1, "{:?}", story.notices);
        assert_eq!(story.here(2, Uninteresting), "=2- h4");
        assert_eq!(story.submit(6), "", "it is away");
        story.now += Duration::from_millis(1001);
        let steps = story.state.check_stragglers(story.now);
        assert_eq!(story.tell(steps), "f6", "it is asked again");
        assert_eq!(story.submit(7), "", "with one test at first");
        assert_eq!(story.farm(6, Uninteresting), "=6- f7");
        assert_eq!(
            story.notices.last().map(String::as_str),
            Some("the farm answers again")
        );
    }

    #[test]
    fn a_test_that_wants_nothing_beside_it_runs_here() {
        let mut story = Story::begin(5000, 5200);
        (1..=3).for_each(|id| drop(story.submit(id)));
        let steps = story.state.submit_job(job(4, true), story.now);
        assert_eq!(story.tell(steps), "");
        assert_eq!(story.here(1, Uninteresting), "=1-");
        assert_eq!(story.submit(5), "f5", "others go on elsewhere");
        assert_eq!(story.here(2, Uninteresting), "=2- h4");
        assert_eq!(story.farm(3, Interesting), "");
        assert_eq!(story.here(4, Interesting), "=4+ h3");
    }

    #[test]
    fn what_the_farm_has_when_the_test_changes_is_asked_here() {
        let mut story = Story::begin(5000, 5200);
        (1..=5).for_each(|id| drop(story.submit(id)));
        assert_eq!(story.farm(3, Interesting), "");
        let steps = story.state.renew_test(story.now);
        assert_eq!(story.tell(steps), "-f4 -f5");
        assert_eq!(story.farm(4, Uninteresting), "", "the old test said so");
        assert_eq!(story.here(1, Uninteresting), "=1- h3");
        assert_eq!(story.here(2, Uninteresting), "=2- h4");
        assert_eq!(story.here(3, Uninteresting), "=3- h5");
        assert!(story.notices.is_empty(), "{:?}", story.notices);
    }

    #[test]
    fn a_straggler_is_run_here_too_and_the_first_answer_counts() {
        let mut story = Story::begin(400, 300);
        assert_eq!(story.submit(1), "f1");
        assert_eq!(story.submit(2), "f2");
        let steps = story.state.check_stragglers(story.now);
        assert_eq!(story.tell(steps), "");
        story.now += Duration::from_millis(1100);
        let steps = story.state.check_stragglers(story.now);
        assert_eq!(story.tell(steps), "h1 h2");
        assert_eq!(story.here(1, Uninteresting), "-f1 =1-");
        assert_eq!(story.farm(1, Interesting), "", "too late");
        assert_eq!(story.farm(2, Uninteresting), "-h2 =2-");
    }

    #[test]
    fn a_farm_that_is_frozen_is_away_and_what_it_has_is_run_here() {
        let mut story = Story::begin(2000, 2200);
        let begun: Vec<String> = (1..=5).map(|id| story.submit(id)).collect();
        assert_eq!(begun, ["h1", "h2", "f3", "f4", "f5"]);
        let test = Duration::from_secs(2);
        story.now += test;
        story.here(1, Uninteresting);
        story.here(2, Uninteresting);
        story.now += Duration::from_millis(4_700);
        let steps = story.state.check_stragglers(story.now);
        assert_eq!(story.tell(steps), "-f3 -f4 -f5 h3 h4");
        story.now += test;
        assert_eq!(story.here(3, Uninteresting), "=3- h5");
        assert!(story.notices[0].contains("said nothing for 6 s"));
        story.here(4, Uninteresting);
        story.now += test;
        story.here(5, Uninteresting);
        // The question that shows whether it is back waits for nobody.
        let begun: Vec<String> = (6..=8).map(|id| story.submit(id)).collect();
        assert_eq!(begun, ["h6", "h7", "f8"]);
        story.now += test;
        story.here(6, Uninteresting);
        let steps = story.state.check_stragglers(story.now);
        assert_eq!(story.tell(steps), "h8");
        assert_eq!(story.farm(8, Uninteresting), "-h8 =8-");
        assert_eq!(story.submit(9), "h9");
        assert_eq!(story.submit(10), "f10", "it is back");
    }

    #[test]
    fn an_interesting_straggler_waits_for_the_answer_of_this_machine() {
        let mut story = Story::begin(400, 300);
        story.submit(1);
        story.now += Duration::from_millis(1100);
        let steps = story.state.check_stragglers(story.now);
        assert_eq!(story.tell(steps), "h1");
        assert_eq!(story.farm(1, Interesting), "");
        assert_eq!(story.here(1, Interesting), "=1+");
    }

    #[test]
    fn what_is_cancelled_is_reported_once_wherever_it_is() {
        let mut story = Story::begin(5000, 5200);
        (1..=6).for_each(|id| drop(story.submit(id)));
        for (id, told) in [(6, "=6?"), (3, "-f3 =3?"), (1, "-h1 =1?"), (9, "")] {
            let steps = story.state.cancel_job(JobId(id), story.now);
            assert_eq!(story.tell(steps), told);
        }
        assert_eq!(story.farm(3, Interesting), "", "nobody wants it");
        assert_eq!(story.here(1, Interesting), "", "nor that");
    }

    #[test]
    fn fewer_tests_at_a_time_are_those_of_this_machine() {
        let mut story = Story::begin(5000, 5200);
        assert!(story.state.set_max_jobs(1, 2, story.now).is_empty());
        assert_eq!(story.submit(1), "h1");
        assert_eq!(story.submit(2), "");
        let steps = story.state.set_max_jobs(10, 2, story.now);
        assert_eq!(story.tell(steps), "h2");
        assert_eq!(story.submit(3), "f3");
    }
}
