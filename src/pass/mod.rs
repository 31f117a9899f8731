//! Passes: strategies that ask about candidates, in order, and never run a test. One file each.

mod bodies;
mod braces;
mod closed;
mod comments;
mod elements;
mod filter;
mod gc;
mod guard;
mod heaviest;
mod hollow;
mod learn;
mod markers;
mod nearby;
mod parts;
mod perses;
mod pieces;

pub use bodies::Bodies;
pub use comments::Comments;
pub use heaviest::{Heaviest, Manner, Reach};
pub use hollow::Hollow;
pub use markers::Markers;
pub use parts::{PARTS, Part, Parts};
pub use perses::Perses;

use crate::dialogue::Dialogue;
use crate::minimize::{self, Complements, List, Minimizer};
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
    /// What the default strategy does without.
    pub without: Parts,
}

impl Default for Options {
    fn default() -> Options {
        Options::of(&STRATEGIES[0])
    }
}

impl Options {
    /// A strategy as it is meant.
    pub fn of(strategy: &'static Strategy) -> Options {
        let minimizer = minimize::kind(strategy.minimizer);
        Options {
            minimizer: minimizer.unwrap_or(&minimize::KINDS[0]),
            strategy,
            without: Parts::default(),
        }
    }
}

/// What happens when a pass is done and made the program smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// The next pass.
    Never,
    /// The same pass once more, until nothing gets smaller.
    Fixpoint,
    /// Back to the pass of this name, which comes before it.
    From(&'static str),
}

/// A kind of pass, as the table lists it.
#[derive(Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// What it does and where it comes from.
    pub what: &'static str,
    /// Whether it runs again.
    pub again: Again,
    /// Begins on a version.
    pub start: fn(&View, &Options) -> Box<dyn Pass>,
}

/// Takes out line markers.
pub static MARKERS: Kind = Kind {
    name: markers::NAME,
    what: "takes out the preprocessor's line markers, all at once",
    again: Again::Never,
    start: |_, _| Box::new(Markers::default()),
};

/// Takes out comments.
pub static COMMENTS: Kind = Kind {
    name: comments::NAME,
    what: "takes out comments: all at once, else by the list minimiser",
    again: Again::Never,
    start: |view, options| Box::new(Comments::new(view, options)),
};

/// Perses.
pub static PERSES: Kind = Kind {
    name: perses::NAME,
    what: "syntax-guided reduction of the heaviest node first (Perses, ICSE 2018, algorithms 2 to 4)",
    again: Again::Fixpoint,
    start: |view, options| Box::new(Perses::new(view, options)),
};

/// Empties everything at once.
pub static HOLLOW: Kind = Kind {
    name: hollow::NAME,
    what: "empties all bodies of functions and all structures at once, else only the ones or the others",
    again: Again::Never,
    start: |_, options| {
        let pass = options.part(Part::Hollow, Box::new(Hollow::default()));
        options.collected(options.closed(pass))
    },
};

/// Of what `closed` lets through most may go, so it pays to begin with the half of a list.
fn halving(list: &List) -> Box<dyn Minimizer> {
    Box::new(Complements::new(list))
}

/// The declarations of a file.
pub static TOP: Kind = Kind {
    name: "top level",
    what: "takes out declarations of the file, in halves and smaller parts, from the back to the front",
    again: Again::Never,
    start: |view, options| {
        let manner = Manner {
            name: TOP.name,
            reach: Reach::Top,
            long: Some(halving),
            again: false,
        };
        options.collected(options.closed(Box::new(Heaviest::new(view, manner))))
    },
};

/// Bodies of functions.
pub static BODIES: Kind = Kind {
    name: bodies::NAME,
    what: "empties bodies of functions, in batches that are halved",
    again: Again::Never,
    start: |view, options| {
        let pass = options.part(Part::Bodies, Box::new(Bodies::new(view)));
        options.collected(options.closed(pass))
    },
};

/// The main loop.
pub static HEAVIEST: Kind = Kind {
    name: "heaviest first",
    what: "the heaviest node first, as Perses goes, but without questions that the names answer",
    again: Again::Never,
    start: |view, options| {
        let manner = Manner {
            name: HEAVIEST.name,
            reach: Reach::All,
            long: Some(options.minimizer.start),
            again: true,
        };
        let pass = Box::new(Heaviest::new(view, manner));
        options.collected(options.learned(options.guarded(options.closed(pass))))
    },
};

/// The last word.
pub static CERTIFICATE: Kind = Kind {
    name: "certificate",
    what: "tries every single edit once more, whatever the names say: what is left is 1-tree-minimal",
    again: Again::From("heaviest first"),
    start: |view, options| {
        let manner = Manner {
            name: CERTIFICATE.name,
            reach: Reach::All,
            long: None,
            again: false,
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
            &HOLLOW,
            &TOP,
            &BODIES,
            &HEAVIEST,
            &CERTIFICATE,
        ],
    },
    Strategy {
        name: "perses",
        what: "line markers and comments, then Perses to a fixpoint",
        minimizer: "complements",
        passes: &[&MARKERS, &COMMENTS, &PERSES],
    },
];

/// The strategy of that name.
pub fn strategy(name: &str) -> Option<&'static Strategy> {
    STRATEGIES.iter().find(|strategy| strategy.name == name)
}
