//! The dependency closure, and co-deletion of dependents.
//!
//! It surrounds passes that accept the tested edit, whatever they proposed: all but *hints*. Where the language rejects a declaration
//! without a use, the declaration is always removed with its last use (`unused_declarations.rs`). A parameter is removed with its arguments
//! (`arguments.rs`) where it cannot be removed alone. Whether it can is not known at first, so it is tried alone. Once such an edit failed,
//! and while none was accepted, only both together are tried; and then arguments are not tried without their parameters.

use super::arguments::{only_arguments, with_arguments};
use super::dependency_closure::{ClosureFilter, SparedElements, with_clause};
use super::unused_declarations::with_unused_declarations;
use super::{EditFilter, FilterKind, FilteredPass};
use crate::pass::StrategyFeature;
use crate::program::names::removed_places;
use crate::program::{Edit, EditReason, View};
use crate::protocol::Feedback;

/// The dependency closure with dependents.
pub static DEPENDENTS: FilterKind = FilterKind {
    name: "dependents",
    description: "the dependency closure, and removes what cannot stay: arguments with their parameters, declarations that must be used",
    feature: Some(StrategyFeature::DependencyClosure),
    wrap: |pass| FilteredPass::new_boxed(pass, DependentsFilter::default()),
};

/// The verdicts on parameters without their arguments, and on arguments without their parameters.
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
            Some((all, fact)) => (all, with_clause(&why, fact)),
            None => (edit, why),
        })
    }

    fn on_verdict(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        let version = &view.version;
        let parameter = || with_arguments(version, tested).is_some();
        match feedback {
            Feedback::Interesting => {
                self.passed = self.passed || parameter() || only_arguments(version, tested);
            }
            // The bug may need an argument, but not a parameter that nothing uses.
            Feedback::Uninteresting => self.failed = self.failed || parameter(),
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

/// The edit that removes parameters with their arguments, if nothing that stays uses any of them.
fn propose_with_arguments(
    view: &View,
    edit: &Edit,
    why: &EditReason,
) -> Option<(Edit, EditReason)> {
    let (all, fact) = with_arguments(&view.version, edit)?;
    let spared = SparedElements::from_edit(view, &all, &removed_places(&view.version, &all));
    spared.is_empty().then(|| (all, with_clause(why, fact)))
}
