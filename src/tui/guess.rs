//! Propose, guess, reveal: a step in two keys. The first shows a candidate and hides its verdict, the second shows the verdict. Between the two
//! the audience may guess.
//!
//! In a run the candidate is tested at once, and its verdict is held back. In a replay every moment shows the next candidate, so there the
//! first key shows the verdict, and the candidate after it is held back until the second key.

use std::sync::Arc;
use std::time::Instant;

use crate::oracle::Verdict;
use crate::reduce::{CurrentTest, Decision, DecisionDetails, RunSnapshot, RunState};

/// What is hidden until the next key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HiddenPart {
    /// The verdict of the candidate that is shown.
    Verdict,
    /// The candidate after the verdict that is shown.
    NextCandidate,
}

/// A step whose second key was not pressed yet.
#[derive(Clone, Debug)]
struct GuessRound {
    hidden: HiddenPart,
    /// The number of the decision.
    decision: Decision,
    /// The state before it.
    before: Arc<RunSnapshot>,
    /// The newest state, which is not shown yet.
    held: Option<Arc<RunSnapshot>>,
}

/// What the last guess was worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuessOutcome {
    /// What was guessed.
    pub guess: bool,
    /// Whether that is what the test said.
    pub is_right: bool,
}

/// The mode, the round, and the score.
#[derive(Clone, Debug, Default)]
pub struct GuessGame {
    /// Whether every single step has two keys.
    pub is_on: bool,
    round: Option<GuessRound>,
    guess: Option<bool>,
    last: Option<GuessOutcome>,
    /// Guesses that were right, and all.
    score: (u32, u32),
}

impl GuessGame {
    /// A game; on if every single step has two keys.
    pub fn new(is_on: bool) -> GuessGame {
        GuessGame {
            is_on,
            ..GuessGame::default()
        }
    }

    /// Begins a step from this state, which hides a part until the next key.
    pub fn open_round(&mut self, hidden: HiddenPart, before: &Arc<RunSnapshot>) {
        if hidden == HiddenPart::Verdict {
            self.guess = None;
        }
        self.last = None;
        self.round = Some(GuessRound {
            hidden,
            decision: before.counts.decisions + 1,
            before: before.clone(),
            held: None,
        });
    }

    /// What the screen shows of a new state: without the part that is hidden.
    pub fn veil(&mut self, new: Arc<RunSnapshot>) -> Arc<RunSnapshot> {
        let Some(round) = &mut self.round else {
            return new;
        };
        let before_it = new.counts.decisions < round.decision;
        let decided = find_decision(&new, round.decision).cloned();
        let (Some(decided), true) = (decided, new.counts.decisions == round.decision) else {
            // The run has ended, or the user went elsewhere.
            if !before_it || matches!(new.state, RunState::Finished(_)) {
                self.round = None;
            }
            return new;
        };
        let is_first = round.held.is_none();
        let shown = match round.hidden {
            HiddenPart::Verdict => before_verdict(&round.before, &decided, new.now),
            HiddenPart::NextCandidate => RunSnapshot {
                current_test: None,
                ..(*new).clone()
            },
        };
        round.held = Some(new);
        if is_first && round.hidden == HiddenPart::NextCandidate {
            self.score_guess(&decided);
        }
        Arc::new(shown)
    }

    /// Ends the step: the state that was held back. None if there is no step, or its test still runs.
    pub fn close_round(&mut self) -> Option<Arc<RunSnapshot>> {
        let round = self.round.take_if(|round| round.held.is_some())?;
        let held = round.held?;
        if round.hidden == HiddenPart::Verdict
            && let Some(decided) = find_decision(&held, round.decision).cloned()
        {
            self.score_guess(&decided);
        }
        if round.hidden == HiddenPart::NextCandidate {
            self.last = None;
        }
        Some(held)
    }

    /// Whether a verdict is known and held back.
    pub fn holds_verdict(&self) -> bool {
        let round = self.round.as_ref();
        round.is_some_and(|round| round.hidden == HiddenPart::Verdict && round.held.is_some())
    }

    /// Whether a step waits for its second key.
    pub fn is_open(&self) -> bool {
        self.round.is_some()
    }

    /// The newest state of the run, shown or not.
    pub fn newest<'a>(&'a self, shown: &'a Arc<RunSnapshot>) -> &'a Arc<RunSnapshot> {
        let held = self.round.as_ref().and_then(|round| round.held.as_ref());
        held.unwrap_or(shown)
    }

    /// Whether a candidate is shown whose verdict is not: somebody may guess it.
    pub fn can_guess(&self, shown: &RunSnapshot) -> bool {
        match &self.round {
            Some(round) => round.hidden == HiddenPart::Verdict,
            None => {
                let is_paused_replay = shown.replay.as_ref().is_some_and(|replay| !replay.playing);
                self.is_on && is_paused_replay && shown.current_test.is_some()
            }
        }
    }

    /// Guesses that the verdict is *interesting*, or that it is not.
    pub fn guess_verdict(&mut self, is_interesting: bool) {
        self.guess = Some(is_interesting);
    }

    /// The guess about the candidate that is shown.
    pub fn current_guess(&self) -> Option<bool> {
        self.guess
    }

    /// What the guess about the verdict that is shown was worth.
    pub fn last_outcome(&self) -> Option<GuessOutcome> {
        self.last
    }

    /// How many guesses were right, and how many there were.
    pub fn score(&self) -> (u32, u32) {
        self.score
    }

    fn score_guess(&mut self, decided: &DecisionDetails) {
        let Some(guess) = self.guess.take() else {
            return;
        };
        let is_right = guess == (decided.verdict == Verdict::Interesting);
        self.score.0 += u32::from(is_right);
        self.score.1 += 1;
        self.last = Some(GuessOutcome { guess, is_right });
    }
}

fn find_decision(snapshot: &RunSnapshot, number: Decision) -> Option<&Arc<DecisionDetails>> {
    let newest_first = snapshot.decided.iter().rev();
    newest_first
        .take_while(|decided| decided.decision >= number)
        .find(|decided| decided.decision == number)
}

/// The state before a decision that was made at this time, with its candidate as the one that is tested. The clock stands where the test
/// began, however long it is shown.
fn before_verdict(
    before: &Arc<RunSnapshot>,
    decided: &DecisionDetails,
    made: Instant,
) -> RunSnapshot {
    let began = made.checked_sub(decided.time.unwrap_or_default());
    let began = began.unwrap_or(made).max(before.now);
    RunSnapshot {
        now: began,
        current_test: Some(CurrentTest {
            decision: decided.decision,
            edit: decided.edit.clone(),
            why: decided.why.clone(),
            sentence: decided.sentence.clone(),
            change: decided.change,
            algorithm: decided.algorithm.clone(),
            since: began,
        }),
        ..(**before).clone()
    }
}
