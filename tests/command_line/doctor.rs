//! Faulty tests as newcomers write them, and the doctor's diagnosis of each. The scripts and the compiler are real.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::shell::{End, Stage};

/// The compiler warns of it, and it prints 42.
const C: &str = "#include <stdio.h>\n\nstatic int square(int x) {\n    return x * x;\n}\n\nint main(void) {\n    int unused;\n    \
                 printf(\"%d\\n\", square(6) + 6);\n    return 0;\n}\n";

/// A directory with `bug.c` and `t.sh`. `DIR` in the script is its path.
fn stage(script: &str) -> Stage {
    let stage = Stage::new();
    stage.write("bug.c", C);
    let dir = stage.path("").display().to_string();
    let script = script.replace("DIR/", &dir);
    let script = match script.starts_with("#!") {
        true => script,
        false => format!("#!/bin/sh\n{script}\n"),
    };
    stage.write("t.sh", &script);
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(stage.path("t.sh"), mode).expect("a mode");
    stage
}

fn examine(stage: &Stage) -> End {
    stage.lop(&["doctor", "bug.c", "t.sh", "--jobs", "2"])
}

/// The names of the findings that hurt.
fn hurts(end: &End) -> Vec<&str> {
    let name = |line: &'_ str| line.strip_suffix(" (hurts)").map(str::len);
    end.out
        .lines()
        .filter_map(|line| Some(line[..name(line)?].split_once(". ")?.1))
        .collect()
}

/// It finds this to hurt, first of all, and says these words about it.
#[track_caller]
fn finds(script: &str, name: &str, words: &[&str]) {
    let end = examine(&stage(script));
    assert_eq!(end.status, 1, "{script}\n{end}");
    assert!(hurts(&end).contains(&name), "{name}: {script}\n{end}");
    for word in words {
        assert!(end.out.contains(word), "{word}: {script}\n{end}");
    }
}

/// It finds nothing that hurts.
#[track_caller]
fn is_sound(stage: &Stage) -> End {
    let end = examine(stage);
    assert_eq!((end.status, hurts(&end)), (0, vec![]), "{end}");
    assert!(end.out.contains("nothing was found that hurts"), "{end}");
    assert!(end.out.contains("tests a second"), "{end}");
    end
}

// The five that a newcomer writes.

/// Whether the script is for Python, which is not everywhere.
fn lacks_python(script: &str) -> bool {
    let python = || std::process::Command::new("python3").arg("-V").output();
    let lacks = script.starts_with("#!/usr/bin/env python3") && python().is_err();
    if lacks {
        println!("SKIPPED: no python3, so this is not examined: {script}");
    }
    lacks
}

#[test]
fn a_relative_path() {
    let stage = stage("cc -Wall -c src/bug.c 2>&1 | grep -q 'unused variable'");
    fs::create_dir(stage.path("src")).expect("a directory");
    fs::rename(stage.path("bug.c"), stage.path("src/bug.c")).expect("moved");
    let end = stage.lop(&["doctor", "src/bug.c", "t.sh"]);
    assert_eq!(
        (end.status, hurts(&end)),
        (1, vec!["relative-path"]),
        "{end}"
    );
    assert!(end.out.contains("there is no src/bug.c"), "{end}");
    assert!(
        end.out
            .contains("cc -Wall -c \"$1\" 2>&1 | grep -q 'unused variable'"),
        "{end}"
    );
}

#[test]
#[ignore = "long"]
fn no_set_e() {
    let script = "cc -o a.out bug.c\n./a.out >out.txt\ngrep -q printf bug.c";
    finds(
        script,
        "goes-on",
        &[
            "the step `cc -o a.out bug.c` fails",
            "as line 2 of t.sh",
            "  set -e\n",
        ],
    );
    let mended = is_sound(&stage(&format!("set -e\n{script}")));
    assert!(!mended.out.contains("goes-on"), "{mended}");
}

#[test]
#[ignore = "long"]
fn always_0() {
    let script = "cc -Wall -c bug.c 2>&1 | grep 'unused variable' >/dev/null\necho checked";
    // `set -e` would fix this one, and is the doctor's advice; the next has nothing that fails.
    finds(script, "goes-on", &["set -e"]);
    let script = "if cc -Wall -c bug.c 2>&1 | grep -q 'unused variable'; then echo yes; fi\nexit 0";
    finds(
        script,
        "always-yes",
        &["`exit 0`, which never fails", "|| exit 1"],
    );
}

#[test]
fn a_file_beside_it() {
    let stage = stage("cc -o a.out bug.c && ./a.out | cmp - expected.txt");
    stage.write("expected.txt", "42\n");
    let end = examine(&stage);
    assert_eq!((end.status, hurts(&end)), (1, vec!["needs-file"]), "{end}");
    let line = format!("cp -R {} .\n", stage.path("expected.txt").display());
    assert!(end.out.contains(&line), "{end}");
    assert!(end.out.contains("as line 2 of t.sh"), "{end}");
}

#[test]
#[ignore = "long"]
fn another_file_than_the_candidate() {
    for script in [
        "cc -Wall -c DIR/bug.c 2>&1 | grep -q 'unused variable'",
        "cd \"$(dirname \"$0\")\"\ncc -Wall -c bug.c -o /dev/null 2>&1 | grep -q 'unused variable'",
        "cc -Wall -c $(dirname $0)/bug.c 2>&1 | grep -q 'unused variable'",
        "SRC=DIR/bug.c\ncc -Wall -c $SRC 2>&1 | grep -q 'unused variable'",
    ] {
        finds(
            script,
            "other-file",
            &["which is the original and not the candidate"],
        );
    }
    finds(
        "cc -Wall -c DIR/bug.c 2>&1 | grep -q 'unused variable'",
        "other-file",
        &["cc -Wall -c \"$1\" 2>&1 | grep -q 'unused variable'"],
    );
}

// Others.

#[test]
#[ignore = "long"]
fn what_else_goes_wrong() {
    for (script, name, words) in [
        // The name is another one.
        (
            "cc -Wall -c input.c 2>&1 | grep -q unused",
            "other-name",
            &["cc -Wall -c \"$1\" 2>&1"][..],
        ),
        // It asks that something fails, and not how.
        (
            "! cc -Werror -Wall -c \"$1\" 2>/dev/null",
            "nonsense",
            &["grep -q 'WORDS OF THE MESSAGE'"],
        ),
        // It looks for something that is absent.
        (
            "cc -c \"$1\" 2>/dev/null && ! grep -q nothing \"$1\"",
            "empty",
            &["the result would be empty"],
        ),
        // Every second run says no.
        (
            "cc -c \"$1\" || exit 1\nif [ -e DIR/odd ]; then rm DIR/odd; exit 1; fi\ngrep -q unused \"$1\" && : >DIR/odd",
            "flaky",
            &["of 6 runs on bug.c as it is, 3 said 0"],
        ),
        // A daemon, out of the group.
        (
            "setsid sleep 1000 >/dev/null 2>&1 &\ncc -Wall -c \"$1\" 2>&1 | grep -q unused",
            "processes",
            &["`sleep 1000`", "trap 'kill $server' EXIT"],
        ),
        // Beside itself.
        (
            "cc -Wall -c \"$1\" -o \"$(dirname \"$0\")/out.o\" 2>&1 | grep -q unused",
            "writes-outside",
            &[
                "/out.o",
                "the working directory and $TMPDIR",
                "-o \"out.o\"",
            ],
        ),
        // Words of another language.
        (
            "[ \"$LANG\" = xx_YY ] && cc -Wall -c \"$1\" 2>&1 | grep -q unused",
            "environment",
            &["export LANG=xx_YY"],
        ),
        (
            "[ -n \"$LOP_FLAVOUR\" ] && cc -Wall -c \"$1\" 2>&1 | grep -q unused",
            "environment",
            &["export LOP_FLAVOUR=plain"],
        ),
        // Only one at a time.
        (
            "mkdir DIR/lock || exit 1\ncc -Wall -c \"$1\" 2>&1 | grep -q unused; r=$?\nrmdir DIR/lock\nexit $r",
            "parallel",
            &["--jobs 1"],
        ),
        // Without the compiler all is well.
        (
            "if ! cc -c \"$1\"; then exit 0; fi\ngrep -q unused \"$1\"",
            "nonsense",
            &[],
        ),
        (
            "if ! command -v cc >/dev/null; then exit 0; fi\ncc -Wall -c \"$1\" 2>&1 | grep -q unused",
            "tools",
            &["command -v cc >/dev/null || exit 127"],
        ),
        // No shell.
        (
            "#!/usr/bin/env python3\nimport subprocess\nsubprocess.call(['cc', '-c', 'DIR/bug.c', '-o', '/dev/null'])\n",
            "other-file",
            &[],
        ),
    ] {
        if lacks_python(script) {
            continue;
        }
        let stage = stage(script);
        stage.write("odd.c", C);
        let line = ["doctor", "bug.c", "t.sh", "--jobs", "4"];
        let end = stage.lop_with(&line, &[("LANG", "xx_YY"), ("LOP_FLAVOUR", "plain")]);
        assert_eq!(end.status, 1, "{script}\n{end}");
        assert!(hurts(&end).contains(&name), "{name}: {script}\n{end}");
        for word in words {
            assert!(end.out.contains(word), "{word}: {script}\n{end}");
        }
    }
}

#[test]
#[ignore = "long"]
fn a_file_with_a_fixed_name_in_tmp() {
    let mine = format!("/tmp/lop-doctor-test-{}", std::process::id());
    // It stays.
    finds(
        &format!("cc -Wall -c \"$1\" -o {mine}.o 2>&1 | grep -q unused"),
        "writes-outside",
        &[
            &format!("{mine}.o"),
            &format!(
                "cc -Wall -c \"$1\" -o lop-doctor-test-{}.o",
                std::process::id()
            ),
        ],
    );
    // It is there while the test runs.
    finds(
        &format!(
            "cc -Wall -c \"$1\" -o {mine}.2.o 2>{mine}.log; grep -q unused {mine}.log; r=$?; rm -f {mine}.2.o {mine}.log; exit $r"
        ),
        "writes-outside",
        &[&format!("{mine}.log")],
    );
    // One more each time.
    finds(
        &format!("cc -Wall -c \"$1\" -o {mine}-many.$$ 2>&1 | grep -q unused"),
        "leaves-files",
        &["fills the disk"],
    );
    for entry in fs::read_dir("/tmp").expect("/tmp").flatten() {
        if entry.path().display().to_string().starts_with(&mine) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[test]
fn a_home_is_no_place_to_write() {
    let stage = stage("cc -Wall -c \"$1\" -o \"$HOME/bug.o\" 2>&1 | grep -q unused");
    fs::create_dir(stage.path("home")).expect("a directory");
    let home = stage.path("home").display().to_string();
    let end = stage.lop_with(&["doctor", "bug.c", "t.sh"], &[("HOME", &home)]);
    assert_eq!(
        (end.status, hurts(&end)),
        (1, vec!["writes-outside"]),
        "{end}"
    );
    assert!(end.out.contains(&format!("{home}/bug.o")), "{end}");
}

#[test]
#[ignore = "long"]
fn good_tests_are_told_so() {
    for script in [
        "cc -Wall -c \"$1\" 2>&1 | grep -q 'unused variable'",
        "cc -Wall -c bug.c 2>&1 | grep -q 'unused variable'",
        // It fails on purpose: a compiler that crashes does.
        "cc -Werror -Wall -c \"$1\" >log 2>&1\ngrep -q \"unused variable\" log",
        "set -e\ncc -o a.out \"$1\"\ntest \"$(./a.out)\" = 42",
        "cc -o a.out \"$1\" || exit 1\n[ \"$(./a.out)\" = 42 ]",
        "rm -f a.out\ncc -O0 \"$1\" -o a && cc -O2 \"$1\" -o b || exit 1\n./a >1; ./b >2\ncmp -s 1 2 && grep -q square \"$1\"",
        "t=$(mktemp -d)\ntrap 'rm -rf \"$t\"' EXIT\ncc -Wall -c \"$1\" -o $t/x.o 2>$t/log\ngrep -q unused $t/log",
        "timeout 20 cc -Wall -c \"$1\" 2>&1 | head -100 | grep -q unused",
        "#!/bin/bash\nset -euo pipefail\ncc -Wall -c \"$1\" 2>log\ngrep -q unused log",
        "#!/usr/bin/env python3\nimport subprocess, sys\nout = subprocess.run(['cc', '-Wall', '-c', sys.argv[1]], capture_output=True, text=True)\n\
         sys.exit(0 if 'unused variable' in out.stderr else 1)\n",
    ] {
        if lacks_python(script) {
            continue;
        }
        let stage = stage(script);
        let before = stage.names();
        is_sound(&stage);
        assert_eq!(stage.names(), before, "nothing was written");
    }
}

#[test]
fn a_file_of_any_kind_will_do() {
    let stage = stage("grep -q one \"$1\" && grep -q three \"$1\"");
    stage.write("list.txt", "one\ntwo\nthree\nfour\n");
    let end = stage.lop(&["doctor", "list.txt", "t.sh"]);
    assert_eq!((end.status, hurts(&end)), (0, vec![]), "{end}");
}

#[test]
fn for_programs_it_speaks_json() {
    let stage = stage("exit 0");
    let end = stage.lop(&["doctor", "bug.c", "t.sh", "--json"]);
    assert_eq!(end.status, 1, "{end}");
    let objects: Vec<serde_json::Value> = end
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object"))
        .collect();
    assert_eq!(objects[0]["event"], "finding");
    assert_eq!(objects[0]["name"], "always-yes");
    assert_eq!(objects[0]["hurts"], true);
    let last = objects.last().expect("an end");
    assert_eq!(
        (&last["event"], &last["status"]),
        (&"examined".into(), &1.into())
    );
}

#[test]
fn what_cannot_be_examined_is_told() {
    let stage = stage("echo looking; exit 3");
    let end = examine(&stage);
    assert_eq!(end.status, 1, "{end}");
    assert!(end.err.contains("does not find bug.c interesting"), "{end}");
    assert!(end.err.contains("| looking"), "{end}");
    assert!(
        !end.err.contains("lop doctor"),
        "it was asked already: {end}"
    );
    stage.test("missing.sh", "no-such-compiler bug.c");
    let end = stage.lop(&["doctor", "bug.c", "missing.sh"]);
    assert_eq!(end.status, 3, "{end}");
    assert!(end.err.contains("a command in it was not found"), "{end}");
    let end = stage.lop(&["doctor", "bug.c", "none.sh"]);
    assert_eq!(end.status, 2, "{end}");
}

#[test]
fn a_reduction_says_at_its_start_where_to_look() {
    let stage = stage("! cc -Werror -Wall -c \"$1\" 2>/dev/null");
    let end = stage.lop(&["bug.c", "t.sh", "--plain", "--no-session"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(
        end.out.contains("finds a line of nonsense interesting too"),
        "{end}"
    );
    assert!(end.out.contains("lop doctor bug.c"), "{end}");
    let stage = self::stage("exit 1");
    let end = stage.lop(&["bug.c", "t.sh", "--plain", "--no-session"]);
    assert!(
        end.err.contains("have it examined: lop doctor bug.c"),
        "{end}"
    );
}

/// The second half of this program needs the first: without it, each line has two errors.
fn many_lines() -> String {
    let first: String = (0..8000).map(|n| format!("extern int x{n};\n")).collect();
    let second: String = (0..8000).map(|n| format!("T f{n}(T a);\n")).collect();
    format!("typedef int T;\n{first}{second}static int unused;\n")
}

#[test]
#[ignore = "long"]
fn a_compiler_that_goes_on_after_errors() {
    let rest = "-S -o /dev/null \"$1\" 2>&1 | grep -q 'defined but not used'";
    for (options, is_found) in [("-Wall", true), ("-Wall -fmax-errors=1", false)] {
        let stage = stage(&format!("LC_ALL=C cc {options} {rest}"));
        stage.write("bug.c", &many_lines());
        let end = examine(&stage);
        let found = end.out.contains("errors (good to know)");
        assert_eq!(found, is_found, "{options}\n{end}");
        let line = format!("LC_ALL=C cc -Wfatal-errors {options} {rest}");
        assert_eq!(end.out.contains(&line), is_found, "{options}\n{end}");
    }
}

#[test]
#[ignore = "long"]
fn errors_that_a_test_looks_for_are_not_limited() {
    let stage = stage("LC_ALL=C cc -fsyntax-only \"$1\" 2>&1 | grep -q \"'x7' undeclared\"");
    stage.write(
        "bug.c",
        &format!("{}int y = x7;\n", many_lines().replace("int x7;", "")),
    );
    let end = examine(&stage);
    assert!(!end.out.contains("errors (good to know)"), "{end}");
}
