//! When a command holds.

use crate::reduce::decision::Decision;

/// When a command of a script holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptTrigger {
    /// Before the first question.
    Start,
    /// Before this decision.
    Decision(Decision),
    /// After this number of accepted edits.
    Commit(u64),
    /// When the program has at most this number of tokens.
    Size(u32),
    /// At this place of the dialogue: as a journal says.
    Exactly(CommandPosition),
}

/// Where in the dialogue a command holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandPosition {
    /// Before this decision.
    pub before: Decision,
    /// After this number of refusals since the decision before that.
    pub rejected: u64,
    /// After this number of pieces of work since then, where the next question was still being planned. None at a question or at the end.
    pub work_steps: Option<u64>,
}
