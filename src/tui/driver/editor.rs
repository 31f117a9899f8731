//! Editing the current program in the user's editor.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{Document, walk};

/// The result of an editing session.
#[derive(Debug)]
pub enum EditorOutcome {
    /// A new text.
    Text(Vec<u8>),
    /// The text is unchanged.
    Unchanged,
    /// There is no text, for this reason.
    Failed(String),
}

/// The directory for edited texts. They stay until it is dropped, so that a rejected text can be used again.
#[derive(Debug)]
pub struct EditorDirectory {
    directory: tempfile::TempDir,
}

impl EditorDirectory {
    /// Creates an empty directory.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn new() -> io::Result<EditorDirectory> {
        let directory = tempfile::Builder::new().prefix("lop-edit-").tempdir()?;
        Ok(EditorDirectory { directory })
    }

    /// The file in which a document is edited. It has the document's own name, because editors choose the language by it. The documents of
    /// a pair may have one name, so each has a directory: `whose` names it, and is empty where there is one document.
    pub fn document_path(&self, document: &Document, whose: &str) -> PathBuf {
        let name = document.path.file_name();
        self.directory
            .path()
            .join(whose)
            .join(name.unwrap_or("program".as_ref()))
    }

    /// Writes a document to its file; the path of that.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_document(&self, document: &Document, whose: &str) -> io::Result<PathBuf> {
        let path = self.document_path(document, whose);
        fs::create_dir_all(self.directory.path().join(whose))?;
        fs::write(&path, walk::render_text(&document.root))?;
        Ok(path)
    }
}

impl EditorOutcome {
    /// What came of a document in this file, after the editor has ended so.
    pub fn of_edited_file(document: &Document, path: &Path, ended: EditorEnd) -> EditorOutcome {
        let edited = ended.and_then(|()| fs::read(path).map_err(|error| error.to_string()));
        match edited {
            Err(reason) => EditorOutcome::Failed(reason),
            Ok(text) if text == walk::render_text(&document.root) => EditorOutcome::Unchanged,
            Ok(text) => EditorOutcome::Text(text),
        }
    }
}

/// How the editor ended: well, or not, for this reason.
pub type EditorEnd = Result<(), String>;

/// Runs `VISUAL`, `EDITOR` or vi through the shell, as git does, because these variables may contain options. The terminal must have been
/// released.
pub fn run_editor(path: &Path) -> EditorEnd {
    let set = |name| {
        std::env::var(name)
            .ok()
            .filter(|value| !value.trim().is_empty())
    };
    let editor = set("VISUAL").or_else(|| set("EDITOR"));
    let line = format!("{} \"$1\"", editor.as_deref().unwrap_or("vi"));
    let status = Command::new("/bin/sh")
        .args(["-c", &line, "sh"])
        .arg(path)
        .status();
    match status {
        Err(error) => Err(error.to_string()),
        Ok(status) if !status.success() => Err(format!("the editor failed: {status}")),
        Ok(_) => Ok(()),
    }
}
