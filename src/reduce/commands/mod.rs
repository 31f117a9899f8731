//! Commands: what the user can tell a run, as values and as lines of text.

mod command;
mod persisted_commands;
mod script;
mod verbs;

pub use command::{
    BreakCondition, ConstraintGroup, EngineCommand, ManualEdit, PassVerb, SkipScope, StepUnit,
    UndoMode,
};
pub use script::{ScriptError, parse_recorded_script, parse_script, script_line};
pub use verbs::{CommandVerb, PLACES, VERBS};
