//! `lop resume`: going on with a session.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::Common;
use super::cache;
use super::complain;
use super::failure::{FAILED, Failure, NOTHING_TO_DO, OrFail, USAGE};
use super::front::Front;
use super::given::Given;
use super::header::{environment, grammar_of, test_of};
use super::ready::Ready;
use super::reduction::{Kept, Launch, Plan};
use super::replay;
use super::tongue;
use super::trust;
use crate::display::{Shown, tamed};
use crate::plain::{Out, count, quoted};
use crate::reduce::{self, Command, Hints, Layers, Quorum, VerdictStore, When};
use crate::session::journal::{
    Basis, HeaderCare, HeaderLimit, HeaderRun, JournalFile, Journals, Line,
};
use crate::session::past::Story;
use crate::session::place::{self, Place};
use crate::session::{Choice, EarlierPlace, Input, Output, ago};

/// From so many bytes on a journal takes a while to read.
const LONG: u64 = 1 << 20;

/// What to type for a session: its name, or its directory if it does not lie where all do.
pub(super) fn call(place: &Place) -> String {
    let usual = place::sessions().map(|sessions| sessions.join(place.name()));
    match usual.as_deref() == Some(place.directory()) {
        true => quoted(Path::new(&place.name())),
        false => quoted(place.directory()),
    }
}

/// All sessions, newest first.
pub(super) fn all() -> Vec<Place> {
    place::sessions().map_or_else(Vec::new, |sessions| place::all(&sessions))
}

/// The session of this name or directory; without one, the newest about a file in this directory, else the newest of all, which is told.
pub(super) fn find(name: Option<&str>) -> Result<Place, Failure> {
    let Some(name) = name else {
        return newest();
    };
    let named = place::sessions().map(|sessions| sessions.join(name));
    let places = [named, Some(PathBuf::from(name))].into_iter().flatten();
    let mut places = places.map(|directory| Place::at(&directory));
    places
        .find(|place| place.journal().exists())
        .ok_or_else(|| {
            Failure::new(
                USAGE,
                format!(
                    "there is no session `{}`; `lop sessions` lists all",
                    name.shown()
                ),
            )
        })
}

/// The same for a command whose output does not name the session: without a name it is told which one it is.
pub(super) fn find_aloud(name: Option<&str>) -> Result<Place, Failure> {
    let place = find(name)?;
    if name.is_none() && lies_here(&place) {
        complain(&format!(
            "session {}{}: the newest about a file in this directory",
            call(&place),
            about(&place)
        ));
    }
    Ok(place)
}

/// The file of a session, for a sentence.
pub(super) fn about(place: &Place) -> String {
    let run = place.header().ok().and_then(|header| header.run);
    run.map(|run| format!(", about {}", run.input.shown()))
        .unwrap_or_default()
}

fn newest() -> Result<Place, Failure> {
    let mut places = all();
    if let Some(here) = places.iter().position(lies_here) {
        return Ok(places.swap_remove(here));
    }
    let newest = places.into_iter().next().ok_or_else(|| {
        Failure::new(
            NOTHING_TO_DO,
            "there is no session yet; `lop FILE TEST` makes one",
        )
    })?;
    complain(&format!(
        "no session is about a file in this directory; the newest of all is {}{}",
        call(&newest),
        about(&newest)
    ));
    Ok(newest)
}

/// Whether its file lies in the current directory.
pub(super) fn lies_here(place: &Place) -> bool {
    let run = place.header().ok().and_then(|header| header.run);
    let parent = run.and_then(|run| Some(run.input.parent()?.to_path_buf()));
    let here = std::env::current_dir();
    parent.is_some_and(|parent| {
        here.is_ok_and(|here| parent.canonicalize().unwrap_or(parent) == here)
    })
}

/// The only unfinished session whose file lies in this directory.
fn here() -> Result<Place, Failure> {
    let unfinished = all().into_iter().filter(|place| !place.is_done());
    let mut places: Vec<Place> = unfinished.filter(lies_here).collect();
    match places.len() {
        0 => Err(Failure::new(NOTHING_TO_DO, nothing_here())),
        1 => Ok(places.remove(0)),
        _ => {
            let lines = places.iter().map(|place| {
                let since = place.touched().elapsed().unwrap_or_default();
                let output = place.header().ok().and_then(|header| header.run);
                let output = output.map(|run| format!("writes {}, ", run.output.shown()));
                format!(
                    "\n  lop resume {}  ({}written {} ago)",
                    call(place),
                    tamed(&output.unwrap_or_default()),
                    ago(since)
                )
            });
            let lines: String = lines.collect();
            Err(Failure::new(
                USAGE,
                format!(
                    "there are {} unfinished sessions about files in this directory:{lines}",
                    places.len()
                ),
            ))
        }
    }
}

/// What to say where no session about a file in this directory is unfinished.
fn nothing_here() -> String {
    let none = "there is no unfinished session about a file in this directory";
    match all().into_iter().find(lies_here) {
        Some(done) => format!(
            "{none}; {} has come to its end: `lop history {}` shows what it did",
            done.name().shown(),
            call(&done)
        ),
        None => format!("{none}; `lop sessions` lists those about files in others"),
    }
}

/// Goes on with a session; the exit status. One that is not the user's own is shown first, unless it is trusted.
pub(super) fn run(name: Option<&str>, common: &Common, trust: bool) -> Result<u8, Failure> {
    let place = match name {
        Some(_) => find(name)?,
        None => here()?,
    };
    go_on(&place, common, trust)
}

/// Goes on with this session; the exit status.
pub(super) fn go_on(place: &Place, common: &Common, trust: bool) -> Result<u8, Failure> {
    let agreed = trust::agree(place, common, trust)?;
    let claimed = place.claim().or_fail(USAGE)?;
    let long = fs::metadata(place.journal()).is_ok_and(|about| about.len() > LONG);
    if long && !common.json {
        Out::stdout().line(&format!(
            "lop: reading the session {}",
            place.name().shown()
        ));
    }
    let opened = place.open().or_fail(USAGE)?;
    let story = opened.story().or_fail(USAGE)?;
    if !agreed.is_about(&opened, &story) {
        let what = format!(
            "somebody has changed the session {} since it was looked at; nothing was done, so type the same again",
            call(place)
        );
        return Err(Failure::new(USAGE, what));
    }
    let Some(run) = story.header.run.clone() else {
        return Err(Failure::new(
            USAGE,
            "this journal does not say where and with what it ran, so nothing can go on with it; reduce the file anew",
        ));
    };
    if place.is_done() || matches!(agreed, trust::Agreed::Nothing) {
        return Err(Failure::new(
            NOTHING_TO_DO,
            format!(
                "this session has come to its end: {}; `lop history {}` shows what it did",
                tamed(&story.certificate.unwrap_or_default()),
                call(place)
            ),
        ));
    }
    let plan = plan(&story, &run, common)?;
    let input = input(&story, &run)?;
    let screen = plan.settings.setup_for(plan.front).or_fail(USAGE)?;
    let mut ready = Ready::of(
        input,
        &plan.given,
        plan.scratch.as_deref(),
        &plan.care,
        plan.jobs,
    )?;
    if let Some(property) = story.sought().property {
        ready.test = ready.test.looking_for(property).or_fail(USAGE)?;
    }
    let output = Output::claim(&plan.choice, &ready.input, ready.script()).or_fail(USAGE)?;
    continued(
        story,
        run,
        Continued {
            claimed,
            screen,
            plan,
            ready,
            output,
        },
    )
}

/// What the run is told again.
fn plan(story: &Story, run: &HeaderRun, common: &Common) -> Result<Plan, Failure> {
    let mut plan = Plan::new(run.input.clone(), Given::again(run), common);
    plan.options = replay::options(&story.header)?;
    plan.also = run.also;
    plan.care = plan.care.again(run.care);
    plan.choice = Choice::Again(EarlierPlace {
        named: run.output.clone(),
        led_to: run.output_link.clone(),
        in_place: run.in_place,
    });
    if let Some(file) = story.header.files.first() {
        plan.language = tongue::again(file)?;
    }
    plan.notes.extend(story.journal.note());
    plan.notes.extend(surroundings(run));
    Ok(plan)
}

/// The input as it was.
pub(super) fn input(story: &Story, run: &HeaderRun) -> Result<Input, Failure> {
    let damaged = || {
        Failure::new(
            USAGE,
            "the journal does not hold the original, so nothing can go on from it; reduce the file anew",
        )
    };
    let file = story.header.files.first().ok_or_else(damaged)?;
    let bytes = file.bytes.bytes().ok_or_else(damaged)?;
    Ok(Input::again(&run.input, &file.path, bytes.into(), run.mode))
}

struct Continued {
    claimed: place::Claimed,
    screen: crate::tui::setup::Setup,
    plan: Plan,
    ready: Ready,
    output: Output,
}

fn continued(story: Story, run: HeaderRun, of: Continued) -> Result<u8, Failure> {
    let Continued {
        claimed,
        screen,
        mut plan,
        mut ready,
        output,
    } = of;
    let version = ready.version(plan.language)?;
    let newest = story.sought().limit;
    let kept = story.versions.kept;
    let text = story.versions.text(kept).ok_or_else(|| {
        Failure::new(
            USAGE,
            format!("version {kept} of the session cannot be made from its journal, which is damaged; `lop history` lists those that can, `lop show N` prints one"),
        )
    })?;
    let quorum = quorum(&story);
    let flaky = ready.version_again(&text, newest.current(), quorum)?;
    let now = basis(&story, &ready);
    let differs = differs(&story, &now);
    // What is known is about what is looked for now.
    let store = store(&mut plan, &ready, &story, &now);
    // The changes since the start are made again with all else.
    if let Some(start) = run.property.clone() {
        ready.test = ready.test.looking_for(start).or_fail(USAGE)?;
    }
    let journal = JournalFile::append(&claimed.place.journal(), &story.journal).or_fail(USAGE)?;
    let journal = journal.with(now);
    let said = output.go_on(&text, |there| story.versions.have(there));
    plan.notes.extend(said.or_fail(FAILED)?);
    let mut script = reduce::recorded_script(&story.script_left().join("\n")).or_fail(USAGE)?;
    if let Some(flaky) = flaky {
        plan.notes.push(flaky);
        script.insert(0, (When::Start, Command::Confirm(Quorum::SURE)));
    }
    let first = match story.header.limit {
        HeaderLimit::Original { time_ns, .. } => std::time::Duration::from_nanos(time_ns),
        HeaderLimit::Fixed(_) | HeaderLimit::Hang(_) => std::time::Duration::ZERO,
    };
    if plan.front != Front::Json {
        let mut out = Out::stdout();
        let versions = count(story.versions.all().count() as u64 - 1, "version");
        let begins = match &differs {
            Some(why) => format!("{why}; the versions until then stay: {versions}"),
            None => format!(
                "{} and {versions} are done again, without a test",
                count(story.decisions, "decision")
            ),
        };
        out.line(&format!(
            "lop: session {}: {begins}",
            claimed.place.name().shown()
        ));
    }
    Launch {
        plan,
        screen,
        ready,
        output,
        version,
        limit: story.header.limit.limit(),
        first,
        script,
        kept: Kept {
            synced: Some(journal.synced()),
            journals: Journals(vec![journal]),
            session: Some(claimed),
        },
        written: kept,
        resume: Some(story.resume(differs)),
        rested: story.journal.rested(),
        store: Some(store),
    }
    .launch()
}

/// How many runs of the test had to say yes last; none if nobody has said.
fn quorum(story: &Story) -> Option<Quorum> {
    let lines = story.journal.lines.iter().rev();
    let mut commands = lines.filter_map(|line| match line {
        Line::Command { command, .. } => Command::recorded(command).ok(),
        _ => None,
    });
    commands.find_map(|command| match command {
        Command::Confirm(quorum) => Some(quorum),
        _ => None,
    })
}

/// What the run goes on with.
fn basis(story: &Story, ready: &Ready) -> Basis {
    let files = story.header.files.iter();
    Basis {
        test_hash: test_of(ready.script(), ready.test.stages()).0,
        care: Some(HeaderCare::from(&ready.care)),
        grammars: files
            .map(|file| tongue::again(file).ok()?.map(grammar_of))
            .collect(),
    }
}

/// Why the dialogue cannot be the same any more; none if it can.
fn differs(story: &Story, now: &Basis) -> Option<String> {
    let lop = env!("CARGO_PKG_VERSION");
    let (wrote, then) = story.basis();
    let pairs = then.grammars.iter().zip(&now.grammars);
    let mut grammars = pairs.filter(|(then, _)| then.is_some());
    if story.went_unknown_ways() {
        return Some("the session was gone on with in another way once before".into());
    }
    if then.test_hash != now.test_hash {
        return Some(
            "the test has changed, so what it said before decides nothing: all is asked anew, what was likely first"
                .into(),
        );
    }
    if let Some((then, now)) = then.care.zip(now.care).filter(|(then, now)| then != now) {
        return Some(format!(
            "a test may have {now} now, and had {then}, so what it said before decides nothing: all is asked anew, what was likely first"
        ));
    }
    if wrote != lop {
        return Some(format!(
            "the session was begun by lop {}, and this is lop {lop}",
            wrote.shown()
        ));
    }
    grammars
        .any(|(then, now)| then != now)
        .then(|| "lop's grammar of the language has changed".into())
}

/// What is known already: the session's own facts, as far as they are of this test, then the cache's; of other tests only hints.
fn store(plan: &mut Plan, ready: &Ready, story: &Story, now: &Basis) -> Arc<dyn VerdictStore> {
    let mut layers: Vec<Arc<dyn VerdictStore>> = vec![Arc::new(story.verdicts_of(now))];
    layers.extend(cache::open(plan, ready, story.sought().limit));
    layers.push(Arc::new(Hints(story.hints(now))));
    Arc::new(Layers(layers))
}

/// What is different around the run, as far as it is known.
fn surroundings(run: &HeaderRun) -> Option<String> {
    let names = variables_that_differ(run);
    (!names.is_empty()).then(|| {
        format!(
            "{} is not what it was when the session began; if the test gives other answers now, begin anew",
            names.iter().map(|name| name.shown()).collect::<Vec<_>>().join(", ")
        )
    })
}

/// The variables of the environment that have another value now, of those whose values are kept.
pub(super) fn variables_that_differ(run: &HeaderRun) -> Vec<String> {
    let now = environment();
    let value = |all: &[(String, Option<String>)], name: &str| {
        all.iter()
            .find(|(other, _)| other == name)
            .map(|(_, value)| value.clone())
    };
    let kept = |(_, value): &&(String, Option<String>)| value.is_some();
    let names = run
        .environment
        .iter()
        .filter(kept)
        .chain(now.iter().filter(kept));
    let mut names: Vec<String> = names
        .map(|(name, _)| name.clone())
        .filter(|name| value(&run.environment, name) != value(&now, name))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}
