//! **lop** cuts a program down to the few tokens that still show a bug, while you watch the tree it cuts and steer the blade.
//!
//! The crate is a library first; the binary is one client of it. `ARCHITECTURE.md` has the map of the rooms below, and says which
//! may know which.
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod cli;
pub mod config;
pub mod contrast;
pub mod display;
pub mod doctor;
pub mod external;
pub mod grammar;
pub mod language;
pub mod lesson;
pub mod minimize;
pub mod oracle;
pub mod pass;
pub mod plain;
pub mod program;
pub mod protocol;
pub mod reduce;
pub mod session;
pub mod tui;
pub mod verify;
