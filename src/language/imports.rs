//! How a file of a language names the files that it needs: `[imports]` in `language.toml`. `program/file_needs.rs` finds them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use regex::bytes::Regex;
use serde::Deserialize;

/// How what an import names leads to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImportLookup {
    /// A path from the directory of the file, or else the only file whose path ends like that (C).
    Path,
    /// A module: a file of that name, or a directory of that name with `mod.rs` (Rust).
    Module,
    /// A package and a name in it, or all of a package (Kotlin, Java).
    Package,
    /// Names with dots that stand for directories (Python).
    Dotted,
    /// A path from the directory of the file, without its extension (JavaScript, TypeScript).
    Relative,
    /// A directory with all of its files (Go).
    Directory,
}

/// What a file of a language needs of others.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportRules {
    /// How names lead to files.
    pub lookup: ImportLookup,
    /// The kinds of nodes that name a file, each with a regular expression whose first group is the name.
    kinds: BTreeMap<String, String>,
    /// The kinds of nodes that make a file a part of the program, without a use of it, likewise.
    #[serde(default)]
    parts: BTreeMap<String, String>,
    /// The kinds of nodes that say which package the file belongs to, likewise.
    #[serde(default)]
    package: BTreeMap<String, String>,
    #[serde(skip)]
    compiled: OnceLock<CompiledImports>,
}

#[derive(Debug)]
struct CompiledImports {
    kinds: Vec<(String, Regex)>,
    parts: Vec<(String, Regex)>,
    package: Vec<(String, Regex)>,
}

impl ImportRules {
    fn compile(&self) -> &CompiledImports {
        let compile = |kinds: &BTreeMap<String, String>| {
            let kinds = kinds.iter();
            // A pattern that is none is found by a test of all languages.
            let compiled =
                kinds.filter_map(|(kind, text)| Some((kind.clone(), Regex::new(text).ok()?)));
            compiled.collect()
        };
        self.compiled.get_or_init(|| CompiledImports {
            kinds: compile(&self.kinds),
            parts: compile(&self.parts),
            package: compile(&self.package),
        })
    }

    /// What nodes of this kind with this text name: each match; none if they name no file.
    pub fn find_names<'t>(&self, kind: &str, text: &'t [u8]) -> Vec<&'t str> {
        find_groups(&self.compile().kinds, kind, text)
    }

    /// The files that nodes of this kind with this text make a part of the program: each match.
    pub fn find_parts<'t>(&self, kind: &str, text: &'t [u8]) -> Vec<&'t str> {
        find_groups(&self.compile().parts, kind, text)
    }

    /// The package that a node of this kind with this text says the file belongs to.
    pub fn find_package<'t>(&self, kind: &str, text: &'t [u8]) -> Option<&'t str> {
        find_groups(&self.compile().package, kind, text)
            .into_iter()
            .next()
    }

    /// Whether nodes of this kind name files, or a package.
    pub fn concerns(&self, kind: &str) -> bool {
        let kinds = [&self.kinds, &self.parts, &self.package];
        kinds.iter().any(|kinds| kinds.contains_key(kind))
    }

    /// The patterns that are none.
    pub fn find_problem(&self) -> Option<String> {
        let kinds = [&self.kinds, &self.parts, &self.package];
        let mut patterns = kinds.into_iter().flat_map(BTreeMap::values);
        patterns.find_map(|text| Some(Regex::new(text).err()?.to_string()))
    }
}

fn find_groups<'t>(kinds: &[(String, Regex)], kind: &str, text: &'t [u8]) -> Vec<&'t str> {
    let patterns = kinds.iter().filter(|(known, _)| known == kind);
    let matches = patterns.flat_map(|(_, pattern)| pattern.captures_iter(text));
    let names = matches.filter_map(|found| std::str::from_utf8(found.get(1)?.as_bytes()).ok());
    names.collect()
}
