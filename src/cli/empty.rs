//! The test finds an empty file interesting: is that what the user wants?

use std::io::{self, IsTerminal};

use crossbeam_channel::Receiver;

use super::ask::{Said, ask};
use super::failure::{Failure, NOTHING_TO_DO};
use super::front::Front;
use crate::oracle::Property;

const SAYS: &str = "the test finds an empty file interesting";
const MEANS: &str = "The result would be empty. Most often the test looks for something that is absent, as a word that the compiler does not \
                     print, and forgets to ask that the compiler succeeds: `lop doctor` says which line to add.";

/// Says so, and asks where there is someone to ask; otherwise it is a failure. Of commands, `property` is what was found out.
pub(super) fn confirm(
    front: Front,
    property: Option<&Property>,
    signals: &Receiver<i32>,
) -> Result<(), Failure> {
    let (says, means) = match property {
        None => (SAYS, MEANS.to_owned()),
        Some(property) => (
            "the command does what is looked for on an empty file too",
            format!(
                "All that is known of the failure is: {property}. The result would be empty. Say more of it, as a line that is printed \
                 only then: --grep RE."
            ),
        ),
    };
    let somebody = front != Front::Json && io::stdin().is_terminal() && io::stderr().is_terminal();
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
