//! Candidates that show another failure, in a directory beside the output: the smallest of each.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::file_writer::{FilePermissions, FileWriter};
use super::own_files;
use crate::display::EscapeHidden;
use crate::oracle::{
    FailureProperty, RequestedCriteria, StageRun, TestExit, TestFiles, TestOutput, TestRun,
    describe_other_crash, identify_failure,
};
use crate::program::ContentHash;
use crate::reduce::{OtherFailure, OtherFailureKeeper, OtherFailureUpdate};

/// How many kinds of failures are kept: a test that prints something else each time has none that could be told apart.
const MOST: usize = 100;

/// Which failures are others.
#[derive(Clone, Debug)]
pub enum FailureCriterion {
    /// Those with which a test ends with this status.
    Status(i32),
    /// Crashes that commands do not recognise.
    Crashes(FailureProperty),
}

/// Keeps the smallest candidate of each other failure.
pub struct OtherFailureDirectory {
    directory: PathBuf,
    criteria: Vec<FailureCriterion>,
    writer: FileWriter,
    rights: FilePermissions,
    kept: Vec<OtherFailure>,
    /// Whether the directory was checked: it is lop's, and what a kill left in it is removed.
    is_prepared: bool,
    /// Whether the user knows that something could not be kept.
    has_warned: bool,
}

impl OtherFailureDirectory {
    /// A keeper beside the output `bug.lop.c`, in `bug.lop.also`, which is made with the first candidate. What is there from another run
    /// stays, unless a smaller one of the same failure comes.
    pub fn beside_output(
        output: &Path,
        also: Vec<FailureCriterion>,
        mode: u32,
    ) -> OtherFailureDirectory {
        OtherFailureDirectory {
            directory: output.with_extension("also"),
            criteria: also,
            writer: FileWriter::for_path(output),
            rights: FilePermissions {
                mode: Some(mode),
                owner: None,
            },
            kept: Vec::new(),
            is_prepared: false,
            has_warned: false,
        }
    }

    /// Keeps a candidate if it is the smallest of its failure. Returns whether anything is new.
    fn save_if_smallest(&mut self, path: PathBuf, name: String, bytes: &[u8]) -> io::Result<bool> {
        let length = bytes.len() as u64;
        let known = self.kept.iter().position(|other| other.path == path);
        if let Some(at) = known {
            self.kept[at].seen += 1;
            if self.kept[at].bytes <= length {
                return Ok(false);
            }
        }
        // Checked each time: the directory may have been replaced by a link.
        own_files::ensure_directory(&self.directory)?;
        if !self.is_prepared {
            // The run has the lock of the output, and so of what is beside it.
            self.writer.remove_leftovers(&self.directory);
            self.is_prepared = true;
        }
        own_files::refuse_irregular(&path)?;
        let there = fs::symlink_metadata(&path).map(|about| about.len()).ok();
        let smallest = match there.filter(|there| known.is_none() && *there <= length) {
            Some(there) => there,
            None => {
                self.writer.replace_file(&path, bytes, self.rights)?;
                length
            }
        };
        match known {
            Some(at) => self.kept[at].bytes = smallest,
            None => self.kept.push(OtherFailure {
                name,
                path,
                bytes: smallest,
                seen: 1,
            }),
        }
        Ok(true)
    }
}

impl OtherFailureKeeper for OtherFailureDirectory {
    fn offer_candidate(&mut self, files: &TestFiles, run: &TestRun) -> Option<OtherFailureUpdate> {
        let name = self
            .criteria
            .iter()
            .find_map(|also| also.failure_name(run))?;
        // Of a pair, the variant.
        let (file, bytes) = files.last()?;
        let mut path = self.directory.join(&name);
        if let Some(extension) = file.extension() {
            path.as_mut_os_string().push(".");
            path.as_mut_os_string().push(extension);
        }
        let before = self.kept.len();
        if before >= MOST && !self.kept.iter().any(|other| other.path == path) {
            return None;
        }
        let note = match self.save_if_smallest(path.clone(), name, bytes) {
            Ok(_) if self.kept.len() > before => Some(format!(
                "another failure ({}) is kept in {}",
                run.exit,
                path.escape_hidden()
            )),
            Ok(_) => None,
            Err(error) => {
                let first = !std::mem::replace(&mut self.has_warned, true);
                first.then(|| {
                    format!(
                        "another failure cannot be kept in {}: {error}",
                        path.escape_hidden()
                    )
                })
            }
        };
        Some(OtherFailureUpdate {
            failures: Arc::from(&self.kept[..]),
            note,
        })
    }
}

impl FailureCriterion {
    /// The name of a failure, if it is one of these: how the test ended, and a hash of the signature, which is without all that
    /// differs from candidate to candidate. The one place that knows how failures are told from each other.
    fn failure_name(&self, run: &TestRun) -> Option<String> {
        let signature = match self {
            FailureCriterion::Status(status) if run.exit == TestExit::Code(*status) => {
                failure_signature(run)
            }
            FailureCriterion::Status(_) => return None,
            // A test that exits with 0 has not crashed.
            FailureCriterion::Crashes(_) if run.exit == TestExit::Code(0) => return None,
            FailureCriterion::Crashes(ours) => describe_other_crash(ours, &test_output_text(run))?,
        };
        let hash = ContentHash::from_bytes(signature.as_bytes()).to_string();
        let end = run.exit.to_string().replace(' ', "-");
        Some(format!("{end}-{}", &hash[hash.len() - 8..]))
    }
}

/// What a test printed, without lop's own messages.
fn test_output_text(run: &TestRun) -> String {
    let text = run.output.to_text();
    let theirs = text.lines().filter(|line| !line.starts_with("[lop: "));
    theirs.collect::<Vec<_>>().join("\n")
}

/// The end of the test, in words.
fn failure_signature(run: &TestRun) -> String {
    let seen = StageRun {
        run: run.clone(),
        errors: TestOutput::default(),
    };
    let property = identify_failure(&[seen], &RequestedCriteria::default());
    property.map_or_else(|_| String::new(), |property| property.to_string())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::time::Duration;

    use super::*;

    fn run(status: i32, said: &str) -> TestRun {
        TestRun {
            exit: TestExit::Code(status),
            time: Duration::ZERO,
            cpu: None,
            output: TestOutput::from_text(said),
        }
    }

    fn files(text: &str) -> TestFiles {
        vec![("bug.rs".into(), text.as_bytes().into())]
    }

    #[test]
    fn of_each_failure_the_smallest_is_kept() {
        let dir = tempfile::tempdir().expect("a directory");
        let mut others = OtherFailureDirectory::beside_output(
            &dir.path().join("bug.lop.rs"),
            vec![FailureCriterion::Status(101)],
            0o644,
        );
        assert!(
            others
                .offer_candidate(&files("nothing"), &run(1, "no"))
                .is_none()
        );
        assert!(!dir.path().join("bug.lop.also").exists());
        let ice = "error: internal compiler error: no type for `x1` at src/a.rs:12";
        let same = "error: internal compiler error: no type for `foo` at src/a.rs:7";
        let first = others
            .offer_candidate(&files("longer"), &run(101, ice))
            .expect("kept");
        let note = first.note.expect("a sentence");
        assert!(
            note.contains("exit 101") && note.contains("bug.lop.also/exit-101-"),
            "{note}"
        );
        let then = others
            .offer_candidate(&files("long"), &run(101, same))
            .expect("kept");
        assert_eq!(
            (then.note, then.failures.len()),
            (None, 1),
            "the same failure"
        );
        let path = then.failures[0].path.clone();
        assert_eq!(fs::read_to_string(&path).expect("a file"), "long");
        let larger = others
            .offer_candidate(&files("larger"), &run(101, ice))
            .expect("seen");
        assert_eq!((larger.failures[0].bytes, larger.failures[0].seen), (4, 3));
        assert_eq!(fs::read_to_string(&path).expect("a file"), "long");
        let other = others.offer_candidate(&files("x"), &run(101, "stack overflow"));
        assert_eq!(other.expect("kept").failures.len(), 2);
    }

    #[test]
    fn what_somebody_put_there_stays_and_nothing_is_kept_behind_a_link() {
        let dir = tempfile::tempdir().expect("a directory");
        let (theirs, also) = (dir.path().join("theirs"), dir.path().join("bug.lop.also"));
        fs::create_dir(&theirs).expect("a directory");
        symlink(&theirs, &also).expect("a link");
        let output = dir.path().join("bug.lop.rs");
        let keep = || {
            let mut others = OtherFailureDirectory::beside_output(
                &output,
                vec![FailureCriterion::Status(101)],
                0o644,
            );
            let found = others.offer_candidate(&files("text"), &run(101, "boom"));
            let found = found.expect("it is heard of");
            (found.failures.to_vec(), found.note.expect("a sentence"))
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
            let mut others = OtherFailureDirectory::beside_output(
                &dir.path().join("bug.lop.rs"),
                vec![FailureCriterion::Status(101)],
                0o644,
            );
            let found = others
                .offer_candidate(&files(text), &run(101, "boom"))
                .expect("kept");
            fs::read_to_string(&found.failures[0].path).expect("a file")
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
            errors: TestOutput::default(),
        };
        let ours = identify_failure(&[seen], &RequestedCriteria::default()).expect("a property");
        let also = vec![FailureCriterion::Crashes(ours)];
        let mut others =
            OtherFailureDirectory::beside_output(&dir.path().join("bug.lop.c"), also, 0o644);
        assert!(
            others
                .offer_candidate(&files("ours"), &run(1, &gcc("expand")))
                .is_none()
        );
        let plain = "a.c:1:1: error: expected ';'";
        assert!(
            others
                .offer_candidate(&files("wrong"), &run(1, plain))
                .is_none()
        );
        let said = "[lop: no line is like internal compiler error: in expand, at expr.c]";
        for status in [0, 1] {
            assert!(
                others
                    .offer_candidate(&files("no"), &run(status, said))
                    .is_none()
            );
        }
        let other = others.offer_candidate(&files("other"), &run(1, &gcc("fold")));
        assert_eq!(other.expect("kept").failures.len(), 1);
    }
}
