//! A table of malicious tests, on each level of containment that this machine offers. Tests that replace their directories are in
//! `replaced_directories.rs`, attacks on the process that watches them in `lost_watcher.rs`, and escapes from a sandbox in `sandbox.rs`.
//!
//! Each attack is bounded, so that a failure here does not harm the machine.

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::time::Duration;

use lop::oracle::{
    LimitKind, NoVerdict, ResourceQuotas, TestExit, TestOutcome, TimeLimits, Verdict,
};

use crate::suite_directory::{PATIENCE, Place, bug, compile_reach};

/// A test, what is asked of it, and what it must end in.
struct Hostile {
    name: &'static str,
    script: &'static str,
    end: End,
}

/// How a hostile test ends.
#[derive(Clone, Copy)]
enum End {
    /// By itself: what it did harms nobody.
    Itself(TestExit),
    /// At the limit of time.
    Time,
    /// At another limit, which is set for this test and so low that it is soon met.
    Beyond(LimitKind),
    /// With exit 0 where it gets through, which it must, and in a sandbox with exit 1, where it must not.
    Through,
    /// Without a verdict where it can reach the process that looks after it. Elsewhere with exit 1.
    Unattended,
}

/// `$MARK` is a variable that all its processes have, by which the story looks for survivors.
const HOSTILE: [Hostile; 16] = [
    Hostile {
        name: "a fork bomb",
        script: "bomb() { [ $1 -gt 0 ] || exec sleep 1000; bomb $(($1 - 1)) & bomb $(($1 - 1)) & wait; }; bomb 7",
        end: End::Beyond(LimitKind::Processes),
    },
    Hostile {
        name: "a daemon in another session",
        script: "setsid sleep 1000 >/dev/null 2>&1 & exit 1",
        end: End::Itself(TestExit::Code(1)),
    },
    Hostile {
        name: "a double fork",
        script: "(setsid sh -c 'sleep 1000 & exit' >/dev/null 2>&1 &) ; exit 0",
        end: End::Itself(TestExit::Code(0)),
    },
    Hostile {
        name: "it ignores TERM",
        script: "trap '' TERM HUP INT; while :; do sleep 1000; done",
        end: End::Time,
    },
    Hostile {
        name: "it fills the disk",
        script: "for i in 1 2 3 4 5 6 7 8; do head -c 8000000 /dev/zero >file$i; done; exec sleep 1000",
        end: End::Beyond(LimitKind::Disk),
    },
    Hostile {
        name: "10 GB of output",
        script: "yes | head -c 10000000000",
        end: End::Time,
    },
    Hostile {
        name: "it eats memory",
        script: "exec awk 'BEGIN { s = \"0123456789abcdef\"; for (i = 0; i < 24; i++) s = s s; system(\"sleep 1000\") }'",
        end: End::Beyond(LimitKind::Memory),
    },
    Hostile {
        name: "it rewrites its input",
        script: "echo other >bug.c; rm bug.c; ln -s / bug.c; exit 0",
        end: End::Itself(TestExit::Code(0)),
    },
    Hostile {
        name: "it removes its directory",
        script: "rm -rf \"$PWD\" \"$TMPDIR\"; exit 1",
        end: End::Itself(TestExit::Code(1)),
    },
    Hostile {
        name: "it writes to HOME",
        script: "echo there >\"$HOME/litter\"; exit 0",
        end: End::Itself(TestExit::Code(0)),
    },
    Hostile {
        name: "it kills its process group",
        script: "sleep 1000 & kill -KILL 0",
        end: End::Itself(TestExit::Signal(9)),
    },
    Hostile {
        name: "it stops itself",
        script: "sleep 1000 & kill -STOP $$; exit 0",
        end: End::Time,
    },
    Hostile {
        name: "it kills who looks after it",
        script: "[ $LEVEL = group ] || { (setsid env -i MARK=$MARK sleep 1000 >/dev/null 2>&1 &); kill -KILL $PPID; }; exit 1",
        end: End::Unattended,
    },
    Hostile {
        name: "it stops who looks after it",
        script: "[ $LEVEL = group ] || { (setsid env -i MARK=$MARK sleep 1000 >/dev/null 2>&1 &); kill -STOP $PPID; }; exit 1",
        end: End::Unattended,
    },
    Hostile {
        name: "it connects to who listens in a home",
        script: "[ -n \"$REACH\" ] || { [ $LEVEL != sandbox ]; exit; }; ! \"$REACH\" \"$SOCKET\"",
        end: End::Through,
    },
    Hostile {
        name: "it opens a device that everybody may open",
        script: "(: <>/dev/ptmx) 2>/dev/null || exit 1",
        end: End::Through,
    },
];

#[test]
#[ignore = "long"]
#[cfg(target_os = "linux")]
fn hostile_tests_harm_nobody() {
    for (level, mut place) in Place::levels() {
        let home = place.dir.path().join("home");
        fs::create_dir(&home).expect("a home");
        let socket = home.join("socket");
        let _listener = UnixListener::bind(&socket).expect("a socket");
        let reach = compile_reach(&place).unwrap_or_default();
        for (number, hostile) in HOSTILE.iter().enumerate() {
            let what = format!("{}, {level}", hostile.name);
            let mark = format!("{number}-{}", place.scratch.root_path().display());
            // In a sandbox HOME is another; elsewhere it is the story's, not the developer's.
            let home = match place.care.sandbox {
                true => String::new(),
                false => format!("export HOME='{}'; ", home.display()),
            };
            let script = format!(
                "{home}export MARK='{mark}'; LEVEL='{level}'; REACH='{}'; SOCKET='{}'; {}",
                reach.display(),
                socket.display(),
                hostile.script
            );
            place.care.quotas = quotas(hostile.end);
            let time = match hostile.end {
                End::Time => Duration::from_millis(300),
                End::Itself(_) | End::Beyond(_) | End::Unattended | End::Through => PATIENCE,
            };
            let outcome = place.run_on(&place.test(&script), bug(), TimeLimits::wall_only(time));
            let reached = !matches!(level, "group" | "sandbox");
            let unattended = reached && matches!(hostile.end, End::Unattended);
            let run = match (outcome, unattended) {
                (TestOutcome::Verdict(_, run), false) => run,
                (TestOutcome::NoVerdict(NoVerdict::HelperLost { .. }), true) => {
                    place.assert_clean();
                    assert_eq!(survivors(&mark), 0, "{what}");
                    continue;
                }
                (outcome, _) => panic!("{what}: {outcome:?}"),
            };
            let exit = match hostile.end {
                End::Itself(exit) => exit,
                End::Unattended => TestExit::Code(1),
                End::Through => TestExit::Code(i32::from(level == "sandbox")),
                End::Time => TestExit::Killed(LimitKind::Wall),
                End::Beyond(bound) => TestExit::Killed(bound),
            };
            let said = run.output.to_text();
            assert_eq!(run.exit, exit, "{what}: {}", &said[..said.len().min(500)]);
            place.assert_clean();
            let survivors = survivors(&mark);
            // A process group holds no daemon whose output is elsewhere: it dies with the run.
            if level != "group" {
                assert_eq!(survivors, 0, "{what}");
            }
        }
        assert_eq!(
            place.ran("grep -q bug bug.c").0,
            Verdict::Interesting,
            "{level}: whoever comes next is served"
        );
        let root = place.scratch.root_path().display().to_string();
        drop(place);
        assert_eq!(survivors(&root), 0, "{level}: all is over with the run");
    }
}

/// The limit that a test shall meet, low, and no other.
fn quotas(end: End) -> ResourceQuotas {
    let mut quotas = ResourceQuotas::default();
    match end {
        End::Beyond(LimitKind::Memory) => quotas.memory = Some(64_000_000),
        End::Beyond(LimitKind::Processes) => quotas.processes = Some(32),
        End::Beyond(LimitKind::Disk) => quotas.disk = Some(16_000_000),
        End::Beyond(_) | End::Time | End::Itself(_) | End::Unattended | End::Through => {}
    }
    quotas
}

/// How many processes have a variable with this in it.
fn survivors(mark: &str) -> usize {
    let processes = fs::read_dir("/proc").expect("processes").flatten();
    let marked = processes.filter(|process| {
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        let mut variables = environment.split(|byte| *byte == 0);
        variables.any(|variable| {
            let variable = String::from_utf8_lossy(variable);
            (variable.starts_with("MARK=") || variable.starts_with("TMPDIR="))
                && variable.contains(mark)
        })
    });
    marked.count()
}

#[test]
#[cfg(target_os = "linux")]
fn in_a_sandbox_nothing_else_can_be_touched() {
    let Some((_, mut place)) = Place::levels()
        .into_iter()
        .find(|(name, _)| *name == "sandbox")
    else {
        return;
    };
    place.care.quotas = ResourceQuotas::for_jobs(1);
    let theirs = place.file_named("theirs");
    let script = format!(
        "cat '{0}' || exit 10
         if echo x >'{0}'; then exit 11; fi
         touch /tmp/lop-litter /dev/shm/lop-litter || exit 12
         [ -z \"$(ls -A \"$HOME\")\" ] || exit 13
         echo mine >\"$HOME/mine\" && echo x >\"$TMPDIR/x\" && echo x >x || exit 14
         [ \"$(id -u)\" = {1} ] || exit 15
         [ \"$(tail -n +3 /proc/self/net/dev | grep -vc lo:)\" = 0 ] || exit 16
         [ \"$(ls -d /proc/[0-9]* | wc -l)\" -lt 12 ] || exit 17
         if echo 1 >/proc/sys/vm/drop_caches; then exit 18; fi
         if mount -o remount,rw / ; then exit 19; fi
         echo x >/dev/null || exit 20
         sleep 1000 & kill -KILL -1; exit 42",
        theirs.display(),
        rustix::process::geteuid().as_raw(),
    );
    let (_, run) = place.ran(&script);
    let said = run.output.to_text();
    assert_eq!(
        run.exit,
        TestExit::Code(42),
        "all but it is dead, and the helper: {said}"
    );
    place.assert_clean();
    for dir in ["/tmp", "/dev/shm"] {
        assert!(!Path::new(dir).join("lop-litter").exists(), "{dir}");
    }
    assert_eq!(fs::read(theirs).expect("it is there"), b"");
}

#[test]
fn where_nobody_can_make_a_sandbox_none_is_promised() {
    let mut place = Place::both().swap_remove(0);
    place.care.sandbox = true;
    let (test, scratch) = (place.test("exit 0"), place.scratch.clone());
    let refused = lop::oracle::LocalRunner::new(test, scratch, 1, place.care.clone());
    let said = refused.expect_err("refused").to_string();
    assert!(
        said.contains("no sandbox can be made here") && said.contains("What to try"),
        "{said}"
    );
}
