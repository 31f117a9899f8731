//! Who is ahead in a race, and at its end who is smallest, in words.

use crate::display::{format_count, format_number};
use crate::reduce::{FinishReason, RunSnapshot, RunState};

/// How far a lane is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneStanding {
    /// The strategy.
    pub name: String,
    /// The size of its program.
    pub size: u32,
    /// The unit of the size.
    pub unit: &'static str,
    /// The size of the original.
    pub original: u32,
    /// How many tests it took.
    pub tests: u64,
    /// Whether it has nothing left to try.
    pub is_complete: bool,
}

impl LaneStanding {
    /// That of a run.
    pub fn of_snapshot(name: &str, snapshot: &RunSnapshot) -> LaneStanding {
        let (size, original) = snapshot.primary_sizes();
        LaneStanding {
            name: name.to_owned(),
            size,
            unit: snapshot.version.objective().unit(),
            original,
            tests: snapshot.counts.tests,
            is_complete: snapshot.state == RunState::Finished(FinishReason::Complete),
        }
    }
}

/// Who is smallest, and with how few tests; empty while no lane has removed anything.
pub fn describe_standings(lanes: &[LaneStanding]) -> String {
    let Some(least) = lanes.iter().map(|lane| lane.size).min() else {
        return String::new();
    };
    let is_over = lanes.iter().all(|lane| lane.is_complete);
    let smallest: Vec<&LaneStanding> = lanes.iter().filter(|lane| lane.size == least).collect();
    let first = smallest[0];
    if !is_over && least >= first.original {
        return String::new();
    }
    let names = join_names(smallest.iter().map(|lane| lane.name.as_str()));
    let size = format_count(least.into(), first.unit);
    let fewest = smallest.iter().map(|lane| lane.tests).min().unwrap_or(0);
    let tests = format_count(fewest, "test");
    let verb = match (is_over, smallest.len()) {
        (true, _) => "ended smallest",
        (false, 1) => "is ahead",
        (false, _) => "are ahead",
    };
    let quickest = smallest.iter().filter(|lane| lane.tests == fewest);
    let quickest: Vec<&str> = quickest.map(|lane| lane.name.as_str()).collect();
    match (smallest.len(), quickest.len()) {
        (1, _) => format!("{names} {verb}: {size} after {tests}"),
        (all, same) if all == same => format!("{names} {verb}: {size} after {tests} each"),
        _ => {
            let quickest = join_names(quickest.into_iter());
            let fewest = format_number(fewest);
            format!("{names} {verb}, with {size}; {quickest} needed the fewest tests: {fewest}")
        }
    }
}

/// Names as a part of a sentence.
fn join_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lane: its name, its size and its tests.
    type Lane = (&'static str, u32, u64);

    fn told(lanes: &[Lane], is_complete: bool) -> String {
        let lane = |&(name, size, tests): &Lane| LaneStanding {
            name: name.into(),
            size,
            unit: "token",
            original: 100,
            tests,
            is_complete,
        };
        describe_standings(&lanes.iter().map(lane).collect::<Vec<_>>())
    }

    #[test]
    fn the_smallest_wins_and_among_equals_the_one_with_the_fewest_tests() {
        let rows: [(&[Lane], bool, &str); 6] = [
            (&[("lop", 100, 1), ("hdd", 100, 1)], false, ""),
            (
                &[("lop", 40, 3), ("hdd", 60, 3)],
                false,
                "lop is ahead: 40 tokens after 3 tests",
            ),
            (
                &[("lop", 40, 3), ("hdd", 40, 3), ("x", 41, 3)],
                false,
                "lop and hdd are ahead: 40 tokens after 3 tests each",
            ),
            (
                &[("lop", 9, 30), ("hdd", 12, 20)],
                true,
                "lop ended smallest: 9 tokens after 30 tests",
            ),
            (
                &[("lop", 9, 30), ("hdd", 9, 1020), ("x", 9, 40)],
                true,
                "lop, hdd and x ended smallest, with 9 tokens; lop needed the fewest tests: 30",
            ),
            (
                &[("lop", 100, 30), ("hdd", 100, 30)],
                true,
                "lop and hdd ended smallest: 100 tokens after 30 tests each",
            ),
        ];
        for (lanes, is_complete, expected) in rows {
            assert_eq!(told(lanes, is_complete), expected);
        }
    }
}
