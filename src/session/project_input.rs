//! The files of a project: those below a directory, or several that the user names.

use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::{Component, Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, WalkBuilder};

use super::file_names;
use super::input::{InputError, InputFile};
use crate::display::EscapeHidden;
use crate::oracle;
use crate::program::{DocumentFreedom, is_blob};

/// The most files of a project.
const MOST_FILES: usize = 10_000;
/// The most bytes of all files of a project.
const MOST_BYTES: u64 = 512_000_000;
/// The file that names what does not belong to a project.
pub(super) const IGNORE_FILE: &str = ".gitignore";
/// Directories of version control, which belong to no project.
const VERSION_CONTROL: &[&str] = &[".git", ".hg", ".svn", ".jj"];
/// Directories that builds fill: they belong to a project only where an ignore file says what does not.
const BUILD_OUTPUT: &[&str] = &[
    "target",
    "node_modules",
    "build",
    "out",
    "__pycache__",
    ".gradle",
    ".idea",
    ".kotlin",
    ".mypy_cache",
    ".venv",
];
/// Where the result of several files goes.
const FILES_RESULT: &str = "lop.out";

/// The files of a project, and its links, as they were when the run began. Those that may change come first, then those that stay whole, then those that
/// stay.
#[derive(Clone, Debug)]
pub struct ProjectInput {
    /// What the run is named after: the directory, or the first of several files.
    main: InputFile,
    /// Whether the user named a directory.
    is_directory: bool,
    files: Vec<InputFile>,
    /// What edits may do to each file.
    freedoms: Vec<DocumentFreedom>,
    /// Sentences about what does not belong to it.
    pub notes: Vec<String>,
}

/// Which files of a project may change, and which stay, by patterns as in `.gitignore`.
#[derive(Clone, Debug, Default)]
pub struct ProjectScope {
    /// The files that may change; without one, all may.
    pub only: Vec<String>,
    /// The files that stay as they are.
    pub keep: Vec<String>,
}

/// Why several files cannot be reduced.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// One of them cannot be read.
    #[error(transparent)]
    File(#[from] InputError),
    /// The directory cannot be listed.
    #[error("{} cannot be listed: {source}; see who may read what is below it, or name that in {IGNORE_FILE}", path.escape_hidden())]
    Unlisted {
        /// The directory.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// There is no file.
    #[error("{} has no file to reduce; name another directory, or see what its {IGNORE_FILE} leaves out", .0.escape_hidden())]
    NoFile(PathBuf),
    /// There is something else than files, directories and links.
    #[error("{} is a device, a pipe or a socket, and no test directory gets one; remove it, or name it in {IGNORE_FILE}", .0.escape_hidden())]
    Irregular(PathBuf),
    /// A name is not UTF-8.
    #[error("the name of {} is not UTF-8, and no journal can hold it; give it another name, or name it in {IGNORE_FILE}", .0.escape_hidden())]
    Unnamed(PathBuf),
    /// There are too many files, or they are too long.
    #[error("{} has more than {MOST_FILES} files or {} MB; name a directory below it, or name in {IGNORE_FILE} what the test does not need", .0.escape_hidden(), MOST_BYTES / 1_000_000)]
    TooMuch(PathBuf),
    /// A pattern is none.
    #[error(
        "`{pattern}` is no pattern for files: {source}; write it as in {IGNORE_FILE}, such as '**/*.kt'"
    )]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        source: ignore::Error,
    },
    /// No file matches a pattern of those that may change.
    #[error("no file matches --only '{}', so nothing of what it means would change; write it as in {IGNORE_FILE}, such as '**/*.kt'", .0.escape_hidden())]
    Unmatched(String),
    /// Two of several files are one, or have one place.
    #[error("{} is named twice; name each file once", .0.escape_hidden())]
    Twice(PathBuf),
    /// One of several paths is a directory.
    #[error("{} is a directory, and of several paths each must be a file; name the directory above all, as in lop {} TEST{}", path.escape_hidden(), above.escape_hidden(), only)]
    Directory {
        /// The first directory.
        path: PathBuf,
        /// What is above all that is named.
        above: PathBuf,
        /// The options that leave the rest unchanged, as they are shown.
        only: String,
    },
    /// No file may change.
    #[error("no file of {} may change or go; see --only and --keep", .0.escape_hidden())]
    AllStay(PathBuf),
}

/// The patterns of a scope.
struct ScopeMatcher {
    only: Option<Gitignore>,
    keep: Gitignore,
}

impl ScopeMatcher {
    fn new(scope: &ProjectScope) -> Result<ScopeMatcher, ProjectError> {
        let only = build_patterns(&scope.only)?;
        Ok(ScopeMatcher {
            only: (!scope.only.is_empty()).then_some(only),
            keep: build_patterns(&scope.keep)?,
        })
    }

    fn freedom_of(&self, place: &Path) -> DocumentFreedom {
        match &self.only {
            _ if matches_file(&self.keep, place) => DocumentFreedom::Fixed,
            Some(only) if !matches_file(only, place) => DocumentFreedom::Whole,
            _ => DocumentFreedom::Free,
        }
    }
}

impl ProjectScope {
    /// Sentences about patterns that keep no file.
    ///
    /// # Errors
    /// When a pattern of those that may change matches none, as after a slip: then nothing of what the user means would change.
    fn find_idle_patterns(&self, inputs: &[InputFile]) -> Result<Vec<String>, ProjectError> {
        let is_idle = |pattern: &&String| {
            let own = build_patterns(&[String::clone(pattern)]);
            let files = || inputs.iter().map(InputFile::test_path);
            let has = |own: Gitignore| files().any(|place| matches_file(&own, place));
            // One that begins with `!` matches nothing alone.
            !pattern.starts_with('!') && !own.is_ok_and(has)
        };
        if let Some(pattern) = self.only.iter().find(is_idle) {
            return Err(ProjectError::Unmatched(pattern.clone()));
        }
        let idle = self.keep.iter().filter(is_idle);
        let idle =
            idle.map(|pattern| format!("no file matches --keep '{}'", pattern.escape_hidden()));
        Ok(idle.collect())
    }
}

fn matches_file(patterns: &Gitignore, place: &Path) -> bool {
    patterns
        .matched_path_or_any_parents(place, false)
        .is_ignore()
}

fn build_patterns(patterns: &[String]) -> Result<Gitignore, ProjectError> {
    let mut builder = GitignoreBuilder::new("");
    builder.allow_unclosed_class(false);
    let refuse = |pattern: &str, source| ProjectError::Pattern {
        pattern: pattern.to_owned(),
        source,
    };
    for pattern in patterns {
        let added = builder.add_line(None, pattern);
        added.map_err(|source| refuse(pattern, source))?;
    }
    let built = builder.build();
    built.map_err(|source| refuse(&patterns.join(" "), source))
}

impl ProjectInput {
    /// Reads all files below a directory that belong to it: without what an ignore file names, or else without what builds leave.
    ///
    /// # Errors
    /// When a file cannot be read, when there is none or too many, or when a pattern is none.
    pub fn read_directory(
        named: &Path,
        scope: &ProjectScope,
    ) -> Result<ProjectInput, ProjectError> {
        let matcher = ScopeMatcher::new(scope)?;
        let main = InputFile::from_directory(named)?;
        let (mut inputs, mut bytes) = (Vec::new(), 0);
        for entry in walk_directory(named) {
            let entry = entry.map_err(|error| ProjectError::Unlisted {
                path: named.to_path_buf(),
                source: error
                    .into_io_error()
                    .unwrap_or_else(|| io::ErrorKind::Other.into()),
            })?;
            let kind = entry.file_type().filter(|_| entry.depth() > 0);
            let Some(kind) = kind.filter(|kind| !kind.is_dir()) else {
                continue;
            };
            if kind.is_fifo() || kind.is_socket() || kind.is_block_device() || kind.is_char_device()
            {
                return Err(ProjectError::Irregular(entry.into_path()));
            }
            let path = entry.path();
            if path.to_str().is_none() {
                return Err(ProjectError::Unnamed(entry.into_path()));
            }
            let place = path.strip_prefix(named).unwrap_or(path);
            let input = match kind.is_symlink() {
                true => InputFile::read_link(path)?,
                false => InputFile::read_any(path)?,
            };
            let input = input.at_place(place);
            bytes += input.bytes.len() as u64;
            inputs.push(input);
            if inputs.len() > MOST_FILES || bytes > MOST_BYTES {
                return Err(ProjectError::TooMuch(named.to_path_buf()));
            }
        }
        ProjectInput::from_inputs(main, true, inputs, (scope, &matcher))
    }

    /// Reads several files. A test finds each at the path that the user named, or else at its path below the directory that all have in common.
    ///
    /// # Errors
    /// When a file cannot be read, or when two have one place.
    pub fn read_files(
        named: &[PathBuf],
        scope: &ProjectScope,
    ) -> Result<ProjectInput, ProjectError> {
        let matcher = ScopeMatcher::new(scope)?;
        if let Some(path) = named.iter().find(|path| path.is_dir()) {
            return Err(refuse_directory(path, named));
        }
        let files = named.iter().map(|path| InputFile::read_any(path));
        let files = files.collect::<Result<Vec<_>, _>>()?;
        let places = choose_places(&files);
        let inputs: Vec<InputFile> = files
            .into_iter()
            .zip(&places)
            .map(|(file, place)| file.at_place(place))
            .collect();
        for (at, file) in inputs.iter().enumerate() {
            let same = |other: &InputFile| {
                other.test_path() == file.test_path() || other.identity == file.identity
            };
            if inputs[..at].iter().any(same) {
                return Err(ProjectError::Twice(file.named.clone()));
            }
        }
        let Some(first) = inputs.first().cloned() else {
            return Err(ProjectError::NoFile(PathBuf::new()));
        };
        ProjectInput::from_inputs(first, false, inputs, (scope, &matcher))
    }

    fn from_inputs(
        main: InputFile,
        is_directory: bool,
        mut inputs: Vec<InputFile>,
        (scope, matcher): (&ProjectScope, &ScopeMatcher),
    ) -> Result<ProjectInput, ProjectError> {
        if inputs.is_empty() {
            return Err(ProjectError::NoFile(main.named));
        }
        let notes = scope.find_idle_patterns(&inputs)?;
        let freedom = |input: &InputFile| match matcher.freedom_of(input.test_path()) {
            DocumentFreedom::Free if input.is_link() || is_blob(&input.bytes) => {
                DocumentFreedom::Whole
            }
            chosen => chosen,
        };
        inputs.sort_by_key(|input| freedom(input) as u8);
        let freedoms: Vec<DocumentFreedom> = inputs.iter().map(freedom).collect();
        if freedoms
            .iter()
            .all(|&freedom| freedom == DocumentFreedom::Fixed)
        {
            return Err(ProjectError::AllStay(main.named));
        }
        Ok(ProjectInput {
            main,
            is_directory,
            notes,
            files: inputs,
            freedoms,
        })
    }

    /// The project of an earlier run, as it was then.
    pub fn from_recorded(
        main: InputFile,
        is_directory: bool,
        files: Vec<InputFile>,
        freedoms: Vec<DocumentFreedom>,
    ) -> ProjectInput {
        ProjectInput {
            main,
            is_directory,
            files,
            freedoms,
            notes: Vec::new(),
        }
    }

    /// The files with their bytes.
    pub fn files(&self) -> &[InputFile] {
        &self.files
    }

    pub(super) fn files_mut(&mut self) -> &mut [InputFile] {
        &mut self.files
    }

    /// What edits may do to each file.
    pub fn freedoms(&self) -> &[DocumentFreedom] {
        &self.freedoms
    }

    /// Whether the user named a directory.
    pub fn is_directory(&self) -> bool {
        self.is_directory
    }

    /// What the run is named after: the directory, without bytes, or the first of several files.
    pub fn main_file(&self) -> &InputFile {
        &self.main
    }

    /// The path that the user named first.
    pub fn named(&self) -> &Path {
        &self.main.named
    }

    /// For a title: `src (12 files)`.
    pub fn title(&self) -> String {
        let name = self.main.file_name().escape_hidden();
        format!("{name} ({} files)", self.files.len())
    }

    /// Where the result goes unless the user says otherwise: `src.lop` beside `src`; of several files `lop.out`.
    pub(super) fn result_path(&self) -> PathBuf {
        match (self.is_directory, self.main.named.file_name()) {
            (false, _) => PathBuf::from(FILES_RESULT),
            (true, Some(_)) => {
                let named: PathBuf = self.main.named.components().collect();
                file_names::with_suffix(&named, "lop")
            }
            (true, None) => file_names::with_suffix(&self.main.path, "lop"),
        }
    }
}

/// What to type in place of a directory among several paths.
fn refuse_directory(path: &Path, named: &[PathBuf]) -> ProjectError {
    let plain = |path: &PathBuf| -> PathBuf {
        let parts = path.components();
        parts.filter(|part| *part != Component::CurDir).collect()
    };
    let plain: Vec<PathBuf> = named.iter().map(plain).collect();
    let mut above = oracle::common_directory(plain.iter().map(PathBuf::as_path));
    let pattern = |path: &PathBuf| {
        let below = path.strip_prefix(&above).unwrap_or(path);
        let all = if path.is_dir() { "/**" } else { "" };
        format!(" --only '{}{all}'", below.escape_hidden())
    };
    let only = plain.iter().map(pattern).collect();
    if above.as_os_str().is_empty() {
        above = PathBuf::from(".");
    }
    ProjectError::Directory {
        path: path.to_path_buf(),
        above,
        only,
    }
}

/// The entries of a directory that belong to a project, in the order of their names.
fn walk_directory(named: &Path) -> impl Iterator<Item = Result<DirEntry, ignore::Error>> {
    let has_ignore_file = named.join(IGNORE_FILE).is_file();
    let belongs = move |entry: &DirEntry| {
        let name = entry.file_name().to_str().unwrap_or_default();
        let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        // A file of such a name leads to the directory of a work tree.
        let is_left_out = VERSION_CONTROL.contains(&name)
            || is_directory && !has_ignore_file && BUILD_OUTPUT.contains(&name);
        entry.depth() == 0 || !is_left_out
    };
    WalkBuilder::new(named)
        .standard_filters(false)
        .git_ignore(true)
        .require_git(false)
        .parents(false)
        .sort_by_file_name(|one, other| one.cmp(other))
        .filter_entry(belongs)
        .build()
}

/// Where a test finds several files.
fn choose_places(files: &[InputFile]) -> Vec<PathBuf> {
    let plain = |path: &Path| -> Option<PathBuf> {
        let mut parts = path.components().filter(|part| *part != Component::CurDir);
        let is_below = parts
            .clone()
            .all(|part| matches!(part, Component::Normal(_)));
        is_below.then(|| parts.by_ref().collect())
    };
    let as_named: Option<Vec<PathBuf>> = files.iter().map(|file| plain(&file.named)).collect();
    as_named.unwrap_or_else(|| {
        let common = oracle::common_directory(files.iter().map(|file| &*file.path));
        let places = files.iter().map(|file| file.path.strip_prefix(&common));
        let places = files.iter().zip(places);
        places
            .map(|(file, place)| place.map_or_else(|_| file.file_name().into(), Path::to_path_buf))
            .collect()
    })
}

impl InputFile {
    /// A directory as what a run is named after.
    fn from_directory(named: &Path) -> Result<InputFile, InputError> {
        let unreadable = |source: io::Error| InputError::Unreadable {
            path: named.to_path_buf(),
            source,
        };
        let path = named.canonicalize().map_err(unreadable)?;
        let directory = InputFile::from_recorded(named, named, Default::default(), 0o755);
        Ok(InputFile { path, ..directory })
    }
}
