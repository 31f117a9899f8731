//! The fields of the lines that `--json` writes: docs/JSON.md promises that none goes within a format.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::shell::{Stage, with_effort};

/// A kind of line, the fields that it always has, and those that it has where there is something to say.
type LineSchema = (&'static str, &'static str, &'static str);

/// Format 1. A new field is added here and in docs/JSON.md. Whoever takes one out needs a new format.
const SCHEMA: &[LineSchema] = &[
    (
        "begin",
        "bytes containment event faults file first_test_s format language limit_s notes output property scratch scratch_why test tokens version",
        "generator pair program seed",
    ),
    ("started", "bytes event size t tokens", "pair"),
    ("pass", "event pass round t", "scope"),
    (
        "decided",
        "cached decision detail ending event exit pass question saved short t test_s why",
        "",
    ),
    (
        "taken",
        "bytes decision event size t tokens version",
        "pair",
    ),
    ("command", "before command event t", "problem says"),
    ("moved", "bytes event size t tokens version", ""),
    ("paused", "before event reason t", ""),
    ("note", "event t text", ""),
    ("error", "event format message status", ""),
    (
        "totals",
        "boring bytes_after bytes_before cached changed confirm decisions event finish holds interesting invalid left_out message minimal others output own_cpu_s refused repeated respaced started status taken tests time_s timed_out tokens_after tokens_before unused",
        "files_after files_before pair program tests_by_document",
    ),
];

/// A program in which a pass has several rounds.
const SUMS: &str = "int a; int b; int c; int d;
int f(int x) { if (x) { a = b; } else { c = d; } return x; }
int g(int y) { for (int i = 0; i < y; i++) { a += f(i) * 2; } return a; }
int main(void) { int bug = g(1) + f(2); return bug; }
";

/// The fields of each kind that these lines have: those of all lines of the kind, and those of some.
fn fields_by_kind(lines: &str) -> BTreeMap<String, [BTreeSet<String>; 2]> {
    let mut kinds: BTreeMap<String, [BTreeSet<String>; 2]> = BTreeMap::new();
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect(line);
        let fields = line.as_object().expect("an object").keys().cloned();
        let fields: BTreeSet<String> = fields.collect();
        let kind = line["event"].as_str().expect("a kind").to_owned();
        let [always, ever] = kinds
            .entry(kind)
            .or_insert_with(|| [fields.clone(), BTreeSet::new()]);
        always.retain(|field| fields.contains(field));
        ever.extend(fields);
    }
    kinds
}

/// What runs of all sorts write.
fn lines_of_all_sorts() -> String {
    let stage = Stage::new();
    fs::create_dir(stage.path("src")).expect("a directory");
    stage.write("src/a.c", "int bug;\n");
    stage.write("seed.c", "int f(int x) { return x; }\n");
    stage.write("variant.c", "int f(int x) { return x + bug; }\n");
    stage.test("a.sh", "grep -q bug a.c");
    stage.test("good.sh", "! grep -q bug seed.c");
    stage.test("bad.sh", "grep -q bug variant.c");
    stage.test(
        "odd.sh",
        "test $(wc -c <\"$1\") -gt 0 || exit 125; cat \"$1\"",
    );
    stage.write("sums.c", SUMS);
    stage.test(
        "sums.sh",
        "grep -q bug sums.c && grep -q 'f(i)' sums.c && grep -q 'int a' sums.c",
    );
    stage.test("fails.sh", "test $(wc -c <bug.c) -gt 30 || exit 127");
    stage.write("choices", "a bug");
    stage.test("bytes.sh", "grep -q b out.txt");
    stage.write(
        "undo.txt",
        "jobs 2\nat commit 1: undo\nat commit 1: goto 99\n",
    );
    let runs: &[&[&str]] = &[
        &["bug.c", "test.sh", "--commands", "undo.txt"],
        &[
            "sums.c",
            "sums.sh",
            "--schedule",
            "smart",
            "--strategy",
            "perses",
        ],
        &["bug.c", "test.sh", "--command", "until size 9"],
        &["bug.c", "fails.sh"],
        &["src", "a.sh"],
        &["pair", "seed.c", "variant.c", "good.sh", "bad.sh"],
        &[
            "choices",
            "bytes.sh",
            "--generator",
            "./odd.sh {}",
            "--as",
            "out.txt",
        ],
        &["bug.c", "a.sh"],
    ];
    let ends = runs
        .iter()
        .map(|line| stage.lop(&with_effort(&[*line, &["--json"]].concat())).out);
    ends.collect()
}

#[test]
#[ignore = "long"]
fn the_fields_of_json_lines_are_those_of_their_format() {
    let kinds = fields_by_kind(&lines_of_all_sorts());
    for (kind, fields) in &kinds {
        let row = SCHEMA.iter().find(|(name, ..)| name == kind);
        let (_, always, sometimes) = row.unwrap_or_else(|| panic!("{kind} is a new kind of line"));
        let words = |text: &str| -> BTreeSet<String> {
            text.split_whitespace().map(str::to_owned).collect()
        };
        let (always, sometimes) = (words(always), words(sometimes));
        let [seen_always, seen] = fields;
        assert!(seen_always.is_superset(&always), "{kind}: {seen_always:?}");
        let known: BTreeSet<String> = always.union(&sometimes).cloned().collect();
        assert_eq!(seen, &known, "{kind}");
    }
    let seen: Vec<&str> = kinds.keys().map(String::as_str).collect();
    for (kind, ..) in SCHEMA {
        assert!(seen.contains(kind), "no run has a line `{kind}`: {seen:?}");
    }
    let documented = include_str!("../../../docs/JSON.md");
    let fields = kinds.values().flat_map(|[_, ever]| ever);
    for field in fields {
        assert!(documented.contains(&format!("`{field}`")), "{field}");
    }
}
