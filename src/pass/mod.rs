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
}

impl Default for Options {
    fn default() -> Options {
        Options {
            minimizer: &minimize::KINDS[0],
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

/// All passes, in the order in which they run.
pub static KINDS: &[Kind] = &[
    Kind {
        name: markers::NAME,
        what: "takes out the preprocessor's line markers, all at once",
        fixpoint: false,
        start: |_, _| Box::new(Markers::default()),
    },
    Kind {
        name: comments::NAME,
        what: "takes out comments: all at once, else by the list minimiser",
        fixpoint: false,
        start: |view, options| Box::new(Comments::new(view, options)),
    },
    Kind {
        name: perses::NAME,
        what: "syntax-guided reduction of the heaviest node first (Perses, ICSE 2018, algorithms 2 to 4)",
        fixpoint: true,
        start: |view, options| Box::new(Perses::new(view, options)),
    },
];
