//! Why is this here? (what was asked, the node, the answer).

use std::time::Duration;

use lop::oracle::Verdict;
use lop::program::{Constraint, ConstraintRule, ConstraintSet, NodeShape, tokens_of};
use lop::reduce::{DecisionDetails, FinishReason, NodeFacts};

use crate::stage::{ASKED, PROGRAM, Stage, find};
use crate::{ask_for, in_the_middle};

/// A story: what happens, how the text of the node begins, and the answer.
type Story = (fn(&mut Stage), &'static str, &'static str);

fn loop_stays(stage: &mut Stage) {
    ask_for(stage, "while");
    stage.answer(Verdict::Uninteresting);
}

fn constrain(stage: &mut Stage, rule: ConstraintRule) {
    let version = &stage.run.version;
    let main = find(version, "int main", |shape| shape == NodeShape::Regular);
    let main = version.find_node(main).expect("it is there");
    let mut constraints = ConstraintSet::default();
    constraints.add_constraint(Constraint {
        rule,
        tokens: tokens_of(main, true).into(),
        name: "main".into(),
        line: Some(1),
    });
    stage.run.constraints = constraints.into();
}

#[rustfmt::skip]
const STORIES: &[Story] = &[
    (|_| {}, "g(s.a);", "Nothing asked about it yet."),
    (|stage| stage.finish(FinishReason::Complete), "g(s.a);", "The run asked about nothing in which it stands."),
    (loop_stays, "while", "It stays: without it the test says exit 1 (question 1, 14:02)."),
    (
        loop_stays,
        "--s.a",
        "It was not tried by itself. It stands in `while (s.a) --s.a;`, and that stays: without it the test says exit 1 (question 1, 14:02).",
    ),
    (
        loop_stays,
        "if (s.a)",
        "It was not tried by itself. It holds `g(s.a); while (s.a) --s.a;`, and that was not tried as a whole, only “del while (s.a) --s.a;”: the test says exit 1 (question 1, 14:02).",
    ),
    (
        |stage| {
            ask_for(stage, "while");
            stage.answer(Verdict::Invalid);
        },
        "while",
        "It stays: without it the program is invalid, says the test (question 1, 14:02).",
    ),
    (
        |stage| {
            ask_for(stage, "while");
            stage.answer(Verdict::TimedOut);
        },
        "while",
        "It stays: without it the test exceeds its limit (question 1, 14:02).",
    ),
    (
        |stage| {
            *stage = in_the_middle();
            stage.answer(Verdict::Uninteresting);
        },
        "if (s.a)",
        "It was not tried as a whole, only “if (s.a) { g(s.a); } → { g(s.a); }”: the test says exit 1 (question 4, 14:02).",
    ),
    (
        |stage| {
            ask_for(stage, "while");
            stage.answer(Verdict::Interesting);
            stage.stand_at(0);
        },
        "while",
        "It may go, says the test, but the current version is another one (question 1, 14:02).",
    ),
    (|stage| constrain(stage, ConstraintRule::Focus), "int g", "It is not tried: closed by focus main."),
    (|stage| constrain(stage, ConstraintRule::Lock), "g(s.a);", "Nothing in it is tried: closed by lock main."),
];

#[test]
fn a_node_says_in_one_sentence_why_it_is_still_there() {
    for (happens, begins, expected) in STORIES {
        let mut stage = Stage::new(PROGRAM);
        happens(&mut stage);
        let version = &stage.run.version;
        let node = find(version, begins, |shape| {
            shape == NodeShape::Regular || shape == NodeShape::Token
        });
        let path = version.path_to(node).expect("it is there");
        let answer = NodeFacts::of_snapshot(&stage.run, stage.app.view.clock).answer(&path);
        assert_eq!(answer.sentence, *expected, "{begins}");
    }
}

#[test]
fn the_page_of_a_node_begins_with_the_answer_and_the_evidence() {
    let mut stage = Stage::new(PROGRAM);
    loop_stays(&mut stage);
    stage.frame(140, 40);
    stage.keys("/");
    stage.types("kind:while");
    stage.keys("enter i");
    let screen = stage.screen(140, 40);
    let answer = "It stays: without it the test says exit 1 (question 1, 14:02).";
    assert!(screen.contains(answer), "{screen}");
    let evidence = "✗ question 1, 0.41 s, exit 1: del while (s.a) --s.a;";
    assert!(screen.contains(evidence), "{screen}");
    // The run goes on over midnight.
    let now = ASKED.checked_add(Duration::from_secs(12 * 3600));
    stage.app.view.clock.now = now.expect("a time");
    let screen = stage.screen(140, 40);
    let answer = "It stays: without it the test says exit 1 (question 1, 2026-03-14 14:02).";
    assert!(screen.contains(answer), "{screen}");
}

#[test]
fn where_the_time_of_a_question_is_not_known_the_answer_does_without() {
    let mut stage = Stage::new(PROGRAM);
    loop_stays(&mut stage);
    let decided = (**stage.run.decided.last().expect("a decision")).clone();
    let decided = DecisionDetails {
        decided_at: None,
        ..decided
    };
    stage.run.log = Default::default();
    stage.run.log.add_decision(&decided, 0, &stage.run.version);
    let node = find(&stage.run.version, "while", |shape| {
        shape == NodeShape::Regular
    });
    let path = stage.run.version.path_to(node).expect("it is there");
    let answer = NodeFacts::of_snapshot(&stage.run, stage.app.view.clock).answer(&path);
    let expected = "It stays: without it the test says exit 1 (question 1, 0.41 s).";
    assert_eq!(answer.sentence, expected);
}
