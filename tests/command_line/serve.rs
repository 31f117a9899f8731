//! `lop FILE --serve COMMAND`: a test that stays alive. What it says counts only if a fresh process says the same.

use std::fs;
use std::time::Duration;

use lop::oracle::quote_path_for_display;
use rustc_hash::FxHashMap;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{Pid, PidfdFlags};

use crate::shell::{End, FINDS_BUG, Stage};

const SERVE: [&str; 3] = ["bug.c", "--serve", "./server.sh"];

/// Says what `test.sh` says.
const TRUE: &str = "if grep -q bug \"$f\"; then echo 0; else echo 1; fi";

/// With `server.sh`, which does this for each candidate `$f`, the `$n`th of this process. `asked` has a line with the process for each.
fn stage(body: &str) -> Stage {
    let stage = Stage::new();
    let asked = stage.path("asked");
    stage.test(
        "server.sh",
        &format!(
            "n=0\nwhile read -r dir; do\nf=$dir/bug.c; n=$((n + 1)); echo $$ >>'{}'\n{body}\ndone",
            asked.display()
        ),
    );
    stage
}

fn lop(stage: &Stage, more: &[&str]) -> End {
    stage.lop(&[&SERVE[..], more].concat())
}

/// What the script makes of the program.
fn expected(test: &str) -> String {
    let stage = Stage::new();
    stage.test("test.sh", test);
    let end = stage.lop(&["bug.c", "test.sh"]);
    assert_eq!(end.status, 0, "{end}");
    stage.read("bug.lop.c")
}

/// The processes that were asked.
fn processes(stage: &Stage) -> Vec<i32> {
    let asked = stage.read("asked");
    let mut all: Vec<i32> = asked
        .lines()
        .map(|line| line.parse().expect("a number"))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Waits for the end of a process that is not ours.
fn await_end(pid: i32) {
    let pid = Pid::from_raw(pid).expect("a process");
    let Ok(process) = rustix::process::pidfd_open(pid, PidfdFlags::empty()) else {
        return;
    };
    let mut waiting = [PollFd::new(&process, PollFlags::IN)];
    let patience = Timespec::try_from(Duration::from_secs(30)).expect("a time");
    let ended = rustix::event::poll(&mut waiting, Some(&patience)).expect("a word of it");
    assert_eq!(ended, 1, "the server {pid:?} is still there");
}

#[test]
fn one_process_answers_for_many_candidates_and_the_result_is_that_of_a_script() {
    let body = "grep -q bug \"$f\" && echo 0 && continue; [ -s \"$f\" ] && echo 1 || echo 125";
    let expected = expected(FINDS_BUG);
    for jobs in ["1", "8"] {
        let stage = stage(body);
        let end = lop(&stage, &["--jobs", jobs]);
        assert_eq!(end.status, 0, "{end}");
        assert_eq!(stage.read("bug.lop.c"), expected, "{jobs}");
        assert!(end.out.contains("the server "), "{end}");
        assert!(!end.out.contains("keeps something"), "{end}");
        let mut answers: FxHashMap<String, usize> = FxHashMap::default();
        for process in stage.read("asked").lines() {
            *answers.entry(process.to_owned()).or_default() += 1;
        }
        if jobs == "1" {
            let most = answers.values().max().copied().unwrap_or_default();
            assert!(most > 4, "one process stays: {answers:?}");
        }
        processes(&stage).into_iter().for_each(await_end);
    }
}

#[test]
fn what_it_writes_to_its_standard_error_is_the_output_of_the_test() {
    let stage = stage("echo \"looked at candidate\" >&2; echo 7");
    let end = lop(&stage, &[]);
    assert_eq!(end.status, 1, "{end}");
    assert!(end.err.contains("| looked at candidate"), "{end}");
    assert!(end.err.contains("exit 7 after"), "{end}");
    assert!(end.err.contains("pwd | ("), "{end}");
    let place = "; the directory in the line has a copy of bug.c; both have been removed";
    assert!(end.err.contains(place), "{end}");
}

#[test]
fn a_server_that_dies_of_a_candidate_finds_it_uninteresting() {
    let stage = stage(&format!("grep -q stay \"$f\" || exit 9\n{TRUE}"));
    let end = lop(&stage, &["--jobs", "2"]);
    assert_eq!(end.status, 0, "{end}");
    let both = expected(&format!("{FINDS_BUG} && grep -q stay bug.c"));
    assert_eq!(stage.read("bug.lop.c"), both);
    assert!(!end.out.contains("keeps something"), "{end}");
}

#[test]
fn a_server_that_hangs_is_started_anew() {
    let stage = stage("");
    let once = stage.path("once");
    let hangs = format!(
        "if ! grep -q 'int a' \"$f\" && grep -q bug \"$f\" && mkdir '{}' 2>/dev/null; then exec tail -f /dev/null; fi",
        once.display()
    );
    stage.test(
        "server.sh",
        &format!("while read -r dir; do\nf=$dir/bug.c\n{hangs}\n{TRUE}\ndone"),
    );
    let end = lop(&stage, &["--timeout", "1", "--jobs", "1"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(once.is_dir(), "it hung");
    assert_eq!(stage.read("bug.lop.c"), expected(FINDS_BUG));
}

#[test]
fn a_server_that_lies_once_it_has_answered_is_found_out() {
    let contradictions = [
        (
            "0",
            "it found a candidate interesting, and a fresh process did not (exit 1)",
        ),
        (
            "1",
            "it found a program uninteresting (exit 1) that a fresh process had found interesting",
        ),
    ];
    for (lie, found_out) in contradictions {
        let stage = stage(&format!(
            "if [ $n -gt 1 ]; then echo {lie}; continue; fi\n{TRUE}"
        ));
        let end = lop(&stage, &["--jobs", "1"]);
        assert_eq!(end.status, 0, "{end}");
        let notice = format!("it keeps something from one to the next ({found_out})");
        assert_eq!(end.out.matches(&notice).count(), 1, "{end}");
        assert_eq!(stage.read("bug.lop.c"), expected(FINDS_BUG));
    }
}

#[test]
fn what_no_fresh_process_said_is_in_no_cache() {
    let stage = stage("");
    // Once it has answered, it finds no candidate interesting that has lost `stay`, as long as there is a file that no cache knows.
    stage.write("lie", "");
    stage.test(
        "server.sh",
        &format!(
            "n=0\nwhile read -r dir; do\nf=$dir/bug.c; n=$((n + 1))\n\
             if [ -e '{}' ] && [ $n -gt 1 ] && ! grep -q stay \"$f\"; then echo 1; continue; fi\n{TRUE}\ndone",
            stage.path("lie").display()
        ),
    );
    let cached = ["--jobs", "1", "--cache", "cache"];
    let end = lop(&stage, &cached);
    assert_eq!(end.status, 0, "{end}");
    assert!(stage.read("bug.lop.c").contains("stay"), "it lied: {end}");
    fs::remove_file(stage.path("lie")).expect("removed");
    let end = lop(&stage, &cached);
    assert!(end.out.contains("the cache knows"), "{end}");
    assert_eq!(stage.read("bug.lop.c"), expected(FINDS_BUG), "{end}");
}

#[test]
fn the_header_says_how_long_it_lives() {
    let stage = stage(TRUE);
    let end = lop(&stage, &[]);
    assert!(
        end.out.contains("; it stays alive, and a fresh process"),
        "{end}"
    );
    let end = lop(&stage, &["--confirm", "1/2"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(
        end.out.contains("; it is started for each candidate"),
        "{end}"
    );
    assert!(!end.out.contains("stays alive"), "{end}");
}

#[test]
fn what_is_no_answer_is_told_of_at_once() {
    let faults = [
        (
            "echo interesting",
            "it wrote `interesting`, which is no status from 0 to 255",
        ),
        (
            "echo 256",
            "it wrote `256`, which is no status from 0 to 255",
        ),
        (
            "echo 0; echo 1",
            "it wrote `1`, after its answer, and nobody had asked",
        ),
        ("printf 0; exit", "it wrote `0`, which has no end of line"),
        ("echo 127", "the test failed: exit 127"),
    ];
    for (body, fault) in faults {
        let stage = stage(body);
        let end = lop(&stage, &[]);
        assert_eq!(end.status, 3, "{end}");
        assert!(end.err.contains(fault), "{body}: {end}");
    }
    let stage = Stage::new();
    stage.test(
        "server.sh",
        "echo Ready\nwhile read -r dir; do echo 0; done",
    );
    let end = lop(&stage, &[]);
    assert_eq!(end.status, 3, "{end}");
    assert!(
        end.err.contains("it wrote `Ready`, which is no status"),
        "{end}"
    );
    assert!(end.err.contains("a server reads the directory"), "{end}");
    let end = stage.lop(&["bug.c", "--serve", "./missing.sh"]);
    assert_eq!(end.status, 3, "{end}");
    assert!(end.err.contains("exit 127"), "{end}");
    // A test that is no server.
    stage.test("server.sh", "exit 0");
    let end = lop(&stage, &[]);
    assert_eq!(end.status, 1, "{end}");
    assert!(
        end.err.contains("the server gave no answer: exit 0"),
        "{end}"
    );
    assert!(!stage.path("bug.lop.c").exists());
}

#[test]
fn a_killed_run_leaves_no_server_and_is_resumed() {
    let stage = stage("");
    let (gate, asked) = (stage.path("gate"), stage.path("asked"));
    fs::write(&gate, "").expect("a file");
    stage.test(
        "server.sh",
        &format!(
            "while read -r dir; do\nf=$dir/bug.c; echo $$ >>'{}'\n\
             if [ -e '{}' ] && ! grep -q stay \"$f\" && grep -q bug \"$f\"; then tail -f /dev/null; fi\n{TRUE}\ndone",
            asked.display(),
            gate.display()
        ),
    );
    let line = [
        "--json",
        "--timeout",
        "0",
        "--strategy",
        "perses",
        "--jobs",
        "2",
    ];
    let mut run = stage.start(&[&SERVE[..], &line].concat());
    run.until_taken();
    run.kill();
    processes(&stage).into_iter().for_each(await_end);
    fs::remove_file(&gate).expect("removed");
    let end = stage.lop(&["resume"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("bug.lop.c").trim_end(), "int bug;");
    let end = stage.lop(&["replay", "--check"]);
    assert_eq!(end.status, 0, "{end}");
    let end = stage.lop(&["export", "--html", "run.html"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(
        stage.read("run.html").contains("/server.sh"),
        "the page names the test"
    );
}

#[test]
fn a_server_whose_program_changes_is_started_anew() {
    for name in ["server.sh", "a b/it's.sh"] {
        let stage = stage("");
        fs::create_dir_all(stage.path("a b")).expect("a directory");
        stage.test(
            name,
            &format!(
                "while read -r dir; do\nf=$dir/bug.c\n\
                 if ! grep -q stay \"$f\" && grep -q bug \"$f\"; then tail -f /dev/null; fi\n{TRUE}\ndone"
            ),
        );
        let server = quote_path_for_display(&stage.path(name));
        let line = ["--json", "--timeout", "0", "--strategy", "perses"];
        let mut run = stage.start(&[&["bug.c", "--serve", &server], &line[..]].concat());
        run.until_taken();
        stage.replace_test(
            name,
            "while read -r dir; do if grep -q stay \"$dir/bug.c\"; then echo 0; else echo 1; fi; done",
        );
        let rest = run.rest();
        assert!(rest.contains("\"new-test!\""), "{rest}");
        assert_eq!(stage.read("bug.lop.c").trim(), "int stay;", "{rest}");
        run.wait();
    }
}

#[test]
#[ignore = "long"]
fn checks_projects_and_sandboxes_know_servers() {
    let stage = stage(TRUE);
    let end = lop(&stage, &["--check", "cc -fsyntax-only {}", "--json"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("\"server\":true"), "{end}");
    assert_eq!(stage.read("bug.lop.c").trim_end(), "int bug;");
    let end = lop(&stage, &["--sandbox"]);
    match end.err.contains("no sandbox can be made") {
        true => println!("SKIPPED: no sandbox can be made"),
        false => assert_eq!(
            (end.status, stage.read("bug.lop.c")),
            (0, expected(FINDS_BUG))
        ),
    }
    fs::create_dir(stage.path("src")).expect("a directory");
    stage.write("src/a.c", "int a;\nint bug;\n");
    stage.write("src/b.c", "int b;\n");
    stage.test(
        "all.sh",
        "while read -r dir; do if grep -qr bug \"$dir\"; then echo 0; else echo 1; fi; done",
    );
    let end = stage.lop(&["src", "--serve", "./all.sh"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("src.lop/a.c").trim_end(), "bug");
    assert!(!stage.path("src.lop/b.c").exists());
}

/// The path of a server that the documents show.
fn example(name: &str) -> String {
    format!("{}/docs/examples/serve/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
#[ignore = "long"]
fn the_examples_of_the_documents_work() {
    let stage = stage(TRUE);
    let end = stage.lop(&["bug.c", "--serve", &format!("{} bug", example("word.sh"))]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("bug.lop.c"), expected(FINDS_BUG));
    // The server of the page, of a file `bug.txt`.
    let page = include_str!("../../docs/TESTS.md");
    let python = page
        .split("```python\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    stage.test("server.py", "");
    stage.write("server.py", python.expect("a server"));
    stage.write("bug.txt", "one\ntwo bug\nthree\n");
    match stage.program("python3", &["-V"]).output() {
        Err(_) => println!("SKIPPED: there is no python3"),
        Ok(_) => {
            let end = stage.lop(&["bug.txt", "--serve", "./server.py"]);
            assert_eq!(end.status, 0, "{end}");
            assert_eq!(stage.read("bug.lop.txt").trim(), "bug");
        }
    }
    if stage.program("javac", &["-version"]).output().is_err() {
        println!("SKIPPED: there is no javac");
        return;
    }
    stage.write(
        "Bug.java",
        "class Bug {\n  int a;\n  int f() { return missing; }\n}\n",
    );
    let server = format!("{} 'variable missing' -nowarn", example("javac.sh"));
    let end = stage.lop(&["Bug.java", "--serve", &server, "--strategy", "perses"]);
    assert_eq!(end.status, 0, "{end}");
    let result = stage.read("Bug.lop.java");
    assert!(
        result.contains("missing") && !result.contains("int a"),
        "{result}"
    );
}

#[test]
fn a_server_stands_in_the_place_of_a_test() {
    let stage = stage(TRUE);
    let refused = |line: &[&str], what: &str| {
        let end = lop(&stage, line);
        assert_eq!(end.status, 2, "{end}");
        assert!(end.err.contains(what), "{end}");
    };
    refused(
        &["--grep", "bug"],
        "--grep is for a command in place of the test",
    );
    refused(&["--offline"], "cannot be used with");
    refused(&["--differs", "true", "false"], "cannot be used with");
    let end = stage.lop(&["bug.c", "test.sh", "--serve", "./server.sh"]);
    assert_eq!(end.status, 2, "{end}");
    assert!(end.err.contains("test.sh looks like a test"), "{end}");
    let end = stage.lop(&["bug.c", "--serve", " "]);
    assert_eq!(end.status, 2, "{end}");
    assert!(end.err.contains("--serve names no command"), "{end}");
}
