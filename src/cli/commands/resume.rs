//! `lop resume`: going on with a session.

use std::fs;
use std::sync::Arc;

use super::replay_check;
use super::trust;
use crate::cli::args::CommonArgs;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::cli::launch::cache;
use crate::cli::launch::front_end::FrontEnd;
use crate::cli::launch::header::{hash_grammar, hash_test, recorded_environment};
use crate::cli::launch::language_choice;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::reduction::{ReductionPlan, RunJournals, RunLaunch};
use crate::cli::launch::test_spec::TestSpec;
use crate::cli::session_lookup::{all_sessions, find_session, is_input_here, session_argument};
use crate::display::{EscapeHidden, sanitize_line};
use crate::plain::{ConsoleWriter, format_count};
use crate::reduce::{
    self, EngineCommand, HintStore, LayeredStore, Quorum, ScriptTrigger, VerdictStore,
};
use crate::session::history::SessionHistory;
use crate::session::journal::{
    HeaderInvocation, HeaderIsolation, HeaderLimit, JournalFile, JournalLine, JournalSet,
    RunFingerprint,
};
use crate::session::session_directory::{self, SessionDirectory};
use crate::session::{EarlierOutput, InputFile, OutputChoice, OutputFile, format_age};

/// From so many bytes on a journal takes a while to read.
const LONG: u64 = 1 << 20;

/// The only unfinished session whose file lies in this directory.
fn unfinished_session_here() -> Result<SessionDirectory, CommandFailure> {
    let unfinished = all_sessions().into_iter().filter(|place| !place.is_done());
    let mut places: Vec<SessionDirectory> = unfinished.filter(is_input_here).collect();
    match places.len() {
        0 => Err(CommandFailure::new(NOTHING_TO_DO, nothing_here())),
        1 => Ok(places.remove(0)),
        _ => {
            let lines = places.iter().map(|place| {
                let since = place.last_modified().elapsed().unwrap_or_default();
                let output = place.read_header().ok().and_then(|header| header.run);
                let output = output.map(|run| format!("writes {}, ", run.output.escape_hidden()));
                format!(
                    "\n  lop resume {}  ({}written {} ago)",
                    session_argument(place),
                    sanitize_line(&output.unwrap_or_default()),
                    format_age(since)
                )
            });
            let lines: String = lines.collect();
            Err(CommandFailure::new(
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
    match all_sessions().into_iter().find(is_input_here) {
        Some(done) => format!(
            "{none}; {} has come to its end: `lop history {}` shows what it did",
            done.name().escape_hidden(),
            session_argument(&done)
        ),
        None => format!("{none}; `lop sessions` lists those about files in others"),
    }
}

/// Goes on with a session; the exit status. One that is not the user's own is shown first, unless it is trusted.
pub fn run_resume(
    name: Option<&str>,
    common: &CommonArgs,
    trust: bool,
) -> Result<u8, CommandFailure> {
    let place = match name {
        Some(_) => find_session(name)?,
        None => unfinished_session_here()?,
    };
    resume_session(&place, common, trust)
}

/// Goes on with this session; the exit status.
pub fn resume_session(
    place: &SessionDirectory,
    common: &CommonArgs,
    trust: bool,
) -> Result<u8, CommandFailure> {
    let agreed = trust::confirm_trust(place, common, trust)?;
    let claimed = place.claim().or_fail(USAGE)?;
    let long = fs::metadata(place.journal_path()).is_ok_and(|about| about.len() > LONG);
    if long && !common.json {
        ConsoleWriter::stdout().write_line(&format!(
            "lop: reading the session {}",
            place.name().escape_hidden()
        ));
    }
    let opened = place.open_journal().or_fail(USAGE)?;
    let story = opened.read_history().or_fail(USAGE)?;
    if !agreed.still_applies(&opened, &story) {
        let what = format!(
            "somebody has changed the session {} since it was looked at; nothing was done, so type the same again",
            session_argument(place)
        );
        return Err(CommandFailure::new(USAGE, what));
    }
    let Some(run) = story.header.run.clone() else {
        return Err(CommandFailure::new(
            USAGE,
            "this journal does not say where and with what it ran, so nothing can go on with it; reduce the file anew",
        ));
    };
    if place.is_done() || matches!(agreed, trust::TrustDecision::Nothing) {
        return Err(CommandFailure::new(
            NOTHING_TO_DO,
            format!(
                "this session has come to its end: {}; `lop history {}` shows what it did",
                sanitize_line(&story.certificate.unwrap_or_default()),
                session_argument(place)
            ),
        ));
    }
    let plan = plan_resume(&story, &run, common)?;
    let input = recorded_input(&story, &run)?;
    let screen = plan.settings.setup_for(plan.front_end).or_fail(USAGE)?;
    let mut ready = PreparedRun::from_input(
        input,
        &plan.test_spec,
        plan.scratch.as_deref(),
        &plan.isolation,
        plan.jobs,
    )?;
    if let Some(property) = story.recorded_property().property {
        ready.test = ready.test.with_property(property).or_fail(USAGE)?;
    }
    let output = OutputFile::claim_path(&plan.output_choice, &ready.input, ready.script_path())
        .or_fail(USAGE)?;
    launch_resumed(
        story,
        run,
        ResumeParts {
            claimed,
            screen,
            plan,
            ready,
            output,
        },
    )
}

/// What the run is told again.
fn plan_resume(
    story: &SessionHistory,
    run: &HeaderInvocation,
    common: &CommonArgs,
) -> Result<ReductionPlan, CommandFailure> {
    let mut plan = ReductionPlan::new(run.input.clone(), TestSpec::from_recorded(run), common);
    plan.options = replay_check::recorded_options(&story.header)?;
    plan.other_status = run.also;
    plan.isolation = plan.isolation.with_recorded(run.care);
    plan.output_choice = OutputChoice::Resumed(EarlierOutput {
        named: run.output.clone(),
        link_target: run.output_link.clone(),
        in_place: run.in_place,
    });
    if let Some(file) = story.header.files.first() {
        plan.language = language_choice::recorded_language(file)?;
    }
    plan.notes.extend(story.journal.damage_note());
    plan.notes.extend(describe_environment_changes(run));
    Ok(plan)
}

/// The input as it was.
pub fn recorded_input(
    story: &SessionHistory,
    run: &HeaderInvocation,
) -> Result<InputFile, CommandFailure> {
    let damaged = || {
        CommandFailure::new(
            USAGE,
            "the journal does not hold the original, so nothing can go on from it; reduce the file anew",
        )
    };
    let file = story.header.files.first().ok_or_else(damaged)?;
    let bytes = file.bytes.decode_bytes().ok_or_else(damaged)?;
    Ok(InputFile::from_recorded(
        &run.input,
        &file.path,
        bytes.into(),
        run.mode,
    ))
}

struct ResumeParts {
    claimed: session_directory::ClaimedSession,
    screen: crate::tui::setup::ScreenSetup,
    plan: ReductionPlan,
    ready: PreparedRun,
    output: OutputFile,
}

fn launch_resumed(
    story: SessionHistory,
    run: HeaderInvocation,
    of: ResumeParts,
) -> Result<u8, CommandFailure> {
    let ResumeParts {
        claimed,
        screen,
        mut plan,
        mut ready,
        output,
    } = of;
    let version = ready.read_version(plan.language)?;
    let newest = story.recorded_property().limit;
    let kept = story.versions.kept;
    let text = story.versions.version_text(kept).ok_or_else(|| {
        CommandFailure::new(
            USAGE,
            format!("version {kept} of the session cannot be made from its journal, which is damaged; `lop history` lists those that can, `lop show N` prints one"),
        )
    })?;
    let quorum = recorded_quorum(&story);
    let flaky = ready.retest_version(&text, newest.current_limits(), quorum)?;
    let now = current_fingerprint(&story, &ready);
    let differs = describe_divergence(&story, &now);
    // What is known is about what is looked for now.
    let store = build_store(&mut plan, &ready, &story, &now);
    // The changes since the start are made again with all else.
    if let Some(start) = run.property.clone() {
        ready.test = ready.test.with_property(start).or_fail(USAGE)?;
    }
    let journal = JournalFile::open_to_append(&claimed.session.journal_path(), &story.journal)
        .or_fail(USAGE)?;
    let journal = journal.with_fingerprint(now);
    let said = output.write_resumed(&text, |there| story.versions.contains_text(there));
    plan.notes.extend(said.or_fail(FAILED)?);
    let mut script =
        reduce::parse_recorded_script(&story.remaining_script().join("\n")).or_fail(USAGE)?;
    if let Some(flaky) = flaky {
        plan.notes.push(flaky);
        script.insert(
            0,
            (ScriptTrigger::Start, EngineCommand::Confirm(Quorum::SURE)),
        );
    }
    let first = match story.header.limit {
        HeaderLimit::Original { time_ns, .. } => std::time::Duration::from_nanos(time_ns),
        HeaderLimit::Fixed(_) | HeaderLimit::Hang(_) => std::time::Duration::ZERO,
    };
    if plan.front_end != FrontEnd::Json {
        let mut out = ConsoleWriter::stdout();
        let versions = format_count(story.versions.all_versions().count() as u64 - 1, "version");
        let begins = match &differs {
            Some(why) => format!("{why}; the versions until then stay: {versions}"),
            None => format!(
                "{} and {versions} are done again, without a test",
                format_count(story.decisions, "decision")
            ),
        };
        out.write_line(&format!(
            "lop: session {}: {begins}",
            claimed.session.name().escape_hidden()
        ));
    }
    RunLaunch {
        plan,
        screen,
        ready,
        output,
        version,
        limit: story.header.limit.initial_limit(),
        original_time: first,
        script,
        journals: RunJournals {
            synced: Some(journal.sync_handle()),
            journals: JournalSet(vec![journal]),
            session: Some(claimed),
        },
        written_version: kept,
        resume: Some(story.build_resume(differs)),
        paused_time: story.journal.paused_duration(),
        store: Some(store),
    }
    .run_to_end()
}

/// How many runs of the test had to say yes last; none if nobody has said.
fn recorded_quorum(story: &SessionHistory) -> Option<Quorum> {
    let lines = story.journal.lines.iter().rev();
    let mut commands = lines.filter_map(|line| match line {
        JournalLine::Command { command, .. } => EngineCommand::parse_recorded(command).ok(),
        _ => None,
    });
    commands.find_map(|command| match command {
        EngineCommand::Confirm(quorum) => Some(quorum),
        _ => None,
    })
}

/// What the run goes on with.
fn current_fingerprint(story: &SessionHistory, ready: &PreparedRun) -> RunFingerprint {
    let files = story.header.files.iter();
    RunFingerprint {
        test_hash: hash_test(ready.script_path(), ready.test.stages()).0,
        care: Some(HeaderIsolation::from(&ready.isolation)),
        grammars: files
            .map(|file| {
                language_choice::recorded_language(file)
                    .ok()?
                    .map(hash_grammar)
            })
            .collect(),
    }
}

/// Why the dialogue cannot be the same any more; none if it can.
fn describe_divergence(story: &SessionHistory, now: &RunFingerprint) -> Option<String> {
    let lop = env!("CARGO_PKG_VERSION");
    let (wrote, then) = story.last_fingerprint();
    let pairs = then.grammars.iter().zip(&now.grammars);
    let mut grammars = pairs.filter(|(then, _)| then.is_some());
    if story.has_unknown_resume() {
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
            wrote.escape_hidden()
        ));
    }
    grammars
        .any(|(then, now)| then != now)
        .then(|| "lop's grammar of the language has changed".into())
}

/// What is known already: the session's own facts, as far as they are of this test, then the cache's; of other tests only hints.
fn build_store(
    plan: &mut ReductionPlan,
    ready: &PreparedRun,
    story: &SessionHistory,
    now: &RunFingerprint,
) -> Arc<dyn VerdictStore> {
    let mut layers: Vec<Arc<dyn VerdictStore>> = vec![Arc::new(story.verdicts_of_test(now))];
    layers.extend(cache::open_cache(
        plan,
        ready,
        story.recorded_property().limit,
    ));
    layers.push(Arc::new(HintStore(story.verdict_hints(now))));
    Arc::new(LayeredStore(layers))
}

/// What is different around the run, as far as it is known.
fn describe_environment_changes(run: &HeaderInvocation) -> Option<String> {
    let names = changed_variables(run);
    (!names.is_empty()).then(|| {
        format!(
            "{} is not what it was when the session began; if the test gives other answers now, begin anew",
            names.iter().map(|name| name.escape_hidden()).collect::<Vec<_>>().join(", ")
        )
    })
}

/// The variables of the environment that have another value now, of those whose values are kept.
pub fn changed_variables(run: &HeaderInvocation) -> Vec<String> {
    let now = recorded_environment();
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
