//! A reduction from its command line to its exit status.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::cache;
use super::front_end::{self, FrontEnd, StartedRun};
use super::header::{HeaderSource, to_header_limit};
use super::initial_commands::InitialCommands;
use super::language_choice;
use super::prepared_run::PreparedRun;
use super::reading::PendingRead;
use super::sanity_checks::check_sanity;
use super::test_spec::TestSpec;
use crate::cli::args::{CommonArgs, ReduceArgs};
use crate::cli::args::{IsolationArgs, ScreenSettings};
use crate::cli::failure::{CommandFailure, FAILED, OrFail, USAGE};
use crate::cli::session_lookup::session_argument;
use crate::display::sanitize_line;
use crate::language::parser::ParseTree;
use crate::language::{self, Language};
use crate::minimize;
use crate::oracle::LimitPolicy;
use crate::pass;
use crate::plain::{ConsoleWriter, RunHeader, quote_path_for_display};
use crate::program::Version;
use crate::reduce::{
    self, EngineCommand, OtherFailureKeeper, Quorum, ResumePlan, RunSetup, ScriptTrigger,
    VerdictStore,
};
use crate::session::journal::{JournalFile, JournalHeader, JournalSet, JournalSyncHandle};
use crate::session::session_directory::{self, ClaimedSession, SessionDirectory};
use crate::session::{
    FailureCriterion, OtherFailureDirectory, OutputChoice, OutputFile, OutputWriter,
};
use crate::tui::setup::ScreenSetup as Screen;

/// Whether a session is kept of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionChoice {
    /// In a directory of its own, where all of them are.
    New,
    /// In this directory.
    At(PathBuf),
    /// No session.
    NoSession,
}

/// All that a reduction is told.
pub struct ReductionPlan {
    pub file: PathBuf,
    pub test_spec: TestSpec,
    pub output_choice: OutputChoice,
    pub limit: LimitPolicy,
    pub allow_empty: bool,
    pub options: pass::PassOptions,
    /// None for lines and tokens.
    pub language: Option<&'static Language>,
    pub front_end: FrontEnd,
    /// What the command line says of the screen.
    pub settings: ScreenSettings,
    pub scratch: Option<PathBuf>,
    /// Where verdicts are kept for other runs.
    pub cache: Option<PathBuf>,
    /// What the command line says of the care for tests.
    pub isolation: IsolationArgs,
    /// Sentences to begin with.
    pub notes: Vec<String>,
    /// What the screen tells at its start, of these.
    pub notice: Option<String>,
    /// Whether the screen waits for the user before anything is asked.
    pub start_paused: bool,
    /// What the user does from the start.
    pub initial_commands: InitialCommands,
    /// Where everything is written down besides.
    pub journal: Option<PathBuf>,
    /// Whether there is a session, and where.
    pub session: SessionChoice,
    /// How many tests run at a time.
    pub jobs: usize,
    /// The test's exit status for another failure, of which candidates are kept.
    pub other_status: Option<i32>,
    /// How many runs of the test must say yes.
    pub confirm: Option<Quorum>,
    /// What to do with the result, for the screen's last page.
    pub next_steps: Vec<String>,
}

impl ReductionPlan {
    /// What `lop FILE TEST` says.
    pub fn from_args(
        file: &Path,
        given: TestSpec,
        reduce: &ReduceArgs,
    ) -> Result<ReductionPlan, CommandFailure> {
        let mut plan = ReductionPlan::new(file.to_path_buf(), given, &reduce.common);
        plan.output_choice = reduce.output_choice();
        plan.limit = reduce.timeout.unwrap_or(plan.limit);
        plan.allow_empty = reduce.allow_empty;
        plan.options = pass::find_strategy(&reduce.strategy)
            .map_or(plan.options, pass::PassOptions::from_strategy);
        if let Some(kind) = reduce
            .minimizer
            .as_deref()
            .and_then(minimize::find_minimizer)
        {
            plan.options.minimizer = kind;
        }
        if let (Some(part), false) = (
            reduce.without.first(),
            plan.options.strategy.name == pass::STRATEGIES[0].name,
        ) {
            let what = format!(
                "--without {part} is about the strategy {}: go without it, or without --strategy {}",
                pass::STRATEGIES[0].name,
                reduce.strategy
            );
            return Err(CommandFailure::new(USAGE, what));
        }
        for part in &reduce.without {
            let without = plan.options.disabled_features;
            plan.options.disabled_features = without.with_named(part).unwrap_or(without);
        }
        plan.language = language_choice::choose_language(
            file,
            reduce.language.as_deref(),
            reduce.grammar.as_deref(),
        )?;
        plan.other_status = reduce.also_interesting;
        plan.confirm = reduce.confirm;
        plan.initial_commands = InitialCommands::from_args(reduce);
        plan.journal = reduce.journal.clone();
        plan.session = match &reduce.session {
            _ if reduce.no_session => SessionChoice::NoSession,
            Some(directory) => SessionChoice::At(directory.clone()),
            None => SessionChoice::New,
        };
        Ok(plan)
    }

    /// A reduction with nothing special about it.
    pub fn new(file: PathBuf, given: TestSpec, common: &CommonArgs) -> ReductionPlan {
        ReductionPlan {
            output_choice: OutputChoice::Beside,
            limit: LimitPolicy::adaptive(),
            allow_empty: false,
            options: pass::PassOptions::default(),
            language: language::by_path(&file),
            initial_commands: InitialCommands::default(),
            journal: None,
            session: SessionChoice::NoSession,
            jobs: match common.jobs {
                Some(jobs) => jobs.into(),
                None => std::thread::available_parallelism().map_or(1, usize::from),
            },
            front_end: FrontEnd::from_args(common),
            settings: common.settings.clone(),
            scratch: common.scratch.clone(),
            cache: common.cache.clone(),
            isolation: common.isolation.clone(),
            notes: Vec::new(),
            notice: None,
            start_paused: false,
            other_status: None,
            confirm: None,
            next_steps: Vec::new(),
            file,
            test_spec: given,
        }
    }

    /// Reduces; the exit status.
    pub fn run(mut self) -> Result<u8, CommandFailure> {
        if self.front_end != FrontEnd::Json {
            let mut out = ConsoleWriter::stdout();
            self.notes
                .drain(..)
                .for_each(|note| out.write_line(&format!("lop: {}", sanitize_line(&note))));
        }
        let setup = self.settings.setup_for(self.front_end).or_fail(USAGE)?;
        let input = PreparedRun::read_input(&self.file)?;
        let scratch = self.scratch.as_deref();
        let ready =
            PreparedRun::from_input(input, &self.test_spec, scratch, &self.isolation, self.jobs)?;
        let output = OutputFile::claim_path(&self.output_choice, &ready.input, ready.script_path())
            .or_fail(USAGE)?;
        let reading = PendingRead::start(&ready.input, self.language)?;
        self.start_run(ready, output, reading, setup)
    }

    /// The journals of the run: that of its session, and the one that was asked for.
    fn open_journals(
        &mut self,
        header: &JournalHeader,
        file: &str,
    ) -> Result<RunJournals, CommandFailure> {
        let mut kept = RunJournals::default();
        let claimed = match &self.session {
            SessionChoice::NoSession => None,
            SessionChoice::At(directory) => {
                Some(SessionDirectory::create(directory).or_fail(USAGE)?)
            }
            SessionChoice::New => self.create_session(file),
        };
        if let Some(claimed) = claimed {
            match JournalFile::create(&claimed.session.journal_path(), header) {
                Ok(journal) => {
                    kept.synced = Some(journal.sync_handle());
                    kept.journals.0.push(journal);
                    kept.session = Some(claimed);
                }
                Err(error) => {
                    claimed.abandon();
                    self.note_missing_session(&error);
                }
            }
        }
        if let Some(path) = &self.journal {
            let journal = JournalFile::create(path, header).or_fail(USAGE);
            let journal = journal.inspect_err(|_| kept.abandon_session())?;
            kept.journals.0.push(journal);
        }
        Ok(kept)
    }

    fn create_session(&mut self, file: &str) -> Option<ClaimedSession> {
        let Some(sessions) = session_directory::sessions_directory() else {
            self.note_missing_session(&"neither XDG_STATE_HOME nor HOME is set");
            return None;
        };
        match SessionDirectory::create_numbered(&sessions, file) {
            Ok(claimed) => Some(claimed),
            Err(error) => {
                self.note_missing_session(&error);
                None
            }
        }
    }

    fn note_missing_session(&mut self, why: &dyn std::fmt::Display) {
        let note = format!("no session is kept, so this run cannot be gone on with: {why}");
        self.notes.push(note);
    }

    fn start_run(
        mut self,
        mut ready: PreparedRun,
        output: OutputFile,
        reading: PendingRead,
        screen: Screen,
    ) -> Result<u8, CommandFailure> {
        let mut limit = self.limit;
        let adaptive = limit == LimitPolicy::adaptive();
        let first = match &self.test_spec {
            TestSpec::Script(..) => ready.test_original(limit.current_limits(), self.confirm)?,
            TestSpec::Commands(_, wanted) => {
                let found = ready.identify_property(wanted, limit)?;
                limit = found.limit;
                found.run
            }
        };
        limit.on_interesting(first.time, first.cpu);
        let question = ready.preflight_tester();
        let start = to_header_limit(limit, adaptive.then_some(&first));
        if !self.allow_empty {
            self.notice = check_sanity(&question, limit.current_limits(), self.front_end)?;
            self.notes.extend(self.notice.clone());
        }
        if self.front_end == FrontEnd::Screen {
            reading.show_beginning(&ready.test, self.options, screen.clone())?;
        }
        let version = reading.wait_for_version(&ready.signals.received)?;
        let script = self.initial_commands.build_script(&version)?;
        let header = HeaderSource {
            ready: &ready,
            version: &version,
            language: self.language,
            options: self.options,
            script: &script,
            limit: start,
            output: &output,
            choice: &self.output_choice,
            other_status: self.other_status,
        };
        let header = header.to_journal_header();
        let mut kept = self.open_journals(&header, &ready.input.file_name().to_string_lossy())?;
        let store = cache::open_cache(&mut self, &ready, limit);
        let said = output.write_original(&ready.input).or_fail(FAILED);
        self.notes
            .extend(said.inspect_err(|_| kept.abandon_session())?);
        RunLaunch {
            plan: self,
            screen,
            ready,
            output,
            version,
            limit,
            original_time: first.time,
            script,
            journals: kept,
            written_version: 0,
            resume: None,
            paused_time: Duration::ZERO,
            store,
        }
        .run_to_end()
    }
}

/// Where a run is kept.
#[derive(Default)]
pub struct RunJournals {
    pub journals: JournalSet,
    pub synced: Option<JournalSyncHandle>,
    pub session: Option<ClaimedSession>,
}

impl RunJournals {
    /// The run does not begin: there is no session of it.
    fn abandon_session(&mut self) {
        if let Some(session) = self.session.take() {
            session.abandon();
        }
    }
}

/// A run that is about to begin, or to go on.
pub struct RunLaunch {
    pub plan: ReductionPlan,
    pub screen: Screen,
    pub ready: PreparedRun,
    pub output: OutputFile,
    pub version: Version,
    pub limit: LimitPolicy,
    /// What the test took on the original.
    pub original_time: Duration,
    pub script: Vec<(ScriptTrigger, EngineCommand)>,
    pub journals: RunJournals,
    /// The number of the version that the output holds.
    pub written_version: u64,
    pub resume: Option<ResumePlan>,
    /// How long it stood still until then.
    pub paused_time: Duration,
    pub store: Option<Arc<dyn VerdictStore>>,
}

impl RunLaunch {
    /// Runs to the end; the exit status.
    pub fn run_to_end(self) -> Result<u8, CommandFailure> {
        let RunLaunch {
            plan,
            ready,
            output,
            version,
            journals: kept,
            ..
        } = self;
        let runner = ready.start_runner(plan.jobs).or_fail(FAILED)?;
        let PreparedRun { test, scratch, .. } = &ready;
        let crashes = test.property().cloned().map(FailureCriterion::Crashes);
        let also: Vec<FailureCriterion> = plan
            .other_status
            .map(FailureCriterion::Status)
            .into_iter()
            .chain(crashes)
            .collect();
        let others = (!also.is_empty()).then(|| -> Box<dyn OtherFailureKeeper> {
            Box::new(OtherFailureDirectory::beside_output(
                output.named_path(),
                also,
                ready.input.mode,
            ))
        });
        let about = RunHeader {
            file: plan.file,
            language: plan.language.map(|language| language.name.to_owned()),
            tokens: version.token_count(),
            bytes: version.byte_count(),
            faults: count_faults(&version),
            test: test.clone(),
            first: self.original_time,
            limit: self.limit.current_limits().wall,
            output: output.named_path().to_path_buf(),
            scratch: scratch.root_path().to_path_buf(),
            scratch_why: scratch.choice_reason().to_owned(),
            containment: runner.containment().to_string(),
            notes: ready.notes.iter().cloned().chain(plan.notes).collect(),
            cache: plan.cache,
        };
        let RunJournals {
            journals,
            synced,
            session,
        } = kept;
        if let Some(session) = &session {
            output.record_session(&session.session.name());
        }
        // Off the screen there is nobody who could mend a test and tell the run to go on.
        let fail = plan.front_end != FrontEnd::Screen;
        let setup = RunSetup {
            version,
            runner: Box::new(runner),
            limit: self.limit,
            // What is looked for is shown before anything is asked.
            paused: self.resume.is_none()
                && (plan.start_paused || test.property().is_some())
                && !fail,
            property: test.property().cloned(),
            script: self.script,
            stop_on_failure: fail,
            jobs: plan.jobs,
            journal: Box::new(journals),
            options: plan.options,
            store: self.store,
            resume: self.resume,
            confirm: true,
            other_failures: others,
            background_threshold: reduce::BACKGROUND_THRESHOLD,
        };
        let run = reduce::start_run(setup).or_fail(FAILED)?;
        let board = run.board.clone();
        let keeper =
            OutputWriter::start(output, board.clone(), self.written_version, synced.clone());
        let keeper = keeper.or_fail(FAILED)?;
        let show = StartedRun {
            run,
            writer: keeper,
            scratch: ready.scratch.clone(),
            header: about,
            next_steps: plan.next_steps,
            notice: plan.notice,
            paused_time: self.paused_time,
            setup: self.screen,
        };
        let status = front_end::report_run(plan.front_end, show, ready.signals)?;
        let asked = board
            .newest_snapshot()
            .is_none_or(|last| last.counts.decisions > 0);
        // The process ends here, and the system takes back a large program's memory faster than we give it back.
        std::mem::forget(board);
        let Some(session) = session else {
            return Ok(status);
        };
        let is_there = synced.is_none_or(|journal| journal.is_in_place());
        let end = match is_there {
            true => release_session(session, status, asked),
            false => Some(format!(
                "lop: the session {} is not there any more: unless it was moved, nothing can go on with it",
                quote_path_for_display(session.session.path())
            )),
        };
        if let (Some(end), true) = (end, plan.front_end != FrontEnd::Json) {
            ConsoleWriter::stdout().write_line(&end);
        }
        Ok(status)
    }
}

/// Lets go of a session whose run has ended with this status; what there is to say of it. `asked` is whether anything was decided now.
fn release_session(session: ClaimedSession, status: u8, asked: bool) -> Option<String> {
    let place = &session.session;
    let said = match status {
        FAILED => Ok(()),
        _ => place.mark_delivered(),
    };
    if place.is_done() {
        return None;
    }
    if asked || !place.has_no_progress() {
        // One that came to its end, and does not say so, ends at once when it is gone on with.
        let why = said
            .err()
            .map(|error| format!(": that its result is written cannot be kept, as {error}"));
        return Some(format!(
            "lop: `lop resume {}` goes on with it{}",
            session_argument(place),
            why.unwrap_or_default()
        ));
    }
    session.abandon();
    Some("lop: nothing was decided yet, so no session is kept".to_owned())
}

/// How many places of it the parsers do not understand.
fn count_faults(version: &Version) -> u32 {
    let trees = version.parse_trees().iter().flatten();
    trees.map(ParseTree::count_faults).sum()
}
