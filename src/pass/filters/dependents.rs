//! The dependency closure, and what has to go along.
//!
//! It stands around passes that accept what was tested, whatever they proposed: all but *hints*. A declaration that the language refuses without
//! a use goes with its last use, always (`unused_declarations.rs`). A parameter goes with its arguments (`arguments.rs`) where it cannot go
//! alone. As long as it is not known what the compiler thinks of that, it is tried alone first. Once one failed, and nothing of the kind
//! was accepted, only together; and then arguments are not tried without their parameters.

use super::arguments::{only_arguments, with_arguments};
use super::dependency_closure::{ClosureFilter, SparedElements, with_name_fact};
use super::unused_declarations::with_unused_declarations;
use super::{EditFilter, FilterKind, FilteredPass};
use crate::pass::StrategyFeature;
use crate::program::names::removed_places;
use crate::program::{Edit, EditReason, View};
use crate::protocol::Feedback;

/// The dependency closure with dependents.
pub static DEPENDENTS: FilterKind = FilterKind {
    name: "dependents",
    description: "the dependency closure, and what cannot stay goes along: for a pass that takes what was tested",
    feature: Some(StrategyFeature::DependencyClosure),
    wrap: |pass| FilteredPass::new_boxed(pass, DependentsFilter::default()),
};

/// What became of parameters without their arguments, and of arguments without their parameters.
#[derive(Clone, Copy, Debug, Default)]
pub struct DependentsFilter {
    failed: bool,
    passed: bool,
}

impl EditFilter for DependentsFilter {
    fn filter_edit(
        &self,
        view: &View,
        edit: &Edit,
        why: &EditReason,
    ) -> Option<(Edit, EditReason)> {
        let plain = ClosureFilter.filter_edit(view, edit, why);
        let hopeless = self.failed && !self.passed;
        if hopeless
            && plain
                .as_ref()
                .is_some_and(|(edit, _)| only_arguments(&view.version, edit))
        {
            return None;
        }
        let (edit, why) = match plain {
            Some(plain) if hopeless => {
                propose_with_arguments(view, &plain.0, &plain.1).unwrap_or(plain)
            }
            Some(plain) => plain,
            None => propose_with_arguments(view, edit, why)?,
        };
        Some(match with_unused_declarations(&view.version, &edit) {
            Some((all, fact)) => (all, with_name_fact(&why, why.action.clone(), fact)),
            None => (edit, why),
        })
    }

    fn on_verdict(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        let version = &view.version;
        let parameter = || with_arguments(version, tested).is_some();
        match feedback {
            Feedback::Interesting => self.passed |= parameter() || only_arguments(version, tested),
            // An argument may be what the bug needs; a parameter that nothing uses is not.
            Feedback::Uninteresting => self.failed |= parameter(),
            Feedback::Rejected => {}
        }
    }

    fn propose_fallback(
        &mut self,
        view: &View,
        tested: &Edit,
        why: &EditReason,
    ) -> Option<(Edit, EditReason)> {
        propose_with_arguments(view, tested, why)
    }
}

/// The edit of parameters with their arguments, if nothing that stays uses any of it.
fn propose_with_arguments(
    view: &View,
    edit: &Edit,
    why: &EditReason,
) -> Option<(Edit, EditReason)> {
    let (all, fact) = with_arguments(&view.version, edit)?;
    let spared = SparedElements::from_edit(view, &all, &removed_places(&view.version, &all));
    let free = spared.first.is_none();
    free.then(|| (all, with_name_fact(why, why.action.clone(), fact)))
}
