//! The port to whoever compares the result with its neighbours, and what the screen shows of the comparison: plain data.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender};

use crate::reduce::RunSnapshot;

/// Starts comparisons.
pub trait ContrastStarter {
    /// Starts to compare the result of this run with its neighbours, on a thread of its own. Returns at once.
    ///
    /// # Errors
    /// Why it cannot be compared.
    fn start_contrast(&self, result: &RunSnapshot) -> Result<ContrastTask, String>;
}

/// A comparison under way. It ends early when this is dropped.
#[derive(Debug)]
pub struct ContrastTask {
    /// How far it is, and in the end what it has found.
    pub updates: Receiver<ContrastUpdate>,
    /// The comparison goes on as long as this exists; nothing is sent.
    pub lifeline: Sender<i32>,
}

/// News of a comparison.
#[derive(Clone, Debug)]
pub enum ContrastUpdate {
    /// So many neighbours of so many were tested.
    Tested(usize, usize),
    /// So many of so many that lost the bug were checked: are they valid?
    Checked(usize, usize),
    /// All that was found: the last news.
    Found(Arc<ContrastSummary>),
    /// Why nothing was found: the last news.
    Failed(String),
}

/// What a token of the result is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenPurpose {
    /// Any change of it loses the bug.
    Essential,
    /// Other tokens of its kind keep the bug.
    Free,
    /// Without it the program is invalid, and that is all.
    CompileOnly,
    /// It could not be decided.
    Undecided,
}

/// A part of a line, and the purpose of the token that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PurposePiece {
    /// The text.
    pub text: String,
    /// None between tokens.
    pub purpose: Option<TokenPurpose>,
}

/// A neighbour, or a token, that explains the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContrastFinding {
    /// The finding in words, with its line.
    pub sentence: String,
    /// The lines of the program that the neighbour changes.
    pub old_lines: Vec<String>,
    /// The lines that it has in their place.
    pub new_lines: Vec<String>,
}

/// What the neighbours of a result say about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContrastSummary {
    /// The program.
    pub lines: Vec<Vec<PurposePiece>>,
    /// The nearest neighbours without the bug, then what is free.
    pub findings: Vec<ContrastFinding>,
    /// How many tokens have each purpose.
    pub counts: Vec<(TokenPurpose, usize)>,
    /// What was tested, and who says what is valid.
    pub remarks: Vec<String>,
}

/// The comparison, as far as the screen knows it.
#[derive(Clone, Debug, Default)]
pub enum ContrastState {
    /// None was started, or it was cancelled.
    #[default]
    Idle,
    /// It runs; with the last news.
    Running(Option<ContrastUpdate>),
    /// It has found this.
    Found(Arc<ContrastSummary>),
    /// It has failed for this reason.
    Failed(String),
}

impl ContrastState {
    /// Whether it runs.
    pub fn is_running(&self) -> bool {
        matches!(self, ContrastState::Running(_))
    }

    /// Applies news of the comparison that runs; none runs after it was cancelled.
    pub fn apply_update(&mut self, update: ContrastUpdate) {
        if !self.is_running() {
            return;
        }
        *self = match update {
            ContrastUpdate::Found(summary) => ContrastState::Found(summary),
            ContrastUpdate::Failed(reason) => ContrastState::Failed(reason),
            ContrastUpdate::Tested(..) | ContrastUpdate::Checked(..) => {
                ContrastState::Running(Some(update))
            }
        };
    }
}
