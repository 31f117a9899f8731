//! Identifies a failure by what several runs on the original have in common.

use super::matcher::is_same_result;
use super::similarity::normalize_message;
use super::{FailureProperty, PropertyCriterion, PropertyError, PropertyMatcher, StageRun};
use crate::oracle::TestExit;
use crate::oracle::signatures;

/// The criteria that the user gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestedCriteria {
    /// Each expression must match a line.
    pub grep: Vec<String>,
    /// No line may match these expressions.
    pub not_grep: Vec<String>,
    /// The exit status.
    pub exit: Option<i32>,
    /// At most this percentage of the message may differ. If it is given, similarity counts instead of single lines.
    pub like: Option<u8>,
}

/// The percentage of a message that may differ unless the user gives one.
const DEFAULT_PERCENT: u8 = 25;

/// Why no property identifies the failure.
#[derive(Debug, thiserror::Error)]
pub enum IdentifyError {
    /// The command does not fail.
    #[error("it does not fail")]
    NoFailure,
    /// It fails in different ways. These two runs differ, counted from 0.
    #[error("it fails in different ways")]
    Varies(usize, usize),
    /// A criterion that the user gives does not hold.
    #[error("{0}")]
    NotObserved(String),
    /// A criterion that the user gives is invalid.
    #[error(transparent)]
    Property(#[from] PropertyError),
}

impl RequestedCriteria {
    fn has_criteria(&self) -> bool {
        !self.grep.is_empty() || !self.not_grep.is_empty() || self.exit.is_some()
    }
}

/// The property that all these runs of a command on the original have in common.
///
/// # Errors
/// When it does not fail, or not always in the same way.
pub fn identify_failure(
    runs: &[StageRun],
    wanted: &RequestedCriteria,
) -> Result<FailureProperty, IdentifyError> {
    let first = runs.first().ok_or(IdentifyError::NoFailure)?;
    let mut property = FailureProperty::default();
    wanted
        .grep
        .iter()
        .for_each(|text| property.add_part(true, PropertyCriterion::Grep(text.clone())));
    wanted
        .not_grep
        .iter()
        .for_each(|text| property.add_part(true, PropertyCriterion::NotGrep(text.clone())));
    if let Some(status) = wanted.exit {
        property.add_part(true, PropertyCriterion::Exit(status));
    }
    let from_user = wanted.has_criteria();
    let fails = first.run.exit != TestExit::Code(0);
    if !fails && !from_user && wanted.like.is_none() {
        return Err(IdentifyError::NoFailure);
    }
    property
        .parts
        .extend(property_of_run(first, wanted, !from_user).parts);
    keep_holding_parts(&mut property, runs, from_user)?;
    PropertyMatcher::new(property.clone())?;
    Ok(property)
}

/// All parts that one run shows. `counts` is false if the user gave criteria: then the others are listed, but off.
fn property_of_run(run: &StageRun, wanted: &RequestedCriteria, counts: bool) -> FailureProperty {
    let mut property = FailureProperty::default();
    let text = String::from_utf8_lossy(&run.run.output.whole_lines()).into_owned();
    let signature = signatures::detect_failure(&text);
    let named = wanted.like.is_none();
    for (criterion, telling) in signature.into_iter().flat_map(|found| found.criteria) {
        property.add_part(counts && named && telling, criterion);
    }
    let known = property.parts.iter().any(|part| part.on);
    let message = normalize_message(&run.run.output.to_text());
    let hangs = matches!(run.run.exit, TestExit::Killed(_));
    if !message.is_empty() && !hangs {
        let on = wanted.like.is_some() || counts && !known;
        let percent = wanted.like.unwrap_or(DEFAULT_PERCENT);
        property.add_part(
            on,
            PropertyCriterion::Like {
                text: message,
                percent,
            },
        );
    }
    match run.run.exit {
        TestExit::Code(status) if wanted.exit.is_none() => {
            property.add_part(counts, PropertyCriterion::Exit(status))
        }
        TestExit::Code(_) => {}
        TestExit::Signal(signal) => property.add_part(counts, PropertyCriterion::Signal(signal)),
        // Without this criterion a timeout would decide nothing, on the original as on a candidate.
        TestExit::Killed(limit) if limit.is_time_limit() => {
            property.add_part(true, PropertyCriterion::Hang)
        }
        TestExit::Killed(_) => {}
    }
    property
}

/// Drops parts that do not hold in all runs. The user's criteria, the message and the exit must hold in all of them.
fn keep_holding_parts(
    property: &mut FailureProperty,
    runs: &[StageRun],
    from_user: bool,
) -> Result<(), IdentifyError> {
    let mut kept = Vec::new();
    for part in std::mem::take(&mut property.parts) {
        let alone = FailureProperty {
            parts: vec![super::PropertyPart {
                on: true,
                criterion: part.criterion.clone(),
            }],
        };
        let holds = |run: &StageRun| holds_in_run(&alone, run);
        let fails = runs.iter().map(holds).collect::<Result<Vec<bool>, _>>()?;
        match fails.iter().position(|holds| !holds) {
            None => kept.push(part),
            Some(at) if part.on && from_user => {
                let what = &part.criterion;
                let times = if at == 0 { "" } else { " every time" };
                return Err(IdentifyError::NotObserved(format!(
                    "on the original, {what} does not hold{times}"
                )));
            }
            Some(at) if part.on && !may_vary(&part.criterion) => {
                return Err(IdentifyError::Varies(0, at));
            }
            // A part that varies between runs identifies nothing.
            Some(_) => {}
        }
    }
    property.parts = kept;
    Ok(())
}

/// Whether the criterion may fail to hold in some runs of the same failure: the stack of a crash varies, and so does what is printed before it.
fn may_vary(criterion: &PropertyCriterion) -> bool {
    matches!(
        criterion,
        PropertyCriterion::Frame(_) | PropertyCriterion::NoLine(_)
    )
}

fn holds_in_run(alone: &FailureProperty, run: &StageRun) -> Result<bool, PropertyError> {
    Ok(PropertyMatcher::from_any(alone.clone())?.matches_run(run))
}

/// The property that all these pairs of runs on the original have in common: the reference, and the command that differs from it.
///
/// # Errors
/// When the two do not differ, the reference fails, or one of them is not deterministic.
pub fn identify_difference(
    pairs: &[(StageRun, StageRun)],
) -> Result<FailureProperty, IdentifyError> {
    let (reference, other) = pairs.first().ok_or(IdentifyError::NoFailure)?;
    let varies = pairs
        .iter()
        .position(|(one, two)| !is_same_result(one, reference) || !is_same_result(two, other));
    if let Some(at) = varies {
        return Err(IdentifyError::Varies(0, at));
    }
    if is_same_result(reference, other) {
        return Err(IdentifyError::NoFailure);
    }
    let TestExit::Code(status) = reference.run.exit else {
        return Err(IdentifyError::NotObserved(format!(
            "the first command should succeed, but ended with {}",
            reference.run.exit
        )));
    };
    let mut property = FailureProperty::default();
    property.add_part(true, PropertyCriterion::Differs);
    property.add_part(true, PropertyCriterion::Reference(status));
    match other.run.exit {
        TestExit::Code(status) => property.add_part(true, PropertyCriterion::Exit(status)),
        TestExit::Signal(signal) => property.add_part(true, PropertyCriterion::Signal(signal)),
        TestExit::Killed(_) => {
            return Err(IdentifyError::NotObserved(
                "the second command does not end; to reduce a hang, use -- COMMAND".into(),
            ));
        }
    }
    Ok(property)
}
