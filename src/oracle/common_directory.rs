//! The innermost directory that files have in common.

use std::path::{Path, PathBuf};

/// The directory that has all these paths below it, by whole parts; empty if there is no path, or no such directory.
pub fn common_directory<'p>(paths: impl Iterator<Item = &'p Path>) -> PathBuf {
    let mut parents = paths.map(|path| path.parent().unwrap_or(path));
    let mut common = parents.next().unwrap_or(Path::new("")).to_path_buf();
    for parent in parents {
        while !parent.starts_with(&common) && common.pop() {}
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_beginning_is_made_of_whole_directories() {
        let common = |paths: &[&str]| common_directory(paths.iter().map(Path::new));
        let both = ["src/main/kotlin/app/Main.kt", "src/main/kotlin/api/Port.kt"];
        assert_eq!(common(&both), Path::new("src/main/kotlin"));
        assert_eq!(common(&["a/b.c", "b.h"]), Path::new(""));
        assert_eq!(common(&[]), Path::new(""));
        for nested in [["a/b", "a/b/c"], ["a/b/c", "a/b"]] {
            assert_eq!(common(&nested), Path::new("a"), "{nested:?}");
        }
    }
}
