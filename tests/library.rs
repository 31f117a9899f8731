//! lop as a library: (program, test, what is returned). The example of the crate's documentation is a test of its own.

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lop::{
    CandidateTest, CandidateVerdict, ReducedProgram, Reduction, ReductionBuilder, ReductionError,
    ReductionEvent,
};

const PROGRAM: &str = "int spare;\nint f(int a)\n{\n    int b = a;\n    return b / 0;\n}\n";

/// A reduction of the program to what has this text.
fn reduction(needle: &'static str) -> ReductionBuilder {
    let has = move |text: &[u8]| String::from_utf8_lossy(text).contains(needle);
    Reduction::builder().text("bug.c", PROGRAM).test(has)
}

#[track_caller]
fn run(builder: ReductionBuilder) -> ReducedProgram {
    builder
        .build()
        .expect("a reduction")
        .run()
        .expect("a result")
}

#[track_caller]
fn build_error(builder: ReductionBuilder) -> String {
    match builder.build() {
        Ok(_) => panic!("it was built"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_function_reduces_and_the_number_of_jobs_changes_nothing() {
    let one = run(reduction("b / 0"));
    assert_eq!(one.text.trim_ascii(), b"b / 0");
    assert_eq!((one.size.tokens, one.original.tokens), (3, 21));
    assert_eq!(one.original.bytes as usize, PROGRAM.len());
    assert_eq!(one.size.bytes as usize, one.text.len());
    assert!(
        one.is_complete && one.is_minimal && one.tests > 0,
        "{one:?}"
    );
    assert!(one.certificate.starts_with("1-tree-minimal"), "{one:?}");
    let four = run(reduction("b / 0").jobs(4));
    assert_eq!((four.text, four.tests), (one.text, one.tests));
}

#[test]
fn a_test_may_say_that_a_candidate_is_invalid() {
    struct Balanced(Arc<AtomicUsize>);
    impl CandidateTest for Balanced {
        fn judge(&self, candidate: &[u8]) -> CandidateVerdict {
            let count = |sign| candidate.iter().filter(|byte| **byte == sign).count();
            if count(b'{') != count(b'}') {
                self.0.fetch_add(1, Ordering::Relaxed);
                return CandidateVerdict::Invalid;
            }
            match count(b'{') {
                0 => CandidateVerdict::Uninteresting,
                _ => CandidateVerdict::Interesting,
            }
        }
    }
    let invalid = Arc::new(AtomicUsize::new(0));
    let builder = Reduction::builder().file("tests/samples/none.c");
    assert!(build_error(builder.test(Balanced(invalid.clone()))).contains("none.c: "));
    let builder = Reduction::builder().text("bug", PROGRAM);
    let reduced = run(builder.test(Balanced(invalid.clone())).effort("hard"));
    let braces = String::from_utf8_lossy(&reduced.text);
    let braces: Vec<&str> = braces.split_whitespace().collect();
    assert_eq!(braces.concat(), "{}");
    assert!(invalid.load(Ordering::Relaxed) > 0);
}

#[test]
fn a_script_or_a_command_may_be_the_test() {
    let directory = tempfile::tempdir().expect("a directory");
    let script = directory.path().join("test.sh");
    fs::write(
        &script,
        "#!/bin/sh\ngrep -q 'b / 0' \"$1\" && grep -q f bug.c\n",
    )
    .expect("a file");
    let program = directory.path().join("bug.c");
    fs::write(&program, PROGRAM).expect("a file");
    let builder = || {
        Reduction::builder()
            .file(&program)
            .timeout(Duration::from_secs(60))
    };
    let refused = builder().test_script(&script).build();
    assert!(
        matches!(refused, Err(ReductionError::BadFile { .. })),
        "not executable"
    );
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("a mode");
    let by_script = run(builder().test_script(&script).jobs(2));
    let by_command = run(builder().test_command("grep -q 'b / 0' {} && grep -q f {}"));
    assert_eq!(by_script.text, by_command.text);
    assert_eq!(fs::read_to_string(&program).expect("a file"), PROGRAM);
    let left = fs::read_dir(directory.path()).expect("a directory");
    assert_eq!(left.count(), 2, "nothing is written beside them");
}

#[test]
fn an_observer_sees_what_happens_and_may_stop_the_run() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let all = told.clone();
    run(reduction("b / 0").observer(move |event| {
        all.lock().expect("the list").push(event.clone());
        ControlFlow::Continue(())
    }));
    let told = std::mem::take(&mut *told.lock().expect("the list"));
    assert!(matches!(&told[0], ReductionEvent::Began { size } if size.tokens == 21));
    let has = |wanted: fn(&ReductionEvent) -> bool| told.iter().any(wanted);
    assert!(has(|event| matches!(
        event,
        ReductionEvent::PassBegan { .. }
    )));
    let uninteresting = Some(CandidateVerdict::Uninteresting);
    assert!(told.iter().any(
        |event| matches!(event, ReductionEvent::Decided { verdict, .. } if *verdict == uninteresting)
    ));
    let stopped = run(reduction("b / 0").observer(|event| match event {
        ReductionEvent::Reduced { .. } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    }));
    assert!(!stopped.is_complete && !stopped.is_minimal, "{stopped:?}");
    assert!(stopped.size.tokens < 21 && String::from_utf8_lossy(&stopped.text).contains("b / 0"));
}

#[test]
fn commands_steer_and_one_that_pauses_ends_the_run() {
    let kept = run(reduction("b / 0").command("pin spare"));
    assert!(
        String::from_utf8_lossy(&kept.text).contains("spare"),
        "{kept:?}"
    );
    let paused = run(reduction("b / 0").command("until size 15"));
    assert!(!paused.is_complete, "{paused:?}");
}

#[test]
fn options_have_their_meaning() {
    let lines = run(reduction("b / 0").strategy("lines+ddmin"));
    assert_eq!(lines.text.trim_ascii(), b"return b / 0;");
    let text = run(reduction("b / 0").language("text").effort("quick"));
    assert!(text.size.tokens > 0);
}

#[test]
fn bad_input_is_an_error_and_no_panic() {
    let none = || Reduction::builder().test(|_: &[u8]| true);
    assert!(build_error(none()).contains("no program"));
    assert!(build_error(Reduction::builder().text("a.c", "")).contains("no test"));
    for (builder, said) in [
        (
            reduction("b").language("klingon"),
            "there is no language klingon; there are ",
        ),
        (reduction("b").strategy("magic"), "magic is not a strategy"),
        (
            reduction("b").effort("none"),
            "there are quick, normal and hard",
        ),
        (reduction("b").command("fly"), "line 1: "),
        (
            Reduction::builder().text("a.c", "b").test_script("no.sh"),
            "no.sh",
        ),
    ] {
        let error = build_error(builder);
        assert!(error.contains(said), "{said}: {error}");
    }
    let refused = reduction("missing").build().expect("a reduction").run();
    assert!(matches!(refused, Err(ReductionError::NotInteresting)));
    let all = |_: &[u8]| true;
    for text in ["", "\0", "{{{{", "\u{feff}int"] {
        let reduced = run(Reduction::builder().text("..", text).test(all).jobs(0));
        assert_eq!(reduced.text, b"", "{text:?}");
    }
    let bytes = Reduction::builder().text("a.c", vec![0xff, b'(', 0xfe]);
    let reduced = run(bytes.test(|text: &[u8]| text.contains(&0xfe)));
    assert_eq!(reduced.text, [0xfe]);
}

#[test]
fn a_test_that_fails_gives_the_best_program_before() {
    let calls = AtomicUsize::new(0);
    let tires = move |text: &[u8]| {
        let is_tired = calls.fetch_add(1, Ordering::Relaxed) > 20;
        assert!(!is_tired, "too many questions");
        text.contains(&b'/')
    };
    let failing = Reduction::builder().text("bug.c", PROGRAM).test(tires);
    let error = failing
        .build()
        .expect("a reduction")
        .run()
        .expect_err("a fault");
    let ReductionError::TestFailed { reason, best } = error else {
        panic!("{error}");
    };
    assert!(
        reason.contains("it panicked: too many questions"),
        "{reason}"
    );
    assert!(best.is_some_and(|best| best.text.contains(&b'/') && best.size.tokens < 21));
    let command = Reduction::builder().text("bug.c", PROGRAM);
    let command = command.test_command("no-such-program {}").build();
    let error = command.expect("a reduction").run().expect_err("a fault");
    assert!(error.to_string().contains("127"), "{error}");
}
