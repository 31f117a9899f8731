//! Concurrent tests, and cancelled tests.

use std::fs;
use std::path::PathBuf;
use std::sync::mpsc;

use lop::oracle::{
    InterestingnessTest, JobId, JobResult, LocalRunner, Runner, TestJob, TestOutcome, TimeLimits,
    Verdict,
};

use crate::suite_directory::{PATIENCE, Place, Writers, job, listen};

/// A test that hangs and keeps a pipe open; who has the pipe; and the word that it has begun.
fn hanging(place: &Place) -> (InterestingnessTest, Writers, mpsc::Receiver<()>) {
    let fifo = place.fifo("fifo");
    let (tell, begun) = mpsc::channel();
    let writers = listen(&fifo, move || tell.send(()).expect("told"));
    let script = format!("exec >'{}'\necho begun\nsleep 1000", fifo.display());
    (place.test(&script), writers, begun)
}

fn next(runner: &LocalRunner) -> JobResult {
    runner
        .result_receiver()
        .recv_timeout(PATIENCE)
        .expect("an answer")
}

#[test]
fn a_runner_answers_every_job_once() {
    for place in Place::both() {
        let test = place.test(r#"case $(cat bug.c) in *[05]) exit 0 ;; *) exit 1 ;; esac"#);
        let mut runner = place.runner(&test, 3);
        let count = 40;
        for id in 0..count {
            let files = vec![(PathBuf::from("bug.c"), id.to_string().into_bytes().into())];
            runner.submit(TestJob {
                id: JobId(id),
                files,
                limits: TimeLimits::wall_only(PATIENCE),
                alone: false,
                fresh: false,
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
                Verdict::Uninteresting
            })
        };
        assert_eq!(
            answers,
            (0..count).map(|id| (id, expected(id))).collect::<Vec<_>>()
        );
        assert!(runner.result_receiver().is_empty());
        place.assert_clean();
    }
}

#[test]
fn a_running_test_is_cancelled_at_once() {
    for place in Place::both() {
        let (test, writers, begun) = hanging(&place);
        let mut runner = place.runner(&test, 1);
        runner.submit(job(1, TimeLimits::default()));
        runner.submit(job(2, TimeLimits::default()));
        runner.cancel(JobId(2));
        let waiting = next(&runner);
        assert!(
            waiting.id == JobId(2) && matches!(waiting.outcome, TestOutcome::Cancelled),
            "{waiting:?}"
        );

        begun.recv_timeout(PATIENCE).expect("the test runs");
        runner.cancel(JobId(1));
        let running = next(&runner);
        assert!(
            running.id == JobId(1) && matches!(running.outcome, TestOutcome::Cancelled),
            "{running:?}"
        );
        assert_eq!(writers.join().expect("read"), "", "it is dead");
        place.assert_clean();
        runner.cancel(JobId(1));
        runner.cancel(JobId(77));
        assert!(
            runner.result_receiver().is_empty(),
            "what is over cannot be cancelled"
        );
    }
}

#[test]
fn a_cancelled_job_does_not_cancel_the_next() {
    for place in Place::both() {
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
        let mut runner = place.runner(&place.test(&script), 1);
        runner.submit(job(1, TimeLimits::default()));
        runner.submit(job(2, TimeLimits::default()));
        begun.recv_timeout(PATIENCE).expect("the test runs");
        runner.cancel(JobId(1));
        runner.cancel(JobId(1));
        assert!(matches!(next(&runner).outcome, TestOutcome::Cancelled));
        assert_eq!(next(&runner).outcome.verdict(), Some(Verdict::Interesting));
    }
}

#[test]
fn a_runner_that_is_dropped_leaves_nothing() {
    for place in Place::both() {
        let (test, writers, begun) = hanging(&place);
        let mut runner = place.runner(&test, 2);
        runner.submit(job(1, TimeLimits::default()));
        begun.recv_timeout(PATIENCE).expect("the test runs");
        drop(runner);
        place.assert_clean();
        assert_eq!(writers.join().expect("read"), "", "it is dead");
    }
}

#[test]
fn a_job_that_wants_to_be_alone_is_alone() {
    for place in Place::both() {
        let here = place.dir.path().join("here");
        fs::create_dir(&here).expect("a directory");
        // Each is in the directory while it runs. Who is alone sees nobody else there, early or late, and nobody sees it.
        let script = format!(
            r#"name=$(cat bug.c); cd '{}' && mkdir $name || exit 11
            see() {{ for other in *; do case $name.$other in $name.$name) ;; alone*|*.alone*) exit 12 ;; esac; done; }}
            see; sh -c 'i=0; while [ $i -lt 5000 ]; do i=$((i+1)); done'; see
            rmdir $name"#,
            here.display()
        );
        let mut runner = place.runner(&place.test(&script), 3);
        let count = 30;
        for id in 0..count {
            let alone = id % 4 == 3;
            let name = if alone {
                format!("alone{id}")
            } else {
                id.to_string()
            };
            runner.submit(TestJob {
                id: JobId(id),
                files: vec![(PathBuf::from("bug.c"), name.into_bytes().into())],
                limits: TimeLimits::wall_only(PATIENCE),
                alone,
                fresh: false,
            });
        }
        // One that waits to be alone and is cancelled holds nobody up.
        runner.cancel(JobId(27));
        for _ in 0..count {
            let answer = next(&runner);
            match answer.outcome {
                TestOutcome::Cancelled => assert_eq!(answer.id, JobId(27)),
                TestOutcome::Verdict(Verdict::Interesting, _) => {}
                other => panic!("{:?}: {other:?}", answer.id),
            }
        }
        place.assert_clean();
    }
}

#[test]
fn more_tests_run_at_a_time_when_the_runner_grows_and_fewer_when_it_shrinks() {
    for place in Place::both() {
        let fifo = place.fifo("fifo");
        // Each of two tests waits for the other: one after the other they would never end.
        let test = place.test(&format!(
            "if mkdir '{0}.first'; then cat '{0}'; else echo here >'{0}'; fi",
            fifo.display()
        ));
        let mut runner = place.runner(&test, 1);
        runner.set_max_jobs(2).expect("a second one");
        runner.submit(job(1, TimeLimits::wall_only(PATIENCE)));
        runner.submit(job(2, TimeLimits::wall_only(PATIENCE)));
        for _ in 0..2 {
            assert_eq!(next(&runner).outcome.verdict(), Some(Verdict::Interesting));
        }
        runner.set_max_jobs(1).expect("one is enough");
        assert_eq!(runner.max_jobs(), 1);
        place.assert_clean();
    }
}
