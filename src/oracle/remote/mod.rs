//! Tests on a farm that speaks the Remote Execution API, version 2 (Buildbarn, BuildBuddy, BuildGrid, EngFlow, NativeLink, buildbox-casd).
//!
//! One test is one action. Its input root has the documents below `w/`, which is the working directory, and below `t/` the script of the test
//! with what the user declares (`sent_files.rs`). It runs one script for the shell that runs the stages of the test and prints their ends and what they
//! printed (`stage_script.rs`); the verdict is read from that (`stage_report.rs`), by the rules by which it is decided on this machine. The exit status of the action says nothing:
//! many farms do not cache an action that fails.
//!
//! ```text
//!  engine ── Runner ──▶ HybridRunner ──▶ LocalRunner      processes of this machine
//!                        (HybridState)└─▶ FarmRunner      one thread with tokio, a task a test ──▶ FarmConnection: the farm
//! ```
//!
//! [`HybridRunner`] decides by measured time who runs a test (`hybrid_state.rs`, pure), asks this machine what the farm does not answer, and
//! has this machine confirm what the farm finds interesting. So a farm that gives the same verdicts changes how long a run takes,
//! and not what becomes of it; a wrong no of the farm can make the result larger.
//! [`FarmRunner`] knows nothing of that: it asks, again where the table in `retry.rs` says so, and then says that there is no verdict.
//!
//! tokio, tonic and the protocol are named in this folder only, and run on the thread of the [`FarmRunner`] only.

mod connection;
mod execution;
mod farm_health;
mod farm_options;
mod farm_runner;
mod hybrid_runner;
mod hybrid_state;
mod input_root;
mod placement;
mod retry;
mod sent_files;
mod stage_report;
mod stage_script;

pub use farm_options::{FarmError, FarmOptions};
pub use farm_runner::FarmRunner;
pub use hybrid_runner::HybridRunner;
pub use hybrid_state::HybridOptions;
pub use sent_files::SendError;
