//! Tests that misbehave.

use std::fs;
use std::path::Path;
use std::time::Duration;

use lop::oracle::{LimitKind, TestExit, TestOutcome, TimeLimits, Verdict};

use crate::suite_directory::{PATIENCE, Place, bug, listen};

#[test]
#[ignore = "long"]
fn a_timeout_kills_the_whole_group() {
    for place in Place::both() {
        let fifo = place.fifo("fifo");
        let writers = listen(&fifo, || {});
        let script = format!(
            "trap '' TERM HUP INT\nexec >'{}'\necho begun\n(sleep 1000; echo no) &\nsh -c 'sleep 1000; echo no' &\nsleep 1000\necho no",
            fifo.display()
        );
        let limit = Duration::from_secs(2);
        match place.run_on(&place.test(&script), bug(), TimeLimits::wall_only(limit)) {
            TestOutcome::Verdict(Verdict::TimedOut, run) => {
                assert_eq!(run.exit, TestExit::Killed(LimitKind::Wall));
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
}

#[test]
fn a_process_left_behind_is_killed() {
    for place in Place::both() {
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
            (verdict, run.output.to_text()),
            (Verdict::Interesting, "said\n".to_owned())
        );
        assert_eq!(writers.join().expect("read"), "", "it is dead");
        assert!(run.time < PATIENCE);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_process_that_escapes_does_not_hold_us_up() {
    for place in Place::both() {
        let (fifo, go) = (place.fifo("fifo"), place.fifo("go"));
        let script = format!(
            "echo said\nsetsid sh -c \"exec 3>'{}'; echo begun >&3; exec sleep 1000\" &\nread -r line <'{}'",
            fifo.display(),
            go.display()
        );
        let writers = listen(&fifo, move || fs::write(go, "go\n").expect("written"));
        let (verdict, run) = place.ran(&script);
        assert_eq!(
            (verdict, run.output.to_text()),
            (Verdict::Interesting, "said\n".to_owned())
        );
        assert!(run.time < PATIENCE);
        assert_eq!(writers.join().expect("read"), "", "it is dead");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_process_that_hides_dies_with_the_run() {
    for place in Place::both() {
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
}

#[test]
fn both_streams_are_kept_in_their_order() {
    for place in Place::both() {
        let (_, run) = place.ran("echo one; echo two >&2; echo three; exit 1");
        assert_eq!(run.output.to_text(), "one\ntwo\nthree\n");
    }
}

#[test]
#[ignore = "long"]
fn of_much_output_the_ends_are_kept() {
    for place in Place::both() {
        let (_, run) = place.ran("echo begin; yes | head -c 300000000; echo end >&2");
        assert_eq!(run.output.omitted_bytes(), 300_000_000 + 10 - 64 * 1024);
        let text = run.output.to_text();
        assert!(text.starts_with("begin\ny\n") && text.ends_with("y\nend\n"));
        assert!(text.contains("\n[lop: 299934474 bytes are left out here]\n"));
        assert!(text.len() < 70_000);
    }
}

#[test]
#[ignore = "long"]
fn a_test_that_prints_for_ever_is_stopped_like_any_other() {
    for place in Place::both() {
        let limit = Duration::from_secs(1);
        match place.run_on(&place.test("exec yes"), bug(), TimeLimits::wall_only(limit)) {
            TestOutcome::Verdict(Verdict::TimedOut, run) => assert!(run.output.omitted_bytes() > 0),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn whatever_a_test_does_to_its_directories_they_are_gone() {
    for place in Place::both() {
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
                run.output.to_text()
            );
            place.assert_clean();
        }
        assert!(Path::new("/tmp").is_dir());
    }
}
