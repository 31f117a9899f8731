//! How a step of the engine ends.

use crate::reduce::reporting::FinishReason;

/// What became of a command: a sentence for the user, if there is more to say than that it holds.
pub(super) type CommandResult = Result<Option<String>, String>;

/// The run ends, for this reason.
pub(in crate::reduce) struct RunFinished(pub FinishReason);
