//! `lop race` on the command line and on a terminal.

use rustix::process::Signal;

use crate::compare::{counting, row};
use crate::shell::Stage;
use crate::shell::terminal::Session;

const LINE: [&str; 5] = [
    "race",
    "bug.c",
    "test.sh",
    "--strategies",
    "perses,lop,ddmin",
];
const NAMES: [&str; 3] = ["perses", "lop", "ddmin"];

#[test]
fn without_a_terminal_a_race_prints_the_table_of_compare_and_who_was_smallest() {
    let stage = counting();
    let end = stage.lop(&LINE);
    assert_eq!(end.status, 0, "{end}");
    let rows = NAMES.map(|name| row(&end.out, name));
    let asked: u64 = rows.iter().map(|row| row[2]).sum();
    let ran: u64 = rows.iter().map(|row| row[3]).sum();
    let counted = stage.read("count").lines().count() as u64;
    assert!(ran < asked, "what two ask is tested once: {end}");
    assert_eq!(
        counted,
        ran + 1,
        "the tests, and the one of the original: {end}"
    );
    assert!(end.out.contains(" ended smallest"), "{end}");
    let compared = stage.lop(&[
        "compare",
        "bug.c",
        "test.sh",
        "--strategies",
        "perses,lop,ddmin",
    ]);
    for (name, raced) in NAMES.into_iter().zip(&rows) {
        let alone = row(&compared.out, name);
        assert_eq!(
            alone[..3],
            raced[..3],
            "each as if it were alone: {name}: {end}{compared}"
        );
    }
    let total = row(&compared.out, "perses")[3] + row(&compared.out, "lop")[3];
    let total = total + row(&compared.out, "ddmin")[3];
    assert_eq!(total, ran, "{end}{compared}");
    assert_eq!(
        stage.names(),
        ["bug.c", "count", "test.sh"],
        "no result is written"
    );
}

#[test]
#[ignore = "long"]
fn in_real_time_the_results_are_the_same() {
    let stage = counting();
    let [by_tests, in_real_time] = [&[][..], &["--real-time"]].map(|flag| {
        let end = stage.lop(&[&LINE[..], flag].concat());
        NAMES.map(|name| row(&end.out, name)[..3].to_vec())
    });
    assert_eq!(by_tests, in_real_time);
}

#[test]
fn a_race_needs_two_strategies_and_a_test_that_says_yes() {
    let stage = Stage::new();
    stage.test("no.sh", "exit 1");
    for (line, status, said) in [
        (
            ["bug.c", "test.sh", "perses"],
            2,
            "a race needs two strategies or more",
        ),
        (
            ["bug.c", "test.sh", "perses,best"],
            2,
            "best is not a strategy",
        ),
        (
            ["bug.c", "no.sh", "perses,lop"],
            1,
            "does not find bug.c interesting",
        ),
        (["no.c", "test.sh", "perses,lop"], 2, "there is no file"),
    ] {
        let [file, test, strategies] = line;
        let end = stage.lop(&["race", file, test, "--strategies", strategies]);
        assert_eq!(end.status, status, "{end}");
        assert!(end.err.contains(said), "{said}: {end}");
    }
}

#[test]
fn a_test_that_breaks_ends_its_lane_and_the_table_is_printed() {
    let stage = Stage::new();
    stage.test(
        "breaks.sh",
        "test $(wc -l < bug.c) = 4 || no-such-compiler bug.c",
    );
    let end = stage.lop(&["race", "bug.c", "breaks.sh", "--strategies", "perses,hdd"]);
    assert_eq!(end.status, 3, "{end}");
    assert!(end.err.contains("perses: the test failed"), "{end}");
    assert!(end.out.contains("perses, stopped"), "{end}");
}

#[test]
fn on_a_terminal_a_race_is_stepped_let_go_and_left_with_its_table() {
    let stage = counting();
    let mut lop = Session::start(&stage, &[&LINE[..], &["--step"]].concat());
    lop.wait_for("▮▮ PAUSED");
    lop.wait_for("Can all 3 lines go?");
    lop.send(".");
    lop.wait_for("│ 1 test ");
    lop.send(".");
    lop.wait_for("│ 2 tests ");
    lop.send("t");
    lop.wait_for("in real time   ▮▮ PAUSED");
    lop.send(" ");
    lop.wait_for("✓ all done");
    lop.wait_for("ended smallest");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("no candidate is tested twice"), "{text}");
}

#[test]
fn who_leaves_a_race_early_ends_its_tests() {
    for (signal, status) in [(None, 130), (Some(Signal::TERM), 143)] {
        let stage = Stage::new();
        stage.hanging_test();
        std::fs::create_dir(stage.path("scratch")).expect("a directory");
        let line = ["race", "bug.c", "hang.sh", "--strategies", "perses,hdd"];
        let place = ["--timeout", "0", "--scratch", "scratch", "--real-time"];
        let mut lop = Session::start(&stage, &[&line[..], &place].concat());
        lop.wait_for("12 ▸ 6 tokens");
        match signal {
            None => lop.send("q"),
            Some(signal) => lop.signal(signal),
        }
        let (end, text) = lop.end();
        assert_eq!(end, status, "{text}");
        assert!(text.contains("perses, stopped"), "{text}");
        let left = std::fs::read_dir(stage.path("scratch")).expect("a directory");
        let left: Vec<_> = left.flatten().map(|entry| entry.path()).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn a_comparison_can_be_watched() {
    let stage = counting();
    let line = [
        "compare",
        "bug.c",
        "test.sh",
        "--strategies",
        "perses,ddmin",
    ];
    let mut lop = Session::start(&stage, &[&line[..], &["--screen"]].concat());
    lop.wait_for("✓ all done");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("no candidate is tested twice"), "{text}");
    let end = stage.lop(&[&line[..], &["--screen"]].concat());
    assert!(
        end.status == 0 && end.out.starts_with("from 34 tokens"),
        "without a terminal it is as ever: {end}"
    );
}

#[test]
fn strategies_race_on_the_program_of_a_lesson() {
    let stage = Stage::new();
    let line = ["learn", "hdd", "--race", "ddmin,hdd,perses"];
    let mut lop = Session::start(&stage, &line);
    lop.wait_for("▮▮ PAUSED");
    lop.wait_for("1 ● ddmin");
    lop.wait_for("lop race  ");
    lop.wait_for("has `");
    lop.send("t ");
    lop.wait_for("✓ all done");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 0, "{text}");
    assert!(!text.contains("lop-learn-"), "nothing stays: {text}");
    let told = stage.lop(&[&line[..], &["--plain"]].concat());
    assert_eq!(told.status, 0, "{told}");
    assert!(told.out.starts_with("from 162 tokens"), "{told}");
    assert!(told.out.contains(" ended smallest"), "{told}");
}
