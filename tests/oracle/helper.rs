//! What only a helper can do: kill daemons, measure processor time exactly, and survive the death of lop; and the death of the helper.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use lop::oracle::{
    ContainmentKind, JobId, LimitKind, LocalRunner, ResourceQuotas, Runner, TestExit,
    TestIsolation, TestOutcome, TimeLimits, TrialRun, Verdict,
};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{Pid, PidfdFlags, Signal};

use crate::suite_directory::{PATIENCE, Place, bug, job, listen};

/// Starts a process that nothing but its descent ties to the test: another session, no parent, no TMPDIR, none of our pipes. It says
/// that it has begun, and keeps the pipe open.
pub fn daemon(fifo: &Path) -> String {
    format!(
        "setsid sh -c \"setsid env -i sh -c \\\"exec 3>'{}'; echo begun >&3; while :; do sleep 1000; done\\\" &\" >/dev/null 2>&1 </dev/null",
        fifo.display()
    )
}

fn cpu(limit: Duration) -> TimeLimits {
    TimeLimits {
        wall: Some(PATIENCE),
        cpu: Some(limit),
    }
}

#[test]
fn a_daemon_is_gone_after_a_verdict() {
    let place = Place::helped();
    let (fifo, go) = (place.fifo("fifo"), place.fifo("go"));
    let test = place.test(&format!(
        "{}\nread -r line <'{}'",
        daemon(&fifo),
        go.display()
    ));
    let mut runner = place.runner(&test, 1);
    let writers = listen(&fifo, move || fs::write(go, "go\n").expect("written"));
    runner.submit(job(1, TimeLimits::wall_only(PATIENCE)));
    let answer = runner
        .result_receiver()
        .recv_timeout(PATIENCE)
        .expect("an answer");
    assert_eq!(answer.outcome.verdict(), Some(Verdict::Interesting));
    assert_eq!(writers.join().expect("read"), "", "it is dead");
    place.assert_clean();
}

#[test]
#[ignore = "long"]
fn a_daemon_is_gone_after_a_timeout() {
    let place = Place::helped();
    let fifo = place.fifo("fifo");
    let test = place.test(&format!("{}\nsleep 1000", daemon(&fifo)));
    let mut runner = place.runner(&test, 1);
    let writers = listen(&fifo, || {});
    runner.submit(job(1, TimeLimits::wall_only(Duration::from_secs(2))));
    let answer = runner
        .result_receiver()
        .recv_timeout(PATIENCE)
        .expect("an answer");
    assert_eq!(answer.outcome.verdict(), Some(Verdict::TimedOut));
    assert_eq!(writers.join().expect("read"), "", "it is dead");
    place.assert_clean();
}

#[test]
fn a_daemon_is_gone_after_a_cancel() {
    let place = Place::helped();
    let fifo = place.fifo("fifo");
    let test = place.test(&format!("{}\nsleep 1000", daemon(&fifo)));
    let mut runner = place.runner(&test, 1);
    let (tell, begun) = mpsc::channel();
    let writers = listen(&fifo, move || tell.send(()).expect("told"));
    runner.submit(job(1, TimeLimits::default()));
    begun.recv_timeout(PATIENCE).expect("the daemon runs");
    runner.cancel(JobId(1));
    let answer = runner
        .result_receiver()
        .recv_timeout(PATIENCE)
        .expect("an answer");
    assert!(
        matches!(answer.outcome, TestOutcome::Cancelled),
        "{answer:?}"
    );
    assert_eq!(writers.join().expect("read"), "", "it is dead");
    place.assert_clean();
}

#[test]
fn daemons_that_make_daemons_are_all_gone() {
    let place = Place::helped();
    let (fifo, go) = (place.fifo("fifo"), place.fifo("go"));
    // Each lives for a moment in which it starts two others in sessions of their own.
    let comet = place.dir.path().join("comet");
    fs::write(
        &comet,
        format!(
            "exec 3>>'{}'\n[ \"$1\" = 0 ] && echo begun >&3 && exec sleep 1000\nsetsid sh \"$0\" $(($1-1)) & setsid sh \"$0\" $(($1-1)) &\n",
            fifo.display()
        ),
    )
    .expect("a script");
    let script = format!(
        "sh '{}' 4 >/dev/null 2>&1 &\nread -r line <'{}'",
        comet.display(),
        go.display()
    );
    let writers = listen(&fifo, move || fs::write(go, "go\n").expect("written"));
    let (verdict, _) = place.ran(&script);
    assert_eq!(verdict, Verdict::Interesting);
    // Of the others some may have begun before they were killed.
    let said = writers.join().expect("read: all are dead");
    assert_eq!(said.replace("begun\n", ""), "");
    place.assert_clean();
}

#[test]
fn a_burner_in_a_child_is_stopped_by_the_limit_of_processor_time() {
    for place in Place::both() {
        let limit = Duration::from_millis(300);
        let test = place.test("sh -c 'while :; do :; done' &\nwait");
        match place.run_on(&test, bug(), cpu(limit)) {
            TestOutcome::Verdict(Verdict::TimedOut, run) => {
                assert_eq!(run.exit, TestExit::Killed(LimitKind::Cpu));
                assert!(run.time < PATIENCE, "{:?}", run.time);
                // Without a helper, the child's time is unknown after the child was killed.
                assert!(place.helper.is_none() || run.cpu > Some(limit), "{run:?}");
            }
            other => panic!("{other:?}"),
        }
        place.assert_clean();
    }
}

#[test]
fn burners_are_counted_together_wherever_they_went() {
    let place = Place::helped();
    let limit = Duration::from_millis(300);
    for script in [
        // Many that end before they are looked at.
        "while :; do sh -c 'i=0; while [ $i -lt 10000 ]; do i=$((i+1)); done'; done",
        // One that nobody of the test waits for.
        "setsid sh -c \"setsid sh -c 'while :; do :; done' &\" >/dev/null 2>&1; sleep 1000",
    ] {
        match place.run_on(&place.test(script), bug(), cpu(limit)) {
            TestOutcome::Verdict(Verdict::TimedOut, run) => {
                assert_eq!(run.exit, TestExit::Killed(LimitKind::Cpu), "{script}");
                assert!(run.cpu > Some(limit), "{script}: {run:?}");
            }
            other => panic!("{script}: {other:?}"),
        }
    }
    place.assert_clean();
}

#[test]
fn processor_time_is_exact_and_counts_also_if_nobody_looked() {
    let place = Place::helped();
    let used = |script: &str| {
        let (_, run) = place.ran(script);
        run.cpu.expect("known")
    };
    let little = used("exit 0");
    assert!(
        little > Duration::ZERO && little < Duration::from_secs(5),
        "{little:?}"
    );
    let more = used("i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done");
    assert!(more > little, "{more:?}, {little:?}");
    // Over long before the first look.
    let limits = cpu(Duration::from_nanos(1));
    match place.run_on(&place.test("exit 0"), bug(), limits) {
        TestOutcome::Verdict(Verdict::TimedOut, run) => {
            assert_eq!(run.exit, TestExit::Killed(LimitKind::Cpu))
        }
        other => panic!("{other:?}"),
    }
}

/// A pipe that tells the end of all who hold it, and its first line.
fn first_line(fifo: &Path) -> (String, BufReader<File>) {
    let mut pipe = BufReader::new(File::open(fifo).expect("the pipe"));
    let mut line = String::new();
    pipe.read_line(&mut line).expect("a line");
    (line.trim().to_owned(), pipe)
}

fn process(pid: &str) -> OwnedFd {
    let pid = pid.parse().ok().and_then(Pid::from_raw).expect("a number");
    rustix::process::pidfd_open(pid, PidfdFlags::empty()).expect("a process")
}

fn wait_for_the_end_of(process: &OwnedFd) {
    let patience = Timespec {
        tv_sec: PATIENCE.as_secs().cast_signed(),
        tv_nsec: 0,
    };
    let mut waiting = [PollFd::new(process, PollFlags::IN)];
    let ended = rustix::event::poll(&mut waiting, Some(&patience)).expect("waited");
    assert_eq!(ended, 1, "it lives");
}

#[test]
fn if_lop_is_killed_helper_and_test_die_and_the_directory_goes() {
    lop_is_killed(|_| {});
}

/// Starts lop as its child, says its number, and lives until its standard input ends.
const REAPER: &str = "import ctypes, subprocess, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
null = subprocess.DEVNULL
print(subprocess.Popen(sys.argv[1:], stdin=null, stdout=null, stderr=null).pid, flush=True)
sys.stdin.read()";

#[test]
fn a_helper_in_a_sandbox_that_is_stopped_when_lop_is_killed_ends_too() {
    let levels = Place::levels().into_iter();
    let Some((_, place)) = levels.into_iter().find(|(name, _)| *name == "sandbox") else {
        println!("SKIPPED: no sandbox can be made here");
        return;
    };
    // The second test, when lop is in the middle of its run. Only the sandbox's own directory can be written.
    place.test("grep -q 'int a' bug.c && exit 0\necho >\"$TMPDIR/begun\"\nexec sleep 1000");
    fs::write(place.dir.path().join("bug.c"), "int a;\nint bug;\n").expect("a program");
    // Whose orphans stay in its session, so that the kernel has no reason to wake who is stopped when lop dies.
    let line = "bug.c ./test.sh --plain --allow-empty --sandbox --no-session --jobs 1 --timeout 0 --scratch scratch";
    let reaper = Command::new("python3")
        .args(["-c", REAPER, env!("CARGO_BIN_EXE_lop")])
        .args(line.split(' '))
        .current_dir(place.dir.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut reaper) = reaper else {
        println!("SKIPPED: there is no python3");
        return;
    };
    let (mut number, said) = (String::new(), reaper.stdout.take());
    let mut said = BufReader::new(said.expect("what it says"));
    said.read_line(&mut number).expect("a line");
    let lop = number.trim().parse().ok().and_then(Pid::from_raw);
    let lop = lop.expect("a number");
    let begin = Instant::now();
    let inside = loop {
        let outside = children(lop).into_iter();
        let mut inside = outside.flat_map(children);
        let runs = |pid: &Pid| children(*pid).into_iter().any(sleeps);
        if let Some(inside) = inside.find(runs) {
            break inside;
        }
        assert!(begin.elapsed() < PATIENCE, "no test runs");
        std::thread::yield_now();
    };
    let process = process(&inside.as_raw_nonzero().to_string());
    stop(inside);
    rustix::process::kill_process(lop, Signal::KILL).expect("killed");
    wait_for_the_end_of(&process);
    drop(reaper.stdin.take());
    reaper.wait().expect("waited for");
}

#[test]
fn a_helper_that_is_stopped_when_lop_is_killed_goes_on_and_cleans_up() {
    lop_is_killed(|helper| {
        stop(helper);
        // The kernel hangs a stopped group up when it becomes orphaned, unless the other process of the helper, which sees lop's end a
        // moment earlier, has made it continue by then. Whichever is faster here: the helper must survive it.
        let group = rustix::process::getpgid(Some(helper)).expect("the helper's group");
        rustix::process::kill_process_group(group, Signal::HUP).expect("told");
    });
}

/// The processes that a process has started.
fn children(pid: Pid) -> Vec<Pid> {
    let tasks = fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero()));
    let lists = tasks.into_iter().flatten().flatten();
    let lists = lists.flat_map(|task| fs::read_to_string(task.path().join("children")));
    let numbers = lists.flat_map(|list| {
        let numbers = list.split_whitespace().map(|number| number.parse().ok());
        numbers
            .flatten()
            .filter_map(Pid::from_raw)
            .collect::<Vec<_>>()
    });
    numbers.collect()
}

fn sleeps(pid: Pid) -> bool {
    let line = fs::read(format!("/proc/{}/cmdline", pid.as_raw_nonzero()));
    line.is_ok_and(|line| line == b"sleep\x001000\0")
}

fn stop(process: Pid) {
    rustix::process::kill_process(process, Signal::STOP).expect("stopped");
    let stat = format!("/proc/{}/stat", process.as_raw_nonzero());
    while !fs::read_to_string(&stat)
        .expect("it lives")
        .contains(") T ")
    {
        std::thread::yield_now();
    }
}

/// In the middle of a test lop is killed, after something has been done to the helper: both and the directory are gone.
fn lop_is_killed(first: impl FnOnce(Pid)) {
    let place = Place::helped();
    let (fifo, daemons) = (place.fifo("fifo"), place.fifo("daemons"));
    // The second test, when lop is in the middle of its run and not of its first question.
    let script = format!(
        "mkdir '{}' && exit 0\n{}\nexec 3>'{}'\necho $PPID >&3\nsleep 1000",
        place.dir.path().join("asked").display(),
        daemon(&daemons),
        fifo.display()
    );
    let test = place.test(&script);
    let (tell, begun) = mpsc::channel();
    let writers = listen(&daemons, move || tell.send(()).expect("told"));
    let file = place.dir.path().join("bug.c");
    fs::write(&file, "int bug;\n").expect("a program");
    let scratch = place.dir.path().join("lop");
    fs::create_dir(&scratch).expect("a directory");
    let mut lop = Command::new(env!("CARGO_BIN_EXE_lop"))
        .args([
            &file,
            &test.script().expect("a script").path().to_path_buf(),
        ])
        .args(["--plain", "--allow-empty", "--no-session", "--scratch"])
        .arg(&scratch)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("lop");
    let (helper, mut pipe) = first_line(&fifo);
    let number = helper.trim().parse().ok().and_then(Pid::from_raw);
    let helper = process(&helper);
    begun.recv_timeout(PATIENCE).expect("the daemon runs");
    first(number.expect("a number"));
    lop.kill().expect("killed");
    lop.wait().expect("waited for");
    let (tell, dead) = mpsc::channel();
    std::thread::spawn(move || {
        let ended = pipe.read_to_string(&mut String::new());
        tell.send((ended, writers.join()))
    });
    let (test, daemon) = dead
        .recv_timeout(PATIENCE)
        .expect("test and daemon are dead");
    test.expect("read");
    assert_eq!(daemon.expect("read"), "");
    wait_for_the_end_of(&helper);
    for root in fs::read_dir(&scratch).expect("the scratch directory") {
        let root = root.expect("an entry").path();
        let left = fs::read_dir(&root).map_or(0, Iterator::count);
        assert!(
            !root.is_dir() || left == 0,
            "{} is not empty",
            root.display()
        );
    }
}

#[test]
fn without_a_helper_tests_run_all_the_same_and_it_is_said() {
    let place = Place::helped();
    for (program, reason) in [
        ("/no/such/lop", "No such file"),
        ("/bin/true", "it has died"),
        ("/bin/echo", "cannot be understood"),
    ] {
        let (test, scratch) = (place.test("exit 0"), place.scratch.clone());
        let program = Some(Path::new(program));
        let mut runner = LocalRunner::new(test, scratch, 2, program).expect("a runner");
        match &runner.containment().kind {
            ContainmentKind::ProcessGroup(Some(said)) => assert!(said.contains(reason), "{said}"),
            other => panic!("{other:?}"),
        }
        let said = runner.containment().to_string();
        assert!(
            said.starts_with("each test runs in a process group, for want of a helper process: ")
        );
        runner.submit(job(1, TimeLimits::wall_only(PATIENCE)));
        let answer = runner
            .result_receiver()
            .recv_timeout(PATIENCE)
            .expect("an answer");
        assert_eq!(answer.outcome.verdict(), Some(Verdict::Interesting));
    }
}

#[test]
fn who_wants_more_tests_at_a_time_does_not_wait_for_their_helpers() {
    let mut place = Place::helped();
    // Only the first helper ever greets.
    let (lop, first) = (env!("CARGO_BIN_EXE_lop"), place.dir.path().join("first"));
    let script = place.file_named("helper.sh");
    let text = format!(
        "#!/bin/sh\nmkdir '{}' && exec '{lop}' \"$@\"\nexec sleep 1000\n",
        first.display()
    );
    fs::write(&script, text).expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("executable");
    place.care.helper = Some(script);
    let mut runner = place.runner(&place.test("exit 0"), 1);
    runner.set_max_jobs(2).expect("a thread more");
    assert_eq!(runner.max_jobs(), 2);
}

#[test]
fn a_look_leaves_its_helper_to_the_next_look_and_to_the_run() {
    let place = Place::helped();
    let test = place.test("echo $PPID");
    let said = |outcome| match outcome {
        TestOutcome::Verdict(_, run) => Some(run.output.to_text()),
        _ => None,
    };
    let look = |care: &TestIsolation| {
        let limits = TimeLimits::wall_only(PATIENCE);
        let scratch = place.scratch.clone();
        let look = TrialRun::start(test.clone(), scratch, bug(), limits, care.clone());
        let seen = look.expect("a look").outcome_receiver().recv();
        said(seen.expect("an outcome").outcome)
    };
    let first = look(&place.care).expect("a verdict");
    assert_eq!(look(&place.care).as_ref(), Some(&first), "the same");
    assert_eq!(said(place.run("echo $PPID")), Some(first), "the run's too");

    let second = look(&place.care).expect("a verdict");
    let mut other = place.care.clone();
    (other.quotas, other.cgroups) = (ResourceQuotas::for_jobs(1), true);
    assert_ne!(look(&other), Some(second), "another control group");
}
