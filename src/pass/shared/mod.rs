//! What passes and filters share: minimising lists of units, what the grammar allows to remove or to replace, edits that are tested
//! together, names that go with something else in the place of their uses, and the verdicts on edits of a kind.

pub mod batch;
pub mod choice_program;
pub mod declaration_units;
pub mod difference_parts;
pub mod edit_stats;
pub mod elements;
pub mod emptying;
pub mod failure_run;
pub mod function_unfolding;
pub mod halving;
pub mod last_declarations;
pub mod literal_places;
pub mod logic;
pub mod name_substitution;
pub mod near_units;
pub mod nearby;
pub mod needed_units;
pub mod node_task;
pub mod outside_names;
pub mod passed_edit;
pub mod place_questions;
pub mod queued_places;
pub mod removable;
pub mod removal_closure;
pub mod replacements;
pub mod short_names;
pub mod similar_edits;
pub mod simplest_text;
pub mod size_limit;
pub mod statement_lines;
pub mod text_sweep;
pub mod token_text;
pub mod unit_list;
pub mod unit_minimizer;
pub mod unneeded_rest;
