//! The runner of a run, and what a farm is tried with.

use std::time::Duration;

use crate::oracle::{FarmMonitor, Runner, TestContainment, TestFiles, TimeLimits};

/// The runner of a run.
pub struct ChosenRunner {
    pub runner: Box<dyn Runner>,
    /// Who holds the tests of this machine together; none if none runs.
    pub containment: Option<TestContainment>,
    /// How many tests may run at a time, everywhere.
    pub jobs: usize,
    /// What is known of the farm, if there is one.
    pub farm: Option<FarmMonitor>,
    /// What to say of it.
    pub note: Option<String>,
}

/// The files that the run begins with, and how this machine tested them.
#[cfg_attr(
    not(feature = "remote"),
    expect(dead_code, reason = "only a farm is tried with them")
)]
pub struct OriginalTest {
    pub files: TestFiles,
    pub limits: TimeLimits,
    pub time: Duration,
}
