//! Passes: strategies that ask about candidates, in order, and never run a test. One file each.

mod alike;
mod arguments;
mod batch;
mod bodies;
mod braces;
mod closed;
mod comments;
mod doomed;
mod elements;
mod filter;
mod flat;
mod forms;
mod gc;
mod gopinath;
mod grown;
mod guard;
mod hdd;
mod hddr;
mod heaviest;
mod hints;
mod hoist;
mod hollow;
mod learn;
mod lines;
mod luck;
mod manner;
mod markers;
mod must;
mod nearby;
mod open;
mod pardis;
mod parts;
mod perses;
mod pieces;
mod removable;
mod row;
mod table;
mod tokens;

pub use comments::COMMENTS;
pub use hints::HINTS;
pub use hollow::HOLLOW;
pub use manner::{CERTIFICATE, HEAVIEST, TOP};
pub use parts::{PARTS, Part, Parts};
pub use perses::PERSES;
pub use pieces::{Candidate, candidates};
pub use removable::{Seen, only, parts_of, removal};
pub use table::{STRATEGIES, Strategy, kinds, strategy};
pub use tokens::TOKENS;

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
            minimizer: minimizer.unwrap_or(minimize::KINDS[0]),
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

/// What a pass makes of the parser's word on a candidate that it likes less than the program before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heed {
    /// The candidate is refused without a test: what the pass asks about is meant to be a program by the grammar.
    Obeyed,
    /// It is tested: a pass that knows no syntax would be stopped by the parser.
    Unheard,
    /// It is tested, and such a pass has its turn only if another obeyed: not before something was refused, and not where the user does
    /// without the pass of this name, which would ask the same with the parser's word.
    Doubted(&'static str),
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
    /// What it makes of the parser's word.
    pub parser: Heed,
    /// Begins on a version.
    pub start: fn(&View, &Options) -> Box<dyn Pass>,
}

/// Of what `closed` lets through most may go, so it pays to begin with the half of a list.
fn halving(list: &List) -> Box<dyn Minimizer> {
    Box::new(Complements::new(list))
}
