//! The tables of passes and strategies: a new pass is one new file and a row here.

use super::alike::Ways;
use super::heaviest::{Heaviest, Manner, Reach};
use super::*;

/// Takes out line markers.
pub static MARKERS: Kind = Kind {
    name: markers::NAME,
    what: "takes out the preprocessor's line markers, all at once",
    again: Again::Never,
    syntactic: true,
    start: |_, _| Box::new(Markers::default()),
};

/// Takes out comments.
pub static COMMENTS: Kind = Kind {
    name: comments::COMMENTS.name,
    what: "takes out comments: all at once, else by the list minimiser",
    again: Again::Never,
    syntactic: true,
    start: |_, options| Box::new(Flat::new(&comments::COMMENTS, options)),
};

/// Perses.
pub static PERSES: Kind = Kind {
    name: perses::NAME,
    what: "syntax-guided reduction of the heaviest node first (Perses, ICSE 2018, algorithms 2 to 4)",
    again: Again::Fixpoint,
    syntactic: true,
    start: |view, options| Box::new(Perses::new(view, options)),
};

/// Perses in Gopinath's order.
pub static SMALLEST_FIRST: Kind = Kind {
    name: gopinath::NAME,
    what: "Perses with the queue of Gopinath's blog: smallest program first, then fewest leaves, then order of arrival",
    again: Again::Fixpoint,
    syntactic: true,
    start: |view, options| {
        Box::new(Perses::in_order(
            gopinath::NAME,
            gopinath::smallest,
            view,
            options,
        ))
    },
};

/// Pardis.
pub static PARDIS: Kind = Kind {
    name: pardis::NAME,
    what: "deletes one node at a time, the heaviest first (Pardis, Gharachorlu and Sumner, FASE 2019)",
    again: Again::Fixpoint,
    syntactic: true,
    start: |view, _| Box::new(Pardis::new(view)),
};

/// HDD.
pub static HDD: Kind = Kind {
    name: hdd::HDD.name,
    what: "the list minimiser over all parts of a level, level by level (HDD, Misherghi and Su, ICSE 2006; coarse, Hodován et al., 2017)",
    again: Again::Never,
    syntactic: true,
    start: |_, options| Box::new(Flat::new(&hdd::HDD, options)),
};

/// HDD*.
pub static HDD_STAR: Kind = Kind {
    name: "hdd-star",
    what: "HDD to a fixpoint (HDD*, Misherghi and Su, ICSE 2006)",
    again: Again::Fixpoint,
    ..HDD
};

/// HDDr.
pub static HDDR: Kind = Kind {
    name: hddr::NAME,
    what: "the list minimiser over the parts of one node at a time, breadth first (HDDr, Kiss, Hodován and Gyimóthy, A-TEST 2018)",
    again: Again::Never,
    syntactic: true,
    start: |view, options| Box::new(Hddr::new(view, options)),
};

/// HDD with hoisting.
pub static HOIST: Kind = Kind {
    name: hoist::NAME,
    what: "HDD, and on each level the list minimiser over the nodes that could be what they contain (Vince et al., AST 2021)",
    again: Again::Fixpoint,
    syntactic: true,
    start: |_, options| Box::new(Hoist::new(options)),
};

/// Lines.
pub static LINES: Kind = Kind {
    name: lines::LINES.name,
    what: "the list minimiser over lines, without syntax (Zeller and Hildebrandt, TSE 2002)",
    again: Again::Never,
    syntactic: false,
    start: |_, options| Box::new(Flat::new(&lines::LINES, options)),
};

/// Levels by brackets.
pub static LEVELS: Kind = Kind {
    name: forms::FORMS.name,
    what: "the list minimiser over what ends inside at most 0, 1, 2, … brackets, without a grammar (topformflat and multidelta of delta, 2003)",
    again: Again::Never,
    syntactic: false,
    start: |_, options| Box::new(Flat::new(&forms::FORMS, options)),
};

/// Tokens.
pub static TOKENS: Kind = Kind {
    name: tokens::TOKENS.name,
    what: "the list minimiser over tokens, without syntax",
    again: Again::Never,
    syntactic: false,
    start: |_, options| Box::new(Flat::new(&tokens::TOKENS, options)),
};

/// What the user points at.
pub static HINTS: Kind = Kind {
    name: hints::HINTS.name,
    what: "takes out what the user doubts, and what is apart from what the user suspects; nothing without hints",
    again: Again::Never,
    syntactic: true,
    start: |_, options| {
        let halving = minimize::kind("complements").unwrap_or(options.minimizer);
        let halved = Options {
            minimizer: halving,
            ..*options
        };
        let pass = Box::new(Flat::new(&hints::HINTS, &halved));
        options.collected(options.closed(pass))
    },
};

/// Empties everything at once.
pub static HOLLOW: Kind = Kind {
    name: hollow::NAME,
    what: "empties all bodies of functions and all structures at once, else only the ones or the others",
    again: Again::Never,
    syntactic: true,
    start: |_, options| {
        let pass = options.part(Part::Hollow, Box::new(Hollow::default()));
        options.collected(options.grown(pass))
    },
};

/// The declarations of a file.
pub static TOP: Kind = Kind {
    name: "top level",
    what: "takes out declarations of the file, in halves and smaller parts, from the back to the front",
    again: Again::Never,
    syntactic: true,
    start: |view, options| {
        let manner = Manner {
            name: TOP.name,
            reach: Reach::Top,
            long: Some(halving),
            again: false,
            ways: Ways::NONE,
        };
        options.collected(options.grown(Box::new(Heaviest::new(view, manner))))
    },
};

/// Bodies of functions.
pub static BODIES: Kind = Kind {
    name: bodies::NAME,
    what: "empties bodies of functions, in batches that are halved",
    again: Again::Never,
    syntactic: true,
    start: |view, options| {
        let pass = options.part(Part::Bodies, Box::new(Bodies::new(view)));
        options.collected(options.grown(pass))
    },
};

/// The main loop.
pub static HEAVIEST: Kind = Kind {
    name: "heaviest first",
    what: "the heaviest node first, as Perses goes, but without questions that the names answer",
    again: Again::Never,
    syntactic: true,
    start: |view, options| {
        let manner = Manner {
            name: HEAVIEST.name,
            reach: Reach::All,
            long: Some(options.minimizer.start),
            again: true,
            ways: options.ways(),
        };
        let pass = Box::new(Heaviest::new(view, manner));
        options.collected(options.learned(options.guarded(options.grown(pass))))
    },
};

/// The last word.
pub static CERTIFICATE: Kind = Kind {
    name: "certificate",
    what: "tries every single edit once more, whatever the names say: what is left is 1-tree-minimal",
    again: Again::From("heaviest first"),
    syntactic: true,
    start: |view, options| {
        let manner = Manner {
            name: CERTIFICATE.name,
            reach: Reach::All,
            long: None,
            again: false,
            ways: Ways::NONE,
        };
        options.collected(Box::new(Heaviest::new(view, manner)))
    },
};

/// Passes in the order in which they run.
#[derive(Debug)]
pub struct Strategy {
    /// Its name.
    pub name: &'static str,
    /// What it does and where it comes from.
    pub what: &'static str,
    /// The list minimiser that it uses unless it is told another.
    pub minimizer: &'static str,
    /// Its passes.
    pub passes: &'static [&'static Kind],
}

/// All strategies; the first is the default.
pub static STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "lop",
        what: "coarse to fine by the names: everything emptied, declarations, bodies, then the heaviest node first to a fixpoint",
        minimizer: "galloping",
        passes: &[
            &MARKERS,
            &COMMENTS,
            &HINTS,
            &HOLLOW,
            &TOP,
            &BODIES,
            &HEAVIEST,
            &CERTIFICATE,
        ],
    },
    Strategy {
        name: "perses",
        what: "line markers and comments, then Perses to a fixpoint (Sun et al., ICSE 2018)",
        minimizer: "complements",
        passes: &[&MARKERS, &COMMENTS, &PERSES],
    },
    Strategy {
        name: "pardis",
        what: "the heaviest node first, one node at a time, only deletions (Gharachorlu and Sumner, FASE 2019)",
        minimizer: "complements",
        passes: &[&MARKERS, &COMMENTS, &PARDIS],
    },
    Strategy {
        name: "smallest-first",
        what: "Perses with the queue the other way round (Gopinath's blog)",
        minimizer: "complements",
        passes: &[&MARKERS, &COMMENTS, &SMALLEST_FIRST],
    },
    Strategy {
        name: "hdd",
        what: "hierarchical delta debugging, level by level, once (Misherghi and Su, ICSE 2006; coarse: Hodován et al., ICSME 2017)",
        minimizer: "complements",
        passes: &[&MARKERS, &COMMENTS, &HDD],
    },
    Strategy {
        name: "hdd-star",
        what: "the same to a fixpoint (Misherghi and Su, ICSE 2006)",
        minimizer: "complements",
        passes: &[&MARKERS, &COMMENTS, &HDD_STAR],
    },
    Strategy {
        name: "hddr",
        what: "hierarchical delta debugging, node by node (Kiss, Hodován and Gyimóthy, A-TEST 2018)",
        minimizer: "complements",
        passes: &[&MARKERS, &COMMENTS, &HDDR],
    },
    Strategy {
        name: "hoist",
        what: "hierarchical delta debugging with hoisting, to a fixpoint (Vince et al., AST 2021)",
        minimizer: "complements",
        passes: &[&MARKERS, &COMMENTS, &HOIST],
    },
    Strategy {
        name: "lines",
        what: "delta debugging of lines, without syntax (Zeller and Hildebrandt, TSE 2002)",
        minimizer: "complements",
        passes: &[&MARKERS, &LINES],
    },
    Strategy {
        name: "levels",
        what: "delta debugging of what ends inside at most 0, 1, 2, … brackets (multidelta, 2003)",
        minimizer: "complements",
        passes: &[&MARKERS, &LEVELS],
    },
    Strategy {
        name: "tokens",
        what: "delta debugging of tokens, without syntax",
        minimizer: "complements",
        passes: &[&MARKERS, &TOKENS],
    },
];

/// The strategy of that name.
pub fn strategy(name: &str) -> Option<&'static Strategy> {
    STRATEGIES.iter().find(|strategy| strategy.name == name)
}

/// All kinds of passes, in the order in which the strategies name them.
pub fn kinds() -> Vec<&'static Kind> {
    let mut kinds: Vec<&'static Kind> = Vec::new();
    for kind in STRATEGIES.iter().flat_map(|strategy| strategy.passes) {
        if kinds.iter().all(|known| known.name != kind.name) {
            kinds.push(kind);
        }
    }
    kinds
}
