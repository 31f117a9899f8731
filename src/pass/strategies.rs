//! The table of strategies: each pass is a file, and runs where a row here names it.
//!
//! The default strategy, `lop`, goes from coarse to fine:
//!
//! 1. *line markers*, *comments*, *hints*, *place*; if the user asks for it, *slices*.
//! 2. *hollow*: all bodies and fields at once, else one of the two. A body keeps its last `return`, and by the dependency closure what that
//!    needs. A list that cannot be empty gets the filler of its kind (`[fillers]` in `language.toml`, `program/fillers.rs`): an edit that
//!    inserts new tokens. A structure is removed as a whole only if nothing that stays uses its members; else element by element, as far as
//!    the closure allows.
//! 3. *top level*: declarations of the file in halves, quarters and so on, from the back to the front, with the dependency closure. A large program is left after some
//!    failures in a row. Then *last first* reduces its last declarations, *external references* makes what they name of others simple, *needed* and *perhaps needed* remove what these do not need; where the last removes something, all begins again with *hollow*.
//!    *Hidden tokens* follow.
//! 4. *bodies*: emptied in batches that are halved; the pass ends after 14 failures in a row.
//! 5. *heaviest first*: Perses' order with all filters. Lists of eight and more elements gallop; of shorter ones each element is tried
//!    once. At the end, the nodes around each accepted edit, and around names that lost a declaration or a use, are tried once more.
//!    Where the language says what its statements are, *skip*, *assignment*, *expression* and *labels* follow.
//! 6. *unconfirmed*: only if the parse check rejected something: the same once more, and what the parse check rejects is tested. What the
//!    tree allows is valid by the rules of the grammar, but parsers that recover from errors misread some correct programs as a whole, such as
//!    a Kotlin file without its last declaration. Known verdicts are reused, so this costs a test for each candidate that was rejected, until
//!    one is accepted; then it continues as 5 does, and back to 5 at its end.
//! 7. *certificate*: every single edit, without filters (except for the constraints and garbage collection) and without the parse check. If
//!    one is accepted, back to 5. So the result is 1-minimal: no element of a list and no optional part can be deleted, and no node that the
//!    search finds, at most four levels down, can replace what is around it (`shared/replacements.rs`).
//!
//! The top level is halved, not galloped: with the dependency closure most candidates of declarations are interesting, and large ones pay.
//! `--without PART` leaves a part out (`features.rs`), to see what it is worth. A `reduce::MinimalityClaim` says what the end proves, and
//! what was left out.

use super::filters::FilterKind;
use super::filters::constraint_filter::CONSTRAINTS;
use super::passes::{
    aggregates, alias, assertion, assignment, assume, balanced_windows, bodies, bracket_levels,
    characters, choices, comments, constants, dispensable, expression, external_references, files,
    gopinath, hdd, hddr, heaviest_passes, hidden_tokens, hints, hoist, hollow, initial,
    inlined_files, isolate, labels, last_first, lines, list_difference, literals, markers, merge,
    names, namespaces, needed, overrides, parameters, pardis, perses, place, rename, results,
    rules, simplest_type, simplify, single_tokens, skip, slices, smallest_first, spaces,
    spare_tokens, statement_expression, substitute, tokens, transplant, tree_difference, unfold,
    unused, window_token, windows,
};
use super::shared::text_sweep::MOST_SWEPT_TOKENS;
use super::{Effort, FeatureSet, PassKind, ScheduleKind, StrategyFeature, Stratum, StratumClaim};

/// Passes in the order in which they run.
#[derive(Debug)]
pub struct Strategy {
    /// Its name.
    pub name: &'static str,
    /// What it does and where it comes from.
    pub description: &'static str,
    /// The list minimiser that it uses unless the user chooses another.
    pub minimizer: &'static str,
    /// The pass from which it begins again at its end, until a whole round leaves the tokens as they are; none if it ends.
    pub repeat_from: Option<&'static str>,
    /// How a pass of it begins detours; none if no pass does.
    pub detours: Option<&'static DetourPlan>,
    /// What its passes ask about when they run again, unless the user chooses another schedule.
    pub schedule: ScheduleKind,
    /// Its passes.
    pub passes: &'static [&'static PassKind],
    /// Those of its passes that run only with more than quick effort.
    pub strata: &'static [&'static Stratum],
    /// Those of its passes that can be left out together.
    pub steps: &'static [StrategyStep],
}

/// A step of a strategy: a feature that the user can switch off, and the passes that run for it.
#[derive(Debug)]
pub struct StrategyStep {
    /// The feature.
    pub feature: StrategyFeature,
    /// Its passes.
    pub passes: &'static [&'static PassKind],
}

/// How a pass of a strategy begins detours: a candidate of it may make the program larger, and counts if what follows makes it smaller than
/// before.
#[derive(Debug)]
pub struct DetourPlan {
    /// The pass. It stands behind those that reduce inside a detour.
    pub pass: &'static str,
    /// The first of the passes that reduce inside a detour; the last is the one before `pass`.
    pub first: &'static str,
    /// How far they go.
    pub normal: DetourBounds,
    /// The same with hard effort.
    pub hard: DetourBounds,
}

/// How far detours go.
#[derive(Clone, Copy, Debug)]
pub struct DetourBounds {
    /// A detour has at most so many decisions.
    pub decisions: u32,
    /// The most tokens that its first version may have more than the program. Only *unfold* asks for more than one, and looks at it.
    pub growth: u32,
    /// After so many candidates that were larger, and were not interesting or led nowhere, *unfold* begins no more; others have no such bound.
    pub failures: u32,
}

impl DetourPlan {
    /// How far its detours go with this effort.
    pub fn bounds(&self, effort: Effort) -> &DetourBounds {
        match effort {
            Effort::Hard => &self.hard,
            Effort::Quick | Effort::Normal => &self.normal,
        }
    }
}

impl Strategy {
    /// Whether one of its passes has this name.
    pub fn has_pass(&self, name: &str) -> bool {
        self.passes.iter().any(|kind| kind.name == name)
    }

    /// Whether one of its passes or strata has this name.
    pub fn has_part(&self, name: &str) -> bool {
        self.has_pass(name) || self.strata.iter().any(|stratum| stratum.name == name)
    }

    /// The stratum that the pass of this name belongs to; none for the passes that every run has.
    pub fn stratum_of(&self, pass: &str) -> Option<&'static Stratum> {
        let mut strata = self.strata.iter().copied();
        strata.find(|stratum| stratum.has_pass(pass))
    }

    /// Whether the pass of this name belongs to a step.
    pub fn has_step_of(&self, pass: &str) -> bool {
        let mut steps = self.steps.iter().flat_map(|step| step.passes);
        steps.any(|kind| kind.name == pass)
    }

    /// Whether the pass of this name belongs to a step whose feature is one of these.
    pub fn leaves_out(&self, pass: &str, features: FeatureSet) -> bool {
        let mut left_out = self
            .steps
            .iter()
            .filter(|step| features.contains(step.feature));
        left_out.any(|step| step.passes.iter().any(|kind| kind.name == pass))
    }

    /// Whether it has nothing to do in a language that does not say what its statements are.
    pub fn needs_statements(&self) -> bool {
        self.has_pass(simplify::SIMPLIFY.name)
    }

    /// Whether it works on the rules of a grammar as they are written: only a grammar in BNF has them.
    pub fn needs_bnf(&self) -> bool {
        let reads_rules = [choices::CHOICES.name, gopinath::GOPINATH.name];
        reads_rules.iter().any(|name| self.has_pass(name))
    }
}

/// All strategies; the first is the default.
pub static STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "lop",
        description: "coarse to fine by the names: everything emptied, declarations, bodies, then the heaviest node first to a fixpoint; then rewrites, windows of tokens and shorter texts",
        minimizer: "galloping",
        repeat_from: None,
        detours: Some(&UNFOLDED_NAMES),
        schedule: ScheduleKind::Plain,
        passes: joined![
            HIDDEN_TEXT,
            SEARCH,
            REWRITES.passes,
            TEXT.passes,
            BYTES.passes,
            PROOF
        ],
        strata: STRATA,
        steps: &[],
    },
    Strategy {
        name: "perses",
        description: "line markers and comments, then Perses to a fixpoint (Sun et al., ICSE 2018)",
        minimizer: "complements",
        repeat_from: None,
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: &[&markers::MARKERS, &comments::COMMENTS, &perses::PERSES],
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "pardis",
        description: "the heaviest node first, one node at a time, only deletions (Gharachorlu and Sumner, FASE 2019)",
        minimizer: "complements",
        repeat_from: None,
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: &[&markers::MARKERS, &comments::COMMENTS, &pardis::PARDIS],
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "reduktor",
        description: "slices, transformations and hierarchical delta debugging, all to a fixpoint (Stepanov, Akhin and Belyaev, ASE 2019)",
        minimizer: "complements",
        repeat_from: Some(slices::SLICES.name),
        detours: Some(&INLINED_CALLS),
        schedule: ScheduleKind::Plain,
        passes: joined![HIDDEN_TEXT, SLICING, TRANSFORMATIONS, FINISHED_BY_HDD],
        strata: &[],
        steps: &reduktor_steps(FINISHED_BY_HDD),
    },
    Strategy {
        name: "reduktor-pardis",
        description: "the same with Pardis at its end (Stepanov, Akhin and Belyaev, ASE 2019, configuration S+T+P)",
        minimizer: "complements",
        repeat_from: Some(slices::SLICES.name),
        detours: Some(&INLINED_CALLS),
        schedule: ScheduleKind::Plain,
        passes: joined![HIDDEN_TEXT, SLICING, TRANSFORMATIONS, FINISHED_BY_PARDIS],
        strata: &[],
        steps: &reduktor_steps(FINISHED_BY_PARDIS),
    },
    Strategy {
        name: "smallest-first",
        description: "Perses with the queue the other way round (Gopinath's blog)",
        minimizer: "complements",
        repeat_from: None,
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: &[
            &markers::MARKERS,
            &comments::COMMENTS,
            &smallest_first::SMALLEST_FIRST,
        ],
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "bp",
        description: "Boolean programs: simplified, then statements, assignments and expressions to a fixpoint, then what is unused, short names (bp-reduce)",
        minimizer: "complements",
        repeat_from: None,
        detours: Some(&initial::INITIAL_VALUES),
        schedule: ScheduleKind::Plain,
        passes: BP,
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "bp-smart",
        description: "bp by the smart schedule (bp-reduce --smart)",
        minimizer: "complements",
        repeat_from: None,
        detours: Some(&initial::INITIAL_VALUES),
        schedule: ScheduleKind::Smart,
        passes: BP,
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "choices",
        description: "the choices by which a grammar in BNF makes the program (Hypothesis, ECOOP 2020)",
        minimizer: "complements",
        repeat_from: None,
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: &[&choices::CHOICES],
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "gopinath",
        description: "Gopinath's search as his code does it, over a grammar in BNF (Gopinath's blog)",
        minimizer: "complements",
        repeat_from: None,
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: &[&gopinath::GOPINATH],
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "hdd",
        description: "hierarchical delta debugging, level by level, once (Misherghi and Su, ICSE 2006; coarse: Hodován et al., ICSME 2017)",
        minimizer: "complements",
        repeat_from: None,
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: &[&markers::MARKERS, &comments::COMMENTS, &hdd::HDD],
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "hdd-star",
        description: "the same to a fixpoint (Misherghi and Su, ICSE 2006)",
        minimizer: "complements",
        repeat_from: None,
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: &[&markers::MARKERS, &comments::COMMENTS, &hdd::HDD_STAR],
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "hddr",
        description: "hierarchical delta debugging, node by node (Kiss, Hodován and Gyimóthy, A-TEST 2018)",
        minimizer: "complements",
        repeat_from: None,
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: &[&markers::MARKERS, &comments::COMMENTS, &hddr::HDDR],
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "hoist",
        description: "hierarchical delta debugging with hoisting, to a fixpoint (Vince et al., AST 2021)",
        minimizer: "complements",
        repeat_from: None,
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: &[&markers::MARKERS, &comments::COMMENTS, &hoist::HOIST],
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "lines",
        description: "delta debugging of lines, without syntax (Zeller and Hildebrandt, TSE 2002)",
        minimizer: "complements",
        repeat_from: None,
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: &[&markers::MARKERS, &lines::LINES],
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "levels",
        description: "delta debugging of what ends inside at most 0, 1, 2, … brackets (multidelta, 2003)",
        minimizer: "complements",
        repeat_from: None,
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: &[&markers::MARKERS, &bracket_levels::LEVELS],
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "tokens",
        description: "delta debugging of tokens, without syntax",
        minimizer: "complements",
        repeat_from: None,
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: &[&markers::MARKERS, &tokens::TOKENS],
        strata: &[],
        steps: &[],
    },
];

/// The detours of the default strategy. Most names stand for a few tokens, and a detour that leads somewhere mostly does so soon. The passes that
/// reduce inside a detour need some hundred decisions for a program that is as small as their own results.
static UNFOLDED_NAMES: DetourPlan = DetourPlan {
    pass: unfold::UNFOLD.name,
    first: heaviest_passes::HEAVIEST.name,
    normal: DetourBounds {
        decisions: 40,
        growth: 12,
        failures: 4,
    },
    hard: DetourBounds {
        decisions: 400,
        growth: 60,
        failures: u32::MAX,
    },
};

/// The detours of the strategy `reduktor`: a call of a small function becomes its body, and the other transformations go on from there.
static INLINED_CALLS: DetourPlan = DetourPlan {
    pass: unfold::UNFOLD.name,
    first: bodies::BODIES.name,
    ..UNFOLDED_NAMES
};

/// The slices of `reduktor`.
const SLICING: &[&PassKind] = &[&slices::SLICES];

/// The transformations of the strategy `reduktor`, by the mechanisms that all languages share, in the order of the paper: those of the text, then
/// those of the tree, coarse to fine.
const TRANSFORMATIONS: &[&PassKind] = &[
    &bodies::BODIES,
    &literals::LITERALS,
    &parameters::PARAMETERS,
    &overrides::OVERRIDES,
    &results::RESULTS,
    &rules::RULES,
    &statement_expression::STATEMENTS,
    &simplest_type::SIMPLEST_TYPE,
    &constants::CONSTANTS,
    &substitute::SUBSTITUTE,
    &unfold::UNFOLD,
];

/// The steps of `reduktor`, of which this is the last.
const fn reduktor_steps(last: &'static [&'static PassKind]) -> [StrategyStep; 3] {
    [
        StrategyStep {
            feature: StrategyFeature::Slicing,
            passes: SLICING,
        },
        StrategyStep {
            feature: StrategyFeature::Transformations,
            passes: TRANSFORMATIONS,
        },
        StrategyStep {
            feature: StrategyFeature::LastStep,
            passes: last,
        },
    ]
}

/// The last step of `reduktor`.
const FINISHED_BY_HDD: &[&PassKind] = &[&hdd::HDD_STAR];

/// The last step of `reduktor-pardis`.
const FINISHED_BY_PARDIS: &[&PassKind] = &[&pardis::PARDIS];

/// The strategies for pairs; the first is the default.
///
/// A round has three parts (PPR, FSE 2023, algorithm 1): the tree difference, the list difference, and what both documents have in common,
/// by the default strategy of one program (each edit of the seed made of the variant too) up to its certificate. A round that changed
/// something is followed by another one. So in the last round all three found nothing on the very result: no hunk of the difference can
/// go, no token of a hunk, and no single part of what is common.
pub static PAIR_STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "pair",
        description: "the tree difference of a pair, the list difference, then what is common, to a fixpoint (PPR, FSE 2023)",
        minimizer: "galloping",
        repeat_from: Some(tree_difference::TREE_DIFFERENCE.name),
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: DIFFERENCE_FIRST,
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "pair-once",
        description: "one round of pair (PPRs)",
        minimizer: "galloping",
        repeat_from: None,
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: DIFFERENCE_FIRST,
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "pair-common-first",
        description: "what is common first, then the differences, to a fixpoint (PPR, RQ4)",
        minimizer: "galloping",
        repeat_from: Some(hints::HINTS.name),
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: joined![HIDDEN_TEXT, COMMON, TREE_DIFFERENCE, LIST_DIFFERENCE],
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "pair-list-first",
        description: "the list difference first, then the tree difference and what is common, to a fixpoint (PPR, RQ4)",
        minimizer: "galloping",
        repeat_from: Some(list_difference::LIST_DIFFERENCE.name),
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: joined![HIDDEN_TEXT, LIST_DIFFERENCE, TREE_DIFFERENCE, COMMON],
        strata: &[],
        steps: &[],
    },
];

/// The parts of a round in the order of the paper.
const DIFFERENCE_FIRST: &[&PassKind] =
    joined![HIDDEN_TEXT, TREE_DIFFERENCE, LIST_DIFFERENCE, COMMON];

/// What comes before the passes of each strategy where the program has several files.
pub static PROJECT_PASSES: &[&PassKind] = &[&files::FILES];

/// What comes behind them.
pub static LAST_PROJECT_PASSES: &[&PassKind] =
    &[&inlined_files::INLINED_FILES, &files::REMAINING_FILES];

/// What comes before all others.
const HIDDEN_TEXT: &[&PassKind] = &[&markers::MARKERS, &comments::COMMENTS];

/// For a pair, what is common: the default strategy of quick effort.
const COMMON: &[&PassKind] = joined![SEARCH, PROOF];

/// The search for parts that can go.
const SEARCH: &[&PassKind] = &[
    &hints::HINTS,
    &place::PLACE,
    &slices::SLICES,
    &hollow::HOLLOW,
    &heaviest_passes::TOP_LEVEL,
    &last_first::LAST_FIRST,
    &external_references::EXTERNAL_REFERENCES,
    &needed::NEEDED,
    &needed::PERHAPS_NEEDED,
    &hidden_tokens::HIDDEN_TOKENS,
    &bodies::BODIES,
    &heaviest_passes::HEAVIEST,
    &skip::SKIP,
    &assignment::ASSIGNMENT,
    &assertion::ASSERTION,
    &expression::EXPRESSION,
    &labels::LABELS,
    &heaviest_passes::UNCONFIRMED,
];

/// What proves the end.
const PROOF: &[&PassKind] = &[&heaviest_passes::CERTIFICATE];

/// The strata of the default strategy, in their order.
pub static STRATA: &[&Stratum] = &[&REWRITES, &TEXT, &BYTES];

/// Rewrites keep the tree sound. Most are edits of several places that belong together, which go on where no single deletion helps.
static REWRITES: Stratum = Stratum {
    name: "rewrites",
    description: "new text and edits of several places, by the rules of the grammar",
    repeat_from: Some(heaviest_passes::HEAVIEST.name),
    works_on_tokens: false,
    passes: &[
        &dispensable::DISPENSABLE,
        &spare_tokens::SPARE_TOKENS,
        &namespaces::NAMESPACES,
        &alias::ALIAS,
        &merge::MERGE,
        &parameters::PARAMETERS,
        &overrides::OVERRIDES,
        &results::RESULTS,
        &rules::RULES,
        &statement_expression::STATEMENTS,
        &simplest_type::SIMPLEST_TYPE,
        &unfold::UNFOLD,
        &constants::CONSTANTS,
        &aggregates::AGGREGATES,
        &substitute::SUBSTITUTE,
        &transplant::TRANSPLANT,
        &balanced_windows::BALANCED_WINDOWS,
    ],
    claims: &[],
};

/// Tokens and brackets go, whatever the tree says: in some languages the parser may misread what is left.
static TEXT: Stratum = Stratum {
    name: "text",
    description: "tokens, brackets and windows of tokens, whatever the tree says",
    repeat_from: Some(single_tokens::SINGLE_TOKENS.name),
    works_on_tokens: true,
    passes: &[
        &single_tokens::SINGLE_TOKENS,
        &windows::WINDOWS,
        &window_token::WINDOW_TOKEN,
    ],
    claims: &[
        StratumClaim {
            pass: &single_tokens::SINGLE_TOKENS,
            sentence: "no token can go",
            most_tokens: MOST_SWEPT_TOKENS,
        },
        StratumClaim {
            pass: &windows::WINDOWS,
            sentence: "no window of 2 to 4 tokens and no pair of brackets can go",
            most_tokens: MOST_SWEPT_TOKENS,
        },
    ],
};

/// No token goes any more: names, literals and white space become shorter.
pub static BYTES: Stratum = Stratum {
    name: "bytes",
    description: "shorter literals and names, and less white space",
    repeat_from: None,
    works_on_tokens: true,
    passes: &[
        &literals::LITERALS,
        &characters::CHARACTERS,
        &names::NAMES,
        &spaces::SPACES,
    ],
    claims: &[],
};

/// The passes of bp-reduce.
const BP: &[&PassKind] = &[
    &markers::MARKERS,
    &comments::COMMENTS,
    &simplify::SIMPLIFY,
    &skip::SKIP,
    &assignment::ASSIGNMENT,
    &assume::ASSUME,
    &assertion::ASSERTION,
    &expression::EXPRESSION_AGAIN,
    &initial::INITIAL,
    &unused::UNUSED,
    &rename::RENAME,
];

/// Passes that ask about statements: they run only where the language says what those are.
const STATEMENTS: &[&PassKind] = &[
    &simplify::SIMPLIFY,
    &skip::SKIP,
    &assignment::ASSIGNMENT,
    &assume::ASSUME,
    &assertion::ASSERTION,
    &expression::EXPRESSION,
    &initial::INITIAL,
    &labels::LABELS,
];

/// Whether a pass asks about statements.
pub(super) fn needs_statements(kind: &PassKind) -> bool {
    STATEMENTS.iter().any(|known| known.name == kind.name)
}

/// The tree difference.
const TREE_DIFFERENCE: &[&PassKind] = &[&tree_difference::TREE_DIFFERENCE];

/// The list difference, with its mirror.
const LIST_DIFFERENCE: &[&PassKind] = &[
    &list_difference::LIST_DIFFERENCE,
    &list_difference::MIRRORED_DIFFERENCE,
];

/// These lists of passes as one, one after the other.
macro_rules! joined {
    ($($part:expr),+ $(,)?) => {
        &join_passes::<{ 0 $(+ $part.len())+ }>(&[$($part),+])
    };
}
use joined;

/// These parts, one after the other: `N` passes in all.
const fn join_passes<const N: usize>(parts: &[&[&'static PassKind]]) -> [&'static PassKind; N] {
    let mut joined = [parts[0][0]; N];
    let (mut part, mut count) = (0, 0);
    while part < parts.len() {
        let mut at = 0;
        while at < parts[part].len() {
            joined[count] = parts[part][at];
            (at, count) = (at + 1, count + 1);
        }
        part += 1;
    }
    assert!(count == N, "N is the number of all passes");
    joined
}

/// The strategies that isolate a minimal failing difference of a pair; the first is the default. They bring both programs closer, and do not
/// make them small.
pub static ISOLATE_STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "isolate-elements",
        description: "dd with the elements of lists, the outermost first, then tokens (after Zeller and Hildebrandt, TSE 2002)",
        minimizer: "complements",
        repeat_from: None,
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: &[&isolate::ISOLATE_ELEMENTS],
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "isolate-lines",
        description: "dd with lines, then tokens (Zeller and Hildebrandt, TSE 2002)",
        minimizer: "complements",
        repeat_from: None,
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: &[&isolate::ISOLATE_LINES],
        strata: &[],
        steps: &[],
    },
    Strategy {
        name: "isolate-tokens",
        description: "dd with tokens (Zeller and Hildebrandt, TSE 2002; with tokens, as PPR is compared with it, FSE 2023)",
        minimizer: "complements",
        repeat_from: None,
        detours: None,
        schedule: ScheduleKind::Plain,
        passes: &[&isolate::ISOLATE_TOKENS],
        strata: &[],
        steps: &[],
    },
];

/// Whether the pass of that name isolates a difference: at its end no token of the difference can be moved from one program to the other.
pub fn isolates_difference(pass: &str) -> bool {
    let mut passes = ISOLATE_STRATEGIES
        .iter()
        .flat_map(|strategy| strategy.passes);
    passes.any(|kind| kind.name == pass)
}

/// The strategies for one program, then those for pairs.
fn all_strategies() -> impl Iterator<Item = &'static Strategy> {
    let pairs = PAIR_STRATEGIES.iter().chain(ISOLATE_STRATEGIES);
    STRATEGIES.iter().chain(pairs)
}

/// The strategy of that name.
pub fn find_strategy(name: &str) -> Option<&'static Strategy> {
    all_strategies().find(|strategy| strategy.name == name)
}

/// All kinds of passes, in the order in which the strategies name them.
pub fn all_passes() -> Vec<&'static PassKind> {
    let mut kinds: Vec<&'static PassKind> = Vec::new();
    let strategies = all_strategies().flat_map(|strategy| strategy.passes);
    for kind in PROJECT_PASSES
        .iter()
        .chain(LAST_PROJECT_PASSES)
        .chain(strategies)
    {
        if kinds.iter().all(|known| known.name != kind.name) {
            kinds.push(kind);
        }
    }
    kinds
}

/// All kinds of filters, in the order in which the passes name them; the one around every pass comes last.
pub fn all_filters() -> Vec<&'static FilterKind> {
    let mut kinds: Vec<&'static FilterKind> = Vec::new();
    let named = all_passes().into_iter().flat_map(|pass| pass.filters);
    for kind in named.copied().chain([&CONSTRAINTS]) {
        if kinds.iter().all(|known| known.name != kind.name) {
            kinds.push(kind);
        }
    }
    kinds
}
