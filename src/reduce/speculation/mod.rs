//! What the run may ask next: planned before the answers are known, so that tests can run ahead of them.

mod branch;
mod lookahead;
mod planner;
mod tree;

pub use branch::{BranchState, SpeculativeBranch};
pub use lookahead::BatchLookahead;
pub use planner::{BackgroundPlanner, PlannerReport};
pub use tree::{NodeIndex, SpeculationNode, SpeculationTree};
