//! Commands in place of a test: how their exits and outputs match a property.

use std::path::Path;
use std::time::Duration;

use lop::oracle::{
    FailureProperty, InterestingnessTest, LimitKind, NoVerdict, PropertyCriterion, PropertyPart,
    StageCommand, StageRole, TestExit, TestOutcome, TestStage, TimeLimits, Verdict,
};

use crate::suite_directory::{PATIENCE, Place, bug};

fn stage(role: StageRole, line: &str) -> TestStage {
    TestStage::new(role, StageCommand::Shell(line.into()))
}

fn property(criteria: &[PropertyCriterion]) -> FailureProperty {
    let part = |criterion: &PropertyCriterion| PropertyPart {
        on: true,
        criterion: criterion.clone(),
    };
    FailureProperty {
        parts: criteria.iter().map(part).collect(),
    }
}

/// A command of which all this is to hold.
fn subject(line: &str, criteria: &[PropertyCriterion]) -> InterestingnessTest {
    InterestingnessTest::from_stages(vec![stage(StageRole::Subject, line)], property(criteria))
        .expect("a property")
}

fn grep(text: &str) -> PropertyCriterion {
    PropertyCriterion::Grep(text.into())
}

fn not_grep(text: &str) -> PropertyCriterion {
    PropertyCriterion::NotGrep(text.into())
}

fn verdict(place: &Place, test: &InterestingnessTest, limits: TimeLimits) -> Verdict {
    match place.run_on(test, bug(), limits) {
        TestOutcome::Verdict(verdict, _) => verdict,
        other => panic!("{test}: {other:?}"),
    }
}

#[test]
fn a_hang_is_no_more_than_one_part() {
    let short = TimeLimits::wall_only(Duration::from_millis(200));
    for place in Place::both() {
        let hang = |criteria: &[PropertyCriterion]| {
            let criteria = [&[PropertyCriterion::Hang], criteria].concat();
            let line = "echo 'error: x'; exec tail -f /dev/null";
            verdict(&place, &subject(line, &criteria), short)
        };
        assert_eq!(hang(&[]), Verdict::Interesting);
        assert_eq!(hang(&[grep("error: x")]), Verdict::Interesting);
        assert_eq!(hang(&[grep("error: y")]), Verdict::Uninteresting);
        assert_eq!(hang(&[not_grep("error")]), Verdict::Uninteresting);
    }
}

#[test]
fn who_is_killed_for_something_else_does_not_hang() {
    let mut place = Place::helped();
    place.care.quotas.disk = Some(1 << 20);
    let test = subject(
        "head -c 8000000 /dev/zero >big; exec tail -f /dev/null",
        &[PropertyCriterion::Hang],
    );
    match place.run_on(&test, bug(), TimeLimits::wall_only(PATIENCE)) {
        TestOutcome::Verdict(verdict, run) => assert_eq!(
            (verdict, run.exit),
            (Verdict::TimedOut, TestExit::Killed(LimitKind::Disk))
        ),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_program_may_end_as_a_shell_does_that_finds_no_tool() {
    let differs = |line: &str| {
        let stages = vec![
            stage(StageRole::Reference, "true {}"),
            stage(StageRole::Differs, line),
        ];
        InterestingnessTest::from_stages(
            stages,
            property(&[PropertyCriterion::Differs, PropertyCriterion::Exit(1)]),
        )
        .expect("a property")
    };
    for place in Place::both() {
        for line in ["exit 127", "echo 'x.c:1: warning: y' >&2; exit 126"] {
            for test in [subject(line, &[PropertyCriterion::Exit(1)]), differs(line)] {
                let said = verdict(&place, &test, TimeLimits::wall_only(PATIENCE));
                assert_eq!(said, Verdict::Uninteresting, "{line}");
            }
        }
        for line in ["no-such-tool {}", "echo x; ./{}"] {
            for test in [subject(line, &[PropertyCriterion::Exit(1)]), differs(line)] {
                let said = place.run_on(&test, bug(), TimeLimits::wall_only(PATIENCE));
                assert!(
                    matches!(said, TestOutcome::NoVerdict(NoVerdict::TestFailed { .. })),
                    "{line}: {said:?}"
                );
            }
        }
    }
}

#[test]
fn much_output_is_looked_through_and_too_much_hides_nothing() {
    for place in Place::both() {
        let said = |line: &str, criteria: &[PropertyCriterion]| {
            verdict(
                &place,
                &subject(line, criteria),
                TimeLimits::wall_only(PATIENCE),
            )
        };
        let much = "yes | head -c 200000; echo middle; yes | head -c 200000";
        assert_eq!(said(much, &[grep("^middle$")]), Verdict::Interesting);
        assert_eq!(
            said(much, &[grep("^y$"), not_grep("middle")]),
            Verdict::Uninteresting
        );
        assert_eq!(
            said(much, &[grep("^y$"), not_grep("other")]),
            Verdict::Interesting
        );
        let more = "yes | head -c 5000000";
        assert_eq!(said(more, &[grep("^y$")]), Verdict::Interesting);
        assert_eq!(
            said(more, &[grep("^y$"), not_grep("other")]),
            Verdict::Uninteresting
        );
        assert_eq!(said(more, &[grep("left out")]), Verdict::Uninteresting);
    }
}

#[test]
fn what_is_no_text_is_found_too() {
    for place in Place::both() {
        let line = r"printf 'error \344\377: in f\n'; exit 1";
        for regex in ["error .*: in f", "error ..: in f", "error [^:]*: in"] {
            let said = verdict(
                &place,
                &subject(line, &[grep(regex)]),
                TimeLimits::wall_only(PATIENCE),
            );
            assert_eq!(said, Verdict::Interesting, "{regex}");
        }
        let umlauts = subject("echo 'größer'", &[grep("gr[öä](ß|s)er"), grep("größer")]);
        assert_eq!(
            verdict(&place, &umlauts, TimeLimits::wall_only(PATIENCE)),
            Verdict::Interesting
        );
    }
}

/// `../errors` is where lop keeps stderr apart.
#[test]
#[ignore = "long"]
fn what_is_put_in_the_place_of_a_file_of_ours_is_not_followed() {
    for place in Place::both() {
        let theirs = place.file_named("theirs");
        std::fs::write(&theirs, "theirs").expect("a file");
        for line in [
            "rm ../errors; mkfifo ../errors".to_owned(),
            "ln -sf /dev/zero ../errors".to_owned(),
            format!("ln -sf '{}' ../errors", theirs.display()),
            "rm ../errors; truncate -s 1T ../errors".to_owned(),
        ] {
            let stages = vec![
                stage(StageRole::Reference, &format!("{line}; echo one")),
                stage(StageRole::Differs, &format!("{line}; echo two")),
            ];
            let test =
                InterestingnessTest::from_stages(stages, property(&[PropertyCriterion::Differs]))
                    .expect("a property");
            let said = verdict(&place, &test, TimeLimits::wall_only(PATIENCE));
            assert_eq!(said, Verdict::Interesting, "{line}");
        }
        assert_eq!(std::fs::read(&theirs).expect("a file"), b"theirs");
        place.assert_clean();
    }
}

#[test]
fn the_candidate_stands_in_any_quotes() {
    for place in Place::both() {
        for name in ["bug.c", "-bug.c", "a b'c$d.c"] {
            for line in ["cat {}", "cat '{}'", "cat \"{}\"", "cat './{}'"] {
                let files = vec![(Path::new(name).into(), b"int bug;\n".as_slice().into())];
                let test = subject(line, &[grep("int bug")]);
                let said = place.run_on(&test, files, TimeLimits::wall_only(PATIENCE));
                assert_eq!(said.verdict(), Some(Verdict::Interesting), "{name}: {line}");
            }
        }
    }
}
