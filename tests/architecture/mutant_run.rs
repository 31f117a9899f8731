//! A mutant's copy of the sources, and the test that runs there.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitOptions, kill_process, wait};

use super::mutant_switches;

/// How long a test may take that is built: less than what the tests allow their own processes, which would make a failure of what hangs.
pub const TIME_LIMIT: Duration = Duration::from_secs(180);

/// How the test of a mutant ended.
#[derive(Debug)]
pub enum TestEnd {
    /// It could not be built; what the compiler printed.
    Unbuilt(String),
    Passed,
    /// What it printed.
    Failed(String),
    /// It ran into its time limit.
    Hanging,
}

/// Makes the copy what the original is. A file that is as it was keeps its time, so that cargo does not build it again.
pub fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("a directory");
        let names = |folder: &Path| {
            let entries = fs::read_dir(folder).expect("a directory");
            entries.map(|entry| entry.expect("an entry").file_name())
        };
        for name in names(to).filter(|name| !from.join(name).exists()) {
            let gone = to.join(name);
            let removed = match gone.is_dir() {
                true => fs::remove_dir_all(gone),
                false => fs::remove_file(gone),
            };
            removed.expect("removed");
        }
        for name in names(from) {
            copy(&from.join(&name), &to.join(&name));
        }
    } else {
        let bytes = fs::read(from).expect("a file");
        if fs::read(to).ok().as_ref() != Some(&bytes) {
            fs::write(to, bytes).expect("a copy");
            let rights = from.metadata().expect("a file").permissions();
            fs::set_permissions(to, rights).expect("its rights");
        }
    }
}

/// A command of cargo in the copy.
fn cargo_test(copy: &Path, target: &Path) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .current_dir(copy)
        .arg("test")
        .env("CARGO_TARGET_DIR", target);
    cargo
}

/// Builds the tests of which these are the words. What the compiler printed if it cannot be done: its errors a line each, with their places.
pub fn build_tests<'a>(
    copy: &Path,
    target: &Path,
    tests: impl Iterator<Item = &'a str>,
) -> Result<(), String> {
    let choices = tests.map(|test| test.rsplit_once(' ').expect("a choice and a name").0);
    let choices: BTreeSet<&str> = choices.collect();
    let mut cargo = cargo_test(copy, target);
    cargo.args(["--no-run", "--message-format", "short"]);
    cargo.args(choices.iter().flat_map(|choice| choice.split(' ')));
    let built = cargo.output().expect("cargo");
    match built.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&built.stderr).into_owned()),
    }
}

/// Builds a test in the copy and runs it, with the switch of this mutant on. No process of it is left.
pub fn run_test(copy: &Path, target: &Path, test: &str, switch: Option<&str>) -> TestEnd {
    if let Err(printed) = build_tests(copy, target, [test].into_iter()) {
        return TestEnd::Unbuilt(printed);
    }
    // A file and no pipe: what is left of a test would hold the pipe open.
    let place = copy.join("printed");
    let printed = File::create(&place).expect("a file");
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).expect("a subreaper");
    let mut test = cargo_test(copy, target)
        .args(test.split(' '))
        .args(["--", "--include-ignored"])
        .envs(switch.map(|number| (mutant_switches::VARIABLE, number)))
        .stdin(Stdio::null())
        .stdout(printed.try_clone().expect("a file"))
        .stderr(printed)
        .spawn()
        .expect("cargo");
    let pid = Pid::from_child(&test);
    let (ends, end) = mpsc::channel();
    thread::spawn(move || ends.send(test.wait()));
    let status = end.recv_timeout(TIME_LIMIT);
    if status.is_err() {
        let _ = kill_process(pid, Signal::KILL);
        // Once it is reaped, what it has started is a child of this process.
        let _ = end.recv();
    }
    end_children();
    match status {
        Err(_) => TestEnd::Hanging,
        Ok(status) if status.as_ref().expect("a child").success() => TestEnd::Passed,
        Ok(_) => {
            let printed = fs::read(place).expect("a file");
            TestEnd::Failed(String::from_utf8_lossy(&printed).into_owned())
        }
    }
}

/// Ends all children of this process, and theirs, which are its children once their parents are dead.
fn end_children() {
    loop {
        for child in list_children() {
            let _ = kill_process(child, Signal::KILL);
        }
        if wait(WaitOptions::empty()).is_err() {
            return;
        }
    }
}

/// The processes that have this one as their parent.
fn list_children() -> Vec<Pid> {
    let own = rustix::process::getpid().as_raw_nonzero().to_string();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let children = numbers.filter(|number: &i32| {
        let line = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        // A name may hold spaces and parentheses; the state and the parent stand behind it.
        let rest = line.rsplit_once(')').map_or("", |(_, rest)| rest);
        rest.split_whitespace().nth(1) == Some(&own)
    });
    children.filter_map(Pid::from_raw).collect()
}
