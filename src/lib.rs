//! **lop** cuts a program down to the few tokens that still show a bug. The command `lop` shows the tree that it cuts, and you steer the blade. This crate is what
//! that command is made of; a program can reduce with it too:
//!
//! ```
#![doc = include_str!("../examples/reduce.rs")]
//! ```
//!
//! The test can also be a script or a line for the shell, as on the command line: see [`ReductionBuilder`]. Then tests run in directories of their own below
//! `/dev/shm`, `TMPDIR` or `/tmp`, and in process groups of their own; processes that leave their group may live until the end of the run.
//!
//! # What is promised
//!
//! From version 0.2 on, the names at the root of this crate, [`Reduction`] and what belongs to it, follow [semantic versioning](https://semver.org). So do the
//! command line of `lop`, its exit statuses and the [lines of `--json`](https://docs.rs/crate/lop/latest/source/docs/JSON.md). Which candidates a reduction tests, what it ends with and the words
//! of sentences may change in any release.
//!
//! **All modules of the crate are internal.** They are public for the binary, tests and measurements of lop itself, and change without notice; the pages of docs.rs leave
//! them out. For whoever changes lop, `ARCHITECTURE.md` has the map of these rooms, and says which may know which.
#![deny(unsafe_code)]
#![warn(missing_docs)]

#[cfg_attr(docsrs, doc(hidden))]
pub mod cli;
#[cfg_attr(docsrs, doc(hidden))]
pub mod config;
#[cfg_attr(docsrs, doc(hidden))]
pub mod contrast;
#[cfg_attr(docsrs, doc(hidden))]
pub mod display;
#[cfg_attr(docsrs, doc(hidden))]
pub mod doctor;
#[cfg_attr(docsrs, doc(hidden))]
pub mod external;
#[cfg_attr(docsrs, doc(hidden))]
pub mod grammar;
#[cfg_attr(docsrs, doc(hidden))]
pub mod language;
#[cfg_attr(docsrs, doc(hidden))]
pub mod lesson;
#[cfg_attr(docsrs, doc(hidden))]
pub mod minimize;
#[cfg_attr(docsrs, doc(hidden))]
pub mod oracle;
#[cfg_attr(docsrs, doc(hidden))]
pub mod pass;
#[cfg_attr(docsrs, doc(hidden))]
pub mod plain;
#[cfg_attr(docsrs, doc(hidden))]
pub mod program;
#[cfg_attr(docsrs, doc(hidden))]
pub mod protocol;
#[cfg_attr(docsrs, doc(hidden))]
pub mod reduce;
#[cfg_attr(docsrs, doc(hidden))]
pub mod reduction;
#[cfg_attr(docsrs, doc(hidden))]
pub mod session;
#[cfg_attr(docsrs, doc(hidden))]
pub mod tui;
#[cfg_attr(docsrs, doc(hidden))]
pub mod verify;

pub use reduction::{
    CandidateTest, CandidateVerdict, ProgramSize, ReducedProgram, Reduction, ReductionBuilder,
    ReductionError, ReductionEvent,
};
