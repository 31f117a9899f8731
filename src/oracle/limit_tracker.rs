//! How long a test that runs may still run, by the clock on the wall and by the processors' clocks, and what else ends it.
//!
//! Wall time is a deadline. Processor time is that of all processes of the test; `RLIMIT_CPU` counts each by itself, so the helper checks it,
//! and not before the limit can be reached with all processors busy. A test that ended beyond the limit before any check counts as timed out
//! as well: the moment of a check must not decide. Without a helper the children that the test waited for and those that live are counted, in
//! steps of 10 ms.

use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use super::resource_monitor::ResourceMonitor;
use super::{LimitKind, ResourceQuotas, TimeLimits};

/// The shortest interval of checks of the processor time. A check costs about 0.1 ms.
const SELDOM: Duration = Duration::from_millis(50);

/// The interval of checks of other resources, as a multiple of the time that a check takes.
const RARELY: u32 = 20;

/// The limits of a running test.
pub(super) struct LimitTracker<'a> {
    deadline: Option<Instant>,
    cpu: Option<CpuLimitCheck<'a>>,
    resources: Option<ResourceLimitCheck<'a>>,
    suspended: Duration,
}

/// The limit of processor time.
///
/// `RLIMIT_CPU` is of no use: it counts each process separately, and its signal would look like a crash of the candidate. So the time is
/// checked, but not before the test can exceed its limit with all processors busy. A short test is never checked.
struct CpuLimitCheck<'a> {
    limit: Duration,
    next_check: Instant,
    cpu_used: &'a dyn Fn() -> Option<Duration>,
}

/// The limits of memory, processes and disk. They are checked from time to time; a short test is never checked.
struct ResourceLimitCheck<'a> {
    next_check: Instant,
    has_checked: bool,
    monitor: &'a ResourceMonitor<'a>,
}

impl<'a> LimitTracker<'a> {
    /// The limits of a test that began at `begin`. `used` measures its processor time.
    pub(super) fn new(
        begin: Instant,
        limits: TimeLimits,
        used: &'a dyn Fn() -> Option<Duration>,
        monitor: Option<&'a ResourceMonitor<'a>>,
    ) -> LimitTracker<'a> {
        let deadline = limits.wall.and_then(|limit| begin.checked_add(limit));
        let cpu = limits.cpu.and_then(|limit| {
            let look = begin.checked_add(cpu_check_delay(limit))?;
            Some(CpuLimitCheck {
                limit,
                next_check: look,
                cpu_used: used,
            })
        });
        let limited = monitor.filter(|monitor| monitor.quotas != ResourceQuotas::default());
        let resources = limited.map(|monitor| ResourceLimitCheck {
            next_check: begin + SELDOM,
            has_checked: false,
            monitor,
        });
        LimitTracker {
            deadline,
            cpu,
            resources,
            suspended: Duration::ZERO,
        }
    }

    /// The same with this next check of the resources, if there is one: a server has it from the question before.
    #[must_use]
    pub(super) fn with_resource_check(mut self, next: Option<Instant>) -> LimitTracker<'a> {
        if let Some((resources, next)) = self.resources.as_mut().zip(next) {
            resources.next_check = next;
        }
        self
    }

    /// When the resources are checked next.
    pub(super) fn next_resource_check(&self) -> Option<Instant> {
        let resources = self.resources.as_ref();
        resources.map(|resources| resources.next_check)
    }

    /// From now on the test has this wall time, whatever it had before.
    pub(super) fn restart_deadline(&mut self, wall: Duration) {
        self.deadline = Instant::now().checked_add(wall);
    }

    /// The test was stopped for so long, and so was lop. That time does not count.
    pub(super) fn add_suspended_time(&mut self, time: Duration) {
        self.suspended += time;
        self.deadline = self
            .deadline
            .and_then(|deadline| deadline.checked_add(time));
    }

    /// How long it was stopped in all.
    pub(super) fn suspended_time(&self) -> Duration {
        self.suspended
    }

    /// The next moment at which a limit may be exceeded.
    pub(super) fn next_check(&self) -> Option<Instant> {
        let look = self.cpu.as_ref().map(|meter| meter.next_check);
        let resources = self
            .resources
            .as_ref()
            .map(|resources| resources.next_check);
        self.deadline.into_iter().chain(look).chain(resources).min()
    }

    /// The resource limit that a test has exceeded which ended by itself.
    pub(super) fn exceeded_at_exit(&self) -> Option<LimitKind> {
        let resources = self.resources.as_ref()?;
        resources.monitor.exceeded_at_exit(resources.has_checked)
    }

    /// The limit that the test has exceeded.
    pub(super) fn exceeded_limit(&mut self) -> Option<LimitKind> {
        if self.next_check().is_none_or(|next| Instant::now() < next) {
            return None;
        }
        if let Some(limit) = self
            .resources
            .as_mut()
            .and_then(ResourceLimitCheck::check_resources)
        {
            return Some(limit);
        }
        if self.cpu.as_mut().is_some_and(CpuLimitCheck::check_cpu) {
            return Some(LimitKind::Cpu);
        }
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
            .then_some(LimitKind::Wall)
    }
}

impl CpuLimitCheck<'_> {
    /// Looks, if it is time to.
    fn check_cpu(&mut self) -> bool {
        let now = Instant::now();
        if now < self.next_check {
            return false;
        }
        let used = (self.cpu_used)().unwrap_or_default();
        self.next_check = now + cpu_check_delay(self.limit.saturating_sub(used));
        used > self.limit
    }
}

impl ResourceLimitCheck<'_> {
    /// Looks, if it is time to.
    fn check_resources(&mut self) -> Option<LimitKind> {
        let now = Instant::now();
        if now < self.next_check {
            return None;
        }
        let beyond = self.monitor.exceeded_limit();
        self.has_checked = true;
        self.next_check = now + SELDOM.max(now.elapsed() * RARELY);
        beyond
    }
}

/// The shortest time in which so much processor time can be used, but not less than the shortest interval.
fn cpu_check_delay(left: Duration) -> Duration {
    static PROCESSORS: OnceLock<u32> = OnceLock::new();
    let processors = *PROCESSORS.get_or_init(|| {
        thread::available_parallelism().map_or(1, |count| u32::try_from(count.get()).unwrap_or(1))
    });
    (left / processors).max(SELDOM)
}
