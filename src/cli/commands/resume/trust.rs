//! A session that may be somebody else's. It names what a resumed run executes and writes, so lop shows that and asks first.

use crate::cli::args::CommonArgs;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::cli::launch::front_end::FrontEnd;
use crate::cli::launch::recorded_run::{changed_variables, recorded_input};
use crate::cli::launch::signals::TerminationSignals;
use crate::cli::launch::test_spec::TestSpec;
use crate::cli::messages::{PromptAnswer, prompt_user};
use crate::cli::session_lookup::describe_problems;
use crate::cli::session_lookup::session_argument;
use crate::display::{ConsoleWriter, EscapeHidden, OutputStream, is_terminal, sanitize_line};
use crate::oracle::{StageCommand, StageRole, StageView, TestStage};
use crate::session::history::SessionHistory;
use crate::session::journal::{HeaderFile, HeaderInvocation};
use crate::session::ownership::OwnershipProblem;
use crate::session::session_directory::SessionDirectory;
use crate::session::{OpenedSession, OutputFile};

/// Whether and why a session may be resumed.
pub enum TrustDecision {
    /// The session is the user's own.
    Own,
    /// The session is not the user's own, and the user has reviewed this content.
    Reviewed(Box<SessionHistory>),
    /// The user trusts any content: `--trust`.
    Anything,
    /// The session is not the user's own and was finished when it was checked. Its owner may change that later, so nothing is run.
    Nothing,
}

/// Checks the owner of the session. If it is not the user's own, shows the effects of resuming it, and asks.
pub fn confirm_trust(
    place: &SessionDirectory,
    common: &CommonArgs,
    trust: bool,
) -> Result<TrustDecision, CommandFailure> {
    if trust {
        return Ok(TrustDecision::Anything);
    }
    let opened = place.open_journal().or_fail(USAGE)?;
    let doubts = opened.ownership_problems();
    if doubts.is_empty() {
        return Ok(TrustDecision::Own);
    }
    let history = opened.read_history().or_fail(USAGE)?;
    if place.is_done() {
        return Ok(TrustDecision::Nothing);
    }
    // A session without a run cannot be resumed; the caller says so.
    if let Some(run) = history.header.run.as_ref() {
        let page = trust_page(place, &doubts, &resume_effects(&history, run, common)?);
        ConsoleWriter::stderr().write_page(&page);
        match FrontEnd::from_args(common) == FrontEnd::Screen && is_terminal(OutputStream::Error) {
            true => confirm_resume()?,
            false => return Err(trust_failure(place, &doubts)),
        }
    }
    Ok(TrustDecision::Reviewed(Box::new(history)))
}

impl TrustDecision {
    /// Whether the decision still holds for the claimed session: others may have written to it meanwhile.
    pub fn still_applies(&self, opened: &OpenedSession, history: &SessionHistory) -> bool {
        match self {
            TrustDecision::Own => opened.ownership_problems().is_empty(),
            TrustDecision::Reviewed(seen) => {
                let (seen, now) = (&seen.journal, &history.journal);
                seen.header == now.header && seen.lines == now.lines
            }
            TrustDecision::Anything | TrustDecision::Nothing => true,
        }
    }
}

fn trust_failure(place: &SessionDirectory, doubts: &[OwnershipProblem]) -> CommandFailure {
    let what = format!(
        "the session {} may be somebody else's ({}), so nothing was done: read above what it runs and writes, and if it may, add --trust",
        session_argument(place),
        describe_problems(doubts)
    );
    CommandFailure::new(USAGE, what)
}

/// The effects of resuming, each with its name.
fn resume_effects(
    history: &SessionHistory,
    run: &HeaderInvocation,
    common: &CommonArgs,
) -> Result<Vec<(&'static str, String)>, CommandFailure> {
    let mut effects = Vec::new();
    match TestSpec::from_recorded(run) {
        TestSpec::Script(path, checks) => {
            effects.extend(checks.iter().map(describe_stage));
            effects.push(("test", format!("{}, as it is now", path.escape_hidden())));
        }
        TestSpec::PairScripts([seed, variant], checks) => {
            effects.extend(checks.iter().map(describe_stage));
            for (script, whose) in [(seed, "the seed"), (variant, "the variant")] {
                let what = format!("{} for {whose}, as it is now", script.escape_hidden());
                effects.push(("test", what));
            }
        }
        TestSpec::Recorded => effects.push(("test", "none; the verdicts are recorded ones".into())),
        TestSpec::Commands(stages, _) | TestSpec::Server(stages) => {
            effects.extend(stages.iter().map(describe_stage))
        }
    }
    let sandbox = match common
        .isolation
        .with_recorded(run.isolation)
        .to_isolation(1)
        .sandbox
    {
        true => "in a sandbox",
        false => "with all your rights; --sandbox removes most of them",
    };
    effects.push(("runs", sandbox.to_owned()));
    effects.push(("environment", describe_environment(run)));
    let (output, kept) = match run.in_place && run.project.is_none() {
        true => (
            recorded_input(history, run)?.main_file().named.clone(),
            "the session's original",
        ),
        false => (run.output.clone(), "what is there now"),
    };
    let leads = OutputFile::resolve_target(&output).or_fail(USAGE)?;
    let leads = match leads == output {
        true => String::new(),
        false => format!(", which is {}", leads.escape_hidden()),
    };
    // The link may change while the user reads this, but the run accepts only the recorded target.
    let led = run.output_link.as_ref().map(|led| led.escape_hidden());
    let led = led.map_or(String::new(), |led| format!(" (it led to {led})"));
    effects.push((
        "writes",
        format!(
            "{}{leads}{led}; {kept} is kept beside it",
            output.escape_hidden()
        ),
    ));
    if run.in_place && run.project.is_some() {
        let what = format!("at its end the files of {}", run.input.escape_hidden());
        effects.push(("writes", what));
    }
    if let Some(program) = run.stages.iter().find_map(|stage| stage.makes.as_ref()) {
        let what = format!("the program {} of the result", program.escape_hidden());
        effects.push(("writes", format!("{what}, beside it")));
    }
    if let Some(verdicts) = &run.verdicts {
        let what = format!("verdicts below {}", verdicts.directory.escape_hidden());
        effects.push(("reads", what));
    }
    if let Some(directory) = &run.candidates {
        let what = format!("candidates and logs into {}", directory.escape_hidden());
        effects.push(("writes", what));
    }
    effects.extend(history.header.files.iter().map(describe_grammar));
    Ok(effects)
}

/// A stage of the test.
fn describe_stage(stage: &TestStage) -> (&'static str, String) {
    let role = match stage.role {
        _ if stage.makes.is_some() => "generator",
        _ if matches!(stage.line, StageCommand::Serve(_)) => "server",
        StageRole::Says => "test",
        StageRole::Check => "check",
        StageRole::Succeeds => "succeeds",
        StageRole::Reference => "right",
        StageRole::Subject => "command",
        StageRole::Differs => "wrong",
        StageRole::Agrees => "agrees",
    };
    let line = match stage.sees {
        StageView::Program | StageView::Directory => stage.line.to_string(),
        view => format!("{}  on {view}", stage.line),
    };
    (role, line)
}

fn describe_environment(run: &HeaderInvocation) -> String {
    match &changed_variables(run)[..] {
        [] => "yours, as it is now".into(),
        names => format!(
            "yours, as it is now; other than when the session began: {}",
            names
                .iter()
                .map(|name| name.escape_hidden())
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}

fn describe_grammar(file: &HeaderFile) -> (&'static str, String) {
    let grammar = match (&file.repository, &file.bnf, &file.language) {
        (Some(repository), ..) => format!(
            "{} in {}: C code, which lop builds and loads",
            repository.name.escape_hidden(),
            repository.directory.escape_hidden()
        ),
        (None, Some(_), _) => "in BNF, from the session itself".into(),
        (None, None, Some(name)) => format!("lop's own of {name}"),
        (None, None, None) => "none".into(),
    };
    ("grammar", grammar)
}

/// What is shown before the question.
fn trust_page(
    place: &SessionDirectory,
    doubts: &[OwnershipProblem],
    effects: &[(&str, String)],
) -> String {
    let rows = effects.iter();
    let rows = rows.map(|(name, what)| format!("    {name:<12}{}\n", sanitize_line(what)));
    format!(
        "lop: the session {} may be somebody else's: {}\n\
         lop: resuming it runs and writes what it names:\n{}",
        sanitize_line(&session_argument(place)),
        describe_problems(doubts),
        rows.collect::<String>()
    )
}

fn confirm_resume() -> Result<(), CommandFailure> {
    let signals = TerminationSignals::listen().or_fail(FAILED)?;
    match prompt_user("lop: resume it? [y/N]", &signals.received) {
        said if said.is_yes() => Ok(()),
        PromptAnswer::Signal(signal) => Err(CommandFailure::session_unchanged(Some(signal))),
        _ => Err(CommandFailure::new(
            NOTHING_TO_DO,
            "nothing was done; the session is unchanged",
        )),
    }
}
