//! The table of strategies: a pass is a file, and runs where a row here names it.

use super::PassKind;
use super::passes::{
    bodies, bracket_levels, comments, hdd, hddr, heaviest_passes, hints, hoist, hollow, lines,
    markers, pardis, perses, smallest_first, tokens,
};

/// Passes in the order in which they run.
#[derive(Debug)]
pub struct Strategy {
    /// Its name.
    pub name: &'static str,
    /// What it does and where it comes from.
    pub description: &'static str,
    /// The list minimiser that it uses unless the user names another.
    pub minimizer: &'static str,
    /// Its passes.
    pub passes: &'static [&'static PassKind],
}

/// All strategies; the first is the default.
pub static STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "lop",
        description: "coarse to fine by the names: everything emptied, declarations, bodies, then the heaviest node first to a fixpoint",
        minimizer: "galloping",
        passes: &[
            &markers::MARKERS,
            &comments::COMMENTS,
            &hints::HINTS,
            &hollow::HOLLOW,
            &heaviest_passes::TOP_LEVEL,
            &bodies::BODIES,
            &heaviest_passes::HEAVIEST,
            &heaviest_passes::UNCONFIRMED,
            &heaviest_passes::CERTIFICATE,
        ],
    },
    Strategy {
        name: "perses",
        description: "line markers and comments, then Perses to a fixpoint (Sun et al., ICSE 2018)",
        minimizer: "complements",
        passes: &[&markers::MARKERS, &comments::COMMENTS, &perses::PERSES],
    },
    Strategy {
        name: "pardis",
        description: "the heaviest node first, one node at a time, only deletions (Gharachorlu and Sumner, FASE 2019)",
        minimizer: "complements",
        passes: &[&markers::MARKERS, &comments::COMMENTS, &pardis::PARDIS],
    },
    Strategy {
        name: "smallest-first",
        description: "Perses with the queue the other way round (Gopinath's blog)",
        minimizer: "complements",
        passes: &[
            &markers::MARKERS,
            &comments::COMMENTS,
            &smallest_first::SMALLEST_FIRST,
        ],
    },
    Strategy {
        name: "hdd",
        description: "hierarchical delta debugging, level by level, once (Misherghi and Su, ICSE 2006; coarse: Hodován et al., ICSME 2017)",
        minimizer: "complements",
        passes: &[&markers::MARKERS, &comments::COMMENTS, &hdd::HDD],
    },
    Strategy {
        name: "hdd-star",
        description: "the same to a fixpoint (Misherghi and Su, ICSE 2006)",
        minimizer: "complements",
        passes: &[&markers::MARKERS, &comments::COMMENTS, &hdd::HDD_STAR],
    },
    Strategy {
        name: "hddr",
        description: "hierarchical delta debugging, node by node (Kiss, Hodován and Gyimóthy, A-TEST 2018)",
        minimizer: "complements",
        passes: &[&markers::MARKERS, &comments::COMMENTS, &hddr::HDDR],
    },
    Strategy {
        name: "hoist",
        description: "hierarchical delta debugging with hoisting, to a fixpoint (Vince et al., AST 2021)",
        minimizer: "complements",
        passes: &[&markers::MARKERS, &comments::COMMENTS, &hoist::HOIST],
    },
    Strategy {
        name: "lines",
        description: "delta debugging of lines, without syntax (Zeller and Hildebrandt, TSE 2002)",
        minimizer: "complements",
        passes: &[&markers::MARKERS, &lines::LINES],
    },
    Strategy {
        name: "levels",
        description: "delta debugging of what ends inside at most 0, 1, 2, … brackets (multidelta, 2003)",
        minimizer: "complements",
        passes: &[&markers::MARKERS, &bracket_levels::LEVELS],
    },
    Strategy {
        name: "tokens",
        description: "delta debugging of tokens, without syntax",
        minimizer: "complements",
        passes: &[&markers::MARKERS, &tokens::TOKENS],
    },
];

/// The strategy of that name.
pub fn find_strategy(name: &str) -> Option<&'static Strategy> {
    STRATEGIES.iter().find(|strategy| strategy.name == name)
}

/// All kinds of passes, in the order in which the strategies name them.
pub fn all_passes() -> Vec<&'static PassKind> {
    let mut kinds: Vec<&'static PassKind> = Vec::new();
    for kind in STRATEGIES.iter().flat_map(|strategy| strategy.passes) {
        if kinds.iter().all(|known| known.name != kind.name) {
            kinds.push(kind);
        }
    }
    kinds
}
