//! Recognises `lop TEST FILE`, the order of C-Reduce.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::plain::quote_path_for_display;

/// The line to type instead of `lop TEST FILE`; none if the order looks right or is unclear.
pub fn suggest_order(first: &Path, second: &Path) -> Option<String> {
    (second.is_file() && looks_like_test(first) && !looks_like_test(second)).then(|| {
        format!(
            "the file comes first, and then the test; type\n    lop {} {}",
            quote_path_for_display(second),
            quote_path_for_display(first)
        )
    })
}

/// Whether the file is executable, or a script that begins with `#!`.
pub fn looks_like_test(path: &Path) -> bool {
    let Ok(about) = fs::metadata(path) else {
        return false;
    };
    if !about.is_file() {
        return false;
    }
    let mut start = [0; 2];
    let mut script = || {
        File::open(path)
            .and_then(|mut file| file.read_exact(&mut start))
            .is_ok()
            && start == *b"#!"
    };
    about.permissions().mode() & 0o111 != 0 || script()
}
