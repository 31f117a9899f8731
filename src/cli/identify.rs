//! What a command fails with, found by running it on the original several times.

use super::failure::{FAILED, Failure, NOTHING_TO_DO, OrFail, USAGE};
use super::original::{Question, printed};
use super::ready::Ready;
use crate::display::{Shown, tamed};
use crate::oracle::{
    Limit, Outcome, Property, Role, Run, Seen, Stage, StageRun, Unfit, Verdict, Wanted, differing,
    identify,
};
use crate::plain::seconds;

/// How often the original is run.
const RUNS: usize = 3;
/// After a run that took longer, one more is enough.
const SLOW: std::time::Duration = std::time::Duration::from_secs(10);

/// What was found.
pub(super) struct Identified {
    /// The slowest of the runs.
    pub run: Run,
    /// The limit from here on.
    pub limit: Limit,
}

impl Ready {
    /// Finds out what the commands do on the original, and makes the test look for that.
    pub fn identify(&mut self, wanted: &Wanted, limit: Limit) -> Result<Identified, Failure> {
        let is_guard = |stage: &Stage| stage.role == Role::Agrees;
        if self.test.stages().iter().any(is_guard) {
            self.differ_at_all(limit)?;
        }
        let mut seen: Vec<Seen> = Vec::new();
        while seen.len() < RUNS && !(seen.len() > 1 && slowest(&seen) > SLOW) {
            let limits = limit.of_a_hang().current();
            seen.push(self.lifting(|question| question.look(limits))?);
            if let Some(failure) = self.question().unfit_at_once(seen.last(), limit) {
                return Err(failure);
            }
        }
        let question = self.question();
        let found = property(&question, &seen, wanted);
        let property = found.map_err(|unfit| question.unfit(&unfit, &seen))?;
        let hangs = property.is_about_a_hang();
        let runs = seen.into_iter().filter_map(|seen| match seen.outcome {
            Outcome::Verdict(_, run) => Some(run),
            Outcome::Cancelled | Outcome::NoVerdict(_) => None,
        });
        let run = runs.max_by_key(|run| run.time);
        let run = run.ok_or_else(|| Failure::new(FAILED, "the command was not run"))?;
        self.test = self.test.looking_for(property).or_fail(USAGE)?;
        Ok(Identified {
            run,
            limit: if hangs { limit.of_a_hang() } else { limit },
        })
    }
}

fn slowest(seen: &[Seen]) -> std::time::Duration {
    let time = |seen: &Seen| seen.runs.iter().map(|stage| stage.run.time).sum();
    seen.iter().map(time).max().unwrap_or_default()
}

/// What the stages did that the property is about.
fn of(question: &Question<'_>, seen: &Seen, role: Role) -> Option<StageRun> {
    let at = question
        .test
        .stages()
        .iter()
        .position(|stage| stage.role == role)?;
    seen.runs.get(at).cloned()
}

pub(super) fn property(
    question: &Question<'_>,
    seen: &[Seen],
    wanted: &Wanted,
) -> Result<Property, Unfit> {
    let subject = |seen| of(question, seen, Role::Subject);
    let subjects: Vec<StageRun> = seen.iter().filter_map(subject).collect();
    if !subjects.is_empty() {
        return identify(&subjects, wanted);
    }
    let pair = |seen| of(question, seen, Role::Reference).zip(of(question, seen, Role::Differs));
    let pairs: Vec<_> = seen.iter().filter_map(pair).collect();
    differing(&pairs)
}

impl Question<'_> {
    /// What is wrong after one look; none if there is something to find out. Commands that have no property are boring to nobody.
    fn unfit_at_once(&self, seen: Option<&Seen>, limit: Limit) -> Option<Failure> {
        let seen = seen?;
        let stage = seen.runs.len().checked_sub(1);
        let stage = stage.and_then(|at| self.test.stages().get(at));
        let named = self.input.named.shown();
        match &seen.outcome {
            Outcome::Verdict(Verdict::Interesting, _) => None,
            Outcome::NoVerdict(trouble) => Some(Failure::new(FAILED, self.failed(trouble))),
            Outcome::Verdict(Verdict::TimedOut, run) => {
                let hang = stage.is_some_and(|stage| stage.role == Role::Subject);
                if hang && limit != Limit::adaptive() {
                    return None;
                }
                let mut lines = vec![format!(
                    "the command had not ended after {}, and was killed.",
                    seconds(run.time)
                )];
                lines.extend(self.circumstances());
                lines.extend(printed(run));
                lines.push("What to try:".into());
                lines.push(
                    "  - if that is the failure, say how long is too long: --timeout 5".into(),
                );
                lines.push("  - if it is only slow, give it more time: --timeout 600".into());
                Some(Failure::new(NOTHING_TO_DO, lines.join("\n")))
            }
            Outcome::Verdict(_, run) => {
                if let Some(failure) = self.check_failed(seen) {
                    return Some(failure);
                }
                let line = stage
                    .map(|stage| stage.line.to_string())
                    .unwrap_or_default();
                let what = match stage.map(|stage| stage.role) {
                    Some(Role::Agrees) => {
                        "the guard against undefined behaviour does not find it do the same as the first command"
                    }
                    _ => "a check fails",
                };
                let mut lines = vec![
                    format!("{named} says nothing: {what}."),
                    format!("  at:      {}", tamed(&line)),
                ];
                lines.push(format!("  end:     {}", run.exit));
                lines.extend(printed(run));
                Some(Failure::new(NOTHING_TO_DO, lines.join("\n")))
            }
            Outcome::Cancelled => Some(Failure::new(FAILED, "the command was cancelled")),
        }
    }

    /// Why there is nothing to look for, and what to do.
    pub(super) fn unfit(&self, unfit: &Unfit, seen: &[Seen]) -> Failure {
        let differs = self
            .test
            .stages()
            .iter()
            .any(|stage| stage.role == Role::Differs);
        let named = self.input.named.shown();
        let run = |at: usize| match seen.get(at).map(|seen| &seen.outcome) {
            Some(Outcome::Verdict(_, run)) => Some(run),
            _ => None,
        };
        let ends = |lines: &mut Vec<String>, at: usize| {
            if let Some(run) = run(at) {
                lines.push(format!(
                    "  end:     {} after {}",
                    run.exit,
                    seconds(run.time)
                ));
                lines.extend(printed(run));
            }
        };
        let mut lines = Vec::new();
        match unfit {
            Unfit::NoFailure if differs => {
                lines.push(format!(
                    "the two commands do the same with {named}, so there is nothing to reduce."
                ));
                lines.extend(self.circumstances());
                ends(&mut lines, 0);
                lines.push("What to try: compared are stdout and the exit status; let the program print what differs".into());
            }
            Unfit::NoFailure => {
                lines.push(format!("the command does not fail on {named}: it ends with exit 0, so nobody knows what to look for."));
                lines.extend(self.circumstances());
                ends(&mut lines, 0);
                lines.push("What to try:".into());
                lines.push(
                    "  - if it is something that it prints: --grep 'REGULAR EXPRESSION'".into(),
                );
                lines.push("  - if it should not succeed: --exit 0".into());
                lines.push(
                    "  - if it compiles a wrong program: --differs 'RIGHT COMMAND' 'WRONG COMMAND'"
                        .into(),
                );
            }
            Unfit::Varies(one, other) => {
                lines.push(format!(
                    "it does not always do the same with {named}: two of {} times differ.",
                    seen.len()
                ));
                lines.push(format!("time {}:", one + 1));
                ends(&mut lines, *one);
                lines.push(format!("time {}:", other + 1));
                ends(&mut lines, *other);
                lines.extend(self.circumstances());
                lines.push("What to try: say what of it is always the same: --grep 'REGULAR EXPRESSION', --exit N; or write a test that runs it several times".into());
            }
            Unfit::NotThere(what) => {
                lines.push(format!("{what}."));
                lines.extend(self.circumstances());
                ends(&mut lines, 0);
                lines.push("What to try: run it by hand as above, and say what it does then; without --grep, --exit and --like lop finds that out itself".into());
            }
            Unfit::Property(error) => return Failure::new(USAGE, error),
        }
        Failure::new(NOTHING_TO_DO, lines.join("\n"))
    }
}
