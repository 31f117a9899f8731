//! A reduction from its command line to its exit status.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::args::{Common, Reduce};
use super::cache;
use super::care::CareArgs;
use super::failure::{FAILED, Failure, OrFail, USAGE};
use super::front::{self, Front, Show};
use super::given::Given;
use super::glance::glance;
use super::header::{Start, limit_of};
use super::reading::Reading;
use super::ready::Ready;
use super::resume::call;
use super::settings::Settings;
use super::steering::Steering;
use super::tongue;
use crate::display::tamed;
use crate::language::parser::ParseTree;
use crate::language::{self, Language};
use crate::minimize;
use crate::oracle::Limit;
use crate::pass;
use crate::plain::{About, Out, quoted};
use crate::program::Version;
use crate::reduce::{self, Command, Others, Quorum, Resume, Setup, VerdictStore, When};
use crate::session::journal::{Header, JournalFile, Journals, Synced};
use crate::session::place::{self, Claimed, Place};
use crate::session::{Also, Choice, Keeper, KeptOthers, Output};
use crate::tui::setup::Setup as Screen;

/// Whether a session is kept of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// In a directory of its own, where all of them are.
    New,
    /// In this directory.
    At(PathBuf),
    /// No session.
    Nothing,
}

/// All that a reduction is told.
pub(super) struct Plan {
    pub file: PathBuf,
    pub given: Given,
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
    /// Where verdicts are kept for other runs.
    pub cache: Option<PathBuf>,
    /// What the command line says of the care for tests.
    pub care: CareArgs,
    /// Sentences to begin with.
    pub notes: Vec<String>,
    /// What the screen tells at its start, of these.
    pub notice: Option<String>,
    /// Whether the screen waits for the user before anything is asked.
    pub waits: bool,
    /// What the user does from the start.
    pub steering: Steering,
    /// Where everything is written down besides.
    pub journal: Option<PathBuf>,
    /// Whether there is a session, and where.
    pub session: Keep,
    /// How many tests run at a time.
    pub jobs: usize,
    /// The test's exit status for another failure, of which candidates are kept.
    pub also: Option<i32>,
    /// How many runs of the test must say yes.
    pub confirm: Option<Quorum>,
    /// What to do with the result, for the screen's last page.
    pub next: Vec<String>,
}

impl Plan {
    /// What `lop FILE TEST` says.
    pub fn of(file: &Path, given: Given, reduce: &Reduce) -> Result<Plan, Failure> {
        let mut plan = Plan::new(file.to_path_buf(), given, &reduce.common);
        plan.choice = reduce.choice();
        plan.limit = reduce.timeout.unwrap_or(plan.limit);
        plan.allow_empty = reduce.allow_empty;
        plan.options = pass::strategy(&reduce.strategy).map_or(plan.options, pass::Options::of);
        if let Some(kind) = reduce.minimizer.as_deref().and_then(minimize::kind) {
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
            return Err(Failure::new(USAGE, what));
        }
        for part in &reduce.without {
            let without = plan.options.without;
            plan.options.without = without.named(part).unwrap_or(without);
        }
        plan.language =
            tongue::chosen(file, reduce.language.as_deref(), reduce.grammar.as_deref())?;
        plan.also = reduce.also_interesting;
        plan.confirm = reduce.confirm;
        plan.steering = Steering::of(reduce);
        plan.journal = reduce.journal.clone();
        plan.session = match &reduce.session {
            _ if reduce.no_session => Keep::Nothing,
            Some(directory) => Keep::At(directory.clone()),
            None => Keep::New,
        };
        Ok(plan)
    }

    /// A reduction with nothing special about it.
    pub fn new(file: PathBuf, given: Given, common: &Common) -> Plan {
        Plan {
            choice: Choice::Beside,
            limit: Limit::adaptive(),
            allow_empty: false,
            options: pass::Options::default(),
            language: language::by_path(&file),
            steering: Steering::default(),
            journal: None,
            session: Keep::Nothing,
            jobs: match common.jobs {
                Some(jobs) => jobs.into(),
                None => std::thread::available_parallelism().map_or(1, usize::from),
            },
            front: Front::choose(common),
            settings: common.settings.clone(),
            scratch: common.scratch.clone(),
            cache: common.cache.clone(),
            care: common.care.clone(),
            notes: Vec::new(),
            notice: None,
            waits: false,
            also: None,
            confirm: None,
            next: Vec::new(),
            file,
            given,
        }
    }

    /// Reduces; the exit status.
    pub fn run(mut self) -> Result<u8, Failure> {
        if self.front != Front::Json {
            let mut out = Out::stdout();
            self.notes
                .drain(..)
                .for_each(|note| out.line(&format!("lop: {}", tamed(&note))));
        }
        let setup = self.settings.setup_for(self.front).or_fail(USAGE)?;
        let input = Ready::input(&self.file)?;
        let scratch = self.scratch.as_deref();
        let ready = Ready::of(input, &self.given, scratch, &self.care, self.jobs)?;
        let output = Output::claim(&self.choice, &ready.input, ready.script()).or_fail(USAGE)?;
        let reading = Reading::start(&ready.input, self.language)?;
        self.start(ready, output, reading, setup)
    }

    /// The journals of the run: that of its session, and the one that was asked for.
    fn journals(&mut self, header: &Header, file: &str) -> Result<Kept, Failure> {
        let mut kept = Kept::default();
        let claimed = match &self.session {
            Keep::Nothing => None,
            Keep::At(directory) => Some(Place::create(directory).or_fail(USAGE)?),
            Keep::New => self.new_session(file),
        };
        if let Some(claimed) = claimed {
            match JournalFile::create(&claimed.place.journal(), header) {
                Ok(journal) => {
                    kept.synced = Some(journal.synced());
                    kept.journals.0.push(journal);
                    kept.session = Some(claimed);
                }
                Err(error) => {
                    claimed.abandon();
                    self.no_session(&error);
                }
            }
        }
        if let Some(path) = &self.journal {
            let journal = JournalFile::create(path, header).or_fail(USAGE);
            let journal = journal.inspect_err(|_| kept.abandon())?;
            kept.journals.0.push(journal);
        }
        Ok(kept)
    }

    fn new_session(&mut self, file: &str) -> Option<Claimed> {
        let Some(sessions) = place::sessions() else {
            self.no_session(&"neither XDG_STATE_HOME nor HOME is set");
            return None;
        };
        match Place::create_for(&sessions, file) {
            Ok(claimed) => Some(claimed),
            Err(error) => {
                self.no_session(&error);
                None
            }
        }
    }

    fn no_session(&mut self, why: &dyn std::fmt::Display) {
        let note = format!("no session is kept, so this run cannot be gone on with: {why}");
        self.notes.push(note);
    }

    fn start(
        mut self,
        mut ready: Ready,
        output: Output,
        reading: Reading,
        screen: Screen,
    ) -> Result<u8, Failure> {
        let mut limit = self.limit;
        let adaptive = limit == Limit::adaptive();
        let first = match &self.given {
            Given::Script(..) => ready.original(limit.current(), self.confirm)?,
            Given::Commands(_, wanted) => {
                let found = ready.identify(wanted, limit)?;
                limit = found.limit;
                found.run
            }
        };
        limit.interesting(first.time, first.cpu);
        let question = ready.question();
        let start = limit_of(limit, adaptive.then_some(&first));
        if !self.allow_empty {
            self.notice = glance(&question, limit.current(), self.front)?;
            self.notes.extend(self.notice.clone());
        }
        if self.front == Front::Screen {
            reading.show(&ready.test, self.options, screen.clone())?;
        }
        let version = reading.wait(&ready.signals.heard)?;
        let script = self.steering.script(&version)?;
        let header = Start {
            ready: &ready,
            version: &version,
            language: self.language,
            options: self.options,
            script: &script,
            limit: start,
            output: &output,
            choice: &self.choice,
            also: self.also,
        };
        let header = header.header();
        let mut kept = self.journals(&header, &ready.input.name().to_string_lossy())?;
        let store = cache::open(&mut self, &ready, limit);
        let said = output.prepare(&ready.input).or_fail(FAILED);
        self.notes.extend(said.inspect_err(|_| kept.abandon())?);
        Launch {
            plan: self,
            screen,
            ready,
            output,
            version,
            limit,
            first: first.time,
            script,
            kept,
            written: 0,
            resume: None,
            rested: Duration::ZERO,
            store,
        }
        .launch()
    }
}

/// Where a run is kept.
#[derive(Default)]
pub(super) struct Kept {
    pub journals: Journals,
    pub synced: Option<Synced>,
    pub session: Option<Claimed>,
}

impl Kept {
    /// The run does not begin: there is no session of it.
    fn abandon(&mut self) {
        if let Some(session) = self.session.take() {
            session.abandon();
        }
    }
}

/// A run that is about to begin, or to go on.
pub(super) struct Launch {
    pub plan: Plan,
    pub screen: Screen,
    pub ready: Ready,
    pub output: Output,
    pub version: Version,
    pub limit: Limit,
    /// What the test took on the original.
    pub first: Duration,
    pub script: Vec<(When, Command)>,
    pub kept: Kept,
    /// The number of the version that the output holds.
    pub written: u64,
    pub resume: Option<Resume>,
    /// How long it stood still until then.
    pub rested: Duration,
    pub store: Option<Arc<dyn VerdictStore>>,
}

impl Launch {
    /// Runs to the end; the exit status.
    pub fn launch(self) -> Result<u8, Failure> {
        let Launch {
            plan,
            ready,
            output,
            version,
            kept,
            ..
        } = self;
        let runner = ready.runner(plan.jobs).or_fail(FAILED)?;
        let Ready { test, scratch, .. } = &ready;
        let crashes = test.property().cloned().map(Also::Crashes);
        let also: Vec<Also> = plan
            .also
            .map(Also::Status)
            .into_iter()
            .chain(crashes)
            .collect();
        let others = (!also.is_empty()).then(|| -> Box<dyn Others> {
            Box::new(KeptOthers::beside(output.named(), also, ready.input.mode))
        });
        let about = About {
            file: plan.file,
            language: plan.language.map(|language| language.name.to_owned()),
            tokens: version.tokens(),
            bytes: version.bytes(),
            faults: faults(&version),
            test: test.clone(),
            first: self.first,
            limit: self.limit.current().wall,
            output: output.named().to_path_buf(),
            scratch: scratch.root().to_path_buf(),
            scratch_why: scratch.why().to_owned(),
            containment: runner.containment().to_string(),
            notes: ready.notes.iter().cloned().chain(plan.notes).collect(),
            cache: plan.cache,
        };
        let Kept {
            journals,
            synced,
            session,
        } = kept;
        if let Some(session) = &session {
            output.tell(&session.place.name());
        }
        // Off the screen there is nobody who could mend a test and tell the run to go on.
        let fail = plan.front != Front::Screen;
        let setup = Setup {
            version,
            runner: Box::new(runner),
            limit: self.limit,
            // What is looked for is shown before anything is asked.
            paused: self.resume.is_none() && (plan.waits || test.property().is_some()) && !fail,
            property: test.property().cloned(),
            script: self.script,
            fail,
            jobs: plan.jobs,
            journal: Box::new(journals),
            options: plan.options,
            store: self.store,
            resume: self.resume,
            confirm: true,
            others,
            aside: reduce::ASIDE,
        };
        let run = reduce::start(setup).or_fail(FAILED)?;
        let board = run.board.clone();
        let keeper = Keeper::start(output, board.clone(), self.written, synced.clone());
        let keeper = keeper.or_fail(FAILED)?;
        let show = Show {
            run,
            keeper,
            scratch: ready.scratch.clone(),
            about,
            next: plan.next,
            notice: plan.notice,
            rested: self.rested,
            setup: self.screen,
        };
        let status = front::show(plan.front, show, ready.signals)?;
        let asked = board.newest().is_none_or(|last| last.counts.decisions > 0);
        // The process ends here, and the system takes back a large program's memory faster than we give it back.
        std::mem::forget(board);
        let Some(session) = session else {
            return Ok(status);
        };
        let is_there = synced.is_none_or(|journal| journal.is_there());
        let end = match is_there {
            true => end_session(session, status, asked),
            false => Some(format!(
                "lop: the session {} is not there any more: unless it was moved, nothing can go on with it",
                quoted(session.place.directory())
            )),
        };
        if let (Some(end), true) = (end, plan.front != Front::Json) {
            Out::stdout().line(&end);
        }
        Ok(status)
    }
}

/// Lets go of a session whose run has ended with this status; what there is to say of it. `asked` is whether anything was decided now.
fn end_session(session: Claimed, status: u8, asked: bool) -> Option<String> {
    let place = &session.place;
    let said = match status {
        FAILED => Ok(()),
        _ => place.delivered(),
    };
    if place.is_done() {
        return None;
    }
    if asked || !place.is_bare() {
        // One that came to its end, and does not say so, ends at once when it is gone on with.
        let why = said
            .err()
            .map(|error| format!(": that its result is written cannot be kept, as {error}"));
        return Some(format!(
            "lop: `lop resume {}` goes on with it{}",
            call(place),
            why.unwrap_or_default()
        ));
    }
    session.abandon();
    Some("lop: nothing was decided yet, so no session is kept".to_owned())
}

/// How many places of it the parsers do not understand.
fn faults(version: &Version) -> u32 {
    let trees = version.trees().iter().flatten();
    trees.map(ParseTree::faults).sum()
}
