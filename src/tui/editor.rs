//! The user's own editor on the current program.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use crate::program::{Document, walk};

/// What came back from the editor.
#[derive(Debug)]
pub enum Edited {
    /// A new text.
    Text(Vec<u8>),
    /// The text as it was.
    Same,
    /// No text, for this reason.
    Failed(String),
}

/// The place where texts are edited. They stay as long as this does, so that a text that was refused can be taken up again.
#[derive(Debug)]
pub struct Desk {
    directory: tempfile::TempDir,
}

impl Desk {
    /// An empty place.
    ///
    /// # Errors
    /// When there is no room for it.
    pub fn new() -> io::Result<Desk> {
        let directory = tempfile::Builder::new().prefix("lop-edit-").tempdir()?;
        Ok(Desk { directory })
    }

    /// Where a document is edited: under its own name, since editors go by that.
    pub fn path(&self, document: &Document) -> PathBuf {
        let name = document.path.file_name();
        self.directory
            .path()
            .join(name.unwrap_or("program".as_ref()))
    }

    /// Has a document edited. The terminal must be free.
    pub fn edit(&self, document: &Document) -> Edited {
        let path = self.path(document);
        let old = walk::render(&document.root);
        let come_back = fs::write(&path, &old)
            .and_then(|()| run(&path))
            .and_then(|status| Ok((status, fs::read(&path)?)));
        match come_back {
            Err(error) => Edited::Failed(error.to_string()),
            Ok((status, _)) if !status.success() => {
                Edited::Failed(format!("the editor failed: {status}"))
            }
            Ok((_, text)) if text == old => Edited::Same,
            Ok((_, text)) => Edited::Text(text),
        }
    }
}

/// Runs `VISUAL`, `EDITOR` or vi; as git does by the shell, since people put options there.
fn run(path: &Path) -> io::Result<ExitStatus> {
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
