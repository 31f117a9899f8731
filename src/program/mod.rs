//! The program that is being reduced: versions, the tree of each, edits, and printing.
//!
//! A [`Version`] is immutable and shares all it can with the version it came from. Its tree is the Perses normal form of what the
//! parser saw; its leaves, printed with the white space before each, are the text byte for byte.

mod apply;
mod build;
mod chains;
mod constraints;
mod edit;
mod fill;
mod groups;
mod guard;
mod hash;
mod indent;
mod mark;
pub mod names;
mod node;
mod piece;
mod place;
mod plain;
mod read;
mod reader;
mod region;
mod requirement;
mod rewrite;
mod seam;
mod stretches;
mod target;
mod text;
mod version;
mod view;
pub mod walk;
mod why;

pub use apply::apply;
pub use constraints::{Closed, Constraint, Constraints, Rule};
pub use edit::{Change, Edit, EditError, Indices, Op, Piece};
pub use fill::{bodies, fill, filler, misfits};
pub use guard::Guard;
pub use hash::{BITS, Gist, Hash};
pub use mark::mark;
pub use node::{Body, Flags, Head, Node, NodeId, Shape, Sums, TokId};
pub use place::{all_fit, element, fits};
pub use read::{ReadError, Source, read, read_as, reread};
pub use region::{head_of, tokens_of};
pub use requirement::Requirement;
pub use target::{MARK, Target, TargetError, within};
pub use text::{Span, Text};
pub use version::{Before, Document, Parents, Trail, Trees, Version};
pub use view::View;
pub use why::{Action, Emptied, NameFact, Pieces, Why, beginning, first_words};
