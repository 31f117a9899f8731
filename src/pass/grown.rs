//! grown: what is closed, with what has to go along.
//!
//! Around passes that take what was asked, whatever they wanted. A declaration that the language refuses without a use goes with its last
//! use, always (`must.rs`). A parameter goes with its arguments (`arguments.rs`) where it cannot go alone. As long as nobody knows what the
//! compiler thinks of that, it is asked about alone first. Once one was refused, and nothing of the kind passed, only together; and then
//! arguments are not asked about without their parameters.

use super::arguments::{along, only_arguments};
use super::closed::{Closed, Spared, knowing};
use super::filter::Filter;
use super::must::with_needless;
use crate::dialogue::Answer;
use crate::program::names::going;
use crate::program::{Edit, View, Why};

/// What became of parameters without their arguments, and of arguments without their parameters.
#[derive(Clone, Copy, Debug, Default)]
pub struct Grown {
    failed: bool,
    passed: bool,
}

impl Filter for Grown {
    fn sift(&self, view: &View, edit: &Edit, why: &Why) -> Option<(Edit, Why)> {
        let plain = Closed.sift(view, edit, why);
        let hopeless = self.failed && !self.passed;
        if hopeless
            && plain
                .as_ref()
                .is_some_and(|(edit, _)| only_arguments(&view.version, edit))
        {
            return None;
        }
        let (edit, why) = match plain {
            Some(plain) if hopeless => given(view, &plain.0, &plain.1).unwrap_or(plain),
            Some(plain) => plain,
            None => given(view, edit, why)?,
        };
        Some(match with_needless(&view.version, &edit) {
            Some((all, fact)) => (all, knowing(&why, why.action.clone(), fact)),
            None => (edit, why),
        })
    }

    fn told(&mut self, view: &View, asked: &Edit, answer: Answer) {
        let version = &view.version;
        let parameter = || along(version, asked).is_some();
        match answer {
            Answer::Yes => self.passed |= parameter() || only_arguments(version, asked),
            // An argument may be what the bug needs; a parameter that nothing uses is not.
            Answer::No => self.failed |= parameter(),
            Answer::Refused => {}
        }
    }

    fn instead(&mut self, view: &View, asked: &Edit, why: &Why) -> Option<(Edit, Why)> {
        given(view, asked, why)
    }
}

/// The question about parameters with their arguments, if nothing that stays uses any of it.
fn given(view: &View, edit: &Edit, why: &Why) -> Option<(Edit, Why)> {
    let (all, fact) = along(&view.version, edit)?;
    let spared = Spared::of(view, &all, &going(&view.version, &all));
    let free = spared.first.is_none();
    free.then(|| (all, knowing(why, why.action.clone(), fact)))
}
