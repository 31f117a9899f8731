//! Which job of which client passes, and which of them needs no test: a pure state that starts nothing and reads no clock.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use crate::oracle::part_memory::{SightHasher, SightKey};
use crate::oracle::{
    JobId, JobResult, LimitKind, TestJob, TestOutcome, TestOutput, TestRun, TimeLimits, Verdict,
};

/// How the jobs of several clients pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunnerPace {
    /// In rounds: one job of each client, once all have one.
    #[default]
    Rounds,
    /// Each as soon as it comes.
    Free,
}

/// What a client waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientState {
    /// For nothing: it has no job here.
    #[default]
    Idle,
    /// Its job waits to pass.
    Held,
    /// Its job has passed, and its test runs since then.
    Testing(Instant),
    /// It has left.
    Gone,
}

/// What the jobs of a client came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientTally {
    /// Tests that ran for it; others were known, or ran for another client.
    pub ran: u64,
    /// How long it waited for its results.
    pub waited: Duration,
    /// How long its tests take: also those that ran for another client.
    pub tested: Duration,
}

/// What is to be done.
#[derive(Clone, Debug)]
pub(super) enum RunnerAction {
    /// Have the runner run this job.
    Submit(TestJob),
    /// Have the runner cancel this job.
    Cancel(JobId),
    /// Give the client of this number a result.
    Answer(usize, JobResult),
}

/// A job of a client that waits for a test.
#[derive(Debug)]
struct WaitingJob {
    client: usize,
    job: TestJob,
}

/// A test under way.
#[derive(Debug)]
struct SharedTest {
    sight: SightKey,
    job: TestJob,
    /// Who waits for it. The first had it run.
    waiting: Vec<WaitingJob>,
    since: Instant,
    /// Whether another test runs or ran at the same time.
    is_concurrent: bool,
}

/// A client.
#[derive(Debug, Default)]
struct ClientEntry {
    held: VecDeque<TestJob>,
    /// Since when each job of it waits for its result.
    submitted: FxHashMap<JobId, Instant>,
    is_gone: bool,
    tally: ClientTally,
}

/// See the module's text.
#[derive(Debug)]
pub(super) struct JobAdmission {
    clients: Vec<ClientEntry>,
    pace: RunnerPace,
    is_open: bool,
    /// Rounds that may pass while it is not open.
    rounds: u64,
    hasher: SightHasher,
    /// What was tested, with the limits of that test.
    known: FxHashMap<SightKey, (Verdict, TestRun, TimeLimits)>,
    tests: FxHashMap<JobId, SharedTest>,
    by_sight: FxHashMap<SightKey, JobId>,
    last_id: u64,
    actions: Vec<RunnerAction>,
}

impl JobAdmission {
    /// For so many clients. Nothing passes before it is opened.
    pub fn new(clients: usize) -> JobAdmission {
        JobAdmission {
            clients: (0..clients).map(|_| ClientEntry::default()).collect(),
            pace: RunnerPace::default(),
            is_open: false,
            rounds: 0,
            hasher: SightHasher::default(),
            known: FxHashMap::default(),
            tests: FxHashMap::default(),
            by_sight: FxHashMap::default(),
            last_id: 0,
            actions: Vec::new(),
        }
    }

    /// What is to be done, in this order.
    pub fn take_actions(&mut self) -> Vec<RunnerAction> {
        std::mem::take(&mut self.actions)
    }

    /// A client submits a job.
    pub fn submit_job(&mut self, client: usize, job: TestJob, now: Instant) {
        let entry = &mut self.clients[client];
        entry.submitted.insert(job.id, now);
        if entry.is_gone {
            let cancelled = JobResult::new(job.id, TestOutcome::Cancelled);
            return self.answer_job(client, cancelled, now);
        }
        entry.held.push_back(job);
        self.admit_jobs(now);
    }

    /// A client cancels a job. The test goes on if others wait for it.
    pub fn cancel_job(&mut self, client: usize, id: JobId, now: Instant) {
        self.clients[client].held.retain(|job| job.id != id);
        let abandoned = self.tests.iter_mut().find_map(|(test, shared)| {
            let is_it = |waiting: &WaitingJob| (waiting.client, waiting.job.id) == (client, id);
            shared.waiting.retain(|waiting| !is_it(waiting));
            shared.waiting.is_empty().then_some(*test)
        });
        if let Some(test) = abandoned {
            self.forget_test(test);
            self.actions.push(RunnerAction::Cancel(test));
        }
        if self.clients[client].submitted.contains_key(&id) {
            self.answer_job(client, JobResult::new(id, TestOutcome::Cancelled), now);
        }
        self.admit_jobs(now);
    }

    /// A client leaves: no round waits for it.
    pub fn leave(&mut self, client: usize, now: Instant) {
        let jobs: Vec<JobId> = self.clients[client].submitted.keys().copied().collect();
        for id in jobs {
            self.cancel_job(client, id, now);
        }
        self.clients[client].is_gone = true;
        self.admit_jobs(now);
    }

    /// All jobs are cancelled, because there is no runner any more.
    pub fn cancel_all(&mut self, now: Instant) {
        for client in 0..self.clients.len() {
            self.leave(client, now);
        }
    }

    /// Whether jobs pass without being permitted.
    pub fn set_open(&mut self, is_open: bool, now: Instant) {
        (self.is_open, self.rounds) = (is_open, 0);
        self.admit_jobs(now);
    }

    /// Sets how jobs pass.
    pub fn set_pace(&mut self, pace: RunnerPace, now: Instant) {
        self.pace = pace;
        self.admit_jobs(now);
    }

    /// Lets one round more pass.
    pub fn permit_round(&mut self, now: Instant) {
        self.rounds += 1;
        self.admit_jobs(now);
    }

    /// How many rounds are permitted that have not begun.
    pub fn permitted_rounds(&self) -> u64 {
        self.rounds
    }

    /// The runner has a result. A test that met its time limit beside others runs again, alone.
    pub fn take_result(&mut self, result: JobResult, now: Instant) {
        let Some(test) = self.forget_test(result.id) else {
            return;
        };
        let met_limit = |run: &TestRun| {
            let limit = run.exit.exceeded_limit();
            limit.is_some_and(LimitKind::is_time_limit)
        };
        if let TestOutcome::Verdict(verdict, run) = &result.outcome {
            if test.is_concurrent && !test.job.alone && met_limit(run) {
                let job = TestJob {
                    alone: true,
                    ..test.job
                };
                return self.start_test(test.sight, job, test.waiting, now);
            }
            if !result.is_unconfirmed {
                let run = TestRun {
                    output: TestOutput::default(),
                    ..run.clone()
                };
                self.known
                    .insert(test.sight, (*verdict, run, test.job.limits));
            }
        }
        // Who has another limit asks again. If nobody else waits, what the result notes is heard by nobody.
        let is_timeout = result.outcome.verdict() == Some(Verdict::TimedOut);
        let holds_for = |job: &TestJob| !is_timeout || job.limits == test.job.limits;
        let (answered, others): (Vec<_>, Vec<_>) = test
            .waiting
            .into_iter()
            .partition(|waiting| holds_for(&waiting.job));
        let mut of_client = result;
        for WaitingJob { client, job } in answered {
            of_client.id = job.id;
            self.answer_job(client, of_client.clone(), now);
            // They are the first one's.
            (of_client.tests_by_document, of_client.notice) = ([0; 2], None);
        }
        for WaitingJob { client, job } in others {
            self.run_job(client, job, now);
        }
        self.admit_jobs(now);
    }

    /// What each client waits for.
    pub fn client_states(&self) -> Vec<ClientState> {
        let mut states: Vec<ClientState> = self.clients.iter().map(ClientEntry::state).collect();
        for test in self.tests.values() {
            for WaitingJob { client, .. } in &test.waiting {
                states[*client] = ClientState::Testing(test.since);
            }
        }
        states
    }

    /// What the jobs of each client came to.
    pub fn client_tallies(&self) -> Vec<ClientTally> {
        self.clients.iter().map(|client| client.tally).collect()
    }

    /// Lets all jobs pass that may.
    fn admit_jobs(&mut self, now: Instant) {
        if self.is_open && self.pace == RunnerPace::Free {
            for client in 0..self.clients.len() {
                while let Some(job) = self.clients[client].held.pop_front() {
                    self.run_job(client, job, now);
                }
            }
            return;
        }
        while (self.is_open || self.rounds > 0) && self.is_round_complete() {
            if !self.is_open {
                self.rounds -= 1;
            }
            for client in 0..self.clients.len() {
                if let Some(job) = self.clients[client].held.pop_front() {
                    self.run_job(client, job, now);
                }
            }
        }
    }

    /// Whether all clients that are there have a job that waits to pass.
    fn is_round_complete(&self) -> bool {
        let mut present = self.clients.iter().filter(|client| !client.is_gone);
        let all = present.clone().all(|client| !client.held.is_empty());
        all && present.next().is_some()
    }

    /// A job has passed: what is known of its files is its result, else it waits for a test.
    fn run_job(&mut self, client: usize, job: TestJob, now: Instant) {
        let sight = self.hasher.hash_sight(&job.files, TimeLimits::default());
        if !job.fresh {
            if let Some((verdict, run, limits)) = self.known.get(&sight)
                && (*verdict != Verdict::TimedOut || *limits == job.limits)
            {
                let outcome = TestOutcome::Verdict(*verdict, run.clone());
                self.answer_job(client, JobResult::new(job.id, outcome), now);
                return;
            }
            let running = self.by_sight.get(&sight);
            if let Some(test) = running.and_then(|id| self.tests.get_mut(id)) {
                test.waiting.push(WaitingJob { client, job });
                return;
            }
        }
        let waiting = vec![WaitingJob {
            client,
            job: job.clone(),
        }];
        self.start_test(sight, job, waiting, now);
    }

    fn start_test(
        &mut self,
        sight: SightKey,
        job: TestJob,
        waiting: Vec<WaitingJob>,
        now: Instant,
    ) {
        self.last_id += 1;
        let id = JobId(self.last_id);
        let is_concurrent = !self.tests.is_empty();
        self.tests
            .values_mut()
            .for_each(|test| test.is_concurrent = true);
        if let Some(first) = waiting.first() {
            self.clients[first.client].tally.ran += 1;
        }
        let job = TestJob { id, ..job };
        self.actions.push(RunnerAction::Submit(job.clone()));
        self.by_sight.insert(sight, id);
        let test = SharedTest {
            sight,
            job,
            waiting,
            since: now,
            is_concurrent,
        };
        self.tests.insert(id, test);
    }

    fn forget_test(&mut self, id: JobId) -> Option<SharedTest> {
        let test = self.tests.remove(&id)?;
        if self.by_sight.get(&test.sight) == Some(&id) {
            self.by_sight.remove(&test.sight);
        }
        Some(test)
    }

    fn answer_job(&mut self, client: usize, result: JobResult, now: Instant) {
        let entry = &mut self.clients[client];
        if let Some(since) = entry.submitted.remove(&result.id) {
            entry.tally.waited += now.saturating_duration_since(since);
        }
        if let TestOutcome::Verdict(_, run) = &result.outcome {
            entry.tally.tested += run.time;
        }
        self.actions.push(RunnerAction::Answer(client, result));
    }
}

impl ClientEntry {
    /// What it waits for, but for a test.
    fn state(&self) -> ClientState {
        match () {
            () if self.is_gone => ClientState::Gone,
            () if !self.held.is_empty() => ClientState::Held,
            () => ClientState::Idle,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::TestExit;

    /// A state of so many clients, and what it did so far in short: `run a`, `0: yes`.
    struct Story {
        admission: JobAdmission,
        now: Instant,
        next: u64,
        submitted: Vec<(JobId, String)>,
    }

    fn begin(clients: usize) -> Story {
        Story {
            admission: JobAdmission::new(clients),
            now: Instant::now(),
            next: 0,
            submitted: Vec::new(),
        }
    }

    impl Story {
        fn ask(&mut self, client: usize, text: &str) -> JobId {
            self.ask_within(client, text, TimeLimits::default())
        }

        fn ask_within(&mut self, client: usize, text: &str, limits: TimeLimits) -> JobId {
            self.next += 1;
            let job = TestJob {
                id: JobId(self.next),
                files: vec![("a.c".into(), text.as_bytes().into())],
                limits,
                alone: false,
                fresh: false,
            };
            let id = job.id;
            self.admission.submit_job(client, job, self.now);
            id
        }

        fn done(&mut self) -> Vec<String> {
            let actions = self.admission.take_actions().into_iter();
            let mut told = Vec::new();
            for action in actions {
                told.push(match action {
                    RunnerAction::Submit(job) => {
                        let text = String::from_utf8_lossy(&job.files[0].1).into_owned();
                        let alone = if job.alone { " alone" } else { "" };
                        self.submitted.push((job.id, text.clone()));
                        format!("run {text}{alone}")
                    }
                    RunnerAction::Cancel(id) => {
                        let found = self.submitted.iter().find(|(known, _)| *known == id);
                        format!("cancel {}", found.map_or("?", |(_, text)| text))
                    }
                    RunnerAction::Answer(client, result) => {
                        let verdict = result.outcome.verdict();
                        let word = verdict.map_or("none".into(), |verdict| format!("{verdict:?}"));
                        format!("{client}: {word}")
                    }
                });
            }
            told
        }

        /// The newest test of this text ends.
        fn end(&mut self, text: &str, verdict: Verdict, exit: TestExit) {
            let mut found = self.submitted.iter().rev();
            let (id, _) = found.find(|(_, known)| known == text).expect("it runs");
            let run = TestRun {
                exit,
                time: Duration::from_secs(2),
                cpu: None,
                output: TestOutput::default(),
            };
            let result = JobResult::new(*id, TestOutcome::Verdict(verdict, run));
            self.now += Duration::from_secs(3);
            self.admission.take_result(result, self.now);
        }

        fn say_no(&mut self, text: &str) {
            self.end(text, Verdict::Uninteresting, TestExit::Code(1));
        }
    }

    #[test]
    fn a_round_begins_when_all_clients_ask_and_each_has_one_job_in_it() {
        let mut story = begin(2);
        story.ask(0, "a");
        story.ask(1, "b");
        assert!(story.done().is_empty(), "nothing passes yet");
        story.admission.permit_round(story.now);
        assert_eq!(story.done(), ["run a", "run b"]);
        story.say_no("a");
        story.ask(0, "c");
        assert_eq!(story.done(), ["0: Uninteresting"]);
        story.admission.set_open(true, story.now);
        assert!(story.done().is_empty(), "the other has not asked again");
        story.say_no("b");
        story.ask(1, "d");
        assert_eq!(story.done(), ["1: Uninteresting", "run c", "run d"]);
        story.admission.leave(1, story.now);
        assert_eq!(story.done(), ["cancel d", "1: none"]);
        story.say_no("c");
        story.ask(0, "e");
        assert_eq!(
            story.done(),
            ["0: Uninteresting", "run e"],
            "nobody waits for one who has left"
        );
    }

    #[test]
    fn no_files_are_tested_twice_and_the_first_had_them_tested() {
        let mut story = begin(3);
        story.admission.set_pace(RunnerPace::Free, story.now);
        story.admission.set_open(true, story.now);
        story.ask(0, "a");
        story.ask(1, "a");
        assert_eq!(story.done(), ["run a"]);
        story.say_no("a");
        assert_eq!(story.done(), ["0: Uninteresting", "1: Uninteresting"]);
        story.ask(2, "a");
        assert_eq!(story.done(), ["2: Uninteresting"]);
        let tallies = story.admission.client_tallies();
        let ran: Vec<u64> = tallies.iter().map(|tally| tally.ran).collect();
        assert_eq!(ran, [1, 0, 0]);
        let seconds = |time: Duration| time.as_secs();
        let times = tallies
            .iter()
            .map(|tally| (seconds(tally.waited), seconds(tally.tested)));
        assert_eq!(times.collect::<Vec<_>>(), [(3, 2), (3, 2), (0, 2)]);
    }

    #[test]
    fn who_has_another_limit_waits_too_and_has_a_test_of_its_own_if_that_one_was_met() {
        let mut story = begin(2);
        story.admission.set_pace(RunnerPace::Free, story.now);
        story.admission.set_open(true, story.now);
        let longer = TimeLimits::wall_only(Duration::from_secs(9));
        for text in ["a", "b"] {
            story.ask(0, text);
            story.ask_within(1, text, longer);
        }
        assert_eq!(story.done(), ["run a", "run b"]);
        story.say_no("a");
        assert_eq!(story.done(), ["0: Uninteresting", "1: Uninteresting"]);
        let wall = TestExit::Killed(LimitKind::Wall);
        story.end("b", Verdict::TimedOut, wall);
        assert_eq!(story.done(), ["run b alone"]);
        story.end("b", Verdict::TimedOut, wall);
        assert_eq!(story.done(), ["0: TimedOut", "run b"]);
        story.say_no("b");
        assert_eq!(story.done(), ["1: Uninteresting"]);
        // The one that had it run goes away.
        let first = story.ask(0, "c");
        story.ask_within(1, "c", longer);
        story.admission.cancel_job(0, first, story.now);
        assert_eq!(story.done(), ["run c", "0: none"]);
        story.end("c", Verdict::TimedOut, wall);
        assert_eq!(story.done(), ["run c"]);
    }

    #[test]
    fn a_cancelled_job_ends_its_test_unless_another_waits_for_it() {
        let mut story = begin(2);
        story.admission.set_pace(RunnerPace::Free, story.now);
        story.admission.set_open(true, story.now);
        let first = story.ask(0, "a");
        let second = story.ask(1, "a");
        story.admission.cancel_job(0, first, story.now);
        assert_eq!(story.done(), ["run a", "0: none"]);
        story.admission.cancel_job(1, second, story.now);
        assert_eq!(story.done(), ["cancel a", "1: none"]);
        story.say_no("a");
        assert!(story.done().is_empty(), "nobody waits");
        story.ask(1, "a");
        assert_eq!(
            story.done(),
            ["run a"],
            "a test without an end says nothing"
        );
    }

    #[test]
    fn a_test_that_was_too_slow_beside_others_runs_again_alone() {
        let mut story = begin(2);
        story.admission.set_pace(RunnerPace::Free, story.now);
        story.admission.set_open(true, story.now);
        story.ask(0, "a");
        story.ask(1, "b");
        story.done();
        let wall = TestExit::Killed(LimitKind::Wall);
        story.end("a", Verdict::TimedOut, wall);
        assert_eq!(story.done(), ["run a alone"]);
        story.say_no("b");
        story.end("a", Verdict::TimedOut, wall);
        assert_eq!(story.done(), ["1: Uninteresting", "0: TimedOut"]);
    }

    #[test]
    fn who_waits_for_what_can_be_seen() {
        let mut story = begin(3);
        story.ask(0, "a");
        story.ask(1, "b");
        story.admission.leave(2, story.now);
        let states = [ClientState::Held, ClientState::Held, ClientState::Gone];
        assert_eq!(story.admission.client_states(), states);
        story.admission.permit_round(story.now);
        story.done();
        story.say_no("b");
        let testing = ClientState::Testing(story.now - Duration::from_secs(3));
        let states = [testing, ClientState::Idle, ClientState::Gone];
        assert_eq!(story.admission.client_states(), states);
    }
}
