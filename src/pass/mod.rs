//! Passes: strategies that ask about candidates, in order, and never run a test. One file each.

mod comments;
mod markers;
mod perses;
mod pieces;

pub use comments::Comments;
pub use markers::Markers;
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
    /// Begins on a version.
    pub start: fn(&View, &Options) -> Box<dyn Pass>,
}

/// Takes out line markers.
pub static MARKERS: Kind = Kind {
    name: markers::NAME,
    what: "takes out the preprocessor's line markers, all at once",
    fixpoint: false,
    start: |_, _| Box::new(Markers::default()),
};

/// Takes out comments.
pub static COMMENTS: Kind = Kind {
    name: comments::NAME,
    what: "takes out comments: all at once, else by the list minimiser",
    fixpoint: false,
    start: |view, options| Box::new(Comments::new(view, options)),
};

/// Perses.
pub static PERSES: Kind = Kind {
    name: perses::NAME,
    what: "syntax-guided reduction of the heaviest node first (Perses, ICSE 2018, algorithms 2 to 4)",
    fixpoint: true,
    start: |view, options| Box::new(Perses::new(view, options)),
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
pub static STRATEGIES: &[Strategy] = &[Strategy {
    name: "perses",
    what: "line markers and comments, then Perses to a fixpoint",
    passes: &[&MARKERS, &COMMENTS, &PERSES],
}];

/// The strategy of that name.
pub fn strategy(name: &str) -> Option<&'static Strategy> {
    STRATEGIES.iter().find(|strategy| strategy.name == name)
}
