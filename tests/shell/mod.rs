//! A directory with a program and a test, and lop run in it.
// Each test binary uses a part of it.
#![allow(dead_code)]

pub mod process_limit;
pub mod terminal;

use std::fmt;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use process_limit::ProcessLimit;
use rustix::process::{Pid, Signal};

pub const PROGRAM: &str = "int a;\nint b;\nint stay;\nint bug;\n";
pub const FINDS_BUG: &str = "grep -q bug bug.c";

/// The directory; it goes when this does.
pub struct Stage {
    dir: tempfile::TempDir,
    /// Where lop keeps its sessions.
    state: tempfile::TempDir,
}

/// How a run of lop ended.
pub struct End {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl From<Output> for End {
    fn from(output: Output) -> End {
        let text = |bytes| String::from_utf8(bytes).expect("text");
        End {
            status: output.status.code().unwrap_or(-1),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "status {}\n--- out\n{}--- err\n{}",
            self.status, self.out, self.err
        )
    }
}

impl Stage {
    /// With `bug.c`, and `test.sh` that looks for a word in it.
    pub fn new() -> Stage {
        let stage = Stage {
            dir: tempfile::tempdir().expect("a directory"),
            state: tempfile::tempdir().expect("a directory"),
        };
        stage.write("bug.c", PROGRAM);
        stage.test("test.sh", FINDS_BUG);
        stage
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Where programs keep what they remember.
    pub fn state(&self) -> &std::path::Path {
        self.state.path()
    }

    /// The directory of all sessions.
    pub fn sessions(&self) -> PathBuf {
        self.state.path().join("lop/sessions")
    }

    /// A named pipe: who reads it waits until a test has written to it.
    pub fn pipe(&self, name: &str) {
        let made = Command::new("mkfifo").arg(self.path(name)).status();
        assert!(made.expect("mkfifo").success());
    }

    /// An executable script.
    pub fn test(&self, name: &str, commands: &str) {
        self.write(name, &format!("#!/bin/sh\n{commands}\n"));
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).expect("a mode");
    }

    /// Builds something in C that takes the place of functions of the system's library, for `LD_PRELOAD`; none where that cannot be.
    pub fn preload(&self, name: &str, source: &str) -> Option<String> {
        let (source_file, library) = (format!("{name}.preload.c"), format!("{name}.so"));
        let library = self.state.path().join(library);
        fs::write(self.state.path().join(&source_file), source).expect("a file");
        let mut cc = self.program("cc", &["-shared", "-fPIC", "-o"]);
        cc.arg(&library).arg(self.state.path().join(&source_file));
        let built = cfg!(target_os = "linux") && cc.status().is_ok_and(|status| status.success());
        if !built {
            println!("SKIPPED: no compiler makes what would take the place of {name}");
        }
        built.then(|| library.display().to_string())
    }

    /// `hang.sh` never answers about a program that has lost `stay`, so that a run with it has no end.
    pub fn hanging_test(&self) {
        self.test(
            "hang.sh",
            &format!("{FINDS_BUG} || exit 1; grep -q stay bug.c || exec tail -f /dev/null"),
        );
    }

    /// Puts another test in the place of one that may be running.
    pub fn replace_test(&self, name: &str, commands: &str) {
        self.test("next.sh", commands);
        fs::rename(self.path("next.sh"), self.path(name)).expect("it can be renamed");
    }

    /// A run with it that has made the program smaller, and continues.
    pub fn hanging_run(&self) -> Running {
        self.hanging_test();
        self.start_hanging(&[])
    }

    /// The same with more words on the line; `hang.sh` is there.
    pub fn start_hanging(&self, more: &[&str]) -> Running {
        let line = ["bug.c", "hang.sh", "--json", "--timeout", "0"];
        let line = [&line[..], &["--strategy", "perses"], more].concat();
        let mut run = self.start(&line);
        run.until_taken();
        run
    }

    /// Whether the file would pass `test.sh`.
    pub fn passes(&self, name: &str) -> bool {
        self.read(name).contains("bug")
    }

    /// The names of all that is there, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.dir.path()).expect("the directory");
        let mut names: Vec<String> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }

    fn command(&self, line: &[&str]) -> Command {
        self.program(env!("CARGO_BIN_EXE_lop"), &with_effort(line))
    }

    /// Any program, in this directory.
    pub fn program(&self, program: &str, line: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(line)
            .current_dir(self.dir.path())
            .env("XDG_STATE_HOME", self.state.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs lop to its end.
    pub fn lop(&self, line: &[&str]) -> End {
        self.lop_with(line, &[])
    }

    /// The same with these variables in its environment.
    pub fn lop_with(&self, line: &[&str], environment: &[(&str, &str)]) -> End {
        let mut command = self.command(line);
        command.envs(environment.iter().copied());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("lop");
        let _limit = ProcessLimit::watch(Pid::from_child(&child));
        child.wait_with_output().expect("lop").into()
    }

    /// Starts lop, to be followed by its lines.
    pub fn start(&self, line: &[&str]) -> Running {
        Stage::follow(self.command(line))
    }

    /// From now on those who are started hear signals: what this process ignores (shells do that to background jobs) they would ignore
    /// too; what it handles, they would not.
    pub fn heed_signals() {
        let yes = Arc::new(AtomicBool::new(true));
        for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT] {
            signal_hook::flag::register_conditional_default(signal.as_raw(), yes.clone())
                .expect("a handler");
        }
    }

    /// The same with a command that starts it.
    pub fn follow(mut command: Command) -> Running {
        Stage::heed_signals();
        let mut child = command.stdout(Stdio::piped()).spawn().expect("lop");
        let out = child.stdout.take().map(BufReader::new);
        let limit = ProcessLimit::watch(Pid::from_child(&child));
        Running {
            child,
            out,
            _limit: limit,
        }
    }
}

/// lop at work. It is killed if the story ends before it does.
pub struct Running {
    child: Child,
    out: Option<BufReader<ChildStdout>>,
    _limit: ProcessLimit,
}

impl Running {
    /// Its next line.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        let out = self.out.as_mut().expect("an open output");
        assert!(
            out.read_line(&mut line).expect("a line") > 0,
            "lop ended too early"
        );
        line
    }

    /// Follows its lines of JSON until it has made the program smaller.
    pub fn until_taken(&mut self) {
        while !self.line().contains("\"taken\"") {}
    }

    /// All that it says until its end.
    pub fn rest(&mut self) -> String {
        let mut rest = String::new();
        self.out
            .as_mut()
            .expect("an open output")
            .read_to_string(&mut rest)
            .expect("text");
        rest
    }

    /// The root directory as it sees it.
    pub fn root(&self) -> PathBuf {
        format!("/proc/{}/root", self.child.id()).into()
    }

    /// The number of its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    pub fn close_output(&mut self) {
        self.out = None;
    }

    pub fn signal(&self, signal: Signal) {
        rustix::process::kill_process(Pid::from_child(&self.child), signal).expect("a signal");
    }

    /// Waits until it is stopped, as a shell does.
    pub fn until_stopped(&self) {
        let pid = Pid::from_child(&self.child);
        let status = rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::UNTRACED);
        let (_, status) = status.expect("a word of it").expect("a status");
        assert!(status.stopped(), "{status:?}");
    }

    /// Ends it without a word, as a reset does.
    pub fn kill(&mut self) {
        self.child.kill().expect("a kill");
        self.child.wait().expect("an end");
    }

    /// Its exit status.
    pub fn wait(mut self) -> i32 {
        self.child.wait().expect("an end").code().unwrap_or(-1)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The words of a line of lop: a reduction has quick effort unless the line says what it does. The stories count decisions, and are not about
/// what the strata find.
pub fn with_effort<'a>(line: &[&'a str]) -> Vec<&'a str> {
    const CHOSEN: [&str; 7] = [
        "--effort",
        "--strategy",
        "--without",
        "--with",
        "--generator",
        "--keep-names",
        "--rules",
    ];
    let (file, rest) = line.split_first().unwrap_or((&"", &[]));
    let own = rest.split(|word| *word == "--").next().unwrap_or_default();
    let says = own.iter().any(|word| CHOSEN.contains(word));
    match file.contains('.') && !file.starts_with('-') && !says {
        true => [&[*file, "--effort", "quick"], rest].concat(),
        false => line.to_vec(),
    }
}
