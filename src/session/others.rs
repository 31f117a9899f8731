//! Candidates that show another failure, in a directory beside the output: the smallest of each.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files;
use super::write::{FileWriter, Rights};
use crate::display::Shown;
use crate::oracle::{Exit, Files, Output, Property, Run, StageRun, Wanted, identify, other_crash};
use crate::program::Hash;
use crate::reduce::{FoundOther, Other, Others};

/// More kinds of failures are not kept: a test that says something else each time has none that could be told from another.
const MOST: usize = 100;

/// Which failures are others.
#[derive(Clone, Debug)]
pub enum Also {
    /// Those with which a test ends with this status.
    Status(i32),
    /// The crashes by which commands are not known.
    Crashes(Property),
}

/// Keeps the smallest candidate of each other failure.
pub struct KeptOthers {
    directory: PathBuf,
    also: Vec<Also>,
    writer: FileWriter,
    rights: Rights,
    all: Vec<Other>,
    /// The directory was looked at: it is lop's, and what a kill left in it is gone.
    ready: bool,
    /// A sentence about what could not be kept has been said.
    complained: bool,
}

impl KeptOthers {
    /// A keeper beside the output `bug.lop.c`, in `bug.lop.also`, which is made with the first of them. What is there from another run
    /// stays, unless a smaller one of the same failure comes.
    pub fn beside(output: &Path, also: Vec<Also>, mode: u32) -> KeptOthers {
        KeptOthers {
            directory: output.with_extension("also"),
            also,
            writer: FileWriter::of(output),
            rights: Rights {
                mode: Some(mode),
                owner: None,
            },
            all: Vec::new(),
            ready: false,
            complained: false,
        }
    }

    /// Keeps a candidate if it is the smallest of its failure. Says whether anything is new.
    fn keep(&mut self, path: PathBuf, name: String, bytes: &[u8]) -> io::Result<bool> {
        let length = bytes.len() as u64;
        let known = self.all.iter().position(|other| other.path == path);
        if let Some(at) = known {
            self.all[at].seen += 1;
            if self.all[at].bytes <= length {
                return Ok(false);
            }
        }
        // Again each time: somebody may have put a link in its place.
        files::make_directory(&self.directory)?;
        if !self.ready {
            // The run has the lock of the output, and so of what is beside it.
            self.writer.sweep(&self.directory);
            self.ready = true;
        }
        files::refuse_strange(&path)?;
        let there = fs::symlink_metadata(&path).map(|about| about.len()).ok();
        let smallest = match there.filter(|there| known.is_none() && *there <= length) {
            Some(there) => there,
            None => {
                self.writer.replace(&path, bytes, self.rights)?;
                length
            }
        };
        match known {
            Some(at) => self.all[at].bytes = smallest,
            None => self.all.push(Other {
                name,
                path,
                bytes: smallest,
                seen: 1,
            }),
        }
        Ok(true)
    }
}

impl Others for KeptOthers {
    fn hear(&mut self, files: &Files, run: &Run) -> Option<FoundOther> {
        let name = self.also.iter().find_map(|also| also.name_of(run))?;
        let (file, bytes) = files.first()?;
        let mut path = self.directory.join(&name);
        if let Some(extension) = file.extension() {
            path.as_mut_os_string().push(".");
            path.as_mut_os_string().push(extension);
        }
        let before = self.all.len();
        if before >= MOST && !self.all.iter().any(|other| other.path == path) {
            return None;
        }
        let note = match self.keep(path.clone(), name, bytes) {
            Ok(_) if self.all.len() > before => Some(format!(
                "another failure ({}) is kept in {}",
                run.exit,
                path.shown()
            )),
            Ok(_) => None,
            Err(error) => {
                let first = !std::mem::replace(&mut self.complained, true);
                first.then(|| {
                    format!(
                        "another failure cannot be kept in {}: {error}",
                        path.shown()
                    )
                })
            }
        };
        Some(FoundOther {
            all: Arc::from(&self.all[..]),
            note,
        })
    }
}

impl Also {
    /// What a failure is called, if it is one of these: how the test ended, and a hash of the signature, which is without all that
    /// differs from candidate to candidate. The one place that knows how failures are told from each other.
    fn name_of(&self, run: &Run) -> Option<String> {
        let signature = match self {
            Also::Status(status) if run.exit == Exit::Code(*status) => signature_of(run),
            Also::Status(_) => return None,
            // Who says that all is well has not crashed.
            Also::Crashes(_) if run.exit == Exit::Code(0) => return None,
            Also::Crashes(ours) => other_crash(ours, &printed(run))?,
        };
        let hash = Hash::of(signature.as_bytes()).to_string();
        let end = run.exit.to_string().replace(' ', "-");
        Some(format!("{end}-{}", &hash[hash.len() - 8..]))
    }
}

/// What a test printed, without what lop says of it.
fn printed(run: &Run) -> String {
    let text = run.output.text();
    let theirs = text.lines().filter(|line| !line.starts_with("[lop: "));
    theirs.collect::<Vec<_>>().join("\n")
}

/// What the end of a test is known by, in words.
fn signature_of(run: &Run) -> String {
    let seen = StageRun {
        run: run.clone(),
        errors: Output::default(),
    };
    let property = identify(&[seen], &Wanted::default());
    property.map_or_else(|_| String::new(), |property| property.to_string())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::time::Duration;

    use super::*;

    fn run(status: i32, said: &str) -> Run {
        Run {
            exit: Exit::Code(status),
            time: Duration::ZERO,
            cpu: None,
            output: Output::new(said),
        }
    }

    fn files(text: &str) -> Files {
        vec![("bug.rs".into(), text.as_bytes().into())]
    }

    #[test]
    fn of_each_failure_the_smallest_is_kept() {
        let dir = tempfile::tempdir().expect("a directory");
        let mut others = KeptOthers::beside(
            &dir.path().join("bug.lop.rs"),
            vec![Also::Status(101)],
            0o644,
        );
        assert!(others.hear(&files("nothing"), &run(1, "no")).is_none());
        assert!(!dir.path().join("bug.lop.also").exists());
        let ice = "error: internal compiler error: no type for `x1` at src/a.rs:12";
        let same = "error: internal compiler error: no type for `foo` at src/a.rs:7";
        let first = others.hear(&files("longer"), &run(101, ice)).expect("kept");
        let note = first.note.expect("a sentence");
        assert!(
            note.contains("exit 101") && note.contains("bug.lop.also/exit-101-"),
            "{note}"
        );
        let then = others.hear(&files("long"), &run(101, same)).expect("kept");
        assert_eq!((then.note, then.all.len()), (None, 1), "the same failure");
        let path = then.all[0].path.clone();
        assert_eq!(fs::read_to_string(&path).expect("a file"), "long");
        let larger = others.hear(&files("larger"), &run(101, ice)).expect("seen");
        assert_eq!((larger.all[0].bytes, larger.all[0].seen), (4, 3));
        assert_eq!(fs::read_to_string(&path).expect("a file"), "long");
        let other = others.hear(&files("x"), &run(101, "stack overflow"));
        assert_eq!(other.expect("kept").all.len(), 2);
    }

    #[test]
    fn what_somebody_put_there_stays_and_nothing_is_kept_behind_a_link() {
        let dir = tempfile::tempdir().expect("a directory");
        let (theirs, also) = (dir.path().join("theirs"), dir.path().join("bug.lop.also"));
        fs::create_dir(&theirs).expect("a directory");
        symlink(&theirs, &also).expect("a link");
        let output = dir.path().join("bug.lop.rs");
        let keep = || {
            let mut others = KeptOthers::beside(&output, vec![Also::Status(101)], 0o644);
            let found = others.hear(&files("text"), &run(101, "boom"));
            let found = found.expect("it is heard of");
            (found.all.to_vec(), found.note.expect("a sentence"))
        };
        let (all, note) = keep();
        assert!(all.is_empty() && note.contains("is a link"), "{note}");
        assert_eq!(fs::read_dir(&theirs).expect("a directory").count(), 0);
        fs::remove_file(&also).expect("the link goes");
        let kept = keep().0[0].path.clone();
        fs::rename(&kept, theirs.join("precious")).expect("moved");
        symlink(theirs.join("precious"), &kept).expect("a link");
        let (all, note) = keep();
        assert!(all.is_empty() && note.contains("is a link"), "{note}");
    }

    #[test]
    fn what_another_run_has_kept_stays_unless_a_smaller_one_comes() {
        let dir = tempfile::tempdir().expect("a directory");
        let keep = |text: &str| {
            let mut others = KeptOthers::beside(
                &dir.path().join("bug.lop.rs"),
                vec![Also::Status(101)],
                0o644,
            );
            let found = others.hear(&files(text), &run(101, "boom")).expect("kept");
            fs::read_to_string(&found.all[0].path).expect("a file")
        };
        assert_eq!(keep("four"), "four");
        assert_eq!(keep("longer"), "four");
        assert_eq!(keep("two"), "two");
    }

    #[test]
    fn of_commands_a_crash_that_is_not_the_one_looked_for_is_kept() {
        let dir = tempfile::tempdir().expect("a directory");
        let gcc = |function: &str| {
            format!(
                "a.c:1:1: internal compiler error: in {function}, at expr.c:12\nPlease submit a full bug report\n"
            )
        };
        let seen = StageRun {
            run: run(1, &gcc("expand")),
            errors: Output::default(),
        };
        let ours = identify(&[seen], &Wanted::default()).expect("a property");
        let also = vec![Also::Crashes(ours)];
        let mut others = KeptOthers::beside(&dir.path().join("bug.lop.c"), also, 0o644);
        assert!(
            others
                .hear(&files("ours"), &run(1, &gcc("expand")))
                .is_none()
        );
        let plain = "a.c:1:1: error: expected ';'";
        assert!(others.hear(&files("wrong"), &run(1, plain)).is_none());
        let said = "[lop: no line is like internal compiler error: in expand, at expr.c]";
        for status in [0, 1] {
            assert!(others.hear(&files("no"), &run(status, said)).is_none());
        }
        let other = others.hear(&files("other"), &run(1, &gcc("fold")));
        assert_eq!(other.expect("kept").all.len(), 1);
    }
}
