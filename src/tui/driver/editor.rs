//! The user's own editor on the current program.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use crate::program::{Document, walk};

/// What came back from the editor.
#[derive(Debug)]
pub enum EditorOutcome {
    /// A new text.
    Text(Vec<u8>),
    /// The text as it was.
    Unchanged,
    /// No text, for this reason.
    Failed(String),
}

/// The place where texts are edited. They stay as long as this does, so that a text that was refused can be taken up again.
#[derive(Debug)]
pub struct EditorDirectory {
    directory: tempfile::TempDir,
}

impl EditorDirectory {
    /// An empty place.
    ///
    /// # Errors
    /// When there is no room for it.
    pub fn new() -> io::Result<EditorDirectory> {
        let directory = tempfile::Builder::new().prefix("lop-edit-").tempdir()?;
        Ok(EditorDirectory { directory })
    }

    /// Where a document is edited: under its own name, since editors go by that.
    pub fn document_path(&self, document: &Document) -> PathBuf {
        let name = document.path.file_name();
        self.directory
            .path()
            .join(name.unwrap_or("program".as_ref()))
    }

    /// Has a document edited. The terminal must be free.
    pub fn edit_document(&self, document: &Document) -> EditorOutcome {
        let path = self.document_path(document);
        let old = walk::render_text(&document.root);
        let come_back = fs::write(&path, &old)
            .and_then(|()| run_editor(&path))
            .and_then(|status| Ok((status, fs::read(&path)?)));
        match come_back {
            Err(error) => EditorOutcome::Failed(error.to_string()),
            Ok((status, _)) if !status.success() => {
                EditorOutcome::Failed(format!("the editor failed: {status}"))
            }
            Ok((_, text)) if text == old => EditorOutcome::Unchanged,
            Ok((_, text)) => EditorOutcome::Text(text),
        }
    }
}

/// Runs `VISUAL`, `EDITOR` or vi; as git does by the shell, since people put options there.
fn run_editor(path: &Path) -> io::Result<ExitStatus> {
    let set = |name| {
        std::env::var(name)
            .ok()
            .filter(|value| !value.trim().is_empty())
    };
    let editor = set("VISUAL").or_else(|| set("EDITOR"));
    let line = format!("{} \"$1\"", editor.as_deref().unwrap_or("vi"));
    Command::new("/bin/sh")
        .args(["-c", &line, "sh"])
        .arg(path)
        .status()
}
