//! The horizontal axis of the curves of the progress, and the user's commands on it.

use std::time::Duration;

use crate::program::ObjectiveSize;
use crate::reduce::{CurvePoint, RunSnapshot};

/// The horizontal axis of the curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChartAxis {
    /// Tests.
    #[default]
    Tests,
    /// Time.
    Time,
}

impl ChartAxis {
    /// The length of the axis: how many tests, or milliseconds, the run has taken; at least 1.
    pub fn length_of(self, snapshot: &RunSnapshot) -> u64 {
        let taken = match self {
            ChartAxis::Tests => snapshot.counts.tests,
            ChartAxis::Time => duration_millis(
                snapshot.now.saturating_duration_since(snapshot.started) + snapshot.time_saved,
            ),
        };
        taken.max(1)
    }
}

/// A command of the user's in the curve.
#[derive(Clone, Debug)]
pub struct ChartMarker {
    /// The number of tests at that time.
    pub tests: u64,
    /// Time since the start.
    pub time: Duration,
    /// The command's name.
    pub name: String,
    /// How many commands the run had received with it.
    pub command: u64,
}

impl ChartMarker {
    /// Where it stands on an axis.
    pub fn place_on(&self, axis: ChartAxis) -> u64 {
        match axis {
            ChartAxis::Tests => self.tests,
            ChartAxis::Time => duration_millis(self.time),
        }
    }
}

/// The size of the version after `at` tests, or after `at` milliseconds.
pub fn size_at(curve: &imbl::Vector<CurvePoint>, axis: ChartAxis, at: u64) -> ObjectiveSize {
    let when = |point: &CurvePoint| match axis {
        ChartAxis::Tests => point.tests,
        ChartAxis::Time => duration_millis(point.time),
    };
    let (mut low, mut high) = (0, curve.len());
    while low < high {
        let middle = (low + high) / 2;
        if when(&curve[middle]) <= at {
            low = middle + 1
        } else {
            high = middle
        }
    }
    let point = curve.get(low.saturating_sub(1));
    point.map_or_else(ObjectiveSize::default, |point| point.size)
}

fn duration_millis(time: Duration) -> u64 {
    time.as_millis().min(u64::MAX.into()) as u64
}
