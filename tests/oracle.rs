//! Tests of tests: scripts of every kind are run, and what they leave behind is looked for.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use lop::oracle::{
    Answer, Exit, Files, Job, JobId, LocalRunner, NoVerdict, Outcome, Run, Runner, Scratch, Test,
    Verdict, run_once,
};

/// For what should happen at once: a busy machine may take its time, a broken lop would take for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// A directory with tests in it, and one for them to run in.
struct Place {
    dir: tempfile::TempDir,
    scratch: Scratch,
}

impl Place {
    fn new() -> Place {
        let dir = tempfile::tempdir().expect("a directory");
        let scratch =
            Scratch::choose(Some(&dir.path().join("scratch")), 0, 1).expect("a scratch directory");
        Place { dir, scratch }
    }

    /// An executable file with this text.
    fn file(&self, text: &str) -> PathBuf {
        let path = self.dir.path().join("test.sh");
        fs::write(&path, text).expect("a test");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        path
    }

    fn test(&self, script: &str) -> Test {
        Test::find(&self.file(&format!("#!/bin/sh\n{script}\n"))).expect("a test")
    }

    /// Runs the script on `bug.c`.
    fn run(&self, script: &str) -> Outcome {
        run_once(&self.test(script), &self.scratch, &bug(), Some(PATIENCE))
    }

    /// How the script ended on `bug.c`.
    fn ran(&self, script: &str) -> (Verdict, Run) {
        match self.run(script) {
            Outcome::Verdict(verdict, run) => (verdict, run),
            other => panic!("no verdict: {other:?}"),
        }
    }

    /// Nothing is left of the tests that ran.
    fn assert_clean(&self) {
        let left: Vec<_> = fs::read_dir(self.scratch.root())
            .expect("the root")
            .collect();
        assert!(left.is_empty(), "left behind: {left:?}");
    }

    /// A named pipe.
    fn fifo(&self, name: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        assert!(
            Command::new("mkfifo")
                .arg(&path)
                .status()
                .expect("mkfifo")
                .success()
        );
        path
    }
}

/// Waits until someone writes a first line to the pipe, calls `then`, and waits until the last writer is gone. Gives the rest.
fn listen(fifo: &Path, then: impl FnOnce() + Send + 'static) -> JoinHandle<String> {
    let fifo = fifo.to_path_buf();
    thread::spawn(move || {
        let mut pipe = BufReader::new(File::open(fifo).expect("the pipe"));
        let mut text = String::new();
        pipe.read_line(&mut text).expect("a line");
        assert_eq!(text, "begun\n");
        then();
        text.clear();
        pipe.read_to_string(&mut text).expect("the rest");
        text
    })
}

fn bug() -> Files {
    vec![(PathBuf::from("bug.c"), b"int bug;\n".as_slice().into())]
}

fn job(id: u64, limit: Option<Duration>) -> Job {
    Job {
        id: JobId(id),
        files: bug(),
        limit,
    }
}

fn next(runner: &LocalRunner) -> Answer {
    runner.answers().recv_timeout(PATIENCE).expect("an answer")
}

#[test]
fn the_exit_status_is_the_verdict() {
    let place = Place::new();
    for (script, verdict, exit) in [
        ("exit 0", Verdict::Interesting, Exit::Code(0)),
        ("exit 1", Verdict::Boring, Exit::Code(1)),
        ("exit 124", Verdict::Boring, Exit::Code(124)),
        ("exit 125", Verdict::Invalid, Exit::Code(125)),
        ("exit 255", Verdict::Boring, Exit::Code(255)),
        ("kill -SEGV $$", Verdict::Boring, Exit::Signal(11)),
        ("kill -KILL $$", Verdict::Boring, Exit::Signal(9)),
    ] {
        let (said, run) = place.ran(script);
        assert_eq!((said, run.exit), (verdict, exit), "{script}");
    }
    place.assert_clean();
}

#[test]
fn a_test_that_fails_gives_no_verdict() {
    let place = Place::new();
    let failure = |script| match place.run(script) {
        Outcome::NoVerdict(reason @ NoVerdict::TestFailed { .. }) => reason.to_string(),
        other => panic!("{script}: {other:?}"),
    };
    assert_eq!(
        failure("exit 126"),
        "the test failed: exit 126: a command in it is not executable"
    );
    let missing = failure("no-such-compiler bug.c");
    assert!(
        missing.starts_with("the test failed: exit 127: a command in it was not found ("),
        "{missing}"
    );
    assert!(missing.contains("no-such-compiler"), "{missing}");
}

#[test]
fn a_test_that_cannot_be_started_gives_no_verdict() {
    let place = Place::new();
    let test = place.test("exit 0");
    fs::remove_file(test.path()).expect("removed");
    match run_once(&test, &place.scratch, &bug(), None) {
        Outcome::NoVerdict(reason @ NoVerdict::CannotStart { .. }) => {
            assert!(!reason.may_pass());
            assert!(
                reason
                    .to_string()
                    .starts_with("the test failed: it cannot be started: No such file"),
                "{reason}"
            );
        }
        other => panic!("{other:?}"),
    }
    place.assert_clean();
}

#[test]
fn a_system_that_fails_gives_no_verdict() {
    let place = Place::new();
    fs::remove_dir(place.scratch.root()).expect("removed");
    fs::write(place.scratch.root(), "in the way").expect("a file in its place");
    match place.run("exit 0") {
        Outcome::NoVerdict(reason @ NoVerdict::System { .. }) => {
            assert!(reason.may_pass());
            assert!(
                reason
                    .to_string()
                    .starts_with("the system failed, not the test: writing the candidate: "),
                "{reason}"
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_candidate_lies_in_the_working_directory_and_is_the_argument() {
    let place = Place::new();
    let script = r#"
        [ "$(cat bug.c)" = "int bug;" ] || exit 11
        [ "$(ls -A)" = bug.c ] || exit 12
        [ $# = 1 ] || exit 13
        [ "$1" = "$PWD/bug.c" ] || [ "$1" -ef ./bug.c ] || exit 14
        case $1 in /*/bug.c) ;; *) exit 15 ;; esac"#;
    assert_eq!(place.ran(script).1.exit, Exit::Code(0));
}

#[test]
fn several_files_lie_where_they_belong() {
    let place = Place::new();
    let file = |path: &str, text: &str| (PathBuf::from(path), text.as_bytes().into());
    let test =
        place.test(r#"[ "$(cat src/a.c include/deep/a.h)" = "12" ] && [ "$1" -ef src/a.c ]"#);
    let files = vec![file("src/a.c", "1"), file("include/deep/a.h", "2")];
    assert_eq!(
        run_once(&test, &place.scratch, &files, Some(PATIENCE)).verdict(),
        Some(Verdict::Interesting)
    );
    for outside in ["../a.c", "/tmp/a.c", "a/../../a.c", ""] {
        let outcome = run_once(&test, &place.scratch, &vec![file(outside, "3")], None);
        assert!(
            matches!(outcome, Outcome::NoVerdict(NoVerdict::System { .. })),
            "{outside}: {outcome:?}"
        );
    }
    place.assert_clean();
}

#[test]
fn the_environment_is_ours_but_for_tmpdir() {
    let place = Place::new();
    let home = std::env::var("HOME").unwrap_or_default();
    let script = r#"
        [ "$TMPDIR" -ef ../t ] || exit 11
        [ -z "$(ls -A "$TMPDIR")" ] || exit 12
        touch "$TMPDIR/mine" || exit 13
        [ "$(ls -A)" = bug.c ] || exit 14
        if read -r line; then exit 15; fi
        printf %s "$HOME""#;
    let (_, run) = place.ran(script);
    assert_eq!((run.exit, run.output.text()), (Exit::Code(0), home));
    place.assert_clean();
}

#[test]
fn a_test_without_an_interpreter_is_run_by_the_shell() {
    let place = Place::new();
    let test = Test::find(&place.file("grep -q bug \"$1\"\n")).expect("a test");
    assert_eq!(
        run_once(&test, &place.scratch, &bug(), Some(PATIENCE)).verdict(),
        Some(Verdict::Interesting)
    );
}

#[test]
fn a_relative_path_is_resolved_where_the_user_is() {
    let place = Place::new();
    let absolute = place.test("grep -q bug bug.c").path().to_path_buf();
    let here = std::env::current_dir().expect("the current directory");
    let up: PathBuf = here.components().skip(1).map(|_| "..").collect();
    let relative = up.join(absolute.strip_prefix("/").expect("an absolute path"));
    let test = Test::find(&relative).expect("a test");
    assert!(test.path().is_absolute());
    assert_eq!(
        run_once(&test, &place.scratch, &bug(), Some(PATIENCE)).verdict(),
        Some(Verdict::Interesting)
    );
}

#[test]
fn a_test_that_is_not_executable_is_refused_with_what_to_type() {
    let place = Place::new();
    let path = place.file("exit 0");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("not executable");
    let message = Test::find(&path).expect_err("refused").to_string();
    assert!(
        message.contains(&format!("chmod +x {}", path.display())),
        "{message}"
    );
}

#[test]
fn a_timeout_kills_the_whole_group() {
    let place = Place::new();
    let fifo = place.fifo("fifo");
    let writers = listen(&fifo, || {});
    let script = format!(
        "trap '' TERM HUP INT\nexec >'{}'\necho begun\n(sleep 1000; echo no) &\nsh -c 'sleep 1000; echo no' &\nsleep 1000\necho no",
        fifo.display()
    );
    let limit = Duration::from_secs(2);
    match run_once(&place.test(&script), &place.scratch, &bug(), Some(limit)) {
        Outcome::Verdict(Verdict::TimedOut, run) => {
            assert_eq!(run.exit, Exit::Killed);
            assert!(run.time >= limit && run.time < PATIENCE, "{:?}", run.time);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(
        writers.join().expect("read"),
        "",
        "the pipe ends when its last writer is dead"
    );
    place.assert_clean();
}

#[test]
fn a_process_left_behind_is_killed() {
    let place = Place::new();
    let (fifo, go) = (place.fifo("fifo"), place.fifo("go"));
    let script = format!(
        "echo said\n(exec >'{}'; echo begun; exec sleep 1000) &\nread -r line <'{}'",
        fifo.display(),
        go.display()
    );
    // The script ends when its child has begun.
    let writers = listen(&fifo, move || fs::write(go, "go\n").expect("written"));
    let (verdict, run) = place.ran(&script);
    assert_eq!(
        (verdict, run.output.text()),
        (Verdict::Interesting, "said\n".to_owned())
    );
    assert_eq!(writers.join().expect("read"), "", "it is dead");
    assert!(run.time < PATIENCE);
}

#[test]
fn a_process_that_escapes_does_not_hold_us_up() {
    let place = Place::new();
    let (fifo, go) = (place.fifo("fifo"), place.fifo("go"));
    let script = format!(
        "echo said\nsetsid sh -c \"exec 3>'{}'; echo begun >&3; exec sleep 1000\" &\nread -r line <'{}'",
        fifo.display(),
        go.display()
    );
    let writers = listen(&fifo, move || fs::write(go, "go\n").expect("written"));
    let (verdict, run) = place.ran(&script);
    assert_eq!(
        (verdict, run.output.text()),
        (Verdict::Interesting, "said\n".to_owned())
    );
    assert!(run.time < PATIENCE);
    if cfg!(target_os = "linux") {
        assert_eq!(writers.join().expect("read"), "", "it is dead");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_process_that_hides_dies_with_the_run() {
    let place = Place::new();
    let (fifo, go) = (place.fifo("fifo"), place.fifo("go"));
    let script = format!(
        "setsid sh -c \"echo begun; exec sleep 1000\" >'{}' 2>&1 </dev/null &\nread -r line <'{}'",
        fifo.display(),
        go.display()
    );
    let writers = listen(&fifo, move || fs::write(go, "go\n").expect("written"));
    assert_eq!(place.ran(&script).0, Verdict::Interesting);
    drop(place);
    assert_eq!(writers.join().expect("read"), "", "it is dead");
}

#[test]
fn both_streams_are_kept_in_their_order() {
    let place = Place::new();
    let (_, run) = place.ran("echo one; echo two >&2; echo three; exit 1");
    assert_eq!(run.output.text(), "one\ntwo\nthree\n");
}

#[test]
fn of_much_output_the_ends_are_kept() {
    let place = Place::new();
    let (_, run) = place.ran("echo begin; yes | head -c 300000000; echo end >&2");
    assert_eq!(run.output.cut(), 300_000_000 + 10 - 64 * 1024);
    let text = run.output.text();
    assert!(text.starts_with("begin\ny\n") && text.ends_with("y\nend\n"));
    assert!(text.contains("\n[lop: 299934474 bytes are left out here]\n"));
    assert!(text.len() < 70_000);
}

#[test]
fn a_test_that_prints_for_ever_is_stopped_like_any_other() {
    let place = Place::new();
    let limit = Duration::from_secs(1);
    match run_once(&place.test("exec yes"), &place.scratch, &bug(), Some(limit)) {
        Outcome::Verdict(Verdict::TimedOut, run) => assert!(run.output.cut() > 0),
        other => panic!("{other:?}"),
    }
}

#[test]
fn whatever_a_test_does_to_its_directories_they_are_gone() {
    let place = Place::new();
    for script in [
        "rm -rf \"$PWD\"",
        "rm bug.c && mkdir -p bug.c/a",
        "mkdir -p a/b/c && touch a/b/c/file && chmod 000 a/b/c a/b a . \"$TMPDIR\"",
        "mkdir shut && touch shut/file && chmod 555 shut",
        "mv \"$PWD\" ../elsewhere",
        "ln -s / root; ln -s / \"$TMPDIR/root\"; mkfifo pipe",
        "i=0; while [ $i -lt 300 ]; do mkdir deeper_than_any_path && cd deeper_than_any_path || break; i=$((i+1)); done",
    ] {
        let (verdict, run) = place.ran(script);
        assert_eq!(
            verdict,
            Verdict::Interesting,
            "{script}: {}",
            run.output.text()
        );
        place.assert_clean();
    }
    assert!(Path::new("/tmp").is_dir());
}

#[test]
fn a_runner_answers_every_job_once() {
    let place = Place::new();
    let test = place.test(r#"case $(cat bug.c) in *[05]) exit 0 ;; *) exit 1 ;; esac"#);
    let mut runner = LocalRunner::new(test, place.scratch.clone(), 3).expect("a runner");
    let count = 40;
    for id in 0..count {
        let files = vec![(PathBuf::from("bug.c"), id.to_string().into_bytes().into())];
        runner.submit(Job {
            id: JobId(id),
            files,
            limit: Some(PATIENCE),
        });
    }
    let mut answers: Vec<_> = (0..count)
        .map(|_| next(&runner))
        .map(|answer| (answer.id.0, answer.outcome.verdict()))
        .collect();
    answers.sort_by_key(|(id, _)| *id);
    let expected = |id| {
        Some(if id % 5 == 0 {
            Verdict::Interesting
        } else {
            Verdict::Boring
        })
    };
    assert_eq!(
        answers,
        (0..count).map(|id| (id, expected(id))).collect::<Vec<_>>()
    );
    assert!(runner.answers().is_empty());
    place.assert_clean();
}

#[test]
fn a_running_test_is_cancelled_at_once() {
    let place = Place::new();
    let fifo = place.fifo("fifo");
    let (tell, begun) = mpsc::channel();
    let writers = listen(&fifo, move || tell.send(()).expect("told"));
    let test = place.test(&format!(
        "exec >'{}'\necho begun\nsleep 1000",
        fifo.display()
    ));
    let mut runner = LocalRunner::new(test, place.scratch.clone(), 1).expect("a runner");
    runner.submit(job(1, None));
    runner.submit(job(2, None));
    runner.cancel(JobId(2));
    let waiting = next(&runner);
    assert!(
        waiting.id == JobId(2) && matches!(waiting.outcome, Outcome::Cancelled),
        "{waiting:?}"
    );

    begun.recv_timeout(PATIENCE).expect("the test runs");
    runner.cancel(JobId(1));
    let running = next(&runner);
    assert!(
        running.id == JobId(1) && matches!(running.outcome, Outcome::Cancelled),
        "{running:?}"
    );
    assert_eq!(writers.join().expect("read"), "", "it is dead");
    place.assert_clean();
    runner.cancel(JobId(1));
    runner.cancel(JobId(77));
    assert!(
        runner.answers().is_empty(),
        "what is over cannot be cancelled"
    );
}

#[test]
fn a_cancelled_job_does_not_cancel_the_next() {
    let place = Place::new();
    let fifo = place.fifo("fifo");
    let (tell, begun) = mpsc::channel();
    let _writers = listen(&fifo, move || tell.send(()).expect("told"));
    let marker = place.dir.path().join("first");
    fs::write(&marker, "").expect("a file");
    let script = format!(
        "rm '{}' || exit 0\necho begun >'{}'\nsleep 1000",
        marker.display(),
        fifo.display()
    );
    let mut runner =
        LocalRunner::new(place.test(&script), place.scratch.clone(), 1).expect("a runner");
    runner.submit(job(1, None));
    runner.submit(job(2, None));
    begun.recv_timeout(PATIENCE).expect("the test runs");
    runner.cancel(JobId(1));
    runner.cancel(JobId(1));
    assert!(matches!(next(&runner).outcome, Outcome::Cancelled));
    assert_eq!(next(&runner).outcome.verdict(), Some(Verdict::Interesting));
}

#[test]
fn a_runner_that_is_dropped_leaves_nothing() {
    let place = Place::new();
    let fifo = place.fifo("fifo");
    let (tell, begun) = mpsc::channel();
    let writers = listen(&fifo, move || tell.send(()).expect("told"));
    let test = place.test(&format!(
        "exec >'{}'\necho begun\nsleep 1000",
        fifo.display()
    ));
    let mut runner = LocalRunner::new(test, place.scratch.clone(), 2).expect("a runner");
    runner.submit(job(1, None));
    begun.recv_timeout(PATIENCE).expect("the test runs");
    drop(runner);
    place.assert_clean();
    assert_eq!(writers.join().expect("read"), "", "it is dead");
}
