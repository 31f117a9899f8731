//! `lop contrast`: why is a result interesting?

mod annotated;
mod markdown;
mod page;
mod result_session;

use std::path::Path;
use std::sync::Arc;

use serde_json::json;

use crate::cli::args::{ContrastArgs, PropertyArgs, job_count};
use crate::cli::failure::{CommandFailure, FAILED, OrFail, USAGE};
use crate::cli::launch::baseline::acceptance_test;
use crate::cli::launch::header::hash_test;
use crate::cli::launch::language_choice;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::test_spec::{TestSpec, command_stage};
use crate::contrast::{
    ChangeOutcome, ContrastError, ContrastOracle, ContrastReport, TokenRole, UnknownReason,
    ValiditySource, contrast_version,
};
use crate::display::{ConsoleWriter, EscapeHidden, format_count, format_number};
use crate::language::Language;
use crate::oracle::{
    InterestingnessTest, LimitPolicy, LocalRunner, Runner, StageCommand, StageRole, TimeLimits,
};
use crate::program::{self, Version};
use crate::reduce::VerdictStore;
use crate::session::history::SessionHistory;
use crate::session::journal::RunFingerprint;
use result_session::find_result_session;

/// The most tokens of a program that is explained.
const LARGEST: u32 = 1000;

/// Who says what is valid.
enum ValidityRule {
    /// The test itself.
    Test,
    /// A command that succeeds, and how it is shown.
    Command(InterestingnessTest, String),
    /// Nobody.
    Unknown,
}

impl ValidityRule {
    /// The rule, as a sentence.
    fn describe(&self) -> String {
        match self {
            ValidityRule::Test => "valid is what the checks of the test accept".into(),
            ValidityRule::Command(_, line) => format!("valid is what this command accepts: {line}"),
            ValidityRule::Unknown => "it is not known which neighbours are valid, so that essential tokens may only be needed to compile; \
                                      --check COMMAND says it"
                .into(),
        }
    }
}

/// All that the report is printed from.
struct ContrastFindings<'a> {
    /// The file, as the user named it.
    file: &'a Path,
    bytes: Arc<[u8]>,
    report: ContrastReport,
    /// Who says what is valid, as a sentence.
    validity: String,
}

/// Compares the file with its neighbours and prints what was found; the exit status.
pub fn run_contrast(args: &ContrastArgs) -> Result<u8, CommandFailure> {
    let jobs = job_count(args.jobs);
    let mut input = PreparedRun::read_input(&args.file)?;
    // Beside a test, the command says what is valid.
    let is_validity = args.test.is_some() && !args.property.line.is_empty();
    let property = PropertyArgs {
        line: if is_validity {
            Vec::new()
        } else {
            args.property.line.clone()
        },
        ..args.property.clone()
    };
    let given = TestSpec::from_args(&property, args.test.as_deref(), &input)?;
    let Some((test_spec, notes)) = given else {
        let what = "type lop contrast FILE TEST, or lop contrast FILE -- COMMAND";
        return Err(CommandFailure::new(USAGE, what));
    };
    let command = is_validity.then(|| command_stage(&args.property.line, &input));
    let session = find_result_session(&input, &test_spec);
    if let Some(name) = session.as_ref().and_then(result_session::candidate_name) {
        // A test may know the file by the name that it had in the run.
        input.named = input.named.with_file_name(name);
    }
    let place = &args.test_run;
    let scratch = place.scratch.as_deref();
    let mut prepared = PreparedRun::from_input(input, &test_spec, scratch, &place.isolation, jobs)?;
    prepared.notes.extend(notes);
    let limits = measure_original(&mut prepared, &test_spec, session.as_ref(), place.timeout)?;
    prepared.report_notes();
    let path = Path::new(prepared.input.file_name());
    let language = language_choice::choose_language(path, None, place.grammar.as_deref())?;
    let bytes = prepared.input.bytes.clone();
    language_choice::check_syntax(language, path, &bytes)?;
    let read = |bytes: Arc<[u8]>| program::read_documents(vec![(language, path.into(), bytes)]);
    let version = read(bytes.clone()).or_fail(FAILED)?;
    ensure_small(&version, &args.file)?;
    let original = session.as_ref().and_then(|session| {
        let file = session.header.files.first()?;
        read(file.bytes.decode_bytes()?.into()).ok()
    });
    let rule = choose_validity(&prepared, command, language, limits)?;
    let report = ask_neighbours(&NeighbourQuestion {
        prepared: &prepared,
        rule: &rule,
        session: session.as_ref(),
        version: &version,
        original: original.as_ref(),
        limits,
        jobs,
        max_tests: args.tests as usize,
    })?;
    let findings = ContrastFindings {
        file: &args.file,
        bytes,
        report,
        validity: rule.describe(),
    };
    let mut out = ConsoleWriter::stdout();
    match (args.json, args.markdown) {
        (true, _) => out.write_json(&json_object(&findings)),
        (_, true) => out.write_page(&markdown::markdown_section(&findings)),
        _ => page::write_report(&mut out, &findings),
    }
    Ok(0)
}

/// Fails if the program is too large to be the result of a reduction: it would have too many neighbours.
fn ensure_small(version: &Version, file: &Path) -> Result<(), CommandFailure> {
    if version.token_count() <= LARGEST {
        return Ok(());
    }
    let what = format!(
        "{} has {}, and lop contrast explains reduced programs of at most {}; reduce it first",
        file.escape_hidden(),
        format_count(version.token_count().into(), "token"),
        format_number(LARGEST.into())
    );
    Err(CommandFailure::new(USAGE, what))
}

/// Tests the file, which must be interesting; the limits for its neighbours. The failure of commands is that of the session, or is identified.
fn measure_original(
    prepared: &mut PreparedRun,
    test_spec: &TestSpec,
    session: Option<&SessionHistory>,
    timeout: Option<LimitPolicy>,
) -> Result<TimeLimits, CommandFailure> {
    let mut limit = timeout.unwrap_or_else(LimitPolicy::adaptive);
    let recorded = session.map(SessionHistory::recorded_property);
    let run = match (test_spec, recorded.and_then(|recorded| recorded.property)) {
        (TestSpec::Commands(..), Some(property)) => {
            limit = if property.expects_hang() {
                limit.for_hang()
            } else {
                limit
            };
            prepared.test = prepared.test.with_property(property).or_fail(USAGE)?;
            prepared.test_original(limit.current_limits(), None)?
        }
        (TestSpec::Commands(_, wanted), None) => {
            let found = prepared.identify_property(wanted, limit)?;
            limit = found.limit;
            found.run
        }
        (TestSpec::Script(..), _) => prepared.test_original(limit.current_limits(), None)?,
    };
    limit.on_interesting(run.time, run.cpu);
    Ok(limit.current_limits())
}

/// Who says what is valid: the command that the user gives, the test if it has checks, the command of the test, or a usual one.
fn choose_validity(
    prepared: &PreparedRun,
    command: Option<StageCommand>,
    language: Option<&'static Language>,
    limits: TimeLimits,
) -> Result<ValidityRule, CommandFailure> {
    let stages = prepared.test.stages();
    let subject = stages.iter().find(|stage| stage.role == StageRole::Subject);
    let has_check = stages
        .iter()
        .any(|stage| matches!(stage.role, StageRole::Check | StageRole::Reference));
    let of_test = subject
        .filter(|_| !has_check)
        .map(|stage| stage.line.clone());
    if let Some(line) = command.or(of_test) {
        let shown = line.to_string();
        return Ok(ValidityRule::Command(acceptance_test(line), shown));
    }
    if has_check {
        return Ok(ValidityRule::Test);
    }
    let usual = match language {
        Some(language) => prepared.find_validity_check(language.name, limits)?,
        None => None,
    };
    Ok(match usual {
        Some((test, line)) => ValidityRule::Command(test, line.to_owned()),
        None => ValidityRule::Unknown,
    })
}

/// What is asked of the neighbours.
struct NeighbourQuestion<'a> {
    prepared: &'a PreparedRun,
    rule: &'a ValidityRule,
    session: Option<&'a SessionHistory>,
    version: &'a Version,
    original: Option<&'a Version>,
    limits: TimeLimits,
    jobs: usize,
    max_tests: usize,
}

fn ask_neighbours(question: &NeighbourQuestion<'_>) -> Result<ContrastReport, CommandFailure> {
    let prepared = question.prepared;
    let known = question.session.map(|session| {
        let (test_hash, _) = hash_test(prepared.script_path(), prepared.test.stages());
        session.verdicts_of_test(&RunFingerprint {
            test_hash,
            ..RunFingerprint::default()
        })
    });
    let mut test = prepared.start_runner(question.jobs).or_fail(FAILED)?;
    let mut check = match question.rule {
        ValidityRule::Command(test, _) => {
            let (test, scratch) = (test.clone(), prepared.scratch.clone());
            let isolation = prepared.isolation.clone();
            Some(LocalRunner::new(test, scratch, question.jobs, isolation).or_fail(FAILED)?)
        }
        ValidityRule::Test | ValidityRule::Unknown => None,
    };
    let validity = match (&mut check, question.rule) {
        (Some(check), _) => ValiditySource::Check(check as &mut dyn Runner),
        (None, ValidityRule::Test) => ValiditySource::Test,
        (None, _) => ValiditySource::Nobody,
    };
    let mut oracle = ContrastOracle {
        test: &mut test,
        validity,
        limits: question.limits,
        known: &|candidate| Some(known.as_ref()?.get(candidate)?.verdict),
        max_tests: question.max_tests,
        interrupted: &prepared.signals.received,
    };
    let report = contrast_version(question.version, question.original, &mut oracle);
    report.map_err(|error| match error {
        ContrastError::Interrupted(signal) => CommandFailure::check_interrupted(signal),
        ContrastError::NoVerdict(trouble) => CommandFailure::new(FAILED, trouble),
        ContrastError::RunnerLost => {
            CommandFailure::new(FAILED, "the thread that runs the test has died")
        }
    })
}

/// For programs; `docs/JSON.md` describes it.
fn json_object(findings: &ContrastFindings) -> String {
    let report = &findings.report;
    let tokens = report.tokens.iter().map(|(token, role)| {
        json!({
            "text": token.text, "line": token.line, "start": token.range.start, "end": token.range.end,
            "role": role_name(*role), "reason": unknown_reason(*role).map(UnknownReason::describe),
        })
    });
    let neighbours = report
        .tried
        .iter()
        .filter(|tried| tried.neighbour.is_grammatical);
    let neighbours = neighbours.map(|tried| {
        let neighbour = &tried.neighbour;
        json!({
            "tokens": neighbour.tokens, "old": neighbour.old, "new": neighbour.new, "outcome": outcome_name(tried.outcome),
        })
    });
    json!({
        "event": "contrast", "tokens": tokens.collect::<Vec<_>>(), "neighbours": neighbours.collect::<Vec<_>>(),
        "tests": report.tests, "known": report.known, "checks": report.checks, "left_out": report.left_out_count(),
        "validity": findings.validity,
    })
    .to_string()
}

fn role_name(role: TokenRole) -> &'static str {
    match role {
        TokenRole::Essential => "essential",
        TokenRole::Free => "free",
        TokenRole::CompileOnly => "compile",
        TokenRole::Unknown(_) => "unknown",
    }
}

fn unknown_reason(role: TokenRole) -> Option<UnknownReason> {
    match role {
        TokenRole::Unknown(reason) => Some(reason),
        TokenRole::Essential | TokenRole::Free | TokenRole::CompileOnly => None,
    }
}

fn outcome_name(outcome: ChangeOutcome) -> &'static str {
    match outcome {
        ChangeOutcome::Fails => "fails",
        ChangeOutcome::Works => "works",
        ChangeOutcome::Invalid => "invalid",
        ChangeOutcome::Lost => "lost",
        ChangeOutcome::NoVerdict => "no_verdict",
        ChangeOutcome::Untried => "untried",
    }
}
