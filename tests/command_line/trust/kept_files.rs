//! Files that lop keeps between runs: verdicts, and parsers that it built. If others could have written them, they are not used.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};

use super::OTHER;
use crate::shell::{End, Stage};

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("a mode");
}

/// The only file in a directory.
fn only(directory: &Path) -> PathBuf {
    let entries = fs::read_dir(directory).expect("a directory");
    let paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    assert_eq!(paths.len(), 1, "{paths:?}");
    paths[0].clone()
}

#[test]
fn verdicts_that_others_could_have_written_are_not_believed() {
    let stage = Stage::new();
    let run = || stage.lop(&["bug.c", "test.sh", "--cache", "c"]);
    let said = |end: &End, what: &str| {
        assert_eq!(end.status, 0, "{end}");
        assert!(end.out.contains(what), "{what}: {end}");
    };
    assert_eq!(run().status, 0);
    let (cache, file) = (stage.path("c"), only(&stage.path("c")));
    said(&run(), "the cache knows ");
    for path in [&cache, &file] {
        let mode = fs::metadata(path).expect("it").permissions().mode();
        chmod(path, mode | 0o020);
        said(&run(), "cannot be used: others can write to ");
        chmod(path, mode);
    }
    match chown(&file, Some(OTHER), None) {
        Ok(()) => said(&run(), "belongs to the user 65534"),
        Err(_) => println!("SKIPPED: verdicts of another user: only root can give files away"),
    }
}

/// Where the sources of the JSON grammar are.
const JSON: &str = include_str!(concat!(env!("OUT_DIR"), "/json.home"));

#[test]
fn a_parser_that_others_could_have_written_is_not_loaded() {
    let stage = Stage::new();
    let cache = stage.path("cache");
    let run = || {
        let cache = cache.to_str().expect("a path");
        stage.lop_with(&["grammar", JSON, "array"], &[("XDG_CACHE_HOME", cache)])
    };
    const BUILT: &str = "building the parser of json";
    assert!(run().err.contains(BUILT));
    let (lop, grammars) = (cache.join("lop"), cache.join("lop/grammars"));
    let library = only(&grammars);
    for path in [&lop, &grammars, &library] {
        let mode = fs::metadata(path).expect("it").permissions().mode();
        assert_eq!(mode & 0o077, 0, "{} is the user's alone", path.display());
    }
    let end = run();
    assert!(end.status == 0 && end.err.is_empty(), "{end}");
    chmod(&library, 0o722);
    let end = run();
    assert!(
        end.status == 0 && end.err.contains(BUILT),
        "built anew: {end}"
    );
    if chown(&library, Some(OTHER), None).is_ok() {
        let end = run();
        assert!(
            end.status == 0 && end.err.contains(BUILT),
            "built anew: {end}"
        );
    } else {
        println!("SKIPPED: a parser of another user: only root can give files away");
    }
    for path in [&lop, &grammars] {
        chmod(path, 0o770);
        let end = run();
        let said = format!(
            "others can write to {0}; `chmod go-w {0}` ends that",
            path.display()
        );
        assert!(end.status == 2 && end.err.contains(&said), "{end}");
        chmod(path, 0o700);
    }
    assert!(run().err.is_empty());
}
