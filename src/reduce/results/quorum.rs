//! How many of how many runs of a test must say interesting before it counts.
//!
//! A quorum of 1/1 believes each test. One of K/N asks until K runs have said interesting, or so many say no that K cannot be reached any more; so
//! with N/N a single no is enough, and costs one run.

use crate::oracle::Verdict;
use std::fmt;
use std::str::FromStr;

/// K of N runs: at least one, and never more than there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quorum {
    yes: u16,
    runs: u16,
}

impl Quorum {
    /// One run decides.
    pub const ONCE: Quorum = Quorum { yes: 1, runs: 1 };
    /// What holds from the moment on in which a verdict was seen to change: a test that says interesting to what it should not in one of ten
    /// runs does so three times in a row in one of a thousand.
    pub const SURE: Quorum = Quorum { yes: 3, runs: 3 };
    /// What tells a flaky test from one that finds a program uninteresting: one that says interesting in every second run is taken for that in one of 32.
    pub const ANY: Quorum = Quorum { yes: 1, runs: 5 };
    /// No quorum has more runs.
    pub const MOST: u16 = 1000;

    /// `yes` of `runs`; none if that cannot be.
    pub fn new(yes: u16, runs: u16) -> Option<Quorum> {
        let fits = yes >= 1 && yes <= runs && runs <= Quorum::MOST;
        fits.then_some(Quorum { yes, runs })
    }

    /// What these runs decide; none as long as more are needed.
    pub fn evaluate_tally(self, tally: RunTally) -> Option<bool> {
        let no = tally.runs - tally.yes;
        match (u32::from(self.yes), u32::from(self.runs)) {
            (yes, _) if tally.yes >= yes => Some(true),
            (yes, runs) if no > runs - yes => Some(false),
            _ => None,
        }
    }

    /// Whether one no is enough: then what was uninteresting by any other quorum is uninteresting by this.
    pub fn is_strict(self) -> bool {
        self.yes == self.runs
    }
}

impl Default for Quorum {
    fn default() -> Quorum {
        Quorum::ONCE
    }
}

impl fmt::Display for Quorum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.yes, self.runs)
    }
}

impl FromStr for Quorum {
    type Err = String;

    fn from_str(text: &str) -> Result<Quorum, String> {
        let parts = text.split_once('/');
        let numbers = parts
            .and_then(|(yes, runs)| Some((yes.trim().parse().ok()?, runs.trim().parse().ok()?)));
        let quorum = numbers.and_then(|(yes, runs)| Quorum::new(yes, runs));
        quorum.ok_or_else(|| {
            format!(
                "`{text}` is not K/N, K yes in N runs, as 3/3 or 2/5: K is at least 1 and at most N, N at most {}",
                Quorum::MOST
            )
        })
    }
}

/// How often a test was run on the same bytes, and how often it said interesting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunTally {
    /// Runs that said interesting.
    pub yes: u32,
    /// All runs.
    pub runs: u32,
}

impl RunTally {
    /// One run that said this.
    pub fn from_verdict(verdict: Verdict) -> RunTally {
        let mut tally = RunTally::default();
        tally.add_run(verdict);
        tally
    }

    /// One run more.
    pub fn add_run(&mut self, verdict: Verdict) {
        self.yes += u32::from(verdict == Verdict::Interesting);
        self.runs += 1;
    }

    /// These runs too.
    pub fn add_tally(&mut self, other: RunTally) {
        self.yes += other.yes;
        self.runs += other.runs;
    }

    /// Whether the test has said both.
    pub fn is_mixed(self) -> bool {
        self.yes > 0 && self.yes < self.runs
    }
}

impl fmt::Display for RunTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} runs", self.yes, self.runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a quorum decides after these runs, and after how many of them.
    fn decided(quorum: &str, runs: &str) -> (Option<bool>, usize) {
        let quorum: Quorum = quorum.parse().expect("a quorum");
        let mut tally = RunTally::default();
        for (at, run) in runs.chars().enumerate() {
            tally.add_run(match run {
                'y' => Verdict::Interesting,
                _ => Verdict::Uninteresting,
            });
            if let Some(decision) = quorum.evaluate_tally(tally) {
                return (Some(decision), at + 1);
            }
        }
        (None, runs.len())
    }

    #[test]
    fn a_quorum_asks_no_more_than_it_must() {
        for (quorum, runs, after) in [
            ("1/1", "y", (Some(true), 1)),
            ("1/1", "n", (Some(false), 1)),
            ("3/3", "yy", (None, 2)),
            ("3/3", "yyyn", (Some(true), 3)),
            ("3/3", "yn", (Some(false), 2)),
            ("2/3", "nyy", (Some(true), 3)),
            ("2/3", "nn", (Some(false), 2)),
            ("1/4", "nnny", (Some(true), 4)),
            ("1/4", "nnnn", (Some(false), 4)),
        ] {
            assert_eq!(decided(quorum, runs), after, "{quorum} {runs}");
        }
    }

    #[test]
    fn what_is_no_quorum_is_told_what_is() {
        for wrong in ["0/3", "4/3", "3", "a/b", "3/3/3", "-1/2", "1/100000", ""] {
            let problem = wrong.parse::<Quorum>().expect_err(wrong);
            assert!(problem.contains("as 3/3 or 2/5"), "{problem}");
        }
        assert_eq!("2 / 5".parse::<Quorum>().expect("one").to_string(), "2/5");
    }
}
