//! What the run may ask next: planned before the answers are known, so that tests can run ahead of them.
//!
//! The run is a function of its answers, and answers count in the order in which one worker would have asked. `tree.rs` grows a tree of
//! possible answers below the current question. For each answer that may come, the proposer's state is cloned and gets it as feedback, and so
//! says what it would propose then. `engine/speculate.rs` tests the likeliest of those candidates ahead. How likely an answer is, is the share of
//! interesting ones among the last forty answers of its kind (`proposer/acceptance_rate.rs`).
//!
//! A branch for *interesting* opens only when the parser has confirmed its candidate, because the next candidates are parsed from that tree.
//! So the tree of a version depends on the dialogue alone. What the parser says depends on the version and the candidate, so branches that
//! ask about the same version share it.
//!
//! A batch asks many questions about one version whatever the answers are. It names them (`Proposer::lookahead_edits`), and they are tested
//! before any speculation (`lookahead.rs`). Tests that may time out wait, or are stopped (`timeout_risk.rs`). `planner.rs` does the work before a question on a thread of its own, where the program is large.

mod lookahead;
mod planner;
mod timeout_risk;
mod tree;

pub use lookahead::BatchLookahead;
pub use planner::{BackgroundPlanner, PlannerReport};
pub use timeout_risk::TimeoutRisk;
pub use tree::{NodeIndex, SpeculationNode, SpeculationTree};
