//! Tests of a pair: each stage sees its own document, and what it said about the same bytes is remembered.

use std::fs;
use std::time::Duration;

use lop::oracle::{
    FailureProperty, InterestingnessTest, JobId, JobResult, LocalRunner, NoVerdict,
    PropertyCriterion, PropertyError, PropertyPart, Runner, StageCommand, StageRole, TestFiles,
    TestJob, TestOutcome, TestStage, TimeLimits, Verdict,
};

use crate::suite_directory::{PATIENCE, Place};

/// A pair of these texts, under one name.
fn pair(seed: &str, variant: &str) -> TestFiles {
    [seed, variant]
        .map(|text| ("bug.c".into(), text.as_bytes().into()))
        .into()
}

fn shell(role: StageRole, line: &str) -> Vec<TestStage> {
    vec![TestStage::new(role, StageCommand::Shell(line.into()))]
}

/// A test that says what these lines say, each of which also leaves a letter in the place's `log`.
fn logged(place: &Place, seed: &str, variant: &str) -> InterestingnessTest {
    let log = place.file_named("log");
    let says = |letter, line| {
        let log = log.display();
        shell(
            StageRole::Says,
            &format!("printf {letter} >>'{log}'; {line}"),
        )
    };
    InterestingnessTest::for_pair(says('s', seed), says('v', variant))
}

/// A runner of one worker, and its numbers.
struct Teller<'a> {
    runner: LocalRunner,
    place: &'a Place,
    limits: TimeLimits,
    asked: u64,
}

impl Teller<'_> {
    fn new<'a>(place: &'a Place, test: &InterestingnessTest) -> Teller<'a> {
        Teller {
            runner: place.runner(test, 1),
            place,
            limits: TimeLimits::wall_only(PATIENCE),
            asked: 0,
        }
    }

    fn run(&mut self, files: TestFiles, fresh: bool) -> JobResult {
        self.asked += 1;
        self.runner.submit(TestJob {
            id: JobId(self.asked),
            files,
            limits: self.limits,
            alone: false,
            fresh,
        });
        let results = self.runner.result_receiver();
        results.recv_timeout(2 * PATIENCE).expect("an answer")
    }

    /// The verdict on a pair, and the letters of the tests that ran for it.
    fn ask(&mut self, seed: &str, variant: &str) -> (Verdict, String) {
        self.ask_again(seed, variant, false)
    }

    fn ask_again(&mut self, seed: &str, variant: &str, fresh: bool) -> (Verdict, String) {
        let result = self.run(pair(seed, variant), fresh);
        let log = self.place.dir.path().join("log");
        let letters = fs::read_to_string(&log).expect("the log");
        fs::write(&log, "").expect("an empty log");
        let counted = ["s", "v"].map(|letter| letters.matches(letter).count() as u64);
        assert_eq!(result.tests_by_document, counted);
        match result.outcome {
            TestOutcome::Verdict(verdict, _) => (verdict, letters),
            other => panic!("{other:?}"),
        }
    }
}

fn said(verdict: Verdict, letters: &str) -> (Verdict, String) {
    (verdict, letters.into())
}

const YES: Verdict = Verdict::Interesting;
const NO: Verdict = Verdict::Uninteresting;

/// Its only file is `bug.c`, with this text.
fn sees(text: &str) -> String {
    format!(r#"test "$(ls)" = bug.c && grep -qx {text} {{}}"#)
}

#[test]
fn each_test_sees_its_own_document_under_its_own_name() {
    for place in Place::both() {
        let test = logged(&place, &sees("seed"), &sees("variant"));
        let mut teller = Teller::new(&place, &test);
        assert_eq!(teller.ask("seed", "variant"), said(YES, "sv"));
        assert_eq!(teller.ask("variant", "variant"), said(NO, "s"));
        assert_eq!(teller.ask("seed", "seed"), said(NO, "v"));
        drop(teller);
        place.assert_clean();
    }
}

#[test]
fn a_script_gets_the_path_of_its_own_document() {
    for (level, place) in Place::levels() {
        let script = |name: &str| {
            let text = format!(r#"#!/bin/sh{}test $# = 1 && grep -qx {name} "$1""#, '\n');
            let path = place.file(&text);
            let own = path.with_file_name(name);
            fs::rename(path, &own).expect("a name of its own");
            let test = InterestingnessTest::from_path(&own).expect("a test");
            test.stages().to_vec()
        };
        let test = InterestingnessTest::for_pair(script("seed"), script("variant"));
        assert_eq!(test.scripts().count(), 2);
        let mut teller = Teller::new(&place, &test);
        let first = teller.run(pair("seed", "variant"), false);
        assert_eq!(first.outcome.verdict(), Some(YES), "{level}: {first:?}");
        assert_eq!(first.tests_by_document, [1, 1]);
    }
}

#[test]
fn a_candidate_that_changes_one_document_starts_one_test() {
    for place in Place::both() {
        let mut teller = Teller::new(&place, &logged(&place, "grep -q S {}", "grep -q V {}"));
        assert_eq!(teller.ask("S 1", "V 1"), said(YES, "sv"));
        assert_eq!(teller.ask("S 1", "V 2"), said(YES, "v"));
        assert_eq!(teller.ask("S 1", "- 3"), said(NO, "v"));
        assert_eq!(teller.ask("S 2", "V 2"), said(YES, "s"));
        // What is known decides without any test, as long as the client does not want to hear it again.
        assert_eq!(teller.ask("S 3", "- 3"), said(NO, ""));
        assert_eq!(teller.ask("S 1", "V 1"), said(YES, ""));
        // The variant's test, which has said no, comes first by now.
        assert_eq!(teller.ask_again("S 1", "V 1", true), said(YES, "vs"));
    }
}

#[test]
fn other_limits_are_another_question() {
    let place = Place::helped();
    let mut teller = Teller::new(&place, &logged(&place, "true", "true"));
    assert_eq!(teller.ask("S", "V"), said(YES, "sv"));
    teller.limits = TimeLimits::wall_only(2 * PATIENCE);
    assert_eq!(teller.ask("S", "V"), said(YES, "sv"));
}

#[test]
fn the_test_that_refuses_most_runs_first_and_spares_the_other() {
    for place in Place::both() {
        let mut teller = Teller::new(&place, &logged(&place, "true", "false"));
        // Nothing is known of either, so the seed's begins.
        assert_eq!(teller.ask("S 1", "V 1"), said(NO, "sv"));
        assert_eq!(teller.ask("S 2", "V 2"), said(NO, "v"));
        assert_eq!(teller.ask("S 3", "V 3"), said(NO, "v"));
    }
}

#[test]
#[ignore = "long"]
fn the_verdict_does_not_hang_on_who_runs_first() {
    // Each says about a letter of its own document: yes, no, invalid, or it does not end.
    let line = "case $(cat {}) in *y) exit 0;; *n) exit 1;; *i) exit 125;; *h) exec tail -f /dev/null;; esac";
    let place = Place::helped();
    let texts: Vec<(String, String)> = "yni"
        .chars()
        .flat_map(|seed| "ynih".chars().map(move |variant| (seed, variant)))
        .chain([('h', 'n'), ('h', 'y')])
        .map(|(seed, variant)| (format!("1{seed}"), format!("1{variant}")))
        .collect();
    let verdicts = |begin: [&str; 2]| {
        let mut teller = Teller::new(&place, &logged(&place, line, line));
        teller.limits = TimeLimits::wall_only(Duration::from_millis(500));
        // Who has said no so often is asked first from now on.
        for round in 0..20 {
            let text = |end: &str| format!("{round}0{end}");
            teller.ask(&text(begin[0]), &text(begin[1]));
        }
        let both = teller.ask("0y", "0y").1;
        let asked = texts
            .iter()
            .map(|(seed, variant)| teller.ask_again(seed, variant, true).0);
        (both, asked.collect::<Vec<_>>())
    };
    let (seed_first, one) = verdicts(["n", "y"]);
    let (variant_first, other) = verdicts(["y", "n"]);
    assert_eq!([seed_first, variant_first], ["sv", "vs"]);
    for ((texts, one), other) in texts.iter().zip(&one).zip(&other) {
        let expected = match (&texts.0[1..], &texts.1[1..]) {
            ("y", "y") => YES,
            ("y", "h") | ("h", "y") => Verdict::TimedOut,
            _ => NO,
        };
        assert_eq!([*one, *other], [expected; 2], "{texts:?}");
    }
}

#[test]
fn a_limit_that_ended_a_test_is_not_remembered() {
    let place = Place::helped();
    let hangs = "grep -q V {} && exec tail -f /dev/null";
    let mut teller = Teller::new(&place, &logged(&place, "true", hangs));
    teller.limits = TimeLimits::wall_only(Duration::from_millis(300));
    assert_eq!(teller.ask("S", "V"), said(Verdict::TimedOut, "sv"));
    assert_eq!(teller.ask("S", "V"), said(Verdict::TimedOut, "v"));
}

#[test]
fn a_test_that_failed_is_not_remembered() {
    let place = Place::helped();
    let test = logged(&place, "true", "no-such-tool");
    let mut teller = Teller::new(&place, &test);
    for tests in [[1, 1], [0, 1]] {
        let result = teller.run(pair("S", "V"), false);
        assert!(
            matches!(
                result.outcome,
                TestOutcome::NoVerdict(NoVerdict::TestFailed { .. })
            ),
            "{result:?}"
        );
        assert_eq!(result.tests_by_document, tests);
    }
}

fn grep(text: &str) -> FailureProperty {
    FailureProperty {
        parts: vec![PropertyPart {
            on: true,
            criterion: PropertyCriterion::Grep(text.into()),
        }],
    }
}

/// A command that must succeed on the seed, and fail with a property on the variant.
fn command(line: &str) -> InterestingnessTest {
    InterestingnessTest::for_pair(
        shell(StageRole::Succeeds, line),
        shell(StageRole::Subject, line),
    )
}

#[test]
fn a_command_succeeds_on_the_seed_and_fails_on_the_variant() {
    let test = command("cat {}; ! grep -q error {}");
    let test = test.with_property(grep("error: one")).expect("a property");
    for place in Place::both() {
        let mut teller = Teller::new(&place, &test);
        let mut verdict = |seed, variant| {
            let result = teller.run(pair(seed, variant), false);
            (
                result.outcome.verdict().expect("one"),
                result.tests_by_document,
            )
        };
        assert_eq!(verdict("fine", "error: one"), (YES, [1, 1]));
        assert_eq!(verdict("fine", "error: two"), (NO, [0, 1]));
        assert_eq!(verdict("error: two", "error: one"), (NO, [1, 0]));
    }
}

#[test]
fn another_property_forgets_what_both_were_found_to_be() {
    let place = Place::helped();
    let test = command("cat {}; ! grep -q error {}");
    let test = test.with_property(grep("error: one")).expect("a property");
    let mut teller = Teller::new(&place, &test);
    let verdict = |teller: &mut Teller| {
        let result = teller.run(pair("fine", "error: one"), false);
        (
            result.outcome.verdict().expect("one"),
            result.tests_by_document,
        )
    };
    assert_eq!(verdict(&mut teller), (YES, [1, 1]));
    assert_eq!(verdict(&mut teller), (YES, [0, 0]));
    teller
        .runner
        .set_property(&grep("error: two"))
        .expect("set");
    assert_eq!(verdict(&mut teller), (NO, [1, 1]));
    teller
        .runner
        .set_property(&grep("error: one"))
        .expect("set");
    // That of the seed, too, hangs on it: the command must not show the property there.
    assert_eq!(verdict(&mut teller), (YES, [1, 1]));
}

#[test]
fn a_seed_on_which_the_command_succeeds_and_shows_the_property_is_none() {
    let place = Place::helped();
    let test = command("cat {}").with_property(grep("warning"));
    let mut teller = Teller::new(&place, &test.expect("a property"));
    let mut verdict = |seed| {
        let result = teller.run(pair(seed, "warning"), false);
        result.outcome.verdict().expect("one")
    };
    assert_eq!(verdict("fine"), YES);
    assert_eq!(verdict("warning"), NO);
}

#[test]
fn two_scripts_have_no_property() {
    let place = Place::helped();
    let test = logged(&place, "true", "true");
    let refused = test.with_property(grep("x")).expect_err("refused");
    assert!(matches!(refused, PropertyError::Script), "{refused}");
}

#[test]
fn one_script_may_see_both_documents() {
    for place in Place::both() {
        let test = place.test(
            r#"test $# = 2 && test "$(ls)" = "seed.c
variant.c" && grep -qx S "$1" && grep -qx V "$2" && cmp seed.c "$1" && cmp variant.c "$2""#,
        );
        let files = |names: [&str; 2]| -> TestFiles {
            let texts = [(names[0], "S"), (names[1], "V")];
            texts
                .map(|(name, text)| (name.into(), text.as_bytes().into()))
                .into()
        };
        let mut teller = Teller::new(&place, &test);
        let done = teller.run(files(["seed.c", "variant.c"]), false);
        assert_eq!(done.outcome.verdict(), Some(YES), "{done:?}");
        assert_eq!(done.tests_by_document, [0, 0]);
        // In one directory two files cannot have one name, and none takes the place of the other.
        let clash = teller.run(files(["bug.c", "bug.c"]), false);
        assert!(
            matches!(
                clash.outcome,
                TestOutcome::NoVerdict(NoVerdict::System { .. })
            ),
            "{clash:?}"
        );
        drop(teller);
        place.assert_clean();
    }
}

#[test]
fn a_stage_in_a_journal_says_what_it_sees_only_of_a_pair() {
    let old = r#"{"role":"check","line":{"shell":"true {}"}}"#;
    let stage: TestStage = serde_json::from_str(old).expect("an old stage");
    assert_eq!(stage, shell(StageRole::Check, "true {}")[0]);
    assert_eq!(serde_json::to_string(&stage).expect("text"), old);
    let test = InterestingnessTest::for_pair(vec![stage.clone()], vec![stage]);
    let text = serde_json::to_string(test.stages()).expect("text");
    assert_eq!(
        text,
        format!(
            "[{0},\"sees\":\"seed\"}},{0},\"sees\":\"variant\"}}]",
            old.strip_suffix('}').expect("an object")
        )
    );
    let back: Vec<TestStage> = serde_json::from_str(&text).expect("the same stages");
    assert_eq!(back, test.stages());
}
