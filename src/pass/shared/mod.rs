//! What passes and filters share: lists of units in the hands of a list minimiser, what the grammar lets go or lets stand elsewhere,
//! edits that are tested together, and how edits of a kind fared so far.

pub mod batch;
pub mod edit_stats;
pub mod elements;
pub mod emptying;
pub mod nearby;
pub mod node_task;
pub mod passed_edit;
pub mod removable;
pub mod removal_closure;
pub mod replacements;
pub mod similar_edits;
pub mod unit_list;
pub mod unit_minimizer;
