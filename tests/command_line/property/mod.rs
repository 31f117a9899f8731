//! Commands in place of a test: their failure property is identified, shown, matched, changed, exported and resumed.

mod compilers;
mod sessions;

use crate::shell::Stage;

/// Prints an error of its own about each file that has a bug, with all that varies; another if `stay` is gone.
const TOOL: &str = "grep -q bug \"$1\" || exit 0\n\
    echo \"$1:$$: note: reading\"\n\
    grep -q stay \"$1\" || { echo \"internal error: in other, at other.c:7\"; exit 3; }\n\
    echo \"internal error: in lower, at /build/$$/lower.c:$$\"; exit 3";

fn stage() -> Stage {
    let stage = Stage::new();
    stage.test("tool", TOOL);
    stage
}

/// The tokens that are left.
fn left(stage: &Stage) -> Vec<String> {
    let text = stage.read("bug.lop.c");
    text.split_whitespace().map(str::to_owned).collect()
}

/// How many verdicts of each kind there were, as the last lines tell.
fn verdicts(out: &str) -> &str {
    let line = out.lines().find(|line| line.contains(" uninteresting, "));
    let line = line.unwrap_or_else(|| panic!("no verdicts: {out}"));
    line.split_once(": ")
        .and_then(|(_, rest)| rest.split_once(": "))
        .expect("counts")
        .1
}

#[test]
fn what_a_command_fails_with_is_found_and_kept() {
    let stage = stage();
    let end = stage.lop(&["bug.c", "--plain", "--", "./tool", "{}"]);
    assert_eq!(end.status, 0, "{end}");
    let sentence = "the property: internal error: in lower, at lower.c; exit 3";
    assert!(end.out.contains(sentence), "{end}");
    assert_eq!(left(&stage).concat(), "intstay;intbug;", "{end}");
    let again = stage.lop(&[
        "bug.c",
        "--plain",
        "-o",
        "same.c",
        "--no-session",
        "--",
        "./tool",
    ]);
    assert_eq!(
        stage.read("same.c"),
        stage.read("bug.lop.c"),
        "the file is appended: {again}"
    );
}

#[test]
fn the_user_says_what_is_looked_for() {
    let stage = stage();
    let run = |options: &[&str]| {
        let mut line = vec!["bug.c", "--plain", "--no-session"];
        line.extend(options);
        line.extend(["--", "./tool", "{}"]);
        let end = stage.lop(&line);
        assert_eq!(end.status, 0, "{end}");
        left(&stage).concat()
    };
    assert_eq!(run(&["--grep", "internal error"]), "intbug;");
    assert_eq!(
        run(&["--grep", "internal", "--not-grep", "other"]),
        "intstay;intbug;"
    );
    assert_eq!(run(&["--exit", "3"]), "intbug;");
    assert_eq!(run(&["--like", "5"]), "intstay;intbug;");
    assert_eq!(run(&["--like", "60"]), "intbug;");
}

#[test]
fn a_command_that_does_not_fail_is_told_so() {
    let stage = stage();
    let end = stage.lop(&["bug.c", "--plain", "--", "cat", "{}"]);
    assert_eq!(end.status, 1, "{end}");
    for said in [
        "it does not fail",
        "ends with exit 0",
        "--grep",
        "--exit 0",
        "--differs",
    ] {
        assert!(
            end.err.contains(said) || end.err.contains("does not fail"),
            "{said}: {end}"
        );
    }
    let end = stage.lop(&["bug.c", "--plain", "--grep", "nothing", "--", "cat", "{}"]);
    assert!(
        end.status == 1 && end.err.contains("/nothing/ does not hold"),
        "{end}"
    );
    let end = stage.lop(&["bug.c", "--plain", "--grep", "(", "--", "cat", "{}"]);
    assert!(
        end.status == 2 && end.err.contains("`(` is not a regular expression"),
        "{end}"
    );
    let end = stage.lop(&["bug.c", "--plain", "--", "no-such-tool", "{}"]);
    assert!(
        end.status == 3 && end.err.contains("no-such-tool is not in PATH"),
        "{end}"
    );
    let end = stage.lop(&["bug.c", "test.sh", "--grep", "x"]);
    assert_eq!(end.status, 2, "{end}");
}

#[test]
fn a_command_that_fails_in_different_ways_is_refused() {
    let stage = stage();
    let count = stage.path("count");
    stage.test(
        "moody",
        &format!("echo x >>{0}; test $(wc -l <{0}) -gt 1 && {{ echo 'fatal: two'; exit 4; }}; echo 'fatal: one'; exit 3", count.display()),
    );
    let end = stage.lop(&["bug.c", "--plain", "--", "./moody", "{}"]);
    assert_eq!(end.status, 1, "{end}");
    for said in [
        "does not always do the same",
        "fatal: one",
        "fatal: two",
        "exit 3",
        "exit 4",
    ] {
        assert!(end.err.contains(said), "{said}: {end}");
    }
}

#[test]
fn two_commands_that_differ() {
    let stage = stage();
    let differs = ["--differs", "cat {}", "sed s/bug/worm/ {}"];
    let line = |more: &[&'static str]| {
        let all = [&["bug.c", "--plain", "--no-session"], more, &differs[..]];
        all.concat()
    };
    let end = stage.lop(&line(&[]));
    assert!(
        end.status == 0 && end.out.contains("the two print or end differently"),
        "{end}"
    );
    assert_eq!(left(&stage).concat(), "intbug;");
    let end = stage.lop(&line(&["--check", "grep -q stay {}"]));
    assert_eq!(left(&stage).concat(), "intstay;intbug;", "{end}");
    assert!(
        !verdicts(&end.out).contains(" 0 invalid"),
        "the check fails are counted apart: {end}"
    );
    let end = stage.lop(&["bug.c", "--differs", "cat {}", "cat {}"]);
    assert!(end.status == 1 && end.err.contains("do the same"), "{end}");
    let end = stage.lop(&["bug.c", "--differs", "cat {}", "cat other.c"]);
    assert!(
        end.status == 2 && end.err.contains("write {} where bug.c goes"),
        "{end}"
    );
}

#[test]
fn a_check_goes_before_a_script_too() {
    let stage = stage();
    let end = stage.lop(&[
        "bug.c",
        "test.sh",
        "--plain",
        "--no-session",
        "--check",
        "grep -q stay {}",
    ]);
    assert!(
        end.status == 0 && !verdicts(&end.out).contains(" 0 invalid"),
        "{end}"
    );
    assert_eq!(left(&stage).concat(), "intstay;intbug;");
    let end = stage.lop(&[
        "bug.c",
        "test.sh",
        "--plain",
        "--no-session",
        "--check",
        "grep -q no {}",
    ]);
    assert!(
        end.status == 1 && end.err.contains("grep -q no bug.c"),
        "{end}"
    );
}

#[test]
#[ignore = "long"]
fn a_hang_is_found_where_the_user_says_how_long_is_too_long() {
    let stage = stage();
    stage.test("spin", "grep -q bug \"$1\" || exit 0; while :; do :; done");
    let end = stage.lop(&[
        "bug.c",
        "--plain",
        "--no-session",
        "--timeout",
        "0.2",
        "--",
        "./spin",
        "{}",
    ]);
    assert!(
        end.status == 0 && end.out.contains("does not end within its limit"),
        "{end}"
    );
    assert_eq!(left(&stage).concat(), "intbug;");
}

#[test]
#[ignore = "long"]
fn a_script_of_init_says_the_same() {
    let stage = stage();
    let commands: [&[&str]; 3] = [
        &["--check", "grep -q int {}", "--", "./tool", "{}"],
        &["--like", "5", "--", "./tool", "{}"],
        &[
            "--check",
            "grep -q int {}",
            "--differs",
            "cat {}",
            "sed s/bug/worm/ {}",
        ],
    ];
    for (number, command) in commands.iter().enumerate() {
        let script = format!("init{number}.sh");
        let init = stage.lop(&[&["init", "bug.c", "-o", &script], *command].concat());
        assert_eq!(init.status, 0, "{init}");
        assert!(stage.read(&script).contains("The property is:"));
        let plain: &[&str] = &["--plain", "--no-session"];
        let by_command = stage.lop(&[&["bug.c", "-o", "a.c"], plain, *command].concat());
        let path = format!("./{script}");
        let by_script = stage.lop(&[&["bug.c", &path, "-o", "b.c"], plain].concat());
        assert_eq!(by_script.status, 0, "{by_script}");
        assert_eq!(
            stage.read("a.c"),
            stage.read("b.c"),
            "{by_command}{by_script}"
        );
        let counts = |out: &str| verdicts(out).to_owned();
        assert_eq!(
            counts(&by_command.out),
            counts(&by_script.out),
            "{by_command}{by_script}"
        );
        let twice = stage.lop(&[&["init", "bug.c", "-o", &script], *command].concat());
        assert!(
            twice.status == 2 && twice.err.contains(" exists; choose another place"),
            "{twice}"
        );
    }
}

#[test]
fn a_change_is_tried_on_the_program_as_it_is_and_is_in_the_journal() {
    let stage = stage();
    let end = stage.lop(&[
        "bug.c",
        "--plain",
        "--session",
        "s",
        "--command",
        "property grep /no such line/",
        "--command",
        "property line 1 off",
        "--",
        "./tool",
        "{}",
    ]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(
        left(&stage).concat(),
        "intbug;",
        "the line does not count any more: {end}"
    );
    let journal = stage.read("s/journal.jsonl");
    assert!(journal.contains("\"property! line 1 off\""), "{journal}");
    assert!(
        !journal.contains("\"property! grep"),
        "one that does not hold is refused: {journal}"
    );
    assert!(end.out.contains("would not be interesting then"), "{end}");
    let replay = stage.lop(&["replay", "--check", "s/journal.jsonl"]);
    assert!(
        replay.status == 0 && replay.out.contains("the same"),
        "{replay}"
    );
    let decisions = journal.matches("{\"decision\":").count();
    let replay = stage.lop(&["replay", "s/journal.jsonl"]);
    let shown = replay.out.lines().filter(|line| line.contains(" s  "));
    assert_eq!(shown.count(), decisions, "each is shown again: {replay}");
}

#[test]
fn what_users_type_means_the_candidate() {
    let stage = stage();
    let end = stage.lop(&["bug.c", "--plain", "--no-session", "--", "./tool", "bug.c"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(left(&stage).concat(), "intstay;intbug;", "{end}");
}

#[test]
#[ignore = "long"]
fn a_hang_is_looked_for_beside_what_the_user_says() {
    let stage = stage();
    stage.test(
        "spin",
        "grep -q bug \"$1\" || exit 0; grep -q stay \"$1\" && echo staying; while :; do :; done",
    );
    let end = stage.lop(&[
        "bug.c",
        "--plain",
        "--no-session",
        "--timeout",
        "0.2",
        "--grep",
        "staying",
        "--",
        "./spin",
        "{}",
    ]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("/staying/; it does not end"), "{end}");
    assert_eq!(left(&stage).concat(), "intstay;intbug;", "{end}");
}
