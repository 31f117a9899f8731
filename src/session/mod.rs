//! One reduction on disk: the input as it was, and the file that always holds the best version.
//!
//! The engine never waits for the disk. A [`Keeper`] on a thread of its own hears of new versions and puts the newest one in the
//! place of the last, whole or not at all; the [`Output`] is that place, claimed for this run alone.

mod input;
pub mod journal;
mod keeper;
mod lock;
mod names;
mod output;
pub mod replay;
mod write;

pub use input::{Input, InputError, LARGEST};
pub use keeper::Keeper;
pub use output::{Choice, Output, OutputError};
