//! An unfinished session of the same file and test: does the user want to resume it?

use std::path::Path;

use super::typed_options::TypedOptions;
use super::{ResumeChoice, resume_session};
use crate::cli::args::RunArgs;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail};
use crate::cli::launch::front_end::FrontEnd;
use crate::cli::launch::signals::TerminationSignals;
use crate::cli::launch::test_spec::TestSpec;
use crate::cli::messages::report_message;
use crate::cli::messages::{PromptAnswer, prompt_user};
use crate::cli::session_lookup::{session_argument, sessions_about};
use crate::display::{OutputStream, format_count, is_terminal};
use crate::pass::Strategy;
use crate::plain::quote_path_for_display;
use crate::session::history::SessionHistory;
use crate::session::journal::JournalHeader;
use crate::session::session_directory::SessionDirectory;
use crate::session::{RunInput, format_age};

/// The meaning of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResumeAnswer {
    Resume,
    StartNew,
    Quit,
}

impl ResumeAnswer {
    /// The answer, by default this one; none if the line is not one.
    fn from_line(line: &str, default: ResumeAnswer) -> Option<ResumeAnswer> {
        match line {
            "" => Some(default),
            "y" | "Y" | "yes" | "Yes" => Some(ResumeAnswer::Resume),
            "n" | "N" | "no" | "No" => Some(ResumeAnswer::StartNew),
            "q" | "Q" | "quit" | "Quit" => Some(ResumeAnswer::Quit),
            _ => None,
        }
    }
}

/// Looks for an unfinished session of this file and test by one of these strategies, those of the command. On a terminal it asks whether to
/// resume it; otherwise it says how. The result is the exit status if the session was resumed.
pub fn offer_resume(
    input: &RunInput,
    test_spec: &TestSpec,
    strategies: &[Strategy],
    run: &RunArgs,
    typed: &TypedOptions,
    choice: ResumeChoice,
) -> Result<Option<u8>, CommandFailure> {
    if run.no_session {
        return Ok(None);
    }
    let file = input.main_file().file_name().to_string_lossy();
    let mut places = sessions_about(&file).into_iter();
    // The end of a journal costs less than its header, which holds the inputs.
    let fits = |place: &SessionDirectory| {
        !place.is_done()
            && session_matches(place, input, test_spec, strategies)
            && !place.is_running()
    };
    let Some(place) = places.find(fits) else {
        return Ok(None);
    };
    let asks =
        FrontEnd::from_args(&run.common) == FrontEnd::Screen && is_terminal(OutputStream::Error);
    if !asks {
        report_message(&format!(
            "an unfinished session of this file and test was written {} ago: `lop resume {}` resumes it; this is a new session",
            describe_age(&place),
            session_argument(&place)
        ));
        return Ok(None);
    }
    let others = places.filter(fits).count() as u64;
    let header = place.read_header().ok();
    let others_options = header.map_or_else(Vec::new, |header| typed.missing_in(&header));
    let question = resume_question(&place, others, &others_options);
    // What was typed is not dropped by an answer that says nothing.
    let default = match others_options.is_empty() {
        true => ResumeAnswer::Resume,
        false => ResumeAnswer::StartNew,
    };
    match ask_until_answered(&question, default)? {
        ResumeAnswer::Resume => resume_session(&place, &run.common, choice).map(Some),
        ResumeAnswer::StartNew => Ok(None),
        ResumeAnswer::Quit => Err(CommandFailure::new(NOTHING_TO_DO, "nothing was done")),
    }
}

/// Whether the session has the same file, unchanged, the same test, and one of these strategies.
fn session_matches(
    place: &SessionDirectory,
    input: &RunInput,
    test_spec: &TestSpec,
    strategies: &[Strategy],
) -> bool {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.into());
    let file = absolute(&input.main_file().named);
    let Ok(JournalHeader {
        run: Some(run),
        files,
        strategy,
        ..
    }) = place.read_header()
    else {
        return false;
    };
    let same_texts = || {
        let mut texts = files.iter().zip(input.files());
        texts.all(|(file, now)| {
            file.bytes
                .decode_bytes()
                .is_some_and(|then| then == *now.bytes)
        })
    };
    let is_of_command = strategies.iter().any(|kind| kind.name == strategy);
    run.input == file
        && is_of_command
        && files.len() == input.files().len()
        && test_spec.matches_run(&run)
        && (run.in_place || same_texts())
}

/// The time since its last write.
fn describe_age(place: &SessionDirectory) -> String {
    format_age(place.last_modified().elapsed().unwrap_or_default())
}

/// The question to the user; `others` is the number of further sessions that match, and `missing` what was typed and the session has not.
fn resume_question(place: &SessionDirectory, others: u64, missing: &[String]) -> String {
    let history = SessionHistory::read_from(&place.journal_path()).ok();
    let size = history.as_ref().and_then(|history| {
        let kept = history.versions.get(history.versions.kept)?;
        Some(format!(
            ", {} so far",
            format_count(kept.tokens?.into(), "token")
        ))
    });
    let run = history
        .as_ref()
        .and_then(|history| history.header.run.as_ref());
    let output = run.map(|run| format!(", in {}", quote_path_for_display(&run.output)));
    let more = match others {
        0 => String::new(),
        others => format!(
            "\n({} more of this file and test; `lop sessions` lists all)",
            others
        ),
    };
    let (differs, answers) = match missing {
        [] => (String::new(), "Y/n/q"),
        missing => (
            format!("\nIt runs without what you typed: {}.", missing.join(", ")),
            "y/N/q",
        ),
    };
    format!(
        "lop: the session {} of this file and test is unfinished{}{}; it was written {} ago.{more}{differs}\n\
         y resumes it, with its own options;\n\
         n starts a new one and leaves this one unchanged; q does nothing.\n\
         Resume it? [{answers}]",
        session_argument(place),
        size.unwrap_or_default(),
        output.unwrap_or_default(),
        describe_age(place),
    )
}

/// Asks until there is an answer.
fn ask_until_answered(
    question: &str,
    default: ResumeAnswer,
) -> Result<ResumeAnswer, CommandFailure> {
    let signals = TerminationSignals::listen().or_fail(FAILED)?;
    loop {
        match prompt_user(question, &signals.received) {
            PromptAnswer::Line(line) => {
                if let Some(answer) = ResumeAnswer::from_line(&line, default) {
                    return Ok(answer);
                }
            }
            PromptAnswer::EndOfInput => {
                return Err(CommandFailure::new(NOTHING_TO_DO, "nothing was done"));
            }
            PromptAnswer::Signal(signal) => {
                return Err(CommandFailure::session_unchanged(Some(signal)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_one_of_three() {
        let answer = |line| ResumeAnswer::from_line(line, ResumeAnswer::StartNew);
        assert_eq!(answer(""), Some(ResumeAnswer::StartNew));
        assert_eq!(answer("yes"), Some(ResumeAnswer::Resume));
        assert_eq!(answer("no"), Some(ResumeAnswer::StartNew));
        assert_eq!(answer("q"), Some(ResumeAnswer::Quit));
        assert_eq!(answer("perhaps"), None);
    }
}
