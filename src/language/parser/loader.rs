//! Parsers that exist as C sources: they are built with the machine's compiler and loaded by tree-sitter's own loader, so that lop itself
//! needs no unsafe call.
//!
//! The loader crate is used for these two calls only. It caches parsers by name and time, and waits for locks that a killed process left.
//! So the caller names the library by a hash of its sources; here it is built under a unique name, and then renamed.

use std::fs::{self, File, Metadata, Permissions};
use std::io;
use std::ops::RangeInclusive;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use thiserror::Error;
use tree_sitter::{LANGUAGE_VERSION, MIN_COMPATIBLE_LANGUAGE_VERSION};
use tree_sitter_loader::{CompileConfig, Loader, LoaderError};

use super::ParserFn;
use crate::display::EscapeHidden;

/// The versions of generated parsers (ABI) that can be loaded.
pub const READABLE_ABI: RangeInclusive<usize> = MIN_COMPATIBLE_LANGUAGE_VERSION..=LANGUAGE_VERSION;

/// The prefix of the names of directories in which a parser is built.
const BUILD_PREFIX: &str = ".building-";

/// The most lines of a compiler's output that are shown.
const MAX_SHOWN_LINES: usize = 12;

/// Why there is no parser.
#[derive(Debug, Error)]
pub enum BuildError {
    /// There is no compiler.
    #[error(
        "its parser is C, and there is no C compiler: {0}. Install one (gcc or clang), or name yours in the variable CC"
    )]
    NoCompiler(String),
    /// The compiler failed.
    #[error("the C compiler refuses its parser:\n{0}")]
    Refused(String),
    /// The library cannot be loaded.
    #[error("its parser was built and cannot be loaded: {0}")]
    NotLoaded(String),
    /// Its version (ABI) is not supported, whatever its sources say.
    #[error("its parser has ABI {0}, and this lop reads {first} to {last}", first = READABLE_ABI.start(), last = READABLE_ABI.end())]
    Abi(usize),
    /// The directory cannot be written.
    #[error("{}: {error}", path.escape_hidden())]
    Io {
        /// The directory.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
}

/// Decides whether an opened file may be loaded; else returns the reason.
pub type Vet<'a> = &'a dyn Fn(&Path, &Metadata) -> io::Result<()>;

/// Builds the parser called `name` from the sources in `src`, as the file `library`.
pub(in super::super) fn build_parser(
    name: &str,
    src: &Path,
    library: &Path,
) -> Result<(), BuildError> {
    let io = |path: &Path| {
        let path = path.to_path_buf();
        move |error| BuildError::Io { path, error }
    };
    let directory = library.parent().unwrap_or(Path::new("."));
    // The loader holds a lock for each file that it builds, and would wait for one of a process that was killed. So it builds a file of its
    // own, which is renamed when it is complete.
    remove_stale_builds(directory);
    let (own, _held) = create_build_directory(directory).map_err(io(directory))?;
    let loader = Loader::with_parser_lib_path(own.path().to_path_buf());
    let built = own.path().join("parser");
    let mut config = CompileConfig::new(src, None, Some(built.clone()));
    config.name = name.to_owned();
    loader
        .load_language_at_path_with_name(config)
        .map_err(to_build_error)?;
    // The compiler makes the file writable for everybody whom the user's mask allows.
    fs::set_permissions(&built, Permissions::from_mode(0o700)).map_err(io(&built))?;
    fs::rename(&built, library).map_err(io(library))
}

/// A new directory to build in, and the lock that shows other processes that it is in use.
fn create_build_directory(directory: &Path) -> io::Result<(TempDir, File)> {
    loop {
        let own = tempfile::Builder::new()
            .prefix(BUILD_PREFIX)
            .tempdir_in(directory)?;
        let held = File::open(own.path())?;
        held.lock()?;
        // Before it was locked, another process may have removed it as abandoned.
        if own.path().exists() {
            return Ok((own, held));
        }
    }
}

/// Removes what killed processes left. Files that cannot be removed do no harm.
fn remove_stale_builds(directory: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries {
        let left = entry
            .file_name()
            .to_string_lossy()
            .starts_with(BUILD_PREFIX);
        if left
            && let Ok(held) = File::open(entry.path())
            && held.try_lock().is_ok()
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The parser called `name` in the file `library`, for as long as the process lives. Only the user may write to its directory, and to the
/// file.
pub(in super::super) fn load_parser(
    name: &str,
    library: &Path,
    vet: Vet,
) -> Result<ParserFn, BuildError> {
    let vetted = File::open(library).and_then(|file| vet(library, &file.metadata()?));
    vetted.map_err(|error| BuildError::NotLoaded(error.to_string()))?;
    let symbol = format!("tree_sitter_{}", name.replace('-', "_"));
    let language = Loader::load_language(library, &symbol).map_err(to_build_error)?;
    let version = language.abi_version();
    if !READABLE_ABI.contains(&version) {
        return Err(BuildError::Abi(version));
    }
    Ok(ParserFn::Loaded(Box::leak(Box::new(language))))
}

fn to_build_error(error: LoaderError) -> BuildError {
    match error {
        LoaderError::Compiler(failed) => {
            let program = failed.command.get_program().to_string_lossy();
            BuildError::NoCompiler(format!("`{program}` cannot be started ({})", failed.error))
        }
        LoaderError::Compilation(out, err) => {
            let lines: Vec<&str> = err
                .lines()
                .chain(out.lines())
                .take(MAX_SHOWN_LINES)
                .collect();
            BuildError::Refused(lines.join("\n"))
        }
        other => BuildError::NotLoaded(other.to_string()),
    }
}
