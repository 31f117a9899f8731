//! What the ends of stages say together.

use regex::bytes::{Regex, RegexBuilder};

use super::likeness::{is_like, likened};
use super::{Clue, Property, PropertyError};
use crate::oracle::{Bound, Exit, Output, Role, Run, Stage, Verdict};

/// A stage that has ended.
#[derive(Clone, Debug)]
pub struct StageRun {
    /// How it ended, and what it printed: stdout alone if that is compared.
    pub run: Run,
    /// What it printed to stderr, if that was kept apart.
    pub errors: Output,
}

/// A property with all that is needed to look for it.
#[derive(Clone, Debug)]
pub(in super::super) struct Judge {
    property: Property,
    clues: Vec<Known>,
}

/// A clue that counts, ready.
#[derive(Clone, Debug)]
enum Known {
    Plain(Clue),
    Found(Regex, String),
    NotFound(Regex, String),
}

/// What is known after a stage.
pub(in super::super) enum Ruling {
    /// Nothing against it: the next stage decides, or if there is none it is interesting.
    GoOn,
    /// This, for this reason if it is worth telling.
    Is(Verdict, Option<String>),
    /// The test itself failed.
    Failed,
}

impl Judge {
    /// Makes the property ready.
    pub fn new(property: Property) -> Result<Judge, PropertyError> {
        let positive = |clue: &Clue| !matches!(clue, Clue::NotGrep(_) | Clue::Reference(_));
        if !property.clues().any(positive) {
            return Err(PropertyError::Nothing);
        }
        Judge::of_any(property)
    }

    /// The same with a property that may be about nothing but what is not there.
    pub(super) fn of_any(property: Property) -> Result<Judge, PropertyError> {
        let ready = |clue: &Clue| {
            Ok(match clue {
                Clue::Line(pattern) | Clue::Frame(pattern) => {
                    Known::Found(expression(&pattern.regex)?, pattern.shown.clone())
                }
                Clue::Grep(text) => Known::Found(expression(text)?, format!("/{text}/")),
                Clue::NotGrep(text) => Known::NotFound(expression(text)?, format!("/{text}/")),
                other => Known::Plain(other.clone()),
            })
        };
        let clues = property.clues().map(ready).collect::<Result<_, _>>()?;
        Ok(Judge { property, clues })
    }

    /// What it looks for.
    pub fn property(&self) -> &Property {
        &self.property
    }

    /// What this part of a property expects of the last of these runs, if it is about that; none if it holds.
    fn misses(
        &self,
        clue: &Known,
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
        match clue {
            Known::Found(regex, _) if found(regex) => None,
            Known::Found(_, what) => Some(format!("no line of it is `{what}`")),
            Known::NotFound(regex, what) if found(regex) => Some(format!("a line of it is {what}")),
            Known::NotFound(_, what) if last.run.output.cut() + last.errors.cut() > 0 => Some(
                format!("so much is printed that nobody knows whether a line of it is {what}"),
            ),
            Known::NotFound(..) => None,
            Known::Plain(clue) => misses(clue, last, reference),
        }
    }

    /// The clues about the stage that looks for something.
    fn about_subject(&self, runs: &[StageRun], reference: Option<&StageRun>) -> Ruling {
        let is_about = |clue: &&Known| !matches!(clue, Known::Plain(Clue::Reference(_)));
        let clues = self.clues.iter().filter(is_about);
        let missed = clues
            .map(|clue| self.misses(clue, runs, reference))
            .find(Option::is_some);
        match missed.flatten() {
            None => Ruling::GoOn,
            Some(why) => Ruling::Is(Verdict::Boring, Some(why)),
        }
    }

    /// Whether a single run has all that counts.
    pub fn finds(&self, run: &StageRun) -> bool {
        matches!(
            self.about_subject(std::slice::from_ref(run), None),
            Ruling::GoOn
        )
    }

    fn expects(&self, end: Exit) -> bool {
        let mut clues = self.property.clues();
        clues.any(
            |clue| matches!((clue, end), (Clue::Exit(status), Exit::Code(code)) if *status == code),
        )
    }
}

/// What is known when these stages have ended, of which the last is the last of `runs`.
pub(in super::super) fn rule(stages: &[Stage], judge: Option<&Judge>, runs: &[StageRun]) -> Ruling {
    let Some((stage, last)) = runs
        .len()
        .checked_sub(1)
        .and_then(|at| Some((stages.get(at)?, runs.last()?)))
    else {
        return Ruling::Failed;
    };
    let end = last.run.exit;
    let of = |role| stages.iter().position(|stage| stage.role == role);
    let reference = of(Role::Reference).and_then(|at| runs.get(at));
    let found = |judge: Option<&Judge>| match judge {
        Some(judge) => judge.about_subject(runs, reference),
        None => Ruling::GoOn,
    };
    let expected = || judge.is_some_and(|judge| judge.expects(end));
    match (stage.role, end) {
        (Role::Says, end) => match end.verdict() {
            Some(Verdict::Interesting) => Ruling::GoOn,
            Some(verdict) => Ruling::Is(verdict, None),
            None => Ruling::Failed,
        },
        (Role::Subject, Exit::Killed(bound)) if bound.is_time() && is_about_a_hang(judge) => {
            found(judge)
        }
        (_, Exit::Killed(_)) => Ruling::Is(Verdict::TimedOut, None),
        (_, Exit::Code(126 | 127)) if is_missing(last) && !expected() => Ruling::Failed,
        (Role::Check, Exit::Code(0)) => Ruling::GoOn,
        (Role::Check, end) => invalid(format!("the check ended with {end}")),
        (Role::Reference, end) => match works(judge, end) {
            true => Ruling::GoOn,
            false => invalid(format!("the reference ended with {end}")),
        },
        (Role::Agrees, _) => match reference.is_some_and(|reference| same(reference, last)) {
            true => Ruling::GoOn,
            false => invalid("it does not do what the reference does".into()),
        },
        (Role::Subject | Role::Differs, _) => found(judge),
    }
}

fn is_about_a_hang(judge: Option<&Judge>) -> bool {
    judge.is_some_and(|judge| judge.property.is_about_a_hang())
}

fn invalid(why: String) -> Ruling {
    Ruling::Is(Verdict::Invalid, Some(why))
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
fn is_missing(run: &StageRun) -> bool {
    let said = match run.errors.is_empty() {
        true => run.run.output.bytes(),
        false => run.errors.bytes(),
    };
    let lines = said.split(|byte| *byte == b'\n').rev();
    let mut lines = lines.map(<[u8]>::trim_ascii_end);
    let last = lines.find(|line| !line.is_empty());
    last.is_some_and(|last| MISSING.iter().any(|end| last.ends_with(end.as_bytes())))
}

/// Whether the reference ended as it should.
fn works(judge: Option<&Judge>, end: Exit) -> bool {
    let mut clues = judge.into_iter().flat_map(|judge| judge.property.clues());
    clues.all(|clue| match clue {
        Clue::Reference(status) => end == Exit::Code(*status),
        _ => true,
    })
}

/// Whether two commands do the same.
pub(super) fn same(one: &StageRun, other: &StageRun) -> bool {
    one.run.exit == other.run.exit && one.run.output == other.run.output
}

/// What a clue that needs no expression misses.
fn misses(clue: &Clue, last: &StageRun, reference: Option<&StageRun>) -> Option<String> {
    let end = last.run.exit;
    let holds = match clue {
        Clue::Exit(status) => end == Exit::Code(*status),
        Clue::Signal(signal) => end == Exit::Signal(*signal),
        Clue::Hang => end.bound().is_some_and(Bound::is_time),
        Clue::Like { text, percent } => is_like(text, &likened(&last.run.output.text()), *percent),
        Clue::Differs => reference.is_some_and(|reference| !same(reference, last)),
        Clue::Line(_) | Clue::Frame(_) | Clue::Grep(_) | Clue::NotGrep(_) | Clue::Reference(_) => {
            true
        }
    };
    (!holds).then(|| match clue {
        Clue::Differs => "the two do the same".into(),
        Clue::Like { .. } => "what it prints is another message".into(),
        Clue::Hang => format!("it ends, with {end}"),
        other => format!("it ends with {end}, not with {other}"),
    })
}

/// Ready to look for in bytes, of which not all are text: `.` is any byte, as for `grep` in the C locale. Classes of characters that
/// are not ASCII need Unicode.
fn expression(text: &str) -> Result<Regex, PropertyError> {
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
