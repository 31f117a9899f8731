//! Commands: what the user can tell a run, as values and as lines of text.
//!
//! A command (`command.rs`) reads as a line, and `verbs/` is one table of its words for scripts, the screen's prompt, the journal and the help.
//! `effects.rs` says what a command changes, and so where it holds. `engine/execute.rs` executes it.

mod command;
mod constraint_target;
mod effects;
mod external_proposal;
mod latin1;
mod rule_places;
mod script;
mod strategy_choice;
mod verbs;

pub use command::{
    BreakCondition, ConstraintGroup, EngineCommand, ManualEdit, PassVerb, SkipScope, StepUnit,
    UndoMode,
};
pub use constraint_target::{constraints_on, resolve_constraints};
pub use external_proposal::{ExternalProposal, FileChange, ProposalError, TextReplacement};
pub use rule_places::{RulePlace, list_rule_places};
pub use script::{
    CommandPosition, ScriptError, ScriptTrigger, parse_recorded_script, parse_script, script_line,
};
pub use strategy_choice::{check_strategy_fits, list_strategy_names};
pub use verbs::{CommandVerb, TARGET_FORMS, VERBS};
