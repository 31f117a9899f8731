//! What identifies a failure, found by looking at it several times.

use super::judge::same;
use super::likeness::likened;
use super::{Clue, Judge, Property, PropertyError, StageRun};
use crate::oracle::Exit;
use crate::oracle::signatures;

/// What the user says of the failure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
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
pub enum Unfit {
    /// It does not fail.
    #[error("it does not fail")]
    NoFailure,
    /// It fails in one way, and then in another: these runs, counted from 0.
    #[error("it fails in different ways")]
    Varies(usize, usize),
    /// What the user wants to see is not there.
    #[error("{0}")]
    NotThere(String),
    /// What the user wants cannot be looked for.
    #[error(transparent)]
    Property(#[from] PropertyError),
}

impl Wanted {
    fn says_something(&self) -> bool {
        !self.grep.is_empty() || !self.not_grep.is_empty() || self.exit.is_some()
    }
}

/// What all these runs of a command on the original are known by.
///
/// # Errors
/// When it does not fail, or not always in the same way.
pub fn identify(runs: &[StageRun], wanted: &Wanted) -> Result<Property, Unfit> {
    let first = runs.first().ok_or(Unfit::NoFailure)?;
    let mut property = Property::default();
    wanted
        .grep
        .iter()
        .for_each(|text| property.add(true, Clue::Grep(text.clone())));
    wanted
        .not_grep
        .iter()
        .for_each(|text| property.add(true, Clue::NotGrep(text.clone())));
    if let Some(status) = wanted.exit {
        property.add(true, Clue::Exit(status));
    }
    let theirs = wanted.says_something();
    let fails = first.run.exit != Exit::Code(0);
    if !fails && !theirs && wanted.like.is_none() {
        return Err(Unfit::NoFailure);
    }
    property.parts.extend(seen(first, wanted, !theirs).parts);
    keep_what_holds(&mut property, runs, theirs)?;
    Judge::new(property.clone())?;
    Ok(property)
}

/// All that one run shows; what of it counts, counts only if the user has not said what does.
fn seen(run: &StageRun, wanted: &Wanted, counts: bool) -> Property {
    let mut property = Property::default();
    let text = String::from_utf8_lossy(&run.run.output.whole_lines()).into_owned();
    let signature = signatures::find(&text);
    let named = wanted.like.is_none();
    for (clue, telling) in signature.into_iter().flat_map(|found| found.clues) {
        property.add(counts && named && telling, clue);
    }
    let known = property.parts.iter().any(|part| part.on);
    let likened = likened(&run.run.output.text());
    let hangs = matches!(run.run.exit, Exit::Killed(_));
    if !likened.is_empty() && !hangs {
        let on = wanted.like.is_some() || counts && !known;
        let percent = wanted.like.unwrap_or(LIKE);
        property.add(
            on,
            Clue::Like {
                text: likened,
                percent,
            },
        );
    }
    match run.run.exit {
        Exit::Code(status) if wanted.exit.is_none() => property.add(counts, Clue::Exit(status)),
        Exit::Code(_) => {}
        Exit::Signal(signal) => property.add(counts, Clue::Signal(signal)),
        // Without it a candidate that does not end would say nothing, and so would the original.
        Exit::Killed(bound) if bound.is_time() => property.add(true, Clue::Hang),
        Exit::Killed(_) => {}
    }
    property
}

/// Parts that do not hold in all runs do not count; what the user wants, the message and the end must hold in all.
fn keep_what_holds(property: &mut Property, runs: &[StageRun], theirs: bool) -> Result<(), Unfit> {
    let mut kept = Vec::new();
    for part in std::mem::take(&mut property.parts) {
        let alone = Property {
            parts: vec![super::Part {
                on: true,
                clue: part.clue.clone(),
            }],
        };
        let holds = |run: &StageRun| holds(&alone, run);
        let fails = runs.iter().map(holds).collect::<Result<Vec<bool>, _>>()?;
        match fails.iter().position(|holds| !holds) {
            None => kept.push(part),
            Some(at) if part.on && theirs => {
                let what = &part.clue;
                let times = if at == 0 { "" } else { " every time" };
                return Err(Unfit::NotThere(format!(
                    "what it does on the original is not {what}{times}"
                )));
            }
            Some(at) if part.on && !matches!(part.clue, Clue::Frame(_)) => {
                return Err(Unfit::Varies(0, at));
            }
            // What varies by itself identifies nothing.
            Some(_) => {}
        }
    }
    property.parts = kept;
    Ok(())
}

fn holds(alone: &Property, run: &StageRun) -> Result<bool, PropertyError> {
    Ok(Judge::of_any(alone.clone())?.finds(run))
}

/// What all these pairs of runs on the original are known by: first the reference, then the command that differs from it.
///
/// # Errors
/// When they do not differ, the reference does not work, or either does not always do the same.
pub fn differing(pairs: &[(StageRun, StageRun)]) -> Result<Property, Unfit> {
    let (reference, other) = pairs.first().ok_or(Unfit::NoFailure)?;
    let varies = pairs
        .iter()
        .position(|(one, two)| !same(one, reference) || !same(two, other));
    if let Some(at) = varies {
        return Err(Unfit::Varies(0, at));
    }
    if same(reference, other) {
        return Err(Unfit::NoFailure);
    }
    let Exit::Code(status) = reference.run.exit else {
        return Err(Unfit::NotThere(format!(
            "the first command should work, but ended with {}",
            reference.run.exit
        )));
    };
    let mut property = Property::default();
    property.add(true, Clue::Differs);
    property.add(true, Clue::Reference(status));
    match other.run.exit {
        Exit::Code(status) => property.add(true, Clue::Exit(status)),
        Exit::Signal(signal) => property.add(true, Clue::Signal(signal)),
        Exit::Killed(_) => {
            return Err(Unfit::NotThere(
                "the second command does not end; a hang is looked for with -- COMMAND".into(),
            ));
        }
    }
    Ok(property)
}
