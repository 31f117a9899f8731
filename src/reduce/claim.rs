//! What the end of a run proves of its result, and what was left out.

use std::fmt::{self, Display, Formatter};

use super::event::Finish;
use super::snapshot::{PassLine, PassState};
use crate::pass;
use crate::program::{Closed, Constraints, Version};

use super::obey::closed;

/// What may be said of a result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// Whether the last pass tried every single edit of the result: it is 1-tree-minimal, but for candidates of that pass that were left
    /// out.
    pub minimal: bool,
    /// What was not tried, or has no verdict of its own.
    pub left_out: Vec<LeftOut>,
}

/// Something that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// The strategy has no pass that tries every single edit of the result.
    Certificate,
    /// This pass did not come to its end.
    Pass(&'static str),
    /// The user switched this pass off.
    Off(&'static str),
    /// The user cut this pass short.
    Skipped(&'static str),
    /// So many places that the user closed in this way.
    Closed(Closed, u32),
    /// What has no match of a query that the user requires.
    Required,
    /// This part of the strategy was switched off.
    Part(&'static str),
    /// So many candidates of the last pass were refused before their test.
    Refused(u64),
    /// So many tests of the last pass were cut short at their limit, and count as boring.
    TimedOut(u64),
}

impl Claim {
    /// The claim of a run without these parts that ended so with this result, with its passes and constraints as they stand.
    pub fn new(
        without: pass::Parts,
        finish: &Finish,
        passes: &[PassLine],
        constraints: &Constraints,
        result: Option<&Version>,
    ) -> Claim {
        let complete = *finish == Finish::Complete;
        let certificate = passes
            .iter()
            .find(|line| line.name == pass::CERTIFICATE.name);
        let mut left_out = Vec::new();
        if certificate.is_none() {
            left_out.push(LeftOut::Certificate);
        }
        left_out.extend(passes.iter().filter_map(|line| match line.state {
            PassState::Off => Some(LeftOut::Off(line.name)),
            PassState::Skipped => Some(LeftOut::Skipped(line.name)),
            PassState::Waiting | PassState::Running(_) if !complete => {
                Some(LeftOut::Pass(line.name))
            }
            PassState::Waiting | PassState::Running(_) | PassState::Done => None,
        }));
        left_out.extend(without.names().map(LeftOut::Part));
        let closed = result.map(|result| closed(result, constraints));
        let closed = closed.into_iter().flatten();
        left_out.extend(closed.map(|(why, places)| LeftOut::Closed(why, places)));
        if constraints.required().next().is_some() {
            left_out.push(LeftOut::Required);
        }
        if let Some(last) = certificate.filter(|_| complete) {
            let refused = Some(LeftOut::Refused(last.refused)).filter(|_| last.refused > 0);
            let timed_out = Some(LeftOut::TimedOut(last.timed_out)).filter(|_| last.timed_out > 0);
            left_out.extend(refused.into_iter().chain(timed_out));
        }
        Claim {
            minimal: complete
                && certificate
                    .is_some_and(|line| !matches!(line.state, PassState::Off | PassState::Skipped)),
            left_out,
        }
    }
}

impl Display for Claim {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self.minimal {
            true => "1-tree-minimal for these passes (no single part of its tree can go)",
            false => "not proven minimal",
        })?;
        let is_pass = |left_out: &&LeftOut| matches!(left_out, LeftOut::Pass(_));
        // Most passes of a run that was stopped early are among these.
        match self.left_out.iter().filter(is_pass).count() {
            0 => {}
            1 => f.write_str(": 1 pass did not come to its end")?,
            more => write!(f, ": {more} passes did not come to their end")?,
        }
        let others = self.left_out.iter().filter(|left_out| !is_pass(left_out));
        for (at, left_out) in others.enumerate() {
            let before = if at == 0 { "; left out: " } else { ", " };
            write!(f, "{before}{left_out}")?;
        }
        Ok(())
    }
}

impl Display for LeftOut {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            LeftOut::Certificate => f.write_str("a certificate, which this strategy does not have"),
            LeftOut::Pass(name) => write!(f, "the end of the pass {name}"),
            LeftOut::Off(name) => write!(f, "the pass {name} (switched off)"),
            LeftOut::Skipped(name) => write!(f, "the rest of the pass {name} (skipped)"),
            LeftOut::Closed(why, 1) => write!(f, "1 place closed by {}", why.words()),
            LeftOut::Closed(why, more) => write!(f, "{more} places closed by {}", why.words()),
            LeftOut::Required => f.write_str("what has no match of a required query"),
            LeftOut::Part(name) => write!(f, "{name} (switched off)"),
            LeftOut::Refused(1) => f.write_str("1 candidate that was refused before its test"),
            LeftOut::Refused(more) => {
                write!(f, "{more} candidates that were refused before their test")
            }
            LeftOut::TimedOut(1) => f.write_str("1 candidate whose test was cut short"),
            LeftOut::TimedOut(more) => write!(f, "{more} candidates whose test was cut short"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::pass::{Options, Part, Parts};

    fn passes(options: &Options, done: usize) -> Vec<PassLine> {
        let states = (0..).map(|at| match at < done {
            true => PassState::Done,
            false => PassState::Waiting,
        });
        let kinds = options.strategy.passes.iter();
        kinds
            .zip(states)
            .map(|(kind, state)| PassLine {
                name: kind.name,
                what: kind.what,
                state,
                tried: 0,
                taken: 0,
                refused: 0,
                timed_out: 0,
                tokens: 0,
                time: Duration::ZERO,
            })
            .collect()
    }

    fn said(options: &Options, finish: &Finish, passes: &[PassLine]) -> String {
        Claim::new(
            options.without,
            finish,
            passes,
            &Constraints::default(),
            None,
        )
        .to_string()
    }

    #[test]
    fn a_complete_run_is_minimal_but_for_what_was_left_out() {
        let mut options = Options::default();
        let all = options.strategy.passes.len();
        let mut lines = passes(&options, all);
        let claim = said(&options, &Finish::Complete, &lines);
        let minimal = "1-tree-minimal for these passes (no single part of its tree can go)";
        assert_eq!(claim, minimal);
        options.without = Parts::default().with(Part::Hollow);
        lines[all - 1].refused = 2;
        lines[all - 1].timed_out = 1;
        lines[0].refused = 7;
        let claim = said(&options, &Finish::Complete, &lines);
        assert_eq!(
            claim.strip_prefix(minimal),
            Some(
                "; left out: hollow (switched off), 2 candidates that were refused before their test, 1 candidate whose test was cut short"
            )
        );
    }

    #[test]
    fn what_the_user_switched_off_is_named() {
        let options = Options::default();
        let mut lines = passes(&options, options.strategy.passes.len());
        for line in &mut lines {
            line.state = match line.name {
                "hollow" => PassState::Off,
                "bodies" => PassState::Skipped,
                _ => PassState::Done,
            };
        }
        assert_eq!(
            said(&options, &Finish::Complete, &lines),
            "1-tree-minimal for these passes (no single part of its tree can go); left out: the pass hollow (switched off), the rest of the pass bodies (skipped)"
        );
        for line in &mut lines {
            line.state = PassState::Off;
        }
        assert!(said(&options, &Finish::Complete, &lines).starts_with("not proven minimal"));
    }

    #[test]
    fn a_run_that_was_stopped_or_has_no_certificate_proves_nothing() {
        let options = Options::default();
        let lines = passes(&options, options.strategy.passes.len() - 2);
        let claim = said(&options, &Finish::Stopped, &lines);
        assert_eq!(
            claim,
            "not proven minimal: 2 passes did not come to their end"
        );
        let options = Options::of(pass::strategy("perses").expect("a strategy"));
        let lines = passes(&options, options.strategy.passes.len());
        let claim = said(&options, &Finish::Complete, &lines);
        assert_eq!(
            claim,
            "not proven minimal; left out: a certificate, which this strategy does not have"
        );
    }
}
