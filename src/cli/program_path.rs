//! Where programs are: the shell's search in `PATH`, and the way to call this program.

use std::env;
use std::path::PathBuf;

use crate::plain::quote_path_for_display;

/// The file that a shell runs for this word; none if there is none.
pub fn find_program(word: &str) -> Option<PathBuf> {
    if word.contains('/') {
        return Some(PathBuf::from(word)).filter(|path| path.exists());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .map(|directory| directory.join(word))
        .find(|file| file.is_file())
}

/// What to type to run this program: `lop`, or its path if `PATH` has no `lop` or another one.
pub fn quote_own_program() -> String {
    let own = env::current_exe().ok();
    let installed = find_program("lop").and_then(|path| path.canonicalize().ok());
    match own.filter(|own| own.canonicalize().ok() != installed) {
        Some(own) => quote_path_for_display(&own),
        None => "lop".into(),
    }
}
