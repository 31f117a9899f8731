//! The page of a lesson about a race: one file that needs no other. It shows the program of each lane at each step, and the curves of all.

use std::sync::Arc;

use serde::Serialize;

use super::export::{fill_template, text_cuts};
use crate::display::sanitize_line;
use crate::program::{FileText, apply_edit, text_bytes};
use crate::reduce::RunSnapshot;

/// The page.
const PAGE: &str = include_str!("race_page.html");

/// A lesson about a race, as it went.
#[derive(Clone, Debug)]
pub struct RaceLessonPage {
    /// Its title.
    pub title: String,
    /// What it teaches.
    pub teaches: String,
    /// Where it comes from; empty for lop's own.
    pub source: String,
    /// What the test looks for.
    pub test: String,
    /// The strategies, in the order of their lanes.
    pub strategies: Vec<String>,
    /// Its steps.
    pub steps: Vec<RacePageStep>,
}

/// A step of it.
#[derive(Clone, Debug)]
pub struct RacePageStep {
    /// What is told.
    pub text: String,
    /// The question to the audience.
    pub question: Option<String>,
    /// What is told with the answer.
    pub answer: Option<String>,
    /// The lanes at its end.
    pub lanes: Vec<Arc<RunSnapshot>>,
}

#[derive(Serialize)]
struct RacePageData {
    title: String,
    teaches: String,
    source: String,
    test: String,
    original: String,
    /// Tokens of the original.
    tokens: u32,
    lanes: Vec<ShownRaceLane>,
    steps: Vec<ShownRaceStep>,
}

#[derive(Serialize)]
struct ShownRaceLane {
    name: String,
    /// Tests and tokens, from the original on.
    curve: Vec<(u64, u32)>,
}

#[derive(Serialize)]
struct ShownRaceStep {
    text: String,
    question: Option<String>,
    answer: Option<String>,
    lanes: Vec<LaneMark>,
}

/// Where a lane is.
#[derive(Serialize)]
struct LaneMark {
    tests: u64,
    tokens: u32,
    is_over: bool,
    /// The difference from its program a step before, as on the page of a run.
    cuts: Vec<(usize, usize, String)>,
    /// What it asks next.
    asks: Option<LaneQuestion>,
}

/// A candidate of a lane.
#[derive(Serialize)]
struct LaneQuestion {
    /// The candidate in words.
    sentence: String,
    /// Its difference from the program of the lane.
    cuts: Vec<(usize, usize, String)>,
}

/// The page of a lesson about a race; `original` is its program.
pub fn render_race_page(lesson: RaceLessonPage, original: &str) -> String {
    let title = sanitize_line(&lesson.title).into_owned();
    let last = lesson.steps.last().map_or(&[][..], |step| &step.lanes);
    let lanes = lesson.strategies.into_iter().zip(last);
    let lanes = lanes.map(|(name, last)| ShownRaceLane {
        name,
        curve: (last.curve.iter())
            .map(|point| (point.tests, point.size.primary()))
            .collect(),
    });
    let data = RacePageData {
        tokens: last.first().map_or(0, |lane| lane.primary_sizes().1),
        lanes: lanes.collect(),
        title: title.clone(),
        teaches: lesson.teaches,
        source: lesson.source,
        test: sanitize_line(&lesson.test).into_owned(),
        steps: mark_steps(lesson.steps, original),
        original: original.to_owned(),
    };
    fill_template(PAGE, &title, &data)
}

/// The steps, with the program of each lane as a difference from the step before.
fn mark_steps(steps: Vec<RacePageStep>, original: &str) -> Vec<ShownRaceStep> {
    let mut texts: Vec<String> = Vec::new();
    let steps = steps.into_iter().map(|step| {
        texts.resize(step.lanes.len(), original.to_owned());
        let lanes = step.lanes.iter().zip(&mut texts).map(|(lane, before)| {
            let text = program_text(&lane.version.render_texts());
            let cuts = text_cuts(before, &text);
            let asks = lane_question(lane, &text);
            *before = text;
            LaneMark {
                tests: lane.counts.tests,
                tokens: lane.primary_sizes().0,
                is_over: lane.state.is_finished(),
                cuts,
                asks,
            }
        });
        ShownRaceStep {
            lanes: lanes.collect(),
            text: step.text,
            question: step.question,
            answer: step.answer,
        }
    });
    steps.collect()
}

/// What the lane asks next, with this text as its program; none at its end.
fn lane_question(lane: &RunSnapshot, text: &str) -> Option<LaneQuestion> {
    let asked = lane.current_test.as_ref()?;
    let (candidate, _) = apply_edit(&lane.version, &asked.edit).ok()?;
    Some(LaneQuestion {
        sentence: sanitize_line(&asked.sentence.to_string()).into_owned(),
        cuts: text_cuts(text, &program_text(&candidate.render_texts())),
    })
}

/// The text of a program that is one file.
fn program_text(texts: &[FileText]) -> String {
    let bytes = texts.first().map_or(&[][..], text_bytes);
    String::from_utf8_lossy(bytes).into_owned()
}
