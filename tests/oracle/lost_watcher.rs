//! Tests that kill or stop the process that watches them.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use lop::oracle::{NoVerdict, ResourceQuotas, Runner, TestOutcome, TimeLimits, Verdict};
use rustix::process::{Pid, Signal};

use crate::helper::daemon;
use crate::suite_directory::{PATIENCE, Place, bug, job, listen};

/// What reaches the process that serves, the one that waits for it, and both.
const ATTACKS: [&str; 6] = [
    "kill -9 $PPID",
    "kill -STOP $PPID",
    "kill -9 $OUTER",
    "kill -STOP $OUTER",
    "kill -STOP $OUTER $PPID",
    "kill -9 $OUTER; kill -STOP $PPID",
];

/// Who waits for the process that serves.
const OUTER: &str = "read -r _ _ _ OUTER _ </proc/$PPID/stat\n";

#[test]
#[ignore = "long"]
fn whoever_loses_its_helper_is_asked_again_and_nothing_is_left() {
    for attack in ATTACKS {
        let place = Place::helped();
        let (fifo, first) = (place.fifo("fifo"), place.file_named("first"));
        // Only the first time, and when its daemon has begun.
        let go = place.fifo("go");
        let script = format!(
            "{OUTER}rm '{}' || exec grep -q bug bug.c\n{}\nread -r line <'{}'\necho >bug.c\n{attack}\nexit 1",
            first.display(),
            daemon(&fifo),
            go.display()
        );
        let mut runner = place.runner(&place.test(&script), 1);
        let writers = listen(&fifo, move || fs::write(go, "go\n").expect("written"));
        let mut ask = |id| {
            runner.submit(job(id, TimeLimits::default()));
            let answer = runner.result_receiver().recv_timeout(PATIENCE);
            answer.expect("an answer").outcome.verdict()
        };
        // Who waits for the one that serves can go, and nobody misses it.
        let harmless = matches!(attack, "kill -9 $OUTER" | "kill -STOP $OUTER");
        // The system may wake the one that serves when the other one goes, and then it has its answer.
        let may_wake = attack == "kill -9 $OUTER; kill -STOP $PPID";
        let answer = ask(1).unwrap_or_else(|| panic!("{attack}: there is no verdict"));
        let is_lost = answer == Verdict::Interesting;
        assert!(
            is_lost || answer == Verdict::Uninteresting,
            "{attack}: {answer:?}"
        );
        assert!(may_wake || is_lost != harmless, "{attack}: {answer:?}");
        let rest = writers.join();
        assert_eq!(rest, Ok(String::new()), "{attack}: the daemon is dead");
        place.assert_clean();
        assert_eq!(ask(2), Some(Verdict::Interesting), "{attack}");
    }
}

#[test]
fn who_kills_both_who_look_after_it_one_after_the_other_leaves_nothing() {
    let place = Place::helped();
    let (fifo, first) = (place.fifo("fifo"), place.file_named("first"));
    let second = place.file_named("second");
    let go = place.fifo("go");
    let script = format!(
        "{OUTER}if rm '{}'; then kill -9 $OUTER; exit 0; fi\nrm '{}' || exec grep -q bug bug.c\n{}\nread -r line <'{}'\nkill -9 $PPID\nexit 1",
        first.display(),
        second.display(),
        daemon(&fifo),
        go.display()
    );
    let mut runner = place.runner(&place.test(&script), 1);
    let writers = listen(&fifo, move || fs::write(go, "go\n").expect("written"));
    for id in [1, 2] {
        runner.submit(job(id, TimeLimits::default()));
        let answer = runner
            .result_receiver()
            .recv_timeout(PATIENCE)
            .expect("an answer");
        let verdict = answer.outcome.verdict();
        assert_eq!(verdict, Some(Verdict::Interesting), "{answer:?}");
    }
    assert_eq!(writers.join(), Ok(String::new()), "the daemon is dead");
    place.assert_clean();
}

#[test]
fn where_there_are_groups_nothing_is_left_of_who_kills_both_at_once() {
    let levels = Place::levels().into_iter();
    let Some((_, mut place)) = levels
        .into_iter()
        .find(|(name, _)| *name == "control groups")
    else {
        println!("SKIPPED: no control groups can be made here");
        return;
    };
    place.care.quotas = ResourceQuotas::for_jobs(1);
    let (fifo, first) = (place.fifo("fifo"), place.file_named("first"));
    let (go, groups) = (place.fifo("go"), place.dir.path().join("groups"));
    let script = format!(
        "{OUTER}rm '{}' || exec grep -q bug bug.c\ncat /proc/self/cgroup >'{}'\n{}\nread -r line <'{}'\nkill -9 $OUTER $PPID\nexit 1",
        first.display(),
        groups.display(),
        daemon(&fifo),
        go.display()
    );
    let mut runner = place.runner(&place.test(&script), 1);
    let writers = listen(&fifo, move || fs::write(go, "go\n").expect("written"));
    runner.submit(job(1, TimeLimits::default()));
    let answer = runner
        .result_receiver()
        .recv_timeout(PATIENCE)
        .expect("an answer");
    let verdict = answer.outcome.verdict();
    assert_eq!(verdict, Some(Verdict::Interesting), "{answer:?}");
    assert_eq!(writers.join(), Ok(String::new()), "the daemon is dead");
    place.assert_clean();
    let groups = fs::read_to_string(groups).expect("its groups");
    let ours = groups.lines().filter_map(|line| line.rsplit('/').next());
    let ours: Vec<&str> = ours.filter(|name| name.starts_with("lop-")).collect();
    assert!(!ours.is_empty(), "{groups}");
    for tree in fs::read_dir("/sys/fs/cgroup")
        .expect("the groups")
        .flatten()
    {
        let left = ours
            .iter()
            .find(|name| tree.path().join(name).exists() || tree.file_name() == **name);
        assert_eq!(left, None, "in {}", tree.path().display());
    }
}

#[test]
fn who_takes_descriptors_from_who_looks_after_it_takes_them_from_no_later_test() {
    let place = Place::helped();
    let first = place.file_named("first");
    let script = format!(
        "rm '{}' && prlimit --pid $PPID --nofile=8:8\ngrep -q bug bug.c",
        first.display()
    );
    let tool = Command::new("prlimit").arg("--version").output();
    if !tool.is_ok_and(|tool| tool.status.success()) {
        println!("SKIPPED: there is no prlimit");
        return;
    }
    let mut runner = place.runner(&place.test(&script), 1);
    // The first and the second may lack what was taken.
    let mut ask = |id| {
        runner.submit(job(id, TimeLimits::default()));
        let answer = runner
            .result_receiver()
            .recv_timeout(PATIENCE)
            .expect("an answer");
        answer.outcome
    };
    let before = [ask(1), ask(2)];
    assert!(!first.exists(), "it was asked: {before:?}");
    let last = ask(3);
    assert_eq!(
        last.verdict(),
        Some(Verdict::Interesting),
        "{last:?}, {before:?}"
    );
    place.assert_clean();
}

#[test]
#[ignore = "long"]
fn a_test_that_always_does_so_gets_no_verdict_and_it_is_said_why() {
    for (attack, said) in [
        ("kill -9 $PPID", "was killed"),
        ("kill -STOP $PPID", "was stopped"),
    ] {
        let place = Place::helped();
        let asked = place.file_named("asked");
        let script = format!("echo >>'{}'; {attack}; sleep 1000", asked.display());
        let outcome = place.run_on(&place.test(&script), bug(), TimeLimits::default());
        let TestOutcome::NoVerdict(reason @ NoVerdict::HelperLost { .. }) = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!(
            reason.to_string(),
            format!(
                "the process that looks after the test (lop __run, its parent) {said}, 3 times in a row"
            )
        );
        assert_eq!(
            fs::read_to_string(asked).expect("a file").lines().count(),
            3
        );
        place.assert_clean();
    }
}

/// What the system says a process does, as a letter.
fn state(pid: Pid) -> String {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    let stat = stat.expect("a process");
    let (_, fields) = stat.rsplit_once(") ").expect("fields");
    fields[..1].to_owned()
}

/// lop on a program of two questions, of which the second has no answer until `go` is written to.
fn in_the_middle(place: &Place) -> (Child, PathBuf, PathBuf) {
    let (fifo, go) = (place.fifo("fifo"), place.fifo("go"));
    let asked = place.dir.path().join("asked");
    let script = format!(
        "echo asked >>'{0}'\nif [ $(wc -l <'{0}') = 2 ]; then echo begun >'{1}'; read -r line <'{2}'; fi\ngrep -q bug bug.c",
        asked.display(),
        fifo.display(),
        go.display()
    );
    place.test(&script);
    fs::write(place.dir.path().join("bug.c"), "int a;\nint bug;\n").expect("a program");
    let lop = Command::new(env!("CARGO_BIN_EXE_lop"))
        .args([
            "bug.c",
            "./test.sh",
            "--plain",
            "--allow-empty",
            "--no-session",
        ])
        .args(["--timeout", "0", "--jobs", "1", "--scratch", "scratch"])
        .current_dir(place.dir.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("lop");
    let begun = fs::read_to_string(fifo).expect("the second question");
    assert_eq!(begun, "begun\n");
    (lop, go, asked)
}

/// How many tests a run needs that is stopped so often, and let go on at once, while its second question is asked.
fn asked_with(stops: u32) -> usize {
    let place = Place::helped();
    let (mut lop, go, asked) = in_the_middle(&place);
    let pid = Pid::from_child(&lop);
    for _ in 0..stops {
        rustix::process::kill_process(pid, Signal::TSTP).expect("a signal");
        while state(pid) != "T" {
            std::thread::yield_now();
        }
        rustix::process::kill_process(pid, Signal::CONT).expect("a signal");
        while state(pid) == "T" {
            std::thread::yield_now();
        }
    }
    fs::write(go, "go\n").expect("written");
    let mut said = String::new();
    let lines = lop.stdout.take();
    lines
        .expect("its lines")
        .read_to_string(&mut said)
        .expect("read");
    assert!(lop.wait().expect("its end").success(), "{said}");
    fs::read_to_string(asked).expect("a file").lines().count()
}

#[test]
fn a_run_that_the_user_stops_and_lets_go_on_asks_nothing_again() {
    assert_eq!(asked_with(20), asked_with(0));
}
