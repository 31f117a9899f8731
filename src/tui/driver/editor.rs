//! Editing the current program in the user's editor.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

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

    /// Runs the editor on a document. The terminal must have been released.
    pub fn edit_document(&self, document: &Document, whose: &str) -> EditorOutcome {
        let path = self.document_path(document, whose);
        let old = walk::render_text(&document.root);
        let edited = fs::create_dir_all(self.directory.path().join(whose))
            .and_then(|()| fs::write(&path, &old))
            .and_then(|()| run_editor(&path))
            .and_then(|status| Ok((status, fs::read(&path)?)));
        match edited {
            Err(error) => EditorOutcome::Failed(error.to_string()),
            Ok((status, _)) if !status.success() => {
                EditorOutcome::Failed(format!("the editor failed: {status}"))
            }
            Ok((_, text)) if text == old => EditorOutcome::Unchanged,
            Ok((_, text)) => EditorOutcome::Text(text),
        }
    }
}

/// Runs `VISUAL`, `EDITOR` or vi through the shell, as git does, because these variables may contain options.
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
