//! `lop compare` and `lop passes` on the command line.

use crate::shell::Stage;
use rustix::process::Signal;

/// A stage whose test writes a line in `count` each time it runs.
pub fn counting() -> Stage {
    let stage = Stage::new();
    stage.write(
        "bug.c",
        "int spare;\nint f(int a) { return a; }\nint main(void) { f(1); bug(2); return 0; }\n",
    );
    let count = stage.path("count");
    stage.test(
        "test.sh",
        &format!("echo >>'{}'\ngrep -q 'bug(' bug.c", count.display()),
    );
    stage
}

/// The numbers of a strategy's row: tokens, bytes, tests, really run, refused.
pub fn row(page: &str, name: &str) -> Vec<u64> {
    let line = page
        .lines()
        .find(|line| line.split_whitespace().nth(1) == Some(name))
        .unwrap_or_else(|| panic!("no {name} in\n{page}"));
    let words = line.split_whitespace().skip(2).take(5);
    words
        .map(|word| word.parse().unwrap_or_else(|_| panic!("{word} in {line}")))
        .collect()
}

#[test]
fn the_names_of_strategies_that_are_compared_are_those_of_a_run() {
    let stage = counting();
    for (name, strategy, minimizer) in [
        ("ddmin", "lines", "ddmin"),
        ("perses+ddmin", "perses", "ddmin"),
        ("perses", "perses", "complements"),
    ] {
        let line = [
            "bug.c",
            "test.sh",
            "--strategy",
            name,
            "--journal",
            "journal",
        ];
        let end = stage.lop(&line);
        assert_eq!(end.status, 0, "{end}");
        let journal = stage.read("journal");
        let header: serde_json::Value =
            serde_json::from_str(journal.lines().next().unwrap_or_default()).expect("a header");
        let named = [&header["strategy"], &header["minimizer"]];
        assert_eq!(named, [strategy, minimizer], "{name}");
    }
    let line = [
        "bug.c",
        "test.sh",
        "--strategy",
        "ddmin",
        "--minimizer",
        "probdd",
    ];
    assert_eq!(stage.lop(&line).status, 0);
    let end = stage.lop(&["bug.c", "test.sh", "--strategy", "lop~gc"]);
    assert!(end.err.contains("invalid value 'lop~gc'"), "{end}");
}

#[test]
fn every_strategy_counts_as_alone_and_nothing_is_tested_twice() {
    let stage = counting();
    let end = stage.lop(&[
        "compare",
        "bug.c",
        "test.sh",
        "--strategies",
        "perses,pardis,perses+complements,ddmin",
    ]);
    assert_eq!(end.status, 0, "{end}");
    let rows = ["perses", "pardis", "perses+complements", "ddmin"].map(|name| row(&end.out, name));
    let (tests, ran) = (2, 3);
    assert_eq!(
        rows[0][tests], rows[0][ran],
        "the first finds nothing known"
    );
    assert_eq!(
        rows[0][..3],
        rows[2][..3],
        "the same strategy under another name counts the same"
    );
    assert_eq!(rows[2][ran], 0, "and runs nothing again: {end}");
    assert!(
        rows[1][ran] < rows[1][tests],
        "the second shares some: {end}"
    );
    let counted = stage.read("count").lines().count() as u64;
    let total: u64 = rows.iter().map(|row| row[ran]).sum();
    assert_eq!(
        counted,
        total + 1,
        "the tests, and the one of the original: {end}"
    );
    assert!(
        end.out.contains(&format!("{total} tests really ran")),
        "{end}"
    );
    assert_eq!(
        stage.names(),
        ["bug.c", "count", "test.sh"],
        "no result is written"
    );
}

#[test]
fn alone_a_strategy_runs_as_many_tests_as_the_table_says() {
    let stage = counting();
    let page = stage.lop(&["compare", "bug.c", "test.sh", "--strategies", "hdd,pardis"]);
    let pardis = row(&page.out, "pardis");
    let end = stage.lop(&["bug.c", "test.sh", "--strategy", "pardis"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(
        end.out.contains(&format!("to {} tokens", pardis[0]))
            && end.out.contains(&format!("{} tests in", pardis[2])),
        "{page}{end}"
    );
}

#[test]
fn the_chart_has_a_curve_for_each_row() {
    let end = counting().lop(&["compare", "bug.c", "test.sh"]);
    assert!(end.out.starts_with("from 34 tokens, 81 bytes\n"), "{end}");
    for name in ["lop", "perses", "pardis", "hdd", "ddmin"] {
        row(&end.out, name);
    }
    let lines: Vec<&str> = end.out.lines().collect();
    let [.., refused, meet] = lines[..] else {
        panic!("no legend: {end}");
    };
    assert!(
        refused.starts_with("refused: ") && meet.starts_with("*: "),
        "{end}"
    );
    let chart = end.out.split("is tested twice.").nth(1).expect("a chart");
    for letter in ['a', 'b', '*'] {
        assert!(chart.contains(letter), "{letter}: {end}");
    }
    assert!(
        chart.contains("34 |") && chart.contains(" tests\n"),
        "{end}"
    );
}

#[test]
fn the_curves_are_data_with_csv() {
    let end = counting().lop(&[
        "compare",
        "bug.c",
        "test.sh",
        "--csv",
        "--strategies",
        "perses,lines",
    ]);
    let mut lines = end.out.lines();
    assert_eq!(lines.next(), Some("strategy,tests,seconds,tokens"));
    let mut last = ("", 0u64, 0.0f64, u32::MAX);
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), 4, "{line}");
        let point = (
            cells[0],
            cells[1].parse().expect("tests"),
            cells[2].parse().expect("seconds"),
            cells[3].parse().expect("tokens"),
        );
        if point.0 == last.0 {
            assert!(
                point.1 >= last.1 && point.2 >= last.2 && point.3 <= last.3,
                "{end}"
            );
        } else {
            assert_eq!((point.1, point.3), (0, 34), "each begins at the original");
        }
        last = point;
    }
    assert_eq!(last.0, "lines");
}

#[test]
fn a_name_that_means_nothing_is_a_fault_of_usage() {
    let end = counting().lop(&["compare", "bug.c", "test.sh", "--strategies", "perses,best"]);
    assert_eq!(end.status, 2, "{end}");
    assert!(
        end.err.contains("best is not a strategy") && end.err.contains("pardis"),
        "{end}"
    );
}

#[test]
fn an_original_that_is_not_interesting_is_compared_by_nobody() {
    let stage = Stage::new();
    stage.test("never.sh", "exit 1");
    let end = stage.lop(&["compare", "bug.c", "never.sh"]);
    assert_eq!(end.status, 1, "{end}");
    assert!(end.err.contains("exit 1"), "{end}");
}

#[test]
fn a_signal_stops_it_and_what_has_ended_is_shown() {
    let stage = Stage::new();
    // Asked about a program without `stay` that has an `int`, which only the second strategy does, the test says so and never answers.
    stage.pipe("here");
    stage.test(
        "hangs.sh",
        &format!(
            "grep -q bug bug.c || exit 1\ngrep -q 'int stay;' bug.c && exit 0\ngrep -q int bug.c || exit 1\necho >'{}'\nexec tail -f /dev/null",
            stage.path("here").display()
        ),
    );
    stage.write("bug.c", "int spare; int stay; int bug;\n");
    let mut run = stage.start(&[
        "compare",
        "bug.c",
        "hangs.sh",
        "--strategies",
        "lines,perses",
    ]);
    stage.read("here");
    run.signal(Signal::TERM);
    let page = run.rest();
    assert_eq!(run.wait(), 143, "{page}");
    assert_eq!(row(&page, "lines")[0], 9, "{page}");
    assert!(!page.contains("perses"), "it has not ended: {page}");
}

#[test]
fn passes_lists_every_name_with_its_description() {
    let stage = Stage::new();
    for page in ["passes", "commands"] {
        let ascii = stage.lop_with(&[page], &[("LC_ALL", "C")]);
        assert!(ascii.status == 0 && ascii.out.is_ascii(), "{ascii}");
    }
    let end = stage.lop_with(&["passes"], &[("LC_ALL", "C.UTF-8")]);
    assert!(end.out.contains("Hodován"), "{end}");
    assert_eq!(end.status, 0, "{end}");
    let strategies = lop::pass::STRATEGIES
        .iter()
        .chain(lop::pass::PAIR_STRATEGIES)
        .map(|strategy| (strategy.name, strategy.description));
    let passes = lop::pass::all_passes()
        .into_iter()
        .map(|kind| (kind.name, kind.description));
    let minimizers = lop::minimize::MINIMIZERS
        .iter()
        .map(|kind| (kind.name, kind.description));
    let filters = lop::pass::all_filters()
        .into_iter()
        .map(|kind| (kind.name, kind.description));
    let features = lop::pass::FEATURES
        .iter()
        .chain(lop::pass::PAIR_FEATURES)
        .map(|(name, _, description)| (*name, *description));
    let all = strategies.chain(passes).chain(filters).chain(features);
    for (name, what) in all.chain(minimizers) {
        assert!(
            end.out
                .lines()
                .any(|line| line.trim_start().starts_with(name) && line.contains(what)),
            "{name}: {end}"
        );
    }
}

/// A pair of programs, of which the variant has a bug.
fn pair_with_bug() -> Stage {
    let stage = Stage::new();
    let program =
        "int spare;\nint f(int a) { return a; }\nint main(void) { f(1); f(3); return 0; }\n";
    stage.write("seed.c", program);
    stage.write("variant.c", &program.replace("f(1);", "bug(2, 3); x++;"));
    stage.test("works.sh", "grep -q main seed.c && ! grep -q bug seed.c");
    stage.test(
        "fails.sh",
        "grep -q main variant.c && grep -q bug variant.c",
    );
    stage
}

const COMPARE_PAIR: [&str; 6] = [
    "compare",
    "pair",
    "seed.c",
    "variant.c",
    "./works.sh",
    "./fails.sh",
];

#[test]
fn strategies_on_a_pair_are_compared_with_its_variant_alone() {
    let stage = pair_with_bug();
    let line = [
        &COMPARE_PAIR[..],
        &["--strategies", "pair,pair~common,isolate-tokens,alone"],
    ]
    .concat();
    let end = stage.lop(&line);
    assert_eq!(end.status, 0, "{end}");
    let cells = |name: &str| -> Vec<String> {
        let mut lines = end.out.lines().map(|line| line.split_whitespace());
        let row = lines
            .find(|words| words.clone().next() == Some(name))
            .expect("a row");
        row.skip(1).take(3).map(str::to_owned).collect()
    };
    assert!(
        end.out
            .starts_with("seed.c and variant.c: 34 and 39 tokens, the difference 9"),
        "{end}"
    );
    assert_eq!(cells("pair"), ["4", "5", "1"], "a block with a call: {end}");
    // What is common stays, and only the difference becomes smaller.
    assert_eq!(cells("pair~common"), ["34", "35", "1"], "{end}");
    assert_eq!(cells("isolate-tokens"), ["34", "35", "1"], "{end}");
    assert_eq!(cells("alone")[0], "-", "{end}");
    assert!(
        stage.names().iter().all(|name| !name.ends_with(".lop")),
        "only the table is written"
    );
}

#[test]
fn the_comparison_of_a_pair_is_also_markdown_and_json() {
    let stage = pair_with_bug();
    let with = |more: &[&str]| {
        stage.lop(&[&COMPARE_PAIR[..], &["--strategies", "pair-once"], more].concat())
    };
    let markdown = with(&["--markdown"]);
    assert!(
        markdown
            .out
            .contains("\n| strategy | seed | variant | difference |"),
        "{markdown}"
    );
    assert!(
        markdown
            .out
            .contains("\n| pair-once | 4 | 5 | 1 | 11.1 % |"),
        "{markdown}"
    );
    let json = with(&["--json"]);
    let object: serde_json::Value = serde_json::from_str(&json.out).expect("one object");
    assert_eq!(object["after"]["difference"], 1, "{json}");
    assert_eq!(object["rounds"], 1, "{json}");
    let unknown = stage.lop(&[&COMPARE_PAIR[..], &["--strategies", "perses"]].concat());
    assert_eq!(unknown.status, 2, "{unknown}");
    assert!(
        unknown.err.contains("perses is not a strategy for pairs"),
        "{unknown}"
    );
    let none = stage.lop(&["compare"]);
    assert_eq!(none.status, 2, "{none}");
}

/// A Boolean program of which each round of `bp` removes something.
const ROUNDS: &str = "decl a, b, c, d;\nvoid main() begin\n  a := T;\n  b := a;\n  c := b;\n  goto l;\n  assume d;\n  l: assert c;\nend\n";

/// A statement holds the one before it.
const ROUNDS_TEST: &str = "has() { grep -q \"$1\" program.bp; }\nhas 'assume d' && has 'assert' || exit 1\nhas 'c :=' && ! has 'b :=' && exit 1\nhas 'b :=' && ! has 'a :=' && exit 1\nexit 0\n";

fn boolean_program() -> Stage {
    let stage = Stage::new();
    stage.write("program.bp", ROUNDS);
    stage.test("test.sh", ROUNDS_TEST);
    stage
}

#[test]
fn the_strategies_for_boolean_programs_are_compared_by_their_names() {
    let stage = boolean_program();
    let names = "bp,bp-smart,bp-smart+plain,lop,perses,hdd";
    let line = ["compare", "program.bp", "test.sh", "--strategies", names];
    let end = stage.lop(&line);
    assert_eq!(end.status, 0, "{end}");
    let rows: Vec<_> = names.split(',').map(|name| row(&end.out, name)).collect();
    assert_eq!(rows[0][0], rows[1][0], "as many tokens are left: {end}");
    assert_eq!(
        rows[0][..3],
        rows[2][..3],
        "the schedule can be named: {end}"
    );
    assert_ne!(
        rows[0][2], rows[1][2],
        "the smart schedule asks otherwise: {end}"
    );
}

#[test]
fn the_schedule_of_a_strategy_holds_when_its_session_is_replayed_and_resumed() {
    for (schedule, recorded) in [(None, false), (Some("plain"), true)] {
        let stage = boolean_program();
        let mut line = vec!["program.bp", "test.sh", "--strategy", "bp-smart"];
        stage.write("stop", "at decision 3: stop\n");
        line.extend(["--session", "kept", "--commands", "stop"]);
        line.extend(schedule.into_iter().flat_map(|name| ["--schedule", name]));
        let end = stage.lop(&line);
        assert_eq!(end.status, 130, "it was stopped: {end}");
        let end = stage.lop(&["resume", "kept", "--trust"]);
        assert_eq!(end.status, 0, "{end}");
        let end = stage.lop(&["replay", "kept", "--check"]);
        assert_eq!(end.status, 0, "{end}");
        let journal = stage.read("kept/journal.jsonl");
        let header = journal.lines().next().expect("a header");
        assert_eq!(
            header.contains("\"schedule\":\"plain\""),
            recorded,
            "{header}"
        );
    }
}

#[test]
fn a_pass_that_is_off_runs_by_an_option_or_a_command_and_again_when_its_session_is_resumed() {
    let left = |more: &[&str]| {
        let stage = Stage::new();
        stage.write(
            "program.bp",
            "decl a, b;\nvoid main() begin a := b; assert a & b; end\n",
        );
        stage.test("test.sh", "grep -q assert program.bp");
        stage.write("stop", "at decision 2: stop\n");
        let line = [
            "program.bp",
            "test.sh",
            "--strategy",
            "bp",
            "--session",
            "kept",
            "--commands",
            "stop",
        ];
        let end = stage.lop(&[&line[..], more].concat());
        assert_eq!(end.status, 130, "it was stopped: {end}");
        let end = stage.lop(&["resume", "kept", "--trust"]);
        assert_eq!(end.status, 0, "{end}");
        assert!(
            !end.err.contains("pass assertion"),
            "nothing is left out: {end}"
        );
        stage.read("program.lop.bp").contains("assert T")
    };
    assert!(!left(&[]));
    assert!(left(&["--with", "assertion"]));
    assert!(left(&["--command", "enable assertion"]));
}
