//! The passes that take the heaviest node first (`heaviest.rs`), and what tells one from another: the declarations of a file, the main
//! loop with the parser's word and without, and the certificate.

use super::alike::Ways;
use super::heaviest::Heaviest;
use super::{Again, Heed, Kind, Options, Pass, halving};
use crate::minimize::Start;
use crate::program::View;

/// The declarations of a file.
pub static TOP: Kind = Kind {
    name: "top level",
    what: "takes out declarations of the file, in halves and smaller parts, from the back to the front",
    again: Again::Never,
    parser: Heed::Obeyed,
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

/// The main loop.
pub static HEAVIEST: Kind = Kind {
    name: "heaviest first",
    what: "the heaviest node first, as Perses goes, but without questions that the names answer",
    again: Again::Never,
    parser: Heed::Obeyed,
    start: |view, options| main_loop(HEAVIEST.name, view, options),
};

/// The main loop without the parser's word. Its turn comes only if something was refused. What the tree allows is a program by the
/// grammar's rules, and a parser that mends errors may still misread it: grammars made for editors do so with correct programs, all of a
/// file at once. The answers that the main loop got are known, so until something is taken only what was refused is tested.
pub static UNCONFIRMED: Kind = Kind {
    name: "unconfirmed",
    what: "if the parser refused anything, the main loop once more without its word: it may misread correct programs",
    again: Again::From(HEAVIEST.name),
    parser: Heed::Doubted(HEAVIEST.name),
    start: |view, options| main_loop(UNCONFIRMED.name, view, options),
};

fn main_loop(name: &'static str, view: &View, options: &Options) -> Box<dyn Pass> {
    let manner = Manner {
        name,
        reach: Reach::All,
        long: Some(options.minimizer.start),
        again: true,
        ways: options.ways(),
    };
    let pass = Box::new(Heaviest::new(view, manner));
    options.collected(options.learned(options.guarded(options.grown(pass))))
}

/// The last word.
pub static CERTIFICATE: Kind = Kind {
    name: "certificate",
    what: "tries every single edit once more, whatever names and parser say: what is left is 1-tree-minimal",
    again: Again::From(HEAVIEST.name),
    parser: Heed::Unheard,
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

/// Which nodes have their turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Only the lists that no other list is around: the declarations of a file.
    Top,
    /// All.
    All,
}

/// How it goes.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// The name of the pass.
    pub name: &'static str,
    /// How far down.
    pub reach: Reach,
    /// The minimiser of long lists; none to try their elements one by one.
    pub long: Option<Start>,
    /// Whether nodes near a take have their turn again at the end.
    pub again: bool,
    /// How nodes that are alike are asked about together.
    pub ways: Ways,
}
