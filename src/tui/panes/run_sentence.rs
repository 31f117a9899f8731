//! What the run is doing, in words: what is asked, what it would remove, why it may be asked, and how far the test is.
//!
//! The sentence stands below the headline on a wide screen (`frame/sentence.rs`), and in a pane of its own on a narrow one (`trying.rs`).

use std::time::{Duration, Instant};

use super::sentences::{format_change, show_words, verdict_mark};
use crate::oracle::Verdict;
use crate::reduce::{DecisionDetails, FinishReason, RunSnapshot, RunState};
use crate::tui::drawing::text;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;
use crate::tui::theme::palette::ScreenGlyphs;

/// The reason of a run that a step has paused.
const STEP: &str = "step";
/// Planning for less time than this shows no clock.
const PLANNING_WITHOUT_CLOCK: Duration = Duration::from_secs(1);

/// What the run is doing.
#[derive(Clone, Debug, Default)]
pub struct RunSentence {
    /// The mark before it.
    pub mark: &'static str,
    /// The role of the mark.
    pub role: Option<Role>,
    /// What is asked, or what happened.
    pub headline: String,
    /// What the candidate does to the number of tokens; empty if nothing is asked.
    pub change: String,
    /// The objects and the reason, or what a key does.
    pub detail: String,
    /// The facts: the number of the question, the time of its test, the workers; or the verdict.
    pub facts: Vec<String>,
}

impl RunSentence {
    /// The sentence for this moment.
    pub fn new(
        view: &RunView,
        snapshot: &RunSnapshot,
        glyphs: &ScreenGlyphs,
        now: Instant,
    ) -> RunSentence {
        match &snapshot.state {
            RunState::Stalled(reason) => RunSentence::about_stall(view, reason, glyphs),
            RunState::Finished(reason) => RunSentence::about_end(snapshot, reason, glyphs),
            RunState::Running | RunState::Paused(_) => {
                let mut sentence = match (&snapshot.current_test, last_decision(snapshot)) {
                    (Some(_), _) => RunSentence::about_test(view, snapshot, glyphs, now),
                    (None, Some(last)) => RunSentence::about_decision(last, glyphs),
                    (None, None) => RunSentence::about_planning(view, snapshot, now),
                };
                if let Some(reason) = pause_reason(&snapshot.state) {
                    let reason = text::displayable_line(reason, glyphs.braille);
                    let detail = std::mem::take(&mut sentence.detail);
                    sentence.detail = match detail.is_empty() {
                        true => format!("Paused: {reason}"),
                        false => format!("Paused: {reason}. {detail}"),
                    };
                }
                sentence
            }
        }
    }

    fn about_test(
        view: &RunView,
        snapshot: &RunSnapshot,
        glyphs: &ScreenGlyphs,
        now: Instant,
    ) -> RunSentence {
        let Some(trying) = &snapshot.current_test else {
            return RunSentence::default();
        };
        let number = text::format_number(trying.decision);
        let said = &trying.sentence;
        let facts = match &snapshot.replay {
            // In a recording no test is waited for.
            Some(replay) => vec![format!(
                "question {number} of {}",
                text::format_number(replay.decisions)
            )],
            None => {
                let waited = text::format_duration(now.saturating_duration_since(trying.since));
                let time = match snapshot.limit {
                    Some(limit) => format!("{waited} of {}", text::format_limit(limit)),
                    None => waited,
                };
                let (busy, all) = snapshot.workers;
                let workers = format!("{busy}/{all}");
                match view.hides_verdict {
                    true => vec![format!("question {number}"), "the test has answered".into()],
                    false => vec![format!("question {number}"), time, workers],
                }
            }
        };
        RunSentence {
            mark: glyphs.forwards,
            role: Some(Role::Trying),
            headline: show_words(&said.question, glyphs),
            change: format_change(trying.change, glyphs),
            detail: show_words(&said.detail, glyphs),
            facts,
        }
    }

    fn about_decision(last: &DecisionDetails, glyphs: &ScreenGlyphs) -> RunSentence {
        let (mark, role) = verdict_mark(last.verdict, glyphs);
        let said = &last.sentence;
        let what = match last.verdict {
            Verdict::Interesting => "accepted",
            Verdict::Uninteresting => "rejected: uninteresting",
            Verdict::Invalid => "rejected: invalid",
            Verdict::TimedOut => match last.bound.filter(|bound| !bound.is_time_limit()) {
                Some(bound) => &format!("rejected: beyond its limit of {}", bound.name()),
                None => "rejected: timed out",
            },
        };
        let number = format!("question {}", text::format_number(last.decision));
        let mut facts = vec![number, what.to_owned()];
        match last.time {
            Some(time) => facts.extend([last.exit.clone(), text::format_duration(time)]),
            None => facts.push("known before".into()),
        }
        RunSentence {
            mark,
            role: Some(role),
            headline: show_words(&said.question, glyphs),
            change: format_change(last.change, glyphs),
            detail: show_words(&said.detail, glyphs),
            facts,
        }
    }

    /// Nothing was tested yet, or the next candidate is being planned.
    fn about_planning(view: &RunView, snapshot: &RunSnapshot, now: Instant) -> RunSentence {
        if let RunState::Paused(_) = snapshot.state {
            if view.context.lesson.is_some() {
                return RunSentence {
                    headline: "Nothing is tested yet".into(),
                    ..RunSentence::default()
                };
            }
            let actions = [("pause", "starts"), ("step", "tests one candidate")];
            return RunSentence {
                headline: format!(
                    "Nothing is tested yet: {}",
                    view.setup.keys.describe_keys(&actions)
                ),
                ..RunSentence::default()
            };
        }
        let (headline, detail) = planning_words(snapshot);
        let since = snapshot.planning.map_or(snapshot.now, |plan| plan.since);
        let thinks = now.saturating_duration_since(since);
        let clock = (thinks >= PLANNING_WITHOUT_CLOCK)
            .then(|| format!("for {}", text::format_duration(thinks)));
        RunSentence {
            headline,
            detail,
            facts: clock.into_iter().collect(),
            ..RunSentence::default()
        }
    }

    fn about_stall(view: &RunView, reason: &str, glyphs: &ScreenGlyphs) -> RunSentence {
        let actions = [
            ("pause", "resumes"),
            ("why", "says more"),
            ("quit", "leaves"),
        ];
        RunSentence {
            mark: glyphs.uninteresting,
            role: Some(Role::Failed),
            headline: text::displayable_line(reason, glyphs.braille),
            detail: format!(
                "fix the test, then {}",
                view.setup.keys.describe_keys(&actions)
            ),
            ..RunSentence::default()
        }
    }

    fn about_end(
        snapshot: &RunSnapshot,
        reason: &FinishReason,
        glyphs: &ScreenGlyphs,
    ) -> RunSentence {
        let (mark, role, headline) = match reason {
            FinishReason::Complete => (
                glyphs.interesting,
                Role::Interesting,
                "Nothing is left to try".into(),
            ),
            FinishReason::Stopped => ("", Role::Note, "Stopped: the best version is kept".into()),
            FinishReason::Failed(reason) => (
                glyphs.uninteresting,
                Role::Failed,
                text::displayable_line(reason, glyphs.braille),
            ),
        };
        let claim = snapshot.claim.as_ref().map(ToString::to_string);
        RunSentence {
            mark,
            role: Some(role),
            headline,
            detail: claim.unwrap_or_default(),
            ..RunSentence::default()
        }
    }

    /// What is asked and why, as one text.
    pub fn whole(&self) -> String {
        let (headline, detail) = (&self.headline, &self.detail);
        match (headline.ends_with(['?', '.']), detail.is_empty()) {
            (_, true) => headline.clone(),
            (true, false) => format!("{headline}  {detail}"),
            (false, false) => format!("{headline}: {detail}"),
        }
    }
}

/// Why a run is paused; none where the user told it to go that far and no further.
fn pause_reason(state: &RunState) -> Option<&str> {
    match state {
        RunState::Paused(Some(reason)) if &**reason != STEP => Some(reason),
        _ => None,
    }
}

/// The last decision, shown while the run is paused and tests no candidate.
fn last_decision(snapshot: &RunSnapshot) -> Option<&DecisionDetails> {
    let is_paused = matches!(snapshot.state, RunState::Paused(_));
    let last = snapshot.decided.last().filter(|_| is_paused);
    last.map(AsRef::as_ref)
}

/// What the run does while it tests no candidate, and what the pass is for.
fn planning_words(snapshot: &RunSnapshot) -> (String, String) {
    let mut lines = snapshot.passes.iter();
    let planned = snapshot.planning.and_then(|planned| planned.pass);
    let begins = planned.and_then(|pass| lines.find(|line| line.name == pass));
    let running = snapshot.running_pass();
    let begins = begins.filter(|line| running.is_none_or(|running| running.name != line.name));
    match begins.or(running) {
        Some(pass) if begins.is_some() || pass.tried == 0 => (
            format!("{} is planning its first candidate", pass.name),
            pass.what.to_owned(),
        ),
        Some(pass) => (
            format!("{} is planning the next candidate", pass.name),
            String::new(),
        ),
        None => (
            "The program is read; the first pass is planning its candidates".into(),
            String::new(),
        ),
    }
}
