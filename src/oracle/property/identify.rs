//! What identifies a failure, found by looking at it several times.

use super::matcher::is_same_result;
use super::similarity::normalize_message;
use super::{FailureProperty, PropertyCriterion, PropertyError, PropertyMatcher, StageRun};
use crate::oracle::TestExit;
use crate::oracle::signatures;

/// What the user says of the failure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestedCriteria {
    /// Lines of these expressions.
    pub grep: Vec<String>,
    /// No line of these expressions.
    pub not_grep: Vec<String>,
    /// This exit status.
    pub exit: Option<i32>,
    /// The message may be other for so many percent; where it is given, that decides in place of its lines.
    pub like: Option<u8>,
}

/// How many percent of a message may differ if the user does not say so.
const LIKE: u8 = 25;

/// Why there is nothing to look for.
#[derive(Debug, thiserror::Error)]
pub enum IdentifyError {
    /// It does not fail.
    #[error("it does not fail")]
    NoFailure,
    /// It fails in one way, and then in another: these runs, counted from 0.
    #[error("it fails in different ways")]
    Varies(usize, usize),
    /// What the user wants to see is not there.
    #[error("{0}")]
    NotObserved(String),
    /// What the user wants cannot be looked for.
    #[error(transparent)]
    Property(#[from] PropertyError),
}

impl RequestedCriteria {
    fn has_criteria(&self) -> bool {
        !self.grep.is_empty() || !self.not_grep.is_empty() || self.exit.is_some()
    }
}

/// What all these runs of a command on the original are known by.
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
    let theirs = wanted.has_criteria();
    let fails = first.run.exit != TestExit::Code(0);
    if !fails && !theirs && wanted.like.is_none() {
        return Err(IdentifyError::NoFailure);
    }
    property
        .parts
        .extend(property_of_run(first, wanted, !theirs).parts);
    keep_holding_parts(&mut property, runs, theirs)?;
    PropertyMatcher::new(property.clone())?;
    Ok(property)
}

/// All that one run shows; what of it counts, counts only if the user has not said what does.
fn property_of_run(run: &StageRun, wanted: &RequestedCriteria, counts: bool) -> FailureProperty {
    let mut property = FailureProperty::default();
    let text = String::from_utf8_lossy(&run.run.output.whole_lines()).into_owned();
    let signature = signatures::detect_failure(&text);
    let named = wanted.like.is_none();
    for (criterion, telling) in signature.into_iter().flat_map(|found| found.criteria) {
        property.add_part(counts && named && telling, criterion);
    }
    let known = property.parts.iter().any(|part| part.on);
    let likened = normalize_message(&run.run.output.to_text());
    let hangs = matches!(run.run.exit, TestExit::Killed(_));
    if !likened.is_empty() && !hangs {
        let on = wanted.like.is_some() || counts && !known;
        let percent = wanted.like.unwrap_or(LIKE);
        property.add_part(
            on,
            PropertyCriterion::Like {
                text: likened,
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
        // Without it a candidate that does not end would say nothing, and so would the original.
        TestExit::Killed(limit) if limit.is_time_limit() => {
            property.add_part(true, PropertyCriterion::Hang)
        }
        TestExit::Killed(_) => {}
    }
    property
}

/// Parts that do not hold in all runs do not count; what the user wants, the message and the end must hold in all.
fn keep_holding_parts(
    property: &mut FailureProperty,
    runs: &[StageRun],
    theirs: bool,
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
            Some(at) if part.on && theirs => {
                let what = &part.criterion;
                let times = if at == 0 { "" } else { " every time" };
                return Err(IdentifyError::NotObserved(format!(
                    "what it does on the original is not {what}{times}"
                )));
            }
            Some(at) if part.on && !matches!(part.criterion, PropertyCriterion::Frame(_)) => {
                return Err(IdentifyError::Varies(0, at));
            }
            // What varies by itself identifies nothing.
            Some(_) => {}
        }
    }
    property.parts = kept;
    Ok(())
}

fn holds_in_run(alone: &FailureProperty, run: &StageRun) -> Result<bool, PropertyError> {
    Ok(PropertyMatcher::from_any(alone.clone())?.matches_run(run))
}

/// What all these pairs of runs on the original are known by: first the reference, then the command that differs from it.
///
/// # Errors
/// When they do not differ, the reference does not work, or either does not always do the same.
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
            "the first command should work, but ended with {}",
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
                "the second command does not end; a hang is looked for with -- COMMAND".into(),
            ));
        }
    }
    Ok(property)
}
