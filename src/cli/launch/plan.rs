//! Plan: all options of a run, from the command line or from the session that it resumes.

use std::path::PathBuf;
use std::sync::Arc;

use super::front_end::FrontEnd;
use super::initial_commands::InitialCommands;
use super::language_choice;
use super::pass_choice::{choose_minimizer, choose_pass_options};
use super::record_options;
use super::test_spec::TestSpec;
use crate::cli::args::{
    CommonArgs, IsolationArgs, ReduceArgs, RemoteArgs, RunArgs, ScreenSettings, job_count,
};
use crate::cli::failure::{CommandFailure, OrFail, USAGE};
use crate::config::ConfigErrors;
use crate::display::{ConsoleWriter, sanitize_line};
use crate::external::ProposerSettings;
use crate::language::Language;
use crate::lesson::Lesson;
use crate::oracle::LimitPolicy;
use crate::pass::{self, PassOptions, STRATEGIES, Strategy};
use crate::program::Objective;
use crate::reduce::Quorum;
use crate::session::journal::HeaderVerdicts;
use crate::session::{OutputChoice, RunInput};
use crate::tui::setup::ScreenSetup;

/// Whether a session is kept of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionChoice {
    /// In a new directory in the usual place.
    New,
    /// In this directory.
    At(PathBuf),
    /// No session.
    NoSession,
}

/// A lesson that a run is played for.
#[derive(Clone, Debug)]
pub struct LessonPlan {
    pub lesson: Arc<Lesson>,
    /// Whether it is told where there is no screen.
    pub is_told: bool,
}

/// All options of a run.
pub struct RunPlan {
    /// The files to reduce.
    pub input: RunInput,
    /// The language of each; none for lines and tokens.
    pub languages: Vec<Option<&'static Language>>,
    pub test_spec: TestSpec,
    pub output_choice: OutputChoice,
    pub limit: LimitPolicy,
    pub allow_empty: bool,
    pub options: PassOptions,
    /// What the run makes smaller.
    pub objective: Objective,
    /// Whether all versions are in canonical form.
    pub canonical: bool,
    pub front_end: FrontEnd,
    /// The settings of the screen on the command line.
    pub settings: ScreenSettings,
    pub scratch: Option<PathBuf>,
    /// Where verdicts are kept for other runs.
    pub cache: Option<PathBuf>,
    /// The recorded verdicts that it uses.
    pub verdicts: Option<HeaderVerdicts>,
    /// Where a directory for its candidates is made; of a resumed run, the directory itself.
    pub candidates: Option<PathBuf>,
    /// The programs that propose candidates.
    pub proposers: ProposerSettings,
    /// Whether it starts no test.
    pub offline: bool,
    /// Resource limits and the sandbox of tests.
    pub isolation: IsolationArgs,
    /// The farm that runs tests too.
    pub remote: RemoteArgs,
    /// Sentences to report before the run.
    pub notes: Vec<String>,
    /// Whether the screen waits for the user before the first test.
    pub start_paused: bool,
    /// The steering commands at the start.
    pub initial_commands: InitialCommands,
    /// The path of an additional journal.
    pub journal: Option<PathBuf>,
    /// Whether there is a session, and where.
    pub session: SessionChoice,
    /// How many tests run at a time.
    pub jobs: usize,
    /// How many the user wanted; none for as many as there are processors.
    pub asked_jobs: Option<u16>,
    /// The exit status that means another failure, of which candidates are kept.
    pub other_status: Option<i32>,
    /// How many runs of the test must pass.
    pub confirm: Option<Quorum>,
    /// Advice on the result, for the screen's last page.
    pub next_steps: Vec<String>,
    /// The lesson that it is played for.
    pub lesson: Option<LessonPlan>,
}

impl RunPlan {
    /// The plan of `lop FILE TEST`.
    pub fn from_args(
        input: RunInput,
        test_spec: TestSpec,
        reduce: &ReduceArgs,
    ) -> Result<RunPlan, CommandFailure> {
        let is_sequence = test_spec.has_generator();
        let options = choose_pass_options(reduce, is_sequence)?;
        let mut plan = RunPlan::with_options(input, test_spec, options, &reduce.run)?;
        match is_sequence {
            true => plan.languages = vec![None],
            false => language_choice::check_strategy(options.strategy, plan.main_language())?,
        }
        plan.options.keeps_text =
            plan.front_end == FrontEnd::Screen && !options.strategy.strata.is_empty();
        plan.output_choice = reduce.output_choice();
        plan.objective = match is_sequence {
            true => Objective::Choices,
            false => {
                Objective::parse_name(&reduce.objective, plan.main_language()).or_fail(USAGE)?
            }
        };
        plan.canonical = reduce.canonical;
        plan.other_status = reduce.also_interesting;
        plan.verdicts = record_options::chosen_verdicts(reduce);
        plan.candidates = reduce.record.save_candidates.clone();
        plan.offline = reduce.record.offline;
        plan.remote = reduce.remote.clone();
        Ok(plan)
    }

    /// The plan for a seed and a variant, by a strategy for pairs.
    pub fn for_pair(
        input: RunInput,
        test_spec: TestSpec,
        strategy: &'static Strategy,
        run: &RunArgs,
    ) -> Result<RunPlan, CommandFailure> {
        let mut options = PassOptions::from_strategy(strategy);
        choose_minimizer(&mut options, run);
        let mut plan = RunPlan::with_options(input, test_spec, options, run)?;
        plan.objective = Objective::Pair;
        Ok(plan)
    }

    /// A plan with the options that all reductions have.
    fn with_options(
        input: RunInput,
        test_spec: TestSpec,
        options: PassOptions,
        run: &RunArgs,
    ) -> Result<RunPlan, CommandFailure> {
        let strategy = options.strategy;
        if run.slice.is_some() && !strategy.has_pass(pass::SLICES.name) {
            let what = format!(
                "--slice is for strategies with slices, and {} has none: leave it out, or add --strategy {}",
                strategy.name, STRATEGIES[0].name
            );
            return Err(CommandFailure::new(USAGE, what));
        }
        let mut plan = RunPlan::new(input, test_spec, &run.common);
        plan.languages = language_choice::choose_languages(
            &plan.input,
            run.language.as_deref(),
            run.grammar.as_deref(),
        )?;
        plan.limit = run.timeout.unwrap_or(plan.limit);
        plan.proposers = run.propose.to_settings();
        plan.allow_empty = run.allow_empty;
        plan.options = options;
        plan.confirm = run.confirm;
        plan.initial_commands = InitialCommands::from_args(run);
        plan.journal = run.journal.clone();
        plan.session = match &run.session {
            _ if run.no_session => SessionChoice::NoSession,
            Some(directory) => SessionChoice::At(directory.clone()),
            None => SessionChoice::New,
        };
        Ok(plan)
    }

    /// A plan with the default options.
    pub fn new(input: RunInput, test_spec: TestSpec, common: &CommonArgs) -> RunPlan {
        let files = input.files().iter();
        RunPlan {
            languages: files.map(language_choice::language_by_name).collect(),
            output_choice: OutputChoice::Beside,
            limit: LimitPolicy::adaptive(),
            allow_empty: false,
            options: PassOptions::default(),
            objective: Objective::default(),
            canonical: false,
            initial_commands: InitialCommands::default(),
            journal: None,
            session: SessionChoice::NoSession,
            jobs: job_count(common.jobs),
            asked_jobs: common.jobs,
            front_end: FrontEnd::from_args(common),
            settings: common.settings.clone(),
            scratch: common.scratch.clone(),
            cache: common.cache.clone(),
            verdicts: None,
            candidates: None,
            proposers: ProposerSettings::default(),
            offline: false,
            isolation: common.isolation.clone(),
            remote: RemoteArgs::default(),
            notes: FrontEnd::describe_dumb_terminal(common)
                .into_iter()
                .collect(),
            start_paused: false,
            other_status: None,
            confirm: None,
            next_steps: Vec::new(),
            lesson: None,
            input,
            test_spec,
        }
    }

    /// The language of the main file; none for lines and tokens. Of a project, that of the first file that may change and has one.
    pub fn main_language(&self) -> Option<&'static Language> {
        match self.input.project() {
            None => self.languages.last().copied().flatten(),
            Some(project) => {
                let freedoms = project.freedoms().iter().copied();
                language_choice::project_language(self.languages.iter().copied().zip(freedoms))
            }
        }
    }

    /// The settings of the screen.
    pub fn screen_setup(&self) -> Result<ScreenSetup, ConfigErrors> {
        self.front_end.screen_setup(&self.settings)
    }

    /// Prints the notes, if the output is for people.
    pub fn print_notes(&mut self) {
        if self.front_end != FrontEnd::Json {
            let mut out = ConsoleWriter::stdout();
            self.notes
                .drain(..)
                .for_each(|note| out.write_line(&format!("lop: {}", sanitize_line(&note))));
        }
    }
}
