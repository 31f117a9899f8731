//! Candidates that show another failure, in a directory beside the output: the smallest of each. A program is a file there, a pair a directory
//! with both programs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::directory_layout::{DirectoryLayout, TextDifference};
use super::file_names;
use super::file_writer::{FilePermissions, FileWriter};
use super::input::InputFile;
use super::own_files::{self, UnexpectedFile, is_directory};
use super::run_input::RunInput;
use crate::display::EscapeHidden;
use crate::oracle::{
    FailureProperty, RequestedCriteria, StageRun, TestExit, TestFiles, TestOutput, TestRun,
    describe_other_crash, identify_failure,
};
use crate::program::{ContentHash, FileText, text_bytes};
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

/// How a candidate is kept.
#[derive(Clone, Debug)]
pub struct FailureForm(CandidateForm);

#[derive(Clone, Debug)]
enum CandidateForm {
    /// A program, as a file.
    File(FileWriter, FilePermissions),
    /// Several files, as a directory.
    Directory(DirectoryLayout),
}

impl FailureForm {
    /// The form of what a run reduces, for a run with this output. A pair is kept with the difference of its programs.
    pub fn new(input: &RunInput, output: &Path, difference: TextDifference) -> FailureForm {
        FailureForm(match input {
            RunInput::Program(file) => CandidateForm::file(file, output),
            RunInput::Pair(_) | RunInput::Project(_) => {
                CandidateForm::Directory(DirectoryLayout::for_input(input, output, difference))
            }
        })
    }
}

impl CandidateForm {
    fn file(program: &InputFile, output: &Path) -> CandidateForm {
        let rights = FilePermissions {
            mode: Some(program.mode),
            owner: None,
        };
        CandidateForm::File(FileWriter::for_path(output), rights)
    }

    /// Where all of them are.
    fn directory_beside(&self, output: &Path) -> PathBuf {
        match self {
            CandidateForm::File(..) => output.with_extension("also"),
            CandidateForm::Directory(_) => file_names::with_suffix(output, "also"),
        }
    }

    /// Where a candidate of this name is.
    fn path_of(&self, directory: &Path, name: &str, files: &TestFiles) -> Option<PathBuf> {
        let mut path = directory.join(name);
        if let CandidateForm::File(..) = self
            && let Some(extension) = files.last()?.0.extension()
        {
            path.as_mut_os_string().push(".");
            path.as_mut_os_string().push(extension);
        }
        Some(path)
    }

    /// Removes what a kill left in the directory. The run has the lock of the output, and so of what is beside it.
    fn remove_leftovers(&self, directory: &Path) {
        match self {
            CandidateForm::File(writer, _) => writer.remove_leftovers(directory),
            CandidateForm::Directory(layout) => {
                for left in layout.writer.leftover_directories(directory) {
                    layout.dissolve(&left, directory);
                }
            }
        }
    }

    /// How many bytes the candidate has that is there; none if there is none.
    ///
    /// # Errors
    /// When something else is there.
    fn length_there(&self, path: &Path) -> io::Result<Option<u64>> {
        match self {
            CandidateForm::File(..) => {
                own_files::refuse_irregular(path)?;
                Ok(fs::symlink_metadata(path).map(|about| about.len()).ok())
            }
            CandidateForm::Directory(layout) => {
                if fs::symlink_metadata(path).is_ok() && !is_directory(path) {
                    return Err(UnexpectedFile::io_error(path, "no directory"));
                }
                let texts = layout.read_texts(path);
                let length = |text: &FileText| text_bytes(text).len() as u64;
                Ok(texts.map(|texts| texts.iter().map(length).sum()))
            }
        }
    }

    /// Puts a candidate there.
    fn write_candidate(&self, path: &Path, files: &TestFiles) -> io::Result<()> {
        match self {
            CandidateForm::File(writer, rights) => {
                let bytes = files.last().map_or(&[][..], |(_, bytes)| bytes);
                writer.replace_file(path, bytes, *rights)
            }
            CandidateForm::Directory(layout) => {
                layout.exchange_directory(path, &layout.texts_of(files))
            }
        }
    }
}

/// Keeps the smallest candidate of each other failure.
pub struct OtherFailureDirectory {
    directory: PathBuf,
    criteria: Vec<FailureCriterion>,
    form: CandidateForm,
    kept: Vec<OtherFailure>,
    /// Whether the directory was checked: it is lop's, and what a kill left in it is removed.
    is_prepared: bool,
    /// Whether the user knows that something could not be kept.
    has_warned: bool,
}

impl OtherFailureDirectory {
    /// A keeper beside the output `bug.lop.c`, in `bug.lop.also`, or beside `variant.lop`, in `variant.lop.also`, which is made with the first candidate. What is there from another run
    /// stays, unless a smaller one of the same failure comes.
    pub fn beside_output(
        output: &Path,
        also: Vec<FailureCriterion>,
        form: FailureForm,
    ) -> OtherFailureDirectory {
        OtherFailureDirectory {
            directory: form.0.directory_beside(output),
            criteria: also,
            form: form.0,
            kept: Vec::new(),
            is_prepared: false,
            has_warned: false,
        }
    }

    /// Keeps a candidate if it is the smallest of its failure. Returns whether anything is new.
    fn save_if_smallest(
        &mut self,
        path: PathBuf,
        name: String,
        files: &TestFiles,
    ) -> io::Result<bool> {
        let length = files.iter().map(|(_, bytes)| bytes.len() as u64).sum();
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
            self.form.remove_leftovers(&self.directory);
            self.is_prepared = true;
        }
        let there = self.form.length_there(&path)?;
        let smallest = match there.filter(|there| known.is_none() && *there <= length) {
            Some(there) => there,
            None => {
                self.form.write_candidate(&path, files)?;
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
        let path = self.form.path_of(&self.directory, &name, files)?;
        let before = self.kept.len();
        if before >= MOST && !self.kept.iter().any(|other| other.path == path) {
            return None;
        }
        let note = match self.save_if_smallest(path.clone(), name, files) {
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

/// The end of the test, in words. Which parts of a test ran before says nothing about the failure.
fn failure_signature(run: &TestRun) -> String {
    let seen = StageRun::from(TestRun {
        output: TestOutput::from_text(test_output_text(run)),
        ..run.clone()
    });
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

    /// How a program is kept.
    fn form(output: &Path) -> FailureForm {
        FailureForm(CandidateForm::file(&input("bug.rs"), output))
    }

    fn input(name: &str) -> InputFile {
        let (path, bytes) = (Path::new(name), Arc::from(&b""[..]));
        InputFile::from_recorded(path, path, bytes, 0o644)
    }

    #[test]
    fn of_a_pair_both_programs_are_kept_in_a_directory() {
        let dir = tempfile::tempdir().expect("a directory");
        let output = dir.path().join("variant.lop");
        let pair = RunInput::Pair([input("seed.c"), input("variant.c")]);
        let form = FailureForm::new(&pair, &output, |_, _, _, _| b"-1\n+2\n".to_vec());
        let criteria = vec![FailureCriterion::Status(101)];
        let mut others = OtherFailureDirectory::beside_output(&output, criteria, form);
        let files = |seed: &str, variant: &str| -> TestFiles {
            let file = |name: &str, text: &str| (name.into(), text.as_bytes().into());
            vec![file("seed.c", seed), file("variant.c", variant)]
        };
        let mut offer = |seed: &str, variant: &str| {
            let found = others.offer_candidate(&files(seed, variant), &run(101, "boom"));
            let found = found.expect("it is another failure");
            let path = found.failures[0].path.clone();
            let read = |name: &str| fs::read_to_string(path.join(name)).expect("a file");
            let texts = ["seed.c", "variant.c", "difference.diff"].map(read);
            (texts.join(" "), found.failures[0].bytes, found.note, path)
        };
        let (texts, bytes, note, path) = offer("long", "longer");
        assert_eq!((&*texts, bytes), ("long longer -1\n+2\n", 10));
        assert!(
            note.expect("a sentence")
                .contains("variant.lop.also/exit-101-")
        );
        // The smallest of both together.
        assert_eq!(offer("s", "the longest of all").0, texts);
        assert_eq!(offer("longest", "v").0, "longest v -1\n+2\n");
        fs::remove_dir_all(&path).expect("it goes");
        symlink(dir.path(), &path).expect("a link");
        let refused = others.offer_candidate(&files("s", "v"), &run(101, "boom"));
        let note = refused
            .and_then(|refused| refused.note)
            .expect("a sentence");
        assert!(note.contains("no directory"), "{note}");
        assert!(!dir.path().join("seed.c").exists());
    }

    #[test]
    fn of_each_failure_the_smallest_is_kept() {
        let dir = tempfile::tempdir().expect("a directory");
        let mut others = OtherFailureDirectory::beside_output(
            &dir.path().join("bug.lop.rs"),
            vec![FailureCriterion::Status(101)],
            form(&dir.path().join("bug.lop.rs")),
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
                form(&dir.path().join("bug.lop.rs")),
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
                form(&dir.path().join("bug.lop.rs")),
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
        let seen = StageRun::from(run(1, &gcc("expand")));
        let ours = identify_failure(&[seen], &RequestedCriteria::default()).expect("a property");
        let also = vec![FailureCriterion::Crashes(ours)];
        let output = dir.path().join("bug.lop.c");
        let mut others = OtherFailureDirectory::beside_output(&output, also, form(&output));
        assert!(
            others
                .offer_candidate(&files("ours"), &run(1, &gcc("expand")))
                .is_none()
        );
        for plain in [
            "a.c:1:1: error: expected ';'",
            "a.cpp:3:7: error: static assertion failed: no\n    3 |   f(panic, \"assertion failed\");\n",
        ] {
            assert!(
                others
                    .offer_candidate(&files("wrong"), &run(1, plain))
                    .is_none(),
                "{plain}"
            );
        }
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
