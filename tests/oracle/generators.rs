//! Tests whose first stage makes the program out of a sequence of choices.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use lop::oracle::{
    InterestingnessTest, JobId, NoVerdict, ProgramMaker, Runner, TestExit, TestFiles, TestJob,
    TestOutcome, TestStage, TimeLimits, Verdict,
};

use crate::suite_directory::{PATIENCE, Place};

/// A generator, and a script that sees what it makes.
fn generated(place: &Place, generator: &str, script: &str) -> InterestingnessTest {
    let stage = TestStage::new_generator(generator.into(), "bug.c".into());
    let script = place.file(&format!("#!/bin/sh\n{script}\n"));
    InterestingnessTest::with_checks(vec![stage], &script).expect("a test")
}

fn sequence(listing: &str) -> TestFiles {
    vec![(PathBuf::from("c.bin"), listing.as_bytes().into())]
}

/// The verdict on the letters `ab\n`, and what all stages printed.
fn ask(
    place: &Place,
    generator: &str,
    script: &str,
    wall: Duration,
) -> (Verdict, TestExit, String) {
    let test = generated(place, generator, script);
    let limits = TimeLimits::wall_only(wall);
    match place.run_on(&test, sequence("97 98 10\n"), limits) {
        TestOutcome::Verdict(verdict, run) => (verdict, run.exit, run.output.to_text()),
        other => panic!("{generator}: {other:?}"),
    }
}

#[test]
fn the_generator_sees_bytes_and_the_test_sees_a_program() {
    for (level, place) in Place::levels() {
        let generator = "ls >&2; tr ab xy <{}";
        let script = r#"ls; [ "$(ls)$(cat bug.c)" = bug.cxy ] && [ "$1" = "$PWD/bug.c" ]"#;
        let (verdict, _, printed) = ask(&place, generator, script, PATIENCE);
        assert_eq!(verdict, Verdict::Interesting, "{level}: {printed}");
        let all = "[lop: ls >&2; tr ab xy <{}: exit 0]\nc.bin\n[lop: bug.c, 3 bytes]\nxy\n[lop: the test]\nbug.c\n";
        assert_eq!(printed, all, "{level}");
    }
}

#[test]
fn a_generator_that_makes_no_program_ends_the_test() {
    for place in Place::both() {
        let of = |generator: &str, wall| {
            let (verdict, exit, printed) = ask(&place, generator, "echo tested", wall);
            assert!(!printed.contains("tested"), "{generator}: {printed}");
            (verdict, exit)
        };
        for (generator, code) in [("cat {}; exit 125", 125), ("cat {}; exit 3", 3)] {
            let ended = (Verdict::Invalid, TestExit::Code(code));
            assert_eq!(of(generator, PATIENCE), ended);
        }
        let killed = (Verdict::Invalid, TestExit::Signal(9));
        assert_eq!(of("cat {}; kill -9 $$", PATIENCE), killed);
        let (verdict, exit) = of("exec tail -f /dev/null", Duration::from_millis(200));
        assert_eq!(verdict, Verdict::TimedOut);
        assert!(exit.exceeded_limit().is_some());
        let long = "head -c 100000000 /dev/zero";
        assert_eq!(of(long, PATIENCE).0, Verdict::Invalid);
        // Who replaces the file of the program makes none.
        let link = "rm -f ../program; ln -s /etc/passwd ../program";
        assert_eq!(of(link, PATIENCE).0, Verdict::Invalid);
    }
}

#[test]
fn a_missing_generator_is_no_verdict() {
    for place in Place::both() {
        let test = generated(&place, "./missing {}", "exit 0");
        let outcome = place.run_on(&test, sequence("0\n"), TimeLimits::wall_only(PATIENCE));
        let TestOutcome::NoVerdict(NoVerdict::TestFailed { run }) = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!(run.exit, TestExit::Code(127));
    }
}

#[test]
fn what_is_no_sequence_is_invalid_without_a_process() {
    for place in Place::both() {
        let test = generated(&place, "cat {}", "exit 0");
        for listing in ["256\n", "x\n", "1 -1\n"] {
            let outcome = place.run_on(&test, sequence(listing), TimeLimits::wall_only(PATIENCE));
            assert_eq!(outcome.verdict(), Some(Verdict::Invalid), "{listing}");
        }
        let outcome = place.run_on(&test, sequence(""), TimeLimits::wall_only(PATIENCE));
        assert_eq!(
            outcome.verdict(),
            Some(Verdict::Interesting),
            "no choice is a sequence"
        );
    }
}

/// How often the test has run on the programs of these sequences.
fn tested_times(place: &Place, listings: &[&str], fresh: bool) -> usize {
    let seen = place.file_named("seen");
    let script = format!("echo x >>'{}'; grep -q a bug.c", seen.display());
    // A program is the first byte.
    let test = generated(place, "head -c 1 {}", &script);
    let mut runner = place.runner(&test, 1);
    for (id, listing) in (0..).zip(listings) {
        runner.submit(TestJob {
            id: JobId(id),
            files: sequence(listing),
            limits: TimeLimits::wall_only(PATIENCE),
            alone: false,
            fresh,
        });
        let result = runner
            .result_receiver()
            .recv_timeout(PATIENCE)
            .expect("an answer");
        let interesting = listing.starts_with("97");
        let verdict = result.outcome.verdict();
        assert_eq!(
            verdict == Some(Verdict::Interesting),
            interesting,
            "{listing}"
        );
    }
    fs::read_to_string(seen).expect("a count").lines().count()
}

#[test]
fn sequences_that_make_one_program_cost_one_test() {
    let listings = ["97 1\n", "97 2\n", "98 1\n", "97\n", "98\n"];
    for place in Place::both() {
        assert_eq!(tested_times(&place, &listings, false), 2);
        assert_eq!(tested_times(&place, &listings, true), 5);
    }
}

#[test]
fn the_program_of_a_sequence_can_be_had_again() {
    for place in Place::both() {
        let test = generated(&place, "tr a x <{}; grep -q b {}", "exit 0");
        let limits = TimeLimits::wall_only(PATIENCE);
        let at = (&place.scratch, &place.care);
        let maker = ProgramMaker::from_test(&test, "c.bin".as_ref(), at, limits);
        let maker = maker.expect("a generator");
        let made = maker.make_program(b"97 98\n").expect("a program");
        assert_eq!(*made, *b"xb");
        let refused = maker.make_program(b"97\n").expect_err("none").to_string();
        assert!(
            refused.ends_with("makes no program of it: exit 1"),
            "{refused}"
        );
    }
}
