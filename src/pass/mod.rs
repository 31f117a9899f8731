//! Passes propose candidates, one after the other in a strategy, and never run a test.
//!
//! A strategy is a row of [`STRATEGIES`]: passes in their order. A pass is a row too ([`PassKind`]), in its own file with its name, its
//! source and its state. The row says whether the pass runs to a fixpoint, which filters surround it, and what happens to a candidate with
//! new parse errors ([`SyntaxCheck`]). For a *syntactic* pass the candidate is rejected. For a pass without syntax (`lines`, `levels`,
//! `tokens`) and for the certificate it is tested. *unconfirmed* tests such candidates too, and runs only if something was rejected.
//!
//! | room | subject |
//! | --- | --- |
//! | `strategies.rs`, `features.rs` | the table of strategies; the parts of the default one that can be switched off |
//! | `effort.rs` | how much a run asks, and what a stratum proves |
//! | `strategy_name.rs` | a strategy by the name that is typed |
//! | `schedules.rs` | what a pass that runs again asks about |
//! | `passes/` | the passes |
//! | `filters/` | wrappers around a pass |
//! | `shared/` | what passes share |
//!
//! Most passes minimise lists, so two values do most of the work: `shared/unit_minimizer.rs` is a list minimiser over anything, and
//! `shared/unit_list.rs` minimises one list after the other (comments, lines, tokens, the levels of HDD). `shared/removable.rs` says what
//! the grammar allows a pass to delete.
//!
//! Outside of Boolean programs only the passes of the strata rename or rewrite: with quick effort no pass does.
//! The last passes of the default strategy change no number of tokens: literals, names and white space become shorter (`literals`, `characters`,
//! `names`, `spaces`). `shared/halving.rs` makes independent changes all at once or in halves.
//!
//! A pass may propose an edit that makes the program larger, if its strategy has detours ([`DetourPlan`]): the edit says that it begins one
//! (`Edit::detour`), and the proposer does the rest. The pass hears at the end of a detour that led nowhere that its candidate was uninteresting.

mod effort;
mod features;
mod filters;
mod passes;
mod schedules;
mod shared;
mod strategies;
mod strategy_name;

pub use effort::{EFFORTS, Effort, Stratum, StratumClaim, find_effort};
pub use features::{
    FEATURES, FeatureSet, OPTIONAL_PASSES, PAIR_FEATURES, REDUKTOR_FEATURES, STRATEGY_FEATURES,
    StrategyFeature, default_part_names, has_feature, is_default_part,
};
pub use filters::FilterKind;
pub use filters::gc::NAME as GC_NAME;
pub use filters::round_filter::{NameSet, RoundScope};
pub use filters::twins::remove_twins_too;
pub use passes::comments::COMMENTS;
pub use passes::files::FILES;
pub use passes::heaviest_passes::{CERTIFICATE, HEAVIEST, TOP_LEVEL};
pub use passes::hints::HINTS;
pub use passes::hollow::HOLLOW;
pub use passes::last_first::{LARGE_PROGRAM_NOTE, LAST_FIRST};
pub use passes::list_difference::LIST_DIFFERENCE;
pub use passes::names::NAMES;
pub use passes::perses::PERSES;
pub use passes::place::PLACE;
pub use passes::rules::{RULES, find_rule_places};
pub use passes::slices::SLICES;
pub use passes::tokens::TOKENS;
pub use schedules::{SCHEDULES, ScheduleKind, find_schedule};
pub use shared::file_removal::{delete_files, name_removed_files};
pub use shared::last_declarations::LARGE_PROGRAM;
pub use shared::removable::{WalkedNode, keep_only_edit, removal_edit, walk_parts};
pub use shared::replacements::{ReplacementCandidate, ReplacementSearch, replacement_candidates};
pub use shared::slicing::SliceTarget;
pub use strategies::{
    BYTES, DetourBounds, DetourPlan, ISOLATE_STRATEGIES, PAIR_STRATEGIES, STRATA, STRATEGIES,
    Strategy, StrategyStep, all_filters, all_passes, find_strategy, isolates_difference,
};
pub use strategy_name::{ALONE, NamedStrategy, parse_parts, parse_strategy};

use self::filters::constraint_filter::CONSTRAINTS;
use self::filters::twins::TWINS;
use self::passes::list_difference::MIRRORED_DIFFERENCE;
use crate::minimize;
use crate::program::{AppliedEdit, Edit, EditReason, Version, View};
use crate::protocol::Proposer;

/// A pass of any kind. The state clones cheaply.
pub trait Pass:
    Proposer<View = View, Edit = Edit, Why = EditReason, Change = AppliedEdit> + Send + Sync
{
    /// A clone in a box.
    fn clone_box(&self) -> Box<dyn Pass>;
}

impl<T> Pass for T
where
    T: Proposer<View = View, Edit = Edit, Why = EditReason, Change = AppliedEdit>
        + Clone
        + Send
        + Sync
        + 'static,
{
    fn clone_box(&self) -> Box<dyn Pass> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Pass> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}

/// What a pass knows at its start besides the version.
#[derive(Clone, Copy, Debug)]
pub struct PassOptions {
    /// The list minimiser.
    pub minimizer: &'static minimize::MinimizerKind,
    /// Which passes run, and in what order.
    pub strategy: &'static Strategy,
    /// How much the run asks.
    pub effort: Effort,
    /// Whether names, literals and white space stay as they are, unless the user asks for shorter ones or for hard effort.
    pub keeps_text: bool,
    /// What a pass that runs again asks about.
    pub schedule: ScheduleKind,
    /// The features that are switched off.
    pub disabled_features: FeatureSet,
    /// The optional passes that the user asked for.
    pub enabled_features: FeatureSet,
    /// Of a pair: whether hunks of the difference are undone in the seed too.
    pub mirror: bool,
    /// Whether the program has several files, each of which may go: a run sets it.
    pub is_project: bool,
    /// Whether a language of the program says what its statements are: a run sets it.
    pub statements: bool,
    /// Whether passes over text ask about candidates with new parse errors too: so it is where the languages of the program say that. A run
    /// sets it.
    pub unguarded_text: bool,
    /// Whether all versions are in the canonical form of their language, which tokens alone do not keep: a run sets it.
    pub has_canonical_layout: bool,
}

impl Default for PassOptions {
    fn default() -> PassOptions {
        PassOptions::from_strategy(&STRATEGIES[0])
    }
}

impl PassOptions {
    /// The strategy without switched-off features.
    pub fn from_strategy(strategy: &'static Strategy) -> PassOptions {
        let minimizer = minimize::find_minimizer(strategy.minimizer);
        PassOptions {
            minimizer: minimizer.unwrap_or(minimize::MINIMIZERS[0]),
            strategy,
            effort: Effort::default(),
            keeps_text: false,
            schedule: strategy.schedule,
            disabled_features: FeatureSet::default(),
            enabled_features: FeatureSet::default(),
            mirror: false,
            is_project: false,
            statements: false,
            unguarded_text: false,
            has_canonical_layout: false,
        }
    }

    /// Takes the schedule of this name, if one is named, in place of the strategy's.
    pub fn choose_schedule(&mut self, name: Option<&str>) {
        let chosen = name.and_then(find_schedule);
        self.schedule = chosen.unwrap_or(self.strategy.schedule);
    }

    /// The next effort; none for the greatest, and where the strategy has no efforts.
    pub fn more_effort(&self) -> Option<Effort> {
        self.effort
            .raised()
            .filter(|_| !self.strategy.strata.is_empty())
    }

    /// These options for a run that begins on this version.
    #[must_use]
    pub fn for_version(self, version: &Version) -> PassOptions {
        PassOptions {
            is_project: version.is_project(),
            statements: version.has_statements(),
            unguarded_text: version.has_unguarded_text(),
            has_canonical_layout: version.keeps_layout(),
            ..self
        }
    }

    /// The passes of the strategy that these options schedule, in its order, for several files between those over files: the mirrored difference only with `mirror`,
    /// passes over statements only where the language says what those are, and passes over tokens only where no canonical form must be kept.
    pub fn scheduled_passes(&self) -> impl Iterator<Item = &'static PassKind> {
        let PassOptions {
            mirror,
            statements,
            has_canonical_layout,
            ..
        } = *self;
        let stratum_of = |kind: &PassKind| self.strategy.stratum_of(kind.name);
        let works_on_tokens =
            move |kind| stratum_of(kind).is_some_and(|stratum| stratum.works_on_tokens);
        let passes = self.strategy.passes.iter().copied();
        let passes = passes.filter(move |kind| {
            (mirror || kind.name != MIRRORED_DIFFERENCE.name)
                && (statements || !strategies::needs_statements(kind))
                && !(has_canonical_layout && works_on_tokens(kind))
        });
        let of_files = |passes: &'static [&'static PassKind]| match self.is_project {
            true => passes.iter().copied(),
            false => [].iter().copied(),
        };
        let last = of_files(strategies::LAST_PROJECT_PASSES);
        of_files(strategies::PROJECT_PASSES)
            .chain(passes)
            .chain(last)
    }
}

/// What happens when a pass has ended and made the program smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepeatPolicy {
    /// The next pass runs.
    Never,
    /// The same pass runs again, until the program gets no smaller.
    Fixpoint,
    /// The pass of this name, which comes before it, runs again.
    BackTo(&'static str),
    /// The pass of this name, which comes before it, runs again if the program has fewer tokens, by the objective, than when that pass began:
    /// the passes from there to here are a round.
    RoundFrom(&'static str),
}

/// What happens to a candidate in which the parser finds more errors than in the version before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxCheck {
    /// It is rejected without a test, because the pass only proposes programs that the grammar allows.
    Enforce,
    /// It is rejected, unless the language says that its parser misreads much of what compilers accept (`text_unguarded` in
    /// `language.toml`).
    EnforceUnlessMisread,
    /// It is tested: a pass without syntax would be stopped by the parse check.
    Skip,
    /// It is tested, and the pass runs only after another one that enforces the check: not before something was rejected, and not if the
    /// user disabled the pass of this name, which would propose the same.
    SkipAfter(&'static str),
}

/// What a pass proposes where the program is a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairScope {
    /// Edits of the seed. The filter `twins` makes the same edit of the variant.
    Seed,
    /// Edits of both documents, or of the difference: as they are.
    Both,
}

/// With less than hard effort the strata ask nothing about a program with more tokens: each question looks at all of it.
pub const MOST_REWRITTEN_TOKENS: u32 = 10_000;

/// A kind of pass, as the table lists it.
#[derive(Debug)]
pub struct PassKind {
    /// Its name.
    pub name: &'static str,
    /// What it does and where it comes from.
    pub description: &'static str,
    /// Whether it runs again when it made the program smaller.
    pub repeat: RepeatPolicy,
    /// What happens to a candidate with new parse errors.
    pub syntax_check: SyntaxCheck,
    /// What it proposes where the program is a pair.
    pub pair_scope: PairScope,
    /// The filters around it, from the innermost to the outermost.
    pub filters: &'static [&'static FilterKind],
    /// Begins on a version, without the filters.
    pub start: fn(&View, &PassOptions) -> Box<dyn Pass>,
}

impl PassKind {
    /// Begins on a version, with its filters except for those that the options switch off. The filter for constraints is always the
    /// outermost; in a pair, that for twins is around the others of a pass that proposes edits of the seed.
    pub fn start_filtered(&self, view: &View, options: &PassOptions) -> Box<dyn Pass> {
        self.start_in_scope(view, options, &RoundScope::Everything)
    }

    /// Whether it belongs to a stratum whose passes look at all of the program for each question, and the program is large.
    fn is_left_out(&self, view: &View, options: &PassOptions) -> bool {
        options.effort < Effort::Hard
            && options.strategy.stratum_of(self.name).is_some()
            && view.version.token_count() > MOST_REWRITTEN_TOKENS
    }

    /// The same for a round that asks only about what is in its scope. What filters around it add to an edit may be outside of it.
    pub fn start_in_scope(
        &self,
        view: &View,
        options: &PassOptions,
        scope: &RoundScope,
    ) -> Box<dyn Pass> {
        if self.is_left_out(view, options) {
            return Box::new(features::DisabledPass);
        }
        let doubles = view.version.twins().is_some() && self.pair_scope == PairScope::Seed;
        if doubles
            && options
                .disabled_features
                .contains(StrategyFeature::CommonTokens)
        {
            return Box::new(features::DisabledPass);
        }
        let filters = self.filters.iter().copied();
        let filters = filters
            .chain(doubles.then_some(&TWINS))
            .chain([&CONSTRAINTS]);
        filters
            .filter(|filter| filter.is_enabled(options.disabled_features))
            .fold(
                scope.wrap_pass(view, (self.start)(view, options)),
                |pass, filter| (filter.wrap)(pass),
            )
    }
}
