//! lop on a terminal: its questions before a run, and what the screen leaves behind.

use crate::shell::terminal::{COLUMNS, ROWS, Session};
use crate::shell::{FINDS_BUG, PROGRAM, Stage};
use rustix::process::Signal;

#[test]
fn an_interesting_empty_file_is_asked_about() {
    for (keys, status, said) in [
        ("n\n", 1, "nothing was done"),
        ("\n", 1, "nothing was done"),
        ("\x03", 130, "nothing was written"),
        ("y\n", 0, "nothing is left to try"),
    ] {
        let stage = Stage::new();
        stage.test("absent.sh", "! grep -q absent bug.c");
        let mut lop = Session::start(&stage, &["bug.c", "absent.sh", "--plain"]);
        lop.wait_for("the test finds an empty file interesting");
        lop.wait_for("[y/N]");
        lop.send(keys);
        let (end, text) = lop.end();
        assert_eq!(end, status, "{keys:?}: {text}");
        assert!(text.contains(said), "{keys:?}: {text}");
        assert_eq!(stage.path("bug.lop.c").exists(), status == 0, "{keys:?}");
    }
}

#[test]
fn the_screen_leaves_the_result_and_the_totals() {
    let stage = Stage::new();
    let mut lop = Session::start(&stage, &["bug.c", "test.sh"]);
    lop.wait_for("othing is left to try");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 0, "{text}");
    for said in [
        "tests run in /",
        "complete: nothing is left to try for these passes",
        "the result is in bug.lop.c",
        "from 12 tokens to ",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(stage.passes("bug.lop.c"));
}

#[test]
fn who_leaves_the_screen_early_keeps_the_best_version() {
    for (signal, status) in [(None, 130), (Some(Signal::TERM), 143)] {
        let stage = Stage::new();
        stage.hanging_test();
        let mut lop = Session::start(
            &stage,
            &["bug.c", "hang.sh", "--timeout", "0", "--strategy", "perses"],
        );
        // The second version of the program; the question about `stay` has no answer.
        lop.wait_for("12 ▸ 6 tokens");
        match signal {
            None => lop.send("q"),
            Some(signal) => lop.signal(signal),
        }
        let (end, text) = lop.end();
        assert_eq!(end, status, "{text}");
        assert!(text.contains("the best version is kept"), "{text}");
        assert!(stage.passes("bug.lop.c"));
        assert!(stage.read("bug.lop.c").len() < PROGRAM.len());
    }
}

#[test]
fn a_terminal_that_is_closed_ends_the_run_and_leaves_nothing() {
    // What waits to be drawn then, and whether the signal or the error comes first, is another thing each time.
    for _ in 0..6 {
        let stage = Stage::new();
        stage.hanging_test();
        std::fs::create_dir(stage.path("scratch")).expect("a directory");
        let line = ["bug.c", "hang.sh", "--timeout", "0", "--strategy", "perses"];
        let line = [&line[..], &["--scratch", "scratch"]].concat();
        let mut lop = Session::start(&stage, &line);
        lop.wait_for("12 ▸ 6 tokens");
        assert_eq!(lop.close(), 129);
        assert!(stage.passes("bug.lop.c"));
        let left = std::fs::read_dir(stage.path("scratch")).expect("a directory");
        let left: Vec<_> = left.flatten().map(|entry| entry.path()).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn a_terminal_can_have_lines_too() {
    let stage = Stage::new();
    let mut lop = Session::start(&stage, &["bug.c", "test.sh", "--plain"]);
    while lop.read() {}
    assert!(!lop.all.contains(&0x1b), "no control codes");
    let (status, text) = lop.end();
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("certificate"), "{text}");
}

#[test]
fn a_test_that_breaks_stops_the_run_and_is_still_told_after_it() {
    let stage = Stage::new();
    stage.test(
        "breaks.sh",
        "test $(wc -l < bug.c) = 4 || no-such-compiler bug.c",
    );
    let mut lop = Session::start(&stage, &["bug.c", "breaks.sh"]);
    lop.wait_for("What to do");
    lop.wait_for("no-such-compiler: not found");
    lop.send(" ");
    lop.wait_for("the test was run again and failed again");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 130, "{text}");
    // The terminal breaks lines where it likes.
    let words = text.replace('\n', "");
    assert!(
        words.contains("the run was stalled when the screen closed: the test failed"),
        "{text}"
    );
}

#[test]
fn a_shell_gets_the_terminal_for_a_while() {
    let stage = Stage::new();
    stage.hanging_test();
    let mut shell = Session::run(&stage, "bash", &["--norc", "--noprofile", "-i"]);
    let line = concat!(
        env!("CARGO_BIN_EXE_lop"),
        " bug.c hang.sh --timeout 0 --strategy perses\n"
    );
    shell.send(line);
    shell.wait_for("12 ▸ 6 tokens");
    shell.send("\x1a");
    shell.wait_for("Stopped");
    assert!(!shell.screen.screen().alternate_screen());
    shell.send("fg; exit\n");
    shell.wait_for("12 ▸ 6 tokens");
    assert!(shell.screen.screen().alternate_screen());
    shell.send("q");
    let (_, text) = shell.end();
    assert!(text.contains("from 12 tokens to 6 tokens"), "{text}");
}

#[test]
fn a_hangup_that_was_ignored_at_the_start_ends_nothing() {
    let stage = Stage::new();
    stage.hanging_test();
    let line = concat!(
        "trap '' HUP; exec ",
        env!("CARGO_BIN_EXE_lop"),
        " bug.c hang.sh --timeout 0 --strategy perses"
    );
    let mut lop = Session::run(&stage, "sh", &["-c", line]);
    lop.wait_for("12 ▸ 6 tokens");
    lop.signal(Signal::HUP);
    lop.send("?");
    lop.wait_for("pause or resume the run");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 130, "{text}");
}

/// The user's configuration.
fn configure(stage: &Stage, name: &str, text: &str) {
    let directory = stage.path("settings/lop/themes");
    std::fs::create_dir_all(&directory).expect("a directory");
    std::fs::write(stage.path("settings/lop").join(name), text).expect("written");
}

/// A run that stands at its second question until it is left.
fn at_work(stage: &Stage) -> Session {
    stage.hanging_test();
    let line = ["bug.c", "hang.sh", "--timeout", "0", "--strategy", "perses"];
    let mut lop = Session::start(stage, &line);
    // The arrow before it depends on the characters.
    lop.wait_for(" 6 tokens");
    lop
}

#[test]
fn keys_and_characters_are_as_the_user_has_settled() {
    let stage = Stage::new();
    let file = "glyphs = 'ascii'\ncolour = 16\n[keys]\nquit = 'Q'\nhelp = ['X', 'f1']\n";
    configure(&stage, "config.toml", file);
    let mut lop = at_work(&stage);
    lop.wait_for("X help");
    assert!(lop.screen.screen().contents().is_ascii());
    lop.send("q?X");
    lop.wait_for("pause or resume the run");
    lop.send("Q");
    assert_eq!(lop.end().0, 130);
}

#[test]
fn a_mistake_in_the_configuration_is_told_before_anything_is_done() {
    for (name, text, said) in [
        (
            "config.toml",
            "\n[keys]\npause = 'escape'",
            "config.toml:3: `escape` is not a key",
        ),
        (
            "config.toml",
            "theme = 'drak'",
            "config.toml:1: there is no theme `drak`; there are auto, dark",
        ),
        (
            "themes/dark.toml",
            "base = 'dark'\n[roles]\ntxet = {}",
            "dark.toml:3: there is no role `txet`",
        ),
    ] {
        let stage = Stage::new();
        configure(&stage, name, text);
        let lop = Session::start(&stage, &["bug.c", "test.sh"]);
        let (status, text) = lop.end();
        assert_eq!(status, 2, "{text}");
        assert!(text.replace('\n', "").contains(said), "{said}: {text}");
        assert!(!stage.path("bug.lop.c").exists());
    }
}

#[test]
fn what_changes_on_disk_is_read_or_told() {
    let stage = Stage::new();
    configure(&stage, "config.toml", "theme = 'mine'\n");
    configure(&stage, "themes/mine.toml", "base = 'dark'\n");
    let mut lop = at_work(&stage);
    configure(
        &stage,
        "config.toml",
        "theme = 'mine'\n[keys]\nhelp = 'X'\n",
    );
    lop.wait_for("the configuration was read again");
    lop.wait_for("X help");
    configure(
        &stage,
        "themes/mine.toml",
        "base = 'dark'\n[roles]\ntext = { fg = '#12' }\n",
    );
    lop.wait_for("`#12`");
    lop.wait_for("X help");
    configure(&stage, "themes/mine.toml", "base = 'light'\n");
    // Text on the paper of the light theme, as near as 256 colours come.
    while lop.screen.screen().cell(20, 10).map(vt100::Cell::bgcolor) != Some(vt100::Color::Idx(231))
    {
        assert!(lop.read());
    }
    stage.replace_test("hang.sh", "exec tail -f /dev/null # another");
    lop.wait_for("the test has changed");
    std::fs::write(stage.path("bug.c"), "int other;\n").expect("written");
    lop.wait_for("the input has changed");
    lop.send("q");
    assert_eq!(lop.end().0, 130);
}

#[test]
fn without_colours_the_selection_can_still_be_seen() {
    let stage = Stage::new();
    std::fs::write(stage.path("no-colour"), "1").expect("written");
    let mut lop = at_work(&stage);
    lop.send("k");
    lop.wait_for("following: off");
    let screen = lop.screen.screen();
    let cells =
        || (0..ROWS.get()).flat_map(|y| (0..COLUMNS.get()).filter_map(move |x| screen.cell(y, x)));
    assert!(
        cells().all(|cell| cell.fgcolor() == vt100::Color::Default
            && cell.bgcolor() == vt100::Color::Default)
    );
    assert!(cells().any(vt100::Cell::inverse), "the selected row");
    lop.send("q");
    assert_eq!(lop.end().0, 130);
}

#[test]
fn the_users_editor_has_the_terminal_and_what_comes_back_is_tried() {
    let stage = Stage::new();
    stage.test(
        "editor.sh",
        "echo editing; read line; echo \"int stay, bug; // $line\" > \"$1\"",
    );
    let mut lop = at_work(&stage);
    lop.send("e");
    lop.wait_for("editing");
    assert!(!lop.screen.screen().alternate_screen());
    lop.send("by hand\n");
    lop.wait_for("12 ▸ 5 tokens");
    assert!(lop.screen.screen().contents().contains("by hand"));
    lop.send("q");
    assert_eq!(lop.end().0, 130);
    assert!(stage.read("bug.lop.c").contains("by hand"));
}

#[test]
fn of_a_pair_the_program_with_the_selection_is_edited() {
    let stage = Stage::new();
    stage.write("seed.c", "int a;\nint ok;\n");
    stage.write("variant.c", "int a;\nint more;\nint bug;\n");
    stage.test("works.sh", "grep -q ok seed.c");
    stage.test("fails.sh", "grep -q bug variant.c");
    stage.test(
        "editor.sh",
        "sed -i '/more/d' \"$1\"; echo edited \"$1\"; read line",
    );
    let line = [
        "pair",
        "seed.c",
        "variant.c",
        "works.sh",
        "fails.sh",
        "--command",
        "pause",
    ];
    let mut lop = Session::start(&stage, &line);
    lop.wait_for("othing is tested yet");
    lop.send("2e");
    lop.wait_for("variant/variant.c");
    lop.send("\n");
    lop.wait_for("variant  6 tokens");
    lop.send("q");
    assert_eq!(lop.end().0, 130);
    assert_eq!(stage.read("variant.lop/variant.c"), "int a;\nint bug;\n");
}

#[test]
fn the_time_that_a_run_was_paused_is_told_apart() {
    let stage = Stage::new();
    let mut lop = Session::start(&stage, &["bug.c", "test.sh", "--command", "pause"]);
    lop.wait_for("othing is tested yet");
    lop.send(" ");
    lop.wait_for("othing is left to try");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 0, "{text}");
    assert!(text.contains(" s of pauses"), "{text}");
}

#[test]
fn a_finished_session_opens_at_its_end_and_goes_on_from_there() {
    let stage = Stage::new();
    assert_eq!(stage.lop(&["bug.c", "test.sh"]).status, 0);
    // Who only looks leaves it as it was.
    let mut lop = Session::start(&stage, &["resume", "bug.c-1"]);
    lop.wait_for("othing is left to try");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 0, "{text}");
    let result = stage.read("bug.lop.c");
    let history = stage.lop(&["history"]).out;
    // An undo goes on from the result, and comes to its end.
    let mut lop = Session::start(&stage, &["resume", "bug.c-1"]);
    lop.wait_for("go on: u undoes");
    lop.send("u\r");
    lop.wait_for("what version");
    lop.send("q");
    let (status, text) = lop.end();
    assert!(status == 0 || status == 130, "{status}: {text}");
    let end = stage.lop(&["resume", "bug.c-1", "--plain"]);
    assert!(end.status <= 1, "{end}");
    assert_ne!(stage.lop(&["history"]).out, history);
    assert_ne!(stage.read("bug.lop.c"), result, "what was undone is kept");
    assert!(stage.passes("bug.lop.c"));
    // Opened again it has the undo, and another strategy begins from there.
    let mut lop = Session::start(&stage, &["resume", "bug.c-1"]);
    lop.wait_for("go on: u undoes");
    lop.send(":strategy perses\r");
    lop.wait_for("strategy perses: applied");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 0, "{text}");
}

#[test]
fn an_unfinished_session_of_the_same_file_and_test_is_offered() {
    let stage = Stage::new();
    stage.hanging_test();
    let line = ["bug.c", "hang.sh", "--timeout", "0", "--strategy", "perses"];
    let mut lop = Session::start(&stage, &line);
    lop.wait_for("12 ▸ 6 tokens");
    lop.send("q");
    assert_eq!(lop.end().0, 130);
    // After anything that is not an answer the question comes again; the end of the input and Ctrl-C do nothing.
    for (keys, status, said) in [
        ("\x04", 1, "nothing was done"),
        ("perhaps\n\x04", 1, "nothing was done"),
        ("q\n", 1, "nothing was done"),
        ("\x03", 130, "the session is unchanged"),
    ] {
        let mut lop = Session::start(&stage, &line);
        lop.wait_for("Resume it? [Y/n/q]");
        lop.send(keys);
        let (end, text) = lop.end();
        assert_eq!(end, status, "{keys:?}: {text}");
        assert!(text.contains(said), "{keys:?}: {text}");
    }
    let mut lop = Session::start(&stage, &line);
    lop.wait_for("[Y/n/q]");
    lop.send("n\n");
    lop.wait_for("12 ▸ 6 tokens");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 130);
    assert!(text.contains("`lop resume bug.c-2` resumes it"), "{text}");
    stage.test("hang.sh", crate::shell::FINDS_BUG);
    let mut lop = Session::start(&stage, &line);
    lop.wait_for("[Y/n/q]");
    lop.send("\n");
    lop.wait_for("othing is left to try");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("session bug.c-2: "), "{text}");
}

#[test]
fn the_default_answer_of_the_offer_to_resume_drops_no_typed_option() {
    let stage = Stage::new();
    stage.hanging_test();
    let line = ["bug.c", "hang.sh", "--timeout", "0", "--strategy", "perses"];
    let mut lop = Session::start(&stage, &line);
    lop.wait_for("12 ▸ 6 tokens");
    lop.send("q");
    assert_eq!(lop.end().0, 130);
    let other = [
        "bug.c",
        "hang.sh",
        "--timeout",
        "0",
        "--strategy",
        "hdd",
        "--pin",
        "stay",
    ];
    let mut lop = Session::start(&stage, &other);
    lop.wait_for("It runs without what you typed: --strategy hdd, `pin stay`.");
    lop.wait_for("Resume it? [y/N/q]");
    lop.send("\n");
    lop.wait_for("12 ▸ ");
    lop.send("q");
    let (_, text) = lop.end();
    assert!(text.contains("`lop resume bug.c-2` resumes it"), "{text}");
}

#[test]
fn a_session_that_is_gone_on_with_while_the_user_thinks_is_not_removed() {
    let stage = Stage::new();
    stage.hanging_run().kill();
    let mut prune = Session::start(&stage, &["sessions", "prune", "--all"]);
    prune.wait_for("remove 1 session for good? [y/N]");
    let mut resumed = stage.start(&["resume", "bug.c-1", "--json"]);
    // It speaks when the run has begun.
    resumed.line();
    prune.send("y\n");
    let (status, text) = prune.end();
    assert_eq!(status, 3, "{text}");
    assert!(
        text.contains("another lop runs the session bug.c-1"),
        "{text}"
    );
    let said = "0 sessions removed, 0.0 MB; 1 could not be";
    assert!(text.contains(said), "{text}");
    assert!(stage.sessions().join("bug.c-1/journal.jsonl").exists());
}

#[test]
fn a_replay_is_moved_through_with_keys() {
    let stage = Stage::new();
    assert_eq!(stage.lop(&["bug.c", "test.sh"]).status, 0);
    let mut lop = Session::start(&stage, &["replay", "--speed", "1000"]);
    lop.wait_for("▮▮ replay 1000x");
    lop.wait_for("othing is left to try");
    lop.send("0");
    lop.wait_for("  0 of ");
    lop.wait_for("12 ▸ 12 tokens");
    lop.send(",");
    lop.wait_for("version 1 ");
    lop.send("b");
    lop.wait_for("version 0 ");
    lop.send("p");
    lop.wait_for("pin: this is a replay");
    lop.send(":pin stay\r");
    lop.wait_for("nothing is asked any more");
    lop.send("@");
    lop.wait_for("to a decision (1200)");
    lop.send("100%\r");
    lop.wait_for("othing is left to try");
    lop.send("?");
    lop.wait_for("back by one decision");
    lop.send("?q");
    let (status, _) = lop.end();
    assert_eq!(status, 0);
}

#[test]
fn what_runs_is_said_while_the_first_test_has_not_ended() {
    for front in [&[][..], &["--plain"]] {
        let stage = Stage::new();
        stage.pipe("go");
        // The test waits until somebody has read what it waits for.
        stage.test(
            "waits.sh",
            &format!(
                "cat '{}' >/dev/null; {FINDS_BUG}",
                stage.path("go").display()
            ),
        );
        let line = [
            &["bug.c", "waits.sh", "--timeout", "0", "--jobs", "1"],
            front,
        ]
        .concat();
        let mut lop = Session::start(&stage, &line);
        lop.wait_for("running the test on the original bug.c; Ctrl-C stops it");
        lop.send("\x03");
        let (status, text) = lop.end();
        assert_eq!(status, 130, "{text}");
        assert!(text.contains("nothing was written"), "{text}");
    }
}

#[test]
fn from_its_end_a_run_goes_on_by_a_key_and_comes_to_an_end_again() {
    let stage = Stage::new();
    let mut lop = Session::start(&stage, &["bug.c", "test.sh"]);
    lop.wait_for("othing is left to try");
    lop.wait_for("go on: u undoes, e edits, + asks more (effort normal)");
    lop.send("u");
    lop.wait_for("never test the same program again");
    lop.send("ban\r");
    lop.wait_for("skip what made ");
    lop.wait_for("othing is left to try");
    lop.send(":strategy perses\r");
    lop.wait_for("strategy perses: ");
    // What was proven before stays so.
    lop.wait_for("1-tree-minimal");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("complete: nothing is left to try"), "{text}");
    assert!(stage.passes("bug.lop.c"));
    let check = stage.lop(&["replay", "--check"]);
    assert_eq!(check.status, 0, "{check}");
    let history = stage.lop(&["history"]);
    assert!(
        history.out.contains("undo ban") || history.status == 0,
        "{history}"
    );
}
