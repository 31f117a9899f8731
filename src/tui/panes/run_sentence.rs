//! What the run is doing, in words: what is asked, what it would remove, why it may be asked, and how far the test is.
//!
//! The sentence stands below the headline on a wide screen (`frame/sentence.rs`), and in a pane of its own on a narrow one (`trying.rs`).

use std::time::{Duration, Instant};

use super::sentences::{format_change, show_words, verdict_mark};
use crate::oracle::Verdict;
use crate::reduce::{
    DecisionDetails, FinishReason, MinimalityClaim, PassLine, PassState, RunSnapshot, RunState,
    StepUnit,
};
use crate::tui::drawing::text;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;
use crate::tui::theme::palette::ScreenGlyphs;

/// The most cells of the reason for a pause.
const MOST_REASON_WIDTH: usize = 32;
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
                    (None, Some(last)) => RunSentence::about_decision(snapshot, last, glyphs),
                    (None, None) => RunSentence::about_planning(view, snapshot, now),
                };
                if let RunState::Paused(Some(reason)) = &snapshot.state {
                    let reason = text::displayable_line(reason, glyphs.braille);
                    let reason = text::truncate_end(&reason, MOST_REASON_WIDTH, glyphs.cut);
                    if reason != StepUnit::REASON {
                        sentence.facts.insert(0, format!("Paused: {reason}"));
                    }
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
                let farm = snapshot.farm.map(|farm| format!("farm {farm}"));
                match view.hides_verdict {
                    true => vec![format!("question {number}"), "the test has answered".into()],
                    false => {
                        let facts = [format!("question {number}"), time, workers];
                        facts.into_iter().chain(farm).collect()
                    }
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

    fn about_decision(
        snapshot: &RunSnapshot,
        last: &DecisionDetails,
        glyphs: &ScreenGlyphs,
    ) -> RunSentence {
        let (mark, role) = verdict_mark(last.verdict, glyphs);
        let said = &last.sentence;
        let made = snapshot.history.iter().rev();
        let made = made
            .take_while(|past| past.decision >= last.decision)
            .last();
        let is_left = made.is_some_and(|made| snapshot.is_left(made.number));
        let what = match last.verdict {
            Verdict::Interesting if is_left => "accepted, then undone",
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
            Some(time) => {
                facts.extend(Some(last.exit.clone()).filter(|exit| !exit.is_empty()));
                facts.push(text::format_duration(time));
            }
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
        // The whole claim has both lines.
        let headline = match &snapshot.claim {
            Some(MinimalityClaim {
                by_algorithm: Some(proven),
                ..
            }) => format!("{headline}: {proven}"),
            Some(claim) => format!("{headline}: {claim}"),
            None => headline,
        };
        RunSentence {
            mark,
            role: Some(role),
            headline,
            ..RunSentence::default()
        }
    }

    /// What is asked and why, as one text.
    pub fn whole(&self) -> String {
        let RunSentence {
            headline, detail, ..
        } = self;
        match headline.ends_with(['?', '.', ':']) {
            _ if detail.is_empty() => headline.clone(),
            true => format!("{headline}  {detail}"),
            false => format!("{headline}: {detail}"),
        }
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
        None => (planning_without_pass(snapshot).into(), String::new()),
    }
}

/// What is planned while it is the turn of no pass.
fn planning_without_pass(snapshot: &RunSnapshot) -> &'static str {
    let is_open =
        |line: &PassLine| matches!(line.state, PassState::Waiting | PassState::Running(_));
    match snapshot.passes.iter().any(is_open) {
        false => "Every pass has ended: the result is tested once more",
        true if snapshot.counts.decisions > 0 => "The next pass is planning its candidates",
        true => "The program is read; the first pass is planning its candidates",
    }
}
