//! Passes: strategies that ask about candidates, in order, and never run a test. One file each.

mod comments;
mod flat;
mod forms;
mod gopinath;
mod hdd;
mod hddr;
mod hoist;
mod lines;
mod markers;
mod pardis;
mod perses;
mod pieces;
mod removable;
mod row;
mod tokens;

pub use flat::Flat;
pub use hddr::Hddr;
pub use hoist::Hoist;
pub use markers::Markers;
pub use pardis::Pardis;
pub use perses::Perses;

use crate::dialogue::Dialogue;
use crate::minimize;
use crate::program::{Change, Edit, View, Why};

/// A pass of any kind. The state clones cheaply.
pub trait Pass: Dialogue<View = View, Edit = Edit, Why = Why, Change = Change> + Send {
    /// A clone in a box.
    fn boxed(&self) -> Box<dyn Pass>;
}

impl<T> Pass for T
where
    T: Dialogue<View = View, Edit = Edit, Why = Why, Change = Change> + Clone + Send + 'static,
{
    fn boxed(&self) -> Box<dyn Pass> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Pass> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

/// What a pass may be told at its start.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The list minimiser.
    pub minimizer: &'static minimize::Kind,
    /// Which passes run, and in what order.
    pub strategy: &'static Strategy,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            minimizer: &minimize::KINDS[0],
            strategy: &STRATEGIES[0],
        }
    }
}

/// A kind of pass, as the table lists it.
#[derive(Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// What it does and where it comes from.
    pub what: &'static str,
    /// Run again as long as it makes the program smaller.
    pub fixpoint: bool,
    /// What it asks about is meant to be a program by the grammar, so a candidate that the parser likes less than the program before is
    /// refused without a test. A pass that knows no syntax would be stopped by that.
    pub syntactic: bool,
    /// Begins on a version.
    pub start: fn(&View, &Options) -> Box<dyn Pass>,
}

/// Takes out line markers.
pub static MARKERS: Kind = Kind {
    name: markers::NAME,
    what: "takes out the preprocessor's line markers, all at once",
    fixpoint: false,
    syntactic: true,
    start: |_, _| Box::new(Markers::default()),
};

/// Takes out comments.
pub static COMMENTS: Kind = Kind {
    name: comments::COMMENTS.name,
    what: "takes out comments: all at once, else by the list minimiser",
    fixpoint: false,
    syntactic: true,
    start: |_, options| Box::new(Flat::new(&comments::COMMENTS, options)),
};

/// Perses.
pub static PERSES: Kind = Kind {
    name: perses::NAME,
    what: "syntax-guided reduction of the heaviest node first (Perses, ICSE 2018, algorithms 2 to 4)",
    fixpoint: true,
    syntactic: true,
    start: |view, options| Box::new(Perses::new(view, options)),
};

/// Perses in Gopinath's order.
pub static SMALLEST_FIRST: Kind = Kind {
    name: gopinath::NAME,
    what: "Perses with the queue of Gopinath's blog: smallest program first, then fewest leaves, then order of arrival",
    fixpoint: true,
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
    fixpoint: true,
    syntactic: true,
    start: |view, _| Box::new(Pardis::new(view)),
};

/// HDD.
pub static HDD: Kind = Kind {
    name: hdd::HDD.name,
    what: "the list minimiser over all parts of a level, level by level (HDD, Misherghi and Su, ICSE 2006; coarse, Hodován et al., 2017)",
    fixpoint: false,
    syntactic: true,
    start: |_, options| Box::new(Flat::new(&hdd::HDD, options)),
};

/// HDD*.
pub static HDD_STAR: Kind = Kind {
    name: "hdd-star",
    what: "HDD to a fixpoint (HDD*, Misherghi and Su, ICSE 2006)",
    fixpoint: true,
    ..HDD
};

/// HDDr.
pub static HDDR: Kind = Kind {
    name: hddr::NAME,
    what: "the list minimiser over the parts of one node at a time, breadth first (HDDr, Kiss, Hodován and Gyimóthy, A-TEST 2018)",
    fixpoint: false,
    syntactic: true,
    start: |view, options| Box::new(Hddr::new(view, options)),
};

/// HDD with hoisting.
pub static HOIST: Kind = Kind {
    name: hoist::NAME,
    what: "HDD, and on each level the list minimiser over the nodes that could be what they contain (Vince et al., AST 2021)",
    fixpoint: true,
    syntactic: true,
    start: |_, options| Box::new(Hoist::new(options)),
};

/// Lines.
pub static LINES: Kind = Kind {
    name: lines::LINES.name,
    what: "the list minimiser over lines, without syntax (Zeller and Hildebrandt, TSE 2002)",
    fixpoint: false,
    syntactic: false,
    start: |_, options| Box::new(Flat::new(&lines::LINES, options)),
};

/// Levels by brackets.
pub static LEVELS: Kind = Kind {
    name: forms::FORMS.name,
    what: "the list minimiser over what ends inside at most 0, 1, 2, … brackets, without a grammar (topformflat and multidelta of delta, 2003)",
    fixpoint: false,
    syntactic: false,
    start: |_, options| Box::new(Flat::new(&forms::FORMS, options)),
};

/// Tokens.
pub static TOKENS: Kind = Kind {
    name: tokens::TOKENS.name,
    what: "the list minimiser over tokens, without syntax",
    fixpoint: false,
    syntactic: false,
    start: |_, options| Box::new(Flat::new(&tokens::TOKENS, options)),
};

/// Passes in the order in which they run.
#[derive(Debug)]
pub struct Strategy {
    /// Its name.
    pub name: &'static str,
    /// What it does and where it comes from.
    pub what: &'static str,
    /// Its passes.
    pub passes: &'static [&'static Kind],
}

/// All strategies; the first is the default.
pub static STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "perses",
        what: "line markers and comments, then Perses to a fixpoint (Sun et al., ICSE 2018)",
        passes: &[&MARKERS, &COMMENTS, &PERSES],
    },
    Strategy {
        name: "pardis",
        what: "the heaviest node first, one node at a time, only deletions (Gharachorlu and Sumner, FASE 2019)",
        passes: &[&MARKERS, &COMMENTS, &PARDIS],
    },
    Strategy {
        name: "smallest-first",
        what: "Perses with the queue the other way round (Gopinath's blog)",
        passes: &[&MARKERS, &COMMENTS, &SMALLEST_FIRST],
    },
    Strategy {
        name: "hdd",
        what: "hierarchical delta debugging, level by level, once (Misherghi and Su, ICSE 2006; coarse: Hodován et al., ICSME 2017)",
        passes: &[&MARKERS, &COMMENTS, &HDD],
    },
    Strategy {
        name: "hdd-star",
        what: "the same to a fixpoint (Misherghi and Su, ICSE 2006)",
        passes: &[&MARKERS, &COMMENTS, &HDD_STAR],
    },
    Strategy {
        name: "hddr",
        what: "hierarchical delta debugging, node by node (Kiss, Hodován and Gyimóthy, A-TEST 2018)",
        passes: &[&MARKERS, &COMMENTS, &HDDR],
    },
    Strategy {
        name: "hoist",
        what: "hierarchical delta debugging with hoisting, to a fixpoint (Vince et al., AST 2021)",
        passes: &[&MARKERS, &COMMENTS, &HOIST],
    },
    Strategy {
        name: "lines",
        what: "delta debugging of lines, without syntax (Zeller and Hildebrandt, TSE 2002)",
        passes: &[&MARKERS, &LINES],
    },
    Strategy {
        name: "levels",
        what: "delta debugging of what ends inside at most 0, 1, 2, … brackets (multidelta, 2003)",
        passes: &[&MARKERS, &LEVELS],
    },
    Strategy {
        name: "tokens",
        what: "delta debugging of tokens, without syntax",
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
