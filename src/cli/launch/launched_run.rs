//! Launch: journals, cache and output are opened, and the engine starts.

use std::sync::Arc;
use std::time::Duration;

use super::baseline::Baseline;
use super::cache;
use super::contrast::ResultContrast;
use super::front_end::FrontEnd;
use super::header::{HeaderSource, to_header_limit};
use super::journals::RunJournals;
use super::plan::RunPlan;
use super::prepared_run::PreparedRun;
use super::signals::TerminationSignals;
use crate::cli::failure::{CommandFailure, FAILED, OrFail};
use crate::language::parser::ParseTree;
use crate::oracle::{LimitPolicy, ScratchSpace};
use crate::plain::{PairHeader, RunHeader};
use crate::program::Version;
use crate::program::pair::PairSizes;
use crate::reduce::{
    self, EngineCommand, OtherFailureKeeper, ResumePlan, RunHandle, RunSetup, ScriptTrigger,
    VerdictStore,
};
use crate::session::journal::JournalSyncHandle;
use crate::session::session_directory::ClaimedSession;
use crate::session::{
    FailureCriterion, OtherFailureDirectory, OutputWriter, ResultPlace, RunInput,
};
use crate::tui::setup::ScreenSetup;

/// The start of a run, besides its plan and its test.
pub struct RunStart {
    pub output: Box<dyn ResultPlace>,
    pub version: Version,
    pub limit: LimitPolicy,
    /// The time of the test on the original.
    pub original_time: Duration,
    pub script: Vec<(ScriptTrigger, EngineCommand)>,
    pub journals: RunJournals,
    /// The number of the version that the output holds.
    pub written_version: u64,
    /// The decisions to replay in a resumed run.
    pub resume: Option<ResumePlan>,
    /// How long the run was paused before it was resumed.
    pub paused_time: Duration,
    pub store: Option<Arc<dyn VerdictStore>>,
    /// What the screen shows at its start.
    pub notice: Option<String>,
    /// Notes to report before the run.
    pub notes: Vec<String>,
}

impl RunStart {
    /// The start of a new run: creates its journals and writes the original to its output.
    pub fn from_baseline(
        plan: &RunPlan,
        prepared: &PreparedRun,
        baseline: Baseline,
        version: Version,
        output: Box<dyn ResultPlace>,
    ) -> Result<RunStart, CommandFailure> {
        let Baseline {
            original_run,
            limit,
            is_adaptive,
            notices,
        } = baseline;
        let notice = (!notices.is_empty()).then(|| notices.join("; "));
        let mut notes = notices;
        let script = plan.initial_commands.build_script(&version)?;
        let header = HeaderSource {
            prepared,
            version: &version,
            languages: &plan.languages,
            options: plan.options,
            script: &script,
            limit: to_header_limit(limit, is_adaptive.then_some(&original_run)),
            output: &*output,
            choice: &plan.output_choice,
            other_status: plan.other_status,
        };
        let header = header.to_journal_header();
        let file_name = prepared.input.main_file().file_name().to_string_lossy();
        let mut journals = RunJournals::create(plan, &header, &file_name, &mut notes)?;
        let store = cache::open_cache(plan.cache.as_deref(), prepared, limit, &mut notes);
        let written = output.write_original(&prepared.input).or_fail(FAILED);
        notes.extend(written.inspect_err(|_| journals.abandon_session())?);
        Ok(RunStart {
            output,
            version,
            limit,
            original_time: original_run.time,
            script,
            journals,
            written_version: 0,
            resume: None,
            paused_time: Duration::ZERO,
            store,
            notice,
            notes,
        })
    }
}

/// A run whose engine is at work.
pub struct LaunchedRun {
    pub front_end: FrontEnd,
    pub signals: TerminationSignals,
    /// The session that the run is recorded in, and whether its journal is still in its place.
    pub session: Option<ClaimedSession>,
    pub synced: Option<JournalSyncHandle>,
    pub shown: ShownRun,
    /// Compares the result with its neighbours.
    pub contrast: ResultContrast,
}

/// A run as its reporter sees it.
pub struct ShownRun {
    pub run: RunHandle,
    pub writer: OutputWriter,
    /// Where its tests run.
    pub scratch: ScratchSpace,
    pub header: RunHeader,
    /// The title of the screen.
    pub title: String,
    /// Advice on the result, for the screen's last page.
    pub next_steps: Vec<String>,
    /// What the screen shows at its start.
    pub notice: Option<String>,
    /// How long the run was paused before it was resumed.
    pub paused_time: Duration,
    /// The settings of the screen.
    pub setup: ScreenSetup,
}

/// Starts the engine and the writer of its output.
pub fn launch_run(
    plan: RunPlan,
    prepared: PreparedRun,
    start: RunStart,
    screen: ScreenSetup,
) -> Result<LaunchedRun, CommandFailure> {
    let runner = prepared.start_runner(plan.jobs).or_fail(FAILED)?;
    let header = run_header(&plan, &prepared, &start, runner.containment().to_string());
    let other_failures = other_failure_keeper(&plan, &prepared, &*start.output);
    let RunStart {
        output, journals, ..
    } = start;
    let RunJournals {
        journals,
        synced,
        session,
    } = journals;
    if let Some(session) = &session {
        output.record_session(&session.session.name());
    }
    let property = prepared.test.property().cloned();
    // Without a screen the user cannot fix a test and resume the run.
    let stop_on_failure = plan.front_end != FrontEnd::Screen;
    let setup = RunSetup {
        version: start.version,
        runner: Box::new(runner),
        limit: start.limit,
        // The screen shows the property before the first test.
        paused: start.resume.is_none()
            && (plan.start_paused || property.is_some())
            && !stop_on_failure,
        property,
        script: start.script,
        stop_on_failure,
        jobs: plan.jobs,
        journal: Box::new(journals),
        options: plan.options,
        store: start.store,
        resume: start.resume,
        confirm: true,
        other_failures,
        background_threshold: reduce::BACKGROUND_THRESHOLD,
    };
    let journal = session
        .as_ref()
        .map(|session| session.session.journal_path());
    let contrast = ResultContrast::new(&plan, &prepared, journal);
    let run = reduce::start_run(setup).or_fail(FAILED)?;
    let board = run.board.clone();
    let writer = OutputWriter::start(output, board, start.written_version, synced.clone());
    Ok(LaunchedRun {
        front_end: plan.front_end,
        signals: prepared.signals,
        contrast,
        session,
        synced,
        shown: ShownRun {
            run,
            writer: writer.or_fail(FAILED)?,
            scratch: prepared.scratch,
            header,
            title: prepared.input.title(),
            next_steps: plan.next_steps,
            notice: start.notice,
            paused_time: start.paused_time,
            setup: screen,
        },
    })
}

/// The facts about the run that are known before it begins.
fn run_header(
    plan: &RunPlan,
    prepared: &PreparedRun,
    start: &RunStart,
    containment: String,
) -> RunHeader {
    let PreparedRun { test, scratch, .. } = prepared;
    let notes = prepared.notes.iter().chain(&plan.notes).chain(&start.notes);
    RunHeader {
        file: prepared.input.main_file().named.clone(),
        language: plan
            .main_language()
            .map(|language| language.name.to_owned()),
        pair: describe_pair(prepared, &start.version),
        tokens: start.version.token_count(),
        bytes: start.version.byte_count(),
        objective: start.version.objective().clone(),
        faults: count_faults(&start.version),
        test: test.clone(),
        first: start.original_time,
        limit: start.limit.current_limits().wall,
        output: start.output.named_path().to_path_buf(),
        scratch: scratch.root_path().to_path_buf(),
        scratch_why: scratch.choice_reason().to_owned(),
        containment,
        notes: notes.cloned().collect(),
        cache: plan.cache.clone(),
    }
}

/// What a pair has besides its variant.
fn describe_pair(prepared: &PreparedRun, version: &Version) -> Option<PairHeader> {
    let RunInput::Pair([seed, _]) = &prepared.input else {
        return None;
    };
    Some(PairHeader {
        seed: seed.named.clone(),
        sizes: PairSizes::of_version(version)?,
    })
}

/// The keeper of candidates with another failure, if the user or the property defines other failures.
fn other_failure_keeper(
    plan: &RunPlan,
    prepared: &PreparedRun,
    output: &dyn ResultPlace,
) -> Option<Box<dyn OtherFailureKeeper>> {
    if matches!(prepared.input, RunInput::Pair(_)) {
        // Another failure of a variant says nothing without a seed that goes with it.
        return None;
    }
    let crashes = prepared.test.property().cloned();
    let criteria: Vec<FailureCriterion> = plan
        .other_status
        .map(FailureCriterion::Status)
        .into_iter()
        .chain(crashes.map(FailureCriterion::Crashes))
        .collect();
    (!criteria.is_empty()).then(|| -> Box<dyn OtherFailureKeeper> {
        Box::new(OtherFailureDirectory::beside_output(
            output.named_path(),
            criteria,
            prepared.input.main_file().mode,
        ))
    })
}

/// The number of places that do not parse.
fn count_faults(version: &Version) -> u32 {
    let trees = version.parse_trees().iter().flatten();
    trees.map(ParseTree::count_faults).sum()
}
