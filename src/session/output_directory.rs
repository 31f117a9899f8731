//! The result of a pair or a project: a directory that is exchanged as a whole, because one of its files alone proves nothing.
//!
//! What a kill left beside it is removed under the lock of the next run.
//!
//! Entries that lop did not make are refused before a run; those that somebody adds meanwhile move into each new directory.

use crate::program::FileText;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::directory_layout::{DIFFERENCE, DirectoryLayout};
use super::file_names;
use super::file_writer;
use super::input::InputFile;
use super::lock::FileLock;
use super::output;
use super::output_choice::{OutputChoice, to_absolute};
use super::output_error::OutputError;
use super::own_files::{self, irregular_kind, is_directory};
use super::project_input::ProjectInput;
use super::result_place::ResultPlace;
use super::run_input::RunInput;

/// The directory that holds the best version of a pair or a project, claimed for this run alone until this is dropped.
#[derive(Debug)]
pub struct OutputDirectory {
    named: PathBuf,
    path: PathBuf,
    layout: DirectoryLayout,
    lock: FileLock,
}

impl OutputDirectory {
    /// Looks whether the result can go there, and takes the place for this run. A directory that holds nothing but a result may be there
    /// already. Writes nothing that stays.
    pub(super) fn claim_path(
        choice: &OutputChoice,
        input: &RunInput,
        layout: impl FnOnce(&Path) -> DirectoryLayout,
    ) -> Result<OutputDirectory, OutputError> {
        let named = match choice {
            OutputChoice::Beside | OutputChoice::InPlace => match input {
                RunInput::Project(project) => project.result_path(),
                _ => input.main_file().named.with_extension("lop"),
            },
            OutputChoice::At(path) | OutputChoice::Program(path) => path.components().collect(),
            OutputChoice::Resumed(earlier) => earlier.named.clone(),
        };
        let unwritable = |source| OutputError::Unwritable {
            path: named.clone(),
            source,
        };
        let path = output::follow_links(&named).map_err(unwritable)?;
        if path.file_name().is_none() {
            let what = "not a directory that can be replaced";
            return Err(OutputError::NotADirectory { path: named, what });
        }
        output::check_link_and_parent(choice, &named, &path)?;
        let layout = layout(&path);
        let lock = output::acquire_lock(&named, &path)?;
        refuse_inside_input(&named, &path, input)?;
        refuse_other_entry(&named, &path, input)?;
        // What somebody added to the directory of a run moves along with it.
        if !matches!(choice, OutputChoice::Resumed(_)) {
            refuse_foreign_entries(&named, &path, &layout)?;
        }
        if lock.is_exclusive() {
            let parent = file_names::parent_directory(&path);
            layout.writer.remove_leftovers(parent);
            for left in layout.writer.leftover_directories(parent) {
                layout.dissolve(&left, &path);
            }
        }
        layout.writer.check_writable(&path).map_err(unwritable)?;
        // Only for the message of another lop.
        let _ = lock.write_holder("");
        Ok(OutputDirectory {
            named,
            path,
            layout,
            lock,
        })
    }

    /// A directory that exists becomes `bug.1.lop`, or the next number that is free; unless its programs are these already, or a directory
    /// that has a number holds the same.
    fn keep_existing(&self, texts: &[FileText]) -> Result<Vec<String>, OutputError> {
        let there = self.layout.read_texts(&self.path);
        if there.is_some_and(|there| there == texts) || is_empty_or_missing(&self.path) {
            return Ok(Vec::new());
        }
        output::rename_to_numbered(&self.named, &self.path, holds_same_files)
    }

    fn beside_path(&self, number: u32) -> PathBuf {
        file_names::with_infix(&self.path, &file_names::smallest_word(number))
    }
}

impl ResultPlace for OutputDirectory {
    fn named_path(&self) -> &Path {
        &self.named
    }

    fn link_target(&self) -> Option<PathBuf> {
        (self.path != self.named).then(|| to_absolute(&self.path))
    }

    fn record_session(&self, session: &str) {
        let _ = self.lock.write_holder(session);
    }

    fn write_original(&self, input: &RunInput) -> Result<Vec<String>, OutputError> {
        let files = input.files().iter();
        let texts: Vec<FileText> = files.map(|file| Some(file.bytes.clone())).collect();
        let said = self.keep_existing(&texts)?;
        self.replace_or_explain(&texts)?;
        Ok(said)
    }

    fn write_resumed(
        &self,
        kept: &[FileText],
        is_its_own: &dyn Fn(&[FileText]) -> bool,
    ) -> Result<Vec<String>, OutputError> {
        let there = self.layout.read_texts(&self.path);
        let said = match there {
            Some(there) if is_its_own(&there) => Vec::new(),
            _ => self.keep_existing(kept)?,
        };
        self.replace_or_explain(kept)?;
        Ok(said)
    }

    fn replace_texts(&self, texts: &[FileText]) -> io::Result<()> {
        self.layout.exchange_directory(&self.path, texts)
    }

    fn write_beside(&self, last: Option<&Path>, texts: &[FileText]) -> io::Result<PathBuf> {
        if let Some(path) = last {
            self.layout.exchange_directory(path, texts)?;
            return Ok(path.to_path_buf());
        }
        for number in 0.. {
            let path = self.beside_path(number);
            if fs::symlink_metadata(&path).is_err() {
                self.layout.exchange_directory(&path, texts)?;
                return Ok(path);
            }
        }
        unreachable!("numbers do not end")
    }

    fn remove_beside(&self, path: &Path) {
        if is_directory(path) {
            self.layout.dissolve(path, path);
        }
    }

    fn versions_beside(&self) -> Vec<(PathBuf, Vec<FileText>)> {
        let paths = (0..).map(|number| self.beside_path(number));
        let there = paths.take_while(|path| is_directory(path));
        let programs = there.filter_map(|path| {
            let programs = self.layout.read_texts(&path)?;
            Some((path, programs))
        });
        programs.collect()
    }

    fn write_fallback(&self, texts: &[FileText]) -> io::Result<PathBuf> {
        let directory = file_writer::create_fallback_directory()?;
        self.layout.fill_directory(&directory, texts)?;
        Ok(directory)
    }
}

impl OutputDirectory {
    fn replace_or_explain(&self, texts: &[FileText]) -> Result<(), OutputError> {
        self.replace_texts(texts)
            .map_err(|source| OutputError::Unwritable {
                path: self.named.clone(),
                source,
            })
    }
}

/// A program in the directory of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultProgram {
    /// The name of its file.
    pub name: OsString,
    /// The name under which the test of the run saw it. It is another one where seed and variant had the same name.
    pub tested_name: OsString,
}

/// The seed and the variant in the directory of a result, as its difference names them; none if it is no such directory.
pub fn read_result_programs(directory: &Path) -> Option<[ResultProgram; 2]> {
    let text = own_files::read_own_file(&directory.join(DIFFERENCE)).ok()?;
    let mut lines = text.split(|byte| *byte == b'\n');
    let mut program_after = |mark: &str| {
        let line = std::str::from_utf8(lines.next()?).ok()?;
        let named = line.strip_prefix(mark)?;
        let (name, tested) = named.split_once('\t').unwrap_or((named, named));
        let name_of = |path: &str| Path::new(path).file_name().map(OsStr::to_os_string);
        Some(ResultProgram {
            name: name_of(name)?,
            tested_name: name_of(tested)?,
        })
    };
    Some([program_after("--- ")?, program_after("+++ ")?])
}

/// Whether two directories hold the same files, with the same bytes.
fn holds_same_files(directory: &Path, kept: &Path) -> bool {
    let names = |path: &Path| -> Option<Vec<OsString>> {
        let entries = is_directory(path).then(|| fs::read_dir(path).ok())??;
        let names = entries.map(|entry| Some(entry.ok()?.file_name()));
        let mut names: Vec<OsString> = names.collect::<Option<_>>()?;
        names.sort();
        Some(names)
    };
    let (Some(there), Some(old)) = (names(directory), names(kept)) else {
        return false;
    };
    let is_same = |name: &OsString| output::has_same_bytes(&directory.join(name), &kept.join(name));
    there == old && there.iter().all(is_same)
}

fn is_empty_or_missing(path: &Path) -> bool {
    fs::read_dir(path).map_or(true, |mut entries| entries.next().is_none())
}

/// Fails where the result would become a part of the directory that is reduced.
fn refuse_inside_input(named: &Path, path: &Path, input: &RunInput) -> Result<(), OutputError> {
    let project = input.project().filter(|project| project.is_directory());
    let parent = file_names::parent_directory(path).canonicalize();
    let is_inside = |project: &ProjectInput| {
        let input = &project.main_file().path;
        parent.is_ok_and(|parent| parent.starts_with(input))
    };
    match project.is_some_and(is_inside) {
        true => Err(OutputError::InsideInput(named.to_path_buf())),
        false => Ok(()),
    }
}

/// Fails where something is that no result may replace: a file, or the directory of the inputs.
fn refuse_other_entry(named: &Path, path: &Path, input: &RunInput) -> Result<(), OutputError> {
    let unwritable = |source| OutputError::Unwritable {
        path: named.to_path_buf(),
        source,
    };
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(unwritable(error)),
        Ok(about) if !about.is_dir() => {
            return Err(OutputError::NotADirectory {
                path: named.to_path_buf(),
                what: irregular_kind(&about).unwrap_or("a file"),
            });
        }
        Ok(_) => {}
    }
    let own = path.canonicalize().map_err(unwritable)?;
    let holds = |file: &InputFile| {
        file.path
            .parent()
            .is_some_and(|parent| parent.starts_with(&own))
    };
    match input.files().iter().any(holds) {
        true => Err(OutputError::HoldsInput(named.to_path_buf())),
        false => Ok(()),
    }
}

/// Fails where a directory has entries that are not of a result.
fn refuse_foreign_entries(
    named: &Path,
    path: &Path,
    layout: &DirectoryLayout,
) -> Result<(), OutputError> {
    let unwritable = |source| OutputError::Unwritable {
        path: named.to_path_buf(),
        source,
    };
    if !is_directory(path) {
        return Ok(());
    }
    // The result of another pair is kept beside the new one.
    let earlier = read_result_programs(path);
    let earlier: Vec<PathBuf> = earlier
        .into_iter()
        .flatten()
        .map(|program| program.name.into())
        .collect();
    let mut open = vec![PathBuf::new()];
    while let Some(below) = open.pop() {
        for entry in fs::read_dir(path.join(&below)).map_err(unwritable)? {
            let entry = entry.map_err(unwritable)?;
            let own = below.join(entry.file_name());
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            if layout.is_own(&own, &entry) || is_file && earlier.contains(&own) {
                continue;
            }
            if is_directory(&entry.path()) && layout.has_files_below(&own) {
                open.push(own);
                continue;
            }
            return Err(OutputError::Foreign {
                path: named.to_path_buf(),
                entry: own,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::session::{EarlierOutput, TextDifference};

    /// A directory with a seed and a variant.
    struct Desk {
        dir: tempfile::TempDir,
        pair: [InputFile; 2],
    }

    impl Desk {
        fn new() -> Desk {
            let dir = tempfile::tempdir().expect("a directory");
            let pair = ["seed.c", "variant.c"].map(|name| {
                fs::write(dir.path().join(name), name).expect("an input");
                InputFile::read_from(&dir.path().join(name)).expect("an input")
            });
            Desk { dir, pair }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.dir.path().join(name)
        }

        fn claim(&self, choice: &OutputChoice) -> Result<OutputDirectory, OutputError> {
            let input = RunInput::Pair(self.pair.clone());
            let difference: TextDifference = |old, new, _, _| [old, new].concat();
            let layout = |path: &Path| DirectoryLayout::for_input(&input, path, difference);
            OutputDirectory::claim_path(choice, &input, layout)
        }

        fn claim_beside(&self) -> OutputDirectory {
            self.claim(&OutputChoice::Beside).expect("a place")
        }

        fn refuse(&self, name: &str) -> String {
            let refused = self.claim(&OutputChoice::At(self.path(name)));
            refused.expect_err("refused").to_string()
        }

        /// The texts of a result: seed, variant and difference.
        fn result(&self, directory: &str) -> [String; 3] {
            ["seed.c", "variant.c", "difference.diff"].map(|name| {
                fs::read_to_string(self.path(directory).join(name)).expect("a file of a result")
            })
        }

        /// The names of all that lies there, but for the inputs.
        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(self.dir.path()).expect("the directory");
            let names = entries.map(|entry| entry.expect("an entry").file_name());
            let mut names: Vec<String> = names
                .map(|name| name.to_string_lossy().into_owned())
                .filter(|name| !name.ends_with(".c"))
                .collect();
            names.sort();
            names
        }
    }

    fn texts(seed: &str, variant: &str) -> [FileText; 2] {
        [seed, variant].map(|text| Some(text.as_bytes().into()))
    }

    #[test]
    fn a_directory_is_exchanged_as_a_whole_and_nothing_stays_beside_it() {
        let desk = Desk::new();
        let output = desk.claim_beside();
        for [seed, variant] in [["1", "2"], ["3", "4"]] {
            output
                .replace_texts(&texts(seed, variant))
                .expect("written");
            let difference = format!("{seed}{variant}");
            assert_eq!(desk.result("variant.lop"), [seed, variant, &difference]);
        }
        drop(output);
        assert_eq!(desk.names(), ["variant.lop"]);
    }

    #[test]
    fn what_somebody_adds_during_the_run_stays_there() {
        let desk = Desk::new();
        let output = desk.claim_beside();
        output.replace_texts(&texts("1", "2")).expect("written");
        fs::write(desk.path("variant.lop/mine"), "precious").expect("a file");
        output.replace_texts(&texts("3", "4")).expect("written");
        assert_eq!(desk.result("variant.lop")[0], "3");
        let mine = fs::read_to_string(desk.path("variant.lop/mine"));
        assert_eq!(mine.expect("it is there"), "precious");
        // A link in its place is replaced, and what it leads to stays.
        fs::rename(desk.path("variant.lop"), desk.path("away")).expect("moved");
        symlink("away", desk.path("variant.lop")).expect("a link");
        output.replace_texts(&texts("5", "6")).expect("written");
        assert_eq!(
            (&*desk.result("away")[0], &*desk.result("variant.lop")[0]),
            ("3", "5")
        );
        assert!(!desk.path("variant.lop").is_symlink());
    }

    #[test]
    fn a_resumed_run_goes_on_beside_what_somebody_added() {
        let desk = Desk::new();
        let output = desk.claim_beside();
        output.replace_texts(&texts("1", "2")).expect("written");
        fs::write(desk.path("variant.lop/mine"), "precious").expect("a file");
        drop(output);
        let refused = desk
            .claim(&OutputChoice::Beside)
            .expect_err("it is no result");
        assert!(refused.to_string().contains("holds mine"), "{refused}");
        let earlier = EarlierOutput {
            named: desk.path("variant.lop"),
            link_target: None,
            in_place: false,
        };
        let output = desk
            .claim(&OutputChoice::Resumed(earlier))
            .expect("a place");
        output.replace_texts(&texts("3", "4")).expect("written");
        assert_eq!(desk.result("variant.lop")[0], "3");
        assert!(desk.path("variant.lop/mine").exists());
    }

    #[test]
    fn what_is_no_result_is_refused_and_stays_as_it_is() {
        let desk = Desk::new();
        fs::write(desk.path("file"), "").expect("a file");
        assert!(
            desk.refuse("file")
                .contains("it is a file; name a directory")
        );
        assert!(desk.refuse("no/below").contains("there is no directory"));
        assert!(desk.refuse(".").contains("holds a file that is reduced"));
        fs::create_dir(desk.path("full")).expect("a directory");
        fs::write(desk.path("full/mine"), "").expect("a file");
        assert!(
            desk.refuse("full")
                .contains("holds mine, which is no file of this result")
        );
        fs::remove_file(desk.path("full/mine")).expect("gone");
        fs::create_dir(desk.path("full/seed.c")).expect("a directory");
        assert!(
            desk.refuse("full")
                .contains("holds seed.c, which is no file of this result")
        );
        // A link that nobody named may be anyone's.
        fs::create_dir(desk.path("theirs")).expect("a directory");
        symlink("theirs", desk.path("variant.lop")).expect("a link");
        let refused = desk.claim(&OutputChoice::Beside).expect_err("a link");
        assert!(refused.to_string().contains("nobody named as the output"));
        let named = OutputChoice::At(desk.path("variant.lop"));
        let output = desk.claim(&named).expect("the user named it");
        output.replace_texts(&texts("1", "2")).expect("written");
        assert_eq!(desk.result("theirs")[0], "1");
        let led_to = output.link_target();
        drop(output);
        let resumed = |link_target| {
            OutputChoice::Resumed(EarlierOutput {
                named: desk.path("variant.lop"),
                link_target,
                in_place: false,
            })
        };
        assert!(desk.claim(&resumed(led_to)).is_ok());
        let elsewhere = desk.claim(&resumed(Some(desk.path("elsewhere"))));
        assert!(matches!(elsewhere, Err(OutputError::Link { .. })));
    }

    #[test]
    fn what_a_kill_left_is_swept_by_the_next_run_and_nothing_else() {
        let desk = Desk::new();
        let output = desk.claim_beside();
        let writer = output.layout.writer.clone();
        let left = || {
            let left = writer.create_temporary_directory(&desk.path("variant.lop"));
            left.expect("a directory").keep()
        };
        let (new, old) = (left(), left());
        // Killed while a file of the new directory was written; and between the exchange and the end of the old one.
        fs::write(new.join("seed.c"), "1").expect("a file");
        let torn = new.file_name().expect("a name");
        fs::write(new.join(torn), "").expect("a file");
        fs::write(old.join("variant.c"), "2").expect("a file");
        fs::write(old.join("mine"), "precious").expect("a file");
        output.replace_texts(&texts("1", "2")).expect("written");
        drop(output);
        fs::create_dir(desk.path(".lop-mine")).expect("a directory");
        let output = desk.claim_beside();
        drop(output);
        assert_eq!(desk.names(), [".lop-mine", "variant.lop"]);
        assert!(desk.path("variant.lop/mine").exists(), "it went home");
    }

    #[test]
    fn a_result_that_is_there_already_is_kept() {
        let desk = Desk::new();
        let input = RunInput::Pair(desk.pair.clone());
        let output = desk.claim_beside();
        assert!(output.write_original(&input).expect("written").is_empty());
        assert_eq!(desk.result("variant.lop")[1], "variant.c");
        let own = |_: &[FileText]| true;
        let said = output
            .write_resumed(&texts("1", "2"), &own)
            .expect("written");
        assert!(said.is_empty(), "{said:?}");
        let foreign = |_: &[FileText]| false;
        let said = output
            .write_resumed(&texts("3", "4"), &foreign)
            .expect("written");
        assert!(said[0].contains("is kept as"), "{said:?}");
        assert_eq!(desk.result("variant.1.lop")[0], "1");
        assert_eq!(desk.result("variant.lop")[0], "3");
    }

    #[test]
    fn the_smallest_of_another_branch_lies_beside_until_it_is_not_wanted() {
        let desk = Desk::new();
        let output = desk.claim_beside();
        let path = output
            .write_beside(None, &texts("1", "2"))
            .expect("written");
        assert_eq!(path, desk.path("variant.smallest.lop"));
        output
            .write_beside(Some(&path), &texts("3", "4"))
            .expect("written");
        let there = output.versions_beside();
        assert_eq!(there, [(path.clone(), texts("3", "4").to_vec())]);
        output.remove_beside(&path);
        drop(output);
        assert!(desk.names().is_empty(), "{:?}", desk.names());
    }

    #[test]
    fn another_run_is_refused_and_a_result_without_a_place_goes_elsewhere() {
        let desk = Desk::new();
        let output = desk.claim_beside();
        let busy = desk.claim(&OutputChoice::Beside).expect_err("it is taken");
        assert!(
            busy.to_string().contains("another lop is writing to"),
            "{busy}"
        );
        let elsewhere = output.write_fallback(&texts("1", "2")).expect("written");
        let text = fs::read_to_string(elsewhere.join("variant.c"));
        assert_eq!(text.expect("a result"), "2");
        fs::remove_dir_all(elsewhere).expect("tidy");
    }
}
