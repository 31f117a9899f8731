//! Identifies the failure of a command by running it on the original several times.

use super::super::prepared_run::PreparedRun;
use super::explanation::output_excerpt;
use super::preflight::{PreflightError, PreflightTester};
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::display::{EscapeHidden, sanitize_line};
use crate::oracle::{
    DetailedOutcome, FailureProperty, IdentifyError, InterestingnessTest, LimitPolicy,
    RequestedCriteria, StageRole, StageRun, StageView, TestOutcome, TestRun, TestStage, Verdict,
    identify_difference, identify_failure,
};
use crate::plain::format_duration;
use crate::session::RunInput;

/// How often the original is run.
const RUNS: usize = 3;
/// After a run that took longer, one more is enough.
const SLOW: std::time::Duration = std::time::Duration::from_secs(10);

/// The measurements of an identified failure.
pub struct IdentifyOutcome {
    /// The slowest of the runs.
    pub run: TestRun,
    /// The limit from here on.
    pub limit: LimitPolicy,
}

impl PreparedRun {
    /// Finds the failure of the commands on the original, and makes it the property of the test.
    pub fn identify_property(
        &mut self,
        wanted: &RequestedCriteria,
        limit: LimitPolicy,
    ) -> Result<IdentifyOutcome, CommandFailure> {
        let is_guard = |stage: &TestStage| stage.role == StageRole::Agrees;
        if self.test.stages().iter().any(is_guard) {
            self.ensure_commands_differ(limit)?;
        }
        let mut seen: Vec<DetailedOutcome> = Vec::new();
        while needs_another_run(&seen) {
            seen.push(self.observe_run(limit)?);
        }
        let property = self.find_property(&seen, wanted);
        let tester = self.preflight_tester();
        let property = property.map_err(|unfit| tester.explain_unfit(&unfit, &seen))?;
        let hangs = property.expects_hang();
        let runs = seen.into_iter().filter_map(|seen| match seen.outcome {
            TestOutcome::Verdict(_, run) => Some(run),
            TestOutcome::Cancelled | TestOutcome::NoVerdict(_) => None,
        });
        let run = runs.max_by_key(|run| run.time);
        let run = run.ok_or_else(|| CommandFailure::new(FAILED, "the command was not run"))?;
        self.test = self.test.with_property(property).or_fail(USAGE)?;
        if matches!(self.input, RunInput::Pair(_)) {
            // Nothing has compared the seed with the property yet.
            let limits = if hangs { limit.for_hang() } else { limit }.current_limits();
            self.test_original(limits, None)?;
        }
        Ok(IdentifyOutcome {
            run,
            limit: if hangs { limit.for_hang() } else { limit },
        })
    }

    /// One run of the commands on the original.
    pub fn observe_run(&mut self, limit: LimitPolicy) -> Result<DetailedOutcome, CommandFailure> {
        let limits = limit.for_hang().current_limits();
        let seen = self.retry_without_limits(|tester| tester.observe_original(limits))?;
        match self.preflight_tester().first_run_failure(&seen, limit) {
            Some(failure) => Err(failure),
            None => Ok(seen),
        }
    }

    /// What all these runs on the original have in common.
    pub fn find_property(
        &self,
        seen: &[DetailedOutcome],
        wanted: &RequestedCriteria,
    ) -> Result<FailureProperty, IdentifyError> {
        find_property(&self.preflight_tester(), seen, wanted)
    }

    /// Fails if the two commands do the same without the guard: then the guard is not the reason.
    fn ensure_commands_differ(&self, limit: LimitPolicy) -> Result<(), CommandFailure> {
        let stages = self.test.stages().iter();
        let pair = stages.filter(|stage| {
            let is_of_pair = matches!(stage.role, StageRole::Reference | StageRole::Differs);
            is_of_pair && stage.sees != StageView::Seed
        });
        let test = InterestingnessTest::without_property(pair.cloned().collect());
        let tester = PreflightTester {
            test: &test,
            ..self.preflight_tester()
        };
        let seen = match tester.observe_original(limit.current_limits()) {
            Ok(seen) => [seen],
            Err(PreflightError::Failure(failure)) => return Err(failure),
            // A later run removes the limit.
            Err(PreflightError::LimitExceeded(_)) => return Ok(()),
        };
        match find_property(&tester, &seen, &RequestedCriteria::default()) {
            Err(unfit @ IdentifyError::NoFailure) => Err(tester.explain_unfit(&unfit, &seen)),
            _ => Ok(()),
        }
    }
}

/// Whether the original is run once more after these runs.
pub fn needs_another_run(seen: &[DetailedOutcome]) -> bool {
    seen.len() < RUNS && !(seen.len() > 1 && longest_time(seen) > SLOW)
}

fn longest_time(seen: &[DetailedOutcome]) -> std::time::Duration {
    let time = |seen: &DetailedOutcome| seen.runs.iter().map(|stage| stage.run.time).sum();
    seen.iter().map(time).max().unwrap_or_default()
}

/// The run of the stage with this role; of a pair, on the variant.
fn run_of_role(
    tester: &PreflightTester<'_>,
    seen: &DetailedOutcome,
    role: StageRole,
) -> Option<StageRun> {
    let at = tester
        .test
        .stages()
        .iter()
        .position(|stage| stage.role == role && stage.sees != StageView::Seed)?;
    seen.runs.get(at).cloned()
}

fn find_property(
    tester: &PreflightTester<'_>,
    seen: &[DetailedOutcome],
    wanted: &RequestedCriteria,
) -> Result<FailureProperty, IdentifyError> {
    let subject = |seen| run_of_role(tester, seen, StageRole::Subject);
    let subjects: Vec<StageRun> = seen.iter().filter_map(subject).collect();
    if !subjects.is_empty() {
        return identify_failure(&subjects, wanted);
    }
    let pair = |seen| {
        run_of_role(tester, seen, StageRole::Reference).zip(run_of_role(
            tester,
            seen,
            StageRole::Differs,
        ))
    };
    let pairs: Vec<_> = seen.iter().filter_map(pair).collect();
    identify_difference(&pairs)
}

impl PreflightTester<'_> {
    /// The failure after one run that makes further runs useless; none otherwise. Without a property no run is uninteresting.
    fn first_run_failure(
        &self,
        seen: &DetailedOutcome,
        limit: LimitPolicy,
    ) -> Option<CommandFailure> {
        let stage = seen.runs.len().checked_sub(1);
        let stage = stage.and_then(|at| self.test.stages().get(at));
        let named = self.input;
        match &seen.outcome {
            TestOutcome::Verdict(Verdict::Interesting, _) => None,
            TestOutcome::NoVerdict(trouble) => Some(CommandFailure::new(
                FAILED,
                self.explain_no_verdict(trouble),
            )),
            TestOutcome::Verdict(Verdict::TimedOut, run) => {
                let hang = stage.is_some_and(|stage| stage.role == StageRole::Subject);
                if hang && limit != LimitPolicy::adaptive() {
                    return None;
                }
                let mut lines = vec![format!(
                    "the command had not ended after {}, and was killed.",
                    format_duration(run.time)
                )];
                lines.extend(self.describe_circumstances());
                lines.extend(output_excerpt(run));
                lines.push("What to try:".into());
                lines.push(
                    "  - if that is the failure, say how long is too long: --timeout 5".into(),
                );
                lines.push("  - if it is only slow, give it more time: --timeout 600".into());
                Some(CommandFailure::new(NOTHING_TO_DO, lines.join("\n")))
            }
            TestOutcome::Verdict(_, run) => {
                if let Some(failure) = self.check_failure(seen) {
                    return Some(failure);
                }
                let line = stage
                    .map(|stage| stage.line.to_string())
                    .unwrap_or_default();
                let is_of_seed = stage.is_some_and(|stage| stage.sees == StageView::Seed);
                let what = match stage.map(|stage| stage.role) {
                    Some(StageRole::Succeeds) => {
                        "the command must succeed on the seed; where success has another status than 0, use two scripts"
                    }
                    Some(StageRole::Agrees) if is_of_seed => {
                        "with the seed it does not do the same as the first command"
                    }
                    Some(StageRole::Agrees) => {
                        "under the guard against undefined behaviour it does not do the same as with the first command"
                    }
                    _ => "a check fails",
                };
                let mut lines = vec![
                    match is_of_seed {
                        true => format!("{named} is no pair: {what}."),
                        false => format!("{named} is invalid: {what}."),
                    },
                    format!("  at:      {}", sanitize_line(&line)),
                ];
                lines.push(format!("  end:     {}", run.exit));
                lines.extend(output_excerpt(run));
                Some(CommandFailure::new(NOTHING_TO_DO, lines.join("\n")))
            }
            TestOutcome::Cancelled => {
                Some(CommandFailure::new(FAILED, "the command was cancelled"))
            }
        }
    }

    /// Why no property was found, and what to do.
    pub fn explain_unfit(&self, unfit: &IdentifyError, seen: &[DetailedOutcome]) -> CommandFailure {
        let differs = self
            .test
            .stages()
            .iter()
            .any(|stage| stage.role == StageRole::Differs);
        // Of a pair, it is the variant that fails.
        let named = self.input.main_file().named.escape_hidden();
        let run = |at: usize| match seen.get(at).map(|seen| &seen.outcome) {
            Some(TestOutcome::Verdict(_, run)) => Some(run),
            _ => None,
        };
        let ends = |lines: &mut Vec<String>, at: usize| {
            if let Some(run) = run(at) {
                lines.push(format!(
                    "  end:     {} after {}",
                    run.exit,
                    format_duration(run.time)
                ));
                lines.extend(output_excerpt(run));
            }
        };
        let mut lines = Vec::new();
        match unfit {
            IdentifyError::NoFailure if differs => {
                lines.push(format!(
                    "the two commands do the same with {named}, so there is nothing to reduce."
                ));
                lines.extend(self.describe_circumstances());
                ends(&mut lines, 0);
                lines.push("What to try: stdout and the exit status are compared; let the program print what differs".into());
            }
            IdentifyError::NoFailure => {
                lines.push(format!("the command does not fail on {named}: it ends with exit 0, so lop does not know what to look for."));
                lines.extend(self.describe_circumstances());
                ends(&mut lines, 0);
                lines.push("What to try:".into());
                lines.push(
                    "  - if the failure is something that it prints: --grep 'REGULAR EXPRESSION'"
                        .into(),
                );
                lines.push("  - if it should not succeed: --exit 0".into());
                lines.push(
                    "  - if it compiles a wrong program: --differs 'RIGHT COMMAND' 'WRONG COMMAND'"
                        .into(),
                );
            }
            IdentifyError::Varies(one, other) => {
                lines.push(format!(
                    "it does not always do the same with {named}: two of {} runs differ.",
                    seen.len()
                ));
                lines.push(format!("run {}:", one + 1));
                ends(&mut lines, *one);
                lines.push(format!("run {}:", other + 1));
                ends(&mut lines, *other);
                lines.extend(self.describe_circumstances());
                lines.push("What to try: say what is always the same: --grep 'REGULAR EXPRESSION', --exit N; or write a test that runs it several times".into());
            }
            IdentifyError::NotObserved(what) => {
                lines.push(format!("{what}."));
                lines.extend(self.describe_circumstances());
                ends(&mut lines, 0);
                lines.push("What to try: run it by hand as above, and look what it does; without --grep, --exit and --like lop finds out the failure itself".into());
            }
            IdentifyError::Property(error) => return CommandFailure::new(USAGE, error),
        }
        CommandFailure::new(NOTHING_TO_DO, lines.join("\n"))
    }
}
