//! What the ends of stages say together.

use regex::bytes::{Regex, RegexBuilder};

use super::similarity::{is_similar, normalize_message};
use super::{FailureProperty, PropertyCriterion, PropertyError};
use crate::oracle::{LimitKind, StageRole, TestExit, TestOutput, TestRun, TestStage, Verdict};

/// A stage that has ended.
#[derive(Clone, Debug)]
pub struct StageRun {
    /// How it ended, and what it printed: stdout alone if that is compared.
    pub run: TestRun,
    /// What it printed to stderr, if that was kept apart.
    pub errors: TestOutput,
}

/// A property with all that is needed to look for it.
#[derive(Clone, Debug)]
pub(in super::super) struct PropertyMatcher {
    property: FailureProperty,
    criteria: Vec<CompiledCriterion>,
}

/// A criterion that counts, ready.
#[derive(Clone, Debug)]
enum CompiledCriterion {
    Plain(PropertyCriterion),
    Found(Regex, String),
    NotFound(Regex, String),
}

/// What is known after a stage.
pub(in super::super) enum StageDecision {
    /// Nothing against it: the next stage decides, or if there is none it is interesting.
    Continue,
    /// This, for this reason if it is worth telling.
    Decided(Verdict, Option<String>),
    /// The test itself failed.
    Failed,
}

impl PropertyMatcher {
    /// Makes the property ready.
    pub fn new(property: FailureProperty) -> Result<PropertyMatcher, PropertyError> {
        let positive = |criterion: &PropertyCriterion| {
            !matches!(
                criterion,
                PropertyCriterion::NotGrep(_) | PropertyCriterion::Reference(_)
            )
        };
        if !property.active_criteria().any(positive) {
            return Err(PropertyError::Nothing);
        }
        PropertyMatcher::from_any(property)
    }

    /// The same with a property that may be about nothing but what is not there.
    pub(super) fn from_any(property: FailureProperty) -> Result<PropertyMatcher, PropertyError> {
        let ready = |criterion: &PropertyCriterion| {
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
                other => CompiledCriterion::Plain(other.clone()),
            })
        };
        let criteria = property
            .active_criteria()
            .map(ready)
            .collect::<Result<_, _>>()?;
        Ok(PropertyMatcher { property, criteria })
    }

    /// What it looks for.
    pub fn property(&self) -> &FailureProperty {
        &self.property
    }

    /// What this part of a property expects of the last of these runs, if it is about that; none if it holds.
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
            CompiledCriterion::Found(_, what) => Some(format!("no line of it is `{what}`")),
            CompiledCriterion::NotFound(regex, what) if found(regex) => {
                Some(format!("a line of it is {what}"))
            }
            CompiledCriterion::NotFound(_, what)
                if last.run.output.omitted_bytes() + last.errors.omitted_bytes() > 0 =>
            {
                Some(format!(
                    "so much is printed that nobody knows whether a line of it is {what}"
                ))
            }
            CompiledCriterion::NotFound(..) => None,
            CompiledCriterion::Plain(criterion) => {
                unmet_plain_criterion(criterion, last, reference)
            }
        }
    }

    /// The criteria about the stage that looks for something.
    fn decide_subject(&self, runs: &[StageRun], reference: Option<&StageRun>) -> StageDecision {
        let is_about = |criterion: &&CompiledCriterion| {
            !matches!(
                criterion,
                CompiledCriterion::Plain(PropertyCriterion::Reference(_))
            )
        };
        let criteria = self.criteria.iter().filter(is_about);
        let missed = criteria
            .map(|criterion| self.unmet_criterion(criterion, runs, reference))
            .find(Option::is_some);
        match missed.flatten() {
            None => StageDecision::Continue,
            Some(why) => StageDecision::Decided(Verdict::Uninteresting, Some(why)),
        }
    }

    /// Whether a single run has all that counts.
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

/// What is known when these stages have ended, of which the last is the last of `runs`.
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
        (StageRole::Check, end) => invalid_decision(format!("the check ended with {end}")),
        (StageRole::Reference, end) => match is_reference_valid(judge, end) {
            true => StageDecision::Continue,
            false => invalid_decision(format!("the reference ended with {end}")),
        },
        (StageRole::Agrees, _) => {
            match reference.is_some_and(|reference| is_same_result(reference, last)) {
                true => StageDecision::Continue,
                false => invalid_decision("it does not do what the reference does".into()),
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

/// How the last line ends in which a shell, `env` or the loader says that it could not run what it should.
pub const MISSING: &[&str] = &[
    ": not found",
    ": command not found",
    ": required file not found",
    ": No such file or directory",
    ": Permission denied",
    ": Exec format error",
    ": Is a directory",
];

/// Whether 126 or 127 mean that a tool is missing. A program that is run may end with them too, but then nobody says so.
fn is_tool_missing(run: &StageRun) -> bool {
    let said = match run.errors.is_empty() {
        true => run.run.output.to_bytes(),
        false => run.errors.to_bytes(),
    };
    let lines = said.split(|byte| *byte == b'\n').rev();
    let mut lines = lines.map(<[u8]>::trim_ascii_end);
    let last = lines.find(|line| !line.is_empty());
    last.is_some_and(|last| MISSING.iter().any(|end| last.ends_with(end.as_bytes())))
}

/// Whether the reference ended as it should.
fn is_reference_valid(judge: Option<&PropertyMatcher>, end: TestExit) -> bool {
    let mut criteria = judge
        .into_iter()
        .flat_map(|judge| judge.property.active_criteria());
    criteria.all(|criterion| match criterion {
        PropertyCriterion::Reference(status) => end == TestExit::Code(*status),
        _ => true,
    })
}

/// Whether two commands do the same.
pub(super) fn is_same_result(one: &StageRun, other: &StageRun) -> bool {
    one.run.exit == other.run.exit && one.run.output == other.run.output
}

/// What a criterion that needs no expression misses.
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
        | PropertyCriterion::Grep(_)
        | PropertyCriterion::NotGrep(_)
        | PropertyCriterion::Reference(_) => true,
    };
    (!holds).then(|| match criterion {
        PropertyCriterion::Differs => "the two do the same".into(),
        PropertyCriterion::Like { .. } => "what it prints is another message".into(),
        PropertyCriterion::Hang => format!("it ends, with {end}"),
        other => format!("it ends with {end}, not with {other}"),
    })
}

/// Ready to look for in bytes, of which not all are text: `.` is any byte, as for `grep` in the C locale. Classes of characters that
/// are not ASCII need Unicode.
fn compile_regex(text: &str) -> Result<Regex, PropertyError> {
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
