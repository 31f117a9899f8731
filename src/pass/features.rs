//! The parts of the default strategy that can be switched off, to see what each is worth.

use super::filters::FilteredPass;
use super::filters::constraint_filter::ConstraintFilter;
use super::filters::dangling_uses::DanglingUseFilter;
use super::filters::dependency_closure::ClosureFilter;
use super::filters::dependents::DependentsFilter;
use super::filters::failure_memory::FailureMemory;
use super::filters::gc::GarbageCollectingPass;
use super::shared::similar_edits::GroupingConfig;
use super::{Pass, PassOptions};
use crate::program::{AppliedEdit, Edit, EditReason, View};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// A part of the default strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrategyFeature {
    /// See `closed.rs`.
    Closed,
    /// See `gc.rs`.
    Gc,
    /// See `guard.rs`.
    Guard,
    /// See `learn.rs`.
    Learn,
    /// See `hollow.rs`.
    Hollow,
    /// See `bodies.rs`.
    Bodies,
    /// See `alike.rs`.
    Alike,
    /// See `batch.rs`.
    Batch,
}

/// All parts: the name on the command line, and what goes without it.
pub static PARTS: &[(&str, StrategyFeature, &str)] = &[
    (
        "closed",
        StrategyFeature::Closed,
        "declarations of names that are in use are not asked about",
    ),
    (
        "gc",
        StrategyFeature::Gc,
        "what became unreferenced goes at once",
    ),
    (
        "guard",
        StrategyFeature::Guard,
        "no candidate loses the declaration of a name that it uses",
    ),
    (
        "learn",
        StrategyFeature::Learn,
        "what failed twice and never passed is not asked again",
    ),
    (
        "hollow",
        StrategyFeature::Hollow,
        "all bodies and structures are emptied at once",
    ),
    (
        "bodies",
        StrategyFeature::Bodies,
        "bodies are emptied in batches",
    ),
    (
        "alike",
        StrategyFeature::Alike,
        "what passed in two places is asked about all places like them",
    ),
    (
        "batch",
        StrategyFeature::Batch,
        "edits of a kind that often pass are asked about one version and taken together",
    ),
];

/// A set of parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeatureSet(u8);

impl FeatureSet {
    /// These and `part`.
    pub fn with_feature(self, part: StrategyFeature) -> FeatureSet {
        FeatureSet(self.0 | 1 << part as u8)
    }

    /// Whether `part` is one of them.
    pub fn contains(self, part: StrategyFeature) -> bool {
        self.0 & 1 << part as u8 != 0
    }

    /// Their names.
    pub fn feature_names(self) -> impl Iterator<Item = &'static str> {
        let all = PARTS.iter();
        all.filter(move |(_, part, _)| self.contains(*part))
            .map(|(name, ..)| *name)
    }

    /// These and the part of that name; none if there is no such part.
    pub fn with_named(self, name: &str) -> Option<FeatureSet> {
        let (_, part, _) = PARTS.iter().find(|(known, ..)| *known == name)?;
        Some(self.with_feature(*part))
    }
}

impl PassOptions {
    /// This pass, unless it goes without.
    pub(super) fn pass_if_enabled(
        &self,
        part: StrategyFeature,
        pass: Box<dyn Pass>,
    ) -> Box<dyn Pass> {
        if self.disabled_features.contains(part) {
            Box::new(DisabledPass)
        } else {
            pass
        }
    }

    /// How nodes that are alike are asked about together.
    pub(super) fn grouping_config(&self) -> GroupingConfig {
        GroupingConfig {
            gallop: !self.disabled_features.contains(StrategyFeature::Alike),
            batch: !self.disabled_features.contains(StrategyFeature::Batch),
        }
    }

    /// With `ConstraintFilter` around it: what the constraints forbid is never asked.
    pub fn with_constraint_filter(&self, pass: Box<dyn Pass>) -> Box<dyn Pass> {
        FilteredPass::new_boxed(pass, ConstraintFilter)
    }

    /// With [`ClosureFilter`] around it.
    pub(super) fn with_closure_filter(&self, pass: Box<dyn Pass>) -> Box<dyn Pass> {
        self.wrap_if_enabled(StrategyFeature::Closed, pass, |pass| {
            FilteredPass::new_boxed(pass, ClosureFilter)
        })
    }

    /// With [`DependentsFilter`] around it, which is [`ClosureFilter`] and more: for a pass that takes what was asked.
    pub(super) fn with_dependents_filter(&self, pass: Box<dyn Pass>) -> Box<dyn Pass> {
        let grown = |pass| FilteredPass::new_boxed(pass, DependentsFilter::default());
        self.wrap_if_enabled(StrategyFeature::Closed, pass, grown)
    }

    /// With [`DanglingUseFilter`] around it.
    pub(super) fn with_dangling_use_filter(&self, pass: Box<dyn Pass>) -> Box<dyn Pass> {
        self.wrap_if_enabled(StrategyFeature::Guard, pass, |pass| {
            FilteredPass::new_boxed(pass, DanglingUseFilter)
        })
    }

    /// With [`FailureMemory`] around it.
    pub(super) fn with_failure_memory(&self, pass: Box<dyn Pass>) -> Box<dyn Pass> {
        let learn = |pass| FilteredPass::new_boxed(pass, FailureMemory::default());
        self.wrap_if_enabled(StrategyFeature::Learn, pass, learn)
    }

    /// With [`GarbageCollectingPass`] around it.
    pub(super) fn with_garbage_collection(&self, pass: Box<dyn Pass>) -> Box<dyn Pass> {
        self.wrap_if_enabled(StrategyFeature::Gc, pass, GarbageCollectingPass::new_boxed)
    }

    fn wrap_if_enabled(
        &self,
        part: StrategyFeature,
        pass: Box<dyn Pass>,
        wrap: impl FnOnce(Box<dyn Pass>) -> Box<dyn Pass>,
    ) -> Box<dyn Pass> {
        if self.disabled_features.contains(part) {
            pass
        } else {
            wrap(pass)
        }
    }
}

/// A pass that was switched off.
#[derive(Clone, Copy, Debug)]
struct DisabledPass;

impl Proposer for DisabledPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, _: &View) -> ProposerStep<Edit, EditReason> {
        ProposerStep::Done
    }

    fn on_verdict(&mut self, _: &View, _: &Edit, _: Feedback) {}

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {}

    fn invalidate(&mut self, _: &View) {}
}
