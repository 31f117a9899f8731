//! `lop contrast`: why is a result interesting?

mod letters;
mod markdown;
mod page;
mod result_session;

use std::path::Path;

use serde_json::json;

use crate::cli::args::{ContrastArgs, PropertyArgs, job_count};
use crate::cli::failure::{CommandFailure, FAILED, USAGE};
use crate::cli::launch::contrast::{
    ContrastExperiment, ContrastFindings, ContrastObserver, ContrastSubject, ValidityRule,
    known_verdicts,
};
use crate::cli::launch::language_choice;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::test_spec::{TestSpec, command_stage};
use crate::contrast::{ChangeOutcome, ContrastError, TokenRole, UnknownReason};
use crate::display::{ConsoleWriter, EscapeHidden};
use crate::oracle::{LimitPolicy, TimeLimits};
use crate::session::RunInput;
use crate::session::history::SessionHistory;
pub(super) use markdown::{fence_for, markdown_section};
use result_session::find_result_session;

/// All that the report is printed from.
pub(super) struct ContrastOutput<'a> {
    /// The file, as the user named it.
    pub file: &'a Path,
    pub findings: ContrastFindings,
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
    let mut prepared = PreparedRun::from_input(
        RunInput::Program(input),
        &test_spec,
        scratch,
        &place.isolation,
        jobs,
    )?;
    prepared.notes.extend(notes);
    let limits = measure_original(
        &mut prepared,
        &test_spec,
        session.as_ref(),
        place.limit_policy(),
    )?;
    prepared.report_notes();
    let path = Path::new(prepared.input.main_file().file_name());
    let language = language_choice::choose_language(path, None, place.grammar.as_deref())?;
    let bytes = prepared.input.main_file().bytes.clone();
    language_choice::check_syntax(language, path, &bytes)?;
    let original = session.as_ref().and_then(|session| {
        let file = session.header.files.first()?;
        Some(file.bytes.decode_bytes()?.into())
    });
    let subject = ContrastSubject::read(path.into(), language, bytes, original).map_err(|why| {
        CommandFailure::new(USAGE, format!("{} {why}", args.file.escape_hidden()))
    })?;
    let experiment =
        ContrastExperiment::from_prepared(&prepared, limits, jobs, args.tests as usize);
    let known = session.map(|session| known_verdicts(&session, &prepared.test));
    let observer = ContrastObserver {
        interrupted: &prepared.signals.received,
        on_progress: &|_| {},
    };
    let known = known.as_ref().map(|known| known as _);
    let rule = command.map(ValidityRule::from_command);
    let findings = experiment
        .compare_neighbours(subject, rule, known, &observer)
        .map_err(to_failure)?;
    let output = ContrastOutput {
        file: &args.file,
        findings,
    };
    let mut out = ConsoleWriter::stdout();
    match (args.json, args.markdown) {
        (true, _) => out.write_json(&json_object(&output.findings)),
        (_, true) => out.write_page(&markdown_section(&output)),
        _ => page::write_report(&mut out, &output),
    }
    Ok(0)
}

/// Tests the file, which must be interesting; the limits for its neighbours. The failure of commands is that of the session, or is identified.
fn measure_original(
    prepared: &mut PreparedRun,
    test_spec: &TestSpec,
    session: Option<&SessionHistory>,
    mut limit: LimitPolicy,
) -> Result<TimeLimits, CommandFailure> {
    let recorded = session.map(SessionHistory::recorded_property);
    let run = match (test_spec, recorded.and_then(|recorded| recorded.property)) {
        (TestSpec::Commands(..), Some(property)) => {
            limit = if property.expects_hang() {
                limit.for_hang()
            } else {
                limit
            };
            prepared.use_property(property)?;
            prepared.test_original(limit.current_limits(), None)?
        }
        (TestSpec::Commands(_, wanted), None) => {
            let found = prepared.identify_property(wanted, limit)?;
            limit = found.limit;
            found.run
        }
        (
            TestSpec::Script(..)
            | TestSpec::PairScripts(..)
            | TestSpec::Server(_)
            | TestSpec::Recorded,
            _,
        ) => prepared.test_original(limit.current_limits(), None)?,
    };
    limit.on_interesting(run.time, run.cpu);
    Ok(limit.current_limits())
}

/// Why there is no report.
pub(super) fn to_failure(error: ContrastError) -> CommandFailure {
    match error {
        ContrastError::Interrupted(signal) => CommandFailure::check_interrupted(signal),
        error => CommandFailure::new(FAILED, error),
    }
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
