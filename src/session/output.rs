//! Where the result goes.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags};
use rustix::io::Errno;

use super::files::{self, no_regular_file};
use super::input::Input;
use super::lock::{Holder, Lock, Taking};
use super::names;
use super::write::{self, FileWriter, Rights};
use crate::display::Shown;

/// How many links in a row are followed, as in Linux.
const LINKS: u32 = 40;

/// What the user wants to have where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// `bug.lop.c` beside `bug.c`.
    Beside,
    /// In this file.
    At(PathBuf),
    /// In the input itself, whose original is kept as `bug.c.orig`.
    InPlace,
    /// Where an earlier run had it.
    Again(EarlierPlace),
}

/// Where a run had its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierPlace {
    /// As it was named.
    pub named: PathBuf,
    /// Where a link of that name led then, as an absolute path; none if it was no link.
    pub led_to: Option<PathBuf>,
    /// Whether it is the input itself.
    pub in_place: bool,
}

impl Choice {
    /// Whether the result may go to `path`, where `named` leads. A link that the user did not name may be anybody's.
    fn allows(&self, named: &Path, path: &Path) -> bool {
        match self {
            Choice::Beside => named == path,
            Choice::At(_) | Choice::InPlace => true,
            Choice::Again(earlier) => {
                let led_to = earlier.led_to.as_deref().unwrap_or(named);
                absolute(path) == absolute(led_to)
            }
        }
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The file that holds the best version, claimed for this run alone until this is dropped.
#[derive(Debug)]
pub struct Output {
    named: PathBuf,
    path: PathBuf,
    rights: Rights,
    in_place: bool,
    writer: FileWriter,
    lock: Lock,
}

/// Why a result cannot go there.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// Its directory is missing.
    #[error("the result cannot go to {}: there is no directory {}; make it, or name another place with --output", path.shown(), directory.shown())]
    NoDirectory {
        /// The output.
        path: PathBuf,
        /// What is missing.
        directory: PathBuf,
    },
    /// Nothing can be written there.
    #[error("the result cannot go to {}: {source}; name another place with --output", path.shown())]
    Unwritable {
        /// The output.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// There is something that cannot be replaced.
    #[error("the result cannot go to {}: it is {what}; name a file with --output", path.shown())]
    NotAFile {
        /// The output.
        path: PathBuf,
        /// What it is, with its article.
        what: &'static str,
    },
    /// Somebody made it a link.
    #[error(
        "the result cannot go to {}: it is a link to {}, which {}",
        path.shown(),
        to.shown(),
        match is_resumed {
            true => "it was not when the session began; move it away",
            false => "nobody named as the output; move it away, or name it with --output",
        }
    )]
    Link {
        /// The output.
        path: PathBuf,
        /// Where it leads.
        to: PathBuf,
        /// Whether a session is being resumed, which names its output itself.
        is_resumed: bool,
    },
    /// It is the input.
    #[error("--output {} is the input itself; to reduce it where it is, type --in-place instead", .0.shown())]
    IsInput(PathBuf),
    /// It is the test.
    #[error("--output {} is the test, which lop would overwrite; name another file", .0.shown())]
    IsTest(PathBuf),
    /// Another lop writes to it.
    #[error(
        "another lop is writing to {}{}; wait for its end, or name another place with --output",
        path.shown(),
        holder.as_ref().map(|holder| format!(" ({holder})")).unwrap_or_default()
    )]
    Busy {
        /// The output.
        path: PathBuf,
        /// Who it is, by its own word.
        holder: Option<Holder>,
    },
    /// The input is not what was read.
    #[error("{} was changed while lop looked at it; nothing was written, so type the same again", .0.shown())]
    Changed(PathBuf),
    /// What is there cannot be put aside.
    #[error("{} cannot be kept as {}: {source}; name another place with --output", old.shown(), kept.shown())]
    CannotKeep {
        /// What is there.
        old: PathBuf,
        /// Where it should be kept.
        kept: PathBuf,
        /// The system's words.
        source: io::Error,
    },
}

impl Output {
    /// Looks whether the result can go there, and takes the place for this run. Writes nothing that stays. `test` is the user's test, if it is a file,
    /// which must not be overwritten.
    pub fn claim(
        choice: &Choice,
        input: &Input,
        test: Option<&Path>,
    ) -> Result<Output, OutputError> {
        let (named, in_place) = match choice {
            Choice::Beside => (names::with_word(&input.named, "lop"), false),
            Choice::At(path) => (path.clone(), false),
            Choice::InPlace => (input.named.clone(), true),
            Choice::Again(earlier) => (earlier.named.clone(), earlier.in_place),
        };
        let unwritable = |source| OutputError::Unwritable {
            path: named.clone(),
            source,
        };
        let path = followed(&named).map_err(unwritable)?;
        refuse_place(choice, &named, &path)?;
        if let Ok(there) = path.metadata() {
            if let Some(what) = no_regular_file(&there) {
                return Err(OutputError::NotAFile { path: named, what });
            }
            refuse_users_file(&named, &there, input, test, in_place)?;
        }
        let lock = match Lock::take(&path).map_err(unwritable)? {
            Taking::Ours(lock) => lock,
            Taking::Theirs(holder) => {
                return Err(OutputError::Busy {
                    path: named,
                    holder,
                });
            }
        };
        let writer = FileWriter::of(&path);
        if lock.is_sure() {
            writer.sweep(names::directory(&path));
        }
        writer.can_write_beside(&path).map_err(unwritable)?;
        // Only for the sentence that another lop is told.
        let _ = lock.tell("");
        let rights = Rights {
            mode: Some(input.mode),
            owner: in_place.then_some(input.owner),
        };
        Ok(Output {
            named,
            path,
            rights,
            in_place,
            writer,
            lock,
        })
    }

    /// The file that is written where this is the output: all links followed, as far as there is something.
    ///
    /// # Errors
    /// When links lead in a circle.
    pub fn leads_to(path: &Path) -> io::Result<PathBuf> {
        let path = followed(&std::path::absolute(path)?)?;
        let directory = names::directory(&path).canonicalize();
        Ok(match (directory, path.file_name()) {
            (Ok(directory), Some(name)) => directory.join(name),
            _ => path,
        })
    }

    /// The path to tell the user: as it was named, links not followed.
    pub fn named(&self) -> &Path {
        &self.named
    }

    /// Where a link of that name leads, as an absolute path; none if it is no link.
    pub fn led_to(&self) -> Option<PathBuf> {
        (self.path != self.named).then(|| absolute(&self.path))
    }

    /// Keeps what is there, and writes the original in its place: from now on the file passes the test. Says what was kept, in
    /// sentences.
    pub fn prepare(&self, input: &Input) -> Result<Vec<String>, OutputError> {
        let said = if self.in_place {
            self.keep_original(input)?
        } else {
            self.put_aside(input)?
        };
        self.write(&input.bytes)
            .map_err(|source| OutputError::Unwritable {
                path: self.named.clone(),
                source,
            })?;
        Ok(said)
    }

    /// Goes on with what an earlier run wrote there: from now on the file holds `kept`, the version of that run. What is there now and is
    /// none of that run's is kept beside it. Says what was kept, in sentences.
    pub fn go_on(
        &self,
        kept: &[u8],
        is_its_own: impl Fn(&[u8]) -> bool,
    ) -> Result<Vec<String>, OutputError> {
        let unwritable = |source| OutputError::Unwritable {
            path: self.named.clone(),
            source,
        };
        let there = match files::read_own(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(unwritable)?,
        };
        if there == kept {
            return Ok(Vec::new());
        }
        let said = match there.is_empty() || is_its_own(&there) {
            true => Vec::new(),
            false => self.put_away()?,
        };
        self.write(kept).map_err(unwritable)?;
        Ok(said)
    }

    /// Which session writes here, for other lops that want to.
    pub fn tell(&self, session: &str) {
        let _ = self.lock.tell(session);
    }

    /// Replaces the file, in one step.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.writer.replace(&self.path, bytes, self.rights)
    }

    /// Keeps a version that is on no way to the result beside it: in the file of last time, or else in a new one. Gives its path.
    pub fn write_beside(&self, last: Option<&Path>, bytes: &[u8]) -> io::Result<PathBuf> {
        if let Some(path) = last {
            self.writer.replace(path, bytes, self.rights)?;
            return Ok(path.to_path_buf());
        }
        for number in 0.. {
            let path = self.beside_path(number);
            match self.writer.create(&path, bytes, self.rights) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                done => return done.map(|()| path),
            }
        }
        unreachable!("numbers do not end")
    }

    /// The files of [`write_beside`](Self::write_beside) that are there, each with its bytes.
    pub fn beside(&self) -> impl Iterator<Item = (PathBuf, Vec<u8>)> {
        let paths = (0..).map(|number| self.beside_path(number));
        paths.map_while(|path| Some((path.clone(), files::read_own(&path).ok()?)))
    }

    fn beside_path(&self, number: u32) -> PathBuf {
        let word = match number {
            0 => "smallest".to_owned(),
            number => format!("smallest.{number}"),
        };
        names::with_word(&self.path, &word)
    }

    /// Last resort when the output cannot be written: a file in the directory for temporary files. Gives its path.
    pub fn write_elsewhere(&self, bytes: &[u8]) -> io::Result<PathBuf> {
        let directory = tempfile::Builder::new()
            .prefix("lop-result-")
            .tempdir()
            .map_err(write::system_words)?
            .keep();
        let path = directory.join(self.path.file_name().unwrap_or_default());
        let rights = Rights {
            owner: None,
            ..self.rights
        };
        self.writer.create(&path, bytes, rights)?;
        Ok(path)
    }

    /// An output that exists becomes `bug.lop.1.c`, or the next number that is free; unless its bytes are kept already, there or in the
    /// input.
    fn put_aside(&self, input: &Input) -> Result<Vec<String>, OutputError> {
        if same_bytes(&self.path, &input.path) {
            return Ok(Vec::new());
        }
        self.put_away()
    }

    fn put_away(&self) -> Result<Vec<String>, OutputError> {
        for number in 1.. {
            let kept = names::with_word(&self.path, &number.to_string());
            match rename_to_new(&self.path, &kept) {
                Ok(()) => {
                    return Ok(vec![format!(
                        "{} was there already; it is kept as {}",
                        self.named.shown(),
                        kept.shown()
                    )]);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    if same_bytes(&self.path, &kept) {
                        return Ok(vec![format!(
                            "{} was there already; it is kept as {}, which holds the same",
                            self.named.shown(),
                            kept.shown()
                        )]);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                Err(source) => {
                    return Err(OutputError::CannotKeep {
                        old: self.named.clone(),
                        kept,
                        source,
                    });
                }
            }
        }
        Ok(Vec::new())
    }

    /// The input's bytes as `bug.c.orig`. One that exists is never touched: after a first run with `--in-place` it is the true
    /// original, and the input of this run a smaller one. That may have been changed by hand since, so it is kept too, under the next
    /// number that is free.
    fn keep_original(&self, input: &Input) -> Result<Vec<String>, OutputError> {
        // Someone may have edited the file while the test ran on the original.
        if files::read_own(&self.path).is_ok_and(|now| *now != *input.bytes) {
            return Err(OutputError::Changed(self.named.clone()));
        }
        let first = names::with_ending(&self.path, "orig");
        let mut said = Vec::new();
        for number in 0.. {
            let kept = if number == 0 {
                first.clone()
            } else {
                names::with_ending(&first, &number.to_string())
            };
            let name = kept.shown();
            match self.writer.create(&kept, &input.bytes, self.rights) {
                Ok(()) => said.push(format!("the original is kept as {name}")),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    // A link may lead to the input itself, and a pipe would be waited for: neither keeps anything.
                    let there = files::read_own(&kept);
                    if there.as_ref().is_ok_and(|bytes| **bytes == *input.bytes) {
                        said.push(format!(
                            "{name} is there already and holds this very original"
                        ));
                    } else {
                        if number == 0 {
                            said.push(match there {
                                Ok(_) => format!("{name} is there already, from an earlier run; it stays as it is"),
                                Err(error) => format!("{name} is there already, and stays as it is: {error}"),
                            });
                        }
                        continue;
                    }
                }
                Err(source) => {
                    return Err(OutputError::CannotKeep {
                        old: self.named.clone(),
                        kept,
                        source,
                    });
                }
            }
            break;
        }
        Ok(said)
    }
}

/// Fails where no result can go: to a directory, into one that is not there, or behind a link that nobody named.
fn refuse_place(choice: &Choice, named: &Path, path: &Path) -> Result<(), OutputError> {
    let named = named.to_path_buf();
    if path.file_name().is_none() || named.as_os_str().as_encoded_bytes().ends_with(b"/") {
        let what = "a directory";
        return Err(OutputError::NotAFile { path: named, what });
    }
    if !choice.allows(&named, path) {
        let to = path.to_path_buf();
        return Err(OutputError::Link {
            path: named,
            to,
            is_resumed: matches!(choice, Choice::Again(_)),
        });
    }
    let directory = names::directory(path);
    if !directory.is_dir() {
        return Err(OutputError::NoDirectory {
            directory: directory.to_path_buf(),
            path: named,
        });
    }
    Ok(())
}

/// Fails where the output would take the place of the input or of the test, unless it is meant to.
fn refuse_users_file(
    named: &Path,
    there: &fs::Metadata,
    input: &Input,
    test: Option<&Path>,
    in_place: bool,
) -> Result<(), OutputError> {
    let identity = |about: &fs::Metadata| (about.dev(), about.ino());
    let test = test.and_then(|test| test.metadata().ok());
    match () {
        () if in_place => Ok(()),
        () if identity(there) == input.identity => Err(OutputError::IsInput(named.to_path_buf())),
        () if test.is_some_and(|test| identity(&test) == identity(there)) => {
            Err(OutputError::IsTest(named.to_path_buf()))
        }
        () => Ok(()),
    }
}

/// The file that a path leads to, links followed, also where the last link leads to nothing yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(link) => path = path.parent().unwrap_or(Path::new("")).join(link),
            // No link, or nothing there.
            Err(_) => return Ok(path),
        }
    }
    Err(Errno::LOOP.into())
}

/// Whether `kept` is a file of its own, and holds what `file` holds. A link is none: it may lead to `file` itself. Where one cannot be
/// read, they differ.
fn same_bytes(file: &Path, kept: &Path) -> bool {
    let length = |path: &Path| {
        let about = fs::symlink_metadata(path).ok()?;
        about.is_file().then_some(about.len())
    };
    let bytes = || [file, kept].map(files::read_own);
    let same_length = length(file).is_some() && length(file) == length(kept);
    same_length && matches!(bytes(), [Ok(one), Ok(other)] if one == other)
}

/// Renames a file unless the new name is taken; then fails with `AlreadyExists`.
fn rename_to_new(old: &Path, new: &Path) -> io::Result<()> {
    match rustix::fs::renameat_with(CWD, old, CWD, new, RenameFlags::NOREPLACE) {
        // Not every file system can do it in one step. The lock keeps other lops away between these two.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => match fs::symlink_metadata(new) {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(old, new),
        },
        renamed => Ok(renamed?),
    }
}
