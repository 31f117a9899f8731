//! Tests that replace their directories by links and mounts: the clean-up must not reach files outside.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use lop::oracle::Verdict;

use crate::suite_directory::Place;

/// A directory of somebody else, with a file of the candidate's name, one in a directory, and rights that are its own.
fn make_theirs(place: &Place) -> PathBuf {
    let theirs = place.dir.path().join("theirs");
    fs::create_dir_all(theirs.join("below")).expect("directories");
    fs::write(theirs.join("bug.c"), "theirs").expect("a file");
    fs::write(theirs.join("below/bug.c"), "theirs").expect("a file");
    for (dir, mode) in [("below", 0o500), ("", 0o755)] {
        fs::set_permissions(theirs.join(dir), fs::Permissions::from_mode(mode)).expect("a mode");
    }
    theirs
}

/// Nobody has touched it.
fn assert_whole(theirs: &Path, what: &str) {
    for file in ["bug.c", "below/bug.c"] {
        let text = fs::read_to_string(theirs.join(file));
        assert_eq!(text.expect("it is there"), "theirs", "{what}: {file}");
    }
    for (dir, mode) in [("below", 0o500), ("", 0o755)] {
        let rights = fs::metadata(theirs.join(dir)).expect("it is there");
        let rights = rights.permissions().mode() & 0o7777;
        assert_eq!(rights, mode, "{what}: {dir}: {rights:o}");
    }
    let left = fs::read_dir(theirs).expect("it is there").count();
    assert_eq!(left, 2, "{what}");
}

#[test]
fn where_a_link_leads_nothing_is_removed_nor_changed() {
    for (level, place) in Place::levels() {
        let theirs = make_theirs(&place);
        for script in [
            "cd .. && mv w x && ln -s \"$THEIRS\" w",
            "cd .. && rm -r w t && ln -s \"$THEIRS\" w && ln -s \"$THEIRS\" t",
            "ln -s \"$THEIRS\" \"$TMPDIR/x\"; ln -s \"$THEIRS/below\" x; ln -sf \"$THEIRS/bug.c\" bug.c",
            "dir=$(dirname \"$PWD\"); mv \"$dir\" \"$dir.x\"; ln -s \"$THEIRS\" \"$dir\"; rm -r \"$dir.x\"",
        ] {
            let (verdict, run) = place.ran(&format!("THEIRS='{}'; {script}", theirs.display()));
            let said = run.output.to_text();
            assert_eq!(verdict, Verdict::Interesting, "{level}: {script}: {said}");
            assert_whole(&theirs, script);
            place.assert_clean();
        }
    }
}

#[test]
fn directories_that_a_test_has_made_for_later_ones_do_not_stop_them() {
    for place in Place::both() {
        let script = "for n in 1 2 3 4 5 6 7 8; do ln -s / ../../$n; done; grep -q bug bug.c";
        for _ in 0..2 {
            assert_eq!(place.ran(script).0, Verdict::Interesting);
        }
        let root = place.scratch.root_path().to_path_buf();
        drop(place);
        assert!(!root.exists(), "all of it goes with the run");
    }
}

/// What is mounted below this directory, outermost first.
#[cfg(target_os = "linux")]
fn mounted_below(dir: &Path) -> Vec<String> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").expect("the mounts");
    let points = mounts.lines().filter_map(|line| line.split(' ').nth(4));
    let dir = dir.display().to_string();
    points
        .filter(|point| point.starts_with(&dir))
        .map(str::to_owned)
        .collect()
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_mounted_in_a_test_s_directory_is_neither_emptied_nor_changed() {
    if !rustix::process::geteuid().is_root() {
        println!("SKIPPED: only root can mount");
        return;
    }
    // Who is in a sandbox mounts nothing that is seen outside.
    let levels = Place::levels().into_iter();
    for (level, place) in levels.filter(|(level, _)| *level != "sandbox") {
        let theirs = make_theirs(&place);
        for script in [
            "mkdir x && mount --bind \"$THEIRS\" x",
            "mkdir -p a/b/c && mount --bind \"$THEIRS\" a/b/c && mount --bind \"$THEIRS/below\" a/b/c",
            "mount --bind \"$THEIRS\" \"$PWD\"",
            "mount --bind \"$THEIRS\" \"$TMPDIR\"",
            "mount --bind \"$THEIRS\" ..",
            "mount --bind \"$THEIRS/bug.c\" bug.c",
            "mkdir x && mount -t tmpfs none x && touch x/file && mkdir x/y && mount --bind \"$THEIRS\" x/y",
            "mkdir x && mount --bind \"$THEIRS\" x && mount --bind \"$THEIRS/below\" x/below && chmod 000 .",
            "unshare -rm sh -c 'mkdir x && mount --bind \"$THEIRS\" x'",
        ] {
            let (verdict, run) = place.ran(&format!(
                "THEIRS='{}'; export THEIRS; {script}",
                theirs.display()
            ));
            let said = run.output.to_text();
            assert_eq!(verdict, Verdict::Interesting, "{level}: {script}: {said}");
            assert_whole(&theirs, script);
            place.assert_clean();
            let left = mounted_below(place.scratch.root_path());
            assert!(left.is_empty(), "{script}: {left:?}");
        }
    }
}

/// A directory of somebody else with all that one of lop's own may have in it, under the numbers that a run gives.
fn make_numbered() -> tempfile::TempDir {
    let theirs = tempfile::tempdir().expect("a directory");
    for number in 0..40 {
        let work = theirs.path().join(number.to_string()).join("w");
        fs::create_dir_all(&work).expect("directories");
        fs::write(work.join("bug.c"), "theirs").expect("a file");
    }
    theirs
}

/// What a test puts in the place of the directory in which all directories of the run are, and what needs root.
const OVER_ROOT: [(bool, &str); 3] = [
    (
        false,
        "mv \"$ROOT\" \"$ROOT.x\" && ln -s \"$THEIRS\" \"$ROOT\"",
    ),
    (true, "mount --bind \"$THEIRS\" \"$ROOT\""),
    (
        true,
        "mount --bind \"$THEIRS\" \"$ROOT\" && mount --bind \"$THEIRS\" \"$(dirname \"$ROOT\")\"",
    ),
];

#[test]
#[cfg(target_os = "linux")]
fn what_lies_in_the_place_of_the_run_s_directory_is_neither_emptied_nor_changed() {
    for (needs_root, script) in OVER_ROOT {
        if needs_root && !rustix::process::geteuid().is_root() {
            println!("SKIPPED: only root can mount");
            continue;
        }
        let levels = Place::levels().into_iter();
        for (level, place) in levels.filter(|(level, _)| *level != "sandbox") {
            let theirs = make_numbered();
            let script = format!(
                "THEIRS='{}'; ROOT=$(dirname \"$(dirname \"$PWD\")\"); {script}",
                theirs.path().display()
            );
            let (verdict, run) = place.ran(&script);
            let said = run.output.to_text();
            assert_eq!(verdict, Verdict::Interesting, "{level}: {script}: {said}");
            // The next one is refused or has what it needs.
            let next = place.run("grep -q bug bug.c");
            let next = next.verdict();
            assert!(
                matches!(next, None | Some(Verdict::Interesting)),
                "{next:?}"
            );
            let Place { dir, scratch, .. } = place;
            drop(scratch);
            for mount in mounted_below(dir.path()).iter().rev() {
                let gone = Command::new("umount").arg(mount).status();
                assert!(gone.expect("umount").success(), "{mount}");
            }
            for number in 0..40 {
                let file = theirs.path().join(number.to_string()).join("w/bug.c");
                let text = fs::read_to_string(&file).unwrap_or_default();
                assert_eq!(text, "theirs", "{level}: {script}: {number}");
            }
            let left = fs::read_dir(theirs.path()).expect("it is there").count();
            assert_eq!(left, 40, "{level}: {script}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_copy_of_mounts_goes_and_they_stay() {
    if !rustix::process::geteuid().is_root() {
        println!("SKIPPED: only root can mount");
        return;
    }
    for place in Place::both() {
        // What is mounted or unmounted in one copy of a shared mount is so in all.
        let shared = place.dir.path().join("shared");
        let inner = shared.join("inner");
        let mount = |line: &str| {
            let mut shell = Command::new("sh");
            shell.args(["-ec", line]).current_dir(place.dir.path());
            assert!(shell.status().expect("a shell").success(), "{line}");
        };
        fs::create_dir(&shared).expect("a directory");
        mount(
            "mount -t tmpfs none shared; mount --make-shared shared; mkdir shared/inner; mount -t tmpfs none shared/inner",
        );
        let before = mounted_below(place.dir.path());
        fs::write(inner.join("file"), "theirs").expect("a file");
        let script = format!("mkdir x && mount --rbind '{}' x", shared.display());
        let (verdict, run) = place.ran(&script);
        let after = mounted_below(place.dir.path());
        let kept = fs::read_to_string(inner.join("file"));
        mount("umount shared/inner || :; umount shared");
        assert_eq!(verdict, Verdict::Interesting, "{}", run.output.to_text());
        assert_eq!(after, before);
        assert_eq!(kept.expect("a file"), "theirs");
        place.assert_clean();
    }
}

/// lop on a program whose test makes a file that nobody can remove, the first time that it is asked; what it says on both streams.
#[cfg(target_os = "linux")]
fn with_stuck_file(place: &Place, line: &[&str]) -> String {
    let _ = fs::remove_dir(place.dir.path().join("asked"));
    let lop = Command::new(env!("CARGO_BIN_EXE_lop"))
        .args(line)
        .args(["bug.c", "./test.sh", "--scratch", "scratch"])
        .current_dir(place.dir.path())
        .output()
        .expect("lop");
    String::from_utf8_lossy(&[lop.stdout, lop.stderr].concat()).into_owned()
}

#[test]
#[ignore = "long"]
#[cfg(target_os = "linux")]
fn what_cannot_be_removed_is_told_with_its_place_and_the_reason() {
    let place = Place::helped();
    let dir = place.dir.path();
    fs::write(dir.join("bug.c"), "int a;\nint bug;\n").expect("a program");
    let stuck = format!(
        "mkdir '{0}/asked' 2>/dev/null && : >stuck && chattr +i stuck && mkdir -p '{0}/was'\ngrep -q bug bug.c",
        dir.display()
    );
    place.test(&stuck);
    let first = with_stuck_file(&place, &["--plain", "--no-session"]);
    if !dir.join("was").exists() {
        println!("SKIPPED: no file can be made here that cannot be removed");
        return;
    }
    let roots = || {
        let roots = fs::read_dir(dir.join("scratch")).expect("a directory");
        let roots = roots.flatten().map(|entry| entry.path());
        let ours = place.scratch.root_path();
        Vec::from_iter(roots.filter(|root| root.is_dir() && root != ours))
    };
    let left = roots().pop().expect("a directory that stays");
    let said = format!(
        "what tests have left in {} cannot be removed: ",
        left.display()
    );
    let told = first.find(&said).unwrap_or_else(|| panic!("{first}"));
    assert!(
        first[told..].contains("stuck: Operation not permitted"),
        "{first}"
    );
    assert_eq!(first.matches(&said).count(), 1, "once: {first}");
    let end = first.find("lop: complete").expect("an end");
    assert!(told < end, "before the totals: {first}");
    // The next one tells of it too, and of its own.
    let second = with_stuck_file(&place, &["--json", "--no-session"]);
    let notes = second
        .lines()
        .filter(|line| line.contains("cannot be removed"));
    let notes: Vec<&str> = notes.collect();
    assert_eq!(notes.len(), 2, "{second}");
    assert!(
        notes[0].contains("\"begin\"") && notes[0].contains(&said),
        "{second}"
    );
    assert!(notes[1].starts_with("{\"event\":\"note\""), "{second}");
    let third = with_stuck_file(&place, &["doctor"]);
    assert_eq!(third.matches("cannot be removed").count(), 3, "{third}");
    let freed = Command::new("chattr")
        .args(["-R", "-i", "scratch"])
        .current_dir(dir)
        .status();
    assert!(freed.expect("chattr").success());
    place.test("grep -q bug bug.c");
    let last = with_stuck_file(&place, &["--plain", "--no-session"]);
    assert!(!last.contains("cannot be removed"), "{last}");
    assert_eq!(roots(), Vec::<PathBuf>::new());
}
