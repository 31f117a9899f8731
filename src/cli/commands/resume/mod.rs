//! `lop resume`: plan ▸ prepare ▸ test the newest version ▸ launch ▸ report. The plan is what the session recorded.

mod divergence;
pub mod offer;
mod trust;
pub mod typed_options;

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::cli::args::{CommonArgs, ProposeArgs, RemoteArgs};
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::cli::launch::chosen_runner::ChosenRunner;
use crate::cli::launch::front_end::FrontEnd;
use crate::cli::launch::journals::RunJournals;
use crate::cli::launch::launched_run::{RunStart, back_up_project, launch_run};
use crate::cli::launch::plan::RunPlan;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::reading::read_version;
use crate::cli::launch::recorded_run::{
    kept_texts, recorded_input, recorded_invocation, recorded_language, recorded_objective,
    recorded_options, recorded_quorum,
};
use crate::cli::launch::test_spec::TestSpec;
use crate::cli::session_lookup::{find_session, session_argument, unfinished_session_here};
use crate::display::{EscapeHidden, format_count, sanitize_line};
use crate::external::ProposerSettings;
use crate::pass::{self, Effort};
use crate::plain::ConsoleWriter;
use crate::reduce::{self, EngineCommand, Quorum, ScriptTrigger};
use crate::session::history::SessionHistory;
use crate::session::journal::{
    HeaderInvocation, HeaderLimit, JournalFile, JournalLine, JournalSet,
};
use crate::session::session_directory::{ClaimedSession, SessionDirectory};
use crate::session::{
    CandidateDirectory, EarlierOutput, InPlaceProject, OutputChoice, ResultPlace, RunInput,
};
use divergence::{
    build_store, current_fingerprint, describe_divergence, describe_environment_changes,
};
use trust::{TrustDecision, confirm_trust};

/// A journal with more bytes takes a while to read.
pub(super) const LONG_JOURNAL: u64 = 1 << 20;

/// What the user wants of a session besides to resume it.
#[derive(Clone, Debug, Default)]
pub struct ResumeChoice {
    /// Whether nobody is asked about a session that somebody else may have written.
    pub trust: bool,
    /// The effort with which it goes on, also where it has come to its end.
    pub effort: Option<Effort>,
    /// The farm that runs tests too.
    pub remote: RemoteArgs,
    /// The programs that propose candidates from here on.
    pub proposers: ProposerSettings,
}

impl ResumeChoice {
    /// What the command line says, which allows no unknown effort.
    pub fn from_args(
        trust: bool,
        effort: Option<&str>,
        remote: &RemoteArgs,
        propose: &ProposeArgs,
    ) -> ResumeChoice {
        ResumeChoice {
            trust,
            effort: effort.and_then(pass::find_effort),
            remote: remote.clone(),
            proposers: propose.to_settings(),
        }
    }

    /// What the command line of a new run says that may resume one.
    pub fn from_new_run(remote: &RemoteArgs, propose: &ProposeArgs) -> ResumeChoice {
        ResumeChoice::from_args(false, None, remote, propose)
    }
}

/// Resumes a session; the exit status. One that is not the user's own is shown first, unless it is trusted.
pub fn run_resume(
    name: Option<&str>,
    common: &CommonArgs,
    choice: ResumeChoice,
) -> Result<u8, CommandFailure> {
    let place = match name {
        Some(_) => find_session(name)?,
        None => unfinished_session_here()?,
    };
    resume_session(&place, common, choice)
}

/// Resumes this session; the exit status.
pub fn resume_session(
    place: &SessionDirectory,
    common: &CommonArgs,
    choice: ResumeChoice,
) -> Result<u8, CommandFailure> {
    let decision = confirm_trust(place, common, choice.trust)?;
    let claimed = place.claim().or_fail(USAGE)?;
    let is_long =
        fs::metadata(place.journal_path()).is_ok_and(|metadata| metadata.len() > LONG_JOURNAL);
    if is_long && !common.json {
        ConsoleWriter::stdout().write_line(&format!(
            "lop: reading the session {}",
            place.name().escape_hidden()
        ));
    }
    let opened = place.open_journal().or_fail(USAGE)?;
    let history = opened.read_history().or_fail(USAGE)?;
    if !decision.still_applies(&opened, &history) {
        let what = format!(
            "somebody has changed the session {} since it was checked; nothing was done, so type the same again",
            session_argument(place)
        );
        return Err(CommandFailure::new(USAGE, what));
    }
    let run = recorded_invocation(&history, "it cannot be resumed")?;
    // On the screen a run stays at its end, and goes on from there; without a test there is nothing to go on with.
    let stays_at_end = FrontEnd::from_args(common) == FrontEnd::Screen && !run.offline;
    let is_finished = place.is_done() && choice.effort.is_none() && !stays_at_end;
    if is_finished || matches!(decision, TrustDecision::Nothing) {
        return Err(finished_session(place, &history, &run));
    }
    let input = recorded_input(&history, &run)?;
    let mut plan = plan_resume(&history, &run, input, common)?;
    (plan.remote, plan.proposers) = (choice.remote, choice.proposers);
    if plan.proposers.commands.is_empty() && has_proposals(&history) {
        plan.notes.push(
            "programs proposed candidates in this session, and none does now; --propose starts one"
                .into(),
        );
    }
    let screen = plan.screen_setup().or_fail(USAGE)?;
    let mut prepared = PreparedRun::from_plan(&plan)?;
    if let Some(property) = history.recorded_property().property {
        prepared.use_property(property)?;
    }
    let output = prepared.claim_output(&plan.output_choice, plan.limit.current_limits())?;
    prepared.open_records(&plan)?;
    let mut start = restart(&history, &run, &plan, &mut prepared, output, claimed)?;
    if let Some(effort) = choice.effort {
        let command = EngineCommand::Effort(effort);
        start.script.push((ScriptTrigger::Start, command));
    }
    let files = prepared.input.original_files();
    let (limit, time) = (start.limit, start.original_time);
    let chosen = ChosenRunner::from_plan(&plan, &prepared, files, limit, time)?;
    Ok(launch_run(plan, prepared, chosen, start, screen)?
        .report()?
        .status)
}

/// The message about a session that has come to its end: its result, and what goes on from it.
fn finished_session(
    place: &SessionDirectory,
    history: &SessionHistory,
    run: &HeaderInvocation,
) -> CommandFailure {
    let session = session_argument(place);
    let tokens = history.versions.get(history.versions.kept);
    let tokens = tokens.and_then(|version| version.tokens);
    let size = tokens.map_or(String::new(), |tokens| {
        format!(" with {}", format_count(tokens.into(), "token"))
    });
    let more = recorded_options(&history.header).ok();
    let more = more.and_then(|options| options.more_effort());
    let more = more.map_or(String::new(), |effort| {
        let effort = effort.name();
        format!("`lop resume --effort {effort} {session}` asks more, ")
    });
    let goes_on = match run.offline {
        true => String::new(),
        false => format!("`lop resume {session}` at a terminal opens it at its end, {more}"),
    };
    CommandFailure::new(
        NOTHING_TO_DO,
        format!(
            "this session is finished: {}{size}; {}; {goes_on}`lop history {session}` shows what it did",
            run.output.escape_hidden(),
            sanitize_line(history.certificate.as_deref().unwrap_or_default()),
        ),
    )
}

/// Whether a program outside proposed what the session asked about.
fn has_proposals(history: &SessionHistory) -> bool {
    let mut lines = history.journal.lines.iter();
    lines.any(|line| match line {
        JournalLine::Command { command, .. } => {
            let command = EngineCommand::parse_recorded(command);
            matches!(command, Ok(EngineCommand::Propose(_)))
        }
        _ => false,
    })
}

/// The plan of the resumed run, as the session recorded it.
fn plan_resume(
    history: &SessionHistory,
    run: &HeaderInvocation,
    input: RunInput,
    common: &CommonArgs,
) -> Result<RunPlan, CommandFailure> {
    let common = CommonArgs {
        jobs: common.jobs.or(run.jobs),
        ..common.clone()
    };
    let mut plan = RunPlan::new(input, TestSpec::from_recorded(run), &common);
    plan.options = recorded_options(&history.header)?;
    plan.other_status = run.also;
    (plan.verdicts, plan.offline) = (run.verdicts.clone(), run.offline);
    plan.candidates = run.candidates.clone();
    plan.isolation = plan.isolation.with_recorded(run.isolation);
    plan.output_choice = OutputChoice::Resumed(EarlierOutput {
        named: run.output.clone(),
        link_target: run.output_link.clone(),
        in_place: run.in_place,
    });
    let files = history.header.files.iter();
    plan.languages = files.map(recorded_language).collect::<Result<_, _>>()?;
    plan.canonical = history.header.canonical;
    plan.objective = recorded_objective(&history.header, plan.main_language())?;
    plan.notes.extend(history.journal.damage_note());
    plan.notes.extend(describe_environment_changes(run));
    Ok(plan)
}

/// Tests the newest version, and opens what the run needs to replay the session.
fn restart(
    history: &SessionHistory,
    run: &HeaderInvocation,
    plan: &RunPlan,
    prepared: &mut PreparedRun,
    output: Box<dyn ResultPlace>,
    claimed: ClaimedSession,
) -> Result<RunStart, CommandFailure> {
    let version = read_version(&prepared.input, &plan.languages)?;
    let version = version
        .with_objective(plan.objective.clone())
        .keeping_layout(plan.canonical);
    let kept = history.versions.kept;
    let texts = kept_texts(history)?;
    let limits = history.recorded_property().limit.current_limits();
    let files = prepared.input.files_with_texts(texts.iter().cloned());
    let flakiness = match &prepared.offline {
        Some(known) => {
            let what = "the newest version of this session";
            let paths = prepared.input.test_paths();
            PreparedRun::ensure_recorded(&**known, &paths, &files, what, None)?;
            None
        }
        None => prepared.retest_version(&files, limits, recorded_quorum(history))?,
    };
    let fingerprint = current_fingerprint(history, prepared);
    let divergence = describe_divergence(history, &fingerprint);
    let mut notes = Vec::new();
    // The known verdicts are those for the current property.
    let cache = plan.cache.as_deref();
    let store = build_store(cache, prepared, history, &fingerprint, &mut notes);
    // The run begins with its first property; the replay repeats later changes.
    if let Some(property) = run.property.clone() {
        prepared.use_property(property)?;
    }
    let journal_path = claimed.session.journal_path();
    let journal = JournalFile::open_to_append(&journal_path, &history.journal).or_fail(USAGE)?;
    let journal = journal.with_fingerprint(fingerprint);
    let extension = Path::new(prepared.input.main_file().file_name()).extension();
    let candidates = plan.candidates.as_deref();
    let candidates = candidates.map(|path| CandidateDirectory::reopen(path, extension));
    let candidates = candidates.transpose().or_fail(USAGE)?;
    let in_place = back_up_project(plan, prepared, &*output, Some(&history.versions))?;
    notes.extend(in_place.as_ref().map(InPlaceProject::announce));
    let written = output.write_resumed(&texts, &|texts| history.versions.contains_texts(texts));
    notes.extend(written.or_fail(FAILED)?);
    let mut script =
        reduce::parse_recorded_script(&history.remaining_script().join("\n")).or_fail(USAGE)?;
    if let Some(flakiness) = flakiness {
        notes.push(flakiness);
        let confirm = EngineCommand::Confirm(Quorum::SURE);
        script.insert(0, (ScriptTrigger::Start, confirm));
    }
    if plan.front_end != FrontEnd::Json {
        print_resume(history, &claimed, divergence.as_deref());
    }
    Ok(RunStart {
        output,
        in_place,
        version,
        limit: history.header.limit.initial_limit(),
        original_time: match history.header.limit {
            HeaderLimit::Original { time_ns, .. } => Duration::from_nanos(time_ns),
            HeaderLimit::Fixed(_) | HeaderLimit::Hang(_) => Duration::ZERO,
        },
        script,
        journals: RunJournals {
            synced: Some(journal.sync_handle()),
            journals: JournalSet(vec![journal]),
            session: Some(claimed),
        },
        written_version: kept,
        resume: Some(history.build_resume(divergence)),
        paused_time: history.journal.paused_duration(),
        store: Some(store),
        candidates,
        notice: None,
        notes,
    })
}

/// Says what is replayed.
fn print_resume(history: &SessionHistory, claimed: &ClaimedSession, divergence: Option<&str>) {
    let versions = format_count(
        history.versions.all_versions().count() as u64 - 1,
        "version",
    );
    let begins = match divergence {
        Some(why) => format!("{why}; the versions so far are kept: {versions}"),
        None => format!(
            "{} and {versions} are replayed, without a test",
            format_count(history.decisions, "decision")
        ),
    };
    ConsoleWriter::stdout().write_line(&format!(
        "lop: session {}: {begins}",
        claimed.session.name().escape_hidden()
    ));
}
