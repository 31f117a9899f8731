//! What `lop init` writes for real compilers that fail.

use std::process::Command;

use crate::shell::{End, Stage};

/// What a program prints about itself; none if it is not there.
fn version_of(program: &str) -> Option<String> {
    let output = Command::new(program).arg("-v").output();
    match output {
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(_) => {
            println!("SKIPPED: there is no {program}");
            None
        }
    }
}

fn init(stage: &Stage, line: &[&str]) -> End {
    let english = [("LC_ALL", "C")];
    let end = stage.lop_with(&[&["init", "bug.c", "-o", "t.sh"], line].concat(), &english);
    assert_eq!(end.status, 0, "{end}");
    end
}

/// Whether the script that was written says yes about this program.
fn is_interesting(stage: &Stage, program: &str) -> bool {
    stage.write("other.c", program);
    let mut script = stage.program("./t.sh", &["other.c"]);
    let output = script.env("LC_ALL", "C").output().expect("the script runs");
    output.status.success()
}

#[test]
#[ignore = "long"]
fn of_a_crash_of_clang_the_frame_below_the_handler_counts() {
    for compiler in ["clang-14", "clang-16", "clang"] {
        if version_of(compiler).is_none() {
            continue;
        }
        let stage = Stage::new();
        let crash = "#pragma clang __debug parser_crash\nint y;\n";
        stage.write("bug.c", crash);
        let end = init(&stage, &["--", compiler, "-fsyntax-only", "{}"]);
        let property = end.out.lines().next().unwrap_or_default();
        assert!(property.contains("in clang::Parser::Parse"), "{end}");
        assert!(property.contains("no error in the program"), "{end}");
        for reports in ["llvm::sys", "libLLVM", "Signal"] {
            assert!(!property.contains(reports), "{reports}: {end}");
        }
        assert!(is_interesting(&stage, crash), "{end}");
        let other = "#pragma clang __debug llvm_fatal_error\nint y;\n";
        assert!(!is_interesting(&stage, other), "{end}");
        assert!(!is_interesting(&stage, &format!("x y z;\n{crash}")));
    }
}

/// Takes the place of GCC's own `cc1`. It faults, unless the program is harmless, in one of two passes, and after an error if `stay` is gone.
const FAULTY: &str = "for word; do case $word in ?*.c) f=$word;; esac; done\n\
    grep -q bug \"$f\" || exit 0\n\
    grep -q stay \"$f\" || echo \"$f:1:1: error: 'stay' undeclared\" >&2\n\
    if grep -q loop \"$f\"; then echo 'during GIMPLE pass: vect' >&2; else echo 'during RTL pass: expand' >&2; fi\n\
    kill -SEGV $$";

#[test]
fn of_a_fault_of_gcc_the_pass_counts_and_that_no_error_came_before() {
    if !version_of("cc").is_some_and(|said| said.contains("gcc version")) {
        println!("SKIPPED: cc is not GCC");
        return;
    }
    let stage = Stage::new();
    stage.write("bug.c", "int stay, bug, loop;\n");
    std::fs::create_dir(stage.path("bin")).expect("a directory");
    stage.test("bin/cc1", FAULTY);
    let place = format!("-B{}", stage.path("bin").display());
    let end = init(&stage, &["--", "cc", &place, "-c", "{}"]);
    for part in [
        "Segmentation fault",
        "during GIMPLE pass: vect; ",
        "no error in the program; ",
    ] {
        assert!(end.out.contains(part), "{part}: {end}");
    }
    assert!(is_interesting(&stage, "int stay, bug, loop;\n"), "{end}");
    assert!(!is_interesting(&stage, "int bug, loop;\n"), "{end}");
    assert!(!is_interesting(&stage, "int stay, bug;\n"), "{end}");
}

#[test]
fn a_command_ends_at_the_first_error_if_the_original_has_none() {
    let warns = "static int unused;\n";
    let looks = ["--grep", "defined but not used|unused variable"];
    let limited = |program: &str, line: &[&str]| {
        let stage = Stage::new();
        stage.write("bug.c", program);
        // A compiler that does not know the option.
        stage.test("gcc", "case $1 in -Wfatal*) exit 9;; esac; exit 3");
        let end = init(&stage, line);
        let has_option = stage.read("t.sh").contains("-Wfatal-errors");
        assert_eq!(end.out.contains("-Wfatal-errors"), has_option, "{end}");
        assert!(is_interesting(&stage, program), "{end}");
        has_option
    };
    let compile = ["--", "cc", "-Wall", "-c", "{}"];
    assert!(limited(warns, &[&looks[..], &compile].concat()));
    let after_error = format!("int x = y;\n{warns}");
    assert!(!limited(&after_error, &[&looks[..], &compile].concat()));
    assert!(
        !limited("int x = y;\n", &compile),
        "an error is the failure"
    );
    assert!(!limited(warns, &["--exit", "3", "--", "./gcc", "{}"]));
    let own = [
        &looks[..],
        &["--", "cc", "-Wall", "-fmax-errors=2", "-c", "{}"],
    ]
    .concat();
    let stage = Stage::new();
    stage.write("bug.c", warns);
    assert!(!init(&stage, &own).out.contains("-Wfatal-errors"));
}
