//! Where the result of a run goes: a file, or for a pair or a project a directory. Both hold one whole version at any time.

use std::io;
use std::path::{Path, PathBuf};

use super::output_error::OutputError;
use super::run_input::RunInput;
use crate::program::FileText;

/// The place of a result. Texts are those of a version's documents, in their order.
pub trait ResultPlace: Send {
    /// The path for messages: as it was named, links not followed.
    fn named_path(&self) -> &Path;

    /// Where the program is that a generator makes of the result; none if the result is the program.
    fn program_path(&self) -> Option<&Path> {
        None
    }

    /// Where a link of that name leads, as an absolute path; none if it is no link.
    fn link_target(&self) -> Option<PathBuf>;

    /// Which session writes here, for other lops that want to.
    fn record_session(&self, session: &str);

    /// Keeps what is there, and writes the original in its place: from now on the result passes the test. Returns what was kept, in
    /// sentences.
    fn write_original(&self, input: &RunInput) -> Result<Vec<String>, OutputError>;

    /// Continues the output of an earlier run: from now on it is `kept`, the version of that run. What is there now and does not belong to
    /// that run is kept beside it. Returns what was kept, in sentences.
    fn write_resumed(
        &self,
        kept: &[FileText],
        is_its_own: &dyn Fn(&[FileText]) -> bool,
    ) -> Result<Vec<String>, OutputError>;

    /// Replaces the result, in one step.
    fn replace_texts(&self, texts: &[FileText]) -> io::Result<()>;

    /// Keeps a version of another branch beside it: in the place of the last time, or else in a new one. Returns its path.
    fn write_beside(&self, last: Option<&Path>, texts: &[FileText]) -> io::Result<PathBuf>;

    /// Removes what [`write_beside`](Self::write_beside) wrote there. What cannot be removed does no harm.
    fn remove_beside(&self, path: &Path);

    /// The versions that [`write_beside`](Self::write_beside) wrote and that are there, each with its texts.
    fn versions_beside(&self) -> Vec<(PathBuf, Vec<FileText>)>;

    /// Last resort when the result cannot be written: a place in the directory for temporary files. Returns its path.
    fn write_fallback(&self, texts: &[FileText]) -> io::Result<PathBuf>;
}
