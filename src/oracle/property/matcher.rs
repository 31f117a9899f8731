//! Matches the runs of a test's stages against the property, and decides the verdict.

use std::sync::Arc;

use regex::bytes::{Regex, RegexBuilder};

use super::similarity::{is_similar, normalize_message};
use super::{FailureProperty, PropertyCriterion, PropertyError};
use crate::oracle::{LimitKind, StageRole, TestExit, TestOutput, TestRun, TestStage, Verdict};

/// A stage that has ended.
#[derive(Clone, Debug)]
pub struct StageRun {
    /// Its exit and its output: stdout alone if stdout is compared.
    pub run: TestRun,
    /// Its stderr, if that was captured separately.
    pub errors: TestOutput,
    /// The program that a generator made; none if it is too long.
    pub program: Option<Arc<[u8]>>,
}

impl From<TestRun> for StageRun {
    fn from(run: TestRun) -> StageRun {
        StageRun {
            run,
            errors: TestOutput::default(),
            program: None,
        }
    }
}

/// A property with its compiled criteria.
#[derive(Clone, Debug)]
pub(in super::super) struct PropertyMatcher {
    property: FailureProperty,
    criteria: Vec<CompiledCriterion>,
}

/// A criterion that counts, with its expression compiled and the text shown for it.
#[derive(Clone, Debug)]
enum CompiledCriterion {
    Plain(PropertyCriterion),
    Found(Regex, String),
    NotFound(Regex, String),
}

/// The decision after a stage.
pub(in super::super) enum StageDecision {
    /// The next stage decides. After the last stage: the candidate is interesting.
    Continue,
    /// The verdict, and the reason if there is one to show.
    Decided(Verdict, Option<String>),
    /// The test itself failed.
    Failed,
}

impl PropertyMatcher {
    /// Compiles the criteria. At least one that counts must be positive.
    pub fn new(property: FailureProperty) -> Result<PropertyMatcher, PropertyError> {
        property.check_positive()?;
        PropertyMatcher::from_any(property)
    }

    /// Compiles the criteria of a property that may have no positive one.
    pub(super) fn from_any(property: FailureProperty) -> Result<PropertyMatcher, PropertyError> {
        let compile = |criterion: &PropertyCriterion| {
            Ok(match criterion {
                PropertyCriterion::Line(pattern) | PropertyCriterion::Frame(pattern) => {
                    CompiledCriterion::Found(compile_regex(&pattern.regex)?, pattern.shown.clone())
                }
                PropertyCriterion::Grep(text) => {
                    CompiledCriterion::Found(compile_regex(text)?, format!("/{text}/"))
                }
                PropertyCriterion::NotGrep(text) => {
                    CompiledCriterion::NotFound(compile_regex(text)?, format!("/{text}/"))
                }
                PropertyCriterion::NoLine(pattern) => CompiledCriterion::NotFound(
                    compile_regex(&pattern.regex)?,
                    format!("`{}`", pattern.shown),
                ),
                other => CompiledCriterion::Plain(other.clone()),
            })
        };
        let criteria = property
            .active_criteria()
            .map(compile)
            .collect::<Result<_, _>>()?;
        Ok(PropertyMatcher { property, criteria })
    }

    /// The property that it matches.
    pub fn property(&self) -> &FailureProperty {
        &self.property
    }

    /// Why this criterion does not hold for the last of these runs; `None` if it holds.
    fn unmet_criterion(
        &self,
        criterion: &CompiledCriterion,
        runs: &[StageRun],
        reference: Option<&StageRun>,
    ) -> Option<String> {
        let last = runs.last()?;
        let found = |regex: &Regex| {
            let all = [last.run.output.whole_lines(), last.errors.whole_lines()];
            let mut lines = all
                .iter()
                .flat_map(|text| text.split(|byte| *byte == b'\n'));
            lines.any(|line| regex.is_match(line))
        };
        match criterion {
            CompiledCriterion::Found(regex, _) if found(regex) => None,
            CompiledCriterion::Found(_, what) => Some(format!("no line matches `{what}`")),
            CompiledCriterion::NotFound(regex, what) if found(regex) => {
                Some(format!("a line matches {what}"))
            }
            CompiledCriterion::NotFound(_, what)
                if last.run.output.omitted_bytes() + last.errors.omitted_bytes() > 0 =>
            {
                Some(format!(
                    "the output was too long to keep, and a line that was left out may match {what}"
                ))
            }
            CompiledCriterion::NotFound(..) => None,
            CompiledCriterion::Plain(criterion) => {
                unmet_plain_criterion(criterion, last, reference)
            }
        }
    }

    /// Checks the criteria about the subject: all but the reference's exit.
    fn decide_subject(&self, runs: &[StageRun], reference: Option<&StageRun>) -> StageDecision {
        let is_about = |criterion: &&CompiledCriterion| {
            !matches!(
                criterion,
                CompiledCriterion::Plain(PropertyCriterion::Reference(_))
            )
        };
        let criteria = self.criteria.iter().filter(is_about);
        let unmet = criteria
            .map(|criterion| self.unmet_criterion(criterion, runs, reference))
            .find(Option::is_some);
        match unmet.flatten() {
            None => StageDecision::Continue,
            Some(why) => StageDecision::Decided(Verdict::Uninteresting, Some(why)),
        }
    }

    /// Whether a single run meets all criteria that count.
    pub fn matches_run(&self, run: &StageRun) -> bool {
        matches!(
            self.decide_subject(std::slice::from_ref(run), None),
            StageDecision::Continue
        )
    }

    fn expects_exit(&self, end: TestExit) -> bool {
        let mut criteria = self.property.active_criteria();
        criteria.any(
            |criterion| matches!((criterion, end), (PropertyCriterion::Exit(status), TestExit::Code(code)) if *status == code),
        )
    }
}

/// The decision after the stages that have ended: `runs` has one run for each of them.
pub(in super::super) fn decide_stage(
    stages: &[TestStage],
    judge: Option<&PropertyMatcher>,
    runs: &[StageRun],
) -> StageDecision {
    let Some((stage, last)) = runs
        .len()
        .checked_sub(1)
        .and_then(|at| Some((stages.get(at)?, runs.last()?)))
    else {
        return StageDecision::Failed;
    };
    let end = last.run.exit;
    let of = |role| stages.iter().position(|stage| stage.role == role);
    let reference = of(StageRole::Reference).and_then(|at| runs.get(at));
    let found = |judge: Option<&PropertyMatcher>| match judge {
        Some(judge) => judge.decide_subject(runs, reference),
        None => StageDecision::Continue,
    };
    let expected = || judge.is_some_and(|judge| judge.expects_exit(end));
    match (stage.role, end) {
        (StageRole::Says, end) => match end.verdict() {
            Some(Verdict::Interesting) => StageDecision::Continue,
            Some(verdict) => StageDecision::Decided(verdict, None),
            None => StageDecision::Failed,
        },
        (StageRole::Subject, TestExit::Killed(limit))
            if limit.is_time_limit() && expects_hang(judge) =>
        {
            found(judge)
        }
        (_, TestExit::Killed(_)) => StageDecision::Decided(Verdict::TimedOut, None),
        (_, TestExit::Code(126 | 127)) if is_tool_missing(last) && !expected() => {
            StageDecision::Failed
        }
        (StageRole::Check, TestExit::Code(0)) => StageDecision::Continue,
        (StageRole::Check, end) => {
            let what = match stage.makes {
                Some(_) => "generator",
                None => "check",
            };
            invalid_decision(format!("the {what} ended with {end}"))
        }
        (StageRole::Succeeds, TestExit::Code(0)) => match judge {
            Some(judge) if judge.matches_run(last) => StageDecision::Decided(
                Verdict::Uninteresting,
                Some("the command succeeds, and shows the failure property all the same".into()),
            ),
            _ => StageDecision::Continue,
        },
        (StageRole::Succeeds, end) => StageDecision::Decided(
            Verdict::Uninteresting,
            Some(format!("the command ended with {end}, and must succeed")),
        ),
        (StageRole::Reference, end) => match is_reference_valid(judge, end) {
            true => StageDecision::Continue,
            false => invalid_decision(format!("the reference ended with {end}")),
        },
        (StageRole::Agrees, _) => {
            match reference.is_some_and(|reference| is_same_result(reference, last)) {
                true => StageDecision::Continue,
                false => invalid_decision("its result differs from the reference's".into()),
            }
        }
        (StageRole::Subject | StageRole::Differs, _) => found(judge),
    }
}

fn expects_hang(judge: Option<&PropertyMatcher>) -> bool {
    judge.is_some_and(|judge| judge.property.expects_hang())
}

fn invalid_decision(why: String) -> StageDecision {
    StageDecision::Decided(Verdict::Invalid, Some(why))
}

/// Ends of the line in which a shell, `env` or the loader reports that a program could not be run.
pub const MISSING_TOOL_ENDINGS: &[&str] = &[
    ": not found",
    ": command not found",
    ": required file not found",
    ": No such file or directory",
    ": Permission denied",
    ": Exec format error",
    ": Is a directory",
];

/// Whether 126 or 127 mean that a tool is missing. Any program may exit with them: then the last line of the output differs.
fn is_tool_missing(run: &StageRun) -> bool {
    let output = match run.errors.is_empty() {
        true => run.run.output.to_bytes(),
        false => run.errors.to_bytes(),
    };
    let mut lines = output.split(|byte| *byte == b'\n').rev();
    let last = lines.find(|line| !line.trim_ascii_end().is_empty());
    last.is_some_and(reports_missing_tool)
}

/// Whether a line of output says that a program could not be run.
pub fn reports_missing_tool(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    let mut endings = MISSING_TOOL_ENDINGS.iter();
    endings.any(|end| line.ends_with(end.as_bytes()))
}

/// Whether the reference ended with the expected status.
fn is_reference_valid(judge: Option<&PropertyMatcher>, end: TestExit) -> bool {
    let mut criteria = judge
        .into_iter()
        .flat_map(|judge| judge.property.active_criteria());
    criteria.all(|criterion| match criterion {
        PropertyCriterion::Reference(status) => end == TestExit::Code(*status),
        _ => true,
    })
}

/// Whether two runs have the same exit and output.
pub(super) fn is_same_result(one: &StageRun, other: &StageRun) -> bool {
    one.run.exit == other.run.exit && one.run.output == other.run.output
}

/// Why a criterion without an expression does not hold; `None` if it holds.
fn unmet_plain_criterion(
    criterion: &PropertyCriterion,
    last: &StageRun,
    reference: Option<&StageRun>,
) -> Option<String> {
    let end = last.run.exit;
    let holds = match criterion {
        PropertyCriterion::Exit(status) => end == TestExit::Code(*status),
        PropertyCriterion::Signal(signal) => end == TestExit::Signal(*signal),
        PropertyCriterion::Hang => end.exceeded_limit().is_some_and(LimitKind::is_time_limit),
        PropertyCriterion::Like { text, percent } => is_similar(
            text,
            &normalize_message(&last.run.output.to_text()),
            *percent,
        ),
        PropertyCriterion::Differs => {
            reference.is_some_and(|reference| !is_same_result(reference, last))
        }
        PropertyCriterion::Line(_)
        | PropertyCriterion::Frame(_)
        | PropertyCriterion::NoLine(_)
        | PropertyCriterion::Grep(_)
        | PropertyCriterion::NotGrep(_)
        | PropertyCriterion::Reference(_) => true,
    };
    (!holds).then(|| match criterion {
        PropertyCriterion::Differs => "the two commands do the same".into(),
        PropertyCriterion::Like { .. } => "its message differs too much".into(),
        PropertyCriterion::Hang => format!("it ended with {end}"),
        other => format!("it ends with {end}, not with {other}"),
    })
}

/// Compiles an expression for output that need not be UTF-8: `.` matches any byte, as for `grep` in the C locale. Classes with
/// characters beyond ASCII need Unicode mode.
pub(super) fn compile_regex(text: &str) -> Result<Regex, PropertyError> {
    let build = |unicode| RegexBuilder::new(text).unicode(unicode).build();
    build(false)
        .or_else(|_| build(true))
        .map_err(|error| PropertyError::Expression {
            text: text.to_owned(),
            reason: error
                .to_string()
                .lines()
                .last()
                .map_or("", |last| last.trim_start_matches("error: "))
                .to_owned(),
        })
}
