//! The features of the default strategy: the parts that can be switched off, to see what each is worth.

use std::sync::LazyLock;

use super::passes::assertion::ASSERTION;
use super::passes::assume::ASSUME;
use super::passes::initial::INITIAL;
use super::passes::slices::SLICES;
use super::shared::similar_edits::GroupingConfig;
use super::{BYTES, Effort, Pass, PassOptions, STRATA, STRATEGIES, Strategy};
use crate::program::{AppliedEdit, Edit, EditReason, View};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// A part of the default strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrategyFeature {
    /// See `filters/dependency_closure.rs`.
    DependencyClosure,
    /// See `filters/gc.rs`.
    GarbageCollection,
    /// See `filters/dangling_uses.rs`.
    DanglingUses,
    /// See `filters/failure_memory.rs`.
    FailureMemory,
    /// See `passes/hollow.rs`.
    EmptyAll,
    /// See `passes/bodies.rs`.
    EmptyBodies,
    /// See `shared/similar_edits.rs`.
    SimilarEdits,
    /// See `shared/batch.rs`.
    EditBatches,
    /// See `passes/skip.rs`, `passes/assignment.rs` and `passes/expression.rs`.
    InnerStatements,
    /// See `passes/unused.rs`.
    UnusedNames,
    /// See `passes/rename.rs`.
    ShortNames,
    /// Off unless the user asks for it: see `passes/assertion.rs`.
    Assertions,
    /// The same: see `passes/assume.rs`.
    Assumptions,
    /// The same: see `passes/initial.rs`.
    InitialValues,
    /// The same: see `passes/slices.rs`.
    Slices,
    /// Of `reduktor`: slices of the line where it fails.
    Slicing,
    /// Of `reduktor`: rewrites, coarse to fine.
    Transformations,
    /// Of `reduktor`: what finishes the result.
    LastStep,
    /// Of a pair: see `passes/tree_difference.rs`.
    TreeDifference,
    /// Of a pair: see `passes/list_difference.rs`.
    ListDifference,
    /// Of a pair: all passes over the seed, of which the filter `twins` makes edits of both documents.
    CommonTokens,
}

/// The features of every run: the name on the command line, and what the feature does.
pub static FEATURES: &[(&str, StrategyFeature, &str)] = &[
    (
        "closed",
        StrategyFeature::DependencyClosure,
        "declarations of names that are still used are not proposed",
    ),
    (
        "gc",
        StrategyFeature::GarbageCollection,
        "declarations that became unreferenced are removed at once",
    ),
    (
        "guard",
        StrategyFeature::DanglingUses,
        "no candidate loses the last declaration of a name that it uses",
    ),
    (
        "learn",
        StrategyFeature::FailureMemory,
        "what failed twice and was never accepted is not proposed again",
    ),
    (
        "hollow",
        StrategyFeature::EmptyAll,
        "all bodies and structures are emptied at once",
    ),
    (
        "bodies",
        StrategyFeature::EmptyBodies,
        "bodies are emptied in batches",
    ),
    (
        "alike",
        StrategyFeature::SimilarEdits,
        "what succeeded in two places is tried in all similar places",
    ),
    (
        "batch",
        StrategyFeature::EditBatches,
        "edits of a kind that often succeeds are tested against one version and accepted together",
    ),
];

/// The features that only some strategies have.
pub static STRATEGY_FEATURES: &[(&str, StrategyFeature, &str)] = &[
    (
        "inner",
        StrategyFeature::InnerStatements,
        "statements inside of others, such as those of a loop, are reduced too",
    ),
    (
        "unused",
        StrategyFeature::UnusedNames,
        "functions that cannot be reached and names that nothing uses are removed at the end",
    ),
    (
        "rename",
        StrategyFeature::ShortNames,
        "declared names get the shortest texts that are free",
    ),
];

/// Passes that are off unless the user asks for them, by their names.
pub static OPTIONAL_PASSES: &[(&str, StrategyFeature, &str)] = &[
    (
        ASSERTION.name,
        StrategyFeature::Assertions,
        "expressions of assertions become simpler too",
    ),
    (
        ASSUME.name,
        StrategyFeature::Assumptions,
        "assignments of open values under a constraint become assumptions",
    ),
    (
        INITIAL.name,
        StrategyFeature::InitialValues,
        "variables begin with a constant, as a detour that counts if it ends smaller",
    ),
    (
        SLICES.name,
        StrategyFeature::Slices,
        "all goes but the backward slice of the line where it fails, or of likely lines",
    ),
];

/// The features of the strategy `reduktor` (ASE 2019, §V): the steps of its pipeline.
pub static REDUKTOR_FEATURES: &[(&str, StrategyFeature, &str)] = &[
    (
        "slice",
        StrategyFeature::Slicing,
        "all goes but the slice of the line where it fails: statements, functions, classes",
    ),
    (
        "transform",
        StrategyFeature::Transformations,
        "literals, parameters, supertypes, results, rules with holes, calls and names are rewritten",
    ),
    (
        "hdd",
        StrategyFeature::LastStep,
        "hierarchical delta debugging, or Pardis, finishes the result",
    ),
];

/// The features that only pairs have (PPR, FSE 2023, RQ3).
pub static PAIR_FEATURES: &[(&str, StrategyFeature, &str)] = &[
    (
        "tdiff",
        StrategyFeature::TreeDifference,
        "subtrees that only the seed or only the variant has are reduced",
    ),
    (
        "ldiff",
        StrategyFeature::ListDifference,
        "hunks of the difference and their tokens are undone",
    ),
    (
        "common",
        StrategyFeature::CommonTokens,
        "what both programs have in common is reduced",
    ),
];

/// All features: those of every run, of some strategies, optional passes, those of `reduktor`, then those of pairs.
fn all_features() -> impl Iterator<Item = &'static (&'static str, StrategyFeature, &'static str)> {
    FEATURES
        .iter()
        .chain(STRATEGY_FEATURES)
        .chain(OPTIONAL_PASSES)
        .chain(REDUKTOR_FEATURES)
        .chain(PAIR_FEATURES)
}

/// The names of the strata and of the passes of the default strategy, which can be left out too.
pub fn default_part_names() -> impl Iterator<Item = &'static str> {
    let strata = STRATA.iter().map(|stratum| stratum.name);
    strata.chain(default_passes().map(|(name, _)| name))
}

/// Whether one of these names is meant.
pub fn is_default_part(typed: &str) -> bool {
    default_part_names().any(|name| is_named(name, typed))
}

/// Whether a strategy for one program can leave out the part of this name: the default one features and passes, those for statements and
/// `reduktor` features of their own.
pub fn has_feature(strategy: &Strategy, part: &str) -> bool {
    let is_default = strategy.name == STRATEGIES[0].name;
    let own = match strategy.needs_statements() {
        true => STRATEGY_FEATURES,
        false if is_default => FEATURES,
        false if !strategy.steps.is_empty() => REDUKTOR_FEATURES,
        false => &[],
    };
    own.iter().any(|(name, ..)| *name == part) || is_default && is_default_part(part)
}

/// A set of features, and of passes of the default strategy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeatureSet(u128);

/// The bit of the first pass, behind those of the features.
const FIRST_PASS_BIT: usize = 32;

/// The passes of the default strategy that no feature has the name of, with their bits.
static DEFAULT_PASSES: LazyLock<Vec<(&str, u128)>> = LazyLock::new(|| {
    let names = STRATEGIES[0].passes.iter().map(|kind| kind.name);
    let own = names.filter(|name| all_features().all(|(feature, ..)| feature != name));
    own.zip((FIRST_PASS_BIT..).map(|bit| 1 << bit)).collect()
});

fn default_passes() -> impl Iterator<Item = (&'static str, u128)> {
    DEFAULT_PASSES.iter().copied()
}

/// Whether a part of this name is meant. Words are joined by blanks, or by hyphens as a shell likes it.
fn is_named(name: &str, typed: &str) -> bool {
    name == typed || name.replace(' ', "-") == typed
}

impl FeatureSet {
    /// These features and `feature`.
    pub fn with_feature(self, feature: StrategyFeature) -> FeatureSet {
        FeatureSet(self.0 | 1 << feature as u8)
    }

    /// These features and those.
    pub fn and(self, others: FeatureSet) -> FeatureSet {
        FeatureSet(self.0 | others.0)
    }

    /// Whether `feature` is one of them.
    pub fn contains(self, feature: StrategyFeature) -> bool {
        self.0 & 1 << feature as u8 != 0
    }

    /// Whether the pass of this name is one of them.
    fn contains_pass(self, pass: &str) -> bool {
        default_passes().any(|(name, bit)| name == pass && self.0 & bit != 0)
    }

    /// Their names.
    pub fn feature_names(self) -> impl Iterator<Item = &'static str> {
        let features = all_features().filter(move |(_, feature, _)| self.contains(*feature));
        let passes = default_passes().filter(move |(_, bit)| self.0 & bit != 0);
        let features = features.map(|(name, ..)| *name);
        features.chain(passes.map(|(name, _)| name))
    }

    /// The features of these names. Unknown names count for nothing.
    pub fn from_names(names: &[String]) -> FeatureSet {
        let names = names.iter();
        names.fold(FeatureSet::default(), |features, name| {
            features.with_named(name).unwrap_or(features)
        })
    }

    /// These features and what has that name: a feature, a pass, or all passes of a stratum. None if nothing has.
    pub fn with_named(self, name: &str) -> Option<FeatureSet> {
        if let Some((_, feature, _)) = all_features().find(|(known, ..)| *known == name) {
            return Some(self.with_feature(*feature));
        }
        let stratum = STRATA.iter().find(|stratum| stratum.name == name);
        let named = |pass: &str| match stratum {
            Some(stratum) => stratum.has_pass(pass),
            None => is_named(pass, name),
        };
        let bits = default_passes().filter(|(pass, _)| named(pass));
        let bits = bits.fold(0, |bits, (_, bit)| bits | bit);
        (bits != 0).then_some(FeatureSet(self.0 | bits))
    }
}

impl PassOptions {
    /// Whether the pass of this name runs unless the user switches it off: an optional one only if he asked for it, one of a stratum only
    /// with enough effort.
    pub fn starts_enabled(&self, pass: &str) -> bool {
        if self.strategy.stratum_of(pass).is_some() {
            let wanted = self.enabled_features.contains_pass(pass);
            let kept = self.keeps_text && self.effort < Effort::Hard && BYTES.has_pass(pass);
            return (self.effort > Effort::Quick && !kept || wanted)
                && !self.disabled_features.contains_pass(pass);
        }
        let optional = OPTIONAL_PASSES.iter().find(|(name, ..)| *name == pass);
        let is_wanted = |feature| self.enabled_features.contains(feature);
        optional
            .is_none_or(|(_, feature, _)| is_wanted(*feature) || self.strategy.has_step_of(pass))
            && !self.strategy.leaves_out(pass, self.disabled_features)
            && !self.disabled_features.contains_pass(pass)
    }

    /// This pass, unless its feature is switched off.
    pub(super) fn pass_if_enabled(
        &self,
        feature: StrategyFeature,
        pass: Box<dyn Pass>,
    ) -> Box<dyn Pass> {
        if self.disabled_features.contains(feature) {
            Box::new(DisabledPass)
        } else {
            pass
        }
    }

    /// Whether passes over statements ask about those inside of others.
    pub(super) fn asks_about_inner(&self) -> bool {
        !self
            .disabled_features
            .contains(StrategyFeature::InnerStatements)
    }

    /// How similar edits are tested together.
    pub(super) fn grouping_config(&self) -> GroupingConfig {
        GroupingConfig {
            gallop: !self
                .disabled_features
                .contains(StrategyFeature::SimilarEdits),
            batch: !self
                .disabled_features
                .contains(StrategyFeature::EditBatches),
        }
    }
}

/// A pass that is switched off.
#[derive(Clone, Copy, Debug)]
pub(super) struct DisabledPass;

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
