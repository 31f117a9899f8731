//! The limits of a test in a journal: its time, and its other resources.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::oracle::{LimitPolicy, ResourceQuotas, TestIsolation};

/// Where the limit of a test came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeaderLimit {
    /// The user's: nanoseconds, 0 for none.
    Fixed(u64),
    /// The user's, where a hang is the property: nanoseconds of processor time. See [`LimitPolicy::for_hang`].
    Hang(u64),
    /// What the test took on the original, and the processor time it used, if that is known; in nanoseconds.
    Original {
        /// From start to end.
        time_ns: u64,
        /// Of all its processes.
        cpu_ns: Option<u64>,
    },
}

impl HeaderLimit {
    /// The limit as it was at the start.
    pub fn initial_limit(self) -> LimitPolicy {
        let fixed = |nanoseconds| LimitPolicy::fixed(Duration::from_nanos(nanoseconds));
        match self {
            HeaderLimit::Fixed(nanoseconds) => fixed(nanoseconds),
            HeaderLimit::Hang(nanoseconds) => fixed(nanoseconds).for_hang(),
            HeaderLimit::Original { time_ns, cpu_ns } => {
                let mut limit = LimitPolicy::adaptive();
                let cpu = cpu_ns.map(Duration::from_nanos);
                limit.on_interesting(Duration::from_nanos(time_ns), cpu);
                limit
            }
        }
    }
}

/// What a test might take besides time, and touch; `None` for as much as it likes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeaderIsolation {
    /// See [`ResourceQuotas::memory`].
    pub memory: Option<u64>,
    /// See [`ResourceQuotas::processes`].
    pub processes: Option<u64>,
    /// See [`ResourceQuotas::disk`].
    pub disk: Option<u64>,
    /// See [`TestIsolation::sandbox`].
    pub sandbox: bool,
}

impl From<&TestIsolation> for HeaderIsolation {
    fn from(care: &TestIsolation) -> HeaderIsolation {
        let ResourceQuotas {
            memory,
            processes,
            disk,
        } = care.quotas;
        HeaderIsolation {
            memory,
            processes,
            disk,
            sandbox: care.sandbox,
        }
    }
}

/// For the end of a sentence: "at most 9.6 GB of memory and 1024 processes, in a sandbox".
impl fmt::Display for HeaderIsolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quotas = ResourceQuotas {
            memory: self.memory,
            processes: self.processes,
            disk: self.disk,
        };
        let place = if self.sandbox { ", in a sandbox" } else { "" };
        write!(f, "{quotas}{place}")
    }
}
