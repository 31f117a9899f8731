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

/// The least time between two looks at the processor time: one costs some 0.1 ms.
const SELDOM: Duration = Duration::from_millis(50);

/// How much more time passes between two looks at what else it takes than such a look needs.
const RARELY: u32 = 20;

/// The limits of one test that runs.
pub(super) struct LimitTracker<'a> {
    deadline: Option<Instant>,
    cpu: Option<CpuLimitCheck<'a>>,
    resources: Option<ResourceLimitCheck<'a>>,
    suspended: Duration,
}

/// The limit of processor time.
///
/// `RLIMIT_CPU` is no help: it counts each process for itself, and its signal would look like a death by the candidate's fault. So
/// we look, but no earlier than the test can be over its limit with all processors busy; a short test is never looked at.
struct CpuLimitCheck<'a> {
    limit: Duration,
    next_check: Instant,
    cpu_used: &'a dyn Fn() -> Option<Duration>,
}

/// The limits of what is no time: a test is looked at from time to time, a short one never.
struct ResourceLimitCheck<'a> {
    next_check: Instant,
    has_checked: bool,
    monitor: &'a ResourceMonitor<'a>,
}

impl<'a> LimitTracker<'a> {
    /// The bounds of a test that began at this moment; `used` tells the processor time that it has used.
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
            monitor: monitor,
        });
        LimitTracker {
            deadline,
            cpu,
            resources: resources,
            suspended: Duration::ZERO,
        }
    }

    /// The test stood still for so long, and we with it: that time does not count.
    pub(super) fn add_suspended_time(&mut self, time: Duration) {
        self.suspended += time;
        self.deadline = self
            .deadline
            .and_then(|deadline| deadline.checked_add(time));
    }

    /// How long it stood still in all.
    pub(super) fn suspended_time(&self) -> Duration {
        self.suspended
    }

    /// The next moment at which a limit may be passed.
    pub(super) fn next_check(&self) -> Option<Instant> {
        let look = self.cpu.as_ref().map(|meter| meter.next_check);
        let resources = self
            .resources
            .as_ref()
            .map(|resources| resources.next_check);
        self.deadline.into_iter().chain(look).chain(resources).min()
    }

    /// The limit of what is no time that a test that has ended by itself is seen to have passed.
    pub(super) fn exceeded_at_exit(&self) -> Option<LimitKind> {
        let resources = self.resources.as_ref()?;
        resources.monitor.exceeded_at_exit(resources.has_checked)
    }

    /// The limit that the test has passed.
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

/// How soon so much processor time can be used up, but not too soon to look.
fn cpu_check_delay(left: Duration) -> Duration {
    static PROCESSORS: OnceLock<u32> = OnceLock::new();
    let processors = *PROCESSORS.get_or_init(|| {
        thread::available_parallelism().map_or(1, |count| u32::try_from(count.get()).unwrap_or(1))
    });
    (left / processors).max(SELDOM)
}
