//! Programs outside of lop that propose candidates (`--propose`), and lop as such a program for others (`--serve-reducer`).
//!
//! Both sides speak lines of JSON over standard input and output, which `messages.rs` defines and docs/PROPOSALS.md describes.
//!
//! ```text
//!   program ──lines──▶ reader ─▶ ProposalDesk (one a program) ──ProposalMessage──▶ engine
//!   program ◀──lines── writer ◀─ ProposalDesk                 ◀─ProposalOutcome─── engine
//! ```
//!
//! | file | subject |
//! | --- | --- |
//! | `messages.rs` | the lines of the protocol |
//! | `moved_ranges.rs` | ranges of one text as ranges of a later one |
//! | `proposal_desk.rs` | one program's proposals, as a pure state: which is asked about next, and what is sent to the program |
//! | `proposer_process.rs` | the program: its process, and the threads that read and write its lines |
//! | `proposer_group.rs` | all programs of a run, as the engine's `ProposalSource` |
//! | `served_runner.rs`, `served_reducer.rs` | the other side: a run whose test is the reducer that asked |
//!
//! No part of the engine waits for a program: a pipe that is full holds up a thread of its own, and what would be written to it is one version, the
//! newest.

mod messages;
mod moved_ranges;
mod proposal_desk;
mod proposer_group;
mod proposer_process;
mod served_reducer;
mod served_runner;

pub use messages::PROTOCOL_VERSION;
pub use proposer_group::{ProposerGroup, ProposerSettings};
pub use served_reducer::{ServeError, ServedOptions, line_writer, serve_reducer};
pub use served_runner::LineWriter;
