//! Launch: journals, cache and output are opened, and the engine starts.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::baseline::Baseline;
use super::chosen_runner::ChosenRunner;
use super::contrast::ResultContrast;
use super::failure_place::{NO_PLACE, lacks_place, place_commands};
use super::front_end::FrontEnd;
use super::header::{HeaderSource, hash_test, seconds_since_1970, to_header_limit};
use super::journals::RunJournals;
use super::plan::{LessonPlan, RunPlan};
use super::prepared_run::PreparedRun;
use super::signals::TerminationSignals;
use crate::cli::failure::{CommandFailure, FAILED, OrFail, USAGE};
use crate::display::EscapeHidden;
use crate::external::ProposerGroup;
use crate::oracle::{
    InterestingnessTest, LimitPolicy, ScratchSpace, TestContainment, TestExecutable, Verdict,
};
use crate::plain::{GeneratorHeader, PairHeader, RunHeader, unified_diff};
use crate::program::Version;
use crate::program::pair::PairSizes;
use crate::reduce::{
    self, CandidateKeeper, EngineCommand, OtherFailureKeeper, ProposalSource, Quorum,
    RecordedEvent, ResumePlan, RunAudience, RunHandle, RunSetup, ScriptTrigger, TestResult,
    TestedCandidate, VerdictStore,
};
use crate::session::history::SessionVersions;
use crate::session::journal::JournalSyncHandle;
use crate::session::session_directory::ClaimedSession;
use crate::session::{
    CandidateDirectory, FailureCriterion, FailureForm, InPlaceProject, OtherFailureDirectory,
    OutputWriter, ResultPlace, RunInput,
};
use crate::tui::setup::ScreenSetup;

/// The start of a run, besides its plan and its test.
pub struct RunStart {
    pub output: Box<dyn ResultPlace>,
    /// The files of a project that become those of the result.
    pub in_place: Option<InPlaceProject>,
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
    /// Where tested candidates are kept.
    pub candidates: Option<CandidateDirectory>,
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
            mut notices,
        } = baseline;
        let places = place_commands(plan, prepared, &original_run.output, &version)?;
        if lacks_place(plan, prepared, &places) {
            notices.push(NO_PLACE.into());
        }
        let notice = (!notices.is_empty()).then(|| notices.join("; "));
        let mut notes = notices;
        let script = plan.initial_commands.build_script(places, &version)?;
        let in_place = back_up_project(plan, prepared, &*output, None)?;
        notes.extend(in_place.as_ref().map(InPlaceProject::announce));
        let began = seconds_since_1970();
        let mut candidates = new_candidates(plan, prepared, began)?;
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
            began,
            verdicts: plan.verdicts.as_ref(),
            candidates: candidates.as_ref().map(CandidateDirectory::path),
            offline: plan.offline,
            jobs: plan.asked_jobs,
        };
        let header = header.to_journal_header();
        let file_name = prepared.input.main_file().file_name().to_string_lossy();
        let mut journals = RunJournals::create(plan, &header, &file_name, &mut notes)?;
        let store = match &prepared.offline {
            Some(all) => Some(all.clone()),
            None => prepared.known_verdicts(plan.cache.as_deref(), limit, &mut notes),
        };
        if let Some(store) = &store {
            // A later run without tests needs it too.
            let limits = limit.current_limits();
            let result = TestResult::from_run(Verdict::Interesting, &original_run, limits);
            notes.extend(store.store_result(version.content_hash(), result));
        }
        if let Some(kept) = &mut candidates {
            notes.push(format!(
                "tested candidates are kept in {}",
                kept.path().escape_hidden()
            ));
            notes.extend(kept.keep_candidate(&TestedCandidate {
                decision: 0,
                text: &prepared.input.main_file().bytes,
                verdict: Verdict::Interesting,
                output: &original_run.output,
            }));
        }
        let written = output.write_original(&prepared.input).or_fail(FAILED);
        notes.extend(written.inspect_err(|_| journals.abandon_session())?);
        Ok(RunStart {
            output,
            in_place,
            version,
            limit,
            original_time: original_run.time,
            script,
            journals,
            written_version: 0,
            resume: None,
            paused_time: Duration::ZERO,
            store,
            candidates,
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
    /// The files of a project that become those of the result.
    pub in_place: Option<InPlaceProject>,
}

/// A run as its reporter sees it.
pub struct ShownRun {
    pub run: RunHandle,
    /// Who looks at it.
    pub audience: RunAudience,
    pub writer: OutputWriter,
    /// Where its tests run.
    pub scratch: ScratchSpace,
    pub header: RunHeader,
    /// The title of the screen.
    pub title: String,
    /// The numbers of the files that are symbolic links.
    pub links: Vec<usize>,
    /// Advice on the result, for the screen's last page.
    pub next_steps: Vec<String>,
    /// What the screen shows at its start.
    pub notice: Option<String>,
    /// How long the run was paused before it was resumed.
    pub paused_time: Duration,
    /// The settings of the screen.
    pub setup: ScreenSetup,
    /// Whether it stays at its end, and goes on from there when the user commands something.
    pub can_go_on: bool,
    /// The lesson that it is played for.
    pub lesson: Option<LessonPlan>,
    /// Whether the user guesses before each verdict of a single step.
    pub guess: bool,
}

/// Starts the engine and the writer of its output.
pub fn launch_run(
    plan: RunPlan,
    prepared: PreparedRun,
    chosen: ChosenRunner,
    mut start: RunStart,
    screen: ScreenSetup,
) -> Result<LaunchedRun, CommandFailure> {
    let ChosenRunner {
        runner,
        containment,
        jobs,
        farm,
        note,
    } = chosen;
    start.notes.extend(note);
    let header = run_header(&plan, &prepared, &start, containment.as_ref());
    let other_failures = other_failure_keeper(&plan, &prepared, &*start.output);
    let RunStart {
        output,
        journals,
        in_place,
        ..
    } = start;
    let RunJournals {
        mut journals,
        synced,
        session,
    } = journals;
    if let Some(session) = &session {
        output.record_session(&session.session.name());
    }
    let property = prepared.test.property().cloned();
    for journal in &mut journals.0 {
        let test = prepared.test.clone();
        journal.set_test_hash(Arc::new(move || {
            let script = test.script().map(TestExecutable::path);
            hash_test(script, test.stages()).0
        }));
    }
    // Without a screen, or without a test, the user cannot fix the test and resume the run.
    // A lesson has its own.
    let has_user = plan.front_end == FrontEnd::Screen || plan.lesson.is_some();
    let audience = match has_user && !plan.offline {
        true => RunAudience::resident(),
        false => RunAudience::default(),
    };
    let stays_at_end = plan.front_end == FrontEnd::Screen && !plan.offline;
    // Who guesses does so from the first question on.
    let guesses = plan.settings.guess && plan.front_end == FrontEnd::Screen;
    let setup = RunSetup {
        version: start.version,
        runner,
        limit: start.limit,
        // The screen shows the property before the first test.
        paused: start.resume.is_none()
            && (plan.start_paused || property.is_some() || guesses)
            && audience.is_present(),
        property,
        script: start.script,
        audience: audience.clone(),
        stays_at_end,
        jobs,
        farm,
        journal: Box::new(journals),
        options: plan.options,
        store: start.store,
        resume: start.resume,
        confirm: true,
        other_failures,
        candidates: start
            .candidates
            .map(|kept| -> Box<dyn CandidateKeeper> { Box::new(kept) }),
        proposals: start_proposers(&plan)?,
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
        in_place,
        shown: ShownRun {
            run,
            audience,
            writer: writer.or_fail(FAILED)?,
            scratch: prepared.scratch,
            header,
            title: prepared.input.title(),
            links: prepared.input.links(),
            next_steps: plan.next_steps,
            notice: start.notice,
            paused_time: start.paused_time,
            setup: screen,
            can_go_on: stays_at_end,
            lesson: plan.lesson,
            guess: plan.settings.guess,
        },
    })
}

/// The programs that propose candidates; none where there are none.
fn start_proposers(plan: &RunPlan) -> Result<Option<Box<dyn ProposalSource>>, CommandFailure> {
    if plan.proposers.commands.is_empty() {
        return Ok(None);
    }
    let language = plan.main_language().map(|language| language.name);
    let group = ProposerGroup::start(&plan.proposers, language).map_err(|error| {
        CommandFailure::new(
            FAILED,
            format!("a program of --propose cannot be started: {error}"),
        )
    })?;
    Ok(Some(Box::new(group)))
}

/// The originals of a project that is reduced where it is, copied before anything of it can change. `earlier` are the versions of a run that
/// is resumed.
pub fn back_up_project(
    plan: &RunPlan,
    prepared: &PreparedRun,
    output: &dyn ResultPlace,
    earlier: Option<&SessionVersions>,
) -> Result<Option<InPlaceProject>, CommandFailure> {
    let project = prepared.input.project();
    let project = project.filter(|_| plan.output_choice.is_in_place());
    project
        .map(|project| InPlaceProject::back_up(project, output.named_path(), unified_diff, earlier))
        .transpose()
        .or_fail(USAGE)
}

/// A new directory for the candidates of the run, if they are wanted.
fn new_candidates(
    plan: &RunPlan,
    prepared: &PreparedRun,
    began: u64,
) -> Result<Option<CandidateDirectory>, CommandFailure> {
    let extension = Path::new(prepared.input.main_file().file_name()).extension();
    let parent = plan.candidates.as_deref();
    parent
        .map(|parent| CandidateDirectory::create(parent, began, extension).or_fail(USAGE))
        .transpose()
}

impl RunStart {
    /// Whether one run of the test decides about a candidate when the run begins, or where a resumed one continues.
    fn begins_with_one_run(&self) -> bool {
        let recorded = self.resume.iter().flat_map(|resume| &resume.events);
        let recorded = recorded.filter_map(|event| match event {
            RecordedEvent::Command { command, .. } => Some(command),
            _ => None,
        });
        let at_start = |(trigger, _): &&(ScriptTrigger, _)| *trigger == ScriptTrigger::Start;
        let given = self.script.iter().filter(at_start);
        let commands = recorded.chain(given.map(|(_, command)| command));
        let mut quorums = commands.filter_map(|command| match command {
            EngineCommand::Confirm(quorum) => Some(*quorum),
            _ => None,
        });
        quorums.next_back().is_none_or(|last| last == Quorum::ONCE)
    }
}

/// The facts about the run that are known before it begins.
fn run_header(
    plan: &RunPlan,
    prepared: &PreparedRun,
    start: &RunStart,
    containment: Option<&TestContainment>,
) -> RunHeader {
    let PreparedRun { test, scratch, .. } = prepared;
    let notes = prepared.notes.iter().chain(&plan.notes).chain(&start.notes);
    RunHeader {
        file: prepared.input.main_file().named.clone(),
        language: describe_languages(plan),
        files: prepared
            .input
            .project()
            .map(|project| project.files().len() as u32),
        pair: describe_pair(prepared, &start.version),
        tokens: start.version.token_count(),
        bytes: start.version.byte_count(),
        objective: start.version.objective().clone(),
        faults: count_faults(&start.version),
        test: test.clone(),
        first: start.original_time,
        limit: start.limit.current_limits().wall,
        hang_limit: start.limit.hang_limit(),
        generator: describe_generator(&prepared.test, &*start.output),
        output: start.output.named_path().to_path_buf(),
        scratch: scratch.root_path().to_path_buf(),
        scratch_why: scratch.choice_reason().to_owned(),
        containment: containment
            .map(TestContainment::to_string)
            .unwrap_or_default(),
        server_stays: containment.is_some_and(TestContainment::has_helper)
            && start.begins_with_one_run(),
        notes: notes.cloned().collect(),
        offline: plan.offline,
        cache: match (&plan.verdicts, &plan.cache) {
            (Some(verdicts), None) => Some(verdicts.directory.clone()),
            (None, cache) => cache.clone(),
            (Some(_), Some(_)) => None,
        },
    }
}

/// The languages of the files, each once; none without a grammar.
fn describe_languages(plan: &RunPlan) -> Option<String> {
    let languages = plan.languages.iter().flatten();
    let mut names: Vec<&str> = languages.map(|language| language.name).collect();
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then(|| names.join(", "))
}

/// The generator of a sequence of choices, and where the program of the result goes.
fn describe_generator(
    test: &InterestingnessTest,
    output: &dyn ResultPlace,
) -> Option<GeneratorHeader> {
    let (stage, name) = test.generator()?;
    Some(GeneratorHeader {
        line: stage.line.to_string(),
        name: name.to_path_buf(),
        program: output.program_path()?.to_path_buf(),
    })
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
    if prepared.test.generator().is_some() {
        // A sequence is no program to reduce.
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
            FailureForm::new(&prepared.input, output.named_path(), unified_diff),
        ))
    })
}

/// The number of places that do not parse.
fn count_faults(version: &Version) -> u32 {
    let trees = version.parse_trees().iter().flatten();
    trees.map(|parse| parse.count_faults()).sum()
}
