//! How long a test that runs may still run, by the clock on the wall and by the processors' clocks, and what else ends it.

use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use super::gauge::Gauge;
use super::{Bound, Limits, Quotas};

/// The least time between two looks at the processor time: one costs some 0.1 ms.
const SELDOM: Duration = Duration::from_millis(50);

/// How much more time passes between two looks at what else it takes than such a look needs.
const RARELY: u32 = 20;

/// The limits of one test that runs.
pub(super) struct Bounds<'a> {
    deadline: Option<Instant>,
    cpu: Option<Meter<'a>>,
    patrol: Option<Patrol<'a>>,
    stopped: Duration,
}

/// The limit of processor time.
///
/// `RLIMIT_CPU` is no help: it counts each process for itself, and its signal would look like a death by the candidate's fault. So
/// we look, but no earlier than the test can be over its limit with all processors busy; a short test is never looked at.
struct Meter<'a> {
    limit: Duration,
    look: Instant,
    used: &'a dyn Fn() -> Option<Duration>,
}

/// The limits of what is no time: a test is looked at from time to time, a short one never.
struct Patrol<'a> {
    look: Instant,
    looked: bool,
    gauge: &'a Gauge<'a>,
}

impl<'a> Bounds<'a> {
    /// The bounds of a test that began at this moment; `used` tells the processor time that it has used.
    pub(super) fn new(
        begin: Instant,
        limits: Limits,
        used: &'a dyn Fn() -> Option<Duration>,
        gauge: Option<&'a Gauge<'a>>,
    ) -> Bounds<'a> {
        let deadline = limits.wall.and_then(|limit| begin.checked_add(limit));
        let cpu = limits.cpu.and_then(|limit| {
            let look = begin.checked_add(earliest(limit))?;
            Some(Meter { limit, look, used })
        });
        let limited = gauge.filter(|gauge| gauge.quotas != Quotas::default());
        let patrol = limited.map(|gauge| Patrol {
            look: begin + SELDOM,
            looked: false,
            gauge,
        });
        Bounds {
            deadline,
            cpu,
            patrol,
            stopped: Duration::ZERO,
        }
    }

    /// The test stood still for so long, and we with it: that time does not count.
    pub(super) fn stood_still(&mut self, time: Duration) {
        self.stopped += time;
        self.deadline = self
            .deadline
            .and_then(|deadline| deadline.checked_add(time));
    }

    /// How long it stood still in all.
    pub(super) fn stopped(&self) -> Duration {
        self.stopped
    }

    /// The next moment at which a bound may be passed.
    pub(super) fn next(&self) -> Option<Instant> {
        let look = self.cpu.as_ref().map(|meter| meter.look);
        let patrol = self.patrol.as_ref().map(|patrol| patrol.look);
        self.deadline.into_iter().chain(look).chain(patrol).min()
    }

    /// The limit of what is no time that a test that has ended by itself is seen to have passed.
    pub(super) fn was_beyond(&self) -> Option<Bound> {
        let patrol = self.patrol.as_ref()?;
        patrol.gauge.was_beyond(patrol.looked)
    }

    /// The bound that the test has passed.
    pub(super) fn passed(&mut self) -> Option<Bound> {
        if self.next().is_none_or(|next| Instant::now() < next) {
            return None;
        }
        if let Some(bound) = self.patrol.as_mut().and_then(Patrol::beyond) {
            return Some(bound);
        }
        if self.cpu.as_mut().is_some_and(Meter::over) {
            return Some(Bound::Cpu);
        }
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
            .then_some(Bound::Wall)
    }
}

impl Meter<'_> {
    /// Looks, if it is time to.
    fn over(&mut self) -> bool {
        let now = Instant::now();
        if now < self.look {
            return false;
        }
        let used = (self.used)().unwrap_or_default();
        self.look = now + earliest(self.limit.saturating_sub(used));
        used > self.limit
    }
}

impl Patrol<'_> {
    /// Looks, if it is time to.
    fn beyond(&mut self) -> Option<Bound> {
        let now = Instant::now();
        if now < self.look {
            return None;
        }
        let beyond = self.gauge.beyond();
        self.looked = true;
        self.look = now + SELDOM.max(now.elapsed() * RARELY);
        beyond
    }
}

/// How soon so much processor time can be used up, but not too soon to look.
fn earliest(left: Duration) -> Duration {
    static PROCESSORS: OnceLock<u32> = OnceLock::new();
    let processors = *PROCESSORS.get_or_init(|| {
        thread::available_parallelism().map_or(1, |count| u32::try_from(count.get()).unwrap_or(1))
    });
    (left / processors).max(SELDOM)
}
