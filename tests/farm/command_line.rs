//! `lop FILE TEST --remote ADDRESS`: the same bytes as without, for any farm.

use crate::fake_farm::{Conduct, FakeFarm};
use crate::shell::{End, Stage};

/// The bug needs `bug` and one of two other words. This machine is slower than the farm, so that the farm is asked.
const TEST: &str =
    "[ \"$FAKE_FARM\" ] || sleep 0.1; grep -q bug bug.c && grep -q 'other\\|more' bug.c";

const PROGRAM: &str = "int f(int a) { if (a) { return f(a - 1); } return 2; }\nint other(void) { return f(1) + 3; }\nint more(int b) { while (b > 1) { b = b - 1; } return b; }\nint bug(int c, int d) { int e = c * d; for (int i = 0; i < e; i++) { e += f(i); } return e; }\nint main(void) { return other() + more(7) + bug(1, 2); }\n";

fn stage(test: &str) -> Stage {
    let stage = Stage::new();
    stage.write("bug.c", PROGRAM);
    stage.test("test.sh", test);
    stage
}

fn lop(stage: &Stage, address: &str, more: &[&str]) -> End {
    let line = ["bug.c", "test.sh", "--jobs", "1", "--remote", address];
    stage.lop(&[&line[..], more].concat())
}

/// What becomes of the program without a farm.
fn expected() -> String {
    let stage = stage(TEST);
    let end = stage.lop(&["bug.c", "test.sh", "--jobs", "1"]);
    assert_eq!(end.status, 0, "{end}");
    stage.read("bug.lop.c")
}

#[test]
#[ignore = "long"]
fn the_result_has_the_same_bytes_with_any_farm() {
    let expected = expected();
    for conduct in [
        Conduct::Works,
        Conduct::Cuts,
        Conduct::Hangs,
        Conduct::Claims(0),
    ] {
        let farm = FakeFarm::start(Conduct::Works);
        let stage = stage(TEST);
        let address = farm.address.clone();
        // It answers for the original, and then as it likes.
        let watched = std::thread::scope(|scope| {
            let farm = &farm;
            scope.spawn(move || {
                farm.await_seen("the original", |seen| !seen.asked.is_empty());
                farm.behave(conduct);
            });
            lop(&stage, &address, &[])
        });
        assert_eq!(watched.status, 0, "{conduct:?}: {watched}");
        assert!(
            watched.out.contains("tests run on the farm grpc://"),
            "{watched}"
        );
        assert_eq!(stage.read("bug.lop.c"), expected, "{conduct:?}");
    }
}

#[test]
#[ignore = "long"]
fn who_trusts_a_farm_that_says_the_same_gets_the_same() {
    let farm = FakeFarm::start(Conduct::Works);
    let stage = stage(TEST);
    let end = lop(
        &stage,
        &farm.address,
        &["--remote-trust", "--remote-jobs", "8"],
    );
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("bug.lop.c"), expected());
    assert!(farm.seen().asked.len() > 1, "it was asked");
}

#[test]
fn a_file_that_the_test_reads_is_missed_before_the_run() {
    let farm = FakeFarm::start(Conduct::Works);
    let stage = stage("cat \"$(dirname \"$0\")/words\" >/dev/null || exit 1\ngrep -q bug bug.c");
    stage.write("words", "bug\n");
    let end = lop(&stage, &farm.address, &[]);
    assert_eq!(end.status, 1, "{end}");
    assert!(
        end.err.contains("interesting here, and not on the farm"),
        "{end}"
    );
    assert!(
        end.err.contains("words: No such file or directory"),
        "{end}"
    );
    assert!(end.err.contains("--remote-file PATH"), "{end}");
    assert!(!stage.path("bug.lop.c").exists(), "nothing was begun");
    let end = lop(&stage, &farm.address, &["--remote-file", "words"]);
    assert_eq!(end.status, 0, "{end}");
}

#[test]
fn a_farm_that_is_not_there_is_said_before_the_run() {
    let address = FakeFarm::start(Conduct::Works).address.clone();
    let stage = stage(TEST);
    let end = lop(&stage, &address, &[]);
    assert_eq!(end.status, 3, "{end}");
    assert!(
        end.err
            .contains("cannot be used: the farm gives no verdict"),
        "{end}"
    );
    assert!(end.err.contains("leave out --remote"), "{end}");
}

#[test]
#[ignore = "long"]
fn what_a_farm_cannot_run_is_refused() {
    let stage = stage(TEST);
    let address = "grpc://127.0.0.1:1";
    for (more, said) in [
        (&["--sandbox"][..], "--sandbox holds on this machine only"),
        (
            &["--remote-file", "nothing"],
            "nothing cannot be sent to the farm",
        ),
        (
            &["--remote-header", "a b=c"],
            "the header a b cannot be sent",
        ),
        (&["--remote-ca", "test.sh"], "certificates are for grpcs://"),
    ] {
        let end = lop(&stage, address, more);
        assert_eq!(end.status, 2, "{end}");
        assert!(end.err.contains(said), "{end}");
    }
    let end = lop(&stage, "localhost:8980", &[]);
    assert!(end.err.contains("grpc://HOST:PORT"), "{end}");
    let end = stage.lop(&["bug.c", "--serve", "./test.sh", "--remote", address]);
    assert!(end.status != 0, "{end}");
}

#[test]
#[ignore = "long"]
fn commands_in_place_of_a_test_run_on_a_farm_too() {
    let farm = FakeFarm::start(Conduct::Works);
    let results = [None, Some(&farm.address)].map(|address| {
        let stage = stage(TEST);
        stage.test(
            "cc.sh",
            "[ \"$FAKE_FARM\" ] || sleep 0.1; grep -q bug \"$1\" || exit 0; echo 'internal error: a bug' >&2; exit 4",
        );
        let remote: Vec<&str> = match address {
            Some(address) => vec!["--remote", address, "--remote-file", "cc.sh"],
            None => Vec::new(),
        };
        let line = [
            &["bug.c", "--jobs", "1"][..],
            &remote,
            &["--", "./cc.sh", "{}"],
        ]
        .concat();
        let end = stage.lop(&line);
        assert_eq!(end.status, 0, "{end}");
        stage.read("bug.lop.c")
    });
    assert_eq!(results[0], results[1]);
    assert!(farm.seen().asked.len() > 1, "it was asked");
}
