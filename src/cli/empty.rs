//! The test finds an empty file interesting: is that what the user wants?

use std::io::{self, IsTerminal};

use super::ask::{Said, ask};
use super::failure::{Failure, NOTHING_TO_DO};
use super::front::Front;
use super::original::Question;
use crate::display::{Stream, is_terminal, tamed};
use crate::doctor;

const SAYS: &str = "the test finds an empty file interesting";
const MEANS: &str = "The result would be empty. Most often the test looks for something that is absent, as a word that the compiler does not \
                     print, and forgets to ask that the compiler succeeds: `lop doctor` says which line to add.";

/// Says so, and asks where there is someone to ask; otherwise it is a failure.
pub(super) fn confirm(front: Front, question: &Question<'_>) -> Result<(), Failure> {
    let (test, signals) = (question.test, question.signals);
    let elsewhere = || doctor::names_original(test.script()?, &question.input.path);
    let (says, means) = match test.property() {
        None => (SAYS, elsewhere().map_or_else(|| MEANS.to_owned(), |names| format!(
            "The result would be empty. The test does not look at the candidate: {names}. Write \"$1\" in its place."
        ))),
        Some(property) => (
            "the command does what is looked for on an empty file too",
            format!(
                "All that is known of the failure is: {}. The result would be empty. Say more of it, as a line that is printed \
                 only then: --grep RE.",
                tamed(&property.to_string())
            ),
        ),
    };
    let somebody = front != Front::Json && io::stdin().is_terminal() && is_terminal(Stream::Error);
    if !somebody {
        return Err(Failure::new(
            NOTHING_TO_DO,
            format!("{says}.\n{means}\nIf that is what you want, add --allow-empty."),
        ));
    }
    match ask(&format!("lop: {says}.\n{means}\nGo on? [y/N]"), signals) {
        said if said.is_yes() => Ok(()),
        Said::Line(_) | Said::Nothing => Err(Failure::new(NOTHING_TO_DO, "nothing was done")),
        Said::Signal(signal) => Err(Failure::stopped(signal)),
    }
}
