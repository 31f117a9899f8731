//! A session that may be somebody else's. It names what is run and written: so that is shown, and nothing is done with it before a yes.

use super::args::Common;
use super::ask::{Said, ask};
use super::failure::{FAILED, Failure, NOTHING_TO_DO, OrFail, USAGE};
use super::front::Front;
use super::given::Given;
use super::resume::{call, input, variables_that_differ};
use super::signals::Signals;
use crate::display::{Out, Shown, Stream, is_terminal, tamed};
use crate::oracle::{Role, Stage};
use crate::session::journal::{HeaderFile, HeaderRun};
use crate::session::owner::Doubt;
use crate::session::past::Story;
use crate::session::place::Place;
use crate::session::{OpenedSession, Output};

/// How many reasons are told.
const REASONS: usize = 3;

/// What a session may be gone on with.
pub(super) enum Agreed {
    /// It is the user's own.
    Own,
    /// It is not, and the user has seen this of it.
    Seen(Box<Story>),
    /// With whatever it holds: `--trust`.
    Anything,
    /// With nothing: it is not the user's own, and had come to its end when it was looked at. Its owner may change that since.
    Nothing,
}

/// Looks whose the session is. Where it is not the user's own, shows what going on with it does, and asks.
pub(super) fn agree(place: &Place, common: &Common, trust: bool) -> Result<Agreed, Failure> {
    if trust {
        return Ok(Agreed::Anything);
    }
    let opened = place.open().or_fail(USAGE)?;
    let doubts = opened.doubts();
    if doubts.is_empty() {
        return Ok(Agreed::Own);
    }
    let story = opened.story().or_fail(USAGE)?;
    if place.is_done() {
        return Ok(Agreed::Nothing);
    }
    // Where there is nothing to go on with, nothing is run, and that is said soon.
    if let Some(run) = story.header.run.as_ref() {
        let page = page(place, &doubts, &effects(&story, run, common)?);
        Out::stderr().page(&page);
        match Front::choose(common) == Front::Screen && is_terminal(Stream::Error) {
            true => confirm()?,
            false => return Err(refusal(place, &doubts)),
        }
    }
    Ok(Agreed::Seen(Box::new(story)))
}

impl Agreed {
    /// Whether it was about this session as it is now, when nobody else runs it: others may have written to it since.
    pub fn is_about(&self, opened: &OpenedSession, story: &Story) -> bool {
        match self {
            Agreed::Own => opened.doubts().is_empty(),
            Agreed::Seen(seen) => {
                let (seen, now) = (&seen.journal, &story.journal);
                seen.header == now.header && seen.lines == now.lines
            }
            Agreed::Anything | Agreed::Nothing => true,
        }
    }
}

/// Why a session is not the user's own, in a line.
pub(super) fn reasons(doubts: &[Doubt]) -> String {
    let told: Vec<String> = doubts.iter().take(REASONS).map(Doubt::to_string).collect();
    let more = match doubts.len().saturating_sub(REASONS) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    tamed(&format!("{}{more}", told.join(", "))).into_owned()
}

fn refusal(place: &Place, doubts: &[Doubt]) -> Failure {
    let what = format!(
        "the session {} may be somebody else's ({}), so nothing was done: read above what it runs and writes, and if it may, add --trust",
        call(place),
        reasons(doubts)
    );
    Failure::new(USAGE, what)
}

/// What going on does, by names.
fn effects(
    story: &Story,
    run: &HeaderRun,
    common: &Common,
) -> Result<Vec<(&'static str, String)>, Failure> {
    let mut effects = Vec::new();
    match Given::again(run) {
        Given::Script(path, checks) => {
            effects.extend(checks.iter().map(command));
            effects.push(("test", format!("{}, as it is now", path.shown())));
        }
        Given::Commands(stages, _) => effects.extend(stages.iter().map(command)),
    }
    let sandbox = match common.care.again(run.care).care(1).sandbox {
        true => "in a sandbox",
        false => "with all your rights; --sandbox takes most of them away",
    };
    effects.push(("runs", sandbox.to_owned()));
    effects.push(("environment", surroundings(run)));
    let (output, kept) = match run.in_place {
        true => (input(story, run)?.named, "the session's original"),
        false => (run.output.clone(), "what is there now"),
    };
    let leads = Output::leads_to(&output).or_fail(USAGE)?;
    let leads = match leads == output {
        true => String::new(),
        false => format!(", which is {}", leads.shown()),
    };
    // It may be exchanged while this is read, but for no other than where it led then.
    let led = run.output_link.as_ref().map(|led| led.shown());
    let led = led.map_or(String::new(), |led| format!(" (it led to {led})"));
    effects.push((
        "writes",
        format!("{}{leads}{led}; {kept} is kept beside it", output.shown()),
    ));
    effects.extend(story.header.files.iter().map(grammar));
    Ok(effects)
}

/// A stage of the test.
fn command(stage: &Stage) -> (&'static str, String) {
    let role = match stage.role {
        Role::Says => "test",
        Role::Check => "check",
        Role::Reference => "right",
        Role::Subject => "command",
        Role::Differs => "wrong",
        Role::Agrees => "agrees",
    };
    (role, stage.line.to_string())
}

fn surroundings(run: &HeaderRun) -> String {
    match &variables_that_differ(run)[..] {
        [] => "yours, as it is now".into(),
        names => format!(
            "yours, as it is now; other than when the session began: {}",
            names
                .iter()
                .map(|name| name.shown())
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}

fn grammar(file: &HeaderFile) -> (&'static str, String) {
    let grammar = match (&file.repository, &file.bnf, &file.language) {
        (Some(repository), ..) => format!(
            "{} in {}: C code, which lop builds and loads",
            repository.name.shown(),
            repository.directory.shown()
        ),
        (None, Some(_), _) => "in BNF, from the session itself".into(),
        (None, None, Some(name)) => format!("lop's own of {name}"),
        (None, None, None) => "none".into(),
    };
    ("grammar", grammar)
}

/// What is shown before the question.
fn page(place: &Place, doubts: &[Doubt], effects: &[(&str, String)]) -> String {
    let rows = effects.iter();
    let rows = rows.map(|(name, what)| format!("    {name:<12}{}\n", tamed(what)));
    format!(
        "lop: the session {} may be somebody else's: {}\n\
         lop: to go on with it runs and writes what it names:\n{}",
        tamed(&call(place)),
        reasons(doubts),
        rows.collect::<String>()
    )
}

fn confirm() -> Result<(), Failure> {
    let signals = Signals::listen().or_fail(FAILED)?;
    match ask("lop: go on with it? [y/N]", &signals.heard) {
        said if said.is_yes() => Ok(()),
        Said::Signal(signal) => Err(Failure::as_it_was(Some(signal))),
        _ => Err(Failure::new(
            NOTHING_TO_DO,
            "nothing was done; the session is as it was",
        )),
    }
}
