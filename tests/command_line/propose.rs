//! `--propose COMMAND`: programs that propose candidates; and `lop --serve-reducer`, which is one.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use rustix::process::{Pid, test_kill_process};

use crate::shell::{End, FINDS_BUG, Stage};

/// Answers each version by these lines; `asked` has a line for each start of the program.
fn proposer(stage: &Stage, lines: &str) {
    let asked = stage.path("asked");
    stage.test(
        "propose.sh",
        &format!(
            "echo $$ >>'{}'\nwhile read -r line; do case $line in *'\"event\":\"version\"'*)\n{lines}\n;; esac; done",
            asked.display()
        ),
    );
}

/// Proposes what no pass makes of the program: a name that the test knows.
const MAGIC: &str = "case $line in *magic*) ;; *) echo '{\"id\":1,\"text\":\"magic bug;\"}' ;; esac
n=${line#*\"version\":}; echo \"{\\\"done\\\":${n%%,*}}\"";

const LINE: [&str; 5] = ["bug.c", "test.sh", "--jobs", "1", "--plain"];

fn lop(stage: &Stage, more: &[&str]) -> End {
    stage.lop(&[&LINE[..], more].concat())
}

/// The result without any program.
fn alone() -> String {
    let stage = Stage::new();
    let end = lop(&stage, &[]);
    assert_eq!(end.status, 0, "{end}");
    stage.read("bug.lop.c")
}

#[test]
#[ignore = "long"]
fn what_a_program_proposes_is_tested_and_a_session_goes_on_without_it() {
    let stage = Stage::new();
    stage.test("test.sh", "grep -q 'int bug' bug.c || grep -q magic bug.c");
    proposer(&stage, MAGIC);
    let end = lop(&stage, &["--propose", "./propose.sh"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("bug.lop.c").trim(), "magic bug;");
    // The journal says what was proposed: nobody is asked again.
    let end = stage.lop(&["replay", "--check", "bug.c-1"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("asked").lines().count(), 1);
}

#[test]
#[ignore = "long"]
fn a_program_that_is_missing_wrong_or_silent_harms_nothing() {
    let expected = alone();
    for (program, notice) in [
        (
            "./missing.sh",
            "the program missing.sh has ended: exit status: 127, and said: ",
        ),
        (
            "(sleep 0.1; echo too late >&2) >&- & exit 3",
            "has ended: exit status: 3, and said: too late",
        ),
        (
            "echo rubbish",
            "echo rubbish wrote a line that is no proposal, and was told so: ",
        ),
        (
            "yes",
            "yes wrote a line that is no proposal, and was told so: ",
        ),
        ("exec sleep 1000", ""),
        ("exec sleep 1000 <&- >&-", ""),
        ("head -c 300000 /dev/zero", ""),
        ("yes '{\"id\":1,\"text\":\"wrong\"}'", ""),
    ] {
        let stage = Stage::new();
        let end = lop(&stage, &["--propose", program, "--propose-patience", "0.2"]);
        assert_eq!(end.status, 0, "{program}: {end}");
        assert_eq!(stage.read("bug.lop.c"), expected, "{program}");
        assert!(end.out.contains(notice), "{program}: {end}");
    }
}

#[test]
fn nothing_of_a_program_is_left_when_the_run_is_over() {
    let stage = Stage::new();
    let pids = stage.path("pids");
    let program = format!(
        "trap '' TERM; sleep 1000 & echo $! >>'{0}'; echo $$ >>'{0}'; wait; sleep 1000",
        pids.display()
    );
    let end = lop(
        &stage,
        &["--propose", &program, "--propose-patience", "0.1"],
    );
    assert_eq!(end.status, 0, "{end}");
    let pids = stage.read("pids");
    assert_eq!(pids.lines().count(), 2, "{pids}");
    for pid in pids.lines() {
        let pid = Pid::from_raw(pid.parse().expect("a number")).expect("a process");
        // A zombie of somebody else's may still be there.
        let state = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
        let is_zombie = state.is_ok_and(|state| state.contains(") Z "));
        assert!(
            is_zombie || test_kill_process(pid).is_err(),
            "{pid:?} lives"
        );
    }
}

#[test]
fn lop_itself_proposes_to_lop() {
    let stage = Stage::new();
    let serve = format!(
        "'{}' --serve-reducer --language text",
        env!("CARGO_BIN_EXE_lop")
    );
    let line = [
        "bug.c",
        "test.sh",
        "--json",
        "--jobs",
        "1",
        "--propose",
        &serve,
    ];
    let end = stage.lop(&line);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("bug.lop.c").trim(), "bug");
    let external = end.out.lines().filter(|line| {
        line.contains("\"event\":\"decided\"") && line.contains("\"pass\":\"external\"")
    });
    assert!(external.count() > 0, "{end}");
}

/// What `lop --serve-reducer` says, and how it ends, where a reducer says this.
fn serve(said: &str) -> End {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lop"))
        .arg("--serve-reducer")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lop");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(said.as_bytes()).expect("it reads");
    drop(input);
    child.wait_with_output().expect("lop").into()
}

#[test]
fn a_reducer_that_says_what_is_none_of_the_protocol_hears_why() {
    let version =
        |files: &str| format!("{{\"event\":\"version\",\"version\":0,\"files\":[{files}]}}\n");
    for (said, why) in [
        (
            "rubbish\n".to_owned(),
            "line 1 of the reducer is none of the protocol",
        ),
        (
            "{\"event\":\"hello\",\"protocol\":9}\n".to_owned(),
            "the reducer speaks version 9 of the protocol, and this lop version 1",
        ),
        (
            version(""),
            "a version has 0 files, and this lop serves programs of one file",
        ),
        (
            version("{\"name\":\"a.c\",\"hex\":\"0\"}"),
            "the bytes of a.c are not two digits each",
        ),
    ] {
        let end = serve(&said);
        assert_eq!(end.status, 2, "{said}: {end}");
        assert!(end.err.contains(why), "{said}: {end}");
    }
    let end = serve("");
    assert_eq!((end.status, end.out.as_str()), (0, ""), "{end}");
}

#[test]
fn a_served_reducer_goes_on_from_what_was_found_and_begins_anew_with_another_version() {
    // The reducer: all that holds `bug` is interesting, and is the next version.
    let stage = Stage::new();
    stage.test(
        "reducer.sh",
        &format!(
            r#"say() {{ printf '%s\n' "$1"; printf '%s\n' "$1" >>said; }}
n=0
say '{{"event":"hello","protocol":1,"language":"c"}}'
say '{{"event":"version","version":0,"files":[{{"name":"bug.c","text":"int a;\nint bug;\n"}}]}}'
while read -r line; do
printf '%s\n' "$line" >>heard
case $line in
*'"done"'*) [ "$last" ] && {{ say '{{"event":"end"}}'; exit; }}; n=9; last=yes
say '{{"event":"version","version":9,"files":[{{"name":"bug.c","text":"int b; int bug;"}}]}}' ;;
*) id=${{line#*\"id\":}}; id=${{id%%,*}}; text=${{line#*\"text\":}}; text=${{text%\}}}}
if printf '%s' "$text" >bug.c; {FINDS_BUG}; then
say "{{\"event\":\"verdict\",\"id\":$id,\"verdict\":\"interesting\"}}"; n=$((n + 1))
say "{{\"event\":\"version\",\"version\":$n,\"files\":[{{\"name\":\"bug.c\",\"text\":$text}}]}}"
else say "{{\"event\":\"verdict\",\"id\":$id,\"verdict\":\"uninteresting\"}}"; fi ;;
esac
done"#
        ),
    );
    stage.pipe("to");
    let line = format!(
        "./reducer.sh <to | '{}' --serve-reducer --strategy perses >to",
        env!("CARGO_BIN_EXE_lop")
    );
    let status = stage
        .program("sh", &["-c", &line])
        .status()
        .expect("a shell");
    assert!(status.success());
    let heard = stage.read("heard");
    let done: Vec<&str> = heard.lines().filter(|line| line.contains("done")).collect();
    assert_eq!(done.len(), 2, "{heard}");
    let proposals = || heard.lines().filter(|line| line.contains("\"text\""));
    assert!(
        proposals().any(|line| line.contains("\"text\":\"int bug;\"")),
        "{heard}"
    );
    // What follows a version is about it.
    let about_last = proposals().filter(|line| line.contains("\"version\":9"));
    assert!(about_last.count() > 0, "{heard}");
}

/// The command line of an adapter that the documents show.
fn example(name: &str, arguments: &str) -> String {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/examples/propose");
    format!("python3 '{directory}/{name}' {arguments}")
}

/// Whether the adapters can be run; says so if not.
fn has_python() -> bool {
    let is_there = Command::new("python3").arg("-V").output().is_ok();
    if !is_there {
        println!("SKIPPED: there is no python3");
    }
    is_there
}

/// A reducer for Shrink Ray, of one idea.
const SHRINKRAY_REDUCER: &str = r#"import base64, json, sys
for line in sys.stdin:
    said = json.loads(line)
    if "reduce" in said:
        print(json.dumps({"content": base64.b64encode(b"bug;").decode()}), flush=True)
        print(json.dumps({"idle": True}), flush=True)
"#;

/// Prints a hint for each line: its first word goes.
const HINTS: &str = r#"import json, sys
print(json.dumps({"format": "cvise_hints_v0"}))
at = 0
for line in open(sys.argv[1]):
    print(json.dumps({"p": [{"l": at, "r": at + 4}]}))
    at += len(line)
"#;

#[test]
#[ignore = "long"]
fn the_adapters_of_the_documents_work() {
    if !has_python() {
        return;
    }
    let stage = Stage::new();
    stage.write("reducer.py", SHRINKRAY_REDUCER);
    stage.write("hints.py", HINTS);
    stage.write("ideas.sed", "# ideas\n/stay/d\ns/int bug/bug/\n");
    stage.test(
        "clang_delta",
        "case $1 in --transformations) echo drop ;; --query*) echo 'Available transformation instances: 1' ;; *) echo 'bug;' ;; esac",
    );
    let delta = format!(
        "CLANG_DELTA='{}' {}",
        stage.path("clang_delta").display(),
        example("clang_delta.py", "")
    );
    for program in [
        delta,
        example("shrinkray.py", "python3 reducer.py"),
        example("cvise_hints.py", "python3 hints.py"),
        example("sed_lines.py", "ideas.sed"),
    ] {
        let line = ["bug.c", "test.sh", "--json", "--propose", &program];
        let end = stage.lop(&line);
        assert_eq!(end.status, 0, "{program}: {end}");
        let mut lines = end.out.lines();
        let is_asked = lines.any(|line| line.contains("\"pass\":\"external\""));
        assert!(is_asked, "{program}: {end}");
        assert!(!end.out.contains("no proposal"), "{program}: {end}");
    }
}

#[test]
fn a_program_expands_the_macros_that_no_pass_does() {
    if !has_python() {
        return;
    }
    let stage = Stage::new();
    stage.write(
        "bug.c",
        "#define NAME(x) x\n#define BUG NAME(int) bug\nBUG;\n",
    );
    stage.test(
        "test.sh",
        "cc -E -P bug.c | tr -d ' \\n' | grep -q 'intbug;'",
    );
    let alone = stage.lop(&LINE);
    assert_eq!(alone.status, 0, "{alone}");
    assert!(stage.read("bug.lop.c").contains("#define"));
    let end = lop(&stage, &["--propose", &example("macros.py", "")]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("bug.lop.c").trim(), "int bug;");
}
