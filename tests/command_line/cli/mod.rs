//! The command line: the real binary, real tests, its output and its files.

mod early_ends;
mod json_lines;
mod output;

use std::fs;

use crate::shell::{PROGRAM, Stage};

#[test]
fn a_file_of_no_known_language_is_reduced_too() {
    let stage = Stage::new();
    stage.write("notes.txt", "one line\nanother with a bug in it\na third\n");
    stage.test("t.sh", "grep -q bug notes.txt");
    let end = stage.lop(&["notes.txt", "t.sh"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("as lines and tokens"), "{end}");
    assert_eq!(stage.read("notes.lop.txt").trim(), "bug");
}

#[test]
fn the_version_is_told() {
    let stage = Stage::new();
    let version = concat!("lop ", env!("CARGO_PKG_VERSION"), "\n");
    for word in ["--version", "-V"] {
        let end = stage.lop(&[word]);
        assert_eq!((end.status, &*end.out), (0, version), "{word}: {end}");
    }
}

#[test]
fn the_language_can_be_chosen() {
    let stage = Stage::new();
    stage.write("bug.x", PROGRAM);
    stage.test("t.sh", "grep -q bug bug.x");
    let as_c = stage.lop(&["bug.x", "t.sh", "--language", "c"]);
    assert!(as_c.out.contains("12 tokens, 33 bytes, as c"), "{as_c}");
    let as_text = stage.lop(&["bug.c", "test.sh", "--language", "text"]);
    assert!(as_text.out.contains("as lines and tokens"), "{as_text}");
    assert_eq!(stage.read("bug.lop.c").trim(), "bug");
}

#[test]
fn places_that_do_not_parse_are_counted() {
    let stage = Stage::new();
    stage.write("bug.c", "int bug;\nint f( { ] ; int\n");
    let end = stage.lop(&["bug.c", "test.sh"]);
    let said = "1 place that does not parse and is reduced as a list";
    let more = "places that do not parse and are reduced as lists";
    assert!(end.out.contains(said) || end.out.contains(more), "{end}");
    stage.write("bug.c", PROGRAM);
    let end = stage.lop(&["bug.c", "test.sh"]);
    assert!(!end.out.contains("parse"), "{end}");
    stage.write("bug.txt", PROGRAM);
    stage.test("any.sh", "grep -q bug \"$1\"");
    let end = stage.lop(&["bug.txt", "any.sh"]);
    assert!(end.out.contains("as lines and tokens"), "{end}");
}

#[test]
fn both_list_minimisers_can_be_had() {
    for name in ["complements", "ddmin"] {
        let stage = Stage::new();
        let end = stage.lop(&["bug.c", "test.sh", "--minimizer", name]);
        assert_eq!(end.status, 0, "{end}");
        assert!(stage.passes("bug.lop.c"));
    }
}

#[test]
fn any_number_of_workers_gives_the_same_result() {
    let results = ["1", "2", "7"].map(|jobs| {
        let stage = Stage::new();
        let end = stage.lop(&["bug.c", "test.sh", "--jobs", jobs]);
        assert_eq!(end.status, 0, "{end}");
        stage.read("bug.lop.c")
    });
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
}

#[test]
fn a_journal_can_be_replayed_and_a_changed_one_is_found_out() {
    let stage = Stage::new();
    let end = stage.lop(&["bug.c", "test.sh", "--journal", "j"]);
    assert_eq!(end.status, 0, "{end}");
    let end = stage.lop(&["replay", "--check", "j"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("decisions, to its end"), "{end}");
    let journal = stage.read("j");
    let documented = include_str!("../../../docs/JOURNAL.md");
    for line in journal.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect(line);
        for field in line.as_object().expect("an object").keys() {
            assert!(documented.contains(&format!("\"{field}\":")), "{field}");
        }
    }
    let end = stage.lop(&["bug.c", "test.sh", "--journal", "j"]);
    assert_eq!(end.status, 0, "an old journal is replaced: {end}");
    let changed = journal.replacen(
        "\"verdict\":\"uninteresting\"",
        "\"verdict\":\"interesting\"",
        1,
    );
    assert_ne!(journal, changed);
    stage.write("j", &changed);
    let end = stage.lop(&["replay", "--check", "j"]);
    assert_eq!(end.status, 1, "{end}");
    assert!(end.err.contains("the journal is damaged"), "{end}");
    assert!(end.err.contains("`lop replay j` shows"), "{end}");
    stage.write("j", "no journal at all\n");
    let end = stage.lop(&["replay", "--check", "j"]);
    assert_eq!(end.status, 2, "{end}");
    assert!(end.err.contains("no journal of lop"), "{end}");
}

#[test]
fn json_lines_parse_and_end_with_the_totals() {
    let stage = Stage::new();
    let end = stage.lop(&["bug.c", "test.sh", "--json"]);
    assert_eq!(end.status, 0, "{end}");
    let lines: Vec<serde_json::Value> = end
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    let kinds: Vec<&str> = lines
        .iter()
        .map(|line| line["event"].as_str().expect("a kind"))
        .collect();
    assert_eq!(kinds[..3], ["begin", "started", "pass"]);
    let totals = &lines[lines.len() - 1];
    assert_eq!(totals["event"], "totals");
    assert_eq!(totals["finish"], "complete");
    assert_eq!(totals["tokens_before"], 12);
    assert_eq!(totals["bytes_after"], stage.read("bug.lop.c").len());
    assert!(
        totals["own_cpu_s"].as_f64().is_some_and(|time| time > 0.0),
        "{totals}"
    );
    let decided = |what: &str| {
        kinds
            .iter()
            .zip(&lines)
            .filter(|(kind, line)| {
                **kind == "decided" && line["ending"] == what && line["cached"] == false
            })
            .count()
    };
    assert_eq!(totals["interesting"], decided("interesting"));
    assert_eq!(totals["boring"], decided("boring"));
    let documented = include_str!("../../../docs/JSON.md");
    for line in &lines {
        for field in line.as_object().expect("an object").keys() {
            assert!(
                documented.contains(&format!("`{field}`")),
                "docs/JSON.md does not tell of {field}"
            );
        }
    }
}

#[test]
fn the_first_json_line_tells_what_is_looked_for() {
    let stage = Stage::new();
    let begin = |line: &[&str]| {
        let end = stage.lop(line);
        let first = end.out.lines().next().unwrap_or_default();
        serde_json::from_str::<serde_json::Value>(first).expect("a line")
    };
    let line = ["bug.c", "--json", "--grep", "bug", "--", "cat", "{}"];
    assert_eq!(begin(&line)["property"], "/bug/");
    let script = begin(&["bug.c", "test.sh", "--json"]);
    assert_eq!(script["property"], serde_json::Value::Null);
}

#[test]
#[ignore = "long"]
fn the_demo_shows_how_it_goes() {
    let stage = Stage::new();
    let end = stage.lop(&["demo"]);
    assert_eq!(end.status, 0, "{end}");
    for said in [
        "the demo is in /",
        "stands for a bug",
        "nothing is left to try",
        "switch",
        concat!("    ", env!("CARGO_BIN_EXE_lop"), " replay /"),
        "stay in /",
        "    rm -r /",
    ] {
        assert!(end.out.contains(said), "{said}: {end}");
    }
    let directory = end
        .out
        .split("the demo is in ")
        .nth(1)
        .and_then(|rest| rest.split(':').next())
        .expect("a path");
    fs::remove_dir_all(directory).expect("tidy");
}

#[test]
fn grammars_can_be_looked_at() {
    let stage = Stage::new();
    let end = stage.lop(&["grammar", "c", "if_statement"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("if_statement ::= \"if\""), "{end}");
    let end = stage.lop(&["grammar", "klingon"]);
    assert_eq!(end.status, 2, "{end}");
    assert!(end.err.contains("lop knows no language `klingon`"), "{end}");
}

#[test]
fn a_pass_that_is_not_there_is_told_before_the_run() {
    let stage = Stage::new();
    let end = stage.lop(&[
        "bug.c",
        "./test.sh",
        "--plain",
        "--command",
        "disable boodies",
    ]);
    assert_eq!(end.status, 2, "{end}");
    assert!(
        end.err
            .contains("there is no pass `boodies`; near it: bodies"),
        "{end}"
    );
}
