//! A reduction from its command line to its exit status.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::args::{Common, Reduce};
use super::empty;
use super::failure::{FAILED, Failure, OrFail, USAGE};
use super::front::{self, Front, Show};
use super::helper;
use super::reading::Reading;
use super::ready::Ready;
use super::settings::Settings;
use super::steering::Steering;
use crate::language::parser::ParseTree;
use crate::language::{self, Language};
use crate::minimize;
use crate::oracle::{Limit, LocalRunner};
use crate::pass;
use crate::plain::{About, Out};
use crate::program::Version;
use crate::reduce::{self, Journal, NoJournal, Setup};
use crate::session::journal::{Header, HeaderFile, HeaderLimit, JournalFile};
use crate::session::{Choice, Input, Keeper, Output};
use crate::tui::setup::Setup as Screen;

/// All that a reduction is told.
pub(super) struct Plan {
    pub file: PathBuf,
    pub test: PathBuf,
    pub choice: Choice,
    pub limit: Limit,
    pub allow_empty: bool,
    pub options: pass::Options,
    /// None for lines and tokens.
    pub language: Option<&'static Language>,
    pub front: Front,
    /// What the command line says of the screen.
    pub settings: Settings,
    pub scratch: Option<PathBuf>,
    /// Sentences to begin with.
    pub notes: Vec<String>,
    /// What the user does from the start.
    pub steering: Steering,
    /// Where everything is written down.
    pub journal: Option<PathBuf>,
    /// How many tests run at a time.
    pub jobs: usize,
    /// What to do with the result, for the screen's last page.
    pub next: Vec<String>,
}

impl Plan {
    /// What `lop FILE TEST` says.
    pub fn of(file: &Path, test: &Path, reduce: &Reduce) -> Plan {
        let mut plan = Plan::new(file.to_path_buf(), test.to_path_buf(), &reduce.common);
        plan.choice = reduce.choice();
        plan.limit = reduce.timeout.unwrap_or(plan.limit);
        plan.allow_empty = reduce.allow_empty;
        plan.options = pass::strategy(&reduce.strategy).map_or(plan.options, pass::Options::of);
        if let Some(kind) = reduce.minimizer.as_deref().and_then(minimize::kind) {
            plan.options.minimizer = kind;
        }
        for part in &reduce.without {
            let without = plan.options.without;
            plan.options.without = without.named(part).unwrap_or(without);
        }
        if let Some(name) = &reduce.language {
            // The name of no language is `text`: the command line lets no other pass.
            plan.language = language::by_name(name);
        }
        plan.steering = Steering::of(reduce);
        plan.journal = reduce.journal.clone();
        plan
    }

    /// A reduction with nothing special about it.
    pub fn new(file: PathBuf, test: PathBuf, common: &Common) -> Plan {
        Plan {
            choice: Choice::Beside,
            limit: Limit::adaptive(),
            allow_empty: false,
            options: pass::Options::default(),
            language: language::by_path(&file),
            steering: Steering::default(),
            journal: None,
            jobs: match common.jobs {
                Some(jobs) => jobs.into(),
                None => std::thread::available_parallelism().map_or(1, usize::from),
            },
            front: Front::choose(common),
            settings: common.settings.clone(),
            scratch: common.scratch.clone(),
            notes: Vec::new(),
            next: Vec::new(),
            file,
            test,
        }
    }

    /// Reduces; the exit status.
    pub fn run(mut self) -> Result<u8, Failure> {
        if self.front != Front::Json {
            let mut out = Out::stdout();
            self.notes
                .drain(..)
                .for_each(|note| out.line(&format!("lop: {note}")));
        }
        let setup = self.settings.setup_for(self.front).or_fail(USAGE)?;
        let ready = Ready::new(&self.file, &self.test, self.scratch.as_deref(), self.jobs)?;
        let output = Output::claim(&self.choice, &ready.input, ready.test.path()).or_fail(USAGE)?;
        let reading = Reading::start(&ready.input, self.language)?;
        self.start(ready, output, reading, setup)
    }

    /// The journal that was asked for, begun.
    fn journal(&self, input: &Input, limit: HeaderLimit) -> Result<Box<dyn Journal>, Failure> {
        let Some(path) = &self.journal else {
            return Ok(Box::new(NoJournal));
        };
        let language = self.language.map(|language| language.name);
        let file = HeaderFile::new(Path::new(input.name()), language, &input.bytes);
        let (strategy, minimizer) = (self.options.strategy.name, self.options.minimizer.name);
        let header = Header::new(vec![file], strategy, minimizer, limit)
            .without(self.options.without.names());
        Ok(Box::new(JournalFile::create(path, &header).or_fail(USAGE)?))
    }

    fn start(
        self,
        ready: Ready,
        output: Output,
        reading: Reading,
        setup: Screen,
    ) -> Result<u8, Failure> {
        let Ready {
            input,
            test,
            scratch,
            signals,
        } = &ready;
        let question = ready.question();
        let mut limit = self.limit;
        let adaptive = limit == Limit::adaptive();
        let first = question.original(limit.current())?;
        limit.interesting(first.time, first.cpu);
        let nanoseconds = |time: Duration| time.as_nanos() as u64;
        let allowed = match adaptive {
            true => HeaderLimit::Original {
                time_ns: nanoseconds(first.time),
                cpu_ns: first.cpu.map(nanoseconds),
            },
            false => HeaderLimit::Fixed(nanoseconds(limit.current().wall.unwrap_or_default())),
        };
        if !self.allow_empty && question.empty(limit.current())? {
            empty::confirm(self.front, &signals.heard)?;
        }
        if self.front == Front::Screen {
            reading.show(test.path(), self.options, setup.clone())?;
        }
        let version = reading.wait(&signals.heard)?;
        let script = self.steering.script(&version)?;
        let journal = self.journal(input, allowed)?;
        let helper = helper();
        let runner = LocalRunner::new(test.clone(), scratch.clone(), self.jobs, helper.as_deref())
            .or_fail(FAILED)?;
        let mut notes = self.notes;
        notes.extend(output.prepare(input).or_fail(FAILED)?);
        let about = About {
            file: self.file,
            language: self.language.map(|language| language.name.to_owned()),
            tokens: version.tokens(),
            bytes: version.bytes(),
            faults: faults(&version),
            test: test.path().to_path_buf(),
            first: first.time,
            limit: limit.current().wall,
            output: output.named().to_path_buf(),
            scratch: scratch.root().to_path_buf(),
            scratch_why: scratch.why().to_owned(),
            containment: runner.containment().to_string(),
            notes,
        };
        // Off the screen there is nobody who could mend a test and tell the run to go on.
        let fail = self.front != Front::Screen;
        let start = Setup {
            version,
            runner: Box::new(runner),
            limit,
            paused: false,
            script,
            fail,
            jobs: self.jobs,
            journal,
            options: self.options,
            store: None,
        };
        let run = reduce::start(start).or_fail(FAILED)?;
        let keeper = Keeper::start(output, run.board.clone()).or_fail(FAILED)?;
        front::show(
            self.front,
            Show {
                run,
                keeper,
                about,
                next: self.next,
                setup,
            },
            ready.signals,
        )
    }
}

/// How many places of it the parsers do not understand.
fn faults(version: &Version) -> u32 {
    let trees = version.trees().iter().flatten();
    trees.map(ParseTree::faults).sum()
}
