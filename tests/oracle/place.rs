//! A place for stories, and the words they have in common.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use lop::oracle::{Files, Outcome, Run, Scratch, Test, Verdict, run_once};

/// For what should happen at once: a busy machine may take its time, a broken lop would take for ever.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A directory with tests in it, and one for them to run in.
pub struct Place {
    /// Removed with all that is in it.
    pub dir: tempfile::TempDir,
    /// Where its tests run.
    pub scratch: Scratch,
}

impl Place {
    pub fn new() -> Place {
        let dir = tempfile::tempdir().expect("a directory");
        let base = dir.path().join("scratch");
        fs::create_dir(&base).expect("a directory");
        let scratch = Scratch::choose(Some(&base), 0, 1).expect("a scratch directory");
        Place { dir, scratch }
    }

    /// An executable file with this text.
    pub fn file(&self, text: &str) -> PathBuf {
        let path = self.dir.path().join("test.sh");
        fs::write(&path, text).expect("a test");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        path
    }

    pub fn test(&self, script: &str) -> Test {
        Test::find(&self.file(&format!("#!/bin/sh\n{script}\n"))).expect("a test")
    }

    /// Runs the script on `bug.c`.
    pub fn run(&self, script: &str) -> Outcome {
        run_once(&self.test(script), &self.scratch, &bug(), Some(PATIENCE))
    }

    /// How the script ended on `bug.c`.
    pub fn ran(&self, script: &str) -> (Verdict, Run) {
        match self.run(script) {
            Outcome::Verdict(verdict, run) => (verdict, run),
            other => panic!("no verdict: {other:?}"),
        }
    }

    /// Nothing is left of the tests that ran.
    pub fn assert_clean(&self) {
        let left: Vec<_> = fs::read_dir(self.scratch.root())
            .expect("the root")
            .collect();
        assert!(left.is_empty(), "left behind: {left:?}");
    }

    /// A named pipe.
    pub fn fifo(&self, name: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        assert!(
            Command::new("mkfifo")
                .arg(&path)
                .status()
                .expect("mkfifo")
                .success()
        );
        path
    }
}

/// Waits until someone writes a first line to the pipe, calls `then`, and waits until the last writer is gone. Gives the rest.
pub fn listen(fifo: &Path, then: impl FnOnce() + Send + 'static) -> JoinHandle<String> {
    let fifo = fifo.to_path_buf();
    thread::spawn(move || {
        let mut pipe = BufReader::new(File::open(fifo).expect("the pipe"));
        let mut text = String::new();
        pipe.read_line(&mut text).expect("a line");
        assert_eq!(text, "begun\n");
        then();
        text.clear();
        pipe.read_to_string(&mut text).expect("the rest");
        text
    })
}

/// The candidate.
pub fn bug() -> Files {
    vec![(PathBuf::from("bug.c"), b"int bug;\n".as_slice().into())]
}
