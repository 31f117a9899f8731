//! Source files, and the modules in them.

use std::fs;
use std::path::{Path, PathBuf};

use super::words::Word;

/// A source file: its path from the crate's folder, with `/`, and its text.
pub struct Source {
    pub path: String,
    pub text: String,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Source {
        Source {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    /// The module that the file is, from the crate's root: `src/oracle/local.rs` is `["oracle", "local"]`.
    pub fn module(&self) -> Vec<String> {
        let path = self.path.trim_start_matches("src/").trim_end_matches(".rs");
        let mut parts: Vec<String> = path.split('/').map(str::to_owned).collect();
        if parts
            .last()
            .is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main"))
        {
            parts.pop();
        }
        parts
    }
}

/// All Rust files below `folder`, a folder of the crate.
pub fn sources(folder: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = vec![root.join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let parts: Vec<_> = path
                    .strip_prefix(root)
                    .unwrap()
                    .iter()
                    .map(|part| part.to_str().unwrap())
                    .collect();
                found.push(Source::new(
                    &parts.join("/"),
                    &fs::read_to_string(&path).unwrap(),
                ));
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// Every word's place, with the module it stands in: the file's, and the modules written out inside the file.
pub fn modules(source: &Source, words: &[Word]) -> Vec<(Vec<String>, usize)> {
    let mut module = source.module();
    let mut depth = 0;
    let mut open = Vec::new();
    let mut all = Vec::new();
    for (at, word) in words.iter().enumerate() {
        match word.text.as_str() {
            "{" => {
                depth += 1;
                if at >= 2 && words[at - 2].text == "mod" {
                    module.push(words[at - 1].text.clone());
                    open.push(depth);
                }
            }
            "}" => {
                if open.last() == Some(&depth) {
                    open.pop();
                    module.pop();
                }
                depth -= 1;
            }
            _ => {}
        }
        all.push((module.clone(), at));
    }
    all
}
