//! A directory for the tests of this suite, and their helpers.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use lop::oracle::{
    CgroupLimits, ContainmentKind, InterestingnessTest, JobId, LocalRunner, ResourceQuotas, Runner,
    ScratchSpace, TestFiles, TestIsolation, TestJob, TestOutcome, TestRun, TimeLimits, Verdict,
    run_once,
};

/// The timeout for what should happen at once: a busy machine may be slow, a broken lop would never do it.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A directory with tests in it, and one for them to run in.
pub struct Place {
    /// Removed with all that is in it.
    pub dir: tempfile::TempDir,
    /// Where its tests run.
    pub scratch: ScratchSpace,
    /// What runs its tests: a helper, or we ourselves.
    pub helper: Option<&'static Path>,
    /// How else they are looked after.
    pub care: TestIsolation,
}

impl Place {
    /// A place with helpers, and one without: what a test says must not depend on that.
    pub fn both() -> Vec<Place> {
        let mut places = vec![Place::new(None)];
        if cfg!(target_os = "linux") {
            places.push(Place::helped());
        }
        places
    }

    /// A place with helpers.
    pub fn helped() -> Place {
        Place::new(Some(Path::new(env!("CARGO_BIN_EXE_lop"))))
    }

    /// A place for each level of containment that this machine offers, with its name.
    pub fn levels() -> Vec<(&'static str, Place)> {
        let mut levels = vec![("group", Place::new(None))];
        if cfg!(target_os = "linux") {
            for (name, cgroups, sandbox) in [
                ("helper", false, false),
                ("control groups", true, false),
                ("sandbox", true, true),
            ] {
                let mut place = Place::helped();
                (place.care.cgroups, place.care.sandbox) = (cgroups, sandbox);
                if place.is_offered() {
                    levels.push((name, place));
                }
            }
        }
        levels
    }

    /// Whether the machine does what is asked of it here.
    fn is_offered(&self) -> bool {
        let test = self.test("exit 0");
        let care = TestIsolation {
            quotas: ResourceQuotas::for_jobs(1),
            ..self.care.clone()
        };
        let runner = LocalRunner::new(test, self.scratch.clone(), 1, care);
        let offered = runner.map(|runner| runner.containment().clone());
        match offered {
            Ok(offered) => {
                let held = CgroupLimits {
                    memory: true,
                    processes: true,
                };
                self.care.sandbox || !self.care.cgroups || offered.cgroup_limits == held
            }
            Err(refused) => {
                assert!(self.care.sandbox, "{refused}");
                false
            }
        }
    }

    fn new(helper: Option<&'static Path>) -> Place {
        let dir = tempfile::tempdir().expect("a directory");
        let base = dir.path().join("scratch");
        fs::create_dir(&base).expect("a directory");
        let scratch = ScratchSpace::choose_base(Some(&base), 0, 1).expect("a scratch directory");
        Place {
            dir,
            scratch,
            helper,
            care: TestIsolation::from(helper),
        }
    }

    /// An executable file with this text.
    pub fn file(&self, text: &str) -> PathBuf {
        let path = self.dir.path().join("test.sh");
        fs::write(&path, text).expect("a test");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        path
    }

    /// An empty file.
    pub fn file_named(&self, name: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::write(&path, "").expect("a file");
        path
    }

    pub fn test(&self, script: &str) -> InterestingnessTest {
        InterestingnessTest::from_path(&self.file(&format!("#!/bin/sh\n{script}\n")))
            .expect("a test")
    }

    /// Runs the script on `bug.c`.
    pub fn run(&self, script: &str) -> TestOutcome {
        self.run_on(&self.test(script), bug(), TimeLimits::wall_only(PATIENCE))
    }

    /// Runs a test.
    pub fn run_on(
        &self,
        test: &InterestingnessTest,
        files: TestFiles,
        limits: TimeLimits,
    ) -> TestOutcome {
        let limited = self.care.sandbox || self.care.quotas != ResourceQuotas::default();
        if self.care.helper.is_none() && !limited {
            return run_once(test, &self.scratch, &files, limits);
        }
        let mut runner = self.runner(test, 1);
        runner.submit(TestJob {
            id: JobId(0),
            files,
            limits,
            alone: false,
            fresh: false,
        });
        let longest = limits.wall.unwrap_or_default() + PATIENCE;
        let answer = runner.result_receiver().recv_timeout(longest);
        answer.expect("an answer").outcome
    }

    /// A runner with this number of workers.
    pub fn runner(&self, test: &InterestingnessTest, jobs: usize) -> LocalRunner {
        let (test, scratch) = (test.clone(), self.scratch.clone());
        let runner = LocalRunner::new(test, scratch, jobs, self.care.clone()).expect("a runner");
        let expected = match self.helper {
            Some(_) if self.care.sandbox => ContainmentKind::Sandbox,
            Some(_) => ContainmentKind::Helper,
            None => ContainmentKind::ProcessGroup(None),
        };
        assert_eq!(runner.containment().kind, expected);
        runner
    }

    /// How the script ended on `bug.c`.
    pub fn ran(&self, script: &str) -> (Verdict, TestRun) {
        match self.run(script) {
            TestOutcome::Verdict(verdict, run) => (verdict, run),
            other => panic!("no verdict: {other:?}"),
        }
    }

    /// Nothing is left of the tests that ran.
    pub fn assert_clean(&self) {
        let left: Vec<_> = fs::read_dir(self.scratch.root_path())
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

/// The program that tries every way to a socket, built in the directory; `None` without a C compiler.
pub fn compile_reach(place: &Place) -> Option<PathBuf> {
    let source = place.file_named("reach.c");
    fs::write(&source, include_str!("reach.c")).expect("a program");
    let reach = place.dir.path().join("reach");
    let compiled = Command::new("cc")
        .arg("-o")
        .args([&reach, &source])
        .status();
    if compiled.is_ok_and(|status| status.success()) {
        return Some(reach);
    }
    println!("SKIPPED: there is no C compiler");
    None
}

/// Waits until someone writes a first line to the pipe, calls `then`, and waits until the last writer is gone.
pub fn listen(fifo: &Path, then: impl FnOnce() + Send + 'static) -> Writers {
    let fifo = fifo.to_path_buf();
    let (tell, rest) = mpsc::channel();
    thread::spawn(move || {
        let mut pipe = BufReader::new(File::open(fifo).expect("the pipe"));
        let mut text = String::new();
        pipe.read_line(&mut text).expect("a line");
        assert_eq!(text, "begun\n");
        then();
        text.clear();
        pipe.read_to_string(&mut text).expect("the rest");
        let _ = tell.send(text);
    });
    Writers { rest }
}

/// Those that have a pipe open to write to it.
pub struct Writers {
    rest: mpsc::Receiver<String>,
}

impl Writers {
    /// What they have written behind the first line, when the last of them is gone.
    pub fn join(self) -> Result<String, mpsc::RecvTimeoutError> {
        self.rest.recv_timeout(PATIENCE)
    }
}

/// A job that asks about the candidate.
pub fn job(id: u64, limits: TimeLimits) -> TestJob {
    TestJob {
        id: JobId(id),
        files: bug(),
        limits,
        alone: false,
        fresh: false,
    }
}

/// The candidate.
pub fn bug() -> TestFiles {
    vec![(PathBuf::from("bug.c"), b"int bug;\n".as_slice().into())]
}
