//! What the screen shows of a program: rows, lines, marks, hits, heat and diffs. Each is found through the sums of the tree, so no key
//! waits for a large program.

pub mod bookmarks;
pub mod diff;
pub mod diff_line;
pub mod edit_marks;
pub mod file_changes;
pub mod file_folds;
pub mod file_graph;
pub mod file_trail;
pub mod file_tree;
pub mod folds;
pub mod heat;
pub mod hunk_diff;
pub mod hunk_trials;
pub mod lines;
pub mod minimap;
pub mod node_selection;
pub mod opened_candidate;
pub mod pair_alignment;
mod pair_marks;
pub mod pair_view;
mod rewrite_change;
mod row_counts;
pub mod search;
pub mod selection;
pub mod steering;
pub mod visibility;
