//! Reductions with the checkers of other languages, as their users run them. A checker that is not installed is skipped, with a notice.

use std::process::{Command, Stdio};

use crate::shell::{End, Stage};

/// Whether a program is there and runs.
fn has(program: &str, line: &[&str]) -> bool {
    let mut command = Command::new(program);
    command
        .args(line)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let there = command.status().is_ok_and(|status| status.success());
    if !there {
        println!("SKIPPED: no {program}");
    }
    there
}

/// The numbers in lop's last lines: tokens before, tokens after, tests.
fn figures(end: &End) -> [u32; 3] {
    let number = |line: &str, word: usize| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words[word]
            .replace(',', "")
            .parse::<u32>()
            .expect("a number")
    };
    let said = |begins: &str, has: &str| {
        let lines = end.err.lines().chain(end.out.lines());
        let line = lines.filter_map(|line| line.strip_prefix("lop: "));
        let mut line = line.filter(|line| line.starts_with(begins) && line.contains(has));
        line.next_back().unwrap_or_else(|| panic!("{has}: {end}"))
    };
    let tokens = said("from ", " tokens to ");
    [
        number(tokens, 1),
        number(tokens, 4),
        number(said("", " tests in "), 0),
    ]
}

/// Go refuses imports and variables that nothing uses: a deletion must include them, or nothing ever compiles.
#[test]
fn a_go_program_shrinks_to_what_vet_complains_of() {
    if !has("go", &["version"]) {
        return;
    }
    const COMPLAINT: &str = "passes lock by value";
    let stage = Stage::new();
    stage.write("bug.go", include_str!("../samples/stock.go"));
    stage.test(
        "vet.sh",
        &format!("go vet bug.go 2>&1 | grep -q '{COMPLAINT}'"),
    );
    let end = stage.lop(&["bug.go", "./vet.sh", "--plain", "--no-session"]);
    assert_eq!(end.status, 0, "{end}");
    let [before, after, tests] = figures(&end);
    println!("stock.go: from {before} tokens to {after} in {tests} tests");
    let left = stage.read("bug.lop.go");
    assert!(after < 40, "{after} tokens:\n{left}\n{end}");
    assert!(tests < 300, "{tests} tests: {end}");
    assert!(
        left.contains("sync.Mutex") && !left.contains("fmt"),
        "{left}"
    );
    let vet = stage.program("go", &["vet", "bug.lop.go"]).output();
    let vet = String::from_utf8_lossy(&vet.expect("go").stderr).into_owned();
    assert!(vet.contains(COMPLAINT), "{vet}\n{left}");
    let fmt = stage.program("gofmt", &["-e", "bug.lop.go"]).output();
    assert!(fmt.expect("gofmt").status.success(), "{left}");
}

#[test]
fn a_json_file_shrinks_to_what_jq_stumbles_over() {
    if !has("jq", &["--version"]) {
        return;
    }
    let user = |number: u32, roles: &str| {
        format!(
            "    {{\"name\": \"user {number}\", \"roles\": {roles}, \"limits\": {{\"disk\": {number}.5e3, \"on\": true}}}}"
        )
    };
    let users: Vec<String> = (0..20)
        .map(|number| {
            user(
                number,
                if number == 13 {
                    "null"
                } else {
                    "[\"read\", \"write\"]"
                },
            )
        })
        .collect();
    let program = format!(
        "{{\n  \"version\": 3,\n  \"users\": [\n{}\n  ],\n  \"tags\": [[], [1, [2, \"x\\u0041\"]]]\n}}\n",
        users.join(",\n")
    );
    let stage = Stage::new();
    stage.write("bug.json", &program);
    stage.test(
        "roles.sh",
        "jq '.users[] | .roles | keys' bug.json 2>&1 | grep -q 'null (null) has no keys'",
    );
    let end = stage.lop(&["bug.json", "./roles.sh", "--plain", "--no-session"]);
    assert_eq!(end.status, 0, "{end}");
    let [before, after, tests] = figures(&end);
    println!("users: from {before} tokens to {after} in {tests} tests");
    let left = stage.read("bug.lop.json");
    let words: String = left.split_whitespace().collect();
    assert_eq!(words, "{\"users\":[null]}", "{end}");
    assert!(tests < 100, "{tests} tests: {end}");
}
