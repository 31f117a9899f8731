//! `lop replay --check`: the dialogue of a journal again, without a test.

use std::path::Path;

use super::failure::{FAILED, Failure, OrFail, USAGE};
use super::resume::call;
use super::tongue::{self, withheld};
use crate::display::Shown;
use crate::language::Language;
use crate::plain::{Out, quoted};
use crate::program::{self, Version};
use crate::reduce::{self, Finish, Setup, State};
use crate::session::OpenedSession;
use crate::session::journal::{Header, HeaderFile};
use crate::session::place::Place;
use crate::{minimize, pass};

/// The decisions differ: a bug of lop, or another lop.
const DIFFERENT: u8 = 1;

/// Runs the dialogue against the recorded facts and compares every decision and take; the exit status.
pub fn check(path: &Path) -> Result<u8, Failure> {
    let opened = OpenedSession::at(path).or_fail(USAGE)?;
    let recording = opened.recording().or_fail(USAGE)?;
    if let Some(why) = withheld(&recording.header, &opened.doubts()) {
        let what = format!(
            "{why}, and nothing can be compared; `lop replay` without --check shows its versions"
        );
        return Err(Failure::new(USAGE, what));
    }
    if !recording.exactly {
        return Err(Failure::new(
            USAGE,
            "this session was gone on with in another way than by its own dialogue, so there is nothing to compare",
        ));
    }
    if let Some(damage) = &recording.damage {
        let goes_on = match path.parent().map(Place::at) {
            Some(place) if place.journal() == path => {
                format!(
                    "`lop resume {}` goes on from where it is whole",
                    call(&place)
                )
            }
            _ => format!("`lop replay {}` shows the run up to there", quoted(path)),
        };
        let what = format!("{damage}, so a check would prove nothing; {goes_on}");
        return Err(Failure::new(DIFFERENT, what));
    }
    let (version, options) = (version(&recording.header)?, options(&recording.header)?);
    let (limit, decisions, complete) = (
        recording.header.limit.limit(),
        recording.decisions(),
        recording.complete,
    );
    let script = recording.commands.clone();
    let run = recording.header.run.as_ref();
    let property = run.and_then(|run| run.property.clone());
    let (runner, journal, comparison) = recording.play();
    let setup = Setup {
        script,
        property,
        journal: Box::new(journal),
        options,
        ..Setup::new(version, runner, limit)
    };
    let run = reduce::start(setup).or_fail(FAILED)?;
    let last = run
        .finish()
        .ok_or_else(|| Failure::new(FAILED, "the engine has died"))?;
    let mut out = Out::stdout();
    if let Some(difference) = comparison.difference() {
        out.line(&format!("lop: the dialogue differs: {difference}"));
        return Ok(DIFFERENT);
    }
    if let (State::Finished(Finish::Failed(reason)), true) = (&last.state, complete) {
        out.line(&format!(
            "lop: after {} of {decisions} decisions: {reason}",
            last.counts.decisions
        ));
        return Ok(DIFFERENT);
    }
    let end = if complete {
        "to its end"
    } else {
        "up to where it was stopped"
    };
    out.line(&format!(
        "lop: the same {decisions} decisions, {end}: {} tokens",
        last.version.tokens()
    ));
    Ok(0)
}

/// The program as it was.
pub(super) fn version(header: &Header) -> Result<Version, Failure> {
    version_by(header, tongue::again)
}

/// The same as lines and tokens, whatever language it is in.
pub(super) fn version_as_text(header: &Header) -> Result<Version, Failure> {
    version_by(header, |_| Ok(None))
}

fn version_by(
    header: &Header,
    language: impl Fn(&HeaderFile) -> Result<Option<&'static Language>, Failure>,
) -> Result<Version, Failure> {
    let files = header.files.iter().map(|file| {
        let bytes = file.bytes.bytes().ok_or_else(|| {
            Failure::new(
                USAGE,
                "the journal's header is damaged: its bytes cannot be read",
            )
        })?;
        let language = language(file)?;
        Ok((language, file.path.as_path().into(), bytes.into()))
    });
    program::read_as(files.collect::<Result<_, Failure>>()?).or_fail(FAILED)
}

/// What the passes were told.
pub(super) fn options(header: &Header) -> Result<pass::Options, Failure> {
    let unknown = |what: &str, name: &str| {
        Failure::new(
            USAGE,
            format!("this lop does not know the {what} `{}`", name.shown()),
        )
    };
    let minimizer = minimize::kind(&header.minimizer)
        .ok_or_else(|| unknown("list minimiser", &header.minimizer))?;
    let strategy =
        pass::strategy(&header.strategy).ok_or_else(|| unknown("strategy", &header.strategy))?;
    let mut parts = header.without.iter();
    let without = parts.try_fold(pass::Parts::default(), |without, name| {
        without.named(name).ok_or_else(|| unknown("part", name))
    })?;
    Ok(pass::Options {
        minimizer,
        strategy,
        without,
    })
}
