//! Sessions on the command line.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::page::{page_scripts, run_page};
use crate::shell::Stage;
use rustix::process::Signal;

/// A run that hangs after it has accepted something, stopped by a signal.
fn stopped(stage: &Stage) {
    let mut lop = stage.hanging_run();
    lop.signal(Signal::INT);
    lop.rest();
    assert_eq!(lop.wait(), 130);
}

#[test]
fn a_run_that_was_stopped_is_listed_told_of_and_gone_on_with() {
    let stage = Stage::new();
    stopped(&stage);
    let end = stage.lop(&["sessions"]);
    assert!(
        end.out.starts_with("bug.c-1 ") && end.out.contains("stopped"),
        "{end}"
    );
    // The test has been mended.
    stage.test("hang.sh", crate::shell::FINDS_BUG);
    let end = stage.lop(&["bug.c", "hang.sh", "--output", "other.c"]);
    assert!(end.err.contains("`lop resume bug.c-1` resumes it"), "{end}");
    assert_eq!(end.status, 0, "{end}");
    let end = stage.lop(&["resume"]);
    assert_eq!(end.status, 0, "{end}");
    let first = end.out.lines().next().unwrap_or_default();
    assert!(first.contains("the test has changed"), "{end}");
    assert!(first.ends_with("so far are kept: 1 version"), "{end}");
    assert_eq!(stage.read("bug.lop.c"), stage.read("other.c"));
    let end = stage.lop(&["resume", "bug.c-1"]);
    assert!(end.status == 1 && end.err.contains("is finished"), "{end}");
    let end = stage.lop(&["sessions", "prune"]);
    assert!(end.status == 2 && end.err.contains("add --yes"), "{end}");
    let shown = |name: &str| end.out.lines().any(|line| line.starts_with(name));
    assert!(shown("bug.c-1 ") && shown("bug.c-2 "), "{end}");
    let end = stage.lop(&["sessions", "prune", "--yes"]);
    assert!(end.out.contains("2 sessions removed"), "{end}");
    assert_eq!(stage.lop(&["sessions"]).out, "no sessions\n");
    for (line, said) in [
        (&["sessions", "prune"][..], "--all removes the others too\n"),
        (&["sessions", "prune", "--all"], "no session matches\n"),
    ] {
        let end = stage.lop(line);
        assert!(end.out.ends_with(said), "{end}");
    }
}

#[test]
fn a_session_in_a_directory_here_is_gone_on_with_without_its_name() {
    let stage = Stage::new();
    stage.write("stop", "at commit 1: stop\n");
    let line = [
        "bug.c",
        "test.sh",
        "--session",
        "mine",
        "--commands",
        "stop",
    ];
    let end = stage.lop(&line);
    assert_eq!(end.status, 130, "{end}");
    let end = stage.lop(&["history"]);
    assert!(end.out.contains("bug.c"), "{end}");
    let end = stage.lop(&["resume", "--trust"]);
    assert_eq!(end.status, 0, "{end}");
    let end = stage.lop(&["resume", "--trust"]);
    assert!(
        end.status == 1 && end.err.contains("mine is finished"),
        "{end}"
    );
}

#[test]
fn the_progress_lines_of_a_resumed_run_count_the_tests_before_it() {
    let stage = Stage::new();
    stage.write("script", "at decision 4: stop\n");
    let end = stage.lop(&["bug.c", "test.sh", "--plain", "--commands", "script"]);
    assert_eq!(end.status, 130, "{end}");
    assert!(end.out.contains("lop: 3 tests in "), "{end}");
    let end = stage.lop(&["resume", "--plain"]);
    let (_, rest) = end
        .out
        .split_once("continues after decision 3")
        .expect("it says so");
    let progress = |line: &&str| !line.starts_with("lop:") && line.contains(" tokens ");
    let mut lines = rest.lines().filter(progress);
    let first = lines.next().expect("a line");
    assert!(first.contains("  3 tests  "), "{end}");
    let (last, total) = (lines.next_back().expect("a line"), "lop: 5 tests in ");
    assert!(
        last.contains("  5 tests  ") && end.out.contains(total),
        "{end}"
    );
}

#[test]
fn a_resumed_run_has_as_many_tests_at_a_time_as_the_run_had() {
    let stage = Stage::new();
    let variables = (0..40).map(|number| format!("int v{number};\n"));
    stage.write("many.c", &variables.collect::<String>());
    stage.test(
        "three.sh",
        "grep -q v7 many.c && grep -q v17 many.c && grep -q v27 many.c",
    );
    stage.write("script", "at decision 4: stop\n");
    let line = ["many.c", "three.sh", "--plain", "--jobs", "1"];
    let end = stage.lop(&[&line[..], &["--commands", "script"]].concat());
    assert_eq!(end.status, 130, "{end}");
    // Two at a time start 10 to 15 tests of which nobody needs the result.
    let end = stage.lop(&["resume", "--plain"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains(" 0 tests started speculatively"), "{end}");
}

#[test]
fn a_session_that_says_it_is_done_and_is_not_can_be_gone_on_with() {
    let stage = Stage::new();
    assert_eq!(stage.lop(&["bug.c", "test.sh"]).status, 0);
    let result = stage.read("bug.lop.c");
    // A power failure kept `done`, and took the end of the journal.
    let journal = stage.sessions().join("bug.c-1/journal.jsonl");
    let text = fs::read_to_string(&journal).expect("a journal");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    fs::write(&journal, lines[..lines.len() / 2].concat()).expect("a journal");
    let end = stage.lop(&["sessions"]);
    assert!(
        end.out.contains("cut off") && end.out.contains("`lop resume NAME`"),
        "{end}"
    );
    let end = stage.lop(&["resume"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("bug.lop.c"), result);
    assert!(stage.lop(&["sessions"]).out.contains("finished"));
}

#[test]
fn the_schedule_of_a_run_comes_back() {
    let stage = Stage::new();
    stage.write(
        "bug.c",
        "int f() {\n  int a = 1;\n  int b = 2;\n  use(a);\n  keep(a);\n  keep(b);\n}\n",
    );
    // The declaration of `a` goes only after its use.
    stage.test(
        "held.sh",
        "grep -q 'keep(a);' bug.c && grep -q 'keep(b);' bug.c && grep -q 'int b = 2;' bug.c && grep -q 'f()' bug.c || exit 1\n\
         grep -q 'int a = 1;' bug.c || ! grep -q 'use(a)' bug.c",
    );
    let line = [
        "bug.c",
        "held.sh",
        "--strategy",
        "pardis",
        "--schedule",
        "smart",
        "--plain",
    ];
    let end = stage.lop(&line);
    assert_eq!(end.status, 0, "{end}");
    let asked = |journal: &str| -> Vec<String> {
        let decisions = journal
            .lines()
            .filter(|line| line.starts_with("{\"decision\""));
        let hash = |line: &str| {
            line.split("\"hash\":")
                .nth(1)
                .map(|rest| rest[..34].to_owned())
        };
        decisions.filter_map(hash).collect()
    };
    let path = stage.sessions().join("bug.c-1/journal.jsonl");
    let journal = fs::read_to_string(&path).expect("a journal");
    let header = journal.lines().next().unwrap_or_default();
    assert!(header.contains("\"schedule\":\"smart\""), "{header}");
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    fs::write(&path, lines[..lines.len() / 3].concat()).expect("a journal");
    let end = stage.lop(&["resume"]);
    assert_eq!(end.status, 0, "{end}");
    let resumed = fs::read_to_string(&path).expect("a journal");
    assert_eq!(asked(&resumed), asked(&journal));
    assert_eq!(asked(&journal).len(), 23, "{journal}");
}

#[test]
fn versions_can_be_listed_shown_and_compared() {
    let stage = Stage::new();
    assert_eq!(stage.lop(&["bug.c", "test.sh"]).status, 0);
    let end = stage.lop(&["history"]);
    assert!(
        end.out.contains("the original") && end.out.contains("<- kept"),
        "{end}"
    );
    assert!(end.out.contains("complete: 1-tree-minimal"), "{end}");
    assert_eq!(stage.lop(&["show", "0"]).out, stage.read("bug.c"));
    let lines = end.out.lines().find(|line| line.contains("<- kept"));
    let kept = lines.and_then(|line| line.split_whitespace().next());
    let kept = kept.expect("a version");
    assert_eq!(stage.lop(&["show", kept]).out, stage.read("bug.lop.c"));
    let end = stage.lop(&["diff", "0", kept]);
    assert!(end.status == 1 && end.out.contains("\n-int a;\n"), "{end}");
    assert_eq!(stage.lop(&["diff", "0", "0"]).status, 0);
    let end = stage.lop(&["show", "99", "bug.c-1"]);
    assert!(
        end.status == 2 && end.err.contains("there is no version 99"),
        "{end}"
    );
    let end = stage.lop(&["history", "nothing"]);
    assert!(
        end.status == 2 && end.err.contains("there is no session"),
        "{end}"
    );
    let end = stage.lop(&["history", "bug.c"]);
    let near = "there is no session `bug.c`; `bug.c-1` is the only one about it";
    assert!(end.status == 2 && end.err.contains(near), "{end}");
}

#[test]
fn a_session_that_runs_names_its_process_and_one_that_was_killed_does_not() {
    let stage = Stage::new();
    let mut run = stage.hanging_run();
    let runs = format!("running, process {}", run.process());
    let listed = stage.lop(&["sessions"]);
    assert!(listed.out.contains(&format!("  {runs} ")), "{listed}");
    let told = stage.lop(&["history"]);
    assert!(told.out.ends_with(&format!("\n{runs}\n")), "{told}");
    run.kill();
    let listed = stage.lop(&["sessions"]);
    assert!(listed.out.contains("  cut off "), "{listed}");
    let told = stage.lop(&["history"]);
    assert!(told.out.ends_with("\ncut off\n"), "{told}");
}

#[test]
fn without_a_name_the_newest_session_about_a_file_here_is_meant_else_the_newest_of_all() {
    let stage = Stage::new();
    assert_eq!(stage.lop(&["bug.c", "test.sh"]).status, 0);
    fs::create_dir(stage.path("there")).expect("a directory");
    stage.write("there/other.c", "int bug;\nint more;\n");
    stage.test("there/other.sh", "grep -q bug other.c");
    let end = stage.lop(&["there/other.c", "there/other.sh"]);
    assert_eq!(end.status, 0, "{end}");
    let end = stage.lop(&["history"]);
    assert!(end.out.starts_with("session bug.c-1:"), "{end}");
    assert_eq!(end.err, "");
    for line in [
        &["show", "0"][..],
        &["diff", "0", "1"],
        &["replay", "--check"],
        &["replay", "--plain"],
        &["export", "--jsonl"],
    ] {
        let end = stage.lop(line);
        assert!(
            end.err.contains("session bug.c-1, about "),
            "{line:?}: {end}"
        );
        assert_eq!(end.err.lines().count(), 1, "{line:?}: {end}");
    }
    assert_eq!(stage.lop(&["show", "0", "bug.c-1"]).err, "");
    assert_eq!(stage.lop(&["show", "0"]).out, stage.read("bug.c"));
    fs::create_dir(stage.path("empty")).expect("a directory");
    let lop = stage.program(env!("CARGO_BIN_EXE_lop"), &["show", "0"]);
    let end = { lop }
        .current_dir(stage.path("empty"))
        .output()
        .expect("lop");
    assert_eq!(end.stdout, stage.read("there/other.c").into_bytes());
    let said = String::from_utf8_lossy(&end.stderr);
    assert!(
        said.contains("the newest of all is other.c-1, about ") && said.contains("there/other.c"),
        "{said}"
    );
}

#[test]
fn a_session_can_lie_anywhere_or_nowhere() {
    let stage = Stage::new();
    let end = stage.lop(&["bug.c", "test.sh", "--session", "kept"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(stage.lop(&["history", "kept"]).out.contains("<- kept"));
    let end = stage.lop(&["bug.c", "test.sh", "--session", "kept"]);
    assert!(end.status == 2 && end.err.contains("already"), "{end}");
    let end = stage.lop(&["bug.c", "test.sh", "--no-session"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(!stage.sessions().exists());
}

#[test]
fn where_no_session_can_be_kept_the_run_goes_on_and_says_so() {
    let stage = Stage::new();
    // A file where the directory should be stops root too.
    fs::write(stage.state().join("lop"), "").expect("a file");
    fs::set_permissions(stage.state(), fs::Permissions::from_mode(0o500)).expect("a mode");
    let end = stage.lop(&["bug.c", "test.sh"]);
    fs::set_permissions(stage.state(), fs::Permissions::from_mode(0o700)).expect("a mode");
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("no session is kept"), "{end}");
}

#[test]
fn a_session_that_runs_is_not_gone_on_with_and_its_output_not_touched() {
    let stage = Stage::new();
    stage.hanging_test();
    let mut lop = stage.start(&["bug.c", "hang.sh", "--json", "--timeout", "0"]);
    // It speaks when the run has begun.
    lop.line();
    let end = stage.lop(&["resume"]);
    let holder = "process ";
    assert!(end.status == 2 && end.err.contains(holder), "{end}");
    let end = stage.lop(&["bug.c", "test.sh"]);
    assert!(
        end.status == 2 && end.err.contains("session bug.c-1"),
        "{end}"
    );
    lop.kill();
    stage.test("hang.sh", crate::shell::FINDS_BUG);
    assert_eq!(
        stage.lop(&["resume"]).status,
        0,
        "who was killed holds nothing"
    );
}

#[test]
fn a_run_that_was_stopped_before_it_decided_anything_leaves_no_session() {
    let stage = Stage::new();
    let line = ["bug.c", "test.sh", "--plain", "--command"];
    let end = stage.lop(&[&line[..], &["stop"]].concat());
    assert_eq!(end.status, 130, "{end}");
    assert!(end.out.contains("so no session is kept"), "{end}");
    assert_eq!(stage.lop(&["sessions"]).out, "no sessions\n");
    stage.write(
        "held",
        "at start: pause\nat start: resume\nat start: stop\n",
    );
    let end = stage.lop(&[&line[..3], &["--commands", "held"]].concat());
    assert!(end.out.contains("so no session is kept"), "{end}");
    // What the user said is not said again by itself.
    stage.write(
        "pinned",
        "at start: pause\nat start: pin stay\nat start: stop\n",
    );
    let end = stage.lop(&[&line[..3], &["--commands", "pinned"]].concat());
    assert!(end.out.contains("`lop resume bug.c-1` resumes it"), "{end}");
}

#[test]
fn an_output_that_somebody_changed_is_kept_and_a_test_that_changed_its_mind_is_told() {
    let stage = Stage::new();
    stopped(&stage);
    stage.test("hang.sh", "false");
    let end = stage.lop(&["resume"]);
    assert!(
        end.status == 1 && end.err.contains("no longer finds"),
        "{end}"
    );
    stage.test("hang.sh", crate::shell::FINDS_BUG);
    stage.write("bug.lop.c", "int mine;\n");
    let end = stage.lop(&["resume"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("bug.lop.1.c"), "int mine;\n");
    assert!(stage.passes("bug.lop.c"));
}

#[test]
fn a_trace_has_every_version_and_the_page_makes_the_same() {
    let stage = Stage::new();
    stage.write(
        "bug.c",
        "int a;\nchar *s = \"é</script>\";\nint stay;\nint bug;\n",
    );
    assert_eq!(stage.lop(&["bug.c", "test.sh"]).status, 0);
    let end = stage.lop(&["export", "--jsonl"]);
    let steps: Vec<serde_json::Value> = end
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    assert_eq!(steps[0]["content"], stage.read("bug.c"));
    let last = steps.last().expect("steps");
    assert_eq!(last["content"], stage.read("bug.lop.c"));
    assert!(
        steps
            .iter()
            .enumerate()
            .all(|(at, step)| step["step"] == at && step["tokens"].is_u64())
    );
    assert!(
        steps
            .windows(2)
            .all(|pair| pair[0]["elapsed_s"].as_f64() <= pair[1]["elapsed_s"].as_f64())
    );

    let end = stage.lop(&["export", "--html", "run.html"]);
    assert_eq!(end.status, 0, "{end}");
    let page = stage.read("run.html");
    assert_eq!(
        page.matches("<script").count(),
        page.matches("</script>").count()
    );
    for outside in ["http:", "https:", "src=", "href=", "@import", "url("] {
        let inside = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!inside.contains(outside), "{outside}");
    }
    let (data, _) = page_scripts(&page);
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["versions"].as_array().map(Vec::len), Some(steps.len()));
    played(&stage, &page, &steps);
}

/// The page's own program makes all texts, where there is something to run it.
fn played(stage: &Stage, page: &str, steps: &[serde_json::Value]) {
    let lines = "for (const version of page.data.versions) console.log(JSON.stringify(page.textOf(version.number)));";
    let Some(text) = run_page(stage, page, lines) else {
        return;
    };
    let made: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let expected: Vec<&serde_json::Value> = steps.iter().map(|step| &step["content"]).collect();
    assert_eq!(made.iter().collect::<Vec<_>>(), expected);
}

/// A test that counts how often it runs, and a program of which most can go.
fn counted(stage: &Stage, test: &str) {
    stage.write(
        "bug.c",
        "int spare;\nstruct s { int a, b; };\nstatic int f(int x) { if (x) { return 1; } return x * 2; }\n\
         int main(void) { int unused; int y = f(3); for (; y < 9; y++) { y += f(y); } return y; }\n",
    );
    let calls = stage.path("calls");
    stage.test("test.sh", &format!("echo >> '{}'\n{test}", calls.display()));
}

/// A run with the cache `verdicts`: what it said, how often the test ran, and its decisions.
fn cached(stage: &Stage, journal: &str) -> (String, usize, Vec<String>) {
    let _ = fs::remove_file(stage.path("calls"));
    let end = stage.lop(&[
        "bug.c",
        "test.sh",
        "--jobs",
        "1",
        "--cache",
        "verdicts",
        "--journal",
        journal,
    ]);
    assert_eq!(end.status, 0, "{end}");
    let lines = stage.read(journal);
    let decisions = lines
        .lines()
        .filter(|line| line.starts_with("{\"decision\""));
    let decisions =
        decisions.map(|line| line[..line.find(",\"limit_ns").expect("a limit")].to_owned());
    (
        end.out,
        stage.read("calls").lines().count(),
        decisions.collect(),
    )
}

#[test]
#[ignore = "long"]
fn a_cache_answers_for_a_later_run_and_what_is_taken_is_tested_again() {
    let stage = Stage::new();
    let test = "cc -Wall -fsyntax-only bug.c 2>&1 | grep -q 'unused variable'";
    counted(&stage, test);
    let (_, first, decisions) = cached(&stage, "first.jsonl");
    let result = stage.read("bug.lop.c");
    let (out, second, same) = cached(&stage, "second.jsonl");
    assert_eq!(
        (stage.read("bug.lop.c"), &same),
        (result.clone(), &decisions)
    );
    assert!(out.contains("verdicts of this test"), "{out}");
    let found = decisions
        .iter()
        .filter(|line| line.contains("\"interesting\""));
    // The original, the empty file, the line of nonsense, each that was found interesting, and the result at the end.
    let found = 4 + found.count();
    assert!(
        first >= 2 * found,
        "{first} tests, {found} of them found something"
    );
    assert!(second <= found, "{second} tests, {found} expected");
    let check = stage.lop(&["replay", "--check", "second.jsonl"]);
    assert_eq!(check.status, 0, "{check}");
    counted(&stage, &format!("{test} # the same in other words"));
    let (_, third, same) = cached(&stage, "third.jsonl");
    assert_eq!(same, decisions);
    assert_eq!(third, first, "another test is another cache");
}

#[test]
fn what_the_cache_calls_interesting_is_not_taken_when_the_test_says_no() {
    let stage = Stage::new();
    let word = stage.path("word");
    counted(
        &stage,
        &format!("grep -q \"$(cat '{}')\" bug.c", word.display()),
    );
    stage.write("word", "unused");
    cached(&stage, "first.jsonl");
    // The bytes of the test are the same; what it calls is another compiler, so to say.
    stage.write("word", "spare");
    let (out, ..) = cached(&stage, "second.jsonl");
    assert!(out.contains("does not find interesting now"), "{out}");
    assert!(stage.read("bug.lop.c").contains("spare"));
}

#[test]
fn a_cache_that_cannot_be_opened_is_told_and_the_run_goes_on() {
    let stage = Stage::new();
    stage.write("verdicts", "a file is no directory");
    let end = stage.lop(&["bug.c", "test.sh", "--cache", "verdicts"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(
        end.out.contains("the cache verdicts cannot be used: "),
        "{end}"
    );
}

#[test]
fn a_session_whose_test_changed_in_the_middle_asks_anew_what_the_old_one_said() {
    let stage = Stage::new();
    let mut run = stage.hanging_run();
    // It has an answer about `bug`, and hangs without `stay`.
    while !run.line().contains("\"boring\"") {}
    // The old test wanted `bug`. The new one wants `stay`, and hangs without it until a file is there.
    let go = stage.path("go");
    stage.replace_test(
        "hang.sh",
        &format!(
            "grep -q stay bug.c && exit 0; test -e {} && exit 1; exec tail -f /dev/null",
            go.display()
        ),
    );
    while !run.line().contains("\"new-test!\"") {}
    run.kill();
    run.wait();
    let shown = stage.lop(&["history", "bug.c-1"]);
    assert!(shown.out.contains("(the test changed here)"), "{shown}");
    stage.write("go", "");
    let end = stage.lop(&["resume", "bug.c-1"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("are replayed, without a test"), "{end}");
    assert_eq!(stage.read("bug.lop.c").trim(), "int stay;", "{end}");
}
