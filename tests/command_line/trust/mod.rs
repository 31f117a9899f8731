//! Sessions that somebody else may have made: they are shown, and nothing of them is run before the user agrees.

mod kept_files;
mod viewing;

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::Stage;
use crate::shell::terminal::Session;
use rustix::process::Signal;

/// Another user, where the tests run as root.
const OTHER: u32 = 65534;

/// A run that was stopped after it had accepted something: the session `bug.c-1`. From now on its test leaves a file when it runs.
fn stopped() -> Stage {
    let stage = Stage::new();
    let mut lop = stage.hanging_run();
    lop.signal(Signal::INT);
    lop.rest();
    assert_eq!(lop.wait(), 130);
    let line = format!(
        "touch {}; {}",
        stage.path("RAN").display(),
        crate::shell::FINDS_BUG
    );
    stage.test("hang.sh", &line);
    stage
}

fn own(stage: &Stage) -> PathBuf {
    stage.sessions().join("bug.c-1")
}

/// The same session in another place, as somebody sends it.
fn sent(stage: &Stage) -> PathBuf {
    let (from, to) = (own(stage), stage.path("sent"));
    let copied = Command::new("cp")
        .arg("-r")
        .args([from, to.clone()])
        .status();
    assert!(copied.expect("cp").success());
    to
}

/// `lop resume` of it, which says why not, and runs nothing.
fn refused(stage: &Stage, session: &str, why: &str) -> String {
    let before = stage.read("bug.lop.c");
    let end = stage.lop(&["resume", session]);
    assert!(end.status == 2 && end.err.contains(why), "{why}: {end}");
    assert!(end.err.contains("add --trust"), "{end}");
    assert!(!stage.path("RAN").exists(), "the test ran: {end}");
    assert_eq!(stage.read("bug.lop.c"), before);
    end.err
}

#[test]
fn a_session_that_lies_elsewhere_is_shown_and_goes_on_if_it_is_trusted() {
    let stage = stopped();
    sent(&stage);
    let said = refused(&stage, "sent", "sent does not lie in ");
    let row = |name: &str, what: PathBuf| format!("    {name:<12}{}", what.display());
    for shown in [
        row("test", stage.path("hang.sh")),
        row("writes", stage.path("bug.lop.c")),
        row("grammar", "lop's own of c".into()),
        row("runs", "with all your rights; --sandbox".into()),
        row("environment", "yours, as it is now".into()),
    ] {
        assert!(said.contains(&shown), "{shown}\n{said}");
    }
    let end = stage.lop(&["resume", "sent", "--json"]);
    let first = end.out.lines().next().unwrap_or_default();
    assert!(
        first.contains("\"error\"") && first.contains("may be somebody else's"),
        "{end}"
    );
    assert!(!stage.path("RAN").exists());
    let end = stage.lop(&["resume", "sent", "--trust"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(stage.path("RAN").exists());
    // The user's own session is resumed without a question.
    let end = stage.lop(&["resume", "bug.c-1"]);
    assert!(end.status == 0 && !end.err.contains("somebody"), "{end}");
}

#[test]
fn of_a_pair_both_tests_are_shown() {
    let stage = Stage::new();
    stage.write("seed.c", "int a;\nint stay;\n");
    stage.write("variant.c", "int a;\nint stay;\nint bug;\n");
    stage.test("works.sh", "grep -q stay seed.c");
    stage.test("fails.sh", "grep -q bug variant.c");
    let pair = ["pair", "seed.c", "variant.c", "works.sh", "fails.sh"];
    let end = stage.lop(&[&pair[..], &["--session", "sent"]].concat());
    assert_eq!(end.status, 0, "{end}");
    fs::remove_file(stage.path("sent/done")).expect("it is finished");
    let result = stage.read("variant.lop/variant.c");
    for test in ["works.sh", "fails.sh"] {
        stage.test(test, &format!("touch {}", stage.path("RAN").display()));
    }
    let end = stage.lop(&["resume", "sent"]);
    assert!(end.status == 2 && end.err.contains("add --trust"), "{end}");
    for (test, whose) in [("works.sh", "the seed"), ("fails.sh", "the variant")] {
        let shown = format!("{} for {whose}, as it is now", stage.path(test).display());
        assert!(end.err.contains(&shown), "{shown}\n{end}");
    }
    assert!(
        end.err
            .contains(&format!("{}; what is", stage.path("variant.lop").display())),
        "{end}"
    );
    assert!(!stage.path("RAN").exists(), "no test ran: {end}");
    assert_eq!(stage.read("variant.lop/variant.c"), result);
}

#[test]
fn what_others_can_write_to_is_not_ones_own() {
    let stage = stopped();
    let own = own(&stage);
    let (journal, done) = (own.join("journal.jsonl"), own.join("notes"));
    fs::write(&done, "").expect("a file");
    for (path, open, shut) in [
        (&own, 0o770, 0o700),
        (&stage.sessions(), 0o777, 0o700),
        (&journal, 0o660, 0o600),
        (&done, 0o602, 0o600),
    ] {
        fs::set_permissions(path, Permissions::from_mode(open)).expect("a mode");
        let why = format!("others can write to {}", path.display());
        refused(&stage, "bug.c-1", &why);
        fs::set_permissions(path, Permissions::from_mode(shut)).expect("a mode");
    }
    assert_eq!(stage.lop(&["resume", "bug.c-1"]).status, 0);
}

#[test]
fn what_belongs_to_another_user_is_not_ones_own() {
    if !rustix::process::geteuid().is_root() {
        println!("SKIPPED: only root can give files to another user");
        return;
    }
    let stage = stopped();
    let own = own(&stage);
    let (journal, notes) = (own.join("journal.jsonl"), own.join("notes"));
    fs::write(&notes, "").expect("a file");
    for path in [&own, &journal, &notes] {
        chown(path, Some(OTHER), None).expect("another owner");
        let why = format!("{} belongs to the user {OTHER}", path.display());
        refused(&stage, "bug.c-1", &why);
        chown(path, Some(0), None).expect("an owner");
    }
    assert_eq!(stage.lop(&["resume", "bug.c-1"]).status, 0);
}

#[test]
fn a_link_among_ones_own_sessions_leads_elsewhere() {
    let stage = stopped();
    let sent = sent(&stage);
    symlink(&sent, stage.sessions().join("linked")).expect("a link");
    refused(&stage, "linked", "does not lie in ");
    let journal = own(&stage).join("journal.jsonl");
    fs::remove_file(&journal).expect("removed");
    symlink(sent.join("journal.jsonl"), &journal).expect("a link");
    refused(&stage, "bug.c-1", "journal.jsonl is a link");
}

#[test]
fn where_the_output_leads_and_each_command_is_shown() {
    let stage = Stage::new();
    stage.test(
        "tool",
        "grep -q bug \"$1\" && echo 'internal error' && exit 1; exit 0",
    );
    stage.write("stop.txt", "at commit 1: stop\n");
    let tool = stage.path("tool").display().to_string();
    let check = format!("touch {}; true {{}}", stage.path("RAN").display());
    let line = [
        "bug.c",
        "--plain",
        "--session",
        "s",
        "--commands",
        "stop.txt",
    ];
    let end = stage.lop(&[&line[..], &["--check", &check, "--", &tool, "{}"]].concat());
    assert!(end.out.contains("lop resume"), "{end}");
    fs::remove_file(stage.path("RAN")).expect("it ran");
    stage.write("precious", &stage.read("bug.lop.c"));
    fs::remove_file(stage.path("bug.lop.c")).expect("removed");
    symlink("precious", stage.path("bug.lop.c")).expect("a link");
    let said = refused(&stage, "s", "s does not lie in ");
    let rows = [
        format!("    check       {check}\n"),
        format!("    command     {tool} {{}}\n"),
        format!("bug.lop.c, which is {};", stage.path("precious").display()),
    ];
    for row in rows {
        assert!(said.contains(&row), "{row}\n{said}");
    }
}

#[test]
fn ones_own_is_ones_own_whatever_ones_mask_is() {
    let stage = Stage::new();
    stage.hanging_test();
    // As users of groups of their own have it; and a lock stays behind who is killed.
    let line = "umask 002; exec \"$0\" bug.c hang.sh --json --timeout 0 --strategy perses";
    let mut lop = Stage::follow(stage.program("sh", &["-c", line, env!("CARGO_BIN_EXE_lop")]));
    lop.until_taken();
    lop.kill();
    assert!(own(&stage).join("lock").exists());
    stage.test("hang.sh", crate::shell::FINDS_BUG);
    let end = stage.lop(&["resume"]);
    assert!(end.status == 0 && !end.err.contains("somebody"), "{end}");
}

/// Asks about the session on a terminal, does something meanwhile, and answers.
fn asked(stage: &Stage, meanwhile: impl FnOnce(), answer: &str) -> (u32, String) {
    let mut lop = Session::start(stage, &["resume", "sent"]);
    lop.wait_for("lop: resume it? [y/N]");
    let shown = lop.screen.screen().contents();
    assert!(
        shown.contains("hang.sh") && shown.contains("writes"),
        "{shown}"
    );
    meanwhile();
    lop.send(answer);
    if answer == "y\n" && stage.path("sent/same").exists() {
        lop.wait_for("othing is left to try");
        lop.send("q");
    }
    lop.end()
}

#[test]
fn on_a_terminal_a_yes_goes_on_and_anything_else_does_nothing() {
    let stage = stopped();
    sent(&stage);
    for (answer, status, said) in [
        ("\n", 1, "nothing was done"),
        ("n\n", 1, "nothing was done"),
        ("\x03", 130, "stopped before the run resumed"),
    ] {
        let (end, text) = asked(&stage, || (), answer);
        assert!(end == status && text.contains(said), "{answer:?}: {text}");
        assert!(!stage.path("RAN").exists(), "{text}");
    }
    fs::write(stage.path("sent/same"), "").expect("a file");
    let (end, text) = asked(&stage, || (), "y\n");
    assert_eq!(end, 0, "{text}");
    assert!(stage.path("RAN").exists());
}

#[test]
fn what_is_exchanged_while_the_user_reads_is_not_gone_on_with() {
    let stage = stopped();
    let sent = sent(&stage);
    let other = Stage::new();
    assert_eq!(other.lop(&["bug.c", "test.sh"]).status, 0);
    let exchange = || {
        exchange(
            &sent.join("journal.jsonl"),
            &own(&other).join("journal.jsonl"),
        )
    };
    // The key leaves the screen, should there be one.
    let (end, text) = asked(&stage, exchange, "y\nq");
    assert!(
        end == 2 && text.contains("somebody has changed the session"),
        "{text}"
    );
    assert!(!stage.path("RAN").exists(), "{text}");
}

fn exchange(old: &Path, new: &Path) {
    fs::copy(new, old).expect("a journal");
}
