//! The environment of a test, and the verdicts of its exits.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use lop::oracle::{InterestingnessTest, NoVerdict, TestExit, TestOutcome, TimeLimits, Verdict};

use crate::suite_directory::{PATIENCE, Place, bug};

#[test]
fn the_exit_status_is_the_verdict() {
    for place in Place::both() {
        for (script, verdict, exit) in [
            ("exit 0", Verdict::Interesting, TestExit::Code(0)),
            ("exit 1", Verdict::Uninteresting, TestExit::Code(1)),
            ("exit 124", Verdict::Uninteresting, TestExit::Code(124)),
            ("exit 125", Verdict::Invalid, TestExit::Code(125)),
            ("exit 255", Verdict::Uninteresting, TestExit::Code(255)),
            (
                "kill -SEGV $$",
                Verdict::Uninteresting,
                TestExit::Signal(11),
            ),
            ("kill -KILL $$", Verdict::Uninteresting, TestExit::Signal(9)),
        ] {
            let (said, run) = place.ran(script);
            assert_eq!((said, run.exit), (verdict, exit), "{script}");
        }
        place.assert_clean();
    }
}

#[test]
fn a_test_that_fails_gives_no_verdict() {
    for place in Place::both() {
        let failure = |script| match place.run(script) {
            TestOutcome::NoVerdict(reason @ NoVerdict::TestFailed { .. }) => reason.to_string(),
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
}

#[test]
fn a_test_that_cannot_be_started_gives_no_verdict() {
    for place in Place::both() {
        let test = place.test("exit 0");
        fs::remove_file(test.script().expect("a script").path()).expect("removed");
        match place.run_on(&test, bug(), TimeLimits::default()) {
            TestOutcome::NoVerdict(reason @ NoVerdict::CannotStart { .. }) => {
                assert!(!reason.is_transient());
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
}

#[test]
fn a_system_that_fails_gives_no_verdict() {
    for place in Place::both() {
        fs::remove_dir(place.scratch.root_path()).expect("removed");
        fs::write(place.scratch.root_path(), "in the way").expect("a file in its place");
        match place.run("exit 0") {
            TestOutcome::NoVerdict(reason @ NoVerdict::System { .. }) => {
                assert!(reason.is_transient());
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
}

#[test]
fn the_candidate_lies_in_the_working_directory_and_is_the_argument() {
    for place in Place::both() {
        let script = r#"
        [ "$(cat bug.c)" = "int bug;" ] || exit 11
        [ "$(ls -A)" = bug.c ] || exit 12
        [ $# = 1 ] || exit 13
        [ "$1" = "$PWD/bug.c" ] || [ "$1" -ef ./bug.c ] || exit 14
        case $1 in /*/bug.c) ;; *) exit 15 ;; esac"#;
        assert_eq!(place.ran(script).1.exit, TestExit::Code(0));
    }
}

#[test]
fn several_files_lie_where_they_belong() {
    for place in Place::both() {
        let file = |path: &str, text: &str| (PathBuf::from(path), text.as_bytes().into());
        let test =
            place.test(r#"[ "$(cat src/a.c include/deep/a.h)" = "12" ] && [ "$1" -ef src/a.c ]"#);
        let files = vec![file("src/a.c", "1"), file("include/deep/a.h", "2")];
        assert_eq!(
            place
                .run_on(&test, files, TimeLimits::wall_only(PATIENCE))
                .verdict(),
            Some(Verdict::Interesting)
        );
        for outside in ["../a.c", "/tmp/a.c", "a/../../a.c", ""] {
            let outcome = place.run_on(&test, vec![file(outside, "3")], TimeLimits::default());
            assert!(
                matches!(outcome, TestOutcome::NoVerdict(NoVerdict::System { .. })),
                "{outside}: {outcome:?}"
            );
        }
        place.assert_clean();
    }
}

#[test]
fn the_environment_is_ours_but_for_tmpdir() {
    for place in Place::both() {
        let home = std::env::var("HOME").unwrap_or_default();
        let script = r#"
        [ "$TMPDIR" -ef ../t ] || exit 11
        [ -z "$(ls -A "$TMPDIR")" ] || exit 12
        touch "$TMPDIR/mine" || exit 13
        [ "$(ls -A)" = bug.c ] || exit 14
        if read -r line; then exit 15; fi
        printf %s "$HOME""#;
        let (_, run) = place.ran(script);
        assert_eq!((run.exit, run.output.to_text()), (TestExit::Code(0), home));
        place.assert_clean();
    }
}

#[test]
fn a_test_without_an_interpreter_is_run_by_the_shell() {
    for place in Place::both() {
        let test =
            InterestingnessTest::from_path(&place.file("grep -q bug \"$1\"\n")).expect("a test");
        assert_eq!(
            place
                .run_on(&test, bug(), TimeLimits::wall_only(PATIENCE))
                .verdict(),
            Some(Verdict::Interesting)
        );
    }
}

#[test]
fn a_relative_path_is_resolved_where_the_user_is() {
    for place in Place::both() {
        let absolute = place
            .test("grep -q bug bug.c")
            .script()
            .expect("a script")
            .path()
            .to_path_buf();
        let here = std::env::current_dir().expect("the current directory");
        let up: PathBuf = here.components().skip(1).map(|_| "..").collect();
        let relative = up.join(absolute.strip_prefix("/").expect("an absolute path"));
        let test = InterestingnessTest::from_path(&relative).expect("a test");
        assert!(test.script().expect("a script").path().is_absolute());
        assert_eq!(
            place
                .run_on(&test, bug(), TimeLimits::wall_only(PATIENCE))
                .verdict(),
            Some(Verdict::Interesting)
        );
    }
}

#[test]
fn a_test_that_is_not_executable_is_refused_with_what_to_type() {
    for place in Place::both() {
        let path = place.file("exit 0");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("not executable");
        let message = InterestingnessTest::from_path(&path)
            .expect_err("refused")
            .to_string();
        assert!(
            message.contains(&format!("chmod +x {}", path.display())),
            "{message}"
        );
    }
}
