//! An empty file is interesting: asks whether the user wants that.

use std::io::{self, IsTerminal};

use super::super::front_end::FrontEnd;
use super::preflight::PreflightTester;
use crate::cli::failure::{CommandFailure, NOTHING_TO_DO};
use crate::cli::messages::{PromptAnswer, prompt_user};
use crate::display::{OutputStream, is_terminal, sanitize_line};
use crate::doctor;
use crate::session::RunInput;

const SAYS: &str = "the test finds an empty file interesting";
const SAYS_VARIANT: &str = "the test of the variant finds an empty file interesting";
const SAYS_PROJECT: &str = "the test finds the files interesting when all are empty";
const SAYS_PROGRAM: &str =
    "the generator makes a program of an empty sequence, and the test finds it interesting";
const MEANS_PROGRAM: &str = "The result would be empty. A generator that wants more choices than there are should exit with 125.";
const MEANS: &str = "The result would be empty. Most often the test checks that something is absent, such as a word that the compiler does not \
                     print, but not that the compiler succeeds: `lop doctor` says which line to add.";

/// Asks on a terminal whether to continue; otherwise this is a failure.
pub fn confirm_empty(front: FrontEnd, tester: &PreflightTester<'_>) -> Result<(), CommandFailure> {
    let (test, signals) = (tester.test, tester.signals);
    let script = test.scripts().last();
    let elsewhere = || doctor::describe_original_mention(script?, &tester.input.main_file().path);
    let script_says = match tester.input {
        RunInput::Program(_) => SAYS,
        RunInput::Pair(_) => SAYS_VARIANT,
        RunInput::Project(_) => SAYS_PROJECT,
    };
    let (says, means) = match test.property() {
        _ if test.generator().is_some() => (SAYS_PROGRAM, MEANS_PROGRAM.to_owned()),
        None => (script_says, elsewhere().map_or_else(|| MEANS.to_owned(), |names| format!(
            "The result would be empty. The test does not look at the candidate: {names}. Write \"$1\" in its place."
        ))),
        Some(property) => (
            "the command shows the property on an empty file too",
            format!(
                "The property of the failure is: {}. The result would be empty. Say more of it, such as a line that is printed \
                 only then: --grep RE.",
                sanitize_line(&property.to_string())
            ),
        ),
    };
    let somebody =
        front != FrontEnd::Json && io::stdin().is_terminal() && is_terminal(OutputStream::Error);
    if !somebody {
        return Err(CommandFailure::new(
            NOTHING_TO_DO,
            format!("{says}.\n{means}\nIf that is what you want, add --allow-empty."),
        ));
    }
    match prompt_user(&format!("lop: {says}.\n{means}\nContinue? [y/N]"), signals) {
        said if said.is_yes() => Ok(()),
        PromptAnswer::Line(_) | PromptAnswer::EndOfInput => {
            Err(CommandFailure::new(NOTHING_TO_DO, "nothing was done"))
        }
        PromptAnswer::Signal(signal) => Err(CommandFailure::stopped_by_signal(signal)),
    }
}
