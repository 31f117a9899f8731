//! Commands: what the user can tell a run, as values and as lines of text.

mod command;
mod constraint_target;
mod effects;
mod script;
mod trigger;
mod verbs;

pub use command::{
    BreakCondition, ConstraintGroup, EngineCommand, ManualEdit, PassVerb, SkipScope, StepUnit,
    UndoMode,
};
pub use constraint_target::{constraints_on, resolve_constraints};
pub use script::{ScriptError, parse_recorded_script, parse_script, script_line};
pub use trigger::{CommandPosition, ScriptTrigger};
pub use verbs::{CommandVerb, PLACES, VERBS};
