//! What a test in a sandbox cannot reach: sockets, devices, hidden files; and what it still can do. Each attack is tried without a sandbox
//! too: if it fails there, it proves nothing.
#![cfg(target_os = "linux")]

use std::fs::{self, Permissions};
use std::io::{ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::Command;

use lop::oracle::{
    InterestingnessTest, LimitKind, ResourceQuotas, Runner, TestExit, TestOutcome, TimeLimits,
    Verdict,
};

use crate::suite_directory::{PATIENCE, Place, bug, compile_reach, job};

/// The user who stands in for others where the tests run as root.
const NOBODY: &str = "65534";

/// A place whose tests run in a sandbox, and one whose tests do not; nothing where the machine has no sandbox.
fn both() -> Option<[(bool, Place); 2]> {
    let levels = Place::levels();
    let mut wanted = ["helper", "sandbox"].map(|wanted| {
        let mut place = Place::helped();
        place.care.sandbox = wanted == "sandbox";
        place.care.quotas = ResourceQuotas::for_jobs(1);
        (place.care.sandbox, place)
    });
    if !levels.iter().any(|(name, _)| *name == "sandbox") {
        println!("SKIPPED: no sandbox can be made here");
        return None;
    }
    wanted.reverse();
    Some(wanted)
}

/// Directories where programs listen: beside the test, in a home, in `/tmp`, and in `/run` for who may write there.
fn listening_places(place: &Place) -> Vec<tempfile::TempDir> {
    let home = place.dir.path().join("home");
    fs::create_dir_all(&home).expect("a home");
    let mut dirs = vec![
        tempfile::tempdir_in(place.dir.path()).expect("a directory"),
        tempfile::tempdir_in(home).expect("a directory"),
        tempfile::tempdir_in("/tmp").expect("a directory"),
    ];
    dirs.extend(tempfile::tempdir_in("/run"));
    dirs.extend(tempfile::tempdir_in("/dev/shm"));
    dirs
}

#[test]
fn nobody_who_listens_is_reached() {
    let Some(places) = both() else { return };
    for (sandbox, place) in places {
        let Some(reach) = compile_reach(&place) else {
            return;
        };
        let dirs = listening_places(&place);
        let paths =
            |name: &str| -> Vec<PathBuf> { dirs.iter().map(|dir| dir.path().join(name)).collect() };
        let (streams, datagrams) = (paths("stream"), paths("datagram"));
        let listeners = streams.iter().map(UnixListener::bind);
        let listeners: Vec<UnixListener> = listeners.map(|made| made.expect("a socket")).collect();
        let boxes = datagrams.iter().map(UnixDatagram::bind);
        let boxes: Vec<UnixDatagram> = boxes.map(|made| made.expect("a socket")).collect();
        let all = streams.iter().chain(&datagrams);
        let all: Vec<String> = all.map(|path| format!("'{}'", path.display())).collect();
        let script = format!("'{}' {}", reach.display(), all.join(" "));
        let (_, run) = place.ran(&script);
        let said = run.output.to_text();
        let expected = TestExit::Code(if sandbox { 0 } else { 1 });
        assert_eq!(run.exit, expected, "{said}");
        if !sandbox {
            for path in &all {
                assert!(said.contains(path.trim_matches('\'')), "{path}: {said}");
            }
            for way in ["by pair", "by raw", "by a namespace", "by stream"] {
                assert!(said.contains(way), "{way}: {said}");
            }
            continue;
        }
        for listener in &listeners {
            listener.set_nonblocking(true).expect("set");
            let nobody = listener.accept().expect_err("nobody came").kind();
            assert_eq!(nobody, ErrorKind::WouldBlock);
        }
        for letters in &boxes {
            letters.set_nonblocking(true).expect("set");
            let nothing = letters.recv(&mut [0; 8]).expect_err("nothing came").kind();
            assert_eq!(nothing, ErrorKind::WouldBlock);
        }
    }
}

/// An attack; whether everybody gets through without a sandbox, or root only; and what ends with 0 where it gets through, else with 1.
type Attack = (&'static str, bool, &'static str);

const ATTACKS: &[Attack] = &[
    (
        "a terminal of its own",
        true,
        "(: <>/dev/ptmx) 2>/dev/null || exit 1",
    ),
    (
        "a pipe in /tmp",
        true,
        "(echo x >\"$PIPE\") 2>/dev/null || exit 1",
    ),
    ("a file in /tmp", true, "[ -e \"$OTHER\" ] || exit 1"),
    (
        // Which may not be looked into by other users than root.
        "the way through the helper",
        false,
        "[ -e \"/proc/$PPID/cwd/$HERE\" ] || exit 1",
    ),
    (
        "what the helper has open",
        false,
        "[ -e /proc/$PPID/fd/0 ] || exit 1",
    ),
    (
        "another test's directory",
        true,
        "touch \"$ROOT/litter\" 2>/dev/null || exit 1",
    ),
    (
        "a switch of the machine",
        false,
        "(: >>/proc/sys/vm/drop_caches) 2>/dev/null || exit 1",
    ),
    (
        "a device made anew",
        false,
        "mknod made c 1 3 2>/dev/null && echo x >made || exit 1",
    ),
    // Opened, and never written to. Whether everybody may is the machine's choice.
    (
        "a device that mounts",
        false,
        "(exec 3<>/dev/fuse) 2>/dev/null || exit 1",
    ),
    (
        "a disk",
        false,
        "(exec 3<>/dev/loop7) 2>/dev/null || exit 1",
    ),
    (
        "a disk elsewhere",
        false,
        "(exec 3<>\"$NODE\") 2>/dev/null || exit 1",
    ),
    (
        "the kernel's log",
        false,
        "(exec 3>/dev/kmsg) 2>/dev/null || exit 1",
    ),
    (
        // Of which the group of control groups that it is in is the root, whatever the mounts are.
        "a namespace of control groups",
        false,
        "unshare -UrC true 2>/dev/null || exit 1",
    ),
    (
        "a control group",
        false,
        "mkdir groups; unshare -UrmC sh -c 'for kind in \"cgroup2 none\" \"cgroup -o pids none\"; do
            mount -t $kind groups && mkdir groups/$NAME && rmdir groups/$NAME && exit; done; exit 1' 2>/dev/null || exit 1",
    ),
    (
        // As they are.
        "the rights of a device",
        false,
        "chmod 666 /dev/null 2>/dev/null || exit 1",
    ),
    (
        "the times of a device",
        false,
        "touch -a /dev/full 2>/dev/null || exit 1",
    ),
];

/// A device that lies where devices do not belong, as in a directory for `chroot`; if we may make one.
fn elsewhere_node(place: &Place) -> PathBuf {
    let node = place.dir.path().join("node");
    // Nothing is behind it.
    let _ = Command::new("mknod")
        .arg(&node)
        .args(["b", "7", "7"])
        .output();
    node
}

#[test]
fn what_is_hidden_is_not_reached() {
    let Some(places) = both() else { return };
    let everything = rustix::process::geteuid().is_root();
    for (sandbox, place) in places {
        let elsewhere = tempfile::tempdir_in("/tmp").expect("a directory");
        let (other, pipe) = (
            elsewhere.path().join("other"),
            elsewhere.path().join("pipe"),
        );
        fs::write(&other, "theirs").expect("a file");
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        let mut both_ends = fs::OpenOptions::new();
        let _reader = both_ends
            .read(true)
            .write(true)
            .open(&pipe)
            .expect("a pipe");
        let here = std::env::current_dir()
            .and_then(fs::read_dir)
            .expect("a directory");
        let here = here.flatten().next().expect("something in it").file_name();
        let node = elsewhere_node(&place);
        // What the test does not name.
        let names = place.dir.path().join("names");
        let text = format!(
            "PIPE={} OTHER={} HERE={} ROOT={} NODE={}\nexport NAME=story-{}",
            pipe.display(),
            other.display(),
            here.display(),
            place.scratch.root_path().display(),
            node.display(),
            std::process::id()
        );
        fs::write(&names, text).expect("a file");
        let mut ways_out: Vec<&str> = Vec::new();
        for (name, everybody, script) in ATTACKS {
            let script = format!(". '{}'\n{script}", names.display());
            let (_, run) = place.ran(&script);
            let through = match run.exit {
                TestExit::Code(0) => true,
                TestExit::Code(1) => false,
                exit => panic!("{name}: {exit}: {}", run.output.to_text()),
            };
            println!("{name}, in a sandbox: {sandbox}, got through: {through}");
            ways_out.extend(Some(name).filter(|_| through && sandbox));
            assert!(
                through || sandbox || !(everything || *everybody),
                "{name} is no attack"
            );
        }
        assert!(ways_out.is_empty(), "{ways_out:?}");
        let _ = fs::remove_file(place.scratch.root_path().join("litter"));
    }
}

#[test]
fn a_pipe_that_is_seen_is_not_written_to() {
    let Some(places) = both() else { return };
    for (sandbox, place) in places {
        if sandbox && !has_landlock() {
            println!("SKIPPED: the kernel has no Landlock that lets files be moved");
            continue;
        }
        let Some(seen) = seen_everywhere() else {
            println!("SKIPPED: sources and home lie where a sandbox shows what is named");
            continue;
        };
        let other = tempfile::tempdir_in(seen).expect("a directory");
        let pipe = other.path().canonicalize().expect("a path").join("pipe");
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        let mut both_ends = fs::OpenOptions::new();
        let both_ends = both_ends.read(true).write(true).open(&pipe);
        let mut reader = both_ends.expect("a pipe");
        let script = format!(
            "[ -p '{0}' ] || exit 9\n(echo order >'{0}') 2>/dev/null || exit 1",
            pipe.display()
        );
        let (_, run) = place.ran(&script);
        let expected = TestExit::Code(i32::from(sandbox));
        assert_eq!(run.exit, expected, "{}", run.output.to_text());
        if !sandbox {
            let mut order = [0; 6];
            reader.read_exact(&mut order).expect("an order");
            assert_eq!(&order, b"order\n");
        }
    }
}

/// A directory that no sandbox hides.
fn seen_everywhere() -> Option<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let places = [Some(PathBuf::from(".")), home].into_iter().flatten();
    let hidden = ["/tmp", "/var/tmp", "/dev/shm", "/run"];
    let mut places = places.filter_map(|place| place.canonicalize().ok());
    places.find(|place| !hidden.iter().any(|hidden| place.starts_with(hidden)))
}

/// Whether the kernel has Landlock.
fn has_landlock() -> bool {
    // Its own list needs a file system that is not mounted everywhere, so a rule is made.
    use landlock::{AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr};
    let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    rules.handle_access(AccessFs::Refer).is_ok()
}

#[test]
fn files_are_written_and_moved_as_everywhere() {
    let Some([(_, place), _]) = both() else {
        return;
    };
    let script = "mkdir -p a b && echo x >a/x && mkfifo a/pipe || exit 10
        python3 -c 'import os; os.rename(\"a/x\", \"b/x\"); os.link(\"b/x\", \"a/y\"); os.rename(\"a\", \"b/a\")' || exit 11
        (echo through >b/a/pipe &); [ \"$(cat b/a/pipe)\" = through ] || exit 12
        echo x >/dev/stdout && echo x >/dev/fd/2 && echo x | tee /proc/self/fd/1 || exit 13
        echo 0 >/proc/self/oom_score_adj || exit 14
        f=$(mktemp) && echo x >$f && mv $f here && cp here \"$HOME\" || exit 15
        unshare -Ur true || exit 16";
    let (_, run) = place.ran(script);
    assert_eq!(run.exit, TestExit::Code(0), "{}", run.output.to_text());
}

#[test]
fn pipes_and_what_programs_have_in_run_are_not_had_for_the_asking() {
    let Some(places) = both() else { return };
    for (sandbox, place) in places {
        // Directly in /tmp, where what a test names is seen.
        let pipe = tempfile::Builder::new().make_in("/tmp", |path| {
            let made = Command::new("mkfifo").arg(path).status();
            made.map(|status| assert!(status.success()))
        });
        let pipe = pipe.expect("a pipe");
        let mut both_ends = fs::OpenOptions::new();
        let both_ends = both_ends.read(true).write(true).open(pipe.path());
        let _reader = both_ends.expect("a pipe");
        // Where we may write there.
        let running = tempfile::tempdir_in("/run").ok();
        let running = running.as_ref();
        let running = running.map(|dir| format!("[ -d '{}' ]", dir.path().display()));
        let write = format!("[ -p '{0}' ] && (echo x >'{0}')", pipe.path().display());
        for attack in running.into_iter().chain([write]) {
            let (verdict, run) = place.ran(&format!("{attack} || exit 1"));
            let through = verdict == Verdict::Interesting;
            let said = run.output.to_text();
            assert_eq!(through, !sandbox, "{attack}: {}: {said}", run.exit);
        }
    }
}

#[test]
fn what_was_open_when_lop_began_is_closed() {
    let Some([(_, place), _]) = both() else {
        return;
    };
    let bug = place.dir.path().join("bug.c");
    fs::write(bug, "int bug;\n").expect("a program");
    place.file("#!/bin/sh\nif (: >&7) 2>/dev/null; then exit 1; fi\ngrep -q bug bug.c\n");
    let (_ours, theirs) = UnixStream::pair().expect("a pair");
    for (sandbox, status) in [(&["--sandbox"][..], 0), (&[], 1)] {
        let lop = Command::new("sh")
            .args(["-c", "exec 7<&0 </dev/null; exec \"$0\" \"$@\""])
            .args([env!("CARGO_BIN_EXE_lop"), "bug.c", "./test.sh", "--plain"])
            .args(["--no-session", "--allow-empty"])
            .args(sandbox)
            .current_dir(place.dir.path())
            .stdin(OwnedFd::from(theirs.try_clone().expect("a copy")))
            .output()
            .expect("lop");
        let said = String::from_utf8_lossy(&lop.stderr);
        assert_eq!(lop.status.code(), Some(status), "{sandbox:?}: {said}");
    }
}

#[test]
fn what_a_test_names_is_seen_and_what_it_writes_nobody_else_sees() {
    let Some([(_, place), _]) = both() else {
        return;
    };
    let tool = tempfile::tempdir_in("/tmp").expect("a directory");
    let helper = tool.path().join("tool.sh");
    fs::write(&helper, "#!/bin/sh\necho a tool\n").expect("a tool");
    fs::set_permissions(&helper, Permissions::from_mode(0o755)).expect("executable");
    // The test is called by a link to where it lies.
    let link = tempfile::tempdir_in(".").expect("a directory");
    symlink(place.dir.path(), link.path().join("link")).expect("a link");
    let script = format!(
        "[ \"$(\"{0}\")\" = 'a tool' ] || exit 10
         if echo x >'{0}'; then exit 11; fi
         for dir in /tmp /var/tmp /dev/shm \"$HOME\" \"$TMPDIR\" .; do
            [ ! -e $dir/litter ] || exit 12
            echo mine >$dir/litter && mkdir -p $dir/deep/litter || exit 13
         done
         ls /run /tmp
         if touch /run/litter /dev/litter; then exit 14; fi
         echo x >/dev/null && head -c 4 /dev/urandom >/dev/zero && [ -e /dev/fd/1 ] || exit 15
         mkfifo /tmp/pipe; (echo through >/tmp/pipe &); [ \"$(cat /tmp/pipe)\" = through ] || exit 16
         exit 0",
        helper.display()
    );
    place.file(&format!("#!/bin/sh\n{script}\n"));
    let test = InterestingnessTest::from_path(&link.path().join("link/test.sh")).expect("a test");
    for _ in 0..2 {
        let said = place.run_on(&test, bug(), TimeLimits::wall_only(PATIENCE));
        assert_eq!(said.verdict(), Some(Verdict::Interesting), "{said:?}");
        place.assert_clean();
    }
    // The same helper twice.
    let mut runner = place.runner(&test, 1);
    for id in [1, 2] {
        runner.submit(job(id, TimeLimits::wall_only(PATIENCE)));
        let answer = runner
            .result_receiver()
            .recv_timeout(PATIENCE)
            .expect("an answer");
        assert_eq!(
            answer.outcome.verdict(),
            Some(Verdict::Interesting),
            "{answer:?}"
        );
    }
    for dir in ["/tmp", "/var/tmp", "/dev/shm", "/run"] {
        assert!(!Path::new(dir).join("litter").exists(), "{dir}");
    }
}

#[test]
fn what_it_writes_to_its_own_tmp_counts_and_goes() {
    let Some([(_, mut place), _]) = both() else {
        return;
    };
    place.care.quotas.disk = Some(16_000_000);
    let fills = "[ ! -e /tmp/0 ] || exit 9
        for n in 0 1 2 3; do head -c 8000000 /dev/zero >/tmp/$n; head -c 8000000 /dev/zero >/dev/shm/$n; done
        exec sleep 1000";
    let mut runner = place.runner(&place.test(fills), 1);
    for id in [1, 2] {
        runner.submit(job(id, TimeLimits::wall_only(PATIENCE)));
        let answer = runner
            .result_receiver()
            .recv_timeout(PATIENCE)
            .expect("an answer");
        let TestOutcome::Verdict(_, run) = answer.outcome else {
            panic!("{answer:?}");
        };
        assert_eq!(
            run.exit,
            TestExit::Killed(LimitKind::Disk),
            "{}",
            run.output.to_text()
        );
    }
    drop(runner);
    place.assert_clean();
}

#[test]
#[ignore = "long"]
fn compilers_work_in_a_sandbox() {
    let Some([(_, place), _]) = both() else {
        return;
    };
    let home = std::env::var("HOME").unwrap_or_default();
    let rust = format!(
        "RUSTUP_HOME=${{RUSTUP_HOME:-{home}/.rustup}} CARGO_HOME=${{CARGO_HOME:-{home}/.cargo}}; export RUSTUP_HOME CARGO_HOME;"
    );
    let mut ran = 0;
    for (tool, script) in [
        ("cc", "echo 'int main(void) { return 42; }' >a.c; cc -O2 -g -o a a.c && ./a; [ $? = 42 ]".to_owned()),
        ("cc", "echo 'int main(void) { return 42; }' >a.c; cc -m32 -o a a.c 2>/dev/null || exit 0; ./a; [ $? = 42 ]".to_owned()),
        ("c++", "printf '#include <vector>\\nint main() { return std::vector<int>(42).size(); }\\n' >a.cc; c++ -O2 -pipe -o a a.cc && ./a; [ $? = 42 ]".to_owned()),
        ("clang", "echo 'int main(void) { return 42; }' >a.c; clang -O2 -o a a.c && ./a; [ $? = 42 ]".to_owned()),
        ("rustc", format!("{rust} echo 'fn main() {{ std::process::exit(42) }}' >a.rs; rustc -O a.rs && ./a; [ $? = 42 ]")),
        ("javac", "echo 'class A { public static void main(String[] a) { System.exit(42); } }' >A.java; javac A.java && java A; [ $? = 42 ]".to_owned()),
        ("node", "echo 'require(\"child_process\").execFile(\"sh\", [\"-c\", \"exit 42\"], e => process.exit(e.code))' >a.js; node a.js; [ $? = 42 ]".to_owned()),
        ("python3", "echo 'import subprocess, multiprocessing as m, sys\nm.Lock(); sys.exit(subprocess.run([\"sh\", \"-c\", \"exit 42\"]).returncode)' >a.py; python3 a.py; [ $? = 42 ]".to_owned()),
        ("go", "printf 'package main\\nimport \"os\"\\nfunc main() { os.Exit(42) }\\n' >a.go; go build -o a a.go && ./a; [ $? = 42 ]".to_owned()),
        ("perl", "perl -e 'exit 42'; [ $? = 42 ]".to_owned()),
    ] {
        let there = Command::new("sh").args(["-c", &format!("command -v {tool} >/dev/null")]).status();
        if !there.is_ok_and(|status| status.success()) {
            println!("SKIPPED: {tool} is not there");
            continue;
        }
        let (_, run) = place.ran(&script);
        assert_eq!(run.exit, TestExit::Code(0), "{tool}: {}", run.output.to_text());
        place.assert_clean();
        ran += 1;
    }
    assert!(ran > 0, "no compiler was tried");
}

/// The stories of sandboxes once more as another user, who has other rights.
#[test]
#[ignore = "long"]
fn what_holds_for_root_holds_for_others() {
    if !rustix::process::geteuid().is_root() {
        println!("SKIPPED: only root can be another user");
        return;
    }
    let home = tempfile::tempdir().expect("a home");
    fs::set_permissions(home.path(), Permissions::from_mode(0o777)).expect("everybody's");
    fs::write(home.path().join("here"), "").expect("a file");
    let own = std::env::current_exe().expect("our own name");
    let stories = [
        "nobody_who_listens_is_reached",
        "what_is_hidden_is_not_reached",
        "what_a_test_names",
    ];
    let said = Command::new("setpriv")
        .args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"])
        .arg(own)
        .args(["--nocapture", "--test-threads", "1"])
        .args(stories)
        .env("HOME", home.path())
        .current_dir(home.path())
        .output();
    let Ok(said) = said else {
        println!("SKIPPED: there is no setpriv");
        return;
    };
    let text = String::from_utf8_lossy(&said.stdout);
    println!("{text}");
    assert!(
        said.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&said.stderr)
    );
    assert!(text.contains("3 passed"), "{text}");
}
