//! Plan: all options of a run, from the command line or from the session that it resumes.

use std::path::{Path, PathBuf};

use super::front_end::FrontEnd;
use super::initial_commands::InitialCommands;
use super::language_choice;
use super::test_spec::TestSpec;
use crate::cli::args::{CommonArgs, IsolationArgs, ReduceArgs, ScreenSettings, job_count};
use crate::cli::failure::{CommandFailure, OrFail, USAGE};
use crate::config::ConfigErrors;
use crate::display::{ConsoleWriter, sanitize_line};
use crate::language::{self, Language};
use crate::minimize;
use crate::oracle::LimitPolicy;
use crate::pass;
use crate::program::Objective;
use crate::reduce::Quorum;
use crate::session::OutputChoice;
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

/// All options of a run.
pub struct RunPlan {
    pub file: PathBuf,
    pub test_spec: TestSpec,
    pub output_choice: OutputChoice,
    pub limit: LimitPolicy,
    pub allow_empty: bool,
    pub options: pass::PassOptions,
    /// What the run makes smaller.
    pub objective: Objective,
    /// None for lines and tokens.
    pub language: Option<&'static Language>,
    pub front_end: FrontEnd,
    /// The settings of the screen on the command line.
    pub settings: ScreenSettings,
    pub scratch: Option<PathBuf>,
    /// Where verdicts are kept for other runs.
    pub cache: Option<PathBuf>,
    /// Resource limits and the sandbox of tests.
    pub isolation: IsolationArgs,
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
    /// The exit status that means another failure, of which candidates are kept.
    pub other_status: Option<i32>,
    /// How many runs of the test must pass.
    pub confirm: Option<Quorum>,
    /// Advice on the result, for the screen's last page.
    pub next_steps: Vec<String>,
}

impl RunPlan {
    /// The plan of `lop FILE TEST`.
    pub fn from_args(
        file: &Path,
        test_spec: TestSpec,
        reduce: &ReduceArgs,
    ) -> Result<RunPlan, CommandFailure> {
        let mut plan = RunPlan::new(file.to_path_buf(), test_spec, &reduce.common);
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
                "--without {part} is for the strategy {}: leave it out, or leave out --strategy {}",
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
        plan.objective = Objective::parse_name(&reduce.objective, plan.language).or_fail(USAGE)?;
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

    /// A plan with the default options.
    pub fn new(file: PathBuf, test_spec: TestSpec, common: &CommonArgs) -> RunPlan {
        RunPlan {
            output_choice: OutputChoice::Beside,
            limit: LimitPolicy::adaptive(),
            allow_empty: false,
            options: pass::PassOptions::default(),
            objective: Objective::default(),
            language: language::by_path(&file),
            initial_commands: InitialCommands::default(),
            journal: None,
            session: SessionChoice::NoSession,
            jobs: job_count(common.jobs),
            front_end: FrontEnd::from_args(common),
            settings: common.settings.clone(),
            scratch: common.scratch.clone(),
            cache: common.cache.clone(),
            isolation: common.isolation.clone(),
            notes: Vec::new(),
            start_paused: false,
            other_status: None,
            confirm: None,
            next_steps: Vec::new(),
            file,
            test_spec,
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
