//! Tests that stay alive, on each level of containment.

use std::path::PathBuf;
use std::sync::mpsc;

use lop::oracle::{
    InterestingnessTest, JobId, JobResult, LimitKind, LocalRunner, Runner, StageCommand, StageRole,
    TestExit, TestFiles, TestJob, TestOutcome, TestStage, TimeLimits, Verdict,
};

use crate::suite_directory::{PATIENCE, Place, job, listen};

/// A server that does this for each candidate in `$f`.
fn server(place: &Place, body: &str) -> InterestingnessTest {
    let script = format!("#!/bin/sh\nwhile read -r dir; do\nf=$dir/bug.c\n{body}\ndone\n");
    let line = StageCommand::Serve(format!("'{}'", place.file(&script).display()));
    InterestingnessTest::without_property(vec![TestStage::new(StageRole::Says, line)])
}

fn submit(runner: &mut LocalRunner, id: u64, text: &str) {
    runner.submit(TestJob {
        id: JobId(id),
        files: vec![(PathBuf::from("bug.c"), text.as_bytes().into())],
        limits: TimeLimits::wall_only(PATIENCE),
        alone: false,
        fresh: false,
    });
}

fn next(runner: &LocalRunner) -> JobResult {
    let answer = runner.result_receiver().recv_timeout(PATIENCE);
    answer.expect("an answer")
}

/// The verdict, and what was printed.
fn verdict(result: JobResult) -> (Verdict, String) {
    match result.outcome {
        TestOutcome::Verdict(verdict, run) => (verdict, run.output.to_text()),
        other => panic!("no verdict: {other:?}"),
    }
}

#[test]
#[ignore = "long"]
fn a_server_answers_every_job_once_and_leaves_nothing() {
    for (level, place) in Place::levels() {
        // It leaves a process and files, also beside the candidate.
        let test = server(
            &place,
            "sleep 1000 >/dev/null 2>&1 & mkdir \"$dir/more\"; echo >>\"$TMPDIR/kept\"; cat \"$f\" >&2\n\
             case $(cat \"$f\") in *[05]) echo 0 ;; *) echo 1 ;; esac",
        );
        let mut runner = place.runner(&test, 3);
        for id in 0..40 {
            submit(&mut runner, id, &id.to_string());
        }
        for _ in 0..40 {
            let result = next(&runner);
            assert_eq!(result.notice, None, "{level}");
            let id = result.id.0;
            let expected = match id % 5 {
                0 => Verdict::Interesting,
                _ => Verdict::Uninteresting,
            };
            assert_eq!(verdict(result), (expected, id.to_string()), "{level}");
        }
        assert!(runner.result_receiver().is_empty(), "{level}");
        drop(runner);
        place.assert_clean();
    }
}

#[test]
#[ignore = "long"]
fn what_a_server_puts_in_the_place_of_a_candidate_s_directory_leads_lop_nowhere() {
    let levels = Place::levels().into_iter();
    let mut sandboxes = levels.filter(|(level, _)| *level == "sandbox");
    let Some((_, place)) = sandboxes.next() else {
        println!("SKIPPED: no sandbox can be made");
        return;
    };
    let theirs = place.dir.path().join("theirs");
    std::fs::create_dir_all(theirs.join("inner")).expect("directories");
    // A child replaces what is new, while lop writes a large project into it.
    let test = server(
        &place,
        &format!(
            "if [ ! -e begun ]; then\n: >begun\n(while :; do for new in ../../*; do\n\
             [ \"$new\" -ef .. ] || [ -L \"$new/w\" ] || {{ mv \"$new/w\" \"$new/x\" && ln -s '{theirs}' \"$new/w\"; }}\n\
             done; done) >/dev/null 2>&1 &\nfi\necho 1",
            theirs = theirs.display()
        ),
    );
    let names = (0..1000).map(|number| PathBuf::from(format!("inner/{number}.c")));
    let names = names.chain([PathBuf::from("bug.c")]);
    let files: TestFiles = names.map(|name| (name, b"".as_slice().into())).collect();
    let mut runner = place.runner(&test, 1);
    for id in 0..8 {
        runner.submit(TestJob {
            files: files.clone(),
            ..job(id, TimeLimits::wall_only(PATIENCE))
        });
        // It may be that nobody can write where the directory was.
        let _ = next(&runner);
    }
    drop(runner);
    let left = |dir: PathBuf| std::fs::read_dir(dir).expect("it is there").count();
    assert_eq!((left(theirs.join("inner")), left(theirs)), (0, 1));
    place.assert_clean();
}

#[test]
fn the_answer_to_a_question_that_was_withdrawn_is_nobody_elses() {
    let place = Place::helped();
    let (begun_pipe, gate) = (place.fifo("begun"), place.fifo("gate"));
    let (tell, begun) = mpsc::channel();
    let _writers = listen(&begun_pipe, move || tell.send(()).expect("told"));
    let test = server(
        &place,
        &format!(
            "echo $$ >&2\nif grep -q wait \"$f\"; then echo begun >'{}'; read -r go <'{}'; echo 0; continue; fi\necho 1",
            begun_pipe.display(),
            gate.display()
        ),
    );
    let mut runner = place.runner(&test, 1);
    submit(&mut runner, 1, "first");
    let (_, process) = verdict(next(&runner));
    submit(&mut runner, 2, "wait");
    begun.recv_timeout(PATIENCE).expect("it was asked");
    runner.cancel(JobId(2));
    assert!(matches!(next(&runner).outcome, TestOutcome::Cancelled));
    submit(&mut runner, 3, "another");
    std::fs::write(&gate, "go\n").expect("opened");
    let (said, same) = verdict(next(&runner));
    assert_eq!((said, same), (Verdict::Uninteresting, process));
    drop(runner);
    place.assert_clean();
}

#[test]
fn a_limit_that_a_child_of_the_server_meets_counts_before_its_answer() {
    let levels = Place::levels().into_iter();
    for (level, mut place) in levels.filter(|(_, place)| place.care.cgroups) {
        place.care.quotas.memory = Some(64_000_000);
        let test = server(
            &place,
            "awk 'BEGIN { s = \"0123456789abcdef\"; for (i = 0; i < 24; i++) s = s s }'; echo 0",
        );
        let mut runner = place.runner(&test, 1);
        for fresh in [false, true] {
            runner.submit(TestJob {
                fresh,
                ..job(u64::from(fresh), TimeLimits::wall_only(PATIENCE))
            });
            match next(&runner).outcome {
                TestOutcome::Verdict(_, run) => assert_eq!(
                    run.exit,
                    TestExit::Killed(LimitKind::Memory),
                    "{level}, fresh: {fresh}"
                ),
                other => panic!("{level}: no verdict: {other:?}"),
            }
        }
        drop(runner);
        place.assert_clean();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_limit_holds_while_nobody_asks_and_the_next_server_has_another_directory() {
    // A pipe would lie outside of a sandbox.
    let levels = Place::levels().into_iter();
    for (level, mut place) in
        levels.filter(|(_, place)| place.helper.is_some() && !place.care.sandbox)
    {
        place.care.quotas.disk = Some(16_000_000);
        let (begun_pipe, gate) = (place.fifo("begun"), place.fifo("gate"));
        let (tell, begun) = mpsc::channel();
        let writers = listen(&begun_pipe, move || tell.send(()).expect("told"));
        let fills = format!(
            "exec 3>'{}'; echo begun >&3; (read -r go <'{}'; head -c 32000000 /dev/zero >large; exec sleep 1000) >/dev/null 2>&1 &",
            begun_pipe.display(),
            gate.display()
        );
        let body = format!(
            "mkdir lock || echo taken >&2\nif grep -q first \"$f\"; then {fills}\nfi\necho 1"
        );
        let mut runner = place.runner(&server(&place, &body), 1);
        submit(&mut runner, 1, "first");
        let free = (Verdict::Uninteresting, String::new());
        assert_eq!(verdict(next(&runner)), free, "{level}");
        begun.recv_timeout(PATIENCE).expect("it was asked");
        std::fs::write(&gate, "go\n").expect("opened");
        assert_eq!(writers.join().expect("read"), "", "{level}: it is dead");
        submit(&mut runner, 2, "second");
        assert_eq!(verdict(next(&runner)), free, "{level}");
        drop(runner);
        place.assert_clean();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_whose_first_question_was_withdrawn_is_not_new_any_more() {
    let place = Place::helped();
    let (begun_pipe, gate) = (place.fifo("begun"), place.fifo("gate"));
    let (tell, begun) = mpsc::channel();
    let _writers = listen(&begun_pipe, move || tell.send(()).expect("told"));
    let body = format!(
        "n=$((n + 1)); if [ $n -gt 1 ]; then echo 0; continue; fi\n\
         if grep -q wait \"$f\"; then echo begun >'{}'; read -r go <'{}'; fi\necho 1",
        begun_pipe.display(),
        gate.display()
    );
    let mut runner = place.runner(&server(&place, &body), 1);
    submit(&mut runner, 1, "wait");
    begun.recv_timeout(PATIENCE).expect("it was asked");
    runner.cancel(JobId(1));
    assert!(matches!(next(&runner).outcome, TestOutcome::Cancelled));
    std::fs::write(&gate, "go\n").expect("opened");
    submit(&mut runner, 2, "another");
    // What it says after the first question is confirmed, and so found out.
    let result = next(&runner);
    assert!(result.notice.is_some());
    assert_eq!(verdict(result).0, Verdict::Uninteresting);
}

#[test]
#[ignore = "long"]
#[cfg(target_os = "linux")]
fn who_waits_too_long_after_a_withdrawal_is_ended_although_nobody_asks() {
    let place = Place::helped();
    let begun_pipe = place.fifo("begun");
    let (tell, begun) = mpsc::channel();
    let writers = listen(&begun_pipe, move || tell.send(()).expect("told"));
    let body = format!(
        "if grep -q wait \"$f\"; then exec 3>'{}'; echo begun >&3; sleep 1000; fi\necho 1",
        begun_pipe.display()
    );
    let mut runner = place.runner(&server(&place, &body), 1);
    submit(&mut runner, 1, "first");
    assert_eq!(verdict(next(&runner)).0, Verdict::Uninteresting);
    submit(&mut runner, 2, "wait");
    begun.recv_timeout(PATIENCE).expect("it was asked");
    runner.cancel(JobId(2));
    assert!(matches!(next(&runner).outcome, TestOutcome::Cancelled));
    assert_eq!(writers.join().expect("read"), "", "it is dead");
    submit(&mut runner, 3, "another");
    assert_eq!(verdict(next(&runner)).0, Verdict::Uninteresting);
    drop(runner);
    place.assert_clean();
}

#[test]
#[ignore = "long"]
fn a_server_that_ends_by_itself_leaves_its_directory_to_nobody() {
    for (level, place) in Place::levels() {
        let test = server(
            &place,
            "n=$((n + 1)); [ $n -gt 1 ] || mkdir lock || echo taken >&2\n\
             if grep -q bug \"$f\"; then echo 0; else echo 1; fi\n[ $n -lt 3 ] || exit",
        );
        let mut runner = place.runner(&test, 1);
        for id in 0..20 {
            let (text, expected) = match id % 4 {
                0 => ("bug", Verdict::Interesting),
                _ => ("nothing", Verdict::Uninteresting),
            };
            submit(&mut runner, id, text);
            let result = next(&runner);
            assert_eq!(result.notice, None, "{level}");
            assert_eq!(verdict(result), (expected, String::new()), "{level}");
        }
        drop(runner);
        place.assert_clean();
    }
}

#[test]
fn who_waits_for_a_server_is_stopped_with_the_runner() {
    // A pipe would lie outside of a sandbox.
    let levels = Place::levels().into_iter();
    for (level, place) in levels.filter(|(level, _)| *level != "sandbox") {
        let begun_pipe = place.fifo("begun");
        let (tell, begun) = mpsc::channel();
        let writers = listen(&begun_pipe, move || tell.send(()).expect("told"));
        let test = server(
            &place,
            &format!(
                "exec 3>'{}'; echo begun >&3; sleep 1000",
                begun_pipe.display()
            ),
        );
        let mut runner = place.runner(&test, 1);
        submit(&mut runner, 1, "candidate");
        begun.recv_timeout(PATIENCE).expect("it was asked");
        drop(runner);
        assert_eq!(writers.join().expect("read"), "", "{level}: it is dead");
        place.assert_clean();
    }
}
